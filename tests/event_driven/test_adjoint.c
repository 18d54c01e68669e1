/* test_adjoint.c -- derivatives of event-driven runs by the adjoint equation: against tangents of the same runs, and closed forms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "driven.h"
#include "ed_run.h"
#include <delassus/sensitivity.h>
#include <gsl/gsl_rng.h>

extern const dls_model dls_model_two_ball_oscillator, dls_model_vibrating_table, dls_model_rope, dls_model_belt,
    dls_model_den_hartog, dls_model_forced_block, dls_model_cam_follower, dls_model_random_linear,
    dls_model_random_frictional, dls_model_pendulum_chain, dls_model_sphere, dls_model_bounce_slip,
    dls_model_woodpecker, dls_model_superball, dls_model_bouncing_pendulum_cartesian,
    dls_model_bouncing_pendulum_natural, dls_model_puck, dls_model_puck_belt, dls_model_incline,
    dls_model_double_pendulum, dls_model_ball_chain, dls_model_elastic_bar, dls_model_rocking_block,
    dls_model_lens_cardona_d;

enum { MOST_PARAMETERS = 40, MOST_BY = 5, MOST_STATE = 200 };
enum { TIMED = 4 }; /* first events whose times are compared: those of long series have few digits */

/* A model, parameters, what to differentiate by, and the end of the run. */
typedef struct adjoint_case {
  const dls_model *model;
  const char *settings[12], *by[MOST_BY + 1];
  double end;
} adjoint_case;

/* A run with tangents, or one that keeps what the adjoint equation needs. */
typedef struct derivative_run {
  ed_run run;
  size_t count;
  dls_direction direction[MOST_BY];
} derivative_run;

static void prepare(derivative_run *d, const adjoint_case *what, const double *p, bool backward,
                    const char *const *options)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  *d = (derivative_run){.count = 0};
  assert_ok(dls_model_create(what->model, p, &sys, &err), err);
  for (; what->by[d->count] != NULL; d->count++) {
    assert_ok(dls_direction_create(what->model, p, what->by[d->count], &d->direction[d->count], &err), err);
  }
  d->run = ed_start(sys, options);
  assert_ok((backward ? dls_sim_differentiate_backward : dls_sim_differentiate)(d->run.sim, d->count,
                                                                                d->direction, &err),
            err);
}

static void advance(derivative_run *d, double end)
{
  const dls_run_spec spec = {.end = end};
  d->run.status = dls_run(d->run.sim, &spec, &d->run.err);
  assert_ok(d->run.status, d->run.err);
}

static void release(derivative_run *d)
{
  ed_end(&d->run);
  for (size_t k = 0; k < d->count; k++) {
    dls_direction_release(&d->direction[k]);
  }
}

static void read_parameters(const adjoint_case *what, double *p)
{
  dls_error err = {0};
  dls_option_defaults(what->model->parameters, p);
  for (size_t i = 0; what->settings[i] != NULL; i++) {
    assert_ok(dls_option_parse(what->model->parameters, what->model->name, what->settings[i], p, &err), err);
  }
}

/* d J/dp of a run. */
static void gradient_of(derivative_run *d, const dls_functional *J, double *out)
{
  dls_error err = {0};
  assert_ok(dls_sim_gradient(d->run.sim, J, out, &err), err);
}

/* How far two gradients differ, and the size of the first. NaN in one alone counts as infinite. */
static double difference(size_t count, const double *x, const double *y, double *size)
{
  double worst = 0;
  for (size_t k = 0; k < count; k++) {
    if (isnan(x[k]) != isnan(y[k])) {
      return HUGE_VAL;
    }
    *size = isnan(x[k]) ? *size : fmax(*size, fabs(x[k]));
    worst = isnan(x[k]) ? worst : fmax(worst, fabs(x[k] - y[k]));
  }
  return worst;
}

/* All states, the energy and the times of the first events. */
static size_t functionals(const dls_sim *sim, dls_functional *J)
{
  const size_t n = sim->sys->n;
  size_t count = 0;
  for (size_t i = 0; i < 2 * n; i++) {
    J[count++] = (dls_functional){.of = i < n ? DLS_OF_POSITION : DLS_OF_VELOCITY, .index = i % n};
  }
  if (dls_system_has_energy(sim->sys)) {
    J[count++] = (dls_functional){.of = DLS_OF_ENERGY};
  }
  for (size_t k = 0; k < sim->sensitivity->event_count && k < TIMED; k++) {
    J[count++] = (dls_functional){.of = DLS_OF_EVENT_TIME, .index = k};
  }
  return count;
}

typedef struct agreement {
  double error;                           /* relative to the largest of the kind */
  size_t events, accumulations;           /* after the start */
  dls_derivative_status forward, adjoint; /* the worst */
} agreement;

/* The adjoint equation against tangents, at tol = 1e-12. */
static agreement compare(const adjoint_case *what, const double *p)
{
  static const char *const options[] = {"tol=1e-12", NULL};
  derivative_run forward, backward;
  dls_functional J[MOST_STATE];
  agreement a = {.error = 0};
  prepare(&forward, what, p, false, options);
  prepare(&backward, what, p, true, options);
  advance(&forward, what->end);
  advance(&backward, what->end);
  const size_t count = functionals(forward.run.sim, J);
  double worst[3] = {0}, size[3] = {0.01, 0.01, 0.01};
  for (size_t i = 0; i < count; i++) {
    const size_t kind = J[i].of == DLS_OF_ENERGY ? 1 : J[i].of == DLS_OF_EVENT_TIME ? 2 : 0;
    double x[MOST_BY], y[MOST_BY];
    gradient_of(&forward, &J[i], x);
    gradient_of(&backward, &J[i], y);
    worst[kind] = fmax(worst[kind], difference(forward.count, x, y, &size[kind]));
  }
  for (size_t kind = 0; kind < 3; kind++) {
    a.error = fmax(a.error, worst[kind] / size[kind]);
  }
  for (size_t k = 0; k < forward.count; k++) {
    const dls_derivative_status f = dls_sensitivity_status(forward.run.sim->sensitivity, k),
                                b = dls_sensitivity_status(backward.run.sim->sensitivity, k);
    a.forward = f > a.forward ? f : a.forward;
    a.adjoint = b > a.adjoint ? b : a.adjoint;
  }
  for (size_t k = 0; k < forward.run.sim->sensitivity->event_count; k++) {
    a.events += forward.run.sim->sensitivity->event[k].t > 0;
    a.accumulations += forward.run.sim->sensitivity->event[k].kind == DLS_ACCUMULATION;
  }
  release(&forward);
  release(&backward);
  return a;
}

static const adjoint_case cases[] = {
    {&dls_model_bouncing_ball, {NULL}, {"q0", "v0", "f", "e", NULL}, 2.25},
    {&dls_model_impacting_oscillator, {NULL}, {"q0", "k", "e", NULL}, 5},
    {&dls_model_two_ball_oscillator,
     {"m=1", "k=1e4", "l=1", "g=10", "R=0.2", "e=0.8", "q1=1.001", "q2=2.001", NULL},
     {"q1", "e", NULL},
     1.2},
    {&dls_model_vibrating_table, {NULL}, {"A", "phase", "e", NULL}, 0.5},
    {&dls_model_bouncing_pendulum, {NULL}, {"q0", "e", "hurdle", NULL}, 1.5},
    {&dls_model_bouncing_pendulum_cartesian, {NULL}, {"q0", "e", "hurdle", NULL}, 1.5},
    {&dls_model_bouncing_pendulum_natural, {NULL}, {"q0", "e", "hurdle", NULL}, 1.5},
    {&dls_model_rope, {"e=0.7", NULL}, {"l", "e", NULL}, 1},
    {&dls_model_belt, {NULL}, {"F", "vb", "k", NULL}, 3},
    {&dls_model_belt, {"Fs=1.5", NULL}, {"Fs", "q0", NULL}, 4.5},
    {&dls_model_den_hartog, {"v0=-0.1", NULL}, {"F", "v0", NULL}, 7.5},
    {&dls_model_forced_block, {"v0=0.1", NULL}, {"A", NULL}, 4},
    {&dls_model_cam_follower, {"omega=25", NULL}, {"omega", "e", NULL}, 1},
    {&dls_model_belt, {"t1=1", "vb1=0.3", NULL}, {"t1", "vb1", NULL}, 2.5},
    {&dls_model_superball, {"mu=0.1", NULL}, {"mu", NULL}, 2},
    {&dls_model_bounce_slip, {NULL}, {"h", "mu", NULL}, 1.8},
    {&dls_model_woodpecker, {NULL}, {"c", "mu", NULL}, 0.1},
    /* friction in space: slip that turns, by more than a right angle and to its end, stick, rolling */
    {&dls_model_puck, {NULL}, {"mu", "v0", "phi0", NULL}, 0.3},
    {&dls_model_puck, {NULL}, {"mu", "v0", "phi0", NULL}, 0.5},
    {&dls_model_puck, {"mu=0.15", "phi0=3", NULL}, {"mu", "v0", "phi0", NULL}, 1.5},
    {&dls_model_puck,
     {"alpha=0.001", "mu=0.0031096405178617226", "v0=0.0034330092615634023", "phi0=0.001", NULL},
     {"mu", "v0", "phi0", "alpha", "g", NULL},
     0.18247}, /* slow: the time of rest changes by much more than the slip */
    {&dls_model_puck_belt, {NULL}, {"mu", "v0", NULL}, 1},
    {&dls_model_sphere, {NULL}, {"mu", "vx", "wx", NULL}, 0.5},
};
enum { CASES = sizeof cases / sizeof *cases };

DLS_TEST(models_have_the_derivatives_of_tangents)
{
  for (size_t i = 0; i < CASES; i++) {
    double p[MOST_PARAMETERS];
    read_parameters(&cases[i], p);
    const agreement a = compare(&cases[i], p);
    if (!(a.error <= 1e-9) || a.forward != a.adjoint) {
      fail_msg("%s to t = %g: error %.3g, %s for %s", cases[i].model->name, cases[i].end, a.error,
               dls_derivative_status_name(a.adjoint), dls_derivative_status_name(a.forward));
    }
  }
}

/* Links that are short beside the system, or swing round within a hundredth of its time: unit steps of coordinates across the joints bend impacts
 * and projections much more than tangents do. */
DLS_TEST(short_links_and_fast_turns_have_the_derivatives_of_tangents)
{
  static const adjoint_case swift[] = {
      {&dls_model_pendulum_chain, {"wall=-0.186243", NULL}, {"l", "e", "g", "wall", "theta0", NULL}, 0.7},
      {&dls_model_pendulum_chain, {"N=4", "theta0=0.9", NULL}, {"l", "e", "theta0", NULL}, 0.8},
      {&dls_model_lens_cardona_d, {NULL}, {"l", "g", "m1", "m2", NULL}, 0.83},
  };
  for (size_t i = 0; i < sizeof swift / sizeof *swift; i++) {
    double p[MOST_PARAMETERS];
    read_parameters(&swift[i], p);
    const agreement a = compare(&swift[i], p);
    if (!(a.error <= 1e-7) || a.forward != DLS_DERIVATIVE_OK || a.adjoint != DLS_DERIVATIVE_OK) {
      fail_msg("%s to t = %g: error %.3g, %s for %s", swift[i].model->name, swift[i].end, a.error,
               dls_derivative_status_name(a.adjoint), dls_derivative_status_name(a.forward));
    }
  }
}

static double draw(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-53;
}

/* The direction of slip is lost in round-off before it ends, at a speed and with an error that depend on the last digits of the run. The
 * time of rest must not have the square of that error, 1e-7. */
DLS_TEST(slip_that_turns_to_its_end_has_the_derivatives_of_tangents)
{
  static const adjoint_case puck = {&dls_model_puck, {NULL}, {"mu", "v0", "phi0", NULL}, 0.5};
  double p[MOST_PARAMETERS];
  size_t ended = 0;
  uint64_t random = 29;
  for (int i = 0; i < 12; i++) {
    read_parameters(&puck, p);
    for (size_t k = 0; k < 3; k++) {
      p[dls_option_find(puck.model->parameters, puck.by[k])] *= 0.9 + 0.2 * draw(&random);
    }
    const agreement a = compare(&puck, p);
    if (!(a.error <= 1e-9)) {
      fail_msg("case %d, mu = %.17g: error %.3g", i, p[dls_option_find(puck.model->parameters, "mu")], a.error);
    }
    ended += a.events;
  }
  assert_between((double)ended, 6, 12);
}

/* d/d(mu, v0, phi0) of the time of rest, T = v0 (kappa + cos phi0) / (g sin(alpha) (kappa^2 - 1)) with kappa = mu / tan(alpha). */
static void puck_rest(double mu, double v0, double phi0, double *t, double by[3])
{
  double p[MOST_PARAMETERS];
  dls_option_defaults(dls_model_puck.parameters, p);
  const double alpha = p[dls_option_find(dls_model_puck.parameters, "alpha")], kappa = mu / tan(alpha),
               pull = p[dls_option_find(dls_model_puck.parameters, "g")] * sin(alpha),
               below = kappa * kappa - 1, size = (kappa + cos(phi0)) / (pull * below);
  *t = v0 * size;
  by[0] = (v0 / (pull * below) - v0 * size * 2 * kappa / below) / tan(alpha);
  by[1] = size;
  by[2] = -v0 * sin(phi0) / (pull * below);
}

/* With mu from 0.6 on slip still turns where it ends: at |u| = 1e-10 its angle to the limit is 0.003 for mu = 1, and 0.15 for 2.6. */
DLS_TEST(slip_that_turns_at_its_end_has_the_derivative_of_the_time_of_rest)
{
  static const double friction[] = {0.6, 0.8, 1, 1.5, 2.6}, start[][2] = {{1, 2.1}, {0.5, 2}, {1.3, 0.7}};
  for (size_t i = 0; i < sizeof friction / sizeof *friction; i++) {
    for (size_t j = 0; j < sizeof start / sizeof *start; j++) {
      adjoint_case puck = {&dls_model_puck, {NULL}, {"mu", "v0", "phi0", NULL}, 0};
      double p[MOST_PARAMETERS], by[3], t, out[3], size = 0;
      read_parameters(&puck, p);
      p[dls_option_find(puck.model->parameters, "mu")] = friction[i];
      p[dls_option_find(puck.model->parameters, "v0")] = start[j][0];
      p[dls_option_find(puck.model->parameters, "phi0")] = start[j][1];
      puck_rest(friction[i], start[j][0], start[j][1], &t, by);
      puck.end = 1.2 * t;
      const agreement a = compare(&puck, p);
      derivative_run backward;
      prepare(&backward, &puck, p, true, (const char *const[]){"tol=1e-12", NULL});
      advance(&backward, puck.end);
      const size_t last = backward.run.sim->sensitivity->event_count - 1;
      gradient_of(&backward, &(dls_functional){.of = DLS_OF_EVENT_TIME, .index = last}, out);
      const double error = difference(3, by, out, &size);
      release(&backward);
      if (!(error <= 1e-9 * size && a.error <= 1e-9 && a.adjoint == DLS_DERIVATIVE_OK)) {
        fail_msg("mu = %g, v0 = %g: error %.3g by the adjoint equation, of tangents less it %.3g", friction[i],
                 start[j][0], error / size, a.error);
      }
    }
  }
}

/* --- slip that turns and changes its normal force --- */

enum { LEAN_FRICTION, LEAN_PULL, LEAN_SPEED, LEAN_BELT, LEAN_START, LEAN_SHAKES };
static const dls_option lean_parameters[] = {
    [LEAN_FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.9, 0, INFINITY, DLS_OPEN_MAX),
    [LEAN_PULL] = DLS_NUMBER("pull", "N", "force across the slip", 2, -INFINITY, INFINITY, 0),
    [LEAN_SPEED] = DLS_NUMBER("v0", "m/s", "initial speed", 0.5, 0, INFINITY, DLS_OPEN_MAX),
    [LEAN_BELT] = DLS_NUMBER("vb", "m/s", "velocity of the surface", 0.1, -INFINITY, INFINITY, 0),
    [LEAN_START] = DLS_NUMBER("q0", "m", "initial stretch of the spring", 0.1, -INFINITY, INFINITY, 0),
    [LEAN_SHAKES] = DLS_NUMBER("shakes", "1", "1: the surface shakes", 0, 0, 1, 0),
    {0},
};

static void (*steady_surface)(const dls_system *sys, double t, const double *q, double *b_t);

static void shaking_surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  steady_surface(sys, t, q, b_t);
  b_t[0] -= 0.02 * sin(9 * t);
  b_t[1] += 0.03 * sin(7 * t + 1);
}

static void shaking_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)sys;
  (void)q;
  (void)v;
  c[0] = -0.18 * cos(9 * t);
  c[1] = 0.21 * cos(7 * t + 1);
}

/* A mass on a spring, x, under a force that oscillates, with a part of mass 2 that leans on it: its coordinate moves the gap and the slip,
 * so that W has W_NT. */
static dls_status lean_create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  static const dls_slider_row rows[] = {{{0, 0, 1, 0.3}}, {{1, 0, 0, 0.4}}, {{0, 1, 0, -0.2}}};
  const dls_slider mass = {.mass = {1, 1.2, 0.9, 2},
                           .load = {0, p[LEAN_PULL], -10, 0.1},
                           .amplitude = 0.5,
                           .omega = 6,
                           .stiffness = 3,
                           .surface = {p[LEAN_BELT], -0.05}};
  const dls_status status = dls_slider_create(self->name, 4, 1, 3, &mass, rows, out, err);
  if (status == DLS_OK) {
    (*out)->mu[0] = p[LEAN_FRICTION];
    (*out)->q0[0] = p[LEAN_START];
    if (p[LEAN_SHAKES] != 0) {
      steady_surface = (*out)->surface;
      (*out)->surface = shaking_surface;
      (*out)->slip_curvature = shaking_curvature;
      dls_system_declare_harmonic(*out, 1, 9);
    }
    (*out)->v0[0] = p[LEAN_SPEED];
    (*out)->v0[1] = -0.4;
  }
  return status;
}

static const dls_model leaning = {.name = "leaning",
                                  .summary = "mass that slides and leans",
                                  .source = "elementary",
                                  .parameters = lean_parameters,
                                  .create = lean_create};

/* The time at which slip of a run ends. */
static double rest_time(const adjoint_case *what, const double *p, double end)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  double t = NAN;
  assert_ok(dls_model_create(what->model, p, &sys, &err), err);
  ed_run run = ed_try(sys, end, (const char *const[]){"tol=1e-12", NULL});
  assert_ok(run.status, run.err);
  for (size_t i = 0; i < run.traj->event_count; i++) {
    t = run.traj->events[i].kind == DLS_STICK ? run.traj->events[i].t : t;
  }
  ed_end(&run);
  return t;
}

/* A central difference of order six. */
static double rest_difference(const adjoint_case *what, double *p, int which, double delta, double end)
{
  static const double weight[] = {45.0 / 60, -9.0 / 60, 1.0 / 60};
  const double value = p[which];
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    const int at = i < 3 ? i + 1 : -(i - 2);
    p[which] = value + at * delta;
    sum += (at > 0 ? 1 : -1) * weight[abs(at) - 1] / delta * rest_time(what, p, end);
  }
  p[which] = value;
  return sum;
}

DLS_TEST(slip_that_turns_and_leans_has_the_derivative_of_the_time_of_rest)
{
  static const double friction[] = {0.5, 0.9, 1.4};
  enum { KINDS = sizeof friction / sizeof *friction };
  for (size_t i = 0; i < 2 * KINDS; i++) { /* on a steady surface, then on one that shakes */
    const adjoint_case what = {&leaning, {NULL}, {"mu", "pull", "v0", "vb", "q0", NULL}, 0.4};
    double p[MOST_PARAMETERS], out[MOST_BY];
    read_parameters(&what, p);
    p[LEAN_FRICTION] = friction[i % KINDS];
    p[LEAN_SHAKES] = i >= KINDS;
    const agreement a = compare(&what, p);
    derivative_run backward;
    prepare(&backward, &what, p, true, (const char *const[]){"tol=1e-12", NULL});
    advance(&backward, what.end);
    const dls_sensitivity *s = backward.run.sim->sensitivity;
    size_t last = 0;
    for (size_t k = 0; k < s->event_count; k++) {
      last = s->event[k].kind == DLS_STICK ? k : last;
    }
    assert_true(last > 0);
    gradient_of(&backward, &(dls_functional){.of = DLS_OF_EVENT_TIME, .index = last}, out);
    for (int k = 0; what.by[k] != NULL; k++) {
      const double expected = rest_difference(&what, p, k, 2e-3, what.end);
      if (!(fabs(out[k] - expected) <= 2e-9)) {
        fail_msg("mu = %g, shakes = %g, by %s: %.15g, by differences of runs %.15g", friction[i % KINDS],
                 p[LEAN_SHAKES], what.by[k], out[k], expected);
      }
    }
    release(&backward);
    if (!(a.error <= 1e-9)) {
      fail_msg("mu = %g, shakes = %g: the adjoint equation and tangents differ by %.3g", friction[i % KINDS],
               p[LEAN_SHAKES], a.error);
    }
  }
}

static void random_case(int i, adjoint_case *what, double *p)
{
  static const adjoint_case kinds[] = {
      {&dls_model_random_linear, {"m=3", NULL}, {"e", "damping", "omega", "amplitude", NULL}, 1},
      {&dls_model_random_frictional, {"surface=0.3", "dim=2", NULL}, {"e", "mu", "omega", "damping", NULL}, 1},
      {&dls_model_pendulum_chain, {NULL}, {"wall", NULL}, 1},
  };
  uint64_t state = (uint64_t)i * 7919 + 17;
  *what = kinds[i % 3];
  read_parameters(what, p);
  if (i % 3 < 2) {
    p[dls_option_find(what->model->parameters, "seed")] = 1 + i;
    what->end = 0.2 + 0.3 * draw(&state);
  } else {
    p[dls_option_find(what->model->parameters, "N")] = 1 + i / 3 % 3;
    p[dls_option_find(what->model->parameters, "wall")] *= 0.6 + 0.6 * draw(&state);
    what->end = 0.5 + 0.3 * draw(&state);
  }
}

/* Tangents between events are differences of second order, 1e-10, in nonlinear systems alone, and impacts amplify them. Accumulations lose
 * digits in both. */
DLS_TEST(random_systems_have_the_derivatives_of_tangents)
{
  int same = 0, count = 42, plain = 0;
  for (int i = 0; i < count; i++) {
    adjoint_case what;
    double p[MOST_PARAMETERS];
    random_case(i, &what, p);
    const agreement a = compare(&what, p);
    const double bound = a.accumulations > 0 ? 1e-5 : i % 3 == 2 ? 1e-8 : 1e-9;
    if (!(a.error <= bound)) {
      fail_msg("%s, case %d: error %.3g, allowed is %.3g", what.model->name, i, a.error, bound);
    }
    plain += a.accumulations == 0;
    same += a.forward == a.adjoint;
  }
  assert_between((double)same / count, 0.9, 1);
  assert_between((double)plain / count, 0.5, 1);
}

/* The same in space. */
DLS_TEST(random_systems_in_space_have_the_derivatives_of_tangents)
{
  int plain = 0;
  for (int seed = 1; seed <= 4; seed++) {
    const adjoint_case what = {
        &dls_model_random_frictional, {"surface=0.3", "dim=3", "n=6", NULL}, {"e", "mu", "omega", NULL}, 0.2};
    double p[MOST_PARAMETERS];
    read_parameters(&what, p);
    p[dls_option_find(what.model->parameters, "seed")] = seed;
    const agreement a = compare(&what, p);
    if (!(a.error <= (a.accumulations > 0 ? 1e-5 : 1e-9))) {
      fail_msg("seed %d: error %.3g", seed, a.error);
    }
    plain += a.accumulations == 0 && a.events > 0;
  }
  assert_between(plain, 2, 4);
}

/* Impacts before an accumulation are slow, and their maps have terms of 1/u in the direction of the gap. In all others the maps are of
 * order one: with these terms in all coordinates the gradients of these systems erred by 1e-6 to 2e-5. */
DLS_TEST(maps_of_slow_impacts_keep_their_digits)
{
  static const int seeds[] = {337, 757, 827};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    const adjoint_case what = {
        &dls_model_random_frictional, {"surface=0.3", "dim=3", "n=6", NULL}, {"e", "mu", "omega", NULL}, 0.2};
    double p[MOST_PARAMETERS];
    read_parameters(&what, p);
    p[dls_option_find(what.model->parameters, "seed")] = seeds[i];
    const agreement a = compare(&what, p);
    if (!(a.error <= 1e-7 && a.accumulations > 0)) {
      fail_msg("seed %d: error %.3g, %zu accumulations", seeds[i], a.error, a.accumulations);
    }
  }
}

/* A puck slides straight uphill, stops and slides down slowly. Across, v' = -mu g cos(alpha) v/|u|: v dies out as the power k of |u|, and
 *   dy/dphi0 = -v0^2 / (b (k + 1)),  b = g (sin(alpha) + mu cos(alpha)),  k = mu g cos(alpha) / b.
 * Along directions of the state across the slow slip friction would have to exceed its limit. */
DLS_TEST(slow_slip_has_the_closed_form)
{
  static const double friction[] = {0.1, 0.15, 0.19};
  for (size_t i = 0; i < sizeof friction / sizeof *friction; i++) {
    const adjoint_case puck = {&dls_model_puck, {"phi0=3.141592653589793", NULL}, {"phi0", NULL}, 1.2};
    double p[MOST_PARAMETERS], x = 0;
    read_parameters(&puck, p);
    p[dls_option_find(puck.model->parameters, "mu")] = friction[i];
    const double alpha = p[dls_option_find(puck.model->parameters, "alpha")], g = 9.81,
                 b = g * (sin(alpha) + friction[i] * cos(alpha)), k = friction[i] * g * cos(alpha) / b,
                 expected = -1 / (b * (k + 1));
    derivative_run d;
    prepare(&d, &puck, p, true, (const char *const[]){"tol=1e-12", NULL});
    advance(&d, puck.end);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .index = 1}, &x);
    assert_between(x / expected, 1 - 1e-6, 1 + 1e-6);
    release(&d);
  }
}

/* Slip that begins from stick is slow at first. Gradients of the first two systems had errors of 1e-3 and more, of the last none. */
DLS_TEST(slow_slip_of_random_systems_has_the_derivatives_of_tangents)
{
  static const int seeds[] = {898, 529, 324};
  for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
    const adjoint_case what = {
        &dls_model_random_frictional, {"surface=0.3", "dim=3", "n=6", NULL}, {"e", "mu", "omega", NULL}, 0.2};
    double p[MOST_PARAMETERS];
    read_parameters(&what, p);
    p[dls_option_find(what.model->parameters, "seed")] = seeds[i];
    const agreement a = compare(&what, p);
    if (!(a.error <= 1e-8)) {
      fail_msg("seed %d: error %.3g", seeds[i], a.error);
    }
  }
}

/* A surface moves the slip, and turns its direction by 1/|u_T|: where slip begins (13, 46), where it passes at 1e-4 m/s (30), and to its end
 * (99, 135). Tangents erred by up to 0.3 and the adjoint equation by up to 0.05 of the derivative. Central differences of runs have six digits. */
DLS_TEST(surfaces_of_random_systems_have_the_derivative_of_runs)
{
  static const struct {
    int seed;
    double at;
  } systems[] = {{13, 0.8}, {30, 0.9}, {46, 1}, {99, 1}, {135, 0.8}};
  for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
    const adjoint_case what = {
        &dls_model_random_frictional, {"surface=0.1", "dim=3", "n=6", NULL}, {"surface", NULL}, systems[i].at};
    const dls_functional J = {.of = DLS_OF_VELOCITY, .index = 0};
    double p[MOST_PARAMETERS], x[2], difference_of_runs = 0;
    read_parameters(&what, p);
    p[dls_option_find(what.model->parameters, "seed")] = systems[i].seed;
    for (int backward = 0; backward < 2; backward++) {
      derivative_run d;
      prepare(&d, &what, p, backward == 1, (const char *const[]){"tol=1e-12", NULL});
      advance(&d, what.end);
      gradient_of(&d, &J, &x[backward]);
      assert_int_equal(dls_sensitivity_status(d.run.sim->sensitivity, 0), DLS_DERIVATIVE_OK);
      release(&d);
    }
    for (int side = -1; side <= 1; side += 2) {
      dls_error err = {0};
      dls_system *sys = NULL;
      p[dls_option_find(what.model->parameters, "surface")] = 0.1 + side * 1e-5;
      assert_ok(dls_model_create(what.model, p, &sys, &err), err);
      ed_run run = ed_try(sys, what.end, (const char *const[]){"tol=1e-12", NULL});
      assert_ok(run.status, run.err);
      difference_of_runs += side * run.sim->v[0] / 2e-5;
      ed_end(&run);
    }
    if (!(fabs(x[0] - difference_of_runs) <= 1e-6 && fabs(x[1] - x[0]) <= 3e-7)) {
      fail_msg("seed %d: tangents %.12g, adjoint equation %.12g, runs %.12g", systems[i].seed, x[0], x[1],
               difference_of_runs);
    }
  }
}

/* Slip in space of one contact ends while its direction still turns, and another contact slips on. Below 10 eps.s the adjoint equation keeps the
 * direction, so that forces of both contacts err. Velocities behind the end do not depend on them. They erred by 4e-3, 1e-4 and 6e-4 of the
 * derivatives. */
DLS_TEST(states_behind_slip_that_turns_to_its_end_have_the_derivatives_of_tangents)
{
  static const struct {
    int seed;
    const char *surface;
  } systems[] = {{447, "surface=0.1"}, {984, "surface=0.1"}, {737, "surface=0.3"}};
  for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
    const adjoint_case what = {&dls_model_random_frictional,
                               {systems[i].surface, "dim=3", "n=6", NULL},
                               {"e", "mu", "omega", "surface", NULL},
                               1};
    double p[MOST_PARAMETERS];
    read_parameters(&what, p);
    p[dls_option_find(what.model->parameters, "seed")] = systems[i].seed;
    const agreement a = compare(&what, p);
    if (!(a.error <= 1e-8)) {
      fail_msg("seed %d: error %.3g", systems[i].seed, a.error);
    }
  }
}

/* Slip in space ends where the run has followed it, 1e-10 s after it is located at eps.s. Its end moves by 9 s for e: without the change of dv in that
 * time, derivatives behind it erred by 3e-9. */
DLS_TEST(slip_that_is_followed_to_its_end_has_the_derivatives_there)
{
  const adjoint_case what = {&dls_model_random_frictional,
                             {"surface=0.3", "dim=3", "n=6", "seed=60", NULL},
                             {"e", "mu", "omega", NULL},
                             1};
  double p[MOST_PARAMETERS];
  read_parameters(&what, p);
  const agreement a = compare(&what, p);
  assert_between(a.error, 0, 3e-10);
  assert_true(a.forward == DLS_DERIVATIVE_OK && a.adjoint == DLS_DERIVATIVE_OK);
}

/* An impact leaves a slip of 0.24 mm/s: differences over longer changes of the slip turned its direction, by 7e-3 of the derivatives. */
DLS_TEST(impacts_that_leave_slow_slip_have_the_derivatives_of_tangents)
{
  const adjoint_case what = {&dls_model_random_frictional,
                             {"surface=0.3", "dim=3", "n=6", "seed=782", NULL},
                             {"e", "mu", "omega", "surface", NULL},
                             1};
  double p[MOST_PARAMETERS];
  read_parameters(&what, p);
  const agreement a = compare(&what, p);
  assert_between(a.error, 0, 1e-9);
  assert_true(a.forward == DLS_DERIVATIVE_OK && a.adjoint == DLS_DERIVATIVE_OK);
}

/* Seventy impacts from 0.4 m/s down to 1e-6 m/s: at a fixed state each is moved by dt = -1/u for a gap that moves by one, so that what the
 * parameters of the gap and the state contribute is 1e5 times their sum. It was off by 5e-6. */
DLS_TEST(parameters_of_gaps_keep_their_digits_through_slow_impacts)
{
  const adjoint_case what = {&dls_model_woodpecker,
                             {"mM=0.00026", "mS=0.0042", "r0=0.0032", "rM=0.0044", "hM=0.0068", "mu=0.67",
                              "e2=0.9", "e3=0.3", "v0=-0.5", NULL},
                             {"rM", "r0", "hM", "mS", NULL},
                             0.09};
  double p[MOST_PARAMETERS];
  read_parameters(&what, p);
  const agreement a = compare(&what, p);
  assert_between(a.error, 0, 1e-8);
  assert_true(a.forward == DLS_DERIVATIVE_OK && a.adjoint == DLS_DERIVATIVE_OK);
}

/* A puck slides uphill at the angle d to its line, turns at about d^1.96 and slides down. dq1/dmu = 0.618 d is then the small difference of
 * changes of order one, and loses the digits that the direction of slip has not: with d = 2e-4 it was off by 1e-3, and by 1e-4 with 5e-5. */
DLS_TEST(slip_that_passes_near_zero_is_grazing)
{
  static const double angles[] = {1e-5, 5e-5, 2e-4, 1e-3, 0.3};
  for (size_t i = 0; i < sizeof angles / sizeof *angles; i++) {
    const adjoint_case puck = {&dls_model_puck, {"mu=0.19", NULL}, {"mu", "m", NULL}, 1.35};
    double p[MOST_PARAMETERS], x[2];
    read_parameters(&puck, p);
    p[dls_option_find(puck.model->parameters, "phi0")] = acos(-1) + angles[i];
    for (int backward = 0; backward < 2; backward++) {
      derivative_run d;
      prepare(&d, &puck, p, backward == 1, (const char *const[]){"method=auto", NULL});
      advance(&d, puck.end);
      gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .index = 1}, x);
      const dls_sensitivity *s = d.run.sim->sensitivity;
      const dls_derivative_status status = dls_sensitivity_status(s, 0);
      const double within = s->tangent[0].valid_within;
      release(&d);
      if (angles[i] > 0.1) { /* passes at 0.1 m/s */
        assert_int_equal(status, DLS_DERIVATIVE_OK);
      } else if (status != DLS_DERIVATIVE_DEGENERATE) { /* a reversal at less than eps.s */
        assert_int_equal(status, DLS_DERIVATIVE_GRAZING);
        assert_between(within, 0, 1e-5);
      } else {
        assert_true(backward == 0 && isnan(x[0]) && angles[i] < 2e-5);
      }
    }
  }
}

/* Slip that begins from stick is zero up to rounding, which falls and rises: it has not passed near zero. */
DLS_TEST(slip_that_begins_does_not_pass_near_zero)
{
  const adjoint_case what = {
      &dls_model_random_frictional, {"surface=0.1", "dim=3", "n=6", "seed=13", NULL}, {"surface", NULL}, 0.8};
  double p[MOST_PARAMETERS], x = 0;
  read_parameters(&what, p);
  for (int k = 0; k < 20; k++) {
    char tol[40];
    derivative_run d;
    snprintf(tol, sizeof tol, "tol=%.17g", (1 + 0.1 * (k / 2)) * 1e-12);
    prepare(&d, &what, p, k % 2 == 1, (const char *const[]){tol, NULL});
    advance(&d, what.end);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_VELOCITY}, &x);
    assert_int_equal(dls_sensitivity_status(d.run.sim->sensitivity, 0), DLS_DERIVATIVE_OK);
    release(&d);
  }
}

/* With this angle and this method the motion does not repeat where the slip is slowest, at t = 0.26655. The mass does not move the slip: it had
 * the status grazing. A gradient that is asked for again has the same statuses and radii. */
DLS_TEST(slip_that_does_not_repeat_counts_for_parameters_that_move_it)
{
  const adjoint_case puck = {&dls_model_puck, {"mu=0.19", NULL}, {"mu", "m", "phi0", NULL}, 0.3};
  const dls_functional J = {.of = DLS_OF_POSITION, .index = 1};
  double p[MOST_PARAMETERS], x[3];
  read_parameters(&puck, p);
  p[dls_option_find(puck.model->parameters, "phi0")] = acos(-1) + 1.75e-5;
  derivative_run d;
  prepare(&d, &puck, p, true, (const char *const[]){"method=auto", NULL});
  advance(&d, puck.end);
  for (int again = 0; again < 2; again++) {
    gradient_of(&d, &J, x);
    const dls_sensitivity *s = d.run.sim->sensitivity;
    for (size_t k = 0; k < 3; k++) {
      assert_int_equal(dls_sensitivity_status(s, k), k == 1 ? DLS_DERIVATIVE_OK : DLS_DERIVATIVE_GRAZING);
      assert_true(s->tangent[k].valid_within == (k == 1 ? HUGE_VAL : 0));
    }
  }
  release(&d);
}

/* Slip that has passed near zero counts as soon as it grows again, before it has doubled: the run ends at 4.9e-5 m/s, the least is 3.5e-5. */
DLS_TEST(slip_that_has_passed_near_zero_at_the_end_of_a_run_is_grazing)
{
  double within[2][2];
  for (int late = 0; late < 2; late++) {
    for (int backward = 0; backward < 2; backward++) {
      const adjoint_case puck = {&dls_model_puck, {"mu=0.19", NULL}, {"mu", NULL}, late ? 0.3 : 0.2668};
      double p[MOST_PARAMETERS], x;
      derivative_run d;
      read_parameters(&puck, p);
      p[dls_option_find(puck.model->parameters, "phi0")] = acos(-1) + 0.01;
      prepare(&d, &puck, p, backward == 1, (const char *const[]){"method=auto", NULL});
      advance(&d, puck.end);
      gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .index = 1}, &x);
      assert_int_equal(dls_sensitivity_status(d.run.sim->sensitivity, 0), DLS_DERIVATIVE_GRAZING);
      within[late][backward] = d.run.sim->sensitivity->tangent[0].valid_within;
      release(&d);
    }
  }
  assert_between(within[0][0] / within[1][0], 0.99, 1.01);
  assert_between(within[0][1] / within[0][0], 0.99, 1.01);
  assert_between(within[1][1] / within[0][0], 0.99, 1.01);
}

/* Two pucks that do not act on each other pass near zero within a millisecond, the second one at more slip. Each angle has the radius of
 * its own puck: only the slowest slip counted, and the second one was ok. */
static dls_status two_pucks_create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 0, 1}},          {{1, 0, 0}},          {{0, 1, 0}},
                                 {{0, 0, 0, 0, 0, 1}}, {{0, 0, 0, 1, 0, 0}}, {{0, 0, 0, 0, 1, 0}}};
  const double slope = atan(0.2), g = 9.81;
  dls_slider pucks = {.mass = {1, 1, 1, 1, 1, 1}};
  for (size_t i = 0; i < 6; i += 3) {
    pucks.load[i] = g * sin(slope);
    pucks.load[i + 2] = -g * cos(slope);
  }
  const dls_status status = dls_slider_create(self->name, 6, 2, 3, &pucks, rows, out, err);
  for (size_t i = 0; i < 2 && status == DLS_OK; i++) {
    dls_system *sys = *out;
    sys->mu[i] = 0.19;
    sys->v0[3 * i] = cos(p[i]);
    sys->v0[3 * i + 1] = sin(p[i]);
    sys->q0[5] = p[2];
    sys->time = sys->length = 1 / g;
  }
  return status;
}

static const dls_option two_pucks_parameters[] = {DLS_NUMBER("first", "rad", "angle", 3, 0, 7, 0),
                                                  DLS_NUMBER("second", "rad", "angle", 3, 0, 7, 0),
                                                  DLS_NUMBER("height", "m", "of the second", 0, 0, 9, 0),
                                                  {0}};
static const dls_model two_pucks = {
    .name = "two-pucks", .parameters = two_pucks_parameters, .create = two_pucks_create};

DLS_TEST(each_slip_that_passes_near_zero_limits_its_parameters)
{
  for (int backward = 0; backward < 2; backward++) {
    const adjoint_case both = {&two_pucks, {NULL}, {"first", "second", NULL}, 0.3};
    const double p[] = {acos(-1) + 0.005, acos(-1) + 0.01, 0};
    derivative_run d;
    double x[2];
    prepare(&d, &both, p, backward == 1, (const char *const[]){"method=auto", NULL});
    advance(&d, both.end);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .index = 1}, x);
    const dls_sensitivity *s = d.run.sim->sensitivity;
    for (size_t k = 0; k < 2; k++) {
      assert_int_equal(dls_sensitivity_status(s, k), DLS_DERIVATIVE_GRAZING);
      assert_between(s->tangent[k].valid_within, k == 0 ? 5e-4 : 2e-3, k == 0 ? 2e-3 : 4e-3);
      assert_int_equal(s->tangent[k].status_contact, k);
    }
    release(&d);
  }
}

/* The second puck lands after a gradient was asked for: the radius of the first one became 0. */
DLS_TEST(an_event_keeps_the_radius_of_slip_that_has_passed)
{
  const adjoint_case both = {&two_pucks, {NULL}, {"first", NULL}, 0.3};
  const double p[] = {acos(-1) + 0.005, 0, 0.5};
  derivative_run d;
  double x, within[2];
  prepare(&d, &both, p, true, (const char *const[]){"method=auto", NULL});
  advance(&d, both.end);
  for (int late = 0; late < 2; late++) {
    while (late && d.run.sim->t < 0.4) {
      assert_ok(dls_sim_advance(d.run.sim, 0.4 - d.run.sim->t, &d.run.err), d.run.err);
    }
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .index = 1}, &x);
    within[late] = d.run.sim->sensitivity->tangent[0].valid_within;
  }
  assert_between(d.run.sim->sensitivity->event_count, 2, 8);
  assert_between(within[1] / within[0], 0.999, 1.001);
  release(&d);
}

/* A ball with e = 1 strikes at t = 1, 3 and 5, the last by rounding before the end: the motion in between is too short for an integrator. */
DLS_TEST(a_phase_as_short_as_rounding_is_empty)
{
  const adjoint_case ball = {&dls_model_bouncing_ball, {"e=1", NULL}, {"q0", "v0", "f", NULL}, 5};
  double p[MOST_PARAMETERS], x[3], y[3], size = 0;
  derivative_run forward, backward;
  read_parameters(&ball, p);
  prepare(&forward, &ball, p, false, NULL);
  prepare(&backward, &ball, p, true, NULL);
  advance(&forward, ball.end);
  advance(&backward, ball.end);
  const dls_functional J = {.of = DLS_OF_POSITION};
  gradient_of(&forward, &J, x);
  gradient_of(&backward, &J, y);
  const double error = difference(3, x, y, &size);
  assert_between(error / size, 0, 1e-12);
  release(&forward);
  release(&backward);
}

/* Behind an accumulation the first interval, from the end back, may be as short as rounding, and the next one is longer by more than 1e15: terms of
 * its series that are 0 stay so. They were 0 times an infinite power. */
DLS_TEST(rest_behind_an_accumulation_is_finite_with_flow)
{
  static const char *const settings[] = {"e=0.4", "f=-2.15616", "e=0.3", "e=0.6"};
  for (size_t i = 0; i < sizeof settings / sizeof *settings; i++) {
    const adjoint_case ball = {&dls_model_bouncing_ball, {settings[i], NULL}, {"q0", "e", NULL}, 8};
    double p[MOST_PARAMETERS], x[2];
    derivative_run d;
    read_parameters(&ball, p);
    prepare(&d, &ball, p, true, (const char *const[]){"tol=1e-12", "method=flow", NULL});
    advance(&d, ball.end);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION}, x);
    release(&d);
    assert_between(x[0], -1e-12, 1e-12);
    assert_between(x[1], -1e-12, 1e-12);
  }
}

/* A block that nearly balances on its corner, and a puck that turns at 2e-6 m/s: small errors grow by 1e7 and more, so that the motion from
 * the start, computed again, does not come to where the run has come. */
DLS_TEST(motions_that_amplify_errors_are_computed_again_in_parts)
{
  static const struct {
    adjoint_case what;
    const char *method;
    size_t index;
  } runs[] = {
      {{&dls_model_rocking_block, {"phi0=0.19739554025775974", "mu=0.3", NULL}, {"phi0", "g", NULL}, 9.7},
       "method=erk",
       2},
      {{&dls_model_puck, {"phi0=3.141594346749755", "mu=0.19", NULL}, {"phi0", NULL}, 1.35}, "method=auto", 1}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    const char *const options[] = {"tol=1e-12", runs[i].method, NULL};
    const dls_functional J = {.of = DLS_OF_POSITION, .index = runs[i].index};
    double p[MOST_PARAMETERS], x[2], y[2], size = 0;
    derivative_run forward, backward;
    read_parameters(&runs[i].what, p);
    prepare(&forward, &runs[i].what, p, false, options);
    prepare(&backward, &runs[i].what, p, true, options);
    advance(&forward, runs[i].what.end);
    advance(&backward, runs[i].what.end);
    gradient_of(&forward, &J, x);
    gradient_of(&backward, &J, y);
    assert_between(difference(forward.count, x, y, &size) / size, 0, 1e-7);
    release(&forward);
    release(&backward);
  }
}

/* --- phases alone: l(0) . dx(0) = dJ --- */

/* In flight, in contact, in slip, in stick and with joints: no event before the end. */
DLS_TEST(each_phase_alone_keeps_the_product)
{
  static const adjoint_case phases[] = {
      {&dls_model_impacting_oscillator, {NULL}, {"q0", "v0", NULL}, 0.4},       /* flight */
      {&dls_model_cam_follower, {"omega=3", NULL}, {"k", "m", NULL}, 0.2},      /* a closed contact, moving */
      {&dls_model_incline, {NULL}, {"alpha", "v0", NULL}, 0.1},                 /* slip */
      {&dls_model_belt, {NULL}, {"k", "vb", NULL}, 0.1},                        /* stick */
      {&dls_model_double_pendulum, {NULL}, {"m1", "l2", NULL}, 0.5},            /* no contact */
      {&dls_model_bouncing_pendulum_cartesian, {NULL}, {"q0", "g", NULL}, 0.3}, /* joints */
  };
  for (size_t i = 0; i < sizeof phases / sizeof *phases; i++) {
    double p[MOST_PARAMETERS];
    read_parameters(&phases[i], p);
    const agreement a = compare(&phases[i], p);
    assert_int_equal(a.events, 0);
    assert_between(a.error, 0, 1e-10);
  }
}

/* --- integrals --- */

/* The ball of weight 2 and mass 1 falls from q0 = 1 to t = 1, and rises with e V = 1: by integrating its parabolas, to T = 1.5 before its
 * second impact at t = 2. */
DLS_TEST(integrals_over_the_run_have_the_closed_form)
{
  static const adjoint_case ball = {&dls_model_bouncing_ball, {NULL}, {"q0", "e", NULL}, 1.5};
  /* q = q0 - t^2, t1 = sqrt(q0), V = 2 t1, then e V s - s^2, s = t - t1: the integral is 2/3 q0^(3/2) + e t1 s^2 - s^3/3 */
  static const double of_q[] = {0.9375, 0.25}, of_v[] = {0.25, 1};
  /* E = 2 q0 falls by e^2 at t1: the integral is 2 q0 (t1 + e^2 (T - t1)) */
  static const double of_energy[] = {3 * 0.75 + 2 * 0.25 * 1.5, 4 * 0.5 * 0.5};
  double p[MOST_PARAMETERS];
  read_parameters(&ball, p);
  for (int backward = 0; backward < 2; backward++) {
    derivative_run d;
    double x[2], v[2], energy[2];
    prepare(&d, &ball, p, backward == 1, NULL);
    if (backward == 0) {
      assert_ok(dls_sim_differentiate_integrals(d.run.sim, &d.run.err), d.run.err);
    }
    advance(&d, ball.end);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION, .integral = true}, x);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_VELOCITY, .integral = true}, v);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_ENERGY, .integral = true}, energy);
    for (size_t k = 0; k < 2; k++) {
      assert_close(energy[k], of_energy[k], 1e-10);
      assert_close(x[k], of_q[k], 1e-11);
      assert_close(v[k], of_v[k] - (k == 0), 1e-11);
    }
    release(&d);
  }
}

/* A mass in a right corner falls to both walls at t1 = sqrt(2 g/f), and loses (1 - e^2) f g at each. The distance of one moves its own impact
 * alone: the integral of the energy is the sum of f g T - (1 - e^2) f g (T - t1), up to T before the second impacts at t1 + 2 e t1. */
DLS_TEST(the_integral_of_the_energy_has_the_times_of_each_impact)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 53);
  for (int trial = 0; trial < 8; trial++) {
    const double e = 0.3 + 0.6 * gsl_rng_uniform(rng), f = 1 + gsl_rng_uniform(rng),
                 g = 0.5 + gsl_rng_uniform(rng), first = sqrt(2 * g / f),
                 end = first * (1 + 2 * e * (0.2 + 0.7 * gsl_rng_uniform(rng)));
    const adjoint_case corner = {&dls_model_wedge, {"cosine=0", "m=1", NULL}, {"g1", "g2", "e", NULL}, end};
    const double by_g = f * end - (1 - e * e) * f * (end - 1.5 * first),
                 expected[] = {by_g, by_g, 4 * e * f * g * (end - first)};
    double p[MOST_PARAMETERS], out[3];
    read_parameters(&corner, p);
    const dls_option *table = dls_model_wedge.parameters;
    p[dls_option_find(table, "e")] = e;
    p[dls_option_find(table, "f1")] = p[dls_option_find(table, "f2")] = -f;
    p[dls_option_find(table, "g1")] = p[dls_option_find(table, "g2")] = g;
    for (int backward = 0; backward < 2; backward++) {
      derivative_run d;
      prepare(&d, &corner, p, backward == 1, NULL);
      if (backward == 0) {
        assert_ok(dls_sim_differentiate_integrals(d.run.sim, &d.run.err), d.run.err);
      }
      advance(&d, end);
      gradient_of(&d, &(dls_functional){.of = DLS_OF_ENERGY, .integral = true}, out);
      for (size_t k = 0; k < 3; k++) {
        assert_close(out[k], expected[k], 1e-9);
      }
      release(&d);
    }
  }
  gsl_rng_free(rng);
}

DLS_TEST(integrals_agree_through_slip_stick_and_accumulations)
{
  static const adjoint_case runs[] = {
      {&dls_model_belt, {NULL}, {"F", "vb", "q0", NULL}, 4},
      {&dls_model_bouncing_ball, {NULL}, {"q0", "v0", "e", NULL}, 4},
      {&dls_model_rope, {"e=0.7", NULL}, {"l", NULL}, 1},
      {&dls_model_impacting_oscillator, {"c=0.1", NULL}, {"k", "c", "m", NULL}, 5},
      {&dls_model_double_pendulum, {NULL}, {"m1", "l2", NULL}, 0.5},
      {&dls_model_vibrating_table, {NULL}, {"A", "e", NULL}, 0.5}};
  for (size_t i = 0; i < sizeof runs / sizeof *runs; i++) {
    double p[MOST_PARAMETERS], x[MOST_BY], y[MOST_BY];
    derivative_run forward, backward;
    static const dls_functional integrals[] = {{.of = DLS_OF_POSITION, .integral = true},
                                               {.of = DLS_OF_ENERGY, .integral = true}};
    read_parameters(&runs[i], p);
    prepare(&forward, &runs[i], p, false, (const char *const[]){"tol=1e-12", NULL});
    prepare(&backward, &runs[i], p, true, (const char *const[]){"tol=1e-12", NULL});
    assert_ok(dls_sim_differentiate_integrals(forward.run.sim, &forward.run.err), forward.run.err);
    advance(&forward, runs[i].end);
    advance(&backward, runs[i].end);
    for (size_t k = 0; k < 2; k++) {
      gradient_of(&forward, &integrals[k], x);
      gradient_of(&backward, &integrals[k], y);
      double size = 0.01;
      const double error = difference(forward.count, x, y, &size);
      if (!(error <= 1e-9 * size)) {
        fail_msg("%s, integral %zu: %.15g and %.15g", runs[i].model->name, k, x[0], y[0]);
      }
    }
    release(&forward);
    release(&backward);
  }
}

/* Over an accumulation the rule of both is that of the trapezium: half of its duration times what is behind it, and half times what is
 * before it. With eps_z a thousand times larger than what tol asks for it lasts so long that this matters. */
DLS_TEST(integrals_weigh_both_ends_of_an_accumulation)
{
  static const adjoint_case slip = {&dls_model_bounce_slip, {NULL}, {"h", "mu", NULL}, 1.8};
  static const char *const options[] = {"tol=1e-9", "eps_z=1e6", NULL};
  static const dls_functional integrals[] = {{.of = DLS_OF_POSITION, .integral = true},
                                             {.of = DLS_OF_ENERGY, .integral = true}};
  double p[MOST_PARAMETERS], x[2], y[2];
  derivative_run forward, backward;
  read_parameters(&slip, p);
  prepare(&forward, &slip, p, false, options);
  prepare(&backward, &slip, p, true, options);
  assert_ok(dls_sim_differentiate_integrals(forward.run.sim, &forward.run.err), forward.run.err);
  advance(&forward, slip.end);
  advance(&backward, slip.end);
  for (size_t i = 0; i < 2; i++) {
    gradient_of(&forward, &integrals[i], x);
    gradient_of(&backward, &integrals[i], y);
    for (size_t k = 0; k < 2; k++) {
      assert_close(y[k], x[k], 1e-7);
    }
  }
  release(&forward);
  release(&backward);
}

/* --- statuses --- */

static dls_derivative_status status_of(const adjoint_case *what, double *out)
{
  double p[MOST_PARAMETERS];
  derivative_run d;
  read_parameters(what, p);
  prepare(&d, what, p, true, NULL);
  advance(&d, what->end);
  gradient_of(&d, &(dls_functional){.of = DLS_OF_VELOCITY}, out);
  const dls_derivative_status status = dls_sensitivity_status(d.run.sim->sensitivity, 0);
  if (status == DLS_DERIVATIVE_GRAZING) {
    assert_close(d.run.sim->sensitivity->tangent[0].valid_within, 1e-6, 1e-9);
  }
  release(&d);
  return status;
}

DLS_TEST(where_there_is_no_derivative_a_status_says_so)
{
  static const adjoint_case
      coupled = {&dls_model_wedge, {"cosine=0.3", "f1=-2", "f2=-2", "g1=1", "g2=1", NULL}, {"g1", NULL}, 1.5},
      independent = {&dls_model_wedge, {"cosine=0", "f1=-2", "f2=-2", "g1=1", "g2=1", NULL}, {"g1", NULL}, 1.5},
      graze = {&dls_model_impacting_oscillator, {"f=1.2", "e=0.6", "q0=2.400001", NULL}, {"q0", NULL}, 4.4},
      idle = {&dls_model_bouncing_ball, {"f=0", "q0=1", "v0=-1", "e=0", NULL}, {"f", NULL}, 1.5},
      bound = {&dls_model_bouncing_ball, {"e=1", NULL}, {"e", NULL}, 1.5};
  double x = 0;
  assert_int_equal(status_of(&coupled, &x), DLS_DERIVATIVE_DISCONTINUOUS);
  assert_true(isnan(x));
  assert_int_equal(status_of(&independent, &x), DLS_DERIVATIVE_OK);
  assert_close(x, 1.5, 1e-10);
  assert_int_equal(status_of(&graze, &x), DLS_DERIVATIVE_GRAZING);
  assert_close(x * 1e-3, 0.378800, 1e-5);
  assert_int_equal(status_of(&idle, &x), DLS_DERIVATIVE_DEGENERATE);
  assert_true(isnan(x));
  assert_int_equal(status_of(&bound, &x), DLS_DERIVATIVE_ONE_SIDED);
  assert_close(x, 2, 1e-9);
}

/* A support that drops under a mass at a time that is not stated. */
DLS_TEST(a_jump_at_a_time_that_is_not_stated_is_degenerate)
{
  for (int backward = 0; backward < 2; backward++) {
    dls_driven mass = {.weight = 9.81, .jump_at = 1, .jump = -0.5, .knowledge = DLS_DRIVEN_CALLBACK};
    derivative_run d = {.count = 1};
    double x = 0, energy = 0;
    d.direction[0] = (dls_direction){.name = "weight", .value = mass.weight, .count = 2, .weight = {-50, 50}};
    d.run = ed_start(dls_test_driven(&mass), NULL);
    for (size_t i = 0; i < 2; i++) {
      mass.weight = d.direction[0].value + (i == 0 ? -0.01 : 0.01);
      d.direction[0].system[i] = dls_test_driven(&mass);
    }
    if (backward == 1) {
      assert_ok(dls_sim_differentiate_backward(d.run.sim, 1, d.direction, &d.run.err), d.run.err);
    } else {
      assert_ok(dls_sim_differentiate(d.run.sim, 1, d.direction, &d.run.err), d.run.err);
      assert_ok(dls_sim_differentiate_integrals(d.run.sim, &d.run.err), d.run.err);
    }
    advance(&d, 1.25);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION}, &x);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_ENERGY, .integral = true}, &energy);
    assert_true(isnan(x));
    assert_true(isnan(energy));
    assert_int_equal(dls_sensitivity_status(d.run.sim->sensitivity, 0), DLS_DERIVATIVE_DEGENERATE);
    release(&d);
  }
}

/* --- the run, and its memory --- */

/* The run keeps its bits, and continues after a gradient, which is that of a run to the same time. */
DLS_TEST(the_run_does_not_change_and_may_continue)
{
  static const adjoint_case belt = {&dls_model_belt, {NULL}, {"vb", "k", NULL}, 5};
  const dls_functional J = {.of = DLS_OF_POSITION};
  double p[MOST_PARAMETERS], x[2], y[2];
  derivative_run at_once, in_parts;
  read_parameters(&belt, p);
  prepare(&at_once, &belt, p, true, NULL);
  prepare(&in_parts, &belt, p, true, NULL);
  advance(&at_once, belt.end);
  ed_run alone = ed_start(ed_model(&dls_model_belt, NULL), NULL);
  assert_ok(dls_run(alone.sim, &(dls_run_spec){.end = belt.end}, &alone.err), alone.err);
  assert_memory_equal(alone.sim->q, at_once.run.sim->q, alone.sys->n * sizeof(double));
  assert_memory_equal(alone.sim->v, at_once.run.sim->v, alone.sys->n * sizeof(double));
  assert_int_equal(alone.sim->work.force_evals, at_once.run.sim->work.force_evals);
  ed_end(&alone);
  gradient_of(&at_once, &J, x);
  advance(&in_parts, 2.5);
  gradient_of(&in_parts, &J, y);
  while (in_parts.run.sim->t < belt.end) {
    assert_ok(dls_sim_advance(in_parts.run.sim, belt.end - in_parts.run.sim->t, &in_parts.run.err),
              in_parts.run.err);
  }
  gradient_of(&in_parts, &J, y);
  assert_close(y[0], x[0], 1e-9);
  assert_close(y[1], x[1], 1e-9);
  release(&at_once);
  release(&in_parts);
}

/* A long phase is cut at checkpoints, and the memory of an interval does not grow with it. */
DLS_TEST(memory_between_checkpoints_is_bounded)
{
  static const adjoint_case swing = {&dls_model_double_pendulum, {NULL}, {"m1", NULL}, 1};
  double p[MOST_PARAMETERS], x = 0;
  size_t bytes[2] = {0}, checkpoints[2] = {0};
  read_parameters(&swing, p);
  for (size_t i = 0; i < 2; i++) {
    derivative_run d;
    prepare(&d, &swing, p, true, (const char *const[]){"method=erk", "erk_order=2", "tol=1e-4", NULL});
    advance(&d, i == 0 ? 2 : 4);
    gradient_of(&d, &(dls_functional){.of = DLS_OF_POSITION}, &x);
    bytes[i] = d.run.sim->sensitivity->memory.interval_bytes;
    checkpoints[i] = d.run.sim->sensitivity->memory.checkpoints;
    release(&d);
  }
  assert_true(checkpoints[0] > 1 && checkpoints[1] > checkpoints[0]);
  assert_between((double)bytes[1], 1, 2 * (double)bytes[0]);
}

/* --- stated stiffness --- */

enum { LINKS = 6 };
static size_t evaluations; /* of the forces of the chain */

/* Masses between springs with the force q + b q^3 of the stretch q, and damping 0.05, pushed towards a floor under the first. */
static void chain_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const double b = *(const double *)sys->data;
  (void)t;
  evaluations++;
  for (size_t i = 0; i < LINKS; i++) {
    const double left = q[i] - (i > 0 ? q[i - 1] : 0), right = (i + 1 < LINKS ? q[i + 1] : 0) - q[i];
    F[i] = -(left + b * left * left * left) + (right + b * right * right * right) - 0.05 * v[i] - (i == 0);
  }
}

static void chain_gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)sys;
  (void)t;
  g[0] = q[0];
}

static void chain_stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const double b = *(const double *)sys->data;
  (void)t;
  (void)v;
  for (size_t i = 0; i < LINKS * LINKS; i++) {
    dls_matrix_set(K, i / LINKS, i % LINKS, 0);
  }
  for (size_t i = 0; i <= LINKS; i++) {
    const double stretch = (i < LINKS ? q[i] : 0) - (i > 0 ? q[i - 1] : 0), k = 1 + 3 * b * stretch * stretch;
    for (size_t r = 0; r < 4; r++) {
      const size_t row = i - r / 2, column = i - r % 2; /* of -1: the wall */
      if (row < LINKS && column < LINKS) {
        dls_matrix_set(K, row, column, dls_matrix_get(K, row, column) + (row == column ? k : -k));
      }
    }
  }
}

static void chain_damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)sys;
  (void)t;
  (void)q;
  (void)v;
  for (size_t i = 0; i < LINKS; i++) {
    dls_matrix_set(C, i, i, 0.05);
  }
}

static dls_system *make_chain(double *b)
{
  dls_system *sys = ed_masses(LINKS, 1);
  sys->linear = false;
  sys->force = chain_force;
  sys->gap = chain_gap;
  sys->stiffness = chain_stiffness;
  sys->damping = chain_damping;
  sys->K = dls_matrix_dense(LINKS, LINKS);
  sys->C = dls_matrix_diagonal(LINKS);
  sys->data = b;
  sys->explicit_time = DLS_TIME_NONE;
  sys->e[0] = 0.7;
  dls_matrix_set(sys->H, 0, 0, 1);
  for (size_t i = 0; i < LINKS; i++) {
    sys->q0[i] = 0.4 + 0.3 * sin(1 + (double)i);
  }
  return sys;
}

/* One solve takes the place of differences along 2 n coordinates: the gradient needs about as many forces as the run. */
DLS_TEST(stated_stiffness_gives_products)
{
  double b[3] = {0.8, 0.8 - 1e-5, 0.8 + 1e-5};
  derivative_run d[2];
  size_t of_run = 0;
  for (int backward = 0; backward < 2; backward++) {
    dls_error err = {0};
    d[backward] = (derivative_run){.count = 1};
    d[backward].direction[0] =
        (dls_direction){.name = "b", .value = b[0], .count = 2, .weight = {-0.5e5, 0.5e5}};
    d[backward].direction[0].system[0] = make_chain(&b[1]);
    d[backward].direction[0].system[1] = make_chain(&b[2]);
    d[backward].run = ed_start(make_chain(&b[0]), (const char *const[]){"tol=1e-12", "method=erk", NULL});
    assert_ok((backward == 1 ? dls_sim_differentiate_backward
                             : dls_sim_differentiate)(d[backward].run.sim, 1, d[backward].direction, &err),
              err);
    evaluations = 0;
    advance(&d[backward], 3);
    of_run = evaluations;
  }
  assert_true(d[1].run.sim->sensitivity->event_count > 1);
  for (size_t i = 0; i < LINKS; i++) {
    const dls_functional J = {.of = DLS_OF_VELOCITY, .index = i};
    double x = 0, y = 0;
    gradient_of(&d[0], &J, &x);
    evaluations = 0;
    gradient_of(&d[1], &J, &y);
    assert_between((double)evaluations, 1, 6 * (double)of_run);
    assert_close(y, x, 1e-9);
  }
  release(&d[0]);
  release(&d[1]);
}

/* --- large systems --- */

/* A soft bar of 2001 degrees of freedom that lands on its lower end. */
static const adjoint_case bar = {
    &dls_model_elastic_bar, {"n=2000", "h0=0.05", "E=1", NULL}, {"E", "rho", "h0", "v0", NULL}, 0.02};

/* The maps of events have a few directions. The implicit integrator has Newton's matrices of the run, transposed. */
DLS_TEST(systems_of_thousands_agree_with_tangents)
{
  static const struct {
    const char *method, *tol;
    double error; /* bdf errs by more than tol */
  } runs[] = {{"method=adams", "tol=1e-12", 1e-9}, {"method=bdf", "tol=1e-10", 3e-8}};
  static const dls_functional J[] = {
      {.of = DLS_OF_VELOCITY, .index = 2}, {.of = DLS_OF_ENERGY}, {.of = DLS_OF_EVENT_TIME}};
  double p[MOST_PARAMETERS], x[3][MOST_BY], y[MOST_BY];
  derivative_run forward;
  read_parameters(&bar, p);
  prepare(&forward, &bar, p, false, (const char *const[]){"method=adams", "tol=1e-12", NULL});
  advance(&forward, bar.end);
  for (size_t i = 0; i < 3; i++) {
    gradient_of(&forward, &J[i], x[i]);
  }
  for (size_t k = 0; k < 2; k++) {
    derivative_run backward;
    prepare(&backward, &bar, p, true, (const char *const[]){runs[k].method, runs[k].tol, NULL});
    advance(&backward, bar.end);
    for (size_t i = 0; i < 3; i++) {
      double size = 0.01;
      gradient_of(&backward, &J[i], y);
      assert_between(difference(forward.count, x[i], y, &size) / size, 0, runs[k].error);
    }
    assert_between((double)backward.run.sim->sensitivity->memory.interval_bytes, 1, 256e6);
    release(&backward);
  }
  release(&forward);
}

/* With e > 0 the node at the floor bounces infinitely often. The map of the accumulation has the directions of its contacts alone, and all
 * others move freely for its duration, which eps_z makes so long that this matters. */
DLS_TEST(large_systems_pass_accumulations_in_few_directions)
{
  static const char *const options[] = {"method=adams", "tol=1e-11", "eps_z=1e5", NULL};
  static const dls_functional J[] = {
      {.of = DLS_OF_VELOCITY, .index = 2}, {.of = DLS_OF_POSITION, .index = 100}, {.of = DLS_OF_ENERGY}};
  double p[MOST_PARAMETERS], x[MOST_BY], y[MOST_BY];
  derivative_run forward, backward;
  size_t accumulations = 0;
  read_parameters(&bar, p);
  p[dls_option_find(dls_model_elastic_bar.parameters, "e")] = 0.5;
  prepare(&forward, &bar, p, false, options);
  prepare(&backward, &bar, p, true, options);
  advance(&forward, bar.end);
  advance(&backward, bar.end);
  const dls_sensitivity *s = backward.run.sim->sensitivity;
  for (size_t k = 0; k < s->event_count; k++) {
    accumulations += s->event[k].kind == DLS_ACCUMULATION;
  }
  assert_true(accumulations > 0);
  assert_between((double)s->memory.bytes, 1, 40e6);
  for (size_t i = 0; i < 3; i++) {
    double size = 0.01;
    gradient_of(&forward, &J[i], x);
    gradient_of(&backward, &J[i], y);
    assert_between(difference(forward.count, x, y, &size) / size, 0, 1e-8);
  }
  release(&forward);
  release(&backward);
}

DLS_TEST(large_systems_refuse_maps_of_all_coordinates)
{
  static const adjoint_case chain = {&dls_model_pendulum_chain, {"N=1001", NULL}, {"g", NULL}, 1e-3};
  double p[MOST_PARAMETERS];
  derivative_run d;
  read_parameters(&chain, p);
  prepare(&d, &chain, p, true, NULL);
  assert_int_equal(dls_run(d.run.sim, &(dls_run_spec){.end = chain.end}, &d.run.err), DLS_ERR_NOT_APPLICABLE);
  assert_non_null(strstr(d.run.err.text,
                         "needs maps of all 2 n coordinates at events, and the system has n = 2002; "
                         "allowed is up to 1000, and more"));
  release(&d);
}

/* --- refusals --- */

DLS_TEST(functionals_that_the_run_does_not_have_are_refused)
{
  static const adjoint_case ball = {&dls_model_bouncing_ball, {NULL}, {"e", NULL}, 1.5};
  double p[MOST_PARAMETERS], x = 0;
  dls_error err = {0};
  derivative_run d;
  read_parameters(&ball, p);
  prepare(&d, &ball, p, true, NULL);
  const dls_functional no_event = {.of = DLS_OF_EVENT_TIME, .index = 7}, no_coordinate = {.index = 1};
  assert_int_equal(dls_sim_gradient(d.run.sim, &no_coordinate, &x, &err), DLS_ERR_ARG); /* not started */
  assert_int_equal(dls_sim_differentiate_integrals(d.run.sim, &err), DLS_ERR_ARG);
  advance(&d, ball.end);
  assert_int_equal(dls_sim_gradient(d.run.sim, &no_event, &x, &err), DLS_ERR_ARG);
  assert_non_null(strstr(err.text, "there is no event 8: the run has 1 up to t = 1.5 s"));
  assert_int_equal(dls_sim_gradient(d.run.sim, &no_coordinate, &x, &err), DLS_ERR_ARG);
  release(&d);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_phase_alone_keeps_the_product),
      cmocka_unit_test(models_have_the_derivatives_of_tangents),
      cmocka_unit_test(short_links_and_fast_turns_have_the_derivatives_of_tangents),
      cmocka_unit_test(slip_that_turns_to_its_end_has_the_derivatives_of_tangents),
      cmocka_unit_test(slip_that_turns_at_its_end_has_the_derivative_of_the_time_of_rest),
      cmocka_unit_test(slip_that_turns_and_leans_has_the_derivative_of_the_time_of_rest),
      cmocka_unit_test(random_systems_have_the_derivatives_of_tangents),
      cmocka_unit_test(random_systems_in_space_have_the_derivatives_of_tangents),
      cmocka_unit_test(maps_of_slow_impacts_keep_their_digits),
      cmocka_unit_test(slow_slip_has_the_closed_form),
      cmocka_unit_test(slow_slip_of_random_systems_has_the_derivatives_of_tangents),
      cmocka_unit_test(surfaces_of_random_systems_have_the_derivative_of_runs),
      cmocka_unit_test(states_behind_slip_that_turns_to_its_end_have_the_derivatives_of_tangents),
      cmocka_unit_test(a_phase_as_short_as_rounding_is_empty),
      cmocka_unit_test(slip_that_is_followed_to_its_end_has_the_derivatives_there),
      cmocka_unit_test(impacts_that_leave_slow_slip_have_the_derivatives_of_tangents),
      cmocka_unit_test(parameters_of_gaps_keep_their_digits_through_slow_impacts),
      cmocka_unit_test(slip_that_passes_near_zero_is_grazing),
      cmocka_unit_test(slip_that_begins_does_not_pass_near_zero),
      cmocka_unit_test(slip_that_does_not_repeat_counts_for_parameters_that_move_it),
      cmocka_unit_test(slip_that_has_passed_near_zero_at_the_end_of_a_run_is_grazing),
      cmocka_unit_test(each_slip_that_passes_near_zero_limits_its_parameters),
      cmocka_unit_test(an_event_keeps_the_radius_of_slip_that_has_passed),
      cmocka_unit_test(rest_behind_an_accumulation_is_finite_with_flow),
      cmocka_unit_test(motions_that_amplify_errors_are_computed_again_in_parts),
      cmocka_unit_test(integrals_over_the_run_have_the_closed_form),
      cmocka_unit_test(the_integral_of_the_energy_has_the_times_of_each_impact),
      cmocka_unit_test(integrals_agree_through_slip_stick_and_accumulations),
      cmocka_unit_test(integrals_weigh_both_ends_of_an_accumulation),
      cmocka_unit_test(where_there_is_no_derivative_a_status_says_so),
      cmocka_unit_test(a_jump_at_a_time_that_is_not_stated_is_degenerate),
      cmocka_unit_test(the_run_does_not_change_and_may_continue),
      cmocka_unit_test(memory_between_checkpoints_is_bounded),
      cmocka_unit_test(stated_stiffness_gives_products),
      cmocka_unit_test(systems_of_thousands_agree_with_tangents),
      cmocka_unit_test(large_systems_pass_accumulations_in_few_directions),
      cmocka_unit_test(large_systems_refuse_maps_of_all_coordinates),
      cmocka_unit_test(functionals_that_the_run_does_not_have_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
