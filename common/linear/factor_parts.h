/* factor_parts.h -- inside of a factor, for the files that make and read it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_FACTOR_PARTS_H
#define DELASSUS_COMMON_LINEAR_FACTOR_PARTS_H

#include "common/linear/multifrontal.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include <nvector/nvector_serial.h>
#include <stdbool.h>
#include <sundials/sundials_linearsolver.h>

enum { DLS_FACTOR_TERMS = DLS_UNION_MAX };

struct dls_factor {
  size_t n, count;
  dls_storage storage; /* the widest of the terms */
  const dls_matrix *terms[DLS_FACTOR_TERMS];
  size_t position[DLS_FACTOR_TERMS]; /* of each term in the list given at creation */
  double coefficients[DLS_FACTOR_TERMS];
  double *d, *e;                /* tridiagonal: L D L^T, n and n - 1; else NULL */
  bool is_tridiagonal_definite; /* the factors are those in d and e */
  dls_matrix
      *sum;     /* holds the LU factors after factoring, for dense and band; tridiagonal: NULL until needed */
  bool current; /* the factors are those of coefficients */
  bool pivots;  /* KLU: there is a pivot order from an earlier factorization */
  size_t made;
  SUNContext context;
  N_Vector vector; /* a frame around the caller's array */
  SUNLinearSolver solver;
  dls_multifrontal *multifrontal; /* sparse with much fill: in the place of the solver */
};

#endif
