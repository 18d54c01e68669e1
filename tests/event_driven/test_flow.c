/* test_flow.c -- the exact flow of linear systems: its series against many digits, what it says of zeros, events among
 * frequencies that hide them, loads, refusals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "ed_run.h"
#include "event_driven/integrator/engine.h"
#include <float.h>
#include <mpfr.h>
#include <string.h>

enum { SIZE = 5, BITS = 600 };

/* y' = A y + b + c cos(omega t) */
typedef struct linear_problem {
  double A[SIZE][SIZE], b[SIZE], c[SIZE], omega;
  size_t calls;
} linear_problem;

static int linear(void *data, double t, const double *y, double *dy)
{
  linear_problem *p = data;
  p->calls++;
  for (int i = 0; i < SIZE; i++) {
    dy[i] = p->b[i] + p->c[i] * cos(p->omega * t);
    for (int j = 0; j < SIZE; j++) {
      dy[i] += p->A[i][j] * y[j];
    }
  }
  return 0;
}

static void weigh(void *data, const double *y, double *w)
{
  (void)data;
  for (int i = 0; i < SIZE; i++) {
    w[i] = 1 / (2e-15 * (fabs(y[i]) + 1));
  }
}

static dls_engine *open_flow(linear_problem *p)
{
  const dls_engine_spec spec = {.size = SIZE,
                                .method = DLS_ENGINE_FLOW,
                                .time_scale = 1,
                                .data = p,
                                .rhs = linear,
                                .weights = weigh,
                                .columns = SIZE,
                                .steady = p->omega == 0};
  dls_engine *engine = NULL;
  dls_error err = {0};
  assert_ok(dls_engine_create(&spec, &engine, &err), err);
  return engine;
}

/* y := the solution at t from y, by the power series of y, cos and sin together in 600 bits. */
static void many_digits(const linear_problem *p, double t, double *y)
{
  enum { ALL = SIZE + 2, TERMS = 300 };
  mpfr_t term[ALL], next[ALL], sum[ALL], x;
  mpfr_init2(x, BITS);
  for (int i = 0; i < ALL; i++) {
    mpfr_inits2(BITS, term[i], next[i], sum[i], (mpfr_ptr)0);
    mpfr_set_d(term[i], i < SIZE ? y[i] : i == SIZE, MPFR_RNDN);
    mpfr_set(sum[i], term[i], MPFR_RNDN);
  }
  for (int k = 0; k < TERMS; k++) {
    for (int i = 0; i < SIZE; i++) { /* (k + 1) y_k+1 = t (A y_k + c cos_k), and b at k = 0 */
      mpfr_mul_d(next[i], term[SIZE], p->c[i], MPFR_RNDN);
      mpfr_add_d(next[i], next[i], k == 0 ? p->b[i] : 0, MPFR_RNDN);
      for (int j = 0; j < SIZE; j++) {
        mpfr_mul_d(x, term[j], p->A[i][j], MPFR_RNDN);
        mpfr_add(next[i], next[i], x, MPFR_RNDN);
      }
    }
    mpfr_mul_d(next[SIZE], term[SIZE + 1], -p->omega, MPFR_RNDN);
    mpfr_mul_d(next[SIZE + 1], term[SIZE], p->omega, MPFR_RNDN);
    for (int i = 0; i < ALL; i++) {
      mpfr_mul_d(next[i], next[i], t, MPFR_RNDN);
      mpfr_div_ui(term[i], next[i], (unsigned long)k + 1, MPFR_RNDN);
      mpfr_add(sum[i], sum[i], term[i], MPFR_RNDN);
    }
  }
  for (int i = 0; i < ALL; i++) {
    if (i < SIZE) {
      y[i] = mpfr_get_d(sum[i], MPFR_RNDN);
    }
    mpfr_clears(term[i], next[i], sum[i], (mpfr_ptr)0);
  }
  mpfr_clear(x);
}

static double uniform(double low, double high)
{
  return low + (high - low) * rand() / RAND_MAX;
}

/* Turning and damped; kind 1: a chain of integrators, whose matrix is not diagonalizable and nilpotent; 2: one rate is 1000. */
static linear_problem random_problem(int kind, double omega)
{
  linear_problem p = {.omega = omega};
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < i && kind != 1; j++) {
      p.A[i][j] = uniform(-2, 2);
      p.A[j][i] = -p.A[i][j];
    }
    p.A[i][i] = kind == 1 ? 0 : -uniform(0, 0.5);
    if (kind == 1 && i > 0) {
      p.A[i - 1][i] = uniform(0.5, 1);
    }
    p.b[i] = uniform(-1, 1);
    p.c[i] = omega > 0 ? uniform(-1, 1) : 0;
  }
  p.A[0][0] -= kind == 2 ? 1000 : 0;
  return p;
}

/* Largest error at the ends of steps and inside, over the size of the motion. */
static double flow_error(linear_problem *p, double until, size_t *steps)
{
  dls_engine *engine = open_flow(p);
  dls_error err = {0};
  double y0[SIZE], y[SIZE], worst = 0, size = 1, left = 0, t = 0;
  for (int i = 0; i < SIZE; i++) {
    y0[i] = uniform(-1, 1);
  }
  assert_ok(dls_engine_restart(engine, 0, y0, 0, &err), err);
  for (*steps = 0; t < until; left = t, ++*steps) {
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    for (int part = 1; part <= 3 && (*steps < 20 || *steps % 20 == 0); part++) {
      const double s = part == 3 ? t : left + part * (t - left) / 3;
      double exact[SIZE], found[SIZE];
      memcpy(exact, y0, sizeof exact);
      many_digits(p, s, exact);
      dls_engine_interpolate(engine, s, 0, found);
      for (int i = 0; i < SIZE; i++) {
        size = fmax(size, fabs(exact[i]));
        worst = fmax(worst, fabs(found[i] - exact[i]));
      }
    }
  }
  dls_engine_destroy(engine);
  return worst / size;
}

/* y' = cos(7 t) far from t = 0, where the load is known to the round-off of t alone: steps are not wasted on less. */
DLS_TEST(loads_late_are_fitted_up_to_the_round_off_of_time)
{
  static const double late[] = {0, 1e4, 1e6, 1e8};
  for (size_t k = 0; k < sizeof late / sizeof *late; k++) {
    linear_problem p = {.omega = 7, .c = {1}};
    dls_engine *engine = open_flow(&p);
    dls_error err = {0};
    double y[SIZE] = {0}, t = late[k];
    size_t steps = 0;
    assert_ok(dls_engine_restart(engine, t, y, 0, &err), err);
    for (; t < late[k] + 10; steps++) {
      assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    }
    assert_between((double)steps, 10, 100);
    assert_close(y[0], (sin(7 * t) - sin(7 * late[k])) / 7, 1e-14 + 20 * DBL_EPSILON * late[k]);
    dls_engine_destroy(engine);
  }
}

/* y' = 1e9 cos(1e9 t), and nothing else says that the time scale of 1 s is a billion times too long for the load. */
DLS_TEST(a_load_far_faster_than_the_time_scale_is_fitted)
{
  linear_problem p = {.omega = 1e9, .c = {1e9}};
  dls_engine *engine = open_flow(&p);
  dls_error err = {0};
  double y[SIZE] = {0}, t = 0;
  size_t steps = 0;
  assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
  for (; t < 1e-8; steps++) {
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    assert_close(y[0], sin(p.omega * t), 1e-13);
  }
  assert_in_range(steps, 3, 100);
  dls_engine_destroy(engine);
}

DLS_TEST(series_have_all_their_digits)
{
  srand(7);
  for (int kind = 0; kind < 3; kind++) {
    for (int k = 0; k < 4; k++) {
      const double omega = k < 2 ? 0 : k == 2 ? 0.3 : 7;
      linear_problem p = random_problem(kind, omega);
      size_t steps = 0;
      assert_between(flow_error(&p, kind == 2 ? 0.05 : 6, &steps), 0, 4e-14); /* rounding of 10 to 150 steps */
      if (kind < 2) {
        assert_in_range(steps, 3, k < 2 ? 25 : 60);
      }
    }
  }
}

/* No longer than the series allows, but not shorter either: a first guess of the step a billion times too long or short. */
DLS_TEST(the_step_does_not_depend_on_the_first_guess)
{
  srand(8);
  linear_problem p = random_problem(0, 0);
  double length[3];
  for (int k = 0; k < 3; k++) {
    dls_engine *engine = open_flow(&p);
    dls_error err = {0};
    double y[SIZE] = {1, 0, 1, 0, 1}, t = 0;
    assert_ok(dls_engine_restart(engine, 0, y, k == 0 ? 1e300 : k == 1 ? 1e9 : 10, &err), err);
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    length[k] = t;
    dls_engine_destroy(engine);
  }
  assert_between(length[0] / length[2], 0.9, 1.1);
  assert_between(length[1] / length[2], 0.9, 1.1);
}

/* f = sum x_i y_i^(derivative) on [l, r] stays B h^6 s^3 (1 - s)^3 near the quintic, and comes as near as a tenth of it. */
DLS_TEST(the_distance_to_the_quintic_is_bounded)
{
  srand(9);
  double most = 0;
  for (int k = 0; k < 40; k++) {
    linear_problem p = random_problem(0, 0);
    dls_engine *engine = open_flow(&p);
    dls_error err = {0};
    double y[SIZE] = {1, -1, 0.5, 0, 0.3}, x[SIZE], end[2][3], t = 0, f;
    const int derivative = k % 2;
    assert_ok(dls_engine_restart(engine, 0, y, 0, &err), err);
    assert_ok(dls_engine_step(engine, &t, y, &(double){0}, &err), err);
    const double l = uniform(0, 0.4) * t, h = uniform(0.5, 1) * (t - l);
    for (int i = 0; i < SIZE; i++) {
      x[i] = uniform(-1, 1);
    }
    for (int e = 0; e < 6; e++) {
      end[e / 3][e % 3] = 0;
      dls_engine_interpolate(engine, l + (e / 3) * h, derivative + e % 3, y);
      for (int i = 0; i < SIZE; i++) {
        end[e / 3][e % 3] += x[i] * y[i] * pow(h, e % 3);
      }
    }
    const double B = dls_engine_derivative_bound(engine, derivative, x) * pow(h, 6);
    for (double s = 0.1; s < 0.95; s += 0.1) {
      const double r = 1 - s;
      const double quintic =
          r * r * r *
              (end[0][0] * (1 + 3 * s + 6 * s * s) + end[0][1] * s * (1 + 3 * s) + end[0][2] * s * s / 2) +
          s * s * s *
              (end[1][0] * (1 + 3 * r + 6 * r * r) - end[1][1] * r * (1 + 3 * r) + end[1][2] * r * r / 2);
      f = 0;
      dls_engine_interpolate(engine, l + s * h, derivative, y);
      for (int i = 0; i < SIZE; i++) {
        f += x[i] * y[i];
      }
      const double ratio = fabs(f - quintic) / (B * pow(s * r, 3));
      assert_between(ratio, 0, 1 + 1e-6);
      most = fmax(most, ratio);
    }
    dls_engine_destroy(engine);
  }
  assert_between(most, 0.1, 1 + 1e-6);
}

/* Two masses on springs, whose sum meets a wall: q = cos(t + a) + 0.4 cos(omega t + b) + w. */
typedef struct beat {
  double a, b, omega, w;
} beat;

static double beat_value(const beat *p, double t, int derivative)
{
  const double quarter = derivative * acos(-1) / 2;
  return cos(t + p->a + quarter) + 0.4 * pow(p->omega, derivative) * cos(p->omega * t + p->b + quarter) +
         (derivative == 0 ? p->w : 0);
}

/* Its first zero, by steps on which it is positive for sure; HUGE_VAL: there is none before the end. */
static double beat_zero(const beat *p, double end)
{
  const double M = 1 + 0.4 * p->omega * p->omega;
  double t = 0;
  while (t < end) {
    const double g = beat_value(p, t, 0), u = beat_value(p, t, 1);
    const double step = 2 * g / (sqrt(u * u + 2 * M * g) - u);
    if (g < 1e-13 || step < 1e-13) {
      return t;
    }
    t += step;
  }
  return HUGE_VAL;
}

/* w := so that it touches zero before the end and goes no deeper. */
static void let_touch(beat *p, double end)
{
  double low = 0, high = 1.5;
  while (high - low > 1e-12) {
    p->w = 0.5 * (low + high);
    *(beat_zero(p, end) < end ? &low : &high) = p->w;
  }
}

static dls_system *beat_system(const beat *p)
{
  dls_system *sys = ed_masses(2, 1);
  sys->K = dls_matrix_diagonal(2);
  dls_matrix_set(sys->K, 0, 0, 1);
  dls_matrix_set(sys->K, 1, 1, p->omega * p->omega);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 1, 0, 1);
  sys->w[0] = p->w;
  sys->q0[0] = cos(p->a);
  sys->q0[1] = 0.4 * cos(p->b);
  sys->v0[0] = -sin(p->a);
  sys->v0[1] = -0.4 * p->omega * sin(p->b);
  return sys;
}

/* Dips of the fast wave that are 1e-8 deep, or stay 1e-8 above the wall: none is missed, none invented. */
DLS_TEST(dips_of_every_depth_are_events)
{
  srand(10);
  int hits = 0, misses = 0;
  enum { DIPS = DLS_TEST_CASES(120, 48) };
  for (int k = 0; k < DIPS; k++) {
    beat p = {.a = uniform(-3, 3), .b = uniform(-3, 3), .omega = uniform(3, 40)};
    let_touch(&p, 10);
    const double depth = pow(10, uniform(-8, -1));
    p.w += k % 2 == 0 ? -depth : depth;
    if (beat_value(&p, 0, 0) < 1e-3) {
      continue;
    }
    const double zero = beat_zero(&p, 10);
    ed_run run = ed_system(beat_system(&p), 10, (const char *const[]){"method=flow", NULL});
    if (zero < 10) {
      assert_true(run.traj->event_count > 0);
      assert_close(run.traj->events[0].t, zero, 1e-9 + 1e-12 / fabs(beat_value(&p, zero, 1)));
      hits++;
    } else {
      assert_int_equal(run.traj->event_count, 0);
      misses++;
    }
    ed_end(&run);
  }
  assert_true(3 * hits > DIPS);
  assert_true(3 * misses > DIPS);
}

/* Four masses pulled on by their neighbours, of which nobody pulls on the last: the first moves on a polynomial of degree
 * seven, one step is as long as the time scale, and the quintic through both of its ends sees nothing of a s^3 (1 - s)^3. */
static void expect_first_zero(const double p[8])
{
  dls_system *sys = ed_masses(4, 1);
  double factorial = 1;
  sys->K = dls_matrix_dense(4, 4);
  for (size_t k = 0; k < 8; k++) {
    factorial *= k > 0 ? (double)k : 1;
    *(k % 2 == 0 ? &sys->q0[k / 2] : &sys->v0[k / 2]) = factorial * p[k];
  }
  for (size_t i = 0; i + 1 < 4; i++) {
    dls_matrix_set(sys->K, i, i + 1, -1);
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->length = sys->time = 1;
  double zero = 0;
  for (double value = 1; value >= 0; zero += 1e-6) {
    value = 0;
    for (int k = 7; k >= 0; k--) {
      value = value * zero + p[k];
    }
  }
  ed_run run = ed_system(sys, 1, (const char *const[]){"method=flow", NULL});
  assert_true(run.traj->event_count > 0);
  assert_close(run.traj->events[0].t, zero, 3e-6);
  ed_end(&run);
}

DLS_TEST(what_the_quintic_does_not_see_is_found)
{
  expect_first_zero((const double[]){0.1, 0, 0, -12.8, 38.4, -38.4, 12.8, 0}); /* 0.1 - 12.8 s^3 (1 - s)^3 */
  expect_first_zero(
      (const double[]){0.3, -0.6, 0, -300, 1500, -2700, 2100, -600}); /* zeros near 0.2, 0.5, 0.8 */
  expect_first_zero((const double[]){0.3, 0, -0.6, -300, 1500, -2700, 2100, -600});
}

/* e = 1: q = |cos t|, 400 impacts; each at its time but for the rounding of t. */
DLS_TEST(impacts_are_at_their_times_to_rounding)
{
  ed_run run = ed_system(ed_model(&dls_model_impacting_oscillator, (const char *const[]){"e=1", NULL}), 1257.2,
                         (const char *const[]){"method=flow", NULL});
  assert_int_equal(run.traj->event_count, 400);
  for (size_t k = 0; k < 400; k++) {
    assert_close(run.traj->events[k].t, ((double)k + 0.5) * acos(-1),
                 1e-13 * ((double)k + 2)); /* event_tol each */
    assert_close(run.traj->events[k].u_plus, 1, 1e-11);
  }
  assert_in_range(run.sim->work.steps, 800, 2000);
  ed_end(&run);
}

/* A load that pulls the mass off the wall: -1 + 1.5 cos(t + pi/2) presses until sin t = -2/3. */
DLS_TEST(forces_let_go_at_their_zero)
{
  ed_run run = ed_system(
      ed_model(&dls_model_impacting_oscillator,
               (const char *const[]){"q0=0", "f=-1", "amplitude=1.5", "phase=1.5707963267948966", NULL}),
      5, (const char *const[]){"method=flow", NULL});
  assert_close(ed_event(&run, DLS_LIFT_OFF, 0)->t, acos(-1) + asin(2. / 3), 1e-12);
  ed_end(&run);
}

static void expect_refusal(const dls_model *model, const char *const *parameters, const char *setting,
                           const char *words)
{
  ed_run run = ed_try(ed_model(model, parameters), 1, (const char *const[]){"method=flow", setting, NULL});
  assert_true(run.status == DLS_ERR_NOT_APPLICABLE || run.status == DLS_ERR_OPTION);
  assert_non_null(strstr(run.err.text, words));
  ed_end(&run);
}

DLS_TEST(what_is_not_linear_is_refused)
{
  extern const dls_model dls_model_incline, dls_model_elastic_bar;
  expect_refusal(&dls_model_bouncing_pendulum, NULL, NULL,
                 "the system is not linear; allowed is adams, bdf, erk or auto");
  expect_refusal(&dls_model_incline, NULL, NULL, "the system has friction");
  expect_refusal(&dls_model_elastic_bar, (const char *const[]){"n=65", NULL}, NULL,
                 "up to 64 degrees of freedom");
  expect_refusal(&dls_model_bouncing_ball, NULL, "guard=off",
                 "with method = flow and guard = off no method detects events");
}

static size_t steps_of(const dls_model *model, const char *const *parameters, const char *method)
{
  ed_run run = ed_system(ed_model(model, parameters), 2, (const char *const[]){method, "roots=hull", NULL});
  const size_t steps = run.sim->work.steps;
  ed_end(&run);
  return steps;
}

/* As many steps as with that method, and not as with the others. */
static void expect_choice(const dls_model *model, const char *const *parameters, const char *method)
{
  static const char *const others[] = {"method=adams", "method=erk", "method=flow"};
  const size_t found = steps_of(model, parameters, "method=auto");
  for (size_t i = 0; i < 3; i++) {
    if (strcmp(others[i], method) == 0) {
      assert_int_equal(steps_of(model, parameters, others[i]), found);
    } else if (strcmp(others[i], "method=flow") != 0) {
      assert_int_not_equal(steps_of(model, parameters, others[i]), found);
    }
  }
}

DLS_TEST(auto_takes_what_suits_the_system)
{
  extern const dls_model dls_model_incline, dls_model_elastic_bar;
  expect_choice(&dls_model_impacting_oscillator, NULL, "method=flow");
  expect_choice(&dls_model_elastic_bar, (const char *const[]){"n=15", NULL}, "method=flow");
  expect_choice(&dls_model_elastic_bar, (const char *const[]){"n=16", NULL}, "method=erk");
  expect_choice(&dls_model_elastic_bar, (const char *const[]){"n=32", NULL}, "method=adams");
  expect_choice(&dls_model_bouncing_pendulum, NULL, "method=erk");
  expect_choice(&dls_model_incline, NULL, "method=erk");
}

static int by_size(const void *a, const void *b)
{
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static void end_state(const char *const *parameters, const char *method, const char *tol, double *state)
{
  ed_run run = ed_system(ed_model(&dls_model_impacting_oscillator, parameters), 20,
                         (const char *const[]){method, tol, NULL});
  state[0] = run.sim->q[0];
  state[1] = run.sim->v[0];
  ed_end(&run);
}

/* Errors after some ten impacts, over tol: no larger than what the motion makes of tol, and not so small that half of the work was
 * for nothing. Against the flow, which has no error beside them. With adams the evaluations are as tol^-0.047, from tol = 1e-3 to 1e-9: with errors
 * of 0.002 tol, 0.002^0.047 = 3/4 of them would do. */
DLS_TEST(tol_is_honest)
{
  enum { RUNS = 15 };
  static const char *const methods[] = {"method=adams", "method=bdf", "method=erk"}, *const tols[] = {
                                                                                         "tol=1e-5",
                                                                                         "tol=1e-8"};
  srand(11);
  for (size_t k = 0; k < 6; k++) {
    double error[RUNS];
    for (int i = 0; i < RUNS; i++) {
      char omega[40], phase[40];
      double exact[2], found[2];
      snprintf(omega, sizeof omega, "omega=%.17g", uniform(0.5, 3));
      snprintf(phase, sizeof phase, "phase=%.17g", uniform(0, 6));
      const char *const parameters[] = {"amplitude=0.5", "c=0.05", "e=0.8", omega, phase, NULL};
      end_state(parameters, "method=flow", "tol=1e-12", exact);
      end_state(parameters, methods[k / 2], tols[k % 2], found);
      error[i] = fmax(fabs(found[0] - exact[0]), fabs(found[1] - exact[1])) / strtod(tols[k % 2] + 4, NULL);
    }
    qsort(error, RUNS, sizeof *error, by_size);
    assert_between(error[RUNS / 2], k < 2 ? 0.002 : 0.01, 0.8);
    assert_between(error[RUNS - 1], k < 2 ? 0.004 : 0.02, 4);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(series_have_all_their_digits),
      cmocka_unit_test(loads_late_are_fitted_up_to_the_round_off_of_time),
      cmocka_unit_test(a_load_far_faster_than_the_time_scale_is_fitted),
      cmocka_unit_test(the_step_does_not_depend_on_the_first_guess),
      cmocka_unit_test(the_distance_to_the_quintic_is_bounded),
      cmocka_unit_test(dips_of_every_depth_are_events),
      cmocka_unit_test(what_the_quintic_does_not_see_is_found),
      cmocka_unit_test(impacts_are_at_their_times_to_rounding),
      cmocka_unit_test(forces_let_go_at_their_zero),
      cmocka_unit_test(what_is_not_linear_is_refused),
      cmocka_unit_test(auto_takes_what_suits_the_system),
      cmocka_unit_test(tol_is_honest),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
