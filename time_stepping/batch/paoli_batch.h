/* paoli_batch.h -- numbers that the Schatzman-Paoli scheme hands to its batches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_BATCH_H
#define DELASSUS_TIME_STEPPING_PAOLI_BATCH_H

#include "time_stepping/batch/advance.h"

/** The number of a run. */
enum { DLS_PAOLI_THETA };
/** Arrays that a run keeps from step to step: of n, then of m. */
enum {
  DLS_PAOLI_LOAD,
  DLS_PAOLI_Q,
  DLS_PAOLI_D,
  DLS_PAOLI_KEPT_N,
  DLS_PAOLI_G_LAST = DLS_PAOLI_KEPT_N,
  DLS_PAOLI_G,
  DLS_PAOLI_U_MINUS,
  DLS_PAOLI_IMPULSE,
  DLS_PAOLI_PI,
  DLS_PAOLI_KEPT
};
dls_batch_steps dls_paoli_one, dls_paoli_two, dls_paoli_four, dls_paoli_eight;

#endif
