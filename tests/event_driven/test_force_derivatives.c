/* test_force_derivatives.c -- derivatives of accelerations, contact forces, impulses and multipliers of joints beside the record of a run:
 * closed forms of the ball and of friction, the equation of motion at both limits of events, and differences of runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/derivative_columns.h"
#include "tangent_run.h"

extern const dls_model dls_model_forced_block, dls_model_spring_block, dls_model_puck, dls_model_sphere,
    dls_model_slider_crank, dls_model_bouncing_pendulum_cartesian, dls_model_bounce_slip, dls_model_rough_bowl,
    dls_model_superball, dls_model_double_pendulum;

enum { TIMES = 12 };

/* The run of a model and its record with derivatives of forces by one parameter. at_count 0: every node */
static void record(const dls_model *model, const double *p, const char *by, double end, size_t at_count,
                   const double *at, tangent_run *t)
{
  dls_derivative_columns columns = {0};
  dls_error err = {0};
  prepare(t, model, p, (const char *const[]){by, NULL}, (const char *const[]){"tol=1e-11", NULL});
  assert_ok(dls_sim_differentiate_forces(t->run.sim, &err), err);
  const dls_run_spec spec = {.end = end,
                             .record = t->run.traj,
                             .recording = {.at_count = at_count, .at = at},
                             .watch = dls_derivative_columns_watch,
                             .watch_data = &columns};
  assert_ok(dls_run(t->run.sim, &spec, &err), err);
  assert_ok(dls_derivative_columns_join(&columns, t->run.sim, t->run.traj, &err), err);
  dls_derivative_columns_release(&columns);
}

static double column_of(const dls_trajectory *traj, size_t row, const char *name)
{
  const int column = dls_trajectory_column(traj, name);
  assert_true(column >= 0);
  return dls_trajectory_at(traj, row, (size_t)column);
}

static double derivative_of(const tangent_run *t, size_t row, const char *of)
{
  char name[60];
  snprintf(name, sizeof name, "d%s/d%s", of, t->direction[0].name);
  return column_of(t->run.traj, row, name);
}

/* Is the row a left limit? Its status is that of the right one. */
static bool is_left(const tangent_run *t, size_t row)
{
  return row + 1 < t->run.traj->rows &&
         dls_trajectory_at(t->run.traj, row + 1, 0) == dls_trajectory_at(t->run.traj, row, 0);
}

/* P_k = m (1 + e) V e^k, then their sum (1 + e) V e^K/(1 - e), V^2 = 2 |f| q0/m; at rest lambda = -f. */
DLS_TEST(impulses_of_the_ball_have_closed_forms)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  const double e = p[dls_option_find(dls_model_bouncing_ball.parameters, "e")], V = 2;
  const char *const by[] = {"e", "q0", "f"};
  for (size_t b = 0; b < 3; b++) {
    tangent_run t;
    size_t k = 0, rests = 0;
    record(&dls_model_bouncing_ball, p, by[b], 4, 0, NULL, &t);
    for (size_t i = 0; i < t.run.traj->rows; i++) {
      const double P = column_of(t.run.traj, i, "p0"), status = column_of(t.run.traj, i, "status0");
      const double dP = derivative_of(&t, i, "p0");
      if (is_left(&t, i)) {
        assert_close(dP, 0, 0);
        continue;
      }
      const double log_e = 1 / (1 + e) + (double)k / e + (status > 0 ? 1 / (1 - e) : 0);
      const double exact = P * (b == 0 ? log_e : b == 1 ? 1 / V : -0.25);    /* V ~ sqrt(q0), sqrt(-f) */
      assert_close(dP, exact, 1e-7 * fabs(exact) + (P > 0 ? 3e-11 / P : 0)); /* dt = -dg/u loses those of u */
      assert_close(derivative_of(&t, i, "lambda0"), b == 2 && status > 0 ? -1 : 0, 1e-9);
      assert_close(derivative_of(&t, i, "a0"), b == 2 && status == 0 ? 1 : 0, 1e-9);
      k += P > 0;
      rests += status > 0;
    }
    assert_true(k > 10 && rests > 1);
    release(&t);
  }
}

/* Stick: r_T = -A cos(omega t). Slip: r_T = -F e. */
DLS_TEST(friction_that_sticks_and_slips_has_closed_forms)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_forced_block, NULL, p);
  for (int by_limit = 0; by_limit < 2; by_limit++) {
    size_t sticks = 0, slips = 0;
    tangent_run t;
    record(&dls_model_forced_block, p, by_limit ? "F" : "A", 9, 0, NULL, &t);
    for (size_t i = 0; i < t.run.traj->rows; i++) {
      const double time = dls_trajectory_at(t.run.traj, i, 0), force = column_of(t.run.traj, i, "lambda0t"),
                   d = derivative_of(&t, i, "lambda0t");
      const bool slides = column_of(t.run.traj, i, "status0") == 2;
      if (is_left(&t, i)) {
        continue;
      }
      slips += slides;
      sticks += !slides;
      assert_close(d, slides ? (by_limit ? force / 0.7 : 0) : (by_limit ? 0 : -cos(time)), 1e-9);
    }
    assert_true(sticks > 10 && slips > 10);
    release(&t);
  }
}

/* m dv' = -dk q - k dq + dr_T - dm v' at each row, left and right limits: D of the equation of motion. r_T jumps where slip reverses. */
DLS_TEST(both_limits_obey_the_equation_of_motion)
{
  const char *const by[] = {"F", "k", "q0", "m"};
  double p[PARAMETERS];
  read_parameters(&dls_model_spring_block, NULL, p);
  for (size_t b = 0; b < 4; b++) {
    size_t jumps = 0;
    tangent_run t;
    record(&dls_model_spring_block, p, by[b], 20, 0, NULL, &t);
    for (size_t i = 0; i < t.run.traj->rows; i++) {
      const double q = column_of(t.run.traj, i, "q0"), a = column_of(t.run.traj, i, "a0"),
                   dq = derivative_of(&t, i, "q0"), da = derivative_of(&t, i, "a0"),
                   dr = derivative_of(&t, i, "lambda0t");
      const double own = b == 1 ? -q : b == 3 ? -a : 0;
      assert_close(da, own - dq + dr, 1e-8 * (1 + fabs(dq)));
      const bool pair = i > 0 && dls_trajectory_at(t.run.traj, i, 0) == dls_trajectory_at(t.run.traj, i - 1, 0);
      if (b == 0 && pair) {
        const double before = derivative_of(&t, i - 1, "lambda0t"),
                     force = column_of(t.run.traj, i - 1, "lambda0t");
        assert_close(before, force / 0.1, 1e-9);
        jumps += fabs(dr + before) < 1e-9;
      }
    }
    assert_true(b > 0 || jumps > 2);
    release(&t);
  }
}

static bool has_prefix(const char *name, const char *prefix)
{
  return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Largest difference between the derivatives of forces in the record and differences of runs, relative to the largest derivative;
 * impulses: their sums. */
static double compare_forces(const dls_model *model, double *p, const char *by, double delta, double end)
{
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const int which = dls_option_find(model->parameters, by);
  const double value = p[which];
  double at[TIMES], worst = 0, largest = 0.1;
  tangent_run t, near[4];
  for (size_t i = 0; i < TIMES; i++) {
    at[i] = end * ((double)i + 0.4) / TIMES;
  }
  record(model, p, by, end, TIMES, at, &t);
  for (size_t k = 0; k < 4; k++) {
    p[which] = value + place[k] * delta;
    record(model, p, by, end, TIMES, at, &near[k]);
    assert_true(same_events(&near[k].run, &t.run));
  }
  p[which] = value;
  for (size_t j = 0; j < t.run.traj->columns; j++) {
    const char *name = t.run.traj->names[j];
    const bool forces = has_prefix(name, "dlambda") || has_prefix(name, "dmu") || has_prefix(name, "da"),
               impulses = has_prefix(name, "dp");
    char of[40] = "";
    double most = 0, sum = 0, difference_of_sums = 0;
    for (size_t i = 0; i < TIMES && (forces || impulses); i++) {
      snprintf(of, sizeof of, "%.*s", (int)strcspn(name + 1, "/"), name + 1);
      const double d = dls_trajectory_at(t.run.traj, i, j);
      double x = 0;
      for (size_t k = 0; k < 4; k++) {
        x += weight[k] / delta * column_of(near[k].run.traj, i, of);
      }
      sum += d;
      difference_of_sums += x;
      largest = fmax(largest, fabs(x));
      most = fmax(most, forces || isnan(d) ? fabs(d - x) : 0);
    }
    most = fmax(most, impulses ? fabs(sum - difference_of_sums) : 0);
    assert_false(isnan(sum));
    worst = fmax(worst, most);
  }
  release(&t);
  for (size_t k = 0; k < 4; k++) {
    release(&near[k]);
  }
  return worst / largest;
}

DLS_TEST(forces_agree_with_differences_of_runs)
{
  const struct {
    const dls_model *model;
    const char *by;
    double delta, end, bound;
    const char *set;
  } cases[] = {
      {&dls_model_puck, "mu", 1e-4, 0.8, 1e-8, NULL},
      {&dls_model_puck, "phi0", 1e-4, 0.8, 1e-8, NULL},
      {&dls_model_sphere, "mu", 1e-4, 0.5, 3e-8, NULL},
      {&dls_model_rough_bowl, "R", 1e-4, 1, 3e-8, NULL},
      {&dls_model_slider_crank, "m1", 1e-6, 0.02, 3e-8, NULL},
      {&dls_model_bouncing_pendulum_cartesian, "e", 1e-4, 1.7, 1e-7, NULL},
      {&dls_model_bouncing_pendulum_cartesian, "q0", 1e-4, 1.7, 1e-7, NULL},
      {&dls_model_bouncing_pendulum_cartesian, "l", 1e-4, 1.7, 1e-7, "e=0"}, /* rests on the hurdle */
      {&dls_model_superball, "h", 1e-4, 1.3, 1e-7, NULL},
      {&dls_model_bounce_slip, "mu", 1e-5, 2, 1e-7, NULL},
      {&dls_model_bounce_slip, "e", 1e-5, 2.8, 1e-6, NULL},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double p[PARAMETERS];
    read_parameters(cases[i].model, (const char *const[]){cases[i].set, NULL}, p);
    const double error = compare_forces(cases[i].model, p, cases[i].by, cases[i].delta, cases[i].end);
    print_message("%s by %s: %.2g\n", cases[i].model->name, cases[i].by, error);
    assert_between(error, 0, cases[i].bound);
  }
}

/* From the start they change with t^2, which a first step by a line is not. */
DLS_TEST(multipliers_at_the_start_have_more_than_a_line)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_double_pendulum, NULL, p);
  record(&dls_model_double_pendulum, p, "m1", 1e-3, 0, NULL, &t);
  const size_t rows = t.run.traj->rows;
  const double end = dls_trajectory_at(t.run.traj, rows - 1, 0),
               factor = derivative_of(&t, rows - 1, "mu0") / (end * end);
  assert_true(rows > 10);
  for (size_t i = 1; i < rows; i++) {
    const double time = dls_trajectory_at(t.run.traj, i, 0);
    assert_close(derivative_of(&t, i, "mu0"), factor * time * time, 1e-3 * fabs(factor) * end * end);
  }
  release(&t);
}

/* After the start the request is refused, and without it there are no such arrays. */
DLS_TEST(forces_are_asked_for_before_the_start)
{
  double p[PARAMETERS];
  dls_error err = {0};
  tangent_run t;
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"e", NULL}, NULL);
  advance_to(&t, 1, NULL, NULL);
  assert_int_equal(dls_sim_differentiate_forces(t.run.sim, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "derivatives of forces go with tangents of scheme event-driven, before its start");
  assert_null(tangent_of(&t, 0)->forces);
  assert_null(tangent_of(&t, 0)->a);
  release(&t);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_the_ball_have_closed_forms),
      cmocka_unit_test(friction_that_sticks_and_slips_has_closed_forms),
      cmocka_unit_test(both_limits_obey_the_equation_of_motion),
      cmocka_unit_test(forces_agree_with_differences_of_runs),
      cmocka_unit_test(multipliers_at_the_start_have_more_than_a_line),
      cmocka_unit_test(forces_are_asked_for_before_the_start),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
