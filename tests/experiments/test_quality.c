/* test_quality.c -- the figures of a run that need no reference.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/quality.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static dls_quality measure(const test_run *run)
{
  dls_error err = {0};
  dls_quality quality;
  assert_ok(dls_quality_measure(run->sim, run->traj, &quality, &err), err);
  return quality;
}

static test_run prepare(void)
{
  return dls_test_prepare("bead-column:N=2", "moreau-jean");
}

static void add(test_run *run, double t, size_t contact, double u_minus, double u_plus)
{
  const dls_event event = {
      .t = t, .kind = DLS_IMPACT, .contact = contact, .u_minus = u_minus, .u_plus = u_plus};
  dls_error err = {0};
  assert_ok(dls_trajectory_add_event(run->traj, &event, &err), err);
}

DLS_TEST(restitution_is_that_of_isolated_impacts)
{
  test_run run = prepare();
  add(&run, 1, 0, -10, 5);
  add(&run, 4, 0, -8, 2);
  add(&run, 2, 0, -1, 7); /* three at one time, recorded apart from each other */
  add(&run, 3, 1, -2, 1.5);
  add(&run, 2, 1, -1, 9);
  const dls_event lift = {.t = 3, .kind = DLS_LIFT_OFF};
  assert_int_equal(dls_trajectory_add_event(run.traj, &lift, NULL), DLS_OK);
  const dls_quality quality = measure(&run);
  assert_int_equal(quality.impacts, 5);
  assert_int_equal(quality.measured, 3);
  assert_int_equal(quality.spurious_impacts, 0);
  assert_close(quality.restitution_min, 0.25, 0);
  assert_close(quality.restitution_max, 0.75, 0);
  assert_close(quality.restitution_mean, 0.5, 1e-15);
  dls_test_free(&run);
}

DLS_TEST(restitution_of_a_body_that_passes_its_contact_is_negative)
{
  test_run run = prepare();
  add(&run, 1, 0, -10, 5);
  add(&run, 2, 0, -8, -2);
  add(&run, 3, 0, -6, 0);
  const dls_quality quality = measure(&run);
  assert_int_equal(quality.measured, 3);
  assert_close(quality.restitution_min, -0.25, 0);
  assert_close(quality.restitution_max, 0.5, 0);
  assert_close(quality.restitution_mean, 0.25 / 3, 1e-16);
  dls_test_free(&run);
}

DLS_TEST(slow_impacts_are_spurious_and_not_measured)
{
  test_run run = prepare();
  add(&run, 1, 0, -10, 5);
  add(&run, 2, 0, -0.0999, 9);
  add(&run, 3, 0, -0.1001, 0.05005);
  const dls_quality quality = measure(&run);
  assert_int_equal(quality.impacts, 3);
  assert_int_equal(quality.spurious_impacts, 1);
  assert_close(quality.restitution_max, 0.5, 1e-15);
  dls_test_free(&run);
}

DLS_TEST(without_impacts_there_is_no_restitution)
{
  test_run run = dls_test_run("bouncing-ball", "moreau-jean", 0.01, 0.5);
  const dls_quality quality = measure(&run);
  assert_int_equal(quality.impacts, 0);
  assert_true(isnan(quality.restitution_min) && isnan(quality.restitution_max) &&
              isnan(quality.restitution_mean));
  assert_close(quality.worst_penetration, 0, 0);
  assert_close(quality.final_drift, 0, 0);
  dls_test_free(&run);
}

/* The micro-bounces of a resting ball have speed h a / (1 + e): 0.0133 of 2 m/s for h = 0.01, every second step. */
DLS_TEST(micro_bounces_are_counted)
{
  test_run run = dls_test_run("bouncing-ball", "moreau-jean", 0.01, 6);
  const dls_quality quality = measure(&run);
  assert_between((double)quality.spurious_impacts, 140, 160); /* 3 s at rest: 150 */
  assert_int_equal(quality.impacts, run.sim->work.impacts);
  assert_close(quality.restitution_mean, 0.5, 1e-12);
  assert_close(quality.worst_penetration, -run.sim->worst_gap, 0);
  assert_close(quality.final_drift, -run.sim->q[0], 0);
  assert_between(quality.final_drift, 1e-3, quality.worst_penetration);
  dls_test_free(&run);
}

/* A scheme by events computes the tail of the accumulation: 4 m/s, and 40 impacts later 4e-12. */
DLS_TEST(a_resolved_tail_is_not_spurious)
{
  test_run run = dls_test_run("bouncing-ball", "event-driven", 0, 6);
  const dls_quality quality = measure(&run);
  assert_between((double)quality.impacts, 15, 60);
  assert_int_equal(quality.spurious_impacts, 0);
  assert_between((double)quality.measured, 5, 8); /* those above 1 % of the fastest */
  assert_close(quality.restitution_mean, 0.5, 1e-9);
  dls_test_free(&run);
}

/* Every scheme, measured: the true 1/2 and 1 + 2 e. */
DLS_TEST(schemes_show_their_restitution)
{
  static const struct {
    const char *scheme;
    double restitution, tolerance;
  } cases[] = {{"event-driven", 0.5, 1e-9},
               {"moreau-jean", 0.5, 1e-12},
               {"nonsmooth-generalized-alpha", 0.5, 1e-12},
               {"newmark-velocity-contact", 2, 1e-9}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    test_run run = dls_test_run("bouncing-ball:f=0,v0=-1", cases[i].scheme, 0.013, 2);
    const dls_quality quality = measure(&run);
    assert_int_equal(quality.measured, 1);
    assert_close(quality.restitution_mean, cases[i].restitution, cases[i].tolerance);
    dls_test_free(&run);
  }
}

DLS_TEST(study_writes_one_row_a_run)
{
  dls_error err = {0};
  dls_scheme_choice choices[2];
  assert_ok(dls_scheme_choose("moreau-jean:theta=1,gamma=0.5", &choices[0], &err), err);
  assert_ok(dls_scheme_choose("newmark-velocity-contact", &choices[1], &err), err);
  const dls_norm *const norms[] = {dls_norm_find("l1"), dls_norm_find("max")};
  const char *const of[] = {"q", "v"};
  const double parameters[] = {1, 0, 0.5, 1, -1};
  const dls_order_spec spec = {.model = dls_model_find("bouncing-ball", NULL),
                               .parameters = parameters,
                               .end = 2,
                               .scheme_count = 2,
                               .schemes = choices,
                               .h_first = 0.1,
                               .h_last = 0.01,
                               .levels = 3,
                               .repeats = 2,
                               .seed = 1,
                               .norm_count = 2,
                               .norms = norms,
                               .of_count = 2,
                               .of = of,
                               .metric = dls_metric_default};
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(&spec, &study, &err), err);
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(dls_order_write_quality(study, out), DLS_OK);
  fclose(out);
  size_t rows = 0;
  char *rest = NULL;
  for (char *line = strtok_r(text, "\n", &rest); line != NULL; line = strtok_r(NULL, "\n", &rest)) {
    if (strstr(line, ",newmark-velocity-contact,,") != NULL) {
      double step = 0, low = 0, high = 0;
      assert_int_equal(sscanf(strstr(line, ",,") + 2, "%lf,1,0,%lf,%lf", &step, &low, &high), 3);
      assert_close(low, 2, 1e-9);
      assert_close(high, 2, 1e-9);
      assert_between(step, 0.005, 0.15);
    } else if (line[0] == '#') {
      continue; /* provenance */
    } else if (rows > 0) {
      assert_non_null(strstr(line, "bouncing-ball,moreau-jean,\"theta=1,gamma=0.5\","));
    }
    rows++;
  }
  assert_int_equal(rows, 1 + 2 * 3 * 2);
  free(text);
  dls_order_destroy(study);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restitution_is_that_of_isolated_impacts),
      cmocka_unit_test(restitution_of_a_body_that_passes_its_contact_is_negative),
      cmocka_unit_test(slow_impacts_are_spurious_and_not_measured),
      cmocka_unit_test(without_impacts_there_is_no_restitution),
      cmocka_unit_test(micro_bounces_are_counted),
      cmocka_unit_test(a_resolved_tail_is_not_spurious),
      cmocka_unit_test(schemes_show_their_restitution),
      cmocka_unit_test(study_writes_one_row_a_run),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
