/* matrix_operator.h -- a sparse symmetric matrix as the operator of a complementarity problem.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LCP_MATRIX_OPERATOR_H
#define DELASSUS_COMMON_LCP_MATRIX_OPERATOR_H

#include "common/linear/principal.h"
#include "common/solve/large/cycles.h"
#include <delassus/lcp.h>

struct dls_lcp_matrix;
/** The first active set without a guess. @return DLS_OK; DLS_ERR_MEMORY */
typedef dls_status dls_lcp_guess(struct dls_lcp_matrix *matrix, const double *b, unsigned char *active,
                                 double *z);
typedef struct dls_lcp_matrix {
  dls_lcp_operator as_operator; /* valid after dls_lcp_matrix_take */
  const dls_matrix *W;          /* borrowed */
  dls_principal *principal;
  double *diagonal;       /* room in rows */
  double *before, *after; /* capacity: off-diagonal entries of a column; valid where W is tridiagonal */
  size_t capacity;
  bool chain;             /* chain.h applies */
  double *room;           /* workspace of chain.h */
  dls_lcp_cycles *cycles; /* multigrid, where it solves with W; else NULL */
  dls_lcp_guess *guess;   /* coarse problems, if neither a chain nor multigrid provides the set; else NULL */
  bool by_cycles;         /* true if multigrid took the last set */
} dls_lcp_matrix;

/** @return NULL if out of memory */
dls_lcp_matrix *dls_lcp_matrix_create(dls_lcp_guess *guess);
void dls_lcp_matrix_destroy(dls_lcp_matrix *L);
/** Allocate for tridiagonal matrices of order n; other matrices need more in dls_lcp_matrix_take. @return false if out
 * of memory */
bool dls_lcp_matrix_reserve(dls_lcp_matrix *L, size_t n);
/** Use a W that is new or has changed. @param[in] W  sparse, symmetric; borrowed @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_lcp_matrix_take(dls_lcp_matrix *L, const dls_matrix *W);

#endif
