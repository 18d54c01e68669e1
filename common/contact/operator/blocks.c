/* blocks.c -- S W + B with block-diagonal S and B, by the operators that factor it for contact problems. Where W is not an array
 * the pattern stays: that of all blocks of late, with S = 0, B = 1, x = 0 for those that are not asked for. Sets that change back
 * and forth, as in Newton's method, then cost no order of elimination and no memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/solve/friction/friction_methods.h"
#include <stdlib.h>
#include <string.h>

enum {
  WIDE = 2,
  LATE = 100
}; /* times the blocks asked for: for so many requests in turn, then the pattern is theirs */

struct dls_blocks {
  dls_dense_operator *dense; /* NULL before their first use */
  dls_sparse_operator *sparse;
  size_t room;              /* blocks */
  size_t d, count;          /* of the pattern */
  size_t wide;              /* requests in turn for which it was too wide */
  size_t *rows, *merged;    /* d room each: its rows, increasing; scratch */
  size_t *first, *asked_by; /* room + 1: first row of each block; which block of those asked for, + 1, or 0 */
  double *none;             /* room: 0 */
  double *S, *B, *x;        /* DLS_BLOCK, DLS_BLOCK and d a block */
};

static void free_room(struct dls_blocks *b)
{
  void *const arrays[] = {b->rows, b->merged, b->first, b->asked_by, b->none, b->S, b->B, b->x};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  *b = (struct dls_blocks){.dense = b->dense, .sparse = b->sparse};
}

void dls_blocks_destroy(struct dls_blocks *blocks)
{
  if (blocks != NULL) {
    dls_dense_operator_destroy(blocks->dense);
    dls_sparse_operator_destroy(blocks->sparse);
    free_room(blocks);
    free(blocks);
  }
}

/* Room for all blocks of d columns that H has. @return false if out of memory */
static bool reserve(dls_delassus *D, size_t d)
{
  D->blocks = D->blocks != NULL ? D->blocks : calloc(1, sizeof *D->blocks);
  struct dls_blocks *b = D->blocks;
  const size_t room = D->m / d;
  if (b == NULL || (b->room >= room && b->d == d)) {
    return b != NULL;
  }
  free_room(b);
  b->rows = malloc(d * room * sizeof *b->rows);
  b->merged = malloc(d * room * sizeof *b->merged);
  b->first = malloc((room + 1) * sizeof *b->first);
  b->asked_by = malloc(room * sizeof *b->asked_by);
  b->none = calloc(room, sizeof *b->none);
  b->S = malloc(DLS_BLOCK * room * sizeof *b->S);
  b->B = malloc(DLS_BLOCK * room * sizeof *b->B);
  b->x = malloc(d * room * sizeof *b->x);
  if (b->rows == NULL || b->merged == NULL || b->first == NULL || b->asked_by == NULL || b->none == NULL ||
      b->S == NULL || b->B == NULL || b->x == NULL) {
    free_room(b);
    return false;
  }
  for (size_t k = 0; k <= room; k++) {
    b->first[k] = d * k;
  }
  b->d = d;
  b->room = room;
  return true;
}

bool dls_delassus_reserve_blocks(dls_delassus *D, size_t d)
{
  return dls_delassus_reserve_problem(D) && reserve(D, d) &&
         dls_dense_operator_reserve(&D->blocks->dense, D->W_capacity);
}

/* The pattern: the blocks asked for, and with `keep` those of late. */
static void merge(struct dls_blocks *b, size_t count, const size_t *active, bool keep)
{
  const size_t d = b->d, old = keep ? b->count : 0;
  size_t place = 0;
  for (size_t i = 0, k = 0; i < old || k < count; place++) {
    const bool late = k == count || (i < old && b->rows[d * i] <= active[d * k]);
    const bool asked = i == old || (k < count && active[d * k] <= b->rows[d * i]);
    memcpy(b->merged + d * place, asked ? active + d * k : b->rows + d * i, d * sizeof *b->merged);
    b->asked_by[place] = asked ? k + 1 : 0;
    i += late; /* i < old then */
    k += asked;
  }
  size_t *const rows = b->rows;
  b->rows = b->merged;
  b->merged = rows;
  b->count = place;
}

static void lay_out(struct dls_blocks *b, size_t count, const size_t *active, bool keep)
{
  merge(b, count, active, keep);
  b->wide = b->count > WIDE * count ? b->wide + 1 : 0;
  if (b->wide == LATE) {
    merge(b, count, active, false);
    b->wide = 0;
  }
}

/* S, B and x of the whole pattern. */
static void spread(struct dls_blocks *b, const double *S, const double *B, const double *x)
{
  static const double zero[DLS_BLOCK] = {0}, one[DLS_BLOCK] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (size_t place = 0; place < b->count; place++) {
    const size_t k = b->asked_by[place];
    memcpy(b->S + DLS_BLOCK * place, k > 0 ? S + DLS_BLOCK * (k - 1) : zero, sizeof zero);
    memcpy(b->B + DLS_BLOCK * place, k > 0 ? B + DLS_BLOCK * (k - 1) : one, sizeof one);
    memcpy(b->x + b->d * place, k > 0 ? x + b->d * (k - 1) : zero, b->d * sizeof *x);
  }
}

static void collect(const struct dls_blocks *b, double *x)
{
  for (size_t place = 0; place < b->count; place++) {
    if (b->asked_by[place] > 0) {
      memcpy(x + b->d * (b->asked_by[place] - 1), b->x + b->d * place, b->d * sizeof *x);
    }
  }
}

/* W, gathered, as what can be factored with S and B. @return NULL if out of memory */
static const dls_problem_operator *operator_of(dls_delassus *D)
{
  if (D->now->matrix != NULL) {
    return dls_sparse_operator_take(&D->blocks->sparse, D->now->matrix, NULL, false);
  }
  if (D->now->problem != NULL) {
    return D->now->problem;
  }
  return dls_delassus_make_array(D) ? dls_dense_operator_take(&D->blocks->dense, D->count, D->W) : NULL;
}

static dls_status solve(dls_delassus *D)
{
  struct dls_blocks *b = D->blocks;
  const dls_problem_operator *W = operator_of(D);
  const dls_status status =
      W == NULL ? DLS_ERR_MEMORY : W->factor(W->data, b->count, b->first, b->S, b->none, b->B);
  if (status == DLS_OK) {
    W->solve(W->data, b->x);
  }
  return status;
}

dls_status dls_delassus_solve_blocks(dls_delassus *D, size_t d, size_t count, const size_t *active,
                                     const double *S, const double *B, double *x, dls_error *err)
{
  if (count == 0) {
    return DLS_OK;
  }
  dls_status status = DLS_ERR_MEMORY;
  if (reserve(D, d)) {
    lay_out(D->blocks, count, active, dls_sparse_applies(D) || dls_saddle_applies(D, d * count));
    status = dls_delassus_gather(D, d * D->blocks->count, D->blocks->rows, NULL);
  }
  if (status == DLS_OK) {
    spread(D->blocks, S, B, x);
    status = solve(D);
  }
  if (status != DLS_OK) {
    return dls_fail(err, status,
                    status == DLS_ERR_MEMORY ? "no memory for the forces of %zu contacts"
                                             : "the forces of %zu contacts are not determined",
                    count);
  }
  collect(D->blocks, x);
  return DLS_OK;
}
