/* penalty_step.c -- Newmark's updates with a contact force that is a function of the gaps.
 *
 *   v' = v + h [(1 - gamma) a + gamma a'],   q' = q + h v + h^2 [(1/2 - beta) a + beta a']              (1)
 *   M a' = F(t_a, q_a, v_a) + H f,   x_a = (1 - alpha) x + alpha x'                                     (2)
 *   M a' = (F + F')/2 + H f          (conserving)   or   [(F + H f) + (F' + H' f')]/2                   (2')
 *
 * midpoint: (2) with alpha = beta = 1/2, gamma = 1; hht: (2) with alpha, beta, gamma as given; trapezoidal: (2')
 * with beta = 1/2, gamma = 1, which is Newmark's (1/4, 1/2) with the mean of the forces at both ends.
 * The law gives f at the gap y. Conserving: y = g^d' = g^d + H^T (q' - q), the dynamic gap, H at (q + q')/2.
 * Otherwise y = g(q_a), H there, or y = g(q') for (2').
 * Friction r of the step, dry_friction.h, stands beside H f with the slip of v_a, for (2') of (v + v')/2: found with f in (3).
 *
 * Newton's method for a', the contact problem inside; one iteration does linear systems. From the iterate,
 *   A = M + w (h gamma C + h^2 beta K),   a_free = a' + A^-1 [.. - M a'],   w = alpha or 1/2,
 *   a' := a_free + A^-1 H f,   y = y_free + s W f,   W = H^T A^-1 H                                     (3)
 * so that the tangent A + s H D H^T is never formed. Derivatives of H are left out of it: for a curved contact
 * the iteration converges like (h v / R)^k with its radius R. Each iterate computes its own y, so that the result is
 * not affected.
 * Sources: Armero & Petocz 1996, eqs. (2.40), (3.1)-(3.3), (4.1)-(4.3), table 3.1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/penalty_step.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/penalty/energy_constraint.h"
#include "time_stepping/penalty/penalty_mass.h"
#include "time_stepping/step/newmark_equations.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MIDPOINT, TRAPEZOIDAL, HHT };
const char *const dls_continuum_choices[] = {"midpoint", "trapezoidal", "hht", NULL};

static dls_continuum continuum(const dls_penalty_options *opt)
{
  if (opt->continuum == HHT) {
    return (dls_continuum){opt->alpha, opt->beta, opt->gamma, false};
  }
  return (dls_continuum){0.5, 0.5, 1, opt->continuum == TRAPEZOIDAL};
}

dls_status dls_continuum_check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t of_hht[] = {offsetof(dls_penalty_options, alpha), offsetof(dls_penalty_options, beta),
                                  offsetof(dls_penalty_options, gamma)};
  static const double slack = 1e-14; /* rounding of conditions that are met as equalities */
  const dls_penalty_options *opt = options;
  const dls_continuum c = continuum(opt);
  char owner[80], with[80];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  snprintf(with, sizeof with, "continuum=%s; use continuum=hht", dls_continuum_choices[opt->continuum]);
  const dls_status status =
      dls_option_unused(self->options, opt, owner, opt->continuum == HHT ? 0 : 3, of_hht, with, err);
  if (status != DLS_OK || (c.gamma >= 1.5 - c.alpha - slack && 2 * c.beta >= c.gamma - slack)) {
    return status;
  }
  return dls_fail(err, DLS_ERR_OPTION,
                  "%s: alpha = %g, beta = %g, gamma = %g is not unconditionally stable, which needs "
                  "alpha >= 1/2 and 2 beta >= gamma >= 3/2 - alpha",
                  owner, c.alpha, c.beta, c.gamma);
}

double dls_penalty_energy(double kappa, double g)
{
  return g < 0 ? 0.5 * kappa * g * g : 0;
}

void dls_penalty_finish(dls_sim *sim)
{
  dls_penalty *s = sim->memory;
  if (s != NULL) {
    dls_compliant_destroy(&s->contact);
    dls_delassus_destroy(s->W_mass);
    dls_dry_destroy(s->dry);
    dls_factor_destroy(s->A);
    dls_factor_destroy(s->M);
    dls_configuration_destroy(&s->config);
    free(s->touches);
    free(s->episodes);
    free(s->set);
    free(s->block);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate_arrays(dls_penalty *s, size_t n, size_t m, size_t d)
{
  s->touches = calloc(2 * m + 1, sizeof *s->touches);
  s->episodes = calloc(m + 1, sizeof *s->episodes);
  s->set = calloc(m + 1, sizeof *s->set);
  s->block = dls_arrays(
      (const dls_slot[]){{n,
                          {&s->v, &s->a, &s->resultant, &s->a_next, &s->v_star, &s->q_star, &s->v_next,
                           &s->q_next, &s->q_at, &s->v_at, &s->rhs, &s->pushed, &s->extra}},
                         {5 * n, {&s->kept}},
                         {m,
                          {&s->gap, &s->u_begin, &s->force, &s->f_node, &s->force_last, &s->rate,
                           &s->mass_momentum, &s->dy, &s->gap_last, &s->shift}},
                         {d * m, {&s->travel}},
                         {0}});
  if (s->block == NULL || s->touches == NULL || s->episodes == NULL || s->set == NULL) {
    return false;
  }
  s->touched = s->touches + m;
  return true;
}

dls_status dls_penalty_create(dls_sim *sim, size_t size, const dls_penalty_law *law, dls_penalty_mass mass,
                              dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_penalty_options *opt = sim->options;
  dls_penalty *s = sim->memory = calloc(1, size);
  if (s == NULL || !allocate_arrays(s, sys->n, sys->m, sys->d) || !dls_configuration_create(sys, &s->config) ||
      (s->A = dls_iteration_matrix(&s->config, sim)) == NULL ||
      (s->M = dls_factor_create((const dls_matrix *const[]){s->config.M}, 1)) == NULL ||
      (mass.mass > 0 && sys->m > 0 &&
       ((s->W_mass = dls_delassus_create(s->M, s->config.normals)) == NULL ||
        !dls_delassus_reserve_compliant(s->W_mass)))) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->newton = dls_newton_of_velocity(sys, &opt->newton);
  if (dls_system_has_friction(sys) &&
      (s->dry = dls_dry_create(&s->config, s->A, &(dls_friction_options){.friction = DLS_FRICTION_COULOMB},
                               s->newton.tolerance)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts with friction", sys->m);
  }
  s->law = law;
  s->c = continuum(opt);
  s->mass = mass;
  s->rho = 1;
  dls_delassus *W = sys->m == 0 ? NULL : dls_delassus_create(s->A, s->config.normals);
  const dls_status status = dls_compliant_create(sim, W, s->config.normals, &s->contact, err);
  s->contact.dry = s->dry;
  const double one = 1;
  return status != DLS_OK ? status : dls_factor_sum(s->M, &one, err);
}

static dls_status begin_step(dls_sim *sim, dls_penalty *s, dls_error *err)
{
  dls_configuration_at(&s->config, sim->t, sim->q);
  dls_configuration_normals(&s->config, s->v, s->u_begin);
  return s->law->begin != NULL ? s->law->begin(sim, err) : DLS_OK;
}

/* Forces and acceleration at the start, as (2) has them. */
dls_status dls_penalty_begin(dls_sim *sim, dls_error *err)
{
  dls_penalty *s = sim->memory;
  const dls_system *sys = sim->sys;
  memcpy(s->v, sim->v, sys->n * sizeof *s->v);
  const dls_status status = begin_step(sim, s, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_configuration_gap(&s->config, s->gap);
  dls_sim_force(sim, sim->t, sim->q, s->v, s->resultant);
  memcpy(s->a, s->resultant, sys->n * sizeof *s->a); /* a = M^-1 (F + H f) */
  for (size_t j = 0; j < sys->m; j++) {
    double slope = 0;
    s->contact.y_free[j] = s->gap[j];
    s->rate[j] = s->u_begin[j];
    s->touches[j] = s->gap[j] <= 0;
    s->force[j] = s->f_node[j] = s->gap[j] < 0 ? s->law->at.force(sim, j, s->gap[j], &slope) : 0;
    s->episodes[j] = (dls_contact_episode){.open = s->touches[j], .t = sim->t, .u_minus = s->u_begin[j]};
    sim->status[j] = s->touches[j];
    sim->lambda[j] = s->force[j];
    dls_matrix_column_add(s->config.normals, j, s->force[j], s->a);
    if (!s->law->conserving) {
      dls_matrix_column_add(s->config.normals, j, s->force[j], s->resultant);
    }
  }
  dls_factor_solve(s->M, s->a);
  return DLS_OK;
}

/* (1) for the iterate a_next. */
static void update(const dls_sim *sim, dls_penalty *s, double h)
{
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_next[i] = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, s->a_next[i]); /* (1): v' */
    s->q_next[i] = DLS_NEWMARK_UPDATE(s->q_star[i], q_a, s->a_next[i]); /* (1): q' */
  }
}

static void predict(const dls_sim *sim, dls_penalty *s, double h)
{
  const double v_a = DLS_NEWMARK_V_A(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A(h, s->c.beta);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_star[i] = DLS_NEWMARK_V_STAR(s->v[i], v_a, s->a[i]);               /* (1): v' for a' = 0 */
    s->q_star[i] = DLS_NEWMARK_Q_STAR(sim->q[i], h, s->v[i], q_a, s->a[i]); /* (1): q' for a' = 0 */
    s->a_next[i] = dls_newton_iterates(&s->newton, sim->sys) ? s->a[i] : 0;
  }
  update(sim, s, h);
}

/* q_at, v_at := the state at the fraction x of the step. */
static void config(const dls_sim *sim, dls_penalty *s, double x)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_at[i] = DLS_AVERAGE(x, sim->q[i], s->q_next[i]);
    s->v_at[i] = DLS_AVERAGE(x, s->v[i], s->v_next[i]);
  }
}

/* Fraction of the step where forces are taken, and their weight there in (2) or (2'). */
static double fraction(const dls_penalty *s)
{
  return s->c.average ? 1 : s->c.alpha;
}

/* Weight of f in (2) or (2'). */
static double contact_weight(const dls_penalty *s)
{
  return s->c.average && !s->law->conserving ? 0.5 : 1;
}

static dls_status factor(dls_sim *sim, dls_penalty *s, double h, dls_error *err)
{
  const double coefficients[] = {1, DLS_NEWMARK_A_C(s->c.alpha, h, s->c.gamma),
                                 DLS_NEWMARK_A_K(s->c.alpha, h, s->c.beta)};
  return dls_iteration_factor_step(sim, s->A, h, &s->factored, coefficients, s->contact.W, err);
}

/* M, C, K at the iterate of a nonlinear system; q_at, v_at are where forces are taken. */
static void linearise(dls_sim *sim, dls_penalty *s, double t)
{
  dls_iteration_linearise(sim, t, s->q_at, s->v_at, s->A);
  config(sim, s, s->c.alpha);
  dls_configuration_mass(&s->config, s->q_at);
}

/* rhs := a_free - a' of the iterate. */
static dls_status free_increment(dls_sim *sim, dls_penalty *s, double h, dls_error *err)
{
  const double x = fraction(s);
  const double t = s->c.average ? s->t_next : sim->t + x * h;
  config(sim, s, x);
  dls_sim_load_begin(sim, sim->t, s->t_next,
                     s->c.average ? 0.5 : 0); /* the resultant contains the load of the start */
  dls_sim_force(sim, t, s->q_at, s->v_at, s->rhs);
  dls_sim_load_end(sim);
  const bool iterates = dls_newton_iterates(&s->newton, sim->sys);
  if (iterates) {
    linearise(sim, s, t);
  }
  for (size_t i = 0; s->c.average && i < sim->sys->n; i++) {
    s->rhs[i] = 0.5 * (s->resultant[i] + s->rhs[i]);
  }
  if (iterates) { /* else a' = 0 */
    dls_matrix_multiply(s->config.M, -1, s->a_next, s->rhs);
  }
  const dls_status status = factor(sim, s, h, err);
  if (status == DLS_OK) {
    dls_factor_solve(s->A, s->rhs);
  }
  return status;
}

/* g^d + H^T (q' - q) + h b; the gap itself where H is constant. H and b are those of the step. */
static void dynamic_gap(const dls_sim *sim, dls_penalty *s, double h, double *y)
{
  if (!s->config.gradient_varies) {
    dls_system_gap(sim->sys, s->t_next, s->q_next, y);
    return;
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_at[i] = s->q_next[i] - sim->q[i];
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    y[j] = s->gap[j] + dls_matrix_column_dot(s->config.normals, j, s->q_at);
    y[j] += s->config.moves ? h * s->config.b[s->config.d * j] : 0;
  }
}

/* H, y_free and rate of (3) for the iterate; rhs holds a_free - a'. @return s of (3) */
static double observe(dls_sim *sim, dls_penalty *s, double h)
{
  const bool conserving = s->law->conserving;
  const double at = conserving ? 1 : fraction(s); /* share of q' in y */
  const double dy = DLS_NEWMARK_A_K(at, h, s->c.beta);
  double *y = s->contact.y_free;
  if (dls_newton_iterates(&s->newton, sim->sys) ||
      (conserving && fraction(s) != 0.5)) { /* else they are set already */
    config(sim, s, conserving ? 0.5 : at);
  }
  dls_configuration_contacts(&s->config, sim->t + (conserving ? 0.5 : at) * h, s->q_at);
  if (s->config.gradient_varies) {
    dls_delassus_reset(s->contact.W);
  }
  if (conserving) {
    dynamic_gap(sim, s, h, y);
  } else {
    dls_configuration_gap(&s->config, y);
  }
  dls_configuration_normals(&s->config, s->v_at, s->rate);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double acceleration = dls_matrix_column_dot(s->config.normals, j, s->rhs);
    y[j] += dy * acceleration; /* y_free */
    s->rate[j] += DLS_NEWMARK_A_C(at, h, s->c.gamma) * acceleration;
  }
  s->rate_slope = s->c.gamma / (h * s->c.beta);
  return dy * contact_weight(s);
}

/* The same for friction. */
static void observe_slips(const dls_sim *sim, dls_penalty *s, double h)
{
  const double x = s->c.average ? 0.5 : s->c.alpha;
  if (s->dry != NULL) {
    config(sim, s, x);
    dls_dry_begin(s->dry, s->v_at, s->rhs, x * h * s->c.gamma, contact_weight(s), h);
  }
}

/* One iteration; *change := h times the largest increment of a'. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  dls_penalty *s = step;
  const size_t n = sim->sys->n;
  dls_compliant *c = &s->contact;
  dls_status status = free_increment(sim, s, h, err);
  if (status == DLS_OK && sim->sys->m > 0) {
    const double scale = observe(sim, s, h);
    observe_slips(sim, s, h);
    status = dls_compliant_solve(sim, c, &s->law->at, scale, s->newton.most, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  const double weight = contact_weight(s);
  *change = 0;
  for (size_t i = 0; i < n; i++) {
    const double da = s->rhs[i] + weight * c->shift[i]; /* a_free - a' + A^-1 H f */
    *change = dls_larger(*change, h * fabs(da));
    s->a_next[i] += da;
  }
  update(sim, s, h);
  return DLS_OK;
}

/* Gaps and forces of the step become those of its end. p: the momentum that the step transmits. */
static void take_contacts(dls_sim *sim, dls_penalty *s, double h)
{
  const bool conserving = s->law->conserving;
  if (conserving) {
    dynamic_gap(sim, s, h, s->contact.y_free);
  }
  dls_system_gap(sim->sys, s->t_next, s->q_next, s->dy);
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double f = s->contact.f[j];
    const double y = s->contact.y_free[j];
    s->force_last[j] = s->force[j];
    s->gap_last[j] = s->gap[j];
    s->touched[j] = s->touches[j];
    s->touches[j] = conserving ? y <= s->shift[j] : f != 0;
    s->gap[j] = conserving && (s->touches[j] || s->dy[j] < 0) ? y : s->dy[j];
    s->force[j] = contact_weight(s) < 1 ? 0.5 * (s->f_node[j] + f) : f; /* (2') has the mean of both ends */
    s->f_node[j] = f;
    sim->p[j] = h * DLS_AVERAGE(s->c.gamma, s->force_last[j], s->force[j]);
    sim->lambda[j] = f;
    sim->status[j] = s->touches[j];
  }
}

/* Gradients of the step for the ledger, before those of its end overwrite them. */
static void take_travels(const dls_sim *sim, dls_penalty *s)
{
  if (!s->config.gradient_varies) {
    return;
  }
  memset(s->pushed, 0, sim->sys->n * sizeof *s->pushed);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->q_at[i] = s->q_next[i] - sim->q[i];
  }
  for (size_t row = 0; row < s->config.rows; row++) {
    s->travel[row] = dls_matrix_column_dot(s->config.H, row, s->q_at);
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    dls_matrix_column_add(s->config.normals, j, s->f_node[j], s->pushed);
  }
}

static void follow_episodes(dls_sim *sim, dls_penalty *s, double t)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    dls_contact_episode_follow(sim, &s->episodes[j], j, t, s->f_node[j] != 0, s->touches[j], s->u_begin[j],
                               sim->p[j], &s->config, s->v);
  }
}

/* F + H f at the end of the step, for (2'). */
static void take_resultant(dls_sim *sim, dls_penalty *s, double t)
{
  if (!s->c.average) {
    return;
  }
  dls_sim_force(sim, t, s->q_next, s->v_next, s->resultant);
  for (size_t j = 0; j < sim->sys->m && !s->law->conserving; j++) {
    dls_matrix_column_add(s->config.normals, j, s->f_node[j], s->resultant);
  }
}

/* Uzawa's update of the multipliers, lambda := max(0, lambda - rho kappa y), as shifts lambda/kappa of the law. */
static void augment(const dls_sim *sim, dls_penalty *s)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    s->shift[j] = fmax(0, s->shift[j] - s->rho * s->contact.y[j]);
  }
}

dls_status dls_penalty_solve(dls_sim *sim, dls_penalty *s, double h, dls_error *err)
{
  predict(sim, s, h);                                      /* (1) for the first iterate */
  return dls_iterate(sim, &s->newton, iterate, s, h, err); /* (2) or (2') by (3) */
}

dls_status dls_penalty_advance(dls_sim *sim, double h, dls_error *err)
{
  dls_penalty *s = sim->memory;
  const size_t n = sim->sys->n;
  const double t = s->t_next = dls_sim_next_time(sim, h);
  dls_status status = begin_step(sim, s, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(s->shift, 0, sim->sys->m * sizeof *s->shift);
  for (size_t k = 0; k <= s->augmentations && status == DLS_OK; k++) {
    if (k > 0) {
      augment(sim, s);
    }
    status = s->keeps_energy ? dls_energy_constraint_solve(sim, s, h, err) : dls_penalty_solve(sim, s, h, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  take_contacts(sim, s, h);
  take_travels(sim, s);
  if (s->dry != NULL) {
    dls_dry_take(s->dry, sim, s->contact.f, s->c.gamma);
  }
  dls_configuration_contacts(&s->config, t, s->q_next);
  take_resultant(sim, s, t);
  dls_swap(&s->a, &s->a_next);
  dls_swap(&s->v, &s->v_next);
  memcpy(sim->q, s->q_next, n * sizeof *sim->q);
  follow_episodes(sim, s, t);
  return dls_penalty_mass_velocity(sim, s, h, err);
}
