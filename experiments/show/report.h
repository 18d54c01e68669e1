/* experiments/show/report.h -- a report in Markdown with pictures, and its self-contained HTML page: no network, no
 * scripts, pictures inline. It knows nothing of studies.
 *
 *   dls_report *report = NULL;
 *   dls_report_begin("Bouncing ball", &report, err);
 *   dls_report_section(report, "Orders");
 *   dls_report_paragraph(report, "...");
 *   dls_report_finish(report, "ball.html", err);
 *
 * A page with several studies has a dls_report_part before each; the sections that follow belong to it. A page with parts, or
 * with more than one section, gets a table of contents. All text is plain text in UTF-8, which is escaped; only
 * dls_report_markdown takes Markdown. The page is well-formed XML too. A failure to write is reported by dls_report_finish.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REPORT_H
#define DELASSUS_EXPERIMENTS_REPORT_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct dls_report dls_report;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_report_begin(const char *title, dls_report **out, dls_error *err);
/** Write the page, whole or not at all, and free. @return DLS_ERR_IO with path and reason; DLS_ERR_MEMORY */
dls_status dls_report_finish(dls_report *report, const char *path, dls_error *err);
/** Record that memory ran out while writing the page: dls_report_finish then fails. */
void dls_report_out_of_memory(dls_report *report);
/** Write the Markdown of a report without parts, sections and figures, which any renderer of GitHub's dialect shows; and free.
 * @return as dls_report_finish */
dls_status dls_report_finish_markdown(dls_report *report, const char *path, dls_error *err);
void dls_report_abandon(dls_report *report); /* NULL is fine */

void dls_report_part(dls_report *report, const char *title);
/** Whether the page has several studies: then bulky data stay in their folders. */
bool dls_report_has_parts(const dls_report *report);
void dls_report_section(dls_report *report, const char *title);
/** Where Markdown (markdown.h) is written as it is; its last block ends with an empty line. */
FILE *dls_report_markdown(dls_report *report);
/** A heading within a section, not in the table of contents. */
void dls_report_heading(dls_report *report, const char *title);
void dls_report_paragraph(dls_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
/** Preformatted text: equations, commands. */
void dls_report_preformatted(dls_report *report, const char *text);
/** Preformatted text, folded under its summary. */
void dls_report_folded(dls_report *report, const char *summary, const char *text);
/** A line that states whether an expectation is met. */
void dls_report_verdict(dls_report *report, bool agrees, const char *text);
/** A warning. */
void dls_report_warning(dls_report *report, const char *text);
/** A name with its value; consecutive calls form a list. */
void dls_report_entry(dls_report *report, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/** A table, cell by cell, row after row. Cells that begin with a number are aligned right. */
void dls_report_table_begin(dls_report *report, const char *caption, size_t columns,
                            const char *const *headers);
void dls_report_cell(dls_report *report, const char *format, ...) __attribute__((format(printf, 2, 3)));
void dls_report_table_end(dls_report *report);

/** A picture as SVG. Its size is left to the page, its ids get a prefix of their own.
 * @param[in] narrow  the same for telephones, or NULL
 * @param[in] title   what it shows, for screen readers
 * @return DLS_ERR_PARSE if there is no <svg>; then nothing is added */
dls_status dls_report_figure(dls_report *report, const char *wide, const char *narrow, const char *title,
                             const char *caption, dls_error *err);

#endif
