/* test_redistribute.c -- mass taken away from nodes of chains and discs: moments, pattern, nearness, the form where that is not
 * positive definite.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/models/elements/assembly.h"
#include "common/models/elements/redistribute.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct body {
  size_t dimension, nodes;
  double *X;
  bool *massless;
  dls_matrix *M, *before;
} body;

static void release(body *b)
{
  free(b->X);
  free(b->massless);
  dls_matrix_destroy(b->M);
  dls_matrix_destroy(b->before);
}

/* Elements of different lengths, consistent mass of unit density; the first node massless. */
static body chain(size_t elements)
{
  body b = {.dimension = 1, .nodes = elements + 1};
  b.X = calloc(b.nodes, sizeof *b.X);
  b.massless = calloc(b.nodes, sizeof *b.massless);
  b.M = dls_matrix_band(b.nodes, 1, 1);
  assert_true(b.X != NULL && b.massless != NULL && b.M != NULL);
  for (size_t e = 0; e < elements; e++) {
    const double l = 0.7 + 0.3 * sin(1.0 + 2.3 * (double)e);
    const double block[] = {l / 3, l / 6, l / 6, l / 3};
    b.X[e + 1] = b.X[e] + l;
    dls_assembly_add(b.M, 2, (const size_t[]){e, e + 1}, block);
  }
  b.massless[0] = true;
  b.before = dls_matrix_clone(b.M);
  return b;
}

/* Mass of the bilinear quadrilateral with corners x[4][2], unit density, by 2 x 2 Gauss points. */
static void quad_mass(const double x[4][2], double *block)
{
  static const double corner[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  const double at = 1 / sqrt(3);
  memset(block, 0, 16 * sizeof *block);
  for (size_t g = 0; g < 4; g++) {
    const double r = corner[g][0] * at, s = corner[g][1] * at;
    double N[4], J[2][2] = {{0}};
    for (size_t a = 0; a < 4; a++) {
      N[a] = 0.25 * (1 + r * corner[a][0]) * (1 + s * corner[a][1]);
      for (size_t k = 0; k < 2; k++) {
        J[0][k] += 0.25 * corner[a][0] * (1 + s * corner[a][1]) * x[a][k];
        J[1][k] += 0.25 * corner[a][1] * (1 + r * corner[a][0]) * x[a][k];
      }
    }
    const double area = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    for (size_t k = 0; k < 16; k++) {
      block[k] += area * N[k / 4] * N[k % 4];
    }
  }
}

/* A square grid of n x n bilinear elements, drawn out to the disc of radius 1.8 about (3, -1); its boundary massless. */
static body disc(size_t n)
{
  const size_t side = n + 1, nodes = side * side;
  body b = {.dimension = 2, .nodes = nodes};
  size_t *at = calloc(4 * n * n, sizeof *at);
  b.X = calloc(2 * nodes, sizeof *b.X);
  b.massless = calloc(nodes, sizeof *b.massless);
  assert_true(at != NULL && b.X != NULL && b.massless != NULL);
  for (size_t i = 0; i < nodes; i++) {
    const double u = 2 * (double)(i % side) / (double)n - 1, w = 2 * (double)(i / side) / (double)n - 1;
    b.X[2 * i] = 3 + 1.8 * u * sqrt(1 - w * w / 2);
    b.X[2 * i + 1] = -1 + 1.8 * w * sqrt(1 - u * u / 2);
    b.massless[i] = fabs(u) == 1 || fabs(w) == 1;
  }
  for (size_t e = 0; e < n * n; e++) {
    const size_t first = e / n * side + e % n, corners[] = {first, first + 1, first + side + 1, first + side};
    memcpy(at + 4 * e, corners, sizeof corners);
  }
  const dls_incidence incidence = {nodes, n * n, 4, at};
  b.M = dls_assembly_matrix(&incidence);
  assert_non_null(b.M);
  for (size_t e = 0; e < n * n; e++) {
    double x[4][2], block[16];
    for (size_t a = 0; a < 4; a++) {
      memcpy(x[a], b.X + 2 * at[4 * e + a], sizeof x[a]);
    }
    quad_mass((const double(*)[2])x, block);
    dls_assembly_add(b.M, 4, at + 4 * e, block);
  }
  b.before = dls_matrix_clone(b.M);
  free(at);
  return b;
}

/* a^T M c for the functions 1, X_1, X_2. */
static double moment(const body *b, const dls_matrix *M, size_t k, size_t l)
{
  double sum = 0;
  for (size_t i = 0; i < b->nodes; i++) {
    for (size_t j = 0; j < b->nodes; j++) {
      const double a = k == 0 ? 1 : b->X[b->dimension * i + k - 1],
                   c = l == 0 ? 1 : b->X[b->dimension * j + l - 1];
      sum += a * c * dls_matrix_get(M, i, j);
    }
  }
  return sum;
}

static void assert_moments(const body *b)
{
  for (size_t k = 0; k <= b->dimension; k++) {
    for (size_t l = 0; l <= k; l++) {
      const double before = moment(b, b->before, k, l);
      assert_close(moment(b, b->M, k, l) / before, 1, 2e-14);
    }
  }
}

static void assert_pattern(const body *b)
{
  for (size_t i = 0; i < b->nodes; i++) {
    for (size_t j = 0; j < b->nodes; j++) {
      const double x = dls_matrix_get(b->M, i, j);
      assert_close(x, dls_matrix_get(b->M, j, i), 1e-15);
      if (b->massless[i] || b->massless[j] || dls_matrix_get(b->before, i, j) == 0) {
        assert_true(x == 0);
      }
    }
  }
}

/* Is the part with mass positive definite? */
static bool definite(const body *b)
{
  dls_error err = {0};
  size_t row = 0;
  dls_matrix *M = dls_matrix_clone(b->M);
  assert_non_null(M);
  for (size_t i = 0; i < b->nodes; i++) {
    if (b->massless[i]) {
      assert_ok(dls_matrix_set(M, i, i, 1), err);
    }
  }
  assert_ok(dls_matrix_positive_definite(M, &row, &err), err);
  dls_matrix_destroy(M);
  return row == b->nodes;
}

static dls_redistribution redistribute(body *b)
{
  dls_error err = {0};
  dls_redistribution how;
  assert_ok(dls_redistribute(b->dimension, b->X, b->massless, b->M, &how, &err), err);
  return how;
}

DLS_TEST(a_chain_keeps_total_centre_and_inertia)
{
  static const size_t meshes[] = {4, 5, 17, 400};
  for (size_t k = 0; k < 4; k++) {
    body b = chain(meshes[k]);
    assert_int_equal(redistribute(&b), DLS_REDISTRIBUTED_MOMENTS);
    assert_moments(&b);
    assert_pattern(&b);
    assert_true(definite(&b));
    release(&b);
  }
}

/* On equal elements the matrix with -4 at (i, i) and 1 beside it, above and below, has no moments: it is at right angles to the
 * least change. */
DLS_TEST(the_change_is_the_least_one)
{
  body b = chain(12);
  for (size_t i = 0; i < b.nodes; i++) {
    b.X[i] = (double)i;
  }
  assert_int_equal(redistribute(&b), DLS_REDISTRIBUTED_MOMENTS);
  for (size_t i = 2; i + 2 < b.nodes; i++) {
    double change[3]; /* of (i, i - 1), (i, i), (i, i + 1) */
    for (size_t k = 0; k < 3; k++) {
      change[k] = dls_matrix_get(b.M, i, i + k - 1) - dls_matrix_get(b.before, i, i + k - 1);
    }
    assert_between(fabs(change[1]), 1e-3, 0.5);
    assert_close(2 * change[0] - 4 * change[1] + 2 * change[2], 0, 1e-14);
  }
  release(&b);
}

DLS_TEST(a_disc_keeps_its_six_moments)
{
  body b = disc(16);
  assert_int_equal(redistribute(&b), DLS_REDISTRIBUTED_MOMENTS);
  assert_moments(&b);
  assert_pattern(&b);
  assert_true(definite(&b));
  release(&b);
}

DLS_TEST(a_coarse_disc_is_lumped_and_keeps_its_total)
{
  body b = disc(4);
  assert_int_equal(redistribute(&b), DLS_REDISTRIBUTED_LUMPED);
  assert_close(moment(&b, b.M, 0, 0) / moment(&b, b.before, 0, 0), 1, 1e-14);
  assert_pattern(&b);
  assert_true(definite(&b));
  release(&b);
}

/* Nodes without mass in three layers: it goes through them. */
DLS_TEST(mass_goes_through_layers_of_nodes_without)
{
  body b = chain(6);
  for (size_t i = 0; i < b.nodes; i++) {
    b.massless[i] = i != 3;
  }
  assert_int_equal(redistribute(&b), DLS_REDISTRIBUTED_LUMPED);
  assert_close(dls_matrix_get(b.M, 3, 3), b.X[6], 1e-14);
  release(&b);
}

DLS_TEST(a_body_without_any_mass_is_refused)
{
  dls_error err = {0};
  dls_redistribution how;
  body b = chain(1);
  b.massless[1] = true;
  assert_int_equal(dls_redistribute(1, b.X, b.massless, b.M, &how, &err), DLS_ERR_ARG);
  assert_string_equal(err.text,
                      "node 0 cannot lose its mass: no node next to it, or next to those, keeps some");
  release(&b);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_chain_keeps_total_centre_and_inertia),
      cmocka_unit_test(the_change_is_the_least_one),
      cmocka_unit_test(a_disc_keeps_its_six_moments),
      cmocka_unit_test(a_coarse_disc_is_lumped_and_keeps_its_total),
      cmocka_unit_test(mass_goes_through_layers_of_nodes_without),
      cmocka_unit_test(a_body_without_any_mass_is_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
