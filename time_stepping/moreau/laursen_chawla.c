/* laursen_chawla.c -- the conserving rule of Laursen & Chawla: theta = 1/2, midpoint positions, and persistency of contacts that are
 * closed at the beginning of the step: eta = 1/2, persistent, in theta_step.c.
 * Source: Laursen & Chawla 1997; V. Acary 2014 (RR-8602), section 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/balance_theta.h"
#include "time_stepping/moreau/theta_step.h"

static const dls_option options[] = {DLS_THETA_OPTIONS(0, 0, 0), {0}};

const dls_scheme dls_scheme_laursen_chawla = {
    .name = "laursen-chawla",
    DLS_THETA_ENTRY(0),
    .summary = "theta-method with midpoint positions and persistent contact: keeps the energy for theta = 1/2",
    .source = "T. Laursen, V. Chawla 1997 (IJNME 40, 863)",
    .equations =
        "M (v' - v) = h [theta F' + (1 - theta) F] + H P\n"
        "q' = q + h (v + v') / 2,  U = H^T v\n"
        "0 <= (U + U')/2  _|_  P >= 0   for contacts with g(q + gamma h v) <= 0 [and U <= velocity_tol]\n",
    .remarks =
        "P (U + U') = 0, so contacts do no work: energy to rounding in linear systems without damping for\n"
        "theta = 1/2. So all impacts are elastic: the restitution e of the model is not used. A contact acts "
        "when\n"
        "it is found closed: penetrations up to h U belong to the scheme. Order 1 with elastic impacts.\n",
    .options = options,
    .options_size = sizeof(dls_theta_options),
    .kind = &(const dls_theta_kind){.eta = 0.5, .persistent = true},
    .balance = &dls_balance_moreau_jean_variant,
    .limit = {.kind = DLS_LIMIT_OWN, .e = 1, .text = "e = 1"},
};
