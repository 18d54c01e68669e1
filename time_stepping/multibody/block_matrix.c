/* block_matrix.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/block_matrix.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdlib.h>
#include <string.h>

struct dls_block_matrix {
  size_t order, count, diagonal, entries;
  dls_matrix_block *blocks; /* count */
  dls_matrix *J;
  dls_factor *factor;
  double **entry; /* where each entry of the blocks goes, in the order of the visit; then the diagonal */
};

/* A walk over all entries of all blocks. */
typedef struct entry_visit {
  dls_block_matrix *J;
  const dls_matrix_block *block;
  double coefficient;
  dls_entry *places; /* NULL: do not list */
  size_t at;
} entry_visit;

static dls_entry place_in(const dls_matrix_block *b, size_t i, size_t j)
{
  return b->transposed ? (dls_entry){b->row + j, b->column + i} : (dls_entry){b->row + i, b->column + j};
}

static void count_entry(void *data, size_t i, size_t j, double x)
{
  entry_visit *w = data;
  (void)x;
  if (w->places != NULL) {
    w->places[w->at] = place_in(w->block, i, j);
  }
  w->at++;
}

static void add_entry(void *data, size_t i, size_t j, double x)
{
  entry_visit *w = data;
  (void)i, (void)j;
  *w->J->entry[w->at++] += w->coefficient * x;
}

/* Visit all entries, with those of the diagonal behind. @return how many there are */
static size_t list(dls_block_matrix *J, dls_entry *places)
{
  entry_visit w = {.J = J, .places = places};
  for (size_t k = 0; k < J->count; k++) {
    w.block = &J->blocks[k];
    if (w.block->A != NULL) {
      dls_matrix_visit(w.block->A, count_entry, &w);
    }
  }
  for (size_t i = J->diagonal; i < J->order; i++, w.at++) {
    if (places != NULL) {
      places[w.at] = (dls_entry){i, i};
    }
  }
  return w.at;
}

/* @return false if out of memory */
static bool connect(dls_block_matrix *J, dls_entry *places)
{
  list(J, places);
  J->J = J->order <= DLS_BLOCK_MATRIX_DENSE ? dls_matrix_dense(J->order, J->order)
                                            : dls_matrix_of_entries(J->order, J->order, J->entries, places);
  J->factor = J->J == NULL ? NULL : dls_factor_create((const dls_matrix *const[]){J->J}, 1);
  for (size_t k = 0; J->factor != NULL && k < J->entries; k++) {
    J->entry[k] = dls_matrix_place(J->J, places[k].row, places[k].column);
  }
  return J->factor != NULL;
}

dls_block_matrix *dls_block_matrix_create(size_t order, size_t count, const dls_matrix_block *blocks,
                                          size_t diagonal)
{
  dls_block_matrix *J = calloc(1, sizeof *J);
  if (J == NULL) {
    return NULL;
  }
  J->order = order;
  J->count = count;
  J->diagonal = diagonal;
  J->blocks = malloc(count * sizeof *blocks);
  bool done = J->blocks != NULL;
  if (done) {
    memcpy(J->blocks, blocks, count * sizeof *blocks);
    J->entries = list(J, NULL);
    dls_entry *places = malloc((J->entries + 1) * sizeof *places);
    J->entry = malloc((J->entries + 1) * sizeof(double *));
    done = places != NULL && J->entry != NULL && connect(J, places);
    free(places);
  }
  if (!done) {
    dls_block_matrix_destroy(J);
    return NULL;
  }
  return J;
}

void dls_block_matrix_destroy(dls_block_matrix *J)
{
  if (J != NULL) {
    dls_factor_destroy(J->factor);
    dls_matrix_destroy(J->J);
    free(J->entry);
    free(J->blocks);
    free(J);
  }
}

dls_status dls_block_matrix_factor(dls_block_matrix *J, const double *coefficients, double shrink,
                                   dls_error *err)
{
  entry_visit w = {.J = J};
  for (size_t k = 0; k < J->entries; k++) {
    *J->entry[k] = 0;
  }
  for (size_t k = 0; k < J->count; k++) {
    w.coefficient = coefficients[k];
    if (J->blocks[k].A != NULL) {
      dls_matrix_visit(J->blocks[k].A, add_entry, &w);
    }
  }
  for (; w.at < J->entries; w.at++) {
    *J->entry[w.at] -= shrink;
  }
  dls_factor_touch(J->factor);
  const double one = 1;
  return dls_factor_sum(J->factor, &one, err);
}

void dls_block_matrix_solve(dls_block_matrix *J, double *x)
{
  dls_factor_solve(J->factor, x);
}
