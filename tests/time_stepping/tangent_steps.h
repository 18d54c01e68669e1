/* tangent_steps.h -- derivatives along runs by step, over phases of the grid, for tests.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TANGENT_STEPS_H
#define DELASSUS_TESTS_TANGENT_STEPS_H

#include "models.h"
#include "runs.h"
#include <delassus/scheme.h>
#include <delassus/sensitivity.h>
#include <math.h>

enum { MOST_PARAMETERS = 3 };

/* A run to `steps` h with derivatives. */
typedef struct tangent_run {
  dls_model_choice model;
  dls_direction direction[MOST_PARAMETERS];
  size_t count;
  test_run run;
} tangent_run;

static inline tangent_run prepare(const char *model, const char *scheme, const char *tangent,
                                  const char *const *by)
{
  tangent_run t = {.model = dls_test_model(model), .run = dls_test_prepare(model, scheme)};
  dls_error err = {0};
  dls_tangent_method method;
  assert_ok(dls_tangent_method_parse(tangent, &method, &err), err);
  for (; by[t.count] != NULL; t.count++) {
    assert_ok(dls_tangent_direction(t.run.sim->scheme, &method, t.model.model, t.model.parameters, by[t.count],
                                    &t.direction[t.count], &err),
              err);
  }
  return t;
}

static inline void differentiate(tangent_run *t, const char *tangent)
{
  dls_error err = {0};
  dls_tangent_method method;
  assert_ok(dls_tangent_method_parse(tangent, &method, &err), err);
  assert_ok(dls_sim_differentiate_as(t->run.sim, &method, t->count, t->direction, &err), err);
}

static inline void advance(tangent_run *t, double h, size_t steps)
{
  dls_error err = {0};
  assert_ok(dls_run(t->run.sim, &(dls_run_spec){.step = h, .end = h * ((double)steps + 0.25)}, &err), err);
}

static inline void release(tangent_run *t)
{
  dls_test_free(&t->run);
  for (size_t k = 0; k < t->count; k++) {
    dls_direction_release(&t->direction[k]);
  }
  dls_model_choice_release(&t->model);
}

/* Steps near h that put the impact anywhere in a step. */
static inline double random_step(double h, unsigned seed)
{
  const double fraction = fmod(0.6180339887498949 * (seed + 1), 1);
  return h * (1 + 0.3 * fraction);
}

/* d(q, v)/dp of the ball after its first impact, at about T = 1.6. */
typedef struct derivatives {
  double t, q, v;
  dls_derivative_status status;
} derivatives;

static inline derivatives of_ball(const char *model, const char *scheme, const char *tangent, const char *by,
                                  double h)
{
  tangent_run t = prepare(model, scheme, tangent, (const char *const[]){by, NULL});
  differentiate(&t, tangent);
  advance(&t, h, (size_t)(1.6 / h));
  const dls_sensitivity *s = t.run.sim->sensitivity;
  const derivatives out = {t.run.sim->t, s->tangent[0].dq[0], s->tangent[0].dv[0],
                           dls_sensitivity_status(s, 0)};
  release(&t);
  return out;
}

/* d X(T)/dp of a model. */
typedef struct derivative_case {
  const char *model, *scheme;
  double end;
  const char *of, *by;
  double exact;
  double step; /* of the coarsest level */
} derivative_case;

static inline double value_of(const derivative_case *c, double step, const char *tangent)
{
  const double count = floor(c->end / step) + 1, h = c->end / count;
  tangent_run t = prepare(c->model, c->scheme, tangent, (const char *const[]){c->by, NULL});
  differentiate(&t, tangent);
  advance(&t, h, (size_t)count);
  const dls_tangent *tangents = t.run.sim->sensitivity->tangent;
  const size_t i = (size_t)(c->of[1] - '0');
  const double value = c->of[0] == 'q' ? tangents[0].dq[i] : tangents[0].dv[i];
  assert_close(t.run.sim->t, c->end, 1e-9);
  release(&t);
  return value;
}

enum { PHASES = 30, LEVELS = 4 };

/* Slope of the logarithm of the mean error over 30 phases of the grid, of four step sizes. */
static inline double order_of(const derivative_case *c, const char *tangent, double *finest)
{
  double sum = 0;
  for (unsigned level = 0; level < LEVELS; level++) {
    double mean = 0;
    for (unsigned seed = 0; seed < PHASES; seed++) {
      const double h = random_step(c->step * pow(0.5, level), seed);
      mean += fabs(value_of(c, h, tangent) - c->exact) / PHASES;
    }
    sum += (level - 0.5 * (LEVELS - 1)) * log(mean);
    *finest = mean;
  }
  return -sum / (0.25 * LEVELS * (LEVELS * LEVELS - 1) / 3.0) / log(2);
}

#endif
