/* multifrontal.h -- multifrontal LU factors of sparse matrices with much fill-in: UMFPACK, ordered by nested dissection (METIS).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_MULTIFRONTAL_H
#define DELASSUS_COMMON_LINEAR_MULTIFRONTAL_H

#include "common/linear/storage.h"
#include <stdbool.h>

typedef struct dls_multifrontal dls_multifrontal;

/**
 * @param[in]  S       sparse and square, with the starts of all columns as from dls_matrix_union; its values may change, its pattern must not; borrowed
 * @param[out] multifrontal  NULL where KLU is the better choice: S is small, its pattern is not symmetric, or it has little
 * fill-in
 * @return false if out of memory
 */
bool dls_multifrontal_create(const dls_matrix *S, dls_multifrontal **multifrontal);
void dls_multifrontal_destroy(dls_multifrontal *multifrontal);
/**
 * Factor S with its current values and newly chosen pivots. Frees the last factors and allocates new ones.
 * @param[out] row  column of the zero pivot; n if there is none
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_multifrontal_factor(dls_multifrontal *multifrontal, size_t *row);
/** x := S^{-1} x, in place; allocates nothing. */
void dls_multifrontal_solve(dls_multifrontal *multifrontal, double *x);

#endif
