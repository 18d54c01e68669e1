/* test_impulse_orders.c -- orders of sequential-impulse, xpbd and soft-step with random steps, in L1: one where the scheme has a limit,
 * none where it has not, or where its limit is not rigid contact with e. References: exact solutions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>

typedef struct claim {
  const char *model, *scheme;
  double end, h_first, h_last, low, high, least, most; /* order of q; its error at h_last [m] */
} claim;

static void check(const claim *claims, size_t count)
{
  for (const claim *c = claims; c < claims + count; c++) {
    const dls_fit fit =
        dls_test_order((test_study){c->model, c->scheme, "l1", "q", c->end, c->h_first, c->h_last, 6, 6});
    print_message("  %s by %s: %.2f\n", c->model, c->scheme, fit.order);
    assert_between(fit.order, c->low, c->high);
    assert_between(fit.constant * pow(c->h_last, fit.order), c->least, c->most);
  }
}

DLS_TEST(impacts_have_order_one)
{
  static const claim claims[] = {
      {"bouncing-ball", "sequential-impulse", 4, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 4e-3},
      {"impacting-oscillator", "sequential-impulse:stabilise=split", 10, 2e-2, 1e-3, 0.85, 1.3, 5e-4, 1e-2},
      {"bouncing-ball", "xpbd:substeps=1", 4, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 4e-3},
      {"impacting-oscillator", "xpbd:substeps=1", 10, 2e-2, 1e-3, 0.85, 1.2, 3e-4, 4e-3},
      {"bouncing-ball", "soft-step:restitution_threshold=0", 4, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 4e-3},
      {"impacting-oscillator", "soft-step:restitution_threshold=0", 10, 2e-2, 1e-3, 0.85, 1.2, 3e-4, 4e-3}};
  check(claims, sizeof claims / sizeof *claims);
}

/* Twenty substeps have a twentieth of the error. */
DLS_TEST(errors_of_xpbd_fall_with_its_substeps)
{
  static const claim claims[] = {{"bouncing-ball", "xpbd", 4, 2e-2, 4e-3, 0.85, 1.25, 1e-4, 4e-4},
                                 {"bouncing-ball", "xpbd:substeps=1", 4, 2e-2, 4e-3, 0.75, 1.15, 2e-3, 8e-3}};
  check(claims, sizeof claims / sizeof *claims);
}

/* Baumgarte with e < beta, the threshold after the solve, that of soft-step, and friction without a bound. */
DLS_TEST(some_have_no_order)
{
  static const claim claims[] = {
      {"bouncing-ball:e=0", "sequential-impulse", 4, 2e-3, 3e-4, -0.6, 0.75, 3e-4, 4e-3},
      {"bouncing-ball:e=0", "sequential-impulse:stabilise=split", 4, 2e-2, 2e-3, 0.8, 1.2, 3e-4, 3e-3},
      {"bouncing-ball", "xpbd:substeps=1,threshold=after", 4, 2e-3, 3e-4, -0.4, 0.5, 2e-3, 2e-2},
      {"bouncing-ball", "soft-step", 4, 5e-3, 1e-3, -0.1, 0.2, 1e-2, 4e-2},
      {"impacting-oscillator", "soft-step", 10, 2e-2, 4e-3, -0.05, 0.05, 1, 3}};
  check(claims, sizeof claims / sizeof *claims);
}

DLS_TEST(friction_has_order_one)
{
  static const claim claims[] = {
      {"incline", "sequential-impulse", 1, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 3e-3},
      {"incline:mu=0.7", "sequential-impulse:sweeps=4", 1, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 3e-3},
      {"incline", "xpbd:substeps=1", 1, 2e-2, 1e-3, 0.85, 1.15, 3e-4, 3e-3},
      {"incline", "soft-step", 1, 2e-2, 1e-3, 0.85, 1.15, 5e-5, 1e-3},
      {"incline:mu=0.7", "soft-step", 1, 2e-2, 1e-3, 0.85, 1.15, 5e-5, 1e-3},
      {"incline", "sequential-impulse:sweeps=1,order=friction-first", 1, 2e-2, 1e-3, 0.8, 1.15, 5e-5, 1e-3},
      {"incline", "sequential-impulse:sweeps=1,order=friction-first,warm_start=0", 1, 2e-2, 1e-3, -0.15, 0.1,
       0.05, 0.2}};
  check(claims, sizeof claims / sizeof *claims);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_have_order_one),
      cmocka_unit_test(errors_of_xpbd_fall_with_its_substeps),
      cmocka_unit_test(some_have_no_order),
      cmocka_unit_test(friction_has_order_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
