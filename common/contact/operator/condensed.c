/* condensed.c -- A of a mesh with contacts along its boundary: static condensation. W = H^T A^{-1} H of all contacts has no more
 * numbers than a few rows of A each, whereas A^{-1} H would have n a contact. A column of W is a solve with A and products with the
 * columns of H; it is kept until A or H changes. Impulses reach v by one solve.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/operator/operator.h"
#include <stdlib.h>
#include <string.h>

enum {
  MOST_FULL =
      64, /* contacts of which columns of A^{-1} H are kept, which are added up faster than A is solved */
  LITTLE = 1 << 16, /* entries of A^{-1} H that are kept at any rate */
  MOST_A_ROW = 16,  /* entries of W for a coordinate: about a row of A of a plane mesh */
};

typedef struct condensed {
  dls_operator as_operator;
  double **columns;     /* m: columns of W, NULL until they are needed; valid where known */
  unsigned char *known; /* m */
} condensed;

bool dls_condensed_applies(const dls_delassus *D)
{
  return D->m > MOST_FULL && D->m * D->n > LITTLE && D->m * D->m <= MOST_A_ROW * D->n;
}

static void destroy(dls_operator *O)
{
  condensed *S = (condensed *)O;
  for (size_t j = 0; S->columns != NULL && j < O->D->m; j++) {
    free(S->columns[j]);
  }
  free(S->columns);
  free(S->known);
  free(S);
}

static void reset(dls_operator *O)
{
  memset(((condensed *)O)->known, 0, O->D->m);
}

/* Column j of W, kept from now on. NULL if out of memory */
static const double *column(dls_operator *O, size_t j)
{
  condensed *S = (condensed *)O;
  dls_delassus *D = O->D;
  double *w = S->columns[j] = S->columns[j] != NULL ? S->columns[j] : malloc(D->m * sizeof *w);
  if (w != NULL && !S->known[j]) {
    const double *y = dls_delassus_respond(D, 1, &j, &(const double){1});
    for (size_t i = 0; i < D->m; i++) {
      w[i] = dls_matrix_column_dot(D->H, i, y); /* H^T y */
    }
    S->known[j] = 1;
  }
  return w;
}

static double entry(dls_operator *O, size_t i, size_t j)
{
  const double *w = column(O, j);
  return w != NULL ? w[i]
                   : dls_matrix_column_dot(
                         O->D->H, i,
                         dls_delassus_respond(O->D, 1, &j, &(const double){1})); /* no memory to keep it */
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
    if (w == NULL) {
      return false;
    }
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
                                       .apply = apply,
                                       .response = response};

dls_operator *dls_condensed_create(dls_delassus *D)
{
  condensed *S = calloc(1, sizeof *S);
  if (S == NULL) {
    return NULL;
  }
  S->as_operator = (dls_operator){.kind = &kind, .D = D};
  S->columns = calloc(D->m, sizeof *S->columns);
  S->known = calloc(D->m, sizeof *S->known);
  if (S->columns == NULL || S->known == NULL) {
    destroy(&S->as_operator);
    return NULL;
  }
  return &S->as_operator;
}
