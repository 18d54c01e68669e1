/* naive_newmark.c -- Newmark's and the HHT method with the contact force treated like any other force.
 *
 *   v' = v + h [(1 - gamma) a + gamma a'],   q' = q + h v + h^2 [(1/2 - beta) a + beta a']                   (1)
 *   M a' = (1 - alpha) R' + alpha R,   R = F(t, q, v) + H lambda                                             (2)
 *   position level:  0 <= g(q')  _|_  lambda' >= 0                             for every contact             (3)
 *   velocity level:  0 <= U' + e U  _|_  lambda' >= 0   on I1 of velocity_contact.h,  lambda' = 0 elsewhere  (4)
 *
 * At an impact lambda' is of order V/h. It makes (3) or (4) hold at the end of the step, and then acts again: a' enters the next step
 * through (1 - gamma) a, (1/2 - beta) a and, with alpha > 0, also through alpha R. In total lambda' transmits h lambda' for all
 * gamma and beta, but only the fraction h gamma (1 - alpha) lambda' in the step that computed it.
 *
 * Newton's method for a' with the contact problem inside; linear systems need one iteration. From the iterate a',
 *   A = M + (1 - alpha) (h gamma C + h^2 beta K),   a_free = a' + A^-1 [(1 - alpha) F' + alpha R - M a'],
 *   a' := a_free + A^-1 H z / s,   LCP:  W = H^T A^-1 H,   s = h^2 beta or h gamma,   lambda' = z/(s (1 - alpha)),
 *   b = g(q') + h^2 beta H^T (a_free - a')   or   b = H^T v_free + e U.
 * H is taken at the iterate (3) or at q + (h/2) v (4). At t = 0 the contact forces are those of a start at rest.
 * Sources: Acary, lecture, eqs. (64)-(67), with e g_k in (67) read as e times its rate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/naive_newmark.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/newmark/position_contact.h"
#include "time_stepping/step/newmark_equations.h"
#include "time_stepping/step/start_contact.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An impact takes at most two steps that react and two that re-use their force; a longer contact lasts. */
enum { MOST_STEPS = 4 };

/* An impact in progress. */
typedef struct episode {
  size_t steps; /* 0: none */
  double t, u_minus, impulse;
} episode;

typedef struct naive_memory {
  dls_newmark c;
  bool position;
  dls_configuration config; /* M at the iterate; H at the iterate (3) or at q + (h/2) v (4) */
  dls_factor *A;
  dls_velocity_contact contact; /* its impulse is z */
  dls_primal_dual *primal_dual; /* where every contact moves an unknown of its own; NULL */
  dls_newton newton;
  double factored;                                                     /* h of A; 0: there is none yet */
  size_t most_steps;                                                   /* of an impact */
  double *a, *resultant;                                               /* n: a_k, R_k */
  double *a_next, *v_star, *q_star, *v_next, *q_next, *free, *rhs, *x; /* n */
  double *
      row_load; /* n: D of load_rows.h, part of h F' in a step with `row`; like contact forces it also acts in the next step */
  bool row;                   /* the step contains a row of a table of loads */
  double *force, *force_next; /* m: contact force in a_k and a_k+1, (1 - alpha) lambda' + alpha lambda */
  double *block;              /* owns the arrays of doubles */
  episode *episodes;          /* m */
} naive_memory;

void dls_naive_finish(dls_sim *sim)
{
  naive_memory *s = sim->memory;
  if (s != NULL) {
    dls_velocity_contact_destroy(&s->contact);
    dls_primal_dual_destroy(s->primal_dual);
    dls_factor_destroy(s->A);
    dls_configuration_destroy(&s->config);
    free(s->block);
    free(s->episodes);
    free(s);
  }
}

/* @return false if out of memory */
static bool allocate_arrays(naive_memory *s, size_t n, size_t m)
{
  s->episodes = calloc(m + 1, sizeof *s->episodes);
  s->block = dls_arrays((const dls_slot[]){{n,
                                            {&s->a, &s->resultant, &s->a_next, &s->v_star, &s->q_star,
                                             &s->v_next, &s->q_next, &s->free, &s->rhs, &s->x, &s->row_load}},
                                           {m, {&s->force, &s->force_next}},
                                           {0}});
  return s->block != NULL && s->episodes != NULL;
}

dls_status dls_naive_start(dls_sim *sim, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const dls_newmark_kind *kind = sim->scheme->kind;
  const dls_newmark_options *options = sim->options;
  const dls_newmark_contact_options *opt = &options->contact; /* position: the other two are 0 */
  naive_memory *s = calloc(1, sizeof *s);
  sim->memory = s;
  if (s == NULL || !allocate_arrays(s, sys->n, sys->m) || !dls_configuration_create(sys, &s->config) ||
      (s->A = dls_iteration_matrix(&s->config, sim)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  s->c = kind->coefficients(options);
  s->position = kind->position;
  s->most_steps =
      !s->position && s->c.gamma == 1 && s->c.alpha_f == 0 ? 1 : MOST_STEPS; /* 1: nothing is re-used in v */
  s->newton = dls_newton_of_velocity(sys, &opt->newton);
  dls_status status = dls_velocity_contact_create(
      sim, &s->config, sys->m == 0 ? NULL : dls_delassus_create(s->A, s->config.H), 0.5, opt->forecast,
      opt->velocity_test != 0, opt->velocity_tol, &s->contact, err);
  if (status != DLS_OK ||
      (status = dls_start_contact(sim, s->contact.eps_u, s->a, sim->lambda, err)) != DLS_OK) {
    return status;
  }
  if (!s->position && s->contact.as_at_node &&
      !dls_primal_dual_create(&s->contact.contacts, s->A, &s->primal_dual)) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", sys->m);
  }
  dls_matrix_multiply(s->config.M, 1, s->a, s->resultant);
  memcpy(s->force, sim->lambda, sys->m * sizeof *s->force);
  return DLS_OK;
}

/* (1) for the iterate a_next. */
static void update(const dls_sim *sim, naive_memory *s, double h)
{
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, s->c.beta);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->v_next[i] = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, s->a_next[i]);
    s->q_next[i] = DLS_NEWMARK_UPDATE(s->q_star[i], q_a, s->a_next[i]);
  }
}

/* The iterate a' = 0 (linear) or a' = a, and the index set of (4). */
static void predict(dls_sim *sim, naive_memory *s, double h)
{
  const size_t n = sim->sys->n;
  const double v_a = DLS_NEWMARK_V_A(h, s->c.gamma), q_a = DLS_NEWMARK_Q_A(h, s->c.beta);
  for (size_t i = 0; i < n; i++) {
    s->v_star[i] = DLS_NEWMARK_V_STAR(sim->v[i], v_a, s->a[i]);               /* (1): v' for a' = 0 */
    s->q_star[i] = DLS_NEWMARK_Q_STAR(sim->q[i], h, sim->v[i], q_a, s->a[i]); /* (1): q' for a' = 0 */
    s->free[i] = sim->q[i] + h / 2 * sim->v[i];                               /* where H of (4) is taken */
    s->a_next[i] = sim->sys->linear ? 0 : s->a[i];
  }
  update(sim, s, h);
  if (s->position) {
    dls_configuration_contacts(&s->config, sim->t, sim->q);
    dls_configuration_velocity(&s->config, sim->v, s->contact.velocity);
    dls_configuration_time(&s->config, dls_sim_next_time(sim, h));
  } else {
    dls_velocity_contact_forecast(sim, &s->contact, h, s->free);
  }
}

/* A of M, C, K */
#define DLS_NAIVE_MATRIX(c, h)                                                                                 \
  {                                                                                                            \
    1, DLS_NEWMARK_A_C(1 - (c).alpha_f, (h), (c).gamma), DLS_NEWMARK_A_K(1 - (c).alpha_f, (h), (c).beta)       \
  }

static dls_status factor(dls_sim *sim, naive_memory *s, double h, dls_error *err)
{
  return dls_iteration_factor_step(sim, s->A, h, &s->factored, (const double[])DLS_NAIVE_MATRIX(s->c, h),
                                   s->contact.contacts.W, err);
}

/* M, C, K (and H of (3)) at the iterate of a nonlinear system. */
static void linearise(dls_sim *sim, naive_memory *s, double t)
{
  dls_configuration_mass(&s->config, s->q_next);
  if (s->position) {
    dls_configuration_contacts(&s->config, t, s->q_next);
  }
  dls_iteration_linearise(sim, t, s->q_next, s->v_next, s->A);
}

/* (4); rhs holds a_free - a'. */
static dls_status solve_velocity(dls_sim *sim, naive_memory *s, double h, dls_error *err)
{
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma);
  for (size_t i = 0; i < sim->sys->n; i++) {
    s->free[i] = DLS_NEWMARK_UPDATE(s->v_next[i], v_a, s->rhs[i]);
  }
  return dls_velocity_contact_solve(sim, &s->contact, s->free, err);
}

/* The divisor that makes an acceleration of z. */
static double contact_scale(const naive_memory *s, double h)
{
  return s->position ? DLS_NEWMARK_Q_A_NEXT(h, s->c.beta) : DLS_NEWMARK_V_A_NEXT(h, s->c.gamma);
}

/* rhs := A^-1 (rhs + H z / s), with z of (3) or (4). */
static dls_status solve_contact(dls_sim *sim, naive_memory *s, double h, dls_error *err)
{
  dls_velocity_contact *c = &s->contact;
  dls_status status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_factor_solve(s->A, s->rhs); /* a_free - a' */
  status = s->position
               ? dls_position_contact_solve(sim, c, s->q_next, contact_scale(s, h), s->rhs, err) /* (3) */
               : solve_velocity(sim, s, h, err);
  if (status == DLS_OK) {
    dls_contact_system_apply(&c->contacts, &c->active, 1 / contact_scale(s, h), c->impulse,
                             s->rhs); /* + A^-1 H z / s */
  }
  return status;
}

/* The same of (4) without W: A x = s rhs + H z, v' = v_next + x. @return DLS_ERR_NOT_APPLICABLE: rhs is as it was */
static dls_status primal_dual(dls_sim *sim, naive_memory *s, double h, dls_error *err)
{
  const size_t n = sim->sys->n;
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, s->c.gamma);
  dls_status status = dls_primal_dual_matrix(s->primal_dual, (const double[])DLS_NAIVE_MATRIX(s->c, h), 0);
  for (size_t i = 0; i < n; i++) {
    s->free[i] = v_a * s->rhs[i];
  }
  if (status == DLS_OK) {
    status = dls_velocity_contact_primal_dual(sim, &s->contact, s->primal_dual, s->v_next, s->free, s->x, err);
  }
  for (size_t i = 0; status == DLS_OK && i < n; i++) {
    s->rhs[i] = s->x[i] / v_a;
  }
  return status;
}

/* One iteration; *change := h times the largest increment of a'. */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  naive_memory *s = step;
  const size_t n = sim->sys->n;
  const double alpha = s->c.alpha_f;
  const double t = dls_sim_next_time(sim, h);
  dls_sim_force(sim, t, s->q_next, s->v_next, s->rhs);
  for (size_t i = 0; s->row && i < n; i++) {
    s->rhs[i] += s->row_load[i] / h;
  }
  if (!sim->sys->linear) {
    linearise(sim, s, t);
  }
  for (size_t i = 0; i < n; i++) {
    s->rhs[i] = DLS_NEWMARK_AVERAGE(alpha, s->resultant[i], s->rhs[i]); /* (2): (1 - alpha) F' + alpha R */
  }
  dls_matrix_multiply(s->config.M, -1, s->a_next, s->rhs); /* - M a' */
  dls_status status = s->primal_dual != NULL ? primal_dual(sim, s, h, err) : DLS_ERR_NOT_APPLICABLE;
  if (status == DLS_ERR_NOT_APPLICABLE) {
    status = solve_contact(sim, s, h, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  *change = 0;
  for (size_t i = 0; i < n; i++) {
    const double d = h * fabs(s->rhs[i]);
    *change = dls_larger(*change, d);
    s->a_next[i] += s->rhs[i];
  }
  update(sim, s, h);
  return DLS_OK;
}

/* lambda', the contact forces in a' and the momentum that the step transmits, h [(1 - gamma) f + gamma f']. */
static void take_forces(dls_sim *sim, naive_memory *s, double h)
{
  const dls_velocity_contact *c = &s->contact;
  const double alpha = s->c.alpha_f;
  const size_t m = sim->sys->m;
  for (size_t j = 0; j < m; j++) {
    s->force_next[j] = alpha * sim->lambda[j]; /* alpha lambda of (2) */
    sim->lambda[j] = 0;
  }
  for (size_t k = 0; k < c->active.count; k++) {
    const size_t j = c->active.index[k];
    const double force = c->impulse[s->config.d * k] / contact_scale(s, h);
    sim->lambda[j] = force / (1 - alpha); /* lambda' = z / (s (1 - alpha)) */
    s->force_next[j] += force;            /* (1 - alpha) lambda' */
  }
  for (size_t j = 0; j < m; j++) {
    sim->p[j] = h * DLS_AVERAGE(s->c.gamma, s->force[j], s->force_next[j]);
    sim->status[j] = sim->lambda[j] > 0;
  }
}

static void report(dls_sim *sim, const naive_memory *s, size_t j)
{
  const episode *x = &s->episodes[j];
  const dls_event event = {.t = x->t,
                           .kind = DLS_IMPACT,
                           .contact = j,
                           .u_minus = x->u_minus,
                           .u_plus = dls_configuration_row(&s->config, s->config.d * j, s->v_next),
                           .impulse = x->impulse};
  dls_sim_event(sim, &event);
}

/* An impact is reported when its force has left the acceleration. */
static void follow_impacts(dls_sim *sim, naive_memory *s, double h)
{
  for (size_t j = 0; j < sim->sys->m; j++) {
    episode *x = &s->episodes[j];
    if (x->steps == 0) {
      const double u = s->contact.velocity[s->config.d * j];
      if (!(sim->lambda[j] > 0 && s->force[j] == 0 && u < -s->contact.eps_u)) { /* begins with an approach */
        continue;
      }
      *x = (episode){.t = dls_sim_next_time(sim, h), .u_minus = u};
    }
    x->steps++;
    x->impulse += sim->p[j]; /* h [(1 - gamma) f + gamma f'], f' = (1 - alpha) lambda' + alpha lambda */
    if (s->force_next[j] == 0 || x->steps == s->most_steps) {
      report(sim, s, j);
      x->steps = 0;
    }
  }
}

/* R' by (2) from M a', without another evaluation of the force. */
static void take_resultant(const dls_sim *sim, naive_memory *s)
{
  const double alpha = s->c.alpha_f;
  const size_t n = sim->sys->n;
  if (alpha == 0) {
    return; /* it is not used */
  }
  for (size_t i = 0; i < n; i++) {
    s->resultant[i] *= -alpha / (1 - alpha);
  }
  dls_matrix_multiply(s->config.M, 1 / (1 - alpha), s->a_next, s->resultant);
}

dls_status dls_naive_advance(dls_sim *sim, double h, dls_error *err)
{
  naive_memory *s = sim->memory;
  const size_t n = sim->sys->n;
  s->row = dls_sim_load_impulse(sim, sim->t, dls_sim_next_time(sim, h), s->c.gamma - s->c.alpha_f, s->row_load);
  predict(sim, s, h);                                                         /* (1) for the first iterate */
  const dls_status status = dls_iterate(sim, &s->newton, iterate, s, h, err); /* (2) with (3) or (4) */
  if (status != DLS_OK) {
    return status;
  }
  take_forces(sim, s, h);
  follow_impacts(sim, s, h);
  take_resultant(sim, s); /* R of the next step */
  memcpy(sim->q, s->q_next, n * sizeof *sim->q);
  memcpy(sim->v, s->v_next, n * sizeof *sim->v);
  dls_swap(&s->a, &s->a_next);
  dls_swap(&s->force, &s->force_next);
  return DLS_OK;
}
