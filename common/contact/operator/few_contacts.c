/* few_contacts.c -- complementarity problems of many contacts of which few close, where a column of W costs a solve with A:
 *   0 <= u = W p + b  _|_  p >= 0
 * on the contacts with b < 0 or a guess p > 0, then also on those with u < 0 at its solution, until there are none. The others have
 * p = 0 and u >= 0, so that this is a solution of the whole problem, which takes the columns of the chosen contacts alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/contact/thresholds.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct dls_few_contacts {
  size_t *index, *rows; /* of the chosen contacts: in the problem, in H */
  double *b, *p;        /* theirs */
  bool *chosen;
};

void dls_few_contacts_destroy(dls_few_contacts *few)
{
  if (few != NULL) {
    free(few->index);
    free(few->b);
    free(few->chosen);
    free(few);
  }
}

dls_few_contacts *dls_few_contacts_create(size_t m)
{
  dls_few_contacts *few = calloc(1, sizeof *few);
  if (few == NULL) {
    return NULL;
  }
  few->index = calloc(2 * m + 1, sizeof *few->index);
  few->b = calloc(2 * m + 1, sizeof *few->b);
  few->chosen = calloc(m + 1, sizeof *few->chosen);
  if (few->index == NULL || few->b == NULL || few->chosen == NULL) {
    dls_few_contacts_destroy(few);
    return NULL;
  }
  few->rows = few->index + m;
  few->p = few->b + m;
  return few;
}

/* @return how many may close; count if a b is not finite */
static size_t choose(dls_few_contacts *few, size_t count, const double *b, const double *p)
{
  size_t chosen = 0;
  for (size_t k = 0; k < count; k++) {
    if (!(fabs(b[k]) <= DBL_MAX)) {
      return count;
    }
    few->chosen[k] = b[k] < 0 || p[k] > 0;
    chosen += few->chosen[k];
  }
  return chosen;
}

/* The problem of a set. */
static dls_status solve_set(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                            const double *b, double *p, size_t *pivots, dls_error *err)
{
  dls_lcp_report report = {0};
  dls_status status = dls_delassus_gather(D, count, active, err);
  if (status == DLS_OK) {
    status = D->now->lcp != NULL ? dls_lcp_solve_operator(lcp, D->now->lcp, b, p, NULL, &report, err)
                                 : dls_lcp_solve(lcp, count, D->W, b, p, NULL, &report, err);
  }
  *pivots += report.pivots;
  return status;
}

/* The problem of the chosen contacts. */
static dls_status solve_chosen(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                               const double *b, const double *p, size_t *pivots)
{
  dls_few_contacts *few = D->few;
  size_t size = 0;
  for (size_t k = 0; k < count; k++) {
    if (few->chosen[k]) {
      few->index[size] = k;
      few->rows[size] = active[k];
      few->b[size] = b[k];
      few->p[size++] = p[k];
    }
  }
  return solve_set(D, lcp, size, few->rows, few->b, few->p, pivots, NULL);
}

dls_status dls_few_contacts_solve(dls_delassus *D, dls_lcp_solver *lcp, size_t count, const size_t *active,
                                  const double *b, double *p, size_t *pivots, dls_error *err)
{
  dls_few_contacts *few = D->few;
  size_t size = few != NULL && count > threshold_few_least ? choose(few, count, b, p) : count, last = 0;
  while (size != last) {
    if (size * threshold_few_part > count || solve_chosen(D, lcp, count, active, b, p, pivots) != DLS_OK) {
      return solve_set(D, lcp, count, active, b, p, pivots, err);
    }
    const double *y = dls_delassus_respond(D, size, few->rows, few->p); /* A^-1 H p */
    last = size;
    for (size_t k = 0; k < count; k++) {
      if (!few->chosen[k] && !(b[k] + dls_matrix_column_dot(D->H, active[k], y) >= 0)) { /* NaN fails */
        few->chosen[k] = true;
        size++;
      }
    }
  }
  memset(p, 0, count * sizeof *p);
  for (size_t k = 0; k < size; k++) {
    p[few->index[k]] = few->p[k];
  }
  return DLS_OK;
}
