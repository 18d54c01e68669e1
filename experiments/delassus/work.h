/* delassus/work.h -- the work-precision study: the errors of many schemes against what they cost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_WORK_H
#define DELASSUS_WORK_H

#include <delassus/study.h>

typedef struct dls_work_study {
  dls_order_study *runs; /* every run with its errors and its work */
  dls_against against;   /* the measure of work */
  dls_order_line *lines; /* line_count, as those of the runs; fits error = C work^order: the order is the slope,
                          * h_min and h_max are the least and the most work */
  size_t line_count;
} dls_work_study;

/** steps, problems, evals, seconds: the words for DLS_AGAINST_STEPS and those that follow; ends with NULL. */
extern const char *const dls_work_names[];
/** One line that says what is counted, and in which unit. */
const char *dls_work_text(dls_against against);

/**
 * Run schemes at their steps, and those that choose their own at their tolerances; fit the slopes.
 * @param[in] spec     as for dls_order_run; with DLS_AGAINST_SECONDS ask for timings
 * @param[in] against  a measure of work, not DLS_AGAINST_STEP
 * @return as dls_order_run
 */
dls_status dls_work_run(const dls_order_spec *spec, dls_against against, dls_work_study **out, dls_error *err);
void dls_work_destroy(dls_work_study *study); /* NULL is fine */

/**
 * The work that a scheme needs for an error, from the medians of its levels, log-log between neighbours.
 * @return NaN if the error is not between those of two levels, or out of memory
 */
double dls_work_needed(const dls_work_study *study, const dls_order_line *line, double error);

/**
 * Read "NAME:option=value,...,OPTION=sweep", where OPTION, in any place, is what a sequence of tolerances sets.
 * @param[out] tol_option  OPTION, or "" if none is named
 * @return as dls_scheme_choose; DLS_ERR_OPTION if several are named, or the scheme steps by h
 */
dls_status dls_work_choose(const char *text, dls_scheme_choice *out, char *tol_option, size_t size,
                           dls_error *err);

/** work.csv and slopes.csv as in the file contract. @return DLS_ERR_IO if the stream has an error */
dls_status dls_work_write_errors(const dls_work_study *study, FILE *out);
dls_status dls_work_write_slopes(const dls_work_study *study, FILE *out);
/** study.txt: "key: value" lines of provenance, then failed runs with their reasons, then warnings. */
dls_status dls_work_write_report(const dls_work_study *study, FILE *out);
/** For people: medians per level with their work, slopes, warnings, failures. */
dls_status dls_work_write_table(const dls_work_study *study, FILE *out);

/** Errors against work for one norm and one quantity, paths as for dls_plot_check. */
dls_status dls_plot_work(const dls_work_study *study, size_t norm, size_t of, const char *path, dls_error *err);

#endif
