/* tests/analytic/test_exact_oscillator.c -- the impacting oscillator: closed forms, invariants, an independent
 * integrator (GSL rk8pd) between events, and the ball where the spring is absent.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/exact.h>
#include <gsl/gsl_errno.h>
#include <gsl/gsl_odeiv2.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const dls_exact dls_exact_bouncing_ball, dls_exact_impacting_oscillator;
static const dls_exact *const oscillator = &dls_exact_impacting_oscillator;

enum { M, K, C, F, AMP, OMEGA, PHASE, E, Q0, V0, COUNT }; /* parameters */
enum { T, Q, V, G, U, P, LAMBDA, STATUS, A };             /* columns for n = m = 1 */
static const double initial[COUNT] = {1, 1, 0, 0, 0, 1, 0, 0.5, 1, 0};

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

static double cell(const dls_trajectory *traj, size_t row, size_t column)
{
  return dls_trajectory_at(traj, row, column);
}

static dls_trajectory *at(const dls_exact *exact, const double *p, size_t count, const double *times)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_at(exact, p, count, times, &traj, &err), err);
  return traj;
}

static dls_trajectory *until(const double *p, double end, double accuracy)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(oscillator, p, end, accuracy, &traj, &err), err);
  return traj;
}

/* Any motion that a user may ask for: every damping, forcing, preload and start. */
static void any_data(unsigned *seed, double *p)
{
  const unsigned kind = (unsigned)uniform(seed, 0, 1e6);
  p[M] = exp(uniform(seed, -1, 1));
  p[K] = kind % 7 == 0 ? 0 : exp(uniform(seed, -1, 2));
  p[C] = kind % 3 == 0 ? 0 : kind % 11 == 0 ? 2 * sqrt(p[M] * p[K]) : exp(uniform(seed, -5, 2));
  p[F] = kind % 5 == 0 ? 0 : uniform(seed, -2, 1);
  p[AMP] = kind % 4 == 0 ? 0 : uniform(seed, -2, 2);
  p[OMEGA] = kind % 13 == 0 ? sqrt(p[K] / p[M]) : exp(uniform(seed, -1, 2));
  p[PHASE] = uniform(seed, -4, 4);
  p[E] = kind % 6 == 0 ? 0 : kind % 17 == 0 ? 1 : uniform(seed, 0, 0.95);
  p[C] = p[E] == 1 ? 0 : p[C]; /* damped elastic flights shrink as 1/n: too many impacts */
  p[Q0] = kind % 8 == 0 ? 0 : uniform(seed, 0, 2);
  p[V0] = kind % 10 == 0 ? 0 : uniform(seed, -2, 2);
}

/* q = e^n |cos w t|, v = -w e^n sign(cos) sin w t, n = floor(w t/pi + 1/2), through more than 50 impacts. */
DLS_TEST(free_oscillator_agrees_with_its_closed_form)
{
  unsigned seed = 1;
  const double data[][3] = {{1, 1, 0.5}, {1, 1, 1}, {0.7, 3, 0.9}, {1, 1, 0.1}};
  for (size_t k = 0; k < 4; k++) {
    double p[COUNT], times[2000];
    memcpy(p, initial, sizeof p);
    p[M] = data[k][0];
    p[K] = data[k][1];
    p[E] = data[k][2];
    for (int i = 0; i < 2000; i++) {
      times[i] = 0.0822 * (i + uniform(&seed, 0, 0.9)); /* up to 164 > 52 pi */
    }
    dls_trajectory *traj = at(oscillator, p, 2000, times);
    assert_int_equal(traj->rows, 2000);
    const long double w = sqrtl((long double)p[K] / p[M]), pi = acosl(-1.0L);
    for (size_t i = 0; i < 2000; i++) {
      const long double turns = floorl(w * times[i] / pi + 0.5L), size = powl(p[E], turns),
                        c = cosl(w * times[i]);
      assert_close(cell(traj, i, Q), (double)(size * fabsl(c)), 1e-15 * (double)size);
      assert_close(cell(traj, i, V), (double)(-w * size * (c > 0 ? 1 : -1) * sinl(w * times[i])),
                   1e-15 * (double)(w * size));
    }
    for (size_t i = 0; i < traj->event_count; i++) {
      assert_close(traj->events[i].t, (double)((i + 0.5L) * pi / w), 2.3e-16 * traj->events[i].t);
      assert_close(traj->events[i].u_minus / (double)(-w * powl(p[E], i)), 1, 1e-15);
    }
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(oscillator_without_spring_is_the_ball)
{
  unsigned seed = 2;
  for (int i = 0; i < 60; i++) {
    double p[COUNT], times[200];
    memcpy(p, initial, sizeof p);
    p[K] = 0;
    p[M] = uniform(&seed, 0.2, 3);
    p[F] = i % 7 == 6 ? uniform(&seed, 0, 2) : uniform(&seed, -5, 0);
    p[E] = i % 5 == 4 ? 0 : uniform(&seed, 0, 0.95);
    p[Q0] = i % 4 == 3 ? 0 : uniform(&seed, 0, 2);
    p[V0] = uniform(&seed, -3, 3);
    const double b[] = {p[M], p[F], p[E], p[Q0], p[V0]};
    for (int j = 0; j < 200; j++) {
      times[j] = 0.1 * (j + uniform(&seed, 0, 0.9));
    }
    dls_trajectory *one = at(oscillator, p, 200, times), *other = at(&dls_exact_bouncing_ball, b, 200, times);
    assert_int_equal(one->rows, other->rows);
    assert_close((double)one->event_count, (double)other->event_count,
                 3); /* the last few fall into one rounding of t */
    for (size_t j = 0; j < 200; j++) {
      for (size_t column = Q; column <= A; column++) {
        const double value = cell(other, j, column);
        assert_close(cell(one, j, column), value, 1e-14 * (1 + fabs(value)));
      }
    }
    dls_trajectory_destroy(one);
    dls_trajectory_destroy(other);
  }
}

/* Start at rest against the wall: lambda = 1 - 2 cos t vanishes where cos t = 1/2. */
DLS_TEST(contact_opens_where_the_force_vanishes)
{
  unsigned seed = 3;
  for (int i = 0; i < 200; i++) {
    double p[COUNT];
    memcpy(p, initial, sizeof p);
    p[Q0] = 0;
    p[F] = -uniform(&seed, 0.1, 1);
    p[AMP] = (i % 2 ? 1 : -1) * uniform(&seed, 1.1, 3);
    p[OMEGA] = uniform(&seed, 0.1, 5);
    p[PHASE] = i % 2 ? -3 : 0; /* pressed at t = 0 */
    p[C] = i % 3;
    const double angle = i % 2 ? -acos(-p[F] / p[AMP]) : acos(-p[F] / p[AMP]);
    const double opens = (angle - p[PHASE]) / p[OMEGA];
    dls_trajectory *traj = until(p, opens + 0.3 / p[OMEGA], 1e-9);
    assert_int_equal(traj->events[0].kind, DLS_LANDING);
    assert_int_equal(traj->events[1].kind, DLS_LIFT_OFF);
    assert_close(traj->events[1].t, opens, 1e-15 + 1e-15 * opens);
    for (size_t r = 0; r < traj->rows; r++) {
      const double t = cell(traj, r, T), force = p[F] + p[AMP] * cos(p[OMEGA] * t + p[PHASE]);
      const bool left = t == traj->events[1].t && cell(traj, r + 1, T) == t; /* of both limits at lift-off */
      const bool closed = t < traj->events[1].t || left;
      assert_close(cell(traj, r, STATUS), closed, 0);
      assert_close(cell(traj, r, LAMBDA), closed ? -force : 0, 1e-14);
      assert_true(closed ? cell(traj, r, Q) == 0 && cell(traj, r, V) == 0 : cell(traj, r, Q) >= 0);
    }
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(preload_ends_in_lasting_contact)
{
  for (int i = 0; i <= 9; i++) {
    double p[COUNT];
    memcpy(p, initial, sizeof p);
    p[F] = -2;
    p[E] = 0.1 * i;
    dls_trajectory *traj = until(p, 60, 1e-8);
    const dls_event *last = &traj->events[traj->event_count - 1];
    assert_int_equal(last->kind, i == 0 ? DLS_IMPACT : DLS_ACCUMULATION);
    assert_close(last->u_plus, 0, 0);
    assert_between(last->bound, 0, 1e-28);
    assert_close(traj->events[0].t, acos(2.0 / 3), 1e-15); /* q = 3 cos t - 2 */
    assert_close(traj->events[0].u_minus, -sqrt(5), 1e-14);
    const size_t end = traj->rows - 1;
    assert_close(cell(traj, end, LAMBDA), 2, 0);
    assert_close(cell(traj, end, Q) + fabs(cell(traj, end, V)), 0, 0);
    dls_trajectory_destroy(traj);
  }
}

/* 1 + cos t touches the wall at pi; a touch of the force does not open a contact. */
DLS_TEST(double_roots_are_grazing_and_touching)
{
  double p[COUNT];
  memcpy(p, initial, sizeof p);
  p[F] = 1;
  p[Q0] = 2;
  dls_trajectory *traj = until(p, 12, 1e-9);
  assert_int_equal(traj->event_count, 2);
  for (size_t i = 0; i < 2; i++) {
    assert_int_equal(traj->events[i].kind, DLS_GRAZING);
    assert_close(traj->events[i].t, (2 * (double)i + 1) * acos(-1), 4e-15);
  }
  assert_close(cell(traj, traj->rows - 1, Q), 1 + cos(12), 1e-14);
  dls_trajectory_destroy(traj);
  p[Q0] = 2 - 1e-9;
  traj = until(p, 12, 1e-9);
  assert_int_equal(traj->event_count, 0);
  dls_trajectory_destroy(traj);
  p[Q0] = 2 + 1e-9;
  traj = until(p, 4, 1e-9);
  assert_int_equal(traj->events[0].kind, DLS_IMPACT);
  assert_close(traj->events[0].u_minus, -sqrt(2e-9), 1e-10);
  dls_trajectory_destroy(traj);
  p[Q0] = 0;
  p[F] = -1;
  p[AMP] = 1;
  traj = until(p, 20, 1e-9);
  assert_int_equal(traj->event_count, 1);
  assert_int_equal(traj->events[0].kind, DLS_LANDING);
  assert_close(cell(traj, traj->rows - 1, STATUS), 1, 0);
  assert_close(cell(traj, traj->rows - 1, LAMBDA), 1 - cos(20), 1e-14);
  dls_trajectory_destroy(traj);
  p[F] =
      1; /* q'' = 1 + cos(t + pi) is never negative: the mass leaves at once although its force starts from 0 */
  p[PHASE] = acos(-1);
  p[K] = 0;
  traj = until(p, 20, 1e-9);
  assert_int_equal(traj->event_count, 0);
  assert_close(cell(traj, traj->rows - 1, Q), 200 + cos(20) - 1, 1e-13);
  dls_trajectory_destroy(traj);
}

static int slope(double t, const double y[], double dy[], void *data)
{
  const double *p = data;
  dy[0] = y[1];
  dy[1] = (p[F] + p[AMP] * cos(p[OMEGA] * t + p[PHASE]) - p[C] * y[1] - p[K] * y[0]) / p[M];
  return GSL_SUCCESS;
}

/* Right limit of one row to the left limit of the next event by rk8pd at tolerance 1e-13. */
DLS_TEST(flights_solve_the_equation_of_motion)
{
  unsigned seed = 4;
  int flights = 0;
  for (int i = 0; i < 150; i++) {
    double p[COUNT];
    any_data(&seed, p);
    dls_trajectory *traj = until(p, 10, 1e-3);
    gsl_odeiv2_system sys = {slope, NULL, 2, p};
    gsl_odeiv2_driver *driver = gsl_odeiv2_driver_alloc_y_new(&sys, gsl_odeiv2_step_rk8pd, 1e-4, 1e-13, 1e-13);
    for (size_t r = 0; r + 1 < traj->rows; r++) {
      double t = cell(traj, r, T), y[] = {cell(traj, r, Q), cell(traj, r, V)};
      const double end = cell(traj, r + 1, T);
      if (cell(traj, r, STATUS) == 0 && end > t + 1e-6) {
        gsl_odeiv2_driver_reset(driver);
        gsl_odeiv2_driver_reset_hstart(driver, 1e-3 * (end - t));
        assert_int_equal(gsl_odeiv2_driver_apply(driver, &t, end, y), GSL_SUCCESS);
        assert_close(y[0], cell(traj, r + 1, Q), 1e-12 * (1 + fabs(y[0])));
        assert_close(y[1], cell(traj, r + 1, V), 3e-12 * (1 + fabs(y[1])));
        flights++;
      }
    }
    gsl_odeiv2_driver_free(driver);
    dls_trajectory_destroy(traj);
  }
  assert_between(flights, 10000, 1e6);
}

/* What must hold of any solution: no penetration anywhere, Newton's law, pull-free contact, M a + C v + K q = F
 * + lambda with the model's own matrices, events in strictly increasing order. */
static void check_invariants(const double *p, const dls_trajectory *traj, const dls_system *sys)
{
  double previous = -1;
  for (size_t i = 0; i < traj->event_count; i++) {
    const dls_event *event = &traj->events[i];
    assert_true(event->t > previous);
    previous = event->t;
    if (event->kind == DLS_IMPACT) {
      assert_close(event->u_plus, -p[E] * event->u_minus, 1e-15 * fabs(event->u_minus));
      assert_close(event->impulse, p[M] * (event->u_plus - event->u_minus), 1e-14 * event->impulse);
      assert_true(event->u_minus < 0);
    }
  }
  for (size_t r = 0; r < traj->rows; r++) {
    const double q = cell(traj, r, Q), v = cell(traj, r, V), lambda = cell(traj, r, LAMBDA);
    double force;
    dls_system_force(sys, cell(traj, r, T), &q, &v, &force);
    const double inertia = p[M] * cell(traj, r, A), scale = 1 + fabs(force) + p[C] * fabs(v) + p[K] * fabs(q);
    assert_true(q >= -1e-16 && lambda >= 0 && cell(traj, r, G) == q && cell(traj, r, U) == v);
    assert_close(inertia, force + lambda, 1e-13 * scale);
    assert_true(cell(traj, r, STATUS) == 1 ? q == 0 && v == 0 : lambda == 0);
  }
}

DLS_TEST(random_motions_obey_the_laws)
{
  unsigned seed = 5;
  size_t kinds[5] = {0};
  for (int i = 0; i < 400; i++) {
    double p[COUNT];
    any_data(&seed, p);
    dls_error err = {0};
    dls_system *sys = NULL;
    assert_ok(dls_model_create(oscillator->model, p, &sys, &err), err);
    dls_trajectory *traj = until(p, 15, 1e-7);
    check_invariants(p, traj, sys);
    for (size_t k = 0; k < traj->event_count; k++) {
      kinds[traj->events[k].kind]++;
    }
    dls_trajectory_destroy(traj);
    dls_system_destroy(sys);
  }
  assert_between((double)kinds[DLS_IMPACT], 3000, 1e6);
  assert_between((double)kinds[DLS_LIFT_OFF], 100, 1e5);
  assert_between((double)kinds[DLS_ACCUMULATION], 50, 1e5);
  assert_between((double)kinds[DLS_LANDING], 1, 100);
}

static double hermite(double x0, double d0, double x1, double d1, double h)
{
  return (x0 + x1) / 2 + h * (d0 - d1) / 8; /* at the middle, where the error is largest */
}

/* The bound is never exceeded and used up to a factor of 100, also with a stiff damper. */
DLS_TEST(sampling_is_as_accurate_as_asked)
{
  unsigned seed = 6;
  for (int i = 0; i < 60; i++) {
    double p[COUNT], worst = 0;
    any_data(&seed, p);
    p[C] = i % 10 == 9 ? 1e4 : p[C];
    p[AMP] += 1;
    const double accuracy = i % 2 ? 1e-11 : 1e-7;
    dls_trajectory *traj = until(p, 5, accuracy);
    double middles[400];
    size_t rows[400], count = 0;
    for (size_t r = 0; r + 1 < traj->rows; r += 1 + traj->rows / 400) {
      if (cell(traj, r + 1, T) - cell(traj, r, T) > 1e-9) {
        rows[count] = r;
        middles[count++] = (cell(traj, r, T) + cell(traj, r + 1, T)) / 2;
      }
    }
    dls_trajectory *exact = at(oscillator, p, count, middles);
    for (size_t k = 0; k < count; k++) {
      const size_t r = rows[k];
      const double h = cell(traj, r + 1, T) - cell(traj, r, T);
      for (size_t c = Q; c <= V; c++) {
        const size_t rate = c == Q ? V : A;
        const double x =
            hermite(cell(traj, r, c), cell(traj, r, rate), cell(traj, r + 1, c), cell(traj, r + 1, rate), h);
        assert_close(x, cell(exact, k, c), accuracy + 1e-14);
        worst = fmax(worst, fabs(x - cell(exact, k, c)));
      }
    }
    dls_trajectory_destroy(exact);
    assert_between((double)traj->rows, 256, 50000);
    assert_true(i % 2 == 0 || worst > 0.01 * accuracy || i % 10 == 9);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(motions_that_die_out_end_quietly)
{
  double p[COUNT];
  memcpy(p, initial, sizeof p);
  p[E] = 0.1;
  double late = 1e5;
  dls_trajectory *traj = at(oscillator, p, 1, &late);
  assert_close(cell(traj, 0, Q), 0, 1e-300);
  assert_between((double)traj->event_count, 300, 2600);
  dls_trajectory_destroy(traj);
  p[C] = 50;
  late = 1e6; /* q is about exp(-2e4) */
  traj = at(oscillator, p, 1, &late);
  assert_int_equal(traj->event_count, 0);
  dls_trajectory_destroy(traj);
}

DLS_TEST(bad_input_is_refused_with_name_and_value)
{
  const struct {
    int index;
    double value;
    const char *text;
  } cases[] = {{M, 0, "m = 0"},           {K, -1, "k = -1"},     {C, -2, "c = -2"},
               {OMEGA, -1, "omega = -1"}, {E, 1.01, "e = 1.01"}, {Q0, -0.1, "q0 = -0.1"},
               {F, INFINITY, "f = inf"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    double p[COUNT];
    memcpy(p, initial, sizeof p);
    p[cases[i].index] = cases[i].value;
    dls_error err = {0};
    dls_trajectory *traj = NULL;
    assert_int_equal(dls_exact_trajectory(oscillator, p, 1, 1e-6, &traj, &err), DLS_ERR_OPTION);
    assert_non_null(strstr(err.text, cases[i].text));
  }
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_int_equal(dls_exact_trajectory(oscillator, NULL, 10, 1e-30, &traj, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "accuracy = 1e-30"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(free_oscillator_agrees_with_its_closed_form),
      cmocka_unit_test(oscillator_without_spring_is_the_ball),
      cmocka_unit_test(contact_opens_where_the_force_vanishes),
      cmocka_unit_test(preload_ends_in_lasting_contact),
      cmocka_unit_test(double_roots_are_grazing_and_touching),
      cmocka_unit_test(flights_solve_the_equation_of_motion),
      cmocka_unit_test(random_motions_obey_the_laws),
      cmocka_unit_test(sampling_is_as_accurate_as_asked),
      cmocka_unit_test(motions_that_die_out_end_quietly),
      cmocka_unit_test(bad_input_is_refused_with_name_and_value),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
