/* test_step_tangents.c -- derivatives along runs by step, against what the schemes' steps with fixed active sets give for the ball:
 * F = -2, m = 1, q0 = 1, v0 = 0, e = 1/2, first impact at t1 = 1 with V = 2, the second after the end.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_steps.h"
#include <string.h>

/* --- plain --- */

/* diag(1, -e) at an impact, whatever theta, gamma and the phase of the grid. */
DLS_TEST(impacts_at_velocity_level_pass_diag_1_e)
{
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean:theta=1",
                                        "moreau-jean:theta=1,gamma=0",
                                        "moreau-jean:gamma=1",
                                        "moreau-jean-variant",
                                        "moreau-jean-extrapolated",
                                        "nonsmooth-newmark",
                                        "nonsmooth-hht",
                                        "nonsmooth-generalized-alpha",
                                        "nonsmooth-kh-generalized-alpha",
                                        "nonsmooth-bdf2",
                                        "nonsmooth-adams",
                                        "fully-implicit-newmark",
                                        "splitting-rkf45",
                                        "tdg-d1-minus",
                                        "tdg-d1-minus-implicit",
                                        "energy-preserving",
                                        "sequential-impulse",
                                        "naive-rk4"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 6; seed++) {
      const double h = random_step(4e-3, seed);
      const derivatives q0 = of_ball("bouncing-ball", schemes[i], "plain", "q0", h);
      assert_close(q0.q, 1, 1e-7);
      assert_close(q0.v, 0, 1e-7);
      assert_int_equal(q0.status, DLS_DERIVATIVE_OK);
      const derivatives v0 = of_ball("bouncing-ball", schemes[i], "plain", "v0", h);
      assert_close(v0.q, 1 - 0.5 * (v0.t - 1), 3 * h);
      assert_close(v0.v, -0.5, 1e-7);
    }
  }
}

/* The tangent follows the motion between its neighbours, which e moves too: dv/de of one impact is V plus its share of the place of the
 * impact in the step. */
DLS_TEST(parameters_of_laws_move_the_impulse)
{
  for (unsigned seed = 0; seed < 6; seed++) {
    const double h = random_step(4e-3, seed);
    const derivatives e = of_ball("bouncing-ball", "moreau-jean", "plain", "e", h);
    assert_close(e.v, 2, 2 * h);
    assert_close(e.q, 2 * (e.t - 1), 2 * h);
  }
}

DLS_TEST(position_level_schemes_pass_their_own_maps)
{
  for (unsigned seed = 0; seed < 6; seed++) {
    const double h = random_step(4e-3, seed);
    const derivatives levels = of_ball("bouncing-ball", "three-level-alpha", "plain", "q0", h);
    assert_close(levels.q, 0, 1e-6);
    assert_close(levels.v, 0, 1e-6);
    const derivatives elastic = of_ball("bouncing-ball:e=1", "laursen-love", "plain", "q0", h);
    assert_close(elastic.q, elastic.t - 1, 2 * h); /* (0 + a (T - t1)/V, a/V), half of the exact entry */
    assert_close(elastic.v, 1, 2 * h);
    const double v = 2 - 2 * (elastic.t - 1); /* the energy v^2/2 + a q has the right derivative, a */
    assert_close(v * elastic.v + 2 * elastic.q, 2, 4 * h);
    const derivatives persists = of_ball("bouncing-ball:e=1", "laursen-chawla", "plain", "q0", h);
    assert_close(persists.q, 1, 1e-6);
    assert_close(persists.v, 0, 1e-6);
  }
}

/* --- saltation --- */

/* One and two impacts, curved gaps, moving supports, forces through a stiff spring, laws; the end of slip, reversal, and a release with
 * mu_s > mu. Values of 13 digits. */
static const derivative_case order_one[] = {
    {"impacting-oscillator", "moreau-jean:theta=1", 5, "q0", "q0", 0.07091554636581, 2e-2},
    {"impacting-oscillator", "moreau-jean:theta=1", 5, "v0", "e", 0.9589242746631, 2e-2},
    {"bouncing-pendulum", "moreau-jean:theta=1", 1.5, "q0", "q0", 1.304738333036, 1e-2},
    {"bouncing-pendulum", "moreau-jean:theta=1", 1.5, "v0", "hurdle", 13.19545512724, 1e-2},
    {"rope:e=0.7", "moreau-jean:theta=1", 1, "v0", "l", 0.6575570197124, 4e-3},
    {"belt", "moreau-jean:theta=1", 3, "q0", "vb", 1.951466286578, 1e-2},
    {"belt:Fs=1.5", "moreau-jean:theta=1", 4.5, "q0", "Fs", 0.9471880442158, 1e-2},
    {"belt:Fs=1.5", "moreau-jean:theta=1", 4.5, "v0", "q0", -1.098004782451, 1e-2},
    {"den-hartog:v0=-0.1", "moreau-jean:theta=1", 7.5, "q0", "F", -3.377130552198, 2e-2},
    {"forced-block:v0=0.1", "moreau-jean:theta=1", 4, "q0", "A", -0.226778264294, 2e-2},
    {"belt:t1=1,vb1=0.3", "moreau-jean:theta=1", 2.5, "q0", "t1", 0.1949291329305, 1e-2}, /* the belt jumps */
};

DLS_TEST(saltation_has_order_one)
{
  for (size_t i = 0; i < sizeof order_one / sizeof order_one[0]; i++) {
    double finest = 0;
    assert_between(order_of(&order_one[i], "saltation", &finest), 0.9, 1.1);
    assert_between(finest, 1e-6, 0.1 * fabs(order_one[i].exact));
  }
}

/* Forces of lasting contact in place of impulses: reversal, capture. An incline reverses by the factor a+/a-. */
DLS_TEST(forces_of_lasting_contact_have_saltation)
{
  static const char *const schemes[] = {"tdg-d1-minus", "splitting-rkf45", "rk-moreau"};
  const double factor = (0.5 - 0.3 * sqrt(0.75)) / (0.5 + 0.3 * sqrt(0.75));
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 4; seed++) {
      const double h = random_step(5e-3, seed);
      const derivative_case turns = {"incline:mu=0.3,v0=2", schemes[i], 2.0173, "v0", "v0", 0, h},
                            reverses = {"den-hartog:v0=-0.1", schemes[i], 7.5, "q0", "F", 0, h},
                            rests = {"spring-block:v0=0.1", schemes[i], 3, "q0", "v0", 0, h};
      assert_close(value_of(&turns, h, "saltation"), factor, 1e-6);
      assert_close(value_of(&reverses, h, "saltation"), -3.377130552198, 8 * h);
      assert_close(value_of(&rests, h, "saltation"), 0.0996139125, 0.1 * h);
    }
  }
}

/* A scheme that keeps more than a state restarts behind an impact, on joints that drift. Values: event-driven. */
DLS_TEST(neighbours_restart_on_joints)
{
  for (unsigned seed = 0; seed < 4; seed++) {
    const double h = random_step(4e-4, seed);
    const derivative_case
        wall = {"pendulum-chain:N=3", "sequential-impulse", 1.03, "q0", "wall", 0.118619486227, h},
        weight = {"pendulum-chain:N=3", "sequential-impulse", 1.03, "q0", "g", 0.034598759730, h};
    assert_close(value_of(&wall, h, "saltation"), wall.exact, 5 * h);
    assert_close(value_of(&weight, h, "saltation"), weight.exact, 0.2 * h);
  }
}

/* A ball without load touches the floor at rest: pulled up it flies, v = f t, pressed down it stays. The side with the contact open counts. */
DLS_TEST(contacts_without_force_are_degenerate)
{
  static const char *const schemes[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-generalized-alpha"};
  for (size_t i = 0; i < 6; i++) {
    const char *tangent = i % 2 == 0 ? "plain" : "saltation";
    tangent_run t =
        prepare("bouncing-ball:f=0,q0=0", schemes[i / 2], tangent, (const char *const[]){"f", "e", NULL});
    differentiate(&t, tangent);
    advance(&t, 0.01, 100);
    const dls_sensitivity *s = t.run.sim->sensitivity;
    assert_int_equal(dls_sensitivity_status(s, 0), DLS_DERIVATIVE_DEGENERATE);
    assert_int_equal(dls_sensitivity_status(s, 1), DLS_DERIVATIVE_OK);
    assert_close(s->tangent[0].dv[0], 1, 1e-6);
    assert_close(s->tangent[0].dq[0], 0.5, 0.01);
    release(&t);
  }
}

/* A block on a steep plane begins to slip from rest: with v0 rising it slips uphill first. By other parameters there is a derivative. */
DLS_TEST(slip_from_rest_has_two_sides)
{
  tangent_run t =
      prepare("incline:v0=0", "moreau-jean", "saltation", (const char *const[]){"v0", "alpha", NULL});
  const double *p = t.model.parameters;
  const dls_option *table = t.model.model->parameters;
  const double mu = p[dls_option_find(table, "mu")], alpha = p[dls_option_find(table, "alpha")],
               g = p[dls_option_find(table, "g")];
  differentiate(&t, "saltation");
  advance(&t, 0.01, 100);
  const dls_sensitivity *s = t.run.sim->sensitivity;
  assert_int_equal(dls_sensitivity_status(s, 0), DLS_DERIVATIVE_DEGENERATE);
  assert_int_equal(s->tangent[0].status_contact, 0);
  assert_int_equal(dls_sensitivity_status(s, 1), DLS_DERIVATIVE_OK);
  assert_close(s->tangent[1].dv[0], -g * (cos(alpha) + mu * sin(alpha)) * t.run.sim->t, 1e-4);
  release(&t);
}

/* In space a puck comes to rest: the directions of its neighbours, which slip by 1e-7 when it sticks, are none. Values: event-driven. */
DLS_TEST(rest_in_space_leaves_nothing_of_velocities)
{
  static const char *const schemes[] = {"schatzman-paoli", "tdg-d1-minus", "nonsmooth-generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 3; seed++) {
      const double h = random_step(1e-3, seed);
      const derivative_case place = {"puck", schemes[i], 0.73, "q0", "alpha", 0.454285734444, h},
                            speed = {"puck", schemes[i], 0.73, "v0", "alpha", 0, h},
                            belt = {"puck-belt", schemes[i], 0.73, "q0", "g", 0.009681346092, h};
      assert_close(value_of(&place, h, "saltation"), place.exact, 5 * h);
      assert_close(value_of(&speed, h, "saltation"), 0, 1e-6);
      assert_close(value_of(&belt, h, "saltation"), belt.exact, 0.1 * h);
    }
  }
}

/* The belt jumps at the end of a step, and inside: neighbours of two-step schemes see it in another step than the run. */
DLS_TEST(jumps_of_surfaces_move_with_their_time)
{
  static const char *const schemes[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-generalized-alpha",
                                        "nonsmooth-bdf2"};
  static const double steps[] = {2.5 / 2499.9, 2.5 / 2467.9}; /* a node at 1 s; none */
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (size_t k = 0; k < 2; k++) {
      const derivative_case c = {"belt:t1=1,vb1=0.3", schemes[i], 2.5, "q0", "t1", 0.1949291329305, steps[k]};
      assert_close(value_of(&c, steps[k], "saltation"), c.exact, 2e-3);
      assert_close(value_of(&c, steps[1], "plain"), 0, 1e-9);
    }
  }
}

/* Two balls with a stiff spring, which strike twice within 20 ms: the force of the spring at an impact counts in Xi, and the plain tangent has
 * the wrong sign at every h. At the third and fourth impact, 1.006 s and 1.032 s, errors grow by a factor of 25: there the order is 0.7 for
 * steps from 8e-6 s to 1e-6 s. */
DLS_TEST(stiff_springs_have_order_one)
{
  const derivative_case c = {"two-ball-oscillator:m=1,k=1e4,l=1,g=10,R=0.2,e=0.8,q1=1.001,q2=2.001",
                             "moreau-jean",
                             0.7,
                             "q0",
                             "q1",
                             -4.14887886304, /* closed form */
                             1.4e-4};
  double finest = 0;
  assert_between(order_of(&c, "saltation", &finest), 0.9, 1.3);
  assert_between(finest, 1e-3, 0.05);
  assert_between(value_of(&c, 5e-5, "plain"), 7, 8);
}

/* A slider that strikes its guide flat with both corners three times: they stay struck at once along e. Exact: event-driven at 1e-12. */
DLS_TEST(corners_that_strike_flat_have_order_one)
{
  const derivative_case c = {"slider-crank-clearance", "moreau-jean", 0.008, "q0", "e", -2.8685942e-5, 8e-5};
  double finest = 0;
  assert_between(order_of(&c, "saltation", &finest), 0.9, 1.2);
  assert_between(finest, 3e-6, 2e-5);
}

/* A mass that strikes both walls of a corner at once: so it does for other e and m, and for none with another first gap. */
DLS_TEST(impacts_at_once_have_a_derivative_where_they_stay_so)
{
  static const double exact[2][4] = {{1, 0.733799386, 2, 1.46759877},
                                     {-0.15, -0.110069908, 1.4, 1.02731914}}; /* event-driven at 1e-12 */
  tangent_run t = prepare("wedge:cosine=0.3,e=0.6,f1=-2,f2=-2,g1=1,g2=1", "moreau-jean", "saltation",
                          (const char *const[]){"e", "m", "g1", NULL});
  differentiate(&t, "saltation");
  advance(&t, 1e-3, 1500);
  for (size_t k = 0; k < 3; k++) {
    const dls_tangent *tangent = &t.run.sim->sensitivity->tangent[k];
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, k),
                     k < 2 ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_DEGENERATE);
    for (size_t i = 0; i < 2 && k < 2; i++) {
      assert_close(tangent->dq[i], exact[k][i], 1e-7);
      assert_close(tangent->dv[i], exact[k][2 + i], 1e-7);
    }
  }
  release(&t);
}

/* Schemes push contacts at rest in every second step, or let them sink: corners that stick and change, a rod that comes to stick. Values of
 * the event-driven scheme with tol = 1e-12. */
DLS_TEST(contacts_at_rest_stay_so)
{
  static const derivative_case cases[] = {
      {"rocking-block", "moreau-jean", 0.5, "q0", "h", 0.0041656903, 2e-3},
      {"rocking-block", "schatzman-paoli", 0.5, "q0", "h", 0.0041656903, 2e-3},
      {"painleve-rod", "moreau-jean", 0.5, "q0", "mu", -0.045381419, 2e-3},
      {"painleve-rod", "nonsmooth-generalized-alpha", 0.5, "q0", "mu", -0.045381419, 2e-3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double finest;
    assert_between(order_of(&cases[i], "saltation", &finest), 0.8,
                   i == 1 ? 2.5 : 1.15); /* coarse steps are worse */
    assert_between(finest, 1e-5, 0.01);
  }
}

/* Inelastic impacts that reverse the slip, and after which forces open the contact at once. The exact value: event-driven at 1e-12. */
DLS_TEST(inelastic_impacts_may_open_or_reverse_the_slip)
{
  const derivative_case c = {"woodpecker", "moreau-jean", 0.13, "q0", "mu", 0.08092034278821, 2e-4};
  double finest = 0;
  assert_between(order_of(&c, "saltation", &finest), 0.7, 1.3);
  assert_between(finest, 1e-6, 2e-3);
}

/* At e = 0 a ball lands, and slips as if it slid all the time; the sleeve of the woodpecker lands and opens at once (difference of event-driven
 * runs with tol = 1e-12). */
DLS_TEST(landings_have_the_derivative_for_rising_e)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "schatzman-paoli"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    const derivative_case lands = {"bounce-slip:e=0", schemes[i], 1.01, "q0", "e", 0, 1e-3};
    assert_close(value_of(&lands, random_step(1e-3, (unsigned)i), "saltation"), 0, 2e-3);
  }
  const derivative_case opens = {"woodpecker", "moreau-jean:theta=1", 0.13, "q0", "e3", 4.0219e-4, 4e-6};
  assert_close(value_of(&opens, 4e-6, "saltation"), opens.exact, 0.03 * opens.exact);
}

/* Through the accumulation: nothing of q0 and e is left; a ball that slips meanwhile, x + mu z moves as if it slid all the time. */
DLS_TEST(saltation_passes_accumulations_with_order_one)
{
  static const char *const schemes[] = {"moreau-jean", "schatzman-paoli", "nonsmooth-generalized-alpha"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    const derivative_case rests = {"bouncing-ball", schemes[i], 3.5, "v0", "q0", 0, 2e-3},
                          slips = {"bounce-slip", schemes[i], 1.5, "q0", "h", 0.1, 8e-3},
                          rolls = {"bounce-slip", schemes[i], 3.5, "q0", "mu", -25.62838836, 8e-3};
    assert_close(value_of(&rests, 1.37e-3, "saltation"), 0, 1e-9);
    double finest = 0;
    assert_between(order_of(&slips, "saltation", &finest), 0.8, 1.3);
    assert_between(finest, 1e-5, 1e-2);
    order_of(&rolls, "saltation", &finest);
    assert_between(finest, 1e-5, 0.2); /* of 25.6 */
  }
}

/* Moreau-Jean pushes contacts at rest in every second step. A slip that reverses between two pushes has the factor u'+/u'- too: without
 * it half of the steps gave -0.0915. Value: event-driven. */
DLS_TEST(slip_that_reverses_between_two_pushes_has_saltation)
{
  static const double steps[] = {1e-4, 5e-5, 2.5e-5, 1.25e-5, 1e-5};
  for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
    const derivative_case turns = {
        "random-frictional:dim=2,m=2,surface=0.3,seed=27", "moreau-jean", 0.5, "v0", "e", -0.0872338497, 0};
    assert_between(fabs(value_of(&turns, steps[i], "saltation") - turns.exact), 0, 6e-4);
  }
}

/* An impact of one contact drives in another that rests, in a step that does not push it: the motion itself depends on the phase of the
 * grid. Where both are pushed in one step, it is the motion of the law. Value: event-driven. */
DLS_TEST(impacts_on_contacts_at_rest_that_are_not_pushed_are_degenerate)
{
  static const struct {
    double h;
    dls_derivative_status status;
  } runs[] = {{1e-4, DLS_DERIVATIVE_DEGENERATE},
              {5e-5, DLS_DERIVATIVE_OK},
              {2.5e-5, DLS_DERIVATIVE_DEGENERATE},
              {1.25e-5, DLS_DERIVATIVE_OK}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    tangent_run t = prepare("random-frictional:dim=2,m=2,surface=0.3,seed=21", "moreau-jean", "saltation",
                            (const char *const[]){"e", NULL});
    differentiate(&t, "saltation");
    advance(&t, runs[i].h, (size_t)(0.5 / runs[i].h + 0.5));
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), runs[i].status);
    if (runs[i].status == DLS_DERIVATIVE_OK) {
      assert_close(t.run.sim->sensitivity->tangent[0].dv[0], 1.607002984, 1e-3);
    }
    release(&t);
  }
}

/* Beads at rest: nothing is left of e in places and velocities. Neighbours of a scheme of two steps restart in each step in which one of them
 * leaves the sets of the run. */
DLS_TEST(contacts_at_rest_leave_nothing)
{
  static const char *const models[] = {"bead-column:N=2,e=0.3", "bead-column:N=3,e=0.3"};
  static const double steps[] = {1e-3, 1e-4, 5e-5};
  for (size_t i = 0; i < 6; i++) {
    const double h = steps[i % 3];
    tangent_run t = prepare(models[i / 3], "schatzman-paoli", "saltation", (const char *const[]){"e", NULL});
    differentiate(&t, "saltation");
    advance(&t, h, (size_t)(0.8 / h));
    const dls_tangent *tangent = &t.run.sim->sensitivity->tangent[0];
    assert_int_equal(dls_sensitivity_status(t.run.sim->sensitivity, 0), DLS_DERIVATIVE_OK);
    for (size_t j = 0; j < t.run.sys->n; j++) {
      assert_close(tangent->dq[j], 0, 1e-9);
      assert_close(tangent->dv[j], 0, 1e-9);
    }
    release(&t);
  }
}

/* The ball has a constant acceleration, for which (1) of step_events.h is exact. Two impacts: order one by the place of the second. */
DLS_TEST(all_rigid_schemes_have_saltation)
{
  static const char *const schemes[] = {"moreau-jean",
                                        "moreau-jean-variant",
                                        "nonsmooth-newmark",
                                        "nonsmooth-hht",
                                        "nonsmooth-bdf2",
                                        "nonsmooth-adams",
                                        "three-level-alpha",
                                        "nonsmooth-generalized-alpha",
                                        "schatzman-paoli",
                                        "nonsmooth-kh-generalized-alpha",
                                        "rk-moreau",
                                        "moreau-jean-extrapolated",
                                        "splitting-rkf45",
                                        "fully-implicit-newmark",
                                        "tdg-d1-minus",
                                        "tdg-d1-minus-implicit",
                                        "energy-preserving",
                                        "sequential-impulse",
                                        "xpbd",
                                        "anitescu-potra",
                                        "soft-step:restitution_threshold=0"};
  for (size_t i = 0; i < sizeof schemes / sizeof schemes[0]; i++) {
    for (unsigned seed = 0; seed < 3; seed++) {
      const double h = random_step(2e-3, seed);
      const derivatives q0 = of_ball("bouncing-ball", schemes[i], "saltation", "q0", h);
      assert_int_equal(q0.status, DLS_DERIVATIVE_OK);
      assert_close(q0.q, -0.5 + 1.5 * (q0.t - 1), 2 * h);
      assert_close(q0.v, 1.5, 2 * h);
      const derivatives e = of_ball("bouncing-ball", schemes[i], "saltation", "e", h);
      assert_close(e.q, 2 * (e.t - 1), 4 * h);
      assert_close(e.v, 2, 4 * h);
      const derivative_case two = {"bouncing-ball", schemes[i], 2.25, "q0", "q0", 0.0625, h};
      assert_close(value_of(&two, h, "saltation"), two.exact, 15 * h);
    }
  }
}

/* Restitution coefficients of schemes, where they have their own. */
DLS_TEST(own_restitution_is_that_of_the_jump)
{
  const derivative_case elastic[] = {
      {"bouncing-ball:e=1", "laursen-love", 1.6, "v0", "q0", 2, 1e-3},
      {"bouncing-ball:e=1", "laursen-chawla", 1.6, "v0", "q0", 2, 1e-3},
      {"bouncing-ball:e=0", "stewart-trinkle", 1.6, "v0", "q0", 0, 1e-3},
      {"bouncing-ball:e=0", "convex-step", 1.6, "v0", "q0", 0, 1e-3},
      /* the first impact is that of the second contact */
      {"ball-between-walls:e=0.5", "laursen-love", 1.2, "v0", "v0", -1, 1e-3},
      {"ball-between-walls:e=0.5", "stewart-trinkle:restitution=own", 1.2, "v0", "v0", 0, 1e-3},
      /* slower than the least speed that bounces: it stays, though e > 0 */
      {"bouncing-ball:e=0.5", "anitescu-potra:min_bounce_speed=3", 1.6, "v0", "q0", 0, 1e-3}};
  for (size_t i = 0; i < sizeof elastic / sizeof elastic[0]; i++) {
    assert_close(value_of(&elastic[i], random_step(1e-3, (unsigned)i), "saltation"), elastic[i].exact, 1e-6);
  }
}

/* The ball strikes the second wall, e = 1/2, slower than the least speed that bounces, and stays. The first wall has e = 0. */
DLS_TEST(own_restitution_is_that_of_the_contact)
{
  tangent_run t = prepare("ball-between-walls:e=0.5", "anitescu-potra:min_bounce_speed=100", "saltation",
                          (const char *const[]){"v0", NULL});
  t.run.sys->e[0] = 0;
  for (size_t i = 0; i < t.direction[0].count; i++) {
    t.direction[0].system[i]->e[0] = 0;
  }
  differentiate(&t, "saltation");
  advance(&t, 1e-3, 1200);
  assert_close(t.run.sim->sensitivity->tangent[0].dv[0], 0, 1e-6);
  assert_close(t.run.sim->sensitivity->tangent[0].dq[0], 0, 1e-6);
  release(&t);
}

/* --- differences --- */

/* Of a smooth motion the difference is exact; of an impact its error is about |1 - D| V h/(2 sqrt(6) delta). */
DLS_TEST(differences_average_over_the_step)
{
  const double exact_q = -0.5 + 1.5 * 0.6;
  double sum = 0;
  const double h0 = 1e-3, delta = 0.02;
  for (unsigned seed = 0; seed < PHASES; seed++) {
    const derivatives d =
        of_ball("bouncing-ball", "moreau-jean", "difference:delta=0.02", "q0", random_step(h0, seed));
    const double error = d.q - (-0.5 + 1.5 * (d.t - 1));
    sum += error * error;
  }
  const double expected = fabs(1 - exact_q) * 2 * h0 * 1.15 / (2 * sqrt(6) * delta);
  assert_between(sqrt(sum / PHASES), 0.3 * expected, 2 * expected);
}

/* A difference much shorter than a step sees the tangent with fixed sets, but for phases of the share delta/(h V), where it has the size of
 * 1/delta. */
DLS_TEST(short_differences_see_the_steps)
{
  enum { MANY = 300 };
  const double h0 = 1e-2, delta = 5e-4;
  size_t plain = 0;
  double share = 0;
  for (unsigned seed = 0; seed < MANY; seed++) {
    const double h = random_step(h0, seed);
    const derivatives d = of_ball("bouncing-ball", "moreau-jean", "difference:delta=5e-4", "q0", h);
    plain += fabs(d.q - 1) < 1e-3;
    share += 2 * delta * 0.5 / h / MANY; /* the impact moves by delta/V to each side */
  }
  assert_between((double)(MANY - plain) / MANY, 0.5 * share, 2 * share);
}

/* --- what is refused --- */

DLS_TEST(tangents_are_refused_with_a_reason)
{
  dls_error err = {0};
  tangent_run t = prepare("bouncing-ball", "moreau-jean-adaptive", "plain", (const char *const[]){"e", NULL});
  dls_tangent_method method = {.kind = DLS_TANGENT_PLAIN};
  assert_int_equal(dls_sim_differentiate_as(t.run.sim, &method, 1, t.direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "moreau-jean-adaptive chooses its steps"));
  release(&t);
  t = prepare("bouncing-ball", "event-driven", "plain", (const char *const[]){"e", NULL});
  assert_int_equal(dls_sim_differentiate_as(t.run.sim, &method, 1, t.direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "allowed is saltation"));
  release(&t);
  /* impulses of Poisson's law do not bound friction: of the second contact, which has e = 1/2 */
  t = prepare("ball-between-walls:e=0.5", "anitescu-potra", "saltation", (const char *const[]){"v0", NULL});
  t.run.sys->e[0] = 0;
  t.run.sys->mu[1] = 0.5;
  method.kind = DLS_TANGENT_SALTATION;
  assert_int_equal(dls_sim_differentiate_as(t.run.sim, &method, 1, t.direction, &err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(err.text, "scheme anitescu-potra, contact 1: there is no saltation matrix"));
  release(&t);
  assert_int_equal(dls_tangent_method_parse("exact", &method, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "saltation, plain and difference:delta=D"));
  assert_int_equal(dls_tangent_method_parse("difference:delta=-1", &method, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_tangent_method_parse("difference:delta=x", &method, &err), DLS_ERR_PARSE);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impacts_at_velocity_level_pass_diag_1_e),
      cmocka_unit_test(parameters_of_laws_move_the_impulse),
      cmocka_unit_test(position_level_schemes_pass_their_own_maps),
      cmocka_unit_test(saltation_has_order_one),
      cmocka_unit_test(forces_of_lasting_contact_have_saltation),
      cmocka_unit_test(contacts_without_force_are_degenerate),
      cmocka_unit_test(slip_from_rest_has_two_sides),
      cmocka_unit_test(neighbours_restart_on_joints),
      cmocka_unit_test(rest_in_space_leaves_nothing_of_velocities),
      cmocka_unit_test(jumps_of_surfaces_move_with_their_time),
      cmocka_unit_test(inelastic_impacts_may_open_or_reverse_the_slip),
      cmocka_unit_test(stiff_springs_have_order_one),
      cmocka_unit_test(corners_that_strike_flat_have_order_one),
      cmocka_unit_test(impacts_at_once_have_a_derivative_where_they_stay_so),
      cmocka_unit_test(contacts_at_rest_stay_so),
      cmocka_unit_test(landings_have_the_derivative_for_rising_e),
      cmocka_unit_test(saltation_passes_accumulations_with_order_one),
      cmocka_unit_test(slip_that_reverses_between_two_pushes_has_saltation),
      cmocka_unit_test(impacts_on_contacts_at_rest_that_are_not_pushed_are_degenerate),
      cmocka_unit_test(contacts_at_rest_leave_nothing),
      cmocka_unit_test(all_rigid_schemes_have_saltation),
      cmocka_unit_test(own_restitution_is_that_of_the_jump),
      cmocka_unit_test(own_restitution_is_that_of_the_contact),
      cmocka_unit_test(differences_average_over_the_step),
      cmocka_unit_test(short_differences_see_the_steps),
      cmocka_unit_test(tangents_are_refused_with_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
