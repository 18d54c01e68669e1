/* rank_schur.c -- J = A (W + D) + B for a W whose bodies are not known, by the rank of W in groups of contacts.
 *
 * Contacts between the same two bodies are coupled with the same contacts, and their velocities depend on the relative motion of the two
 * bodies, which has 6 dimensions in space and 3 in the plane: the four corners of a face have 12 rows of rank 6. So a group is a set of
 * blocks that W couples with the same blocks. With an orthonormal basis R_g of its columns of W, by Gram-Schmidt with pivoting,
 *   W = R S R^T,   S = R^T W R.                                                                     (1)
 * With C = A D + B, G = C^{-1} A, both of blocks of up to 3 x 3, and y = S R^T x,
 *   J x = f  <=>  x = C^{-1} f - G R y,   (1 + S R^T G R) y = S R^T C^{-1} f.                       (2)
 * For a face of four corners this matrix has half the rows of J. Its pattern is that of S, groups by groups.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/large/rank_schur.h"
#include "common/base/memory.h"
#include "common/linear/block_lu.h"
#include "common/linear/storage.h"
#include "common/solve/large/block_inverse.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  double
      rank; /* of the longest column of a group: shorter rests are rounding of W. Steps with this error of J converge as before */
  double symmetric; /* of the largest entry: W_ij - W_ji up to this is rounding */
  double worth;     /* rows of S, of those of W: above, J itself is factored */
} limits = {1e-13, 1e-12, 0.8};

struct dls_rank_schur {
  size_t n, blocks, groups, rank; /* rows of W; rows of S */
  const size_t *first;            /* blocks + 1; borrowed */
  size_t *group_of;               /* blocks */
  size_t *member_at, *member;     /* groups + 1, blocks: blocks of a group */
  size_t *row_at, *row;           /* groups + 1, n: its rows in W */
  size_t *base;                   /* groups + 1: its first row in S */
  size_t *basis_at;               /* groups + 1: R_g in basis, rows by dimensions, column-major */
  size_t *pair_at, *pair;         /* groups + 1: the groups that it is coupled with */
  size_t *coupling_at;            /* pairs: S_hg of pair h of group g in coupling, column-major */
  double *basis, *coupling;
  double *inverse, *G; /* DLS_BLOCK_SIZE per block: C^{-1}, C^{-1} A */
  double *x, *b, *y;   /* n, rank, rank */
  double *small;       /* squares of the largest rank: R^T G R of a group, and a block of (2) */
  size_t *at;          /* n: scratch */
  dls_block_lu *lu;    /* of (2) */
};

void dls_rank_schur_destroy(dls_rank_schur *s)
{
  if (s == NULL) {
    return;
  }
  dls_block_lu_destroy(s->lu);
  void *const arrays[] = {s->group_of, s->member_at, s->member, s->row_at, s->row,         s->base,
                          s->basis_at, s->pair_at,   s->pair,   s->basis,  s->coupling_at, s->x,
                          s->coupling, s->inverse,   s->G,      s->small,  s->at,          s->b};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    free(arrays[k]);
  }
  free(s);
}

static bool is_symmetric(const dls_matrix *W)
{
  double largest = 0;
  for (size_t e = 0; e < W->used; e++) {
    largest = fmax(largest, fabs(W->values[e]));
  }
  for (size_t j = 0; j < W->columns; j++) {
    for (size_t e = dls_matrix_begin(W, j); e < dls_matrix_end(W, j); e++) {
      if (!(fabs(W->values[e] - dls_matrix_get(W, j, (size_t)W->row_of[e])) <= limits.symmetric * largest)) {
        return false;
      }
    }
  }
  return true;
}

/* --- groups --- */

/* A block, and a hash of the set of those that it is coupled with. */
typedef struct coupled {
  uint64_t hash;
  size_t block;
} coupled;

static int compare_coupled(const void *a, const void *b)
{
  const coupled *x = a, *y = b;
  return x->hash != y->hash ? (x->hash > y->hash) - (x->hash < y->hash)
                            : (x->block > y->block) - (x->block < y->block);
}

/* splitmix64 */
static uint64_t scramble(uint64_t x)
{
  x += 0x9e3779b97f4a7c15u;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
  return x ^ (x >> 31);
}

/* Two different sets with one hash would make one group of two, of higher rank: correct, only dearer. */
static void hash_blocks(dls_rank_schur *s, const dls_matrix *W, const size_t *block_of, coupled *list)
{
  memset(s->at, 0, s->n * sizeof *s->at);
  for (size_t k = 0; k < s->blocks; k++) {
    list[k] = (coupled){scramble(k), k};
    s->at[k] = k + 1;
    for (size_t j = s->first[k]; j < s->first[k + 1]; j++) {
      for (size_t e = dls_matrix_begin(W, j); e < dls_matrix_end(W, j); e++) {
        const size_t other = block_of[W->row_of[e]];
        list[k].hash += s->at[other] == k + 1 ? 0 : scramble(other);
        s->at[other] = k + 1;
      }
    }
  }
}

static void list_groups(dls_rank_schur *s, const coupled *list)
{
  size_t rows = 0;
  for (size_t i = 0; i < s->blocks; i++) {
    if (i == 0 || list[i].hash != list[i - 1].hash) {
      s->member_at[s->groups] = i;
      s->row_at[s->groups++] = rows;
    }
    const size_t k = s->member[i] = list[i].block;
    s->group_of[k] = s->groups - 1;
    for (size_t j = s->first[k]; j < s->first[k + 1]; j++) {
      s->row[rows++] = j;
    }
  }
  s->member_at[s->groups] = s->blocks;
  s->row_at[s->groups] = rows;
}

/* Groups that W couples with group g, g first. @param[out] pair  NULL: only count them */
static size_t list_pairs(dls_rank_schur *s, const dls_matrix *W, const size_t *block_of, size_t g, size_t *pair)
{
  size_t count = 1;
  s->at[g] = g + 1;
  if (pair != NULL) {
    pair[0] = g;
  }
  for (size_t i = s->row_at[g]; i < s->row_at[g + 1]; i++) {
    for (size_t e = dls_matrix_begin(W, s->row[i]); e < dls_matrix_end(W, s->row[i]); e++) {
      const size_t h = s->group_of[block_of[W->row_of[e]]];
      if (s->at[h] != g + 1) {
        s->at[h] = g + 1;
        if (pair != NULL) {
          pair[count] = h;
        }
        count++;
      }
    }
  }
  return count;
}

static bool find_pairs(dls_rank_schur *s, const dls_matrix *W, const size_t *block_of)
{
  memset(s->at, 0, s->n * sizeof *s->at);
  s->pair_at[0] = 0;
  for (size_t g = 0; g < s->groups; g++) {
    s->pair_at[g + 1] = s->pair_at[g] + list_pairs(s, W, block_of, g, NULL);
  }
  s->pair = malloc(s->pair_at[s->groups] * sizeof *s->pair);
  s->coupling_at = malloc((s->pair_at[s->groups] + 1) * sizeof *s->coupling_at);
  memset(s->at, 0, s->n * sizeof *s->at);
  for (size_t g = 0; g < s->groups && s->pair != NULL; g++) {
    list_pairs(s, W, block_of, g, s->pair + s->pair_at[g]);
  }
  return s->pair != NULL && s->coupling_at != NULL;
}

static bool find_groups(dls_rank_schur *s, const dls_matrix *W)
{
  size_t *block_of = malloc((s->n + 1) * sizeof *block_of);
  coupled *list = malloc((s->blocks + 1) * sizeof *list);
  bool done = block_of != NULL && list != NULL;
  if (done) {
    for (size_t k = 0; k < s->blocks; k++) {
      for (size_t i = s->first[k]; i < s->first[k + 1]; i++) {
        block_of[i] = k;
      }
    }
    hash_blocks(s, W, block_of, list);
    qsort(list, s->blocks, sizeof *list, compare_coupled);
    list_groups(s, list);
    done = find_pairs(s, W, block_of);
  }
  free(block_of);
  free(list);
  return done;
}

/* --- their bases, and S --- */

static double dot(size_t n, const double *x, const double *y)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * y[i];
  }
  return sum;
}

/* x -= (x . q) q */
static void orthogonalise(size_t n, const double *q, double *x)
{
  const double part = dot(n, q, x);
  for (size_t i = 0; i < n; i++) {
    x[i] -= part * q[i];
  }
}

/* The longest of the columns of p numbers. */
static size_t longest(size_t p, size_t columns, const double *Y, double *length)
{
  size_t best = 0;
  *length = 0;
  for (size_t j = 0; j < columns; j++) {
    const double square = dot(p, Y + p * j, Y + p * j);
    best = square > *length ? j : best;
    *length = square > *length ? square : *length;
  }
  *length = sqrt(*length);
  return best;
}

/* Gram-Schmidt with pivoting. @param[in,out] Y  p x columns @param[out] R  p x the dimension @return the dimension */
static size_t find_basis(size_t p, size_t columns, double *Y, double *R)
{
  double length = 0, least = 0;
  size_t rank = 0;
  for (; rank < p; rank++) {
    const size_t j = longest(p, columns, Y, &length);
    least = rank == 0 ? limits.rank * length : least;
    if (!(length > least)) {
      break;
    }
    double *q = R + p * rank;
    memcpy(q, Y + p * j, p * sizeof *q);
    for (size_t k = 0; k < rank; k++) { /* again, against rounding */
      orthogonalise(p, R + p * k, q);
    }
    const double scale = sqrt(dot(p, q, q));
    for (size_t i = 0; i < p; i++) {
      q[i] /= scale;
    }
    for (size_t k = 0; k < columns; k++) {
      orthogonalise(p, q, Y + p * k);
    }
  }
  return rank;
}

/* Y := the rows of group g in W, which is symmetric, without columns of zeros. @return their number; Y may be NULL */
static size_t gather_rows(dls_rank_schur *s, const dls_matrix *W, size_t g, double *Y)
{
  const size_t begin = s->row_at[g], p = s->row_at[g + 1] - begin;
  size_t columns = 0;
  for (size_t i = 0; i < p; i++) {
    const size_t j = s->row[begin + i];
    for (size_t e = dls_matrix_begin(W, j); e < dls_matrix_end(W, j); e++) {
      size_t *place = &s->at[W->row_of[e]];
      if (*place == SIZE_MAX) {
        *place = columns++;
        if (Y != NULL) {
          memset(Y + p * *place, 0, p * sizeof *Y);
        }
      }
      if (Y != NULL) {
        Y[i + p * *place] = W->values[e];
      }
    }
  }
  for (size_t i = 0; i < p; i++) {
    const size_t j = s->row[begin + i];
    for (size_t e = dls_matrix_begin(W, j); e < dls_matrix_end(W, j); e++) {
      s->at[W->row_of[e]] = SIZE_MAX;
    }
  }
  return columns;
}

static bool find_bases(dls_rank_schur *s, const dls_matrix *W)
{
  size_t most = 0, room = 0;
  memset(s->at, 0xff, s->n * sizeof *s->at);
  for (size_t g = 0; g < s->groups; g++) {
    const size_t p = s->row_at[g + 1] - s->row_at[g], size = p * gather_rows(s, W, g, NULL);
    most = size > most ? size : most;
    room += p * p;
  }
  double *Y = malloc((most + 1) * sizeof *Y);
  s->basis = malloc((room + 1) * sizeof *s->basis);
  const bool done = Y != NULL && s->basis != NULL;
  s->base[0] = s->basis_at[0] = 0;
  for (size_t g = 0; g < s->groups && done; g++) {
    const size_t p = s->row_at[g + 1] - s->row_at[g], columns = gather_rows(s, W, g, Y);
    const size_t rank = find_basis(p, columns, Y, s->basis + s->basis_at[g]);
    s->base[g + 1] = s->base[g] + rank;
    s->basis_at[g + 1] = s->basis_at[g] + p * rank;
  }
  s->rank = done ? s->base[s->groups] : 0;
  free(Y);
  return done;
}

static size_t dimension(const dls_rank_schur *s, size_t g)
{
  return s->base[g + 1] - s->base[g];
}

/* Column c of S in the rows of all pairs of group g, by t = W R_g's column. @param[in,out] t  n zeros */
static void couple_column(dls_rank_schur *s, const dls_matrix *W, size_t g, size_t c, double *t)
{
  const size_t begin = s->row_at[g], p = s->row_at[g + 1] - begin;
  const double *R = s->basis + s->basis_at[g] + p * c;
  for (size_t i = 0; i < p; i++) {
    const size_t j = s->row[begin + i];
    for (size_t e = dls_matrix_begin(W, j); e < dls_matrix_end(W, j); e++) {
      t[W->row_of[e]] += W->values[e] * R[i];
    }
  }
  for (size_t e = s->pair_at[g]; e < s->pair_at[g + 1]; e++) {
    const size_t h = s->pair[e], size = s->row_at[h + 1] - s->row_at[h], rows = dimension(s, h);
    const size_t *row = s->row + s->row_at[h];
    for (size_t k = 0; k < rows; k++) {
      double sum = 0;
      for (size_t i = 0; i < size; i++) {
        sum += s->basis[s->basis_at[h] + size * k + i] * t[row[i]];
      }
      s->coupling[s->coupling_at[e] + rows * c + k] = sum;
    }
    for (size_t i = 0; i < size; i++) {
      t[row[i]] = 0;
    }
  }
}

static bool find_couplings(dls_rank_schur *s, const dls_matrix *W)
{
  s->coupling_at[0] = 0;
  for (size_t g = 0; g < s->groups; g++) {
    for (size_t e = s->pair_at[g]; e < s->pair_at[g + 1]; e++) {
      s->coupling_at[e + 1] = s->coupling_at[e] + dimension(s, s->pair[e]) * dimension(s, g);
    }
  }
  s->coupling = malloc((s->coupling_at[s->pair_at[s->groups]] + 1) * sizeof *s->coupling);
  if (s->coupling == NULL) {
    return false;
  }
  memset(s->x, 0, s->n * sizeof *s->x);
  for (size_t g = 0; g < s->groups; g++) {
    for (size_t c = 0; c < dimension(s, g); c++) {
      couple_column(s, W, g, c, s->x);
    }
  }
  return true;
}

/* --- the matrix of (2) --- */

static bool lay_out(dls_rank_schur *s)
{
  size_t most = 0;
  for (size_t g = 0; g < s->groups; g++) {
    most = dimension(s, g) > most ? dimension(s, g) : most;
  }
  s->b = malloc((2 * s->rank + 1) * sizeof *s->b);
  s->y = s->b != NULL ? s->b + s->rank : NULL;
  s->small = malloc(dls_size_sum(dls_size_product(2 * most, most), 1) * sizeof *s->small);
  return s->b != NULL && s->small != NULL &&
         dls_block_lu_create(s->groups, s->base, s->pair_at, s->pair, &s->lu) == DLS_OK;
}

static bool allocate(dls_rank_schur *s)
{
  const size_t n = s->n, blocks = s->blocks, most = blocks + 1;
  s->group_of = malloc(most * sizeof *s->group_of);
  s->member_at = malloc(most * sizeof *s->member_at);
  s->member = malloc(most * sizeof *s->member);
  s->row_at = malloc(most * sizeof *s->row_at);
  s->row = malloc((n + 1) * sizeof *s->row);
  s->base = malloc(most * sizeof *s->base);
  s->basis_at = malloc(most * sizeof *s->basis_at);
  s->pair_at = malloc(most * sizeof *s->pair_at);
  s->at = malloc((n + 1) * sizeof *s->at);
  s->x = malloc((n + 1) * sizeof *s->x);
  s->inverse = malloc(DLS_BLOCK_SIZE * most * sizeof *s->inverse);
  s->G = malloc(DLS_BLOCK_SIZE * most * sizeof *s->G);
  return s->group_of != NULL && s->member_at != NULL && s->member != NULL && s->row_at != NULL &&
         s->row != NULL && s->base != NULL && s->basis_at != NULL && s->pair_at != NULL && s->at != NULL &&
         s->x != NULL && s->inverse != NULL && s->G != NULL;
}

dls_status dls_rank_schur_create(const dls_matrix *W, size_t blocks, const size_t *first,
                                 dls_rank_schur **schur)
{
  *schur = NULL;
  if (!is_symmetric(W)) {
    return DLS_OK;
  }
  dls_rank_schur *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return DLS_ERR_MEMORY;
  }
  s->n = W->columns;
  s->blocks = blocks;
  s->first = first;
  bool done = allocate(s) && find_groups(s, W) && find_bases(s, W);
  const bool worth = done && (double)s->rank <= limits.worth * (double)s->n;
  done = done && (!worth || (find_couplings(s, W) && lay_out(s)));
  if (!done || !worth) {
    dls_rank_schur_destroy(s);
    return done ? DLS_OK : DLS_ERR_MEMORY;
  }
  *schur = s;
  return DLS_OK;
}

/* --- factors and solves --- */

/* y := R_g y of group g, scattered into the rows of W. */
static void expand(const dls_rank_schur *s, size_t g, const double *y, double *x)
{
  const size_t begin = s->row_at[g], p = s->row_at[g + 1] - begin;
  for (size_t i = 0; i < p; i++) {
    double sum = 0;
    for (size_t k = 0; k < dimension(s, g); k++) {
      sum += s->basis[s->basis_at[g] + p * k + i] * y[k];
    }
    x[s->row[begin + i]] = sum;
  }
}

/* y := R_g^T x */
static void reduce(const dls_rank_schur *s, size_t g, const double *x, double *y)
{
  const size_t begin = s->row_at[g], p = s->row_at[g + 1] - begin;
  for (size_t k = 0; k < dimension(s, g); k++) {
    double sum = 0;
    for (size_t i = 0; i < p; i++) {
      sum += s->basis[s->basis_at[g] + p * k + i] * x[s->row[begin + i]];
    }
    y[k] = sum;
  }
}

/* x := X x for the blocks of group g, X of G or C^{-1}. */
static void apply_blocks(const dls_rank_schur *s, size_t g, const double *X, double *x)
{
  for (size_t i = s->member_at[g]; i < s->member_at[g + 1]; i++) {
    const size_t k = s->member[i], d = s->first[k + 1] - s->first[k];
    double old[3] = {0};
    memcpy(old, x + s->first[k], d * sizeof *old);
    dls_block_apply(d, X + DLS_BLOCK_SIZE * k, old, x + s->first[k]);
  }
}

/* small := R_g^T G R_g */
static void reduce_blocks(dls_rank_schur *s, size_t g)
{
  const size_t rank = dimension(s, g);
  for (size_t c = 0; c < rank; c++) {
    double *unit = s->b; /* scratch */
    memset(unit, 0, rank * sizeof *unit);
    unit[c] = 1;
    expand(s, g, unit, s->x);
    apply_blocks(s, g, s->G, s->x);
    reduce(s, g, s->x, s->small + rank * c);
  }
}

/* The columns of group g of 1 + S R^T G R. */
static void fill_columns(dls_rank_schur *s, size_t g)
{
  const size_t rank = dimension(s, g);
  double *block = s->small + rank * rank;
  reduce_blocks(s, g);
  for (size_t e = s->pair_at[g]; e < s->pair_at[g + 1]; e++) {
    const size_t rows = dimension(s, s->pair[e]);
    const double *S = s->coupling + s->coupling_at[e];
    for (size_t c = 0; c < rank; c++) {
      for (size_t i = 0; i < rows; i++) {
        double sum = s->pair[e] == g && i == c;
        for (size_t k = 0; k < rank; k++) {
          sum += S[i + rows * k] * s->small[k + rank * c];
        }
        block[i + rows * c] = sum;
      }
    }
    dls_block_lu_set(s->lu, s->pair[e], g, block);
  }
}

dls_status dls_rank_schur_factor(dls_rank_schur *s, const double *A, const double *D, const double *B)
{
  for (size_t k = 0; k < s->blocks; k++) {
    const size_t at = DLS_BLOCK_SIZE * k;
    if (!dls_block_prepare(s->first[k + 1] - s->first[k], A + at, D[k], B + at, s->inverse + at, s->G + at)) {
      return DLS_ERR_SINGULAR;
    }
  }
  dls_block_lu_clear(s->lu);
  for (size_t g = 0; g < s->groups; g++) {
    fill_columns(s, g);
  }
  return dls_block_lu_factor(s->lu);
}

void dls_rank_schur_solve(dls_rank_schur *s, double *x)
{
  memset(s->y, 0, s->rank * sizeof *s->y);
  for (size_t g = 0; g < s->groups; g++) { /* x := C^{-1} f, y := S R^T x */
    apply_blocks(s, g, s->inverse, x);
    reduce(s, g, x, s->b + s->base[g]);
    for (size_t e = s->pair_at[g]; e < s->pair_at[g + 1]; e++) {
      const size_t h = s->pair[e], rows = dimension(s, h);
      const double *S = s->coupling + s->coupling_at[e];
      for (size_t k = 0; k < dimension(s, g); k++) {
        for (size_t i = 0; i < rows; i++) {
          s->y[s->base[h] + i] += S[i + rows * k] * s->b[s->base[g] + k];
        }
      }
    }
  }
  dls_block_lu_solve(s->lu, s->y);
  for (size_t g = 0; g < s->groups; g++) { /* x -= G R y */
    expand(s, g, s->y + s->base[g], s->x);
    apply_blocks(s, g, s->G, s->x);
  }
  for (size_t i = 0; i < s->n; i++) {
    x[i] -= s->x[i];
  }
}

double dls_rank_schur_work(const dls_rank_schur *schur)
{
  return schur != NULL ? dls_block_lu_work(schur->lu) : 0;
}

size_t dls_rank_schur_rows(const dls_rank_schur *schur)
{
  return schur->rank;
}
