/* saddle_system.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/saddle_system.h"
#include "common/base/memory.h"
#include "common/linear/klu_numbers.h"
#include <stdlib.h>
#include <string.h>

enum { ORDER_COLAMD = 1 }; /* KLU's code */

static void free_numbers(dls_saddle_system *s)
{
  klu_l_free_numeric(&s->numeric, &s->common);
  klu_l_free_symbolic(&s->symbolic, &s->common);
}

void dls_saddle_system_free(dls_saddle_system *s)
{
  free_numbers(s);
  dls_matrix_destroy(s->A);
  dls_matrix_destroy(s->M);
  dls_matrix_destroy(s->N);
  void *const arrays[] = {s->first, s->starts, s->rows, s->values, s->place, s->rhs, s->touched};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
}

bool dls_saddle_system_take(dls_saddle_system *s, const dls_delassus *D)
{
  s->D = D;
  free_numbers(s);
  if (D->fill != NULL) {
    D->fill(D->data);
  }
  if (dls_factor_copy_sum(D->whole, NULL, &s->A) != DLS_OK) {
    return false;
  }
  s->before = D->mass != NULL ? D->n : 0;
  s->contact = s->before + dls_matrix_rows(s->A);
  s->order = s->contact + D->count;
  return D->mass == NULL || (dls_factor_copy_sum(D->mass, NULL, &s->M) == DLS_OK &&
                             dls_factor_copy_sum(D->factor, D->product, &s->N) == DLS_OK);
}

static size_t begin_of(const dls_saddle_system *s, size_t k)
{
  return s->first != NULL ? s->first[k] : k;
}

/* Rows of x that block k touches, in s->touched. @return their number */
static size_t touch(const dls_saddle_system *s, size_t k)
{
  const size_t a = begin_of(s, k);
  return dls_matrix_rows_of(s->D->H, begin_of(s, k + 1) - a, s->D->active + a, s->touched);
}

static void *grown(void *old, size_t count, size_t size, bool *done)
{
  void *block = realloc(old, dls_size_product(count, size));
  *done = *done && block != NULL;
  return block != NULL ? block : old;
}

static bool reserve_order(dls_saddle_system *s)
{
  bool done = true;
  if (s->order > s->order_capacity) {
    s->starts = grown(s->starts, s->order + 1, sizeof *s->starts, &done);
    s->place = grown(s->place, s->order + 1, sizeof *s->place, &done);
    s->rhs = grown(s->rhs, s->order, sizeof *s->rhs, &done);
    s->touched = grown(s->touched, s->D->n, sizeof *s->touched, &done);
    s->order_capacity = done ? s->order : s->order_capacity;
  }
  return done;
}

static bool reserve_entries(dls_saddle_system *s)
{
  const size_t entries = (size_t)s->starts[s->order];
  bool done = true;
  if (entries > s->entry_capacity) {
    s->rows = grown(s->rows, entries, sizeof *s->rows, &done);
    s->values = grown(s->values, entries, sizeof *s->values, &done);
    s->entry_capacity = done ? entries : s->entry_capacity;
  }
  return done;
}

/* Entries of each column: M over -N, A over S H^T, -H U over S D + B. */
static void count_entries(dls_saddle_system *s)
{
  const dls_delassus *D = s->D;
  memset(s->place, 0, (s->order + 1) * sizeof *s->place);
  for (size_t j = 0; j < s->before; j++) {
    s->place[j] = (int64_t)(dls_matrix_column(s->M, j).count + dls_matrix_column(s->N, j).count);
  }
  for (size_t j = 0; j < dls_matrix_rows(s->A); j++) {
    s->place[s->before + j] = (int64_t)dls_matrix_column(s->A, j).count;
  }
  for (size_t k = 0; k < s->blocks; k++) {
    const size_t a = begin_of(s, k), d = begin_of(s, k + 1) - a, touched = touch(s, k);
    for (size_t t = 0; t < touched; t++) {
      s->place[s->before + s->touched[t]] += (int64_t)d; /* of S H^T */
    }
    for (size_t i = a; i < a + d; i++) {
      s->place[s->contact + i] = (int64_t)(dls_matrix_column(D->H, D->active[i]).count + d);
    }
  }
  s->starts[0] = 0;
  for (size_t j = 0; j < s->order; j++) {
    s->starts[j + 1] = s->starts[j] + s->place[j];
  }
}

static void put(dls_saddle_system *s, size_t i, size_t j, double x)
{
  const int64_t place = s->place[j]++;
  s->rows[place] = (int64_t)i;
  s->values[place] = x;
}

/* weight B at (row, column) and beyond. */
static void put_matrix(dls_saddle_system *s, const dls_matrix *B, double weight, size_t row, size_t column)
{
  for (size_t j = 0; B != NULL && j < B->columns; j++) {
    const dls_column c = dls_matrix_column(B, j);
    for (size_t e = 0; e < c.count; e++) {
      put(s, row + dls_column_row(&c, e), column + j, weight * c.values[e]);
    }
  }
}

/* -H U, column by column, above S D + B. */
static void put_forces(dls_saddle_system *s, const dls_saddle_law *law, size_t k)
{
  const dls_delassus *D = s->D;
  const size_t a = begin_of(s, k), end = begin_of(s, k + 1), at = law->width * k;
  for (size_t j = a; j < end; j++) {
    const dls_column c = dls_matrix_column(D->H, D->active[j]);
    for (size_t e = 0; e < c.count; e++) {
      put(s, dls_column_row(&c, e), s->contact + j, -(law->U != NULL ? law->U[j] * c.values[e] : c.values[e]));
    }
    for (size_t i = a; i < end; i++) {
      const size_t entry = at + (i - a) + 3 * (j - a);
      put(s, s->contact + i, s->contact + j, law->S[entry] * law->D[k] + law->B[entry]);
    }
  }
}

/* S H^T. */
static void put_velocities(dls_saddle_system *s, const dls_saddle_law *law, size_t k)
{
  const dls_delassus *D = s->D;
  const size_t a = begin_of(s, k), d = begin_of(s, k + 1) - a, touched = touch(s, k);
  for (size_t t = 0; t < touched; t++) {
    double h[3];
    for (size_t l = 0; l < d; l++) {
      h[l] = dls_matrix_get(D->H, s->touched[t], D->active[a + l]); /* row of H */
    }
    for (size_t i = 0; i < d; i++) {
      double sum = 0;
      for (size_t l = 0; l < d; l++) {
        sum += law->S[law->width * k + i + 3 * l] * h[l]; /* S h */
      }
      put(s, s->contact + a + i, s->before + s->touched[t], sum);
    }
  }
}

static void fill(dls_saddle_system *s, const dls_saddle_law *law)
{
  memcpy(s->place, s->starts, (s->order + 1) * sizeof *s->place);
  put_matrix(s, s->M, 1, 0, 0);
  put_matrix(s, s->N, -1, s->before, 0);
  put_matrix(s, s->A, 1, s->before, s->before);
  for (size_t k = 0; k < s->blocks; k++) {
    put_forces(s, law, k);
    put_velocities(s, law, k);
  }
}

static bool is_laid_out(const dls_saddle_system *s, size_t blocks, const size_t *first)
{
  return s->symbolic != NULL && s->blocks == blocks &&
         (first == NULL || memcmp(s->first, first, (blocks + 1) * sizeof *first) == 0);
}

/* The pattern for these blocks. @return false if out of memory */
static bool lay_out(dls_saddle_system *s, size_t blocks, const size_t *first)
{
  bool done = true;
  free_numbers(s);
  s->blocks = blocks;
  if (first != NULL) {
    s->first = grown(s->first, blocks + 1, sizeof *s->first, &done);
  }
  if (!done || !reserve_order(s)) {
    return false;
  }
  if (first != NULL) {
    memcpy(s->first, first, (blocks + 1) * sizeof *first);
  }
  count_entries(s);
  return reserve_entries(s);
}

dls_status dls_saddle_system_factor(dls_saddle_system *s, size_t blocks, const size_t *first,
                                    const dls_saddle_law *law)
{
  if (!is_laid_out(s, blocks, first) && !lay_out(s, blocks, first)) {
    return DLS_ERR_MEMORY;
  }
  fill(s, law);
  if (s->symbolic == NULL) {
    klu_l_defaults(&s->common);
    if (s->before > 0) { /* far from symmetric: columns that are ordered by the pattern of A + A^T fill in */
      s->common.ordering = ORDER_COLAMD;
    }
    s->symbolic = klu_l_analyze((int64_t)s->order, s->starts, s->rows, &s->common);
  }
  return s->symbolic == NULL
             ? DLS_ERR_MEMORY
             : dls_klu_numbers(s->starts, s->rows, s->values, s->symbolic, &s->numeric, &s->common);
}

void dls_saddle_system_solve(dls_saddle_system *s)
{
  klu_l_solve(s->symbolic, s->numeric, (int64_t)s->order, 1, s->rhs, &s->common);
}
