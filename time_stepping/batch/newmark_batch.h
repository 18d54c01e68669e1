/* newmark_batch.h -- many steps of small systems at once, private to the Newmark step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_BATCH_H
#define DELASSUS_TIME_STEPPING_NEWMARK_BATCH_H

#include "time_stepping/newmark/newmark_step.h"
#include "time_stepping/step/small_system.h"

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
/** What a run keeps. */
enum { DLS_NEWMARK_LOAD, DLS_NEWMARK_A };
dls_small_go dls_newmark_one, dls_newmark_two, dls_newmark_four, dls_newmark_eight;

#endif
