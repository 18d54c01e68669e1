/* experiments/plot_work.c -- errors against work, with the slope written at each fitted line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/gnuplot.h"
#include "experiments/plot_errors.h"
#include <delassus/plot.h>
#include <delassus/work.h>

/* The slope at the end with much work, where the lines of different schemes lie far apart. */
static void put_slopes(dls_error_plot *d)
{
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = &d->lines[i];
    if (!dls_error_plot_shows(d, line) || !line->fitted) {
      continue;
    }
    const double error = line->fit.constant * pow(line->fit.h_max, line->fit.order);
    fprintf(d->out, "set label '%.2f' at %.6g,%.6g left offset 0.7,0.2 textcolor rgb '%s'\n", line->fit.order,
            line->fit.h_max, error, dls_gnuplot_colour(line->scheme));
  }
}

dls_status dls_plot_work(const dls_work_study *study, size_t norm, size_t of, const char *path, dls_error *err)
{
  dls_error_plot plot = {.study = study->runs,
                         .lines = study->lines,
                         .line_count = study->line_count,
                         .norm = norm,
                         .of = of,
                         .against = study->against,
                         .x_label = dls_work_text(study->against),
                         .key_title = "slope of the error over the work [95 % interval]",
                         .decorate = put_slopes};
  return dls_error_plot_draw(&plot, path, err);
}
