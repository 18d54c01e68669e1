/* experiments/show/plot_errors_axes.c -- ranges of the axes of a picture of errors, and the label of the errors.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_errors.h"
#include <float.h>
#include <math.h>
#include <string.h>

static const double far_below = 100; /* of the least error of the other schemes */

/* "error of v in the Hausdorff distance [max(s, m/s)]"; scaled errors have no unit. */
void dls_error_plot_label(const dls_error_plot *d)
{
  const dls_norm *norm = d->study->spec.norms[d->norm];
  const dls_metric *metric = &d->study->spec.metric;
  const char *of = d->study->spec.of[d->of];
  char label[400], unit[60] = "", power[20] = "";
  if (norm->unit != NULL) {
    const char *slot = strstr(norm->unit, "%s");
    const int before = slot == NULL ? (int)strlen(norm->unit) : (int)(slot - norm->unit);
    snprintf(unit, sizeof unit, " [%.*s%s%s]", before, norm->unit, slot == NULL ? "" : d->study->units[d->of],
             slot == NULL ? "" : slot + 2);
  }
  if (metric->time_scale != 1 || metric->value_scale != 1) {
    snprintf(unit, sizeof unit, " (scales %g s and %g %s)", metric->time_scale, metric->value_scale,
             d->study->units[d->of]);
  }
  if (norm->options != NULL) {
    snprintf(power, sizeof power, ", p = %g", norm->p);
  }
  snprintf(label, sizeof label, "error of %.60s %.120s%s%s", of, norm->label != NULL ? norm->label : norm->name,
           power, unit);
  fprintf(d->out, "set ylabel ");
  dls_gnuplot_quote(d->out, label);
  fprintf(d->out, "\n");
}

/* Axis around the steps of the study. */
static void set_step_range(dls_error_plot *d)
{
  const dls_order_spec *spec = &d->study->spec;
  const double margin = spec->repeats > 1 ? 1.6 : 1.3; /* randomised steps go to 1.25 times the mean */
  d->x_low = fmin(spec->h_first, spec->h_last) / margin;
  d->x_high = fmax(spec->h_first, spec->h_last) * margin;
}

/* Axis around the work of the runs that have an error. */
static void set_work_range(dls_error_plot *d)
{
  double low = HUGE_VAL, high = 0;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    const double x = dls_order_abscissa(point, d->against);
    if (point->norm == d->norm && point->of == d->of && isfinite(point->error.value) && x > 0) {
      low = fmin(low, x);
      high = fmax(high, x);
    }
  }
  d->x_low = high > 0 ? low / 1.4 : 1;
  d->x_high = high > 0 ? high * 2 : 10;
}

/* Whether a run belongs to a horizontal line. */
static bool is_flat_point(const dls_error_plot *d, const dls_order_point *point)
{
  return d->against == DLS_AGAINST_STEP &&
         d->study->spec.schemes[point->scheme].scheme->stepping == DLS_BY_EVENT;
}

/* Axis around the errors. A horizontal line that lies far below all other errors does not stretch it: an arrow at the
 * foot points to it. */
static void set_error_range(dls_error_plot *d)
{
  double low = HUGE_VAL, high = 0, lowest = HUGE_VAL;
  for (size_t i = 0; i < d->study->point_count; i++) {
    const dls_order_point *point = &d->study->points[i];
    if (point->norm == d->norm && point->of == d->of && dls_error_kind_of(point) == DLS_ERROR_POSITIVE) {
      low = is_flat_point(d, point) ? low : fmin(low, point->error.value);
      lowest = fmin(lowest, point->error.value);
      high = fmax(high, point->error.value);
    }
  }
  d->foot = lowest < low / far_below && low < HUGE_VAL ? low / far_below : 0;
  low = d->foot > 0 ? low : lowest;
  low = high > 0 ? low : DBL_EPSILON; /* no error to draw */
  high = high > 0 ? high : 1;
  d->zero = low / 3;
  d->e_low = low / 10;
  d->e_high = high * 4;
}

void dls_error_plot_ranges(dls_error_plot *d)
{
  (d->against == DLS_AGAINST_STEP ? set_step_range : set_work_range)(d);
  set_error_range(d);
}
