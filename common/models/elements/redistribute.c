/* redistribute.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/redistribute.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sundials/sundials_dense.h>

enum { MOST_FUNCTIONS = 3, MOST_MOMENTS = 6 };
/* Pairs k <= l; the first three are those of a line. */
static const size_t pair[MOST_MOMENTS][2] = {{0, 0}, {0, 1}, {1, 1}, {0, 2}, {1, 2}, {2, 2}};
static const double least_pivot = 1e-10; /* relative diagonal below which the equations (1) are dependent */

/* Context of a visit of M's entries. */
typedef struct moments {
  size_t count; /* equations */
  /* coordinates of each node, relative to the body's centre in units of its size */
  double (*a)[MOST_FUNCTIONS];
  const bool *massless;
  dls_matrix *M;
  double value[MOST_MOMENTS], gram[MOST_MOMENTS][MOST_MOMENTS], alpha[MOST_MOMENTS];
  double *column[MOST_MOMENTS]; /* of gram */
} moments;

/* Entry (i, j) of (a_k a_l^T + a_l a_k^T)/2 for pair p. */
static double basis(const moments *s, size_t p, size_t i, size_t j)
{
  const size_t k = pair[p][0], l = pair[p][1];
  return 0.5 * (s->a[i][k] * s->a[j][l] + s->a[i][l] * s->a[j][k]);
}

static bool kept(const moments *s, size_t i, size_t j)
{
  return !s->massless[i] && !s->massless[j];
}

/* value += a_k^T M a_l */
static void add_moments(void *data, size_t i, size_t j, double x)
{
  moments *s = data;
  for (size_t p = 0; p < s->count; p++) {
    s->value[p] += basis(s, p, i, j) * x;
  }
}

/* The equations (1) for alpha: gram_pr is the product of the matrices of pairs p and r over the kept entries. */
static void add_equations(void *data, size_t i, size_t j, double x)
{
  moments *s = data;
  (void)x;
  for (size_t p = 0; kept(s, i, j) && p < s->count; p++) {
    for (size_t r = 0; r < s->count; r++) {
      s->gram[p][r] += basis(s, p, i, j) * basis(s, r, i, j);
    }
  }
}

static void mask(void *data, size_t i, size_t j, double x)
{
  moments *s = data;
  (void)x;
  if (!kept(s, i, j)) {
    dls_matrix_set(s->M, i, j, 0);
  }
}

static void correct(void *data, size_t i, size_t j, double x)
{
  moments *s = data;
  for (size_t p = 0; kept(s, i, j) && p < s->count; p++) {
    x += s->alpha[p] * basis(s, p, i, j);
  }
  if (kept(s, i, j)) {
    dls_matrix_set(s->M, i, j, x);
  }
}

/* L L^T = gram. @return false if the equations are dependent */
static bool factor(moments *s)
{
  double own[MOST_MOMENTS];
  for (size_t p = 0; p < s->count; p++) {
    s->column[p] = s->gram[p];
    own[p] = s->gram[p][p];
  }
  if (SUNDlsMat_densePOTRF(s->column, (sunindextype)s->count) != 0) {
    return false;
  }
  for (size_t p = 0; p < s->count; p++) {
    if (!(s->gram[p][p] * s->gram[p][p] > least_pivot * own[p])) {
      return false;
    }
  }
  return true;
}

/* The functions a_k at the nodes, about the centre of the body and divided by its size. */
static void set_functions(moments *s, size_t nodes, size_t dimension, const double *X)
{
  double middle[MOST_FUNCTIONS] = {0}, size = 0;
  for (size_t i = 0; i < nodes * dimension; i++) {
    middle[i % dimension] += X[i] / (double)nodes;
  }
  for (size_t i = 0; i < nodes * dimension; i++) {
    size = fmax(size, fabs(X[i] - middle[i % dimension]));
  }
  for (size_t i = 0; i < nodes; i++) {
    s->a[i][0] = 1;
    for (size_t k = 0; k < dimension; k++) {
      s->a[i][k + 1] = size > 0 ? (X[i * dimension + k] - middle[k]) / size : 0;
    }
  }
}

/* M := M~ of (1). @return false if the equations are dependent */
static bool keep_moments(moments *s)
{
  double wanted[MOST_MOMENTS];
  dls_matrix_visit(s->M, add_moments, s);
  memcpy(wanted, s->value, sizeof wanted);
  dls_matrix_visit(s->M, add_equations, s);
  dls_matrix_visit(s->M, mask, s);
  if (!factor(s)) {
    return false;
  }
  memset(s->value, 0, sizeof s->value);
  dls_matrix_visit(s->M, add_moments, s);
  for (size_t p = 0; p < s->count; p++) {
    s->alpha[p] = wanted[p] - s->value[p];
  }
  SUNDlsMat_densePOTRS(s->column, (sunindextype)s->count, s->alpha);
  dls_matrix_visit(s->M, correct, s);
  return true;
}

/* Is M positive definite except for its zero rows? */
static dls_status is_definite(const bool *massless, dls_matrix *M, bool *definite, dls_error *err)
{
  const size_t nodes = dls_matrix_rows(M);
  size_t row = 0;
  for (size_t i = 0; i < nodes; i++) {
    if (massless[i]) {
      dls_matrix_set(M, i, i, 1);
    }
  }
  const dls_status status = dls_matrix_positive_definite(M, &row, err);
  for (size_t i = 0; i < nodes; i++) {
    if (massless[i]) {
      dls_matrix_set(M, i, i, 0);
    }
  }
  *definite = row == nodes;
  return status;
}

/* Distance of each node from one with mass, counted in neighbours; `nodes` if not connected to one. @return the largest
 * distance */
static size_t find_layers(const bool *massless, const dls_matrix *M, size_t *layer)
{
  const size_t nodes = dls_matrix_rows(M);
  size_t last = 0;
  for (size_t i = 0; i < nodes; i++) {
    layer[i] = massless[i] ? nodes : 0;
  }
  for (bool more = true; more; last += more) {
    more = false;
    for (size_t j = 0; j < nodes; j++) {
      const dls_column column = dls_matrix_column(M, j);
      for (size_t k = 0; layer[j] == last && k < column.count; k++) {
        const size_t i = dls_column_row(&column, k);
        more = more || layer[i] == nodes;
        layer[i] = layer[i] == nodes ? last + 1 : layer[i];
      }
    }
  }
  return last;
}

static dls_status check_layers(size_t nodes, const size_t *layer, dls_error *err)
{
  for (size_t i = 0; i < nodes; i++) {
    if (layer[i] == nodes) {
      return dls_fail(err, DLS_ERR_ARG,
                      "node %zu cannot lose its mass: no node next to it, or next to those, keeps some", i);
    }
  }
  return DLS_OK;
}

/* Move the mass of node j to its neighbours that are nearer to nodes with mass. */
static void give_away(const dls_matrix *M, size_t j, const size_t *layer, double *mass)
{
  const dls_column column = dls_matrix_column(M, j);
  double count = 0;
  for (size_t k = 0; k < column.count; k++) {
    count += layer[dls_column_row(&column, k)] + 1 == layer[j];
  }
  for (size_t k = 0; k < column.count; k++) {
    const size_t i = dls_column_row(&column, k);
    mass[i] += layer[i] + 1 == layer[j] ? mass[j] / count : 0;
  }
  mass[j] = 0;
}

/* mass += row sums of the massless rows, and the entries of their columns in the other rows. */
static void find_moving(const bool *massless, const dls_matrix *M, double *mass)
{
  for (size_t j = 0; j < dls_matrix_rows(M); j++) {
    const dls_column column = dls_matrix_column(M, j);
    for (size_t k = 0; k < column.count; k++) {
      const size_t i = dls_column_row(&column, k);
      mass[i] += massless[i] || massless[j] ? column.values[k] : 0;
    }
  }
}

/* The same for all massless nodes, from the outermost inward. */
static void move_inward(const moments *s, const size_t *layer, size_t last, double *mass)
{
  const size_t nodes = dls_matrix_rows(s->M);
  find_moving(s->massless, s->M, mass);
  for (size_t l = last; l > 0; l--) {
    for (size_t j = 0; j < nodes; j++) {
      if (layer[j] == l) {
        give_away(s->M, j, layer, mass);
      }
    }
  }
}

static dls_status lump(moments *s, dls_error *err)
{
  const size_t nodes = dls_matrix_rows(s->M);
  double *mass = calloc(nodes, sizeof *mass);
  size_t *layer = malloc(nodes * sizeof *layer);
  dls_status status = DLS_OK;
  if (mass == NULL || layer == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory to redistribute the mass of %zu nodes", nodes);
  } else {
    const size_t last = find_layers(s->massless, s->M, layer);
    status = check_layers(nodes, layer, err);
    if (status == DLS_OK) {
      move_inward(s, layer, last, mass);
      dls_matrix_visit(s->M, mask, s);
      for (size_t i = 0; i < nodes; i++) {
        dls_matrix_set(s->M, i, i, dls_matrix_get(s->M, i, i) + mass[i]);
      }
    }
  }
  free(mass);
  free(layer);
  return status;
}

static void restore(void *data, size_t i, size_t j, double x)
{
  dls_matrix_set(data, i, j, x);
}

/* (1) if possible, else lumping; copy: of M. */
static dls_status redistribute(moments *s, const dls_matrix *copy, dls_redistribution *how, dls_error *err)
{
  bool definite = false;
  dls_status status = keep_moments(s) ? is_definite(s->massless, s->M, &definite, err) : DLS_OK;
  *how = definite ? DLS_REDISTRIBUTED_MOMENTS : DLS_REDISTRIBUTED_LUMPED;
  if (status == DLS_OK && !definite) {
    dls_matrix_visit(copy, restore, s->M);
    status = lump(s, err);
  }
  return status;
}

dls_status dls_redistribute(size_t dimension, const double *X, const bool *massless, dls_matrix *M,
                            dls_redistribution *how, dls_error *err)
{
  const size_t nodes = dls_matrix_rows(M);
  moments s = {.count = dimension == 1 ? 3 : 6, .massless = massless, .M = M};
  dls_matrix *copy = dls_matrix_clone(M);
  dls_status status = DLS_OK;
  *how = DLS_REDISTRIBUTED_MOMENTS;
  s.a = calloc(nodes, sizeof *s.a);
  if (copy == NULL || s.a == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory to redistribute the mass of %zu nodes", nodes);
  } else {
    set_functions(&s, nodes, dimension, X);
    status = redistribute(&s, copy, how, err);
  }
  dls_matrix_destroy(copy);
  free(s.a);
  return status;
}

dls_status dls_redistribute_mass(const char *model, size_t dimension, const double *X, const bool *massless,
                                 dls_matrix *M, char *remark, dls_error *err)
{
  dls_error cause = {0};
  dls_redistribution how;
  const dls_status status = dls_redistribute(dimension, X, massless, M, &how, &cause);
  if (status != DLS_OK) {
    return dls_fail(err, status, "model %s: mass=redistributed: %s", model, cause.text);
  }
  if (how == DLS_REDISTRIBUTED_LUMPED) {
    snprintf(remark, DLS_REMARK_ROOM,
             "mass=redistributed: with all moments kept the mass matrix is not positive definite on this mesh; "
             "the mass of contact nodes was moved to their neighbours, which keeps only the total");
  }
  return DLS_OK;
}
