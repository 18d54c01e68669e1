/* common/contact/thresholds.h -- thresholds of surfaces and of W of many contacts, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_THRESHOLDS_H
#define DELASSUS_CONTACT_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_CONTACT_THRESHOLD_REALS(X) \
  X(surface_jump, 1e-8, "l_s/t_s", "less is rounding", "the velocity of a surface jumps if it changes by more from one floating-point number t to the next (configuration.c)")

#define DLS_CONTACT_THRESHOLD_COUNTS(X) \
  /* few_contacts.c */ \
  X(few_least, 16, "contacts", "the whole problem of fewer is as fast", "up to this number no contacts are chosen") \
  /* columns of A^{-1} H (condensed.c, dense.c) */ \
  X(full_columns, 20, "rows of H", "they are added up faster than A is solved", "up to this number they are kept") \
  X(full_columns_band, 64, "rows of H", "without sparse storage each column of W takes a solve with all of A", "the same where A has another storage than sparse") \
  X(full_entries, 1 << 16, "numbers", "their memory stays small", "so many entries are kept at any rate") \
  X(summed_columns, 4, "columns", "more cost more to add up than one solve with A", "A^{-1} H r is the sum of up to this number of columns (dense.c)")
/* clang-format on */

DLS_CONTACT_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_CONTACT_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };

#endif
