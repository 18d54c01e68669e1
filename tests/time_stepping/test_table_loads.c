/* test_table_loads.c -- loads from a table: the impulse of a step that has a row of the table in it is that of the load, in every
 * scheme and for every step. Reference: integrals of piecewise linear functions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ledgers.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/scheme.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* L of a table, with the values of a jump in two rows; constant outside. */
typedef struct table {
  size_t rows;
  const double *t, *L;
} table;

static const double push_t[] = {0, 2, 2, 2.1, 2.1, 3}, push_L[] = {-1, -1, 1e4, 1e4, -1, -1};
static const table push = {6, push_t, push_L}; /* 1e4 N for 0.1 s beside the weight */
static const double pulse_t[] = {0, 2.03, 2.04, 2.05, 3}, pulse_L[] = {2, 2, 302, 2, 2};
static const table pulse = {5, pulse_t, pulse_L}; /* a triangle of 20 ms */
static const double kinks_t[] = {0, 0.7, 1.9, 3}, kinks_L[] = {0, 5, -3, 2};
static const table kinks = {4, kinks_t, kinks_L};

static const table *table_of(const dls_system *sys)
{
  return sys->data;
}

static double value(const table *p, double t)
{
  size_t k = 0;
  for (; k < p->rows && p->t[k] <= t; k++) {
  }
  if (k == 0 || k == p->rows) {
    return p->L[k == 0 ? 0 : k - 1];
  }
  const double x = (t - p->t[k - 1]) / (p->t[k] - p->t[k - 1]);
  return (1 - x) * p->L[k - 1] + x * p->L[k];
}

static double integral(const table *p, double a, double b)
{
  double sum = 0;
  for (size_t k = 0; k + 1 < p->rows; k++) {
    const double from = fmax(a, p->t[k]), to = fmin(b, p->t[k + 1]);
    const double slope = p->t[k + 1] > p->t[k] ? (p->L[k + 1] - p->L[k]) / (p->t[k + 1] - p->t[k]) : 0;
    sum += from < to ? (to - from) * (p->L[k] + slope * (0.5 * (from + to) - p->t[k])) : 0;
  }
  sum += fmax(0, fmin(b, p->t[0]) - a) * p->L[0];
  return sum + fmax(0, b - fmax(a, p->t[p->rows - 1])) * p->L[p->rows - 1];
}

static void load(const dls_system *sys, double t, double *F)
{
  memset(F, 0, sys->n * sizeof *F);
  F[0] = value(table_of(sys), t);
}

static void load_mean(const dls_system *sys, double a, double b, double *F)
{
  memset(F, 0, sys->n * sizeof *F);
  F[0] = integral(table_of(sys), a, b) / (b - a);
}

static double next(const dls_system *sys, double t, bool jumps)
{
  const table *p = table_of(sys);
  for (size_t k = 0; k < p->rows; k++) {
    if (p->t[k] > t && (!jumps || (k + 1 < p->rows && p->t[k + 1] == p->t[k]))) {
      return p->t[k];
    }
  }
  return INFINITY;
}

static double next_break(const dls_system *sys, double t)
{
  return next(sys, t, false);
}

static double next_switch(const dls_system *sys, double t)
{
  return next(sys, t, true);
}

/* n masses of 1 kg in a row, without springs unless k > 0; the first is loaded, and there are `contacts` far away, or near. */
static dls_system *masses(const table *p, size_t n, double k, bool contact)
{
  dls_system *sys = dls_system_create(n, contact ? 1 : 0);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(n);
  sys->K = k > 0 ? dls_matrix_band(n, 1, 1) : NULL;
  sys->H = contact ? dls_matrix_sparse(n, 1, 1) : NULL;
  assert_true(sys->M != NULL && (k == 0 || sys->K != NULL) && (!contact || sys->H != NULL));
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  for (size_t i = 0; k > 0 && i + 1 < n; i++) {
    dls_matrix_set(sys->K, i, i, dls_matrix_get(sys->K, i, i) + k);
    dls_matrix_set(sys->K, i + 1, i + 1, dls_matrix_get(sys->K, i + 1, i + 1) + k);
    dls_matrix_set(sys->K, i, i + 1, -k);
    dls_matrix_set(sys->K, i + 1, i, -k);
  }
  if (contact) {
    dls_matrix_set(sys->H, 0, 0, 1);
    sys->w[0] = 1e6; /* open all the time */
    sys->e[0] = 0.5;
  }
  sys->data = (void *)p;
  sys->load = load;
  sys->load_mean = load_mean;
  sys->next_break = next_break;
  sys->next_switch = next_switch;
  sys->explicit_time = DLS_TIME_EXPLICIT;
  dls_error err = {0};
  assert_ok(dls_system_check(sys, &err), err);
  return sys;
}

static bool by_step(const dls_scheme *scheme)
{
  return scheme->stepping != DLS_BY_EVENT;
}

/* Adaptive schemes too. */
static bool steps(const dls_scheme *scheme)
{
  return by_step(scheme) || scheme->family != DLS_FAMILY_EVENT_DRIVEN;
}

/* The momentum at the end of a run, some steps after the last row, when two-step schemes have applied the whole impulse. */
static double momentum(const char *scheme, const table *p, size_t n, double k, bool contact, double h,
                       double end)
{
  test_run run = dls_test_run_of(masses(p, n, k, contact), scheme, h, end);
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += run.sim->v[i];
  }
  sum -= integral(p, 0, run.sim->t);
  dls_test_free(&run);
  return sum;
}

/* Every scheme applies the whole impulse at every step length, if the load before and after the pulse is the same. */
DLS_TEST(every_scheme_by_step_has_the_impulse_of_a_pulse)
{
  static const double lengths[] = {0.25, 0.3, 0.04, 0.0125, 0.5, 2.05};
  for (size_t i = 0; dls_schemes()[i] != NULL; i++) {
    const dls_scheme *scheme = dls_schemes()[i];
    for (size_t k = 0; steps(scheme) && k < (by_step(scheme) ? sizeof lengths / sizeof lengths[0] : 1); k++) {
      const table *const loads[] = {&push, &pulse};
      for (size_t l = 0; l < 2; l++) {
        const double off = momentum(scheme->name, loads[l], 1, 0, !(scheme->handles & DLS_HANDLES_NO_CONTACT),
                                    lengths[k], 5 + 60 * lengths[k]);
        if (!(fabs(off) <= 1e-9)) {
          fail_msg("%s, h = %g, load %zu: the momentum is off by %g N s", scheme->name, lengths[k], l, off);
        }
      }
    }
  }
}

/* The integral of (T - t) L, by Simpson's rule on the pieces, where it is exact. */
static double displacement(const table *p, double T)
{
  double sum = 0;
  for (size_t k = 0; k + 1 < p->rows; k++) {
    const double a = p->t[k], b = p->t[k + 1], middle = 0.5 * (p->L[k] + p->L[k + 1]);
    sum += (b - a) / 6 * ((T - a) * p->L[k] + 4 * (T - 0.5 * (a + b)) * middle + (T - b) * p->L[k + 1]);
  }
  return sum;
}

/* Steps from the error end at the rows, so that the place is right too: the error of a pair does not see what is between its stages. */
DLS_TEST(steps_from_the_error_end_at_rows)
{
  const table *const loads[] = {&push, &pulse, &kinks};
  for (size_t l = 0; l < 3; l++) {
    for (int means = 0; means < 2; means++) {
      dls_system *sys = masses(loads[l], 1, 0, true);
      sys->load_mean = means == 1 ? load_mean : NULL;
      test_run run = dls_test_run_of(sys, "splitting-rkf45-adaptive", 0, 3);
      const double q = displacement(loads[l], 3), v = integral(loads[l], 0, 3);
      assert_close(run.sim->q[0], q, 1e-12 * fmax(1, fabs(q)));
      assert_close(run.sim->v[0], v, 1e-12 * fmax(1, fabs(v)));
      dls_test_free(&run);
    }
  }
}

/* The sweeps over tridiagonal factors, and a chain on the general path. */
DLS_TEST(sweeps_have_the_impulse_too)
{
  static const char *const schemes[] = {
      "moreau-jean",   "moreau-jean:theta=1",         "moreau-jean-variant", "nonsmooth-newmark",
      "nonsmooth-hht", "nonsmooth-generalized-alpha", "schatzman-paoli"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (size_t n = 5; n <= 65; n += 60) {
      const double off = momentum(schemes[i], &push, n, 50, true, 0.03, 5);
      if (!(fabs(off) <= 1e-9)) {
        fail_msg("%s, %zu masses: the momentum is off by %g N s", schemes[i], n, off);
      }
    }
  }
}

/* A run up to a row, and one that knows of no rows at all, have the same bits there; and so they have where all rows are nodes of
 * kinks. */
static void assert_same_bits(const char *scheme, double h, double end)
{
  dls_system *plain = masses(&kinks, 3, 20, true);
  plain->load_mean = NULL;
  test_run a = dls_test_run_of(masses(&kinks, 3, 20, true), scheme, h, end),
           b = dls_test_run_of(plain, scheme, h, end);
  assert_true(a.traj->rows == b.traj->rows && a.traj->columns == b.traj->columns);
  for (size_t row = 0; row < a.traj->rows; row++) {
    for (size_t j = 0; j < a.traj->columns; j++) {
      assert_close(dls_trajectory_at(a.traj, row, j), dls_trajectory_at(b.traj, row, j), 0);
    }
  }
  dls_test_free(&a);
  dls_test_free(&b);
}

DLS_TEST(steps_without_a_row_keep_their_bits)
{
  for (size_t i = 0; dls_schemes()[i] != NULL; i++) {
    const dls_scheme *scheme = dls_schemes()[i];
    if (by_step(scheme) && !(scheme->handles & DLS_HANDLES_NO_CONTACT)) {
      assert_same_bits(scheme->name, 0.0625, 0.5);
    }
  }
}

/* Energy identities stay identities in steps with a row. */
DLS_TEST(ledgers_close_over_rows)
{
  size_t checked = 0;
  for (size_t i = 0; dls_schemes()[i] != NULL; i++) {
    const dls_scheme *scheme = dls_schemes()[i];
    if (!by_step(scheme) || scheme->balance == NULL || (scheme->handles & DLS_HANDLES_NO_CONTACT)) {
      continue;
    }
    dls_system *sys = masses(&push, 3, 20, true);
    dls_energy_ledger *ledger = dls_test_ledger_of(sys, scheme->name, 0.03, 3);
    if (!(dls_test_residual(ledger) <= 1e-12)) {
      fail_msg("%s: the identity is off by %g of the scale", scheme->name, dls_test_residual(ledger));
    }
    dls_energy_destroy(ledger);
    dls_system_destroy(sys);
    checked++;
  }
  assert_true(checked > 8);
}

/* Kinks inside steps do not reduce the order: 2 without contact. */
DLS_TEST(order_two_stays_over_kinks)
{
  static const char *const schemes[] = {
      "moreau-jean",       "nonsmooth-newmark",          "nonsmooth-generalized-alpha",
      "three-level-alpha", "central-difference-penalty", "energy-preserving"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    double error[3];
    for (size_t k = 0; k < 3; k++) {
      const double h = 0.05 / (double)(1 << 2 * k) * 1.0173;
      test_run run = dls_test_run_of(masses(&kinks, 2, 4, true), schemes[i], h, 3);
      test_run fine = dls_test_run_of(masses(&kinks, 2, 4, true), "moreau-jean",
                                      run.sim->t / (128. * (double)run.sim->step), run.sim->t);
      error[k] = fabs(run.sim->q[0] - fine.sim->q[0]) + fabs(run.sim->v[1] - fine.sim->v[1]);
      dls_test_free(&run);
      dls_test_free(&fine);
    }
    assert_between(log(error[0] / error[2]) / log(16), 1.7, 2.6);
    assert_between(error[2], 1e-9, 1e-4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_scheme_by_step_has_the_impulse_of_a_pulse),
      cmocka_unit_test(steps_from_the_error_end_at_rows),
      cmocka_unit_test(sweeps_have_the_impulse_too),
      cmocka_unit_test(steps_without_a_row_keep_their_bits),
      cmocka_unit_test(ledgers_close_over_rows),
      cmocka_unit_test(order_two_stays_over_kinks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
