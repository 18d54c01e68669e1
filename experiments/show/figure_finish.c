/* experiments/show/figure_finish.c -- the end of a figure: lay out, write, release.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/terminal.h"
#include <stdlib.h>

static void release(dls_figure *figure)
{
  for (size_t i = 0; i < figure->table_count; i++) {
    free(figure->tables[i]->values);
  }
  for (size_t i = 0; i < figure->panel_count; i++) {
    free(figure->panels[i]->series);
    free(figure->panels[i]->marks);
  }
  free(figure->tables);
  free(figure->panels);
  free(figure->spare_table.values);
  free(figure->spare_panel.series);
  free(figure->spare_panel.marks);
  dls_pool_release(&figure->pool);
}

dls_status dls_figure_finish(dls_figure *figure, dls_status status, dls_error *err)
{
  const char *path = figure->canvas.path != NULL ? figure->canvas.path : "of a page";
  if (status == DLS_OK) {
    status = dls_figure_layout(figure, err);
    status = figure->failed || figure->pool.failed
                 ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot %s", path)
             : status != DLS_OK                   ? status
             : figure->text                       ? dls_terminal_draw(figure, err)
             : dls_canvas_is_tex(&figure->canvas) ? dls_pgfplots_draw(figure, err)
                                                  : dls_gnuplot_draw(figure, err);
  }
  release(figure);
  return status;
}
