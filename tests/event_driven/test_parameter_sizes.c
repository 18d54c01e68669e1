/* test_parameter_sizes.c -- derivatives by parameters of extreme size, and of systems in other units, against closed forms: by tangents and by the
 * adjoint equation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "tangent_run.h"

extern const dls_model dls_model_bounce_slip, dls_model_belt, dls_model_two_ball_oscillator,
    dls_model_rocking_block;

enum { MOST_STATE = 8 };

/* d(q, v)/dp at the end, by tangents and by the adjoint equation, which agree; coordinates behind the first `lengths` are angles. */
static dls_derivative_status derivative(const dls_model *model, const double *p, const char *by, size_t lengths,
                                        double end, double *x)
{
  const char *const options[] = {"tol=1e-12", NULL};
  tangent_run forward, backward = {.count = 1};
  dls_error err = {0};
  dls_system *sys = NULL;
  prepare(&forward, model, p, (const char *const[]){by, NULL}, options);
  advance_to(&forward, end, NULL, NULL);
  assert_ok(dls_model_create(model, p, &sys, &err), err);
  assert_ok(dls_direction_create(model, p, by, &backward.direction[0], &err), err);
  const double length = sys->length;
  const size_t n = sys->n;
  double size = 1 / backward.direction[0].size, y[MOST_STATE], unit[MOST_STATE];
  for (size_t i = 0; i < 2 * n; i++) {
    x[i] = i < n ? tangent_of(&forward, 0)->dq[i] : tangent_of(&forward, 0)->dv[i - n];
    unit[i] = (i % n < lengths ? length : 1) / (i < n ? 1 : sys->time);
    size = fmax(size, fabs(x[i]) / unit[i]);
  }
  backward.run = ed_start(sys, options);
  assert_ok(dls_sim_differentiate_backward(backward.run.sim, 1, backward.direction, &err), err);
  advance_to(&backward, end, NULL, NULL);
  for (size_t i = 0; i < 2 * n; i++) {
    const dls_functional J = {.of = i < n ? DLS_OF_POSITION : DLS_OF_VELOCITY, .index = i % n};
    assert_ok(dls_sim_gradient(backward.run.sim, &J, &y[i], &err), err);
    assert_close(y[i], x[i], 1e-8 * size * unit[i]);
  }
  const dls_derivative_status status = dls_sensitivity_status(forward.run.sim->sensitivity, 0);
  assert_int_equal(dls_sensitivity_status(backward.run.sim->sensitivity, 0), status);
  release(&forward);
  release(&backward);
  return status;
}

static void set(const dls_model *model, double *p, const char *name, double value)
{
  p[dls_option_find(model->parameters, name)] = value;
}

/* A ball that slips through its impacts: x + mu z and R w + 5/2 mu z move as if it slid all the time, for every mu. */
DLS_TEST(slip_of_weak_friction_has_the_closed_form)
{
  const double g = 9.81, h = 1, R = 0.1, ends[] = {0.3, 0.6, 1.4};
  double p[PARAMETERS], x[MOST_STATE];
  read_parameters(&dls_model_bounce_slip, NULL, p);
  for (int decade = -1; decade >= -14; decade--) {
    for (size_t k = 0; k < 3; k++) {
      const double t = ends[k], first = sqrt(2 * h / g), V = g * first, s = t - first;
      const double z = t < first ? h - 0.5 * g * t * t
                       : k == 1  ? 0.5 * V * s - 0.5 * g * s * s
                                 : 0,
                   z_dot = t < first ? -g * t
                           : k == 1  ? 0.5 * V - g * s
                                     : 0;
      const double by_mu = h - z - 0.5 * g * t * t, by_mu_dot = -z_dot - g * t;
      set(&dls_model_bounce_slip, p, "mu", pow(10, decade));
      assert_int_equal(derivative(&dls_model_bounce_slip, p, "mu", 2, t, x), DLS_DERIVATIVE_OK);
      assert_close(x[0], by_mu, 1e-8 * t * t * g);
      assert_close(x[1], 0, 1e-8);
      assert_close(x[2], 2.5 * by_mu / R, 1e-7 * t * t * g / R);
      assert_close(x[3], by_mu_dot, 1e-8 * t * g);
      assert_close(x[5], 2.5 * by_mu_dot / R, 1e-7 * t * g / R);
    }
  }
}

/* In the first flight of the ball dq/de = V (T - t1), dv/de = V. */
DLS_TEST(restitution_near_its_bounds_has_the_closed_form)
{
  static const double values[] = {0.1, 1e-2, 1e-3, 0.999, 1 - 1e-6, 1 - 1e-9, 1 - 1e-12};
  double p[PARAMETERS], x[MOST_STATE];
  read_parameters(&dls_model_bouncing_ball, NULL, p); /* a = 2, first impact at t = 1 with V = 2 */
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    const double e = values[i], T = 1 + e; /* the middle of the first flight */
    set(&dls_model_bouncing_ball, p, "e", e);
    assert_int_equal(derivative(&dls_model_bouncing_ball, p, "e", 1, T, x), DLS_DERIVATIVE_OK);
    assert_close(x[0], 2 * e, 1e-9);
    assert_close(x[1], 2, 1e-9);
  }
}

/* The ball comes to rest at t1 + 2 e V / (a (1 - e)), in one event where e is small. */
DLS_TEST(weak_restitution_has_the_time_of_rest)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_bouncing_ball, NULL, p);
  for (int decade = -1; decade >= -15; decade--) {
    const double e = pow(10, decade);
    tangent_run t;
    set(&dls_model_bouncing_ball, p, "e", e);
    prepare(&t, &dls_model_bouncing_ball, p, (const char *const[]){"e", NULL},
            (const char *const[]){"tol=1e-12", NULL});
    advance_to(&t, 2, NULL, NULL);
    const dls_sensitivity *s = t.run.sim->sensitivity;
    assert_int_equal(dls_sensitivity_status(s, 0), DLS_DERIVATIVE_OK);
    if (s->event[s->event_count - 1].kind != DLS_ACCUMULATION) { /* the first impact ends at rest */
      assert_true(e < 1e-10);
      release(&t);
      continue;
    }
    assert_close(s->event_dt[s->event_count - 1], 2 / ((1 - e) * (1 - e)),
                 2e-5); /* dt = -D g/u has the digits of u */
    release(&t);
  }
}

/* A weak spring, or weak damping, and a falling mass before the impact with the wall: d q(T)/dk at k -> 0 is a polynomial in T. */
DLS_TEST(weak_springs_and_dampers_have_the_limit)
{
  const double T = 0.7;
  double p[PARAMETERS], x[MOST_STATE];
  read_parameters(&dls_model_impacting_oscillator, (const char *const[]){"f=-1", NULL}, p);
  for (int decade = -6; decade >= -15; decade--) {
    const double small = pow(10, decade), of_order = 2 * small;
    set(&dls_model_impacting_oscillator, p, "k", small); /* q'' = -1 - k (1 - t^2/2) to first order */
    set(&dls_model_impacting_oscillator, p, "c", 0);
    assert_int_equal(derivative(&dls_model_impacting_oscillator, p, "k", 1, T, x), DLS_DERIVATIVE_OK);
    assert_close(x[0], -T * T / 2 + T * T * T * T / 24, 1e-8 + of_order);
    assert_close(x[1], -T + T * T * T / 6, 1e-8 + of_order);
    set(&dls_model_impacting_oscillator, p, "c", small); /* q'' = -1 + c t */
    assert_int_equal(derivative(&dls_model_impacting_oscillator, p, "c", 1, T, x), DLS_DERIVATIVE_OK);
    assert_close(x[0], T * T * T / 6, 1e-8 + of_order);
    assert_close(x[1], T * T / 2, 1e-8 + of_order);
  }
}

/* Two balls fall side by side, so that their velocity does not depend on the mass. Their loads have terms k l, which differences by m and g round:
 * with k = 1e9 dv0/dm was 0.002 in place of 0, with status ok. q1 does not change the loads. */
DLS_TEST(differences_that_large_forces_round_are_degenerate)
{
  double p[PARAMETERS];
  read_parameters(&dls_model_two_ball_oscillator, (const char *const[]){NULL}, p);
  for (int decade = 3; decade <= 9; decade += 2) {
    tangent_run r;
    set(&dls_model_two_ball_oscillator, p, "k", pow(10, decade));
    prepare(&r, &dls_model_two_ball_oscillator, p, (const char *const[]){"m", "g", "q1", NULL}, NULL);
    advance_to(&r, 0.3, NULL, NULL);
    const dls_sensitivity *s = r.run.sim->sensitivity;
    for (size_t k = 0; k < 3; k++) {
      const bool rounds = k < 2 && decade > 6;
      assert_int_equal(dls_sensitivity_status(s, k), rounds ? DLS_DERIVATIVE_DEGENERATE : DLS_DERIVATIVE_OK);
      assert_true(isfinite(tangent_of(&r, k)->dv[0]));
    }
    if (decade < 6) {
      assert_close(tangent_of(&r, 0)->dv[0], 0, 1e-6);
      assert_close(tangent_of(&r, 1)->dv[0], -0.3, 1e-6);
    }
    release(&r);
  }
}

/* A parameter of a model, with the powers of mass, length and time in its unit. */
typedef struct dimension {
  const char *name;
  int mass, length, time;
} dimension;

static const dimension of_slip[] = {{"m", 1, 0, 0},  {"R", 0, 1, 0},  {"h", 0, 1, 0},
                                    {"e", 0, 0, 0},  {"mu", 0, 0, 0}, {"vx", 0, 1, -1},
                                    {"w", 0, 0, -1}, {"g", 0, 1, -2}, {NULL, 0, 0, 0}},
                       of_ball[] = {{"m", 1, 0, 0},  {"f", 1, 1, -2},  {"e", 0, 0, 0},
                                    {"q0", 0, 1, 0}, {"v0", 0, 1, -1}, {NULL, 0, 0, 0}},
                       of_balls[] = {{"m", 1, 0, 0},   {"k", 1, 0, -2},  {"l", 0, 1, 0},  {"g", 0, 1, -2},
                                     {"R", 0, 1, 0},   {"e", 0, 0, 0},   {"q1", 0, 1, 0}, {"q2", 0, 1, 0},
                                     {"v1", 0, 1, -1}, {"v2", 0, 1, -1}, {NULL, 0, 0, 0}},
                       of_belt[] = {{"m", 1, 0, 0},   {"k", 1, 0, -2},  {"F", 1, 1, -2},
                                    {"Fs", 1, 1, -2}, {"vb", 0, 1, -1}, {"q0", 0, 1, 0},
                                    {"v0", 0, 1, -1}, {"g", 0, 1, -2},  {NULL, 0, 0, 0}};

static const dimension of_pendulum[] = {{"m", 1, 0, 0}, {"l", 0, 1, 0},  {"g", 0, 1, -2},  {"hurdle", 0, 1, 0},
                                        {"e", 0, 0, 0}, {"q0", 0, 0, 0}, {"v0", 0, 0, -1}, {NULL, 0, 0, 0}},
                       of_block[] = {{"m", 1, 0, 0},    {"b", 0, 1, 0},  {"h", 0, 1, 0}, {"mu", 0, 0, 0},
                                     {"phi0", 0, 0, 0}, {"g", 0, 1, -2}, {NULL, 0, 0, 0}};

typedef struct scaled_case {
  const dls_model *model;
  const char *settings[6];
  const dimension *dimensions;
  double end;
  size_t lengths; /* coordinates behind these are angles */
} scaled_case;

static double unit_of(const dimension *d, const double u[3])
{
  return pow(u[0], d->mass) * pow(u[1], d->length) * pow(u[2], d->time);
}

/* Of derivatives in SI units and in g, mm, us and others, those of all parameters are the same physical quantities. */
DLS_TEST(derivatives_have_units)
{
  static const double units[][3] = {{1e3, 1e3, 1e6}, {1e-3, 1e-6, 1}, {1e-9, 1e6, 1e-3}, {1e6, 1e-9, 1e9}};
  const scaled_case cases[] = {{&dls_model_bounce_slip, {"mu=1e-6", NULL}, of_slip, 0.6, 2},
                               {&dls_model_bouncing_ball, {NULL}, of_ball, 2.25, 9},
                               {&dls_model_two_ball_oscillator, {"q1=1.2", NULL}, of_balls, 0.5, 9},
                               {&dls_model_belt, {NULL}, of_belt, 3, 9},
                               {&dls_model_bouncing_pendulum, {NULL}, of_pendulum, 1.5, 0},
                               {&dls_model_rocking_block, {NULL}, of_block, 0.8, 2}};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    const scaled_case *of = &cases[c];
    double p[PARAMETERS], x[MOST_STATE], y[MOST_STATE];
    for (size_t u = 0; u < sizeof units / sizeof *units; u++) {
      double q[PARAMETERS];
      read_parameters(of->model, of->settings, p);
      memcpy(q, p, sizeof p);
      for (const dimension *d = of->dimensions; d->name != NULL; d++) {
        q[dls_option_find(of->model->parameters, d->name)] *= unit_of(d, units[u]);
      }
      for (const dimension *d = of->dimensions; d->name != NULL; d++) {
        dls_system *sys = NULL;
        dls_error err = {0};
        assert_ok(dls_model_create(of->model, p, &sys, &err), err);
        const size_t n = sys->n;
        dls_system_destroy(sys);
        const dls_derivative_status status = derivative(of->model, p, d->name, of->lengths, of->end, x);
        assert_int_equal(derivative(of->model, q, d->name, of->lengths, of->end * units[u][2], y), status);
        double size = 1e-2;
        for (size_t i = 0; i < 2 * n; i++) {
          const double length = i % n < of->lengths ? units[u][1] : 1;
          y[i] *= unit_of(d, units[u]) / (i < n ? length : length / units[u][2]);
          size = fmax(size, fabs(x[i]));
        }
        for (size_t i = 0; i < 2 * n; i++) {
          assert_close(y[i], x[i], 1e-7 * size);
        }
      }
    }
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_of_weak_friction_has_the_closed_form),
      cmocka_unit_test(restitution_near_its_bounds_has_the_closed_form),
      cmocka_unit_test(weak_restitution_has_the_time_of_rest),
      cmocka_unit_test(weak_springs_and_dampers_have_the_limit),
      cmocka_unit_test(differences_that_large_forces_round_are_degenerate),
      cmocka_unit_test(derivatives_have_units),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
