/* test_discrete_works.c -- works as schemes count them, by their own quadrature, against the integrals that they stand for: what loads, dampers,
 * contact and supports have done by the end of a run. Smooth motion: the order of the quadrature; with impacts: O(h), one step each.
 * Source: Acary 2014 (RR-8602), sections 5 and 6, where W^ext and W^damp are said to approximate integrals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "ledgers.h"
#include <delassus/fit.h>
#include <math.h>

enum { LEVELS = 7, REPEATS = 6 };

static double last(const dls_energy_ledger *l, const char *column)
{
  return dls_test_entry(l, l->rows->rows - 1, column);
}

/* Numbers of steps from `first` on, in ratios of 2, and at each level some more: impacts fall anywhere in their steps. */
static double step_of(double end, size_t first, size_t level, size_t repeat)
{
  const double count = (double)first * pow(2, (double)level) * (1 + 0.11 * (double)repeat);
  return end / floor(count);
}

/* The order of |discrete - exact| of a column at the end. */
static dls_fit order_of(const char *model, const char *scheme, const char *column, double exact, double end,
                        size_t first)
{
  double h[LEVELS * REPEATS], error[LEVELS * REPEATS];
  size_t count = 0;
  for (size_t k = 0; k < LEVELS; k++) {
    for (size_t r = 0; r < REPEATS; r++, count++) {
      h[count] = step_of(end, first, k, r);
      dls_energy_ledger *l = dls_test_ledger(model, scheme, h[count], end);
      error[count] = fabs(last(l, column) - exact);
      dls_energy_destroy(l);
    }
  }
  dls_fit fit;
  dls_error err = {0};
  assert_ok(dls_fit_order(count, h, error, 1e-12, &fit, &err), err);
  return fit;
}

typedef struct claim {
  const char *scheme, *column;
  double low, high;
} claim;

static void hold(const char *model, double end, size_t first, const claim *claims, size_t count)
{
  dls_energy_ledger *exact = dls_test_ledger(model, "event-driven", 0, end);
  for (size_t i = 0; i < count; i++) {
    const double integral = last(exact, claims[i].column);
    assert_between(fabs(integral), 1e-3, 100);
    const dls_fit fit = order_of(model, claims[i].scheme, claims[i].column, integral, end, first);
    if (!(fit.order >= claims[i].low && fit.order <= claims[i].high && fit.constant < 1e3)) {
      fail_msg("%s, %s, %s: order %g, constant %g, not in [%g, %g]", model, claims[i].scheme, claims[i].column,
               fit.order, fit.constant, claims[i].low, claims[i].high);
    }
  }
  dls_energy_destroy(exact);
}

/* Momentum: the sum of h F_theta against the integral of the load, (A/omega) (sin(omega t + phi) - sin phi). */
DLS_TEST(impulses_of_a_load_are_those_of_the_quadrature)
{
  static const claim claims[] = {{"moreau-jean", "px", 1.95, 2.05},
                                 {"moreau-jean:theta=0.7", "px", 0.9, 1.15},
                                 {"moreau-jean:theta=1", "px", 0.9, 1.15},
                                 {"nonsmooth-newmark:gamma=0.5,beta=0.25", "px", 1.95, 2.05},
                                 {"nonsmooth-newmark:gamma=0.7,beta=0.4", "px", 0.9, 1.15},
                                 {"nonsmooth-generalized-alpha:rho_inf=0.5", "px", 1.9, 2.1},
                                 {"conserving-penalty", "px", 1.95, 2.05}};
  static const char model[] = "impacting-oscillator:k=0,q0=100,v0=0.5,amplitude=0.8,omega=3,phase=0.4,m=2";
  const double end = 2, exact = 1 + 0.8 / 3 * (sin(3 * end + 0.4) - sin(0.4));
  for (size_t i = 0; i < sizeof claims / sizeof claims[0]; i++) {
    const dls_fit fit = order_of(model, claims[i].scheme, "px", exact, end, 20);
    assert_between(fit.order, claims[i].low, claims[i].high);
    assert_between(fit.constant, 1e-4, 10);
  }
}

/* No impact: the works have the order of the scheme. */
DLS_TEST(works_of_smooth_motion_have_the_order_of_the_scheme)
{
  static const claim claims[] = {{"moreau-jean", "sum_external", 1.9, 2.1},
                                 {"moreau-jean", "sum_damping", 1.9, 2.1},
                                 {"moreau-jean:theta=0.8", "sum_external", 0.9, 1.1},
                                 {"moreau-jean:theta=0.8", "sum_damping", 0.9, 1.1},
                                 {"nonsmooth-newmark:gamma=0.5,beta=0.25", "sum_damping", 1.9, 2.1},
                                 {"nonsmooth-hht", "sum_external", 1.8, 2.2},
                                 {"conserving-penalty", "sum_damping", 1.9, 2.1}};
  hold("impacting-oscillator:q0=3,v0=1,c=0.3,amplitude=0.5,omega=2,f=4", 2, 25, claims,
       sizeof claims / sizeof claims[0]);
}

/* Through impacts every work is of first order: that of contact by where in its step an impact is, the others by the time in which they act. */
DLS_TEST(works_through_impacts_are_of_first_order)
{
  static const claim claims[] = {{"moreau-jean", "sum_external", 0.8, 1.35},
                                 {"moreau-jean", "sum_damping", 0.8, 1.35},
                                 {"moreau-jean", "sum_normal", 0.8, 1.35},
                                 {"moreau-jean:theta=0.55", "sum_damping", 0.8, 1.35},
                                 {"nonsmooth-newmark:gamma=0.5,beta=0.25", "sum_normal", 0.8, 1.35},
                                 {"nonsmooth-generalized-alpha", "sum_external", 0.8, 1.35},
                                 {"schatzman-paoli", "sum_damping", 0.8, 1.35}};
  hold("impacting-oscillator:c=0.1,amplitude=0.3,omega=2,e=0.8", 6, 120, claims,
       sizeof claims / sizeof claims[0]);
}

/* A ball carried by a table that moves, always in contact: the impulse of a step is that of the acceleration of the table over the step
 * before. */
DLS_TEST(works_of_a_drive_are_of_first_order)
{
  static const claim claims[] = {{"moreau-jean", "sum_drive", 0.9, 1.1},
                                 {"nonsmooth-newmark:gamma=0.5,beta=0.25", "sum_drive", 0.9, 1.1}};
  hold("vibrating-table:m=2,A=0.05,omega=10,phase=1.5707963267948966,q0=0.05,v0=0", 0.2, 20, claims, 2);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_a_load_are_those_of_the_quadrature),
      cmocka_unit_test(works_of_smooth_motion_have_the_order_of_the_scheme),
      cmocka_unit_test(works_through_impacts_are_of_first_order),
      cmocka_unit_test(works_of_a_drive_are_of_first_order),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
