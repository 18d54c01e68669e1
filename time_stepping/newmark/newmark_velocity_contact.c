/* newmark_velocity_contact.c -- Newmark's method with the contact force in the acceleration and the impact law at
 * velocity level: why that fails. naive_newmark.c with alpha = 0.
 * Source: Acary, lecture, eq. (67).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"

enum { GAMMA, BETA, STABILITY, CONTACT };
static const dls_option options[] = {
    [GAMMA] = {"gamma", "1", "weight of the end of the step in the velocity", 0.5, 0, 1, DLS_REAL, DLS_OPEN_MIN,
               NULL},
    [BETA] = {"beta", "1", "weight of the end of the step in the position", 0.25, 0, 1, DLS_REAL, 0, NULL},
    [STABILITY] = DLS_NEWMARK_STABILITY_OPTION,
    [CONTACT] = DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

static dls_newmark coefficients(const double *opt)
{
  return (dls_newmark){.gamma = opt[GAMMA], .beta = opt[BETA]};
}

static dls_status check(const double *opt, dls_error *err)
{
  const dls_newmark c = coefficients(opt);
  return dls_newmark_stable(&c) || opt[STABILITY] != 0
             ? DLS_OK
             : dls_newmark_refuse("newmark-velocity-contact", &c, dls_newmark_stability, err);
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const dls_newmark c = coefficients(sim->opt);
  return dls_naive_start(sim, &c, false, CONTACT, err);
}

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
    .stepping = DLS_BY_STEP,
    .moving_gaps = true,
    .q_between = DLS_LINEAR,
    .v_between = DLS_LINEAR,
    .check = check,
    .start = start,
    .advance = dls_naive_advance,
    .finish = dls_naive_finish,
};
