/* test_cluster.c -- the local model of an accumulation: closed forms, invariants, and an impact-by-impact motion with
 * a complementarity solver of the test's own (two contacts, all cases tried).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "event_driven/accumulation/cluster.h"
#include "event_driven/accumulation/cluster_tangents.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 4 };

static const dls_cluster_limits free_limits = {HUGE_VAL, HUGE_VAL, HUGE_VAL, 1e-14, 2000};

typedef struct fixture {
  dls_cluster_problem problem;
  double W[MOST * MOST], a[MOST], e[MOST], g[MOST], u[MOST];
} fixture;

static uint64_t seed;

static double uniform(double low, double high)
{
  uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return low + (high - low) * ((double)((z ^ (z >> 31)) >> 11) * 0x1p-53);
}

/* k contacts with W = H^T H, pressed by a = -W lambda, lambda > 0; the first has just left, the others fly or rest. */
static void fill(fixture *f, size_t k, double e)
{
  double H[MOST][MOST], lambda[MOST];
  for (size_t i = 0; i < k; i++) {
    for (size_t j = 0; j < k; j++) {
      H[i][j] = (i == j) + uniform(-0.5, 0.5);
    }
    lambda[i] = uniform(0.5, 2);
    f->e[i] = e >= 0 ? e : uniform(0, 0.9);
    f->u[i] = i == 0 ? uniform(0.5, 1) : uniform(-1, 1);
    f->g[i] = i == 0 ? 0 : uniform(0, 0.2);
  }
  for (size_t i = 0; i < k; i++) {
    f->a[i] = 0;
    for (size_t j = 0; j < k; j++) {
      double w = 0;
      for (size_t l = 0; l < k; l++) {
        w += H[l][i] * H[l][j];
      }
      f->W[i + k * j] = w;
      f->a[i] -= w * lambda[j];
    }
  }
  f->problem = (dls_cluster_problem){.k = k, .W = f->W, .a = f->a, .e = f->e, .g = f->g, .u = f->u};
}

DLS_TEST(a_single_ball_has_the_closed_form)
{
  dls_cluster *c = dls_cluster_create(1);
  assert_non_null(c);
  for (int i = 1; i < 100; i++) {
    const double e = 0.01 * i, V = 0.7, A = 3, W = 2;
    const dls_cluster_problem ball = {
        .k = 1, .W = &W, .a = (const double[]){-A}, .e = &e, .g = (const double[]){0}, .u = &V};
    const dls_cluster_sums *s = dls_cluster_run(c, &ball, &free_limits);
    assert_non_null(s);
    assert_close(s->tau, 2 * V / (A * (1 - e)), 1e-14 * s->tau);
    assert_close(s->P[0], (1 + e) * V / ((1 - e) * W), 1e-13 * s->P[0]);
    double moment = 0, speed = V, left = s->tau; /* impact by impact */
    while (speed > 1e-12) {
      left -= 2 * speed / A;
      moment += (1 + e) * speed / W * fmax(left, 0);
      speed *= e;
    }
    assert_close(s->PM[0], moment, 1e-11 * (1 + moment) / (1 - e));
    assert_true(s->rests[0] && s->series == 1 && s->impacts == 0);
    assert_close(s->lambda[0], A / W, 1e-14);
  }
  dls_cluster_destroy(c);
}

DLS_TEST(a_contact_that_is_not_pressed_or_elastic_never_rests)
{
  dls_cluster *c = dls_cluster_create(1);
  const double W = 1, g = 0, u = 1, e = 0.5;
  assert_null(dls_cluster_run(
      c, &(dls_cluster_problem){.k = 1, .W = &W, .a = (const double[]){0.1}, .e = &e, .g = &g, .u = &u},
      &free_limits));
  assert_null(dls_cluster_run(
      c,
      &(dls_cluster_problem){
          .k = 1, .W = &W, .a = (const double[]){-1}, .e = (const double[]){1}, .g = &g, .u = &u},
      &free_limits));
  dls_cluster_limits early = free_limits; /* tau = 4 */
  early.time = 3.9;
  assert_null(dls_cluster_run(
      c, &(dls_cluster_problem){.k = 1, .W = &W, .a = (const double[]){-1}, .e = &e, .g = &g, .u = &u},
      &early));
  dls_cluster_limits slow = free_limits; /* W sum P = 3 */
  slow.velocity_change = 2.9;
  slow.short_time = 3.9;
  assert_null(dls_cluster_run(
      c, &(dls_cluster_problem){.k = 1, .W = &W, .a = (const double[]){-1}, .e = &e, .g = &g, .u = &u}, &slow));
  slow.velocity_change = 3.1;
  assert_non_null(dls_cluster_run(
      c, &(dls_cluster_problem){.k = 1, .W = &W, .a = (const double[]){-1}, .e = &e, .g = &g, .u = &u}, &slow));
  dls_cluster_destroy(c);
}

/* u+ = u + a tau + W (P + L), g+ = g + u tau + a tau^2 / 2 + W (PM + LM): what the full state is made with. */
static void check_balance(const fixture *f, const dls_cluster_sums *s)
{
  const size_t k = f->problem.k;
  for (size_t i = 0; i < k; i++) {
    double u = f->u[i] + f->a[i] * s->tau;
    double g = f->g[i] + s->tau * (f->u[i] + 0.5 * s->tau * f->a[i]);
    for (size_t j = 0; j < k; j++) {
      u += f->W[i + k * j] * (s->P[j] + s->L[j]);
      g += f->W[i + k * j] * (s->PM[j] + s->LM[j]);
    }
    assert_close(u, s->u[i], 1e-12 * (1 + s->tau * s->tau));
    assert_close(g, s->g[i], 1e-12 * (1 + s->tau * s->tau));
    assert_true(s->P[i] >= 0 && s->L[i] >= -1e-14 && s->g[i] >= 0);
    assert_true(!s->rests[i] || (s->u[i] == 0 && s->g[i] == 0));
  }
}

DLS_TEST(momentum_balances_and_most_systems_come_to_rest)
{
  enum { SYSTEMS = DLS_TEST_CASES(60, 24) };
  static const double least[] = {0, 1, 1, 0.83, 0.58}; /* the share at rest, by contacts */
  dls_cluster *c = dls_cluster_create(MOST);
  for (size_t k = 1; k <= MOST; k++) {
    size_t rest = 0;
    seed = 100 * k;
    for (int i = 0; i < SYSTEMS; i++) {
      fixture f;
      fill(&f, k, -1);
      const dls_cluster_sums *s = dls_cluster_run(c, &f.problem, &free_limits);
      if (s != NULL) {
        check_balance(&f, s);
        rest += s->next == HUGE_VAL;
      }
    }
    assert_between((double)rest / SYSTEMS, least[k], 1);
  }
  dls_cluster_destroy(c);
}

DLS_TEST(a_small_motion_is_a_scaled_large_one)
{
  dls_cluster *one = dls_cluster_create(2), *two = dls_cluster_create(2);
  seed = 7;
  for (int i = 0; i < DLS_TEST_CASES(100, 40); i++) {
    fixture f, small;
    fill(&f, 2, -1);
    small = f;
    const double scale = 0x1p-20; /* a power of two: the same rounding */
    for (size_t j = 0; j < 2; j++) {
      small.g[j] *= scale * scale;
      small.u[j] *= scale;
    }
    small.problem =
        (dls_cluster_problem){.k = 2, .W = small.W, .a = small.a, .e = small.e, .g = small.g, .u = small.u};
    const dls_cluster_sums *large = dls_cluster_run(one, &f.problem, &free_limits);
    dls_cluster_limits limits = free_limits;
    limits.rest_speed *= scale;
    const dls_cluster_sums *s = dls_cluster_run(two, &small.problem, &limits);
    assert_true((large == NULL) == (s == NULL));
    if (s != NULL) {
      assert_int_equal(s->impacts, large->impacts);
      assert_int_equal(s->series, large->series);
      assert_close(s->tau, scale * large->tau, 1e-12 * s->tau);
      for (size_t j = 0; j < 2; j++) {
        assert_close(s->P[j], scale * large->P[j], 1e-12 * s->P[j]);
        assert_close(s->PM[j], scale * scale * large->PM[j], 1e-12 * s->PM[j]);
      }
    }
  }
  dls_cluster_destroy(one);
  dls_cluster_destroy(two);
}

/* E = u^T W^-1 u / 2 - a^T W^-1 g for two contacts that make up all of the system. */
static double energy(const fixture *f, const double *g, const double *u)
{
  const double *W = f->W, det = W[0] * W[3] - W[1] * W[2];
  const double x[2] = {(W[3] * u[0] - W[2] * u[1]) / det, (W[0] * u[1] - W[1] * u[0]) / det};
  const double y[2] = {(W[3] * g[0] - W[2] * g[1]) / det, (W[0] * g[1] - W[1] * g[0]) / det};
  return 0.5 * (u[0] * x[0] + u[1] * x[1]) - f->a[0] * y[0] - f->a[1] * y[1];
}

/* 0 <= W z + b _|_ z >= 0 on the contacts with on[i], by trying all four sets. */
static void solve_two(const double *W, const double *b, const bool *on, double *z)
{
  for (int active = 0; active < 4; active++) {
    const bool first = (active & 1) != 0, second = (active & 2) != 0;
    if ((first && !on[0]) || (second && !on[1])) {
      continue;
    }
    const double det = W[0] * W[3] - W[1] * W[2];
    z[0] = first && second ? -(W[3] * b[0] - W[2] * b[1]) / det : first ? -b[0] / W[0] : 0;
    z[1] = first && second ? -(W[0] * b[1] - W[1] * b[0]) / det : second ? -b[1] / W[3] : 0;
    const double w0 = b[0] + W[0] * z[0] + W[2] * z[1], w1 = b[1] + W[1] * z[0] + W[3] * z[1];
    if (z[0] >= 0 && z[1] >= 0 && (!on[0] || w0 >= -1e-14) && (!on[1] || w1 >= -1e-14)) {
      return;
    }
  }
  fail_msg("no solution");
}

typedef struct pair {
  double g[2], u[2], a[2], t;
  bool rests[2];
} pair;

static void pair_forces(const fixture *f, pair *p)
{
  bool on[2];
  double z[2];
  for (size_t i = 0; i < 2; i++) {
    on[i] = p->g[i] == 0 && p->u[i] == 0;
  }
  solve_two(f->W, f->a, on, z);
  for (size_t i = 0; i < 2; i++) {
    p->rests[i] = on[i] && z[i] > 0;
    p->a[i] = p->rests[i] ? 0 : f->a[i] + f->W[i] * z[0] + f->W[i + 2] * z[1];
  }
}

static double fall(const pair *p, size_t i)
{
  const double g = p->g[i], u = p->u[i], a = p->a[i], root = u * u - 2 * a * g;
  if (p->rests[i] || root < 0 || (a >= 0 && u >= 0)) {
    return HUGE_VAL;
  }
  return u > 0 ? (u + sqrt(root)) / -a : 2 * g / (sqrt(root) - u);
}

/* Impact by impact; contacts slower than `rest` have e = 0. @return the time of rest, or NAN */
static double brute(const fixture *f, double rest, double *lost)
{
  pair p = {.t = 0};
  memcpy(p.g, f->g, sizeof p.g);
  memcpy(p.u, f->u, sizeof p.u);
  pair_forces(f, &p);
  const double start = energy(f, p.g, p.u);
  for (size_t n = 0; n < 20000; n++) {
    const double next[2] = {fall(&p, 0), fall(&p, 1)}, dt = fmin(next[0], next[1]);
    const double fastest = fmax(fabs(p.u[0]), fabs(p.u[1]));
    if (dt == HUGE_VAL || fastest < 1e-3 * rest) {
      *lost = start - energy(f, p.g, p.u);
      return (p.rests[0] && p.rests[1]) || dt < HUGE_VAL ? p.t : NAN;
    }
    bool on[2];
    double b[2], z[2], v[2];
    for (size_t i = 0; i < 2; i++) {
      p.g[i] = fmax(0, p.g[i] + dt * (p.u[i] + 0.5 * dt * p.a[i]));
      p.u[i] += dt * p.a[i];
      on[i] = p.rests[i] || next[i] == dt;
      p.g[i] = on[i] ? 0 : p.g[i];
      v[i] = on[i] && !p.rests[i] && p.u[i] < -rest ? -f->e[i] * p.u[i] : 0;
      b[i] = on[i] ? p.u[i] - v[i] : 0;
    }
    p.t += dt;
    solve_two(f->W, b, on, z);
    for (size_t i = 0; i < 2; i++) {
      const double u = p.u[i] + f->W[i] * z[0] + f->W[i + 2] * z[1];
      p.u[i] = on[i] && z[i] > 0 ? v[i] : u;
    }
    pair_forces(f, &p);
  }
  return NAN;
}

DLS_TEST(nested_series_end_where_impact_by_impact_does)
{
  dls_cluster *c = dls_cluster_create(2);
  size_t compared = 0, nested = 0;
  seed = 3;
  for (int i = 0; i < 200; i++) {
    fixture f;
    double lost = 0;
    fill(&f, 2, 0.6);
    const double end = brute(&f, 1e-9, &lost);
    const dls_cluster_sums *s = dls_cluster_run(c, &f.problem, &free_limits);
    if (isnan(end)) {
      continue;
    }
    assert_non_null(s);
    assert_true(s->rests[0] && s->rests[1]);
    assert_close(s->tau, end, 1e-7 * (1 + end));
    assert_between((double)(s->impacts + s->series), 1, 500);
    assert_close(energy(&f, f.g, f.u) - energy(&f, s->g, s->u), lost, 1e-9);
    assert_true(lost >= 0);
    compared++;
    nested += s->series > 2;
  }
  assert_between((double)compared, 90, 200); /* the others have not come to rest after 20000 impacts */
  assert_between((double)nested, 20, 200);
  dls_cluster_destroy(c);
}

/* Two contacts without restitution that throw each other off, as a block that rocks: only the cycle of both ends. */
DLS_TEST(rocking_is_a_series_of_both)
{
  dls_cluster *c = dls_cluster_create(2);
  fixture f = {.W = {1, 0.6, 0.6, 1}, .a = {-1, -1.1}, .e = {0, 0}, .g = {0, 0}, .u = {0.3, 0}};
  f.problem = (dls_cluster_problem){.k = 2, .W = f.W, .a = f.a, .e = f.e, .g = f.g, .u = f.u};
  const dls_cluster_sums *s = dls_cluster_run(c, &f.problem, &free_limits);
  assert_non_null(s);
  check_balance(&f, s);
  assert_true(s->rests[0] && s->rests[1] && s->series == 1);
  /* flights 2 V / A with A = 1 - 0.6 1.1 and 1.1 - 0.6, each 0.6 times as fast as the one before */
  assert_close(s->tau, (2 * 0.3 / 0.34 + 2 * 0.6 * 0.3 / 0.5) / (1 - 0.36), 1e-12);
  assert_between((double)s->impacts, 4, 40);
  dls_cluster_destroy(c);
}

/* A block that lands flat on two corners far from its centre: W nearly singular, impulses 80 times those of a single corner. The
 * gap velocities change by V (1 + e)/(1 - e) in all, and no more than that is asked of the limit. */
DLS_TEST(two_corners_land_together)
{
  const double W[4] = {931.7, -911, -911, 931.7}, a[2] = {-50, -50}, e[2] = {0.4, 0.4}, g[2] = {0};
  const double V = 1e-5, u[2] = {V, V};
  dls_cluster *c = dls_cluster_create(2);
  assert_non_null(c);
  const dls_cluster_problem problem = {.k = 2, .W = W, .a = a, .e = e, .g = g, .u = u};
  const dls_cluster_limits narrow = {1, 0.9 * V / 0.6, 0, 1e-14 * V, 2000},
                           wide = {1, 1.1 * V * 1.4 / 0.6, 0, 1e-14 * V, 2000};
  assert_null(dls_cluster_run(c, &problem, &narrow));
  const dls_cluster_sums *sums = dls_cluster_run(c, &problem, &wide);
  assert_non_null(sums);
  assert_close(sums->tau, 2 * V / 50 / 0.6, 1e-12 * V); /* 2 V/|a| (1 + e + e^2 + ...) */
  assert_true(sums->rests[0] && sums->rests[1]);
  dls_cluster_destroy(c);
}

/* A ball of 1 kg bounces on a block of 1 kg that sticks: W x = (1, 0) for x = (1, 1), so that P_N = P and P_T = C P of the block. */
DLS_TEST(friction_beyond_its_limit_by_rounding_sticks)
{
  static const double W[] = {2, -1, -1, 1}, a[] = {0, -1}, e[] = {0.5, 0}, g[] = {0, 0}, u[] = {1, 0},
                      mu[] = {0, 0.5};
  static const struct {
    double beyond; /* (C - mu)/mu */
    bool sticks;
  } cases[] = {{0, true}, {5e-13, true}, {2e-12, false}, {1e-9, false}};
  const size_t owner = 1;
  dls_cluster *c = dls_cluster_create(2);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const double C[] = {0.5 * (1 + cases[i].beyond), 0, 0};
    const dls_cluster_sums *s = dls_cluster_run(
        c,
        &(dls_cluster_problem){
            .k = 2, .W = W, .a = a, .e = e, .g = g, .u = u, .held = 1, .owner = &owner, .C = C, .mu = mu},
        &free_limits);
    assert_int_equal(s != NULL, cases[i].sticks);
    assert_int_equal(dls_cluster_slips(c), !cases[i].sticks);
    if (s != NULL) {
      assert_close(s->tau, 4, 1e-14); /* 2 V / (A (1 - e)) */
    }
  }
  dls_cluster_destroy(c);
}

/* Two balls hit the ground 2 s later, in an order that the errors of their gaps leave open. */
DLS_TEST(the_order_of_impacts_matters_if_they_are_coupled)
{
  static const double a[] = {-1, -1}, e[] = {0.5, 0.5}, g[] = {0, 2 + 1e-9}, u[] = {1, 0},
                      gap_error[] = {0, 1e-6};
  static const double couplings[] = {-2e-12, -5e-13, 0, 5e-13, 2e-12};
  dls_cluster *c = dls_cluster_create(2);
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++) {
    const double W[] = {1, couplings[i], couplings[i], 1};
    const dls_cluster_sums *s = dls_cluster_run(
        c, &(dls_cluster_problem){.k = 2, .W = W, .a = a, .e = e, .g = g, .u = u, .gap_error = gap_error},
        &free_limits);
    assert_int_equal(s != NULL, fabs(couplings[i]) < 1e-12);
    if (s != NULL) {
      assert_close(s->tau, 6, 1e-8); /* 2 + 2 (e 2) / (1 - e) */
    }
  }
  dls_cluster_destroy(c);
}

/* Each impact of the first contact throws the second off with W_01/W_00 of its speed. */
DLS_TEST(a_contact_that_is_thrown_off_by_rounding_stays_at_rest)
{
  static const double a[] = {-1, -1}, e[] = {0.5, 0}, g[] = {0, 0}, u[] = {1, 0};
  static const double couplings[] = {0, 5e-10, 2e-9, 1e-3};
  dls_cluster *c = dls_cluster_create(2);
  for (size_t i = 0; i < sizeof couplings / sizeof *couplings; i++) {
    const double W[] = {1, couplings[i], couplings[i], 1};
    const dls_cluster_sums *s = dls_cluster_run(
        c, &(dls_cluster_problem){.k = 2, .W = W, .a = a, .e = e, .g = g, .u = u}, &free_limits);
    assert_non_null(s);
    assert_close(s->tau, 4, 10 * couplings[i] + 1e-14);
    assert_int_equal(s->impacts > 0, couplings[i] > 1e-9); /* otherwise one series in closed form */
  }
  dls_cluster_destroy(c);
}

/* The rocking block again: a cycle of two flights leaves c^2 of the speed. The longest sequence has twenty impacts, ten cycles. */
DLS_TEST(rocking_that_loses_less_than_a_millionth_in_twenty_impacts_lasts)
{
  static const double losses[] = {1e-4, 2e-7, 5e-8};
  dls_cluster *cluster = dls_cluster_create(2);
  for (size_t i = 0; i < sizeof losses / sizeof *losses; i++) {
    const double c = sqrt(1 - losses[i]), A = 1 - c; /* acceleration of the corner in flight */
    fixture f = {.W = {1, c, c, 1}, .a = {-1, -1}, .u = {0.3, 0}};
    f.problem = (dls_cluster_problem){.k = 2, .W = f.W, .a = f.a, .e = f.e, .g = f.g, .u = f.u};
    const dls_cluster_sums *s = dls_cluster_run(cluster, &f.problem, &free_limits);
    assert_int_equal(s != NULL, 10 * losses[i] > 1e-6);
    if (s != NULL) {
      assert_close(s->tau, 2 * 0.3 / A / (1 - c), 1e-3 * s->tau);
      assert_true(s->rests[0] && s->rests[1]);
    }
  }
  dls_cluster_destroy(cluster);
}

/* A ball bounces beside a body between two walls, which approach each other with the acceleration `closing`: no forces hold them. */
DLS_TEST(a_body_that_is_crushed_by_rounding_is_held)
{
  static const double W[] = {1, 0, 0, 0, 1, -1, 0, -1, 1}, e[3] = {0.5, 0, 0}, g[3] = {0}, u[3] = {1, 0, 0};
  static const double closings[] = {0, 1e-12, 1e-11, 1e-3};
  dls_cluster *c = dls_cluster_create(3);
  for (size_t i = 0; i < sizeof closings / sizeof *closings; i++) {
    const double a[] = {-1, -1, 1 - closings[i]};
    const dls_cluster_sums *s = dls_cluster_run(
        c, &(dls_cluster_problem){.k = 3, .W = W, .a = a, .e = e, .g = g, .u = u}, &free_limits);
    assert_int_equal(s != NULL, closings[i] < 2e-12);
    if (s != NULL) {
      assert_close(s->tau, 4, 1e-14);
      assert_close(s->lambda[1] - s->lambda[2], 1, 1e-11);
    }
  }
  dls_cluster_destroy(c);
}

/* --- derivatives of the sums --- */

typedef struct direction {
  double W[MOST * MOST], a[MOST], e[MOST], g[MOST], u[MOST];
} direction;

/* The contact that has just left has gap 0 in all neighbours. */
static void fill_direction(direction *d, size_t k)
{
  for (size_t i = 0; i < k; i++) {
    d->a[i] = uniform(-1, 1);
    d->e[i] = uniform(-1, 1);
    d->u[i] = uniform(-1, 1);
    d->g[i] = i == 0 ? 0 : uniform(-1, 1);
    for (size_t j = 0; j <= i; j++) {
      d->W[i + k * j] = d->W[j + k * i] = uniform(-1, 1);
    }
  }
}

static void shift(const fixture *f, const direction *d, double step, fixture *out)
{
  const size_t k = f->problem.k;
  *out = *f;
  out->problem = (dls_cluster_problem){.k = k, .W = out->W, .a = out->a, .e = out->e, .g = out->g, .u = out->u};
  for (size_t i = 0; i < k * k; i++) {
    out->W[i] += step * d->W[i];
  }
  for (size_t i = 0; i < k; i++) {
    out->a[i] += step * d->a[i];
    out->e[i] += step * d->e[i];
    out->g[i] += step * d->g[i];
    out->u[i] += step * d->u[i];
  }
}

/* tau, then P, PM, L, LM. @return false: no end */
static bool sums_of(dls_cluster *c, const fixture *f, double *x, bool *rests)
{
  const size_t k = f->problem.k;
  const dls_cluster_sums *s = dls_cluster_run(c, &f->problem, &free_limits);
  if (s == NULL) {
    return false;
  }
  const double *const parts[] = {s->P, s->PM, s->L, s->LM};
  x[0] = s->tau;
  for (size_t i = 0; i < 4; i++) {
    memcpy(x + 1 + i * k, parts[i], k * sizeof *x);
  }
  memcpy(rests, s->rests, k * sizeof *rests);
  return true;
}

static bool rates_of(dls_cluster *c, dls_cluster_tangents *t, fixture f, const direction *d, double *x,
                     bool *rests)
{
  const size_t k = f.problem.k;
  dls_cluster_rates *end = &t->end;
  const double *const parts[] = {end->P, end->PM, end->L, end->LM};
  t->dW = d->W;
  t->da = d->a;
  t->de = d->e;
  t->dg = d->g;
  t->du = d->u;
  f.problem = (dls_cluster_problem){.k = k, .W = f.W, .a = f.a, .e = f.e, .g = f.g, .u = f.u, .tangents = t};
  dls_cluster_limits limits = free_limits;
  limits.rest_speed = 1e-11;
  const dls_cluster_sums *s = dls_cluster_run(c, &f.problem, &limits);
  if (s == NULL || !end->valid) {
    return false;
  }
  x[0] = end->tau;
  for (size_t i = 0; i < 4; i++) {
    memcpy(x + 1 + i * k, parts[i], k * sizeof *x);
  }
  memcpy(rests, s->rests, k * sizeof *rests);
  return true;
}

/* x := the central difference of the sums. @return false: other contacts rest on one side */
static bool difference(dls_cluster *c, const fixture *f, const direction *d, double step, double *x,
                       bool *rests)
{
  const size_t k = f->problem.k;
  double low[4 * MOST + 1];
  bool other[MOST];
  fixture near;
  shift(f, d, -step, &near);
  if (!sums_of(c, &near, low, other)) {
    return false;
  }
  shift(f, d, step, &near);
  if (!sums_of(c, &near, x, rests) || memcmp(rests, other, k * sizeof *rests) != 0) {
    return false;
  }
  for (size_t j = 0; j < 4 * k + 1; j++) {
    x[j] = (x[j] - low[j]) / (2 * step);
  }
  return true;
}

static double largest_difference(const double *x, const double *y, size_t count)
{
  double most = 0;
  for (size_t j = 0; j < count; j++) {
    most = fmax(most, fabs(x[j] - y[j]));
  }
  return most;
}

/* Random clusters and directions against central differences, where two of them agree: a neighbour may have another sequence of impacts.
 * Nested series of several contacts are not followed, so that some triples have no derivatives. */
DLS_TEST(sums_have_the_derivatives_of_differences)
{
  enum { SYSTEMS = DLS_TEST_CASES(40, 16) };
  static const double least[] = {0, 1, 0.875, 0.5}, judged[] = {0, 1, 0.875, 0.55};
  dls_cluster *c = dls_cluster_create(MOST);
  dls_cluster_tangents *t = dls_cluster_tangents_create(MOST);
  for (size_t k = 1; k < MOST; k++) {
    size_t agree = 0, clear = 0;
    seed = 1000 * k;
    for (int i = 0; i < SYSTEMS; i++) {
      const size_t count = 4 * k + 1;
      const double none[4 * MOST + 1] = {0};
      double coarse[4 * MOST + 1], fine[4 * MOST + 1], rate[4 * MOST + 1];
      bool rests[3][MOST];
      fixture f;
      direction d;
      fill(&f, k, -1);
      f.e[0] = fmax(f.e[0], 0.01); /* e + step >= 0 */
      fill_direction(&d, k);
      if (!difference(c, &f, &d, 1e-6, coarse, rests[0]) || !difference(c, &f, &d, 1e-7, fine, rests[1])) {
        continue;
      }
      const double size = largest_difference(fine, none, count);
      if (largest_difference(coarse, fine, count) > 1e-4 * size) {
        continue;
      }
      clear++;
      if (rates_of(c, t, f, &d, rate, rests[2]) && memcmp(rests[1], rests[2], k * sizeof **rests) == 0) {
        const double error = largest_difference(fine, rate, count);
        agree += error <= 1e-5 * size;
        if (error > 1e-4 * size) {
          fail_msg("%zu contacts, system %d: error %.3g", k, i, error / size);
        }
      }
    }
    assert_between((double)agree / SYSTEMS, least[k], 1);
    assert_between((double)clear / SYSTEMS, judged[k], 1);
  }
  dls_cluster_tangents_destroy(t);
  dls_cluster_destroy(c);
}

/* Along the motion itself the end stays where it is: tau falls by the time, and no impulse changes. */
DLS_TEST(sums_do_not_change_along_the_motion)
{
  dls_cluster *c = dls_cluster_create(MOST);
  dls_cluster_tangents *t = dls_cluster_tangents_create(MOST);
  size_t seen = 0;
  seed = 77;
  for (int i = 0; i < 60; i++) {
    fixture f;
    direction d = {.e = {0}};
    double rate[4 * MOST + 1];
    bool rests[MOST];
    fill(&f, 2, -1);
    for (size_t j = 0; j < 2; j++) {
      d.g[j] = f.u[j];
      d.u[j] = f.a[j];
    }
    if (rates_of(c, t, f, &d, rate, rests)) {
      assert_close(rate[0], -1, 1e-9);
      for (size_t j = 1; j < 5; j++) { /* P, PM */
        assert_close(rate[j], 0, 1e-8);
      }
      seen++;
    }
  }
  assert_between(seen, 50, 60);
  dls_cluster_tangents_destroy(t);
  dls_cluster_destroy(c);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_single_ball_has_the_closed_form),
      cmocka_unit_test(a_contact_that_is_not_pressed_or_elastic_never_rests),
      cmocka_unit_test(momentum_balances_and_most_systems_come_to_rest),
      cmocka_unit_test(a_small_motion_is_a_scaled_large_one),
      cmocka_unit_test(nested_series_end_where_impact_by_impact_does),
      cmocka_unit_test(rocking_is_a_series_of_both),
      cmocka_unit_test(two_corners_land_together),
      cmocka_unit_test(friction_beyond_its_limit_by_rounding_sticks),
      cmocka_unit_test(the_order_of_impacts_matters_if_they_are_coupled),
      cmocka_unit_test(a_contact_that_is_thrown_off_by_rounding_stays_at_rest),
      cmocka_unit_test(rocking_that_loses_less_than_a_millionth_in_twenty_impacts_lasts),
      cmocka_unit_test(a_body_that_is_crushed_by_rounding_is_held),
      cmocka_unit_test(sums_have_the_derivatives_of_differences),
      cmocka_unit_test(sums_do_not_change_along_the_motion),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
