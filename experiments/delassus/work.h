/* delassus/work.h -- the work-precision study: the errors of many schemes against what they cost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WORK_H
#define DELASSUS_WORK_H

#include <delassus/study.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The runs of a study, fitted over their work. */
typedef struct dls_work_study {
  const dls_order_study *runs; /* borrowed: every run with its errors and its work */
  dls_against against;         /* the measure of work */
  dls_order_line *lines;       /* line_count, as those of the runs; fits error = C work^order: the order is the
                                * slope, h_min and h_max are the least and the most work */
  size_t line_count;
} dls_work_study;

/** steps, problems, evals, seconds: the words for DLS_AGAINST_STEPS and those that follow; ends with NULL. */
extern const char *const dls_work_names[];
/** The word for a measure of work. */
const char *dls_work_name(dls_against against);
/** One line that says what is counted, and in which unit. */
const char *dls_work_text(dls_against against);

/**
 * Fit the slopes of the errors over the work.
 * @param[in] runs     made by dls_order_run, for DLS_AGAINST_SECONDS with timings; must outlive the result
 * @param[in] against  a measure of work
 * @return DLS_OK; DLS_ERR_ARG for DLS_AGAINST_STEP; DLS_ERR_MEMORY
 */
dls_status dls_work_fit(const dls_order_study *runs, dls_against against, dls_work_study **out, dls_error *err);
void dls_work_destroy(dls_work_study *study); /* NULL is fine; the runs stay */

/** Work for a given error. */
typedef struct dls_work_need {
  double work; /* NaN if nothing can be said */
  enum {
    DLS_NEED_MEASURED,     /* between two levels, log-log */
    DLS_NEED_AT_MOST,      /* all levels are more accurate: the work of the cheapest */
    DLS_NEED_EXTRAPOLATED, /* no level is as accurate: the fitted line, if it falls, up to ten times the most
                            * work that was done */
    DLS_NEED_NO_MEMORY     /* it could not be computed */
  } kind;
} dls_work_need;
/** The least work with which a scheme reaches an error > 0, from the medians of its levels. */
dls_work_need dls_work_needed(const dls_work_study *study, const dls_order_line *line, double error);

/** work.csv and slopes.csv as in the file contract. @return DLS_ERR_IO if the stream has an error */
dls_status dls_work_write_errors(const dls_work_study *study, FILE *out);
dls_status dls_work_write_slopes(const dls_work_study *study, FILE *out);
/** study.txt: "key: value" lines of provenance, then failed runs with their reasons, then warnings. */
dls_status dls_work_write_report(const dls_work_study *study, FILE *out);
/** For people: medians per level with their work, slopes, warnings, failures. */
dls_status dls_work_write_table(const dls_work_study *study, FILE *out);

/** Errors against work for one norm and one quantity, paths as for dls_plot_check. */
dls_status dls_plot_work(const dls_work_study *study, size_t norm, size_t of, const char *path, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
