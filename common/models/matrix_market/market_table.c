/* market_table.c -- tables of entries: sorting, transposition, conversion to matrices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/market_table.h"
#include "common/linear/storage.h"
#include <stdlib.h>

/* Places per entry up to which dense or band storage is used. Sparse storage takes two numbers per entry, and its
 * factorization costs about ten times more per operation. */
static const double most_places = 4;

static int compare_places(const void *a, const void *b)
{
  const dls_market_entry *x = a;
  const dls_market_entry *y = b;
  if (x->column != y->column) {
    return x->column < y->column ? -1 : 1;
  }
  if (x->row != y->row) {
    return x->row < y->row ? -1 : 1;
  }
  return (x->line > y->line) - (x->line < y->line);
}

void dls_market_sort(dls_market *table)
{
  for (size_t k = 1; k < table->count; k++) {
    if (compare_places(&table->entries[k - 1], &table->entries[k]) > 0) {
      qsort(table->entries, table->count, sizeof *table->entries, compare_places);
      return;
    }
  }
}

void dls_market_drop_zeros(dls_market *table)
{
  size_t kept = 0;
  for (size_t k = 0; k < table->count; k++) {
    if (table->entries[k].value != 0) {
      table->entries[kept++] = table->entries[k];
    }
  }
  table->count = kept;
}

void dls_market_destroy(dls_market *table)
{
  if (table != NULL) {
    free(table->entries);
    free(table);
  }
}

void dls_market_transpose(dls_market *table)
{
  const size_t rows = table->rows;
  table->rows = table->columns;
  table->columns = rows;
  for (size_t k = 0; k < table->count; k++) {
    dls_market_entry *e = &table->entries[k];
    const size_t row = e->row;
    e->row = e->column;
    e->column = row;
  }
  dls_market_sort(table);
}

const dls_market_entry *dls_market_find(const dls_market *table, size_t row, size_t column)
{
  const dls_market_entry key = {row, column, 0, 0};
  size_t low = 0;
  size_t high = table->count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (compare_places(&table->entries[middle], &key) <
        0) { /* lines count from 1, so this key precedes its match */
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const dls_market_entry *e = low < table->count ? &table->entries[low] : NULL;
  return e != NULL && e->row == row && e->column == column ? e : NULL;
}

/* An empty matrix in the narrowest storage that has a place for every entry. */
static dls_matrix *create(const dls_market *table)
{
  const double n = (double)table->columns;
  const double most = most_places * (double)table->count;
  size_t lower = 0;
  size_t upper = 0;
  for (size_t k = 0; k < table->count; k++) {
    const dls_market_entry *e = &table->entries[k];
    lower = e->row > e->column && e->row - e->column > lower ? e->row - e->column : lower;
    upper = e->column > e->row && e->column - e->row > upper ? e->column - e->row : upper;
  }
  const double width = (double)lower + (double)upper + 1;
  if (table->rows == table->columns && width == 1) {
    return dls_matrix_diagonal(table->rows);
  }
  if (table->rows == table->columns && width < n && width * n <= most) {
    return dls_matrix_band(table->rows, lower, upper);
  }
  if ((double)table->rows * n <= most) {
    return dls_matrix_dense(table->rows, table->columns);
  }
  return dls_matrix_sparse(table->rows, table->columns, table->count);
}

dls_matrix *dls_market_matrix(const dls_market *table)
{
  dls_matrix *A = create(table);
  for (size_t k = 0; A != NULL && k < table->count; k++) {
    dls_matrix_set(A, table->entries[k].row, table->entries[k].column, table->entries[k].value);
  }
  return A;
}

/* Collects a table of the entries of several matrices, in turn. */
typedef struct sum {
  dls_market table;
  double factor;
  size_t order;
} sum;

static void count_entry(void *data, size_t i, size_t j, double x)
{
  (void)i, (void)j, (void)x;
  ((sum *)data)->table.count++;
}

static void add_entry(void *data, size_t i, size_t j, double x)
{
  sum *s = data;
  s->table.entries[s->table.count++] =
      (dls_market_entry){.row = i, .column = j, .value = s->factor * x, .line = s->order};
}

/* Sum entries of the same place; they are sorted. */
static void add_up(dls_market *table)
{
  size_t used = 0;
  for (size_t k = 0; k < table->count; k++) {
    dls_market_entry *last = used > 0 ? &table->entries[used - 1] : NULL;
    if (last != NULL && last->row == table->entries[k].row && last->column == table->entries[k].column) {
      last->value += table->entries[k].value;
    } else {
      table->entries[used++] = table->entries[k];
    }
  }
  table->count = used;
}

dls_matrix *dls_market_sum(size_t rows, size_t columns, size_t count, const dls_matrix *const *terms,
                           const double *factors)
{
  sum s = {.table = {.rows = rows, .columns = columns}};
  for (size_t k = 0; k < count; k++) {
    if (terms[k] != NULL && factors[k] != 0) {
      dls_matrix_visit(terms[k], count_entry, &s);
    }
  }
  s.table.entries = malloc((s.table.count + 1) * sizeof *s.table.entries);
  if (s.table.entries == NULL) {
    return NULL;
  }
  s.table.count = 0;
  for (s.order = 0; s.order < count; s.order++) {
    s.factor = factors[s.order];
    if (terms[s.order] != NULL && s.factor != 0) {
      dls_matrix_visit(terms[s.order], add_entry, &s);
    }
  }
  dls_market_sort(&s.table);
  add_up(&s.table);
  dls_market_drop_zeros(&s.table);
  dls_matrix *total = dls_market_matrix(&s.table);
  free(s.table.entries);
  return total;
}
