/* proximal_factor.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/proximal_factor.h"
#include "common/linear/storage.h"
#include <klu.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

static const double shift = 1e-8;     /* s */
static const double redundant = 1e-6; /* pivots below this part of their row are those of s */

struct dls_proximal_factor {
  size_t n;
  int64_t *starts, *rows;
  double *values;
  klu_l_common common;
  klu_l_symbolic *symbolic;
  klu_l_numeric *numeric;
};

dls_proximal_factor *dls_proximal_factor_create(void)
{
  dls_proximal_factor *f = calloc(1, sizeof *f);
  if (f != NULL) {
    klu_l_defaults(&f->common);
  }
  return f;
}

static void forget(dls_proximal_factor *f)
{
  klu_l_free_numeric(&f->numeric, &f->common);
  klu_l_free_symbolic(&f->symbolic, &f->common);
  free(f->starts);
  free(f->rows);
  free(f->values);
  f->starts = f->rows = NULL;
  f->values = NULL;
}

void dls_proximal_factor_destroy(dls_proximal_factor *f)
{
  if (f != NULL) {
    forget(f);
    free(f);
  }
}

/* A + s d I in compressed columns. @return false if out of memory */
static bool take(dls_proximal_factor *f, const dls_matrix *A)
{
  size_t used = 0;
  double d = 0;
  f->n = dls_matrix_columns(A);
  for (size_t j = 0; j < f->n; j++) {
    used += dls_matrix_column(A, j).count;
    d = fmax(d, fabs(dls_matrix_get(A, j, j)));
  }
  f->starts = malloc((f->n + 1) * sizeof *f->starts);
  f->rows = malloc((used + 1) * sizeof *f->rows);
  f->values = malloc((used + 1) * sizeof *f->values);
  if (f->starts == NULL || f->rows == NULL || f->values == NULL) {
    return false;
  }
  used = 0;
  for (size_t j = 0; j < f->n; j++) {
    const dls_column c = dls_matrix_column(A, j);
    f->starts[j] = (int64_t)used;
    for (size_t e = 0; e < c.count; e++) {
      const size_t i = dls_column_row(&c, e);
      f->rows[used] = (int64_t)i;
      f->values[used++] = i == j ? c.values[e] + shift * d : c.values[e];
    }
  }
  f->starts[f->n] = (int64_t)used;
  return true;
}

dls_status dls_proximal_factor_compute(dls_proximal_factor *f, const dls_matrix *A, size_t *rank)
{
  forget(f);
  if (!take(f, A)) {
    return DLS_ERR_MEMORY;
  }
  f->symbolic = klu_l_analyze((int64_t)f->n, f->starts, f->rows, &f->common);
  f->numeric =
      f->symbolic == NULL ? NULL : klu_l_factor(f->starts, f->rows, f->values, f->symbolic, &f->common);
  if (f->numeric == NULL) {
    return f->common.status == KLU_SINGULAR ? DLS_ERR_SINGULAR : DLS_ERR_MEMORY;
  }
  const double *pivots = f->numeric->Udiag; /* of rows whose largest entries are 1 */
  *rank = 0;
  for (size_t k = 0; k < f->n; k++) {
    *rank += fabs(pivots[k]) > redundant;
  }
  return DLS_OK;
}

void dls_proximal_factor_solve(dls_proximal_factor *f, double *x)
{
  klu_l_solve(f->symbolic, f->numeric, (int64_t)f->n, 1, x, &f->common);
}
