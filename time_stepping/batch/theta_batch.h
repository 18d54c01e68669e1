/* theta_batch.h -- many steps of small systems at once, private to the theta step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_BATCH_H
#define DELASSUS_TIME_STEPPING_THETA_BATCH_H

#include "time_stepping/step/small_system.h"

/** Numbers of a run, and what it keeps. */
enum { DLS_THETA_THETA, DLS_THETA_ETA };
enum { DLS_THETA_LOAD };
dls_small_go dls_theta_one, dls_theta_two, dls_theta_four, dls_theta_eight;

#endif
