/* operator.h -- private to the files of the Delassus operator. An operator represents W = H^T A^{-1} H on the active
 * contacts, one file each:
 *   dense   an array, from columns of A^{-1} H that are computed when a contact is active for the first time;
 *   sparse  where A is diagonal: contacts are coupled only if their columns of H share a row;
 *   condensed  an array as well, of the columns of W alone, where contacts are few compared with coordinates;
 *   saddle  many contacts and A neither diagonal nor dense, or with many joints: W would fill in, so [A -H; H^T 0] replaces it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_OPERATOR_H
#define DELASSUS_COMMON_CONTACT_OPERATOR_H

#include "common/linear/storage.h"
#include <delassus/delassus_operator.h>
#include <gsl/gsl_linalg.h>
#include <stdbool.h>

typedef struct dls_operator dls_operator;
typedef struct dls_few_contacts dls_few_contacts;

enum { DLS_COLUMNS_TOGETHER = 4 };

/* v[row_k] += p a_k b_k for k < count, in this order and bracketed from the left. */
enum { DLS_RESPONSE_MOST = 8 };
typedef struct dls_response {
  size_t count, row[DLS_RESPONSE_MOST];
  double a[DLS_RESPONSE_MOST], b[DLS_RESPONSE_MOST];
} dls_response;

typedef struct dls_operator_kind {
  /* Take W on the active contacts of D; sets matrix, and lcp where there is no prepare. @return DLS_OK; DLS_ERR_MEMORY */
  dls_status (*gather)(dls_operator *O);
  /* After gather, where contacts do not yield: sets lcp; NULL: nothing to do. @return DLS_OK; DLS_ERR_MEMORY */
  dls_status (*prepare)(dls_operator *O);
  /* W := as an array, column-major, after gather. @return false if out of memory */
  bool (*copy)(dls_operator *O, double *W);
  void (*destroy)(dls_operator *O);
  /* What does not depend on the active set, of the operator that D begins with. */
  void (*reset)(dls_operator *O); /* A or H changed */
  double (*entry)(dls_operator *O, size_t i, size_t j);
  /* Make the columns of A^{-1} H of these rows, several in one pass over the factors; NULL: there are none */
  void (*make_columns)(dls_operator *O, size_t count, const size_t *rows);
  /* m: column j of W, kept until reset. NULL: W is not held so */
  const double *(*column)(dls_operator *O, size_t j);
  void (*apply)(dls_operator *O, size_t count, const size_t *active, double alpha, const double *p, double *v);
  /* x := A^{-1} x, for x = 0 in rows without H; NULL: as for any x */
  void (*spread)(dls_operator *O, double *x);
  /* Column j of A^{-1} H, where apply has it; else NULL. kept NULL: it never has */
  const double *(*kept)(const dls_operator *O, size_t j);
  /* n: the diagonal of A^{-1}, where that is all of it; kept until reset. NULL: it never is */
  const double *(*diagonal)(dls_operator *O);
  /* The terms that apply adds for contact j and p = 1, without the products. @return false if there are too many */
  bool (*response)(dls_operator *O, size_t j, dls_response *out);
  /* b := (diag(E) + s W)^{-1} b after gather; NULL: none.
   * @return DLS_OK; DLS_ERR_SINGULAR with b as before; DLS_ERR_NOT_APPLICABLE where W is an array; DLS_ERR_MEMORY */
  dls_status (*compliant)(dls_operator *O, double s, const double *E, double *b);
  /* Room for compliant on any set, where W is sparse; NULL: nothing to reserve. @return false if out of memory */
  bool (*reserve_compliant)(dls_operator *O);
} dls_operator_kind;

struct dls_operator {
  const dls_operator_kind *kind;
  dls_delassus *D;             /* whose A, H and active contacts these are */
  const dls_lcp_operator *lcp; /* W for complementarity problems; NULL: an array is faster */
  const dls_matrix *matrix;    /* W where it is held as a matrix, else NULL */
  const dls_problem_operator
      *problem;          /* W for problems with laws where it is neither matrix nor array; else NULL */
  const double *inverse; /* n: the diagonal of A^{-1}, where that is all of it; else NULL */
};

/* Complete orthogonal decomposition of W, for bilateral solves with redundant contacts. */
typedef struct dls_orthogonal {
  gsl_matrix factors;
  gsl_vector tau_q, tau_z, work, solution; /* views of A, tau, scratch, x */
  gsl_permutation order;                   /* owns its data */
  double *block, *A, *tau[2], *scratch, *x;
  size_t capacity; /* contacts */
  size_t rank;
  bool valid;
} dls_orthogonal;

struct dls_delassus {
  void (*apply)(void *data, double *x); /* x := A^{-1} x */
  /* The same for up to DLS_COLUMNS_TOGETHER columns of H; NULL: one by one */
  void (*apply_columns)(void *data, size_t count, double *const *x);
  void (*estimate)(void *data, double *x); /* the same without refinement, for scales; NULL: apply */
  void (*fill)(void *data);                /* before the values of whole are read; NULL: they are there */
  void *data;                              /* of these; borrowed */
  dls_factor *factor;                      /* A; NULL if apply is the caller's, or with joints */
  dls_factor *whole;   /* A, or with joints [A -D; C^T eps], which begins with it; NULL: none */
  dls_factor *mass;    /* M of A^{-1} N M^{-1}; NULL: A^{-1} alone */
  double product[4];   /* N by the terms of A */
  const dls_matrix *H; /* borrowed */
  size_t n, m;
  bool chain;        /* W is tridiagonal with W_k,k+1 <= 0, whatever A and the active set are */
  size_t most_array; /* complementarity problems of more contacts need no array */
  double *x, *y;     /* n: scratch; that of the product DLS_COLUMNS_TOGETHER n */

  bool valid;      /* what follows belongs to the active set */
  bool prepared;   /* lcp or the array too */
  size_t count;    /* contacts in it */
  size_t capacity; /* of active */
  size_t *active;
  int *all;                  /* capacity: 0, 1, ... */
  double *r;                 /* 4 capacity: scratch of bilateral solves; owns active and all */
  dls_operator *first;       /* dense or sparse, as A is */
  dls_operator *many;        /* saddle; NULL before its first use */
  dls_operator *now;         /* that of the active set: first or many */
  double *W;                 /* count x count, column-major, if array */
  size_t W_capacity;         /* contacts */
  bool array;                /* W is there */
  dls_few_contacts *few;     /* NULL where columns of W need no solve */
  struct dls_blocks *blocks; /* of dls_delassus_solve_blocks; NULL before its first use */
  dls_orthogonal orthogonal;
  bool shifted;             /* the last bilateral solve was by proximal points */
  dls_fallbacks *fallbacks; /* borrowed; NULL: none */
};

/* @return NULL if out of memory */
dls_operator *dls_dense_create(dls_delassus *D);
dls_operator *dls_sparse_create(dls_delassus *D);
dls_operator *dls_condensed_create(dls_delassus *D);
dls_operator *dls_saddle_create(dls_delassus *D);
bool dls_sparse_applies(const dls_delassus *D);
bool dls_condensed_applies(const dls_delassus *D);
bool dls_saddle_applies(const dls_delassus *D, size_t count);

/* respond.c: A^{-1} H p of count rows, by one solve; in D->x. */
const double *dls_delassus_respond(dls_delassus *D, size_t count, const size_t *active, const double *p);
/* respond.c: v += alpha A^{-1} H p, by one solve. */
void dls_delassus_apply_by_solve(dls_delassus *D, size_t count, const size_t *active, double alpha,
                                 const double *p, double *v);
/* Most problems have no more contacts: their arrays are reserved at the start. */
enum { DLS_DELASSUS_RESERVED = 64 };
/* active_contacts.c: D->W, from the operator in use. @return false if out of memory */
bool dls_delassus_make_array(dls_delassus *D);
/* active_contacts.c: room for `count` active contacts; for an array of that order. @return false if out of memory */
bool dls_delassus_reserve(dls_delassus *D, size_t count);
bool dls_delassus_reserve_array(dls_delassus *D, size_t count);
void dls_delassus_free_sets(dls_delassus *D);

/* active_contacts.c: W on the active contacts, unless it is up to date. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_delassus_gather(dls_delassus *D, size_t count, const size_t *active, dls_error *err);
/* The same for contacts that yield, which need neither lcp nor the array. */
dls_status dls_delassus_gather_W(dls_delassus *D, size_t count, const size_t *active, dls_error *err);
/* delassus.c: W of a problem of contact j alone, d x d, column-major, and what impulses in its d <= 3 rows add to v (NULL: not wanted).
 * @return false if there is no room */
bool dls_delassus_contact(dls_delassus *D, size_t d, size_t j, double *W, dls_response *response);
/* few_contacts.c */
dls_few_contacts *dls_few_contacts_create(size_t m);  /* NULL if out of memory */
void dls_few_contacts_destroy(dls_few_contacts *few); /* NULL is fine */
/* few_contacts.c: a problem with laws on the rows `active` of u = W r + q. */
enum { DLS_FEW_ROWS = 3 }; /* of a contact, at most */
typedef struct dls_few_problem {
  size_t count;            /* contacts */
  const dls_block *blocks; /* count; NULL: one row each, 0 <= u _|_ r >= 0 */
  const size_t *active;
  const double *q;
  double *r, *u; /* a guess, then r; u NULL: not wanted */
  /* This problem, or one of fewer contacts. @return DLS_OK; a failure with r as before or not */
  dls_status (*solve)(void *data, const struct dls_few_problem *part, dls_error *err);
  void *data;
} dls_few_problem;
/* Solved for the contacts that may close. Else for all, which where some rest is counted as the fallback "all-contacts". @return as solve */
dls_status dls_few_contacts_solve(dls_delassus *D, const dls_few_problem *problem, dls_error *err);
/* blocks.c */
void dls_blocks_destroy(struct dls_blocks *blocks); /* NULL is fine */

/* bilateral.c: W p = -b with D as gathered. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_bilateral_solve(dls_delassus *D, const double *b, double *p);
void dls_orthogonal_free(dls_orthogonal *o);

#endif
