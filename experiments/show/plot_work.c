/* experiments/show/plot_work.c -- errors against work, with the slope written at each fitted line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/machine.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_errors.h"
#include <stdint.h>

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

/* A place in parts of the axes, from the lower left. */
typedef struct place {
  double x, y;
} place;

static place place_of(const dls_error_plot *d, double work, double error)
{
  return (place){log(work / d->x_low) / log(d->x_high / d->x_low),
                 log(error / d->e_low) / log(d->e_high / d->e_low)};
}

/* Places for a label on its fitted line, best first: the end with most work, where lines are far apart. */
static const double candidates[] = {1, 0.5, 0.75, 0.25, 0.6, 0.4, 0.9, 0.1};
enum { CANDIDATES = sizeof candidates / sizeof candidates[0], MOST_LABELS = 40 };
static const double wide_label = 0.08, narrow_label = 73.2 /* pixels */,
                    label_height = 0.03; /* parts of the axes, with a margin */

/* A label on a line: to the right of a point of it, or to the left and a little lower. */
typedef struct label {
  double work, error, width;
  bool left;
  place middle;
} label;

static label make_label(const dls_error_plot *d, const dls_order_line *line, double part, bool left)
{
  label l = {.left = left,
             .width = d->figure->canvas.narrow ? narrow_label / dls_canvas_width(&d->figure->canvas, 0)
                                               : wide_label};
  l.work = line->fit.h_min * pow(line->fit.h_max / line->fit.h_min, part);
  l.error = line->fit.constant * pow(l.work, line->fit.order);
  l.middle = place_of(d, l.work, l.error);
  l.middle.x += (left ? -0.5 : 0.5) * l.width;
  l.middle.y -= left ? label_height / 2 : 0;
  return l;
}

/* Whether a label covers a point of the axes; two labels overlap if one of twice the size does. */
static bool is_under(const label *l, place p, double size)
{
  return fabs(p.x - l->middle.x) < size * l->width / 2 && fabs(p.y - l->middle.y) < size * label_height / 2;
}

/* Whether a fitted line passes under a label. */
static bool crosses(const dls_error_plot *d, const dls_order_line *line, const label *l)
{
  enum { SAMPLES = 200 }; /* finer than the height of a label on any line */
  for (int i = 0; i <= SAMPLES; i++) {
    const double work = line->fit.h_min * pow(line->fit.h_max / line->fit.h_min, (double)i / SAMPLES);
    if (is_under(l, place_of(d, work, line->fit.constant * pow(work, line->fit.order)), 1)) {
      return true;
    }
  }
  return false;
}

/* Cost of what a label covers: 1 for a run, 10 for a fitted line, 100 for another label. */
static size_t count_covered(const dls_error_plot *d, const label *l, const label *labels, size_t label_count)
{
  size_t covered = 0;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    const double work = dls_order_abscissa(point, d->against);
    if (point->norm == d->norm && point->of == d->of && dls_error_kind_of(point) == DLS_ERROR_POSITIVE &&
        work > 0) {
      covered += is_under(l, place_of(d, work, point->error.value), 1);
    }
  }
  for (size_t i = 0; i < d->line_count; i++) {
    const dls_order_line *line = &d->lines[i];
    covered += dls_error_plot_shows(d, line) && line->fitted && crosses(d, line, l) ? 10 : 0;
  }
  for (size_t i = 0; i < label_count; i++) {
    covered += is_under(l, labels[i].middle, 2) ? 100 : 0;
  }
  return covered;
}

/* Place the label of a line where it covers least. */
static label add_slope(const dls_error_plot *d, const dls_order_line *line, const label *labels, size_t count)
{
  label best = {0};
  size_t least = SIZE_MAX;
  for (int i = 0; i < 2 * CANDIDATES; i++) {
    const label l = make_label(d, line, candidates[i / 2], i % 2 == 1);
    const size_t covered = count_covered(d, &l, labels, count);
    if (covered < least) {
      least = covered;
      best = l;
    }
  }
  dls_panel_mark(d->figure, d->panel,
                 &(dls_mark){.x = best.work,
                             .y = best.error,
                             .text = dls_figure_text(d->figure, "%.2f", line->fit.order),
                             .align = best.left ? 1 : -1,
                             .dx = best.left ? -0.9 : 0.9,
                             .dy = best.left ? -0.4 : 0.2,
                             .colour = dls_style_of(line->scheme).colour});
  return best;
}

/* The slope at each line. */
static void decorate(dls_error_plot *d)
{
  label labels[MOST_LABELS];
  size_t count = 0;
  for (size_t i = 0; i < d->line_count && count < MOST_LABELS; i++) {
    const dls_order_line *line = &d->lines[i];
    if (dls_error_plot_shows(d, line) && line->fitted) {
      labels[count] = add_slope(d, line, labels, count);
      count++;
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
