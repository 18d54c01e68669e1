/* test_tolerances.c -- what the integrator may err by: each coordinate and each velocity by its own size; and that it asks for no state twice.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "event_driven/event_integrator.h"
#include <math.h>
#include <string.h>

enum { N = 3, IMPULSES = 2, SIZE = 2 * N + IMPULSES };
static const double length = 2, period = 0.5, rtol = 1e-6;
static double scale[N] = {2, 1, 2}; /* the second coordinate is an angle */

static void weights_of(const double *y, double *w)
{
  const dls_system sys = {.n = N, .length = length, .time = period};
  dls_event_integrator tr = {
      .method = {.n = N, .size = SIZE, .sys = &sys}, .state = {.scale = 1}, .work = {.scale = scale}};
  tr.method.eps.rtol = rtol;
  tr.method.eps.atol_v = 1e-8;
  tr.method.eps.slack = 0.25;
  dls_smooth_weights(&tr, y, w);
}

/* rtol (min(|q|, l) + T |v| + l) for q, rtol (|v| + (min(|q|, l) + l)/T) for v, a quarter of both; l is the scale of the coordinate. */
DLS_TEST(weights_are_those_of_the_own_coordinate_and_velocity)
{
  const double y[SIZE] = {0.1, -7, 0, 3, 0.02, -40, 1, 2};
  double w[SIZE];
  weights_of(y, w);
  for (size_t i = 0; i < N; i++) {
    const double q = fmin(fabs(y[i]), scale[i]), v = fabs(y[N + i]);
    assert_close(w[i] * 0.25 * rtol * (q + period * v + scale[i]), 1, 1e-6);
    assert_close(w[N + i] * 0.25 * rtol * (v + (q + scale[i]) / period), 1, 1e-12);
  }
  assert_close(w[2 * N], w[2 * N + 1], 0); /* impulses: whatever they are */
}

/* The tolerance of an impulse much larger than the velocities is its round-off, not less. */
DLS_TEST(large_impulses_are_held_to_their_round_off)
{
  const double y[SIZE] = {0.1, -7, 0, 3, 0.02, -40, 1e12, -2e12};
  double w[SIZE];
  weights_of(y, w);
  assert_between(1 / (0.25 * w[2 * N]) / 1e12, 4e-16, 1e-14);
  assert_close(w[2 * N] / w[2 * N + 1], 2, 1e-12);
}

/* A block slides under a rough normal load, so that a shorter step does not reduce the error of its impulse; friction is 1e-13 of the load. */
static void rough_load(const dls_system *sys, double t, double *F)
{
  uint64_t z = 0;
  (void)sys;
  memcpy(&z, &t, sizeof t);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  F[0] = 1;
  F[1] = -100 - (double)(z >> 11) * 0x1p-53;
}

static bool says_so(const ed_run *run)
{
  bool said = false;
  for (size_t i = 0; i < run->traj->meta_count; i++) {
    said = said || strncmp(run->traj->meta[i], "impulses_uncontrolled: from t = ", 28) == 0;
  }
  return said;
}

DLS_TEST(a_rough_normal_force_does_not_stop_the_run)
{
  static const char *const methods[] = {"method=adams", "method=erk"};
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = ed_masses(2, 1);
    sys->load = rough_load;
    sys->d = 2;
    dls_matrix_set(sys->H, 1, 0, 1);
    sys->T = dls_matrix_dense(2, 1);
    dls_matrix_set(sys->T, 0, 0, 1);
    sys->mu[0] = 1e-15;
    sys->v0[0] = 1;
    ed_run run = ed_system(sys, 1, (const char *const[]){"tol=1e-12", methods[k], NULL});
    assert_true(says_so(&run));
    assert_close(run.sim->q[0], 1.5, 1e-12);
    assert_close(run.sim->v[0], 2, 1e-12);
    assert_close(run.sim->lambda[0], 100.5, 0.5);
    ed_end(&run);
  }
}

static int grow(void *data, double t, const double *y, double *dy)
{
  (void)data, (void)t;
  dy[0] = y[0];
  return 0;
}

/* A tenth of the round-off of 1. */
static void too_tight(void *data, const double *y, double *w)
{
  (void)data, (void)y;
  w[0] = 1e17;
}

DLS_TEST(errors_of_an_integrator_come_with_their_meaning)
{
  static const dls_engine_method methods[] = {DLS_ENGINE_ADAMS, DLS_ENGINE_BDF, DLS_ENGINE_ERK};
  static const char *const parts[] = {" stopped at t = 3, step ",
                                      ": tol asks for more digits than double precision has",
                                      "_TOO_MUCH_ACC); use a larger tol"};
  for (size_t k = 0; k < 3; k++) {
    const dls_engine_spec spec = {
        .size = 1, .method = methods[k], .order = 6, .time_scale = 1, .rhs = grow, .weights = too_tight};
    dls_engine *engine = NULL;
    dls_error err = {0};
    double t = 3, y = 1, bracket = 0;
    assert_ok(dls_engine_create(&spec, &engine, &err), err);
    assert_ok(dls_engine_restart(engine, t, &y, 0, &err), err);
    assert_int_equal(dls_engine_step(engine, &t, &y, &bracket, &err), DLS_ERR_INTEGRATOR);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
      if (strstr(err.text, parts[i]) == NULL) {
        fail_msg("'%s' is not in '%s'", parts[i], err.text);
      }
    }
    dls_engine_destroy(engine);
  }
}

/* A slow motion of some 1e-6 m beside the scales 1 m and 1 s: forces of 1e-8 N that change their sign every 50 s are below eps_a. */
static void slow_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = -1.2e-9 - 1e-8 * sin(2 * acos(-1) * 0.01 * t);
}

static dls_system *slowly_pulled(double size, double time)
{
  dls_system *sys = ed_masses(1, 1);
  sys->load = slow_load;
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->length = size;
  sys->time = time;
  return sys;
}

DLS_TEST(contacts_that_pull_below_the_tolerance_end_the_run)
{
  ed_run run = ed_try(slowly_pulled(1, 1), 480, (const char *const[]){"tol=1e-8", NULL});
  assert_int_equal(run.status, DLS_ERR_ARG);
  assert_non_null(strstr(run.err.text, "contact 0 has pulled with up to"));
  assert_non_null(
      strstr(run.err.text, "the scales length = 1 m and time = 1 s must be of the size of the motion"));
  assert_between(run.sim->t, 30, 60); /* it pulls from 51.9 s on, within the step behind the last node */
  ed_end(&run);
  run = ed_system(slowly_pulled(2e-5, 60), 480, (const char *const[]){"tol=1e-8", NULL});
  assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, 50 + asin(0.12) * 50 / acos(-1), 1e-3);
  for (size_t row = 0; row < run.traj->rows; row++) {
    assert_true(ed_at(&run, row, "lambda0") >= -1e-16);
  }
  ed_end(&run);
}

static void unit_weights(const dls_system *sys, double t, double *F)
{
  (void)sys, (void)t;
  F[0] = F[1] = -1;
}

/* Gaps of the size of their round-off are closed, even above eps_g = 1e-14 m: 4 times 8 units of |q| + |w| are 1.4e-13 m. The first mass
 * rests at g = 0, so that the run starts in contact. */
DLS_TEST(gaps_of_the_size_of_their_round_off_are_closed_at_the_start)
{
  const double gaps[] = {7e-14, 5e-13};
  for (size_t k = 0; k < 2; k++) {
    dls_system *sys = ed_masses(2, 2);
    sys->load = unit_weights;
    for (size_t j = 0; j < 2; j++) {
      dls_matrix_set(sys->H, j, j, 1);
      sys->q0[j] = 10;
      sys->w[j] = -10;
    }
    sys->q0[1] += gaps[k];
    ed_run run = ed_system(sys, 1, (const char *const[]){"tol=1e-12", "eps_g=0.01", NULL});
    assert_int_equal(ed_count(&run, DLS_IMPACT), k);
    ed_end(&run);
  }
}

/* The integrator, the search for events and the record ask for the same states in turn: forces are evaluated once. */
DLS_TEST(states_that_were_evaluated_are_remembered)
{
  test_run run = dls_test_run("belt", "event-driven", 1, 9);
  assert_between((double)run.sim->work.force_evals, 800, 1250); /* 1130; without the memory 1400 */
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_the_own_coordinate_and_velocity),
      cmocka_unit_test(large_impulses_are_held_to_their_round_off),
      cmocka_unit_test(a_rough_normal_force_does_not_stop_the_run),
      cmocka_unit_test(errors_of_an_integrator_come_with_their_meaning),
      cmocka_unit_test(contacts_that_pull_below_the_tolerance_end_the_run),
      cmocka_unit_test(gaps_of_the_size_of_their_round_off_are_closed_at_the_start),
      cmocka_unit_test(states_that_were_evaluated_are_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
