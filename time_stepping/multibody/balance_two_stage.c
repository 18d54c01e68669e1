/* balance_two_stage.c -- energy of tdg-alpha and alpha-kappa, on linear and nonlinear systems. With D_g = q' - q_j, D_h = q_j - q,
 * the kinetic energy T and S of two_stage.c,
 *   E' - E = F_g^T D_g + F_h^T D_h + dV                   forces without a potential, dampers too
 *            + (Lambda_g^T G_g^T D_g + Lambda_j^T G_h^T D_h)/h   joints: 0 but for those that are driven
 *            - alpha kappa/2 |v_j - v|_M^2                jump_velocity
 *            + alpha/2 D_h^T (F_j - F)                    jump_position
 *            + (1 - kappa) dT - kappa S/2                 velocity_joints
 * the last of which is 0 for kappa = 2 dT/(2 dT + S), and for tdg-alpha, which has no such joints.
 * Source: Lens & Cardona 2007, eqs. (34), (36), (52), (69).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/balance_two_stage.h"
#include "time_stepping/multibody/two_stage.h"

enum { JUMP_VELOCITY, JUMP_POSITION, VELOCITY_JOINTS };

static void start(const dls_sim *sim, double *own)
{
  (void)sim, (void)own;
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own);
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_two_stage *s = sim->memory;
  const size_t n = s->n;
  const double *to_j = s->x, *v_j = s->x + n, *to_next = s->x + 2 * n;
  double *dv = own, *work = own + n, S = 0, jump = 0;
  for (size_t i = 0; i < n; i++) {
    dv[i] = v_j[i] - v[i];
    out->external += s->g.force[i] * (to_next[i] - to_j[i]) + s->h.force[i] * to_j[i];
    out->joints += (s->push_g[i] * (to_next[i] - to_j[i]) + s->push_h[i] * to_j[i]) / h;
    jump += to_j[i] * (s->F_j[i] - s->F_start[i]);
    S += (s->push_j[i] * (sim->v[i] + v_j[i] - 2 * v[i]) + s->push_next[i] * (sim->v[i] - v_j[i])) / h;
  }
  out->external += dls_balance_potential_gain(sim, q, work); /* dV */
  out->term[JUMP_VELOCITY] = -s->alpha * s->kappa * dls_balance_kinetic(sim->sys, dv, work);
  out->term[JUMP_POSITION] = s->alpha / 2 * jump;
  out->term[VELOCITY_JOINTS] =
      (1 - s->kappa) * (dls_balance_kinetic(sim->sys, sim->v, work) - dls_balance_kinetic(sim->sys, v, work)) -
      s->kappa * S / 2;
}

static const dls_balance_term with_joints[] = {
    {"jump_velocity", "-alpha kappa/2 |v_j - v|_M^2", false},
    {"jump_position", "alpha/2 (q_j - q)^T (F_j - F)", false},
    {"velocity_joints", "(1 - kappa) dT - kappa S/2: work of the multipliers eta", false},
    {0}};
static const dls_balance_term without[] = {{"jump_velocity", "-alpha/2 |v_j - v|_M^2", false},
                                           {"jump_position", "alpha/2 (q_j - q)^T (F_j - F)", false},
                                           {0}};

#define COMMON                                                                                                 \
  .energy = "E", .external = "F_g^T (q' - q_j) + F_h^T (q_j - q) + dV: loads and dampers",                     \
  .damping = "counted with the external work",                                                                 \
  .source = "E. Lens & A. Cardona 2007, eqs. (34), (36), (52), (69)", .vectors = 2, .nonlinear = true,         \
  .start = start, .step = step, .algorithmic = algorithmic

const dls_balance dls_balance_tdg_alpha = {COMMON, .terms = without};
const dls_balance dls_balance_alpha_kappa = {
    COMMON,
    .terms = with_joints,
    .symbols = "S = eta_j^T G_j^T (v' + v_j - 2 v) + eta'^T G'^T (v' - v_j)",
};
