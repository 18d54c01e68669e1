/* test_problem_edges.c -- contact problems at the edge: any storage of W, nothing to do, guesses that are no numbers, singular W whose
 * answers are known, calls without arguments.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/solve/friction/friction_methods.h"
#include <delassus/lcp.h>
#include <delassus/problem.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CONTACTS = 4, N = 2 * CONTACTS };

static dls_problem_solver *create(const char *method)
{
  dls_problem_solver *solver = NULL;
  dls_error err = {0};
  assert_ok(dls_problem_create(method, 1e-12, &solver, &err), err);
  return solver;
}

/* Contacts in the plane, each of them coupled to the next and within itself if `coupled`: W is tridiagonal, or diagonal. */
static dls_matrix *chain(dls_storage storage, bool coupled)
{
  dls_matrix *W = storage == DLS_BAND       ? dls_matrix_band(N, 1, 1)
                  : storage == DLS_DIAGONAL ? dls_matrix_diagonal(N)
                  : storage == DLS_SPARSE   ? dls_matrix_sparse(N, N, 3 * N)
                                            : dls_matrix_dense(N, N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = j > 0 ? j - 1 : 0; i < N && i <= j + 1; i++) {
      if (i == j || coupled) {
        assert_int_equal(dls_matrix_set(W, i, j, i == j ? 2 : 0.3), DLS_OK);
      }
    }
  }
  return W;
}

static const double load[N] = {-1, 0.1, -2, 3, 1, 0.5, -0.5, -1};
static const dls_block planar[CONTACTS] = {
    {DLS_COULOMB, 2, 0.4}, {DLS_COULOMB, 2, 0.4}, {DLS_COULOMB, 2, 0.4}, {DLS_COULOMB, 2, 0.4}};

/* @param[in] solver  may have solved others before */
static void solve(dls_problem_solver *solver, const dls_matrix *W, double *r)
{
  dls_error err = {0};
  const dls_problem problem = {.count = CONTACTS, .blocks = planar, .q = load, .matrix = W};
  memset(r, 0, N * sizeof *r);
  assert_ok(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), err);
}

/* W = H^T H of rows / 2 contacts in the plane with `freedoms` random directions each; if `faces`, the last contact is the
 * first one reversed: then the sum of both u_N equals the sum of both q_N for every r. */
static void random_problem(gsl_rng *rng, size_t rows, size_t freedoms, bool faces, double *W, double *q)
{
  double H[N][N];
  for (size_t i = 0; i < rows; i++) {
    q[i] = 2 * gsl_rng_uniform(rng) - 1;
    for (size_t k = 0; k < freedoms; k++) {
      H[i][k] = faces && i >= rows - 2 ? -H[i - rows + 2][k] : 2 * gsl_rng_uniform(rng) - 1;
    }
  }
  if (faces) {
    q[rows - 2] = -q[0] - 0.01 - gsl_rng_uniform(rng);
  }
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < rows; j++) {
      W[i + rows * j] = 0;
      for (size_t k = 0; k < freedoms; k++) {
        W[i + rows * j] += H[i][k] * H[j][k];
      }
    }
  }
}

DLS_TEST(that_there_is_no_solution_is_proven_where_there_is_none)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
  dls_problem_solver *modes = create("modes"), *any = create("auto");
  size_t without = 0, with = 0;
  for (size_t i = 0; i < 900; i++) {
    const size_t count = 2 + i % 3, rows = 2 * count;
    const bool faces = i % 3 == 0, regular = i % 3 == 1;
    double W[N * N], q[N], r[N] = {0};
    dls_block blocks[CONTACTS];
    dls_error err = {0};
    bool none = true;
    for (size_t k = 0; k < count; k++) {
      blocks[k] = (dls_block){DLS_COULOMB, 2, 1.5 * gsl_rng_uniform(rng)};
    }
    random_problem(rng, rows, regular ? rows : rows - 1 - i % 2, faces, W, q);
    const dls_problem p = {.count = count, .blocks = blocks, .q = q, .dense = W};
    assert_ok(dls_problem_unsolvable(any, &p, &none, &err), err);
    const bool solved = dls_problem_solve(modes, &p, r, NULL, NULL, NULL) == DLS_OK ||
                        (memset(r, 0, sizeof r), dls_problem_solve(any, &p, r, NULL, NULL, NULL) == DLS_OK);
    assert_false(solved && none);
    assert_true(faces ? none : !regular || !none); /* a definite W has a solution for every q */
    without += none;
    with += solved;
  }
  assert_true(without >= 300 && with >= 300);
  dls_problem_destroy(any);
  dls_problem_destroy(modes);
  gsl_rng_free(rng);
}

/* A wedge that is driven in between two walls: no force helps against q_1 + q_2 < 0. */
DLS_TEST(a_problem_without_solution_is_not_said_to_miss_a_tolerance_that_it_meets)
{
  static const double W[4] = {1, -1, -1, 1}, q[2] = {-1, -1}, good[2] = {-1, 1};
  static const dls_block blocks[2] = {{DLS_HALF, 1, 0}, {DLS_HALF, 1, 0}};
  dls_problem_solver *solver = create("auto");
  dls_problem p = {.count = 2, .blocks = blocks, .q = q, .dense = W};
  dls_problem_report report;
  double r[2] = {0};
  dls_error err = {0};
  bool none = false;
  assert_int_equal(dls_problem_solve(solver, &p, r, NULL, &report, &err), DLS_ERR_NOCONV);
  assert_true(report.residual < 1e-12); /* against a huge r */
  assert_non_null(strstr(err.text, "leaves an error that is not small against |q| = 1.41 m/s"));
  assert_null(strstr(err.text, "above the tolerance"));
  assert_ok(dls_problem_unsolvable(solver, &p, &none, &err), err);
  assert_true(none);
  p.q = good; /* the second opens as fast as the first closes: a continuum of r, and a solution */
  assert_ok(dls_problem_unsolvable(solver, &p, &none, &err), err);
  assert_false(none);
  assert_int_equal(dls_problem_unsolvable(NULL, &p, &none, &err), DLS_ERR_ARG);
  assert_int_equal(dls_problem_unsolvable(solver, &p, NULL, &err), DLS_ERR_ARG);
  dls_problem_destroy(solver);
}

DLS_TEST(the_storage_of_W_makes_no_difference)
{
  static const char *const methods[] = {"auto", "modes",         "planar-lemke",
                                        "nsgs", "alart-curnier", "proximal-point"};
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    dls_problem_solver *solver = create(methods[m]);
    for (int coupled = 0; coupled < 2; coupled++) {
      static const dls_storage storages[] = {DLS_DENSE, DLS_SPARSE, DLS_BAND, DLS_DIAGONAL};
      double r[4][N];
      for (int s = 0; s < 4 - coupled; s++) {
        dls_matrix *W = chain(storages[s], coupled);
        solve(solver, W, r[s]);
        for (size_t i = 0; i < N; i++) {
          assert_close(r[s][i], r[0][i], 1e-11);
        }
        dls_matrix_destroy(W);
      }
      for (size_t k = 0; !coupled && k < CONTACTS; k++) { /* each by itself: its formula */
        const double normal = fmax(0, -load[2 * k] / 2), held = -load[2 * k + 1] / 2;
        assert_close(r[0][2 * k], normal, 1e-11);
        assert_close(r[0][2 * k + 1], fmax(-0.4 * normal, fmin(held, 0.4 * normal)), 1e-11);
      }
    }
    dls_problem_destroy(solver);
  }
}

DLS_TEST(a_guess_that_is_no_number_counts_as_none)
{
  static const char *const methods[] = {"auto", "nsgs", "alart-curnier", "proximal-point"};
  dls_matrix *W = chain(DLS_SPARSE, true);
  for (size_t m = 0; m < sizeof methods / sizeof *methods; m++) {
    dls_problem_solver *solver = create(methods[m]);
    double r[N], from_nan[N] = {NAN, 1, INFINITY, -INFINITY, NAN, NAN, 0, NAN};
    dls_error err = {0};
    const dls_problem problem = {.count = CONTACTS, .blocks = planar, .q = load, .matrix = W};
    solve(solver, W, r);
    assert_ok(dls_problem_solve(solver, &problem, from_nan, NULL, NULL, &err), err);
    for (size_t i = 0; i < N; i++) {
      assert_close(from_nan[i], r[i], 1e-11);
    }
    dls_problem_destroy(solver);
  }
  dls_matrix_destroy(W);
  const double M[4] = {2, -1, -1, 2}, b[2] = {-1, -1};
  static const char *const lcp_methods[] = {"auto", "enumeration", "block-pivoting", "lemke", "pgs"};
  for (size_t m = 0; m < sizeof lcp_methods / sizeof *lcp_methods; m++) {
    double z[2] = {NAN, INFINITY};
    dls_lcp_solver *lcp = NULL;
    dls_error err = {0};
    assert_ok(dls_lcp_create(2, lcp_methods[m], 1e-12, &lcp, &err), err);
    assert_ok(dls_lcp_solve(lcp, 2, M, b, z, NULL, NULL, &err), err);
    assert_close(z[0], 1, 1e-11);
    assert_close(z[1], 1, 1e-11);
    dls_lcp_destroy(lcp);
  }
}

typedef struct one {
  size_t d;
  double W[9], q[3], mu;
  bool solvable;
  double r[3]; /* the answer */
} one;

/* u_N = u_T1 = r_N + r_T1 + q_N in the first two: any r_T sticks and 0 is taken; or it slips. A body that cannot turn has no W_TT: nothing but
 * its slip decides. Without any W a contact that closes has no force that would open it. */
DLS_TEST(one_contact_with_a_singular_W_has_the_known_answer)
{
  static const one known[] = {
      {2, {1, 1, 1, 1}, {-1, -1}, 0.5, true, {1, 0}},
      {2, {1, 1, 1, 1}, {-1, 0}, 0.5, true, {2, -1}},
      {2, {1, 0, 0, 0}, {-1, -3}, 0.5, true, {1, 0.5}},
      {2, {1, 0, 0, 0}, {2, -3}, 0.5, true, {0, 0}},
      {3, {1, 0, 0, 0, 0, 0, 0, 0, 0}, {-1, 0.3, 0.4}, 0.5, true, {1, -0.3, -0.4}},
      {3, {1, 0, 0, 0, 0, 0, 0, 0, 0}, {-1, 0, 0}, 0.5, true, {1, 0, 0}},
      {3, {1, 0, 0, 0, 1, 0, 0, 0, 0}, {-1, 0.25, 0}, 0.5, true, {1, -0.25, 0}},
      {2, {0, 0, 0, 1}, {-1, 0}, 0.5, false, {0}},
      {3, {0, 0, 0, 0, 1, 0, 0, 0, 1}, {-1, 0, 0}, 0.5, false, {0}},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
    const one *k = &known[i];
    static const char *const methods[] = {"auto", "one-contact"};
    for (size_t m = 0; m < 2; m++) {
      dls_problem_solver *solver = create(methods[m]);
      const dls_block block = {DLS_COULOMB, k->d, k->mu};
      const dls_problem problem = {.count = 1, .blocks = &block, .q = k->q, .dense = k->W};
      double r[3] = {0};
      dls_error err = {0};
      const dls_status status = dls_problem_solve(solver, &problem, r, NULL, NULL, &err);
      assert_true((status == DLS_OK) == k->solvable);
      for (size_t j = 0; k->solvable && j < k->d; j++) {
        assert_close(r[j], k->r[j], 1e-12);
      }
      dls_problem_destroy(solver);
    }
  }
}

/* W of the free rows has zeros on its diagonal: r = -W^-1 q = -(q_1, q_0). Without rank there is none. */
DLS_TEST(free_rows_without_a_diagonal_are_eliminated)
{
  const dls_block blocks[] = {{DLS_FREE, 2, 0}, {DLS_COULOMB, 2, 0.5}};
  double W[16] = {0, 1, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, r[4] = {0}, u[4];
  const double q[4] = {3, -2, -1, 0.1};
  dls_error err = {0};
  dls_problem_solver *solver = create("planar-lemke");
  const dls_problem problem = {.count = 2, .blocks = blocks, .q = q, .dense = W};
  assert_ok(dls_problem_solve(solver, &problem, r, u, NULL, &err), err);
  const double expected[4] = {2, -3, 1, -0.1};
  for (size_t i = 0; i < 4; i++) {
    assert_close(r[i], expected[i], 1e-12);
    assert_close(u[i], 0, 1e-12);
  }
  W[1] = W[4] = 0;
  memset(r, 0, sizeof r);
  assert_int_equal(dls_problem_solve(solver, &problem, r, u, NULL, &err), DLS_ERR_LCP);
  dls_problem_destroy(solver);
}

DLS_TEST(nothing_to_do_is_done)
{
  const dls_problem nothing = {.dense = (const double[]){1}};
  double r[1] = {7}, u[1];
  size_t solutions = 9;
  dls_problem_report report = {.residual = 1};
  dls_error err = {0};
  dls_problem_solver *solver = create(NULL);
  assert_ok(dls_problem_solve(solver, &nothing, NULL, NULL, &report, &err), err);
  assert_close(report.residual, 0, 0);
  assert_ok(dls_problem_judge(solver, &nothing, r, u, &report, &err), err);
  assert_ok(dls_problem_count(solver, &nothing, &solutions, &err), err);
  assert_int_equal(solutions, 1);
  dls_problem_destroy(solver);
}

typedef struct seen {
  size_t calls;
  double guess[2];
  double residual;
} seen;

static void see(void *data, const dls_problem *problem, const double *guess, const dls_problem_report *report)
{
  seen *s = data;
  s->calls++;
  s->residual = report->residual;
  for (size_t i = 0; i < 2 && problem->count == 1; i++) {
    s->guess[i] = guess[i];
  }
}

/* Also of what has no solution, and of nothing; not of what is refused. */
DLS_TEST(the_watch_sees_each_problem_with_its_guess)
{
  seen s = {0};
  const dls_problem_watch watch = {see, &s};
  const dls_block block = {DLS_COULOMB, 2, 0.5}, bad = {DLS_COULOMB, 2, INFINITY};
  const double none[4] = {0, 0, 0, 1}, W[4] = {2, 0, 0, 2}, q[2] = {-1, 0.1};
  dls_problem problem = {.count = 1, .blocks = &block, .q = q, .dense = W};
  double r[2] = {0.25, 0.125};
  dls_error err = {0};
  dls_problem_solver *solver = create(NULL);
  dls_problem_watch_by(solver, &watch);
  assert_ok(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), err);
  assert_int_equal(s.calls, 1);
  assert_close(s.guess[0], 0.25, 0);
  assert_close(s.guess[1], 0.125, 0);
  assert_between(s.residual, 0, 1e-15);
  problem.dense = none;
  assert_int_equal(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), DLS_ERR_NOCONV);
  assert_int_equal(s.calls, 2);
  assert_close(s.guess[0], 0.5, 1e-15);
  problem.blocks = &bad;
  assert_int_equal(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), DLS_ERR_ARG);
  assert_string_equal(err.text, "contact problem: block 0 has mu = inf; allowed: finite, >= 0");
  problem.blocks = NULL;
  assert_int_equal(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), DLS_ERR_ARG);
  assert_int_equal(s.calls, 2);
  problem.count = 0;
  assert_ok(dls_problem_solve(solver, &problem, r, NULL, NULL, &err), err);
  assert_int_equal(s.calls, 3);
  dls_problem_destroy(solver);
}

DLS_TEST(calls_without_arguments_are_refused)
{
  const dls_block block = {DLS_HALF, 1, 0};
  const double W[1] = {1}, q[1] = {-1};
  const dls_problem p = {.count = 1, .blocks = &block, .q = q, .dense = W},
                    no_blocks = {.count = 1, .q = q, .dense = W},
                    no_q = {.count = 1, .blocks = &block, .dense = W};
  double r[1] = {0}, u[1];
  size_t count;
  dls_problem_report report;
  dls_error err = {0};
  dls_problem_solver *s = create(NULL);
  const dls_status refused[] = {dls_problem_create(NULL, 1e-12, NULL, &err),
                                dls_problem_solve(NULL, &p, r, u, &report, &err),
                                dls_problem_solve(s, NULL, r, u, &report, &err),
                                dls_problem_solve(s, &p, NULL, u, &report, &err),
                                dls_problem_solve(s, &no_blocks, r, u, &report, &err),
                                dls_problem_solve(s, &no_q, r, u, &report, &err),
                                dls_problem_judge(NULL, &p, r, u, &report, &err),
                                dls_problem_judge(s, NULL, r, u, &report, &err),
                                dls_problem_judge(s, &p, NULL, u, &report, &err),
                                dls_problem_judge(s, &p, r, NULL, &report, &err),
                                dls_problem_judge(s, &p, r, u, NULL, &err),
                                dls_problem_judge(s, &no_q, r, u, &report, &err),
                                dls_problem_count(NULL, &p, &count, &err),
                                dls_problem_count(s, NULL, &count, &err),
                                dls_problem_count(s, &p, NULL, &err),
                                dls_problem_count(s, &no_blocks, &count, &err)};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_int_equal(refused[i], DLS_ERR_ARG);
  }
  dls_problem_solver *none = s;
  assert_int_equal(dls_problem_create(NULL, 1, &none, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "contact problems: tolerance = 1 is outside (0, 1)");
  assert_null(none);
  assert_int_equal(dls_problem_facets(NULL, 8, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_problem_facets(s, 2, &err), DLS_ERR_OPTION);
  assert_int_equal(dls_problem_facets(s, 65, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "facets = 65 is outside [3, 64]");
  dls_problem_destroy(s);
}

DLS_TEST(complementarity_problems_without_arguments_are_refused)
{
  dls_matrix *W = dls_matrix_dense(2, 2), *flat = dls_matrix_dense(2, 3);
  const double b[2] = {-1, -1}, M[4] = {1, 0, 0, 1};
  double z[2] = {0};
  dls_error err = {0};
  dls_lcp_solver *s = NULL;
  assert_int_equal(dls_lcp_create(1, NULL, 1, &s, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "lcp tolerance = 1 is outside (0, 1)");
  assert_ok(dls_lcp_create(2, NULL, 1e-12, &s, &err), err);
  const dls_lcp_operator two = {.n = 2};
  const dls_status refused[] = {dls_lcp_solve(s, 2, NULL, b, z, NULL, NULL, &err),
                                dls_lcp_solve(s, 2, M, NULL, z, NULL, NULL, &err),
                                dls_lcp_solve(s, 2, M, b, NULL, NULL, NULL, &err),
                                dls_lcp_solve_matrix(NULL, W, b, z, NULL, NULL, &err),
                                dls_lcp_solve_matrix(s, NULL, b, z, NULL, NULL, &err),
                                dls_lcp_solve_matrix(s, flat, b, z, NULL, NULL, &err),
                                dls_lcp_solve_matrix(s, W, NULL, z, NULL, NULL, &err),
                                dls_lcp_solve_matrix(s, W, b, NULL, NULL, NULL, &err),
                                dls_lcp_solve_operator(NULL, &two, b, z, NULL, NULL, &err),
                                dls_lcp_solve_operator(s, NULL, b, z, NULL, NULL, &err),
                                dls_lcp_solve_operator(s, &two, NULL, z, NULL, NULL, &err),
                                dls_lcp_solve_operator(s, &two, b, NULL, NULL, NULL, &err)};
  for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
    assert_int_equal(refused[i], DLS_ERR_ARG);
  }
  dls_lcp_destroy(s);
  dls_matrix_destroy(W);
  dls_matrix_destroy(flat);
}

enum { DENSE, SPARSE, BODIES, FORMS, FREEDOMS = 6 };

/* H of the chain's contacts, of which each touches three freedoms, and W = H^T H as a sparse matrix. */
static dls_matrix *gradients(double last)
{
  dls_matrix *H = dls_matrix_sparse(FREEDOMS, N, 3 * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t k = 0; k < 3; k++) {
      const size_t i = j / 2 + k;
      assert_int_equal(dls_matrix_set(H, i, j, j == 3 && k == 2 ? last : 1 / (1 + (double)(i * j % 5))),
                       DLS_OK);
    }
  }
  return H;
}

static dls_matrix *product(const dls_matrix *H)
{
  dls_matrix *W = dls_matrix_sparse(N, N, N * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = 0; i < N; i++) {
      double sum = 0;
      for (size_t k = 0; k < FREEDOMS; k++) {
        sum += dls_matrix_get(H, k, i) * dls_matrix_get(H, k, j);
      }
      assert_int_equal(dls_matrix_set(W, i, j, sum), DLS_OK);
    }
  }
  return W;
}

/* A (W + D) + B with the same numbers as before, as of contacts that stick for many steps, keeps its factors. */
static void check_kept(int form)
{
  static const double ones[FREEDOMS] = {1, 1, 1, 1, 1, 1};
  static const size_t columns[N] = {0, 1, 2, 3, 4, 5, 6, 7};
  const dls_storage storage = form == DENSE ? DLS_DENSE : DLS_SPARSE;
  dls_matrix *H[] = {gradients(1), gradients(2)}, *W[2];
  for (size_t k = 0; k < 2; k++) {
    W[k] = form == BODIES ? product(H[k]) : chain(storage, true);
  }
  if (form != BODIES) {
    dls_matrix_set(W[1], 3, 3, 4);
  }
  double array[2][N * N];
  for (size_t k = 0; k < 2 * N * N; k++) {
    array[k / (N * N)][k % (N * N)] = dls_matrix_get(W[k / (N * N)], k % N, k / N % N);
  }
  dls_dense_operator *dense = NULL;
  dls_sparse_operator *sparse = NULL;
  size_t first[CONTACTS + 1];
  double A[9 * CONTACTS] = {0}, B[9 * CONTACTS] = {0}, D[CONTACTS] = {0.5, 0.5, 0.5, 0.5};
  for (size_t k = 0; k <= CONTACTS; k++) {
    first[k] = 2 * k;
    for (size_t i = 0; k < CONTACTS && i < 2; i++) {
      A[9 * k + 4 * i] = 1;
    }
  }
  double last = 0;
  for (int call = 0; call < 8; call++) { /* new, again, D, again, W, again, not a number, as before */
    const bool changes =
        call % 2 == 0 || (call == 7 && form != BODIES); /* these judge blocks before they factor */
    const size_t k = call >= 4;
    const dls_problem_bodies bodies = {FREEDOMS, ones, H[k], columns};
    D[1] = call < 2 ? 0.5 : 1;
    B[9] = call == 6 ? NAN : 0;
    const dls_problem_operator *O =
        form == DENSE ? dls_dense_operator_take(&dense, N, array[k])
                      : dls_sparse_operator_take(&sparse, W[k], form == BODIES ? &bodies : NULL, false);
    const dls_status status = O->factor(O->data, CONTACTS, first, A, D, B);
    assert_true(call == 6 || status == DLS_OK);
    assert_true((*O->work > last) == changes || call == 6);
    last = *O->work;
    double x[N], u[N];
    memcpy(x, load, sizeof x);
    if (status == DLS_OK) {
      O->solve(O->data, x);
    }
    for (size_t i = 0; i < N; i++) {
      u[i] = D[i / 2] * x[i];
    }
    dls_matrix_multiply(W[k], 1, x, u);
    for (size_t i = 0; i < N && call != 6; i++) {
      assert_close(u[i], load[i], form == BODIES ? 1e-13 : 1e-14);
    }
  }
  dls_dense_operator_destroy(dense);
  dls_sparse_operator_destroy(sparse);
  for (size_t k = 0; k < 2; k++) {
    dls_matrix_destroy(W[k]);
    dls_matrix_destroy(H[k]);
  }
}

DLS_TEST(equal_matrices_are_factored_once)
{
  for (int form = 0; form < FORMS; form++) {
    check_kept(form);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_storage_of_W_makes_no_difference),
      cmocka_unit_test(a_guess_that_is_no_number_counts_as_none),
      cmocka_unit_test(one_contact_with_a_singular_W_has_the_known_answer),
      cmocka_unit_test(free_rows_without_a_diagonal_are_eliminated),
      cmocka_unit_test(nothing_to_do_is_done),
      cmocka_unit_test(the_watch_sees_each_problem_with_its_guess),
      cmocka_unit_test(that_there_is_no_solution_is_proven_where_there_is_none),
      cmocka_unit_test(a_problem_without_solution_is_not_said_to_miss_a_tolerance_that_it_meets),
      cmocka_unit_test(calls_without_arguments_are_refused),
      cmocka_unit_test(complementarity_problems_without_arguments_are_refused),
      cmocka_unit_test(equal_matrices_are_factored_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
