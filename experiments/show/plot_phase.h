/* experiments/show/plot_phase.h -- a panel in which runs are drawn over one of their columns: phase portraits, paths.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_PHASE_H
#define DELASSUS_EXPERIMENTS_PLOT_PHASE_H

#include "experiments/show/gnuplot.h"
#include <delassus/plot.h>

/** The data blocks of all panels: for run i and column X $runi_X, its jumps $jumpi_X, and $sticki_X where a contact sticks. */
dls_status dls_phase_put_data(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, dls_error *err);
/** Lines of the key besides those of the runs. */
int dls_phase_key_lines(const dls_comparison *plot);
/** Ranges and plot command of panel j. @param[in] width, height  of its frame in pixels: coordinates of one unit have equal
 * scales in both directions */
void dls_phase_put_panel(FILE *out, const dls_comparison *plot, const dls_canvas *canvas, size_t j,
                         double width, double height);

#endif
