/* test_ipc_maps.c -- steps of ipc with one contact against roots by bisection in long double, over random states; restitution, rest, creep
 * and friction of impacts; gaps above 0 in random systems. Closed form: M. Li et al. 2020, and the rules of ipc.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "runs.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { STATES = 60, STEPS = 4, PHASES = 40, SYSTEMS = 40 };
typedef long double real;
static const double push[2] = {0.7, -3}, mass[2] = {2, 2};
static double load_of[2];

static void load(const dls_system *sys, double t, double *F)
{
  (void)sys;
  (void)t;
  memcpy(F, load_of, sizeof load_of);
}

/* A mass at (x, y) above the floor y = 0; scales 1. */
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

/* -b'(x) of the barrier with the end x^; of g^2, too. */
static real slope_of(real g, bool squared)
{
  const real end = squared ? 1e-6L : 1e-3L, x = squared ? g * g : g;
  const real first = -2 * (x - end) * logl(x / end) - (x - end) * (x - end) / x;
  return x < end ? (squared ? -2 * g * first : -first) : 0;
}

typedef struct contact_of_step {
  real kappa; /* force: kappa slope_of(g) */
  bool squared;
} contact_of_step;

/* The root of m (v - v_ref) = beta (F + kappa slope(y_ref + beta v)), the left side less the right one growing with v. */
static real normal(const contact_of_step *c, real m, real F, real y_ref, real v_ref, real beta)
{
  real low = -y_ref / beta, high = fmaxl(low, v_ref + beta * F / m) + 1;
  while (m * (high - v_ref) < beta * (F + c->kappa * slope_of(y_ref + beta * high, c->squared))) {
    high += 10 * (high - low);
  }
  for (int k = 0; k < 300; k++) {
    const real v = 0.5L * (low + high), y = y_ref + beta * v;
    const bool below = !(y > 0) || m * (v - v_ref) < beta * (F + c->kappa * slope_of(y, c->squared));
    *(below ? &low : &high) = v;
  }
  return 0.5L * (low + high);
}

/* The root of m (v - v_ref) = beta (F - bound f_1(|v|) sign v). */
static real tangent(real m, real F, real bound, real v_ref, real beta)
{
  const real eps = 1e-3L;
  real low = -100, high = 100;
  for (int k = 0; k < 300; k++) {
    const real v = 0.5L * (low + high), w = fabsl(v) / eps, f_1 = w < 1 ? w * (2 - w) : 1;
    *(m * (v - v_ref) < beta * (F - bound * f_1 * (v > 0 ? 1 : -1)) ? &low : &high) = v;
  }
  return 0.5L * (low + high);
}

/* The references of a rule, from the nodes before. */
static real reference(int rule, int k, real h, real now, real last, real rate, real *beta)
{
  *beta = rule == 1 && k > 0 ? 2 * h / 3 : rule == 2 ? h / 2 : h;
  return rule == 1 && k > 0 ? (4 * now - last) / 3 : rule == 2 ? now + h / 2 * rate : now;
}

static const char *const rules[] = {"euler", "bdf2", "trapezoidal"};

/* Steps from y = 1e-5 to 2e-3 m. A slip that changes sign between the sides of f_1 is one root; all are. */
static void check_steps(int rule, bool one, bool squared, gsl_rng *rng, size_t *pushed, size_t *stuck)
{
  dls_error err = {0};
  char scheme[120];
  const double h = pow(10, -4 + 2 * gsl_rng_uniform(rng)), mu = gsl_rng_uniform(rng);
  const double q[2] = {0.1, 1e-5 + 2e-3 * gsl_rng_uniform(rng)},
               v[2] = {gsl_ran_gaussian(rng, 0.02), gsl_ran_gaussian(rng, 1)};
  snprintf(scheme, sizeof scheme, "ipc:rule=%s,scaling=%s,distance=%s", rules[rule], one ? "one" : "h2",
           squared ? "squared" : "gap");
  test_run run = dls_test_prepare_of(mass_on_floor(mass, mu, push), scheme);
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  contact_of_step c = {.kappa = one ? 1 / ((real)h * h) : 1e6L, .squared = squared};
  c.kappa *= squared ? 1e6L : 1;
  const real f_0 =
      one ? 0 : c.kappa * slope_of(q[1], squared); /* the force at the start is not known without h */
  real a[2] = {push[0] / mass[0], (push[1] + f_0) / mass[1]}, q_last[2], v_last[2];
  for (int k = 0; k < STEPS; k++) {
    const double y = run.sim->q[1];
    const real lagged = c.kappa * slope_of(y, squared);
    real v_ref[2], q_ref[2], beta, now[2], next[2];
    for (size_t i = 0; i < 2; i++) {
      now[i] = run.sim->v[i];
      v_ref[i] = reference(rule, k, h, now[i], v_last[i], a[i], &beta);
      q_ref[i] = reference(rule, k, h, run.sim->q[i], q_last[i], now[i], &beta);
      q_last[i] = run.sim->q[i];
      v_last[i] = now[i];
    }
    next[0] = tangent(mass[0], push[0], mu * lagged, v_ref[0], beta);
    next[1] = normal(&c, mass[1], push[1], q_ref[1], v_ref[1], beta);
    assert_ok(dls_sim_advance(run.sim, h, &err), err);
    const double scale = 1 + fabs((double)v_ref[1]) + fabs((double)now[1]);
    assert_close(run.sim->v[0], (double)next[0], 1e-9 * (1 + fabs((double)v_ref[0])));
    assert_close(run.sim->v[1], (double)next[1], 1e-9 * scale);
    assert_close(run.sim->q[1], (double)(q_ref[1] + beta * next[1]), 1e-11 * scale);
    assert_true(run.sim->q[1] > 0);
    for (size_t i = 0; i < 2; i++) {
      a[i] = ((real)run.sim->v[i] - v_ref[i]) / beta;
    }
    *pushed += run.sim->lambda[0] > 0;
    *stuck += run.sim->status[0] == 1 && run.sim->lambda_t[0] != 0;
  }
  dls_test_free(&run);
}

DLS_TEST(steps_are_roots)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 1);
  for (int rule = 0; rule < 3; rule++) {
    size_t pushed = 0, stuck = 0;
    for (int i = 0; i < 4 * STATES; i++) {
      check_steps(rule, i % 2 == 1, i / 2 % 2 == 1, rng, &pushed, &stuck);
    }
    print_message("  %s: %zu of %d steps with a force, %zu with creep\n", rules[rule], pushed,
                  4 * STATES * STEPS, stuck);
    assert_true(pushed > 100 && stuck > 20);
  }
  gsl_rng_free(rng);
}

/* A second friction iteration has the normal force of the first solution: lambda = f(y'). */
DLS_TEST(friction_iterations_take_the_new_normal_force)
{
  dls_error err = {0};
  const double h = 1e-3, q[2] = {0, 5e-4}, v[2] = {1, -1};
  test_run run = dls_test_prepare_of(mass_on_floor(mass, 0.5, push), "ipc:friction_iterations=2");
  dls_test_own_restitution(run.sim);
  assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
  assert_ok(dls_sim_advance(run.sim, h, &err), err);
  const contact_of_step c = {.kappa = 1e6L};
  const real v_N = normal(&c, 2, -3, q[1], v[1], h), force = c.kappa * slope_of(q[1] + h * v_N, false);
  assert_close(run.sim->v[1], (double)v_N, 1e-9);
  assert_close(run.sim->v[0], (double)tangent(2, 0.7L, 0.5L * force, 1, h), 1e-9);
  dls_test_free(&run);
}

/* Rebound of 1 kg from 2 m/s with dhat = 1 mm: mean, least and most over phases of the grid. */
static void rebounds(const char *scheme, double h, double *mean, double *least, double *most)
{
  static const double one[2] = {1, 1}, none[2] = {0, 0};
  *mean = *most = 0;
  *least = HUGE_VAL;
  for (int i = 0; i < PHASES; i++) {
    dls_error err = {0};
    const double q[2] = {0, 1e-3 + 2 * h * (4 + (i + 0.5) / PHASES)}, v[2] = {0, -2};
    test_run run = dls_test_prepare_of(mass_on_floor(one, 0, none), scheme);
    dls_test_own_restitution(run.sim);
    assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
    int away = 0;
    for (int k = 0; k < 4000 && away < 25; k++) {
      assert_ok(dls_sim_advance(run.sim, h, &err), err);
      away = run.sim->v[1] > 0 && run.sim->q[1] > 1e-3 ? away + 1 : 0;
    }
    const double e = run.sim->v[1] / 2;
    assert_true(away == 25);
    *mean += e / PHASES;
    *least = fmin(*least, e);
    *most = fmax(*most, e);
    dls_test_free(&run);
  }
  print_message("  %s, h = %g: e = %.4g, %.4g to %.4g\n", scheme, h, *mean, *least, *most);
}

/* The means of euler; the ranges of the other rules, which gain energy. */
DLS_TEST(restitution_is_a_function_of_the_step)
{
  static const struct {
    const char *scheme;
    double h, mean, least, most; /* mean 0: the range alone */
  } of[] = {
      {"ipc", 1e-2, 0.008, 0.0053, 0.0099},
      {"ipc", 1e-3, 0.115, 0.1112, 0.1181},
      {"ipc", 1e-4, 0.578, 0.5774, 0.5776},
      {"ipc:scaling=one", 1e-2, 0.025, 0.0215, 0.0263},
      {"ipc:scaling=one", 1e-3, 0.115, 0.1112, 0.1181},
      {"ipc:scaling=one", 1e-4, 0.288, 0.2873, 0.2895},
      {"ipc:rule=bdf2", 1e-2, 0, 0.37, 1.21},
      {"ipc:rule=bdf2", 1e-3, 0, 0.656, 0.7275},
      {"ipc:rule=bdf2", 1e-4, 0.957, 0.9565, 0.9571},
      {"ipc:rule=trapezoidal", 1e-2, 0, 0.39, 2.90},
      {"ipc:rule=trapezoidal", 1e-3, 0, 0.70, 1.71},
      {"ipc:rule=trapezoidal", 1e-4, 1.000, 0.9989, 1.0011},
  };
  for (size_t i = 0; i < sizeof of / sizeof of[0]; i++) {
    double mean, least, most;
    rebounds(of[i].scheme, of[i].h, &mean, &least, &most);
    if (of[i].mean > 0) {
      assert_close(mean, of[i].mean, 6e-4);
    }
    assert_between(least, of[i].least, of[i].least * 1.06);
    assert_between(most, of[i].most * 0.94, of[i].most);
  }
}

/* The metadata have the range of e for one contact at the scale of velocities, here 1 m/s. */
DLS_TEST(the_own_restitution_is_in_the_metadata)
{
  for (int rule = 0; rule < 3; rule++) {
    char scheme[80];
    double least = 0, most = 0, wanted_least = HUGE_VAL, wanted_most = 0;
    const double h = 2e-3;
    snprintf(scheme, sizeof scheme, "ipc:restitution=own,rule=%s", rules[rule]);
    for (int i = 0; i < 16; i++) {
      char model[80];
      snprintf(model, sizeof model, "bouncing-ball:f=0,q0=1,v0=-1,m=2");
      dls_error err = {0};
      const double q = 1e-3 + h * (30 + (i + 0.5) / 16), v = -1;
      test_run run = dls_test_prepare(model, scheme);
      assert_ok(dls_sim_start_from(run.sim, 0, &q, &v, &err), err);
      for (int k = 0; k < 200; k++) {
        assert_ok(dls_sim_advance(run.sim, h, &err), err);
      }
      wanted_least = fmin(wanted_least, run.sim->v[0]);
      wanted_most = fmax(wanted_most, run.sim->v[0]);
      dls_test_free(&run);
    }
    test_run run = dls_test_run("bouncing-ball:f=0,q0=1,v0=-1,m=2", scheme, h, 0.1);
    bool found = false;
    for (size_t i = 0; i < run.traj->meta_count; i++) {
      found = found ||
              sscanf(run.traj->meta[i], "restitution: of contact 0: %lg to %lg at |u-| = 1 m/s, h = 0.002 s",
                     &least, &most) == 2;
    }
    assert_true(found);
    print_message("  %s: %g to %g; %g to %g\n", rules[rule], least, most, wanted_least, wanted_most);
    assert_close(least, wanted_least, 6e-3 * wanted_least); /* printed to three digits */
    assert_close(most, wanted_most, 6e-3 * wanted_most);
    dls_test_free(&run);
  }
}

/* 9.744e-4 m at 2 m/s^2: kappa |b'(g)| = m a. A ball that lies on the floor begins there and stays, and the record says so. */
DLS_TEST(bodies_begin_and_rest_where_the_barrier_carries_them)
{
  test_run run = dls_test_run("bouncing-ball:e=0,q0=0,v0=0", "ipc:restitution=own", 1e-3, 0.2);
  assert_close(run.sim->q[0], 9.7440232908e-4, 1e-13);
  assert_close((double)(1e6L * slope_of(run.sim->q[0], false)), 2, 1e-9);
  assert_close(dls_test_value(&run, 0, "q0"), run.sim->q[0], 1e-13);
  bool found = false;
  for (size_t i = 0; i < run.traj->meta_count; i++) {
    double offset;
    size_t count;
    if (sscanf(run.traj->meta[i], "offset: %zu contacts that touch begin with gaps increased by up to %lg m",
               &count, &offset) == 2) {
      found = true;
      assert_int_equal(count, 1);
      assert_close(offset, 9.7440232908e-4, 1e-13);
    }
  }
  assert_true(found);
  dls_test_free(&run);
}

/* epsv (1 - sqrt(1 - xi)), xi = tan alpha/mu, for all h: 0.58 mm/s for epsv = 1 mm/s. */
DLS_TEST(sticking_contacts_creep)
{
  const double g = 9.81, alpha = acos(-1) / 6, xi = tan(alpha) / 0.7, one[2] = {1, 1};
  const double weight[2] = {-g * sin(alpha), -g * cos(alpha)};
  for (int i = 0; i < 4; i++) {
    dls_error err = {0};
    const double h = i % 2 == 0 ? 1e-2 : 1e-3, q[2] = {0, 0}, v[2] = {0, 0};
    test_run run = dls_test_prepare_of(mass_on_floor(one, 0.7, weight), i < 2 ? "ipc" : "ipc:rule=bdf2");
    dls_test_own_restitution(run.sim);
    assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
    for (int k = 0; k < 200; k++) {
      assert_ok(dls_sim_advance(run.sim, h, &err), err);
    }
    assert_close(run.sim->v[0], -1e-3 * (1 - sqrt(1 - xi)), 1e-12);
    assert_close(run.sim->v[0], -0.5812e-3, 2e-6);
    assert_int_equal(run.sim->status[0], 1);
    dls_test_free(&run);
  }
}

/* u- = (2, -1), mu = 0.3: u_T+ = 2 - 0.3 (1 + e), with the scheme's own e; averages over phases. */
DLS_TEST(friction_of_impacts_has_the_own_restitution)
{
  static const double h[] = {1e-2, 1e-3, 1e-4}, u_T[] = {1.697, 1.652, 1.489}, u_N[] = {0.011, 0.159, 0.704};
  static const double one[2] = {1, 1}, none[2] = {0, 0};
  for (int k = 0; k < 3; k++) {
    double mean_T = 0, mean_N = 0;
    for (int i = 0; i < PHASES; i++) {
      dls_error err = {0};
      const double q[2] = {0, 1e-3 + h[k] * (2 + (i + 0.5) / PHASES)}, v[2] = {2, -1};
      test_run run = dls_test_prepare_of(mass_on_floor(one, 0.3, none), "ipc");
      dls_test_own_restitution(run.sim);
      assert_ok(dls_sim_start_from(run.sim, 0, q, v, &err), err);
      for (int s = 0; s < 600; s++) {
        assert_ok(dls_sim_advance(run.sim, h[k], &err), err);
      }
      assert_close(run.sim->v[0], 2 - 0.3 * (1 + run.sim->v[1]), 1e-9);
      mean_T += run.sim->v[0] / PHASES;
      mean_N += run.sim->v[1] / PHASES;
      dls_test_free(&run);
    }
    print_message("  h = %g: %.4f, %.4f\n", h[k], mean_T, mean_N);
    assert_close(mean_T, u_T[k], 1e-3);
    assert_close(mean_N, u_N[k], 2e-3);
  }
}

enum { BODIES = 4, WALLS = 3 };

/* Four masses between three walls with friction in random directions, with springs, some of which begin in contact. */
static dls_system *among_walls(gsl_rng *rng)
{
  dls_system *sys = dls_system_create(BODIES, WALLS);
  assert_non_null(sys);
  sys->linear = true;
  sys->d = 2;
  sys->M = dls_matrix_diagonal(BODIES);
  sys->K = dls_matrix_diagonal(BODIES);
  sys->H = dls_matrix_dense(BODIES, WALLS);
  sys->T = dls_matrix_dense(BODIES, WALLS);
  assert_true(sys->M != NULL && sys->K != NULL && sys->H != NULL && sys->T != NULL);
  for (size_t i = 0; i < BODIES; i++) {
    dls_matrix_set(sys->M, i, i, 0.5 + gsl_rng_uniform(rng));
    dls_matrix_set(sys->K, i, i, 100 * gsl_rng_uniform(rng));
    sys->v0[i] = gsl_ran_gaussian(rng, 2);
  }
  for (size_t j = 0; j < WALLS; j++) {
    double n[BODIES], t[BODIES], nn = 0, nt = 0;
    for (size_t i = 0; i < BODIES; i++) {
      n[i] = gsl_ran_gaussian(rng, 1);
      t[i] = gsl_ran_gaussian(rng, 1);
      nn += n[i] * n[i];
      nt += n[i] * t[i];
    }
    for (size_t i = 0; i < BODIES; i++) {
      dls_matrix_set(sys->H, i, j, n[i]);
      dls_matrix_set(sys->T, i, j, t[i] - nt / nn * n[i]);
    }
    sys->w[j] = gsl_rng_uniform(rng) < 0.3 ? 0 : 0.05 * gsl_rng_uniform(rng);
    sys->mu[j] = gsl_rng_uniform(rng);
  }
  return sys;
}

DLS_TEST(gaps_stay_above_zero)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  gsl_rng_set(rng, 7);
  size_t pushed = 0;
  double least = HUGE_VAL;
  for (int i = 0; i < 3 * SYSTEMS; i++) {
    dls_error err = {0};
    char scheme[80];
    snprintf(scheme, sizeof scheme, "ipc:rule=%s,scaling=%s", rules[i % 3], i % 2 == 0 ? "h2" : "one");
    test_run run = dls_test_prepare_of(among_walls(rng), scheme);
    dls_test_own_restitution(run.sim);
    assert_ok(dls_sim_start(run.sim, &err), err);
    const double h = pow(10, -3 + 2 * gsl_rng_uniform(rng));
    for (int k = 0; k < 100; k++) {
      assert_ok(dls_sim_advance(run.sim, h, &err), err);
      for (size_t j = 0; j < WALLS; j++) {
        least = fmin(least, run.sim->g[j]);
        pushed += run.sim->p[j] > 0;
      }
    }
    dls_test_free(&run);
  }
  gsl_rng_free(rng);
  print_message("  least gap %g m, %zu impulses\n", least, pushed);
  assert_true(least > 0 && pushed > 1000);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(steps_are_roots),
      cmocka_unit_test(friction_iterations_take_the_new_normal_force),
      cmocka_unit_test(restitution_is_a_function_of_the_step),
      cmocka_unit_test(the_own_restitution_is_in_the_metadata),
      cmocka_unit_test(bodies_begin_and_rest_where_the_barrier_carries_them),
      cmocka_unit_test(sticking_contacts_creep),
      cmocka_unit_test(friction_of_impacts_has_the_own_restitution),
      cmocka_unit_test(gaps_stay_above_zero),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
