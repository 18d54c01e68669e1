/* theta_batch.h -- numbers that the theta-method hands to its batches.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_BATCH_H
#define DELASSUS_TIME_STEPPING_THETA_BATCH_H

#include "time_stepping/batch/advance.h"

/** Numbers of a run, and the array that it keeps from step to step. */
enum { DLS_THETA_THETA, DLS_THETA_ETA };
enum { DLS_THETA_LOAD };
dls_batch_steps dls_theta_one, dls_theta_two, dls_theta_four, dls_theta_eight;

#endif
