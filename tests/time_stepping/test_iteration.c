/* test_iteration.c -- the loop of Newton's method that all implicit schemes have: when it ends, and with what words.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "time_stepping/step/iteration.h"
#include <float.h>
#include <math.h>
#include <string.h>

extern const dls_model dls_model_bouncing_pendulum, dls_model_bouncing_ball;
static const dls_option no_options[] = {{0}};
static const dls_scheme scheme = {.name = "toy", .options = no_options, .stepping = DLS_BY_STEP};

/* Changes of the iterates, one after the other. */
typedef struct toy {
  size_t calls;
  double changes[8], h;
} toy;

static dls_status iterate(dls_sim *sim, void *step, double h, double *change, dls_error *err)
{
  toy *t = step;
  (void)sim, (void)err;
  t->h = h;
  *change = t->changes[t->calls++];
  return *change == -1 ? DLS_ERR_SINGULAR : DLS_OK;
}

static dls_status run(const dls_model *model, toy *t, size_t most, size_t *counted, dls_error *err)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  assert_ok(dls_model_create(model, NULL, &sys, err), *err);
  assert_ok(dls_sim_create(sys, &scheme, &sim, err), *err);
  const dls_newton newton = {.tolerance = 1e-3, .most = most};
  const dls_status status = dls_iterate(sim, &newton, iterate, t, 0.25, err);
  *counted = sim->work.newton_iterations;
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

DLS_TEST(it_ends_with_the_first_small_change)
{
  toy t = {.changes = {1, 2e-3, 1e-3, 5}};
  size_t counted = 0;
  dls_error err = {0};
  assert_int_equal(run(&dls_model_bouncing_pendulum, &t, 8, &counted, &err), DLS_OK);
  assert_int_equal(t.calls, 3);
  assert_int_equal(counted, 3);
  assert_close(t.h, 0.25, 0);
}

/* The residual is 1e6 q - 1e6 q up to rounding: changes of some eps that do not shrink are accepted, larger ones are not. */
DLS_TEST(a_change_within_the_rounding_of_the_residual_is_the_last)
{
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_error err = {0};
  double q[] = {1e6}, v[] = {0}, scratch[1];
  assert_ok(dls_model_create(&dls_model_bouncing_pendulum, NULL, &sys, &err), err);
  assert_ok(dls_sim_create(sys, &scheme, &sim, &err), err);
  dls_factor *A = dls_factor_create((const dls_matrix *const[]){sys->M}, 1);
  assert_non_null(A);
  assert_ok(dls_factor_sum(A, (const double[]){1}, &err), err);
  dls_newton newton = {.tolerance = 1e-30, .most = 8};
  newton.residual = (dls_residual){
      .A = A, .M = sys->M, .x = q, .q = q, .v = v, .F = v, .scratch = scratch, .weight = 0, .scale = 1};
  assert_close(dls_iteration_rounding(sim, &newton.residual), 32 * 1e6 * DBL_EPSILON, 1e-12);
  toy small = {.changes = {1, 1e-10, 1e-10, 1e-10, 1e-10}},
      large = {.changes = {1, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8, 1e-8}};
  assert_int_equal(dls_iterate(sim, &newton, iterate, &small, 1, &err), DLS_OK);
  assert_int_equal(small.calls, 4);
  assert_int_equal(dls_iterate(sim, &newton, iterate, &large, 1, &err), DLS_ERR_NOCONV);
  q[0] = NAN;
  toy nan = {.changes = {1, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10, 1e-10}};
  assert_int_equal(dls_iterate(sim, &newton, iterate, &nan, 1, &err), DLS_ERR_NOCONV);
  dls_factor_destroy(A);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(nan_is_no_small_change)
{
  toy t = {.changes = {NAN, NAN, NAN}};
  size_t counted = 0;
  dls_error err = {0};
  assert_int_equal(run(&dls_model_bouncing_pendulum, &t, 3, &counted, &err), DLS_ERR_NOCONV);
  assert_int_equal(t.calls, 3);
  const double x[] = {1, NAN, 3}, y[] = {1, 2, 5};
  assert_true(isnan(dls_iteration_change(3, x, y)));
  assert_close(dls_iteration_change(1, x, y), 0, 0);
}

DLS_TEST(the_limit_is_told_with_the_change_that_is_left)
{
  toy t = {.changes = {1, 0.5, 0.25}};
  size_t counted = 0;
  dls_error err = {0};
  assert_int_equal(run(&dls_model_bouncing_pendulum, &t, 3, &counted, &err), DLS_ERR_NOCONV);
  assert_string_equal(err.text, "toy at t = 0: Newton's method left a velocity increment of 0.25 > 0.001 m/s "
                                "after 3 iterations");
  assert_int_equal(counted, 3);
}

DLS_TEST(failures_are_handed_on)
{
  toy t = {.changes = {1, -1, 0}};
  size_t counted = 0;
  dls_error err = {0};
  assert_int_equal(run(&dls_model_bouncing_pendulum, &t, 8, &counted, &err), DLS_ERR_SINGULAR);
  assert_int_equal(t.calls, 2);
  assert_int_equal(counted, 1);
}

DLS_TEST(linear_systems_take_one_that_does_not_count)
{
  toy t = {.changes = {1e9, 0}};
  size_t counted = 0;
  dls_error err = {0};
  assert_int_equal(run(&dls_model_bouncing_ball, &t, 8, &counted, &err), DLS_OK);
  assert_int_equal(t.calls, 1);
  assert_int_equal(counted, 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_ends_with_the_first_small_change),
      cmocka_unit_test(a_change_within_the_rounding_of_the_residual_is_the_last),
      cmocka_unit_test(nan_is_no_small_change),
      cmocka_unit_test(the_limit_is_told_with_the_change_that_is_left),
      cmocka_unit_test(failures_are_handed_on),
      cmocka_unit_test(linear_systems_take_one_that_does_not_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
