/* alpha_kappa.c -- the decaying TDG scheme with joints in positions and velocities, two_stage.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/balance_two_stage.h"
#include "time_stepping/multibody/two_stage.h"

static const char *const kappas[] = {"one", "clamp", "free", NULL};
static const dls_option table[] = {
    DLS_TWO_STAGE_ALPHA(0),
    DLS_CHOICE_OPTION(
        0, dls_two_stage_options, kappa,
        "free: what makes the energy that of alpha alone; clamp: the same within 1 +- h/2; one: 1", 0, kappas),
    DLS_TWO_STAGE_NEWTON,
    {0},
};

const dls_scheme dls_scheme_alpha_kappa = {
    .name = "alpha-kappa",
    DLS_TWO_STAGE_ENTRY,
    .summary = "energy conserving or decaying TDG with joints in positions and velocities",
    .source = "E. Lens & A. Cardona 2007, eqs. (66), (71)",
    .equations =
        "M (v' - v) = h F_g + h G_g mu_g,   M (q' - q) = kappa h/2 [M (v_j + v') + G' eta' + G_j eta_j]\n"
        "M (v_j - v) = -h/3 (F_g - F_h) + alpha h/6 (F_j - F) - h/3 (G_g mu_g - G_h mu_j)\n"
        "M (q_j - q) = -kappa h/6 [M (v' - alpha v_j - (1 - alpha) v) + G' eta' - G_j eta_j]\n"
        "Phi(q_j) = Phi(q') = 0,   G_j^T v_j = G'^T v' = 0\n",
    .remarks =
        "kappa=free: the energy changes by -alpha [kappa |v_j - v|_M^2/2 + (q_j - q)^T (V'_j - V')/2], so "
        "that\n"
        "it is kept for alpha = 0; kappa=one is more robust and loses a little. Order 2; mu is that of the "
        "middle\n"
        "of the step. Where joints all but make an impact (lens-cardona-d) alpha > 0 loses energy in it: the\n"
        "scheme chooses a restitution, and Newton's method may fail. Without joints as tdg-alpha, of which\n"
        "q_j, v_j, F_g, ... are. Treats no contacts.\n",
    .options = table,
    .kind = &(const dls_two_stage_kind){.alpha = 0, .velocities = true},
    .balance = &dls_balance_alpha_kappa,
};
