/* tests/event_driven/test_moving_support.c -- a vibrating table and a cam against their exact solutions: times of impacts in
 * periodic and chattering motions, lift-off at the analytic speed, order of Moreau-Jean.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static dls_trajectory *exact_of(const char *model, double end)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(model);
  assert_ok(dls_exact_trajectory(dls_exact_find(choice.model->name), choice.parameters, end, 1e-4, &traj, &err),
            err);
  dls_model_choice_release(&choice);
  return traj;
}

/* The k-th event of a kind, or NULL. */
static const dls_event *event_of(const dls_trajectory *traj, dls_event_kind kind, size_t k)
{
  for (size_t i = 0; i < traj->event_count; i++) {
    if (traj->events[i].kind == kind && k-- == 0) {
      return &traj->events[i];
    }
  }
  return NULL;
}

/* Stable motions of the period of the table: A omega^2 cos = pi g (1 - e)/(1 + e), A omega^2 sin < 2 g (1 + e^2)/(1 + e)^2. */
static const char *const periodic[] = {
    "vibrating-table:e=0.8,omega=30,A=6.6666666666666666e-3,phase=0.9634,q0=0.0057,v0=1.01",
    "vibrating-table:e=0.5,omega=20,A=0.03,phase=0.5436,q0=0.0165,v0=1.53",
    "vibrating-table:e=0.9,omega=50,A=1.6e-3,phase=1.1532,q0=0.0016,v0=0.61",
};

static void check_impacts(const char *model, const char *shifted, double end, size_t count)
{
  dls_trajectory *exact = exact_of(model, end), *other = exact_of(shifted, end);
  test_run run = dls_test_run(model, "event-driven:tol=1e-11", 1, end);
  assert_true(run.traj->complete);
  for (size_t k = 0; k < count; k++) {
    const dls_event *is = event_of(run.traj, DLS_IMPACT, k), *must = event_of(exact, DLS_IMPACT, k),
                    *moved = event_of(other, DLS_IMPACT, k);
    assert_true(is != NULL && must != NULL && moved != NULL);
    const double sensitivity = fabs(moved->t - must->t) / 1e-7; /* s per m of q0 */
    assert_between(sensitivity, 0, 1e4);
    assert_close(is->t, must->t, 1e-9 * (1 + sensitivity));
    assert_close(is->u_minus, must->u_minus, 1e-7 * (1 + sensitivity));
  }
  dls_test_free(&run);
  dls_trajectory_destroy(exact);
  dls_trajectory_destroy(other);
}

DLS_TEST(thirty_impacts_on_a_vibrating_table_are_those_of_the_exact_solution)
{
  for (size_t k = 0; k < 3; k++) {
    char shifted[200];
    const char *comma = strstr(periodic[k], ",q0=");
    double q0 = 0;
    assert_int_equal(sscanf(comma, ",q0=%lf", &q0), 1);
    snprintf(shifted, sizeof shifted, "%.*s,q0=%.17g%s", (int)(comma - periodic[k]), periodic[k], q0 + 1e-7,
             strchr(comma + 1, ','));
    check_impacts(periodic[k], shifted, 12, 30);
  }
}

/* The ball comes to rest on the table again and again and is thrown off where A omega^2 sin(omega t + phase) = g. */
DLS_TEST(chattering_ends_at_rest_and_lifts_off_at_the_analytic_phase)
{
  const struct {
    const char *model;
    double omega, A;
  } sets[] = {{"vibrating-table:e=0.3,omega=20,A=0.03,q0=0.1", 20, 0.03},
              {"vibrating-table:e=0.5,omega=40,A=0.0068,q0=0.05", 40, 0.0068}};
  for (size_t s = 0; s < 2; s++) {
    const double turn = 2 * acos(-1) / sets[s].omega;
    const double phase = asin(9.81 / (sets[s].A * sets[s].omega * sets[s].omega)) / sets[s].omega;
    dls_trajectory *exact = exact_of(sets[s].model, 4);
    test_run run = dls_test_run(sets[s].model, "event-driven:tol=1e-11", 1, 4);
    size_t count = 0;
    for (const dls_event *is; (is = event_of(run.traj, DLS_LIFT_OFF, count)) != NULL; count++) {
      const dls_event *must = event_of(exact, DLS_LIFT_OFF, count);
      assert_non_null(must);
      assert_close(is->t, must->t, 1e-9);
      assert_close(remainder(is->t - phase, turn), 0, 1e-9);
    }
    assert_true(count >= 5);
    assert_null(event_of(exact, DLS_LIFT_OFF, count));
    dls_test_free(&run);
    dls_trajectory_destroy(exact);
  }
}

/* lambda = F + k A + (m omega^2 - k) A cos(omega t) stays positive up to omega^2 = (F + 2 k A)/(m A). */
DLS_TEST(a_follower_leaves_its_cam_beyond_the_analytic_speed)
{
  const double limit = sqrt((10 + 2 * 100 * 0.05) / 0.05);
  for (int above = 0; above < 2; above++) {
    char model[80];
    const double omega = limit * (above ? 1.001 : 0.999);
    snprintf(model, sizeof model, "cam-follower:omega=%.17g", omega);
    test_run run = dls_test_run(model, "event-driven", 1, 0.5);
    dls_trajectory *exact = exact_of(model, 0.5);
    const dls_event *is = event_of(run.traj, DLS_LIFT_OFF, 0), *must = event_of(exact, DLS_LIFT_OFF, 0);
    assert_int_equal(is != NULL, above);
    assert_int_equal(must != NULL, above);
    if (above) {
      const double angle = acos(-(10 + 100 * 0.05) / ((omega * omega - 100) * 0.05));
      assert_close(must->t, angle / omega, 1e-12);
      assert_close(is->t, must->t, 1e-9);
    }
    dls_trajectory_destroy(exact);
    dls_test_free(&run);
  }
}

DLS_TEST(moreau_jean_has_order_one_on_a_vibrating_table)
{
  for (size_t k = 0; k < 3; k++) {
    const dls_fit fit = dls_test_order((test_study){.model = periodic[k],
                                                    .scheme = "moreau-jean",
                                                    .norm = "l1",
                                                    .of = "q",
                                                    .end = 1,
                                                    .h_first = 2e-3,
                                                    .h_last = 2e-5,
                                                    .levels = 7,
                                                    .repeats = 6});
    assert_between(fit.order, 0.85, 1.15);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(thirty_impacts_on_a_vibrating_table_are_those_of_the_exact_solution),
      cmocka_unit_test(chattering_ends_at_rest_and_lifts_off_at_the_analytic_phase),
      cmocka_unit_test(a_follower_leaves_its_cam_beyond_the_analytic_speed),
      cmocka_unit_test(moreau_jean_has_order_one_on_a_vibrating_table),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
