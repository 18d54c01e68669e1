/* experiments/campaign/journal.c -- the journal of a campaign: read it, drop damaged lines, append, merge.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/journal.h"
#include "common/base/text.h"
#include "experiments/campaign/journal_file.h"
#include "experiments/campaign/machine.h"
#include <delassus/output.h>
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
  char *text;                   /* what was read and is good */
  size_t *where;                /* of each cell: the place of its line in text, + 1; 0: not there */
  char lost[160];               /* numbers of the lines that were damaged */
  size_t lost_first, lost_last; /* the last of their ranges */
  char cpu[DLS_CPU_ROOM], file_cpu[DLS_CPU_ROOM]; /* of this machine; the last one that the file names */
};

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
static void take_line(dls_journal *j, const char *line, size_t length, size_t at, size_t *runs, bool *good)
{
  const bool ends = line[length - 1] == '\n';
  *good = ends;
  if (ends && length == sizeof DLS_JOURNAL_COMPLETE - 1 && memcmp(line, DLS_JOURNAL_COMPLETE, length) == 0) {
    j->complete = true;
    return;
  }
  if (ends && strncmp(line, DLS_JOURNAL_CPU, sizeof DLS_JOURNAL_CPU - 1) == 0) {
    note_cpu(j, line);
    return;
  }
  const size_t cell = ends ? dls_journal_line_cell(&j->form, line, length - 1, j->hash) : SIZE_MAX;
  *good = cell != SIZE_MAX;
  if (*good) {
    *runs += j->where[cell] == 0;
    j->where[cell] = at + 1;
    j->complete = false;
  }
}

/* A last line without line feed was cut off by the end of its process. If the machine crashed, it contains zeros. */
static bool was_being_written(const char *line, size_t length)
{
  return line[length - 1] != '\n' && memchr(line, '\0', length) == NULL;
}

/* Find the runs and remove damaged lines from j->text. @param[in,out] size  of j->text */
static void find_runs(dls_journal *j, const char *start, size_t *size, size_t *runs)
{
  char *line = j->text + (start - j->text), *to = line, *end = j->text + *size;
  size_t number = 1 + count_feeds(j->text, line);
  for (char *next; line < end; line = next, number++) {
    bool good = false;
    next = next_line(line, end);
    const size_t length = (size_t)(next - line);
    take_line(j, line, length, (size_t)(to - j->text), runs, &good);
    if (good) {
      memmove(to, line, length);
      to += length;
    } else if (!was_being_written(line, length)) {
      lose(j, number);
    }
  }
  *to = '\0';
  *size = (size_t)(to - j->text);
}

static dls_status look(dls_journal *j, dls_journal_mode mode, size_t *size, size_t *runs, dls_error *err)
{
  const char *rest = NULL, *other = NULL, *ours = NULL;
  dls_status status = check_magic(j, err);
  if (status == DLS_OK) {
    status = compare_heads(j, &rest, &other, &ours, err);
  }
  if (status != DLS_OK || mode == DLS_JOURNAL_OVERWRITE) {
    return status;
  }
  if (other == NULL) {
    read_remarks(j, rest);
    find_runs(j, rest, size, runs);
  } else {
    char *lines = j->text + (rest - j->text);
    *runs = count_lines(lines, j->text + *size);
    j->complete = strstr(rest, DLS_JOURNAL_COMPLETE) != NULL;
  }
  status = judge(j, mode, *runs, other, ours, err);
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
  char *columns = dls_journal_columns(&j->form, j->study);
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

dls_status dls_journal_open(const char *path, const dls_journal_form *form, const void *study,
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
  j->where = calloc(form->cells + 1, sizeof *j->where);
  dls_machine_cpu(j->cpu, sizeof j->cpu);
  memcpy(j->file_cpu, j->cpu, sizeof j->file_cpu);
  dls_status status = j->where == NULL || (form->size > 0 && j->copy == NULL)
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path)
                          : form->head(study, &j->head, &j->hash, err);
  if (status == DLS_OK) {
    status = open_file(j, path, err);
  }
  if (status == DLS_OK) {
    status = read_what_is_there(j, mode, runs, err);
  }
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

const char *dls_journal_path(const dls_journal *journal)
{
  return journal->disk.path;
}

void dls_journal_forget(dls_journal *journal)
{
  free(journal->text);
  journal->text = NULL;
  memset(journal->where, 0, journal->form.cells * sizeof *journal->where);
}

/* The line of a cell that was taken over; NULL if there is none. */
static const char *line_of(const dls_journal *j, size_t cell)
{
  return j->own && cell < j->form.cells && j->where[cell] > 0 ? j->text + j->where[cell] - 1 : NULL;
}

dls_status dls_journal_recall(const dls_journal *j, size_t cell, void *data, bool *found)
{
  const char *line = line_of(j, cell);
  *found = line != NULL;
  return line == NULL
             ? DLS_OK
             : dls_journal_read(&j->form, line, dls_journal_line_length(line) - 1, j->hash, data, cell);
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

dls_status dls_journal_keep(dls_journal *j, const void *data, const size_t *cells, size_t count, dls_error *err)
{
  size_t size = 0;
  char *lines = dls_journal_lines(&j->form, j->study, data, cells, count, j->hash, &size);
  dls_status status = lines != NULL ? prepare(j, err) : no_memory(j, err);
  if (status == DLS_OK) {
    status = dls_journal_file_append(&j->disk, lines, size, err);
    j->complete = false;
    j->disk.made = false;
  }
  free(lines);
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

/* --- merging --- */

typedef struct merging {
  dls_journal **parts;
  size_t count;
  const dls_journal_form *form;
  const void *study;
  const dls_journal **from; /* for each cell the journal whose line is used; NULL: no journal has it */
} merging;

/* Two journals must agree on a cell. */
static dls_status compare(const merging *m, const dls_journal *a, const dls_journal *b, size_t cell,
                          dls_error *err)
{
  char name[120];
  if (dls_journal_same(m->form, line_of(a, cell), line_of(b, cell))) {
    return DLS_OK;
  }
  m->form->name(m->study, cell, name, sizeof name);
  return dls_fail(err, DLS_ERR_ARG, "'%.150s' and '%.150s' have different results of a run: %s", a->disk.path,
                  b->disk.path, name);
}

/* Use the line of the first journal in which the cell is finished. */
static dls_status choose(merging *m, size_t cell, dls_error *err)
{
  const dls_journal *first = NULL;
  dls_status status = DLS_OK;
  for (size_t i = 0; i < m->count && status == DLS_OK; i++) {
    const dls_journal *j = m->parts[i];
    const char *line = line_of(j, cell);
    if (line == NULL) {
      continue;
    }
    status = first != NULL ? compare(m, first, j, cell, err) : DLS_OK;
    first = first == NULL ? j : first;
    m->from[cell] = m->from[cell] == NULL && dls_journal_is_finished(m->form, line) ? j : m->from[cell];
  }
  return status;
}

static dls_status choose_all(merging *m, size_t *missing, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t cell = 0; cell < m->form->cells && status == DLS_OK; cell++) {
    status = choose(m, cell, err);
    *missing += m->from[cell] == NULL;
  }
  return status;
}

/* The processor is written where it differs from that of the line before. */
static void put_lines(const merging *m, FILE *out)
{
  const char *cpu = NULL;
  for (size_t cell = 0; cell < m->form->cells; cell++) {
    const dls_journal *j = m->from[cell];
    if (j == NULL) {
      continue;
    }
    if (!m->form->timed && (cpu == NULL || strcmp(cpu, j->file_cpu) != 0)) {
      fprintf(out, DLS_JOURNAL_CPU "%s\n", j->file_cpu);
      cpu = j->file_cpu;
    }
    const char *line = line_of(j, cell);
    fwrite(line, 1, dls_journal_line_length(line), out);
  }
}

/* Head, columns, lines; the file is replaced as a whole. */
static dls_status write_journal(const merging *m, const char *path, dls_error *err)
{
  dls_output *out = NULL;
  char *columns = dls_journal_columns(m->form, m->study);
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

/* "e = 0.1 to e = 0.4, 4 points" for consecutive cells. */
static void put_gaps(const merging *m, FILE *out)
{
  for (size_t cell = 0, end; cell < m->form->cells; cell = end) {
    char first[300], last[300];
    for (end = cell; end < m->form->cells && m->from[end] == NULL; end++) {
    }
    if (end == cell) {
      end++;
      continue;
    }
    m->form->name(m->study, cell, first, sizeof first);
    m->form->name(m->study, end - 1, last, sizeof last);
    if (end - cell > 1) {
      fprintf(out, "%s to %s, %zu %s\n", first, last, end - cell, m->form->plural);
    } else {
      fprintf(out, "%s\n", first);
    }
  }
}

static dls_status report_gaps(const merging *m, char **text, dls_error *err)
{
  size_t size = 0;
  FILE *out = dls_text_stream(text, &size);
  if (out != NULL) {
    put_gaps(m, out);
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
  m->from = calloc(m->form->cells + 1, sizeof *m->from);
  dls_status status = m->from != NULL
                          ? choose_all(m, &out->missing, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for the runs of '%.250s'", path);
  if (status == DLS_OK) {
    status = out->missing == 0 ? write_journal(m, path, err) : report_gaps(m, &out->text, err);
  }
  free(m->from);
  return status;
}

dls_status dls_journal_merge(const char *path, const char *const *parts, size_t count,
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
    status = dls_journal_open(parts[m.count], form, study, DLS_JOURNAL_RESUME, &runs, &m.parts[m.count], err);
    complete[m.count] = status == DLS_OK && m.parts[m.count]->complete;
  }
  if (status == DLS_OK) {
    status = merge(&m, path, out, err);
  }
  for (size_t i = 0; i < m.count; i++) {
    dls_journal_close(m.parts[i]);
  }
  free(m.parts);
  return status;
}
