/* experiments/show/plot_grid.h -- the numbers of a grid over its parameters: curves over one, heat maps over two.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_GRID_H
#define DELASSUS_EXPERIMENTS_PLOT_GRID_H

#include "experiments/measures/sweep/grid.h"
#include "experiments/show/figure.h"

/** A number of a group (a norm of a quantity; 0 if there are none) over the parameters. */
typedef struct dls_grid_panel {
  size_t group, column;
} dls_grid_panel;

/** Those that are drawn and whose values differ; if there are none, those that have a value. @param[out] panels  room for groups x columns @return their number */
size_t dls_grid_panels(const dls_grid *grid, dls_grid_panel *panels);
/** "l1_q_order", "last_q0": part of the name of a file */
void dls_grid_panel_name(const dls_grid *grid, dls_grid_panel panel, char *text, size_t size);
/**
 * Over one parameter a panel for each, one below the other, with a curve for each scheme; over two a row of maps for each, one for
 * each scheme.
 * @return as dls_gnuplot_begin and dls_gnuplot_finish
 */
dls_status dls_draw_grid(const dls_grid *grid, const dls_grid_panel *panels, size_t count,
                         const dls_canvas *canvas, dls_error *err);

#endif
