/* tests/experiments/test_made_data.c -- data that a study makes: closed motions, and the moments of their noise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/measures/fit/made_data.h"
#include <delassus/catalogue.h>
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const both[] = {"q0", "v0"};

/* A ball of mass m in free flight from 100 m: q = 100 + v0 t + f t^2/(2 m), never below 0 before t = 1. */
static dls_fit_made flight(double v0, double f, double m)
{
  dls_fit_made made = {.end = 1, .rows = 40};
  dls_error err = {0};
  char text[3][60];
  const char *settings[] = {"q0=100", text[0], text[1], text[2]};
  snprintf(text[0], sizeof text[0], "v0=%.17g", v0);
  snprintf(text[1], sizeof text[1], "f=%.17g", f);
  snprintf(text[2], sizeof text[2], "m=%.17g", m);
  assert_ok(dls_model_choose("test", dls_catalogue_model(NULL, "bouncing-ball", &err), 4, settings, &made.model,
                             &err),
            err);
  assert_ok(dls_catalogue_choose(NULL, "event-driven", &made.scheme, &err), err);
  return made;
}

DLS_TEST(without_noise_data_are_the_motion)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  for (int trial = 0; trial < 50; trial++) {
    dls_fit_table table;
    dls_error err = {0};
    const double v0 = 10 * gsl_rng_uniform(rng) - 5, f = -1 - 20 * gsl_rng_uniform(rng),
                 m = 1 + gsl_rng_uniform(rng);
    dls_fit_made made = flight(v0, f, m);
    made.rows = 1 + gsl_rng_uniform_int(rng, 60);
    made.end = 0.1 + gsl_rng_uniform(rng);
    made.seed = gsl_rng_get(rng);
    assert_ok(dls_fit_table_make(&made, 2, both, &table, &err), err);
    assert_int_equal(table.data.rows, made.rows);
    assert_true(table.jumps == 0 && table.later == 0 && table.data.t[made.rows - 1] == made.end);
    for (size_t i = 0; i < made.rows; i++) {
      const double t = made.end * (double)(i + 1) / (double)made.rows;
      assert_close(table.data.t[i], t, 1e-15);
      assert_close(table.data.values[2 * i], 100 + v0 * t + f * t * t / (2 * m), 1e-7);
      assert_close(table.data.values[2 * i + 1], v0 + f * t / m, 1e-7);
    }
    free(table.block);
    dls_model_choice_release(&made.model);
  }
  gsl_rng_free(rng);
}

/* Sum of squares over sigma^2 by its law of chi^2, mean by the normal law, each with probability 1e-6 outside; lag-one correlation. */
DLS_TEST(noise_is_normal_and_independent)
{
  enum { ROWS = 2000 };
  for (unsigned long seed = 1; seed <= 8; seed++) {
    dls_fit_table table, exact;
    dls_error err = {0};
    const double sigma = pow(10, -(double)seed);
    dls_fit_made made = flight(1, -2, 1);
    made.rows = ROWS;
    made.seed = seed;
    assert_ok(dls_fit_table_make(&made, 2, both, &exact, &err), err);
    made.noise = sigma;
    assert_ok(dls_fit_table_make(&made, 2, both, &table, &err), err);
    double sum = 0, squares = 0, next = 0;
    for (size_t i = 0; i < 2 * ROWS; i++) {
      const double z = (table.data.values[i] - exact.data.values[i]) / sigma;
      sum += z;
      squares += z * z;
      next += i > 0 ? z * (table.data.values[i - 1] - exact.data.values[i - 1]) / sigma : 0;
    }
    assert_between(squares, gsl_cdf_chisq_Pinv(1e-6, 2 * ROWS), gsl_cdf_chisq_Qinv(1e-6, 2 * ROWS));
    assert_between(fabs(sum) / sqrt(2 * ROWS), 0, 4.9);
    assert_between(fabs(next) / sqrt(2 * ROWS), 0, 4.9);
    free(table.block);
    free(exact.block);
    dls_model_choice_release(&made.model);
  }
}

DLS_TEST(a_seed_repeats_data_to_the_last_bit)
{
  dls_error err = {0};
  dls_fit_made made = flight(1, -2, 1);
  dls_fit_table tables[3];
  made.noise = 0.1;
  for (size_t i = 0; i < 3; i++) {
    made.seed = i < 2 ? 7 : 8;
    assert_ok(dls_fit_table_make(&made, 2, both, &tables[i], &err), err);
  }
  const size_t size = 2 * made.rows * sizeof(double);
  assert_memory_equal(tables[0].data.values, tables[1].data.values, size);
  assert_true(memcmp(tables[0].data.values, tables[2].data.values, size) != 0);
  for (size_t i = 0; i < 3; i++) {
    free(tables[i].block);
  }
  dls_model_choice_release(&made.model);
}

DLS_TEST(unknown_columns_are_refused)
{
  static const char *const of[] = {"q0", "q1"};
  dls_error err = {0};
  dls_fit_table table;
  dls_fit_made made = flight(1, -2, 1);
  assert_int_equal(dls_fit_table_make(&made, 2, of, &table, &err), DLS_ERR_OPTION);
  assert_true(strstr(err.text, "q1") != NULL);
  free(table.block);
  dls_model_choice_release(&made.model);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_noise_data_are_the_motion),
      cmocka_unit_test(noise_is_normal_and_independent),
      cmocka_unit_test(a_seed_repeats_data_to_the_last_bit),
      cmocka_unit_test(unknown_columns_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
