/* balance_penalty.c -- energy identities of penalty contact. On linear systems, with eta = 1 - alpha,
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
 * On nonlinear systems with a constant mass the algebra of Newmark's updates is the same, F being all smooth forces, V their potential:
 *   H = T + V + sum U(g) + (h^2/4) (2 beta - gamma) |a|_M^2
 *   H' - H = int F^T dq + dV + contact + inertia
 *            + dq^T (F_alpha)_gamma - int F^T dq                                       quadrature
 * with the integral along the straight segment, to which only loads and dampers contribute; where gradients of gaps
 * turn, quadrature has
 * what f of the step before does with that of its own step, too. The terms with K are part of it.
 *
 * E has the velocity M^-1 p of the momenta p, not the one that a mass penalty reports: E + sum U + M, with the
 * energy M of the mass penalty. midpoint and trapezoidal have no numerical terms but the contact's.
 * The identity is that of HHT with the contact force in the acceleration.
 * Sources: Armero & Petocz 1996, (3.14), (3.26), (3.37); Acary 2014 (RR-8602), (80).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/balance_penalty.h"
#include "time_stepping/step/average.h"
#include <string.h>

/* Kept: a, v, the load (nonlinear: the force), v_alpha and increment of the last step, H f at its end. Then the same
 * of the present step. */
enum { A, V, LOAD, V_ALPHA, Z, PUSHED, DA, DQ, LOAD_GAMMA, DZ, V_GAMMA, WORK, VECTORS };
enum { INERTIA, STIFFNESS, FILTER, QUADRATURE, CONTACT, LAG, AUGMENTED, MULTIPLIER = LAG };
/* Gauss's formula of degree 7 on [0, 1]: half of its points, which are symmetric. */
static const double gauss_at[] = {0.06943184420297371, 0.33000947820757187},
                    gauss_weight[] = {0.17392742256872692, 0.32607257743127307};

static const dls_penalty *memory(const dls_sim *sim)
{
  return sim->memory;
}

/* H^T dq of a row, with the H of the step. */
static double travel(const dls_sim *sim, size_t row, const double *own)
{
  const dls_penalty *s = memory(sim);
  return s->config.gradient_varies ? s->travel[row]
                                   : dls_matrix_column_dot(s->config.H, row, own + DQ * sim->sys->n);
}

/* The load of a linear system, all smooth forces of another. */
static void force_at(const dls_sim *sim, double t, const double *q, const double *v, double *F)
{
  if (sim->sys->linear) {
    dls_system_load(sim->sys, t, F);
  } else {
    dls_system_force(sim->sys, t, q, v, F);
  }
}

static void start(const dls_sim *sim, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  memcpy(own + A * n, s->a, n * sizeof *own);
  memcpy(own + V * n, s->v, n * sizeof *own);
  memcpy(own + V_ALPHA * n, s->v, n * sizeof *own);
  force_at(sim, sim->t, sim->q, s->v, own + LOAD * n);
  memset(own + PUSHED * n, 0, n * sizeof *own);
  for (size_t j = 0; j < sim->sys->m; j++) {
    dls_matrix_column_add(s->config.normals, j, s->f_node[j], own + PUSHED * n);
  }
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
  if (sim->sys->linear) {                                          /* (eta/2) (1 - gamma) |z|_K^2 */
    energy += (1 - c->alpha) / 2 * (1 - c->gamma) * dls_balance_product(sim->K, n, z, z, work);
  }
  return energy + stored(sim); /* stored: sum of U(g) */
}

/* LOAD of the step from q: at t + alpha h, or the mean of both ends. DQ, DA and WORK are scratch. */
static void load_of_step(const dls_sim *sim, double h, const double *q, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  double *load = own + LOAD * n, *other = own + WORK * n, *q_at = own + DQ * n, *v_at = own + DA * n;
  const double *v = own + V * n, x = s->c.alpha;
  if (dls_system_load_mean(sim->sys, dls_sim_last_time(sim, h), sim->t, load)) {
    return; /* the step contains a row of a table of loads */
  }
  if (s->c.average) {
    force_at(sim, sim->t - h, q, v, load);
    force_at(sim, sim->t, sim->q, s->v, other);
    for (size_t i = 0; i < n; i++) {
      load[i] = 0.5 * (load[i] + other[i]);
    }
    return;
  }
  for (size_t i = 0; i < n; i++) {
    q_at[i] = DLS_AVERAGE(x, q[i], sim->q[i]);
    v_at[i] = DLS_AVERAGE(x, v[i], s->v[i]);
  }
  force_at(sim, sim->t - (1 - x) * h, q_at, v_at, load);
}

/* Increments and averages of the step; what is kept becomes that of t_k+1. */
static void advance(const dls_sim *sim, double h, const double *q, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  const double alpha = s->c.alpha;
  const double gamma = s->c.gamma;
  memcpy(own + LOAD_GAMMA * n, own + LOAD * n, n * sizeof *own);
  load_of_step(sim, h, q, own);
  for (size_t i = 0; i < n; i++) {
    double *at = own + i;
    const double v_alpha = DLS_AVERAGE(alpha, at[V * n], s->v[i]);             /* v_alpha of this step */
    at[LOAD_GAMMA * n] = DLS_AVERAGE(gamma, at[LOAD_GAMMA * n], at[LOAD * n]); /* (F_alpha)_gamma */
    at[V_GAMMA * n] = DLS_AVERAGE(gamma, at[V_ALPHA * n], v_alpha);            /* (v_alpha)_gamma */
    at[DQ * n] = sim->q[i] - q[i];                                             /* dq */
    at[DZ * n] = at[DQ * n] - at[Z * n];                                       /* dz, z = dq */
    at[DA * n] = s->a[i] - at[A * n];                                          /* da */
    at[Z * n] = at[DQ * n];
    at[V_ALPHA * n] = v_alpha;
    at[V * n] = s->v[i];
    at[A * n] = s->a[i];
  }
}

double dls_work_along(const dls_system *sys, double t, double h, const double *q, const double *dq,
                      double *work)
{
  double *at = work, *w = work + sys->n, *F = work + 2 * sys->n, sum = 0;
  for (size_t k = 0; k < 4; k++) {
    const double x = k < 2 ? gauss_at[k] : 1 - gauss_at[k - 2];
    for (size_t i = 0; i < sys->n; i++) {
      at[i] = q[i] + x * dq[i];
      w[i] = dq[i] / h;
    }
    dls_system_force(sys, t + x * h, at, w, F);
    sum += gauss_weight[k % 2] * dls_balance_dot(sys->n, F, dq);
  }
  return sum;
}

/* Work of the previous step's forces by their own gradients, less that by the gradients of this step. */
static double turned(const dls_sim *sim, double *own)
{
  const size_t n = sim->sys->n;
  const dls_penalty *s = memory(sim);
  const bool both_ends = s->c.average && !s->law->conserving;
  if (!s->config.gradient_varies) {
    return 0;
  }
  double work = dls_balance_dot(n, own + DQ * n, own + PUSHED * n);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double last = both_ends ? 2 * s->force[j] - s->f_node[j] : s->force_last[j];
    work -= last * travel(sim, sim->sys->d * j, own);
  }
  memcpy(own + PUSHED * n, s->pushed, n * sizeof *own);
  return work * (both_ends ? 0.5 : 1 - s->c.gamma);
}

/* (1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2 */
static double inertia(const dls_sim *sim, double h, double *own)
{
  const dls_continuum *c = &memory(sim)->c;
  const double *da = own + DA * sim->sys->n;
  return (0.5 - c->gamma) * h * h / 2 * (2 * c->beta - c->gamma) *
         dls_balance_product(sim->sys->M, sim->sys->n, da, da, own + WORK * sim->sys->n);
}

static void evaluate_nonlinear(const dls_sim *sim, double h, const double *q, double *own,
                               dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  advance(sim, h, q, own);
  out->term[INERTIA] = inertia(sim, h, own);
  out->external = dls_work_along(sim->sys, sim->t - h, h, q, own + DQ * n, own + DZ * n);
  out->term[QUADRATURE] =
      dls_balance_dot(n, own + DQ * n, own + LOAD_GAMMA * n) - out->external + turned(sim, own);
}

static void evaluate_linear(const dls_sim *sim, double h, const double *q, double *own, dls_balance_step *out)
{
  const size_t n = sim->sys->n;
  const dls_continuum *c = &memory(sim)->c;
  const double eta = 1 - c->alpha;
  double *work = own + WORK * n;
  const double *dq = own + DQ * n;
  const double *dz = own + DZ * n;
  advance(sim, h, q, own);
  out->term[QUADRATURE] = turned(sim, own);
  out->external = dls_balance_load_work(sim->sys, own + LOAD_GAMMA * n, dq);   /* dq^T (F_alpha)_gamma */
  out->damping = -dls_balance_product(sim->C, n, dq, own + V_GAMMA * n, work); /* -dq^T C (v_alpha)_gamma */
  out->term[INERTIA] = inertia(sim, h, own);
  out->term[STIFFNESS] =
      (eta + 0.5 - c->gamma) * dls_balance_product(sim->K, n, dq, dq, work); /* (eta + 1/2 - gamma) |dq|_K^2 */
  out->term[FILTER] = -eta / 2 * (1 - c->gamma) *
                      dls_balance_product(sim->K, n, dz, dz, work); /* -(eta/2) (1 - gamma) |dz|_K^2 */
}

static void evaluate(const dls_sim *sim, double h, const double *q, double *own, dls_balance_step *out)
{
  if (sim->sys->linear) {
    evaluate_linear(sim, h, q, own, out);
  } else {
    evaluate_nonlinear(sim, h, q, own, out);
  }
}

/* (H_T r_gamma)^T dq: work of friction and of moving surfaces on the system. */
static double friction_work(const dls_sim *sim, double h, const double *own)
{
  const size_t slips = sim->sys->d - 1;
  double work = 0;
  for (size_t i = 0; i < slips * sim->sys->m; i++) {
    const size_t row = sim->sys->d * (i / slips) + 1 + i % slips;
    work += sim->p_t[i] != 0 ? travel(sim, row, own) * sim->p_t[i] / h : 0;
  }
  return work;
}

/* Change of gap j by its support in the step; the rest of dg is H^T dq. */
static double moved(const dls_sim *sim, size_t j, const double *own)
{
  const dls_penalty *s = memory(sim);
  return dls_system_gap_moves(sim->sys) ? s->gap[j] - s->gap_last[j] - travel(sim, sim->sys->d * j, own) : 0;
}

static double force_gamma(const dls_penalty *s, size_t j)
{
  return DLS_AVERAGE(s->c.gamma, s->force_last[j], s->force[j]);
}

/* -f_gamma (dg - H^T dq) */
static double drive(const dls_sim *sim, size_t j, const double *own)
{
  return -force_gamma(memory(sim), j) * moved(sim, j, own);
}

/* dg = H^T dq plus the motion of the support. */
static double gap_change(const dls_sim *sim, size_t j, const double *own)
{
  return travel(sim, sim->sys->d * j, own) + moved(sim, j, own);
}

/* dg f_gamma */
static double push(const dls_sim *sim, size_t j, const double *own)
{
  return gap_change(sim, j, own) * force_gamma(memory(sim), j);
}

static void step_standard(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                          dls_balance_step *out)
{
  const dls_penalty *s = memory(sim);
  (void)v;
  evaluate(sim, h, q, own, out);
  out->impact = friction_work(sim, h, own);
  if (s->keeps_energy) {
    out->term[MULTIPLIER] = dls_balance_dot(sim->sys->n, own + DQ * sim->sys->n, s->extra);
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    out->impact += drive(sim, j, own);
    out->term[CONTACT] += push(sim, j, own) + s->law->potential(sim, j, s->gap[j]) -
                          s->law->potential(sim, j, s->gap_last[j]); /* dg^T f_gamma + dU */
  }
}

static void step_conserving(const dls_sim *sim, double h, const double *q, const double *v, double *own,
                            dls_balance_step *out)
{
  const dls_penalty *s = memory(sim);
  (void)v;
  evaluate(sim, h, q, own, out);
  out->impact = friction_work(sim, h, own);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double dg = gap_change(sim, j, own);
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

/* Where tangents vary, the friction of the previous step, which hht uses again, is no longer known. */
static bool holds(const dls_sim *sim)
{
  const dls_penalty_options *opt = sim->options;
  return sim->sys->linear || sim->sys->d == 1 || strcmp(dls_continuum_choices[opt->continuum], "hht") != 0;
}

#define SMOOTH_TERMS                                                                                           \
  {"inertia", "(1/2 - gamma) (h^2/2) (2 beta - gamma) |da|_M^2", false},                                       \
      {"stiffness", "(3/2 - alpha - gamma) |dq|_K^2", false},                                                  \
      {"filter", "-((1 - alpha)/2) (1 - gamma) |dz|_K^2", false},                                              \
  {                                                                                                            \
    "quadrature", "dq^T (F_alpha)_gamma - int F^T dq: of forces that are not linear", false                    \
  }
static const dls_balance_term standard_terms[] = {
    SMOOTH_TERMS,
    {"contact", "dg^T f_gamma + dU: work of the contact that is not stored in it", false},
    {"multiplier", "dq^T (mu - 1) (R/2 + M v/h): work of the multiplier that keeps the energy", false},
    {0}};
static const dls_balance_term conserving_terms[] = {
    SMOOTH_TERMS,
    {"contact", "-(theta - 1/2) kappa |dg|^2 of the lasting contacts", false},
    {"contact_lag", "(1 - gamma) dg^T (f of the last step - f)", true},
    {"augmented", "dg^T f + dU of contacts with augmentations: work of their multipliers", false},
    {0}};

static const char energy[] =
    "E + sum U(g) + (h^2/4) (2 beta - gamma) |a|_M^2 + ((1 - alpha)/2) (1 - gamma) |z|_K^2 (linear)";
static const char symbols[] = "U: energy stored in a contact; z = q_k - q_k-1; E with the velocity of the "
                              "momenta";

const dls_balance dls_balance_standard_penalty = {
    .energy = energy,
    .external = "dq^T (F_alpha)_gamma; nonlinear: int F^T dq + dV",
    .damping = "-dq^T C (v_alpha)_gamma; nonlinear: with the external work",
    .symbols = symbols,
    .source = "as V. Acary 2014 (INRIA RR-8602), eq. (80), with the contact force in the acceleration",
    .terms = standard_terms,
    .vectors = VECTORS,
    .nonlinear = true,
    .holds = holds,
    .yields = true,
    .start = start,
    .step = step_standard,
    .drive = drive,
    .push = push,
    .stored = stored,
    .algorithmic = algorithmic,
};

const dls_balance dls_balance_conserving_penalty = {
    .energy = energy,
    .external = "dq^T (F_alpha)_gamma; nonlinear: int F^T dq + dV",
    .damping = "-dq^T C (v_alpha)_gamma; nonlinear: with the external work",
    .symbols = symbols,
    .source = "F. Armero & E. Petocz 1996, (3.14), (3.26), (3.37); V. Acary 2014 (INRIA RR-8602), eq. (80)",
    .terms = conserving_terms,
    .vectors = VECTORS,
    .nonlinear = true,
    .holds = holds,
    .yields = true,
    .start = start,
    .step = step_conserving,
    .drive = drive,
    .push = push,
    .stored = stored,
    .velocity = dls_conserving_velocity,
    .algorithmic = algorithmic,
};
