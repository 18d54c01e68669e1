/* experiments/campaign/journal.c -- a journal of lines of any form: looked at, freed of what is damaged, added to.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/journal_state.h"
#include <stdlib.h>
#include <string.h>

static dls_status no_memory(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", j->disk.path != NULL ? j->disk.path : "runs");
}

/* What a file without runs has, to be freed; NULL if there is no memory. */
static char *beginning(const dls_journal *j)
{
  char *columns = j->form.columns(j->study);
  const bool remark = !j->form.timed;
  const size_t room = strlen(j->head) + sizeof j->cpu + 20 + (columns != NULL ? strlen(columns) : 0);
  char *text = columns != NULL ? malloc(room) : NULL;
  if (text != NULL) {
    snprintf(text, room, "%s%s%s%s%s", j->head, remark ? DLS_JOURNAL_CPU : "", remark ? j->cpu : "",
             remark ? "\n" : "", columns);
  }
  free(columns);
  return text;
}

static dls_status open_file(dls_journal *j, const char *path, dls_error *err)
{
  char *text = beginning(j);
  const dls_status status = text != NULL ? dls_journal_file_open(&j->disk, path, text, err) : no_memory(j, err);
  free(text);
  j->own = status == DLS_OK && j->disk.made;
  return status;
}

static dls_status read_what_is_there(dls_journal *j, dls_journal_mode mode, size_t *runs, dls_error *err)
{
  size_t size = 0;
  dls_status status = j->disk.made ? DLS_OK : dls_journal_file_read(&j->disk, &j->text, &size, err);
  const size_t before = size;
  if (status == DLS_OK && size > 0) {
    status = dls_journal_look(j, mode, &size, runs, err);
  }
  const bool damaged = status == DLS_OK && j->own && size < before;
  return damaged ? dls_journal_file_replace(&j->disk, j->text, size, err) : status;
}

dls_status dls_journal_open_form(const char *path, const dls_journal_form *form, const void *study,
                                 dls_journal_mode mode, size_t *runs, dls_journal **out, dls_error *err)
{
  *out = NULL;
  *runs = 0;
  dls_journal *j = calloc(1, sizeof *j);
  if (j == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path);
  }
  j->disk.file = -1;
  j->form = *form;
  j->study = study;
  j->slots = form->slots(study);
  j->where = calloc(j->slots + 1, sizeof *j->where);
  dls_machine_cpu(j->cpu, sizeof j->cpu);
  memcpy(j->told, j->cpu, sizeof j->told);
  dls_status status = j->where == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path)
                                       : form->head(study, &j->head, &j->hash, err);
  status = status != DLS_OK ? status : open_file(j, path, err);
  status = status != DLS_OK ? status : read_what_is_there(j, mode, runs, err);
  if (status != DLS_OK) {
    dls_journal_close(j);
    return status;
  }
  *out = j;
  return DLS_OK;
}

const char *dls_journal_lost(const dls_journal *journal)
{
  return journal->lost[0] != '\0' ? journal->lost : NULL;
}

const char *dls_journal_elsewhere(const dls_journal *journal)
{
  return strcmp(journal->told, journal->cpu) != 0 ? journal->told : NULL;
}

const char *dls_journal_recalled(const dls_journal *j, size_t slot, size_t *size)
{
  if (!j->own || slot >= j->slots || j->where[slot] == 0) {
    return NULL;
  }
  const char *line = j->text + j->where[slot] - 1;
  *size = dls_journal_line_length(line);
  return line;
}

/* --- the file that is written --- */

/* What follows was made by this processor. */
static dls_status append_cpu(dls_journal *j, dls_error *err)
{
  char line[DLS_CPU_ROOM + 20];
  const int size = snprintf(line, sizeof line, DLS_JOURNAL_CPU "%s\n", j->cpu);
  memcpy(j->told, j->cpu, sizeof j->told);
  return dls_journal_file_append(&j->disk, line, (size_t)size, err);
}

/* Have a file with our inputs, and the processor said. */
static dls_status prepare(dls_journal *j, dls_error *err)
{
  if (j->own) {
    return strcmp(j->told, j->cpu) != 0 ? append_cpu(j, err) : DLS_OK;
  }
  char *text = beginning(j);
  const dls_status status =
      text != NULL ? dls_journal_file_replace(&j->disk, text, strlen(text), err) : no_memory(j, err);
  free(text);
  j->own = status == DLS_OK;
  return status;
}

dls_status dls_journal_add(dls_journal *j, const char *lines, size_t size, dls_error *err)
{
  dls_status status = prepare(j, err);
  if (status == DLS_OK) {
    status = dls_journal_file_append(&j->disk, lines, size, err);
    j->complete = false;
    j->disk.made = false;
  }
  return status;
}

dls_status dls_journal_complete(dls_journal *journal, dls_error *err)
{
  if (!journal->own || journal->complete) {
    return DLS_OK;
  }
  journal->complete = true;
  const dls_status status =
      dls_journal_file_append(&journal->disk, DLS_JOURNAL_COMPLETE, sizeof DLS_JOURNAL_COMPLETE - 1, err);
  return status != DLS_OK ? status : dls_journal_file_synchronise(&journal->disk, err);
}

void dls_journal_close(dls_journal *journal)
{
  if (journal != NULL) {
    dls_journal_file_close(&journal->disk);
    free(journal->head);
    free(journal->text);
    free(journal->where);
    free(journal);
  }
}
