/* balance_penalty.c -- energy identities of penalty contact on linear systems. With eta = 1 - alpha,
 * x_gamma = (1 - gamma) x + gamma x' of the values x that belong to two successive steps, and dx = x' - x,
 *
 *   H = E + sum U(g) + (h^2/4) (2 beta - gamma) |a|_M^2 + (eta/2) (1 - gamma) |z|_K^2,   z = q_k - q_k-1
 *   H' - H = dq^T (F_alpha)_gamma - dq^T C (v_alpha)_gamma + contact
 *            + (1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2                         inertia
 *            + (eta + 1/2 - gamma) |dq|_K^2                                            stiffness
 *            - (eta/2) (1 - gamma) |dz|_K^2                                            filter
 *            - (dg - H^T dq)^T f_gamma                              supports that move
 *   contact = dg^T f_gamma + sum dU, for the conserving pressure
 *           = - (theta - 1/2) kappa sum_lasting (dg)^2 + (1 - gamma) dg^T (f_last - f)
 *   and with augmentations what the multipliers of the step do, which is not stored
 *
 * E has the velocity M^-1 p of the momenta p, not the one that a mass penalty reports: E + sum U + M, with the
 * energy M of the mass penalty. midpoint and trapezoidal have no numerical terms but the contact's.
 * The identity is that of HHT with the contact force in the acceleration.
 * Sources: Armero & Petocz 1996, (3.14), (3.26), (3.37); Acary 2014 (RR-8602), (80).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include <string.h>

/* Kept: a, v, the load, v_alpha and increment of the last step. Then
 * those of the present step. */
enum { A, V, LOAD, V_ALPHA, Z, DA, DQ, DZ, LOAD_GAMMA, V_GAMMA, WORK, VECTORS };
enum { INERTIA, STIFFNESS, FILTER, CONTACT, LAG, AUGMENTED };

static const dls_penalty *memory(const dls_sim *sim)
{
  return sim->memory;
}

static void start(const dls_sim *sim, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  memcpy(own + A * n, s->a, n * sizeof *own);
  memcpy(own + V * n, s->v, n * sizeof *own);
  memcpy(own + V_ALPHA * n, s->v, n * sizeof *own);
  dls_system_load(sim->sys, sim->t, own + LOAD * n);
}

/* Sum of U(g): what the contacts store. */
static double stored(const dls_sim *sim)
{
  const dls_penalty *s = memory(sim);
  double energy = 0;
  for (size_t j = 0; j < sim->sys->m; j++) {
    energy += s->law->potential(sim, j, s->gap[j]);
  }
  return energy;
}

static double algorithmic(const dls_sim *sim, double h, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  const dls_continuum *c = &s->c;
  double *work = own + WORK * n;
  const double *z = own + Z * n;
  double energy = dls_balance_kinetic(sim->sys, s->v, work) + dls_balance_potential(sim->sys, sim->q, work);
  energy += h * h / 4 * (2 * c->beta - c->gamma) *
            dls_balance_product(sim->sys->M, n, s->a, s->a, work); /* (h^2/4) (2 beta - gamma) |a|_M^2 */
  energy += (1 - c->alpha) / 2 * (1 - c->gamma) *
            dls_balance_product(sim->K, n, z, z, work); /* (eta/2) (1 - gamma) |z|_K^2 */
  return energy + stored(sim);                          /* stored: sum of U(g) */
}

/* load := the one of the step: at t + alpha h, or the mean of both ends. */
static void load_of_step(const dls_sim *sim, double h, double *load, double *work)
{
  const dls_continuum *c = &memory(sim)->c;
  if (!c->average) {
    dls_system_load(sim->sys, sim->t - (1 - c->alpha) * h, load);
    return;
  }
  dls_system_load(sim->sys, sim->t - h, load);
  dls_system_load(sim->sys, sim->t, work);
  for (size_t i = 0; i < sim->sys->n; i++) {
    load[i] = 0.5 * (load[i] + work[i]);
  }
}

/* Increments and averages of the step; what is kept becomes that of t_k+1. */
static void advance(const dls_sim *sim, double h, const double *q, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  const double alpha = s->c.alpha;
  const double gamma = s->c.gamma;
  memcpy(own + LOAD_GAMMA * n, own + LOAD * n, n * sizeof *own);
  load_of_step(sim, h, own + LOAD * n, own + WORK * n);
  for (size_t i = 0; i < n; i++) {
    double *at = own + i;
    const double v_alpha = (1 - alpha) * at[V * n] + alpha * s->v[i];             /* v_alpha of this step */
    at[LOAD_GAMMA * n] = (1 - gamma) * at[LOAD_GAMMA * n] + gamma * at[LOAD * n]; /* (F_alpha)_gamma */
    at[V_GAMMA * n] = (1 - gamma) * at[V_ALPHA * n] + gamma * v_alpha;            /* (v_alpha)_gamma */
    at[DQ * n] = sim->q[i] - q[i];                                                /* dq */
    at[DZ * n] = at[DQ * n] - at[Z * n];                                          /* dz, z = dq */
    at[DA * n] = s->a[i] - at[A * n];                                             /* da */
    at[Z * n] = at[DQ * n];
    at[V_ALPHA * n] = v_alpha;
    at[V * n] = s->v[i];
    at[A * n] = s->a[i];
  }
}

static void evaluate(const dls_sim *sim, double h, const double *q, double *own, dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  const dls_continuum *c = &memory(sim)->c;
  const double eta = 1 - c->alpha;
  double *work = own + WORK * n;
  const double *dq = own + DQ * n;
  const double *da = own + DA * n;
  const double *dz = own + DZ * n;
  advance(sim, h, q, own);
  out->external = dls_balance_dot(n, dq, own + LOAD_GAMMA * n);                /* dq^T (F_alpha)_gamma */
  out->damping = -dls_balance_product(sim->C, n, dq, own + V_GAMMA * n, work); /* -dq^T C (v_alpha)_gamma */
  /* (1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2 */
  out->term[INERTIA] = (0.5 - c->gamma) * h * h / 2 * (2 * c->beta - c->gamma) *
                       dls_balance_product(sim->sys->M, n, da, da, work);
  out->term[STIFFNESS] =
      (eta + 0.5 - c->gamma) * dls_balance_product(sim->K, n, dq, dq, work); /* (eta + 1/2 - gamma) |dq|_K^2 */
  out->term[FILTER] = -eta / 2 * (1 - c->gamma) *
                      dls_balance_product(sim->K, n, dz, dz, work); /* -(eta/2) (1 - gamma) |dz|_K^2 */
}

/* (H_T r_gamma)^T dq: what friction, and the surfaces that it comes from, do to the system. */
static double friction_work(const dls_sim *sim, double h, const double *dq)
{
  double work = 0;
  for (size_t i = 0; i < (sim->sys->d - 1) * sim->sys->m; i++) {
    work += sim->p_t[i] != 0 ? dls_matrix_column_dot(sim->sys->T, i, dq) * sim->p_t[i] / h : 0;
  }
  return work;
}

/* By how much the support of contact j moves the gap in the step, H^T dq being the rest of dg. */
static double moved(const dls_sim *sim, size_t j, const double *own)
{
  const dls_penalty *s = memory(sim);
  return dls_system_gap_moves(sim->sys)
             ? s->gap[j] - s->gap_last[j] - dls_matrix_column_dot(s->place.normals, j, own + DQ * sim->sys->n)
             : 0;
}

/* -f_gamma (dg - H^T dq) */
static double drive(const dls_sim *sim, size_t j, const double *own)
{
  const dls_penalty *s = memory(sim);
  return -((1 - s->c.gamma) * s->force_last[j] + s->c.gamma * s->force[j]) * moved(sim, j, own);
}

static void step_standard(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                          dls_balance_step *out)
{
  const dls_penalty *s = memory(sim);
  const double gamma = s->c.gamma;
  const double *dq = own + DQ * sim->sys->n;
  (void)v;
  evaluate(sim, h, q, own, out);
  out->impact = friction_work(sim, h, dq);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double f = (1 - gamma) * s->force_last[j] + gamma * s->force[j];                 /* f_gamma */
    const double dg = dls_matrix_column_dot(s->place.normals, j, dq) + moved(sim, j, own); /* dg */
    out->impact += drive(sim, j, own);
    out->term[CONTACT] += dg * f + s->law->potential(sim, j, s->gap[j]) -
                          s->law->potential(sim, j, s->gap_last[j]); /* dg^T f_gamma + dU */
  }
}

static void step_conserving(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                            dls_balance_step *out)
{
  const dls_penalty *s = memory(sim);
  const double *dq = own + DQ * sim->sys->n;
  (void)v;
  evaluate(sim, h, q, own, out);
  out->impact = friction_work(sim, h, dq);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double dg = dls_matrix_column_dot(s->place.normals, j, dq) + moved(sim, j, own);
    out->impact += drive(sim, j, own);
    const double dissipated = dls_conserving_dissipation(sim, j, dg);
    out->term[CONTACT] -= dissipated;
    if (s->augmentations > 0) {
      out->term[AUGMENTED] += dg * s->force[j] + dissipated + s->law->potential(sim, j, s->gap[j]) -
                              s->law->potential(sim, j, s->gap_last[j]);
    }
    out->term[LAG] += (1 - s->c.gamma) * dg * (s->force_last[j] - s->force[j]);
  }
}

#define SMOOTH_TERMS                                                                                           \
  {"inertia", "(1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2", false},                                       \
      {"stiffness", "(3/2 - alpha - gamma) |dq|_K^2", false},                                                  \
  {                                                                                                            \
    "filter", "-((1 - alpha)/2) (1 - gamma) |dz|_K^2", false                                                   \
  }
static const dls_balance_term standard_terms[] = {
    SMOOTH_TERMS, {"contact", "dg^T f_gamma + dU: work of the contact that is not stored in it", false}, {0}};
static const dls_balance_term conserving_terms[] = {
    SMOOTH_TERMS,
    {"contact", "-(theta - 1/2) kappa |dg|^2 of the lasting contacts", false},
    {"contact_lag", "(1 - gamma) dg^T (f of the last step - f)", true},
    {"augmented", "dg^T f + dU of contacts with augmentations: work of their multipliers", false},
    {0}};

static const char energy[] =
    "E + sum U(g) + (h^2/4) (2 beta - gamma) |a|_M^2 + ((1 - alpha)/2) (1 - gamma) |z|_K^2";
static const char symbols[] = "U: energy stored in a contact; z = q_k - q_k-1; E with the velocity of the "
                              "momenta; impact: work of friction";

const dls_balance dls_balance_standard_penalty = {
    .energy = energy,
    .external = "dq^T (F_alpha)_gamma",
    .damping = "-dq^T C (v_alpha)_gamma",
    .symbols = symbols,
    .source = "as V. Acary 2014 (INRIA RR-8602), eq. (80), with the contact force in the acceleration",
    .terms = standard_terms,
    .vectors = VECTORS,
    .yields = true,
    .start = start,
    .step = step_standard,
    .drive = drive,
    .stored = stored,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_conserving_penalty = {
    .energy = energy,
    .external = "dq^T (F_alpha)_gamma",
    .damping = "-dq^T C (v_alpha)_gamma",
    .symbols = symbols,
    .source = "F. Armero & E. Petocz 1996, (3.14), (3.26), (3.37); V. Acary 2014 (INRIA RR-8602), eq. (80)",
    .terms = conserving_terms,
    .vectors = VECTORS,
    .yields = true,
    .start = start,
    .step = step_conserving,
    .drive = drive,
    .stored = stored,
    .velocity = dls_conserving_velocity,
    .algorithmic = algorithmic,
};
