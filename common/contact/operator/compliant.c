/* compliant.c -- (E + s W) x = b for diagonal A: W is sparse, and so is the sum.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/linear/principal.h"
#include <stdlib.h>

struct dls_compliance {
  dls_matrix *sum;         /* E + s W */
  size_t columns, entries; /* that sum has room for */
  dls_principal *principal;
};

void dls_compliance_free(dls_compliance *c)
{
  if (c != NULL) {
    dls_matrix_destroy(c->sum);
    dls_principal_destroy(c->principal);
    free(c);
  }
}

/* Room for a sum with as many entries as W can ever have, for all contacts. @return false if out of memory */
static bool reserve(dls_delassus *D)
{
  const dls_local *L = &D->local;
  if (D->compliance == NULL && (D->compliance = calloc(1, sizeof *D->compliance)) == NULL) {
    return false;
  }
  dls_compliance *c = D->compliance;
  if (c->sum == NULL || c->entries < L->W_entries || c->columns < L->W_columns) {
    dls_matrix_destroy(c->sum);
    c->sum = dls_matrix_sparse(L->W_columns, L->W_columns, L->W_entries);
    c->columns = L->W_columns;
    c->entries = L->W_entries;
  }
  c->principal = c->principal != NULL ? c->principal : dls_principal_create();
  return c->sum != NULL && c->principal != NULL && dls_principal_reserve(c->principal, L->W_columns);
}

/* sum := E + s W */
static void add(dls_matrix *sum, const dls_matrix *W, double s, size_t count, const double *E)
{
  dls_matrix_reshape(sum, count);
  for (size_t j = 0; j < count; j++) {
    const dls_column c = dls_matrix_column(W, j);
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      *dls_matrix_append(sum, i, j) = s * c.values[e] + (i == j ? E[j] : 0);
    }
  }
}

dls_status dls_compliance_solve(dls_delassus *D, double s, const double *E, double *b)
{
  if (!reserve(D)) {
    return DLS_ERR_MEMORY;
  }
  dls_compliance *c = D->compliance;
  add(c->sum, D->local.W, s, D->count, E);
  dls_status status = dls_principal_take(c->principal, c->sum);
  status = status != DLS_OK ? status : dls_principal_factor(c->principal, D->count, D->all, 0);
  return status != DLS_OK ? status : dls_principal_solve(c->principal, b);
}
