/* test_derived.c -- the use of friction along a run: impulses over the mean slip lie on Coulomb's graph with Fremond's law, by steps and
 * by events, and not with Newton-Coulomb.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/study/derived.h"
#include "runs.h"
#include <math.h>

typedef struct tally {
  size_t impulses, along; /* along: friction pushes in the direction of the mean slip */
  double off;             /* largest distance from Coulomb's graph */
} tally;

static double value(const dls_trajectory *traj, size_t row, const char *prefix, size_t j)
{
  char name[32];
  snprintf(name, sizeof name, "%s%zu", prefix, j);
  const int column = dls_trajectory_column(traj, name);
  assert_true(column > 0);
  return dls_trajectory_at(traj, row, (size_t)column);
}

static tally count(const char *model, const char *scheme, bool steps, double end)
{
  test_run run = dls_test_run(model, scheme, steps ? 2e-3 : 0, end);
  dls_trajectory *wide = NULL;
  dls_error err = {0};
  tally t = {0};
  assert_ok(dls_derive(run.traj, run.sys, steps, &wide, &err), err);
  for (size_t k = 0; k < wide->rows * run.sys->m; k++) {
    const size_t i = k / run.sys->m, j = k % run.sys->m;
    const double slip = value(wide, i, "slip", j), drag = value(wide, i, "drag", j);
    if (value(wide, i, "p", j) == 0) {
      assert_true(slip == 0 && drag == 0);
      continue;
    }
    t.impulses++;
    t.along += slip * drag > 1e-9;
    t.off = fmax(t.off, fmin(fabs(slip), slip * drag < 0 ? 1 - fabs(drag) : INFINITY));
    assert_between(drag, -1 - 1e-9, 1 + 1e-9);
  }
  dls_trajectory_destroy(wide);
  dls_test_free(&run);
  return t;
}

DLS_TEST(impulses_of_fremond_lie_on_the_graph_of_coulomb)
{
  const tally block = count("elastic-block:nx=2,e=0.9,mu=0.6,g=9.81 fremond", "moreau-jean", true, 2);
  assert_between((double)block.impulses, 500, 10000);
  assert_close(block.off, 0, 1e-9);
  assert_int_equal(block.along, 0);
  /* before the first accumulation, which is one row with what friction did in its time */
  const tally events =
      count("random-frictional:seed=3,n=8,m=3,dim=2,e=0.8 fremond", "event-driven", false, 0.75);
  assert_between((double)events.impulses, 5, 20);
  assert_close(events.off, 0, 1e-9);
}

DLS_TEST(impulses_of_newton_coulomb_do_not)
{
  const tally block = count("elastic-block:nx=2,e=0.9,mu=0.6,g=9.81 newton-coulomb", "moreau-jean", true, 2);
  assert_between((double)block.impulses, 500, 10000);
  assert_between(block.off, 0.1, 2);
  assert_between((double)block.along, 10, 1000);
}

/* Newton-Coulomb at e = mu = 1/2, Kane's numbers. */
DLS_TEST(kane_is_pushed_along)
{
  const tally kane = count("kane newton-coulomb", "moreau-jean", true, 0.01);
  assert_int_equal(kane.impulses, 1);
  assert_int_equal(kane.along, 1);
  const tally fremond = count("kane fremond", "moreau-jean", true, 0.01);
  assert_int_equal(fremond.impulses, 1);
  assert_int_equal(fremond.along, 0);
  assert_close(fremond.off, 0, 1e-12);
}

DLS_TEST(only_contacts_in_the_plane_have_them)
{
  test_run run = dls_test_run("puck", "moreau-jean", 0.1, 0.1);
  dls_trajectory *wide = NULL;
  dls_error err = {0};
  assert_ok(dls_derive(run.traj, run.sys, true, &wide, &err), err);
  assert_int_equal(dls_trajectory_column(wide, "slip0"), -1);
  assert_true(dls_trajectory_column(wide, "force0") > 0);
  assert_true(dls_trajectory_column(wide, "energy") > 0);
  dls_trajectory_destroy(wide);
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_fremond_lie_on_the_graph_of_coulomb),
      cmocka_unit_test(impulses_of_newton_coulomb_do_not),
      cmocka_unit_test(kane_is_pushed_along),
      cmocka_unit_test(only_contacts_in_the_plane_have_them),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
