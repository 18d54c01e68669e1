/* balance_impulse.c -- the energy identity of the schemes with sequential impulses. A substep of length h is
 *
 *   v_1 = v_0 + h M^-1 F~,  F~ = F - K q - C v_0;   v_2 = v_1 + M^-1 H r_1;   q' = q + h v_2;   v' = v_2 + M^-1 H r_2
 *
 * With dq = q' - q and the work W = 1/2 (v_1 + v')^T H (r_1 + r_2) of its impulses,
 *
 *   E' - E = dq^T F - dq^T C v_0 + 1/2 |dq|_K^2 - 1/2 |h M^-1 F~|_M^2 + W - h F~^T M^-1 H r_1.
 *
 * The identity of a step is the sum over its substeps. Of the last two terms `impact` is 1/2 (U + U')^T P with the velocities and the
 * impulses of the whole step, and the rest is numerical. A split impulse moves q by delta: V(q + delta) - V(q).
 * For one substep it is V. Acary 2014 (RR-8602), corollary 1, with theta = 0 and eta = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/balance_impulse.h"
#include <string.h>

/* Vectors of n; the sums are the first entries of theirs. */
enum { FORCE, LOAD, DRAG, V_1, WORK, SUMS };
enum { EXTERNAL, DAMPING, STIFFNESS, INERTIA, IMPULSE, PUSH, SUM_COUNT };

static double *sum(const dls_impulse_memory *s, int which)
{
  return s->works + (size_t)(SUMS + which) * s->contacts.config.sys->n;
}

void dls_impulse_works_begin(dls_impulse_memory *s)
{
  for (int k = 0; s->works != NULL && k < SUM_COUNT; k++) {
    *sum(s, k) = 0;
  }
}

void dls_impulse_works_free(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const size_t n = sim->sys->n;
  double *own = s->works;
  if (own == NULL) {
    return;
  }
  double *force = own + FORCE * n, *load = own + LOAD * n, *drag = own + DRAG * n, *v_0 = own + V_1 * n;
  *sum(s, INERTIA) -= 0.5 * h * h * dls_balance_product(sim->sys->M, n, s->a, s->a, force);
  memset(drag, 0, n * sizeof *drag);
  for (size_t i = 0; i < n; i++) {
    v_0[i] = s->v[i] - h * s->a[i];
    load[i] = force[i]; /* F~ = M a, which the product has left */
  }
  if (sim->C != NULL) {
    dls_matrix_multiply(sim->C, 1, v_0, drag);
    dls_matrix_multiply(sim->C, 1, v_0, load);
  }
  if (sim->K != NULL) {
    dls_matrix_multiply(sim->K, 1, s->q, load); /* F = F~ + K q + C v_0 */
  }
  memcpy(own + V_1 * n, s->v, n * sizeof *own);
}

void dls_impulse_works_move(const dls_sim *sim, dls_impulse_memory *s, double h)
{
  const size_t n = sim->sys->n;
  const double *own = s->works;
  if (own == NULL) {
    return;
  }
  double impulse = 0; /* (v_2 - v_1)^T F~ = F~^T M^-1 H r_1 */
  for (size_t i = 0; i < n; i++) {
    impulse += (s->v[i] - own[V_1 * n + i]) * own[FORCE * n + i];
  }
  *sum(s, IMPULSE) -= h * impulse;
  *sum(s, EXTERNAL) += h * dls_balance_load_work(sim->sys, own + LOAD * n, s->v);
  *sum(s, DAMPING) -= h * dls_balance_dot(n, own + DRAG * n, s->v);
  *sum(s, STIFFNESS) += 0.5 * h * h * dls_balance_product(sim->K, n, s->v, s->v, s->works + WORK * n);
}

void dls_impulse_works_contacts(dls_impulse_memory *s)
{
  const dls_impulse_contacts *c = &s->contacts;
  const dls_configuration *config = &c->config;
  const size_t d = config->d;
  for (size_t k = 0; s->works != NULL && k < d * c->set.count; k++) {
    const size_t row = d * c->set.index[k / d] + k % d;
    const double *v_1 = s->works + V_1 * config->sys->n;
    const double u = dls_matrix_column_dot(config->H, row, v_1) + dls_matrix_column_dot(config->H, row, s->v);
    *sum(s, IMPULSE) += 0.5 * u * c->r[row];
  }
}

void dls_impulse_works_rebound(dls_impulse_memory *s, size_t j, double r, double u)
{
  if (s->works != NULL) {
    *sum(s, IMPULSE) += 0.5 * r * (u + dls_impulse_speed(&s->contacts, s->contacts.config.d * j, s->v));
  }
}

void dls_impulse_works_push(const dls_sim *sim, dls_impulse_memory *s, const double *w, double h)
{
  const dls_system *sys = sim->sys;
  if (s->works != NULL) {
    double *work = s->works + WORK * sys->n;
    *sum(s, PUSH) += h * dls_balance_product(sim->K, sys->n, w, s->q, work) +
                     0.5 * h * h * dls_balance_product(sim->K, sys->n, w, w, work) +
                     h * dls_balance_load_potential(sys, w, work); /* V(q + h w) - V(q) */
  }
}

static void start(const dls_sim *sim, double *own)
{
  ((dls_impulse_memory *)sim->memory)->works = own;
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n);
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_impulse_memory *s = sim->memory;
  enum { TERM_STIFFNESS, TERM_INERTIA, TERM_IMPULSE, TERM_PUSH };
  (void)h;
  (void)q;
  (void)own;
  out->external = *sum(s, EXTERNAL);
  out->damping = *sum(s, DAMPING);
  out->impact = dls_balance_impact(sim, v); /* 1/2 (U + U')^T P */
  out->term[TERM_STIFFNESS] = *sum(s, STIFFNESS);
  out->term[TERM_INERTIA] = *sum(s, INERTIA);
  out->term[TERM_IMPULSE] = *sum(s, IMPULSE) - out->impact;
  out->term[TERM_PUSH] = *sum(s, PUSH);
}

static const dls_balance_term terms[] = {
    {"stiffness", "1/2 |dq|_K^2, of all substeps", false},
    {"inertia", "-1/2 |h M^-1 F~|_M^2, F~ = F - K q - C v, of all substeps", false},
    {"impulse", "1/2 (v_1 + v')^T H r - h F~^T M^-1 H r_1 of all substeps, less impact", true},
    {"push", "V(q + h w) - V(q) of a split impulse", false},
    {0}};

const dls_balance dls_balance_impulse = {
    .energy = "E",
    .external = "dq^T F, of all substeps",
    .damping = "-dq^T C v, of all substeps",
    .symbols = "v_1 = v + h M^-1 F~; r: impulses of a substep, r_1 those before q moves",
    .source = "for one substep V. Acary 2014 (INRIA RR-8602), corollary 1, with theta = 0 and eta = 1",
    .terms = terms,
    .vectors = SUMS + SUM_COUNT,
    .start = start,
    .step = step,
    .algorithmic = algorithmic,
};
