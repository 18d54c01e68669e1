/* test_exact_entry.c -- tables of an exact solution that leaves out what it may, with an event at t = 0; and one that asks for too much.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/catalogue.h>
#include <stdlib.h>
#include <string.h>

struct dls_exact_solution {
  double end;
};

extern const dls_model dls_model_bouncing_ball;
static dls_event_kind kind;  /* at t = 0 */
static double between = 1.0; /* nodes [s] */

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  (void)p, (void)err;
  *out = calloc(1, sizeof **out);
  assert_non_null(*out);
  (*out)->end = end;
  return DLS_OK;
}

static void destroy(dls_exact_solution *sol)
{
  free(sol);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)sol, (void)t;
  g[0] = q[0];
  u[0] = v[0];
}

/* q = t */
static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  assert_true(t <= sol->end);
  assert_int_equal(piece, 0);
  out->q[0] = t;
  out->v[0] = 1;
  out->a[0] = out->p[0] = out->lambda[0] = 0;
}

static bool event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  (void)sol, (void)piece;
  *out = (dls_event){.kind = kind};
  return true;
}

static double spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy)
{
  (void)sol, (void)piece, (void)t, (void)accuracy;
  return between;
}

static const dls_exact entry = {.model = &dls_model_bouncing_ball,
                                .n = 1,
                                .m = 1,
                                .both_limits = true,
                                .create = create,
                                .destroy = destroy,
                                .gap = gap,
                                .value = value,
                                .event = event,
                                .spacing = spacing};

/* Without initial data of its own the left limit at t = 0 is the value of the first piece; there are both where both are asked for, whatever
 * the event is. */
DLS_TEST(an_event_at_the_start_has_both_limits)
{
  static const dls_event_kind kinds[] = {DLS_IMPACT, DLS_LIFT_OFF};
  for (size_t i = 0; i < 2; i++) {
    dls_trajectory *traj = NULL;
    dls_error err = {0};
    kind = kinds[i];
    assert_ok(dls_exact_trajectory(&entry, NULL, 1, 1e-3, &traj, &err), err);
    assert_int_equal(traj->event_count, 1);
    const size_t q = (size_t)dls_trajectory_column(traj, "q0"), v = (size_t)dls_trajectory_column(traj, "v0");
    for (size_t row = 0; row < traj->rows; row++) {
      assert_close(dls_trajectory_at(traj, row, q), dls_trajectory_at(traj, row, 0), 0);
      assert_close(dls_trajectory_at(traj, row, v), 1, 0);
    }
    assert_close(dls_trajectory_at(traj, 1, 0), 0, 0);
    assert_true(dls_trajectory_at(traj, 2, 0) > 0);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(steps_that_do_not_move_the_time_are_refused)
{
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  between = 0;
  assert_int_equal(dls_exact_trajectory(&entry, NULL, 1, 1e-3, &traj, &err), DLS_ERR_ARG);
  assert_string_equal(
      err.text, "exact bouncing-ball: accuracy = 0.001 needs steps of 0 s at t = 0 s, more than 10000000 rows "
                "in all");
  assert_null(traj);
  between = 1;
}

/* What is asked of a piece behind its end is its left limit: a contact that lifts off rests on the wall until then. */
DLS_TEST(behind_its_end_a_lasting_contact_is_at_rest)
{
  const dls_exact *exact = dls_exact_find("impacting-oscillator");
  const double p[] = {1, 1, 0, -1, 2, 1, 3, 0, 0, 0}; /* f + 2 cos(t + 3) < 0 until t = 2 pi - pi/3 - 3 */
  const double lift_off = 5 * 3.141592653589793 / 3 - 3;
  dls_exact_solution *sol = NULL;
  dls_error err = {0};
  assert_ok(exact->create(p, 4, &sol, &err), err);
  assert_int_equal(exact->pieces(sol), 2);
  assert_close(exact->start(sol, 1), lift_off, 1e-15);
  double q = 1, v = 1, a = 1, impulse = 1, lambda = 1;
  int status = 0;
  exact->value(sol, 0, exact->start(sol, 1), &(dls_exact_value){&q, &v, &a, &impulse, &lambda, &status, NULL});
  assert_close(q, 0, 0);
  assert_close(v, 0, 0);
  assert_close(lambda, 0, 1e-14);
  assert_int_equal(status, 1);
  exact->destroy(sol);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_event_at_the_start_has_both_limits),
      cmocka_unit_test(steps_that_do_not_move_the_time_are_refused),
      cmocka_unit_test(behind_its_end_a_lasting_contact_is_at_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
