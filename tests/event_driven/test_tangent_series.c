/* test_tangent_series.c -- derivatives of linear systems between events, by Taylor series: closed forms of a vibration that the motion itself
 * does not have, and differences of whole runs of random systems with loads that depend on time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "driven.h"
#include "tangent_run.h"
#include <gsl/gsl_rng.h>

extern const dls_model dls_model_two_ball_oscillator, dls_model_random_linear;

/* Two balls fall before the first impact: s = q2 - q1 - l = s0 cos(omega t), omega = sqrt(2 k / m); s0 = 0: they fall without vibration. */
static double error_of_vibration(const char *by, double s0, double end, const char *method)
{
  enum { M, K, L, Q2 = 7 };
  const double m = 2, k = 1e4, omega = sqrt(2 * k / m), phase = omega * end;
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_two_ball_oscillator, (const char *const[]){"m=2", "k=1e4", NULL}, p);
  p[Q2] = 2 + s0;
  prepare(&t, &dls_model_two_ball_oscillator, p, (const char *const[]){by, NULL},
          (const char *const[]){method, NULL});
  dls_error err = {0};
  assert_ok(dls_sim_differentiate_forces(t.run.sim, &err), err);
  advance_to(&t, end, NULL, NULL);
  assert_ok(t.run.sim->sensitivity->forces(t.run.sim, &err), err);
  const dls_tangent *tangent = tangent_of(&t, 0);
  const double by_omega = -s0 * end * sin(phase), by_omega_v = -s0 * (sin(phase) + phase * cos(phase)),
               by_omega_a = -s0 * omega * (2 * cos(phase) - phase * sin(phase));
  const bool mass = strcmp(by, "m") == 0, length = strcmp(by, "l") == 0;
  const double factor = mass ? -omega / (2 * m) : omega / (2 * k);
  const double ds = length ? 1 - cos(phase) : factor * by_omega,
               dv = length ? omega * sin(phase) : factor * by_omega_v,
               da = length ? omega * omega * cos(phase) : factor * by_omega_a,
               scale = length ? 1 : fabs(factor * s0 * end);
  const double by_position = fabs(tangent->dq[1] - tangent->dq[0] - ds),
               by_velocity = fabs(tangent->dv[1] - tangent->dv[0] - dv) / omega,
               by_acceleration = fabs(tangent->a[1] - tangent->a[0] - da) / (omega * omega),
               error = fmax(by_position, fmax(by_velocity, by_acceleration)) / scale;
  release(&t);
  return error;
}

DLS_TEST(vibrations_have_their_closed_form)
{
  static const char *const methods[] = {"method=adams", "method=erk", "method=bdf", "method=flow"};
  for (size_t i = 0; i < 4; i++) {
    for (double end = 0.06; end < 0.42; end *= 1.7) {
      assert_between(error_of_vibration("l", 0, end, methods[i]), 0, 1e-9);
      assert_between(error_of_vibration("k", 0.01, end, methods[i]), 0, 3e-8);
      assert_between(error_of_vibration("m", 0.01, end, methods[i]), 0, 3e-8);
    }
  }
}

/* Full matrices of odd and even order, loads that depend on time, impacts, and contacts that stay closed. */
DLS_TEST(random_systems_with_loads_agree_with_differences)
{
  static const struct {
    const char *by;
    double delta;
  } parameters[] = {{"damping", 2e-4}, {"amplitude", 2e-4}, {"omega", 5e-5}, {"e", 2e-4}};
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
  size_t compared = 0, closed = 0;
  for (int system = 0; system < 24; system++) {
    double p[PARAMETERS];
    const bool plastic = system % 3 == 0;
    read_parameters(&dls_model_random_linear,
                    plastic ? (const char *const[]){"n=6", "m=3", "e=0", "damping=1", NULL}
                            : (const char *const[]){"n=5", "m=2", "damping=1", "amplitude=3", NULL},
                    p);
    p[2] = 1 + (double)gsl_rng_uniform_int(rng, 1000);
    const size_t which = (size_t)system % (plastic ? 3 : 4);
    const double end = 0.3 + gsl_rng_uniform(rng);
    const comparison c =
        compare(&dls_model_random_linear, p, parameters[which].by, parameters[which].delta, end);
    if (c.ok && c.same && c.timed) {
      assert_between(c.error, 0, 1e-6);
      compared++;
      closed += plastic;
    }
  }
  assert_true(compared >= 16);
  assert_true(closed >= 4);
  gsl_rng_free(rng);
}

/* Loads of a neighbouring system of the parameter, of which the motion knows nothing. */
static void rough(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = sin(1e8 * t);
  F[1] = 0;
}

static void undefined(const dls_system *sys, double t, double *F)
{
  (void)sys;
  F[0] = t < 0.1 ? 0 : NAN;
  F[1] = 0;
}

static dls_status run_with_load(void (*load)(const dls_system *, double, double *), const char *method,
                                char *text, size_t size)
{
  double p[PARAMETERS];
  tangent_run t;
  read_parameters(&dls_model_two_ball_oscillator, NULL, p);
  prepare(&t, &dls_model_two_ball_oscillator, p, (const char *const[]){"l", NULL},
          (const char *const[]){method, NULL});
  t.direction[0].system[1]->load = load;
  t.direction[0].system[1]->steady_load = false;
  const dls_run_spec spec = {.end = 0.3, .record = t.run.traj};
  const dls_status run = dls_run(t.run.sim, &spec, &t.run.err);
  snprintf(text, size, "%s", t.run.err.text);
  release(&t);
  return run;
}

DLS_TEST(loads_that_cannot_be_followed_are_reported)
{
  static const char *const methods[] = {"method=adams", "method=bdf", "method=flow"};
  for (size_t i = 0; i < 3; i++) {
    char text[800];
    assert_int_equal(run_with_load(rough, methods[i], text, sizeof text), DLS_ERR_INTEGRATOR);
    assert_non_null(strstr(text, "the derivative by l: 20000 steps of its tangent end at t = "));
    assert_non_null(strstr(text, "before the next node at t = "));
    assert_non_null(strstr(text, "a load changes too fast"));
    assert_int_equal(run_with_load(undefined, methods[i], text, sizeof text), DLS_ERR_NONFINITE);
    assert_non_null(strstr(text, "the derivative by l: that of the acceleration is not finite at t = "));
  }
}

/* A neighbour without damping has no matrix C: products with those of both are differentiated, and --stats counts that. */
DLS_TEST(a_matrix_that_one_neighbour_lacks_is_counted)
{
  double p[PARAMETERS], dv[2];
  for (int lacks = 0; lacks < 2; lacks++) {
    tangent_run t = {.count = 1};
    read_parameters(&dls_model_random_linear, NULL, p);
    const int damping = dls_option_find(dls_model_random_linear.parameters, "damping");
    t.direction[0] = (dls_direction){.name = "damping", .value = 0.1, .count = 2, .weight = {-5, 5}};
    for (size_t i = 0; i < 2; i++) { /* C is proportional to p */
      p[damping] = 0.2 * (double)i;
      assert_ok(dls_model_create(&dls_model_random_linear, p, &t.direction[0].system[i], &t.run.err),
                t.run.err);
    }
    if (lacks) {
      dls_matrix_destroy(t.direction[0].system[0]->C);
      t.direction[0].system[0]->C = NULL;
    }
    p[damping] = 0.1;
    dls_system *sys = NULL;
    assert_ok(dls_model_create(&dls_model_random_linear, p, &sys, &t.run.err), t.run.err);
    t.run = ed_start(sys, NULL);
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &t.run.err), t.run.err);
    advance_to(&t, 0.5, NULL, NULL);
    dv[lacks] = tangent_of(&t, 0)->dv[0];
    const char *method = t.run.sim->work.fallbacks.by[0].method;
    assert_true(lacks ? method != NULL && strcmp(method, "difference-of-products") == 0 : method == NULL);
    release(&t);
  }
  assert_close(dv[1], dv[0], 1e-9);
}

/* Noise in the mass along q0, as of a table of measurements: its amplitude in data. */
static void rough_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  const double *noise = sys->data;
  dls_matrix_set(M, 0, 0, 1);
  dls_matrix_set(M, 1, 1, 1 + *noise * sin(1e12 * q[0]));
}

static void weigh(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -9.81;
}

static void height(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys, (void)t;
  g[0] = q[1];
}

static dls_system *make_rough_ball(double x, double *noise)
{
  dls_system *sys = dls_system_create(2, 1);
  assert_non_null(sys);
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 1);
  dls_matrix_set(sys->H, 1, 0, 1);
  sys->d = 2;
  sys->T = dls_matrix_dense(2, 1);
  dls_matrix_set(sys->T, 0, 0, 1);
  sys->mu[0] = 0.1;
  sys->mass = rough_mass;
  sys->force = weigh;
  sys->gap = height;
  sys->data = noise;
  sys->q0[0] = x;
  sys->q0[1] = 0.5;
  sys->e[0] = 0.5;
  rough_mass(sys, sys->q0, sys->M);
  return sys;
}

/* The impact of a ball whose mass is rough along q0: no shorter increment makes the difference along it accurate, and --stats counts that. */
DLS_TEST(a_difference_that_stays_inaccurate_is_counted)
{
  for (int rough = 0; rough < 2; rough++) {
    double noise = rough ? 1e-6 : 0;
    tangent_run t = {.count = 1};
    t.direction[0] = (dls_direction){.name = "q0", .value = 0.3, .count = 2, .weight = {-500, 500}};
    t.direction[0].system[0] = make_rough_ball(0.299, &noise);
    t.direction[0].system[1] = make_rough_ball(0.301, &noise);
    t.run = ed_start(make_rough_ball(0.3, &noise), NULL);
    assert_ok(dls_sim_differentiate(t.run.sim, 1, t.direction, &t.run.err), t.run.err);
    advance_to(&t, 0.5, NULL, NULL);
    const char *method = t.run.sim->work.fallbacks.by[0].method;
    assert_true(rough ? method != NULL && strcmp(method, "coarse-difference") == 0 : method == NULL);
    release(&t);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vibrations_have_their_closed_form),
      cmocka_unit_test(loads_that_cannot_be_followed_are_reported),
      cmocka_unit_test(random_systems_with_loads_agree_with_differences),
      cmocka_unit_test(a_matrix_that_one_neighbour_lacks_is_counted),
      cmocka_unit_test(a_difference_that_stays_inaccurate_is_counted),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
