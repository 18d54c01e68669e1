/* test_engine.c -- the smooth integrators underneath, by themselves: order, dense output, work, failure.
 * y' = 2 t |y|^2 (y_1, -y_0) from (0, 1): y = (sin t^2, cos t^2), nonlinear and with f depending on t.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/integrator/engine.h"
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

typedef struct problem {
  size_t calls;
  double error; /* accepted in a step */
  double wall;  /* f has no value from here on, */
  double rim;   /* nor where |y| is larger than that; 0: any */
} problem;

static int turn(void *data, double t, const double *y, double *dy)
{
  problem *p = data;
  const double square = y[0] * y[0] + y[1] * y[1];
  const double rate = 2 * t * square;
  p->calls++;
  dy[0] = rate * y[1];
  dy[1] = -rate * y[0];
  return t >= p->wall || (p->rim > 0 && square > p->rim * p->rim);
}

static void weights(void *data, const double *y, double *w)
{
  (void)y;
  w[0] = w[1] = 1 / ((const problem *)data)->error;
}

static dls_engine *start(problem *p, dls_engine_method method, int order, double max_step)
{
  const dls_engine_spec spec = {.size = 2,
                                .method = method,
                                .order = order,
                                .max_step = max_step,
                                .time_scale = max_step > 0 ? 100 * max_step : 1,
                                .data = p,
                                .rhs = turn,
                                .weights = weights};
  dls_engine *engine = NULL;
  dls_error err = {0};
  assert_ok(dls_engine_create(&spec, &engine, &err), err);
  assert_ok(dls_engine_restart(engine, 0, (const double[]){0, 1}, 0, &err), err);
  return engine;
}

static double distance(double t, const double *y)
{
  return hypot(y[0] - sin(t * t), y[1] - cos(t * t));
}

/* Largest errors over steps of the same length to t = 1.5: at their ends, in between, and of the derivative there. */
typedef struct errors {
  double end, between, slope;
} errors;

static errors errors_of(int order, int steps)
{
  problem p = {.error = 1e3, .wall = 10};
  dls_engine *engine = start(&p, DLS_ENGINE_ERK, order, 1.5 / steps);
  dls_error err = {0};
  errors worst = {0};
  double left = 0;
  for (int i = 0; i < steps; i++) {
    double t = 0;
    double y[2];
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    assert_close(t - left, 1.5 / steps, 1e-12);
    worst.end = fmax(worst.end, distance(t, y));
    for (double part = 0.1; part < 1; part += 0.2) {
      const double s = left + part * (t - left);
      dls_engine_interpolate(engine, s, 0, y);
      worst.between = fmax(worst.between, distance(s, y));
      dls_engine_interpolate(engine, s, 1, y);
      worst.slope = fmax(worst.slope, hypot(y[0] - 2 * s * cos(s * s), y[1] + 2 * s * sin(s * s)));
    }
    left = t;
  }
  dls_engine_destroy(engine);
  return worst;
}

/* Also for the pairs that ARKODE 6.4 takes for "first same as last" by mistake: Verner's would have order 3. */
DLS_TEST(pairs_have_their_order_at_and_between_the_ends_of_steps)
{
  for (int order = 2; order <= 6; order++) {
    const int steps = order < 5 ? 80 : 30;
    const errors coarse = errors_of(order, steps);
    const errors fine = errors_of(order, 4 * steps);
    assert_between(log2(coarse.end / fine.end) / 2, order - 0.2, order + 0.6);
    assert_between(log2(coarse.between / fine.between) / 2, order - 0.2, order + 0.6);
    assert_between(log2(coarse.slope / fine.slope) / 2, order - 0.6, order + 0.9);
    assert_between(fine.between / fine.end, 0.3, 3); /* the dense output adds nothing */
  }
}

DLS_TEST(dense_output_meets_the_ends_of_the_step)
{
  problem p = {.error = 1e-9, .wall = 10};
  dls_engine *engine = start(&p, DLS_ENGINE_ERK, 5, 0);
  dls_error err = {0};
  double last[4] = {0, 1, 0, 0};
  double left = 0;
  for (double t = 0; t < 2; left = t) {
    double y[4];
    double at[2];
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    turn(&p, t, y, y + 2);
    for (int derivative = 0; derivative < 2; derivative++) {
      for (int i = 0; i < 2; i++) {
        dls_engine_interpolate(engine, left, derivative, at);
        assert_close(at[i], last[2 * derivative + i], 1e-13);
        dls_engine_interpolate(engine, t, derivative, at);
        assert_close(at[i], y[2 * derivative + i], 1e-13);
      }
    }
    memcpy(last, y, sizeof last);
  }
  dls_engine_destroy(engine);
}

/* At its end a multistep method has the slope without the sum of its dense output: the limit of the slopes before it. */
DLS_TEST(slope_at_the_end_of_a_step_is_the_limit_of_the_dense_output)
{
  for (int bdf = 0; bdf < 2; bdf++) {
    problem p = {.error = 1e-8, .wall = 10};
    dls_engine *engine = start(&p, bdf ? DLS_ENGINE_BDF : DLS_ENGINE_ADAMS, 5, 0);
    dls_error err = {0};
    for (double t = 0; t < 1.5;) {
      double y[2], beside[2];
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      dls_engine_interpolate(engine, nextafter(t, 0), 1, beside);
      dls_engine_interpolate(engine, t, 1, y);
      for (int i = 0; i < 2; i++) {
        assert_close(y[i], beside[i], 1e-13 * (1 + fabs(beside[i])));
      }
    }
    dls_engine_destroy(engine);
  }
}

/* Rows given one by one and as a range, at random times. Adams methods have derivatives up to their order, beyond which all are zero. */
DLS_TEST(rows_of_dense_output_are_those_of_the_whole_bit_for_bit)
{
  static const dls_engine_method methods[] = {DLS_ENGINE_ADAMS, DLS_ENGINE_BDF, DLS_ENGINE_ERK};
  static const sunindextype second[] = {1};
  const dls_column columns[] = {{.count = 1, .rows = second}, {.count = 2}, {.count = 1, .first = 0}};
  static const size_t offset[] = {0, 0, 1};
  uint64_t seed = 7;
  for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
    problem p = {.error = 1e-8, .wall = 10};
    dls_engine *engine = start(&p, methods[i], 5, 0);
    dls_error err = {0};
    double left = 0, t = 0, y[2], whole[2], rows[3];
    while (t < 1) {
      left = t;
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      for (int derivative = 0; derivative <= 3; derivative++) {
        for (size_t c = 0; c < 3; c++) {
          seed = seed * 6364136223846793005u + 1442695040888963407u;
          const double at = left + (t - left) * ldexp((double)(seed >> 11), -53);
          memset(rows, 0xff, sizeof rows);
          dls_engine_interpolate(engine, at, derivative, whole);
          dls_engine_interpolate_rows(engine, at, derivative, &columns[c], offset[c], rows);
          for (size_t k = 0; k < columns[c].count; k++) {
            const size_t row = offset[c] + dls_column_row(&columns[c], k);
            assert_memory_equal(&rows[row], &whole[row], sizeof *rows);
          }
          assert_true(isnan(rows[2]));
          assert_true(columns[c].count == 2 || isnan(rows[0]));
        }
      }
    }
    dls_engine_destroy(engine);
  }
}

/* One evaluation a stage, and one for the first point: the end of a step is the beginning of the next. */
DLS_TEST(no_evaluation_is_made_twice)
{
  const size_t stages[] = {2, 3, 5, 6, 8};
  for (int order = 2; order <= 6; order++) {
    problem p = {.error = 1e-6, .wall = 10};
    dls_engine *engine = start(&p, DLS_ENGINE_ERK, order, 0);
    dls_error err = {0};
    dls_work work = {0};
    for (double t = 0; t < 1.5;) {
      double y[2];
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      dls_engine_collect(engine, &work);
    }
    assert_true(work.steps > 5);
    assert_in_range(p.calls, stages[order - 2] * work.steps + 1,
                    stages[order - 2] * (work.steps + work.rejected) + 1);
    dls_engine_destroy(engine);
  }
}

/* A restart keeps step and order: ten restarts cost little more than ten evaluations. */
DLS_TEST(restarts_are_cheap)
{
  size_t calls[2][2];
  for (int method = 0; method < 2; method++) {
    for (int restarts = 0; restarts < 2; restarts++) {
      problem p = {.error = 1e-9, .wall = 10};
      dls_engine *engine = start(&p, method == 0 ? DLS_ENGINE_ADAMS : DLS_ENGINE_ERK, 5, 0);
      dls_error err = {0};
      double next = 0.15;
      for (double t = 0; t < 1.65;) {
        double y[2];
        assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
        if (restarts == 1 && t >= next) {
          next += 0.15;
          assert_ok(dls_engine_restart(engine, t, y, 0, &err), err);
        }
      }
      calls[method][restarts] = p.calls;
      dls_engine_destroy(engine);
    }
  }
  assert_in_range(calls[1][1], calls[1][0], 5 * calls[1][0] / 4);
  assert_true(calls[0][1] > 2 * calls[0][0]);
}

/* f has no value from t = 1 on: steps up to there are handed out, then the failure is told. */
DLS_TEST(a_failure_ahead_does_not_lose_the_steps_before)
{
  for (int order = 2; order <= 6; order++) {
    problem p = {.error = 1e-6, .wall = 1};
    dls_engine *engine = start(&p, DLS_ENGINE_ERK, order, 0);
    dls_error err = {0};
    double t = 0;
    double y[2] = {0, 1};
    while (dls_engine_step(engine, &t, y, &(double){0}, &err) == DLS_OK) {
      assert_between(distance(t, y), 0, 1e-4);
    }
    assert_between(t, 0.99, 1);
    assert_int_equal(err.status, DLS_ERR_INTEGRATOR);
    assert_non_null(strstr(err.text, "ARKODE"));
    dls_engine_destroy(engine);
  }
}

/* The motion stays on |y| = 1; trial states of long steps do not, and f has no value there. */
DLS_TEST(trial_states_without_a_value_shorten_the_step)
{
  for (int order = 1; order <= 6; order++) {
    problem p = {.error = 1e-3, .wall = 10, .rim = 1.1};
    const dls_engine_spec spec = {.size = 2,
                                  .method = order == 1 ? DLS_ENGINE_ADAMS : DLS_ENGINE_ERK,
                                  .order = order,
                                  .time_scale = 100, /* so the first step is far too long */
                                  .data = &p,
                                  .rhs = turn,
                                  .weights = weights};
    dls_engine *engine = NULL;
    dls_error err = {0};
    dls_work work = {0};
    double t = 0;
    double y[2] = {0, 1};
    assert_ok(dls_engine_create(&spec, &engine, &err), err);
    assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
    while (t < 2) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      dls_engine_collect(engine, &work);
    }
    assert_between(distance(t, y), 0, 0.1);
    assert_true(order == 1 || work.rejected > 0);
    assert_in_range(work.steps + work.rejected, 4, 300);
    dls_engine_destroy(engine);
  }
}

typedef struct decay {
  double wall;  /* f has no value from here on, */
  size_t after; /* nor from this evaluation on */
  size_t calls;
} decay;

/* y' = (-y_0 + t, -2 y_1) */
static int fall(void *data, double t, const double *y, double *dy)
{
  decay *d = data;
  d->calls++;
  dy[0] = t - y[0];
  dy[1] = -2 * y[1];
  return t >= d->wall || d->calls > d->after ? -1 : 0;
}

static void even(void *data, const double *y, double *w)
{
  (void)data, (void)y;
  w[0] = w[1] = 1e6;
}

static dls_engine *begin(decay *d, dls_engine_method method, dls_status expected)
{
  const dls_engine_spec spec = {.size = 2,
                                .method = method,
                                .order = 6,
                                .time_scale = 1,
                                .data = d,
                                .rhs = fall,
                                .weights = even,
                                .columns = 2};
  dls_engine *engine = NULL;
  dls_error err = {0};
  assert_ok(dls_engine_create(&spec, &engine, &err), err);
  assert_int_equal(dls_engine_restart(engine, 0, (const double[]){1, 1}, 0, &err), expected);
  return engine;
}

/* From t = 1 on f says stop: what was handed out before is the solution, (2 e^-t + t - 1, e^-2t), and the failure tells whose it is. */
DLS_TEST(a_right_hand_side_that_says_stop_is_an_error)
{
  static const struct {
    dls_engine_method method;
    const char *name;
  } kinds[] = {{DLS_ENGINE_ADAMS, "CVODE"},
               {DLS_ENGINE_BDF, "CVODE"},
               {DLS_ENGINE_ERK, "ARKODE"},
               {DLS_ENGINE_FLOW, "flow"}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    decay d = {.wall = 1, .after = 1000000};
    dls_engine *engine = begin(&d, kinds[i].method, DLS_OK);
    dls_error err = {0};
    double t = 0;
    double y[2] = {1, 1};
    while (dls_engine_step(engine, &t, y, &(double){0}, &err) == DLS_OK) {
      assert_close(y[0], 2 * exp(-t) + t - 1, 1e-4);
      assert_close(y[1], exp(-2 * t), 1e-4);
    }
    assert_between(t, 0, 1.01);
    assert_int_equal(err.status, DLS_ERR_INTEGRATOR);
    assert_non_null(strstr(err.text, kinds[i].name));
    dls_engine_destroy(engine);
  }
}

/* flow reads A and b from f(t, 0) and f(t, e_i), then the load at eight points: each of them may be the one without a value. */
DLS_TEST(flow_needs_each_of_its_values)
{
  for (size_t after = 0; after < 3; after++) {
    decay d = {.wall = 10, .after = after};
    dls_engine_destroy(begin(&d, DLS_ENGINE_FLOW, DLS_ERR_INTEGRATOR));
    assert_int_equal(d.calls, after + 1);
  }
  decay d = {.wall = 10, .after = 3};
  dls_engine *engine = begin(&d, DLS_ENGINE_FLOW, DLS_OK);
  dls_error err = {0};
  double t = 0;
  double y[2];
  assert_int_equal(dls_engine_step(engine, &t, y, &(double){0}, &err), DLS_ERR_INTEGRATOR);
  assert_string_equal(err.text, "flow: the forces are not finite near t = 0; they must be finite there");
  dls_engine_destroy(engine);
}

/* A restart that is told how long the flight will last: the P - 1 steps that are made at once end just beyond it, each as long as the
 * others, whatever the error test would let pass. */
DLS_TEST(the_first_steps_of_a_flight_reach_just_beyond_its_end)
{
  const double flight = 0.1;
  for (int order = 2; order <= 6; order++) {
    problem p = {.error = 1e3, .wall = 10};
    dls_engine *engine = start(&p, DLS_ENGINE_ERK, order, 0);
    dls_error err = {0};
    const int first = (order + 2) / 2 - 1;
    double t = 0;
    double y[2] = {0, 1};
    while (t < 0.5) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    }
    const double begin = t;
    assert_ok(dls_engine_restart(engine, begin, y, flight, &err), err);
    for (int k = 1; k <= first; k++) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      assert_between(t - begin, 0, 1.03 * flight * k / first);
    }
    assert_between(t - begin, flight, 1.03 * flight);
    dls_engine_destroy(engine);
  }
}

static double soon(void *data)
{
  (void)data;
  return 0.05; /* b may jump there */
}

/* However long the flight that is foreseen; up to a jump of the load no step goes on. */
DLS_TEST(no_step_is_longer_than_is_allowed)
{
  static const dls_engine_method methods[] = {DLS_ENGINE_ADAMS, DLS_ENGINE_ERK, DLS_ENGINE_FLOW};
  static const double flights[] = {0, 0.5, 1e3}, longest = 0.1;
  for (size_t i = 0; i < 9; i++) {
    decay d = {.wall = 10, .after = 1000000};
    const dls_engine_spec spec = {.size = 2,
                                  .method = methods[i / 3],
                                  .order = 4,
                                  .max_step = longest,
                                  .time_scale = 10,
                                  .data = &d,
                                  .rhs = fall,
                                  .weights = even,
                                  .columns = 2,
                                  .stop = methods[i / 3] == DLS_ENGINE_FLOW ? soon : NULL};
    dls_engine *engine = NULL;
    dls_error err = {0};
    double t = 0, y[2];
    assert_ok(dls_engine_create(&spec, &engine, &err), err);
    assert_ok(dls_engine_restart(engine, 0, (const double[]){1, 1}, flights[i % 3], &err), err);
    for (double last = 0; t < 1; last = t) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      assert_between(t - last, 0, longest * (1 + 1e-12));
      assert_true(last >= 0.05 || t <= 0.05 || spec.stop == NULL);
    }
    assert_close(y[0], 2 * exp(-t) + t - 1, 1e-4);
    assert_close(y[1], exp(-2 * t), 1e-4);
    dls_engine_destroy(engine);
  }
}

/* The first step is 1e4 times longer than the steps in which trial states stay near |y| = 1. */
DLS_TEST(a_first_step_far_too_long_is_shortened_until_f_has_values)
{
  problem p = {.error = 1e-3, .wall = 10, .rim = 1.1};
  const dls_engine_spec spec = {.size = 2,
                                .method = DLS_ENGINE_ERK,
                                .order = 4,
                                .time_scale = 1e6,
                                .data = &p,
                                .rhs = turn,
                                .weights = weights};
  dls_engine *engine = NULL;
  dls_error err = {0};
  double t = 0, y[2] = {0, 1};
  assert_ok(dls_engine_create(&spec, &engine, &err), err);
  assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
  while (t < 2) {
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
  }
  assert_between(distance(t, y), 0, 0.1);
  dls_engine_destroy(engine);
}

/* A flight at t = 1 s whose estimated length, 1e-20 s, is below the round-off of t: the first 13 steps of flow, each twice as long as the
 * last, do not advance t. */
DLS_TEST(a_flight_shorter_than_the_round_off_of_t_may_begin)
{
  decay d = {.wall = 10, .after = 1000000};
  dls_engine *engine = begin(&d, DLS_ENGINE_FLOW, DLS_OK);
  dls_error err = {0};
  double t = 1, y[2] = {2 * exp(-1), exp(-2)};
  assert_ok(dls_engine_restart(engine, t, y, 1e-20, &err), err);
  while (t < 2) {
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
  }
  assert_close(y[0], 2 * exp(-t) + t - 1, 1e-7);
  assert_close(y[1], exp(-2 * t), 1e-7);
  dls_engine_destroy(engine);
}

typedef struct fall_time {
  double t;
} fall_time;

/* y' = (cos t, 0) */
static int follow_sine(void *data, double t, const double *y, double *dy)
{
  (void)data, (void)y;
  dy[0] = cos(t);
  dy[1] = 0;
  return 0;
}

static void accept_all(void *data, const double *y, double *w)
{
  (void)data, (void)y;
  w[0] = w[1] = 1e-3;
}

static void fall_at(void *data, double t, const double *y, double *f)
{
  (void)y;
  f[0] = ((const fall_time *)data)->t - t;
}

/* ARKODE returns at a root, and begins another step if less than its round-off is left of the present one. Every step returned has the
 * length that was asked for or ends at the root, and the dense output meets sin t. */
DLS_TEST(a_root_within_the_round_off_of_the_end_of_a_step_ends_it)
{
  const double h = 0.125;
  for (int distance = 1; distance < 600; distance += 7) {
    fall_time fall = {4 * h - distance * DBL_EPSILON / 4};
    const dls_engine_spec spec = {.size = 2,
                                  .method = DLS_ENGINE_ERK,
                                  .order = 6,
                                  .max_step = h,
                                  .time_scale = 100 * h,
                                  .data = &fall,
                                  .rhs = follow_sine,
                                  .weights = accept_all,
                                  .roots = 1,
                                  .root = fall_at};
    dls_engine *engine = NULL;
    dls_error err = {0};
    double left = 0, t = 0, y[2] = {0, 0};
    assert_ok(dls_engine_create(&spec, &engine, &err), err);
    assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
    for (; t < 8 * h; left = t) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
      assert_between(t - left, 0, h * (1 + 1e-12));
      for (int part = 1; part <= 4; part++) {
        const double s = left + part * (t - left) / 4;
        dls_engine_interpolate(engine, s, 0, y);
        assert_close(y[0], sin(s), 1e-9);
      }
    }
    dls_engine_destroy(engine);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(no_step_is_longer_than_is_allowed),
      cmocka_unit_test(pairs_have_their_order_at_and_between_the_ends_of_steps),
      cmocka_unit_test(dense_output_meets_the_ends_of_the_step),
      cmocka_unit_test(slope_at_the_end_of_a_step_is_the_limit_of_the_dense_output),
      cmocka_unit_test(rows_of_dense_output_are_those_of_the_whole_bit_for_bit),
      cmocka_unit_test(no_evaluation_is_made_twice),
      cmocka_unit_test(restarts_are_cheap),
      cmocka_unit_test(trial_states_without_a_value_shorten_the_step),
      cmocka_unit_test(a_failure_ahead_does_not_lose_the_steps_before),
      cmocka_unit_test(a_right_hand_side_that_says_stop_is_an_error),
      cmocka_unit_test(flow_needs_each_of_its_values),
      cmocka_unit_test(the_first_steps_of_a_flight_reach_just_beyond_its_end),
      cmocka_unit_test(a_first_step_far_too_long_is_shortened_until_f_has_values),
      cmocka_unit_test(a_flight_shorter_than_the_round_off_of_t_may_begin),
      cmocka_unit_test(a_root_within_the_round_off_of_the_end_of_a_step_ends_it),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
