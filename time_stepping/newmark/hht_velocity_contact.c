/* hht_velocity_contact.c -- the HHT method with the contact force in the average of the forces and the impact law at
 * velocity level, which fails. naive_newmark.c.
 * Source: Acary, lecture, eqs. (59), (60), (67); alpha here is minus its alpha.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"
#include <math.h>

static const dls_option options[] = {
    DLS_NEWMARK_HHT_OPTION,
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {.coefficients = dls_newmark_hht};

const dls_scheme dls_scheme_hht_velocity_contact = {
    .name = "hht-velocity-contact",
    .family = DLS_FAMILY_TEACHING,
    .summary = "HHT with the contact force in the average of the forces, impact law at velocity level: fails",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eqs. (59), (60), (67)",
    .equations = "M a' = (1 - alpha) (F' + H lambda') + alpha (F + H lambda)\n"
                 "v' = v + h [(1 - gamma) a + gamma a'],   gamma = 1/2 + alpha\n"
                 "q' = q + h v + h^2 [(1/2 - beta) a + beta a'],   beta = (1 + alpha)^2 / 4\n"
                 "0 <= U' + e U  _|_  lambda' >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= "
                 "velocity_tol]\n",
    .remarks =
        "For teaching: not consistent with the impact law for any alpha.\n"
        "The step that reacts transmits h gamma (1 - alpha) lambda' = (1 + e) m V, as it should; the rest of\n"
        "h lambda' returns in the next two steps, through a and through the average. Restitution that "
        "results:\n"
        "  (1 + e)/(gamma (1 - alpha)) - 1 >= (16/9) (1 + e) - 1   for every h: energy is created for e > "
        "1/8.\n"
        "Use nonsmooth-hht instead.\n"
        "lambda: lambda', of order V/h at an impact; p: momentum that the step transmits, the returning part "
        "too.\n",
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
    .limit = {.kind = DLS_LIMIT_OWN,
              .e = NAN,
              .text = "(1 + e)/(gamma (1 - alpha)) - 1, with the e of the model"},
};
