/* experiments/show/plot_friction.h -- pictures of friction: when a contact sticks, and the limits of its friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_FRICTION_H
#define DELASSUS_EXPERIMENTS_PLOT_FRICTION_H

#include "experiments/show/figure.h"

#include <delassus/trajectory.h>

enum { DLS_PLOT_STICKS = 1 }; /* value of a status column */

/** The status column of the first contact that slips and sticks, else of the first that slips, and its number. @return -1: there is none */
int dls_plot_stick_column(const dls_trajectory *traj, size_t *contact);
/** Shade the times at which that contact sticks. Gaps that are too narrow to be seen are shaded too.
 * @param[in] of_steps  the status belongs to the step that ends at its row; else to the time up to the next row */
void dls_plot_bands(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj, size_t status,
                    bool of_steps);
/** mu of a contact in the plane: the largest |lambda_T| / lambda_N where it slips, right limits only. @param[in] name  "lambda0t"; of a
 * scheme by step "p0" or "p0t" @return 0 if it never slips */
double dls_plot_friction_of(const dls_trajectory *traj, const char *name);
/** Rows t, mu lambda_N, -mu lambda_N of a contact in the plane that slips at some time; mu is computed from its forces
 * there. @param[in] name  "lambda0t" @return NULL: there are none */
const dls_plot_table *dls_plot_limits(dls_figure *figure, const dls_trajectory *traj, const char *name);

#endif
