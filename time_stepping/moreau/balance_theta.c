/* balance_theta.c -- energy identities of the Moreau-Jean scheme and its variant. With d = h [(1 - eta) v + eta v'],
 * x_theta = (1 - theta) x + theta x', dx = x' - x and the norms |x|_A^2 = x^T A x,
 *
 *   E' - E = d^T F_theta - d^T C v_theta + 1/2 (U + U')^T P + (1/2 - theta) |d|_K^2
 *            + (eta - 1/2) [P^T dU - |dv|_M^2],
 *
 * eta = theta: Moreau-Jean; eta = 1/2: the variant. Moreau-Jean's last bracket is (theta - 1/2) P^T dU >= 0, the
 * work that makes the scheme active beyond theta = 1/(1+e), and a damping of velocities.
 * The variant's external work is d^T F_theta, not h v_theta^T F_theta as the lecture's (83) suggests for (88).
 * Sources: Acary 2014 (RR-8602), eqs. (35), (50), (51), corollary 1; Acary, lecture, eqs. (84), (88).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/moreau/balance_theta.h"
#include "time_stepping/moreau/theta_equations.h"
#include "time_stepping/moreau/theta_step.h"
#include "time_stepping/step/balance_table.h"

enum { LOAD, LOAD_NEXT, LOAD_THETA, V_THETA, D, DV, WORK, VECTORS };

static void start(const dls_sim *sim, double *own)
{
  dls_system_load(sim->sys, sim->t, own + LOAD * sim->sys->n);
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n);
}

/* The terms that both schemes have; leaves d and dv in own. */
static void common_terms(const dls_sim *sim, double h, double eta, const double *v, double *own,
                         dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  const double theta = dls_theta_value(sim);
  double *load = own + LOAD * n;
  double *next = own + LOAD_NEXT * n;
  double *d = own + D * n;
  dls_system_load(sim->sys, sim->t, next);
  for (size_t i = 0; i < n; i++) {
    own[LOAD_THETA * n + i] = DLS_AVERAGE(theta, load[i], next[i]); /* F_theta */
    own[V_THETA * n + i] = DLS_AVERAGE(theta, v[i], sim->v[i]);     /* v_theta */
    own[DV * n + i] = sim->v[i] - v[i];
    d[i] = DLS_THETA_INCREMENT(h, eta, v[i], sim->v[i]); /* d */
    load[i] = next[i];                                   /* F of the next step */
  }
  dls_balance_add_table(sim, h, theta, own + LOAD_THETA * n, own + WORK * n);
  out->external = dls_balance_load_work(sim->sys, own + LOAD_THETA * n, d);             /* d^T F_theta */
  out->damping = -dls_balance_product(sim->C, n, d, own + V_THETA * n, own + WORK * n); /* -d^T C v_theta */
  out->impact = dls_balance_impact(sim, v);
  /* (1/2 - theta) |d|_K^2 */
  out->term[0] = (0.5 - theta) * dls_balance_product(sim->K, n, d, d, own + WORK * n);
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  (void)q;
  const size_t n = sim->sys->n;
  const double theta = dls_theta_value(sim);
  const double *dv = own + DV * n;
  common_terms(sim, h, theta, v, own, out);
  out->term[1] = (0.5 - theta) * dls_balance_product(sim->sys->M, n, dv, dv, own + WORK * n);
  out->term[2] = (theta - 0.5) * dls_balance_impulses(sim, dv);
}

static void step_variant(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                         dls_balance_step *out)
{
  (void)q;
  common_terms(sim, h, 0.5, v, own, out);
}

static const dls_balance_term terms[] = {{"stiffness", "(1/2 - theta) |dq|_K^2", false},
                                         {"inertia", "(1/2 - theta) |dv|_M^2", false},
                                         {"impulse", "(theta - 1/2) P^T dU", true},
                                         {0}};
static const dls_balance_term variant_terms[] = {{"stiffness", "(1/2 - theta) |dq|_K^2", false}, {0}};

const dls_balance dls_balance_moreau_jean = {
    .energy = "E",
    .external = "h v_theta^T F_theta",
    .damping = "-h v_theta^T C v_theta",
    .source = "V. Acary 2014 (INRIA RR-8602), eqs. (35), (50), (51)",
    .terms = terms,
    .of_impulses = "impulse",
    .vectors = VECTORS,
    .start = start,
    .step = step,
    .works_at = dls_theta_value,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_moreau_jean_variant = {
    .energy = "E",
    .external = "dq^T F_theta",
    .damping = "-dq^T C v_theta",
    .source = "V. Acary 2014 (INRIA RR-8602), corollary 1; V. Acary, lecture, eq. (88) with dq^T F_theta",
    .terms = variant_terms,
    .vectors = VECTORS,
    .start = start,
    .step = step_variant,
    .algorithmic = algorithmic,
};
