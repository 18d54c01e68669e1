/* experiments/show/plot_axis.h -- an axis over the values of a parameter.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_AXIS_H
#define DELASSUS_EXPERIMENTS_PLOT_AXIS_H

#include "experiments/campaign/sweep_axis.h"
#include <stdio.h>

/** "set xrange" with a margin, and ticks where it is logarithmic. @param[in] letter  'x' or 'y' @param[in] text  for the terminal */
void dls_plot_axis_range(FILE *script, char letter, const dls_sweep_axis *axis, bool text);
/** "set xlabel 'restitution coefficient e [1]'" */
void dls_plot_axis_label(FILE *script, char letter, const dls_sweep_axis *axis);

#endif
