/* nonsmooth_kh_generalized_alpha.c -- generalized-alpha in the form of Krenk and Hogsberg, with impacts:
 * damping and load are averaged like the inertia, which gives the algorithmic energy a sign; (4') of newmark_step.c.
 * Source: Krenk & Hogsberg 2005; Acary 2014 (RR-8602), eq. (32) with -F_k in the second bracket.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/generalized_alpha.h"

static const double slack = 1e-14; /* rounding of the conditions, which rho_inf meets as equalities */

static bool good(const dls_newmark *c)
{
  const double eta = c->alpha_f - c->alpha_m;
  return 2 * c->beta >= c->gamma - slack && c->gamma >= 0.5 - slack && eta >= -slack &&
         eta <= c->gamma - 0.5 + slack && c->gamma - 0.5 <= 0.5 - c->alpha_m + slack;
}

static const dls_newmark_kind kind = {
    .coefficients = dls_generalized_alpha,
    .good = good,
    .claim = "proved dissipative, which needs 2 beta >= gamma >= 1/2 and "
             "0 <= alpha_f - alpha_m <= gamma - 1/2 <= 1/2 - alpha_m",
    .krenk_hogsberg = true,
};

const dls_scheme dls_scheme_nonsmooth_kh_generalized_alpha = {
    .name = "nonsmooth-kh-generalized-alpha",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS),
    .summary = "generalized-alpha of Krenk and Hogsberg, impacts by an implicit first-order rule",
    .source = "S. Krenk & J. Hogsberg 2005; V. Acary 2014 (INRIA RR-8602), eqs. (27), (32)",
    .equations =
        "(1 - alpha_m)[M a + C v - F]' + alpha_m [M a + C v - F] = -(1 - alpha_f) K q' - alpha_f K q,  M w = H "
        "P\n"
        "v' = v + h [(1 - gamma) a + gamma a'] + w\n"
        "q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "Linear systems only. Order 1 with impacts; without: 2 only if damping and load vanish, else 1.\n"
        "Dissipative for 2 beta >= gamma >= 1/2 and 0 <= alpha_f - alpha_m <= gamma - 1/2 <= 1/2 - alpha_m, "
        "also\n"
        "with damping and load. alpha_m = 0: the HHT method of 1977; alpha_f = 0: Wood-Bossak-Zienkiewicz.\n",
    .options = dls_generalized_alpha_options,
    .kind = &kind,
    .advance_batch = dls_newmark_advance_batch,
    .check = dls_generalized_alpha_check,
    .balance = &dls_balance_kh_generalized_alpha,
};
