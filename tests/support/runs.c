/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include "common/run/capabilities.h"
#include "models.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void dls_test_variant(dls_sim *sim)
{
  const char *const given = getenv("DLS_TEST_OPTIONS");
  char options[80] = "";
  char *rest = NULL;
  dls_error err = {0};
  snprintf(options, sizeof options, "%s", given != NULL ? given : "");
  for (char *word = strtok_r(options, ",", &rest); word != NULL; word = strtok_r(NULL, ",", &rest)) {
    assert_ok(dls_sim_set(sim, word, &err), err);
  }
}

void dls_test_own_restitution(dls_sim *sim)
{
  dls_error err = {0};
  if (dls_option_find(sim->scheme->options, "restitution") >= 0 && !dls_sim_was_set(sim, "restitution")) {
    assert_ok(dls_sim_set(sim, "restitution=own", &err), err);
  }
}

test_run dls_test_prepare_of(dls_system *sys, const char *scheme)
{
  dls_error err = {0};
  test_run run = {.sys = sys};
  dls_scheme_choice choice;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, run.sys, &run.sim, &err), err);
  dls_test_own_restitution(run.sim);
  if (choice.scheme->family == DLS_FAMILY_EVENT_DRIVEN) {
    dls_test_variant(run.sim);
  }
  run.traj = dls_sim_trajectory(run.sim, &err);
  assert_non_null(run.traj);
  return run;
}

test_run dls_test_prepare(const char *model, const char *scheme)
{
  return dls_test_prepare_of(dls_test_system(model), scheme);
}

test_run dls_test_run_of(dls_system *sys, const char *scheme, double step, double end)
{
  dls_error err = {0};
  test_run run = dls_test_prepare_of(sys, scheme);
  const dls_run_spec spec = {.step = step, .end = end, .record = run.traj};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  return run;
}

test_run dls_test_run(const char *model, const char *scheme, double step, double end)
{
  return dls_test_run_of(dls_test_system(model), scheme, step, end);
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

/* The least squares line also where the study refuses to call it an order: a test may be about that. */
static dls_fit fit_of(const dls_order_study *result, size_t of)
{
  enum { MOST = 4096 };
  static double h[MOST], error[MOST];
  dls_error err = {0};
  dls_fit fit = result->lines[of].fit;
  size_t count = 0;
  for (size_t i = 0; i < result->point_count && !result->lines[of].fitted; i++) {
    if (result->points[i].of == of) {
      assert_true(count < MOST);
      h[count] = result->points[i].step;
      error[count++] = result->points[i].error.value;
    }
  }
  if (!result->lines[of].fitted) {
    assert_ok(dls_fit_order(count, h, error, 0, &fit, &err), err);
  }
  return fit;
}

/* Fits of the quantities of[0..of_count) from one set of runs. */
static void orders(const test_study *study, size_t of_count, const char *const *of, dls_fit *fits)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_norm_choice measure;
  assert_ok(dls_norm_read(study->norm, &measure, &err), err);
  const dls_norm *norm = &measure.norm;
  dls_model_choice model = dls_test_model(study->model);
  assert_ok(dls_scheme_choose(study->scheme, &choice, &err), err);
  const dls_order_spec spec = {.model = model.model,
                               .parameters = model.parameters,
                               .end = study->end,
                               .scheme_count = 1,
                               .schemes = &choice,
                               .h_first = study->h_first,
                               .h_last = study->h_last,
                               .levels = study->levels,
                               .repeats = study->repeats,
                               .seed = 1,
                               .norm_count = 1,
                               .norms = &norm,
                               .of_count = of_count,
                               .of = of,
                               .metric = dls_metric_default};
  dls_order_study *result = NULL;
  assert_ok(dls_order_run(&spec, &result, &err), err);
  assert_int_equal(result->line_count, of_count);
  for (size_t i = 0; i < of_count; i++) {
    fits[i] = fit_of(result, i);
  }
  dls_order_destroy(result);
  dls_model_choice_release(&model);
}

dls_fit dls_test_order(test_study study)
{
  dls_fit fit;
  orders(&study, 1, &study.of, &fit);
  return fit;
}

test_orders dls_test_orders(test_study study)
{
  dls_fit fits[2];
  orders(&study, 2, (const char *const[]){"q", "v"}, fits);
  return (test_orders){fits[0], fits[1]};
}

static void check(const test_claim *c, const char *of, const dls_fit *fit, double low, double high)
{
  if (!(fit->order >= low && fit->order <= high)) {
    print_error("%s by %s: %s of %s\n", c->model, c->scheme, c->norm, of);
  }
  assert_between(fit->order, low, high);
  assert_between(fit->constant, 1e-4, 1e4);
}

void dls_test_claims(const test_claim *claims, size_t count)
{
  for (const test_claim *c = claims; c < claims + count; c++) {
    const test_orders got =
        dls_test_orders((test_study){c->model, c->scheme, c->norm, NULL, c->end, 2e-2, 1e-3, 7, 8});
    check(c, "q", &got.q, c->q_low, c->q_high);
    check(c, "v", &got.v, c->v_low, c->v_high);
  }
}

static void assert_order_one(test_study study, double off, double low, double high)
{
  const test_orders got = dls_test_orders(study);
  assert_between(got.q.order, 1 - off, 1 + off);
  assert_between(got.v.order, 1 - off, 1 + off);
  assert_between(got.q.constant, low, high);
  assert_between(got.v.constant, low, high);
}

void dls_test_order_one_with_impacts(const char *scheme, double off)
{
  assert_order_one((test_study){"bouncing-ball", scheme, "l1", NULL, 4, 2e-2, 4e-4, 8, 8}, off, 0.1, 100);
  assert_order_one((test_study){"impacting-oscillator", scheme, "l1", NULL, 10, 2e-2, 4e-4, 8, 8}, off, 0.05,
                   50);
}

bool dls_test_applies(const dls_system *sys, const dls_scheme *scheme)
{
  return dls_scheme_applies(scheme, sys, NULL) == DLS_OK;
}
