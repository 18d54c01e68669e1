/* test_step_parameter_sizes.c -- derivatives of runs by step, by parameters of extreme size, against closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_steps.h"
#include <stdio.h>

/* In each step of theta-methods v_x + mu v_z and R w + 5/2 mu v_z change as if the ball slid all the time. */
DLS_TEST(slip_of_weak_friction_has_the_closed_form)
{
  static const char *const tangents[] = {"plain", "saltation"};
  for (int decade = -1; decade >= -14; decade--) {
    for (size_t i = 0; i < 2; i++) {
      char model[40];
      snprintf(model, sizeof model, "bounce-slip:mu=1e%d", decade);
      tangent_run t = prepare(model, "moreau-jean", tangents[i], (const char *const[]){"mu", NULL});
      differentiate(&t, tangents[i]);
      advance(&t, 1e-3, 1400);
      const dls_sim *sim = t.run.sim;
      assert_int_equal(dls_sensitivity_status(sim->sensitivity, 0), DLS_DERIVATIVE_OK);
      assert_close(sim->sensitivity->tangent[0].dv[0], -sim->v[1] - 9.81 * sim->t, i == 0 ? 1e-5 : 0.02);
      assert_close(sim->sensitivity->tangent[0].dv[2], -25 * (sim->v[1] + 9.81 * sim->t), i == 0 ? 1e-4 : 0.5);
      release(&t);
    }
  }
}

/* Weak springs and dampers, theta = 1/2 is exact to second order: d v(T)/dk, d v(T)/dc at k, c -> 0. With k = 1e-6 the neighbouring runs
 * differ by some hundred roundings; what that is of the derivative is known. */
DLS_TEST(weak_springs_and_dampers_have_the_limit_or_a_rounding)
{
  const double T = 0.7, exact[] = {-T + T * T * T / 6, T * T / 2};
  bool digits = false, none = false;
  for (int decade = -3; decade >= -15; decade--) {
    char model[80];
    snprintf(model, sizeof model, "impacting-oscillator:f=-1,k=1e%d,c=1e%d", decade, decade);
    tangent_run t = prepare(model, "moreau-jean", "plain", (const char *const[]){"k", "c", NULL});
    differentiate(&t, "plain");
    advance(&t, 1e-3, 700);
    for (size_t k = 0; k < 2; k++) {
      const dls_tangent *tangent = &t.run.sim->sensitivity->tangent[k];
      const double error = fabs(tangent->dv[0] - exact[k]) / fabs(exact[k]);
      assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, k), DLS_DERIVATIVE_OK);
      assert_int_equal(isnan(tangent->rounding),
                       tangent->dq[0] == 0 && tangent->dv[0] == 0); /* equal neighbours */
      if (tangent->dv[0] != 0) {
        assert_between(error, 0, fmax(2 * pow(10, decade), 1e-5) + tangent->rounding);
      }
      digits = digits || tangent->rounding < 1e-3;
      none = none || tangent->rounding > 1;
    }
    release(&t);
  }
  assert_true(digits && none);
}

/* In a stiff bar in flight the rounding of 20000 steps adds up to hundred times that of a state: by its weight, q = -T^2/2, v = -T. */
DLS_TEST(stiff_systems_have_the_rounding_of_their_neighbours)
{
  static const char *const schemes[] = {"moreau-jean:theta=1", "redistributed-mass-midpoint"};
  static const char *const tangents[] = {"saltation", "plain"}; /* the second has no impacts */
  const double T = 0.05;
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    tangent_run t = prepare("elastic-bar:n=8", schemes[i], tangents[i], (const char *const[]){"g", NULL});
    differentiate(&t, tangents[i]);
    advance(&t, T / 20000, 20000);
    const dls_tangent *tangent = &t.run.sim->sensitivity->tangent[0];
    const double length = t.run.sys->length, time = t.run.sys->time;
    double error = 0, most = 0;
    for (size_t j = 0; j < t.run.sys->n; j++) {
      error = fmax(error,
                   fmax(fabs(tangent->dq[j] + 0.5 * T * T) / length, fabs(tangent->dv[j] + T) * time / length));
      most = fmax(most, fmax(0.5 * T * T / length, T * time / length));
    }
    assert_between(error / most, 1e-4, 1e-2);
    assert_between(tangent->rounding, 0.1 * error / most, 10 * error / most);
    release(&t);
  }
}

/* Coordinates without mass have v = x/h of the last step, whose rounding does not add up: in the flying beam, and in the stiff bar above. */
DLS_TEST(velocities_without_mass_have_the_rounding_of_a_step)
{
  static const struct {
    const char *model, *by;
    double h;
    size_t steps;
    double most; /* of the estimate over the error */
  } cases[] = {{"elastic-bar:n=8,mass=redistributed", "g", 2.5e-6, 20000, 20},
               {"elastic-bar:n=8,mass=redistributed", "v0", 1e-3, 300, 100}, /* K q = 0 without rounding */
               {"flying-beam:mass=redistributed", "omega", 1e-3, 20, 10},
               {"flying-beam:mass=redistributed", "omega", 1e-4, 20, 10},
               {"flying-beam:mass=redistributed", "omega", 1e-5, 20, 10}};
  static const char *const tangents[] = {"plain", "difference:delta=1e-3"};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    tangent_run t[2];
    double error = 0, most = 0;
    for (int k = 0; k < 2; k++) {
      t[k] = prepare(cases[i].model, "redistributed-mass-midpoint", tangents[k],
                     (const char *const[]){cases[i].by, NULL});
      differentiate(&t[k], tangents[k]);
      advance(&t[k], cases[i].h, cases[i].steps);
    }
    const dls_tangent *a = &t[0].run.sim->sensitivity->tangent[0], *b = &t[1].run.sim->sensitivity->tangent[0];
    const double length = t[0].run.sys->length, time = t[0].run.sys->time;
    for (size_t j = 0; j < t[0].run.sys->n; j++) {
      error = fmax(error, fmax(fabs(a->dq[j] - b->dq[j]), time * fabs(a->dv[j] - b->dv[j])) / length);
      most = fmax(most, fmax(fabs(b->dq[j]), time * fabs(b->dv[j])) / length);
    }
    assert_between(a->rounding * most / error, 1, cases[i].most);
    assert_int_equal(a->differing, 0); /* rounding is no other set of contacts */
    release(&t[0]);
    release(&t[1]);
  }
}

/* v of a scheme at position level is a difference of positions over h. Of two beads at rest the derivative by e is 0, and the rounding of
 * positions leaves values on a fine grid: the estimate contains what a thousand steps add up to, which rest does not. */
DLS_TEST(quotients_of_positions_have_their_rounding)
{
  double error = 0, estimate = 0;
  for (size_t more = 0; more < 20; more++) { /* a run of two steps goes on only once */
    tangent_run t =
        prepare("bead-column:N=2,e=0.3", "schatzman-paoli", "plain", (const char *const[]){"e", NULL});
    differentiate(&t, "plain");
    advance(&t, 5e-5, 8000 + more);
    const dls_tangent *tangent = &t.run.sim->sensitivity->tangent[0];
    const double unit = t.run.sys->time / t.run.sys->length,
                 most = unit * fmax(fabs(tangent->dv[0]), fabs(tangent->dv[1]));
    error = fmax(error, most);
    estimate = fmax(estimate, most * tangent->rounding);
    release(&t);
  }
  assert_between(error, 1e-6, 1e-5); /* 1.4e-5 if a neighbour leaves for its rounding */
  assert_between(estimate, error, 50 * error);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_of_weak_friction_has_the_closed_form),
      cmocka_unit_test(weak_springs_and_dampers_have_the_limit_or_a_rounding),
      cmocka_unit_test(stiff_systems_have_the_rounding_of_their_neighbours),
      cmocka_unit_test(velocities_without_mass_have_the_rounding_of_a_step),
      cmocka_unit_test(quotients_of_positions_have_their_rounding),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
