/* experiments/cli/text.c -- text for people: wrapped words, aligned tables, the help page; and CSV for
 * programs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"

#include "common/base/text.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

enum {
  GAP = 2,
  MOST_COLUMNS = 24,
  LEAST_WIDTH = 32, /* of a text that is wrapped: less is a pillar of words */
  NARROW_INDENT = 6 /* of such a text that begins a line of its own instead */
};

/* Columns that there are: of COLUMNS, else of the terminal, at most and else DLS_CLI_WIDTH, as in files. */
static size_t screen_width(const FILE *out)
{
  struct winsize window = {0};
  const char *text = getenv("COLUMNS");
  long columns = text != NULL ? strtol(text, NULL, 10) : 0;
  if (out != stdout) {
    return DLS_CLI_WIDTH;
  }
  if (columns <= 0 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0) {
    columns = window.ws_col;
  }
  return columns > 0 && columns < DLS_CLI_WIDTH ? (size_t)columns : DLS_CLI_WIDTH;
}

/* Columns on the screen: bytes of UTF-8 that begin a character. */
static size_t width_of(const char *text, size_t bytes)
{
  size_t width = 0;
  for (size_t i = 0; i < bytes; i++) {
    width += ((unsigned char)text[i] & 0xC0) != 0x80;
  }
  return width;
}

static void pad(FILE *out, size_t count)
{
  fprintf(out, "%*s", (int)count, "");
}

/* Bytes up to the next blank; with `brackets`, a blank within [...] does not count. */
static size_t word_length(const char *text, bool brackets)
{
  size_t bytes = 0;
  int depth = 0;
  for (; text[bytes] != '\0' && (depth > 0 || strchr(" \n", text[bytes]) == NULL); bytes++) {
    depth += brackets ? (text[bytes] == '[') - (text[bytes] == ']') : 0;
  }
  return bytes;
}

static void wrap(FILE *out, const char *text, size_t column, size_t indent, bool brackets)
{
  const size_t screen = screen_width(out);
  const size_t end = indent + LEAST_WIDTH > screen ? indent + LEAST_WIDTH : screen;
  bool first = true;
  while (*(text += strspn(text, " \n")) != '\0') {
    const size_t bytes = word_length(text, brackets);
    const size_t width = width_of(text, bytes);
    if (!first && column + 1 + width > end) {
      fputc('\n', out);
      pad(out, indent);
      column = indent;
    } else if (!first) {
      fputc(' ', out);
      column++;
    }
    fwrite(text, 1, bytes, out);
    column += width;
    text += bytes;
    first = false;
  }
  fputc('\n', out);
}

void dls_cli_wrap(FILE *out, const char *text, size_t column, size_t indent)
{
  wrap(out, text, column, indent, false);
}

/* The last cell is wrapped, of two below the first one where there is no room beside it. */
static void print_row(FILE *out, size_t columns, const size_t *widths, const char *const *cells)
{
  const bool below =
      columns == 2 && widths[0] + 2 * GAP + LEAST_WIDTH > screen_width(out) && cells[1][0] != '\0';
  size_t column = GAP;
  pad(out, GAP);
  for (size_t j = 0; j + 1 < columns; j++) {
    const bool last =
        j + 2 == columns && (cells[j + 1][0] == '\0' || below); /* no blanks at the end of a line */
    fputs(cells[j], out);
    pad(out, last ? 0 : widths[j] + GAP - width_of(cells[j], strlen(cells[j])));
    column += widths[j] + GAP;
  }
  if (below) {
    column = NARROW_INDENT;
    fputc('\n', out);
    pad(out, column);
  }
  dls_cli_wrap(out, cells[columns - 1], column, column);
}

void dls_cli_table(FILE *out, size_t columns, const char *const *headers, size_t rows, const char *const *cells)
{
  size_t widths[MOST_COLUMNS] = {0};
  for (size_t j = 0; j < columns; j++) {
    widths[j] = headers != NULL ? width_of(headers[j], strlen(headers[j])) : 0;
    for (size_t i = 0; i < rows; i++) {
      const char *cell = cells[i * columns + j];
      const size_t width = width_of(cell, strlen(cell));
      widths[j] = width > widths[j] ? width : widths[j];
    }
  }
  if (headers != NULL) {
    print_row(out, columns, widths, headers);
  }
  for (size_t i = 0; i < rows; i++) {
    print_row(out, columns, widths, cells + i * columns);
  }
}

void dls_cli_cell(dls_cli_rows *rows, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (rows->count == rows->room) {
    const size_t room = 2 * rows->room + 64;
    const char **cells = dls_pool_take(&rows->pool, room * sizeof *cells);
    if (cells == NULL) {
      return; /* the pool knows */
    }
    if (rows->count > 0) {
      memcpy(cells, rows->cells, rows->count * sizeof *cells);
    }
    rows->cells = cells;
    rows->room = room;
  }
  rows->cells[rows->count++] = dls_pool_copy(&rows->pool, text, strlen(text));
}

dls_status dls_cli_rows_print(dls_cli_rows *rows, const char *heading, FILE *out, dls_error *err)
{
  const bool good = !rows->pool.failed;
  if (good) {
    fputs(heading, out);
    dls_cli_table(out, rows->columns, rows->headers, rows->count / rows->columns, rows->cells);
  }
  dls_pool_release(&rows->pool);
  return good
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a table of %zu lines", rows->count / rows->columns);
}

/* "--name ARGUMENT", with its help, a row each. */
static void print_options(FILE *out, const dls_cli_option *options, size_t count)
{
  dls_cli_rows rows = {.columns = 2};
  dls_error ignored = {0};
  for (const dls_cli_option *o = options; o < options + count; o++) {
    dls_cli_cell(&rows, "--%s%s%s", o->name, o->argument != NULL ? " " : "",
                 o->argument != NULL ? o->argument : "");
    dls_cli_cell(&rows, "%s", o->help);
  }
  dls_cli_rows_print(&rows, "\noptions:\n", out, &ignored);
}

/* Their names alone. */
static void print_option_names(FILE *out, const dls_cli_option *options, size_t count)
{
  char names[DLS_CLI_MOST_OPTIONS * 40] = "";
  for (size_t i = 0; i < count; i++) {
    dls_text_append(names, sizeof names, "%s--%s", i > 0 ? " " : "", options[i].name);
  }
  fputs("\noptions:\n  ", out);
  dls_cli_wrap(out, names, 2, 2);
}

void dls_cli_help(FILE *out, const dls_cli_command *command, dls_cli_helping how)
{
  const bool all = how == DLS_CLI_HELP_ALL;
  fprintf(out, "usage: delassus %s ", command->name);
  const size_t column = strlen("usage: delassus  ") + strlen(command->name);
  char *synopsis = dls_cli_synopsis(command, !all);
  wrap(out, synopsis != NULL ? synopsis : command->synopsis, column,
       column + LEAST_WIDTH > screen_width(out) ? NARROW_INDENT : column, true);
  free(synopsis);
  fputc('\n', out);
  dls_cli_wrap(out, command->text, 0, 0);
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  const size_t count = dls_cli_options(command, options);
  (all ? print_options : print_option_names)(out, options, count);
  fprintf(out, "\nexamples:\n%s", command->examples);
  fputc('\n', out);
  if (!all) {
    fprintf(out, "`delassus %s --help` explains every option. ", command->name);
  }
  fprintf(out, "Handbook: docs/%s.md\n", command->page);
}
