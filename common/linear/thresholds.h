/* common/linear/thresholds.h -- thresholds of sparse factors, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_LINEAR_THRESHOLDS_H
#define DELASSUS_LINEAR_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_LINEAR_THRESHOLD_REALS(X) \
  /* old pivots with new values (sparse_lu.c) */ \
  X(nearly_singular, 3.666852862501036e-11, "1", "DBL_EPSILON^(2/3), as in SUNLinSolSetup_KLU", "with a smaller reciprocal condition number new pivots are searched for") \
  X(least_pivot_growth, 0.01, "1", "at most two digits are lost", "the same with a smaller reciprocal growth of pivots") \
  X(lasting_pivot, 0.1, "of the largest entry in its column", "KLU's 0.001 takes pivots that other values make inaccurate", "a pivot on the diagonal is at least so large once old pivots were not accurate (sparse_lu.c)") \
  X(least_iterated_growth, 1e-3, "1", "at most three digits are lost, which iteration recovers", "the same for factors whose solves are iterated (klu_numbers.c)")

#define DLS_LINEAR_THRESHOLD_COUNTS(X) \
  X(mesh_rows, 500, "rows", "factors of small matrices fill in little in any order", "from this size the ordering is chosen by the pattern (sparse_lu.c)") \
  X(boundary_entries, 16, "entries for a row of A", "about a row of A of a plane mesh", "largest square matrix on the rows of H: of the Schur complement (schur.c), of W (condensed.c)")
/* clang-format on */

DLS_LINEAR_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_LINEAR_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };

#endif
