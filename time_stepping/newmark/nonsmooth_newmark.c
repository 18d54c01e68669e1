/* nonsmooth_newmark.c -- Newmark's method with impacts: alpha_m = alpha_f = 0 in newmark_step.c.
 * Source: Acary 2014 (RR-8602), eqs. (27), (30).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/balance_newmark.h"
#include "time_stepping/newmark/newmark_step.h"

static const dls_option options[] = {
    DLS_NEWMARK_REAL(gamma, "weight of the end of the step in the velocity; 1/2: order 2 without impacts", 0.5,
                     0, 1, 0),
    DLS_NEWMARK_REAL(beta, "weight of the end of the step in the position", 0.25, 0, 1, 0),
    DLS_NEWMARK_STABILITY_OPTION,
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

static const dls_newmark_kind kind = {
    .coefficients = dls_newmark_given, .good = dls_newmark_stable, .claim = dls_newmark_stability};

const dls_scheme dls_scheme_nonsmooth_newmark = {
    .name = "nonsmooth-newmark",
    DLS_NEWMARK_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_MOVING_GAPS),
    .summary = "Newmark's method, impacts by an implicit first-order rule",
    .source = "Q. Chen, V. Acary, G. Virlez, O. Bruls 2013; V. Acary 2014 (INRIA RR-8602), eqs. (27), (30)",
    .equations =
        "M a' = F(t', q', v'),  M w = H P\n"
        "v' = v + h [(1 - gamma) a + gamma a'] + w\n"
        "q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + forecast h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "Order 1 with impacts; without: 2 for gamma = 1/2, else 1. The contact force is not part of a.\n"
        "Stable and dissipative for 2 beta >= gamma >= 1/2, for every e. 2 beta = gamma is the Moreau-Jean\n"
        "variant with theta = gamma. In lasting contact the gap stays within O(h^2), at 0 if 2 beta = gamma.\n",
    .options = options,
    .kind = &kind,
    .advance_batch = dls_newmark_advance_batch,
    .check = dls_newmark_check,
    .moved = dls_newmark_moved,
    .balance = &dls_balance_newmark,
    .published =
        (const dls_published_order[]){{"V. Acary, lecture, slides 66 to 73", 1, {"two-ball-oscillator"}}, {0}},
};
