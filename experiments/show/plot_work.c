/* experiments/show/plot_work.c -- errors against work, with the slope written at each fitted line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/machine.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_errors.h"
#include <math.h>

/* The machine at the right edge: timings depend on it. */
static void add_machine(const dls_error_plot *d)
{
  char cpu[DLS_CPU_ROOM], jobs[40] = "one run";
  const dls_order_spec *spec = &d->study->spec;
  dls_machine_cpu(cpu, sizeof cpu);
  if (d->against != DLS_AGAINST_SECONDS && spec->jobs > 1) {
    snprintf(jobs, sizeof jobs, "%zu runs", spec->jobs);
  }
  d->figure->note = dls_figure_text(d->figure, "delassus %s, %.60s, %.100s, seed %lu, %s at a time",
                                    DLS_VERSION, dls_machine_compiler, cpu, spec->seed, jobs);
}

/* Places for a label along its fitted line, best first: the end with most work, where lines are far apart. At each, beside the line. */
static const double along[] = {1, 0.5, 0.75, 0.25, 0.6, 0.4, 0.9, 0.1};
static const dls_text_place beside[] = {{.align = -1, .dx = 0.9, .dy = 0.2},
                                        {.align = 1, .dx = -0.9, .dy = -0.4},
                                        {.dx = 1, .dy = 0.9},
                                        {.dx = -1, .dy = -1}};
enum {
  ALONG = sizeof along / sizeof along[0],
  BESIDE = sizeof beside / sizeof beside[0],
  PLACES = ALONG * BESIDE
};

static void add_slope(const dls_error_plot *d, const dls_order_line *line)
{
  dls_text_place *places = dls_pool_take(&d->figure->pool, PLACES * sizeof *places);
  for (size_t i = 0; i < PLACES && places != NULL; i++) {
    const double work = line->fit.h_min * pow(line->fit.h_max / line->fit.h_min, along[i / BESIDE]);
    places[i] = beside[i % BESIDE];
    places[i].x = work;
    places[i].y = line->fit.constant * pow(work, line->fit.order);
  }
  dls_panel_mark(d->figure, d->panel,
                 &(dls_mark){.text = dls_figure_text(d->figure, "%.2f", line->fit.order),
                             .colour = dls_style_of(line->scheme).colour,
                             .places = places,
                             .place_count = places != NULL ? PLACES : 0});
}

/* The slope at each line. */
static void decorate(dls_error_plot *d)
{
  for (size_t i = 0; i < d->line_count; i++) {
    if (dls_error_plot_shows(d, &d->lines[i]) && d->lines[i].fitted) {
      add_slope(d, &d->lines[i]);
    }
  }
  add_machine(d);
}

dls_status dls_plot_work(const dls_work_study *study, size_t norm, size_t of, const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_work(study, norm, of, &canvas, err);
}

dls_status dls_draw_work(const dls_work_study *study, size_t norm, size_t of, const dls_canvas *canvas,
                         dls_error *err)
{
  dls_error_plot plot = {.study = study->runs,
                         .lines = study->lines,
                         .line_count = study->line_count,
                         .norm = norm,
                         .of = of,
                         .against = study->against,
                         .x_label = dls_work_text(study->against),
                         .key_title = "slope of the error over the work [95 % interval]",
                         .decorate = decorate};
  return dls_error_plot_draw(&plot, canvas, err);
}
