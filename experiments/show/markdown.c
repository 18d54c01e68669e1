/* experiments/show/markdown.c -- convert Markdown to HTML, block by block.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/markdown.h"
#include "experiments/show/report_svg.h"
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void dls_markdown_escape(FILE *out, const char *text)
{
  for (; *text != '\0'; text++) {
    if (strchr("\\`*[]<>|", *text) != NULL) {
      fputc('\\', out);
    }
    fputc((unsigned char)*text < ' ' ? ' ' : *text, out);
  }
}

typedef struct maker {
  const dls_markdown_html *to;
  FILE *out;           /* the body */
  char *rest;          /* lines that are not read yet; NULL behind the last */
  char *table_caption; /* NULL: none */
  bool in_list, in_details;
  size_t contents; /* entries of the highest level so far */
  bool in_inner;   /* of the contents */
} maker;

static bool begins(const char *text, const char *with)
{
  return text != NULL && strncmp(text, with, strlen(with)) == 0;
}

static char *cut_line(maker *m)
{
  char *line = m->rest, *end = strchr(line, '\n');
  if (end != NULL) {
    *end = '\0';
  }
  m->rest = end != NULL ? end + 1 : NULL;
  return line;
}

/* --- within a line --- */

static void put_bytes(FILE *out, char *text, size_t bytes)
{
  const char next = text[bytes];
  text[bytes] = '\0';
  dls_markup_escape(out, text);
  text[bytes] = next;
}

/* The mark that ends a span, not one after a backslash; NULL: the span does not end. */
static char *closing_mark(char *text, const char *mark)
{
  while (*text != '\0' && !begins(text, mark)) {
    text += text[0] == '\\' && text[1] != '\0' ? 2 : 1;
  }
  return *text != '\0' ? text : NULL;
}

static void put_inline(FILE *out, char *text)
{
  static const char *const marks[] = {"`", "**", "*"}, *const elements[] = {"code", "strong", "em"};
  while (*text != '\0') {
    const size_t plain = strcspn(text, "\\`*");
    put_bytes(out, text, plain);
    text += plain;
    if (*text == '\\' && ispunct((unsigned char)text[1])) {
      put_bytes(out, text + 1, 1);
      text += 2;
      continue;
    }
    const size_t kind = *text == '`' ? 0 : begins(text, "**") ? 1 : 2, length = strlen(marks[kind]);
    const bool opens = *text == *marks[kind] && text[length] != ' ';
    char *end = opens ? closing_mark(text + length, marks[kind]) : NULL;
    if (end == NULL || end == text + length) {
      put_bytes(out, text, *text != '\0');
      text += *text != '\0';
      continue;
    }
    end += kind == 1 && end[2] == '*'; /* of three, the first ends the emphasis inside */
    *end = '\0';
    fprintf(out, "<%s>", elements[kind]);
    if (kind == 0) {
      dls_markup_escape(out, text + length);
    } else {
      put_inline(out, text + length);
    }
    fprintf(out, "</%s>", elements[kind]);
    text = end + length;
  }
}

/* --- blocks --- */

/* An entry of the table of contents: those of level 2 with a list of those of level 3. */
static void put_contents(maker *m, int level, const char *id, char *title)
{
  FILE *out = m->to->contents;
  if (level > m->to->depth) {
    return;
  }
  if (level == 2) {
    fprintf(out, "%s%s", m->in_inner ? "</ul>" : "", m->contents++ > 0 ? "</li>\n" : "");
    m->in_inner = false;
  } else if (!m->in_inner) {
    fputs(m->contents++ > 0 ? "<ul>\n" : "<li><ul>\n", out);
    m->in_inner = true;
  }
  fprintf(out, "<li><a href=\"#%s\">", id);
  put_inline(out, title);
  fputs(level == 2 ? "</a>" : "</a></li>\n", out);
}

/* "## Title {#id}" */
static void put_heading(maker *m, char *line)
{
  const size_t marks = strspn(line, "#");
  const int level = marks < 6 ? (int)marks : 6;
  char *title = line + marks + strspn(line + marks, " ");
  char *id = strstr(title, " {#");
  const size_t length = id != NULL ? strspn(id + 3, "abcdefghijklmnopqrstuvwxyz0123456789-") : 0;
  fprintf(m->out, "<h%d", level);
  if (length > 0 && strcmp(id + 3 + length, "}") == 0) {
    id[0] = id[3 + length] = '\0';
    fprintf(m->out, " id=\"%s\"", id + 3);
    put_contents(m, level, id + 3, title);
  }
  fputs(">", m->out);
  put_inline(m->out, title);
  fprintf(m->out, "</h%d>\n", level);
}

/* The line that ends text behind a fence, or NULL. */
static char *closing_fence(char *text, const char *fence, size_t length)
{
  for (; text != NULL; text = strchr(text, '\n'), text += text != NULL) {
    if (strncmp(text, fence, length) == 0 && (text[length] == '\n' || text[length] == '\0')) {
      return text;
    }
  }
  return NULL;
}

/* @return false if nothing ends the text */
static bool put_fenced(maker *m, const char *fence)
{
  char *text = m->rest, *end = closing_fence(text, fence, strspn(fence, "`"));
  if (end == NULL) {
    return false;
  }
  m->rest = end;
  cut_line(m);
  end[end > text ? -1 : 0] = '\0';
  fputs("<pre tabindex=\"0\">", m->out);
  dls_markup_escape(m->out, text);
  fputs("</pre>\n", m->out);
  return true;
}

/* "-1.5e-3" and "0.98 to 1.02" are numbers; "nan" and "1/s" are not. */
static bool is_number(const char *text)
{
  char *end = NULL;
  strtod(text, &end);
  return end != text && strspn(text, "+-.0123456789") > 0 && (*end == '\0' || *end == ' ');
}

/* Cells "| a | b |"; those that begin with a number are aligned right. */
static void put_row(FILE *out, char *line, bool header)
{
  fputs("<tr>", out);
  for (char *cell = line + 1, *end; (end = closing_mark(cell, "|")) != NULL; cell = end + 1) {
    cell += strspn(cell, " ");
    char *last = end;
    while (last > cell && last[-1] == ' ') {
      last--;
    }
    *last = '\0';
    fputs(header ? "<th scope=\"col\">" : is_number(cell) ? "<td class=\"n\">" : "<td>", out);
    put_inline(out, cell);
    fputs(header ? "</th>" : "</td>", out);
  }
  fputs("</tr>", out);
}

static void put_table(maker *m, char *header)
{
  fputs("<div class=\"box\" tabindex=\"0\"><table>\n", m->out);
  if (m->table_caption != NULL) {
    fputs("<caption>", m->out);
    put_inline(m->out, m->table_caption);
    fputs("</caption>\n", m->out);
    m->table_caption = NULL;
  }
  fputs("<thead>", m->out);
  put_row(m->out, header, true);
  fputs("</thead>\n<tbody>\n", m->out);
  if (begins(m->rest, "| ---")) {
    cut_line(m);
  }
  while (begins(m->rest, "|")) {
    put_row(m->out, cut_line(m), false);
    fputs("\n", m->out);
  }
  fputs("</tbody></table></div>\n", m->out);
}

/* "![caption](figure-3)". @return false if it is not one */
static bool put_figure(maker *m, char *line)
{
  char *end = closing_mark(line, "](figure-");
  if (end == NULL) {
    return false;
  }
  *end = '\0';
  fputs("<figure>\n", m->out);
  m->to->put_figure(m->out, strtoul(end + strlen("](figure-"), NULL, 10), m->to->data);
  fputs("<figcaption>", m->out);
  put_inline(m->out, line + 2);
  fputs("</figcaption>\n</figure>\n", m->out);
  return true;
}

/* "::: {.a .b}", paragraphs, ":::" */
static void put_classed(maker *m, const char *classes)
{
  while (m->rest != NULL && !begins(m->rest, ":::")) {
    char *line = cut_line(m);
    fputs("<p class=\"", m->out);
    for (const char *c = classes; islower((unsigned char)*c) || strchr(" .", *c) != NULL; c++) {
      if (*c == '\0') {
        break;
      }
      fputs(*c == '.' ? "" : (const char[]){*c, '\0'}, m->out);
    }
    fputs("\">", m->out);
    put_inline(m->out, line);
    fputs("</p>\n", m->out);
  }
  if (m->rest != NULL) {
    cut_line(m);
  }
}

/* A term and, in the next line, what it is. */
static void put_entry(maker *m, char *term)
{
  fputs(m->in_list ? "<dt>" : "<dl>\n<dt>", m->out);
  m->in_list = true;
  put_inline(m->out, term);
  fputs("</dt><dd>", m->out);
  put_inline(m->out, cut_line(m) + strlen(":   "));
  fputs("</dd>\n", m->out);
}

static void put_paragraph(maker *m, char *line)
{
  fputs("<p>", m->out);
  put_inline(m->out, line);
  while (m->rest != NULL && m->rest[0] != '\0' && m->rest[0] != '\n') {
    fputs("\n", m->out);
    put_inline(m->out, cut_line(m));
  }
  fputs("</p>\n", m->out);
}

static void put_details(maker *m, char *line)
{
  char *summary = strstr(line, "<summary>"), *end = summary != NULL ? strstr(summary, "</summary>") : NULL;
  fputs("<details><summary>", m->out);
  if (end != NULL) {
    *end = '\0';
    put_inline(m->out, summary + strlen("<summary>"));
  }
  fputs("</summary>\n", m->out);
  m->in_details = true;
}

static void end_details(maker *m)
{
  fputs(m->in_details ? "</details>\n" : "", m->out);
  m->in_details = false;
}

static void put_block(maker *m, char *line)
{
  const bool entry = begins(m->rest, ":   ");
  if (m->in_list && !entry) {
    fputs("</dl>\n", m->out);
    m->in_list = false;
  }
  if (entry) {
    put_entry(m, line);
  } else if (begins(line, "#")) {
    put_heading(m, line);
  } else if (begins(line, "|")) {
    put_table(m, line);
  } else if (begins(line, ": ")) {
    m->table_caption = line + 2;
  } else if (begins(line, "::: {")) {
    put_classed(m, line + strlen("::: {"));
  } else if (begins(line, "<details>") && !m->in_details) {
    put_details(m, line);
  } else if (begins(line, "</details>")) {
    end_details(m);
  } else if (!(begins(line, "```") && put_fenced(m, line)) && !(begins(line, "![") && put_figure(m, line))) {
    put_paragraph(m, line);
  }
}

void dls_markdown_to_html(char *text, const dls_markdown_html *to)
{
  maker m = {.to = to, .out = to->body, .rest = text};
  while (m.rest != NULL) {
    char *line = cut_line(&m);
    if (line[0] != '\0') {
      put_block(&m, line);
    }
  }
  end_details(&m);
  fputs(m.in_list ? "</dl>\n" : "", m.out);
  fprintf(to->contents, "%s%s", m.in_inner ? "</ul>" : "", m.contents > 0 ? "</li>\n" : "");
}
