/* test_energy_preserving.c -- energy, order, joints and impacts of the midpoint rule with discrete derivatives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "multibody_runs.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

DLS_TEST(energy_and_joints_are_kept_to_rounding)
{
  const struct {
    const char *model;
    double step, end, drift;
  } cases[] = {{"lens-cardona-a", 0.02, 3, 1e-12},         {"lens-cardona-b", 0.02, 3, 1e-12},
               {"lens-cardona-b", 0.1, 30, 1e-12},         {"lens-cardona-c", 0.005, 3, 1e-11},
               {"lens-cardona-d", 0.001, 2, 1e-10},        {"four-bar", 0.01, 10, 1e-11},
               {"four-bar:N=3", 0.01, 4, 1e-11},           {"pendulum-chain:N=40,wall=-2", 2e-3, 0.4, 1e-11},
               {"lens-cardona-a:theta0=3", 0.2, 60, 1e-11}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const test_ledger l = dls_test_energies(cases[i].model, "energy-preserving", cases[i].step, cases[i].end);
    print_message("  %s: %.2g J, |phi| %.2g\n", cases[i].model, l.most - l.least, l.joints);
    assert_between(l.most - l.least, 0, cases[i].drift);
    assert_between(l.joints, 0, 1e-12);
  }
}

/* Without discrete derivatives the same rule keeps no energy: this is what they are there for. */
DLS_TEST(another_midpoint_rule_does_not)
{
  const test_ledger l = dls_test_energies("lens-cardona-a", "moreau-jean-variant:theta=0.5", 0.02, 3);
  assert_between(l.most - l.least, 1e-5, 1e-1);
}

DLS_TEST(order_is_two)
{
  static const char *const columns[] = {"q", "v"};
  for (size_t k = 0; k < 4; k++) {
    const test_study study = {.model = k < 2 ? "lens-cardona-a" : "lens-cardona-b",
                              .scheme = "energy-preserving",
                              .norm = "max",
                              .of = columns[k % 2],
                              .end = 1,
                              .h_first = 0.02,
                              .h_last = 1e-3,
                              .levels = 8,
                              .repeats = 2};
    const dls_fit fit = dls_test_order(study);
    print_message("  %s, %s: %.3f\n", study.model, study.of, fit.order);
    assert_between(fit.order, 1.9, 2.1);
  }
}

static double multiplier_error(double h, double late)
{
  return dls_test_multiplier_error("lens-cardona-b", "energy-preserving", h, 1, late);
}

DLS_TEST(multipliers_belong_to_the_middle_of_the_step)
{
  const double middle = log2(multiplier_error(0.01, 0.5) / multiplier_error(0.005, 0.5));
  const double end = log2(multiplier_error(0.01, 0) / multiplier_error(0.005, 0));
  print_message("  orders of mu: %.3f in the middle, %.3f at the end\n", middle, end);
  assert_between(middle, 1.9, 2.1);
  assert_between(end, 0.9, 1.1);
}

/* Theory of the double pendulum: the state at t = 1 by an extrapolation with 25 digits. */
DLS_TEST(the_double_pendulum_tends_to_its_reference)
{
  static const double q[] = {0.1032833635460717, -0.9946519727093542, -0.8900192495101276, -0.8791101235994911};
  double error[2] = {0, 0};
  for (size_t k = 0; k < 2; k++) {
    test_run run = dls_test_run("lens-cardona-c", "energy-preserving", k == 0 ? 0.004 : 0.002, 1);
    for (size_t i = 0; i < 4; i++) {
      error[k] = fmax(error[k], fabs(run.sim->q[i] - q[i]));
    }
    dls_test_free(&run);
  }
  assert_between(error[1], 1e-6, 1e-3);
  assert_between(log2(error[0] / error[1]), 1.95, 2.05);
}

/* All directors against the exact ones; Euler's angles fail here, as the axis passes within 1e-6 rad of hanging down. */
DLS_TEST(the_heavy_top_has_order_two)
{
  const test_orders order = dls_test_orders((test_study){"heavy-top", "energy-preserving", "grid-l1", NULL,
                                                         .end = 0.1, 1e-3, 1e-4, .levels = 8, .repeats = 2});
  assert_between(order.q.order, 1.97, 2.03);
  assert_between(order.v.order, 1.97, 2.03);
  test_run run = dls_test_run("heavy-top", "energy-preserving", 0.002, 0.1);
  assert_between(fabs(run.sim->q[5] + 0.1491647005619), 5e-5, 1e-4);
  dls_test_free(&run);
  const test_ledger l = dls_test_energies("heavy-top", "energy-preserving", 0.002, 0.8);
  assert_between((l.most - l.least) / l.first, 0, 1e-13);
  assert_between(l.joints, 0, 1e-13);
}

/* A parallelogram with one window: reference by elliptic functions. The gradients' least singular value falls to 4e-4. */
DLS_TEST(the_four_bar_passes_its_singular_configurations)
{
  test_run run = dls_test_run("four-bar", "energy-preserving", 0.01, 10);
  double nearest = 1;
  for (size_t i = 0; i < run.traj->rows; i++) {
    nearest = fmin(nearest, fabs(dls_test_value(&run, i, "q1"))); /* y of the rods' ends: stretched out at 0 */
  }
  assert_between(nearest, 0, 0.01);
  assert_close(run.sim->q[0], 0.4783850578, 2e-3);
  assert_close(run.sim->q[1], 0.8781501788, 2e-3);
  assert_between(fabs(run.sim->q[0] - 0.4783850578), 1e-4, 2e-3);
  dls_test_free(&run);
}

typedef struct impact_ledger {
  test_ledger rest; /* of the energy less the impacts' */
  double impacts;   /* J: sum of 1/2 (U + U') P */
  double *v;
} impact_ledger;

/* The energy changes by 1/2 (U + U') P in an impact and by nothing else. */
static dls_status impact_energy(void *data, const dls_sim *sim, dls_error *err)
{
  impact_ledger *l = data;
  (void)err;
  for (size_t j = 0; j < sim->sys->m; j++) {
    l->impacts += 0.5 * sim->p[j] * (sim->v[2 * j] + l->v[2 * j]);
  }
  for (size_t i = 0; i < sim->sys->n; i++) {
    l->v[i] = sim->v[i];
  }
  const double E = dls_test_mechanical(sim) - l->impacts;
  l->rest.least = fmin(l->rest.least, E);
  l->rest.most = fmax(l->rest.most, E);
  return DLS_OK;
}

DLS_TEST(impacts_of_a_chain_change_the_energy_by_their_work)
{
  enum { LINKS = 10 };
  dls_error err = {0};
  double v[2 * LINKS] = {0};
  impact_ledger l = {.rest = {.least = HUGE_VAL, .most = -HUGE_VAL}, .v = v};
  test_run run = dls_test_prepare("pendulum-chain", "energy-preserving");
  const dls_run_spec spec = {.step = 0.002, .end = 1.5, .watch = impact_energy, .watch_data = &l};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  assert_between((double)run.sim->work.impacts, 3, 1000);
  assert_between(-l.impacts, 0.01, 3);
  assert_between(l.rest.most - l.rest.least, 0, 1e-11);
  dls_test_free(&run);
}

/* Energy and that of the penalty, kappa/2 min(y, 0)^2 with the dynamic gap, which is the gap of a straight wall. */
static dls_status penalty_energy(void *data, const dls_sim *sim, dls_error *err)
{
  impact_ledger *l = data;
  double E = dls_test_mechanical(sim);
  (void)err;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double g = sim->q[2 * j] + 0.2;
    E += g < 0 ? 0.5 * 1e4 * g * g : 0;
    l->impacts = fmax(l->impacts, sim->lambda[j]);
  }
  l->rest.least = fmin(l->rest.least, E);
  l->rest.most = fmax(l->rest.most, E);
  return DLS_OK;
}

DLS_TEST(contacts_that_yield_keep_the_energy)
{
  dls_error err = {0};
  impact_ledger l = {.rest = {.least = HUGE_VAL, .most = -HUGE_VAL}};
  test_run run = dls_test_prepare("pendulum-chain", "energy-preserving:contact=penalty,kappa=1e4");
  const dls_run_spec spec = {.step = 0.001, .end = 1.5, .watch = penalty_energy, .watch_data = &l};
  assert_ok(dls_run(run.sim, &spec, &err), err);
  print_message("  %.2g J, force up to %.3g N\n", l.rest.most - l.rest.least, l.impacts);
  assert_between(l.impacts, 10, 1e4);
  assert_between(run.sim->worst_gap, -0.1, -1e-4);
  assert_between(l.rest.most - l.rest.least, 0, 1e-11);
  dls_test_free(&run);
}

static dls_status refused(const char *model, double step, dls_error *err)
{
  test_run run = dls_test_prepare(model, "energy-preserving");
  const dls_status status = dls_run(run.sim, &(dls_run_spec){.step = step, .end = 1}, err);
  dls_test_free(&run);
  return status;
}

DLS_TEST(what_it_cannot_do_is_said)
{
  dls_error err = {0};
  assert_int_equal(refused("rough-bowl", 0.01, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "does not treat friction"));
  assert_int_equal(refused("lens-cardona-d", 0.01, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "energy-preserving at t = 0.8: Newton's method left a velocity increment"));
}

/* Distance at t = 1 from the rope with e = 1: of first order in m1, 3.5e-3 and 4.9e-4 m of exact solutions. */
DLS_TEST(light_masses_make_a_rope)
{
  const struct {
    const char *model;
    double step, low, high;
  } cases[] = {{"rope-limit:m1=5e-3", 1e-4, 3.4e-3, 3.6e-3}, {"rope-limit:m1=5e-4", 2e-5, 4.7e-4, 5.4e-4}};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run(cases[i].model, "energy-preserving", cases[i].step, 1);
    const double *q = run.sim->q;
    assert_between(hypot(q[2] + 0.6084639691, q[3] + 1.1190586833), cases[i].low, cases[i].high);
    dls_test_free(&run);
  }
}

/* A failed step leaves the trajectory up to it. */
DLS_TEST(an_unconverged_step_keeps_what_was_computed)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("lens-cardona-d", "energy-preserving");
  const dls_run_spec spec = {.step = 0.01, .end = 2, .record = run.traj};
  assert_int_equal(dls_run(run.sim, &spec, &err), DLS_ERR_NOCONV);
  assert_false(run.traj->complete);
  assert_int_equal(run.traj->rows, 81);
  assert_string_equal(run.traj->failure, err.text);
  dls_test_free(&run);
}

/* Contacts that have tangents but no friction, and one that moves, are those of the conserving penalty. */
DLS_TEST(penalties_of_rough_models_and_of_moving_supports)
{
  static const struct {
    const char *model;
    double end, within;
  } cases[] = {{"bounce-slip:mu=0", 0.6, 1e-5},
               {"block-column:rows=2,mu=0", 0.02, 1e-9},
               {"vibrating-table", 0.6, 1e-3}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    test_run own =
        dls_test_run(cases[k].model, "energy-preserving:contact=penalty,kappa=1e5", 1e-3, cases[k].end);
    test_run other = dls_test_run(cases[k].model, "conserving-penalty:kappa=1e5", 1e-3, cases[k].end);
    for (size_t i = 0; i < own.sys->n; i++) {
      assert_close(own.sim->q[i], other.sim->q[i], cases[k].within);
    }
    dls_test_free(&own);
    dls_test_free(&other);
  }
}

/* There J is a sum of constant matrices. Springs as contacts are a part of it. */
DLS_TEST(linear_systems_are_factored_once)
{
  const struct {
    const char *model, *scheme;
    size_t least, most;
  } cases[] = {{"elastic-bar:n=20", "energy-preserving", 1, 1},
               {"elastic-bar:n=20", "energy-preserving:contact=penalty", 600, 2000},
               {"random-linear:n=12,m=4", "energy-preserving", 1, 1}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_run run = dls_test_run(cases[i].model, cases[i].scheme, 1e-3, 0.6);
    assert_true(run.sim->step == 600);
    assert_true(i == 1 || run.sim->work.impacts > 0);
    assert_between((double)run.sim->work.factorizations, (double)cases[i].least, (double)cases[i].most);
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(energy_and_joints_are_kept_to_rounding),
      cmocka_unit_test(another_midpoint_rule_does_not),
      cmocka_unit_test(order_is_two),
      cmocka_unit_test(multipliers_belong_to_the_middle_of_the_step),
      cmocka_unit_test(the_double_pendulum_tends_to_its_reference),
      cmocka_unit_test(the_heavy_top_has_order_two),
      cmocka_unit_test(the_four_bar_passes_its_singular_configurations),
      cmocka_unit_test(impacts_of_a_chain_change_the_energy_by_their_work),
      cmocka_unit_test(contacts_that_yield_keep_the_energy),
      cmocka_unit_test(what_it_cannot_do_is_said),
      cmocka_unit_test(light_masses_make_a_rope),
      cmocka_unit_test(an_unconverged_step_keeps_what_was_computed),
      cmocka_unit_test(penalties_of_rough_models_and_of_moving_supports),
      cmocka_unit_test(linear_systems_are_factored_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
