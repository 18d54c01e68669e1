/* test_impact_drift.c -- the systematic error of impact times, derived in docs/notes/orders-measured.md: under a
 * constant force every impact shifts the following ones by b h,   b = [(1 + e)(theta + gamma - 1/2) - 1] / e on
 * average over the phase of the grid. Through an accumulation the graph distance of v is then O(h log 1/h), and
 * O(h) up to the noise of the phases where b = 0.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { FIRST = 5, LAST = 8, RUNS = 150 }; /* impacts counted, after the start-up of order e^n; grid phases */

static double ball_impact_time(int n) /* e = 1/2: 1, 2, 2.5, 2.75, ... */
{
  return 3 - ldexp(1, 1 - n);
}

/* Mean over RUNS steps of the slope of (numerical - exact impact time)/h over the impacts FIRST to LAST. */
static double mean_drift(const char *options)
{
  char scheme[120];
  double sum = 0;
  srand(1);
  snprintf(scheme, sizeof scheme, "moreau-jean:%s", options);
  for (int r = 0; r < RUNS; r++) {
    const double h = 1e-4 * (1 + (double)rand() / RAND_MAX);
    dls_error err = {0};
    test_run run = dls_test_prepare("bouncing-ball", scheme);
    run.traj->skip_nodes = true;
    const dls_run_spec spec = {.step = h, .end = 2.999, .record = run.traj};
    assert_ok(dls_run(run.sim, &spec, &err), err);
    const dls_event *events = run.traj->events;
    assert_true(run.traj->event_count > LAST);
    const double first = events[FIRST].t - ball_impact_time(FIRST);
    const double last = events[LAST].t - ball_impact_time(LAST);
    sum += (last - first) / (h * (LAST - FIRST));
    dls_test_free(&run);
  }
  return sum / RUNS;
}

static double predicted_drift(double theta, double gamma)
{
  const double e = 0.5;
  return ((1 + e) * (theta + gamma - 0.5) - 1) / e;
}

DLS_TEST(impact_times_drift_as_derived)
{
  assert_close(mean_drift("theta=0.5,gamma=1"), predicted_drift(0.5, 1), 0.12); /* +1 */
  assert_close(mean_drift("theta=0.5,gamma=0"), predicted_drift(0.5, 0), 0.12); /* -2 */
  assert_close(mean_drift("theta=1,gamma=1"), predicted_drift(1, 1), 0.12);     /* +5/2 */
  assert_close(mean_drift("theta=0.75,gamma=0.5"), predicted_drift(0.75, 0.5), 0.12);
}

/* theta + gamma = 1/2 + 1/(1+e), e.g. theta = 1/(1+e) with gamma = 1/2. */
DLS_TEST(drift_vanishes_for_balanced_parameters)
{
  assert_close(mean_drift("theta=0.66666666666666663,gamma=0.5"), 0, 0.12);
  assert_close(mean_drift("theta=0.5,gamma=0.66666666666666663"), 0, 0.12);
}

static double graph_order(const char *scheme, const char *model, double end)
{
  return dls_test_order((test_study){model, scheme, "hausdorff", "v", end, 3e-3, 1e-4, 6, 8}).order;
}

DLS_TEST(graph_distance_has_order_one_without_accumulation)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:gamma=0.5", "moreau-jean:gamma=0",
                                        "schatzman-paoli"};
  for (size_t i = 0; i < 4; i++) {
    assert_between(graph_order(schemes[i], "bouncing-ball", 2.4), 0.93, 1.08);
    assert_between(graph_order(schemes[i], "impacting-oscillator", 10), 0.93, 1.1);
  }
}

DLS_TEST(accumulation_costs_a_logarithm_unless_balanced)
{
  assert_between(graph_order("moreau-jean:gamma=0", "bouncing-ball", 4), 0.7, 0.87);
  assert_between(graph_order("moreau-jean", "bouncing-ball", 4), 0.78, 0.93);
  assert_between(graph_order("moreau-jean:theta=0.66666666666666663,gamma=0.5", "bouncing-ball", 4), 0.94,
                 1.06);
  assert_between(graph_order("moreau-jean:gamma=0.66666666666666663", "bouncing-ball", 4), 0.94, 1.06);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impact_times_drift_as_derived),
      cmocka_unit_test(drift_vanishes_for_balanced_parameters),
      cmocka_unit_test(graph_distance_has_order_one_without_accumulation),
      cmocka_unit_test(accumulation_costs_a_logarithm_unless_balanced),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
