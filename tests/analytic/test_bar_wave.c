/* tests/analytic/test_bar_wave.c -- d'Alembert's bar against what defines it: the mean value property of waves in any
 * rectangle of characteristics, the boundary conditions, the laws of momentum and energy; and against closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/bar_wave.h>
#include <delassus/exact.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

extern const dls_exact dls_exact_elastic_bar, dls_exact_rod_impact;

static const dls_bar_wave_data chen = {.E = 900, .rho = 1, .A = 1, .L = 10, .gap = 5, .v0 = -10};

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

static dls_bar_wave *make(const dls_bar_wave_data *data, double end)
{
  dls_error err = {0};
  dls_bar_wave *wave = NULL;
  assert_ok(dls_bar_wave_create(data, end, &wave, &err), err);
  return wave;
}

/* Bars that fall with and without gravity, start on the floor or above it, at rest, upward or downward. */
static dls_bar_wave_data any_data(unsigned *seed)
{
  const unsigned kind = (unsigned)uniform(seed, 0, 1e6);
  return (dls_bar_wave_data){.E = exp(uniform(seed, 2, 8)),
                             .rho = exp(uniform(seed, -1, 1)),
                             .A = uniform(seed, 0.1, 2),
                             .L = uniform(seed, 0.5, 5),
                             .gap = kind % 3 == 0 ? 0 : uniform(seed, 0, 1),
                             .v0 = kind % 5 == 0 ? 0 : uniform(seed, -5, 2),
                             .gravity = kind % 7 == 0 ? 0 : uniform(seed, 1, 15)};
}

static double wave_speed(const dls_bar_wave_data *data)
{
  return sqrt(data->E / data->rho);
}

/* Kinetic, elastic and potential energy, and momentum, by the midpoint rule: a front errs by its jump times a cell. */
typedef struct totals {
  double energy, momentum;
} totals;

static totals integrate(const dls_bar_wave *wave, const dls_bar_wave_data *data, double t)
{
  enum { CELLS = 4000 };
  totals sum = {0};
  const double cell = data->L / CELLS;
  for (int i = 0; i < CELLS; i++) {
    const double X = (i + 0.5) * cell;
    const dls_bar_field at = dls_bar_wave_at(wave, X, t, 1);
    const double mass = data->rho * data->A * cell;
    sum.energy += mass * (at.v * at.v / 2 + data->gravity * at.u) +
                  data->A * cell * at.stress * at.stress / (2 * data->E);
    sum.momentum += mass * at.v;
  }
  return sum;
}

DLS_TEST(the_bar_of_chen_is_pressed_by_300_N_for_two_thirds_of_a_second)
{
  dls_bar_wave *wave = make(&chen, 2);
  assert_int_equal(dls_bar_wave_contacts(wave), 1);
  const dls_bar_contact contact = dls_bar_wave_contact(wave, 0);
  assert_close(contact.start, 0.5, 0);
  assert_close(contact.end, 0.5 + 2.0 / 3, 1e-15);
  assert_close(contact.u_minus, -10, 0);
  assert_close(contact.u_plus, 10, 1e-14);
  for (int i = 0; i <= 200; i++) {
    const double t = i * 0.01 + 1e-4, force = t > contact.start && t < contact.end ? 300 : 0;
    assert_close(dls_bar_wave_force(wave, t, 1), force, 1e-12);
  }
  assert_close(dls_bar_wave_force(wave, 0.5, -1), 0, 0);
  assert_close(dls_bar_wave_force(wave, 0.5, 1), 300, 1e-12);
  assert_close(dls_bar_wave_force(wave, contact.end, -1), 300, 1e-12);
  assert_close(dls_bar_wave_force(wave, contact.end, 1), 0, 1e-12);
  dls_bar_wave_destroy(wave);
}

/* A bar dropped from rest is let go by its own release waves: at 2 T, with no velocity, printed as 0 and not -0. */
DLS_TEST(a_dropped_bar_leaves_the_floor_without_velocity)
{
  const dls_bar_wave_data data = {.E = 2000, .rho = 1, .A = 1, .L = 10, .gap = 0.5, .gravity = 9.81};
  dls_bar_wave *wave = make(&data, 1);
  const dls_bar_contact contact = dls_bar_wave_contact(wave, 0);
  assert_close(contact.start, sqrt(2 * 0.5 / 9.81), 1e-15);
  assert_close(contact.end, 40 / sqrt(2000), 1e-15);
  assert_close(contact.u_plus, 0, 0);
  assert_false(signbit(contact.u_plus));
  dls_bar_wave_destroy(wave);
}

/* With s = t - 0.5: u = -v0 min(s, X/c) until the release wave comes at s = (2 L - X)/c, then up again with v0. */
DLS_TEST(the_displacement_is_that_of_the_closed_form_without_gravity)
{
  unsigned seed = 1;
  dls_bar_wave *wave = make(&chen, 3);
  for (int i = 0; i < 2000; i++) {
    const double X = uniform(&seed, 0, 10), t = uniform(&seed, 0, 3), c = 30, s = t - 0.5;
    const double late = s - (20 - X) / c;
    const double u = late > 0 ? 10 * late - 10 * X / c : -10 * fmin(s, X / c);
    const dls_bar_field at = dls_bar_wave_at(wave, X, t, 1);
    assert_close(at.u, u, 1e-13);
    assert_close(at.v, late > 0 ? 10 : s > X / c ? 0 : -10, 1e-13);
    assert_close(at.stress, late <= 0 && s > X / c ? -300 : 0, 1e-11);
  }
  dls_bar_wave_destroy(wave);
}

/* For every weak solution: the sums of u at opposite corners of a rectangle of characteristics differ by -g k^2. */
DLS_TEST(it_is_a_wave_across_all_fronts)
{
  unsigned seed = 2;
  for (int i = 0; i < 200; i++) {
    const dls_bar_wave_data data = any_data(&seed);
    const double c = wave_speed(&data), end = 12 * data.L / c;
    dls_bar_wave *wave = make(&data, end);
    for (int j = 0; j < 50; j++) {
      const double X = uniform(&seed, 0, data.L), t = uniform(&seed, 0, end);
      const double most = fmin(fmin(X, data.L - X) / c, fmin(t, end - t)), k = uniform(&seed, 0, most);
      const double later = dls_bar_wave_at(wave, X, t + k, 1).u, earlier = dls_bar_wave_at(wave, X, t - k, 1).u;
      const double above = dls_bar_wave_at(wave, X + c * k, t, 1).u,
                   below = dls_bar_wave_at(wave, X - c * k, t, 1).u;
      assert_close(later + earlier - above - below, -data.gravity * k * k,
                   1e-13 * (1 + fabs(later) + fabs(above)));
    }
    dls_bar_wave_destroy(wave);
  }
}

DLS_TEST(the_ends_obey_their_conditions)
{
  unsigned seed = 3;
  for (int i = 0; i < 200; i++) {
    const dls_bar_wave_data data = any_data(&seed);
    const double c = wave_speed(&data), end = 30 * data.L / c;
    const double speed = fabs(data.v0) + data.gravity * end, force = data.rho * c * data.A * speed;
    dls_bar_wave *wave = make(&data, end);
    for (int j = 0; j < 200; j++) {
      const double t = uniform(&seed, 0, end);
      const dls_bar_field top = dls_bar_wave_at(wave, data.L, t, 1), low = dls_bar_wave_at(wave, 0, t, 1);
      const double N = dls_bar_wave_force(wave, t, 1);
      assert_close(top.stress * data.A, 0, 1e-13 * force);
      assert_close(low.stress * data.A, -N, 1e-13 * force);
      assert_between(low.u, -1e-13 * speed * end, HUGE_VAL);
      assert_between(N, 0, HUGE_VAL);
      if (N > 0) { /* contact: the lower end stays */
        assert_close(low.u, 0, 1e-13 * speed * end);
        assert_close(low.v, 0, 1e-13 * speed);
      }
    }
    const dls_bar_field start = dls_bar_wave_at(wave, uniform(&seed, 0, data.L), 0, -1);
    assert_close(start.u, data.gap, 1e-13);
    assert_close(start.v, data.v0, 1e-13);
    dls_bar_wave_destroy(wave);
  }
}

/* v is du/dt, a is dv/dt and stress is E du/dX, where no front is near. */
DLS_TEST(the_fields_are_derivatives_of_the_displacement)
{
  unsigned seed = 4;
  size_t smooth = 0;
  for (int i = 0; i < 100; i++) {
    const dls_bar_wave_data data = any_data(&seed);
    const double c = wave_speed(&data), end = 10 * data.L / c, d = 1e-4 * data.L;
    dls_bar_wave *wave = make(&data, end);
    for (int j = 0; j < 50; j++) {
      const double X = uniform(&seed, d, data.L - d), t = uniform(&seed, d / c, end - d / c);
      const dls_bar_field at = dls_bar_wave_at(wave, X, t, 1);
      const dls_bar_field later = dls_bar_wave_at(wave, X, t + d / c, 1),
                          earlier = dls_bar_wave_at(wave, X, t - d / c, 1);
      const dls_bar_field up = dls_bar_wave_at(wave, X + d, t, 1), down = dls_bar_wave_at(wave, X - d, t, 1);
      const double scale = 1 + fabs(data.v0) + data.gravity * end;
      const bool front = fabs(later.a - earlier.a) > 1e-9 ||
                         fabs(later.v - earlier.v - 2 * at.a * d / c) > 1e-9 * scale ||
                         fabs(up.v - down.v) > 4 * data.gravity * d / c + 1e-9 * scale || later.a != at.a;
      if (!front) {
        smooth++;
        assert_close((later.u - earlier.u) * c / (2 * d), at.v, 1e-7 * scale);
        assert_close((up.u - down.u) / (2 * d) * data.E, at.stress, 1e-7 * scale * data.rho * c);
      }
    }
    dls_bar_wave_destroy(wave);
  }
  assert_between((double)smooth, 4500, 5000);
}

DLS_TEST(energy_is_conserved_through_all_impacts)
{
  unsigned seed = 5;
  size_t contacts = 0;
  for (int i = 0; i < 40; i++) {
    const dls_bar_wave_data data = any_data(&seed);
    const double end = 60 * data.L / wave_speed(&data), mass = data.rho * data.A * data.L;
    dls_bar_wave *wave = make(&data, end);
    const double start = mass * (data.v0 * data.v0 / 2 + data.gravity * data.gap);
    const double scale = start + mass * data.gravity * data.L;
    for (int j = 1; j <= 5; j++) {
      assert_close(integrate(wave, &data, end * j / 5).energy, start, 3e-3 * scale);
    }
    contacts += dls_bar_wave_contacts(wave);
    dls_bar_wave_destroy(wave);
  }
  assert_between((double)contacts, 80, 10000);
  dls_bar_wave *wave = make(&chen, 2);
  assert_close(integrate(wave, &chen, 0.2).energy, 500, 1e-9);
  assert_close(integrate(wave, &chen, 0.7).energy, 500, 1e-9); /* the front is on the edge of a cell */
  assert_close(integrate(wave, &chen, 1.9).energy, 500, 1e-9);
  dls_bar_wave_destroy(wave);
}

/* The momentum changes by the impulse of contact force and weight. */
DLS_TEST(the_contact_force_gives_the_momentum)
{
  unsigned seed = 6;
  for (int i = 0; i < 20; i++) {
    enum { STEPS = 20000 };
    const dls_bar_wave_data data = any_data(&seed);
    const double end = 20 * data.L / wave_speed(&data), dt = end / STEPS, mass = data.rho * data.A * data.L;
    dls_bar_wave *wave = make(&data, end);
    double impulse = -mass * data.gravity * end;
    for (int k = 0; k < STEPS; k++) {
      impulse += dt * dls_bar_wave_force(wave, (k + 0.5) * dt, 1);
    }
    const double change = integrate(wave, &data, end).momentum - mass * data.v0;
    assert_close(change, impulse, 2e-3 * mass * (fabs(data.v0) + data.gravity * end));
    dls_bar_wave_destroy(wave);
  }
}

/* Released without speed on the floor the bar vibrates about its static shape (rho g/E)(X^2/2 - L X), with the period
 * 4 L/c and a force that goes linearly between zero and twice the weight. */
DLS_TEST(a_bar_at_rest_on_the_floor_vibrates_about_its_static_shape)
{
  enum { STEPS = 4000 };
  const dls_bar_wave_data data = {.E = 700, .rho = 1.3, .A = 0.7, .L = 3, .gravity = 9.81};
  const double c = wave_speed(&data), period = 4 * data.L / c,
               weight = data.rho * data.A * data.L * data.gravity;
  dls_bar_wave *wave = make(&data, 50 * period);
  assert_int_equal(dls_bar_wave_contacts(wave), 1);
  assert_true(isinf(dls_bar_wave_contact(wave, 0).end));
  for (int i = 0; i <= 10; i++) {
    const double X = data.L * i / 10;
    double mean = 0, force = 0;
    for (int k = 0; k < STEPS; k++) {
      const double t = 41 * period + period * (k + 0.5) / STEPS;
      mean += dls_bar_wave_at(wave, X, t, 1).u / STEPS;
      force += dls_bar_wave_force(wave, t, 1) / STEPS;
    }
    const double sag = data.rho * data.gravity / data.E * (X * X / 2 - data.L * X);
    assert_close(mean, sag, 1e-6 * data.L);
    assert_close(force, weight, 1e-9 * weight);
  }
  assert_close(dls_bar_wave_force(wave, 20.5 * period, 1), 2 * weight, 1e-12 * weight);
  assert_close(dls_bar_wave_force(wave, 20.25 * period, 1), weight, 1e-12 * weight);
  assert_close(dls_bar_wave_force(wave, 21 * period, 1), 0, 1e-12 * weight);
  dls_bar_wave_destroy(wave);
}

/* A stiff bar is a ball with e = 1, once; what it keeps as vibration is small of order g L/(c V). */
DLS_TEST(a_stiff_bar_bounces_as_an_elastic_ball)
{
  const dls_bar_wave_data data = {.E = 1e8, .rho = 1, .A = 1, .L = 1, .gap = 1, .gravity = 2};
  dls_bar_wave *wave = make(&data, 4.5);
  for (size_t i = 0; i < 2; i++) {
    const dls_bar_contact contact = dls_bar_wave_contact(wave, i);
    assert_close(contact.start, 1 + 2 * (double)i, 1e-3);
    assert_close(contact.end - contact.start, 2e-4, 1e-6);
    assert_close(contact.u_minus, -2, 1e-3);
  }
  assert_close(dls_bar_wave_at(wave, 0.5, 2, 1).u, 1, 1e-3);
  dls_bar_wave_destroy(wave);
}

DLS_TEST(what_is_no_bar_is_refused)
{
  dls_bar_wave_data bad[] = {chen, chen, chen, chen, chen, chen, chen};
  static const char *const names[] = {"E = 0",    "rho = -1",      "A = nan", "L = 0",
                                      "gap = -1", "gravity = inf", "v0 = nan"};
  bad[0].E = 0;
  bad[1].rho = -1;
  bad[2].A = NAN;
  bad[3].L = 0;
  bad[4].gap = -1;
  bad[5].gravity = INFINITY;
  bad[6].v0 = NAN;
  for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
    dls_error err = {0};
    dls_bar_wave *wave = NULL;
    assert_int_equal(dls_bar_wave_create(&bad[i], 1, &wave, &err), DLS_ERR_ARG);
    assert_non_null(strstr(err.text, names[i]));
    assert_null(wave);
  }
}

/* ---- at the nodes of the models ---- */

enum { N, MASS, MODULUS, RHO, AREA, LENGTH, GAP, V0, G, E, ALPHA, BETA, COUNT };
static const double few[COUNT] = {4, 0, 900, 1, 1, 10, 5, -10, 0, 0, 0, 0};

static dls_trajectory *until(const double *p, double end)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  assert_ok(dls_exact_trajectory(&dls_exact_elastic_bar, p, end, 1e-12, &traj, &err), err);
  return traj;
}

/* Every row is the limit from its side, and between rows the cubics of q and v are the fields. */
DLS_TEST(the_rows_are_the_fields_at_the_nodes)
{
  double p[COUNT];
  memcpy(p, few, sizeof p);
  p[G] = 9.81;
  const dls_bar_wave_data data = {900, 1, 1, 10, 5, -10, 9.81};
  dls_bar_wave *wave = make(&data, 6);
  dls_trajectory *traj = until(p, 6);
  size_t pairs = 0;
  for (size_t i = 1; i + 1 < traj->rows; i++) {
    const double t = dls_trajectory_at(traj, i, 0), before = dls_trajectory_at(traj, i - 1, 0);
    const double after = dls_trajectory_at(traj, i + 1, 0);
    const int side = after == t ? -1 : 1;
    pairs += after == t;
    for (size_t k = 0; k <= 4; k++) {
      const dls_bar_field at = dls_bar_wave_at(wave, 2.5 * (double)k, t, side);
      assert_close(dls_trajectory_at(traj, i, 1 + k), at.u, 1e-12);
      assert_close(dls_trajectory_at(traj, i, 6 + k), at.v, 1e-12);
      assert_close(dls_trajectory_at(traj, i, 16 + k), at.a, 1e-12);
      if (before < t && k > 0) { /* v is linear and q quadratic: the midpoint is that of the ends */
        const double h = t - before, middle = dls_bar_wave_at(wave, 2.5 * (double)k, before + h / 2, 1).u;
        const double chord = (dls_trajectory_at(traj, i, 1 + k) + dls_trajectory_at(traj, i - 1, 1 + k)) / 2;
        const double bend = h / 8 * (dls_trajectory_at(traj, i, 6 + k) - dls_trajectory_at(traj, i - 1, 6 + k));
        assert_close(middle, chord - bend, 1e-12);
      }
    }
    assert_close(dls_trajectory_at(traj, i, 14), dls_bar_wave_force(wave, t, side), 1e-9);
  }
  assert_between((double)pairs, 50, 1000);
  dls_trajectory_destroy(traj);
  dls_bar_wave_destroy(wave);
}

DLS_TEST(impact_and_lift_off_are_the_events)
{
  dls_trajectory *traj = until(few, 2);
  assert_int_equal(traj->event_count, 2);
  assert_int_equal(traj->events[0].kind, DLS_IMPACT);
  assert_close(traj->events[0].t, 0.5, 0);
  assert_int_equal(traj->events[1].kind, DLS_LIFT_OFF);
  assert_close(traj->events[1].t, 7.0 / 6, 1e-15);
  dls_trajectory_destroy(traj);
}

DLS_TEST(the_rod_is_in_contact_from_0015_to_2015)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  const double times[] = {0.014, 0.016, 2.014, 2.016};
  assert_ok(dls_exact_at(&dls_exact_rod_impact, NULL, 4, times, &traj, &err), err);
  const size_t lambda = (size_t)dls_trajectory_column(traj, "lambda0");
  for (size_t i = 0; i < 4; i++) {
    assert_close(dls_trajectory_at(traj, i, lambda), i == 1 || i == 2 ? 0.5 : 0, 1e-15);
  }
  assert_int_equal(traj->n, 101);
  dls_trajectory_destroy(traj);
}

DLS_TEST(damping_has_no_closed_form)
{
  double p[COUNT];
  for (size_t i = ALPHA; i <= BETA; i++) {
    dls_error err = {0};
    dls_trajectory *traj = NULL;
    memcpy(p, few, sizeof p);
    p[i] = 0.1;
    assert_int_equal(dls_exact_trajectory(&dls_exact_elastic_bar, p, 1, 1e-9, &traj, &err),
                     DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, "without damping"));
  }
}

DLS_TEST(tables_beyond_any_memory_are_refused)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  double p[COUNT];
  memcpy(p, few, sizeof p);
  p[N] = 1e5;
  assert_int_equal(dls_exact_trajectory(&dls_exact_elastic_bar, p, 1, 1e-9, &traj, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "too large"));
  p[N] = 3e6;
  assert_int_equal(dls_exact_trajectory(&dls_exact_elastic_bar, p, 1, 1e-9, &traj, &err), DLS_ERR_CHATTERING);
  assert_non_null(strstr(err.text, "fewer elements"));
  /* the front leaves the floor at t = 0.5 s and passes a node each L/(c n): 4.5 million until t = 1 s, and three starts */
  assert_between(strtod(strstr(err.text, "nodes") + 5, NULL), 4.5e6, 4.5e6 + 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_bar_of_chen_is_pressed_by_300_N_for_two_thirds_of_a_second),
      cmocka_unit_test(a_dropped_bar_leaves_the_floor_without_velocity),
      cmocka_unit_test(the_displacement_is_that_of_the_closed_form_without_gravity),
      cmocka_unit_test(it_is_a_wave_across_all_fronts),
      cmocka_unit_test(the_ends_obey_their_conditions),
      cmocka_unit_test(the_fields_are_derivatives_of_the_displacement),
      cmocka_unit_test(energy_is_conserved_through_all_impacts),
      cmocka_unit_test(the_contact_force_gives_the_momentum),
      cmocka_unit_test(a_bar_at_rest_on_the_floor_vibrates_about_its_static_shape),
      cmocka_unit_test(a_stiff_bar_bounces_as_an_elastic_ball),
      cmocka_unit_test(what_is_no_bar_is_refused),
      cmocka_unit_test(the_rows_are_the_fields_at_the_nodes),
      cmocka_unit_test(impact_and_lift_off_are_the_events),
      cmocka_unit_test(the_rod_is_in_contact_from_0015_to_2015),
      cmocka_unit_test(damping_has_no_closed_form),
      cmocka_unit_test(tables_beyond_any_memory_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
