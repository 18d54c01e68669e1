/* balance_ipc.c -- the energy identities of (1) of ipc.c. With dq = q' - q, dv = v' - v and x^ = x' (euler) or (x + x')/2
 * (trapezoidal) for F, f and v,
 *
 *   E' - E = dq^T F^ - dq^T C v^ + dq^T H f^ - 1/2 |dq|_K^2 - 1/2 |dv|_M^2,
 *
 * the last two in euler's only. The energy of the barriers joins E. For bdf2 none is known.
 * Source: as V. Acary 2014 (RR-8602), corollary 1, for theta = 1 and 1/2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/soft/balance_ipc.h"
#include "time_stepping/soft/ipc.h"
#include "time_stepping/step/balance_table.h"

enum { LOAD, DQ, DV, WORK, VECTORS };
enum { STIFFNESS, INERTIA, CONTACT };

static const dls_ipc *memory(const dls_sim *sim)
{
  return sim->memory;
}

static bool is_mean(const dls_sim *sim)
{
  return ((const dls_ipc_options *)sim->options)->rule == DLS_IPC_TRAPEZOIDAL;
}

static void start(const dls_sim *sim, double *own)
{
  dls_system_load(sim->sys, sim->t, own + LOAD * sim->sys->n);
}

static double stored(const dls_sim *sim)
{
  double energy = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    energy += dls_ipc_energy(&memory(sim)->barrier, sim->g[j]);
  }
  return energy;
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n) + stored(sim);
}

/* f^ of a row. */
static double force(const dls_sim *sim, size_t row)
{
  const dls_ipc *s = memory(sim);
  return is_mean(sim) ? 0.5 * (s->f_before[row] + s->f[row]) : s->f[row];
}

/* Gaps that move are refused. */
static double drive(const dls_sim *sim, size_t j, const double *own)
{
  (void)sim;
  (void)j;
  (void)own;
  return 0;
}

/* f^ dg */
static double push(const dls_sim *sim, size_t j, const double *own)
{
  const size_t row = sim->sys->d * j;
  return force(sim, row) * dls_matrix_column_dot(memory(sim)->config.H, row, own + DQ * sim->sys->n);
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_ipc *s = memory(sim);
  const dls_system *sys = sim->sys;
  const size_t n = sys->n, d = sys->d;
  const double weight = is_mean(sim) ? 0.5 : 1; /* of the end of the step */
  double *load = own + LOAD * n, *dq = own + DQ * n, *dv = own + DV * n, *work = own + WORK * n;
  dls_system_load(sys, sim->t, work);
  for (size_t i = 0; i < n; i++) {
    load[i] = (1 - weight) * load[i] + weight * work[i];
    dq[i] = sim->q[i] - q[i];
    dv[i] = (1 - weight) * v[i] + weight * sim->v[i]; /* v^, for now */
  }
  dls_balance_add_table(sim, h, weight, load, work);
  out->external = dls_balance_load_work(sys, load, dq);         /* dq^T F^ */
  out->damping = -dls_balance_product(sim->C, n, dq, dv, work); /* -dq^T C v^ */
  for (size_t i = 0; i < n; i++) {
    dv[i] = sim->v[i] - v[i];
  }
  if (weight == 1) {
    out->term[STIFFNESS] = -0.5 * dls_balance_product(sim->K, n, dq, dq, work); /* -1/2 |dq|_K^2 */
    out->term[INERTIA] = -0.5 * dls_balance_product(sys->M, n, dv, dv, work);   /* -1/2 |dv|_M^2 */
  }
  for (size_t j = 0; j < sys->m; j++) {
    for (size_t i = 1; i < d; i++) { /* friction: dq^T H_T f_T^ */
      out->impact += force(sim, d * j + i) * dls_matrix_column_dot(s->config.H, d * j + i, dq);
    }
    out->term[CONTACT] +=
        push(sim, j, own) + dls_ipc_energy(&s->barrier, sim->g[j]) - dls_ipc_energy(&s->barrier, s->gap[j]);
  }
  dls_system_load(sys, sim->t, load); /* of the next step */
}

static const dls_balance *of_options(const dls_sim *sim)
{
  return ((const dls_ipc_options *)sim->options)->rule == DLS_IPC_BDF2 ? NULL : &dls_balance_ipc;
}

static const dls_balance_term terms[] = {
    {"stiffness", "-1/2 |dq|_K^2; 0 for rule=trapezoidal", false},
    {"inertia", "-1/2 |dv|_M^2; 0 for rule=trapezoidal", false},
    {"contact", "f^^T dg + dU: work of the barrier that is not stored in it", false},
    {0}};

const dls_balance dls_balance_ipc = {
    .energy = "E + sum U(g)",
    .external = "dq^T F^",
    .damping = "-dq^T C v^",
    .symbols = "U = kappa s/h^2 b: energy of a barrier; x^ = x', for rule=trapezoidal (x + x')/2",
    .source = "as V. Acary 2014 (INRIA RR-8602), corollary 1, with theta = 1 and 1/2",
    .terms = terms,
    .vectors = VECTORS,
    .yields = true,
    .of_options = of_options,
    .start = start,
    .step = step,
    .drive = drive,
    .push = push,
    .stored = stored,
    .algorithmic = algorithmic,
};
