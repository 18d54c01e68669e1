/* newmark_batch.h -- numbers that the Newmark family hands to its batches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_BATCH_H
#define DELASSUS_TIME_STEPPING_NEWMARK_BATCH_H

#include "time_stepping/batch/advance.h"

/** Numbers of a run; alpha_c averages damping and load. */
enum {
  DLS_NEWMARK_GAMMA,
  DLS_NEWMARK_BETA,
  DLS_NEWMARK_ALPHA_M,
  DLS_NEWMARK_ALPHA_F,
  DLS_NEWMARK_ALPHA_C,
  DLS_NEWMARK_WEIGHT_K,
  DLS_NEWMARK_WEIGHT_C
};
/** Arrays that a run keeps from step to step. */
enum { DLS_NEWMARK_LOAD, DLS_NEWMARK_A };
dls_batch_steps dls_newmark_one, dls_newmark_two, dls_newmark_four, dls_newmark_eight;

#endif
