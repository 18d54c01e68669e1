/* test_flat.c -- the plain C interface says what the library says; catalogues of one's own.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/flat.h>
#include <math.h>
#include <string.h>

static char error[400];

DLS_TEST(runs_as_the_closed_form_says)
{
  dls_trajectory *traj = NULL;
  const char *const settings[] = {"e=0.8", "q0=1"};
  const int status = dls_flat_run(NULL, "bouncing-ball", 2, settings, "event-driven:tol=1e-12", 0, 2.5, NULL,
                                  NULL, &traj, error, sizeof error);
  assert_int_equal(status, 0);
  assert_string_equal(error, "");
  assert_true(dls_flat_complete(traj));
  assert_string_equal(dls_flat_failure(traj), "");
  /* q = 1 - t^2 up to t = 1, then 1.6 s - s^2 */
  double event[7];
  assert_string_equal(dls_flat_event(traj, 0, event), "impact");
  assert_close(event[0], 1, 1e-11);
  assert_close(event[2], -2, 1e-10);
  assert_close(event[3], 1.6, 1e-10);
  assert_null(dls_flat_event(traj, 1, event));
  double values[1000];
  assert_between((double)dls_flat_rows(traj), 3, 1000);
  assert_string_equal(dls_flat_column_name(traj, 1), "q0");
  assert_int_equal(dls_flat_column(traj, 1, values), 0);
  assert_close(values[0], 1, 0);
  assert_close(values[dls_flat_rows(traj) - 1], 1.6 * 1.5 - 1.5 * 1.5, 1e-10);
  dls_flat_free(traj);
}

DLS_TEST(what_a_run_leaves_is_listed_to_its_end)
{
  dls_trajectory *traj = NULL;
  assert_int_equal(
      dls_flat_run(NULL, "wedge", 0, NULL, "moreau-jean", 0.1, 1, NULL, NULL, &traj, error, sizeof error), 0);
  size_t columns = 0;
  while (dls_flat_column_name(traj, columns) != NULL) {
    columns++;
  }
  double value = 0;
  assert_true(dls_flat_column(traj, columns, &value) < 0);
  size_t counters = 0;
  while (dls_flat_work_name(counters) != NULL) {
    counters++;
  }
  assert_string_equal(dls_flat_work_name(0), "steps");
  assert_close(dls_flat_work(traj, 0), 10, 0);
  assert_string_equal(dls_flat_work_name(counters - 1), "wall_seconds");
  assert_string_equal(dls_flat_work_unit(0), "1");
  assert_string_equal(dls_flat_work_unit(counters - 1), "s");
  assert_null(dls_flat_work_unit(counters));
  assert_between(dls_flat_work(traj, counters - 1), 0, 60);
  bool model = false;
  for (size_t i = 0; dls_flat_note(traj, i) != NULL; i++) {
    model = model || strcmp(dls_flat_note(traj, i), "model: wedge") == 0;
  }
  assert_true(model);
  dls_flat_free(traj);
}

DLS_TEST(exact_solutions_come_at_times_and_on_an_interval)
{
  dls_trajectory *traj = NULL;
  const double times[] = {0.5, 1};
  double q[400];
  assert_int_equal(dls_flat_exact(NULL, "bouncing-ball", 0, NULL, 0, 2, times, &traj, error, sizeof error), 0);
  assert_int_equal(dls_flat_rows(traj), 3); /* both limits at t = 1 */
  dls_flat_column(traj, 1, q);
  assert_close(q[0], 0.75, 0);
  dls_flat_free(traj);
  assert_int_equal(dls_flat_exact(NULL, "bouncing-ball", 0, NULL, 0.5, 0, NULL, &traj, error, sizeof error), 0);
  assert_between((double)dls_flat_rows(traj), 2, 400);
  dls_flat_column(traj, 1, q);
  assert_close(q[dls_flat_rows(traj) - 1], 0.75, 0);
  dls_flat_free(traj);
}

static void assert_refused(int status, const dls_trajectory *traj, const char *text)
{
  assert_true(status < 0);
  assert_null(traj);
  if (strstr(error, text) == NULL) {
    fail_msg("\"%s\" is not in \"%s\"", text, error);
  }
}

DLS_TEST(wrong_requests_leave_a_message_and_nothing_else)
{
  static const struct {
    const char *model, *setting, *scheme;
    double step, end;
    const char *text;
  } cases[] = {
      {"bouncing-bal", "e=0.5", "moreau-jean", 0.1, 1, "did you mean 'bouncing-ball'?"},
      {"bouncing-ball", "e=2", "moreau-jean", 0.1, 1, "e = 2 is outside [0, 1]"},
      {"bouncing-ball", "e", "moreau-jean", 0.1, 1, "e"},
      {"bouncing-ball", "e=0.5", "moreau", 0.1, 1, "unknown scheme 'moreau'"},
      {"bouncing-ball", "e=0.5", "moreau-jean:theta=7", 0.1, 1, "theta = 7 is outside"},
      {"bouncing-ball", "e=0.5", "moreau-jean", 0, 1, "needs a time step > 0"},
      {"bouncing-ball", "e=0.5", "moreau-jean", NAN, 1, "needs a time step > 0"},
      {"bouncing-ball", "e=0.5", "moreau-jean", 0.1, -1, "end"},
      {"bouncing-ball", "e=0.5", "event-driven", 0.1, 1, "chooses its own steps"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_trajectory *traj = NULL;
    const int status = dls_flat_run(NULL, cases[i].model, 1, &cases[i].setting, cases[i].scheme, cases[i].step,
                                    cases[i].end, NULL, NULL, &traj, error, sizeof error);
    assert_refused(status, traj, cases[i].text);
  }
  dls_trajectory *traj = NULL;
  assert_refused(dls_flat_exact(NULL, "wedge", 0, NULL, 1, 0, NULL, &traj, error, sizeof error), traj,
                 "has no exact solution");
  /* a message may be unwanted, or cut */
  assert_true(dls_flat_exact(NULL, "wedge", 0, NULL, 1, 0, NULL, &traj, NULL, 0) < 0);
  assert_true(dls_flat_exact(NULL, "wedge", 0, NULL, 1, 0, NULL, &traj, error, 6) < 0);
  assert_string_equal(error, "model");
}

static int stop_at(void *data, double t)
{
  *(double *)data = t;
  return t < 2;
}

DLS_TEST(a_run_that_is_stopped_keeps_what_it_has)
{
  dls_trajectory *traj = NULL;
  double reached = 0;
  const int status = dls_flat_run(NULL, "bouncing-ball", 0, NULL, "moreau-jean", 1e-4, 100, stop_at, &reached,
                                  &traj, error, sizeof error);
  assert_int_equal(status, DLS_ERR_INTERRUPTED);
  assert_between(reached, 2, 3);
  assert_non_null(traj);
  assert_false(dls_flat_complete(traj));
  assert_string_equal(dls_flat_failure(traj), error);
  assert_between((double)dls_flat_rows(traj), 2e4, 3.1e4);
  dls_flat_free(traj);
}

/* The closed form of the ball after one impact: q0(2.25) = 0.0625, its derivatives 0.0625 and 0.5. */
DLS_TEST(gradients_are_those_of_the_closed_form)
{
  const char *const of[] = {"q0"}, *const by[] = {"q0", "e"}, *const unknown[] = {"x"};
  const char *statuses[2];
  double value, gradient[2];
  char *messages = NULL;
  dls_flat_gradient_spec spec = {.at = 2.25, .of_count = 1, .of = of, .by_count = 2, .by = by};
  assert_int_equal(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                     statuses, &messages, error, sizeof error),
                   0);
  assert_close(value, 0.0625, 1e-9);
  assert_close(gradient[0], 0.0625, 1e-9);
  assert_close(gradient[1], 0.5, 1e-9);
  assert_string_equal(statuses[1], "ok");
  assert_string_equal(messages, "");
  dls_flat_text_free(messages);
  spec.method = "difference:delta=1e-3";
  assert_int_equal(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                     statuses, &messages, error, sizeof error),
                   0);
  assert_close(gradient[1], 0.5, 1e-3);
  assert_string_equal(statuses[1], "");
  dls_flat_text_free(messages);
  spec.tangent = "plain";
  assert_true(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                statuses, &messages, error, sizeof error) < 0);
  assert_non_null(strstr(error, "plain does not go with --method difference"));
  dls_flat_text_free(messages);
  spec.method = "adjoint";
  spec.tangent = NULL;
  assert_int_equal(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                     statuses, &messages, error, sizeof error),
                   0);
  assert_close(value, 0.0625, 1e-9);
  assert_close(gradient[0], 0.0625, 1e-9);
  assert_close(gradient[1], 0.5, 1e-9);
  dls_flat_text_free(messages);
  spec.integral = 1; /* sqrt(q0) (T - sqrt(q0))^2 by e */
  spec.at = 1.75;
  assert_int_equal(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                     statuses, &messages, error, sizeof error),
                   0);
  assert_true(isnan(value));
  assert_close(gradient[0], 1.046875, 1e-9);
  assert_close(gradient[1], 0.5625, 1e-9);
  dls_flat_text_free(messages);
  spec.integral = 0;
  spec.of = unknown;
  assert_true(dls_flat_gradient(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &value, gradient,
                                statuses, &messages, error, sizeof error) < 0);
  assert_non_null(strstr(error, "allowed are q0"));
  dls_flat_text_free(messages);
}

/* Exact positions give e back; the band of data without noise has no width. */
DLS_TEST(fits_give_the_parameters_of_exact_data)
{
  const double t[] = {0.5, 1.2, 1.5, 1.8}, q[] = {0.75, 0.8 * 0.4 - 0.04, 0.8 * 1 - 0.25, 0.8 * 1.6 - 0.64};
  const char *const of[] = {"q0"}, *const by[] = {"e"};
  double numbers[5], values[4], half[4];
  dls_flat_fit *fit = NULL;
  dls_flat_fit_spec spec = {.rows = 4,
                            .of_count = 1,
                            .by_count = 1,
                            .t = t,
                            .values = q,
                            .of = of,
                            .by = by,
                            .level = 0.95,
                            .tol = 1e-4,
                            .iterations = 50,
                            .starts = 1};
  assert_int_equal(
      dls_flat_fit_run(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &fit, error, sizeof error), 0);
  assert_int_equal(dls_flat_fit_numbers(fit, "value", 5, numbers), 1);
  assert_close(numbers[0], 0.8, 1e-8);
  assert_int_equal(dls_flat_fit_numbers(fit, "summary", 5, numbers), 5);
  assert_close(numbers[0], 1, 0);
  assert_close(numbers[3], 3, 0);
  assert_true(dls_flat_fit_numbers(fit, "colour", 5, numbers) < 0);
  assert_string_equal(dls_flat_fit_status(fit, 0), "ok");
  assert_null(dls_flat_fit_status(fit, 1));
  assert_null(dls_flat_fit_message(fit, 99));
  assert_int_equal(dls_flat_fit_curve(fit, 4, t, values, half, error, sizeof error), 0);
  assert_close(values[3], q[3], 1e-8);
  assert_between(half[3], 0, 1e-8);
  dls_flat_fit_free(fit);
  spec.rows = 1;
  assert_true(
      dls_flat_fit_run(NULL, "bouncing-ball", 0, NULL, "event-driven", &spec, &fit, error, sizeof error) < 0);
  assert_non_null(strstr(error, "too few"));
  dls_flat_fit_free(fit);
  dls_flat_fit_free(NULL);
}

DLS_TEST(names_are_those_of_the_catalogue)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_flat_open(&catalogue, error, sizeof error), 0);
  size_t count = 0;
  for (; dls_flat_name(catalogue, "model", count) != NULL; count++) {
    assert_string_equal(dls_flat_name(catalogue, "model", count), dls_models()[count]->name);
    assert_string_equal(dls_flat_summary(NULL, "model", count), dls_models()[count]->summary);
  }
  assert_null(dls_models()[count]);
  assert_string_equal(dls_flat_name(catalogue, "scheme", 0), dls_schemes()[0]->name);
  assert_string_equal(dls_flat_name(catalogue, "exact", 0), dls_exacts()[0]->model->name);
  assert_null(dls_flat_name(catalogue, "colour", 0));
  assert_true(dls_flat_plugin(catalogue, "nothing.so", error, sizeof error) < 0);
  assert_non_null(strstr(error, "plugin nothing.so cannot be loaded"));
  assert_true(dls_flat_plugin(NULL, "nothing.so", error, sizeof error) < 0);
  assert_string_equal(dls_flat_name(catalogue, "model", 0), "bouncing-ball"); /* as it was */
  dls_flat_close(catalogue);
  dls_flat_close(NULL);
  assert_int_equal(dls_flat_version(), DLS_FLAT_VERSION);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_as_the_closed_form_says),
      cmocka_unit_test(what_a_run_leaves_is_listed_to_its_end),
      cmocka_unit_test(exact_solutions_come_at_times_and_on_an_interval),
      cmocka_unit_test(wrong_requests_leave_a_message_and_nothing_else),
      cmocka_unit_test(a_run_that_is_stopped_keeps_what_it_has),
      cmocka_unit_test(gradients_are_those_of_the_closed_form),
      cmocka_unit_test(fits_give_the_parameters_of_exact_data),
      cmocka_unit_test(names_are_those_of_the_catalogue),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
