/* experiments/show/plot_friction.h -- pictures of friction: when a contact sticks, and the limits of its friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_FRICTION_H
#define DELASSUS_EXPERIMENTS_PLOT_FRICTION_H

#include "experiments/show/figure.h"

#include <delassus/trajectory.h>

enum { DLS_PLOT_STICKS = 1 }; /* value of a status column */

/** The status column of the first contact that slips at some time, and its number. @return -1: there is none */
int dls_plot_stick_column(const dls_trajectory *traj, size_t *contact);
/** Shade the times at which that contact sticks. */
void dls_plot_bands(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj, size_t status);
/** Rows t, mu lambda_N, -mu lambda_N of a contact in the plane that slips at some time; mu is computed from its forces
 * there. @param[in] name  "lambda0t" @return NULL: there are none */
const dls_plot_table *dls_plot_limits(dls_figure *figure, const dls_trajectory *traj, const char *name);

#endif
