/* test_dissipation.c -- signs of the terms of the energy identities, inside the ranges of dissipation and outside.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "audit.h"
#include <stdio.h>

/* No load: H' - H - damping <= 0, term by term, and H' <= H without damping. */
DLS_TEST(schemes_dissipate_inside_their_ranges)
{
  static const char *const schemes[] = {
      "moreau-jean-variant",
      "moreau-jean-variant:theta=0.75",
      "moreau-jean-variant:theta=1",
      "nonsmooth-newmark",
      "nonsmooth-newmark:gamma=0.6,beta=0.3025",
      "nonsmooth-newmark:gamma=1,beta=0.5",
      "nonsmooth-newmark:gamma=1,beta=1",
      "nonsmooth-hht",
      "nonsmooth-hht:alpha=0.33333333333333331",
      "nonsmooth-kh-generalized-alpha:rho_inf=0",
      "nonsmooth-kh-generalized-alpha:rho_inf=0.5",
      "nonsmooth-kh-generalized-alpha:rho_inf=0.8",
      "nonsmooth-kh-generalized-alpha:rho_inf=1",
      "nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=-0.3,alpha_f=0,beta=0.6,gamma=1.1"};
  for (size_t k = 0; k < sizeof schemes / sizeof schemes[0] * 2; k++) {
    const double damping = (double)(k % 2);
    for (unsigned long seed = 0; seed < AUDIT_SEEDS; seed++) {
      audit a;
      audit_begin(&a, random_system(seed, damping, 0), schemes[k / 2], 0.05);
      const double rounding = 1e-14 * a.after;
      for (int i = 0; i < AUDIT_STEPS; i++) {
        audit_step(&a);
        assert_between(a.works.impact, -HUGE_VAL, rounding);
        for (size_t j = 0; a.balance->terms[j].name != NULL; j++) {
          assert_between(a.works.term[j], -HUGE_VAL, rounding);
        }
        assert_between(a.after - a.before - a.works.damping, -HUGE_VAL, rounding);
        assert_between(a.after, 0, HUGE_VAL);
      }
      audit_end(&a);
    }
  }
}

/* Moreau-Jean for 1/2 <= theta <= 1/(1+e), with damping too: its work is -h v_theta^T C v_theta. */
DLS_TEST(moreau_jean_dissipates_up_to_its_bound)
{
  static const double thetas[] = {0.5, 0.6, 0.75, 1};
  for (size_t k = 0; k < 4; k++) {
    for (unsigned long seed = 0; seed < AUDIT_SEEDS; seed++) {
      char scheme[60];
      snprintf(scheme, sizeof scheme, "moreau-jean:theta=%g", thetas[k]);
      dls_system *sys = random_system(seed, seed % 2 == 0, 0);
      for (size_t j = 0; j < sys->m; j++) {
        sys->e[j] *= 1 / thetas[k] - 1;
      }
      audit a;
      audit_begin(&a, sys, scheme, 0.05);
      const double rounding = 1e-14 * a.after;
      for (int i = 0; i < AUDIT_STEPS; i++) {
        audit_step(&a);
        assert_between(a.after - a.before, -HUGE_VAL, rounding);
        assert_between(a.works.impact + a.works.term[2], -HUGE_VAL, rounding); /* U_theta^T P */
        assert_between(a.works.damping, -HUGE_VAL, rounding);
      }
      audit_end(&a);
    }
  }
}

/* A mass on a spring (and a damper) that hits the wall at its rest position with speed V. */
static dls_system *wall(double m, double k, double c, double e, double V)
{
  dls_system *sys = dls_system_create(1, 1);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  sys->K = dls_matrix_diagonal(1);
  sys->C = dls_matrix_diagonal(1);
  sys->H = dls_matrix_diagonal(1);
  dls_matrix_set(sys->M, 0, 0, m);
  dls_matrix_set(sys->K, 0, 0, k);
  dls_matrix_set(sys->C, 0, 0, c);
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->e[0] = e;
  sys->v0[0] = -V;
  return sys;
}

/* v' = e V and q' = h V (theta (1 + e) - 1): the wall throws the mass up the spring. */
DLS_TEST(moreau_jean_gains_energy_beyond_its_bound)
{
  static const struct {
    double theta, e;
  } cases[] = {{1, 1}, {0.75, 1}, {0.6, 1}, {1, 0.999}, {0.5, 1}};
  const double m = 2, k = 300, h = 0.05, V = 1.5;
  for (size_t i = 0; i < 5; i++) {
    char scheme[60];
    const double reach = h * V * (cases[i].theta * (1 + cases[i].e) - 1);
    const double gain = k / 2 * reach * reach - m / 2 * (1 - cases[i].e * cases[i].e) * V * V;
    audit a;
    snprintf(scheme, sizeof scheme, "moreau-jean:theta=%g", cases[i].theta);
    audit_begin(&a, wall(m, k, 0, cases[i].e, V), scheme, h);
    audit_step(&a);
    assert_close(a.after - a.before, gain, 1e-14);
    assert_true(i == 4 || gain > 0.01); /* of 2.25 J; theta = 1/2 conserves */
    audit_end(&a);
    snprintf(scheme, sizeof scheme, "moreau-jean-variant:theta=%g", cases[i].theta);
    audit_begin(&a, wall(m, k, 0, cases[i].e, V), scheme, h);
    audit_step(&a);
    assert_between(a.after - a.before, -HUGE_VAL, 1e-15);
    audit_end(&a);
  }
}

/* The damping work of the variant has no sign: dq = -(h/2) (1 - e) V, v_theta = e V for theta = 1. */
DLS_TEST(damping_work_of_the_variant_may_be_positive)
{
  const double c = 0.8, e = 0.5, h = 0.05, V = 1.5;
  audit a;
  audit_begin(&a, wall(2, 0, c, e, V), "moreau-jean-variant:theta=1", h);
  audit_step(&a);
  assert_close(a.works.damping, c * h / 2 * e * (1 - e) * V * V, 1e-15);
  audit_end(&a);
  audit_begin(&a, wall(2, 0, c, e, V), "moreau-jean:theta=1", h);
  audit_step(&a);
  assert_close(a.works.damping, -c * h * e * e * V * V, 1e-15);
  audit_end(&a);
}

/* Largest gain of a step, impact and numerical terms together, relative to the energy; and H at the end / start. */
static double worst_gain(const char *scheme, double damping, double load, double *growth)
{
  double worst = -HUGE_VAL;
  *growth = 0;
  for (unsigned long seed = 0; seed < 20; seed++) {
    audit a;
    audit_begin(&a, random_system(seed, damping, load), scheme, 0.05);
    const double first = a.after;
    for (int i = 0; i < AUDIT_STEPS; i++) {
      audit_step(&a);
      worst = fmax(worst, (a.works.impact + a.numerical) / a.scale);
    }
    *growth = fmax(*growth, a.after / first);
    audit_end(&a);
  }
  return worst;
}

DLS_TEST(ranges_are_needed)
{
  static const struct {
    const char *scheme;
    double damping, load, low, high; /* of the gain */
  } all[] = {
      {"nonsmooth-newmark:gamma=0.4,beta=0.25,stability=ignore", 0, 0, 1e-3, 1}, /* gamma < 1/2 */
      {"nonsmooth-newmark:gamma=0.5,beta=0.25", 0, 0, -1, 1e-14},
      {"nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0.4,beta=0.4,gamma=0.6,stability="
       "ignore",
       0, 0, 1e-3, 1}, /* alpha_f - alpha_m > gamma - 1/2 */
      {"nonsmooth-kh-generalized-alpha:rho_inf=0.5", 1, 1, -1, 1e-14},
      {"nonsmooth-generalized-alpha:rho_inf=0.5", 1, 0, 1e-4, 1}, /* no sign with damping or load */
      {"nonsmooth-generalized-alpha:rho_inf=0.5", 0, 1, 1e-4, 1},
      {"nonsmooth-generalized-alpha:rho_inf=0.5", 0, 0, -1, 1e-14},
  };
  for (size_t k = 0; k < sizeof all / sizeof all[0]; k++) {
    double growth = 0;
    const double gain = worst_gain(all[k].scheme, all[k].damping, all[k].load, &growth);
    assert_between(gain, all[k].low, all[k].high);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(schemes_dissipate_inside_their_ranges),
      cmocka_unit_test(moreau_jean_dissipates_up_to_its_bound),
      cmocka_unit_test(moreau_jean_gains_energy_beyond_its_bound),
      cmocka_unit_test(damping_work_of_the_variant_may_be_positive),
      cmocka_unit_test(ranges_are_needed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
