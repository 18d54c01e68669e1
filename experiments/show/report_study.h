/* experiments/show/report_study.h -- the parts of a study on a page, for `--report` and for pages with several
 * studies. The caller begins the page (and a part for each study, if there are several), writes the question with the
 * command that repeats it, then the results of a kind of study, then models, schemes and provenance.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REPORT_STUDY_H
#define DELASSUS_EXPERIMENTS_REPORT_STUDY_H

#include "experiments/show/gnuplot.h"
#include "experiments/show/report.h"
#include <delassus/energy.h>
#include <delassus/exact.h>
#include <delassus/plot.h>
#include <delassus/work.h>

struct dls_catalogue;
struct dls_ledger;

/* --- the results (report_errors.c, report_energy.c, report_compare.c); @return DLS_ERR_IO if gnuplot
 * fails, DLS_ERR_MEMORY --- */

dls_status dls_report_order(dls_report *report, const dls_order_study *study, dls_error *err);
dls_status dls_report_work(dls_report *report, const dls_work_study *study, dls_error *err);
/** @param[in] h  step [s], 0 if no scheme needs one */
dls_status dls_report_energy(dls_report *report, size_t count, const dls_energy_curve *curves, double h,
                             double end, dls_error *err);
/** With an animation of every run if the model can be drawn. @param[in] p  its parameters */
dls_status dls_report_comparison(dls_report *report, const dls_model *model, const double *p,
                                 const dls_comparison *plot, double h, double end, dls_error *err);

/** A heading, a table and the command of each problem of a ledger; its picture (report_ledger.c). */
void dls_report_ledger(dls_report *report, const struct dls_ledger *ledger);
dls_status dls_report_ledger_picture(dls_report *report, const struct dls_ledger *ledger, dls_error *err);

/* --- what every study has (report_study.c) --- */

/** A sentence with the question, and the command line. */
void dls_report_question(dls_report *report, const char *question, const char *command);
/** Equations, parameters, exact solution (NULL: none), source. */
void dls_report_model(dls_report *report, const dls_model *model, const double *parameters,
                      const dls_exact *exact);
/** Equations, options, what to expect, source of each; equations once. */
void dls_report_schemes(dls_report *report, size_t count, const dls_scheme_choice *schemes);
/** Version, commit, compiler, processor, date. @param[in] seed  in words */
void dls_report_provenance(dls_report *report, const struct dls_catalogue *catalogue, const char *seed);

/* --- for those who compose --- */

/** Settings of a study of errors: interval, steps, repeats, seed, scales, reference. */
void dls_report_settings(dls_report *report, const dls_order_study *study);
/** The lines of a study.txt that begin with "failed: " or "warning: ". */
void dls_report_findings(dls_report *report, const char *text);
/** The output of a function, as text that the caller frees; NULL if out of memory. */
char *dls_report_text(dls_status (*write)(const void *data, FILE *out), const void *data);
/** Draw a picture in wide and narrow form. */
dls_status dls_report_picture(dls_report *report,
                              dls_status (*draw)(const void *data, const dls_canvas *canvas, dls_error *err),
                              const void *data, const char *title, const char *caption, dls_error *err);

#endif
