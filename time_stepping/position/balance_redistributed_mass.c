/* balance_redistributed_mass.c -- energy identity of the midpoint rule with static contact, on linear systems. x = q' - q,
 *
 *   E' - E = x^T F~ - |x|_C^2/h + sum_j dg_j f_j
 *
 * with F~ the load at t + h/2 on coordinates with mass and the mean of both ends on the others, and p_j = h f_j.
 * Proof: rows with mass times x, where (v + v')/2 = x/h, give the kinetic energy and their part of x^T K (q + q')/2; the mean of
 * the static rows at both ends times x gives the rest. dg (lambda + lambda')/2 = (g' lambda - g lambda')/2 is 0 where the contact
 * remains open or closed.
 * Derived by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/position/redistributed_mass_midpoint.h"

enum { X, LOAD, LAST, WORK, VECTORS };

static void start(const dls_sim *sim, double *own)
{
  dls_system_load(sim->sys, sim->t, own + LAST * sim->sys->n);
}

/* LOAD := F~; LAST becomes that of the end. */
static void load_of_step(const dls_sim *sim, double h, double *own)
{
  const dls_static_contact_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  double *load = own + LOAD * n, *last = own + LAST * n, *end = own + WORK * n;
  if (!dls_system_load_mean(sim->sys, dls_sim_last_time(sim, h), sim->t, load)) {
    dls_system_load(sim->sys, sim->t - 0.5 * h, load);
  }
  dls_system_load(sim->sys, sim->t, end);
  for (size_t i = 0; i < n; i++) {
    load[i] = s->massless[i] ? 0.5 * (last[i] + end[i]) : load[i];
    last[i] = end[i];
  }
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  double *x = own + X * n;
  (void)v;
  load_of_step(sim, h, own);
  for (size_t i = 0; i < n; i++) {
    x[i] = sim->q[i] - q[i];
  }
  out->external = dls_balance_load_work(sim->sys, own + LOAD * n, x);
  out->damping = -dls_balance_product(sim->C, n, x, x, own + WORK * n) / h;
  for (size_t j = 0; j < sim->sys->m; j++) {
    out->impact += sim->p[j] != 0 ? dls_matrix_column_dot(sim->sys->H, j, x) * sim->p[j] / h : 0;
  }
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n);
}

static const dls_balance_term terms[] = {{0}};

const dls_balance dls_balance_redistributed_mass_midpoint = {
    .energy = "E",
    .external = "x^T F, at t + h/2 on coordinates with mass, else the mean of both ends",
    .damping = "-x^T C x/h",
    .impact = "dg^T f",
    .symbols =
        "x = q' - q; f: mean force of a contact that moves coordinates without mass, else that of the end",
    .source = "this project",
    .terms = terms,
    .vectors = VECTORS,
    .yields = true,
    .start = start,
    .step = step,
    .algorithmic = algorithmic,
};
