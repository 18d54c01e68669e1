/* test_soft_maps.c -- one step of mujoco, sap and icf with one contact against closed forms, over random states; values of
 * restitution, rest, creep and lift that the formulas of their limit models give. Closed forms: E. Todorov 2014;
 * A. Castro, F. Permenter & X. Han 2022; a quadratic equation for Hunt & Crossley.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/compliance.h"
#include "runs.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 400 };
static const double h = 1e-2, push[2] = {0.7, -3}, mass[2] = {2, 2}, light[2] = {1, 1};
static double load_of[2];

static void load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  memcpy(F, load_of, sizeof load_of);
}

/* A mass at (x, y) above the floor y = 0. */
static dls_system *mass_on_floor(const double *m, double mu, const double *F)
{
  dls_system *sys = dls_system_create(2, 1);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = 2;
  sys->M = dls_matrix_diagonal(2);
  sys->H = dls_matrix_dense(2, 1);
  sys->T = dls_matrix_dense(2, 1);
  assert_true(sys->M != NULL && sys->H != NULL && sys->T != NULL);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, m[i]);
  }
  dls_matrix_set(sys->H, 1, 0, 1);
  dls_matrix_set(sys->T, 0, 0, 1);
  memcpy(load_of, F, sizeof load_of);
  sys->load = load;
  sys->steady_load = true;
  sys->explicit_time = DLS_TIME_NONE;
  sys->mu[0] = mu;
  return sys;
}

typedef struct start {
  double y, v[2], mu;
} start;

/* Penetrations up to 2 widths of the impedance, and some gaps. */
static start random_start(gsl_rng *rng)
{
  return (start){.y = -2e-3 + 2.5e-3 * gsl_rng_uniform(rng),
                 .v = {gsl_ran_gaussian(rng, 0.3), gsl_ran_gaussian(rng, 0.3)},
                 .mu = gsl_rng_uniform(rng)};
}

/* Velocity after one step, and impulses. */
static void one_step(const char *scheme, start x, double *v, double *gamma)
{
  dls_error err = {0};
  test_run run = dls_test_prepare_of(mass_on_floor(mass, x.mu, push), scheme);
  const double q[2] = {0.1, x.y};
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, q, x.v, &err), err);
  assert_ok(dls_sim_advance(run.sim, h, &err), err);
  for (size_t i = 0; i < 2; i++) {
    v[i] = run.sim->v[i];
    assert_close(run.sim->q[i], q[i] + h * v[i], 1e-15);
  }
  gamma[0] = run.sim->p[0];
  gamma[1] = run.sim->p_t[0];
  dls_test_free(&run);
}

static void assert_step(const char *scheme, start x, const double *expected)
{
  double v[2], gamma[2];
  one_step(scheme, x, v, gamma);
  for (size_t i = 0; i < 2; i++) {
    const double free_velocity = x.v[i] + h * push[i] / mass[i];
    const double along = expected[1 - i]; /* expected: normal, tangent; v: tangent, normal */
    assert_close(gamma[1 - i], along, 1e-12 * (1 + fabs(along)));
    assert_close(v[i], free_velocity + along / mass[i], 1e-12);
  }
}

/* f = argmin over the cone of 1/2 f (A + R) f + c f for a diagonal A: inside, on it, or 0. */
static int cone(double A, double B, double c_N, double c_T, double mu, double *f)
{
  f[0] = -c_N / A;
  f[1] = -c_T / B;
  if (f[0] >= 0 && fabs(f[1]) <= mu * f[0]) {
    return 0;
  }
  f[0] = fmax(0, (-c_N + mu * fabs(c_T)) / (A + mu * mu * B));
  f[1] = c_T > 0 ? -mu * f[0] : mu * f[0];
  return f[0] > 0 ? 1 : 2;
}

typedef struct impedance {
  double d, b, K;
} impedance;

/* Of the defaults: timeconst = 0.02, dampratio = 1, solimp = (0.9, 0.95, 0.001, 0.5, 2). */
static impedance default_impedance(double r)
{
  const double x = fmin(fabs(r) / 1e-3, 1), y = x <= 0.5 ? 2 * x * x : 1 - 2 * (1 - x) * (1 - x);
  const double rate = 1 / (0.95 * 0.02);
  return (impedance){.d = 0.9 + 0.05 * y, .b = 2 * rate, .K = rate * rate};
}

static gsl_rng *seeded(unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, seed);
  return rng;
}

/* Accelerations, times h m. */
DLS_TEST(mujoco_elliptic_is_the_closed_form)
{
  gsl_rng *rng = seeded(1);
  size_t cases[3] = {0};
  for (int i = 0; i < STATES; i++) {
    const start x = random_start(rng);
    const impedance z = default_impedance(x.y);
    const double A = 1 / mass[0], R = (1 - z.d) / z.d * A;
    double f[2] = {0};
    if (x.y < 0) {
      const double c_N = push[1] / mass[1] + z.b * x.v[1] + z.K * z.d * x.y,
                   c_T = push[0] / mass[0] + z.b * x.v[0];
      cases[cone(A + R, A + R / 10, c_N, c_T, x.mu, f)]++;
    }
    assert_step("mujoco:cone=elliptic,impratio=10", x, (const double[]){h * f[0], h * f[1]});
  }
  gsl_rng_free(rng);
  assert_true(cases[0] > 5 && cases[1] > 20 && cases[2] > 20);
}

enum { EDGES = 4 };

/* f of the edges in `set`, a bit each: (A + R) f + c = 0 on them; 0 on the others. By elimination. */
static void push_edges(double A[EDGES][EDGES], const double *c, unsigned set, double *f)
{
  double B[EDGES][EDGES];
  for (size_t i = 0; i < EDGES; i++) {
    const bool in = set >> i & 1;
    f[i] = in ? -c[i] : 0;
    for (size_t k = 0; k < EDGES; k++) {
      B[i][k] = in && (set >> k & 1) ? A[i][k] : i == k;
    }
  }
  for (size_t p = 0; p < EDGES; p++) {
    for (size_t i = 0; i < EDGES; i++) {
      const double factor = i == p ? 0 : B[i][p] / B[p][p];
      for (size_t k = 0; k < EDGES; k++) {
        B[i][k] -= factor * B[p][k];
      }
      f[i] -= factor * f[p];
    }
  }
  for (size_t i = 0; i < EDGES; i++) {
    f[i] /= B[i][i];
  }
}

/* The edges n + mu t, n - mu t and twice n, for the tangent out of the plane: the one set whose f >= 0 and whose others separate. */
static size_t pyramid(double A[EDGES][EDGES], const double *c, double *f)
{
  for (unsigned set = 0; set < 1u << EDGES; set++) {
    bool done = true;
    push_edges(A, c, set, f);
    for (size_t i = 0; i < EDGES; i++) {
      double gap = c[i];
      for (size_t k = 0; k < EDGES; k++) {
        gap += A[i][k] * f[k];
      }
      done = done && (set >> i & 1 ? f[i] >= 0 : gap >= 0);
    }
    if (done) {
      size_t count = 0;
      for (size_t i = 0; i < EDGES; i++) {
        count += set >> i & 1;
      }
      return count;
    }
  }
  fail_msg("no set of edges");
  return 0;
}

DLS_TEST(mujoco_pyramidal_is_the_closed_form)
{
  gsl_rng *rng = seeded(2);
  size_t pushing[EDGES + 1] = {0};
  for (int i = 0; i < STATES; i++) {
    const start x = random_start(rng);
    const impedance z = default_impedance(x.y);
    const double mu = x.mu, e[EDGES] = {mu, -mu, 0, 0};
    const double R = 2 * mu * mu * (1 + mu * mu) * (1 - z.d) / z.d / mass[0];
    double A[EDGES][EDGES], c[EDGES], f[EDGES] = {0};
    for (size_t k = 0; k < EDGES; k++) {
      c[k] = (push[1] + e[k] * push[0]) / mass[0] + z.b * (x.v[1] + e[k] * x.v[0]) + z.K * z.d * x.y;
      for (size_t l = 0; l < EDGES; l++) {
        A[k][l] = (1 + e[k] * e[l]) / mass[0] + (k == l ? R : 0);
      }
    }
    if (x.y < 0) {
      pushing[pyramid(A, c, f)]++;
    }
    assert_step("mujoco", x, (const double[]){h * (f[0] + f[1] + f[2] + f[3]), h * mu * (f[0] - f[1])});
  }
  gsl_rng_free(rng);
  assert_true(pushing[0] > 20 && pushing[1] > 20 && pushing[3] > 20 && pushing[4] > 5);
}

/* Without friction: max(a, (1 - d) a + d a_ref). In the direct form, with another A^. */
DLS_TEST(mujoco_without_friction_is_the_closed_form)
{
  gsl_rng *rng = seeded(3);
  for (int i = 0; i < STATES; i++) {
    start x = random_start(rng);
    x.mu = 0;
    const impedance z = default_impedance(x.y);
    const double a = push[1] / mass[1], ref = -z.b * x.v[1] - z.K * z.d * x.y;
    const double next = x.y < 0 ? fmax(a, (1 - z.d) * a + z.d * ref) : a;
    assert_step("mujoco", x, (const double[]){h * mass[1] * (next - a), 0});
    const double d = z.d, R = (1 - d) / d / 3; /* ahat = 1/3: f (A + R A) = a_ref - a */
    const double direct = -40 / 0.95 * x.v[1] - 1e4 / (0.95 * 0.95) * d * x.y;
    assert_step("mujoco:stiffness=1e4,damping=40,ahat=0.33333333333333331", x,
                (const double[]){x.y < 0 ? fmax(0, h * mass[1] * (direct - a) / (1 + R)) : 0, 0});
  }
  gsl_rng_free(rng);
}

/* The same cone with R of its own. Stick, slip, open. */
DLS_TEST(sap_is_the_closed_form)
{
  static const struct {
    const char *scheme;
    double k, tau, beta;
  } of[] = {{"sap", 1e6, 0.1, 1},
            {"sap:point_stiffness=1e3,relaxation_time=0.02", 1e3, 0.02, 1},
            {"sap:beta=0,relaxation_time=0", 1e6, 0, 0}};
  gsl_rng *rng = seeded(4);
  size_t cases[3] = {0};
  for (int i = 0; i < STATES; i++) {
    const start x = random_start(rng);
    const double w = 1 / mass[0], pi = acos(-1), tau = of[i % 3].tau;
    const double R_N = fmax(pow(of[i % 3].beta / (2 * pi), 2) * w, 1 / (h * of[i % 3].k * (h + tau)));
    double gamma[2] = {0};
    if (x.y < 0) {
      cases[cone(w + R_N, w + 1e-3 * w, x.v[1] + h * push[1] / mass[1] + x.y / (h + tau),
                 x.v[0] + h * push[0] / mass[0], x.mu, gamma)]++;
    }
    assert_step(of[i % 3].scheme, x, gamma);
  }
  gsl_rng_free(rng);
  assert_true(cases[0] > 5 && cases[1] > 20 && cases[2] > 20);
}

/* Slip u with u + w mu n0 u/sqrt(u^2 + eps^2) = u_free, by halving. */
static double lagged_slip(double u_free, double bound, double eps)
{
  double low = -fabs(u_free), high = fabs(u_free);
  for (int i = 0; i < 200; i++) {
    const double u = 0.5 * (low + high);
    *(u + bound * u / hypot(u, eps) < u_free ? &low : &high) = u;
  }
  return 0.5 * (low + high);
}

DLS_TEST(icf_is_the_quadratic)
{
  static const double d = 5, k = 1e4, w = 0.5;
  gsl_rng *rng = seeded(5);
  size_t pushed = 0;
  for (int i = 0; i < STATES; i++) {
    const start x = random_start(rng);
    const double f0 = -k * x.y, u_N = x.v[1] + h * push[1] / mass[1], u_T = x.v[0] + h * push[0] / mass[0];
    double gamma[2] = {0};
    if (x.y < 0) {
      const double A = h * h * k * d * w, B = -(h * h * k * w + h * f0 * d * w + 1), C = u_N + h * f0 * w;
      const double u = 2 * C / (-B + sqrt(B * B - 4 * A * C));
      const double n0 = h * f0 * fmax(1 - d * x.v[1], 0), eps = fmax(1e-4, x.mu * 2.65 * 1e-3 * n0 * w);
      gamma[0] = u_N < fmin(f0 / (h * k), 1 / d) ? (u - u_N) / w : 0;
      gamma[1] = (lagged_slip(u_T, w * x.mu * n0, eps) - u_T) / w;
      pushed += gamma[0] > 0;
    }
    assert_step("icf:hunt_crossley_dissipation=5,point_stiffness=1e4,newton_tol=1e-15", x, gamma);
  }
  gsl_rng_free(rng);
  assert_true(pushed > 100);
}

/* sap with k -> infinity, tau = beta = 0 and contacts kept is Stewart & Trinkle's step: v' = max(v_free, -g/h). */
DLS_TEST(rigid_sap_is_stewart_trinkle)
{
  gsl_rng *rng = seeded(6);
  for (int i = 0; i < STATES; i++) {
    start x = random_start(rng);
    x.mu = 0;
    const double u_free = x.v[1] + h * push[1] / mass[1];
    assert_step("sap:point_stiffness=1e22,relaxation_time=0,beta=0,envelope=1", x,
                (const double[]){mass[1] * (fmax(u_free, -x.y / h) - u_free), 0});
  }
  gsl_rng_free(rng);
}

enum { BODIES = 4, WALLS = 3 };

/* Four masses between three walls in random directions, with gaps of both signs. */
static dls_system *among_walls(gsl_rng *rng)
{
  dls_system *sys = dls_system_create(BODIES, WALLS);
  assert_non_null(sys);
  sys->linear = true;
  sys->M = dls_matrix_diagonal(BODIES);
  sys->H = dls_matrix_dense(BODIES, WALLS);
  assert_true(sys->M != NULL && sys->H != NULL);
  for (size_t i = 0; i < BODIES; i++) {
    dls_matrix_set(sys->M, i, i, 0.5 + gsl_rng_uniform(rng));
    sys->v0[i] = gsl_ran_gaussian(rng, 1);
    for (size_t j = 0; j < WALLS; j++) {
      dls_matrix_set(sys->H, i, j, gsl_ran_gaussian(rng, 1));
    }
  }
  for (size_t j = 0; j < WALLS; j++) {
    sys->w[j] = 1e-3 * gsl_ran_gaussian(rng, 1);
  }
  return sys;
}

/* 0 <= g + h U' _|_ P >= 0, U' = H^T v + W P, by all sets of contacts; P[WALLS] @return how many push */
static size_t stewart_trinkle(const dls_system *sys, double step, double *P)
{
  double W[EDGES][EDGES] = {{0}}, c[EDGES] = {0, 0, 0, 1},
         f[EDGES]; /* the last row is no contact: never pushes */
  W[WALLS][WALLS] = 1;
  for (size_t j = 0; j < WALLS; j++) {
    c[j] = sys->w[j] / step + dls_matrix_column_dot(sys->H, j, sys->v0);
    for (size_t k = 0; k < WALLS; k++) {
      for (size_t i = 0; i < BODIES; i++) {
        W[j][k] += dls_matrix_get(sys->H, i, j) * dls_matrix_get(sys->H, i, k) / dls_matrix_get(sys->M, i, i);
      }
    }
  }
  const size_t count = pyramid(W, c, f);
  memcpy(P, f, WALLS * sizeof *P);
  return count;
}

/* The same identity for contacts that act on each other. */
DLS_TEST(rigid_sap_is_stewart_trinkle_among_walls)
{
  gsl_rng *rng = seeded(7);
  size_t pushing[WALLS + 1] = {0};
  for (int i = 0; i < STATES / 4; i++) {
    dls_error err = {0};
    double P[WALLS];
    test_run run =
        dls_test_prepare_of(among_walls(rng), "sap:point_stiffness=1e18,relaxation_time=0,beta=0,envelope=1");
    dls_test_own_restitution(run.sim);
    pushing[stewart_trinkle(run.sys, h, P)]++;
    assert_ok(dls_sim_start(run.sim, &err), err);
    assert_ok(dls_sim_advance(run.sim, h, &err), err);
    for (size_t j = 0; j < WALLS; j++) {
      assert_close(run.sim->p[j], P[j], 1e-9 * (1 + P[j]));
    }
    dls_test_free(&run);
  }
  gsl_rng_free(rng);
  assert_true(pushing[1] > 5 && pushing[2] > 5 && pushing[3] > 5);
}

/* e of damping ratios, and damping of e. */
DLS_TEST(restitution_of_the_damping)
{
  static const double zeta[][2] = {{0.25, 0.597342252153460},
                                   {0.5, 0.255275637648652},
                                   {0.75, 0.0971577713046252},
                                   {0.9, 0.0342652041262327}},
                      dV[][2] = {{0.25, 3.84080603977801},
                                 {0.5, 1.43275053327137},
                                 {0.75, 0.495911318234487},
                                 {0.9, 0.166481950685301}};
  for (size_t i = 0; i < 4; i++) {
    assert_close(dls_kelvin_voigt_ratio(zeta[i][0], false), zeta[i][1], 1e-14);
    assert_close(dls_hunt_crossley_ratio(dV[i][0]), dV[i][1], 1e-13);
  }
}

/* Velocity at which a ball without load returns from the wall that it hits with speed 1. */
static double rebound(const char *scheme, double e, double step)
{
  char model[80];
  snprintf(model, sizeof model, "bouncing-ball:f=0,v0=-1,q0=0.01234,e=%g", e);
  test_run run = dls_test_run(model, scheme, step, 0.3);
  const double v = run.sim->v[0];
  dls_test_free(&run);
  return v;
}

/* For h -> 0 the scheme's e: that of the damping ratio with a constant impedance; fit: that of the model. */
DLS_TEST(impacts_have_the_restitution_of_the_limit)
{
  static const char direct[] = "mujoco:d0=0.95,restitution=own,dampratio=%g,timeconst=%g";
  static const double zetas[] = {0.2, 0.5, 1, 2};
  for (size_t i = 0; i < 4; i++) {
    char scheme[100];
    snprintf(scheme, sizeof scheme, direct, zetas[i], 0.01 / zetas[i]);
    assert_close(rebound(scheme, 0, 1e-5), dls_kelvin_voigt_restitution(zetas[i], false), 2e-3);
  }
  assert_close(dls_kelvin_voigt_restitution(1, false), exp(-2), 1e-12);
  for (double e = 0.25; e <= 1; e += 0.25) {
    assert_close(rebound("mujoco:d0=0.95,restitution=fit,timeconst=0.005", e, 1e-5), e, 1e-2);
    assert_close(rebound("sap:restitution=fit,point_stiffness=1e4", e, 1e-5), e, 1e-2);
    assert_close(rebound("icf:restitution=fit,point_stiffness=1e4", e, 1e-5), e, 1e-2);
  }
}

/* -u+/u- of a ball that falls without slip on a rough floor. */
static double rough_rebound(const char *cone, double e)
{
  char model[80], scheme[120];
  snprintf(model, sizeof model, "bounce-slip:vx=0,mu=0.3,e=%g", e);
  snprintf(scheme, sizeof scheme, "mujoco:d0=0.95,restitution=fit,timeconst=0.01,cone=%s", cone);
  test_run run = dls_test_run(model, scheme, 2e-5, 0.5);
  const double ratio = run.sim->v[1] / (9.81 * 0.5);
  dls_test_free(&run);
  return ratio;
}

/* The fit knows A^ and the edges of the pyramid, whose regularisation along the normal is not that of one row. */
DLS_TEST(fitted_damping_knows_the_regularisation)
{
  static const double ahats[] = {1 / 3., 0.1, 3};
  for (double e = 0.25; e < 1; e += 0.25) {
    for (size_t i = 0; i < 3; i++) {
      char scheme[100];
      snprintf(scheme, sizeof scheme, "mujoco:d0=0.95,restitution=fit,timeconst=0.02,ahat=%.17g", ahats[i]);
      assert_close(rebound(scheme, e, 1e-5), e, 1e-3);
    }
    assert_close(rough_rebound("pyramidal", e), rough_rebound("elliptic", e), 2e-3);
  }
}

/* The default contact of MuJoCo, "critically damped", bounces. */
DLS_TEST(default_mujoco_bounces)
{
  assert_between(rebound("mujoco:restitution=own", 0, 1e-4), 0.125, 0.138);
}

/* Depth at which a ball of unit mass rests under the acceleration a. */
static double rest_depth(const char *scheme, double a, double step)
{
  dls_error err = {0};
  test_run run = dls_test_prepare_of(mass_on_floor(light, 0, (const double[]){0, -a}), scheme);
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start(run.sim, &err), err);
  for (double t = 0; t < 4; t += step) {
    assert_ok(dls_sim_advance(run.sim, step, &err), err);
  }
  const double depth = -run.sim->q[1];
  assert_close(run.sim->v[1], 0, 1e-12);
  dls_test_free(&run);
  return depth;
}

DLS_TEST(rest_is_at_the_depth_of_the_formula)
{
  assert_close(rest_depth("mujoco:newton_tol=1e-15", 2, 2e-3), 8.82880128697006e-5, 1e-17);
  assert_close(rest_depth("mujoco:newton_tol=1e-15", 2, 1e-3), 8.82880128697006e-5, 1e-17);
  assert_close(rest_depth("mujoco:newton_tol=1e-15", 9.81, 2e-3), 3.67181842460e-4, 1e-15);
  const double pi = acos(-1);
  assert_close(rest_depth("sap", 2, 1e-2), 2 * 1e-2 * (1e-2 + 0.1) / (4 * pi * pi), 1e-15); /* near-rigid */
  assert_close(rest_depth("sap:beta=0", 2, 1e-2), 2e-6, 1e-15);
  assert_close(rest_depth("icf", 2, 1e-3), 2e-6, 1e-15);
}

/* Speed of a block that sticks on a slope of 30 degrees, mu = 0.7. */
static double creep(const char *scheme, double step)
{
  test_run run = dls_test_run("incline:mu=0.7,v0=0", scheme, step, 1);
  const double v = -run.sim->v[0];
  dls_test_free(&run);
  return v;
}

DLS_TEST(sticking_contacts_creep)
{
  const double pi = acos(-1), a_T = 9.81 * sin(pi / 6);
  assert_close(creep("mujoco:cone=elliptic,restitution=own", 2e-3), 4.56e-3, 5e-6);
  assert_close(creep("mujoco:cone=elliptic,restitution=own", 5e-4), 4.56e-3, 5e-6);
  assert_close(creep("mujoco:cone=elliptic,impratio=100,restitution=own", 2e-3), 4.56e-5, 5e-8);
  assert_close(creep("mujoco:restitution=own", 2e-3), 13.75e-3, 1e-5);
  assert_close(creep("sap:restitution=own", 1e-2), 1e-3 * 1e-2 * a_T, 1e-10);
  assert_close(creep("sap:restitution=own", 1e-3), 1e-3 * 1e-3 * a_T, 1e-10);
  const double xi = tan(pi / 6) / 0.7, n = 1e-3 * 9.81 * cos(pi / 6);
  assert_close(creep("icf:restitution=own", 1e-3), fmax(1e-4, 0.7 * 2.65e-3 * n) * xi / sqrt(1 - xi * xi),
               1e-9);
}

/* Slip of a mass that cannot be slowed down, as its inertia along the floor is large: depth of the contact after a while, the
 * largest gap. A_T = 0 and A_N = 1: rest is possible up to u* = a (R + mu^2 R_T)/(mu b). */
static double highest(const char *scheme, double slip, double mu, double step)
{
  dls_error err = {0};
  test_run run =
      dls_test_prepare_of(mass_on_floor((const double[]){1e9, 1}, mu, (const double[]){0, -9.81}), scheme);
  const double q[2] = {0, -1e-8}, v[2] = {slip, 0};
  double most = -HUGE_VAL;
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  for (int k = 0; k < 1000; k++) {
    assert_ok(dls_sim_advance(run.sim, step, &err), err);
    most = k >= 500 ? fmax(most, run.sim->q[1]) : most;
  }
  dls_test_free(&run);
  return most;
}

DLS_TEST(slip_lifts)
{
  const double R = 0.1 / 0.9, mu = 0.3, b = 2 / (0.95 * 0.02), limit = 9.81 * (R + mu * mu * R) / (mu * b);
  assert_true(highest("mujoco:cone=elliptic,restitution=own", 0.9 * limit, mu, 1e-3) < 0);
  assert_true(highest("mujoco:cone=elliptic,restitution=own", 1.1 * limit, mu, 1e-3) > 0);
  /* sap: rest at g = mu (h + tau) |u_T| less its depth, if contacts are kept there */
  const double depth = 9.81 * 1e-3 * (1e-3 + 0.1) / (4 * acos(-1) * acos(-1));
  assert_close(highest("sap:envelope=1,restitution=own", 2, mu, 1e-3),
               mu * 0.101 * 2 - depth * (1 + mu * mu * 0), 2e-4);
  assert_true(highest("icf:restitution=own", 2, mu, 1e-3) < 0);
}

/* Digits of the MuJoCo 2.2.2 library for a mass that hits the floor with slip; the hop of a block that is thrown uphill from rest. */
DLS_TEST(mujoco_has_the_digits_of_the_library)
{
  dls_error err = {0};
  test_run run = dls_test_prepare_of(mass_on_floor(light, 0.3, (const double[]){0, 0}), "mujoco:cone=elliptic");
  const double q[2] = {0, 3.5e-3}, v[2] = {2, -1};
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  for (int k = 0; k < 200; k++) {
    assert_ok(dls_sim_advance(run.sim, 1e-3, &err), err);
  }
  assert_close(run.sim->v[0], 1.57683924668137, 1e-13);
  assert_close(run.sim->v[1], 0.410535844395429, 1e-13);
  dls_test_free(&run);
  run = dls_test_prepare("incline:mu=0.3,v0=2", "mujoco:cone=elliptic");
  const double a = 9.81 * cos(acos(-1) / 6);
  const double depth[2] = {0, -rest_depth("mujoco:newton_tol=1e-15", a, 2e-3)}, thrown[2] = {2, 0};
  double most = 0;
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, depth, thrown, &err), err);
  for (int k = 0; k < 100; k++) {
    assert_ok(dls_sim_advance(run.sim, 1e-2, &err), err);
    most = fmax(most, run.sim->q[1]);
  }
  assert_close(most, 0.0174349669343539, 1e-13); /* a prototype of the planar map in another language */
  dls_test_free(&run);
}

/* Velocity after an impact of (2, -1) with mu = 0.3, without load, the mean over places in a step; Coulomb with e = 0: (1.7, 0). */
static void frictional_impact(const char *scheme, double step, double *v)
{
  enum { PHASES = 5 };
  dls_error err = {0};
  v[0] = v[1] = 0;
  for (int i = 0; i < PHASES; i++) {
    test_run run = dls_test_prepare_of(mass_on_floor(light, 0.3, (const double[]){0, 0}), scheme);
    const double q[2] = {0, step * (3 + (i + 0.3) / PHASES)}, before[2] = {2, -1};
    assert_ok(dls_sim_start_from(run.sim, 0, q, before, &err), err);
    for (int k = 0; k < 400 || run.sim->q[1] < 0; k++) {
      assert_ok(dls_sim_advance(run.sim, step, &err), err);
    }
    v[0] += run.sim->v[0] / PHASES;
    v[1] += run.sim->v[1] / PHASES;
    dls_test_free(&run);
  }
}

/* The convex law of a rigid contact: (1.5596, 0.4679), sap nearly. icf stops the slip, until its steps resolve the contact. */
DLS_TEST(frictional_impacts_are_those_of_convex_laws)
{
  double v[2];
  frictional_impact("mujoco:cone=elliptic", 1e-4, v);
  assert_close(v[0], 1.576, 3e-3);
  assert_close(v[1], 0.413, 1e-2);
  frictional_impact("sap", 1e-2, v);
  assert_close(v[0], 1.557, 3e-3);
  assert_close(v[1], 0.475, 1e-2);
  frictional_impact("sap", 1e-3, v);
  assert_close(v[0], 1.563, 3e-3);
  assert_close(v[1], 0.455, 1e-2);
  frictional_impact("icf", 1e-2, v);
  assert_close(v[0], 0, 1e-3);
  frictional_impact("icf", 1e-5, v);
  assert_close(v[0], 1.693, 2e-3);
  assert_close(v[1], 0.020, 2e-3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(mujoco_elliptic_is_the_closed_form),
      cmocka_unit_test(mujoco_pyramidal_is_the_closed_form),
      cmocka_unit_test(mujoco_without_friction_is_the_closed_form),
      cmocka_unit_test(sap_is_the_closed_form),
      cmocka_unit_test(icf_is_the_quadratic),
      cmocka_unit_test(rigid_sap_is_stewart_trinkle),
      cmocka_unit_test(rigid_sap_is_stewart_trinkle_among_walls),
      cmocka_unit_test(restitution_of_the_damping),
      cmocka_unit_test(impacts_have_the_restitution_of_the_limit),
      cmocka_unit_test(fitted_damping_knows_the_regularisation),
      cmocka_unit_test(default_mujoco_bounces),
      cmocka_unit_test(rest_is_at_the_depth_of_the_formula),
      cmocka_unit_test(sticking_contacts_creep),
      cmocka_unit_test(slip_lifts),
      cmocka_unit_test(mujoco_has_the_digits_of_the_library),
      cmocka_unit_test(frictional_impacts_are_those_of_convex_laws),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
