/* body_schur.c -- J = A (W + D) + B with W = H^T M^{-1} H, by the Schur complement on the bodies that the contacts
 * touch. With C = A D + B and y = M^{-1} H x
 *   J x = f  <=>  x = C^{-1} (f - A H^T y),   K y = H C^{-1} f,   K = M + H C^{-1} A H^T.                      (1)
 * C has blocks of up to 3 x 3. K has as many rows as M and couples two bodies only if they touch. For piles with redundant
 * contacts K is much smaller than J. Its pattern is computed once for a set of contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/body_schur.h"
#include "common/linear/klu_numbers.h"
#include "common/linear/storage.h"
#include "common/solve/large/block_inverse.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double diagonal =
    /* A diagonal pivot is accepted if it is at least this fraction of the largest: off-diagonal pivots fill K in.
     * Inaccurate steps are rejected later. */
    1e-8;

struct dls_body_schur {
  size_t n, blocks, rows, touches, entries, places; /* pattern of H */
  size_t pattern;                                   /* hash of the pattern */
  size_t *touch;                  /* blocks + 1: start of the rows of H that a block touches */
  size_t *row_of;                 /* touches: these rows, increasing */
  double *h;                      /* 3 touches: H there, for the rows of the block */
  size_t *place_of;               /* blocks + 1: start of the places of a block */
  uint32_t *place;                /* places: of the entries of H G H^T of a block, in values */
  int64_t *diagonal;              /* n: of M, in values */
  size_t *users_of;               /* n + 1 */
  uint32_t *user;                 /* touches: blocks that touch a row of H */
  int64_t *starts, *rows_of, *at; /* K: n + 1, entries; n: scratch */
  double *values, *factored;      /* K, and that of the factors */
  double *inverse, *G;            /* DLS_BLOCK_SIZE per block: C^{-1}, C^{-1} A */
  double *y, *mass;               /* n; n: M */
  const size_t *first;            /* of the last factor; borrowed */
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric;
  double work; /* of the last factors */
};

static void forget(dls_body_schur *b)
{
  klu_l_free_numeric(&b->numeric, &b->common);
  klu_l_free_symbolic(&b->symbolic, &b->common);
  void *const arrays[] = {b->touch,    b->row_of,  b->h,      b->place_of, b->place, b->diagonal,
                          b->users_of, b->user,    b->starts, b->rows_of,  b->at,    b->values,
                          b->factored, b->inverse, b->G,      b->y};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  *b = (dls_body_schur){.common = b->common};
}

void dls_body_schur_destroy(dls_body_schur *schur)
{
  if (schur != NULL) {
    forget(schur);
    free(schur);
  }
}

/* FNV-1a over the pattern of the columns of H and the blocks. */
static size_t pattern_of(const dls_problem_bodies *what, size_t blocks, const size_t *first)
{
  uint64_t hash = 14695981039346656037u;
  for (size_t k = 0; k < blocks; k++) {
    for (size_t i = first[k]; i < first[k + 1]; i++) {
      const dls_column c = dls_matrix_column(what->H, what->columns[i]);
      for (size_t e = 0; e < c.count; e++) {
        hash = (hash ^ dls_column_row(&c, e)) * 1099511628211u;
      }
      hash = (hash ^ (uint64_t)c.count << 32) * 1099511628211u;
    }
    hash = (hash ^ first[k + 1]) * 1099511628211u;
  }
  return (size_t)hash;
}

/* Rows of H that block k touches, increasing. @return their number; rows may be NULL */
static size_t touched(const dls_problem_bodies *what, const size_t *first, size_t k, size_t *rows)
{
  return dls_matrix_rows_of(what->H, first[k + 1] - first[k], what->columns + first[k], rows);
}

static bool lay_out_touches(dls_body_schur *b, const dls_problem_bodies *what, const size_t *first)
{
  b->touch = malloc((b->blocks + 1) * sizeof *b->touch);
  b->place_of = malloc((b->blocks + 1) * sizeof *b->place_of);
  if (b->touch == NULL || b->place_of == NULL) {
    return false;
  }
  b->touch[0] = b->place_of[0] = 0;
  for (size_t k = 0; k < b->blocks; k++) {
    const size_t count = touched(what, first, k, NULL);
    b->touch[k + 1] = b->touch[k] + count;
    b->place_of[k + 1] = b->place_of[k] + count * count;
  }
  b->touches = b->touch[b->blocks];
  b->places = b->place_of[b->blocks];
  b->row_of = malloc((b->touches + 1) * sizeof *b->row_of);
  b->user = malloc((b->touches + 1) * sizeof *b->user);
  b->users_of = calloc(b->n + 2, sizeof *b->users_of);
  if (b->row_of == NULL || b->user == NULL || b->users_of == NULL) {
    return false;
  }
  for (size_t k = 0; k < b->blocks; k++) {
    touched(what, first, k, b->row_of + b->touch[k]);
  }
  return true;
}

/* Blocks of each row of H. */
static void transpose(dls_body_schur *b)
{
  for (size_t t = 0; t < b->touches; t++) {
    b->users_of[b->row_of[t] + 2]++;
  }
  for (size_t i = 0; i < b->n; i++) {
    b->users_of[i + 2] += b->users_of[i + 1];
  }
  for (size_t k = 0; k < b->blocks; k++) {
    for (size_t t = b->touch[k]; t < b->touch[k + 1]; t++) {
      b->user[b->users_of[b->row_of[t] + 1]++] = (uint32_t)k;
    }
  }
}

/* Rows of column j of K: itself, and the rows touched by the blocks that touch it. at[i] > first: row i is there, at
 * that place.
 * @return their number */
static size_t column_of_K(dls_body_schur *b, size_t j, size_t begin, int64_t *rows)
{
  size_t count = 1;
  b->at[j] = (int64_t)begin;
  if (rows != NULL) {
    rows[0] = (int64_t)j;
  }
  for (size_t e = b->users_of[j]; e < b->users_of[j + 1]; e++) {
    const size_t k = b->user[e];
    for (size_t t = b->touch[k]; t < b->touch[k + 1]; t++) {
      const size_t i = b->row_of[t];
      if (b->at[i] < (int64_t)begin) {
        b->at[i] = (int64_t)(begin + count);
        if (rows != NULL) {
          rows[count] = (int64_t)i;
        }
        count++;
      }
    }
  }
  return count;
}

static void unmark(dls_body_schur *b)
{
  for (size_t i = 0; i < b->n; i++) {
    b->at[i] = -1;
  }
}

/* Places of the entries (i, j) of the blocks, with the pattern of column j known. */
static void note_places(dls_body_schur *b, size_t j)
{
  b->diagonal[j] = b->at[j];
  for (size_t e = b->users_of[j]; e < b->users_of[j + 1]; e++) {
    const size_t k = b->user[e], count = b->touch[k + 1] - b->touch[k];
    const size_t *rows = b->row_of + b->touch[k];
    size_t column = 0;
    while (rows[column] != j) {
      column++;
    }
    for (size_t t = 0; t < count; t++) {
      b->place[b->place_of[k] + t + count * column] = (uint32_t)b->at[rows[t]];
    }
  }
}

static bool lay_out_K(dls_body_schur *b)
{
  const size_t n = b->n;
  b->starts = malloc((n + 1) * sizeof *b->starts);
  b->at = malloc(n * sizeof *b->at);
  b->diagonal = malloc(n * sizeof *b->diagonal);
  b->place = malloc((b->places + 1) * sizeof *b->place);
  if (b->starts == NULL || b->at == NULL || b->diagonal == NULL || b->place == NULL) {
    return false;
  }
  unmark(b);
  b->starts[0] = 0;
  for (size_t j = 0; j < n; j++) {
    b->starts[j + 1] = b->starts[j] + (int64_t)column_of_K(b, j, (size_t)b->starts[j], NULL);
  }
  b->entries = (size_t)b->starts[n];
  if (b->entries > UINT32_MAX) {
    return false;
  }
  b->rows_of = malloc(b->entries * sizeof *b->rows_of);
  b->values = malloc(b->entries * sizeof *b->values);
  b->factored = malloc(b->entries * sizeof *b->factored);
  if (b->rows_of == NULL || b->values == NULL || b->factored == NULL) {
    return false;
  }
  unmark(b);
  for (size_t j = 0; j < n; j++) {
    column_of_K(b, j, (size_t)b->starts[j], b->rows_of + b->starts[j]);
    note_places(b, j);
  }
  b->symbolic = klu_l_analyze((int64_t)n, b->starts, b->rows_of, &b->common);
  return b->symbolic != NULL;
}

static bool lay_out(dls_body_schur *b, const dls_problem_bodies *what, size_t blocks, const size_t *first)
{
  forget(b);
  b->n = what->n;
  b->blocks = blocks;
  if (!lay_out_touches(b, what, first)) {
    return false;
  }
  transpose(b);
  b->h = malloc((3 * b->touches + 1) * sizeof *b->h);
  b->inverse = malloc(DLS_BLOCK_SIZE * blocks * sizeof *b->inverse);
  b->G = malloc(DLS_BLOCK_SIZE * blocks * sizeof *b->G);
  b->y = malloc(2 * b->n * sizeof *b->y);
  b->mass = b->y != NULL ? b->y + b->n : NULL;
  return b->h != NULL && b->inverse != NULL && b->G != NULL && b->y != NULL && lay_out_K(b);
}

/* h := H, block by block. */
static void copy_gradients(dls_body_schur *b, const dls_problem_bodies *what, const size_t *first)
{
  memset(b->h, 0, 3 * b->touches * sizeof *b->h);
  for (size_t k = 0; k < b->blocks; k++) {
    for (size_t i = first[k]; i < first[k + 1]; i++) {
      const dls_column c = dls_matrix_column(what->H, what->columns[i]);
      for (size_t e = 0, t = b->touch[k]; e < c.count; e++) {
        while (b->row_of[t] != dls_column_row(&c, e)) {
          t++;
        }
        b->h[3 * t + i - first[k]] = c.values[e];
      }
    }
  }
}

/* K += h G h^T of block k. */
static void add_block(dls_body_schur *b, size_t k)
{
  const size_t count = b->touch[k + 1] - b->touch[k];
  const double *h = b->h + 3 * b->touch[k], *G = b->G + DLS_BLOCK_SIZE * k;
  const uint32_t *place = b->place + b->place_of[k];
  for (size_t j = 0; j < count; j++) {
    double g[3];
    for (size_t i = 0; i < 3; i++) {
      g[i] = G[i] * h[3 * j] + G[i + 3] * h[3 * j + 1] + G[i + 6] * h[3 * j + 2];
    }
    for (size_t i = 0; i < count; i++) {
      b->values[place[i + count * j]] += h[3 * i] * g[0] + h[3 * i + 1] * g[1] + h[3 * i + 2] * g[2];
    }
  }
}

static dls_body_schur *take(dls_body_schur **schur)
{
  dls_body_schur *b = *schur != NULL ? *schur : calloc(1, sizeof *b);
  if (b != NULL && *schur == NULL) {
    klu_l_defaults(&b->common);
    b->common.tol = diagonal;
  }
  return *schur = b;
}

/* A NaN differs from itself. */
static bool same(size_t count, const double *x, const double *y)
{
  size_t i = 0;
  while (i < count && x[i] == y[i]) {
    i++;
  }
  return i == count;
}

dls_status dls_body_schur_factor(dls_body_schur **schur, const dls_problem_bodies *what, size_t blocks,
                                 const size_t *first, const double *A, const double *D, const double *B)
{
  dls_body_schur *b = take(schur);
  const size_t pattern = pattern_of(what, blocks, first);
  if (b == NULL) {
    return DLS_ERR_MEMORY;
  }
  if (b->symbolic == NULL || b->pattern != pattern || b->n != what->n || b->blocks != blocks) {
    if (!lay_out(b, what, blocks, first)) {
      forget(b);
      return DLS_ERR_MEMORY;
    }
    b->pattern = pattern;
  }
  b->first = first;
  copy_gradients(b, what, first);
  memset(b->values, 0, b->entries * sizeof *b->values);
  for (size_t i = 0; i < b->n; i++) {
    b->values[b->diagonal[i]] = b->mass[i] = 1 / what->inverse_mass[i];
  }
  for (size_t k = 0; k < blocks; k++) {
    if (!dls_block_prepare(first[k + 1] - first[k], A + DLS_BLOCK_SIZE * k, D[k], B + DLS_BLOCK_SIZE * k,
                           b->inverse + DLS_BLOCK_SIZE * k, b->G + DLS_BLOCK_SIZE * k)) {
      return DLS_ERR_SINGULAR;
    }
    add_block(b, k);
  }
  b->work = 0;
  if (b->numeric != NULL && same(b->entries, b->values, b->factored)) { /* contacts stick for many steps */
    return DLS_OK;
  }
  memcpy(b->factored, b->values, b->entries * sizeof *b->values);
  const dls_status status =
      dls_klu_numbers(b->starts, b->rows_of, b->values, b->symbolic, &b->numeric, &b->common);
  if (status == DLS_OK) {
    klu_l_flops(b->symbolic, b->numeric, &b->common);
    b->work = b->common.flops;
  }
  return status;
}

size_t dls_body_schur_stiff(const dls_body_schur *b, double part)
{
  const double *pivot = b->numeric->Udiag,
               *scale = b->numeric->Rs; /* both in the order of the pivots; rows are divided by scale */
  size_t count = 0;
  for (size_t k = 0; k < b->n; k++) {
    count += fabs(pivot[k]) * scale[k] > part * b->mass[b->numeric->Pnum[k]];
  }
  return count;
}

double dls_body_schur_work(const dls_body_schur *schur)
{
  return schur != NULL ? schur->work : 0;
}

void dls_body_schur_solve(dls_body_schur *b, double *x)
{
  memset(b->y, 0, b->n * sizeof *b->y);
  for (size_t k = 0; k < b->blocks; k++) { /* x := C^{-1} f, y := H x */
    double f[3] = {0};
    const double *X = b->inverse + DLS_BLOCK_SIZE * k;
    double *of = x + b->first[k];
    const size_t d = b->first[k + 1] - b->first[k];
    memcpy(f, of, d * sizeof *f);
    dls_block_apply(d, X, f, of);
    for (size_t t = b->touch[k]; t < b->touch[k + 1]; t++) {
      for (size_t i = 0; i < d; i++) {
        b->y[b->row_of[t]] += b->h[3 * t + i] * of[i];
      }
    }
  }
  klu_l_solve(b->symbolic, b->numeric, (int64_t)b->n, 1, b->y, &b->common);
  for (size_t k = 0; k < b->blocks; k++) { /* x -= G H^T y */
    double u[3] = {0}, change[3];
    const size_t d = b->first[k + 1] - b->first[k];
    for (size_t t = b->touch[k]; t < b->touch[k + 1]; t++) {
      for (size_t i = 0; i < 3; i++) {
        u[i] += b->h[3 * t + i] * b->y[b->row_of[t]];
      }
    }
    dls_block_apply(d, b->G + DLS_BLOCK_SIZE * k, u, change);
    for (size_t i = 0; i < d; i++) {
      x[b->first[k] + i] -= change[i];
    }
  }
}
