/* experiments/campaign/journal.c -- a journal of lines of any form: read it, drop damaged lines, append, merge.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/journal.h"
#include "common/base/hash.h"
#include "common/base/text.h"
#include "experiments/campaign/journal_file.h"
#include "experiments/campaign/machine.h"
#include <delassus/output.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct dls_journal {
  dls_journal_file disk;
  dls_journal_form form;
  const void *study; /* of the form */
  void *copy;        /* owned; the study, where the form asks for a copy */
  char *head;        /* the inputs of the study */
  uint64_t hash;
  bool own; /* the file has our inputs: recall from it, append to it */
  bool complete;
  char *text;    /* what was read and is good */
  size_t *where; /* of each slot: the place of its line in text, + 1; 0: not there */
  size_t slots;
  char lost[160];                                 /* numbers of the lines that were damaged */
  size_t lost_first, lost_last;                   /* the last of their ranges */
  char cpu[DLS_CPU_ROOM], file_cpu[DLS_CPU_ROOM]; /* of this machine; the last one that the file names */
};

size_t dls_journal_line_length(const char *text)
{
  const char *end = strchr(text, '\n');
  return end == NULL ? 0 : (size_t)(end - text) + 1;
}

void dls_journal_check(const char *line, size_t size, uint64_t hash, char text[DLS_JOURNAL_CHECK_SIZE + 1])
{
  snprintf(text, DLS_JOURNAL_CHECK_SIZE + 1, ",%016" PRIx64 "\n", dls_hash(hash, line, size));
}

char *dls_journal_copy(const char *line, size_t size, uint64_t hash, dls_status *status)
{
  char check[DLS_JOURNAL_CHECK_SIZE + 1];
  *status = DLS_ERR_PARSE;
  if (size < DLS_JOURNAL_CHECK_SIZE) {
    return NULL;
  }
  const size_t length = size - (DLS_JOURNAL_CHECK_SIZE - 1);
  dls_journal_check(line, length, hash, check);
  if (memcmp(check, line + length, DLS_JOURNAL_CHECK_SIZE - 1) != 0) {
    return NULL;
  }
  char *copy = malloc(length + 1);
  *status = copy != NULL ? DLS_OK : DLS_ERR_MEMORY;
  if (copy != NULL) {
    memcpy(copy, line, length);
    copy[length] = '\0';
  }
  return copy;
}

static dls_status check_magic(const dls_journal *j, dls_error *err)
{
  static const char magic[] = DLS_JOURNAL_MAGIC;
  if (strncmp(j->text, magic, sizeof magic - 1) != 0) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is not a table of runs of delassus: move it away",
                    j->disk.path);
  }
  const char *format = j->text + sizeof magic - 1;
  if (strncmp(format, DLS_JOURNAL_FORMAT "\n", sizeof DLS_JOURNAL_FORMAT) != 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.250s' has the format %.*s, which this version does not know: move it away",
                    j->disk.path, (int)strcspn(format, "\n") < 40 ? (int)strcspn(format, "\n") : 40, format);
  }
  return DLS_OK;
}

static dls_status damaged_head(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "the head of '%.250s' is damaged: move it away", j->disk.path);
}

/* Compare the heads. @param[out] rest  the lines of the runs @param[out] other  the first line that differs, NULL if none does
 * @param[out] ours  the line of our head in its place */
static dls_status compare_heads(const dls_journal *j, const char **rest, const char **other, const char **ours,
                                dls_error *err)
{
  const char *theirs = j->text;
  *other = NULL;
  *ours = j->head;
  for (bool last = false; !last; theirs += dls_journal_line_length(theirs)) {
    const size_t length = dls_journal_line_length(theirs);
    if (length == 0 || theirs[0] != '#') {
      return damaged_head(j, err);
    }
    last = strncmp(theirs, "# hash: ", 8) == 0;
    if (*other == NULL && strncmp(theirs, *ours, length) != 0) {
      *other = theirs;
    }
    *ours += *other == NULL ? dls_journal_line_length(*ours) : 0;
  }
  for (; theirs[0] == '#'; theirs += dls_journal_line_length(theirs)) { /* remarks */
    if (dls_journal_line_length(theirs) == 0) {
      return damaged_head(j, err);
    }
  }
  *rest = theirs + dls_journal_line_length(theirs); /* behind the columns */
  return *rest > theirs ? DLS_OK : damaged_head(j, err);
}

/* A line of the head without "# " and line feed, for messages. */
static int input_length(const char *line)
{
  const size_t length = strcspn(line + 2, "\n");
  return length < 100 ? (int)length : 100;
}

/* Refuse what mode does not allow. */
static dls_status judge(const dls_journal *j, dls_journal_mode mode, size_t runs, const char *other,
                        const char *ours, dls_error *err)
{
  if (mode == DLS_JOURNAL_RESUME && other != NULL) {
    const bool seconds = strncmp(other, DLS_JOURNAL_CPU, sizeof DLS_JOURNAL_CPU - 1) == 0;
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.120s' has runs of another study: it has '%.*s' where this one has '%.*s'%s",
                    j->disk.path, input_length(other), other + 2, input_length(ours), ours + 2,
                    seconds ? "; where seconds are measured all must be of one kind of processor" : "");
  }
  if (mode == DLS_JOURNAL_NEW && !j->complete && runs > 0) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "'%.200s' has %zu finished runs of %s study that was interrupted: %sstart over with --overwrite",
        j->disk.path, runs, other != NULL ? "another" : "this",
        other != NULL ? "" : "continue with --resume, or ");
  }
  return DLS_OK;
}

/* --- the lines behind the head --- */

/* The start of the next line; end if there is none. */
static char *next_line(char *text, char *end)
{
  char *feed = memchr(text, '\n', (size_t)(end - text));
  return feed == NULL ? end : feed + 1;
}

/* Number of lines of runs of any study. */
static size_t count_lines(char *text, char *end)
{
  size_t count = 0;
  for (; text < end; text = next_line(text, end)) {
    count += text[0] != '#';
  }
  return count;
}

/* Record in j->lost that line `number` is damaged. */
static void lose(dls_journal *j, size_t number)
{
  const bool goes_on = j->lost_last > 0 && number == j->lost_last + 1;
  if (!goes_on) {
    dls_text_append(j->lost, sizeof j->lost, "%s%zu", j->lost_last > 0 ? ", " : "", number);
    j->lost_first = number;
  } else if (j->lost_first == j->lost_last) {
    dls_text_append(j->lost, sizeof j->lost, " to %zu", number);
  } else {
    snprintf(strrchr(j->lost, ' ') + 1, 24, "%zu", number);
  }
  j->lost_last = number;
}

static void note_cpu(dls_journal *j, const char *line)
{
  const char *name = line + sizeof DLS_JOURNAL_CPU - 1;
  snprintf(j->file_cpu, sizeof j->file_cpu, "%.*s", (int)strcspn(name, "\n"), name);
}

static size_t count_feeds(const char *text, const char *end)
{
  size_t count = 0;
  for (; text < end; text++) {
    count += *text == '\n';
  }
  return count;
}

/* Behind the hash of the head. */
static void read_remarks(dls_journal *j, const char *rest)
{
  const char *hash = strstr(j->text, "\n# hash: ");
  const char *cpu = hash != NULL ? strstr(hash, "\n" DLS_JOURNAL_CPU) : NULL;
  if (cpu != NULL && cpu < rest) {
    note_cpu(j, cpu + 1);
  }
}

/* Take over a line. @param[in] at  its place in j->text @param[out] good  it is complete and belongs to this study */
static dls_status take_line(dls_journal *j, const char *line, size_t length, size_t at, size_t *runs,
                            bool *good)
{
  const bool ends = line[length - 1] == '\n';
  size_t slot = 0;
  *good = ends;
  if (ends && length == sizeof DLS_JOURNAL_COMPLETE - 1 && memcmp(line, DLS_JOURNAL_COMPLETE, length) == 0) {
    j->complete = true;
    return DLS_OK;
  }
  if (ends && strncmp(line, DLS_JOURNAL_CPU, sizeof DLS_JOURNAL_CPU - 1) == 0) {
    note_cpu(j, line);
    return DLS_OK;
  }
  const dls_status status = ends ? j->form.slot(j->study, line, length - 1, j->hash, &slot) : DLS_ERR_PARSE;
  size_t *place = status == DLS_OK && slot < j->slots ? &j->where[slot] : NULL;
  *good = place != NULL;
  if (place != NULL) {
    *runs += *place == 0;
    *place = at + 1;
    j->complete = false;
  }
  return status == DLS_ERR_MEMORY ? status : DLS_OK;
}

/* A last line without line feed was cut off by the end of its process. If the machine crashed, it contains zeros. */
static bool was_being_written(const char *line, size_t length)
{
  return line[length - 1] != '\n' && memchr(line, '\0', length) == NULL;
}

/* Find the runs and remove damaged lines from j->text. @param[in,out] size  of j->text */
static dls_status find_runs(dls_journal *j, const char *start, size_t *size, size_t *runs, dls_error *err)
{
  dls_status status = DLS_OK;
  char *line = j->text + (start - j->text), *to = line, *end = j->text + *size;
  size_t number = 1 + count_feeds(j->text, line);
  for (char *next; line < end && status == DLS_OK; line = next, number++) {
    bool good = false;
    next = next_line(line, end);
    const size_t length = (size_t)(next - line);
    status = take_line(j, line, length, (size_t)(to - j->text), runs, &good);
    if (good) {
      memmove(to, line, length);
      to += length;
    } else if (!was_being_written(line, length)) {
      lose(j, number);
    }
  }
  *to = '\0';
  *size = (size_t)(to - j->text);
  return status == DLS_OK ? DLS_OK : dls_fail(err, status, "no memory to read '%.250s'", j->disk.path);
}

static dls_status look(dls_journal *j, dls_journal_mode mode, size_t *size, size_t *runs, dls_error *err)
{
  const char *rest = NULL, *other = NULL, *ours = NULL;
  dls_status status = check_magic(j, err);
  status = status != DLS_OK ? status : compare_heads(j, &rest, &other, &ours, err);
  if (status != DLS_OK || mode == DLS_JOURNAL_OVERWRITE) {
    return status;
  }
  if (other == NULL) {
    read_remarks(j, rest);
    status = find_runs(j, rest, size, runs, err);
  } else {
    char *lines = j->text + (rest - j->text);
    *runs = count_lines(lines, j->text + *size);
    j->complete = strstr(rest, DLS_JOURNAL_COMPLETE) != NULL;
  }
  status = status != DLS_OK ? status : judge(j, mode, *runs, other, ours, err);
  j->own = status == DLS_OK && mode == DLS_JOURNAL_RESUME;
  *runs = j->own ? *runs : 0;
  return status;
}

static dls_status no_memory(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", j->disk.path != NULL ? j->disk.path : "runs");
}

/* The text of a file without runs, to be freed; NULL if there is no memory. */
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
    status = look(j, mode, &size, runs, err);
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
  j->copy = form->size > 0 ? malloc(form->size) : NULL;
  j->study = j->copy != NULL ? memcpy(j->copy, study, form->size) : study;
  j->slots = form->slots(study);
  j->where = calloc(j->slots + 1, sizeof *j->where);
  dls_machine_cpu(j->cpu, sizeof j->cpu);
  memcpy(j->file_cpu, j->cpu, sizeof j->file_cpu);
  dls_status status = j->where == NULL || (form->size > 0 && j->copy == NULL)
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path)
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

const char *dls_journal_other_cpu(const dls_journal *journal)
{
  return strcmp(journal->file_cpu, journal->cpu) != 0 ? journal->file_cpu : NULL;
}

const void *dls_journal_study(const dls_journal *journal)
{
  return journal->study;
}

uint64_t dls_journal_hash(const dls_journal *journal)
{
  return journal->hash;
}

const char *dls_journal_path(const dls_journal *journal)
{
  return journal->disk.path;
}

void dls_journal_forget(dls_journal *journal)
{
  free(journal->text);
  journal->text = NULL;
  memset(journal->where, 0, journal->slots * sizeof *journal->where);
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

/* The following lines were made by this processor. */
static dls_status append_cpu(dls_journal *j, dls_error *err)
{
  char line[DLS_CPU_ROOM + 20];
  const int size = snprintf(line, sizeof line, DLS_JOURNAL_CPU "%s\n", j->cpu);
  memcpy(j->file_cpu, j->cpu, sizeof j->file_cpu);
  return dls_journal_file_append(&j->disk, line, (size_t)size, err);
}

/* Make sure that the file has our inputs and names the processor. */
static dls_status prepare(dls_journal *j, dls_error *err)
{
  if (j->own) {
    return strcmp(j->file_cpu, j->cpu) != 0 ? append_cpu(j, err) : DLS_OK;
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
    free(journal->copy);
    free(journal);
  }
}

typedef struct merging {
  dls_journal **parts;
  size_t count;
  const dls_journal_form *form;
  const void *study;
  const dls_journal **from; /* for each slot the journal whose line is used; NULL: no journal has it */
  bool *missing;            /* for each slot */
  size_t slots;
} merging;

static const char *line_of(const dls_journal *j, size_t slot)
{
  size_t size = 0;
  return dls_journal_recalled(j, slot, &size);
}

static dls_status cannot_read(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_MEMORY, "no memory to read '%.250s'", j->disk.path);
}

/* Two journals must agree on a slot. */
static dls_status compare(const merging *m, const dls_journal *a, const dls_journal *b, size_t slot,
                          dls_error *err)
{
  bool same = false;
  char name[120];
  if (m->form->same(m->study, line_of(a, slot), line_of(b, slot), a->hash, &same) != DLS_OK) {
    return cannot_read(a, err);
  }
  m->form->name(m->study, slot, name, sizeof name);
  return same ? DLS_OK
              : dls_fail(err, DLS_ERR_ARG, "'%.150s' and '%.150s' have different results of a run: %s",
                         a->disk.path, b->disk.path, name);
}

/* Use the line of the first journal in which the slot is finished. */
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
      status = cannot_read(j, err);
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

/* The processor is written where it differs from that of the line before. */
static void put_lines(const merging *m, FILE *out)
{
  const char *cpu = NULL;
  for (size_t slot = 0; slot < m->slots; slot++) {
    const dls_journal *j = m->from[slot];
    size_t size = 0;
    if (j == NULL) {
      continue;
    }
    if (!m->form->timed && (cpu == NULL || strcmp(cpu, j->file_cpu) != 0)) {
      fprintf(out, DLS_JOURNAL_CPU "%s\n", j->file_cpu);
      cpu = j->file_cpu;
    }
    const char *line = dls_journal_recalled(j, slot, &size);
    fwrite(line, 1, size, out);
  }
}

/* Head, columns, lines; the file is replaced as a whole. */
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
