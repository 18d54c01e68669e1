/* test_step_model_energy.c -- the energy identities of the step models, whose contact problems are linearised or swept: to rounding on
 * random systems with springs, dampers and loads, for any options; with friction, moving surfaces and tables of loads in the ledger.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "audit.h"
#include "ledgers.h"
#include "models.h"
#include <math.h>

static const char *const schemes[] = {
    "stewart-trinkle:restitution=own",
    "stewart-trinkle:restitution=own,gamma=0.3",
    "anitescu-potra",
    "convex-step:restitution=own",
    "chrono-nsc",
    "sequential-impulse",
    "sequential-impulse:sweeps=2,warm_start=0.5",
    "sequential-impulse:stabilise=split",
    "sequential-impulse:stabilise=none,order=friction-first",
    "xpbd",
    "xpbd:substeps=1",
    "xpbd:substeps=3,iterations=2,compliance=1e-3",
    "soft-step",
    "soft-step:restitution_threshold=0",
    "soft-step:restitution_threshold=0,substeps=1",
};
enum { SCHEMES = sizeof schemes / sizeof schemes[0] };

/* No step leaves more than rounding, in systems with impacts. */
DLS_TEST(identities_hold_on_random_systems)
{
  for (size_t i = 0; i < SCHEMES; i++) {
    double worst = 0, impacts = 0, numerical = 0;
    for (unsigned long seed = 0; seed < AUDIT_SEEDS; seed++) {
      audit a;
      audit_begin(&a, random_system(seed, 1, 1), schemes[i], 0.01 * (double)(1 + seed % 10));
      for (int k = 0; k < AUDIT_STEPS; k++) {
        audit_step(&a);
        worst = fmax(worst, fabs(a.residual) / a.scale);
        impacts += a.works.impact != 0;
        numerical = fmax(numerical, fabs(a.numerical) / a.scale);
      }
      audit_end(&a);
    }
    print_message("  %s: residual %.2g, numerical up to %.2g, %g steps with impacts\n", schemes[i], worst,
                  numerical, impacts);
    assert_between(worst, 0, 1e-12);
    assert_between(impacts, 100, AUDIT_SEEDS * AUDIT_STEPS);
    assert_true(numerical > 1e-4);
  }
}

/* In flight without forces there is no numerical work; with a steady load it is -1/2 h^2 |F|^2/m per substep. */
DLS_TEST(numerical_work_of_a_falling_ball)
{
  static const struct {
    const char *scheme;
    int substeps;
  } of[] = {{"stewart-trinkle:restitution=own", 1}, {"sequential-impulse", 1}, {"xpbd", 20}, {"soft-step", 4}};
  const double h = 0.01;
  for (size_t i = 0; i < 4; i++) {
    dls_energy_ledger *l = dls_test_ledger("bouncing-ball", of[i].scheme, h, 0.5);
    const double expected = -0.5 * 4 * h * h / of[i].substeps * (double)l->steps;
    assert_close(dls_energy_numerical(l), expected, 1e-12);
    assert_close(l->last - l->start, expected, 1e-12);
    dls_energy_destroy(l);
  }
}

/* A bounce of a ball without load: impact is -1/2 (1 - e^2) m V^2, and nothing is numerical, in substeps too. */
DLS_TEST(impacts_lose_what_the_law_says)
{
  static const char *const of[] = {"anitescu-potra", "sequential-impulse", "xpbd",
                                   "soft-step:restitution_threshold=0"};
  for (size_t i = 0; i < 4; i++) {
    dls_energy_ledger *l = dls_test_ledger("bouncing-ball:f=0,v0=-2,e=0.5,q0=0.5", of[i], 0.01, 0.5);
    assert_close(l->last - l->start, -0.5 * (1 - 0.25) * 4, 1e-10);
    if (i < 2) { /* in substeps the work of the impulses is not that of their sum */
      assert_close(l->impact, -0.5 * (1 - 0.25) * 4, 1e-10);
    }
    assert_close(l->residual, 0, 1e-12 * l->scale);
    dls_energy_destroy(l);
  }
}

DLS_TEST(ledgers_close_with_friction_and_moving_supports)
{
  static const char *const models[] = {"bounce-slip", "random-frictional", "belt", "incline",
                                       "vibrating-table"};
  for (size_t k = 0; k < 5 * SCHEMES; k++) {
    dls_energy_ledger *l = dls_test_ledger(models[k / SCHEMES], schemes[k % SCHEMES], 5e-3, 1);
    assert_non_null(l->balance);
    if (!(fabs(l->residual) <= 1e-12 * l->scale)) {
      fail_msg("%s, %s: %g of %g at t = %g", models[k / SCHEMES], schemes[k % SCHEMES], l->residual, l->scale,
               l->residual_time);
    }
    dls_energy_destroy(l);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(identities_hold_on_random_systems),
      cmocka_unit_test(numerical_work_of_a_falling_ball),
      cmocka_unit_test(impacts_lose_what_the_law_says),
      cmocka_unit_test(ledgers_close_with_friction_and_moving_supports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
