/* experiments/show/plot_grid_map.h -- heat maps over two parameters, and what they share with curves over one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_GRID_MAP_H
#define DELASSUS_EXPERIMENTS_PLOT_GRID_MAP_H

#include "experiments/show/plot_grid.h"

/* "last q0 [m]". */
typedef struct dls_grid_label {
  char text[200];
} dls_grid_label;

/* plot_grid.c: is it positive over more than two decades?; model, end and step where the canvas has a title. */
bool dls_grid_panel_logarithmic(const dls_grid *grid, dls_grid_panel panel, double *low, double *high);
void dls_grid_put_title(FILE *out, const dls_grid *grid, const dls_canvas *canvas);

/* Pixels. */
int dls_grid_maps_height(const dls_grid *grid, size_t count, const dls_canvas *canvas);
/* A row of maps for each panel, one for each scheme, with the same colours. */
void dls_grid_draw_maps(FILE *out, const dls_grid *grid, const dls_grid_panel *panels,
                        const dls_grid_label *labels, size_t count, const dls_canvas *canvas, bool text);

#endif
