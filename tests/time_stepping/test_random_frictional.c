/* test_random_frictional.c -- random systems with friction: what the model promises, the energy identity of every step, and
 * that Fremond's law makes no energy in its range.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include "runs.h"
#include <delassus/energy.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdio.h>

enum { SYSTEMS = 100 };

/* In the plane and in space, on surfaces that rest or move. */
static void name_system(int k, double e, double surface, const char *law, char *text, size_t size)
{
  const int dim = 2 + k % 2, m = 1 + k % 5;
  snprintf(text, size, "random-frictional:seed=%d,dim=%d,m=%d,n=%d,e=%g,surface=%g%s", k, dim, m,
           dim * m + k % 4, e, surface, law);
}

/* The largest part of the energy that contact makes in a step; the identity is checked. */
static double gain_of(const char *model, const char *scheme)
{
  dls_error err = {0};
  dls_system *sys = dls_test_system(model);
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 0.013, .end = 1.5, .totals_only = true};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  assert_between(fabs(ledger->residual) / ledger->scale, 0, 1e-13);
  const double gain = ledger->law_gain / ledger->scale;
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return gain;
}

DLS_TEST(every_step_balances)
{
  static const char *const schemes[] = {"moreau-jean:theta=0.6",
                                        "moreau-jean-variant:theta=0.8",
                                        "nonsmooth-newmark",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha:rho_inf=0.7",
                                        "schatzman-paoli",
                                        "schatzman-paoli:theta=0.5",
                                        "three-level-alpha",
                                        "three-level-alpha:rho_inf=0.5"};
  enum { SCHEMES = sizeof schemes / sizeof schemes[0] };
  size_t gains = 0;
  for (int k = 0; k < SYSTEMS * SCHEMES; k++) {
    char model[160];
    name_system(k % SYSTEMS, 0.9, k % 3 == 0 ? 0.5 : 0, "", model, sizeof model);
    gains += gain_of(model, schemes[k / SYSTEMS]) > 1e-6;
  }
  assert_between((double)gains, SCHEMES, SYSTEMS * SCHEMES); /* Newton-Coulomb makes energy in some of them */
}

/* 1/2 <= theta <= 1/(1 + e) in Moreau-Jean; any parameters in the others. */
DLS_TEST(fremond_makes_none_in_its_range)
{
  static const char *const others[] = {"moreau-jean-variant:theta=1", "nonsmooth-newmark:gamma=0.7,beta=0.4",
                                       "nonsmooth-hht:alpha=0.3"};
  for (int k = 0; k < SYSTEMS; k++) {
    char model[160], scheme[60];
    const double e = 0.01 * k, theta = 0.5 + (1 / (1 + e) - 0.5) * (k % 4) / 3;
    name_system(k, e, 0, " fremond", model, sizeof model);
    snprintf(scheme, sizeof scheme, "moreau-jean:theta=%.15g", theta);
    assert_between(gain_of(model, scheme), 0, 1e-14);
    assert_between(gain_of(model, others[k % 3]), 0, 1e-14);
  }
}

/* Columns of (H, T) with singular values in (0.29, 1.71), coefficients in their ranges, the same twice. */
DLS_TEST(the_model_keeps_its_promises)
{
  for (int k = 0; k < SYSTEMS; k++) {
    char model[160];
    name_system(k, 0.8, 0.3, "", model, sizeof model);
    dls_system *sys = dls_test_system(model), *again = dls_test_system(model);
    const size_t d = sys->d, rows = d * sys->m;
    gsl_matrix *A = gsl_matrix_alloc(sys->n, rows), *V = gsl_matrix_alloc(rows, rows);
    gsl_vector *values = gsl_vector_alloc(rows), *work = gsl_vector_alloc(rows);
    for (size_t i = 0; i < sys->n; i++) {
      for (size_t row = 0; row < rows; row++) {
        const size_t j = row / d, tangent = row % d;
        gsl_matrix_set(A, i, row,
                       tangent == 0 ? dls_matrix_get(sys->H, i, j)
                                    : dls_matrix_get(sys->T, i, j * (d - 1) + tangent - 1));
      }
    }
    gsl_linalg_SV_decomp(A, V, values, work);
    assert_between(gsl_vector_min(values), 0.29, 1);
    assert_between(gsl_vector_max(values), 1, 1.71);
    double velocity[15];
    dls_system_surface(sys, 0, sys->q0, velocity);
    for (size_t j = 0; j < sys->m; j++) {
      assert_between(sys->mu[j], 0, 1);
      assert_between(sys->e[j], 0, 0.8);
      assert_close(again->mu[j], sys->mu[j], 0);
    }
    for (size_t row = 0; row < rows - sys->m; row++) {
      assert_between(fabs(velocity[row]), 1e-9, 0.3);
    }
    gsl_matrix_free(A);
    gsl_matrix_free(V);
    gsl_vector_free(values);
    gsl_vector_free(work);
    dls_system_destroy(sys);
    dls_system_destroy(again);
  }
}

DLS_TEST(more_rows_than_degrees_of_freedom_are_refused)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_model_choice choice = dls_test_model("random-frictional:n=5,m=2,dim=3");
  assert_int_equal(dls_model_create(choice.model, choice.parameters, &sys, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "model random-frictional: m = 2 contacts of dim = 3 rows are more than n = 5");
  dls_model_choice_release(&choice);
}

static void same_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  (void)t, (void)q;
  for (size_t j = 0; j < dls_matrix_columns(T); j++) {
    for (size_t i = 0; i < sys->n; i++) {
      assert_int_equal(dls_matrix_set(T, i, j, dls_matrix_get(sys->T, i, j)), DLS_OK);
    }
  }
}

/* three-level-alpha updates what forces and impulses do where M and H are constant, and computes it anew where H may vary. */
DLS_TEST(what_is_updated_is_what_is_computed_anew)
{
  size_t impacts = 0;
  for (int k = 0; k < 20; k++) {
    char model[160];
    name_system(k, 0.5, k % 3, "", model, sizeof model);
    test_run constant = dls_test_run(model, "three-level-alpha", 0.01, 2);
    dls_system *sys = dls_test_system(model);
    sys->tangents = same_tangents;
    test_run varying = dls_test_run_of(sys, "three-level-alpha", 0.01, 2);
    for (size_t i = 0; i < sys->n; i++) {
      assert_close(constant.sim->q[i], varying.sim->q[i], 1e-9);
      assert_close(constant.sim->v[i], varying.sim->v[i], 1e-8);
    }
    assert_int_equal(constant.sim->work.impacts, varying.sim->work.impacts);
    impacts += constant.sim->work.impacts;
    dls_test_free(&constant);
    dls_test_free(&varying);
  }
  assert_between((double)impacts, 20, 10000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_step_balances),
      cmocka_unit_test(fremond_makes_none_in_its_range),
      cmocka_unit_test(the_model_keeps_its_promises),
      cmocka_unit_test(more_rows_than_degrees_of_freedom_are_refused),
      cmocka_unit_test(what_is_updated_is_what_is_computed_anew),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
