/* nonsmooth_generalized_alpha.c -- the generalized-alpha method with impacts, newmark_step.c.
 * Source: Chen, Acary, Virlez, Bruls 2013; Acary 2014 (RR-8602), eq. (27).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/generalized_alpha.h"

static const double slack = 1e-14; /* rounding of the conditions, which rho_inf meets as equalities */

/* Routh's conditions for the characteristic polynomial of q'' + omega^2 q = 0, for every h omega. */
static bool good(const dls_newmark *c)
{
  return c->alpha_m <= 0.5 + slack && c->alpha_f <= 0.5 + slack && c->gamma >= 0.5 - slack &&
         c->gamma >= 0.5 + c->alpha_f - c->alpha_m - slack && 2 * c->beta >= c->gamma - slack;
}

static const dls_newmark_kind kind = {
    .coefficients = dls_generalized_alpha,
    .good = good,
    .claim = "unconditionally stable, which needs alpha_m, alpha_f <= 1/2 and 2 beta >= "
             "gamma >= 1/2 + max(0, alpha_f - alpha_m)",
};

const dls_scheme dls_scheme_nonsmooth_generalized_alpha = {
    .name = "nonsmooth-generalized-alpha",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS |
                      DLS_HANDLES_JOINTS),
    .summary = "generalized-alpha method, impacts by an implicit first-order rule",
    .source = "Q. Chen, V. Acary, G. Virlez, O. Bruls 2013; V. Acary 2014 (INRIA RR-8602), eq. (27)",
    .equations =
        "M vt' = F(t', q', v'),  (1 - alpha_m) a' + alpha_m a = (1 - alpha_f) vt' + alpha_f vt,  M w = H P\n"
        "v' = v + h [(1 - gamma) a + gamma a'] + w\n"
        "q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n"
        "joints: smooth motion v~, q~ with Phi(q~) = 0;  q' = q~ + M^-1 (G nu_b + H nu), 0 <= g(q') _|_ nu >= "
        "0;\n"
        "v' = v~ + M^-1 (G L + H P) where nu > 0 or g <= 0,  mu = mu~ + L/h\n"
        "rho_inf: alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 + alpha_f - alpha_m,\n"
        "beta = (gamma + 1/2)^2/4\n",
    .remarks =
        "Order 1 with impacts, 2 without (if gamma = 1/2 + alpha_f - alpha_m). Damps high frequencies, and "
        "hardly\nlow ones. Its algorithmic energy has no sign with damping or a time-dependent load: see\n"
        "nonsmooth-kh-generalized-alpha. a is not the acceleration at t: it belongs to t + (alpha_m - alpha_f) "
        "h.\n",
    .options = dls_generalized_alpha_options,
    .kind = &kind,
    .advance_batch = dls_newmark_advance_batch,
    .check = dls_generalized_alpha_check,
    .balance = &dls_balance_generalized_alpha,
    .published =
        (const dls_published_order[]){
            {"Q.-Z. Chen, V. Acary, G. Virlez and O. Bruls 2013, figures 3 and 4", 1, {"bouncing-ball"}}, {0}},
};
