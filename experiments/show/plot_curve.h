/* experiments/show/plot_curve.h -- one curve of a trajectory for the scripts of the plots.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_CURVE_H
#define DELASSUS_EXPERIMENTS_PLOT_CURVE_H

#include <delassus/error.h>
#include <delassus/trajectory.h>
#include <stdio.h>

/** Write "t x" lines of column `name`, fine enough for a picture, with both limits at jumps.
 * @param[in] most  vertices, as dls_canvas_vertices */
dls_status dls_plot_curve(FILE *out, const dls_trajectory *traj, const char *name, size_t most, dls_error *err);

/** Write the label of an axis as a gnuplot string: "position q_{0} [m]"; the bare name for what is not known. */
void dls_plot_label(FILE *out, const dls_trajectory *run, const char *name);

/** Value of the first metadata line "key: value"; NULL if there is none. */
const char *dls_plot_meta(const dls_trajectory *traj, const char *key);
/** What a reference curve is: "exact", or the scheme that made it. */
const char *dls_plot_reference_name(const dls_trajectory *reference);

#endif
