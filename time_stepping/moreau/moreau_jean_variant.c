/* moreau_jean_variant.c -- the Moreau-Jean scheme with q' = q + h (v + v')/2: eta = 1/2 in theta_step.c.
 * It equals the nonsmooth Newmark scheme with 2 beta = gamma = theta.
 * Source: Acary 2014 (RR-8602), eq. (31).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/balance_theta.h"
#include "time_stepping/moreau/theta_step.h"

static const dls_option options[] = {DLS_THETA_OPTIONS_FROM(0, 0, 1, 1), DLS_THETA_CHOICES, {0}};

const dls_scheme dls_scheme_moreau_jean_variant = {
    .name = "moreau-jean-variant",
    DLS_THETA_ENTRY(DLS_HANDLES_FRICTION | DLS_HANDLES_APPROACH_SPEED | DLS_HANDLES_STATIC_FRICTION |
                    DLS_HANDLES_STRIBECK),
    .summary = "Moreau-Jean theta-method with midpoint positions, dissipative for every e",
    .source = "V. Acary 2014 (INRIA RR-8602), eq. (31)",
    .equations =
        "M (v' - v) = h [theta F' + (1 - theta) F] + H P\n"
        "q' = q + h (v + v') / 2,  U = H^T v\n"
        "0 <= U' + e U  _|_  P >= 0   for contacts with g(q + gamma h v) <= 0 [and U <= velocity_tol]\n"
        "place: M and H at q + h theta v (ahead), q (start), (1 - theta) q + theta q' (implicit)\n"
        "gap_forecast=linear: g(q) + gamma h U in place of g(q + gamma h v)\n",
    .remarks =
        "Order 1 with impacts (L1 of q and v), order 2 for theta = 1/2 without. Passes accumulations.\n"
        "Dissipative for every theta in [1/2, 1] and every e; equals the nonsmooth Newmark scheme with\n"
        "2 beta = gamma = theta. With theta < 1/2 undamped vibrations grow, at every step by\n"
        "sqrt((1 + (1-theta) w^2 h^2/2)/(1 + theta w^2 h^2/2)). Penetrations of order h stay: positions are\n"
        "not corrected.\n",
    .options = options,
    .options_size = sizeof(dls_theta_options),
    .kind = &(const dls_theta_kind){.eta = 0.5},
    .check = dls_theta_check,
    .balance = &dls_balance_moreau_jean_variant,
};
