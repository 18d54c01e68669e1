/* factor_view.c -- the factors themselves, for solves of many right-hand sides side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/factor_parts.h"
#include <sunlinsol/sunlinsol_dense.h>

dls_factor_view dls_factor_look(const dls_factor *F)
{
  if (!F->current) {
    return (dls_factor_view){.form = DLS_FACTOR_OTHER};
  }
  if (F->is_tridiagonal_definite) {
    return (dls_factor_view){.form = DLS_FACTOR_ENDS, .d = F->d, .e = F->e};
  }
  if (F->sum != NULL && F->sum->storage == DLS_DIAGONAL) {
    return (dls_factor_view){.form = DLS_FACTOR_DIVIDES, .d = F->sum->values};
  }
  if (F->sum == NULL || F->sum->storage != DLS_DENSE) {
    return (dls_factor_view){.form = DLS_FACTOR_OTHER};
  }
  const struct _SUNLinearSolverContent_Dense *lu = F->solver->content;
  return (dls_factor_view){
      .form = DLS_FACTOR_LU, .d = F->sum->values, .stride = F->sum->stride, .pivots = lu->pivots};
}
