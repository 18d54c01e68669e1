/* toy_run.h -- runs of the toys, with their record.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TOY_RUN_H
#define DELASSUS_TESTS_TOY_RUN_H

#include "check.h"
#include "toy_scheme.h"

static const dls_scheme toy = TOY_SCHEME(DLS_BY_STEP, DLS_LINEAR);
static const dls_scheme toy_constant = TOY_SCHEME(DLS_BY_STEP, DLS_CONSTANT);
static const dls_scheme toy_hermite = TOY_SCHEME(DLS_BY_STEP, DLS_HERMITE);

typedef struct run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
  dls_error err;
  dls_status status;
} run;

static inline run begin(const dls_scheme *scheme, const char *const *options)
{
  run r = {.sys = toy_system()};
  assert_ok(dls_sim_create(r.sys, scheme, &r.sim, &r.err), r.err);
  for (; options != NULL && *options != NULL; options++) {
    assert_ok(dls_sim_set(r.sim, *options, &r.err), r.err);
  }
  r.traj = dls_sim_trajectory(r.sim, &r.err);
  assert_non_null(r.traj);
  return r;
}

static inline run run_toy(const dls_scheme *scheme, double step, double end, const char *const *options)
{
  run r = begin(scheme, options);
  r.status = dls_run(r.sim, &(dls_run_spec){.step = step, .end = end, .record = r.traj}, &r.err);
  return r;
}

static inline void finish(run *r)
{
  dls_trajectory_destroy(r->traj);
  dls_sim_destroy(r->sim);
  dls_system_destroy(r->sys);
}

static inline double cell(const run *r, size_t row, const char *column)
{
  const int j = dls_trajectory_column(r->traj, column);
  assert_true(j >= 0 && row < r->traj->rows);
  return dls_trajectory_at(r->traj, row, (size_t)j);
}

#endif
