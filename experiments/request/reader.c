/* experiments/request/reader.c -- what readers of keys share: wrong values are reported, options are recorded.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *dls_study_path(dls_study_reader *r, const char *path)
{
  if (path[0] == '/') {
    return path;
  }
  r->has_relative_paths = true;
  path += strncmp(path, "./", 2) == 0 ? 2 : 0;
  const bool ends = r->folder[0] == '\0' || r->folder[strlen(r->folder) - 1] == '/';
  const char *joined = dls_pool_print(r->pool, "%s%s%s", r->folder, ends ? "" : "/", path);
  return joined != NULL ? joined : "";
}

/* --- what is wrong --- */

static bool is_reported(const dls_study_reader *r, dls_yaml_mark mark, const char *text)
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
  if (r->first.status == DLS_OK) {
    dls_fail(&r->first, DLS_ERR_ARG, "%s", text);
  }
  dls_study_note *note = is_reported(r, mark, text) ? NULL : dls_pool_take(r->pool, sizeof *note);
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
    return;
  }
  if (r->first.status == DLS_OK &&
      err->status != DLS_ERR_IO) { /* a file that is not there: the request is wrong */
    r->first = *err;
  }
  dls_study_report(r, mark, "%s", err->text);
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

const char *dls_study_label(const dls_study_reader *r, dls_key_id key)
{
  const char *label = r->line ? dls_pool_print(r->pool, "--%s", r->keys[key].more->option) : r->keys[key].name;
  return label != NULL ? label : "";
}

dls_yaml_mark dls_study_mark(const dls_study_reader *r)
{
  return r->own != NULL ? r->own->mark : (dls_yaml_mark){0};
}

void dls_study_report_missing(dls_study_reader *r, dls_key_id key, const char *why)
{
  const dls_study_key *k = &r->keys[key];
  if (!r->line) {
    dls_study_report(r, dls_study_mark(r), "key '%s' is missing: %s", k->name, why != NULL ? why : k->value);
    return;
  }
  const dls_key_option *option = dls_key_option_of(&r->keys[key], r->command);
  const char *example = k->more->example;
  const bool sequence = k->more->separator != 0;
  dls_study_report(r, dls_study_mark(r), "--%s%s%s is missing: %s%s%s%s%s", k->more->option,
                   sequence ? " " : "", sequence ? option->argument : "",
                   why != NULL ? why : dls_key_help(&r->keys[key], r->command),
                   example != NULL ? ", e.g. --" : "", example != NULL ? k->more->option : "",
                   example != NULL ? " " : "", example != NULL ? example : "");
}

/* --- values --- */

const dls_yaml_node *dls_study_value(const dls_study_reader *r, dls_key_id key)
{
  return r->values[key];
}

bool dls_study_is_own(const dls_study_reader *r, const dls_yaml_node *node, dls_key_id key)
{
  return node != NULL && (r->line || node == dls_yaml_get(r->own, r->keys[key].name));
}

void dls_study_record(dls_study_reader *r, dls_key_id key, const char *value)
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
  r->arguments[r->study->argument_count++] = (dls_study_argument){r->keys[key].more->option, value};
}

const char *dls_study_read_word(dls_study_reader *r, const dls_yaml_node *node, const char *const *words,
                                size_t count, size_t *position)
{
  const char *text = dls_yaml_text(&r->yaml, node, node->key);
  *position = text != NULL ? dls_yaml_find(text, words, count) : count;
  if (text != NULL && *position == count) {
    dls_study_report(r, node->mark, "%s = '%.60s'%s It must be one of: %s", node->key, text,
                     dls_yaml_guess(&r->yaml, text, words, count), dls_yaml_list(&r->yaml, words, count));
    return NULL;
  }
  return text;
}

const char *dls_study_choose_word(dls_study_reader *r, const dls_yaml_node *node, const char *const *words,
                                  size_t *position)
{
  size_t count = 0;
  while (words[count] != NULL) {
    count++;
  }
  return dls_study_read_word(r, node, words, count, position);
}
