/* newmark_velocity_contact.c -- Newmark's method with the contact force in the acceleration and the impact law at
 * velocity level, which fails. naive_newmark.c with alpha = 0.
 * Source: Acary, lecture, eq. (67).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"
#include <math.h>

static const dls_option options[] = {
    DLS_NEWMARK_REAL(gamma, "weight of the end of the step in the velocity", 0.5, 0, 1, DLS_OPEN_MIN),
    DLS_NEWMARK_REAL(beta, "weight of the end of the step in the position", 0.25, 0, 1, 0),
    DLS_NEWMARK_STABILITY_OPTION,
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {
    .coefficients = dls_newmark_given, .good = dls_newmark_stable, .claim = dls_newmark_stability};

const dls_scheme dls_scheme_newmark_velocity_contact = {
    .name = "newmark-velocity-contact",
    .family = DLS_FAMILY_TEACHING,
    .summary = "Newmark with the contact force in the acceleration, impact law at velocity level: fails",
    .source = "V. Acary, lecture on nonsmooth mechanical systems, eq. (67), with e times the gap velocity",
    .equations = "M a' = F(t', q', v') + H lambda'\n"
                 "v' = v + h [(1 - gamma) a + gamma a']\n"
                 "q' = q + h v + h^2 [(1/2 - beta) a + beta a']\n"
                 "0 <= U' + e U  _|_  lambda' >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= "
                 "velocity_tol]\n",
    .remarks =
        "For teaching: consistent with the impact law for gamma = 1 only.\n"
        "The impulse h gamma lambda' = (1 + e) m V gives U' = -e U, as it should. But lambda', of order V/h, "
        "is part\n"
        "of a and returns in the next step as (1 - gamma) h lambda'. Restitution that results, for every h:\n"
        "  e + ((1 - gamma)/gamma) (1 + e) = (1 + e)/gamma - 1,   with gamma = 1/2: 1 + 2 e, energy is "
        "created.\n"
        "A body at rest does not rest: a alternates with factor -(1 - gamma)/gamma. Use nonsmooth-newmark "
        "instead.\n"
        "lambda: lambda', of order V/h at an impact; p: momentum that the step transmits, the returning part "
        "too.\n",
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
    .limit = {.kind = DLS_LIMIT_OWN, .e = NAN, .text = "(1 + e)/gamma - 1, with the e of the model"},
};
