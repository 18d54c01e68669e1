/* experiments/show/plot_curve.h -- curves, labels and axes of trajectories, models and sweeps.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_CURVE_H
#define DELASSUS_EXPERIMENTS_PLOT_CURVE_H

#include "experiments/campaign/sweep_axis.h"
#include "experiments/show/figure.h"

#include <delassus/model.h>
#include <delassus/trajectory.h>

/** Rows t, x of column `name`, fine enough for a picture, with both limits at jumps. */
dls_status dls_plot_curve(dls_figure *figure, dls_plot_table *table, const dls_trajectory *traj,
                          const char *name, dls_error *err);
/** Label of an axis: "position q_{0} [m]"; the bare name of an unknown column. */
const char *dls_plot_label(dls_figure *figure, const dls_trajectory *run, const char *name);
/** The same of a column of a model's trajectories. @return DLS_ERR_MEMORY */
dls_status dls_plot_model_label(dls_figure *figure, const dls_model *model, const double *parameters,
                                const char *name, const char **label, dls_error *err);
/** "restitution coefficient e [1]", with a margin around the values of a parameter. */
dls_axis dls_plot_parameter_axis(dls_figure *figure, const dls_sweep_axis *axis);

/** Value of the first metadata line "key: value"; NULL if there is none. */
const char *dls_plot_meta(const dls_trajectory *traj, const char *key);
/** Model, scheme with its options and step of a run, for the title. */
void dls_plot_title_run(dls_figure *figure, const dls_trajectory *traj);
/** Name of a reference curve: "exact", or the scheme that computed it. */
const char *dls_plot_reference_name(const dls_trajectory *reference);

#endif
