/* newmark_step.c -- nonsmooth Newmark, HHT and generalized-alpha: the smooth part by the classical scheme, the
 * impulse by a first-order implicit rule.
 *
 *   M w = H P,   0 <= U' + e U  _|_  P >= 0 on I1,   P = 0 elsewhere                                (1)
 *   v' = v + h [(1 - gamma) a + gamma a'] + w                                                       (2)
 *   q' = q + h v + h^2 [(1/2 - beta) a + beta a'] + (h/2) w                                         (3)
 *   M vt' = F(t', q', v'),   (1 - alpha_m) a' + alpha_m a = (1 - alpha_f) vt' + alpha_f vt          (4)
 *
 * a and vt are smooth accelerations, without contact forces. Newmark: alpha_m = alpha_f = 0; HHT: alpha_m = 0.
 * Krenk-Hogsberg has instead of (4)
 *   (1 - alpha_m) [M a + C v - F_ext]' + alpha_m [M a + C v - F_ext]
 *     = -(1 - alpha_f) K q' - alpha_f K q,                                                          (4')
 * so that damping and load are averaged with alpha_c = alpha_m; otherwise alpha_c = alpha_f.
 * Linear systems, with the predictors v*, q* of (2), (3) for a' = 0, w = 0:
 *   A = (1 - alpha_m) M + (1 - alpha_c) h gamma C + (1 - alpha_f) h^2 beta K,
 *   B = -(1 - alpha_c) C - (1 - alpha_f) (h/2) K,
 *   A a' = (1 - alpha_c) F' + alpha_c F - K [(1 - alpha_f) q* + alpha_f q] - C [(1 - alpha_c) v* + alpha_c v]
 *          - alpha_m M a + B w,
 *   LCP:  W = H1^T (I + h gamma A^-1 B) M^-1 H1 = H1^T A^-1 (A + h gamma B) M^-1 H1.
 * Where A + h gamma B is a multiple of M (2 beta = gamma), or a combination of A and M (C = 0),
 *   A + h gamma B = kappa (1 - alpha_m) M + (1 - kappa) A,   kappa = gamma/(2 beta),                 (5)
 * and contacts have unknowns of their own, neither W nor factors are needed:
 *   A x = h gamma (A a' - B w) + kappa (1 - alpha_m) H1 P,   v' = v* + x + (1 - kappa) w,   h gamma a' = x - kappa w.  (6)
 * Nonlinear systems: Newton's method for (4) with the LCP inside, unknowns vt' and w,
 *   gamma_s = gamma (1 - alpha_f)/(1 - alpha_m), beta_s alike,   A = M + h gamma_s C + h^2 beta_s K,
 *   B = -(C + (h/2) K),   K = -dF/dq, C = -dF/dv,   and the same W with gamma_s in place of gamma.
 * Systems with joints: newmark_joints.h. Contact at position level has in place of (1)
 *   M w = H P,   0 <= g(q')  _|_  P >= 0   for every contact,                                       (1')
 *   g' = g_free + (h/2) W P,   W = H^T A^-1 (A + 2 h beta B) M^-1 H, in which K cancels.
 * C cancels too where 2 beta = gamma. Then, or where C = 0, contacts with unknowns of their own need neither W nor factors:
 *   A y = h^2 beta A a'_free + (h/2) (1 - alpha_m) H P,   q' = q* + y,   h^2 beta a' = y - (h/2) w.             (7)
 * Sources: Chen, Acary, Virlez, Bruls 2013; Acary 2014 (RR-8602), eqs. (27)-(32); (1'): Kane, Repetto, Ortiz, Marsden 1999.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/newmark/multistep.h"
#include "time_stepping/newmark/newmark_fused.h"
#include "time_stepping/newmark/newmark_joints.h"
#include "time_stepping/newmark/position_contact.h"
#include "time_stepping/step/small_system.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double ratio_rounding = 1e-14; /* of kappa, from the arithmetic of coefficients */

void dls_newmark_finish(dls_sim *sim)
{
  dls_newmark_memory *s = sim->memory;
  if (s != NULL) {
    dls_newmark_joints_destroy(s->joints);
    dls_multistep_destroy(s->multistep);
    dls_velocity_contact_destroy(&s->contact);
    dls_primal_dual_destroy(s->primal_dual);
    dls_factor_destroy(s->A);
    dls_factor_destroy(s->M);
    dls_configuration_destroy(&s->config);
    free(s->small_system);
    free(s->block);
    free(s);
  }
}

enum { ARRAYS = 15 }; /* of the memory, n each */

/* @return false if out of memory */
static bool allocate_arrays(dls_newmark_memory *s, size_t n)
{
  s->block = dls_arrays(
      (const dls_slot[]){{n,
                          {&s->a, &s->vt, &s->load, &s->a_next, &s->vt_next, &s->load_next, &s->v_star,
                           &s->q_star, &s->v_free, &s->v_next, &s->q_next, &s->w, &s->rhs, &s->x, &s->w_load}},
                         {0}});
  return s->block != NULL;
}

/* y -= weight_k (h/2) K x + weight_c C x, that is y += B x. */
static void add_B(const dls_sim *sim, const dls_newmark_memory *s, const double *x, double *y)
{
  if (sim->K != NULL) {
    dls_matrix_multiply(sim->K, DLS_NEWMARK_B_K(s->weight_k, s->h), x, y);
  }
  if (sim->C != NULL) {
    dls_matrix_multiply(sim->C, -s->weight_c, x, y);
  }
}

static void set_weights(const dls_sim *sim, dls_newmark_memory *s)
{
  const dls_newmark *c = &s->c;
  const double ratio = sim->sys->linear ? 1 : (1 - c->alpha_f) / (1 - c->alpha_m);
  const double alpha_c = c->krenk_hogsberg ? c->alpha_m : c->alpha_f;
  s->gamma_s = c->gamma * ratio;
  s->beta_s = c->beta * ratio;
  s->weight_k = sim->sys->linear ? 1 - c->alpha_f : 1;
  s->weight_c = sim->sys->linear ? 1 - alpha_c : 1;
}

/* a_0 = vt_0 = M^-1 F(0, q_0, v_0), with the forces of joints, without those of contacts. */
static dls_status first_acceleration(dls_sim *sim, dls_newmark_memory *s, dls_error *err)
{
  const double one = 1;
  const dls_status status = dls_factor_sum(s->M, &one, err);
  if (status == DLS_OK) {
    dls_sim_force(sim, sim->t, sim->q, sim->v, s->a); /* F(0, q_0, v_0) */
    if (s->joints != NULL) {
      dls_newmark_joints_begin(sim, s->joints, s->a);
    } else {
      dls_factor_solve(s->M, s->a); /* M^-1 F */
    }
    memcpy(s->vt, s->a, sim->sys->n * sizeof *s->a); /* vt_0 = a_0 */
    if (sim->sys->linear) {
      dls_system_load(sim->sys, sim->t, s->load);
      memcpy(s->load_next, s->load, sim->sys->n * sizeof *s->load);
    }
  }
  return status;
}

/* kappa of (5), 1 to rounding. */
static double ratio_of(const dls_newmark *c)
{
  const double kappa = c->gamma / (2 * c->beta);
  return fabs(kappa - 1) > ratio_rounding ? kappa : 1;
}

/* Does (5) hold for these coefficients, with contacts that only get stiffer by it, or (7)? */
static bool splits(const dls_sim *sim, const dls_newmark_memory *s, const dls_newmark *c)
{
  const bool undamped = sim->sys->C == NULL;
  return s->joints == NULL && (s->position || s->contact.as_at_node) && c->gamma > 0 && c->beta > 0 &&
         c->alpha_m < 1 && (ratio_of(c) == 1 || ((s->position || ratio_of(c) < 1) && undamped));
}

/* The same of all formulas of the scheme; v* and q* of (6) may be those of two steps. */
static bool always_splits(const dls_sim *sim, const dls_newmark_memory *s)
{
  dls_newmark first, usual;
  if (s->multistep == NULL) {
    return splits(sim, s, &s->c);
  }
  dls_multistep_coefficients(s->multistep, &first, &usual);
  return splits(sim, s, &first) && splits(sim, s, &usual);
}

dls_status dls_newmark_moved(dls_sim *sim, dls_error *err)
{
  dls_newmark_memory *s = sim->memory;
  dls_configuration_mass(&s->config, sim->q);
  if (s->config.mass_varies) {
    dls_factor_touch(s->M);
  }
  return first_acceleration(sim, s, err);
}

/* All that allocates, but for the primal-dual method. */
static dls_status create(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_newmark_kind *kind = sim->scheme->kind;
  const dls_newmark_options *opt = sim->options;
  dls_newmark_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !allocate_arrays(s, sys->n) || !dls_configuration_create(sys, &s->config) ||
      (kind->formula != NULL && (s->multistep = dls_multistep_create(sim, kind->formula)) == NULL) ||
      (s->A = dls_iteration_matrix(&s->config, sim)) == NULL ||
      (s->M = dls_factor_create((const dls_matrix *const[]){s->config.M}, 1)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->c = kind->coefficients != NULL ? kind->coefficients(opt) : (dls_newmark){0};
  s->c.krenk_hogsberg = kind->krenk_hogsberg;
  s->position = kind->position;
  set_weights(sim, s);
  dls_status status = sys->r > 0 ? dls_newmark_joints_create(sim, &s->config, &s->joints, err) : DLS_OK;
  if (status != DLS_OK) {
    return status;
  }
  dls_delassus *W = sys->m == 0  ? NULL
                    : sys->r > 0 ? dls_newmark_joints_delassus(s->joints, s->config.H)
                                 : dls_delassus_create_product(s->A, s->M, s->config.H);
  status =
      dls_velocity_contact_create(sim, &s->config, W, 0.5, opt->contact.forecast,
                                  opt->contact.velocity_test != 0, opt->contact.velocity_tol, &s->contact, err);
  if (status == DLS_OK && !kind->position && !kind->restores && s->multistep == NULL) {
    status = dls_small_system_create(sim, &s->contact.contacts, &s->small_system, err);
  }
  return status;
}

bool dls_newmark_starts_again(const dls_sim *sim)
{
  const dls_newmark_memory *s = sim->memory;
  const dls_newmark_kind *kind = sim->scheme->kind;
  return s != NULL && s->primal_dual == NULL && s->multistep == NULL && !kind->position && !kind->restores &&
         dls_small_system_starts_again(sim, &s->contact.contacts, s->A) &&
         dls_factor_look(s->M).form != DLS_FACTOR_OTHER;
}

/* As created, for the present values of the system. */
static void restart(const dls_sim *sim, dls_newmark_memory *s)
{
  const dls_newmark_options *opt = sim->options;
  memset(s->block, 0, ARRAYS * sim->sys->n * sizeof *s->block);
  dls_factor_touch(s->A);
  dls_factor_touch(s->M);
  s->h = s->t_next = s->rest = s->steepness = s->stiffness = 0;
  s->reduces = s->in_place = s->row = false;
  dls_configuration_at(&s->config, 0, sim->sys->q0);
  dls_velocity_contact_restart(sim, opt->contact.velocity_tol, &s->contact);
}

dls_status dls_newmark_start(dls_sim *sim, dls_error *err)
{
  const dls_newmark_kind *kind = sim->scheme->kind;
  const dls_newmark_options *opt = sim->options;
  const bool again = sim->memory != NULL;
  dls_status status = DLS_OK;
  if (kind->krenk_hogsberg && !sim->sys->linear) {
    return dls_sim_fail(
        sim, err, DLS_ERR_NOT_APPLICABLE,
        "the Krenk-Hogsberg average needs stiffness, damping and load apart: linear systems only");
  }
  if (again) {
    restart(sim, sim->memory);
  } else if ((status = create(sim, err)) != DLS_OK) {
    return status;
  }
  dls_newmark_memory *s = sim->memory;
  s->newton = dls_newton_of_velocity(sim->sys, &opt->contact.newton);
  if ((status = first_acceleration(sim, s, err)) != DLS_OK) {
    return status;
  }
  if (!again && always_splits(sim, s) && !dls_primal_dual_create(&s->contact.contacts, s->A, &s->primal_dual)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sim->sys->m);
  }
  if (s->primal_dual == NULL) {
    dls_newmark_fused_begin(sim, s);
  }
  return DLS_OK;
}

/* The predictors: (2) and (3) with a' = 0 and w = 0. */
static void predict(const dls_sim *sim, dls_newmark_memory *s, double h)
{
  const double v_a = DLS_NEWMARK_V_A(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A(h, s->c.beta);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_star[i] = DLS_NEWMARK_V_STAR(sim->v[i], v_a, s->a[i]);               /* (2): v* */
    s->q_star[i] = DLS_NEWMARK_Q_STAR(sim->q[i], h, sim->v[i], q_a, s->a[i]); /* (3): q* */
  }
}

/* The weight of the end of the step in the impulse of its load: gamma of (2), corrected for the time shift of averaged accelerations. */
static double load_weight(const dls_newmark_memory *s)
{
  const dls_newmark *c = &s->c;
  return s->multistep != NULL ? dls_multistep_first_weight(s->multistep)
         : c->krenk_hogsberg  ? c->gamma
                              : c->gamma + c->alpha_m - c->alpha_f;
}

/* Add D of load_rows.h to v* and q*; it acts like M w. */
static void add_load_impulse(const dls_sim *sim, dls_newmark_memory *s, double h)
{
  dls_factor_solve(s->M, s->w_load);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_star[i] += s->w_load[i];
    s->q_star[i] += DLS_NEWMARK_Q_W(h, s->w_load[i]);
  }
}

/* A of M, C, K for a linear system. */
#define DLS_NEWMARK_MATRIX(s, mass, h)                                                                         \
  {                                                                                                            \
    (mass), DLS_NEWMARK_A_C((s)->weight_c, (h), (s)->c.gamma),                                                 \
        DLS_NEWMARK_A_K((s)->weight_k, (h), (s)->c.beta)                                                       \
  }

static dls_status factor(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const dls_newmark *c = &s->c;
  const size_t made = dls_factor_made(s->A);
  const double mass = sim->sys->linear ? 1 - c->alpha_m : 1;
  const double coefficients[] = DLS_NEWMARK_MATRIX(s, mass, h);
  const double newton[] = {mass, DLS_NEWMARK_V_A_NEXT(h, s->gamma_s), DLS_NEWMARK_Q_A_NEXT(h, s->beta_s)};
  const dls_status status = dls_factor_sum(s->A, sim->sys->linear ? coefficients : newton, err);
  s->h = status == DLS_OK ? h : 0;
  if (dls_factor_made(s->A) != made) {
    sim->work.factorizations++;
    if (s->contact.contacts.W !=
        NULL) { /* A + h gamma_s B, in which C cancels, or A + 2 h beta_s B, in which K does */
      const double stiffness = s->weight_k * h * h * (s->beta_s - s->gamma_s / 2),
                   damping = s->weight_c * h * (s->gamma_s - 2 * s->beta_s);
      dls_delassus_product(s->contact.contacts.W, 3,
                           (const double[]){mass, s->position ? damping : 0, s->position ? 0 : stiffness});
    }
  }
  return status;
}

/* w := M^-1 H1 P */
static void impulse_velocity(const dls_sim *sim, dls_newmark_memory *s)
{
  const dls_velocity_contact *c = &s->contact;
  memset(s->w, 0, sim->sys->n * sizeof *s->w);
  if (c->active.count > 0) {
    dls_contact_system_add_impulse(&c->contacts, &c->active, c->impulse, s->w);
    dls_factor_solve(s->M, s->w);
  }
}

/* (1), or (1') with gaps at q and where they would go by dq without P. */
static dls_status solve_contact(dls_sim *sim, dls_newmark_memory *s, double h, const double *q,
                                const double *dq, dls_error *err)
{
  dls_velocity_contact *c = &s->contact;
  if (!s->position) {
    return dls_velocity_contact_solve(sim, c, s->v_free, err);
  }
  const dls_status status = dls_position_contact_solve(sim, c, q, 1, dq, err); /* (h/2) P */
  for (size_t k = 0; k < s->config.d * c->active.count; k++) {
    c->impulse[k] *= 2 / h;
  }
  return status;
}

/* rhs := the right-hand side of (4) or (4') without B w */
static void linear_rhs(dls_sim *sim, dls_newmark_memory *s)
{
  double *rhs = s->rhs;
  const size_t n = sim->sys->n;
  const double f = s->c.alpha_f;
  const double c = s->c.krenk_hogsberg ? s->c.alpha_m : f;
  dls_system_load(sim->sys, s->t_next, s->load_next);
  sim->work.force_evals++;
  for (size_t i = 0; i < n; i++) {
    rhs[i] = DLS_NEWMARK_AVERAGE(c, s->load[i], s->load_next[i]); /* (4'): (1 - alpha_c) F' + alpha_c F */
  }
  if (sim->K != NULL) {
    for (size_t i = 0; i < n; i++) {
      s->x[i] = DLS_NEWMARK_AVERAGE(f, sim->q[i], s->q_star[i]); /* (4'): q* averaged by alpha_f */
    }
    dls_matrix_multiply(sim->K, -1, s->x, rhs);
  }
  if (sim->C != NULL) {
    for (size_t i = 0; i < n; i++) {
      s->x[i] = DLS_NEWMARK_AVERAGE(c, sim->v[i], s->v_star[i]); /* (4'): v* averaged by alpha_c */
    }
    dls_matrix_multiply(sim->C, -1, s->x, rhs);
  }
  if (s->c.alpha_m != 0) {
    dls_matrix_multiply(s->config.M, -s->c.alpha_m, s->a, rhs); /* - alpha_m M a */
  }
}

/* A a' = rhs */
static void linear_acceleration(const dls_sim *sim, dls_newmark_memory *s)
{
  memcpy(s->a_next, s->rhs, sim->sys->n * sizeof *s->a_next);
  dls_factor_solve(s->A, s->a_next);
}

/* a', v', q' of a linear step with the impulses. */
static void linear_impulse(dls_sim *sim, dls_newmark_memory *s, double h)
{
  impulse_velocity(sim, s); /* w of (1) */
  if (sim->K != NULL || sim->C != NULL) {
    add_B(sim, s, s->w, s->rhs);
    linear_acceleration(sim, s); /* A a' = rhs + B w */
  }
  dls_newmark_update(sim, s, h);
}

/* (1)-(4) by a fused step. @param[out] done  false: the factors are not tridiagonal, and the predictors are set for the general step */
static dls_status fused_step(dls_sim *sim, dls_newmark_memory *s, double h, bool *done, dls_error *err)
{
  dls_tridiagonal A;
  *done = dls_banded_factors(s->A, sim->sys->n, &A);
  const dls_status status = *done ? dls_newmark_fused_step(sim, s, &A, h, err) : DLS_OK;
  if (status == DLS_OK && !s->in_place) {
    predict(sim, s, h);
  }
  if (status == DLS_OK && *done && !s->in_place) { /* it jumps */
    linear_impulse(sim, s, h);
  }
  return status;
}

/* (1)-(4) of a linear system by (6); rhs is that of linear_rhs. @return DLS_ERR_NOT_APPLICABLE: not in this step */
static dls_status primal_dual_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const size_t n = sim->sys->n;
  dls_velocity_contact *c = &s->contact;
  const double mass = 1 - s->c.alpha_m, kappa = ratio_of(&s->c), v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma);
  const double spring = kappa == 1 ? 0 : kappa * mass / (1 - kappa); /* (1 - kappa) w is E of its impulse */
  dls_status status =
      dls_primal_dual_matrix(s->primal_dual, (const double[])DLS_NEWMARK_MATRIX(s, mass, h), spring);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] = v_a * s->rhs[i];
  }
  status = dls_velocity_contact_primal_dual(sim, c, s->primal_dual, s->v_star, s->v_free, s->x, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < c->active.count; k++) {
    c->impulse[k] /= kappa * mass;
  }
  impulse_velocity(sim, s); /* w of (1) */
  for (size_t i = 0; i < n; i++) {
    s->a_next[i] = (s->x[i] - kappa * s->w[i]) / v_a; /* (6) */
  }
  dls_newmark_update(sim, s, h);
  return DLS_OK;
}

/* (1'), (2)-(4) of a linear system by (7), as primal_dual_step. */
static dls_status position_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const size_t n = sim->sys->n;
  dls_velocity_contact *c = &s->contact;
  const double mass = 1 - s->c.alpha_m, v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma),
               q_a = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta);
  dls_status status = dls_primal_dual_matrix(s->primal_dual, (const double[])DLS_NEWMARK_MATRIX(s, mass, h), 0);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] = q_a * s->rhs[i];
  }
  status = dls_position_contact_primal_dual(sim, c, s->primal_dual, s->q_star, s->v_free, s->x, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < c->active.count; k++) {
    c->impulse[k] /= DLS_NEWMARK_Q_W(h, mass); /* (h/2) (1 - alpha_m) P */
  }
  impulse_velocity(sim, s); /* w of (1') */
  for (size_t i = 0; i < n; i++) {
    s->a_next[i] = (s->x[i] - DLS_NEWMARK_Q_W(h, s->w[i])) / q_a; /* (7) */
    s->v_free[i] = v_a * s->rhs[i];                               /* of left_limit, as in (6) ... */
    s->x[i] *= v_a / q_a;                                         /* ... and its guess */
  }
  dls_newmark_update(sim, s, h);
  return DLS_OK;
}

/* v_free of a step by (6) or (7), where it is the left limit of a jump; h gamma rhs is in v_free. */
static dls_status left_limit(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  dls_status status =
      dls_primal_dual_unconstrained(s->primal_dual, s->v_free, s->x); /* x of (6) is the guess */
  if (status == DLS_ERR_NOT_APPLICABLE) {
    status = factor(sim, s, h, err);
    memcpy(s->x, s->v_free, sim->sys->n * sizeof *s->x);
    if (status == DLS_OK) {
      dls_factor_solve(s->A, s->x);
    }
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    sim->v_left[i] = s->v_star[i] + s->x[i];
  }
  return status == DLS_ERR_MEMORY ? dls_sim_fail(sim, err, status, "no memory for the velocity before a jump")
                                  : status;
}

/* (1)-(4) of a linear system: a' without contact, w from the law, then a' with it. */
static dls_status linear_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const size_t n = sim->sys->n;
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta);
  bool done = false;
  dls_status status = DLS_ERR_NOT_APPLICABLE;
  if (s->primal_dual != NULL) {
    linear_rhs(sim, s);
    status = s->position ? position_step(sim, s, h, err) : primal_dual_step(sim, s, h, err);
    s->reduces = status != DLS_ERR_NOT_APPLICABLE;
    if (s->reduces) {
      return status;
    }
  }
  status = h == s->h ? DLS_OK : factor(sim, s, h, err); /* A depends on h alone */
  if (status != DLS_OK) {
    return status;
  }
  if (s->fused && !s->row) {
    status = fused_step(sim, s, h, &done, err);
    if (done) {
      return status;
    }
  }
  if (s->primal_dual == NULL) {
    linear_rhs(sim, s);
  }
  linear_acceleration(sim, s);
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, s->a_next[i]); /* (2): v' for w = 0 */
    s->x[i] = q_a * s->a_next[i];                                       /* (3): q' - q* for w = 0 */
  }
  status = solve_contact(sim, s, h, s->q_star, s->x, err);
  if (status == DLS_OK && s->contact.active.count > 0) {
    linear_impulse(sim, s, h);
    return DLS_OK;
  }
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] = s->v_free[i];
    s->q_next[i] = s->q_star[i] + s->x[i];
  }
  return status;
}

/* M, C, K and the residual -r = F(t', q', v') - M vt' at the iterate; rhs := -r. */
static dls_status newton_linearise(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const double t = s->t_next;
  const double one = 1;
  dls_sim_force(sim, t, s->q_next, s->v_next, s->rhs);
  dls_configuration_mass(&s->config, s->q_next);
  if (s->position) {
    dls_configuration_contacts(&s->config, t, s->q_next);
  }
  dls_iteration_linearise(sim, t, s->q_next, s->v_next, s->A);
  dls_matrix_multiply(s->config.M, -1, s->vt_next, s->rhs);
  if (s->config.mass_varies) {
    dls_factor_touch(s->M);
  }
  const dls_status status = dls_factor_sum(s->M, &one, err);
  return status != DLS_OK ? status : factor(sim, s, h, err);
}

/* One iteration: d(vt') = A^-1 (-r + B dw), dw = M^-1 H P - w; v_free is what P = 0 would give.
 * *change := the largest increment of w and h vt'; that of v' would not do, an active contact fixes U' at once. */
static dls_status newton_iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_newmark_memory *s = step;
  const size_t n = sim->sys->n;
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->gamma_s), q_a = DLS_NEWMARK_Q_A_NEXT(h, s->beta_s);
  double *dw = s->load; /* load and load_next are free in nonlinear systems */
  double *d_vt = s->load_next;
  dls_status status = newton_linearise(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < n; i++) {
    dw[i] = -s->w[i];
    d_vt[i] = s->rhs[i];
  }
  add_B(sim, s, dw, d_vt);
  dls_factor_solve(s->A, d_vt);
  for (size_t i = 0; i < n; i++) {
    s->v_free[i] = DLS_NEWMARK_UPDATE(s->v_next[i] + dw[i], v_a, d_vt[i]); /* (2): v' for P = 0 */
    s->x[i] = DLS_NEWMARK_UPDATE(DLS_NEWMARK_Q_W(h, dw[i]), q_a, d_vt[i]); /* (3): change of q' for P = 0 */
  }
  status = solve_contact(sim, s, h, s->q_next, s->x, err);
  if (status != DLS_OK) {
    return status;
  }
  impulse_velocity(sim, s);
  for (size_t i = 0; i < n; i++) {
    dw[i] += s->w[i];
    d_vt[i] = s->rhs[i];
  }
  add_B(sim, s, dw, d_vt);
  dls_factor_solve(s->A, d_vt);
  *change = 0;
  for (size_t i = 0; i < n; i++) {
    const double d = fabs(dw[i]) + h * fabs(d_vt[i]);
    *change = dls_larger(*change, d);
    s->vt_next[i] += d_vt[i];
  }
  dls_newmark_update(sim, s, h);
  return DLS_OK;
}

/* H of the impact law is taken at the forecast position q + (h/2) v; M at that of the iterate. */
static void place_contacts(dls_sim *sim, dls_newmark_memory *s, double h)
{
  const bool constant = dls_configuration_constant(&s->config);
  for (size_t i = 0; !constant && i < sim->sys->n; i++) {
    s->x[i] = sim->q[i] + h / 2 * sim->v[i];
  }
  dls_velocity_contact_forecast(sim, &s->contact, h, s->x);
}

static dls_status newton_from(dls_sim *sim, dls_newmark_memory *s, double h, const double *vt, dls_error *err)
{
  const size_t n = sim->sys->n;
  memmove(s->vt_next, vt, n * sizeof *vt);
  memset(s->w, 0, n * sizeof *s->w);
  dls_newmark_update(sim, s, h);
  dls_newton newton = s->newton;
  newton.residual = (dls_residual){.A = s->A,
                                   .M = s->config.M,
                                   .x = s->vt_next,
                                   .q = s->q_next,
                                   .v = s->v_next,
                                   .scratch = s->rhs,
                                   .weight = 1,
                                   .scale = h};
  return dls_iterate(sim, &newton, newton_iterate, s, h, err);
}

/* Start from the last acceleration; if that fails, as after an impact that makes a stiff body ring, from 0. */
static dls_status newton_step(dls_sim *sim, dls_newmark_memory *s, double h, dls_error *err)
{
  const dls_status status = newton_from(sim, s, h, s->vt, err);
  if (status != DLS_ERR_NOCONV && status != DLS_ERR_LCP) {
    return status;
  }
  dls_count_fallback(&sim->work.fallbacks, "newton-from-rest");
  memset(s->x, 0, sim->sys->n * sizeof *s->x);
  return newton_from(sim, s, h, s->x, err);
}

/* v' := v^ + s w with s >= 0, so that the impulses of the step do no work: behind (2),
 *   (s^2/2) w^T M w + s v^^T M w + 1/2 (v + v^)^T M w = 0,   M w = H P. */
static void restore_energy(dls_sim *sim, dls_newmark_memory *s)
{
  const size_t n = sim->sys->n;
  double ww = 0, vw = 0, work = 0;
  if (s->contact.active.count == 0) {
    return; /* w belongs to an earlier step */
  }
  memset(s->x, 0, n * sizeof *s->x);
  dls_matrix_multiply(s->config.M, 1, s->w, s->x); /* M w */
  for (size_t i = 0; i < n; i++) {
    ww += s->w[i] * s->x[i];
    vw += s->v_next[i] * s->x[i];
    work += (sim->v[i] + s->v_next[i]) / 2 * s->x[i];
  }
  if (!(ww > 0 && work < 0)) {
    return; /* no impulse, or none that dissipated energy */
  }
  const double root = sqrt(vw * vw - 2 * ww * work);
  const double factor = vw > 0 ? -2 * work / (root + vw) : (root - vw) / ww; /* s, without cancellation */
  for (size_t i = 0; i < n; i++) {
    s->v_next[i] += factor * s->w[i];
  }
  for (size_t k = 0; k < s->config.d * s->contact.active.count; k++) {
    s->contact.impulse[k] *= 1 + factor;
  }
  double *a = sim->sys->linear ? s->a_next : s->vt_next; /* forces at the final velocity of the step */
  dls_sim_force(sim, s->t_next, s->q_next, s->v_next, a);
  dls_factor_solve(s->M, a);
  if (a != s->a_next) {
    memcpy(s->a_next, a, n * sizeof *a);
  }
}

/* H, M and I1; v* and q*, unless the fused step computes them. */
static void begin_step(dls_sim *sim, dls_newmark_memory *s, double h)
{
  s->in_place = false;
  s->t_next = dls_sim_next_time(sim, h);
  if (s->joints == NULL) {
    place_contacts(sim, s, h);
  }
  s->row = dls_sim_load_impulse(sim, sim->t, s->t_next, load_weight(s), s->w_load);
  if (s->multistep != NULL) {
    dls_multistep_predict(sim, s, h);
  } else if (!s->fused || s->row) {
    predict(sim, s, h);
  }
  if (s->row) {
    add_load_impulse(sim, s, h);
  }
}

dls_status dls_newmark_advance(dls_sim *sim, double h, dls_error *err)
{
  const bool restores = ((const dls_newmark_kind *)sim->scheme->kind)->restores;
  dls_newmark_memory *s = sim->memory;
  const bool linear = sim->sys->linear;
  const size_t n = sim->sys->n;
  begin_step(sim, s, h);
  const dls_status status = s->joints != NULL ? dls_newmark_joints_step(sim, s, h, err)
                            : linear          ? linear_step(sim, s, h, err)
                                              : newton_step(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  if (restores) {
    restore_energy(sim, s);
  }
  dls_velocity_contact_take(sim, &s->contact, s->t_next, s->v_free, s->v_next);
  if (s->reduces && sim->jump) {
    const dls_status left = left_limit(sim, s, h, err);
    if (left != DLS_OK) {
      return left;
    }
  }
  if (s->multistep != NULL) {
    dls_multistep_keep(sim, s, h);
  }
  if (!s->in_place) {
    memcpy(sim->q, s->q_next, n * sizeof *sim->q);
    memcpy(sim->v, s->v_next, n * sizeof *sim->v);
  }
  dls_swap(&s->a, &s->a_next);
  dls_swap(linear ? &s->load : &s->vt, linear ? &s->load_next : &s->vt_next);
  return DLS_OK;
}
