/* experiments/request/study_values.c -- single values of a study file, and what is said of those that are wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/study_reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool was_reported(const dls_study_reader *r, dls_yaml_mark mark, const char *text)
{
  for (const dls_study_note *note = r->last_note; note != NULL; note = note->before) {
    if (note->problem.line == mark.line && note->problem.column == mark.column &&
        strcmp(note->problem.text, text) == 0) {
      return true;
    }
  }
  return false;
}

void dls_study_report(dls_study_reader *r, dls_yaml_mark mark, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  for (char *c = text; *c != '\0'; c++) { /* a message is one line, whatever text it quotes */
    *c = *c == '\n' || *c == '\t' ? ' ' : *c;
  }
  dls_study_note *note = was_reported(r, mark, text) ? NULL : dls_pool_take(r->pool, sizeof *note);
  if (note != NULL) {
    note->problem = (dls_study_problem){mark.line, mark.column, dls_pool_copy(r->pool, text, strlen(text))};
    note->before = r->last_note;
    r->last_note = note->problem.text != NULL ? note : r->last_note;
    r->note_count += note->problem.text != NULL;
  }
}

void dls_study_report_error(dls_study_reader *r, dls_yaml_mark mark, const dls_error *err)
{
  if (err->status == DLS_ERR_MEMORY) {
    r->pool->failed = true;
  } else {
    dls_study_report(r, mark, "%s", err->text);
  }
}

static int by_place(const void *a, const void *b)
{
  const dls_study_problem *p = a;
  const dls_study_problem *q = b;
  const int lines = (p->line > q->line) - (p->line < q->line);
  const int columns = (p->column > q->column) - (p->column < q->column);
  return lines != 0 ? lines : columns != 0 ? columns : strcmp(p->text, q->text);
}

void dls_study_gather_problems(dls_study_reader *r, dls_study_file *out)
{
  dls_study_problem *problems = dls_pool_take(r->pool, (r->note_count + 1) * sizeof *problems);
  for (const dls_study_note *note = r->last_note; note != NULL && problems != NULL; note = note->before) {
    problems[out->problem_count++] = note->problem;
  }
  if (out->problem_count > 0) {
    qsort(problems, out->problem_count, sizeof *problems, by_place);
  }
  out->problems = problems;
}

const dls_yaml_node *dls_study_value(const dls_study_reader *r, size_t key)
{
  const char *name = dls_study_keys()[key].name;
  const dls_yaml_node *own = dls_yaml_get(r->own, name);
  return own != NULL ? own : dls_yaml_get(r->shared, name);
}

void dls_study_argue(dls_study_reader *r, const char *option, const char *value)
{
  if (value == NULL) {
    return; /* there is no memory, or the value is wrong */
  }
  if (r->study->argument_count == r->argument_room) {
    const size_t room = 2 * r->argument_room + 16;
    dls_study_argument *more = dls_pool_take(r->pool, room * sizeof *more);
    if (more == NULL) {
      return;
    }
    if (r->argument_room > 0) {
      memcpy(more, r->arguments, r->argument_room * sizeof *more);
    }
    r->study->arguments = r->arguments = more;
    r->argument_room = room;
  }
  r->arguments[r->study->argument_count++] = (dls_study_argument){option, value};
}
