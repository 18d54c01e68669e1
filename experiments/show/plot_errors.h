/* experiments/show/plot_errors.h -- errors against step or work with fitted lines, both axes logarithmic: the picture
 * that order studies and work studies share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_ERRORS_H
#define DELASSUS_EXPERIMENTS_PLOT_ERRORS_H

#include "experiments/measures/order_lines.h"
#include "experiments/show/gnuplot.h"
#include <math.h>

typedef struct dls_error_plot {
  dls_canvas canvas;
  const dls_order_study *study;
  const dls_order_line *lines; /* with fits error = C x^order */
  size_t line_count, norm, of;
  dls_against against; /* x */
  const char *x_label, *key_title;
  /* Write marks of its own: labels, and blocks $triangle_0, ... whose number goes to `triangles`; may widen the
   * range of the errors. Not called for pictures made of characters. */
  void (*decorate)(struct dls_error_plot *d);
  /* what drawing fills in */
  FILE *out;
  bool text;            /* characters in the terminal: medians only */
  double x_low, x_high; /* axis */
  double e_low, e_high; /* axis; around all errors that are finite and positive */
  double foot;  /* levels of schemes with steps of their own below this are told by arrows; 0: none is */
  double zero;  /* where errors that are 0 are drawn */
  double *flat; /* of each line: the level of a scheme that chooses its own steps; NaN: another's */
  size_t triangles;
  bool wedge[2];         /* whether a triangle has the slope of a published order: filled */
  const char *separator; /* before the next item of the plot command */
  int key_lines;         /* written so far */
} dls_error_plot;

/** Draw. @return as dls_plot_check; DLS_ERR_ARG if there is nothing to draw; DLS_ERR_MEMORY */
dls_status dls_error_plot_draw(dls_error_plot *d, dls_error *err);

/** Set the ranges of both axes, and the heights of what has no place in them. */
void dls_error_plot_ranges(dls_error_plot *d);
/** Write the label of the errors. */
void dls_error_plot_label(const dls_error_plot *d);

typedef enum dls_error_kind { DLS_ERROR_POSITIVE, DLS_ERROR_ZERO, DLS_ERROR_FAILED } dls_error_kind;

static inline dls_error_kind dls_error_kind_of(const dls_order_point *point)
{
  if (!isfinite(point->error.value)) {
    return DLS_ERROR_FAILED;
  }
  return point->error.value > 0 ? DLS_ERROR_POSITIVE : DLS_ERROR_ZERO;
}

/** Whether a line belongs to the norm and the quantity of the picture. */
static inline bool dls_error_plot_shows(const dls_error_plot *d, const dls_order_line *line)
{
  return line->norm == d->norm && line->of == d->of;
}

#endif
