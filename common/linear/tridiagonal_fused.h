/* tridiagonal_sweep.h -- the solve of tridiagonal.h in two sweeps, for callers who make the right-hand side on the way, or have few
 * entries that are not 0, or change a few after a solve. All of them make the operations of dls_tridiagonal_solve in its order: what
 * comes out is the same to the last bit.
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

/* Factors as dls_tridiagonal_factor leaves them. */
typedef struct dls_tridiagonal {
  size_t n;
  const double *d, *e;
} dls_tridiagonal;

/* What a right-hand side is made of: f_i + alpha (K_i,i-1 x_i-1 + K_ii x_i + K_i,i+1 x_i+1), as dls_matrix_multiply adds it to f. */
typedef struct dls_fused_rhs {
  const double *band; /* K: entry (i,j) at 3 j + i - j + 1 */
  double alpha;
} dls_fused_rhs;

/* One of row i from the front and one of row j from behind, which are computed side by side. */
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

/* Row i by f_i, and x of it and the rows beside. */
DLS_FUSED double dls_fused_row(const dls_fused_rhs *rhs, size_t i, double f, double before, double here,
                               double after)
{
  const double *k = rhs->band + 3 * i;
  return f + rhs->alpha * (k[-1] * before + k[1] * here + k[3] * after);
}

/* Two rows by x of the rows beside them on the outer side and on that of the middle. */
DLS_FUSED dls_pair dls_fused_rows(const dls_fused_rhs *rhs, size_t i, size_t j, dls_pair f, dls_pair outer,
                                  dls_pair here, dls_pair inner)
{
  const double *k = rhs->band;
  const dls_pair before = {outer[0], inner[1]}, after = {inner[0], outer[1]};
  return f + rhs->alpha * (dls_pair_of(k - 1, 3 * i, 3 * j) * before + dls_pair_of(k + 1, 3 * i, 3 * j) * here +
                           dls_pair_of(k + 3, 3 * i, 3 * j) * after);
}

/* What is behind the middle in the order of dls_tridiagonal_solve; rows in front of it are swept, x[middle] is not.
 * @param[in] up, down  x of the rows beside it */
static inline double dls_fused_middle(const dls_tridiagonal *A, double x, double up, double down)
{
  const size_t middle = A->n / 2;
  const double by_up = A->e[middle - 1] * up, by_down = A->e[middle] * down;
  return A->n % 2 == 0 ? x - by_down - by_up : x - by_up - by_down;
}

/**
 * rhs_i := f_i + alpha (K x)_i, and y := L^{-1} rhs towards the middle.
 * @param[in]  A     of n >= DLS_FUSED_LEAST rows
 * @param[in]  load, strain  f and x of two rows; inlined
 * @param[out] rhs   n; NULL: not asked for
 * @param[out] y     n
 */
DLS_FUSED void dls_fused_inwards(const dls_tridiagonal *A, const dls_fused_rhs *f,
                                 dls_pair (*load)(const void *data, size_t i, size_t j),
                                 dls_pair (*strain)(const void *data, size_t i, size_t j), const void *data,
                                 double *restrict rhs, double *restrict y)
{
  const size_t n = A->n, last = n - 1, middle = n / 2, stop = (n - 1) / 2;
  const double *restrict e = A->e, *k = f->band;
  dls_pair outer = {0, 0}, here = strain(data, 0, last), inner = strain(data, 1, last - 1),
           own = load(data, 0, last);
  dls_pair swept = {own[0] + f->alpha * (k[1] * here[0] + k[3] * inner[0]),
                    own[1] + f->alpha * (k[3 * last - 1] * inner[1] + k[3 * last + 1] * here[1])};
  y[0] = swept[0];
  y[last] = swept[1];
  if (rhs != NULL) {
    rhs[0] = swept[0];
    rhs[last] = swept[1];
  }
  for (size_t i = 1, j = last - 1; i < stop; i++, j--) {
    outer = here;
    here = inner;
    inner = strain(data, i + 1, j - 1);
    own = dls_fused_rows(f, i, j, load(data, i, j), outer, here, inner);
    if (rhs != NULL) {
      rhs[i] = own[0];
      rhs[j] = own[1];
    }
    swept = own - (dls_pair){e[i - 1], e[j]} * swept;
    y[i] = swept[0];
    y[j] = swept[1];
  }
  for (size_t i = stop; i <= last - stop; i++) { /* one row, or two */
    y[i] = dls_fused_row(f, i, load(data, i, i)[0], strain(data, i - 1, i)[0], strain(data, i, i)[0],
                         strain(data, i + 1, i)[0]);
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

/** x := A^{-1} x where x is 0 outside of some rows. @return the rows outside of which it is 0 then */
dls_rows dls_tridiagonal_solve_few(const dls_tridiagonal *A, dls_rows rows, double *x);

/** Do solutions fall off by halves at least, as no |e| is above 1/2? @return the largest d then, else 0 */
double dls_tridiagonal_steepness(const dls_tridiagonal *A);
/**
 * dls_tridiagonal_solve_few as far as it goes near the rows, all in front of the middle or all behind it: what is farther towards the
 * middle, and beyond, is left 0. That it is no more than `rest`, as operations would leave it: entries y towards the middle fall by halves,
 * |x| <= 4 |y| max d behind them, and what x of a row depends on it is found by trying both signs of that.
 * @param[in]  largest  of dls_tridiagonal_steepness, > 0
 * @param[out] known    the rows that are as dls_tridiagonal_solve_few would leave them
 * @param[out] rest     what |x| is no more than in other rows, and in the two last of those
 * @return false if that cannot be said, x is spoilt then
 */
bool dls_tridiagonal_solve_near(const dls_tridiagonal *A, double largest, dls_rows rows, double *x,
                                dls_rows *known, double *rest);

/**
 * After a solve, with a right-hand side that has changed in some rows: y and x as a new solve would leave them.
 * @param[in]     rhs   n: the new one
 * @param[in]     rows  outside of which it is as before, bit for bit
 * @param[in,out] y     n: after the sweep towards the middle
 * @param[in,out] x     n: the solution, not in the place of y
 */
void dls_tridiagonal_mend(const dls_tridiagonal *A, const double *rhs, dls_rows rows, double *y, double *x);

#endif
