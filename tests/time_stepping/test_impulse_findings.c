/* test_impulse_findings.c -- what sequential impulses, XPBD and soft steps do to impacts, friction and columns at rest.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "models.h"
#include "runs.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A unit mass without forces over a floor, q = (height, x). */
static test_run throw(const char *scheme, double height, double v_N, double v_T, double e, double mu)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  const dls_slider what = {.mass = {1, 1}};
  const dls_slider_row rows[] = {{{1, 0}}, {{0, 1}}};
  assert_ok(dls_slider_create("unit mass", 2, 1, 2, &what, rows, &sys, &err), err);
  sys->q0[0] = height;
  sys->v0[0] = v_N;
  sys->v0[1] = v_T;
  sys->e[0] = e;
  sys->mu[0] = mu;
  test_run run = dls_test_prepare_of(sys, scheme);
  assert_ok(dls_sim_start(run.sim, &err), err);
  return run;
}

static void step(test_run *run, double h, size_t steps)
{
  dls_error err = {0};
  for (size_t k = 0; k < steps; k++) {
    assert_ok(dls_sim_advance(run->sim, h, &err), err);
  }
}

enum { PHASES = 16 };
static double phase(size_t k)
{
  return ((double)k + 0.5) / PHASES; /* sigma: part of the substep that is left when the gap closes */
}

/* The body arrives at the time sigma h_s after a node: f_N h = (1 - sigma) V, for every h and every number of substeps, so that
 * u_T' = 2 - mu (1 - sigma), on average 2 - mu/2 and not 2 - mu. */
DLS_TEST(xpbd_delivers_half_of_the_friction_of_an_impact)
{
  const double h[] = {1e-2, 1e-4};
  const int substeps[] = {1, 20};
  for (size_t i = 0; i < 4; i++) {
    const double h_s = h[i / 2] / substeps[i % 2];
    char scheme[40];
    double sum = 0;
    snprintf(scheme, sizeof scheme, "xpbd:substeps=%d", substeps[i % 2]);
    for (size_t k = 0; k < PHASES; k++) {
      test_run run = throw(scheme, (2 + phase(k)) * h_s, -1, 2, 0, 0.3);
      step(&run, h[i / 2], 4);
      assert_close(run.sim->v[1], 2 - 0.3 * (1 - phase(k)), 1e-12);
      assert_close(run.sim->v[0], 0, 1e-12);
      sum += run.sim->v[1] / PHASES;
      dls_test_free(&run);
    }
    assert_close(sum, 1.85, 1e-12);
  }
}

/* For a mass of 2 kg the printed bound is an impulse taken for a speed: half of the friction, in lasting contact too. */
DLS_TEST(the_printed_bound_of_friction_is_that_of_unit_masses)
{
  const struct {
    const char *scheme;
    double slip;
  } cases[] = {
      {"xpbd:substeps=4", 2 - 0.3 * 9.81 * 0.2},
      {"xpbd:substeps=4,friction_bound=speed", 2 - 2 * 0.3 * 9.81 * 0.2}}; /* min(h mu f_N, ..), f_N = 2 g */
  for (size_t i = 0; i < 2; i++) {
    dls_error err = {0};
    test_run run = dls_test_run("incline:m=2,alpha=0,mu=0.3,v0=2", cases[i].scheme, 0.01, 0.2);
    (void)err;
    assert_close(run.sim->v[0], cases[i].slip, 1e-12);
    dls_test_free(&run);
  }
}

/* A penetration of (1 - sigma) h V comes back as a speed of beta (1 - sigma) V, for every h. */
DLS_TEST(baumgarte_gives_a_random_restitution)
{
  for (double h = 1e-2; h > 1e-5; h /= 100) {
    double sum = 0;
    for (size_t k = 0; k < PHASES; k++) {
      test_run run = throw("sequential-impulse", (2 + phase(k)) * h, -1, 0, 0, 0);
      step(&run, h, 4);
      assert_close(run.sim->v[0], 0.2 * (1 - phase(k)), 1e-12);
      sum += run.sim->v[0] / PHASES;
      dls_test_free(&run);
      run = throw("sequential-impulse", (2 + phase(k)) * h, -1, 0, 0.5, 0); /* e above beta is exact */
      step(&run, h, 4);
      assert_close(run.sim->v[0], 0.5, 1e-12);
      dls_test_free(&run);
    }
    assert_close(sum, 0.1, 1e-12);
  }
}

DLS_TEST(a_split_impulse_reduces_a_penetration_by_beta)
{
  const double h = 1e-2;
  test_run run = throw("sequential-impulse:stabilise=split,beta=0.3", 2.25 * h, -1, 0, 0, 0);
  step(&run, h, 3);
  assert_close(run.sim->q[0], -0.75 * h, 1e-15);
  for (double depth = 0.75 * h; depth > 1e-5; depth *= 0.7) {
    assert_close(run.sim->q[0], -depth, 1e-15);
    step(&run, h, 1);
    assert_close(run.sim->v[0], 0, 1e-15);
  }
  dls_test_free(&run);
}

/* With friction first and one cold sweep, the bound mu r_N is that of r_N = 0. */
DLS_TEST(friction_first_and_cold_is_none)
{
  const struct {
    const char *options;
    double slowed;
  } cases[] = {{"sweeps=1,warm_start=0,order=friction-first", 0},
               {"sweeps=1,warm_start=0", 0.3 * 9.81 * 0.2},
               {"sweeps=2,warm_start=0,order=friction-first", 0.3 * 9.81 * 0.2},
               {"sweeps=1,order=friction-first", 0.3 * 9.81 * 0.19}}; /* none in the first step */
  for (size_t i = 0; i < 4; i++) {
    char scheme[80];
    snprintf(scheme, sizeof scheme, "sequential-impulse:%s", cases[i].options);
    test_run run = dls_test_run("incline:alpha=0,mu=0.3,v0=2", scheme, 0.01, 0.2);
    assert_close(run.sim->v[0], 2 - cases[i].slowed, 1e-12);
    dls_test_free(&run);
  }
}

/* How far the top of a column of beads at rest sinks in a second. */
static double sinks(int beads, int sweeps, double warm_start, double h)
{
  char model[80], scheme[80];
  snprintf(model, sizeof model, "bead-column:N=%d,gap=0", beads);
  snprintf(scheme, sizeof scheme, "sequential-impulse:sweeps=%d,warm_start=%g,stabilise=none", sweeps,
           warm_start);
  test_run run = dls_test_run(model, scheme, h, 1);
  const size_t top = run.sys->n - 1;
  const double sunk = run.sys->q0[top] - run.sim->q[top];
  dls_test_free(&run);
  return sunk;
}

/* Depths of theory with truncated sweeps, N = 10, h = 1/60 s: from a cold start of order one, and from a warm one of order two. */
DLS_TEST(truncated_sweeps_let_columns_sink)
{
  const int sweeps[] = {1, 4, 10};
  const double cold[] = {3.6, 1.5, 0.63}, warm[] = {0.18, 0.028, 0.011};
  for (size_t i = 0; i < 3; i++) {
    assert_between(sinks(10, sweeps[i], 0, 1.0 / 60) / cold[i], 0.97, 1.03);
    assert_between(sinks(10, sweeps[i], 1, 1.0 / 60) / warm[i], 0.97, 1.03);
    const double h = 1.0 / 960; /* cold: below free fall */
    assert_between(log2(sinks(10, sweeps[i], 0, h) / sinks(10, sweeps[i], 0, h / 2)), 0.9, 1.05);
    assert_between(log2(sinks(10, sweeps[i], 1, h) / sinks(10, sweeps[i], 1, h / 2)), 1.9, 2.1);
  }
  assert_between(sinks(10, 4, 0, 1.0 / 960) / sinks(10, 8, 0, 1.0 / 960), 1.8, 2.2); /* 1/k */
  assert_between(sinks(10, 1, 0, 1.0 / 960) / sinks(2, 1, 0, 1.0 / 960), 42, 44);
}

/* a/omega^2 with omega = 2 pi 60 Hz, for every h; and twice the frequency is that of a support. */
DLS_TEST(soft_steps_rest_at_one_depth)
{
  const double omega = 2 * 3.14159265358979323846 * 60;
  const double h[] = {1e-2, 1e-3};
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_run("bouncing-ball:e=0,q0=0", "soft-step", h[i], 8);
    assert_close(run.sim->q[0] / (-2 / (omega * omega)), 1, 1e-3);
    assert_close(run.sim->v[0], 0, 1e-9);
    dls_test_free(&run);
  }
}

/* Two beads: contact 0, with the floor, carries 2 m g with the mass m and 60 Hz; contact 1 m g with m/2 and 30 Hz. */
DLS_TEST(supports_have_twice_the_frequency)
{
  const double omega = 2 * 3.14159265358979323846 * 30;
  test_run run = dls_test_run("bead-column:N=2,gap=0", "soft-step", 0.01, 8);
  assert_close(run.sim->g[0] / (-2 * 9.81 / (4 * omega * omega)), 1, 1e-3);
  assert_close(run.sim->g[1] / (-2 * 9.81 / (omega * omega)), 1, 1e-3);
  dls_test_free(&run);
}

/* One pendulum in two sets of coordinates, at rest on its hurdle at 45 degrees: lambda = m g, and W = 1/(2 m) in the
 * angle or 1/m in those of the free tip, whose joint is a row of its own. In the angle H is 0 at the start, q = 0. */
DLS_TEST(supports_do_not_depend_on_coordinates)
{
  static const struct {
    const char *model;
    double W;
  } forms[] = {{"bouncing-pendulum:e=0", 0.5}, {"bouncing-pendulum-cartesian:e=0", 1}};
  const double omega = 2 * 3.14159265358979323846 * 60;
  for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
    test_run run = dls_test_run(forms[i].model, "soft-step", 1e-3, 8);
    assert_close(run.sim->g[0] / (-forms[i].W * 9.81 / (omega * omega)), 1, 2e-3);
    dls_test_free(&run);
  }
}

/* A light sleeve that a spring presses on its pole: only the angular momentum changes. The bird has a large inertia,
 * J phi'' = -c (phi - phi_S) + h_M lambda, and h_M^2/J lambda = omega^2 delta with phi = phi_0 - delta/h_M. */
DLS_TEST(poles_of_models_without_sideways_motion_are_supports)
{
  const double omega = 2 * 3.14159265358979323846 * 60, hM = 0.0058, J = 5e-9, c = 5.6e-6;
  const double phi = -0.0006 / hM, phi_S = -0.2;
  test_run run =
      dls_test_run("woodpecker:mS=1e-12,JS=1e9,g=1e-9,v0=0,v2=0,c=5.6e-6,q2=-0.2", "soft-step", 1e-3, 8);
  const double delta = hM * c * (phi - phi_S) / (J * omega * omega + c);
  assert_close(-run.sim->g[1] / delta, 1, 1e-3);
  dls_test_free(&run);
}

static dls_limit_model limit_of(const char *scheme, double e, double speed, double mu)
{
  dls_error err = {0};
  dls_limit_model out;
  test_run run = throw(scheme, 1, 0, 0, e, 0);
  const dls_limit_contact contact = {.inverse_mass = 1, .e = e, .speed = speed, .mu = mu};
  assert_ok(dls_scheme_limit(run.sim->scheme, run.sim->options, &contact, &out, &err), err);
  dls_test_free(&run);
  return out;
}

DLS_TEST(limits_depend_on_e_and_options)
{
  const struct {
    const char *scheme;
    double e, speed;
    dls_limit_kind kind;
    double limit, mu;
  } cases[] = {{"sequential-impulse", 0.5, 1, DLS_LIMIT_RIGID, 0.5, 0},
               {"sequential-impulse", 0.1, 1, DLS_LIMIT_NONE, NAN, 0},
               {"sequential-impulse:stabilise=split", 0.1, 1, DLS_LIMIT_RIGID, 0.1, 0},
               {"xpbd", 0.1, 1, DLS_LIMIT_RIGID, 0.1, 0},
               {"xpbd", 0.1, 1, DLS_LIMIT_NONE, NAN, 0.3},
               {"chrono-nsc:bounce_test=approach,min_bounce_speed=0", 0.5, 1, DLS_LIMIT_NONE, NAN, 0.3},
               {"chrono-nsc:bounce_test=approach,min_bounce_speed=0,friction=coulomb", 0.5, 1, DLS_LIMIT_RIGID,
                0.5, 0.3},
               {"anitescu-potra", 0.5, 1, DLS_LIMIT_RIGID, 0.5, 0},
               {"anitescu-potra", 0.5, 0, DLS_LIMIT_RIGID, 0.5, 0},
               {"anitescu-potra", 0, 1, DLS_LIMIT_RIGID, 0, 0.3},
               {"anitescu-potra:min_bounce_speed=2", 0.5, 1, DLS_LIMIT_OWN, 0, 0},
               {"anitescu-potra:min_bounce_speed=2", 0.5, 1, DLS_LIMIT_OWN, 0, 0.3},
               {"chrono-nsc:bounce_test=approach,min_bounce_speed=0", 0.5, 0, DLS_LIMIT_RIGID, 0.5, 0},
               {"chrono-nsc:bounce_test=approach,min_bounce_speed=0", 0, 1, DLS_LIMIT_OWN, 0, 0},
               {"soft-step:restitution_threshold=0", 0.5, 0, DLS_LIMIT_RIGID, 0.5, 0},
               {"soft-step", 0, 2, DLS_LIMIT_RIGID, 0, 0.3},
               {"soft-step", 0.5, 0.5, DLS_LIMIT_OWN, 0, 0.3},
               {"soft-step", 0.5, 2, DLS_LIMIT_NONE, NAN, 0.3},
               {"soft-step", 0.1, 2, DLS_LIMIT_RIGID, 0.1, 0},
               {"soft-step", 0.1, 0.5, DLS_LIMIT_OWN, 0, 0},
               {"soft-step:restitution_threshold=0", 0.1, 0.5, DLS_LIMIT_RIGID, 0.1, 0}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const dls_limit_model out = limit_of(cases[i].scheme, cases[i].e, cases[i].speed, cases[i].mu);
    assert_int_equal(out.kind, cases[i].kind);
    assert_true(out.e == cases[i].limit || (isnan(out.e) && isnan(cases[i].limit)));
  }
}

/* Coupled impacts, friction whose bound is that of no sweep before, and friction of a compression alone. */
DLS_TEST(some_impacts_have_no_known_limit)
{
  static const struct {
    const char *scheme;
    dls_limit_contact contact;
    const char *words; /* NULL: there is one */
  } cases[] = {
      {"sequential-impulse", {.e = 0.5, .speed = 1}, NULL},
      {"sequential-impulse", {.e = 0.5, .speed = 1, .coupled = true}, "sweeps are truncated"},
      {"xpbd", {.e = 0.5, .speed = 1, .coupled = true}, "sweeps are truncated"},
      {"soft-step", {.e = 0.5, .speed = 2, .coupled = true}, "an impact of 2 m/s acts on coupled contacts"},
      {"anitescu-potra", {.e = 0.5, .speed = 2, .mu = 0.3}, "mu V of friction, in place of mu (1 + e) V"},
      {"sequential-impulse:order=friction-first,sweeps=2", {.e = 0.5, .speed = 1, .mu = 0.3}, NULL},
      {"sequential-impulse:order=friction-first,sweeps=1", {.e = 0.5, .speed = 1}, NULL},
      {"sequential-impulse:order=friction-first,sweeps=1",
       {.e = 0.5, .speed = 1, .mu = 0.3},
       "sweeps=2 has one"}};
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    test_run run = dls_test_prepare("bouncing-ball", cases[i].scheme);
    dls_limit_model out;
    dls_error err = {0};
    const dls_status status =
        dls_scheme_limit(run.sim->scheme, run.sim->options, &cases[i].contact, &out, &err);
    assert_int_equal(status, cases[i].words == NULL ? DLS_OK : DLS_ERR_NOT_APPLICABLE);
    assert_true(cases[i].words == NULL || strstr(err.text, cases[i].words) != NULL);
    dls_test_free(&run);
  }
}

/* A deep penetration is pushed out with push_speed, in every substep. */
DLS_TEST(pushes_have_a_largest_speed)
{
  test_run run = throw("soft-step:push_speed=2", -1, 0, 0, 0, 0);
  step(&run, 0.01, 1);
  assert_close(run.sim->q[0], -1 + 2 * 0.01, 1e-12);
  dls_test_free(&run);
}

/* The pseudo velocity of a split impulse does not contain that of the support. */
DLS_TEST(split_impulses_rest_on_moving_supports)
{
  dls_error err = {0};
  test_run run =
      dls_test_prepare("vibrating-table:e=0,A=0.5,omega=2,q0=1e-15,v0=1", "sequential-impulse:stabilise=split");
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (size_t k = 0; k < 700; k++) { /* the table goes up to 0.5 m and comes back */
    step(&run, 1e-3, 1);
    assert_between(run.sim->g[0], -2e-5, 2e-5);
  }
  dls_test_free(&run);
}

/* A body on a slope above mu sticks by its static friction. */
DLS_TEST(xpbd_sticks_by_static_friction)
{
  for (int sticks = 0; sticks < 2; sticks++) {
    dls_system *sys = dls_test_system("incline:mu=0.3,v0=0");
    sys->mu_s[0] = sticks ? 0.8 : 0.3; /* tan(alpha) = 0.577 */
    dls_error err = {0};
    test_run run = dls_test_prepare_of(sys, "xpbd");
    assert_ok(dls_sim_start(run.sim, &err), err);
    step(&run, 0.01, 50);
    assert_close(run.sim->q[0], sticks ? 0 : -0.5 * 9.81 * (0.5 - 0.3 * sqrt(0.75)) * 0.25,
                 sticks ? 1e-15 : 2e-3);
    assert_int_equal(run.sim->status[0], sticks ? 1 : 2);
    dls_test_free(&run);
  }
}

/* Impulses of the last step are in proportion to its length. */
DLS_TEST(warm_starts_know_the_length_of_the_step)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bead-column:N=3,gap=0", "sequential-impulse:sweeps=1,stabilise=none");
  assert_ok(dls_sim_start(run.sim, &err), err);
  step(&run, 0.01, 400);
  for (size_t i = 0; i < 3; i++) {
    assert_close(run.sim->v[i], 0, 1e-9);
  }
  step(&run, 0.02, 1);
  for (size_t i = 0; i < 3; i++) {
    assert_close(run.sim->v[i], 0, 1e-9); /* of 9.81 * 0.02 */
  }
  dls_test_free(&run);
}

/* An impact reports its friction; forces are those of the middle of the step. */
DLS_TEST(steps_report_friction_and_take_forces_in_the_middle)
{
  test_run run = dls_test_run("bounce-slip", "sequential-impulse", 1e-2, 0.6);
  assert_true(run.traj->event_count > 0);
  const dls_event *impact = &run.traj->events[0];
  assert_true(impact->tangential && impact->impulse > 0);
  assert_close(fabs(impact->friction[0]), 0.1 * impact->impulse, 1e-12);
  size_t jumps = 0; /* two rows at one time: the limits on both sides of the impact */
  for (size_t k = 0; k + 1 < run.traj->rows; k++) {
    jumps += dls_test_value(&run, k, "t") == dls_test_value(&run, k + 1, "t");
  }
  assert_int_equal(jumps, run.traj->event_count);
  dls_test_free(&run);
  run =
      dls_test_run("impacting-oscillator:k=0,q0=10,amplitude=3,omega=5,phase=0.3", "xpbd:substeps=1", 0.1, 0.1);
  assert_close(run.sim->v[0], 0.1 * 3 * cos(5 * 0.05 + 0.3), 1e-14);
  dls_test_free(&run);
}

DLS_TEST(own_rebounds_are_noted)
{
  const struct {
    const char *scheme, *words;
  } cases[] = {{"sequential-impulse", "contact 0 has e = 0.1, below beta = 0.2"},
               {"sequential-impulse:beta=0.05", ""},
               {"soft-step", "slower than restitution_threshold = 1 m/s"},
               {"xpbd", ""}};
  for (size_t i = 0; i < 4; i++) {
    char text[DLS_NOTE_ROOM];
    test_run run = throw(cases[i].scheme, 1, 0, 0, 0.1, 0);
    dls_sim_note(run.sim, text, sizeof text);
    assert_true(cases[i].words[0] == '\0' ? text[0] == '\0' : strstr(text, cases[i].words) != NULL);
    dls_test_free(&run);
  }
}

/* What has no effect is refused, and laws that are no rows. */
DLS_TEST(refusals_name_what_and_why)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  assert_int_equal(dls_scheme_choose("sequential-impulse:stabilise=none,beta=0.3", &choice, &err),
                   DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "beta"));
  for (size_t i = 0; i < 2; i++) {
    test_run run = dls_test_prepare(i == 0 ? "bounce-slip fremond" : "bounce-slip poisson", "xpbd");
    assert_int_equal(dls_sim_start(run.sim, &err), DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, i == 0 ? "contact 0 has law fremond" : "contact 0 has law poisson"));
    dls_test_free(&run);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(xpbd_delivers_half_of_the_friction_of_an_impact),
      cmocka_unit_test(the_printed_bound_of_friction_is_that_of_unit_masses),
      cmocka_unit_test(baumgarte_gives_a_random_restitution),
      cmocka_unit_test(a_split_impulse_reduces_a_penetration_by_beta),
      cmocka_unit_test(friction_first_and_cold_is_none),
      cmocka_unit_test(truncated_sweeps_let_columns_sink),
      cmocka_unit_test(soft_steps_rest_at_one_depth),
      cmocka_unit_test(supports_have_twice_the_frequency),
      cmocka_unit_test(supports_do_not_depend_on_coordinates),
      cmocka_unit_test(poles_of_models_without_sideways_motion_are_supports),
      cmocka_unit_test(limits_depend_on_e_and_options),
      cmocka_unit_test(some_impacts_have_no_known_limit),
      cmocka_unit_test(pushes_have_a_largest_speed),
      cmocka_unit_test(split_impulses_rest_on_moving_supports),
      cmocka_unit_test(xpbd_sticks_by_static_friction),
      cmocka_unit_test(warm_starts_know_the_length_of_the_step),
      cmocka_unit_test(steps_report_friction_and_take_forces_in_the_middle),
      cmocka_unit_test(own_rebounds_are_noted),
      cmocka_unit_test(refusals_name_what_and_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
