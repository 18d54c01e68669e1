/* tangent_run.h -- event-driven runs with derivatives, and differences of such runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TANGENT_RUN_H
#define DELASSUS_TESTS_TANGENT_RUN_H

#include "ed_run.h"
#include <delassus/sensitivity.h>

enum { PARAMETERS = 40 };

/* A run of a model with the derivatives with respect to some parameters. */
typedef struct tangent_run {
  ed_run run;
  size_t count;
  dls_direction direction[3];
} tangent_run;

static inline void read_parameters(const dls_model *model, const char *const *settings, double p[PARAMETERS])
{
  dls_error err = {0};
  dls_option_defaults(model->parameters, p);
  for (size_t i = 0; settings != NULL && settings[i] != NULL; i++) {
    assert_ok(dls_option_parse(model->parameters, model->name, settings[i], p, &err), err);
  }
}

/* by: names of parameters, ends with NULL; t is not moved, as the directions are borrowed. */
static inline void prepare(tangent_run *t, const dls_model *model, const double *p, const char *const *by,
                           const char *const *options)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  *t = (tangent_run){0};
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  for (; by[t->count] != NULL; t->count++) {
    assert_ok(dls_direction_create(model, p, by[t->count], &t->direction[t->count], &err), err);
  }
  t->run = ed_start(sys, options);
  assert_ok(dls_sim_differentiate(t->run.sim, t->count, t->direction, &err), err);
}

static inline const dls_tangent *tangent_of(const tangent_run *t, size_t k)
{
  return &t->run.sim->sensitivity->tangent[k];
}

static inline void advance_to(tangent_run *t, double end,
                              dls_status (*watch)(void *, const dls_sim *, dls_error *), void *data)
{
  const dls_run_spec spec = {.end = end, .record = t->run.traj, .watch = watch, .watch_data = data};
  t->run.status = dls_run(t->run.sim, &spec, &t->run.err);
  assert_ok(t->run.status, t->run.err);
}

static inline void release(tangent_run *t)
{
  ed_end(&t->run);
  for (size_t k = 0; k < t->count; k++) {
    dls_direction_release(&t->direction[k]);
  }
}

/* The events of two runs, by kind and contact. */
static inline bool same_events(const ed_run *a, const ed_run *b)
{
  bool same = a->status == DLS_OK && b->status == DLS_OK && a->traj->event_count == b->traj->event_count;
  for (size_t i = 0; same && i < a->traj->event_count; i++) {
    same = a->traj->events[i].kind == b->traj->events[i].kind &&
           a->traj->events[i].contact == b->traj->events[i].contact;
  }
  return same;
}

/* Central difference of runs, of fourth order. @return false: a neighbour has other events */
static inline bool difference(const dls_model *model, double *p, int which, double delta, double end,
                              const ed_run *at, double *x)
{
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const double value = p[which];
  bool same = true;
  const size_t n = at->sys->n;
  memset(x, 0, 2 * n * sizeof *x);
  for (size_t i = 0; i < 4 && same; i++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    p[which] = value + place[i] * delta;
    assert_ok(dls_model_create(model, p, &sys, &err), err);
    ed_run run = ed_try(sys, end, (const char *const[]){"tol=1e-12", NULL});
    same = same_events(&run, at);
    for (size_t j = 0; j < n; j++) {
      x[j] += weight[i] / delta * run.sim->q[j];
      x[n + j] += weight[i] / delta * run.sim->v[j];
    }
    ed_end(&run);
  }
  p[which] = value;
  return same;
}

typedef struct comparison {
  bool ok;       /* the status is ok */
  bool same;     /* neighbours have the same events */
  bool timed;    /* the derivatives of all times are known */
  double error;  /* relative to the largest, or to 0.01 */
  char text[60]; /* the status */
} comparison;

static inline comparison compare(const dls_model *model, double *p, const char *by, double delta, double end)
{
  double x[64], size = 0.01, worst = 0;
  tangent_run t;
  comparison c = {0};
  prepare(&t, model, p, (const char *const[]){by, NULL}, (const char *const[]){"tol=1e-12", NULL});
  advance_to(&t, end, NULL, NULL);
  const size_t n = t.run.sys->n;
  const dls_derivative_status status = dls_sensitivity_status(t.run.sim->sensitivity, 0);
  c.ok = status == DLS_DERIVATIVE_OK;
  c.timed = true;
  for (size_t j = 0; j < t.run.sim->sensitivity->event_count; j++) {
    c.timed = c.timed && !isnan(t.run.sim->sensitivity->event_dt[j]);
  }
  snprintf(c.text, sizeof c.text, "%s", dls_derivative_status_name(status));
  c.same = difference(model, p, dls_option_find(model->parameters, by), delta, end, &t.run, x);
  for (size_t i = 0; i < 2 * n; i++) {
    const double y = i < n ? tangent_of(&t, 0)->dq[i] : tangent_of(&t, 0)->dv[i - n];
    size = fmax(size, fabs(x[i]));
    worst = fabs(y - x[i]) > worst || isnan(y) ? fabs(y - x[i]) : worst;
  }
  c.error = worst / size;
  release(&t);
  return c;
}

#endif
