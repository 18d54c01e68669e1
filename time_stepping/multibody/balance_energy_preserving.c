/* balance_energy_preserving.c -- energy of the midpoint rule with discrete derivatives, on linear and nonlinear systems. (1) of
 * energy_preserving.c times v_m = (v + v')/2 = dq/h is, with F*^T dq = (F(m) + V'(m))^T dq - dV,
 *   H = E + sum U(y)
 *   H' - H = F*^T dq + dV                          external: loads, dampers
 *            + Lambda^T G*^T dq/h                  joints: 0 but for those that are driven
 *            + v_m^T H P                           impact; where contacts yield
 *            - f (dy - H^T dq)                     drive: supports that move
 *            + f dy + sum U(y') - U(y)             contact: 0 by the conserving pressure
 * so that energy changes only by impacts, loads, and motions of joints and supports. f dy = H^T dq f + f (dy - H^T dq).
 * Sources: Lens & Cardona 2007, eq. (22); Armero & Petocz 1996, corollary 3.2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/balance_energy_preserving.h"
#include "time_stepping/multibody/energy_preserving.h"

enum { DQ, WORK, STORED, VECTORS }; /* STORED: sum U(y) at the last node, one number */
enum { CONTACT };

/* sum U(y) */
static double stored(const dls_sim *sim)
{
  const dls_energy_preserving *s = sim->memory;
  return s->penalty ? dls_yielding_energy(&s->yielding, sim->sys->m) : 0;
}

static void start(const dls_sim *sim, double *own)
{
  own[STORED * sim->sys->n] = stored(sim);
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  (void)h;
  return dls_balance_mechanical(sim, own + WORK * sim->sys->n) + stored(sim); /* H = E + sum U(y) */
}

/* F*^T dq and Lambda^T G*^T dq/h of the step that led from q to the sim's state: the last iteration had them a little before. */
static double forces(const dls_sim *sim, double h, const double *q, const double *dq, double *joints)
{
  dls_energy_preserving *s = sim->memory;
  const dls_system *sys = sim->sys;
  const double t_m = sim->t - h / 2;
  const dls_work work = s->interval.sim->work;
  dls_sim_load_begin(s->interval.sim, dls_sim_last_time(sim, h), sim->t, 0);
  dls_segment_force(&s->interval, t_m, q, sim->q, s->v_mean);
  dls_sim_load_end(s->interval.sim);
  s->interval.sim->work = work; /* the ledger's evaluation is not the scheme's */
  const double sum = dls_balance_dot(sys->n, s->interval.force, dq);
  if (sys->r > 0) {
    dls_segment_joints(&s->interval, t_m, q, sim->q);
  }
  for (size_t k = 0; k < sys->r; k++) {
    *joints += s->momentum[k] / h * dls_matrix_column_dot(s->interval.G, k, dq);
  }
  return sum;
}

/* v_m^T H P with the H of the step. */
static double impact(const dls_sim *sim)
{
  const dls_energy_preserving *s = sim->memory;
  const size_t d = sim->sys->d;
  double sum = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    sum += sim->p[j] != 0 ? sim->p[j] * dls_matrix_column_dot(s->config.H, d * j, s->v_mean) : 0;
  }
  return sum;
}

/* By how much the support of contact j moves its gap in the step, H^T dq being the rest of dy. */
static double moved(const dls_sim *sim, size_t j, const double *dq)
{
  const dls_energy_preserving *s = sim->memory;
  return dls_system_gap_moves(sim->sys)
             ? s->yielding.change[j] - dls_matrix_column_dot(s->config.normals, j, dq)
             : 0;
}

/* -f (dy - H^T dq) */
static double drive(const dls_sim *sim, size_t j, const double *own)
{
  const dls_energy_preserving *s = sim->memory;
  return -s->yielding.force[j] * moved(sim, j, own + DQ * sim->sys->n);
}

/* f dy */
static double push(const dls_sim *sim, size_t j, const double *own)
{
  const dls_energy_preserving *s = sim->memory;
  const double *dq = own + DQ * sim->sys->n;
  return s->yielding.force[j] * (dls_matrix_column_dot(s->config.normals, j, dq) + moved(sim, j, dq));
}

static void step(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                 dls_balance_step *out)
{
  const dls_energy_preserving *s = sim->memory;
  const size_t n = sim->sys->n;
  double *dq = own + DQ * n, *work = own + WORK * n, *last = own + STORED * n;
  for (size_t i = 0; i < n; i++) {
    dq[i] = sim->q[i] - q[i];
    s->v_mean[i] = 0.5 * (v[i] + sim->v[i]); /* v_m */
  }
  out->joints = 0;
  out->external = forces(sim, h, q, dq, &out->joints);
  out->external += dls_balance_potential_gain(sim, q, work); /* dV */
  if (!s->penalty) {
    out->impact = impact(sim);
    return;
  }
  out->term[CONTACT] = stored(sim) - *last; /* sum U(y') - U(y) */
  *last = stored(sim);
  for (size_t j = 0; j < sim->sys->m; j++) {
    out->impact += drive(sim, j, own);
    out->term[CONTACT] += push(sim, j, own);
  }
}

static const dls_balance *of_options(const dls_sim *sim);

static const dls_balance_term terms[] = {{"contact", "none: impulses of a law store no energy", false}, {0}};
static const dls_balance_term penalty_terms[] = {
    {"contact", "f dy + sum U(y') - U(y): work of the contact that is not stored in it", false}, {0}};

#define COMMON                                                                                                 \
  .external = "F*^T dq + dV: loads and dampers", .damping = "counted with the external work",                  \
  .source = "E. Lens & A. Cardona 2007, eq. (22); F. Armero & E. Petocz 1996, corollary 3.2",                  \
  .vectors = VECTORS, .nonlinear = true, .yields = true, .start = start, .step = step,                         \
  .algorithmic = algorithmic

static const dls_balance of_penalty = {
    COMMON,       .energy = "E + sum U(y), U = kappa/2 min(y, 0)^2", .terms = penalty_terms, .drive = drive,
    .push = push,
};

const dls_balance dls_balance_energy_preserving = {
    COMMON,
    .energy = "E",
    .impact = "v_m^T H P, v_m = (v + v')/2, with the H of the step",
    .terms = terms,
    .of_options = of_options,
};

static const dls_balance *of_options(const dls_sim *sim)
{
  return dls_energy_preserving_yields(sim) ? &of_penalty : &dls_balance_energy_preserving;
}
