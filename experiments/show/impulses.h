/* experiments/show/impulses.h -- impulses of a run in pictures: blows as stems, lasting contact as a force.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_IMPULSES_H
#define DELASSUS_EXPERIMENTS_IMPULSES_H

#include "experiments/show/figure.h"

#include <delassus/trajectory.h>
#include <stdbool.h>

typedef struct dls_impulses {
  size_t stems, pushes; /* rows of either kind */
  bool *stem;           /* rows; whether the impulse of a row is a blow */
} dls_impulses;

/**
 * Tell blows from lasting contact where the impulses are those of steps. A blow is above 5 % of the largest, and in a
 * lasting contact three times its usual impulse. All others are pushes.
 * @param[in] column  of impulses
 * @return DLS_ERR_MEMORY; release with dls_impulses_clear
 */
dls_status dls_impulses_sort(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err);
/** All impulses are blows, as in an event-driven run. @return as above */
dls_status dls_impulses_all(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err);
void dls_impulses_clear(dls_impulses *impulses);
/** Rows t, p of every blow. */
void dls_impulses_put_stems(dls_plot_table *out, const dls_trajectory *traj, size_t column,
                            const dls_impulses *impulses);
/** Rows t, F: each push divided by its step, or by the time since the one before it if that is one or two steps
 * ago; 0 where nothing pushes. During a blow the force is continued. */
void dls_impulses_put_force(dls_plot_table *out, const dls_trajectory *traj, size_t column,
                            const dls_impulses *impulses);

#endif
