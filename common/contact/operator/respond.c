/* respond.c -- A^{-1} H p by one solve, for the operators that have no columns of it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include <string.h>

const double *dls_delassus_respond(dls_delassus *D, size_t count, const size_t *active, const double *p)
{
  memset(D->x, 0, D->n * sizeof *D->x);
  for (size_t k = 0; k < count; k++) {
    dls_matrix_column_add(D->H, active[k], p[k], D->x); /* H p */
  }
  if (D->first->kind->spread != NULL) {
    D->first->kind->spread(D->first, D->x); /* A^-1 */
  } else {
    D->apply(D->data, D->x);
  }
  return D->x;
}

void dls_delassus_apply_by_solve(dls_delassus *D, size_t count, const size_t *active, double alpha,
                                 const double *p, double *v)
{
  const double *y = dls_delassus_respond(D, count, active, p);
  for (size_t i = 0; i < D->n; i++) {
    v[i] += alpha * y[i];
  }
}
