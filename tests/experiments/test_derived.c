/* test_derived.c -- the use of friction along a run: impulses over the mean slip lie on Coulomb's graph with Fremond's law, by steps and
 * by events, and not with Newton-Coulomb. Works of contact: against the energy, at rest, whatever is recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/energy/derived.h"
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
  assert_ok(dls_derive(run.traj, run.sys, run.sim->scheme, &wide, &err), err);
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
  assert_ok(dls_derive(run.traj, run.sys, run.sim->scheme, &wide, &err), err);
  assert_int_equal(dls_trajectory_column(wide, "slip0"), -1);
  assert_true(dls_trajectory_column(wide, "force0") > 0);
  assert_true(dls_trajectory_column(wide, "energy") > 0);
  dls_trajectory_destroy(wide);
  dls_test_free(&run);
}

/* --- works of contact --- */

static dls_trajectory *derived(const test_run *run)
{
  dls_trajectory *wide = NULL;
  dls_error err = {0};
  assert_ok(dls_derive(run->traj, run->sys, run->sim->scheme, &wide, &err), err);
  return wide;
}

static double named(const dls_trajectory *traj, size_t row, const char *name)
{
  const int column = dls_trajectory_column(traj, name);
  assert_true(column > 0);
  return dls_trajectory_at(traj, row, (size_t)column);
}

/* What is lost, and what the weight does, is all that changes the energy of the ball: through impacts, an accumulation, rest. The
 * velocity of schatzman-paoli is that of the middle of two steps: g h^2/8 less. */
DLS_TEST(work_of_contact_is_the_energy_that_the_ball_loses)
{
  static const struct {
    const char *scheme;
    double within;
  } runs[] = {{"moreau-jean", 1e-13},      {"nonsmooth-newmark:gamma=0.5,beta=0.25", 1e-13},
              {"schatzman-paoli", 1.1e-3}, {"event-driven", 1e-11},
              {"rk-moreau", 1e-9},         {"conserving-penalty:kappa=1e4", 1e-11}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    test_run run = dls_test_run("bouncing-ball:e=0.5,f=-2,m=3", runs[i].scheme, 0.01, 4);
    dls_trajectory *wide = derived(&run);
    const size_t last = wide->rows - 1;
    const double v = run.sim->v[0], gain = 1.5 * v * v + 2 * (run.sim->q[0] - named(wide, 0, "q0"));
    assert_close(named(wide, last, "work_normal"), gain, runs[i].within);
    assert_close(named(wide, 0, "work_normal"), 0, 0);
    dls_trajectory_destroy(wide);
    dls_test_free(&run);
  }
}

/* v^T H lambda = 0: nothing that is closed and stays so does work, however large its force. */
DLS_TEST(contacts_that_stay_closed_work_nothing)
{
  static const char *const runs[][2] = {{"block-column", "moreau-jean"},
                                        {"bead-column:N=20,gap=0,e=0.5", "moreau-jean:theta=0.8"},
                                        {"bead-column:N=20,gap=0,e=0.5", "nonsmooth-generalized-alpha"},
                                        {"lattice-pile", "moreau-jean"}};
  for (size_t i = 0; i < sizeof runs / sizeof runs[0]; i++) {
    test_run run = dls_test_run(runs[i][0], runs[i][1], 1e-2, 1);
    dls_trajectory *wide = derived(&run);
    double worst = 0, pushed = 0;
    for (size_t row = 0; row < wide->rows; row++) {
      worst = fmax(worst, fabs(named(wide, row, "work_normal")));
      pushed += value(wide, row, "p", 0);
    }
    assert_between(pushed, 1e-2, 1e6);
    assert_close(worst, 0, 1e-12 * pushed);
    dls_trajectory_destroy(wide);
    dls_test_free(&run);
  }
}

/* Energy of the belt's block: what friction takes, and what the belt puts in by its speed of 0.5 m/s times the friction force. */
DLS_TEST(friction_takes_what_the_belt_gives_and_the_block_does_not_get)
{
  static const struct {
    const char *scheme;
    double within;
  } runs[] = {{"moreau-jean", 1e-12}, {"event-driven", 3e-5}};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run("belt", runs[i].scheme, 0.01, 10);
    dls_trajectory *wide = derived(&run);
    const size_t last = wide->rows - 1;
    double given = 0;
    for (size_t row = 1; row < wide->rows; row++) {
      const double h = dls_trajectory_at(wide, row, 0) - dls_trajectory_at(wide, row - 1, 0);
      const double smooth = 0.5 * h * (named(wide, row, "lambda0t") + named(wide, row - 1, "lambda0t"));
      given += 0.5 * (i == 0 ? named(wide, row, "p0t") : smooth);
    }
    assert_between(given, 1, 10);
    assert_close(named(wide, last, "work_friction") + given,
                 named(wide, last, "energy") - named(wide, 0, "energy"), runs[i].within);
    assert_close(named(wide, last, "work_normal"), 0, 1e-15);
    dls_trajectory_destroy(wide);
    dls_test_free(&run);
  }
}

static double thinned(const char *model, const char *scheme, dls_recording keep, bool friction)
{
  test_run run = dls_test_prepare(model, scheme);
  dls_error err = {0};
  assert_ok(dls_derive_record(run.traj, run.sys, run.sim->scheme, &err), err);
  assert_ok(
      dls_run(run.sim, &(dls_run_spec){.step = 0.01, .end = 4, .record = run.traj, .recording = keep}, &err),
      err);
  dls_trajectory *wide = derived(&run);
  const double work = named(wide, wide->rows - 1, friction ? "work_friction" : "work_normal");
  assert_int_equal(dls_trajectory_column(wide, "work_normal"), (int)wide->columns - (run.sys->d > 1 ? 2 : 1));
  dls_trajectory_destroy(wide);
  dls_test_free(&run);
  return work;
}

DLS_TEST(works_are_of_all_nodes_whatever_is_recorded)
{
  static const char *const runs[][2] = {{"bouncing-ball", "moreau-jean"},
                                        {"bouncing-ball", "event-driven"},
                                        {"belt", "event-driven"},
                                        {"puck", "moreau-jean"}};
  const double at[] = {0.5, 1, 2.345, 4};
  for (size_t i = 0; i < 4; i++) {
    const double all = thinned(runs[i][0], runs[i][1], (dls_recording){.every = 1}, i > 1);
    const double few = thinned(runs[i][0], runs[i][1], (dls_recording){.every = 7}, i > 1);
    const double some = thinned(runs[i][0], runs[i][1], (dls_recording){.at_count = 4, .at = at}, i > 1);
    test_run run = dls_test_run(runs[i][0], runs[i][1], 0.01, 4);
    dls_trajectory *wide = derived(&run);
    assert_between(all, -5, -0.01);
    assert_close(named(wide, wide->rows - 1, i > 1 ? "work_friction" : "work_normal"), all, 0);
    assert_close(few, all, 0);
    assert_close(some, all, 0);
    dls_trajectory_destroy(wide);
    dls_test_free(&run);
  }
}

/* Between two nodes as on a straight line. */
DLS_TEST(works_at_times_lie_between_those_of_nodes)
{
  const double at[] = {3.3};
  const dls_recording keep = {.at_count = 1, .at = at};
  test_run run = dls_test_prepare("belt", "event-driven"), all = dls_test_run("belt", "event-driven", 0, 4);
  dls_error err = {0};
  assert_ok(dls_derive_record(run.traj, run.sys, run.sim->scheme, &err), err);
  assert_ok(dls_run(run.sim, &(dls_run_spec){.end = 4, .record = run.traj, .recording = keep}, &err), err);
  dls_trajectory *wide = derived(&all);
  size_t row = 1;
  while (dls_trajectory_at(wide, row, 0) < at[0]) {
    row++;
  }
  const double t0 = dls_trajectory_at(wide, row - 1, 0),
               s = (at[0] - t0) / (dls_trajectory_at(wide, row, 0) - t0);
  const double w0 = named(wide, row - 1, "work_friction"), w1 = named(wide, row, "work_friction");
  assert_between(w0 - w1, 1e-5, 1);
  assert_close(dls_test_value(&run, 0, "work_friction"), (1 - s) * w0 + s * w1, 1e-12);
  dls_trajectory_destroy(wide);
  dls_test_free(&run);
  dls_test_free(&all);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_of_fremond_lie_on_the_graph_of_coulomb),
      cmocka_unit_test(impulses_of_newton_coulomb_do_not),
      cmocka_unit_test(kane_is_pushed_along),
      cmocka_unit_test(only_contacts_in_the_plane_have_them),
      cmocka_unit_test(work_of_contact_is_the_energy_that_the_ball_loses),
      cmocka_unit_test(contacts_that_stay_closed_work_nothing),
      cmocka_unit_test(friction_takes_what_the_belt_gives_and_the_block_does_not_get),
      cmocka_unit_test(works_are_of_all_nodes_whatever_is_recorded),
      cmocka_unit_test(works_at_times_lie_between_those_of_nodes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
