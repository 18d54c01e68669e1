/* tridiagonal_fused.h -- the solve of tridiagonal.h in two sweeps, for callers that compute the right-hand side during
 * the sweep, have few nonzero entries, or change a few after a solve. All functions repeat the operations of
 * dls_tridiagonal_solve in its order, so the results are equal bit for bit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_TRIDIAGONAL_SWEEP_H
#define DELASSUS_COMMON_LINEAR_TRIDIAGONAL_SWEEP_H

#include "common/linear/tridiagonal.h"

#define DLS_FUSED static inline __attribute__((always_inline))

enum { DLS_FUSED_LEAST = 8 }; /* rows */

/* Rows [first, past). */
typedef struct dls_rows {
  size_t first, past;
} dls_rows;

/* Factors of dls_tridiagonal_factor. */
typedef struct dls_tridiagonal {
  size_t n;
  const double *d, *e;
} dls_tridiagonal;

/* Terms of a right-hand side: f_i + alpha (K_i,i-1 x_i-1 + K_ii x_i + K_i,i+1 x_i+1), as dls_matrix_multiply adds them
 * to f. */
typedef struct dls_fused_rhs {
  const double *band; /* K: entry (i,j) at 3 j + i - j + 1 */
  double alpha;
} dls_fused_rhs;

/* Numbers of row i of the first half and row j of the second, which are computed together. */
typedef double dls_pair __attribute__((vector_size(2 * sizeof(double))));

DLS_FUSED dls_pair dls_pair_of(const double *x, size_t i, size_t j)
{
  return (dls_pair){x[i], x[j]};
}

/** The load of a system without one. */
DLS_FUSED dls_pair dls_fused_no_load(const void *data, size_t i, size_t j)
{
  (void)data, (void)i, (void)j;
  return (dls_pair){0, 0};
}

/* Row i from f_i and from x of it and the rows beside it. */
DLS_FUSED double dls_fused_row(const dls_fused_rhs *rhs, size_t i, double f, double before, double here,
                               double after)
{
  const double *k = rhs->band + 3 * i;
  return f + rhs->alpha * (k[-1] * before + k[1] * here + k[3] * after);
}

/* Two rows, from x of their neighbours on the outer side and towards the middle. */
DLS_FUSED dls_pair dls_fused_rows(const dls_fused_rhs *rhs, size_t i, size_t j, dls_pair f, dls_pair outer,
                                  dls_pair here, dls_pair inner)
{
  const double *k = rhs->band;
  const dls_pair before = {outer[0], inner[1]}, after = {inner[0], outer[1]};
  return f + rhs->alpha * (dls_pair_of(k - 1, 3 * i, 3 * j) * before + dls_pair_of(k + 1, 3 * i, 3 * j) * here +
                           dls_pair_of(k + 3, 3 * i, 3 * j) * after);
}

/* The middle row in the order of dls_tridiagonal_solve; the rows before it are swept, x[middle] is not.
 * @param[in] up, down  x of the rows beside it */
static inline double dls_fused_middle(const dls_tridiagonal *A, double x, double up, double down)
{
  const size_t middle = A->n / 2;
  const double by_up = A->e[middle - 1] * up, by_down = A->e[middle] * down;
  return A->n % 2 == 0 ? x - by_down - by_up : x - by_up - by_down;
}

/* A term alpha K x of a right-hand side, by rows of the first and of the second half that are computed together. */
typedef struct dls_fused_term {
  const dls_fused_rhs *of;
  dls_pair (*at)(const void *data, size_t i, size_t j); /* x of two rows; inlined. NULL: no term */
  dls_pair outer, here, inner;                          /* x of the present rows and of those beside them */
} dls_fused_term;

/* The first row and the last one, added to own. */
DLS_FUSED dls_pair dls_fused_ends(dls_fused_term *s, const void *data, size_t last, dls_pair own)
{
  if (s->at == NULL) {
    return own;
  }
  const double *k = s->of->band;
  s->here = s->at(data, 0, last);
  s->inner = s->at(data, 1, last - 1);
  return (dls_pair){own[0] + s->of->alpha * (k[1] * s->here[0] + k[3] * s->inner[0]),
                    own[1] + s->of->alpha * (k[3 * last - 1] * s->inner[1] + k[3 * last + 1] * s->here[1])};
}

/* The next two rows towards the middle. */
DLS_FUSED dls_pair dls_fused_next(dls_fused_term *s, const void *data, size_t i, size_t j, dls_pair own)
{
  if (s->at == NULL) {
    return own;
  }
  s->outer = s->here;
  s->here = s->inner;
  s->inner = s->at(data, i + 1, j - 1);
  return dls_fused_rows(s->of, i, j, own, s->outer, s->here, s->inner);
}

/* One row, with x of its neighbours read again. */
DLS_FUSED double dls_fused_single(const dls_fused_term *s, const void *data, size_t i, double own)
{
  return s->at == NULL ? own
                       : dls_fused_row(s->of, i, own, s->at(data, i - 1, i)[0], s->at(data, i, i)[0],
                                       s->at(data, i + 1, i)[0]);
}

/**
 * rhs := f + alpha_1 K_1 x_1 + alpha_2 K_2 x_2, and y := L^{-1} rhs towards the middle.
 * @param[in]  A     of n >= DLS_FUSED_LEAST rows
 * @param[in]  load  f of two rows; inlined
 * @param[in]  first, second  the terms, in the order in which they are added
 * @param[out] rhs   n; NULL: not wanted
 * @param[out] y     n
 */
DLS_FUSED void dls_fused_inwards(const dls_tridiagonal *A,
                                 dls_pair (*load)(const void *data, size_t i, size_t j), dls_fused_term first,
                                 dls_fused_term second, const void *data, double *restrict rhs,
                                 double *restrict y)
{
  const size_t n = A->n, last = n - 1, middle = n / 2, stop = (n - 1) / 2;
  const double *restrict e = A->e;
  dls_pair own = dls_fused_ends(&first, data, last, load(data, 0, last));
  own = dls_fused_ends(&second, data, last, own);
  dls_pair swept = own;
  y[0] = swept[0];
  y[last] = swept[1];
  if (rhs != NULL) {
    rhs[0] = swept[0];
    rhs[last] = swept[1];
  }
  for (size_t i = 1, j = last - 1; i < stop; i++, j--) {
    own = dls_fused_next(&first, data, i, j, load(data, i, j));
    own = dls_fused_next(&second, data, i, j, own);
    if (rhs != NULL) {
      rhs[i] = own[0];
      rhs[j] = own[1];
    }
    swept = own - (dls_pair){e[i - 1], e[j]} * swept;
    y[i] = swept[0];
    y[j] = swept[1];
  }
  for (size_t i = stop; i <= last - stop; i++) { /* one row, or two */
    y[i] = dls_fused_single(&second, data, i, dls_fused_single(&first, data, i, load(data, i, i)[0]));
    if (rhs != NULL) {
      rhs[i] = y[i];
    }
  }
  for (size_t i = stop; i < middle; i++) {
    y[i] -= e[i - 1] * y[i - 1];
  }
  for (size_t j = last - stop; j > middle; j--) {
    y[j] -= e[j] * y[j + 1];
  }
  y[middle] = dls_fused_middle(A, y[middle], y[middle - 1], y[middle + 1]);
}

/* x := L^{-T} D^{-1} y away from the middle; x may be y. */
void dls_tridiagonal_outwards(const dls_tridiagonal *A, const double *y, double *x);

/** x := A^{-1} x where x is 0 outside `rows`. @return the rows outside of which it is 0 afterwards */
dls_rows dls_tridiagonal_solve_few(const dls_tridiagonal *A, dls_rows rows, double *x);

/** Do solutions decay at least by halves, because no |e| exceeds 1/2? @return if so, the largest d; else 0 */
double dls_tridiagonal_steepness(const dls_tridiagonal *A);
/**
 * dls_tridiagonal_solve_few near the rows, which are all before the middle or all after it; x farther towards the middle
 * and beyond stays 0. Its value there is at most `rest`: entries y towards the middle decay by halves, and |x| <= 4 |y| max
 * d beyond them. Which rows depend on it is found by trying both signs of the bound.
 * @param[in]  largest  of dls_tridiagonal_steepness, > 0
 * @param[out] known    the rows equal to those of dls_tridiagonal_solve_few
 * @param[out] rest     bound of |x| in other rows, and in the two last of those
 * @return false if no bound was found; x is then overwritten
 */
bool dls_tridiagonal_solve_near(const dls_tridiagonal *A, double largest, dls_rows rows, double *x,
                                dls_rows *known, double *rest);

/**
 * After a solve, when the right-hand side has changed in some rows: y and x as from a new solve.
 * @param[in]     rhs   n: the new one
 * @param[in]     rows  outside of which it is unchanged, bit for bit
 * @param[in,out] y     n: after the sweep towards the middle
 * @param[in,out] x     n: the solution; must not overlap y
 */
void dls_tridiagonal_mend(const dls_tridiagonal *A, const double *rhs, dls_rows rows, double *y, double *x);

#endif
