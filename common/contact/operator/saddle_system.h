/* saddle_system.h -- the saddle-point systems of saddle.c in compressed columns, with their factors (KLU):
 *
 *   [ A      -H_a U   ] [ x ]   [ 0 ]
 *   [ S H_a^T  S D + B ] [ z ] = [ r ],     S, B block-diagonal, D and U diagonal,                                   (1)
 *
 * so that (S (W + D) + B) z = r with W = H_a^T A^{-1} H_a where U = 1. For W = H^T A^{-1} N M^{-1} H:
 *
 *   [ M    0       -H_a U  ] [ y ]   [ 0 ]
 *   [ -N   A       0       ] [ x ] = [ 0 ]
 *   [ 0    S H_a^T S D + B ] [ z ]   [ r ].
 *
 * With joints, W = H^T S H (delassus/joints.h), A is [A -D; C^T eps] and H has rows of zeros below. The product W r has no eps.
 *
 * The pattern, and the order of elimination with it, is that of H and the blocks, whatever S and B are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_SADDLE_SYSTEM_H
#define DELASSUS_COMMON_CONTACT_SADDLE_SYSTEM_H

#include "common/contact/operator/operator.h"
#include <klu.h>

typedef struct dls_saddle_system {
  const dls_delassus *D;
  dls_matrix *A, *M, *N;  /* sparse; M and N NULL unless D has a product */
  size_t before, contact; /* columns in front of those of x, and of those of z */
  size_t order;           /* contact + count */
  size_t blocks, *first;  /* as laid out; blocks + 1, NULL: one row each */
  size_t entry_capacity, order_capacity;
  int64_t *starts, *rows; /* of the whole, compressed columns */
  double *values;
  int64_t *place;  /* order + 1: entries, then the next free entry, of each column */
  double *rhs;     /* order */
  size_t *touched; /* n: scratch */
  klu_l_common common;
  klu_l_symbolic *symbolic; /* NULL: not laid out */
  klu_l_numeric *numeric;   /* NULL: none */
} dls_saddle_system;

/* S, D, B of (1) in the rows of the active contacts: with width 1 a number a row; with width 9 blocks of 3 x 3, column-major,
 * and D a number a block. */
typedef struct dls_saddle_law {
  size_t width;
  const double *S, *D, *B;
  const double *U; /* a number a row; NULL: 1 */
} dls_saddle_law;

void dls_saddle_system_free(dls_saddle_system *s);
/* Take A, M, N and H from D with its active contacts. @return false if out of memory */
bool dls_saddle_system_take(dls_saddle_system *s, const dls_delassus *D);
/* The pattern, where it is not there, and the numbers.
 * @param[in] first  blocks + 1: first row of each block of up to three; NULL, then in every call: every row is one
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY */
dls_status dls_saddle_system_factor(dls_saddle_system *s, size_t blocks, const size_t *first,
                                    const dls_saddle_law *law);
/* r in, z out, in the rows of s->rhs from s->contact on; the others 0 in. */
void dls_saddle_system_solve(dls_saddle_system *s);

#endif
