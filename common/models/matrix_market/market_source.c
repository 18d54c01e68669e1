/* market_source.c -- see market_source.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/market_source.h"
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* Allowed difference of two entries that should be equal, relative to the largest of them and of the geometric mean of
 * their diagonal entries. Covers other orders of assembly, and files with eleven digits. */
static const double symmetry_tolerance = 1e-10;
const char *dls_source_tail(const char *path)
{
  enum { LONGEST = 100 }; /* shown in a message */
  const size_t length = strlen(path);
  return length > LONGEST ? path + length - LONGEST : path;
}

static double diagonal(const dls_market *A, size_t i)
{
  const dls_market_entry *e = dls_market_find(A, i, i);
  return e == NULL ? 0 : e->value;
}

dls_status dls_source_square(const dls_source *s, size_t n, dls_error *err)
{
  const dls_market *A = s->table;
  if (A->rows != A->columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, it must be square", dls_source_tail(s->path),
                    s->name, A->rows, A->columns);
  }
  if (A->rows != n) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, but M is %zu x %zu", dls_source_tail(s->path),
                    s->name, A->rows, A->columns, n, n);
  }
  return DLS_OK;
}

static dls_status refuse_asymmetry(const dls_source *s, const dls_market_entry *e,
                                   const dls_market_entry *mirror, dls_error *err)
{
  char other[80] = "is missing";
  if (mirror != NULL) {
    snprintf(other, sizeof other, "= %.10g in line %zu", mirror->value, mirror->line);
  }
  return dls_fail(err, DLS_ERR_ARG, "%s:%zu: %s is not symmetric: %s(%zu,%zu) = %.10g, but %s(%zu,%zu) %s",
                  dls_source_tail(s->path), e->line, s->name, s->name, e->row + 1, e->column + 1, e->value,
                  s->name, e->column + 1, e->row + 1, other);
}

/* A := (A + A^T)/2, if A is symmetric up to rounding. An entry that is only rounding, without a mirror image, becomes 0. */
static dls_status make_symmetric(const dls_source *s, dls_error *err)
{
  dls_market *A = s->table;
  for (size_t k = 0; k < A->count; k++) {
    dls_market_entry *e = &A->entries[k];
    const dls_market_entry *mirror = dls_market_find(A, e->column, e->row);
    const double image = mirror == NULL ? 0 : mirror->value;
    const double scale = fmax(fmax(fabs(e->value), fabs(image)),
                              sqrt(fabs(diagonal(A, e->row))) * sqrt(fabs(diagonal(A, e->column))));
    if (!(fabs(e->value - image) <= symmetry_tolerance * scale)) {
      return refuse_asymmetry(s, e, mirror, err);
    }
    if (mirror == NULL) {
      e->value = 0;
    } else if (e->row > e->column) {
      e->value = A->entries[mirror - A->entries].value = 0.5 * e->value + 0.5 * image;
    }
  }
  return DLS_OK;
}

dls_status dls_source_diagonal(const dls_source *s, dls_error *err)
{
  for (size_t i = 0; i < s->table->rows; i++) {
    const dls_market_entry *e = dls_market_find(s->table, i, i);
    if (e == NULL) {
      return dls_fail(err, DLS_ERR_ARG, "%s: M is not positive definite: M(%zu,%zu) is 0 or missing",
                      dls_source_tail(s->path), i + 1, i + 1);
    }
    if (!(e->value > 0)) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: M is not positive definite: M(%zu,%zu) = %g",
                      dls_source_tail(s->path), e->line, i + 1, i + 1, e->value);
    }
  }
  return DLS_OK;
}

dls_status dls_source_definite(const dls_source *s, const dls_matrix *M, dls_error *err)
{
  size_t row = 0;
  const dls_status status = dls_matrix_positive_definite(M, &row, err);
  if (status == DLS_OK && row < dls_matrix_rows(M)) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "%s: M is not positive definite: its Cholesky factorization has no positive pivot in row %zu",
        dls_source_tail(s->path), row + 1);
  }
  return status;
}

dls_status dls_source_matrix(const dls_source *s, dls_matrix **out, dls_error *err)
{
  *out = dls_market_matrix(s->table);
  return *out != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %s", dls_source_tail(s->path), s->name);
}

dls_status dls_source_symmetric(const dls_source *s, size_t n, dls_matrix **out, dls_error *err)
{
  if (s->table == NULL) {
    return DLS_OK;
  }
  dls_status status = dls_source_square(s, n, err);
  if (status != DLS_OK || (status = make_symmetric(s, err)) != DLS_OK) {
    return status;
  }
  return dls_source_matrix(s, out, err);
}

dls_status dls_source_vector(const dls_source *s, size_t count, double *x, dls_error *err)
{
  const dls_market *A = s->table;
  if (A == NULL) {
    return DLS_OK;
  }
  if ((A->rows != count || A->columns != 1) && (A->rows != 1 || A->columns != count)) {
    return dls_fail(err, DLS_ERR_ARG, "%s: %s is %zu x %zu, it must be a vector of %zu",
                    dls_source_tail(s->path), s->name, A->rows, A->columns, count);
  }
  for (size_t k = 0; k < A->count; k++) {
    x[A->entries[k].row + A->entries[k].column] = A->entries[k].value;
  }
  return DLS_OK;
}

dls_status dls_source_range(const dls_source *s, size_t count, double low, double high, double *x,
                            dls_error *err)
{
  const dls_market *A = s->table;
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    const dls_market_entry *e = &A->entries[k];
    if (!(e->value >= low && e->value <= high)) {
      return dls_fail(err, DLS_ERR_ARG, "%s:%zu: %s[%zu] = %g is outside [%g, %g]", dls_source_tail(s->path),
                      e->line, s->name, e->row + e->column, e->value, low, high);
    }
  }
  return dls_source_vector(s, count, x, err);
}
