/* newmark_position_contact.c -- Newmark's method with the contact force in the acceleration and the constraint at
 * position level, which fails. naive_newmark.c with alpha = 0.
 * Source: Acary, lecture, eqs. (64)-(66).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"

static const dls_option options[] = {
    DLS_NEWMARK_REAL(gamma, "weight of the end of the step in the velocity", 0.5, 0, 1, 0),
    DLS_NEWMARK_REAL(beta, "weight of the end of the step in the position", 0.25, 0, 1, DLS_OPEN_MIN),
    DLS_NEWMARK_STABILITY_OPTION,
    DLS_NAIVE_POSITION_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {.coefficients = dls_newmark_given,
                                      .good = dls_newmark_stable,
                                      .claim = dls_newmark_stability,
                                      .position = true};

const dls_scheme dls_scheme_newmark_position_contact = {
    .name = "newmark-position-contact",
    .family = DLS_FAMILY_TEACHING,
    .summary = "Newmark with the contact force in the acceleration, constraint at position level: fails",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eqs. (64)-(66)",
    .equations = "M a' = F(t', q', v') + H lambda',  0 <= g(q')  _|_  lambda' >= 0   for every contact\n"
                 "v' = v + h [(1 - gamma) a + gamma a']\n"
                 "q' = q + h v + h^2 [(1/2 - beta) a + beta a']\n",
    .remarks = "For teaching: it does not converge to a motion with impacts, and the restitution e of the "
               "model is not used.\n"
               "A body that would penetrate by (1 - sigma) h V, with sigma the position of the impact in the "
               "step, gets the\n"
               "force that puts it at g = 0. Then this force, of order V/h, is part of a and returns in the "
               "next step.\n"
               "Restitution that results: (1 - sigma)/beta - 1 where one step reacts. gamma = 1/2, beta = 1/4: "
               "3 - 4 sigma,\n"
               "and 8 sigma - 5 for sigma > 2/3; up to 3, so energy is created. gamma = 1, beta = 1/2: |1 - 2 "
               "sigma|.\n"
               "It depends on where the grid lies, for every h. Use nonsmooth-newmark instead.\n"
               "lambda: lambda', of order V/h at an impact; p: momentum that the step transmits, the returning "
               "part too.\n",
    .options = options,
    .options_size = sizeof(dls_newmark_options),
    .kind = &kind,
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = dls_newmark_check,
    .start = dls_naive_start,
    .advance = dls_naive_advance,
    .finish = dls_naive_finish,
    .limit = {.kind = DLS_LIMIT_NONE, .text = "e between 0 and 3"},
};
