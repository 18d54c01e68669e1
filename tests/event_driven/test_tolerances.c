/* test_tolerances.c -- what the integrator may err by: each coordinate and each velocity by its own size; and that it asks for no state twice.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/tracker.h"
#include "runs.h"
#include <math.h>

enum { N = 3, IMPULSES = 2, SIZE = 2 * N + IMPULSES };
static const double length = 2, period = 0.5;

static void weights_of(const double *y, double *w)
{
  const dls_system sys = {.n = N, .length = length, .time = period};
  dls_tracker tr = {.n = N, .size = SIZE, .scale = 1, .sys = &sys};
  tr.eps.rtol = 1e-6;
  tr.eps.atol_q = 1e-9;
  tr.eps.atol_v = 1e-8;
  tr.eps.slack = 0.25;
  dls_tracker_weights(&tr, y, w);
}

/* rtol (min(|q|, l) + T |v|) + atol for q, rtol (|v| + min(|q|, l)/T) + atol for v, a quarter of both. */
DLS_TEST(weights_are_those_of_the_own_coordinate_and_velocity)
{
  const double y[SIZE] = {0.1, -7, 0, 3, 0.02, -40, 1, 2};
  double w[SIZE];
  weights_of(y, w);
  for (size_t i = 0; i < N; i++) {
    const double q = fmin(fabs(y[i]), length), v = fabs(y[N + i]);
    assert_close(w[i] * 0.25 * (1e-6 * (q + period * v) + 1e-9), 1, 1e-6);
    assert_close(w[N + i] * 0.25 * (1e-6 * (v + q / period) + 1e-8), 1, 1e-12);
  }
  assert_close(w[2 * N], w[2 * N + 1], 0); /* impulses: whatever they are */
}

/* The integrator, the search for events and the record ask for the same states in turn: forces are evaluated once. */
DLS_TEST(states_that_were_evaluated_are_remembered)
{
  test_run run = dls_test_run("belt", "event-driven", 1, 9);
  assert_between((double)run.sim->work.force_evals, 800, 1250); /* 1130; without the memory 1400 */
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_the_own_coordinate_and_velocity),
      cmocka_unit_test(states_that_were_evaluated_are_remembered),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
