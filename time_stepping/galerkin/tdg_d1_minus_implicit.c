/* tdg_d1_minus_implicit.c -- time-discontinuous Galerkin scheme of degree 1, jump at the right end, implicit.
 * The trapezoidal rule for the left limit v-, with the impulse P = (h/2) (lambda+ + lambda-) of lasting contacts and
 * lambda+ of the acceleration problem at t_k:
 *   M' (v- - v - (h/2) M^-1 (F + H lambda+)) = (h/2) F(t', q', v-) + H' (P - (h/2) lambda+)               (1)
 *   q' = q + (h/2) (v + v-),   0 <= H'^T v-  _|_  P >= 0   on the contacts that last at t_k               (2)
 * With lambda- >= 0 in place of P >= 0, a contact that opens in the step would gain the energy (h/4) lambda+ U-, without bound
 * for stiff systems. With constant M and H, lambda+ cancels and the step gains no energy. Otherwise lambda+ turns the force from the
 * direction at t_k to that at t_k+1. The equations hold where other contacts close, too.
 * Newton's method for (1) with the complementarity problem (2) inside:
 *   S = M' + (h/2) C + (h^2/4) K,   K = -dF/dq, C = -dF/dv,
 *   v_free = v- - S^-1 [M' (v- - v - (h/2) M^-1 (F + H lambda+)) - (h/2) F(t', q', v-) + (h/2) H' lambda+],
 *   0 <= H'^T v_free + H'^T S^-1 H' P  _|_  P >= 0,   v- := v_free + S^-1 H' P.
 * For linear systems the first iteration from v- = v is the solution, and S is factored once.
 * Sources: Schindler, Acary 2014; Schindler, Rezaei, Kursawe, Acary 2015.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/arrays.h"
#include "time_stepping/galerkin/tdg_step.h"
#include "time_stepping/step/iteration.h"
#include <stdlib.h>
#include <string.h>

typedef struct implicit_options {
  dls_tdg_options tdg;
  dls_newton_options newton;
} implicit_options;
static const dls_option table[] = {
    DLS_TDG_OPTIONS,
    DLS_NEWTON_OPTIONS(offsetof(implicit_options, newton), "v_s", DLS_NEWTON_VELOCITY "model's velocity scale",
                       1e-11, DLS_NEWTON_MAX, 20),
    {0},
};

typedef struct implicit_memory {
  dls_tdg base; /* ahead is the iterate of v- */
  dls_factor *S;
  double factored;          /* h of S; 0: there is none yet */
  dls_contact_system held;  /* with S, in the configuration of base */
  double *force, *residual; /* n: F(t', q', v-); R, then the increment of v- */
  double *P;                /* rows */
  double *block;
} implicit_memory;

static void finish(dls_sim *sim)
{
  implicit_memory *s = sim->memory;
  if (s != NULL) {
    dls_tdg_destroy(&s->base);
    dls_contact_system_destroy(&s->held);
    dls_factor_destroy(s->S);
    free(s->block);
    free(s);
  }
}

static dls_status start(dls_sim *sim, dls_error *err)
{
  const size_t n = sim->sys->n;
  implicit_memory *s = sim->memory = calloc(1, sizeof *s);
  const dls_status status = s == NULL ? DLS_ERR_MEMORY : dls_tdg_start(sim, &s->base, err);
  if (s == NULL || status != DLS_OK) {
    return s != NULL ? status : dls_fail(err, status, "no memory");
  }
  dls_configuration *config = s->base.contacts.config;
  s->S = dls_iteration_matrix(config, sim);
  s->block = dls_arrays((const dls_slot[]){{n, {&s->force, &s->residual}}, {config->rows, {&s->P}}, {0}});
  if (s->S == NULL || s->block == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", n);
  }
  dls_delassus *W = config->rows == 0 ? NULL : dls_delassus_create(s->S, config->H);
  return dls_contact_system_create(config, W, 0.5, &sim->work, &s->held, err);
}

/* The place at (t', q'); S there and at v-, factored. */
static dls_status factor(dls_sim *sim, implicit_memory *s, double h, dls_error *err)
{
  const double t = dls_sim_next_time(sim, h);
  dls_configuration_at(s->base.contacts.config, t, s->base.q_next);
  if (!sim->sys->linear) {
    dls_iteration_linearise(sim, t, s->base.q_next, s->base.ahead, s->S);
  }
  return dls_iteration_factor_step(sim, s->S, h, &s->factored, (const double[]){1, h / 2, h * h / 4}, s->held.W,
                                   err);
}

static void place_end(const dls_sim *sim, dls_tdg *b, double h)
{
  for (size_t i = 0; i < sim->sys->n; i++) {
    b->q_next[i] = sim->q[i] + h / 2 * (sim->v[i] + b->ahead[i]); /* (2): q' */
  }
}

/* One iteration of Newton's method. @param[out] change  largest increment of v- */
static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  implicit_memory *s = step;
  dls_tdg *b = &s->base;
  const dls_configuration *config = b->contacts.config;
  const size_t n = sim->sys->n;
  place_end(sim, b, h);
  dls_status status = factor(sim, s, h, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_sim_force(sim, dls_sim_next_time(sim, h), b->q_next, b->ahead, s->force);
  for (size_t i = 0; i < n; i++) {
    s->residual[i] = h / 2 * s->force[i];                             /* (h/2) F(t', q', v-) */
    b->v_left[i] = b->ahead[i] - sim->v[i] - h / 2 * b->now.total[i]; /* v- - v - (h/2) M^-1 (F + H lambda+) */
  }
  dls_matrix_multiply(config->M, -1, b->v_left, s->residual);
  for (size_t row = 0; row < config->rows; row++) {
    dls_matrix_column_add(config->H, row, -h / 2 * b->now.lambda[row], s->residual); /* - (h/2) H' lambda+ */
  }
  dls_factor_solve(s->S, s->residual);
  for (size_t i = 0; i < n; i++) {
    b->v_left[i] = b->ahead[i] + s->residual[i]; /* v_free */
  }
  status = dls_tdg_solve(b, &s->held, b->now.lasting, b->v_left, config->b, s->P, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_tdg_push(b, &s->held, 1, b->v_left); /* + S^-1 H' P */
  *change = dls_iteration_change(n, b->v_left, b->ahead);
  memcpy(b->ahead, b->v_left, n * sizeof *b->ahead);
  return DLS_OK;
}

/* (1), (2) */
static dls_status solve(dls_sim *sim, implicit_memory *s, double h, dls_error *err)
{
  const implicit_options *opt = sim->options;
  const dls_newton newton = dls_newton_of_velocity(sim->sys, &opt->newton);
  memcpy(s->base.ahead, sim->v, sim->sys->n * sizeof *s->base.ahead);
  dls_sim_load_begin(sim, sim->t, dls_sim_next_time(sim, h),
                     0.5); /* F + H lambda+ contains the other half of the trapezoidal rule */
  const dls_status status = dls_iterate(sim, &newton, iterate, s, h, err);
  dls_sim_load_end(sim);
  place_end(sim, &s->base, h);
  return status;
}

static dls_status advance(dls_sim *sim, double h, dls_error *err)
{
  implicit_memory *s = sim->memory;
  dls_tdg *b = &s->base;
  const double t = dls_sim_next_time(sim, h);
  dls_status status = solve(sim, s, h, err); /* (1), (2): v-, q' and P */
  if (status != DLS_OK || (status = dls_contact_system_at(&b->contacts, t, b->q_next, err)) != DLS_OK) {
    return status;
  }
  dls_tdg_closing(sim, b, t);
  for (size_t row = 0; row < b->contacts.config->rows; row++) {
    b->lambda_left[row] = s->P[row] / h; /* mean of lambda+ and lambda- */
  }
  status = dls_tdg_impact(sim, b, err); /* v+ */
  if (status != DLS_OK) {
    return status;
  }
  dls_tdg_arrive(sim, b, t);
  status = dls_tdg_leave(b, err); /* lambda+ at t' */
  if (status == DLS_OK) {
    dls_tdg_commit(sim, b, t);
  }
  return status;
}

const dls_scheme dls_scheme_tdg_d1_minus_implicit = {
    .name = "tdg-d1-minus-implicit",
    .family = DLS_FAMILY_GALERKIN,
    .summary = "time-discontinuous Galerkin, degree 1, jump at the right end, implicit (trapezoidal rule)",
    .source = "T. Schindler, V. Acary 2014; T. Schindler, S. Rezaei, J. Kursawe, V. Acary 2015",
    .equations =
        "M (v- - v) = (h/2) (F + F(t', q', v-)) + H P,   q' = q + (h/2) (v + v-)\n"
        "H varies: (h/2) lambda+ of P along H at t, lambda+ by 0 <= dU/dt _|_ lambda+ >= 0; the rest along H'\n"
        "0 <= H'^T v- _|_ P >= 0   on the contacts that last at t\n"
        "v+ = v- + M^-1 H L,   0 <= U+ + e U-  _|_  L >= 0   on the contacts closed at t'\n"
        "e only where the contact closes in this step, 0 where it was closed before\n",
    .remarks = "Order 2 without impacts and through a lift-off, order 1 with impacts (L1 of q and v).\n"
               "Stable for every h, also through contact; no numerical damping. Linear systems: one "
               "factorization, one\n"
               "solve a step. Passes accumulations; a contact that bounces back before it has left is stopped, "
               "so bodies\n"
               "come to rest. Impacts are decided behind the gap: penetrations up to h V stay. On curved "
               "contacts g drifts.\n"
               "p is the impulse L of a jump; lambda the force of lasting contact at the node, in the row "
               "before a jump\n"
               "P/h, its mean over the step.\n",
    .options = table,
    .options_size = sizeof(implicit_options),
    .stepping = DLS_BY_STEP,
    .handles = DLS_HANDLES_MOVING_GAPS,
    .q_between = DLS_HERMITE,
    .v_between = DLS_LINEAR,
    .start = start,
    .advance = advance,
    .finish = finish,
};
