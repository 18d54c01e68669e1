/* ed_run.h -- run the event-driven scheme on a model or on a system made by a test.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_ED_RUN_H
#define DELASSUS_TESTS_ED_RUN_H

#include "runs.h"
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

extern const dls_scheme dls_scheme_event_driven;
extern const dls_model dls_model_bouncing_ball, dls_model_impacting_oscillator, dls_model_bead_column,
    dls_model_wedge, dls_model_ball_between_walls, dls_model_bouncing_pendulum;

typedef struct ed_run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_status status;
  dls_error err;
} ed_run;

/* Run a system, which then belongs to the run; settings: assignments, ends with NULL; NULL: none. */
static inline ed_run ed_start(dls_system *sys, const char *const *settings)
{
  ed_run run = {.sys = sys};
  assert_non_null(sys);
  assert_ok(dls_sim_create(sys, &dls_scheme_event_driven, &run.sim, &run.err), run.err);
  dls_test_variant(run.sim);
  for (size_t i = 0; settings != NULL && settings[i] != NULL; i++) {
    assert_ok(dls_sim_set(run.sim, settings[i], &run.err), run.err);
  }
  run.traj = dls_sim_trajectory(run.sim, &run.err);
  assert_non_null(run.traj);
  return run;
}

static inline ed_run ed_try(dls_system *sys, double end, const char *const *settings)
{
  ed_run run = ed_start(sys, settings);
  run.status = dls_run(run.sim, &(dls_run_spec){.end = end, .record = run.traj}, &run.err);
  return run;
}

static inline ed_run ed_system(dls_system *sys, double end, const char *const *settings)
{
  const ed_run run = ed_try(sys, end, settings);
  assert_ok(run.status, run.err);
  assert_true(run.sim->t == end);
  return run;
}

/* A model's system from assignments "name=value", ends with NULL. */
static inline dls_system *ed_model(const dls_model *model, const char *const *parameters)
{
  double p[32];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_option_defaults(model->parameters, p);
  for (size_t i = 0; parameters != NULL && parameters[i] != NULL; i++) {
    assert_ok(dls_option_parse(model->parameters, model->name, parameters[i], p, &err), err);
  }
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

static inline void ed_end(ed_run *run)
{
  dls_trajectory_destroy(run->traj);
  dls_sim_destroy(run->sim);
  dls_system_destroy(run->sys);
}

/* A linear system of n unit masses with m contacts, g = H^T q + w, e = 0; H is dense and zero. */
static inline dls_system *ed_masses(size_t n, size_t m)
{
  dls_system *sys = dls_system_create(n, m);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(n);
  sys->H = dls_matrix_dense(n, m);
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  return sys;
}

/* Number of events of a kind. */
static inline size_t ed_count(const ed_run *run, dls_event_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < run->traj->event_count; i++) {
    count += run->traj->events[i].kind == kind;
  }
  return count;
}

/* The k-th event of a kind. */
static inline const dls_event *ed_event(const ed_run *run, dls_event_kind kind, size_t k)
{
  for (size_t i = 0; i < run->traj->event_count; i++) {
    if (run->traj->events[i].kind == kind && k-- == 0) {
      return &run->traj->events[i];
    }
  }
  fail_msg("there is no such event of kind %s", dls_event_kind_name(kind));
  return NULL;
}

/* Column `name` of a row. */
static inline double ed_at(const ed_run *run, size_t row, const char *name)
{
  const int column = dls_trajectory_column(run->traj, name);
  assert_true(column >= 0);
  return dls_trajectory_at(run->traj, row, (size_t)column);
}

#endif
