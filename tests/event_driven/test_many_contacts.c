/* test_many_contacts.c -- random linear systems whose contacts throw each other off while they come to rest: nested
 * accumulations are passed, and no contact is violated.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"

static size_t count_kind(const dls_trajectory *traj, dls_event_kind kind)
{
  size_t count = 0;
  for (size_t i = 0; i < traj->event_count; i++) {
    count += traj->events[i].kind == kind;
  }
  return count;
}

static void nested_accumulations_are_passed(void **state)
{
  (void)state;
  static const int seeds[] = {1, 3, 5}; /* 1 and 3: a resting contact is thrown off with its gap at -1e-11 */
  for (size_t i = 0; i < 3; i++) {
    char model[80];
    snprintf(model, sizeof model, "random-linear:n=20,m=8,seed=%d", seeds[i]);
    test_run run = dls_test_run(model, "event-driven", 0, 2.5);
    assert_close(run.sim->t, 2.5, 0);
    assert_between(run.sim->worst_gap, -1e-10, 0);
    assert_between((double)count_kind(run.traj, DLS_ACCUMULATION), 1, 2000);
    assert_between((double)count_kind(run.traj, DLS_IMPACT), 50, 20000);
    dls_test_free(&run);
  }
}

static void inelastic_contacts_that_throw_each_other_off_come_to_rest(void **state)
{
  (void)state; /* the reference: moreau-jean, steps of 1e-4 and 2e-5, extrapolated */
  test_run run = dls_test_run("random-linear:m=3,seed=4,e=0", "event-driven", 0, 10);
  assert_close(run.sim->q[0], 0.165118, 2e-6);
  assert_close(run.sim->q[1], -0.324994, 6e-6);
  assert_between(run.sim->worst_gap, -1e-10, 0);
  assert_between((double)count_kind(run.traj, DLS_IMPACT), 50, 400);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nested_accumulations_are_passed),
      cmocka_unit_test(inelastic_contacts_that_throw_each_other_off_come_to_rest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
