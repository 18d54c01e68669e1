/* principal_nearby.c -- systems with W_aa for a set a that differs in a few contacts from the one that is factored:
 * conjugate gradients with the factors as preconditioner. All but a few eigenvalues are 1 then, and it takes about as
 * many iterations as contacts have come or gone, or fewer.
 * Source: Golub, Van Loan 2013, "Matrix computations", section 11.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/principal_parts.h"
#include <string.h>

enum {
  SMALLEST = 2000,  /* contacts: factors of fewer are quickly made */
  MOST_CHANGES = 8, /* contacts that come or go */
  MOST_ITERATIONS = 20
};
static const double reduction = 1e-29; /* of r^T B r: all digits of the solution */

/* Contacts that are in one of two increasing lists only. */
static size_t count_changes(size_t count, const int *a, size_t other, const int *b)
{
  size_t i = 0, k = 0, changes = 0;
  while (i < count && k < other) {
    changes += a[i] != b[k];
    const int least = a[i] < b[k] ? a[i] : b[k];
    i += a[i] == least;
    k += b[k] == least;
  }
  return changes + (count - i) + (other - k);
}

bool dls_nearby_takes(dls_principal *P, size_t count, const int *set, double shift)
{
  if (P->tridiagonal || !P->current || P->made != DLS_OK || shift != P->shift || count < SMALLEST ||
      count_changes(count, set, P->count, P->set) > MOST_CHANGES) {
    return false;
  }
  memmove(P->asked, set, count * sizeof *set);
  P->asked_count = count;
  return true;
}

/* y := B r: the factors for what is in both sets, the diagonal for what is new; r is 0 outside the set asked; t is
 * scratch. */
static dls_status precondition(dls_principal *P, const double *r, double *y, double *t)
{
  for (size_t k = 0; k < P->count; k++) {
    t[k] = r[P->set[k]];
  }
  const dls_status status = dls_cholesky_solve(P->cholesky, t);
  for (size_t k = 0; k < P->asked_count; k++) {
    const size_t i = (size_t)P->asked[k];
    y[i] = P->position[i] >= 0 ? t[P->position[i]] : r[i] / (dls_matrix_get(P->W, i, i) * (1 + P->shift));
  }
  return status;
}

/* y := (W_aa + shift diag(W_aa)) x on the set asked; x is 0 outside. */
static void multiply(const dls_principal *P, const double *x, double *y)
{
  for (size_t k = 0; k < P->asked_count; k++) {
    const size_t i = (size_t)P->asked[k];
    y[i] = dls_matrix_column_dot(P->W, i, x);
    y[i] += P->shift > 0 ? P->shift * dls_matrix_get(P->W, i, i) * x[i] : 0;
  }
}

static double dot(const dls_principal *P, const double *x, const double *y)
{
  double sum = 0;
  for (size_t k = 0; k < P->asked_count; k++) {
    sum += x[P->asked[k]] * y[P->asked[k]];
  }
  return sum;
}

/* y += alpha x */
static void add(const dls_principal *P, double alpha, const double *x, double *y)
{
  for (size_t k = 0; k < P->asked_count; k++) {
    y[P->asked[k]] += alpha * x[P->asked[k]];
  }
}

dls_status dls_nearby_solve(dls_principal *P, double *x)
{
  const size_t n = P->W->rows;
  double *r = P->work, *p = r + n, *q = p + n, *y = q + n, *z = y + n; /* z: the solution, q also scratch */
  memset(P->work, 0, 5 * n * sizeof *P->work);
  for (size_t k = 0; k < P->asked_count; k++) {
    r[P->asked[k]] = x[k];
  }
  double last = 0, first = 0;
  for (int k = 0; k <= MOST_ITERATIONS; k++) {
    if (precondition(P, r, y, q) != DLS_OK) {
      return DLS_ERR_MEMORY;
    }
    const double now = dot(P, r, y);
    first = k == 0 ? now : first;
    if (now <= reduction * first) {
      for (size_t i = 0; i < P->asked_count; i++) {
        x[i] = z[P->asked[i]];
      }
      return DLS_OK;
    }
    for (size_t i = 0; i < P->asked_count; i++) {
      const int j = P->asked[i];
      p[j] = y[j] + (k > 0 ? now / last * p[j] : 0);
    }
    last = now;
    multiply(P, p, q);
    const double alpha = now / dot(P, p, q);
    add(P, alpha, p, z);
    add(P, -alpha, q, r);
  }
  return DLS_ERR_NOCONV;
}
