/* nonsmooth_hht.c -- the HHT method with impacts: alpha_m = 0, alpha_f = alpha in newmark_step.c.
 * Source: Acary 2014 (RR-8602), eqs. (27)-(29).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/newmark_step.h"

static const dls_option options[] = {
    DLS_NEWMARK_HHT_OPTION,
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {.coefficients = dls_newmark_hht};

const dls_scheme dls_scheme_nonsmooth_hht = {
    .name = "nonsmooth-hht",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS),
    .summary = "Hilber-Hughes-Taylor method, impacts by an implicit first-order rule",
    .source = "Q. Chen, V. Acary, G. Virlez, O. Bruls 2013; V. Acary 2014 (INRIA RR-8602), eqs. (27)-(29)",
    .equations =
        "M vt' = F(t', q', v'),  a' = (1 - alpha) vt' + alpha vt,  M w = H P\n"
        "v' = v + h [(1 - gamma) a + gamma a'] + w,   gamma = 1/2 + alpha\n"
        "q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w,   beta = (1 + alpha)^2 / 4\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "Order 1 with impacts, 2 without. alpha here is positive (other texts: -alpha or 1 - alpha).\n"
        "Unconditionally stable and dissipative on its whole range, for every e; high frequencies are damped.\n"
        "a is not the acceleration at t: it belongs to t - alpha h.\n",
    .options = options,
    .kind = &kind,
    .advance_batch = dls_newmark_advance_batch,
    .balance = &dls_balance_hht,
    .published =
        (const dls_published_order[]){{"V. Acary, lecture, slides 66 to 73", 1, {"two-ball-oscillator"}}, {0}},
};
