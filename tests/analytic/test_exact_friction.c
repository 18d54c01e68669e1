/* tests/analytic/test_exact_friction.c -- exact solutions with friction: values derived by hand or by other programs, and
 * Coulomb's law with the equations of motion at every row of every solution, for random parameters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/catalogue.h>
#include <delassus/configuration.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static dls_trajectory *solve(const char *text, double end, double accuracy)
{
  dls_error err = {0};
  dls_trajectory *traj = NULL;
  dls_model_choice choice = dls_test_model(text);
  const dls_exact *exact = dls_exact_find(choice.model->name);
  assert_non_null(exact);
  assert_ok(dls_exact_trajectory(exact, choice.parameters, end, accuracy, &traj, &err), err);
  dls_model_choice_release(&choice);
  return traj;
}

DLS_TEST(values_are_those_of_the_literature_and_of_other_programs)
{
  const struct {
    const char *model;
    double t;
    const char *column;
    double expected, tolerance;
  } cases[] = {
      {"incline", 1, "q0", -0.362398577094839, 1e-14},
      {"incline:mu=0.7", 1, "q0", 0.184297885612349, 1e-14},
      {"forced-block", 2, "q0", 0.144060697723888, 1e-14},
      {"forced-block", 5, "q0", -0.288433241999886, 1e-14},
      {"den-hartog", 7.5, "q0", 1.6389745690785, 1e-13},
      {"puck", 0.25, "v0", 0.0930885564619111, 1e-15},
      {"puck", 0.25, "v1", 0.181292680283532, 1e-15},
      {"puck", 1, "q0", -0.0259888864097492, 1e-15},
      {"puck", 1, "q1", 0.140668974043193, 1e-15},
      {"sphere", 1, "v0", 9.0 / 7, 1e-15},
      {"sphere", 1, "v1", -0.5, 1e-15},
      {"bounce-slip", 1.3545709229571928, "v0", 6.67116592457899, 1e-13},
      {"bounce-slip", 3, "v0", 8 * 5.0 / 7, 1e-14},
      {"rough-bowl", 0.577613188225255, "v0", 2.64869830338015, 1e-14},
      {"rough-bowl", 0.577613188225255, "q0", 0, 3e-15},
      {"rough-bowl", 0.577613188225255, "lambda0", 1.71514808382557 * 9.81, 1e-13},
      {"rough-bowl", 0.577613188225255, "lambda0t", -0.171514808382557 * 9.81, 1e-14},
      {"rough-bowl:m=2,theta0=1.0471975511965976", 1.05437996837416, "q0", -0.67138034003819891, 1e-14},
      {"belt", 2, "lambda0t", 1 - sqrt(0.75) + 0.5 * (2 - acos(-1) / 6), 1e-14}, /* it sticks: k x */
      {"puck", 0.25, "u0t2", 0.181292680283532, 1e-15},
      {"rocking-block", 0.2, "u0t", 0, 1e-16},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    assert_close(dls_test_exact_value(cases[k].model, cases[k].t, cases[k].column), cases[k].expected,
                 cases[k].tolerance);
  }
}

DLS_TEST(events_are_those_of_the_literature_and_of_other_programs)
{
  const double pi = acos(-1);
  const struct {
    const char *model;
    double end;
    size_t event;
    dls_event_kind kind;
    double t;
  } cases[] = {
      {"incline", 1, 0, DLS_REVERSAL, 0.268322655232618},
      {"incline:mu=0.7", 1, 0, DLS_STICK, 0.184297885612349},
      {"forced-block", 6, 0, DLS_STICK, 1.41018537664816},
      {"forced-block", 6, 1, DLS_SLIP, 2.34619382340565},
      {"forced-block", 6, 2, DLS_STICK, 4.79060205129321},
      {"forced-block:F=0.3", 10, 0, DLS_REVERSAL, 2.35644114985616},
      {"forced-block:F=0.3", 10, 1, DLS_REVERSAL, 5.91442219720489},
      {"forced-block:F=0.3", 10, 2, DLS_REVERSAL, 8.87047229341078},
      {"belt", 3, 0, DLS_STICK, pi / 6},
      {"belt", 3, 1, DLS_SLIP, 2.25564958316718},
      {"belt:Fs=1.5", 20, 1, DLS_SLIP, 3.25564958316718},
      {"belt:Fs=1.5", 20, 3, DLS_SLIP, 3.25564958316718 + 1.5 * pi + 2},
      {"den-hartog", 5, 0, DLS_REVERSAL, pi / 0.75},
      {"puck", 1, 0, DLS_STICK, 0.415822182555987},
      {"sphere", 1, 0, DLS_STICK, 0.530079357017658},
      {"spring-block", 40, 4, DLS_STICK, 5 * pi},
      {"rough-bowl", 2, 0, DLS_REVERSAL, 1.05437996837416},
      {"rocking-block", 2, 0, DLS_IMPACT, 1.38837434715553 / 4},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_trajectory *traj = solve(cases[k].model, cases[k].end, 1e-3);
    assert_true(cases[k].event < traj->event_count);
    assert_int_equal(traj->events[cases[k].event].kind, cases[k].kind);
    assert_close(traj->events[cases[k].event].t, cases[k].t, 2e-14 * (1 + cases[k].t));
    dls_trajectory_destroy(traj);
  }
  dls_trajectory *rolls = solve("bounce-slip", 3, 1e-3);
  assert_int_equal(rolls->events[rolls->event_count - 1].kind, DLS_STICK);
  assert_close(rolls->events[rolls->event_count - 1].t, 2.32998398136013, 1e-13);
  dls_trajectory_destroy(rolls);
}

/* Fs = F: the velocity of slip touches that of the belt 2 pi after each start, and the mass slips on; with F < Fs it sticks again. */
DLS_TEST(slip_that_only_touches_the_velocity_of_the_belt_goes_on)
{
  static const char *const models[] = {"belt", "belt:vb=0.3", "belt:m=2,k=3,F=0.7,Fs=0.7,vb=0.1,q0=0.1"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    dls_trajectory *traj = solve(models[k], 40, 1e-3);
    assert_int_equal(traj->event_count, 2);
    assert_int_equal(traj->events[0].kind, DLS_STICK);
    assert_int_equal(traj->events[1].kind, DLS_SLIP);
    dls_trajectory_destroy(traj);
  }
  assert_close(dls_test_exact_value("belt", 40, "q0"), 1 + 0.5 * sin(40 - 2.25564958316718), 2e-14);
}

/* Columns of a row for n, m and d. */
typedef struct row_view {
  const double *q, *v, *g, *p, *lambda, *status, *a, *u_t, *p_t, *lambda_t;
} row_view;

static row_view view(const dls_trajectory *traj, size_t row)
{
  const double *q = traj->data + row * traj->columns + 1, *v = q + traj->n, *g = v + traj->n;
  const size_t m = traj->m, rows = (traj->d - 1) * m;
  const double *p = g + 2 * m, *a = p + 3 * m, *u_t = a + traj->n;
  return (row_view){q, v, g, p, p + m, p + 2 * m, a, u_t, u_t + rows, u_t + 2 * rows};
}

/* M a = F + H lambda + T lambda_T, and M (v - v_before) = H p + T p_T. */
static void check_balance(const dls_configuration *config, const row_view *x, const double *v_before)
{
  const dls_system *sys = config->sys;
  double R[6], J[6] = {0}, size = 0;
  dls_system_force(sys, config->t, x->q, x->v, R);
  dls_matrix_multiply(config->normals, 1, x->lambda, R);
  dls_matrix_multiply(config->slides, 1, x->lambda_t, R);
  for (size_t i = 0; i < sys->n; i++) {
    size = fmax(size, fabs(R[i]));
  }
  dls_matrix_multiply(config->M, -1, x->a, R);
  dls_matrix_multiply(config->normals, -1, x->p, J);
  dls_matrix_multiply(config->slides, -1, x->p_t, J);
  dls_matrix_multiply(config->M, 1, x->v, J);
  dls_matrix_multiply(config->M, -1, v_before != NULL ? v_before : x->v, J);
  for (size_t i = 0; i < sys->n; i++) {
    assert_close(R[i], 0, 1e-12 * (1 + size));
    assert_close(J[i], 0, 1e-12);
  }
}

/* Of forces, and of impulses without tangential restitution. */
static void check_friction(const dls_system *sys, size_t j, double pressed, double held, const double *r,
                           const double *u)
{
  const double along[] = {r[0], sys->d > 2 ? r[1] : 0}, slip[] = {u[0], sys->d > 2 ? u[1] : 0};
  const double speed = hypot(slip[0], slip[1]), limit = sys->mu[j] * pressed;
  assert_between(hypot(along[0], along[1]), 0, held * pressed + 1e-9 * (1 + held * pressed));
  for (size_t k = 0; k < 2 && speed > 1e-7; k++) { /* it slips: r = -mu lambda u / |u| */
    assert_close(along[k], -limit * slip[k] / speed, 1e-6 * (1 + limit));
  }
}

static void check_law(const dls_configuration *config, const row_view *x)
{
  const dls_system *sys = config->sys;
  const size_t rows = sys->d - 1;
  for (size_t j = 0; j < sys->m; j++) {
    const double *u = x->u_t + j * rows, speed = hypot(u[0], rows > 1 ? u[1] : 0);
    check_friction(sys, j, x->lambda[j], fmax(sys->mu[j], sys->mu_s[j]), x->lambda_t + j * rows, u);
    if (sys->e_t[j] == 0) {
      check_friction(sys, j, x->p[j], sys->mu[j], x->p_t + j * rows, u);
    }
    if (speed > 1e-7) {
      assert_int_equal((int)x->status[j], x->lambda[j] > 0 ? 2 : 0);
    }
    for (size_t k = 0; k < rows; k++) {
      assert_close(u[k], dls_configuration_row(config, j * sys->d + 1 + k, x->v), 1e-14 * (1 + speed));
    }
    assert_between(x->g[j], -1e-12, INFINITY);
    assert_close(x->lambda[j] * x->g[j], 0, 1e-12);
  }
}

/* q' = v and v' = a between two rows, by the cubic's value in the middle against the slopes there. */
static void check_slopes(const dls_trajectory *traj, size_t row)
{
  const row_view x = view(traj, row), y = view(traj, row + 1);
  const double h = y.q[-1] - x.q[-1];
  for (size_t i = 0; i < traj->n && h > 0; i++) {
    const double size = 1 + fabs(x.q[i]) + fabs(x.v[i]);
    assert_close(y.q[i] - x.q[i], h / 2 * (x.v[i] + y.v[i]) + h * h / 12 * (x.a[i] - y.a[i]), 1e-8 * size);
  }
}

static void check_motion(const char *text, double end)
{
  dls_system *sys = dls_test_system(text);
  dls_trajectory *traj = solve(text, end, 1e-9);
  dls_configuration config;
  assert_true(dls_configuration_create(sys, &config));
  for (size_t k = 0; k < traj->rows; k++) {
    const row_view x = view(traj, k);
    const double *v_before = k > 0 && x.q[-1] == view(traj, k - 1).q[-1] ? view(traj, k - 1).v : NULL;
    dls_configuration_at(&config, x.q[-1], x.q);
    check_balance(&config, &x, v_before);
    check_law(&config, &x);
    if (k + 1 < traj->rows) {
      check_slopes(traj, k);
    }
  }
  dls_configuration_destroy(&config);
  dls_trajectory_destroy(traj);
  dls_system_destroy(sys);
}

static double uniform(unsigned *seed, double low, double high)
{
  *seed = *seed * 1664525u + 1013904223u;
  return low + (high - low) * (*seed / 4294967296.0);
}

DLS_TEST(every_row_obeys_the_law_and_the_equations_of_motion)
{
  const char *const models[] = {"incline",       "incline-stack",
                                "forced-block",  "belt",
                                "den-hartog",    "spring-block",
                                "puck",          "puck-belt",
                                "superball",     "bounce-slip",
                                "sphere",        "rough-bowl",
                                "rocking-block", "rocking-block:mu=0.14852"};
  for (size_t k = 0; k < sizeof models / sizeof models[0]; k++) {
    check_motion(models[k], 12);
  }
  unsigned seed = 7;
  for (int k = 0; k < 60; k++) {
    char text[200];
    const double x[] = {uniform(&seed, 0.2, 3), uniform(&seed, 0.2, 3), uniform(&seed, 0, 1.5),
                        uniform(&seed, -2, 2),  uniform(&seed, 0.3, 3), uniform(&seed, 0, 1)};
    snprintf(text, sizeof text, "incline:alpha=%g,mu=%g,v0=%g", x[5], x[2], x[3]);
    check_motion(text, 5);
    snprintf(text, sizeof text, "incline-stack:alpha=%g,mu1=%g,mu2=%g,m1=%g", x[5], x[2], x[1] / 2, x[0]);
    check_motion(text, 2);
    snprintf(text, sizeof text, "forced-block:m=%g,A=%g,omega=%g,F=%g,phase=%g,v0=%g", x[0], x[3], x[4], x[2],
             x[1], x[5]);
    check_motion(text, 20);
    snprintf(text, sizeof text, "belt:m=%g,k=%g,F=%g,Fs=%g,vb=%g,q0=%g,v0=%g", x[0], x[1], x[2], x[2] + x[5],
             x[3], x[4], x[5]);
    check_motion(text, 20);
    snprintf(text, sizeof text, "den-hartog:m=%g,k=%g,P=%g,omega=%g,F=%g,q0=%g,v0=%g", x[0], x[1], x[3], x[4],
             x[5], x[2], x[4]);
    check_motion(text, 20);
    snprintf(text, sizeof text, "puck:alpha=%g,mu=%g,v0=%g,phi0=%g", x[5], x[2], x[0], 1.5 * x[3]);
    check_motion(text, 2);
    snprintf(text, sizeof text, "puck-belt:mu=%g,v0=%g,vb=%g", x[2], x[3], x[0]);
    check_motion(text, 2);
    snprintf(text, sizeof text, "rough-bowl:m=%g,R=%g,mu=%g,theta0=%g", x[0], x[1], x[2] / 2, 0.75 * x[3]);
    check_motion(text, 5);
    snprintf(text, sizeof text, "rocking-block:m=%g,b=0.1,h=%g,mu=0.5,phi0=%g", x[0], x[1],
             0.49 * x[3] * atan(0.1 / x[1]));
    check_motion(text, 5);
  }
}

/* Up to its event a puck on a straight line is slowed as before, whichever way the time of the event is rounded. */
DLS_TEST(the_left_limit_where_a_puck_stops_or_turns_is_that_of_slip)
{
  unsigned seed = 5;
  for (int k = 0; k < 40; k++) {
    char text[120];
    const bool turns = k % 2 == 0;
    const double alpha = uniform(&seed, 0.1, 0.4), g = uniform(&seed, 5, 15);
    const double mu = tan(alpha) * (turns ? uniform(&seed, 0, 0.8) : uniform(&seed, 1.5, 3));
    snprintf(text, sizeof text, "puck:alpha=%.17g,mu=%.17g,g=%.17g,phi0=%.17g", alpha, mu, g,
             turns ? acos(-1) : 0);
    dls_trajectory *traj = solve(text, 4, 1e-6);
    assert_int_equal(traj->event_count, 1);
    size_t row = 0;
    while (row + 1 < traj->rows && view(traj, row).q[-1] < traj->events[0].t) {
      row++;
    }
    const row_view left = view(traj, row);
    assert_true(left.q[-1] == traj->events[0].t && view(traj, row + 1).q[-1] == left.q[-1]);
    assert_close(left.v[0], 0, 1e-15);
    assert_close(left.a[0], g * (sin(alpha) + (turns ? 1 : -1) * mu * cos(alpha)), 1e-13 * g);
    dls_trajectory_destroy(traj);
  }
}

/* mu = tan(alpha) but for rounding: the time until rest is 1e16 s, or there is none; the motion is that of mu = tan(alpha) - 1e-12. */
DLS_TEST(a_puck_with_friction_as_large_as_weight_along_the_slope_keeps_its_digits)
{
  const double alpha = 0.19739555984988075; /* atan(0.2) */
  double last = 0;
  for (int k = -2; k <= 2; k++) {
    char text[120];
    snprintf(text, sizeof text, "puck:alpha=%.17g,mu=%.17g", alpha,
             k == -2 ? 0.2 - 1e-12 : 0.2 * (1 + k * DBL_EPSILON));
    dls_trajectory *traj = solve(text, 2, 1e-6);
    const row_view end = view(traj, traj->rows - 1);
    assert_true(k == -2 || fabs(end.q[0] - last) < 2e-11);
    last = end.q[0];
    dls_trajectory_destroy(traj);
  }
}

/* An impact obeys x' - 2/5 R w = const and u -> -e_t u, or slips with mu (1 + e) V; e = e_t = 1 keeps the energy. */
DLS_TEST(superballs_keep_their_energy_and_bounce_back_and_forth)
{
  dls_trajectory *traj = solve("superball:vx=2,w=3", 5, 1e-6);
  const double J = 0.4 * 0.01;
  const row_view first = view(traj, 0);
  const double energy = 0.5 * (4 + J * 9) + 9.81;
  double u_last = 0;
  assert_close(first.v[0] - 0.04 * first.v[2], 2 - 0.12, 1e-15);
  for (size_t k = 0; k < traj->rows; k++) {
    const row_view x = view(traj, k);
    const double E = 0.5 * (x.v[0] * x.v[0] + x.v[1] * x.v[1] + J * x.v[2] * x.v[2]) + 9.81 * (x.q[1] - 0.1);
    assert_close(E, energy, 1e-12);
    assert_close(x.v[0] - 0.04 * x.v[2], 2 - 0.12, 1e-13);
    const double u = x.v[0] + 0.1 * x.v[2];
    if (k > 0 && x.q[-1] == view(traj, k - 1).q[-1]) {
      assert_close(u, -u_last, 1e-13);
      assert_close(x.p_t[0], -2 * u_last * 2 / 7, 1e-13); /* (1 + e_T) u over W_TT = 7/2 */
    }
    u_last = u;
  }
  assert_true(traj->event_count >= 5);
  dls_trajectory_destroy(traj);
}

/* Where two nodes are apart by the spacing that is asked for, the cubics of q and v err by no more than the accuracy. */
DLS_TEST(the_path_of_the_puck_is_sampled_as_finely_as_promised)
{
  unsigned seed = 11;
  for (int k = 0; k < 40; k++) {
    char text[120];
    const double accuracy = pow(10, uniform(&seed, -9, -4));
    snprintf(text, sizeof text, "puck:alpha=%g,mu=%g,v0=%g,phi0=%g", uniform(&seed, 0.1, 0.6),
             uniform(&seed, 0, 1.2), uniform(&seed, 0.2, 2), uniform(&seed, 0.1, 3.1));
    dls_trajectory *traj = solve(text, 1.2, accuracy);
    for (size_t row = 1; row + 1 < traj->rows; row++) {
      const double t0 = view(traj, row).q[-1], h = view(traj, row + 1).q[-1] - t0;
      for (int i = 0; i < 2 && h > 0; i++) {
        const double v0 = view(traj, row).v[i], v1 = view(traj, row + 1).v[i];
        const double a0 = view(traj, row).a[i], a1 = view(traj, row + 1).a[i];
        if (row % 7 == 0) {
          const double middle = (v0 + v1) / 2 + h / 8 * (a0 - a1);
          assert_close(middle, dls_test_exact_value(text, t0 + h / 2, i == 0 ? "v0" : "v1"),
                       accuracy * (1 + 1e-9) + 1e-15);
        }
      }
    }
    dls_trajectory_destroy(traj);
  }
}

/* mu p in each impact while it slips, against the slip. */
DLS_TEST(impulses_of_slip_are_at_the_limit)
{
  dls_trajectory *traj = solve("bounce-slip:m=3,vx=-8", 1.3, 1e-6);
  size_t impacts = 0;
  for (size_t k = 0; k < traj->rows; k++) {
    const row_view x = view(traj, k);
    assert_close(x.p_t[0], 0.1 * x.p[0], 1e-14);
    impacts += x.p[0] > 0;
  }
  assert_between((double)impacts, 4, 7);
  dls_trajectory_destroy(traj);
}

DLS_TEST(what_is_not_housners_motion_is_refused)
{
  const char *const cases[][2] = {
      {"rocking-block:mu=0.1484", "mu = 0.1484 is below 0.148515, 3 sin cos/(4 - 3 sin^2) of alpha"},
      {"rocking-block:b=0.3", "b = 0.3 m is above h/2 = 0.25 m"},
      {"rocking-block:phi0=-0.2", "phi0 = -0.2 rad is outside of alpha = atan(b/h) = 0.197396 rad"},
  };
  for (size_t k = 0; k < 3; k++) {
    dls_error err = {0};
    dls_trajectory *traj = NULL;
    dls_model_choice choice = dls_test_model(cases[k][0]);
    assert_int_equal(
        dls_exact_trajectory(dls_exact_find("rocking-block"), choice.parameters, 1, 1e-6, &traj, &err),
        DLS_ERR_NOT_APPLICABLE);
    assert_non_null(strstr(err.text, cases[k][1]));
    assert_null(traj);
    dls_model_choice_release(&choice);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_those_of_the_literature_and_of_other_programs),
      cmocka_unit_test(events_are_those_of_the_literature_and_of_other_programs),
      cmocka_unit_test(slip_that_only_touches_the_velocity_of_the_belt_goes_on),
      cmocka_unit_test(every_row_obeys_the_law_and_the_equations_of_motion),
      cmocka_unit_test(superballs_keep_their_energy_and_bounce_back_and_forth),
      cmocka_unit_test(the_path_of_the_puck_is_sampled_as_finely_as_promised),
      cmocka_unit_test(the_left_limit_where_a_puck_stops_or_turns_is_that_of_slip),
      cmocka_unit_test(a_puck_with_friction_as_large_as_weight_along_the_slope_keeps_its_digits),
      cmocka_unit_test(impulses_of_slip_are_at_the_limit),
      cmocka_unit_test(what_is_not_housners_motion_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
