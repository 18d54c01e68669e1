/* test_joints.c -- the projector: its identities, redundant and nearly dependent rows, both ways to solve.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "models.h"
#include <delassus/joints.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

/* A system without motion of its own: constant M, joints G^T q = w. */
typedef struct held {
  dls_system *sys;
  dls_factor *M;
  dls_joints *J;
  double w[MOST];
} held;

static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

static void no_force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  memset(F, 0, sys->n * sizeof *F);
}

static void plane(const dls_system *sys, double t, const double *q, double *phi)
{
  const double *w = sys->data;
  (void)t;
  for (size_t i = 0; i < sys->r; i++) {
    phi[i] = dls_matrix_column_dot(sys->G, i, q) - w[i];
  }
}

static void hold(held *h, dls_matrix *M, dls_matrix *G)
{
  dls_error err = {0};
  const size_t n = dls_matrix_rows(M);
  *h = (held){.sys = dls_system_create(n, 0)};
  h->sys->M = M;
  h->sys->G = G;
  h->sys->r = dls_matrix_columns(G);
  h->sys->data = h->w;
  h->sys->force = no_force;
  h->sys->joint = plane;
  assert_ok(dls_system_check(h->sys, &err), err);
  h->M = dls_factor_create((const dls_matrix *const[]){M}, 1);
  assert_ok(dls_factor_sum(h->M, (const double[]){1}, &err), err);
  h->J = dls_joints_create(h->sys, h->M);
  assert_non_null(h->J);
  assert_ok(dls_joints_at(h->J, 0, h->sys->q0, &err), err);
}

static void let_go(held *h)
{
  dls_joints_destroy(h->J);
  dls_factor_destroy(h->M);
  dls_system_destroy(h->sys);
}

static dls_matrix *random_mass(size_t n, unsigned *seed)
{
  dls_matrix *M = dls_matrix_dense(n, n);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j <= i; j++) {
      const double x = i == j ? (double)n + any(seed) : any(seed);
      dls_matrix_set(M, i, j, x);
      dls_matrix_set(M, j, i, x);
    }
  }
  return M;
}

/* n x r of this rank: columns behind it are sums of those before. */
static dls_matrix *random_rows(size_t n, size_t r, size_t rank, unsigned *seed)
{
  dls_matrix *G = dls_matrix_dense(n, r);
  for (size_t j = 0; j < r; j++) {
    double weight[2] = {any(seed), any(seed)};
    for (size_t i = 0; i < n; i++) {
      const double sum = j < rank ? any(seed)
                                  : weight[0] * dls_matrix_get(G, i, j % rank) +
                                        weight[1] * dls_matrix_get(G, i, (j + 1) % rank);
      dls_matrix_set(G, i, j, sum);
    }
  }
  return G;
}

static double largest(const double *x, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    most = isnan(x[i]) ? HUGE_VAL : fmax(most, fabs(x[i]));
  }
  return most;
}

/* G^T S x = 0,  S M S x = S x,  M S x = x + G mu */
static void check_identities(held *h, unsigned *seed, double tolerance)
{
  const size_t n = h->sys->n, r = h->sys->r;
  double x[MOST], y[MOST], z[MOST], mu[MOST], left[MOST];
  for (int trial = 0; trial < 5; trial++) {
    for (size_t i = 0; i < n; i++) {
      x[i] = y[i] = any(seed);
    }
    dls_joints_solve(h->J, y, NULL, mu);
    memset(left, 0, sizeof left);
    dls_matrix_multiply_transposed(h->sys->G, 1, y, left);
    assert_close(largest(left, r), 0, tolerance);
    memset(z, 0, sizeof z);
    dls_matrix_multiply(h->sys->M, 1, y, z);
    for (size_t i = 0; i < n; i++) {
      left[i] = z[i] - x[i];
    }
    dls_matrix_multiply(h->sys->G, -1, mu, left);
    assert_close(largest(left, n), 0, tolerance);
    dls_joints_project(h->J, z);
    for (size_t i = 0; i < n; i++) {
      assert_close(z[i], y[i], tolerance);
    }
  }
}

DLS_TEST(the_projector_is_one)
{
  static const size_t cases[][3] = {{2, 1, 1}, {5, 5, 5},    {6, 3, 3}, {9, 8, 5},
                                    {4, 9, 3}, {20, 12, 12}, {1, 1, 1}};
  unsigned seed = 7;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    held h;
    hold(&h, random_mass(cases[k][0], &seed), random_rows(cases[k][0], cases[k][1], cases[k][2], &seed));
    assert_int_equal(dls_joints_redundant(h.J), cases[k][1] - cases[k][2]);
    check_identities(&h, &seed, 1e-13);
    let_go(&h);
  }
}

static double apart(const double *x, const double *y, size_t count)
{
  double most = 0;
  for (size_t i = 0; i < count; i++) {
    most = fmax(most, fabs(x[i] - y[i]));
  }
  return most;
}

/* Once all equations are known to be independent they are eliminated in a fixed order: x and mu are those of the decomposition. */
DLS_TEST(elimination_finds_what_the_decomposition_finds)
{
  static const size_t cases[][2] = {{2, 1}, {5, 5}, {6, 3}, {20, 12}, {30, 30}, {1, 1}};
  unsigned seed = 5;
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const size_t n = cases[k][0], r = cases[k][1];
    double x[MOST], y[MOST], c[MOST], mu[MOST], nu[MOST];
    held h;
    dls_error err = {0};
    hold(&h, random_mass(n, &seed), random_rows(n, r, r, &seed));
    for (size_t i = 0; i < n; i++) {
      x[i] = y[i] = any(&seed);
      c[i] = any(&seed);
    }
    dls_joints_solve(h.J, x, c, mu);
    dls_joints_learn(h.J);
    assert_ok(dls_joints_at(h.J, 0, h.sys->q0, &err), err);
    assert_int_equal(dls_joints_redundant(h.J), 0);
    dls_joints_solve(h.J, y, c, nu);
    assert_close(apart(x, y, n), 0, 1e-11);
    assert_close(apart(mu, nu, r), 0, 1e-9);
    check_identities(&h, &seed, 1e-11);
    let_go(&h);
  }
}

/* An equation whose angle to another is 1e-3 is independent, but a pivot of elimination of 1e-6: the decomposition takes over, and it is
 * counted. */
DLS_TEST(a_refused_elimination_is_counted)
{
  static const double angles[] = {0.5, 1e-3};
  for (size_t k = 0; k < 2; k++) {
    held h;
    dls_error err = {0};
    dls_fallbacks fallbacks = {0};
    dls_matrix *M = dls_matrix_diagonal(3), *G = dls_matrix_dense(3, 2);
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(M, i, i, 1);
    }
    dls_matrix_set(G, 0, 0, 1);
    dls_matrix_set(G, 0, 1, cos(angles[k]));
    dls_matrix_set(G, 1, 1, sin(angles[k]));
    hold(&h, M, G);
    dls_joints_count_fallbacks(h.J, &fallbacks);
    dls_joints_learn(h.J);
    assert_ok(dls_joints_at(h.J, 0, h.sys->q0, &err), err);
    assert_int_equal(fallbacks.by[0].count, k);
    if (k == 1) {
      assert_string_equal(fallbacks.by[0].method, "joints-orthogonal-decomposition");
    }
    double x[3] = {1, 2, 3};
    dls_joints_solve(h.J, x, NULL, NULL);
    assert_close(fabs(x[0]) + fabs(x[1]) + fabs(x[2] - 3), 0, 1e-12);
    let_go(&h);
  }
}

/* Two equations that say the same, in different units, share the force equally. */
DLS_TEST(redundant_equations_share_the_force)
{
  held h;
  dls_matrix *M = dls_matrix_diagonal(2), *G = dls_matrix_dense(2, 2);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(M, i, i, 2);
  }
  dls_matrix_set(G, 0, 0, 1);
  dls_matrix_set(G, 0, 1, 1000);
  hold(&h, M, G);
  double x[2] = {-6, 4}, mu[2], c[2] = {3, 3000};
  dls_joints_solve(h.J, x, NULL, mu);
  assert_close(x[0], 0, 1e-15);
  assert_close(x[1], 2, 1e-15);
  assert_close(mu[0], 3, 1e-14);
  assert_close(1000 * mu[1], 3, 1e-14);
  x[0] = x[1] = 0;
  dls_joints_solve(h.J, x, c, mu); /* M (3, 0) = (6, 0) = G mu */
  assert_close(x[0], 3, 1e-14);
  assert_close(x[1], 0, 1e-15);
  assert_close(mu[0], 3, 1e-14);
  let_go(&h);
}

/* q := the nearest in the metric of M on the plane, here in one step; where the plane is none it is said which. */
DLS_TEST(positions_are_projected_in_the_metric_of_the_mass)
{
  held h;
  dls_error err = {0};
  dls_matrix *M = dls_matrix_diagonal(2), *G = dls_matrix_dense(2, 2);
  dls_matrix_set(M, 0, 0, 1);
  dls_matrix_set(M, 1, 1, 3);
  for (size_t k = 0; k < 4; k++) {
    dls_matrix_set(G, k / 2, k % 2, 1);
  }
  hold(&h, M, G); /* x + y = w0, x + y = w1 */
  h.w[0] = h.w[1] = 1;
  double q[2] = {0, 0};
  assert_ok(dls_joints_project_q(h.J, 0, q, &err), err);
  assert_close(q[0], 0.75, 1e-15);
  assert_close(q[1], 0.25, 1e-15);
  h.w[1] = 1.5;
  assert_int_equal(dls_joints_project_q(h.J, 0, q, &err), DLS_ERR_NOCONV);
  assert_non_null(strstr(err.text, "joint equation "));
  assert_non_null(strstr(err.text, " cannot be met: "));
  let_go(&h);
}

/* Many equations that are given again: what the decomposition leaves of them is rounding, in any order of size. */
static void positions_meet_equations_that_are_given_twice(void **state)
{
  (void)state;
  unsigned seed = 11;
  dls_error err = {0};
  for (int trial = 0; trial < 200; trial++) {
    enum { N = 12, RANK = 6, ALL = 2 * RANK };
    held h;
    double q[N], phi[ALL];
    dls_matrix *G = random_rows(N, ALL, RANK, &seed);
    for (size_t j = RANK; j < ALL; j++) {
      for (size_t i = 0; i < N; i++) {
        dls_matrix_set(G, i, j, dls_matrix_get(G, i, j - RANK));
      }
    }
    hold(&h, random_mass(N, &seed), G);
    assert_int_equal(dls_joints_redundant(h.J), RANK);
    for (size_t i = 0; i < N; i++) {
      q[i] = any(&seed);
    }
    for (size_t j = 0; j < ALL; j++) {
      h.w[j] = j < RANK ? any(&seed) : h.w[j - RANK];
    }
    assert_ok(dls_joints_project_q(h.J, 0, q, &err), err);
    plane(h.sys, 0, q, phi);
    assert_close(largest(phi, ALL), 0, 1e-13);
    let_go(&h);
  }
}

static void turning_rows(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)q;
  dls_matrix_set(G, 0, 0, 1);
  dls_matrix_set(G, 0, 1, 1);
  dls_matrix_set(G, 1, 1, pow(10, -t));
}

/* A row counts down to 1e-13 of the largest once it has counted, before that down to 1e-6. */
DLS_TEST(a_row_that_counts_is_kept_near_a_singular_configuration)
{
  const struct {
    double first, then;
    size_t free; /* motions in y that are left: 1 where the row is dropped */
  } cases[] = {{0, 9, 0}, {0, 12, 0}, {0, 14, 1}, {9, 9, 1}, {9, 1, 1}, {7, 7, 1}, {5, 5, 0}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    held h;
    dls_error err = {0};
    dls_matrix *M = dls_matrix_diagonal(2);
    dls_matrix_set(M, 0, 0, 1);
    dls_matrix_set(M, 1, 1, 1);
    hold(&h, M, dls_matrix_dense(2, 2));
    h.sys->joint_gradient = turning_rows;
    assert_ok(dls_joints_at(h.J, cases[k].first, h.sys->q0, &err), err);
    dls_joints_learn(h.J);
    assert_ok(dls_joints_at(h.J, cases[k].then, h.sys->q0, &err), err);
    double x[2] = {1, 1};
    dls_joints_project(h.J, x);
    const double small = pow(10, -cases[k].then), other = x[0] + small * x[1];
    const bool first_kept =
        fabs(x[0]) <= fabs(other); /* of rows as long as each other GSL 2.7 keeps this one, 2.8 the other */
    assert_close(first_kept ? x[0] : other, 0, 1e-12);
    assert_close(x[1], cases[k].free == 0 ? 0 : first_kept ? 1 : (1 - small) / (1 + small * small), 1e-12);
    let_go(&h);
  }
}

/* A chain of n/2 points, each with a rod to the one before: the dense way up to 64, KLU beyond, then elimination. */
DLS_TEST(a_long_chain_is_solved_as_a_short_one)
{
  static const size_t points[] = {3, 30, 40, 190};
  for (size_t k = 0; k < sizeof points / sizeof points[0]; k++) {
    const size_t n = 2 * points[k], r = points[k];
    unsigned seed = 3;
    held h;
    dls_matrix *M = dls_matrix_diagonal(n), *G = dls_matrix_sparse(n, r, 4 * r);
    for (size_t i = 0; i < n; i++) {
      dls_matrix_set(M, i, i, 1 + 0.5 * any(&seed));
    }
    for (size_t i = 0; i < r; i++) {
      const double c = cos((double)i), s = sin((double)i);
      if (i > 0) {
        dls_matrix_set(G, 2 * i - 2, i, -c);
        dls_matrix_set(G, 2 * i - 1, i, -s);
      }
      dls_matrix_set(G, 2 * i, i, c);
      dls_matrix_set(G, 2 * i + 1, i, s);
    }
    hold(&h, M, G);
    check_identities(&h, &seed, 1e-12);
    dls_error err = {0};
    dls_joints_learn(h.J);
    assert_ok(dls_joints_at(h.J, 0, h.sys->q0, &err), err);
    check_identities(&h, &seed, 1e-13); /* by elimination along the chain */
    let_go(&h);
  }
}

/* Phi = (q_0^2 - w) / 2 */
static void half_square(const dls_system *sys, double t, const double *q, double *phi)
{
  const double *w = sys->data;
  (void)t;
  phi[0] = (q[0] * q[0] - w[0]) / 2;
}

static void half_square_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)sys, (void)t;
  dls_matrix_set(G, 0, 0, q[0]);
}

/* The only equation loses its gradient: rank is lost, but none is redundant, as none was where Phi = 0. */
DLS_TEST(an_equation_without_gradient_is_not_redundant)
{
  held h;
  dls_error err = {0};
  dls_matrix *M = dls_matrix_diagonal(2), *G = dls_matrix_dense(2, 1);
  const double there[2] = {1, 0}, lost[2] = {0, 0};
  dls_matrix_set(M, 0, 0, 2);
  dls_matrix_set(M, 1, 1, 2);
  dls_matrix_set(G, 0, 0, 1);
  hold(&h, M, G);
  h.sys->joint = half_square;
  h.sys->joint_gradient = half_square_gradient;
  assert_ok(dls_joints_at(h.J, 0, lost, &err), err);
  assert_int_equal(dls_joints_redundant(h.J), 1); /* as far as can be told */
  h.w[0] = 1;
  assert_ok(dls_joints_at(h.J, 0, there, &err), err);
  dls_joints_learn(h.J);
  assert_int_equal(dls_joints_redundant(h.J), 0);
  assert_false(dls_joints_lose_rank(h.J));
  assert_ok(dls_joints_at(h.J, 0, lost, &err), err);
  assert_int_equal(dls_joints_redundant(h.J), 0);
  assert_true(dls_joints_lose_rank(h.J));
  let_go(&h);
}

/* w[MOST - 1]: how often */
static void counted(const dls_system *sys, double t, const double *q, double *phi)
{
  plane(sys, t, q, phi);
  ((double *)sys->data)[MOST - 1]++;
}

/* Where the factors are those of this time and place, nothing is evaluated. */
static void a_place_is_evaluated_once(void **state)
{
  enum { N = 6, R = 2 };
  held h;
  unsigned seed = 5;
  double q[N] = {0};
  dls_error err = {0};
  (void)state;
  hold(&h, random_mass(N, &seed), random_rows(N, R, R, &seed));
  const double *calls = &h.w[MOST - 1];
  h.sys->joint = counted;
  dls_joints_learn(h.J);
  assert_ok(dls_joints_at(h.J, 0, q, &err), err); /* by elimination from now on */
  assert_ok(dls_joints_at(h.J, 0, q, &err), err);
  assert_true(*calls == 1);
  assert_ok(dls_joints_at(h.J, 1, q, &err), err);
  q[0] = 1;
  assert_ok(dls_joints_at(h.J, 1, q, &err), err);
  assert_true(*calls == 3);
  dls_joints_touch(h.J);
  assert_ok(dls_joints_at(h.J, 1, q, &err), err);
  dls_joints_conditions(h.J, 1, q);
  assert_ok(dls_joints_at(h.J, 1, q, &err), err);
  assert_true(*calls == 6);
  let_go(&h);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_projector_is_one),
      cmocka_unit_test(elimination_finds_what_the_decomposition_finds),
      cmocka_unit_test(a_refused_elimination_is_counted),
      cmocka_unit_test(redundant_equations_share_the_force),
      cmocka_unit_test(positions_are_projected_in_the_metric_of_the_mass),
      cmocka_unit_test(positions_meet_equations_that_are_given_twice),
      cmocka_unit_test(a_row_that_counts_is_kept_near_a_singular_configuration),
      cmocka_unit_test(an_equation_without_gradient_is_not_redundant),
      cmocka_unit_test(a_long_chain_is_solved_as_a_short_one),
      cmocka_unit_test(a_place_is_evaluated_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
