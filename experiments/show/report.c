/* experiments/show/report.c -- a report in Markdown, and its HTML page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/report.h"
#include "common/base/text.h"
#include "experiments/show/markdown.h"
#include "experiments/show/page.h"
#include "experiments/show/report_svg.h"
#include <delassus/output.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 6 }; /* of a page with more of them the table of contents leaves out their sections */

typedef struct figure {
  char *pictures[2]; /* SVG, wide and for telephones, or NULL */
  char *title;
} figure;

struct dls_report {
  char *title, *text; /* text: Markdown */
  size_t size;
  FILE *out; /* into text */
  size_t parts, sections, figure_count;
  figure *figures;
  size_t columns, column; /* of the table that is open */
  bool incomplete;        /* out of memory for part of it */
};

dls_status dls_report_begin(const char *title, dls_report **out, dls_error *err)
{
  dls_report *report = *out = calloc(1, sizeof *report);
  if (report != NULL) {
    report->title = dls_text_copy(title);
    report->out = dls_text_stream(&report->text, &report->size);
  }
  if (report == NULL || report->title == NULL || report->out == NULL) {
    dls_report_abandon(report);
    *out = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the report '%.100s'", title);
  }
  return DLS_OK;
}

void dls_report_abandon(dls_report *report)
{
  if (report == NULL) {
    return;
  }
  if (report->out != NULL) {
    fclose(report->out);
  }
  for (size_t i = 0; i < report->figure_count; i++) {
    free(report->figures[i].pictures[0]);
    free(report->figures[i].pictures[1]);
    free(report->figures[i].title);
  }
  free(report->figures);
  free(report->text);
  free(report->title);
  free(report);
}

void dls_report_out_of_memory(dls_report *report)
{
  report->incomplete = true;
}

FILE *dls_report_markdown(dls_report *report)
{
  return report->out;
}

/* --- what is in a report --- */

/* A line and the empty line that ends its block, with a backslash before what would begin a heading or definition. */
static void put_line(dls_report *report, const char *lead, const char *text, const char *end)
{
  fputs(lead, report->out);
  fputs(lead[0] == '\0' && (text[0] == '#' || text[0] == ':') ? "\\" : "", report->out);
  dls_markdown_escape(report->out, text);
  fprintf(report->out, "%s\n\n", end);
}

static void put_format(dls_report *report, const char *lead, const char *format, va_list arguments)
{
  va_list again;
  va_copy(again, arguments);
  const int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  char *text = length < 0 ? NULL : malloc((size_t)length + 1);
  if (text == NULL) {
    report->incomplete = true;
    return;
  }
  vsnprintf(text, (size_t)length + 1, format, arguments);
  put_line(report, lead, text, "");
  free(text);
}

void dls_report_part(dls_report *report, const char *title)
{
  char id[40];
  snprintf(id, sizeof id, " {#part-%zu}", ++report->parts);
  put_line(report, "## ", title, id);
}

bool dls_report_has_parts(const dls_report *report)
{
  return report->parts > 0;
}

void dls_report_section(dls_report *report, const char *title)
{
  char id[40];
  snprintf(id, sizeof id, " {#section-%zu}", ++report->sections);
  put_line(report, report->parts > 0 ? "### " : "## ", title, id);
}

void dls_report_heading(dls_report *report, const char *title)
{
  put_line(report, report->parts > 0 ? "#### " : "### ", title, "");
}

void dls_report_paragraph(dls_report *report, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  put_format(report, "", format, arguments);
  va_end(arguments);
}

void dls_report_preformatted(dls_report *report, const char *text)
{
  size_t longest = 2;
  for (const char *at = text; (at = strchr(at, '`')) != NULL; at += strspn(at, "`")) {
    longest = strspn(at, "`") > longest ? strspn(at, "`") : longest;
  }
  for (int i = 0; i < 2; i++) { /* a fence that does not occur in the text, before and after it */
    fputs(i == 1 ? text : "", report->out);
    fputs(i == 1 ? "\n" : "", report->out);
    for (size_t k = 0; k <= longest; k++) {
      fputc('`', report->out);
    }
    fputs("\n", report->out);
  }
  fputs("\n", report->out);
}

void dls_report_folded(dls_report *report, const char *summary, const char *text)
{
  put_line(report, "<details><summary>", summary, "</summary>");
  dls_report_preformatted(report, text);
  fputs("</details>\n\n", report->out);
}

void dls_report_verdict(dls_report *report, bool agrees, const char *text)
{
  put_line(report, agrees ? "::: {.verdict .yes}\n" : "::: {.verdict .no}\n", text, "\n:::");
}

void dls_report_warning(dls_report *report, const char *text)
{
  put_line(report, "::: {.warning}\n", text, "\n:::");
}

void dls_report_entry(dls_report *report, const char *name, const char *format, ...)
{
  va_list arguments;
  dls_markdown_escape(report->out, name);
  va_start(arguments, format);
  put_format(report, "\n:   ", format, arguments);
  va_end(arguments);
}

void dls_report_table_begin(dls_report *report, const char *caption, size_t columns, const char *const *headers)
{
  if (caption[0] != '\0') {
    put_line(report, ": ", caption, "");
  }
  report->columns = columns;
  report->column = 0;
  for (size_t i = 0; i < columns; i++) {
    dls_report_cell(report, "%s", headers[i]);
  }
  for (size_t i = 0; i < columns; i++) {
    fputs("| --- ", report->out);
  }
  fputs("|\n", report->out);
}

void dls_report_cell(dls_report *report, const char *format, ...)
{
  char text[800];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fputs("| ", report->out);
  dls_markdown_escape(report->out, text);
  report->column = (report->column + 1) % report->columns;
  fputs(report->column == 0 ? " |\n" : " ", report->out);
}

void dls_report_table_end(dls_report *report)
{
  fputs("\n", report->out);
}

dls_status dls_report_figure(dls_report *report, const char *wide, const char *narrow, const char *title,
                             const char *caption, dls_error *err)
{
  if (!dls_svg_is_picture(wide) || (narrow != NULL && !dls_svg_is_picture(narrow))) {
    return dls_fail(err, DLS_ERR_PARSE, "the picture '%.100s' is not an SVG file", title);
  }
  figure *more = realloc(report->figures, (report->figure_count + 1) * sizeof *more);
  if (more == NULL) {
    report->incomplete = true;
    return DLS_OK;
  }
  report->figures = more;
  figure *added = &more[report->figure_count++];
  *added = (figure){{dls_text_copy(wide), narrow != NULL ? dls_text_copy(narrow) : NULL}, dls_text_copy(title)};
  if (added->pictures[0] == NULL || (narrow != NULL && added->pictures[1] == NULL) || added->title == NULL) {
    report->incomplete = true;
  }
  char end[40];
  snprintf(end, sizeof end, "](figure-%zu)", report->figure_count);
  put_line(report, "![", caption, end);
  return DLS_OK;
}

/* --- the page --- */

static void put_figure(FILE *out, size_t number, const void *data)
{
  const dls_report *report = data;
  const figure *f = number > 0 && number <= report->figure_count ? &report->figures[number - 1] : NULL;
  for (int i = 0; f != NULL && i < 2 && f->pictures[i] != NULL; i++) {
    char prefix[40];
    snprintf(prefix, sizeof prefix, "figure-%zu%s-", number, i == 0 ? "" : "n");
    fprintf(out, "<div class=\"%s\">", f->pictures[1] == NULL ? "single" : i == 0 ? "wide" : "narrow");
    dls_svg_inline(out, f->pictures[i], prefix, f->title);
    fputs("</div>\n", out);
  }
}

typedef struct html {
  char *contents, *body;
  size_t contents_size, body_size;
  bool listed; /* there are enough sections for a table of contents */
} html;

static void put_place(FILE *out, const char *name, const void *data)
{
  const html *h = data;
  if (strcmp(name, "body") == 0) {
    if (h->listed) {
      fprintf(out, "<nav aria-label=\"contents\"><ul>\n%s</ul></nav>\n", h->contents);
    }
    fputs(h->body, out);
  }
}

/* @return whether there was memory for all of it */
static bool make_html(dls_report *report, html *h)
{
  FILE *contents = dls_text_stream(&h->contents, &h->contents_size),
       *body = dls_text_stream(&h->body, &h->body_size);
  bool whole = contents != NULL && body != NULL;
  h->listed = report->parts > 0 || report->sections > 1;
  if (whole) {
    dls_markdown_to_html(report->text, &(dls_markdown_html){.body = body,
                                                            .contents = contents,
                                                            .depth = report->parts > MOST_PARTS ? 2 : 3,
                                                            .put_figure = put_figure,
                                                            .data = report});
  }
  whole = contents != NULL && fclose(contents) == 0 && whole;
  return body != NULL && fclose(body) == 0 && whole;
}

dls_status dls_report_finish(dls_report *report, const char *path, dls_error *err)
{
  html h = {NULL, NULL, 0, 0, false};
  dls_output *output = NULL;
  bool whole = fclose(report->out) == 0 && !report->incomplete;
  report->out = NULL;
  whole = whole && make_html(report, &h);
  dls_status status =
      whole ? dls_output_open(path, &output, err) : dls_fail(err, DLS_ERR_MEMORY, "no memory for %.250s", path);
  if (status == DLS_OK) {
    dls_page_write(dls_output_stream(output), report->title, put_place, &h);
    status = dls_output_commit(output, err);
  }
  free(h.contents);
  free(h.body);
  dls_report_abandon(report);
  return status;
}

dls_status dls_report_finish_markdown(dls_report *report, const char *path, dls_error *err)
{
  dls_output *output = NULL;
  const bool whole = fclose(report->out) == 0 && !report->incomplete;
  report->out = NULL;
  dls_status status =
      whole ? dls_output_open(path, &output, err) : dls_fail(err, DLS_ERR_MEMORY, "no memory for %.250s", path);
  if (status == DLS_OK) {
    fputs(report->text, dls_output_stream(output)); /* commit looks for errors */
    status = dls_output_commit(output, err);
  }
  dls_report_abandon(report);
  return status;
}
