/* klu_numbers.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/klu_numbers.h"
#include "common/linear/thresholds.h"

dls_status dls_klu_numbers(int64_t *starts, int64_t *rows, double *values, klu_l_symbolic *symbolic,
                           klu_l_numeric **numeric, klu_l_common *common)
{
  if (*numeric != NULL && klu_l_refactor(starts, rows, values, symbolic, *numeric, common) &&
      klu_l_rgrowth(starts, rows, values, symbolic, *numeric, common) &&
      common->rgrowth >= threshold_least_iterated_growth) {
    return DLS_OK;
  }
  klu_l_free_numeric(numeric, common);
  *numeric = klu_l_factor(starts, rows, values, symbolic, common);
  if (*numeric != NULL) {
    return DLS_OK;
  }
  return common->status == KLU_SINGULAR ? DLS_ERR_SINGULAR : DLS_ERR_MEMORY;
}
