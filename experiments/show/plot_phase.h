/* experiments/show/plot_phase.h -- a panel in which runs are drawn over one of their columns: phase portraits, paths.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_PHASE_H
#define DELASSUS_EXPERIMENTS_PLOT_PHASE_H

#include "experiments/show/figure.h"

#include <delassus/plot.h>

enum { DLS_PHASE_WIDTH = 800 };

/** Column j of all runs over plot->over. Coordinates of one unit have equal scales in both directions. The tables of run i
 * and column X are runi_X, its jumps jumpi_X, and sticki_X where a contact sticks. */
dls_status dls_phase_add_panel(dls_figure *figure, const dls_comparison *plot, size_t j, dls_error *err);

#endif
