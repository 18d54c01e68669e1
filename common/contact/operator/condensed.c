/* condensed.c -- A of a mesh with contacts along its boundary: static condensation. W = H^T A^{-1} H of all contacts has no more
 * numbers than a few rows of A each, whereas A^{-1} H would have n a contact. A column of W is a solve with A on the rows of H, which
 * are eliminated last, and products with the columns of H; it is kept until A or H changes. Impulses reach v by one solve.
 *
 * For A^{-1} N M^{-1} with N = s A + r M it is s M^{-1} + r A^{-1}.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include "common/contact/thresholds.h"
#include "common/linear/boundary.h"
#include "common/linear/thresholds.h"
#include <stdlib.h>
#include <string.h>

typedef struct condensed {
  dls_operator as_operator;
  double *W;                /* m x m, by columns; valid where known */
  unsigned char *known;     /* m */
  bool ordered[2], last[2]; /* rows are eliminated last in A, in M; all of H is in these rows */
} condensed;

enum { OF_A, OF_M };

bool dls_condensed_applies(const dls_delassus *D)
{
  const bool sparse = D->factor != NULL && dls_factor_storage(D->factor) == DLS_SPARSE;
  const bool many = sparse ? D->m > threshold_full_columns
                           : D->m > threshold_full_columns_band && D->m * D->n > threshold_full_entries;
  return many && D->m * D->m <= threshold_boundary_entries * D->n;
}

static void destroy(dls_operator *O)
{
  condensed *S = (condensed *)O;
  free(S->W);
  free(S->known);
  free(S);
}

/* H may have got entries in other rows. */
static void reset(dls_operator *O)
{
  condensed *S = (condensed *)O;
  const dls_delassus *D = O->D;
  memset(S->known, 0, D->m);
  S->last[OF_A] = S->ordered[OF_A] && dls_factor_order_last(D->factor, D->H);
  S->last[OF_M] = S->ordered[OF_M] && dls_factor_order_last(D->mass, D->H);
}

/* x := F^{-1} x on the rows of H, for x = 0 in all others; F is that of A or of M. */
static void solve_boundary(const condensed *S, int of, dls_factor *F, double *x)
{
  if (!S->last[of] || !dls_factor_solve_last(F, x)) {
    dls_count_fallback(S->ordered[of] ? S->as_operator.D->fallbacks : NULL, "full-solve");
    dls_factor_solve(F, x);
  }
}

/* Column j of A^{-1} H, or of A^{-1} N M^{-1} H, on the rows of H; in D->x. */
static const double *boundary_response(const condensed *S, size_t j)
{
  dls_delassus *D = S->as_operator.D;
  double s = 0, r = 1;
  memset(D->x, 0, D->n * sizeof *D->x);
  dls_matrix_column_add(D->H, j, 1, D->x);
  if (D->factor == NULL || (D->mass != NULL && !dls_factor_split(D->factor, D->product, D->mass, &s, &r))) {
    D->apply(D->data, D->x);
    return D->x;
  }
  memcpy(D->y, D->x, D->n * sizeof *D->y);
  solve_boundary(S, OF_A, D->factor, D->x);
  if (s != 0) {
    solve_boundary(S, OF_M, D->mass, D->y);
  }
  for (size_t i = 0; D->mass != NULL && i < D->n; i++) {
    D->x[i] = r * D->x[i] + s * D->y[i];
  }
  return D->x;
}

/* Column j of W, kept from now on. */
static const double *column(dls_operator *O, size_t j)
{
  condensed *S = (condensed *)O;
  const dls_delassus *D = O->D;
  double *w = S->W + j * D->m;
  if (!S->known[j]) {
    const double *y = boundary_response(S, j);
    for (size_t i = 0; i < D->m; i++) {
      w[i] = dls_matrix_column_dot(D->H, i, y); /* H^T y */
    }
    S->known[j] = 1;
  }
  return w;
}

static double entry(dls_operator *O, size_t i, size_t j)
{
  return column(O, j)[i];
}

/* The array is all there is. */
static dls_status gather(dls_operator *O)
{
  (void)O;
  return DLS_OK;
}

static bool copy(dls_operator *O, double *W)
{
  const dls_delassus *D = O->D;
  for (size_t j = 0; j < D->count; j++) {
    const double *w = column(O, D->active[j]);
    for (size_t i = 0; i < D->count; i++) {
      W[j * D->count + i] = w[D->active[i]];
    }
  }
  return true;
}

/* v += alpha A^{-1} H p */
static void apply(dls_operator *O, size_t count, const size_t *active, double alpha, const double *p, double *v)
{
  dls_delassus_apply_by_solve(O->D, count, active, alpha, p, v);
}

/* x := A^{-1} x for x = 0 in rows without H. */
static void spread(dls_operator *O, double *x)
{
  const condensed *S = (const condensed *)O;
  dls_delassus *D = O->D;
  if (D->mass != NULL || !S->last[OF_A] || !dls_factor_solve_from_last(D->factor, x)) {
    D->apply(D->data, x);
  }
}

/* There are n terms. */
static bool response(dls_operator *O, size_t j, dls_response *out)
{
  (void)j;
  out->count = O->D->n;
  return false;
}

static const dls_operator_kind kind = {.gather = gather,
                                       .copy = copy,
                                       .destroy = destroy,
                                       .reset = reset,
                                       .entry = entry,
                                       .column = column,
                                       .apply = apply,
                                       .spread = spread,
                                       .response = response};

dls_operator *dls_condensed_create(dls_delassus *D)
{
  condensed *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->as_operator = (dls_operator){.kind = &kind, .D = D};
  S->W = malloc(D->m * D->m * sizeof *S->W);
  S->known = calloc(D->m, sizeof *S->known);
  if (S->W == NULL || S->known == NULL) {
    destroy(&S->as_operator);
    return NULL;
  }
  S->last[OF_A] = S->ordered[OF_A] = D->factor != NULL && dls_factor_order_last(D->factor, D->H);
  S->last[OF_M] = S->ordered[OF_M] = D->mass != NULL && dls_factor_order_last(D->mass, D->H);
  return &S->as_operator;
}
