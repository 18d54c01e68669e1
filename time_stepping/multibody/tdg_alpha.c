/* tdg_alpha.c -- the decaying time-discontinuous Galerkin scheme with control, two_stage.c without velocity constraints.
 * Linear motion, z = i omega h:  R = [1 + (3 - alpha) z/6 + (1 - alpha) z^2/12]/[1 - (3 + alpha) z/6 + (1 + alpha) z^2/12],
 * Radau IIA for alpha = 1, Gauss for alpha = 0; rho_inf = (1 - alpha)/(1 + alpha).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/balance_two_stage.h"
#include "time_stepping/multibody/two_stage.h"

static const dls_option table[] = {DLS_TWO_STAGE_ALPHA(1), DLS_TWO_STAGE_NEWTON, {0}};

const dls_scheme dls_scheme_tdg_alpha = {
    .name = "tdg-alpha",
    DLS_TWO_STAGE_ENTRY,
    .summary = "energy decaying TDG with control alpha; joints in positions only, where it fails",
    .source = "E. Lens & A. Cardona 2007, eqs. (47); (28) is alpha = 1",
    .equations = "M (v' - v) = h F_g + h G_g mu_g,   q' - q = h (v_j + v')/2,   Phi(q_j) = Phi(q') = 0\n"
                 "M (v_j - v) = -h/3 (F_g - F_h) + alpha h/6 (F_j - F) - h/3 (G_g mu_g - G_h mu_j)\n"
                 "q_j - q = -h/6 (v' - alpha v_j - (1 - alpha) v)\n"
                 "F_g, G_g: discrete derivatives from q_j to q', F_h, G_h: from q to q_j\n",
    .remarks =
        "The energy changes by -alpha [|v_j - v|_M^2/2 + (q_j - q)^T (V'_j - V')/2]: it is kept for alpha = "
        "0,\n"
        "decays for alpha > 0 where V is convex. Order 3, of linear motion 4 for alpha = 0; 2 in several\n"
        "coordinates with a potential that is more than quadratic.\n"
        "It fails with curved joints: their velocities are free, so that for alpha = 0 the motion locks "
        "at\n"
        "constant energy, and for alpha > 0 it loses orders of magnitude too much. Treats no contacts.\n",
    .options = table,
    .kind = &(const dls_two_stage_kind){.alpha = 1, .velocities = false},
    .balance = &dls_balance_tdg_alpha,
};
