/* tests/analytic/test_exact.c -- the bouncing ball in closed form, and the tables made of it.
 * References: the closed form of the default data (dyadic), and bounce by bounce in 400 bits (MPFR).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/exact.h>
#include <math.h>
#include <mpfr.h>
#include <stdlib.h>
#include <string.h>

extern const dls_exact dls_exact_bouncing_ball;
static const dls_exact *const ball = &dls_exact_bouncing_ball;

enum { T, Q, V, G, U, P, LAMBDA, STATUS, A }; /* columns for n = m = 1 */
enum { BITS = 400 };

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

static dls_trajectory *at(const double *p, size_t count, const double *times)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_at(ball, p, count, times, &traj, &err), err);
  return traj;
}

static dls_trajectory *until(const double *p, double end)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(ball, p, end, 1e-9, &traj, &err), err);
  return traj;
}

static double cell(const dls_trajectory *traj, size_t row, size_t column)
{
  return dls_trajectory_at(traj, row, column);
}

/* q = 2^-n s - s^2, v = 2^-n - 2 s, s = t - (3 - 2^(1-n)), n = 0, 1, ..: all exact in long double. Before the
 * first impact the same flight as for n = -1, of which only the second half is flown. */
DLS_TEST(default_ball_is_exact_up_to_the_accumulation)
{
  unsigned seed = 1;
  for (int i = 0; i < 3000; i++) {
    const double t = i % 3 == 0 ? uniform(&seed, 0, 3) : 3 - ldexp(uniform(&seed, 0.5, 1), i % 47 - 47);
    dls_trajectory *traj = at(NULL, 1, &t);
    int n = -1;
    while (t >= 3 - ldexp(1, -n)) {
      n++;
    }
    const long double s = t - (3 - ldexpl(1, 1 - n)), speed = ldexpl(1, -n);
    const size_t last = traj->rows - 1;
    assert_close(cell(traj, last, Q) / (double)(speed * speed), (double)(s / speed - s / speed * (s / speed)),
                 1e-16);
    assert_close(cell(traj, last, V), (double)(speed - 2 * s), 1e-16 * (double)speed);
    assert_close(cell(traj, last, A), -2, 0);
    assert_close(cell(traj, last, LAMBDA), 0, 0);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(default_ball_impacts_at_dyadic_times_and_rests_from_three)
{
  dls_trajectory *traj = until(NULL, 4);
  const size_t last = traj->event_count - 1;
  assert_between((double)last, 50, 54);
  for (size_t n = 0; n < last; n++) {
    const dls_event *event = &traj->events[n];
    assert_int_equal(event->kind, DLS_IMPACT);
    assert_close(event->t, 3 - ldexp(2, -(int)n), 0);
    assert_close(event->u_minus, -ldexp(2, -(int)n), 0);
    assert_close(event->u_plus, ldexp(1, -(int)n), 0);
    assert_close(event->impulse, ldexp(3, -(int)n), 0);
  }
  assert_int_equal(traj->events[last].kind, DLS_ACCUMULATION);
  assert_close(traj->events[last].t, 3, 0);
  assert_close(traj->events[last].time_end, 3, 0);
  assert_between(traj->events[last].bound, 1e-40, 1e-31);
  for (size_t i = 0; i < traj->rows; i++) {
    if (cell(traj, i, T) > 3) {
      assert_close(fabs(cell(traj, i, Q)) + fabs(cell(traj, i, V)) + fabs(cell(traj, i, A)), 0, 0);
      assert_close(cell(traj, i, LAMBDA), 2, 0);
      assert_close(cell(traj, i, STATUS), 1, 0);
    }
  }
  dls_trajectory_destroy(traj);
}

/* Flight by flight: V := e V, t_n := t_n + 2 V/g until the flight covers t; q, v there, V as measure of
 * amplitude. */
static void bounce(const double *p, double t, double *q, double *v, double *amplitude)
{
  mpfr_t g, W, start, flight, s, h;
  mpfr_inits2(BITS, g, W, start, flight, s, h, (mpfr_ptr)0);
  mpfr_set_d(g, -p[1], MPFR_RNDN);
  mpfr_div_d(g, g, p[0], MPFR_RNDN);
  mpfr_mul_d(W, g, p[3], MPFR_RNDN); /* W = sqrt(v0^2 + 2 g q0), first impact (v0 + W)/g */
  mpfr_mul_ui(W, W, 2, MPFR_RNDN);
  mpfr_set_d(h, p[4], MPFR_RNDN);
  mpfr_sqr(h, h, MPFR_RNDN);
  mpfr_add(W, W, h, MPFR_RNDN);
  mpfr_sqrt(W, W, MPFR_RNDN);
  mpfr_add_d(start, W, p[4], MPFR_RNDN);
  mpfr_div(start, start, g, MPFR_RNDN);
  for (;;) {
    mpfr_mul_d(W, W, p[2], MPFR_RNDN);
    mpfr_mul_ui(flight, W, 2, MPFR_RNDN);
    mpfr_div(flight, flight, g, MPFR_RNDN);
    mpfr_add(h, start, flight, MPFR_RNDN);
    if (mpfr_cmp_d(h, t) > 0) {
      break;
    }
    mpfr_set(start, h, MPFR_RNDN);
  }
  mpfr_d_sub(s, t, start, MPFR_RNDN);
  mpfr_mul(h, g, s, MPFR_RNDN);
  mpfr_sub(flight, W, h, MPFR_RNDN);
  *v = mpfr_get_d(flight, MPFR_RNDN);
  mpfr_div_ui(h, h, 2, MPFR_RNDN);
  mpfr_sub(h, W, h, MPFR_RNDN);
  mpfr_mul(h, h, s, MPFR_RNDN);
  *q = mpfr_get_d(h, MPFR_RNDN);
  *amplitude = mpfr_get_d(W, MPFR_RNDN);
  mpfr_clears(g, W, start, flight, s, h, (mpfr_ptr)0);
}

DLS_TEST(any_ball_keeps_its_digits_up_to_the_accumulation)
{
  unsigned seed = 2;
  const double restitution[] = {0.01, 0.3, 0.5, 0.9, 0.99};
  int compared = 0;
  for (int i = 0; i < 150; i++) {
    const double p[] = {uniform(&seed, 0.1, 3), -uniform(&seed, 0.1, 20), restitution[i % 5],
                        uniform(&seed, 0, 2), uniform(&seed, -3, 3)};
    const double g = -p[1] / p[0], speed = sqrt(p[4] * p[4] + 2 * g * p[3]), first = (p[4] + speed) / g;
    const double limit = first + 2 * speed / g * p[2] / (1 - p[2]);
    const double before = pow(10, uniform(&seed, -14, 0)) * (limit - first);
    const double t = limit - before;
    dls_trajectory *traj = at(p, 1, &t);
    if (traj->rows == 1 && cell(traj, 0, STATUS) == 0 && t > first) {
      double q, v, speed_now;
      bounce(p, t, &q, &v, &speed_now);
      assert_close(cell(traj, 0, Q), q, 1e-15 * fabs(q) + 1e-300);
      assert_close(cell(traj, 0, V), v, 1e-15 * speed_now);
      compared++;
    }
    dls_trajectory_destroy(traj);
  }
  assert_between(compared, 120, 150);
}

DLS_TEST(accumulation_time_is_the_geometric_series)
{
  for (int i = 1; i < 100; i++) {
    const double e = 0.01 * i, p[] = {2, -3, e, 0.5, 1};
    const double g = 1.5, speed = sqrt(1 + 2 * g * 0.5), first = (1 + speed) / g;
    const double limit = first + 2 * speed / g * e / (1 - e);
    dls_trajectory *traj = until(p, limit + 1);
    const dls_event *last = &traj->events[traj->event_count - 1];
    assert_int_equal(last->kind, DLS_ACCUMULATION);
    assert_close(last->t, limit, 1e-13 * limit);
    for (size_t k = 0; k + 1 < traj->event_count; k++) {
      const dls_event *event = &traj->events[k];
      assert_int_equal(event->kind, DLS_IMPACT);
      assert_true(event->t < event[1].t);
      assert_close(event->u_plus / event->u_minus, -e, 1e-15);
      assert_close(event->impulse, 2 * (event->u_plus - event->u_minus), 1e-15 * event->impulse);
    }
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(elastic_ball_bounces_a_thousand_times)
{
  const double p[] = {1, -2, 1, 1, 0};
  double times[2000];
  for (int i = 0; i < 2000; i++) {
    times[i] = i + 0.25; /* impacts at the odd integers */
  }
  dls_trajectory *traj = at(p, 2000, times);
  assert_int_equal(traj->event_count, 1000);
  for (size_t i = 0; i < 2000; i++) {
    const double s = i % 2 == 0 ? 0.25 : 0.75; /* since the last apex, or to the next */
    assert_close(cell(traj, i, Q), 1 - s * s, 0);
    assert_close(cell(traj, i, V), i % 2 == 0 ? -2 * s : 2 * s, 0);
  }
  for (size_t k = 0; k < traj->event_count; k++) {
    assert_close(traj->events[k].t, 2.0 * (double)k + 1, 0);
  }
  dls_trajectory_destroy(traj);
}

DLS_TEST(energy_is_kept_between_impacts)
{
  const double p[] = {0.3, -9.81, 0.8, 1.7, -2};
  dls_trajectory *traj = until(p, 8);
  for (size_t i = 1; i < traj->rows; i++) {
    const double before = 0.15 * pow(cell(traj, i - 1, V), 2) + 9.81 * cell(traj, i - 1, Q);
    const double after = 0.15 * pow(cell(traj, i, V), 2) + 9.81 * cell(traj, i, Q);
    const bool impact = cell(traj, i, P) > 0;
    assert_close(after, impact ? 0.64 * before : before, 1e-15 + 4e-16 * before);
    assert_true(cell(traj, i, Q) >= 0);
  }
  dls_trajectory_destroy(traj);
}

typedef struct upward_case {
  double p[5], t, q, v;
  size_t events;
  dls_event_kind kind;
} upward_case;

/* No force or a force away from the floor: at most one impact, or a grazing when v0^2 = 2 f q0/m exactly. */
DLS_TEST(ball_without_gravity_leaves)
{
  const upward_case cases[] = {
      {{1, 0, 0.5, 2, -1}, 6, 2, 0.5, 1, DLS_IMPACT},    {{1, 0, 0, 2, -1}, 6, 0, 0, 1, DLS_IMPACT},
      {{1, 0, 0.5, 2, 1}, 6, 8, 1, 0, DLS_IMPACT},       {{1, 2, 0.5, 1, -1}, 2, 3, 3, 0, DLS_IMPACT},
      {{1, 2, 0.5, 1, -2}, 3, 4, 4, 1, DLS_GRAZING},     {{1, 2, 0.5, 0.75, -2}, 1, 0.5, 1.5, 1, DLS_IMPACT},
      {{1, 2, 0, 0.75, -2}, 1.5, 1, 2, 1, DLS_IMPACT},   {{1, 2, 0.5, 0, 0}, 1, 1, 2, 0, DLS_IMPACT},
      {{1, 0, 0.5, 0, 0}, 3, 0, 0, 1, DLS_LANDING},      {{1, -2, 0.5, 0, 0}, 3, 0, 0, 1, DLS_LANDING},
      {{1, -2, 0.5, 0, 1}, 0.5, 0.25, 0, 0, DLS_IMPACT}, {{1, -2, 0, 1, 0}, 2, 0, 0, 1, DLS_IMPACT},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const upward_case *c = &cases[i];
    dls_trajectory *traj = at(c->p, 1, &c->t);
    assert_int_equal(traj->event_count, c->events);
    assert_close(cell(traj, 0, Q), c->q, 1e-15);
    assert_close(cell(traj, 0, V), c->v, 1e-15);
    if (c->events > 0) {
      assert_int_equal(traj->events[0].kind, c->kind);
    }
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(impact_at_the_start_has_both_limits)
{
  const double p[] = {2, -2, 0.5, 0, -4}, times[] = {0, 1};
  dls_trajectory *traj = at(p, 2, times);
  assert_int_equal(traj->rows, 3);
  assert_close(cell(traj, 0, V), -4, 0);
  assert_close(cell(traj, 0, P), 0, 0);
  assert_close(cell(traj, 1, T), 0, 0);
  assert_close(cell(traj, 1, V), 2, 0);
  assert_close(cell(traj, 1, P), 12, 0);
  assert_close(cell(traj, 2, Q), 1.5, 0);
  assert_int_equal(traj->event_count, 1);
  assert_close(traj->events[0].t, 0, 0);
  dls_trajectory_destroy(traj);
}

DLS_TEST(rows_at_an_impact_are_its_two_limits)
{
  const double times[] = {1, 2.5, 3};
  dls_trajectory *traj = at(NULL, 3, times);
  const double v[] = {-2, 1, -0.5, 0.25, -ldexp(1, -52), 0};
  assert_int_equal(traj->rows, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_close(cell(traj, i, T), times[i / 2], 0);
    assert_close(cell(traj, i, Q), 0, 0);
    assert_close(cell(traj, i, V), v[i], 0);
    assert_close(cell(traj, i, P), i % 2 == 0 ? 0 : v[i] - v[i - 1], 0);
    assert_close(cell(traj, i, STATUS), i == 5, 0);
    assert_close(cell(traj, i, A), i == 5 ? 0 : -2, 0);
  }
  dls_trajectory_destroy(traj);
}

DLS_TEST(tables_are_cubic_and_named)
{
  dls_trajectory *traj = until(NULL, 4);
  assert_int_equal(traj->columns, 9);
  assert_string_equal(traj->names[A], "a0");
  assert_int_equal(traj->meaning[Q], DLS_HERMITE);
  assert_int_equal(traj->meaning[V], DLS_HERMITE);
  assert_true(traj->complete);
  const char *const notes[] = {"model: bouncing-ball",
                               "parameters: m=1,f=-2,e=0.5,q0=1,v0=0",
                               "scheme: exact",
                               "end: 4",
                               "coordinates: q0: position [m]",
                               "accuracy: 1e-09"};
  assert_int_equal(traj->meta_count, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_string_equal(traj->meta[i], notes[i]);
  }
  assert_close(cell(traj, 0, T), 0, 0);
  assert_close(cell(traj, traj->rows - 1, T), 4, 0);
  dls_trajectory_destroy(traj);
}

static void refuses(dls_status expected, const double *p, double end, double accuracy, const char *text)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_int_equal(dls_exact_trajectory(ball, p, end, accuracy, &traj, &err), expected);
  assert_null(traj);
  assert_non_null(strstr(err.text, text));
}

DLS_TEST(bad_input_is_refused_with_name_and_value)
{
  const double below[] = {1, -2, 0.5, -1, 0}, massless[] = {0, -2, 0.5, 1, 0}, nan[] = {1, NAN, 0.5, 1, 0};
  const double lively[] = {1, -2, 1.5, 1, 0}, elastic[] = {1, -2, 1, 1, 0};
  refuses(DLS_ERR_OPTION, below, 1, 1e-6, "q0 = -1");
  refuses(DLS_ERR_OPTION, massless, 1, 1e-6, "m = 0");
  refuses(DLS_ERR_OPTION, nan, 1, 1e-6, "f = ");
  refuses(DLS_ERR_OPTION, lively, 1, 1e-6, "e = 1.5");
  refuses(DLS_ERR_ARG, NULL, 0, 1e-6, "end = 0");
  refuses(DLS_ERR_ARG, NULL, INFINITY, 1e-6, "end = inf");
  refuses(DLS_ERR_ARG, NULL, 1, 0, "accuracy = 0");
  refuses(DLS_ERR_CHATTERING, elastic, 1e9, 1e-6, "1000000 events by t = 1999999");
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  const double backwards[] = {1, 2, 2}, negative[] = {-1};
  assert_int_equal(dls_exact_at(ball, NULL, 3, backwards, &traj, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "time 3 is 2 s"));
  assert_int_equal(dls_exact_at(ball, NULL, 1, negative, &traj, &err), DLS_ERR_ARG);
  assert_int_equal(dls_exact_at(ball, NULL, 0, NULL, &traj, &err), DLS_ERR_ARG);
  assert_int_equal(dls_exact_at(NULL, NULL, 1, backwards, &traj, &err), DLS_ERR_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(default_ball_is_exact_up_to_the_accumulation),
      cmocka_unit_test(default_ball_impacts_at_dyadic_times_and_rests_from_three),
      cmocka_unit_test(any_ball_keeps_its_digits_up_to_the_accumulation),
      cmocka_unit_test(accumulation_time_is_the_geometric_series),
      cmocka_unit_test(elastic_ball_bounces_a_thousand_times),
      cmocka_unit_test(energy_is_kept_between_impacts),
      cmocka_unit_test(ball_without_gravity_leaves),
      cmocka_unit_test(impact_at_the_start_has_both_limits),
      cmocka_unit_test(rows_at_an_impact_are_its_two_limits),
      cmocka_unit_test(tables_are_cubic_and_named),
      cmocka_unit_test(bad_input_is_refused_with_name_and_value),
  };
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  mpfr_free_cache();
  return failed;
}
