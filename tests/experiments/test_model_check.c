/* test_model_check.c -- callbacks that are wrong by a little more than what is allowed disagree, by a little less agree.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/model/model_check.h"
#include <delassus/catalogue.h>
#include <math.h>
#include <string.h>

/* What is allowed: parts of the largest slope, and of the largest value over the scale of the coordinate. */
static const double of_slope = 1e-6, of_value = 1e-9;
static const double below = 0.9, above = 1.1;
enum { STATES = 8, SEED = 1 };

static double error;                 /* of the callback in place of the model's own */
static const double constant = 1000; /* gap [m] */
static dls_system own;               /* the model's own callbacks */

static dls_model_check check(dls_system *sys)
{
  dls_model_check out;
  dls_error err = {0};
  assert_ok(dls_model_check_run(sys, STATES, SEED, &out, &err), err);
  return out;
}

static const dls_model_check_row *row_of(const dls_model_check *check, const char *callback)
{
  for (size_t i = 0; i < check->count; i++) {
    if (strcmp(check->rows[i].callback, callback) == 0) {
      return &check->rows[i];
    }
  }
  fail_msg("no row %s", callback);
  return NULL;
}

static dls_system *system_of(const char *model)
{
  dls_system *sys = NULL;
  dls_error err = {0};
  assert_ok(dls_model_create(dls_model_find(model, NULL), NULL, &sys, &err), err);
  own = *sys;
  return sys;
}

static void wrong_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  own.gradient(sys, q, H);
  dls_matrix_set(H, 0, 0, (1 + error) * dls_matrix_get(H, 0, 0));
}

static void constant_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys;
  (void)t;
  (void)q;
  g[0] = constant;
}

static void gradient_of_rounding(const dls_system *sys, const double *q, dls_matrix *H)
{
  (void)sys;
  (void)q;
  dls_matrix_set(H, 0, 0, error);
}

static void wrong_mass(const dls_system *sys, const double *q, dls_matrix *M)
{
  own.mass(sys, q, M);
  dls_matrix_set(M, 0, 1, (1 + error) * dls_matrix_get(M, 0, 1));
}

/* The row with the error below and above the limit; both sides of it. */
static void assert_limit(dls_system *sys, const char *callback, double limit, double allowed_part)
{
  for (int i = 0; i < 2; i++) {
    error = (i == 0 ? below : above) * limit;
    const dls_model_check made = check(sys);
    const dls_model_check_row *row = row_of(&made, callback);
    assert_true(row->agrees == (i == 0));
    assert_close(row->allowed, allowed_part * row->size, 1e-9 * row->allowed);
    assert_true((made.wrong > 0) == (i == 1));
  }
}

DLS_TEST(a_slope_may_be_wrong_by_a_millionth_of_the_largest)
{
  dls_system *sys = system_of("bouncing-pendulum");
  sys->gradient = wrong_gradient;
  assert_limit(sys, "gradient", of_slope, of_slope);
  dls_system_destroy(sys);
}

DLS_TEST(rounding_of_a_large_value_is_no_slope)
{
  dls_system *sys = system_of("bouncing-pendulum");
  sys->gap = constant_gap;
  sys->gradient = gradient_of_rounding;
  for (int i = 0; i < 2; i++) {
    error = (i == 0 ? below : above) * of_value * constant; /* the angle is in rad: its scale is 1 */
    const dls_model_check made = check(sys);
    const dls_model_check_row *row = row_of(&made, "gradient");
    assert_true(row->agrees == (i == 0));
    assert_close(row->allowed, of_value * constant, 1e-18);
  }
  dls_system_destroy(sys);
}

DLS_TEST(a_mass_matrix_may_be_asymmetric_by_a_millionth)
{
  dls_system *sys = system_of("andrews");
  sys->mass = wrong_mass;
  double ratio = 0; /* of the entry to the largest */
  error = of_slope;
  const dls_model_check made = check(sys);
  const dls_model_check_row *row = row_of(&made, "mass");
  ratio = row->difference / (of_slope * row->size);
  assert_between(ratio, 1e-3, 1);
  assert_limit(sys, "mass", of_slope / ratio, of_slope);
  dls_system_destroy(sys);
}

/* Phi_0 with a term error/6 q_0^3, of which the slope along q shows. */
static void joint_of_third_degree(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  own.joint_curvature(sys, t, q, v, c);
  c[0] += error * q[0] * v[0] * v[0];
}

DLS_TEST(joints_that_are_not_quadratic_are_found)
{
  static const char *const models[] = {"slider-crank", "four-bar", "heavy-top", "bouncing-pendulum-cartesian"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    dls_system *sys = system_of(models[i]);
    assert_true(sys->joints_quadratic);
    dls_model_check made = check(sys);
    assert_true(row_of(&made, "joints_quadratic")->agrees);
    sys->joint_curvature = joint_of_third_degree;
    error = 1e-3;
    made = check(sys);
    assert_false(row_of(&made, "joints_quadratic")->agrees);
    dls_system_destroy(sys);
  }
  dls_system *sys = system_of("andrews"); /* sines and cosines of sums of angles */
  assert_false(sys->joints_quadratic);
  sys->joints_quadratic = true;
  const dls_model_check made = check(sys);
  assert_false(row_of(&made, "joints_quadratic")->agrees);
  dls_system_destroy(sys);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_slope_may_be_wrong_by_a_millionth_of_the_largest),
      cmocka_unit_test(rounding_of_a_large_value_is_no_slope),
      cmocka_unit_test(a_mass_matrix_may_be_asymmetric_by_a_millionth),
      cmocka_unit_test(joints_that_are_not_quadratic_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
