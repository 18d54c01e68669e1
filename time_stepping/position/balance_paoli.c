/* balance_paoli.c -- energy identity of the Schatzman-Paoli scheme on linear systems. The node k, with its central velocity
 * v_k = (q_k+1 - q_k-1)/2h, stands between two half steps, and the energy is that of these: with d = q_k+1 - q_k
 *
 *   H_k+1/2 = 1/2 |d/h|_M^2 + 1/2 |q_k + d/2|_K^2 + (theta/4 - 1/8) |d|_K^2
 *   H_k+1/2 - H_k-1/2 = h v_k^T F_k+theta - h v_k^T C v_k + v_k^T H p_k
 *                       - theta h^2 |v_k|_K^2                                          stiffness
 *
 * Proof: the scheme times (q_k+1 - q_k-1)/2h^2 = v_k/h. The inertia gives the difference of 1/2 |d/h|_M^2; the stiffness
 * -1/2 (d' + d)^T K (q_k + theta d'), where (d' + d)^T K q_k is the difference of q_k^T K q_k+1
 * = |q_k + d'/2|_K^2 - 1/4 |d'|_K^2, and 1/2 (d' + d)^T K d' = 1/4 (|d'|_K^2 - |d|_K^2) + 1/4 |d' + d|_K^2.
 * The impulse p = Pi/h works on v_k: normal work has any sign, -(1 + e) g_k-1 p/2h, friction is never positive where the
 * surfaces rest. theta = 1/2: H is the energy at the half step; theta = 0: positive definite for h < 2/omega.
 * The ledger begins with E at t = 0: the first step goes from there to H_3/2, by H_1/2, with the works (h/2) v^T F,
 * -(h/2) v^T C v of
 * the first half step; the rest of its change, by contact forces and O(h^2), is `start`.
 * Derived by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/position/paoli_equations.h"
#include "time_stepping/position/schatzman_paoli.h"
#include <math.h>
#include <string.h>

enum { BEGUN, D, MIDDLE, WORK, VECTORS }; /* own: BEGUN is one number */
enum { STIFFNESS, START };

static double theta_of(const dls_sim *sim)
{
  const dls_paoli_options *opt = sim->options;
  return opt->theta;
}

/* H of the half step from q with own's d. */
static double energy(const dls_sim *sim, double h, const double *q, double *own)
{
  const size_t n = sim->sys->n;
  const double *d = own + D * n;
  double *middle = own + MIDDLE * n, *work = own + WORK * n;
  for (size_t i = 0; i < n; i++) {
    middle[i] = q[i] + 0.5 * d[i];
  }
  return 0.5 * dls_balance_product(sim->sys->M, n, d, d, work) / (h * h) +
         0.5 * dls_balance_product(sim->K, n, middle, middle, work) +
         dls_balance_load_potential(sim->sys, middle, work) + /* -F^T (q + d/2), F steady */
         (0.25 * theta_of(sim) - 0.125) * dls_balance_product(sim->K, n, d, d, work);
}

static void start(const dls_sim *sim, double *own)
{
  own[BEGUN * sim->sys->n] = 0;
}

/* At the start that of the node. */
static double algorithmic(const dls_sim *sim, double h, double *own)
{
  const dls_paoli_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  if (own[BEGUN * n] == 0) {
    return dls_balance_mechanical(sim, own + WORK * n);
  }
  memcpy(own + D * n, s->d, n * sizeof *own);
  return energy(sim, h, sim->q, own);
}

/* From the state (q, v) at the start to H_1/2, with d_1 = 2 h v_1 - d_2. */
static void first_half(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                       dls_balance_step *out)
{
  const dls_paoli_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  double *load = own + MIDDLE * n, *work = own + WORK * n;
  const double before = dls_balance_kinetic(sim->sys, v, work) + dls_balance_potential(sim->sys, q, work);
  dls_system_load(sim->sys, sim->t - h, load);
  out->external = h / 2 * dls_balance_load_work(sim->sys, load, v);
  out->damping = -h / 2 * dls_balance_product(sim->C, n, v, v, work);
  for (size_t i = 0; i < n; i++) {
    own[D * n + i] = 2 * h * sim->v[i] - s->d[i];
  }
  out->term[START] = energy(sim, h, q, own) - before - out->external - out->damping;
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  double *load = own + MIDDLE * n, *work = own + WORK * n;
  if (own[BEGUN * n] == 0) {
    first_half(sim, h, q, v, own, out);
    own[BEGUN * n] = 1;
  }
  const double middle = DLS_PAOLI_TIME(sim->t, theta_of(sim), h);
  if (!dls_system_load_mean(sim->sys, middle - h / 2, middle + h / 2, load)) {
    dls_system_load(sim->sys, middle, load);
  }
  out->external += h * dls_balance_load_work(sim->sys, load, sim->v);       /* h v_k^T F_k+theta */
  out->damping -= h * dls_balance_product(sim->C, n, sim->v, sim->v, work); /* -h v_k^T C v_k */
  out->impact = dls_balance_impulses(sim, sim->v);                          /* v_k^T H p_k */
  out->term[STIFFNESS] =
      -theta_of(sim) * h * h * dls_balance_product(sim->K, n, sim->v, sim->v, work); /* -theta h^2 |v_k|_K^2 */
}

/* The impulse works on the velocity of the node that the step leads to. */
static const dls_balance_term terms[] = {
    {"stiffness", "-theta h^2 |v|_K^2, v that of the node", false},
    {"start", "first half step: H_1/2 - E - h/2 v^T F + h/2 |v|_C^2, contact forces and O(h^2)", false},
    {0}};

const dls_balance dls_balance_schatzman_paoli = {
    .energy = "1/2 |d/h|_M^2 + 1/2 |q + d/2|_K^2 + (theta/4 - 1/8) |d|_K^2",
    .external = "h v^T F_k+theta",
    .damping = "-h v^T C v",
    .impact = "v^T H p",
    .symbols = "d = q_k+1 - q_k, q and v those of the node k",
    .source = "this project, from eqs. (42), (43) of V. Acary's lecture",
    .terms = terms,
    .vectors = VECTORS,
    .start = start,
    .step = step,
    .at_node = true,
    .algorithmic = algorithmic,
};
