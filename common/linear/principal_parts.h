/* principal_parts.h -- inside of dls_principal, for its two files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_PRINCIPAL_PARTS_H
#define DELASSUS_COMMON_LINEAR_PRINCIPAL_PARTS_H

#include "common/linear/cholesky.h"
#include "common/linear/principal.h"
#include "common/linear/storage.h"

struct dls_principal {
  const dls_matrix *W;
  bool tridiagonal;
  size_t count, capacity;
  int *set;        /* capacity */
  double shift;    /* of the factors */
  bool ordered;    /* order is that of W */
  dls_status made; /* what the factorization came to; valid if current */
  bool current;
  double *d, *e; /* tridiagonal: capacity */
  dls_cholesky *cholesky;
  int64_t *order;          /* W's rows in the order of elimination */
  int64_t *position, *own; /* of a row of W in a, or -1; the order for a */
  dls_lower lower;
  size_t order_capacity, entry_capacity;
  /* A set that was asked for and is close to the one that is factored: principal_nearby.c. */
  bool nearby;
  size_t asked_count;
  int *asked;   /* order_capacity */
  double *work; /* 5 order_capacity */
};

/** Is the set so close to the one that is factored (CHOLMOD) that solving by iteration costs less than a factorization?
 * Then it is kept as `asked`. */
bool dls_nearby_takes(dls_principal *P, size_t count, const int *set, double shift);
/** x := (W_aa + shift diag(W_aa))^{-1} x for the set asked; x[asked_count].
 * @return DLS_OK; DLS_ERR_NOCONV with x as it was; DLS_ERR_MEMORY */
dls_status dls_nearby_solve(dls_principal *P, double *x);

#endif
