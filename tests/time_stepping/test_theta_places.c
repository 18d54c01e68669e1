/* test_theta_places.c -- moreau-jean and its variant: where M and H are taken, the linear forecast of gaps, theta below 1/2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "moving.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/configuration.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { AHEAD, START, IMPLICIT, PLACES };
static const char *const places[] = {"ahead", "start", "implicit"};

typedef struct step_check {
  dls_configuration config;
  int where;
  bool variant;
  double theta, t, q[2], v[2]; /* before the step */
  double misfit;               /* of all steps */
  size_t impacts, others;      /* on the disc; those that another place would have made otherwise */
} step_check;

/* Where the entry says that M and H are. */
static void place_of(const step_check *c, const dls_sim *sim, int where, double *q)
{
  for (int i = 0; i < 2; i++) {
    const double ahead = c->q[i] + (sim->t - c->t) * c->theta * c->v[i];
    q[i] = where == START ? c->q[i] : where == AHEAD ? ahead : (1 - c->theta) * c->q[i] + c->theta * sim->q[i];
  }
}

/* |M (v' - v) - h F_theta - H P|, and |U' + e U| where P > 0, with M and H at that place. */
static double residual(step_check *c, const dls_sim *sim, int where)
{
  double q[2], F[2], F_next[2], r[2] = {0}, u[2], u_next[2], worst = 0;
  const double h = sim->t - c->t;
  place_of(c, sim, where, q);
  dls_configuration_at(&c->config, c->t, q);
  dls_configuration_velocity(&c->config, c->v, u);
  dls_configuration_time(&c->config, sim->t);
  dls_configuration_velocity(&c->config, sim->v, u_next);
  dls_system_force(sim->sys, c->t, c->q, c->v, F);
  dls_system_force(sim->sys, sim->t, sim->q, sim->v, F_next);
  dls_matrix_multiply(c->config.M, 1, (const double[]){sim->v[0] - c->v[0], sim->v[1] - c->v[1]}, r);
  for (size_t i = 0; i < 2; i++) {
    r[i] -= h * ((1 - c->theta) * F[i] + c->theta * F_next[i]);
    for (size_t j = 0; j < 2; j++) {
      r[i] -= dls_matrix_get(c->config.H, i, j) * sim->p[j];
    }
    worst = fmax(worst, fabs(r[i]));
  }
  for (size_t j = 0; j < 2; j++) {
    worst = sim->p[j] > 0 ? fmax(worst, fabs(u_next[j] + sim->sys->e[j] * u[j])) : worst;
  }
  return worst;
}

static dls_status watch(void *data, const dls_sim *sim, dls_error *err)
{
  step_check *c = data;
  (void)err;
  if (sim->step > 0) {
    c->misfit = fmax(c->misfit, residual(c, sim, c->where));
    c->impacts += sim->p[0] > 0;
    c->others += sim->p[0] > 0 && residual(c, sim, (c->where + 1) % PLACES) > 1e-6 &&
                 residual(c, sim, (c->where + 2) % PLACES) > 1e-6;
  }
  c->t = sim->t;
  memcpy(c->q, sim->q, sizeof c->q);
  memcpy(c->v, sim->v, sizeof c->v);
  return DLS_OK;
}

/* A mass that depends on its place, a disc that grows and swings, a floor that swings. */
DLS_TEST(equations_hold_with_M_and_H_at_the_named_place)
{
  for (int i = 0; i < 2 * PLACES; i++) {
    dls_error err = {0};
    char scheme[120];
    dls_sim *sim = NULL;
    dls_system *sys = dls_test_moving(1);
    sys->v0[0] = -2; /* towards the disc */
    sys->v0[1] = 1;
    step_check c = {.where = i % PLACES, .variant = i >= PLACES, .theta = 0.7};
    assert_true(dls_configuration_create(sys, &c.config));
    snprintf(scheme, sizeof scheme, "moreau-jean%s", c.variant ? "-variant" : "");
    assert_ok(dls_sim_create(sys, dls_scheme_find(scheme, &err), &sim, &err), err);
    assert_ok(dls_sim_set(sim, "theta=0.7", &err), err);
    assert_ok(dls_sim_set(sim, "newton_tol=1e-14", &err), err);
    snprintf(scheme, sizeof scheme, "place=%s", places[c.where]);
    assert_ok(dls_sim_set(sim, scheme, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.step = 0.02, .end = 6, .watch = watch, .watch_data = &c}, &err),
              err);
    assert_between(c.misfit, 1e-17, 1e-11);
    assert_between((double)c.impacts, 1, 20);
    assert_between((double)c.others, 1, (double)c.impacts);
    dls_sim_destroy(sim);
    dls_configuration_destroy(&c.config);
    dls_system_destroy(sys);
  }
}

/* Gap at the end over what steps of length h make of it, h integral |v|^2/R dt. */
static double drift(const char *options, double h)
{
  char scheme[120];
  double path = 0;
  snprintf(scheme, sizeof scheme, "moreau-jean:gamma=0.5,velocity_test=off,%s", options);
  test_run run = dls_test_run("rough-bowl:mu=0", scheme, h, 0.4);
  for (size_t row = 1; row < run.traj->rows; row++) {
    if (row + 1 < run.traj->rows && dls_test_value(&run, row + 1, "t") == dls_test_value(&run, row, "t")) {
      continue; /* left limit */
    }
    path += h * (pow(dls_test_value(&run, row, "v0"), 2) + pow(dls_test_value(&run, row, "v1"), 2));
  }
  const double ratio = run.sim->g[0] / (h * path);
  dls_test_free(&run);
  return ratio;
}

/* On a circle of radius 1 the velocity of a step is tangential at its place, c h further than its start, c = theta or 0, so that a
 * contact that lasts drifts by -(3/2 - c - theta) h^2 |v|^2/R a step. */
DLS_TEST(curved_contact_drifts_by_the_place)
{
  static const struct {
    const char *options;
    double factor;
  } cases[] = {{"theta=0.5", 0.5}, {"theta=0.5,place=start", 1},      {"theta=0.5,place=implicit", 0.5},
               {"theta=0.7", 0.1}, {"theta=0.7,place=implicit", 0.1}, {"theta=1,place=start", 0.5}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (double h = 4e-3; h > 1e-4; h *= 0.713) {
      assert_close(drift(cases[i].options, h), -cases[i].factor, 8 * h);
    }
  }
}

/* Smooth motion with a mass that varies: M is needed at t + h/2 for order two. Least squares of log error over log h. */
DLS_TEST(order_two_needs_the_mass_of_the_midpoint)
{
  enum { LEVELS = 8 };
  for (int where = AHEAD; where < PLACES; where++) {
    double x[LEVELS], y[LEVELS], mean_x = 0, mean_y = 0, xx = 0, xy = 0;
    char scheme[120];
    test_run fine = dls_test_run_of(dls_test_moving(1), "moreau-jean", 2e-5, 0.2);
    for (int k = 0; k < LEVELS; k++) {
      const double h = 0.2 / (10 + 5 * k);
      snprintf(scheme, sizeof scheme, "moreau-jean:place=%s", places[where]);
      test_run run = dls_test_run_of(dls_test_moving(1), scheme, h, 0.2);
      assert_int_equal(run.sim->work.impacts, 0);
      x[k] = log(h);
      y[k] = log(fabs(run.sim->v[0] - fine.sim->v[0]));
      mean_x += x[k] / LEVELS;
      mean_y += y[k] / LEVELS;
      dls_test_free(&run);
    }
    for (int k = 0; k < LEVELS; k++) {
      xx += (x[k] - mean_x) * (x[k] - mean_x);
      xy += (x[k] - mean_x) * (y[k] - mean_y);
    }
    assert_close(xy / xx, where == START ? 1 : 2, 0.05);
    dls_test_free(&fine);
  }
}

/* On a rope, 1.99 m long so far of 2, a mass flies along the circle: U = 0, but the circle bends away from under it. */
DLS_TEST(the_linear_forecast_does_not_see_the_curvature)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant"};
  for (int i = 0; i < 2; i++) {
    char scheme[80];
    const char *model = "rope:x0=0,y0=-1.99,vx0=10,g=1e-9";
    test_run curved = dls_test_run(model, schemes[i], 0.05, 0.05);
    snprintf(scheme, sizeof scheme, "%s:gap_forecast=linear", schemes[i]);
    test_run linear = dls_test_run(model, scheme, 0.05, 0.05);
    assert_between(curved.sim->p[0], 0.1, 10);
    assert_close(linear.sim->p[0], 0, 0);
    assert_close(linear.sim->g[0], 2 - hypot(1.99, 0.5), 1e-9);
    dls_test_free(&curved);
    dls_test_free(&linear);
    curved = dls_test_run("bouncing-pendulum", schemes[i], 0.01, 2); /* linear sees h^2 less of a gap */
    linear = dls_test_run("bouncing-pendulum", scheme, 0.01, 2);
    assert_close(linear.sim->q[0], curved.sim->q[0], 0.1);
    assert_true(linear.sim->work.impacts > 0);
    dls_test_free(&curved);
    dls_test_free(&linear);
  }
}

/* (x, y) := state of an undamped oscillator, w = 2, after a step from (q0, v0) = (x, y). */
static void oscillate(const char *scheme, double h, double *x, double *y)
{
  char model[120];
  snprintf(model, sizeof model, "impacting-oscillator:k=4,m=1,q0=%.17g,v0=%.17g", *x, *y);
  test_run run = dls_test_run(model, scheme, h, h);
  *x = run.sim->q[0];
  *y = run.sim->v[0];
  dls_test_free(&run);
}

/* Determinant of the step map: the square of the growth; (1 + (1 - theta)^2 W^2)/(1 + theta^2 W^2), W = w h, and for the variant
 * (1 + (1 - theta) W^2/2)/(1 + theta W^2/2). */
DLS_TEST(theta_below_one_half_grows_as_it_must)
{
  static const double thetas[] = {0, 0.1, 0.3, 0.49, 0.5, 0.8};
  for (int i = 0; i < 12; i++) {
    char scheme[120];
    const double theta = thetas[i / 2], h = 0.1, W2 = 4 * h * h;
    snprintf(scheme, sizeof scheme, "moreau-jean%s:theta=%g,stability=ignore", i % 2 ? "-variant" : "", theta);
    double a = 1, b = 0, c = 1, d = 1; /* the second less the first is (0, 1) */
    oscillate(scheme, h, &a, &b);
    oscillate(scheme, h, &c, &d);
    const double expected = i % 2 ? (1 + (1 - theta) * W2 / 2) / (1 + theta * W2 / 2)
                                  : (1 + (1 - theta) * (1 - theta) * W2) / (1 + theta * theta * W2);
    assert_close(a * (d - b) - b * (c - a), expected, 1e-14);
    assert_true((expected > 1 + 1e-6) == (theta < 0.5));
  }
}

DLS_TEST(theta_below_one_half_is_refused_unless_asked_for)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean-variant"};
  for (int i = 0; i < 2; i++) {
    char text[160];
    dls_error err = {0};
    test_run run = dls_test_prepare("bouncing-ball", schemes[i]);
    assert_ok(dls_sim_set(run.sim, "theta=0.4", &err), err);
    assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.1, .end = 1}, &err), DLS_ERR_OPTION);
    snprintf(text, sizeof text, "scheme %s: theta = 0.4 is outside [0.5, 1]; stability=ignore accepts it",
             schemes[i]);
    assert_string_equal(err.text, text);
    dls_test_free(&run);
  }
  dls_error err = {0};
  test_run frictional = dls_test_prepare("belt fremond:mu=0.3", "moreau-jean:theta=0,stability=ignore");
  assert_int_equal(dls_run(frictional.sim, &(dls_run_spec){.step = 0.1, .end = 1}, &err),
                   DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "needs theta > 0"));
  dls_test_free(&frictional);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equations_hold_with_M_and_H_at_the_named_place),
      cmocka_unit_test(curved_contact_drifts_by_the_place),
      cmocka_unit_test(order_two_needs_the_mass_of_the_midpoint),
      cmocka_unit_test(the_linear_forecast_does_not_see_the_curvature),
      cmocka_unit_test(theta_below_one_half_grows_as_it_must),
      cmocka_unit_test(theta_below_one_half_is_refused_unless_asked_for),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
