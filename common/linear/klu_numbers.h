/* klu_numbers.h -- factors of a sparse matrix with fixed pattern, reusing the last pivots while they are accurate.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_LINEAR_KLU_NUMBERS_H
#define DELASSUS_COMMON_LINEAR_KLU_NUMBERS_H

#include <delassus/error.h>
#include <klu.h>
#include <stdint.h>

/**
 * Factor the matrix of compressed columns that `symbolic` belongs to. Allocates nothing if the pivots of *numeric are still
 * accurate.
 * @param[in,out] numeric  NULL before the first use, and after a failure
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_klu_numbers(int64_t *starts, int64_t *rows, double *values, klu_l_symbolic *symbolic,
                           klu_l_numeric **numeric, klu_l_common *common);

#endif
