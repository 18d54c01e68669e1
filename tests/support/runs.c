/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/catalogue.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* "name:p=v,p=v" to model and parameter values. */
static const dls_model *parse_model(const char *text, double *values)
{
  dls_error err = {0};
  char copy[300];
  snprintf(copy, sizeof copy, "%s", text);
  char *rest = NULL;
  const dls_model *model = dls_model_find(strtok_r(copy, ":", &rest), &err);
  if (model == NULL) {
    fail_msg("%s", err.text);
    return NULL;
  }
  dls_option_defaults(model->parameters, values);
  for (char *item = strtok_r(NULL, ",", &rest); item != NULL; item = strtok_r(NULL, ",", &rest)) {
    assert_ok(dls_option_parse(model->parameters, model->name, item, values, &err), err);
  }
  return model;
}

test_run dls_test_prepare(const char *model, const char *scheme)
{
  dls_error err = {0};
  double values[32];
  test_run run = {0};
  dls_scheme_choice choice;
  const dls_model *entry = parse_model(model, values);
  assert_ok(dls_model_create(entry, values, &run.sys, &err), err);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, run.sys, &run.sim, &err), err);
  run.traj = dls_sim_trajectory(run.sim, &err);
  assert_non_null(run.traj);
  return run;
}

test_run dls_test_run(const char *model, const char *scheme, double step, double end)
{
  dls_error err = {0};
  test_run run = dls_test_prepare(model, scheme);
  const dls_run_spec spec = {.step = step, .end = end, .record = run.traj};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  return run;
}

void dls_test_free(test_run *run)
{
  dls_trajectory_destroy(run->traj);
  dls_sim_destroy(run->sim);
  dls_system_destroy(run->sys);
  *run = (test_run){0};
}

double dls_test_value(const test_run *run, size_t row, const char *column)
{
  const int j = dls_trajectory_column(run->traj, column);
  if (j < 0 || row >= run->traj->rows) {
    fail_msg("no row %zu or column %s", row, column);
  }
  return dls_trajectory_at(run->traj, row, (size_t)j);
}

dls_fit dls_test_order(test_study study)
{
  dls_error err = {0};
  double values[32];
  dls_scheme_choice choice;
  const dls_norm *norm = dls_norm_find(study.norm);
  assert_non_null(norm);
  const dls_model *model = parse_model(study.model, values);
  assert_ok(dls_scheme_choose(study.scheme, &choice, &err), err);
  const dls_order_spec spec = {.model = model,
                               .parameters = values,
                               .end = study.end,
                               .scheme_count = 1,
                               .schemes = &choice,
                               .h_first = study.h_first,
                               .h_last = study.h_last,
                               .levels = study.levels,
                               .repeats = study.repeats,
                               .seed = 1,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = 1,
                               .of = &study.of,
                               .metric = dls_metric_default};
  dls_order_study *result = NULL;
  assert_ok(dls_order_run(&spec, &result, &err), err);
  assert_int_equal(result->line_count, 1);
  if (!result->lines[0].fitted) {
    fail_msg("no order fitted: %s", result->points[0].reason);
  }
  const dls_fit fit = result->lines[0].fit;
  dls_order_destroy(result);
  return fit;
}
