/* common/solve/lcp/block_pivoting.c -- block principal pivoting, also known as the primal-dual active set method:
 *   z_a = -W_aa^{-1} b_a, z = 0 elsewhere, w = W z + b;  then every i in a with z_i < 0 and every other with w_i < 0
 *   changes sides.
 * For P-matrices it terminates if the number of exchanges falls. If that has not fallen for some iterations, only the last
 * of the wrong indices changes sides (Murty's rule, which terminates for every P-matrix) until it falls again.
 * Sources: Kunisch, Rendl 2003, SIAM J. Optimization 14 (primal-dual active sets); Judice, Pires 1994, Computers &
 * Operations Research 21 (the safeguard); Murty 1974, Linear Algebra and its Applications 9.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>

enum {
  PATIENCE = 10, /* iterations without fewer wrong signs, as in Judice and Pires */
  MAX_CORRECTIONS = 3
};
static const double rounding = DLS_LCP_ZERO;

/* w := W z + b with the shift, and size. */
static void evaluate(dls_lcp_pivoting *p)
{
  const size_t n = p->W->n;
  for (size_t i = 0; i < n; i++) {
    p->w[i] = p->b[i];
    p->size[i] = fabs(p->b[i]);
  }
  p->W->multiply(p->W->data, p->z, p->w, p->size);
  for (size_t i = 0; p->shift > 0 && i < n; i++) {
    p->w[i] += p->shift * p->W->diagonal[i] * p->z[i];
  }
}

/* z_a -= W_aa^{-1} w_a, then recompute w. *left := the largest |w_i| / size_i in a. */
static dls_status correct(dls_lcp_pivoting *p, size_t count, double *left)
{
  for (size_t k = 0; k < count; k++) {
    p->x[k] = p->w[p->set[k]];
  }
  const dls_status status = p->W->solve(p->W->data, p->x);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t k = 0; k < count; k++) {
    p->z[p->set[k]] -= p->x[k];
  }
  evaluate(p);
  *left = 0;
  for (size_t k = 0; k < count; k++) {
    const double error = fabs(p->w[p->set[k]]);
    if (!(error <= *left * p->size[p->set[k]])) { /* written so that NaN fails */
      *left = error / p->size[p->set[k]];
    }
  }
  return DLS_OK;
}

/* z and w of the active set. */
static dls_status try_set(dls_lcp_pivoting *p)
{
  const size_t n = p->W->n;
  size_t count = 0;
  for (size_t i = 0; i < n; i++) {
    p->z[i] = 0;
    p->w[i] = p->b[i];
    p->size[i] = fabs(p->b[i]);
    if (p->active[i]) {
      p->set[count++] = (int)i;
    }
  }
  p->tried++;
  p->count = count;
  if (count == 0) {
    return DLS_OK;
  }
  dls_status status = p->W->factor(p->W->data, count, p->set, p->shift);
  double left = HUGE_VAL;
  for (int k = 0; status == DLS_OK && left > rounding && k < MAX_CORRECTIONS; k++) {
    status = correct(p, count, &left);
  }
  return status != DLS_OK || left <= DBL_MAX ? status : DLS_ERR_SINGULAR;
}

static bool wrong(const dls_lcp_pivoting *p, size_t i)
{
  return p->active[i] ? p->z[i] < 0 : p->w[i] < -rounding * p->size[i] && p->W->diagonal[i] > 0;
}

/* Count indices with the wrong sign, and find the last. */
static size_t count_wrong(const dls_lcp_pivoting *p, size_t *last)
{
  size_t count = 0;
  for (size_t i = 0; i < p->W->n; i++) {
    if (wrong(p, i)) {
      *last = i;
      count++;
    }
  }
  return count;
}

/* The set that Gauss-Seidel sweeps make of z: they move the contact boundary by several contacts, an exchange by one. */
static void improve(dls_lcp_pivoting *p)
{
  for (size_t i = 0; i < p->W->n; i++) {
    p->z[i] = p->z[i] > 0 ? p->z[i] : 0;
  }
  for (size_t k = 0; k < p->W->sweeps; k++) {
    p->W->sweep(p->W->data, p->b, p->z);
  }
  for (size_t i = 0; i < p->W->n; i++) {
    p->active[i] = p->z[i] > 0 && p->W->diagonal[i] > 0;
  }
}

dls_status dls_lcp_pivot(dls_lcp_pivoting *p)
{
  const size_t n = p->W->n;
  size_t fewest = n + 1, last = 0;
  int patience = PATIENCE;
  for (size_t round = 0; round < p->most; round++) {
    if (round > 0 && dls_interrupt_requested(p->interrupt)) {
      return DLS_ERR_INTERRUPTED;
    }
    const dls_status status = try_set(p);
    if (status != DLS_OK) {
      return status;
    }
    const size_t count = count_wrong(p, &last);
    if (count == 0) {
      return DLS_OK;
    }
    patience = count < fewest ? PATIENCE : patience - 1;
    fewest = count < fewest ? count : fewest;
    if (patience == PATIENCE && p->W->sweeps > 0 && round >= p->W->rounds) {
      improve(p);
      continue;
    }
    for (size_t i = patience >= 0 ? 0 : last; i <= last; i++) {
      p->active[i] ^= wrong(p, i);
    }
  }
  return DLS_ERR_NOCONV;
}

typedef struct dense {
  dls_lcp_sets sets;
  size_t count; /* count of the set whose factors are stored */
} dense;

static void multiply_dense(void *data, const double *z, double *w, double *size)
{
  const dls_lcp_sets *sets = &((const dense *)data)->sets;
  for (size_t j = 0; j < sets->n; j++) {
    const double *column = sets->W + j * sets->n;
    for (size_t i = 0; z[j] != 0 && i < sets->n; i++) {
      w[i] += column[i] * z[j];
      size[i] += fabs(column[i] * z[j]);
    }
  }
}

/* Dense W is never shifted: Lemke's method follows. */
static dls_status factor_dense(void *data, size_t count, const int *set, double shift)
{
  (void)shift;
  dense *D = data;
  D->count = count;
  for (size_t k = 0; k < count; k++) {
    D->sets.list[k] = set[k];
  }
  return dls_lcp_sets_factor(&D->sets, count) ? DLS_OK : DLS_ERR_SINGULAR;
}

static dls_status solve_dense(void *data, double *x)
{
  const dense *D = data;
  dls_lcp_sets_solve(&D->sets, D->count, x);
  return DLS_OK;
}

static size_t reals_of(size_t n)
{
  return dls_lcp_sets_reals(n) + 4 * n;
}

static size_t integers_of(size_t n)
{
  return dls_lcp_sets_integers(n) + 2 * n;
}

size_t dls_lcp_first_set(const dls_lcp_operator *W, const double *z, unsigned char *active)
{
  size_t guessed = 0, count = 0;
  for (size_t i = 0; i < W->n; i++) {
    guessed += z[i] > 0;
  }
  for (size_t i = 0; i < W->n; i++) {
    active[i] = W->diagonal[i] > 0 && (guessed == 0 || z[i] > 0);
    count += active[i];
  }
  return count;
}

static dls_status solve(size_t n, const double *W, const double *b, double tolerance, double *z, size_t *pivots,
                        double *reals, int *integers)
{
  (void)tolerance;
  dense D;
  double *own = reals + dls_lcp_sets_reals(n), *diagonal = own + 3 * n;
  int *set = integers + dls_lcp_sets_integers(n);
  dls_lcp_sets_start(&D.sets, n, W, b, z, reals, integers);
  for (size_t i = 0; i < n; i++) {
    diagonal[i] = W[i + i * n];
  }
  const dls_lcp_operator as_operator = {.n = n,
                                        .diagonal = diagonal,
                                        .data = &D,
                                        .multiply = multiply_dense,
                                        .factor = factor_dense,
                                        .solve = solve_dense};
  dls_lcp_pivoting p = {.W = &as_operator, .b = b, .z = z, .w = own, .size = own + n, .x = own + 2 * n};
  p.set = set;
  p.most = DLS_LCP_MOST_ROUNDS;
  p.active = (unsigned char *)(set + n);
  dls_lcp_first_set(&as_operator, z, p.active);
  const dls_status status = dls_lcp_pivot(&p);
  *pivots = p.tried;
  return status == DLS_ERR_SINGULAR ? DLS_ERR_LCP : status;
}

const dls_lcp_method dls_lcp_block_pivoting = {
    .name = "block-pivoting",
    .summary =
        "block principal pivoting with Murty's rule as a safeguard; dense, tridiagonal, sparse, saddle-point",
    .source = "J. J. Júdice and F. M. Pires, block principal pivoting (1994); K. Kunisch and F. Rendl (2003)",
    .largest = 1000,
    .reals = reals_of,
    .integers = integers_of,
    .solve = solve,
};
