/* test_newmark_coefficients.c -- coefficients of the nonsmooth Newmark family: members that coincide, stability, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newmark_systems.h"
#include <stdio.h>
#include <string.h>

/* Largest difference of two runs in q and v at the last node. */
static double difference(const char *model, const char *one, const char *other, double h, double end)
{
  test_run a = dls_test_run(model, one, h, end);
  test_run b = dls_test_run(model, other, h, end);
  double largest = 0;
  for (size_t i = 0; i < a.sys->n; i++) {
    largest = fmax(largest, fabs(a.sim->q[i] - b.sim->q[i]) + fabs(a.sim->v[i] - b.sim->v[i]));
  }
  assert_true(a.sim->work.impacts > 0);
  assert_int_equal(a.sim->work.impacts, b.sim->work.impacts);
  dls_test_free(&a);
  dls_test_free(&b);
  return largest;
}

/* 2 beta = gamma = theta is the Moreau-Jean variant. */
DLS_TEST(newmark_contains_the_moreau_jean_variant)
{
  for (double theta = 0.5; theta <= 1; theta += 0.125) {
    char newmark[80], variant[80];
    snprintf(newmark, sizeof newmark, "nonsmooth-newmark:gamma=%.17g,beta=%.17g", theta, theta / 2);
    snprintf(variant, sizeof variant, "moreau-jean-variant:theta=%.17g", theta);
    assert_close(difference("impacting-oscillator:c=0.2", newmark, variant, 0.01, 9), 0, 1e-13);
    assert_close(difference("bouncing-ball", newmark, variant, 0.01, 2.9), 0, 1e-13);
    assert_close(difference("bouncing-pendulum", newmark, variant, 0.01, 0.9), 0,
                 1e-2); /* M, H differ in place */
  }
}

DLS_TEST(members_of_the_family_coincide)
{
  static const char *const pairs[][2] = {
      {"nonsmooth-hht:alpha=0", "nonsmooth-newmark"},
      {"nonsmooth-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0,beta=0.49,gamma=0.9",
       "nonsmooth-newmark:gamma=0.9,beta=0.49"},
      {"nonsmooth-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0.25,beta=0.390625,gamma=0.75",
       "nonsmooth-hht:alpha=0.25"},
      {"nonsmooth-generalized-alpha:parameters=free,alpha_m=0.5,alpha_f=0.5,beta=0.25,gamma=0.5",
       "nonsmooth-generalized-alpha:rho_inf=1"},
      {"nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0,alpha_f=0,beta=0.25,gamma=0.5",
       "nonsmooth-newmark"},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
    assert_close(difference("impacting-oscillator:c=0.2", pairs[i][0], pairs[i][1], 0.01, 9), 0, 0);
    assert_close(difference("bouncing-ball", pairs[i][0], pairs[i][1], 0.01, 2.9), 0, 0);
  }
  for (size_t i = 0; i < 4; i++) { /* the first four are no Krenk-Hogsberg */
    assert_close(difference("bouncing-pendulum", pairs[i][0], pairs[i][1], 0.01, 0.9), 0, 0);
  }
  /* without damping and load, Krenk-Hogsberg is generalized-alpha */
  assert_close(difference("impacting-oscillator", "nonsmooth-kh-generalized-alpha",
                          "nonsmooth-generalized-alpha", 0.01, 9),
               0, 1e-12);
}

/* Largest |q| over the second half of 40000 steps of q'' + Omega^2 q = 0 with h = 1, q = 1, v = 0. */
static double late_amplitude(const char *scheme, double Omega)
{
  dls_error err = {0};
  scalar_data d = {.m = 1, .k = Omega * Omega, .e = -1, .q0 = 1};
  dls_system *sys = scalar_system(&d);
  dls_sim *sim = sim_of(sys, scheme);
  double largest = 0;
  assert_ok(dls_sim_start(sim, &err), err);
  for (size_t k = 0; k < 40000 && largest < 1e6; k++) {
    assert_ok(dls_sim_advance(sim, 1, &err), err);
    largest = k >= 20000 || fabs(sim->q[0]) > 1e6 ? fmax(largest, fabs(sim->q[0])) : largest;
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return largest;
}

/* A little inside each boundary of the range nothing grows for any h omega; a little outside something does. */
DLS_TEST(refused_coefficients_are_unstable)
{
  static const struct {
    const char *format; /* of what is moved across its bound */
    double inside, outside;
  } cases[] = {
      {"nonsmooth-newmark:beta=0.5,stability=ignore,gamma=%.17g", 0.5, 0.48},
      {"nonsmooth-newmark:gamma=0.7,stability=ignore,beta=%.17g", 0.35, 0.33},
      {"nonsmooth-generalized-alpha:parameters=free,stability=ignore,alpha_m=0.1,alpha_f=0.3,beta=0.4,gamma=%."
       "17g",
       0.71, 0.68},
      {"nonsmooth-generalized-alpha:parameters=free,stability=ignore,alpha_m=0.1,alpha_f=0.3,gamma=0.8,beta=%."
       "17g",
       0.4, 0.38},
      {"nonsmooth-generalized-alpha:parameters=free,stability=ignore,alpha_m=0.4,gamma=1,beta=0.6,alpha_f=%."
       "17g",
       0.5, 0.53},
      {"nonsmooth-generalized-alpha:parameters=free,stability=ignore,alpha_m=0.3,alpha_f=0.1,beta=0.4,gamma=%."
       "17g",
       0.51, 0.48},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    for (int outside = 0; outside < 2; outside++) {
      char scheme[200];
      snprintf(scheme, sizeof scheme, cases[i].format, outside ? cases[i].outside : cases[i].inside);
      double largest = 0;
      for (double Omega = 0.1; Omega < 1e4; Omega *= 2) {
        largest = fmax(largest, late_amplitude(scheme, Omega));
      }
      assert_between(largest, outside ? 1e3 : 0, outside ? HUGE_VAL : 50);
    }
  }
}

/* Amplitude factor per step at an infinite frequency; a triple root, so that (1 + 2/k) is on top after k steps. */
DLS_TEST(rho_inf_is_the_spectral_radius_at_infinity)
{
  static const double rhos[] = {0.6, 0.8, 0.9};
  for (size_t i = 0; i < 3; i++) {
    dls_error err = {0};
    char scheme[80];
    scalar_data d = {.m = 1, .k = 1e14, .e = -1, .q0 = 1};
    dls_system *sys = scalar_system(&d);
    snprintf(scheme, sizeof scheme, "nonsmooth-generalized-alpha:rho_inf=%g", rhos[i]);
    dls_sim *sim = sim_of(sys, scheme);
    double last = 0;
    assert_ok(dls_sim_start(sim, &err), err);
    for (size_t k = 0; k < 400; k++) {
      last = sim->v[0];
      assert_ok(dls_sim_advance(sim, 1, &err), err);
    }
    assert_between(-sim->v[0] / last / rhos[i], 1, 1.015);
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
}

DLS_TEST(coefficients_out_of_range_are_refused)
{
  static const struct {
    const char *scheme, *message;
  } cases[] = {
      {"nonsmooth-newmark:gamma=0.9,beta=0.1", "scheme nonsmooth-newmark: gamma = 0.9, beta = 0.1 is not "
                                               "unconditionally stable, which needs 2 beta >= gamma >= 1/2; "
                                               "stability=ignore accepts it"},
      {"nonsmooth-newmark:gamma=0.4", "gamma = 0.4, beta = 0.25 is not unconditionally stable"},
      {"nonsmooth-generalized-alpha:parameters=free,gamma=0.5",
       "alpha_m = 0.333333, alpha_f = 0.444444, gamma = 0.5, beta = 0.308642 is not unconditionally stable, "
       "which "
       "needs alpha_m, alpha_f <= 1/2 and 2 beta >= gamma >= 1/2 + max(0, alpha_f - alpha_m)"},
      {"nonsmooth-kh-generalized-alpha:parameters=free,alpha_m=0.4,gamma=0.7,beta=0.4",
       "is not proved dissipative"},
      {"nonsmooth-generalized-alpha:gamma=0.7", "gamma = 0.7 has no effect with parameters=rho_inf"},
      {"nonsmooth-generalized-alpha:parameters=free,rho_inf=0.5", "rho_inf = 0.5 has no effect with "
                                                                  "parameters=free"},
      {"nonsmooth-hht:alpha=0.4", "alpha = 0.4 is outside [0, 0.33333"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_error err = {0};
    dls_scheme_choice choice;
    assert_int_equal(dls_scheme_choose(cases[i].scheme, &choice, &err), DLS_ERR_OPTION);
    if (strstr(err.text, cases[i].message) == NULL) {
      fail_msg("%s: %s", cases[i].scheme, err.text);
    }
  }
}

/* Options set one by one are checked when the run starts. */
DLS_TEST(start_checks_coefficients_too)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball", "nonsmooth-newmark");
  assert_ok(dls_sim_set(run.sim, "gamma=0.9", &err), err);
  assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "scheme nonsmooth-newmark: gamma = 0.9, beta = 0.25 is not"));
  assert_ok(dls_sim_set(run.sim, "stability=ignore", &err), err);
  assert_ok(dls_sim_start(run.sim, &err), err);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(newmark_contains_the_moreau_jean_variant),
      cmocka_unit_test(members_of_the_family_coincide),
      cmocka_unit_test(refused_coefficients_are_unstable),
      cmocka_unit_test(rho_inf_is_the_spectral_radius_at_infinity),
      cmocka_unit_test(coefficients_out_of_range_are_refused),
      cmocka_unit_test(start_checks_coefficients_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
