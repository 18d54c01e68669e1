/* experiments/show/plot_errors.h -- errors against step or work with fitted lines, both axes logarithmic: the picture
 * that order studies and work studies share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_ERRORS_H
#define DELASSUS_EXPERIMENTS_PLOT_ERRORS_H

#include "experiments/measures/order/order_lines.h"
#include "experiments/show/figure.h"
#include <math.h>

typedef struct dls_error_plot {
  const dls_order_study *study;
  const dls_order_line *lines; /* with fits error = C x^order */
  size_t line_count, norm, of;
  dls_against against; /* x */
  const char *x_label, *key_title;
  /* Add marks and series of its own to the panel; may widen the range of the errors. Not called in the terminal. */
  void (*decorate)(struct dls_error_plot *d);
  /* Add series behind those of the errors; NULL: none. Not called in the terminal. */
  void (*overlay)(struct dls_error_plot *d);
  /* by dls_error_plot_draw */
  dls_figure *figure;
  dls_panel *panel;     /* in the terminal medians only */
  double x_low, x_high; /* axis */
  double e_low, e_high; /* axis, around all errors that are finite and positive */
  double foot;    /* levels of schemes with steps of their own below this are shown by arrows; 0: none is */
  double zero;    /* where errors that are 0 are drawn */
  double *flat;   /* of each line: the level of a scheme that chooses its own steps; NaN: another's */
  bool published; /* a triangle has the slope of a published order: filled */
} dls_error_plot;

/** Draw. @return as dls_plot_check; DLS_ERR_ARG if there is nothing to draw; DLS_ERR_MEMORY */
dls_status dls_error_plot_draw(dls_error_plot *d, const dls_canvas *canvas, dls_error *err);

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
