/* test_random_linear.c -- random-linear: what it promises of its matrices, its repeatability, its contacts; and
 * two-ball-oscillator: its forces against Newton's law, its scales.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/model.h>
#include <float.h>
#include <gsl/gsl_eigen.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

extern const dls_model dls_model_random_linear, dls_model_two_ball_oscillator;
enum { MOST = 200 };

/* The system of a model with "name=value" settings; ends with NULL. */
static dls_system *make(const dls_model *model, const char *const *settings)
{
  double p[16];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_option_defaults(model->parameters, p);
  for (; *settings != NULL; settings++) {
    assert_ok(dls_option_parse(model->parameters, model->name, *settings, p, &err), err);
  }
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  return sys;
}

static dls_system *random_system(size_t n, size_t m, size_t seed, const char *more)
{
  char text[3][40];
  snprintf(text[0], sizeof text[0], "n=%zu", n);
  snprintf(text[1], sizeof text[1], "m=%zu", m);
  snprintf(text[2], sizeof text[2], "seed=%zu", seed);
  return make(&dls_model_random_linear, (const char *const[]){text[0], text[1], text[2], more, NULL});
}

/* Least and greatest eigenvalue of A, or of A^T A for A that is not square. */
static void extremes(const dls_matrix *A, double *least, double *greatest)
{
  const size_t rows = dls_matrix_rows(A), n = dls_matrix_columns(A);
  gsl_matrix *S = gsl_matrix_calloc(n, n);
  gsl_vector *values = gsl_vector_alloc(n);
  gsl_eigen_symm_workspace *work = gsl_eigen_symm_alloc(n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      double sum = rows == n ? dls_matrix_get(A, i, j) : 0;
      for (size_t k = 0; rows != n && k < rows; k++) {
        sum += dls_matrix_get(A, k, i) * dls_matrix_get(A, k, j);
      }
      gsl_matrix_set(S, i, j, sum);
    }
  }
  gsl_eigen_symm(S, values, work);
  gsl_vector_minmax(values, least, greatest);
  gsl_eigen_symm_free(work);
  gsl_vector_free(values);
  gsl_matrix_free(S);
}

DLS_TEST(matrices_are_symmetric_dense_and_have_the_spectra_stated)
{
  const size_t sizes[][2] = {{1, 1}, {2, 1}, {6, 2}, {20, 8}, {60, 59}};
  for (size_t k = 0; k < 5; k++) {
    for (size_t seed = 0; seed < 10; seed++) {
      const size_t n = sizes[k][0], m = sizes[k][1];
      dls_system *sys = random_system(n, m, seed, "damping=0.25");
      const struct {
        const dls_matrix *A;
        double low, high;
      } cases[] = {{sys->M, 1, 10}, {sys->K, 4, 100}, {sys->C, 0, 0.25}, {sys->H, 0.085, 2.92}};
      for (size_t c = 0; c < 4; c++) {
        double least, greatest;
        extremes(cases[c].A, &least, &greatest);
        assert_between(least, cases[c].low - 1e-13, cases[c].high);
        assert_between(greatest, cases[c].low, cases[c].high + 1e-13);
        for (size_t i = 0; c < 3 && i < n; i++) {
          for (size_t j = 0; j < i; j++) {
            const double x = dls_matrix_get(cases[c].A, i, j);
            assert_true(x != 0 && x == dls_matrix_get(cases[c].A, j, i));
          }
        }
      }
      dls_system_destroy(sys);
    }
  }
}

/* M and K share no eigenvectors: the commutator of two random matrices is as large as their product. */
DLS_TEST(matrices_do_not_commute)
{
  dls_system *sys = random_system(20, 2, 3, NULL);
  double commutator = 0, product = 0;
  for (size_t i = 0; i < 20; i++) {
    for (size_t j = 0; j < 20; j++) {
      double mk = 0, km = 0;
      for (size_t k = 0; k < 20; k++) {
        mk += dls_matrix_get(sys->M, i, k) * dls_matrix_get(sys->K, k, j);
        km += dls_matrix_get(sys->K, i, k) * dls_matrix_get(sys->M, k, j);
      }
      commutator += (mk - km) * (mk - km);
      product += mk * mk;
    }
  }
  assert_between(sqrt(commutator / product), 0.1, 2);
  dls_system_destroy(sys);
}

static void assert_same(const dls_matrix *A, const dls_matrix *B, bool same)
{
  bool equal = true;
  for (size_t i = 0; i < dls_matrix_rows(A); i++) {
    for (size_t j = 0; j < dls_matrix_columns(A); j++) {
      equal = equal && dls_matrix_get(A, i, j) == dls_matrix_get(B, i, j);
    }
  }
  assert_int_equal(equal, same);
}

DLS_TEST(the_same_seed_gives_the_same_system_and_another_seed_another)
{
  dls_system *one = random_system(12, 5, 7, NULL), *two = random_system(12, 5, 7, NULL);
  dls_system *other = random_system(12, 5, 8, NULL), *damped = random_system(12, 5, 7, "damping=3");
  double F[2][12];
  for (int k = 0; k < 2; k++) {
    const dls_system *next = k == 0 ? two : other;
    assert_same(one->M, next->M, k == 0);
    assert_same(one->K, next->K, k == 0);
    assert_same(one->C, next->C, k == 0);
    assert_same(one->H, next->H, k == 0);
    assert_int_equal(memcmp(one->q0, next->q0, sizeof F[0]) == 0, k == 0);
    assert_int_equal(memcmp(one->v0, next->v0, sizeof F[0]) == 0, k == 0);
    assert_int_equal(memcmp(one->w, next->w, 5 * sizeof(double)) == 0, k == 0);
    assert_int_equal(memcmp(one->e, next->e, 5 * sizeof(double)) == 0, k == 0);
    dls_system_load(one, 0.3, F[0]);
    dls_system_load(next, 0.3, F[1]);
    assert_int_equal(memcmp(F[0], F[1], sizeof F[0]) == 0, k == 0);
  }
  assert_same(one->M, damped->M, true); /* more damping is more of the same, nothing else */
  assert_same(one->H, damped->H, true);
  assert_close(dls_matrix_get(damped->C, 3, 4) / dls_matrix_get(one->C, 3, 4), 30, 1e-11);
  dls_system_destroy(one);
  dls_system_destroy(two);
  dls_system_destroy(other);
  dls_system_destroy(damped);
}

/* Numbers of one system, so that a change of the generator does not pass unseen: seed 1, n = 6, m = 2. */
DLS_TEST(the_default_system_stays_as_it_is)
{
  dls_system *sys = make(&dls_model_random_linear, (const char *const[]){NULL});
  assert_close(dls_matrix_get(sys->M, 0, 5), -1.1641988121653613, 0);
  assert_close(dls_matrix_get(sys->H, 3, 1), 0.22668330594452443, 0);
  assert_close(sys->v0[2], 0.63816289191599129, 0);
  dls_system_destroy(sys);
}

DLS_TEST(contacts_start_open_close_soon_and_differ_in_restitution)
{
  for (size_t seed = 0; seed < 50; seed++) {
    dls_system *sys = random_system(20, 8, seed, "e=0.6");
    double g[8], closing = 0;
    dls_system_gap(sys, 0, sys->q0, g);
    for (size_t j = 0; j < 8; j++) {
      assert_between(g[j], 0.01 - 1e-15, 0.1 + 1e-15);
      assert_between(sys->e[j], 0, 0.6);
      assert_true(j == 0 || sys->e[j] != sys->e[j - 1]);
      closing += dls_matrix_column_dot(sys->H, j, sys->v0) < 0;
    }
    assert_between(closing, 3, 8);
    dls_system_destroy(sys);
  }
}

DLS_TEST(the_load_is_harmonic_and_its_rate_is_its_derivative)
{
  dls_system *sys = make(&dls_model_random_linear, (const char *const[]){"amplitude=2", "omega=5", NULL});
  double F[3][6], rate[6], size = 0;
  const double pi = acos(-1), t = 0.37;
  dls_system_load(sys, t, F[0]);
  dls_system_load(sys, t + pi / 5, F[1]); /* half a period later: F0 - F1 cos */
  dls_system_load(sys, pi / 10, F[2]);    /* cos = 0: F0 */
  for (size_t i = 0; i < 6; i++) {
    assert_close(F[0][i] + F[1][i], 2 * F[2][i], 1e-14);
    size = fmax(size, fabs(F[0][i] - F[2][i]) / fabs(cos(5 * t)));
  }
  assert_between(size, 0.2, 2); /* amplitude */
  sys->load_rate(sys, t, rate);
  dls_system_load(sys, t + 1e-5, F[0]);
  dls_system_load(sys, t - 1e-5, F[1]);
  for (size_t i = 0; i < 6; i++) {
    assert_close(rate[i], (F[0][i] - F[1][i]) / 2e-5, 1e-8);
  }
  dls_system_destroy(sys);
}

DLS_TEST(bad_parameters_are_refused)
{
  const struct {
    const dls_model *model;
    size_t index;
    double value;
    int status;
    const char *text;
  } cases[] = {
      {&dls_model_random_linear, 1, 7, DLS_ERR_ARG, "model random-linear: m = 7 contacts are more than n = 6"},
      {&dls_model_random_linear, 0, 201, DLS_ERR_OPTION, NULL},
      {&dls_model_random_linear, 0, 1.5, DLS_ERR_OPTION, NULL},
      {&dls_model_random_linear, 2, -1, DLS_ERR_OPTION, NULL},
      {&dls_model_random_linear, 3, 1.1, DLS_ERR_OPTION, NULL},
      {&dls_model_random_linear, 4, -0.1, DLS_ERR_OPTION, NULL},
      {&dls_model_two_ball_oscillator, 0, 0, DLS_ERR_OPTION, NULL},
      {&dls_model_two_ball_oscillator, 5, 2, DLS_ERR_OPTION, NULL},
      {&dls_model_two_ball_oscillator, 6, -0.5, DLS_ERR_ARG,
       "model two-ball-oscillator: q1 = -0.5 m is below the floor, must be at least R = 0 m"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    double p[16];
    dls_error err = {0};
    dls_system *sys = NULL;
    dls_option_defaults(cases[k].model->parameters, p);
    p[cases[k].index] = cases[k].value;
    assert_int_equal(dls_model_create(cases[k].model, p, &sys, &err), cases[k].status);
    assert_null(sys);
    if (cases[k].text != NULL) {
      assert_string_equal(err.text, cases[k].text);
    }
  }
}

DLS_TEST(the_largest_system_and_one_without_contacts_are_made)
{
  dls_system *sys = random_system(MOST, MOST, 9007199254740992u, NULL);
  assert_int_equal(sys->n, MOST);
  dls_system_destroy(sys);
  sys = random_system(3, 0, 0, NULL);
  assert_null(sys->H);
  dls_system_destroy(sys);
}

/* Weight on both, the spring's force k (q2 - q1 - l) on the lower one and its opposite on the upper one. */
DLS_TEST(two_balls_feel_weight_and_spring)
{
  dls_system *sys = make(&dls_model_two_ball_oscillator,
                         (const char *const[]){"m=2", "k=50", "l=0.75", "g=8", "R=0.25", "q1=0.5", NULL});
  const double q[] = {0.5, 2.25}, v[] = {3, -4};
  double F[2], g;
  dls_system_force(sys, 0, q, v, F);
  assert_close(F[0], -16 + 50, 1e-13);
  assert_close(F[1], -16 - 50, 1e-13);
  dls_system_gap(sys, 0, q, &g);
  assert_close(g, 0.25, 0);
  char name[60];
  dls_contact_name(sys, 0, name, sizeof name);
  assert_string_equal(name, "contact 0 (floor and lower ball)");
  dls_system_destroy(sys);
}

/* Tolerances refer to a height of the motion and to a speed that it has. */
DLS_TEST(scales_of_two_balls_are_those_of_the_motion)
{
  const struct {
    const char *settings[6];
    double length, velocity;
  } cases[] = {
      {{NULL}, 1, sqrt(2 * 9.81)},                                                    /* fall from 1 m */
      {{"k=1e4", "R=0.2", "q1=1.001", "g=10", "q2=2.001", NULL}, 0.801, sqrt(16.02)}, /* fall from 0.801 m */
      {{"q1=0", "q2=1", "k=981", NULL}, 0.01, sqrt(2 * 9.81 * 0.01)},                 /* rest: sag m g/k */
      {{"g=0", "v1=-5", NULL}, 1, 5},                                                 /* thrown */
      {{"g=0", "q1=0", "q2=1.1", NULL}, 0.1, 0.1 * sqrt(2000)},                       /* vibration */
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_system *sys = make(&dls_model_two_ball_oscillator, cases[k].settings);
    assert_close(sys->length / cases[k].length, 1, 1e-12);
    assert_close(sys->length / sys->time / cases[k].velocity, 1, 1e-12);
    dls_system_destroy(sys);
  }
  dls_system *still =
      make(&dls_model_two_ball_oscillator, (const char *const[]){"g=0", "k=0", "q1=0", "q2=1", NULL});
  assert_close(still->length, 1, 0);
  assert_close(still->time, 1, 0);
  dls_system_destroy(still);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(matrices_are_symmetric_dense_and_have_the_spectra_stated),
      cmocka_unit_test(matrices_do_not_commute),
      cmocka_unit_test(the_same_seed_gives_the_same_system_and_another_seed_another),
      cmocka_unit_test(the_default_system_stays_as_it_is),
      cmocka_unit_test(contacts_start_open_close_soon_and_differ_in_restitution),
      cmocka_unit_test(the_load_is_harmonic_and_its_rate_is_its_derivative),
      cmocka_unit_test(bad_parameters_are_refused),
      cmocka_unit_test(the_largest_system_and_one_without_contacts_are_made),
      cmocka_unit_test(two_balls_feel_weight_and_spring),
      cmocka_unit_test(scales_of_two_balls_are_those_of_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
