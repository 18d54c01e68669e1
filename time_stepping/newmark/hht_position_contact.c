/* hht_position_contact.c -- the HHT method with the contact force in the average of the forces and the constraint at
 * position level, which fails. naive_newmark.c.
 * Source: Acary, lecture, eqs. (59), (60), (64)-(66); alpha here is minus its alpha.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"

static const dls_option options[] = {
    DLS_NEWMARK_HHT_OPTION,
    DLS_NAIVE_POSITION_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {.coefficients = dls_newmark_hht, .position = true};

const dls_scheme dls_scheme_hht_position_contact = {
    .name = "hht-position-contact",
    .family = DLS_FAMILY_TEACHING,
    .summary = "HHT with the contact force in the average of the forces, constraint at position level: fails",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eqs. (59), (60), (64)-(66)",
    .equations = "M a' = (1 - alpha) (F' + H lambda') + alpha (F + H lambda),  0 <= g(q')  _|_  lambda' >= 0\n"
                 "v' = v + h [(1 - gamma) a + gamma a'],   gamma = 1/2 + alpha\n"
                 "q' = q + h v + h^2 [(1/2 - beta) a + beta a'],   beta = (1 + alpha)^2 / 4\n",
    .remarks = "For teaching: it does not converge to a motion with impacts, and the restitution e of the "
               "model is not used.\n"
               "As newmark-position-contact; the force, of order V/h, returns in two steps instead of one, "
               "through a and\n"
               "through the average. Restitution that results where one step reacts, sigma the position of the "
               "impact in it:\n"
               "  (1 - sigma)/(beta (1 - alpha)) - 1.\n"
               "Numerical damping does not help. Use nonsmooth-hht instead.\n"
               "lambda: lambda', of order V/h at an impact; p: momentum that the step transmits, the returning "
               "part too.\n",
    .options = options,
    .options_size = sizeof(dls_newmark_options),
    .kind = &kind,
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .start = dls_naive_start,
    .advance = dls_naive_advance,
    .finish = dls_naive_finish,
    .limit = {.kind = DLS_LIMIT_NONE},
};
