/* experiments/measures/order/study_tables.h -- what the tables of all studies share: provenance, timings, failed runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STUDY_TABLES_H
#define DELASSUS_EXPERIMENTS_STUDY_TABLES_H

#include "experiments/campaign/table.h"
#include "experiments/measures/order/order_lines.h"
#include <delassus/work.h>

enum { DLS_LABEL_ROOM = 320 };

/** A convergence study as what a work study is too: errors against the step in the place of work. */
static inline dls_work_study dls_order_view(const dls_order_study *study)
{
  return (dls_work_study){study, DLS_AGAINST_STEP, study->lines, study->line_count};
}

/** What ends a table: the lines of its provenance, with # in front. @return as dls_table_status */
dls_status dls_table_end(const dls_order_study *study, FILE *out);
/** "key: value" lines: version, machine, model, schemes, steps, reference, is it complete. */
void dls_table_provenance(const dls_order_study *study, FILE *out);
/** "key: value" lines: how the seconds were taken, how many runs went at a time, processors and load.
 * @return the load */
double dls_table_timing(const dls_order_study *study, FILE *out);
/** The failed runs of one line with their reasons, each after `lead`, for people: runs that follow each other and failed for the same reason are one line and a number. */
void dls_table_failure_reasons(const dls_order_study *study, const dls_order_line *line, const char *lead,
                               FILE *out);
/** All failed runs, then "failures: 3". */
void dls_table_all_failures(const dls_order_study *study, FILE *out);
/** "warning: moreau-jean, l1 of q: " */
void dls_table_warning_lead(const dls_order_study *study, const dls_order_line *line, char *text, size_t size);
/** Say after `lead` how many errors are at the floor, if any. */
void dls_table_floor_warning(const dls_order_line *line, const char *lead, FILE *out);

/** Why something is missing, as a sentence without its full stop; empty if nothing is. */
void dls_table_incomplete(const dls_order_study *study, char *text, size_t size);

#endif
