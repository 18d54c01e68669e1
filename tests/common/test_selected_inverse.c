/* test_selected_inverse.c -- impulses on few coordinates against solves with all of M: chains, trees, loops, separate parts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/contact/joints/selected_inverse.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { BODIES = 24, N = 2 * BODIES, ROWS = 2 * BODIES };

typedef struct coupled {
  dls_matrix *M, *G;
  dls_factor *factor;
  dls_selected_inverse *S;
} coupled;

static double any(unsigned *seed)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (double)(*seed >> 8) / 8388608.0 - 1;
}

/* Body b is coupled with before[b] < b, if that is not b itself, on both axes; with a loop, the last one with the first too. */
static dls_matrix *mass(const size_t *before, bool loop, unsigned *seed)
{
  double *full = calloc(N * N, sizeof *full);
  for (size_t b = 0; b < BODIES; b++) {
    const size_t ends[2] = {before[b], loop && b == BODIES - 1 ? 0 : b};
    for (size_t axis = 0; axis < 2; axis++) {
      const size_t i = 2 * b + axis;
      full[i * N + i] += 4 + any(seed);
      for (size_t e = 0; e < 2; e++) {
        const size_t j = 2 * ends[e] + axis;
        const double x = j == i ? 0 : 0.5 * any(seed);
        full[i * N + j] += x;
        full[j * N + i] += x;
      }
    }
  }
  dls_matrix *M = dls_matrix_sparse(N, N, N * N);
  for (size_t j = 0; j < N; j++) {
    for (size_t i = 0; i < N; i++) {
      if (full[i * N + j] != 0) {
        assert_int_equal(dls_matrix_set(M, i, j, full[i * N + j]), DLS_OK);
      }
    }
  }
  free(full);
  return M;
}

/* Equation b holds body b; equation BODIES + b joins it with before[b], and is empty for a body that has none. */
static dls_matrix *joints(const size_t *before, unsigned *seed)
{
  size_t joined = 0;
  for (size_t b = 0; b < BODIES; b++) {
    joined += before[b] < b;
  }
  dls_matrix *G = dls_matrix_sparse(N, ROWS, 2 * BODIES + 4 * joined);
  for (size_t j = 0; j < ROWS; j++) {
    const size_t b = j % BODIES, a = j < BODIES ? b : before[b];
    for (size_t axis = 0; axis < 2 && a < b; axis++) {
      dls_matrix_set(G, 2 * a + axis, j, any(seed));
    }
    for (size_t axis = 0; axis < 2 && (j < BODIES || a < b); axis++) {
      dls_matrix_set(G, 2 * b + axis, j, any(seed));
    }
  }
  return G;
}

static coupled create(const size_t *before, bool loop, unsigned *seed)
{
  dls_error err = {0};
  coupled c = {.M = mass(before, loop, seed), .G = joints(before, seed)};
  c.factor = dls_factor_create((const dls_matrix *const[]){c.M}, 1);
  assert_ok(dls_factor_sum(c.factor, (const double[]){1}, &err), err);
  assert_int_equal(dls_selected_inverse_create(c.M, c.G, &c.S), DLS_OK);
  assert_non_null(c.S);
  return c;
}

static void destroy(coupled *c)
{
  dls_selected_inverse_destroy(c->S);
  dls_factor_destroy(c->factor);
  dls_matrix_destroy(c->M);
  dls_matrix_destroy(c->G);
}

/* v += M^-1 G_i x by a solve with M */
static void push(const coupled *c, size_t i, double x, double *v)
{
  double p[N] = {0};
  dls_matrix_column_add(c->G, i, x, p);
  dls_factor_solve(c->factor, p);
  for (size_t k = 0; k < N; k++) {
    v[k] += p[k];
  }
}

static void check_diagonal(const coupled *c)
{
  for (size_t i = 0; i < ROWS; i++) {
    double y[N] = {0};
    push(c, i, 1, y);
    assert_close(dls_selected_inverse_diagonal(c->S, c->G, i), dls_matrix_column_dot(c->G, i, y), 1e-14);
  }
}

/* Impulses in the order of the rows, then in any, of which some are only looked at; all again, from the v that was reached. */
static void check_impulses(const coupled *c, unsigned *seed)
{
  double v[N], w[N];
  for (size_t k = 0; k < N; k++) {
    v[k] = w[k] = any(seed);
  }
  for (size_t turn = 0; turn < 2; turn++) {
    dls_selected_inverse_begin(c->S, v);
    for (size_t k = 0; k < 4 * ROWS; k++) {
      const size_t i = k < ROWS ? k : (size_t)((any(seed) + 1) / 2 * ROWS) % ROWS;
      assert_close(dls_selected_inverse_speed(c->S, c->G, i), dls_matrix_column_dot(c->G, i, w), 1e-12);
      if (k % 3 != 0) {
        const double x = any(seed);
        dls_selected_inverse_add(c->S, c->G, i, x);
        push(c, i, x, w);
      }
    }
    dls_selected_inverse_end(c->S, v);
    for (size_t k = 0; k < N; k++) {
      assert_close(v[k], w[k], 1e-12);
    }
  }
}

static void check_apply(const coupled *c, unsigned *seed)
{
  double x[ROWS], v[N] = {0}, w[N] = {0};
  for (size_t i = 0; i < ROWS; i++) {
    x[i] = any(seed);
    push(c, i, x[i], w);
  }
  dls_selected_inverse_apply(c->S, c->G, x, v);
  for (size_t k = 0; k < N; k++) {
    assert_close(v[k], w[k], 1e-13);
  }
}

DLS_TEST(impulses_are_those_of_solves)
{
  unsigned seed = 1;
  for (int graph = 0; graph < 4; graph++) { /* a chain, a chain with a loop, trees, three separate chains */
    size_t before[BODIES] = {0};
    for (size_t b = 1; b < BODIES; b++) {
      before[b] = graph < 2    ? b - 1
                  : graph == 2 ? (size_t)((any(&seed) + 1) / 2 * (double)b) % b
                               : b - (b % 8 != 0);
    }
    coupled c = create(before, graph == 1, &seed);
    check_diagonal(&c);
    check_apply(&c, &seed);
    check_impulses(&c, &seed);
    destroy(&c);
  }
}

/* There columns of M^-1 G take its place. */
DLS_TEST(what_does_not_apply)
{
  dls_selected_inverse *S = NULL;
  dls_matrix *diagonal = dls_matrix_diagonal(3), *full = dls_matrix_dense(3, 3),
             *band = dls_matrix_band(3, 1, 1);
  dls_matrix *G = dls_matrix_sparse(3, 1, 1), *roomy = dls_matrix_sparse(3, 1, 2),
             *wide = dls_matrix_sparse(40, 1, 40), *large = dls_matrix_band(40, 0, 0);
  dls_matrix_set(G, 1, 0, 1);
  dls_matrix_set(roomy, 1, 0, 1);
  for (size_t i = 0; i < 40; i++) {
    dls_matrix_set(wide, i, 0, 1);
    dls_matrix_set(large, i, i, 1);
  }
  const struct {
    const dls_matrix *M, *G;
  } cases[] = {{diagonal, G}, {full, G}, {large, wide}, {band, roomy}, {band, G}}; /* the last: no pivots */
  const size_t count = sizeof cases / sizeof *cases;
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < 3; i++) {
      dls_matrix_set(band, i, i, k < count - 1 ? 2 : 0);
    }
    assert_int_equal(dls_selected_inverse_create(cases[k].M, cases[k].G, &S), DLS_OK);
    assert_null(S);
  }
  dls_selected_inverse_destroy(NULL);
  for (size_t i = 0; i < 3; i++) {
    dls_matrix_set(band, i, i, 2);
  }
  assert_int_equal(dls_selected_inverse_create(band, G, &S), DLS_OK);
  assert_non_null(S);
  assert_close(dls_selected_inverse_diagonal(S, G, 0), 0.5, 1e-15);
  dls_selected_inverse_destroy(S);
  dls_matrix *all[] = {diagonal, full, band, G, roomy, wide, large};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    dls_matrix_destroy(all[k]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(impulses_are_those_of_solves),
      cmocka_unit_test(what_does_not_apply),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
