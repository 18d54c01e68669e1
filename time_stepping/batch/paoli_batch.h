/* paoli_batch.h -- many steps of small systems at once, private to the Schatzman-Paoli scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PAOLI_BATCH_H
#define DELASSUS_TIME_STEPPING_PAOLI_BATCH_H

#include "time_stepping/step/small_system.h"

/** The number of a run. */
enum { DLS_PAOLI_THETA };
/** What a run keeps: arrays of n, then of m. */
enum {
  DLS_PAOLI_LOAD,
  DLS_PAOLI_Q,
  DLS_PAOLI_D,
  DLS_PAOLI_KEEPS_N,
  DLS_PAOLI_G_LAST = DLS_PAOLI_KEEPS_N,
  DLS_PAOLI_G,
  DLS_PAOLI_U_MINUS,
  DLS_PAOLI_IMPULSE,
  DLS_PAOLI_PI,
  DLS_PAOLI_KEEPS
};
dls_small_go dls_paoli_one, dls_paoli_two, dls_paoli_four, dls_paoli_eight;

#endif
