/* experiments/show/plot_friction.h -- pictures of friction: when a contact sticks, and the limits of its friction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_FRICTION_H
#define DELASSUS_EXPERIMENTS_PLOT_FRICTION_H

#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stdio.h>

enum { DLS_PLOT_STICKS = 1 }; /* value of a status column */

/** Shade the times at which the first contact that slips at some time sticks, in all panels to come. @return that contact, or
 * -1: there is none, and nothing is shaded */
int dls_plot_bands(FILE *out, const dls_trajectory *traj);
/** The status column of that contact, and its number. @return -1: there is none */
int dls_plot_stick_column(const dls_trajectory *traj, size_t *contact);
/** The data block $limit_NAME, NAME "lambda0t": t, mu lambda_N of a contact in the plane that slips at some time, mu from its
 * forces there. @return is there one? */
bool dls_plot_limits(FILE *out, const dls_trajectory *traj, const char *name);
/** Does dls_plot_limits write one? */
bool dls_plot_has_limits(const dls_trajectory *traj, const char *name);

#endif
