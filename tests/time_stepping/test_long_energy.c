/* test_long_energy.c -- RR-8602, section 7, asks whether a dissipated algorithmic energy keeps the motion bounded. An oscillator
 * that is driven at resonance against its wall, over 10^6 steps: the energy stays where its own damping and impacts bring it, in
 * every scheme whose balance is known to dissipate; a scheme that misses the restitution leaves all bounds.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>

#define MODEL "impacting-oscillator:e=0.8,c=0.05,amplitude=0.3,omega=2"

/* The largest energy of the first tenth and of the rest of `steps` steps. */
static void largest(const char *scheme, double h, size_t steps, double *early, double *late)
{
  test_run run = dls_test_prepare(MODEL, scheme);
  dls_error err = {0};
  assert_ok(dls_sim_start(run.sim, &err), err);
  *early = *late = 0;
  for (size_t i = 0; i < steps; i++) {
    assert_int_equal(dls_sim_advance(run.sim, h, &err), DLS_OK);
    const double q = run.sim->q[0], v = run.sim->v[0], energy = 0.5 * (q * q + v * v);
    double *most = i < steps / 10 ? early : late;
    *most = fmax(*most, energy);
  }
  dls_test_free(&run);
}

DLS_TEST(energies_stay_bounded_over_a_million_steps)
{
  static const char *const schemes[] = {
      "moreau-jean",   "moreau-jean-variant:theta=0.6", "nonsmooth-newmark",
      "nonsmooth-hht", "nonsmooth-generalized-alpha",   "nonsmooth-kh-generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
    const struct {
      double h;
      size_t steps;
    } cases[] = {{0.05, 1000000}, {0.02, 1000000}, {0.005, 200000}};
    for (size_t k = 0; k < 3; k++) {
      double early, late;
      largest(schemes[i], cases[k].h, cases[k].steps, &early, &late);
      print_message("  %s, h = %g: %.4f J, then %.4f J\n", schemes[i], cases[k].h, early, late);
      assert_between(early, 1, 1.2);
      assert_between(late, 1, 1.2);
    }
  }
}

DLS_TEST(a_scheme_that_misses_the_restitution_does_not)
{
  double early, late;
  largest("newmark-velocity-contact", 0.02, 2000, &early, &late);
  print_message("  newmark-velocity-contact: %.4g J, then %.4g J\n", early, late);
  assert_true(late > 100);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energies_stay_bounded_over_a_million_steps),
      cmocka_unit_test(a_scheme_that_misses_the_restitution_does_not),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
