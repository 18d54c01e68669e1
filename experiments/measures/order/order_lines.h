/* experiments/measures/order/order_lines.h -- the errors of one scheme, norm and quantity: level by level, and the fitted line.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_LINES_H
#define DELASSUS_EXPERIMENTS_ORDER_LINES_H

#include <delassus/study.h>
#include <stdio.h>

/** One line of a study (scheme, norm, quantity) at one level; what runs once is at level 0. */
typedef struct dls_order_level {
  double x;           /* median of the steps run: it belongs to the median error as the mean step does not; or
                          * of another quantity, over the runs with an error; NaN if there is none */
  double median, max; /* of the errors that are finite; NaN if there is none */
  size_t runs, failures; /* points; of them without a finite error */
} dls_order_level;

/** The step of a run, or its tolerance where it is that which is set, or its work; NaN if it has no such value. */
double dls_order_abscissa(const dls_order_point *point, dls_against against);
/** Gather a level. @return DLS_ERR_MEMORY */
dls_status dls_order_level_of(const dls_order_study *study, const dls_order_line *line, size_t level,
                              dls_against against, dls_order_level *out, dls_error *err);

/** Whether a point belongs to a line. */
static inline bool dls_order_on_line(const dls_order_point *point, const dls_order_line *line)
{
  return point->scheme == line->scheme && point->norm == line->norm && point->of == line->of;
}

/** Whether the scheme of a line chooses its own steps. */
static inline bool dls_order_by_event(const dls_order_study *study, const dls_order_line *line)
{
  return study->spec.schemes[line->scheme].scheme->stepping == DLS_BY_EVENT;
}

/** Number of levels of the scheme of a line. */
size_t dls_order_level_count(const dls_order_study *study, const dls_order_line *line);

/** A place of the 95 % band of the line through the medians. */
typedef struct dls_order_band_row {
  double x, low, high;
} dls_order_band_row;
enum { DLS_ORDER_BAND_ROWS = 13 };
bool dls_order_has_band(const dls_order_line *line);
/** @return the number of rows; 0 without a band */
size_t dls_order_band(const dls_order_line *line, dls_order_band_row rows[DLS_ORDER_BAND_ROWS]);
/** CSV of what pictures draw: the median of each level, two ends of each fitted line, the band of the medians. Lines are those of the
 * study, or of its work. @return DLS_ERR_MEMORY */
dls_status dls_order_write_curves(const dls_order_study *study, size_t count, const dls_order_line *lines,
                                  dls_against against, FILE *out);

/** "moreau-jean:theta=1": the scheme with the options that the request gave. */
void dls_order_scheme_label(const dls_order_study *study, size_t scheme, char *text, size_t size);

/** Is an error so much larger than the solution that the run has left it? */
bool dls_order_explodes(const dls_order_study *study, const dls_order_line *line, double error);

/** Is an error rounding or a tolerance of the scheme: near the floor of the study? */
bool dls_order_at_floor(const dls_order_study *study, const dls_order_line *line, double error);

/**
 * Fit error = C x^order to the runs of a line and judge it by the medians of the levels. Runs that explode are left out and counted. Where no power law holds the line
 * stays without a fit and says why.
 * @param[in] against          what x is
 * @param[in,out] count, x, error  the runs of the line; overwritten
 * @param[in,out] line         scheme, norm and quantity in; fitted, fit and reason out
 * @return DLS_ERR_MEMORY
 */
dls_status dls_order_fit(const dls_order_study *study, dls_against against, size_t count, double *x,
                         double *error, dls_order_line *line, dls_error *err);

#endif
