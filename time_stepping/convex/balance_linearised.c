/* balance_linearised.c -- the energy identity of (1) of linearised_step.c. With dq = q' - q = h v', dv = v' - v, dU = U' - U and
 * M dv = h (F - K q - C v) + H P,
 *
 *   E' - E = dq^T F - dq^T C v + 1/2 (U + U')^T P + 1/2 |dq|_K^2 - 1/2 |dv|_M^2 + 1/2 P^T dU
 *
 * for any P: what the problem of a member adds to its law is no part of it.
 * Source: V. Acary 2014 (RR-8602), corollary 1, for theta = 0 and eta = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/convex/balance_linearised.h"
#include "time_stepping/step/balance_table.h"
#include <delassus/sim.h>

enum { LOAD, DQ, DV, WORK, VECTORS };
enum { STIFFNESS, INERTIA, IMPULSE };

static void start(const dls_sim *sim, double *own)
{
  dls_system_load(sim->sys, sim->t, own + LOAD * sim->sys->n);
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n);
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_system *sys = sim->sys;
  const size_t n = sys->n;
  double *load = own + LOAD * n, *dq = own + DQ * n, *dv = own + DV * n, *work = own + WORK * n;
  dls_balance_add_table(sim, h, 0, load, work);
  for (size_t i = 0; i < n; i++) {
    dq[i] = sim->q[i] - q[i];
    dv[i] = sim->v[i] - v[i];
  }
  out->external = dls_balance_load_work(sys, load, dq);                      /* dq^T F */
  out->damping = -dls_balance_product(sim->C, n, dq, v, work);               /* -dq^T C v */
  out->impact = dls_balance_impact(sim, v);                                  /* 1/2 (U + U')^T P */
  out->term[STIFFNESS] = 0.5 * dls_balance_product(sim->K, n, dq, dq, work); /* 1/2 |dq|_K^2 */
  out->term[INERTIA] = -0.5 * dls_balance_product(sys->M, n, dv, dv, work);  /* -1/2 |dv|_M^2 */
  out->term[IMPULSE] = 0.5 * dls_balance_impulses(sim, dv);                  /* 1/2 P^T dU */
  dls_system_load(sys, sim->t, load);                                        /* of the next step */
}

static const dls_balance_term terms[] = {{"stiffness", "1/2 |dq|_K^2", false},
                                         {"inertia", "-1/2 |dv|_M^2", false},
                                         {"impulse", "1/2 P^T dU", true},
                                         {0}};

const dls_balance dls_balance_linearised = {
    .energy = "E",
    .external = "dq^T F",
    .damping = "-dq^T C v",
    .source = "V. Acary 2014 (INRIA RR-8602), corollary 1, with theta = 0 and eta = 1",
    .terms = terms,
    .vectors = VECTORS,
    .start = start,
    .step = step,
    .algorithmic = algorithmic,
};
