/* experiments/campaign/journal_merge.c -- one journal of several: what each line says, which say different things, which are
 * missing.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/campaign/journal_state.h"
#include <delassus/output.h>
#include <stdlib.h>
#include <string.h>

typedef struct merging {
  dls_journal **parts;
  size_t count;
  const dls_journal_form *form;
  const void *study;
  const dls_journal **from; /* for each slot the journal whose line counts; NULL: there is none */
  bool *missing;            /* for each slot */
  size_t slots;
} merging;

static const char *line_of(const dls_journal *j, size_t slot)
{
  size_t size = 0;
  return dls_journal_recalled(j, slot, &size);
}

static dls_status no_memory(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory to read '%.250s'", j->disk.path);
}

/* Two journals must say the same of a slot. */
static dls_status compare(const merging *m, const dls_journal *a, const dls_journal *b, size_t slot,
                          dls_error *err)
{
  bool same = false;
  char name[120];
  if (m->form->same(m->study, line_of(a, slot), line_of(b, slot), a->hash, &same) != DLS_OK) {
    return no_memory(a, err);
  }
  m->form->name(m->study, slot, name, sizeof name);
  return same ? DLS_OK
              : dls_fail(err, DLS_ERR_ARG, "'%.150s' and '%.150s' have different results of a run: %s",
                         a->disk.path, b->disk.path, name);
}

/* The journal whose line of a slot counts: the first that has it finished. */
static dls_status choose(merging *m, size_t slot, dls_error *err)
{
  const dls_journal *first = NULL;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < m->count && status == DLS_OK; i++) {
    const dls_journal *j = m->parts[i];
    const char *line = line_of(j, slot);
    if (line == NULL) {
      continue;
    }
    bool finished = true;
    status = first != NULL ? compare(m, first, j, slot, err) : DLS_OK;
    if (status == DLS_OK && m->form->finished != NULL &&
        m->form->finished(m->study, line, j->hash, &finished) != DLS_OK) {
      status = no_memory(j, err);
    }
    first = first == NULL ? j : first;
    m->from[slot] = m->from[slot] == NULL && status == DLS_OK && finished ? j : m->from[slot];
  }
  return status;
}

static dls_status choose_all(merging *m, size_t *missing, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t slot = 0; slot < m->slots && status == DLS_OK; slot++) {
    if (m->form->has(m->study, slot)) {
      status = choose(m, slot, err);
      m->missing[slot] = m->from[slot] == NULL;
      *missing += m->missing[slot];
    }
  }
  return status;
}

/* With the processor where it is another than that of the line before. */
static void put_lines(const merging *m, FILE *out)
{
  const char *cpu = NULL;
  for (size_t slot = 0; slot < m->slots; slot++) {
    const dls_journal *j = m->from[slot];
    size_t size = 0;
    if (j == NULL) {
      continue;
    }
    if (!m->form->timed && (cpu == NULL || strcmp(cpu, j->told) != 0)) {
      fprintf(out, DLS_JOURNAL_CPU "%s\n", j->told);
      cpu = j->told;
    }
    const char *line = dls_journal_recalled(j, slot, &size);
    fwrite(line, 1, size, out);
  }
}

/* Head, columns, lines; put in place at once. */
static dls_status write_journal(const merging *m, const char *path, dls_error *err)
{
  dls_output *out = NULL;
  char *columns = m->form->columns(m->study);
  dls_status status = columns != NULL ? dls_output_open(path, &out, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path);
  if (status == DLS_OK) {
    FILE *stream = dls_output_stream(out);
    fputs(m->parts[0]->head, stream);
    fputs(columns, stream);
    put_lines(m, stream);
    status = dls_output_commit(out, err);
  }
  free(columns);
  return status;
}

static dls_status report_gaps(const merging *m, char **text, dls_error *err)
{
  size_t size = 0;
  FILE *out = dls_text_stream(text, &size);
  if (out != NULL) {
    m->form->gaps(m->study, m->missing, out);
  }
  if (out == NULL || fclose(out) != 0) {
    free(*text);
    *text = NULL;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for what is missing");
  }
  return DLS_OK;
}

static dls_status merge(merging *m, const char *path, dls_journal_merging *out, dls_error *err)
{
  m->slots = m->form->slots(m->study);
  m->from = calloc(m->slots + 1, sizeof *m->from);
  m->missing = calloc(m->slots + 1, sizeof *m->missing);
  dls_status status = m->from != NULL && m->missing != NULL
                          ? choose_all(m, &out->missing, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for the runs of '%.250s'", path);
  if (status == DLS_OK) {
    status = out->missing == 0 ? write_journal(m, path, err) : report_gaps(m, &out->text, err);
  }
  free(m->from);
  free(m->missing);
  return status;
}

dls_status dls_journal_merge_form(const char *path, const char *const *parts, size_t count,
                                  const dls_journal_form *form, const void *study, bool *complete,
                                  dls_journal_merging *out, dls_error *err)
{
  merging m = {.form = form, .study = study, .parts = calloc(count + 1, sizeof(dls_journal *))};
  *out = (dls_journal_merging){0};
  dls_status status = m.parts != NULL && count > 0
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory to merge %zu files", count);
  for (; m.count < count && status == DLS_OK; m.count += status == DLS_OK) {
    size_t runs = 0;
    status =
        dls_journal_open_form(parts[m.count], form, study, DLS_JOURNAL_RESUME, &runs, &m.parts[m.count], err);
    complete[m.count] = status == DLS_OK && m.parts[m.count]->complete;
  }
  status = status != DLS_OK ? status : merge(&m, path, out, err);
  for (size_t i = 0; i < m.count; i++) {
    dls_journal_close(m.parts[i]);
  }
  free(m.parts);
  return status;
}
