/* test_friction.c -- schemes at velocity level with Coulomb's friction: orders against exact solutions, Kane's
 * impact, works of contacts, what trajectories say. Sources: Acary, Collins-Craft 2023; orders measured by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "models.h"
#include "runs.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Stick and slip without impact: v is continuous. */
DLS_TEST(stick_slip_has_the_order_of_the_smooth_method)
{
  static const test_claim claims[] = {
      {"belt", "moreau-jean", "l1", 5, 1.8, 2.2, 1.8, 2.2},
      {"forced-block", "moreau-jean", "l1", 8, 1.8, 2.2, 1.8, 2.2},
      {"belt", "moreau-jean:theta=1", "l1", 5, 0.95, 1.05, 0.95, 1.05},
      {"forced-block", "moreau-jean:theta=1", "l1", 8, 0.95, 1.05, 0.95, 1.05},
      {"belt", "moreau-jean-variant", "l1", 5, 1.8, 2.2, 1.8, 2.2},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* The force flips inside a step, and what it misses stays in v. */
DLS_TEST(a_reversal_of_slip_costs_the_second_order)
{
  static const test_claim claims[] = {
      {"den-hartog", "moreau-jean", "l1", 8, 0.7, 1.6, 0.7, 1.6},
      {"den-hartog", "moreau-jean:theta=1", "l1", 8, 0.95, 1.05, 0.95, 1.05},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* In space the direction of slip is that at the end of a step; Fremond's law takes it in the middle. */
DLS_TEST(a_slip_that_turns_has_the_order_of_its_direction)
{
  static const test_claim claims[] = {
      {"puck", "moreau-jean", "l1", 0.4, 0.95, 1.05, 0.95, 1.05},
      {"puck", "moreau-jean:theta=1", "l1", 0.4, 0.95, 1.05, 0.95, 1.05},
      {"puck fremond", "moreau-jean", "l1", 0.4, 1.95, 2.05, 1.95, 2.05},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

/* Fremond's law at theta = 1/2 leaves u_T with changing sign where the contact sticks: q is not hurt, v is. */
DLS_TEST(fremond_rings_where_it_sticks)
{
  static const test_claim claims[] = {
      {"belt fremond", "moreau-jean", "l1", 5, 1.7, 2.3, 0.6, 1.2},
      {"forced-block fremond", "moreau-jean", "l1", 8, 1.7, 2.3, 0.8, 1.3},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

DLS_TEST(slip_through_an_accumulation_has_order_one)
{
  static const test_claim claims[] = {
      {"bounce-slip", "moreau-jean", "l1", 2.2, 0.8, 1.1, 0.8, 1.1},
      {"bounce-slip", "moreau-jean:theta=1", "l1", 2.2, 0.8, 1.1, 0.8, 1.1},
      {"bounce-slip", "moreau-jean:gamma=0.5,velocity_test=off", "hausdorff", 2.2, 0.8, 1.15, 0.7, 1.15},
  };
  dls_test_claims(claims, sizeof claims / sizeof claims[0]);
}

static double kinetic(const dls_sim *sim)
{
  double work[2];
  return dls_balance_mechanical(sim, work);
}

/* Relative change of the kinetic energy in the impact of Kane's example. */
DLS_TEST(kanes_impact_has_its_numbers)
{
  static const struct {
    const char *coefficients;
    double newton_coulomb, fremond;
  } rows[] = {
      {"e=0.5,mu=0.5", 0.587494686930, -0.437570384768},  {"e=0.5,mu=0.25", -0.044114356228, -0.385847416945},
      {"e=0.7,mu=0.25", 0.083913000831, -0.305835607218}, {"e=0.7,mu=0.6", 2.111489586383, -0.379562603866},
      {"e=1,mu=0.1", 0.090824809585, -0.063027187402},    {"e=0,mu=0.5", -0.486396517487, -0.486396517487}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    for (size_t law = 0; law < 2; law++) {
      char model[80];
      snprintf(model, sizeof model, "kane:%s %s", rows[i].coefficients,
               law == 0 ? "newton-coulomb" : "fremond");
      test_run run = dls_test_run(model, "moreau-jean:theta=0.5", 1e-2, 1e-2);
      test_run before = dls_test_prepare(model, "moreau-jean");
      const double start = kinetic(before.sim);
      const double change = kinetic(run.sim) / start - 1;
      assert_close(change, law == 0 ? rows[i].newton_coulomb : rows[i].fremond, 1e-12);
      dls_test_free(&run);
      dls_test_free(&before);
    }
  }
}

/* Contact never does positive work with Fremond's law; with Newton-Coulomb it may. */
static double largest_gain(const char *model, const char *scheme, double *scale, double *residual)
{
  dls_error err = {0};
  dls_system *sys = dls_test_system(model);
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 0.011, .end = 1.5};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  const double gain = ledger->gain;
  *scale = ledger->scale;
  *residual = fabs(ledger->residual);
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return gain;
}

DLS_TEST(fremond_dissipates_and_the_identity_holds)
{
  static const char *const models[] = {
      "bounce-slip", "sphere", "puck:alpha=0.3", "superball:e=0.4,mu=2", "kane:e=0.9,mu=0.6", "den-hartog"};
  static const char *const dissipative[] = {"moreau-jean", "moreau-jean-variant:theta=0.9",
                                            "moreau-jean-variant", "nonsmooth-newmark", "nonsmooth-hht"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    for (size_t k = 0; k < sizeof dissipative / sizeof dissipative[0]; k++) {
      char model[80];
      double scale = 0, residual = 0;
      snprintf(model, sizeof model, "%s fremond", models[i]);
      assert_true(largest_gain(model, dissipative[k], &scale, &residual) <= 1e-14 * scale);
      assert_true(residual <= 1e-13 * scale);
      largest_gain(models[i], dissipative[k], &scale, &residual);
      assert_true(residual <= 1e-13 * scale);
    }
  }
  double scale = 0, residual = 0;
  assert_true(largest_gain("kane:e=0.5,mu=0.5", "moreau-jean", &scale, &residual) > 0.3 * scale);
}

static dls_energy_ledger *keep_ledger(const char *model, const char *scheme, double end)
{
  dls_error err = {0};
  dls_system *sys = dls_test_system(model);
  dls_scheme_choice choice;
  dls_energy_ledger *ledger = NULL;
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  const dls_energy_spec spec = {.sys = sys, .choice = &choice, .step = 0.01, .end = end};
  assert_ok(dls_energy_run(&spec, &ledger, &err), err);
  dls_system_destroy(sys);
  return ledger;
}

/* In Kane's impact the normal impulse costs 0.82 of the energy and friction brings 1.41, and that is told once. */
DLS_TEST(the_ledger_tells_normal_and_friction)
{
  dls_energy_ledger *kane = keep_ledger("kane:e=0.5,mu=0.5", "moreau-jean", 0.05);
  assert_close(kane->normal / kane->start, -0.822038448, 1e-9);
  assert_close(kane->friction / kane->start, 1.409533135, 1e-9);
  assert_true(kane->drive == 0);
  assert_close(kane->law_gain / kane->start, 0.587494686930, 1e-12);
  assert_close(kane->law_gain_time, 0.01, 1e-15);
  assert_int_equal(kane->gain_steps, 1);
  assert_string_equal(kane->rows->names[kane->rows->columns - 8], "normal");
  assert_string_equal(kane->rows->names[kane->rows->columns - 3], "sum_drive");
  assert_string_equal(kane->rows->names[kane->rows->columns - 1], "sum_sliding");
  dls_energy_destroy(kane);
  kane = keep_ledger("kane:e=0.5,mu=0.5 fremond", "moreau-jean", 0.05);
  assert_true(kane->law_gain == 0 && kane->gain_steps == 0);
  dls_energy_destroy(kane);
}

/* A puck of 1 kg that a belt takes along: seen from the belt friction takes all its energy, and the drive brings the rest. */
DLS_TEST(the_ledger_tells_friction_and_drive)
{
  dls_energy_ledger *puck = keep_ledger("puck-belt:mu=0.3,v0=1.5,vb=0.75", "moreau-jean", 1);
  assert_close(puck->friction, -0.5 * (1.5 * 1.5 + 0.75 * 0.75), 1e-12);
  assert_close(puck->drive, 0.75 * 0.75, 1e-12); /* vb times the momentum along the belt */
  assert_close(puck->normal, 0, 1e-12);
  dls_energy_destroy(puck);
}

/* The three are all that contacts do, and so are impact, sliding and drive, in Moreau-Jean with the term impulse beside them. */
DLS_TEST(the_three_works_are_complete)
{
  static const char *const models[] = {"belt", "belt fremond", "bounce-slip", "superball:e=0.4,mu=2"};
  for (size_t i = 0; i < sizeof models / sizeof models[0]; i++) {
    dls_energy_ledger *theta = keep_ledger(models[i], "moreau-jean:theta=0.7", 2);
    const double all = theta->impact + theta->sliding + theta->drive + theta->numerical[2];
    assert_close(theta->normal + theta->friction + theta->drive, all, 1e-13 * theta->scale);
    dls_energy_destroy(theta);
    dls_energy_ledger *mean = keep_ledger(models[i], "nonsmooth-hht", 2);
    assert_close(mean->normal + mean->friction, mean->impact + mean->sliding, 1e-13 * mean->scale);
    assert_true(mean->friction < -0.1);
    dls_energy_destroy(mean);
  }
}

/* Columns behind all others; momentum along the floor is the sum of the tangential impulses, also of a thinned record. */
DLS_TEST(trajectories_have_slip_and_friction)
{
  dls_error err = {0};
  test_run run = dls_test_run("belt", "moreau-jean", 0.01, 2);
  test_run thin = dls_test_prepare("belt", "moreau-jean");
  const dls_run_spec spec = {.step = 0.01, .end = 2, .record = thin.traj, .recording = {.every = 7}};
  assert_ok(dls_run(thin.sim, &spec, &err), err);
  double sum = 0, thin_sum = 0, spring = 0;
  bool slipped = false, stuck = false;
  for (size_t i = 1; i < run.traj->rows; i++) {
    sum += dls_test_value(&run, i, "p0t");
    spring += 0.01 * 0.5 * (dls_test_value(&run, i, "q0") + dls_test_value(&run, i - 1, "q0"));
    assert_close(dls_test_value(&run, i, "u0t"), dls_test_value(&run, i, "v0") - 0.5, 1e-15);
    const double force = dls_test_value(&run, i, "p0t") / 0.01, slip = dls_test_value(&run, i, "u0t");
    const bool slips = dls_test_value(&run, i, "status0") == 2;
    assert_close(slips ? force : slip, slips ? (slip < 0 ? 1 : -1) : 0, 1e-12); /* F = 1 N */
    slipped = slipped || slips;
    stuck = stuck || !slips;
  }
  for (size_t i = 1; i < thin.traj->rows; i++) {
    thin_sum += dls_test_value(&thin, i, "p0t");
  }
  assert_true(slipped && stuck);
  assert_close(sum - spring, run.sim->v[0], 1e-12);
  assert_close(thin_sum, sum, 1e-14);
  assert_string_equal(run.traj->names[run.traj->columns - 3], "u0t");
  assert_string_equal(run.traj->names[run.traj->columns - 1], "lambda0t");
  dls_test_free(&run);
  dls_test_free(&thin);
  run = dls_test_run("sphere", "moreau-jean", 0.01, 0.1);
  assert_string_equal(run.traj->names[run.traj->columns - 6], "u0t1");
  assert_string_equal(run.traj->names[run.traj->columns - 3], "p0t2");
  dls_test_free(&run);
  run = dls_test_run("bead-column", "moreau-jean", 0.01, 0.1);
  assert_int_equal(run.traj->columns, 1 + 2 * run.sys->n + 5 * run.sys->m);
  dls_test_free(&run);
}

DLS_TEST(friction_without_tangents_is_refused)
{
  dls_error err = {0};
  dls_model_choice choice = dls_test_model("bead-column");
  const dls_law *const *laws = dls_catalogue_laws(NULL);
  for (size_t i = 0; laws[i] != NULL; i++) {
    if (strcmp(laws[i]->name, "fremond") == 0) {
      assert_int_equal(dls_law_choose(laws[i], NULL, &choice, &err), DLS_ERR_ARG);
    }
  }
  assert_non_null(strstr(err.text, "has no tangents"));
  dls_model_choice_release(&choice);
}

/* Where another law makes another motion, the exact solution is not that of the model: the name says it. */
DLS_TEST(another_motion_has_another_name)
{
  static const struct {
    const char *text, *name;
  } cases[] = {{"belt fremond", "belt"},
               {"belt newton", "belt with law newton"},
               {"belt newton-coulomb:mu=0.3", "belt with law newton-coulomb:mu=0.3"},
               {"bounce-slip newton-coulomb", "bounce-slip"},
               {"bounce-slip fremond", "bounce-slip with law fremond"}};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_model_choice choice = dls_test_model(cases[i].text);
    assert_string_equal(choice.model->name, cases[i].name);
    dls_model_choice_release(&choice);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stick_slip_has_the_order_of_the_smooth_method),
      cmocka_unit_test(a_reversal_of_slip_costs_the_second_order),
      cmocka_unit_test(a_slip_that_turns_has_the_order_of_its_direction),
      cmocka_unit_test(fremond_rings_where_it_sticks),
      cmocka_unit_test(slip_through_an_accumulation_has_order_one),
      cmocka_unit_test(kanes_impact_has_its_numbers),
      cmocka_unit_test(fremond_dissipates_and_the_identity_holds),
      cmocka_unit_test(the_ledger_tells_normal_and_friction),
      cmocka_unit_test(the_ledger_tells_friction_and_drive),
      cmocka_unit_test(the_three_works_are_complete),
      cmocka_unit_test(trajectories_have_slip_and_friction),
      cmocka_unit_test(friction_without_tangents_is_refused),
      cmocka_unit_test(another_motion_has_another_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
