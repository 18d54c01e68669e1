/* delassus_parts.h -- inside of the Delassus operator, for its files. Three ways to hold W on the active contacts:
 *   dense   an array, from columns of A^{-1} H that are made when a contact is active for the first time;
 *   sparse  where A is diagonal: contacts are coupled only if their columns of H share a row;
 *   saddle  many contacts and A neither diagonal nor dense: W would fill in, so [A -H; H^T 0] stands for it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_OPERATOR_H
#define DELASSUS_COMMON_CONTACT_OPERATOR_H

#include "common/linear/accumulator.h"
#include "common/linear/storage.h"
#include "common/solve/matrix_operator.h"
#include <delassus/delassus_operator.h>
#include <gsl/gsl_linalg.h>

/* A diagonal. */
typedef struct dls_local {
  double *inverse; /* n: diagonal of A^{-1}; valid if known */
  bool known;
  size_t *starts;  /* n + 1: contacts of each row of H, among the active ones */
  int *contact;    /* their numbers in the active set ... */
  double *entry;   /* ... and the entries of H */
  size_t capacity; /* of contact and entry */
  dls_matrix *W;   /* sparse */
  size_t W_columns, W_entries;
  dls_accumulator column;
  dls_lcp_matrix *matrix; /* W for the complementarity solver */
} dls_local;

typedef struct dls_saddle dls_saddle;
typedef struct dls_compliance dls_compliance;

/* Complete orthogonal decomposition of W, for bilateral solves with redundant contacts. */
typedef struct dls_orthogonal {
  gsl_matrix *factors;
  gsl_vector *tau_q, *tau_z, *work, *solution;
  gsl_permutation *order;
  size_t rank;
  bool valid;
} dls_orthogonal;

struct dls_delassus {
  void (*apply)(void *data, double *x); /* x := A^{-1} x */
  void *data;                           /* of apply; borrowed */
  dls_factor *factor;                   /* A; NULL if apply is the caller's */
  dls_factor *mass;                     /* M of A^{-1} N M^{-1}; NULL: A^{-1} alone */
  double product[4];                    /* N by the terms of A */
  double *y;                            /* n: scratch of the product */
  const dls_matrix *H;                  /* borrowed */
  size_t n, m;
  double *x;            /* n: scratch */
  double **columns;     /* m: columns of A^{-1} H, NULL until they are needed; valid where known */
  unsigned char *known; /* m */
  bool valid;           /* what follows belongs to the active set */
  size_t count;         /* contacts in it */
  size_t capacity;      /* of active */
  size_t *active;
  const dls_lcp_operator *as_operator; /* sparse or saddle; NULL: dense */
  double *W;                           /* dense: count x count, column-major */
  size_t W_capacity;                   /* contacts */
  bool dense;                          /* W is there */
  dls_local local;
  dls_saddle *saddle;         /* NULL before its first use */
  dls_compliance *compliance; /* as well */
  dls_orthogonal orthogonal;
  int *all;  /* capacity: 0, 1, ... */
  double *r; /* 3 capacity: scratch of bilateral solves */
};

/* sparse.c: D->local.W on the active set. @return DLS_OK; DLS_ERR_MEMORY */
bool dls_local_applies(const dls_delassus *D);
/* Room for all contacts, unless one body has very many. @return false if out of memory */
bool dls_local_reserve(dls_delassus *D);
dls_status dls_local_gather(dls_delassus *D);
void dls_local_apply(dls_delassus *D, size_t count, const size_t *active, double alpha, const double *p,
                     double *v);
double dls_local_entry(dls_delassus *D, size_t i, size_t j);
void dls_local_free(dls_local *L);

/* saddle.c */
bool dls_saddle_applies(const dls_delassus *D, size_t count);
dls_status dls_saddle_gather(dls_delassus *D);
const dls_lcp_operator *dls_saddle_operator(const dls_saddle *S);
void dls_saddle_free(dls_saddle *S);

/* bilateral.c: W p = -b with D as gathered. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_bilateral_solve(dls_delassus *D, const double *b, double *p);
void dls_orthogonal_free(dls_orthogonal *o);

/* compliant.c: b := (E + s W)^{-1} b with D->local.W as gathered.
 * @return DLS_OK; DLS_ERR_SINGULAR if a pivot is not above 1e-12 of its diagonal entry; DLS_ERR_MEMORY */
dls_status dls_compliance_solve(dls_delassus *D, double s, const double *E, double *b);
void dls_compliance_free(dls_compliance *c);

/* delassus.c: the dense array, from what there is. @return false if out of memory */
bool dls_delassus_make_dense(dls_delassus *D);

#endif
