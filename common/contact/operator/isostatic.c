/* isostatic.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/isostatic.h"
#include <klu.h>
#include <stdlib.h>
#include <string.h>

enum {
  MANY = 1000, /* contacts: fewer are factored quickly in any way */
  WIDEST = 100 /* rows of a block of H_a that do not fill in by much */
};
static const double least_rcond = 1e-13; /* ratio of the pivots of blocks that are not singular */

struct dls_isostatic {
  dls_lcp_operator as_operator; /* that of general but for what follows */
  const dls_lcp_operator *general;
  const dls_delassus *D;
  const double *inverse;
  size_t count, entries;  /* contacts of the set that was factored or refused; room for entries of H_a */
  size_t contacts;        /* room */
  int *set;               /* count */
  bool known, square;     /* the set is that of the last time; H_a was factored */
  bool by_square;         /* the last factors asked for are those */
  int64_t *starts, *rows; /* H_a: contacts + 1, entries */
  double *values;         /* entries */
  int64_t *number;        /* n: of a row of H among those of H_a, or -1 */
  size_t *row;            /* contacts: the row of H */
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric;
};

static void forget(dls_isostatic *I)
{
  klu_l_free_numeric(&I->numeric, &I->common);
  klu_l_free_symbolic(&I->symbolic, &I->common);
  I->known = I->square = false;
}

static void free_room(dls_isostatic *I)
{
  forget(I);
  void *const arrays[] = {I->set, I->starts, I->rows, I->values, I->row};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  I->set = NULL;
  I->starts = I->rows = NULL;
  I->values = NULL;
  I->row = NULL;
  I->contacts = I->entries = 0;
}

void dls_isostatic_destroy(dls_isostatic *I)
{
  if (I != NULL) {
    free_room(I);
    free(I->number);
    free(I);
  }
}

static bool reserve(dls_isostatic *I, size_t contacts, size_t entries)
{
  if (contacts <= I->contacts && entries <= I->entries) {
    return true;
  }
  free_room(I);
  I->set = malloc(contacts * sizeof *I->set);
  I->starts = malloc((contacts + 1) * sizeof *I->starts);
  I->rows = malloc(entries * sizeof *I->rows);
  I->values = malloc(entries * sizeof *I->values);
  I->row = malloc(contacts * sizeof *I->row);
  if (I->set == NULL || I->starts == NULL || I->rows == NULL || I->values == NULL || I->row == NULL) {
    free_room(I);
    return false;
  }
  I->contacts = contacts;
  I->entries = entries;
  return true;
}

/* H_a in compressed columns. @return false if it has more rows than columns, or fewer */
static bool gather(dls_isostatic *I, size_t count, const int *set)
{
  const dls_delassus *D = I->D;
  size_t rows = 0, used = 0;
  memset(I->number, 0xff, D->n * sizeof *I->number); /* -1 */
  for (size_t k = 0; k < count; k++) {
    const dls_column c = dls_matrix_column(D->H, D->active[set[k]]);
    I->starts[k] = (int64_t)used;
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      if (I->number[i] < 0 && rows == count) {
        return false;
      }
      if (I->number[i] < 0) {
        I->row[rows] = i;
        I->number[i] = (int64_t)rows++;
      }
      I->rows[used] = I->number[i];
      I->values[used++] = c.values[e];
    }
  }
  I->starts[count] = (int64_t)used;
  return rows == count;
}

static size_t entries_of(const dls_delassus *D, size_t count, const int *set)
{
  size_t entries = 1;
  for (size_t k = 0; k < count; k++) {
    entries += dls_matrix_column(D->H, D->active[set[k]]).count;
  }
  return entries;
}

/* Blocks of H_a that are small, and regular. */
static bool factor_square(dls_isostatic *I, size_t count)
{
  klu_l_defaults(&I->common);
  I->symbolic = klu_l_analyze((int64_t)count, I->starts, I->rows, &I->common);
  if (I->symbolic == NULL || I->symbolic->maxblock > WIDEST) {
    return false;
  }
  I->numeric = klu_l_factor(I->starts, I->rows, I->values, I->symbolic, &I->common);
  return I->numeric != NULL && klu_l_rcond(I->symbolic, I->numeric, &I->common) &&
         I->common.rcond >= least_rcond;
}

/* Is (1) known for this set, or found? */
static bool is_square(dls_isostatic *I, size_t count, const int *set)
{
  if (I->known && count == I->count && memcmp(set, I->set, count * sizeof *set) == 0) {
    return I->square;
  }
  forget(I);
  if (!reserve(I, count, entries_of(I->D, count, set))) {
    return false;
  }
  memcpy(I->set, set, count * sizeof *set);
  I->count = count;
  I->known = true;
  I->square = gather(I, count, set) && factor_square(I, count);
  return I->square;
}

static dls_status factor(void *data, size_t count, const int *set, double shift)
{
  dls_isostatic *I = data;
  I->by_square = shift == 0 && count >= MANY && is_square(I, count, set);
  I->as_operator.structure = I->by_square ? "isostatic" : I->general->structure;
  return I->by_square ? DLS_OK : I->general->factor(I->general->data, count, set, shift);
}

/* x := H_a^{-1} M H_a^{-T} x */
static void solve_square(dls_isostatic *I, double *x)
{
  const int64_t n = (int64_t)I->count;
  klu_l_tsolve(I->symbolic, I->numeric, n, 1, x, &I->common); /* H_a^{-T} x */
  for (size_t k = 0; k < I->count; k++) {
    x[k] /= I->inverse[I->row[k]]; /* M */
  }
  klu_l_solve(I->symbolic, I->numeric, n, 1, x, &I->common); /* H_a^{-1} */
}

static dls_status solve(void *data, double *x)
{
  dls_isostatic *I = data;
  if (!I->by_square) {
    return I->general->solve(I->general->data, x);
  }
  solve_square(I, x);
  return DLS_OK;
}

static void multiply(void *data, const double *z, double *w, double *size)
{
  const dls_lcp_operator *W = ((const dls_isostatic *)data)->general;
  W->multiply(W->data, z, w, size);
}

static void sweep(void *data, const double *b, double *z)
{
  const dls_lcp_operator *W = ((const dls_isostatic *)data)->general;
  W->sweep(W->data, b, z);
}

/* All contacts, if all are pressed then; else as the general operator has it. */
static dls_status first_set(void *data, const double *b, unsigned char *active, double *z)
{
  dls_isostatic *I = data;
  const size_t n = I->as_operator.n;
  bool pressed = is_square(I, n, I->D->all);
  for (size_t i = 0; i < n; i++) {
    z[i] = -b[i];
  }
  if (pressed) {
    solve_square(I, z);
  }
  for (size_t i = 0; i < n && pressed; i++) {
    pressed = z[i] >= 0;
  }
  if (!pressed) {
    return I->general->first_set(I->general->data, b, active, z);
  }
  memset(active, 1, n);
  return DLS_OK;
}

dls_isostatic *dls_isostatic_create(const dls_delassus *D)
{
  dls_isostatic *I = calloc(1, sizeof *I);
  if (I == NULL || (I->number = malloc(D->n * sizeof *I->number)) == NULL) {
    free(I);
    return NULL;
  }
  I->D = D;
  klu_l_defaults(&I->common);
  return I;
}

const dls_lcp_operator *dls_isostatic_take(dls_isostatic *I, const double *inverse,
                                           const dls_lcp_operator *general)
{
  forget(I);
  if (I->D->count < MANY) {
    return general;
  }
  I->inverse = inverse;
  I->general = general;
  I->as_operator = *general;
  I->as_operator.data = I;
  I->as_operator.multiply = multiply;
  I->as_operator.sweep = sweep;
  I->as_operator.factor = factor;
  I->as_operator.first_set = first_set;
  I->as_operator.solve = solve;
  return &I->as_operator;
}
