/* test_rk_moreau.c -- orders with impacts, accumulation, lasting contact, release, curved contact; the search.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <delassus/catalogue.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct rk_case {
  const char *name;
  double order, h_first, h_last; /* of the study on the oscillator */
} rk_case;
static const rk_case methods[] = {
    {"heun", 2, 1e-2, 1.5e-5},   {"bs3", 3, 5e-2, 5e-4},    {"rk4", 4, 0.1, 5e-3},
    {"rkf45", 5, 0.15, 1e-2},    {"dopri5", 5, 0.15, 2e-2}, {"rkf78,bracket=1e-6", 8, 0.8, 0.3},
    {"gauss2", 2, 1e-2, 1.5e-5}, {"gauss4", 4, 0.1, 5e-3},  {"radau3", 3, 5e-2, 5e-4},
    {"radau5", 5, 0.2, 2e-2},
};
enum { METHODS = sizeof methods / sizeof methods[0] };

static const char *scheme_of(const char *method, char *text, size_t size)
{
  snprintf(text, size, "rk-moreau:method=%s", method);
  return text;
}

/* Through the impact at pi/2, down to errors of 1e-10. */
DLS_TEST(order_with_impacts_is_that_of_the_method)
{
  for (size_t i = 0; i < METHODS; i++) {
    char scheme[80];
    const rk_case *m = &methods[i];
    const dls_fit fit =
        dls_test_order((test_study){"impacting-oscillator", scheme_of(m->name, scheme, sizeof scheme),
                                    "grid-max", "q", 2.5, m->h_first, m->h_last, 5, 2});
    /* rkf78 is at rounding before it is asymptotic: 7.3, 7.7, 7.9, .. from level to level */
    assert_between(fit.order, m->order - (m->order > 6 ? 0.8 : 0.2), m->order + 0.2);
    assert_between(fit.constant * pow(m->h_last, fit.order), 1e-14, 1e-10);
  }
}

/* Every method ends at rest, on the floor; the accumulation is at t = 3. */
DLS_TEST(every_method_passes_the_accumulation)
{
  for (size_t i = 0; i < METHODS; i++) {
    char scheme[80];
    test_run run = dls_test_run("bouncing-ball", scheme_of(methods[i].name, scheme, sizeof scheme), 1e-2, 4);
    const dls_event *last = &run.traj->events[run.traj->event_count - 1];
    assert_int_equal(last->kind, DLS_ACCUMULATION);
    assert_close(last->t, 3, 1e-5);
    assert_close(last->time_end, 3, 1e-5);
    const double u = -0.5 * last->u_minus; /* after an impact with e = 1/2, falling back at 2 m/s^2 */
    assert_close(last->time_end - last->t, 2 * u / (2 * (1 - 0.5)), 4 * DBL_EPSILON * 3);
    assert_close(last->bound, u * u / (2 * 2), 1e-12 * u * u);
    assert_between((double)run.sim->work.impacts, 15, 30);
    assert_close(run.sim->q[0], 0, 0);
    assert_close(run.sim->v[0], 0, 0);
    assert_close(run.sim->lambda[0], 2, 1e-15);
    assert_between(run.sim->worst_gap, -1e-14, 1e-8);
    assert_int_equal(run.sim->work.steps, 400);
    dls_test_free(&run);
  }
}

/* 310 impacts for e = 0.95; and in one step. */
DLS_TEST(accumulations_pass_for_any_restitution_and_step)
{
  test_run slow = dls_test_run("bouncing-ball:e=0.95", "rk-moreau", 1e-2, 45); /* at rest from t = 39 */
  assert_close(slow.sim->v[0], 0, 0);
  assert_between((double)slow.sim->work.impacts, 250, 400);
  dls_test_free(&slow);
  test_run single = dls_test_run("bouncing-ball", "rk-moreau", 4, 4);
  assert_close(single.sim->v[0], 0, 0);
  assert_int_equal(single.sim->work.steps, 1);
  dls_test_free(&single);
}

/* No force: an impact at 0.305 from speed 1, then e (t - 0.305). Both limits stand at the impact, inside a step. */
DLS_TEST(an_impact_has_its_place_in_time)
{
  test_run run = dls_test_run("bouncing-ball:f=0,q0=0.305,v0=-1", "rk-moreau:bracket=0.1", 0.1, 0.5);
  const double d = 0.1 * pow(0.1, 1 + 5) / pow(0.305, 5); /* t_s = 0.305 */
  assert_close(run.sim->q[0], 0.5 * (0.5 - 0.305), d);
  assert_int_equal(run.traj->rows, 8); /* 0, .1, .2, .3, impact twice, .4, .5 */
  assert_close(dls_test_value(&run, 4, "t"), 0.305, d);
  assert_close(dls_test_value(&run, 4, "t"), dls_test_value(&run, 5, "t"), 0);
  assert_close(dls_test_value(&run, 4, "v0"), -1, 1e-15);
  assert_close(dls_test_value(&run, 5, "v0"), 0.5, 1e-15);
  assert_close(dls_test_value(&run, 5, "p0"), 1.5, 1e-15);
  assert_close(dls_test_value(&run, 6, "t"), 4 * 0.1, 0);
  assert_close(dls_test_value(&run, 6, "p0"), 0, 0);
  dls_test_free(&run);
}

/* q = 0.1 - t + t^2 is positive at t = 0 and 1, and negative in between. */
DLS_TEST(a_gap_that_closes_and_opens_inside_a_step_is_seen)
{
  test_run run = dls_test_run("bouncing-ball:f=2,q0=0.1,v0=-1", "rk-moreau", 1, 1);
  assert_int_equal(run.sim->work.impacts, 1);
  assert_close(run.traj->events[0].t, 0.5 - sqrt(0.15), 1e-2);
  dls_test_free(&run);
}

/* Masses fall onto the floor, one from height 1/2 at rest, one at speed 1 from a height that takes it 1 + delay. */
static void fall_load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  F[0] = -1;
  F[1] = 0;
}

static void fall_at_once(double delay)
{
  dls_error err = {0};
  dls_system *sys = dls_system_create(2, 2);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_diagonal(2);
  sys->load = fall_load;
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, 1);
    dls_matrix_set(sys->H, i, i, 1);
    sys->e[i] = 1;
  }
  sys->q0[0] = 0.5;
  sys->q0[1] = 1 + delay;
  sys->v0[1] = -1;
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find("rk-moreau", &err), &sim, &err), err);
  assert_ok(dls_sim_set(sim, "bracket=1e-9", &err), err);
  dls_trajectory *traj = dls_sim_trajectory(sim, &err);
  assert_ok(dls_run(sim, &(dls_run_spec){.step = 0.7, .end = 1.4, .record = traj}, &err), err);
  assert_int_equal(traj->event_count, 2);
  assert_int_equal(traj->events[0].contact, delay > 0 ? 0 : 1);
  for (size_t k = 0; k < 2; k++) {
    assert_close(traj->events[k].t, traj->events[k].contact == 0 ? 1 : 1 + delay, 1e-9);
  }
  assert_between(sim->worst_gap, -1e-14, 1);
  dls_trajectory_destroy(traj);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

/* Nearer to each other than the first guess of their times, but not within one bracket. */
DLS_TEST(impacts_close_together_come_in_their_order)
{
  static const double delays[] = {-1e-8, 1e-8, -1e-6, 1e-6, -1e-4, 1e-4};
  for (size_t i = 0; i < 6; i++) {
    fall_at_once(delays[i]);
  }
}

/* Rebounds down to K |Gamma| d are made, the next one is not: d = 0.1 (0.1)^2, |Gamma| = 2, K = 4. */
DLS_TEST(the_length_of_the_bracket_ends_an_accumulation)
{
  test_run run = dls_test_run("bouncing-ball", "rk-moreau:method=heun,bracket=1", 0.1, 4);
  const double threshold = 4 * 2 * 0.1 * 0.01;
  const dls_event *last = &run.traj->events[run.traj->event_count - 1];
  assert_int_equal(last->kind, DLS_ACCUMULATION);
  assert_between(0.5 * -last->u_minus, 0.1 * threshold, threshold);
  assert_true((last - 1)->u_plus > threshold);
  assert_close(last->impulse, -last->u_minus + 2 * 1e-3,
               1e-12); /* and the weight over the bracket; e does not count */
  assert_close(run.sim->q[0], 0, 0);
  dls_test_free(&run);
}

/* f + a sin t presses until sin t = 1/1.5; then free motion; all in one norm. */
DLS_TEST(order_is_kept_in_lasting_contact_and_through_release)
{
  static const char model[] = "impacting-oscillator:q0=0,f=-1,amplitude=1.5,phase=-1.5707963267948966,c=0.1";
  static const rk_case some[] = {{"heun", 2, 5e-2, 1e-3},   {"rk4", 4, 0.1, 5e-3},    {"dopri5", 5, 0.2, 2e-2},
                                 {"gauss2", 2, 5e-2, 1e-3}, {"gauss4", 4, 0.1, 5e-3}, {"radau3", 3, 0.1, 1e-3}};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    char scheme[80];
    const dls_fit fit = dls_test_order((test_study){model, scheme_of(some[i].name, scheme, sizeof scheme),
                                                    "grid-max", "q", 2, some[i].h_first, some[i].h_last, 6, 4});
    assert_between(fit.order, some[i].order - 0.2, some[i].order + 0.2);
    assert_between(fit.constant, 1e-5, 10);
  }
  test_run run = dls_test_run(model, "rk-moreau", 1e-2, 1);
  assert_int_equal(run.traj->events[run.traj->event_count - 1].kind, DLS_LIFT_OFF);
  assert_close(run.traj->events[run.traj->event_count - 1].t, asin(1 / 1.5), 1e-10);
  dls_test_free(&run);
}

/* The load -1 - 1.5 cos(2 pi t) presses at t = 0 and 1, and pulls in between. */
DLS_TEST(a_contact_that_opens_inside_a_step_is_seen)
{
  const double pi = 3.14159265358979324;
  test_run run = dls_test_run("impacting-oscillator:k=0,q0=0,f=-1,amplitude=-1.5,omega=6.283185307179586",
                              "rk-moreau:method=rk4", 1, 1);
  assert_int_equal(run.traj->events[1].kind, DLS_LIFT_OFF); /* after the landing at t = 0 */
  assert_close(run.traj->events[1].t, acos(-1 / 1.5) / (2 * pi), 1e-3);
  dls_test_free(&run);
}

/* Forced and preloaded: impacts, accumulations, rests and lift-offs in turn. */
DLS_TEST(order_is_kept_through_everything)
{
  static const char model[] = "impacting-oscillator:f=-1,amplitude=1.2,omega=2";
  static const rk_case some[] = {{"heun", 2, 2e-2, 1e-3}, {"rk4", 4, 5e-2, 5e-3}, {"gauss4", 4, 5e-2, 5e-3}};
  for (size_t i = 0; i < 3; i++) {
    char scheme[80];
    const dls_fit fit =
        dls_test_order((test_study){model, scheme_of(some[i].name, scheme, sizeof scheme), "grid-max", "q", 10,
                                    some[i].h_first, some[i].h_last, 6, 4});
    assert_between(fit.order, some[i].order - 0.2, some[i].order + 0.2);
    assert_between(fit.constant, 1e-3, 100);
  }
}

DLS_TEST(static_loads_are_carried)
{
  test_run column = dls_test_run("bead-column:N=8,gap=0,m=0.5", "rk-moreau:method=radau3", 1e-2, 0.5);
  for (size_t i = 0; i < 8; i++) {
    assert_close(column.sim->lambda[i], (double)(8 - i) * 0.5 * 9.81, 1e-12);
    assert_close(column.sim->g[i], 0, 1e-15);
  }
  dls_test_free(&column);
  test_run wedge = dls_test_run("wedge", "rk-moreau", 1e-2, 0.5);
  assert_close(wedge.sim->lambda[0], 1, 1e-13);
  assert_close(wedge.sim->u[1], 0.6 * 0.5, 1e-12);
  assert_int_equal(wedge.sim->status[0], 1);
  assert_int_equal(wedge.sim->status[1], 0);
  dls_test_free(&wedge);
}

/* A mass on top of a unit circle under gravity 1: g = |q| - 1. */
static void circle_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  F[0] = 0;
  F[1] = -1;
}

static void circle_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  (void)sys;
  g[0] = hypot(q[0], q[1]) - 1;
}

static void circle_gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  (void)sys;
  dls_matrix_set(H, 0, 0, q[0] / hypot(q[0], q[1]));
  dls_matrix_set(H, 1, 0, q[1] / hypot(q[0], q[1]));
}

static void circle_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t;
  (void)sys;
  const double r = hypot(q[0], q[1]);
  const double radial = (q[0] * v[0] + q[1] * v[1]) / r;
  c[0] = (v[0] * v[0] + v[1] * v[1] - radial * radial) / r;
}

static dls_system *circle(double x, double speed)
{
  dls_system *sys = dls_system_create(2, 1);
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 1);
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->M, 1, 1, 1);
  sys->force = circle_force;
  sys->gap = circle_gap;
  sys->gradient = circle_gradient;
  sys->curvature = circle_curvature;
  sys->q0[0] = x;
  sys->q0[1] = 1;
  sys->v0[0] = speed;
  return sys;
}

/* From the top at speed V it leaves at height (2 + V^2) / 3. @return that event's error in height */
static double release_error(const char *method, double h)
{
  dls_error err = {0};
  char option[40];
  dls_system *sys = circle(0, 0.5);
  dls_sim *sim = NULL;
  assert_ok(dls_sim_create(sys, dls_scheme_find("rk-moreau", &err), &sim, &err), err);
  snprintf(option, sizeof option, "method=%s", method);
  assert_ok(dls_sim_set(sim, option, &err), err);
  assert_ok(dls_sim_start(sim, &err), err);
  assert_int_equal(sim->status[0], 1);
  while (sim->status[0] == 1 && sim->t < 3) {
    assert_ok(dls_sim_advance(sim, h, &err), err);
    assert_close(sim->g[0], 0, 1e-15);
  }
  const double error = fabs(sim->q[1] - (2 + 0.25) / 3);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return error;
}

DLS_TEST(a_mass_leaves_a_circle_where_it_must)
{
  static const rk_case some[] = {{"heun", 2, 0.04, 0.01},   {"bs3", 3, 0.04, 0.01},
                                 {"rk4", 4, 0.08, 0.02},    {"gauss2", 2, 0.04, 0.01},
                                 {"radau3", 3, 0.04, 0.01}, {"gauss4", 4, 0.08, 0.02}};
  for (size_t i = 0; i < sizeof some / sizeof some[0]; i++) {
    const double coarse = release_error(some[i].name, some[i].h_first);
    const double fine = release_error(some[i].name, some[i].h_last);
    const double order = log(coarse / fine) / log(some[i].h_first / some[i].h_last);
    assert_between(order, some[i].order - 0.5, some[i].order + 1);
    assert_between(fine, 1e-12, 1e-3);
  }
}

DLS_TEST(a_start_inside_an_obstacle_is_refused)
{
  dls_error err = {0};
  dls_system *sys = circle(0, 0);
  dls_sim *sim = NULL;
  sys->q0[1] = 0.9;
  assert_ok(dls_sim_create(sys, dls_scheme_find("rk-moreau", &err), &sim, &err), err);
  assert_int_equal(dls_sim_start(sim, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "the initial gap of contact 0 is -0.1 m, allowed is >= -1e-10 m"));
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

DLS_TEST(nonlinear_impacts_keep_the_order)
{
  static const rk_case some[] = {
      {"heun", 2, 2e-2, 5e-4}, {"rk4", 4, 2e-2, 3e-3}, {"gauss4", 4, 2e-2, 3e-3}, {"radau3", 3, 2e-2, 1e-3}};
  for (size_t i = 0; i < 4; i++) {
    char scheme[80];
    const dls_fit fit =
        dls_test_order((test_study){"bouncing-pendulum", scheme_of(some[i].name, scheme, sizeof scheme),
                                    "grid-max", "q", 1, some[i].h_first, some[i].h_last, 6, 4});
    assert_between(fit.order, some[i].order - 0.25, some[i].order + 0.25);
  }
}

DLS_TEST(too_many_events_in_a_step_are_a_failure)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-ball:e=0.99", "rk-moreau:max_inner=20");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 100, .end = 100, .record = run.traj}, &err),
                   DLS_ERR_CHATTERING);
  assert_non_null(strstr(err.text, "rk-moreau at t = "));
  assert_non_null(strstr(err.text, "21 events in one step, allowed are max_inner = 20"));
  assert_int_equal(run.sim->work.impacts, 20); /* kept, all of them */
  assert_int_equal(run.traj->rows, 1 + 2 * 20);
  assert_false(run.traj->complete);
  dls_test_free(&run);
}

DLS_TEST(a_newton_failure_is_reported)
{
  dls_error err = {0};
  test_run run = dls_test_prepare("bouncing-pendulum", "rk-moreau:method=gauss4,newton_max=1");
  assert_int_equal(dls_run(run.sim, &(dls_run_spec){.step = 0.1, .end = 1, .record = run.traj}, &err),
                   DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "rk-moreau at t = 0: Newton's method left a velocity increment of"));
  assert_close(run.sim->q[0], 0, 0);
  dls_test_free(&run);
}

DLS_TEST(linear_systems_are_factored_once)
{
  test_run run = dls_test_run("impacting-oscillator", "rk-moreau:method=gauss4", 1e-2, 1);
  assert_between((double)run.sim->work.factorizations, 1, 100); /* 1 but for the rounding of k h - (k - 1) h */
  assert_int_equal(run.sim->work.force_evals, 3 + 100 * 3); /* the start; two stages and the end of a step */
  dls_test_free(&run);
}

/* Two smooth blocks, one on the other: forces of the normals, also where contacts have tangents. */
DLS_TEST(forces_are_those_of_the_normals)
{
  test_run run = dls_test_run("incline-stack:mu1=0,mu2=0,m1=3,m2=2,alpha=0", "rk-moreau", 1e-2, 0.1);
  assert_close(run.sim->lambda[0], 5 * 9.81, 1e-12);
  assert_close(run.sim->lambda[1], 2 * 9.81, 1e-12);
  assert_close(run.sim->lambda_t[0], 0, 0);
  assert_close(run.sim->lambda_t[1], 0, 0);
  dls_test_free(&run);
}

/* Inside a rough circle: nodes lie on it, and no velocity leads off it. */
DLS_TEST(lasting_contacts_on_a_curve_do_not_drift)
{
  test_run run = dls_test_run("rough-bowl", "rk-moreau:method=heun", 2e-2, 1);
  for (size_t i = 0; i < run.traj->rows; i++) {
    assert_between(fabs(dls_test_value(&run, i, "g0")), 0, 1e-14);
    assert_between(fabs(dls_test_value(&run, i, "u0")), 0, 1e-14);
  }
  dls_test_free(&run);
}

/* Masses that fall freely, in a system that is said to be nonlinear. */
static void free_fall(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)sys, (void)t, (void)q, (void)v;
  F[0] = -1;
  F[1] = 2;
}

static void no_slope(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  (void)t, (void)q, (void)v;
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(K, i, i, 0);
  }
}

/* Newton's method begins every stage with the acceleration at the start of the step, which is the solution here. */
DLS_TEST(stages_begin_with_the_acceleration_there)
{
  static const char *const implicit[] = {"gauss2", "gauss4", "radau3", "radau5"};
  for (size_t i = 0; i < sizeof implicit / sizeof *implicit; i++) {
    char scheme[80];
    dls_system *sys = dls_system_create(2, 0);
    sys->linear = false;
    sys->M = dls_matrix_diagonal(2);
    sys->K = dls_matrix_diagonal(2);
    sys->C = dls_matrix_diagonal(2);
    dls_matrix_set(sys->M, 0, 0, 1);
    dls_matrix_set(sys->M, 1, 1, 1);
    sys->force = free_fall;
    sys->stiffness = sys->damping = no_slope;
    test_run run = dls_test_run_of(sys, scheme_of(implicit[i], scheme, sizeof scheme), 0.5, 0.5);
    assert_int_equal(run.sim->work.newton_iterations, 1);
    assert_close(run.sim->q[0], -0.125, 1e-15);
    assert_close(run.sim->v[1], 1, 1e-15);
    dls_test_free(&run);
  }
}

/* The least eigenvalue of W is 2e-7: gap accelerations of contacts with 200 N have rounding above the bound for those that open. */
DLS_TEST(pressed_contacts_of_a_column_do_not_open)
{
  enum { BOXES = 96 };
  test_run run = dls_test_run("block-column:rows=96,columns=1,v0=0.5", "rk-moreau", 1e-3, 1e-3);
  assert_int_equal(run.traj->event_count, 2 * BOXES); /* landings at the start */
  assert_int_equal(run.sim->work.impacts, 0);
  for (size_t j = 0; j < 2 * BOXES; j++) {
    assert_true(run.sim->status[j] > 0);
  }
  dls_test_free(&run);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(order_with_impacts_is_that_of_the_method),
      cmocka_unit_test(every_method_passes_the_accumulation),
      cmocka_unit_test(accumulations_pass_for_any_restitution_and_step),
      cmocka_unit_test(an_impact_has_its_place_in_time),
      cmocka_unit_test(a_gap_that_closes_and_opens_inside_a_step_is_seen),
      cmocka_unit_test(impacts_close_together_come_in_their_order),
      cmocka_unit_test(the_length_of_the_bracket_ends_an_accumulation),
      cmocka_unit_test(order_is_kept_in_lasting_contact_and_through_release),
      cmocka_unit_test(a_contact_that_opens_inside_a_step_is_seen),
      cmocka_unit_test(order_is_kept_through_everything),
      cmocka_unit_test(static_loads_are_carried),
      cmocka_unit_test(a_mass_leaves_a_circle_where_it_must),
      cmocka_unit_test(a_start_inside_an_obstacle_is_refused),
      cmocka_unit_test(nonlinear_impacts_keep_the_order),
      cmocka_unit_test(too_many_events_in_a_step_are_a_failure),
      cmocka_unit_test(a_newton_failure_is_reported),
      cmocka_unit_test(linear_systems_are_factored_once),
      cmocka_unit_test(forces_are_those_of_the_normals),
      cmocka_unit_test(lasting_contacts_on_a_curve_do_not_drift),
      cmocka_unit_test(stages_begin_with_the_acceleration_there),
      cmocka_unit_test(pressed_contacts_of_a_column_do_not_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
