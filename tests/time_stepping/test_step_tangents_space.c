/* test_step_tangents_space.c -- derivatives along runs by step with friction in space: begin of slip with mu_s > mu, and its end. A puck is
 * carried along by a rough belt, held back by springs:
 *   m x'' = -k x + r_x,  m y'' = -k_y y + r_y,  u_T = (x' - v_b cos(beta), y' - v_b sin(beta)),  lambda_N = m g
 * It sticks until |(k x, k_y y)| = mu_s m g, or begins with a slip across, which turns and ends.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "newmark_systems.h"
#include <delassus/catalogue.h>
#include <delassus/sensitivity.h>
#include <math.h>

enum { STIFFNESS, STIFFNESS_Y, BELT, STATIC, KINETIC, X0, Y0, U0, PARAMETERS };
static const dls_option parameters[] = {
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "spring along x", 4, 0, 1e9, 0),
    [STIFFNESS_Y] = DLS_NUMBER("ky", "N/m", "spring along y", 2, 0, 1e9, 0),
    [BELT] = DLS_NUMBER("vb", "m/s", "speed of the belt", 1, -1e9, 1e9, 0),
    [STATIC] = DLS_NUMBER("mus", "1", "static coefficient of friction", 0.4, 0, 1e9, 0),
    [KINETIC] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.2, 0, 1e9, 0),
    [X0] = DLS_NUMBER("x0", "m", "initial place", 0.2, -1e9, 1e9, 0),
    [Y0] = DLS_NUMBER("y0", "m", "initial place, across", -0.3, -1e9, 1e9, 0),
    [U0] = DLS_NUMBER("u0", "m/s", "initial slip, across", 0, -1e9, 1e9, 0),
    {0},
};
static const double beta = 0.6, slips = 1.1; /* it begins to slip at 0.94 s */

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 0, 1}}, {{1, 0, 0}}, {{0, 1, 0}}};
  const double vx = p[BELT] * cos(beta), vy = p[BELT] * sin(beta);
  const dls_slider puck = {
      .mass = {1, 1, 1}, .load = {0, 0, -9.81}, .stiffness = p[STIFFNESS], .surface = {vx, vy}};
  const dls_status status = dls_slider_create(self->name, 3, 1, 3, &puck, rows, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    dls_matrix_set(sys->K, 1, 1, p[STIFFNESS_Y]);
    sys->mu[0] = p[KINETIC];
    sys->mu_s[0] = p[STATIC];
    sys->q0[0] = p[X0];
    sys->q0[1] = p[Y0];
    sys->v0[0] = vx;
    sys->v0[1] = vy + p[U0];
  }
  return status;
}

static const dls_model carried_puck = {.name = "carried-puck",
                                       .summary = "",
                                       .source = "",
                                       .equations = "",
                                       .parameters = parameters,
                                       .create = create};

/* d(q, v)(end)/dp[n = 3 each] */
static void derivatives_of(const char *scheme, const char *tangent, const char *by, double u0, double end,
                           double step, double x[6])
{
  double p[PARAMETERS];
  dls_system *sys = NULL;
  dls_error err = {0};
  dls_direction direction;
  dls_tangent_method method;
  for (size_t i = 0; i < PARAMETERS; i++) {
    p[i] = parameters[i].initial;
  }
  p[U0] = u0;
  p[KINETIC] = u0 > 0 ? 0.35 : p[KINETIC]; /* or the springs keep it slipping */
  assert_ok(dls_model_create(&carried_puck, p, &sys, &err), err);
  dls_sim *sim = sim_of(sys, scheme);
  assert_ok(dls_tangent_method_parse(tangent, &method, &err), err);
  assert_ok(dls_tangent_direction(sim->scheme, &method, &carried_puck, p, by, &direction, &err), err);
  assert_ok(dls_sim_differentiate_as(sim, &method, 1, &direction, &err), err);
  const double h = step > 0 ? end / (floor(end / step) + 1) : 0;
  assert_ok(dls_run(sim, &(dls_run_spec){.step = h, .end = h > 0 ? end + 0.25 * h : end}, &err), err);
  assert_close(sim->t, end, 1e-9);
  assert_int_equal(dls_sensitivity_status(sim->sensitivity, 0), DLS_DERIVATIVE_OK);
  memcpy(x, sim->sensitivity->tangent[0].dq, 3 * sizeof *x);
  memcpy(x + 3, sim->sensitivity->tangent[0].dv, 3 * sizeof *x);
  dls_sim_destroy(sim);
  dls_direction_release(&direction);
  dls_system_destroy(sys);
}

enum { PHASES = 30, LEVELS = 4 };

static double difference(const double a[6], const double b[6])
{
  double sum = 0;
  for (size_t i = 0; i < 6; i++) {
    sum += fabs(a[i] - b[i]);
  }
  return sum;
}

/* Slope of the logarithm of the mean error, relative, over random phases of the grid. */
static double order_of(const char *tangent, const char *by, double u0, double end, double coarsest,
                       double *finest)
{
  double exact[6], sum = 0;
  const double zero[6] = {0};
  derivatives_of("event-driven:tol=1e-11", "saltation", by, u0, end, 0, exact);
  for (unsigned level = 0; level < LEVELS; level++) {
    double mean = 0;
    for (unsigned seed = 0; seed < PHASES; seed++) {
      double x[6];
      const double fraction = fmod(0.6180339887498949 * (seed + 1), 1);
      derivatives_of("moreau-jean:theta=1", tangent, by, u0, end,
                     coarsest * pow(0.5, level) * (1 + 0.3 * fraction), x);
      mean += difference(x, exact) / difference(exact, zero) / PHASES;
    }
    sum += (level - 0.5 * (LEVELS - 1)) * log(mean);
    *finest = mean;
  }
  return -sum / (0.25 * LEVELS * (LEVELS * LEVELS - 1) / 3.0) / log(2);
}

DLS_TEST(slip_in_space_begins_with_order_one)
{
  static const char *const by[] = {"mus", "k", "x0", "vb", "mu"};
  for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
    double finest = 0;
    assert_between(order_of("saltation", by[i], 0, slips, 8e-3, &finest), 0.9, 1.1);
    assert_between(finest, 1e-5, 0.02);
  }
}

/* Two masses of 1 on a floor, pushed along x by p_j t. K acts on the heights alone, which are 0, and carries p_j. */
static void growing_pushes(const dls_system *sys, double t, double *F)
{
  const size_t d = sys->d;
  for (size_t j = 0; j < 2; j++) {
    const size_t height = d * j + d - 1;
    F[d * j] = t * dls_matrix_get(sys->K, height, height);
    F[height] = -10;
  }
}

static const double pushed_mu = 0.2, pushed_mu_s = 0.4;

static dls_system *pushed_masses(size_t d, double p1, double p2)
{
  const double p[] = {p1, p2};
  dls_system *sys = dls_system_create(2 * d, 2);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = d;
  sys->M = dls_matrix_diagonal(2 * d);
  sys->K = dls_matrix_dense(2 * d, 2 * d);
  sys->H = dls_matrix_dense(2 * d, 2);
  sys->T = dls_matrix_dense(2 * d, 2 * (d - 1));
  sys->load = growing_pushes;
  for (size_t i = 0; i < 2 * d; i++) {
    dls_matrix_set(sys->M, i, i, 1);
  }
  for (size_t j = 0; j < 2; j++) {
    const size_t height = d * j + d - 1;
    dls_matrix_set(sys->H, height, j, 1);
    dls_matrix_set(sys->K, height, height, p[j]);
    for (size_t i = 0; i + 1 < d; i++) {
      dls_matrix_set(sys->T, d * j + i, (d - 1) * j + i, 1);
    }
    sys->mu[j] = pushed_mu;
    sys->mu_s[j] = pushed_mu_s;
  }
  return sys;
}

/* Both begin to slip at t_b = 10 mu_s/p in one step, the second by `later`. dt_b/dp = -t_b/p for the first, and from then on
 * v = p (t^2 - t_b^2)/2 - 10 mu (t - t_b). p of the first does not move the second. */
DLS_TEST(slips_that_begin_in_one_step_have_their_own_times)
{
  const double p = 4, begin = 10 * pushed_mu_s / p, end = 1.7,
               by_p = 10 * (pushed_mu_s - pushed_mu) * begin / p,
               of_v = 0.5 * (end * end - begin * begin) + by_p,
               of_q = 0.5 * (end * end * end / 3 - begin * begin * end + 2 * begin * begin * begin / 3) +
                      by_p * (end - begin);
  for (int trial = 0; trial < 24; trial++) {
    const size_t d = 2 + (size_t)trial % 2;
    const double fraction = fmod(0.6180339887498949 * (trial + 1), 1), h = end / (850 + floor(100 * fraction)),
                 later = trial % 4 < 2 ? 0 : 0.2 * fraction * h, p2 = 10 * pushed_mu_s / (begin + later),
                 step = 0x1p-15;
    dls_error err = {0};
    dls_direction direction = {
        .name = "p", .value = p, .count = 2, .offset = {-step, step}, .weight = {-0.5 / step, 0.5 / step}};
    dls_tangent_method method;
    dls_system *sys = pushed_masses(d, p, p2);
    for (size_t i = 0; i < 2; i++) {
      direction.system[i] = pushed_masses(d, i == 0 ? p - step : p + step, p2);
    }
    dls_sim *sim = sim_of(sys, "moreau-jean:theta=1");
    assert_ok(dls_tangent_method_parse("saltation", &method, &err), err);
    assert_ok(dls_sim_differentiate_as(sim, &method, 1, &direction, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.step = h, .end = end + 0.25 * h}, &err), err);
    const dls_tangent *tangent = &sim->sensitivity->tangent[0];
    assert_int_equal(dls_sensitivity_status(sim->sensitivity, 0), DLS_DERIVATIVE_OK);
    assert_close(tangent->dv[0], of_v, 5 * h);
    assert_close(tangent->dq[0], of_q, 5 * h);
    assert_close(tangent->dv[d], 0, 1e-5); /* iterations of neighbours end at 1e-11 */
    assert_close(tangent->dq[d], 0, 1e-5);
    dls_sim_destroy(sim);
    dls_direction_release(&direction);
    dls_system_destroy(sys);
  }
}

/* F = 1 from the time in sys->data on; no contact. */
static void late_push(const dls_system *sys, double t, double *F)
{
  F[0] = t < *(const double *)sys->data ? 0 : 1;
}

static double push_begins(const dls_system *sys, double t)
{
  const double begin = *(const double *)sys->data;
  return t < begin ? begin : INFINITY;
}

static dls_system *late_mass(double *begin)
{
  dls_system *sys = dls_system_create(1, 0);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  dls_matrix_set(sys->M, 0, 0, 1);
  sys->load = late_push;
  sys->next_switch = push_begins;
  sys->explicit_time = DLS_TIME_NONE;
  sys->data = begin;
  return sys;
}

/* A load that begins at t1, in a step and at its end: v = t - t1, q = (t - t1)^2/2. */
DLS_TEST(jumps_of_loads_move_without_contacts)
{
  static const char *const schemes[] = {"moreau-jean", "moreau-jean:theta=1", "schatzman-paoli",
                                        "nonsmooth-bdf2"};
  for (size_t i = 0; i < 8; i++) {
    const double begin = i % 2 == 0 ? 0.5 : 0.7037, h = 1e-3, step = 0x1p-22;
    double at[] = {begin, begin - step, begin + step};
    dls_error err = {0};
    dls_direction direction = {
        .name = "t1", .value = begin, .count = 2, .offset = {-step, step}, .weight = {-0.5 / step, 0.5 / step}};
    dls_tangent_method method;
    dls_system *sys = late_mass(&at[0]);
    direction.system[0] = late_mass(&at[1]);
    direction.system[1] = late_mass(&at[2]);
    dls_sim *sim = sim_of(sys, schemes[i / 2]);
    assert_ok(dls_tangent_method_parse("saltation", &method, &err), err);
    assert_ok(dls_sim_differentiate_as(sim, &method, 1, &direction, &err), err);
    assert_ok(dls_run(sim, &(dls_run_spec){.step = h, .end = 1 + 0.25 * h}, &err), err);
    const dls_tangent *tangent = &sim->sensitivity->tangent[0];
    assert_close(tangent->dv[0], -1, 1e-6);
    assert_close(tangent->dq[0], begin - 1, 2 * h);
    dls_sim_destroy(sim);
    dls_direction_release(&direction);
    dls_system_destroy(sys);
  }
}

/* A step keeps its status, so that the plain derivative knows nothing of mu_s. */
DLS_TEST(plain_derivatives_miss_the_begin)
{
  double x[6], exact[6];
  const double zero[6] = {0};
  derivatives_of("moreau-jean:theta=1", "plain", "mus", 0, slips, 1e-3, x);
  derivatives_of("event-driven", "saltation", "mus", 0, slips, 0, exact);
  assert_close(difference(x, zero), 0, 1e-6);
  assert_between(difference(exact, zero), 0.1, 10);
}

/* What slip is left of a neighbour that still slips, the sticking of the run removes: nothing but the place is left of the parameters. */
DLS_TEST(slip_in_space_ends_with_order_one)
{
  static const char *const by[] = {"u0", "k", "mu"};
  const double sticks = 0.6;
  for (size_t i = 0; i < sizeof by / sizeof by[0]; i++) {
    double finest = 0, x[6];
    assert_between(order_of("saltation", by[i], 0.5, sticks, 8e-3, &finest), 0.9, 1.1);
    assert_between(finest, 1e-5, 0.02);
    derivatives_of("moreau-jean:theta=1", "saltation", by[i], 0.5, sticks, 4e-3, x);
    assert_close(fabs(x[3]) + fabs(x[4]), 0, 1e-6);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slip_in_space_begins_with_order_one),
      cmocka_unit_test(slips_that_begin_in_one_step_have_their_own_times),
      cmocka_unit_test(jumps_of_loads_move_without_contacts),
      cmocka_unit_test(plain_derivatives_miss_the_begin),
      cmocka_unit_test(slip_in_space_ends_with_order_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
