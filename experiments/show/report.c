/* experiments/show/report.c -- a page of HTML that stands alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/report.h"
#include "common/base/text.h"
#include "experiments/show/report_svg.h"
#include <delassus/output.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PARTS = 6 }; /* of a page with more of them the table of contents leaves out their sections */

/* Text that grows. */
typedef struct buffer {
  char *text;
  size_t size;
  FILE *stream;
} buffer;

struct dls_report {
  char *title;
  buffer contents, parts_only,
      body; /* entries of the table of contents, all or parts alone; the page below it */
  size_t parts, sections, figures;
  size_t columns, column; /* of the table that is open */
  bool in_list, in_part_list;
  bool incomplete; /* there was no memory for some text */
};

static bool open_buffer(buffer *b)
{
  b->stream = dls_text_stream(&b->text, &b->size);
  return b->stream != NULL;
}

static bool close_buffer(buffer *b)
{
  const bool good = b->stream == NULL || fclose(b->stream) == 0;
  b->stream = NULL;
  return good;
}

dls_status dls_report_begin(const char *title, dls_report **out, dls_error *err)
{
  dls_report *report = *out = calloc(1, sizeof *report);
  if (report != NULL) {
    report->title = dls_text_copy(title);
  }
  if (report == NULL || report->title == NULL || !open_buffer(&report->contents) ||
      !open_buffer(&report->parts_only) || !open_buffer(&report->body)) {
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
  close_buffer(&report->contents);
  close_buffer(&report->parts_only);
  close_buffer(&report->body);
  free(report->contents.text);
  free(report->parts_only.text);
  free(report->body.text);
  free(report->title);
  free(report);
}

void dls_report_out_of_memory(dls_report *report)
{
  report->incomplete = true;
}

static void put_format(dls_report *report, const char *format, va_list arguments)
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
  dls_markup_escape(report->body.stream, text);
  free(text);
}

/* Where the next element goes: a list of entries ends with what is no entry. */
static FILE *next_element(dls_report *report)
{
  if (report->in_list) {
    fputs("</dl>\n", report->body.stream);
    report->in_list = false;
  }
  return report->body.stream;
}

/* <li>: of the page, or of the part that is open. */
static void put_contents(dls_report *report, const char *id, const char *title, bool is_part)
{
  FILE *out = report->contents.stream;
  if (!is_part && report->parts > 0 && !report->in_part_list) {
    fputs("<ul>\n", out);
    report->in_part_list = true;
  } else if (is_part) {
    fprintf(out, "%s%s", report->in_part_list ? "</ul>" : "", report->parts > 1 ? "</li>\n" : "");
    report->in_part_list = false;
  }
  fprintf(out, "<li><a href=\"#%s\">", id);
  dls_markup_escape(out, title);
  fputs(is_part ? "</a>" : "</a></li>\n", out);
  if (is_part) {
    fprintf(report->parts_only.stream, "<li><a href=\"#%s\">", id);
    dls_markup_escape(report->parts_only.stream, title);
    fputs("</a></li>\n", report->parts_only.stream);
  }
}

static void put_heading(dls_report *report, int level, const char *id, const char *title)
{
  FILE *out = next_element(report);
  fprintf(out, "<h%d id=\"%s\">", level, id);
  dls_markup_escape(out, title);
  fprintf(out, "</h%d>\n", level);
}

void dls_report_part(dls_report *report, const char *title)
{
  char id[40];
  snprintf(id, sizeof id, "part-%zu", ++report->parts);
  put_heading(report, 2, id, title);
  put_contents(report, id, title, true);
}

bool dls_report_has_parts(const dls_report *report)
{
  return report->parts > 0;
}

void dls_report_section(dls_report *report, const char *title)
{
  char id[40];
  snprintf(id, sizeof id, "section-%zu", ++report->sections);
  put_heading(report, report->parts > 0 ? 3 : 2, id, title);
  put_contents(report, id, title, false);
}

void dls_report_heading(dls_report *report, const char *title)
{
  FILE *out = next_element(report);
  const int level = report->parts > 0 ? 4 : 3;
  fprintf(out, "<h%d>", level);
  dls_markup_escape(out, title);
  fprintf(out, "</h%d>\n", level);
}

void dls_report_paragraph(dls_report *report, const char *format, ...)
{
  FILE *out = next_element(report);
  va_list arguments;
  va_start(arguments, format);
  fputs("<p>", out);
  put_format(report, format, arguments);
  fputs("</p>\n", out);
  va_end(arguments);
}

static void put_preformatted(FILE *out, const char *text)
{
  fputs("<pre tabindex=\"0\">", out);
  dls_markup_escape(out, text);
  fputs("</pre>\n", out);
}

void dls_report_preformatted(dls_report *report, const char *text)
{
  put_preformatted(next_element(report), text);
}

void dls_report_folded(dls_report *report, const char *summary, const char *text)
{
  FILE *out = next_element(report);
  fputs("<details><summary>", out);
  dls_markup_escape(out, summary);
  fputs("</summary>\n", out);
  put_preformatted(out, text);
  fputs("</details>\n", out);
}

static void put_marked(dls_report *report, const char *class, const char *text)
{
  FILE *out = next_element(report);
  fprintf(out, "<p class=\"%s\">", class);
  dls_markup_escape(out, text);
  fputs("</p>\n", out);
}

void dls_report_verdict(dls_report *report, bool agrees, const char *text)
{
  put_marked(report, agrees ? "verdict yes" : "verdict no", text);
}

void dls_report_warning(dls_report *report, const char *text)
{
  put_marked(report, "warning", text);
}

void dls_report_entry(dls_report *report, const char *name, const char *format, ...)
{
  FILE *out = report->body.stream;
  va_list arguments;
  if (!report->in_list) {
    fputs("<dl>\n", out);
    report->in_list = true;
  }
  fputs("<dt>", out);
  dls_markup_escape(out, name);
  fputs("</dt><dd>", out);
  va_start(arguments, format);
  put_format(report, format, arguments);
  va_end(arguments);
  fputs("</dd>\n", out);
}

void dls_report_table_begin(dls_report *report, const char *caption, size_t columns, const char *const *headers)
{
  FILE *out = next_element(report);
  fputs("<div class=\"box\" tabindex=\"0\"><table>\n", out);
  if (caption[0] != '\0') {
    fputs("<caption>", out);
    dls_markup_escape(out, caption);
    fputs("</caption>\n", out);
  }
  fputs("<thead><tr>", out);
  for (size_t i = 0; i < columns; i++) {
    fputs("<th scope=\"col\">", out);
    dls_markup_escape(out, headers[i]);
    fputs("</th>", out);
  }
  fputs("</tr></thead>\n<tbody>\n", out);
  report->columns = columns;
  report->column = 0;
}

/* "-1.5e-3", "0.98 to 1.02", but neither "nan" nor "1/s". */
static bool is_number(const char *text)
{
  char *end = NULL;
  strtod(text, &end);
  return end != text && strspn(text, "+-.0123456789") > 0 && (*end == '\0' || *end == ' ');
}

void dls_report_cell(dls_report *report, const char *format, ...)
{
  FILE *out = report->body.stream;
  char text[800];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  fprintf(out, "%s<td%s>", report->column == 0 ? "<tr>" : "", is_number(text) ? " class=\"n\"" : "");
  dls_markup_escape(out, text);
  report->column = (report->column + 1) % report->columns;
  fprintf(out, "</td>%s", report->column == 0 ? "</tr>\n" : "");
}

void dls_report_table_end(dls_report *report)
{
  fputs("</tbody></table></div>\n", report->body.stream);
}

dls_status dls_report_figure(dls_report *report, const char *wide, const char *narrow, const char *title,
                             const char *caption, dls_error *err)
{
  if (!dls_svg_is_picture(wide) || (narrow != NULL && !dls_svg_is_picture(narrow))) {
    return dls_fail(err, DLS_ERR_PARSE, "the picture '%.100s' is no SVG", title);
  }
  FILE *out = next_element(report);
  const char *const pictures[] = {wide, narrow};
  report->figures++;
  fputs("<figure>\n", out);
  for (int i = 0; i < 2 && pictures[i] != NULL; i++) {
    char prefix[40];
    snprintf(prefix, sizeof prefix, "figure-%zu%s-", report->figures, i == 0 ? "" : "n");
    fprintf(out, "<div%s>",
            narrow == NULL ? " class=\"single\""
            : i == 0       ? " class=\"wide\""
                           : " class=\"narrow\"");
    dls_svg_inline(out, pictures[i], prefix, title);
    fputs("</div>\n", out);
  }
  fputs("<figcaption>", out);
  dls_markup_escape(out, caption);
  fputs("</figcaption>\n</figure>\n", out);
  return DLS_OK;
}

static void put_page(const dls_report *report, FILE *out)
{
  fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
        "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
        "<meta name=\"generator\" content=\"delassus " DLS_VERSION "\"/>\n<title>",
        out);
  dls_markup_escape(out, report->title);
  fprintf(out, "</title>\n<style>\n%s</style>\n</head>\n<body>\n<main>\n<h1>", dls_report_style());
  dls_markup_escape(out, report->title);
  fputs("</h1>\n", out);
  if (report->parts > 0 || report->sections > 1) {
    fprintf(out, "<nav aria-label=\"contents\"><ul>\n%s</ul></nav>\n",
            report->parts > MOST_PARTS ? report->parts_only.text : report->contents.text);
  }
  fprintf(out, "%s</main>\n</body>\n</html>\n", report->body.text);
}

dls_status dls_report_finish(dls_report *report, const char *path, dls_error *err)
{
  dls_output *output = NULL;
  next_element(report);
  if (report->parts > 0) {
    fprintf(report->contents.stream, "%s</li>\n", report->in_part_list ? "</ul>" : "");
  }
  buffer *const buffers[] = {&report->contents, &report->parts_only, &report->body};
  bool whole = !report->incomplete;
  for (size_t i = 0; i < sizeof buffers / sizeof buffers[0]; i++) {
    whole = close_buffer(buffers[i]) && whole;
  }
  dls_status status =
      whole ? dls_output_open(path, &output, err) : dls_fail(err, DLS_ERR_MEMORY, "no memory for %.250s", path);
  if (status == DLS_OK) {
    put_page(report, dls_output_stream(output));
    status = dls_output_commit(output, err);
  }
  dls_report_abandon(report);
  return status;
}
