/* block_matrix.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/multibody/block_matrix.h"
#include "common/contact/joints/elimination.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct dls_block_matrix {
  size_t order, count, diagonal, entries;
  dls_matrix_block *blocks; /* count */
  dls_matrix *J;            /* sparse */
  dls_elimination *path;    /* of J; NULL: it fills in too much */
  bool eliminated;          /* the factors are those of path */
  dls_matrix *full;         /* J, dense where it is small; else NULL */
  dls_factor *factor;       /* of full, or of J */
  dls_fallbacks *fallbacks; /* borrowed */
  uint32_t *
      place; /* in the values of J, of each entry of the blocks, in the order of the visit; then of the diagonal */
};

/* A walk over all entries of all blocks. */
typedef struct entry_visit {
  const dls_matrix_block *block;
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

/* Visit all entries, with those of the diagonal behind. @return how many there are */
static size_t list(dls_block_matrix *J, dls_entry *places)
{
  entry_visit w = {.places = places};
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
  J->J = dls_matrix_of_entries(J->order, J->order, J->entries, places);
  J->full = J->order <= DLS_BLOCK_MATRIX_DENSE ? dls_matrix_dense(J->order, J->order) : NULL;
  const dls_matrix *factored = J->order <= DLS_BLOCK_MATRIX_DENSE ? J->full : J->J;
  J->factor = J->J == NULL || factored == NULL ? NULL : dls_factor_create(&factored, 1);
  for (size_t k = 0; J->factor != NULL && k < J->entries; k++) {
    J->place[k] = (uint32_t)(dls_matrix_place(J->J, places[k].row, places[k].column) - J->J->values);
  }
  return J->factor != NULL && dls_elimination_create(J->J, NULL, J->order - J->diagonal, &J->path) == DLS_OK;
}

dls_block_matrix *dls_block_matrix_create(size_t order, size_t count, const dls_matrix_block *blocks,
                                          size_t diagonal, dls_fallbacks *fallbacks)
{
  dls_block_matrix *J = calloc(1, sizeof *J);
  if (J == NULL) {
    return NULL;
  }
  J->order = order;
  J->count = count;
  J->diagonal = diagonal;
  J->fallbacks = fallbacks;
  J->blocks = malloc(count * sizeof *blocks);
  bool done = J->blocks != NULL;
  if (done) {
    memcpy(J->blocks, blocks, count * sizeof *blocks);
    J->entries = list(J, NULL);
    dls_entry *places = malloc((J->entries + 1) * sizeof *places);
    J->place = malloc((J->entries + 1) * sizeof *J->place);
    done = places != NULL && J->place != NULL && connect(J, places);
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
    dls_elimination_destroy(J->path);
    dls_matrix_destroy(J->full);
    dls_matrix_destroy(J->J);
    free(J->place);
    free(J->blocks);
    free(J);
  }
}

/* J += coefficient A at these places. @return the next place */
static const uint32_t *add(double *J, const uint32_t *place, double coefficient, const double *x, size_t count)
{
  for (size_t e = 0; e < count; e++) {
    J[place[e]] += coefficient * x[e];
  }
  return place + count;
}

static void assemble(dls_block_matrix *J, const double *coefficients, double shrink)
{
  const uint32_t *place = J->place;
  dls_matrix_clear(J->J);
  for (size_t k = 0; k < J->count; k++) {
    const dls_matrix *A = J->blocks[k].A;
    if (A != NULL && A->storage == DLS_SPARSE) {
      place = add(J->J->values, place, coefficients[k], A->values, A->used);
    }
    for (size_t j = 0; A != NULL && A->storage != DLS_SPARSE && j < A->columns; j++) {
      const dls_column column = dls_matrix_column(A, j);
      place = add(J->J->values, place, coefficients[k], column.values, column.count);
    }
  }
  for (size_t i = J->diagonal; i < J->order; i++) {
    J->J->values[*place++] -= shrink;
  }
}

static void copy_entry(void *data, size_t i, size_t j, double x)
{
  dls_matrix_set(data, i, j, x);
}

dls_status dls_block_matrix_factor(dls_block_matrix *J, const double *coefficients, double shrink,
                                   dls_error *err)
{
  assemble(J, coefficients, shrink);
  J->eliminated = J->path != NULL && dls_elimination_factor(J->path, J->J, NULL, NULL, NULL, NULL);
  if (J->eliminated) {
    return DLS_OK;
  }
  if (J->path != NULL) {
    dls_count_fallback(J->fallbacks, J->full != NULL ? "joints-lu" : "joints-klu");
  }
  if (J->full != NULL) {
    dls_matrix_visit(J->J, copy_entry, J->full);
  }
  dls_factor_touch(J->factor);
  const double one = 1;
  return dls_factor_sum(J->factor, &one, err);
}

void dls_block_matrix_solve(dls_block_matrix *J, double *x)
{
  if (J->eliminated) {
    dls_elimination_solve(J->path, x, x + J->diagonal, x + J->diagonal);
  } else {
    dls_factor_solve(J->factor, x);
  }
}
