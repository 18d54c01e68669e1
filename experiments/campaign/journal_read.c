/* experiments/campaign/journal_read.c -- what is in the file of a journal: whose it is, which lines are good.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/campaign/journal_state.h"
#include <stdlib.h>
#include <string.h>

size_t dls_journal_line_length(const char *text)
{
  const char *end = strchr(text, '\n');
  return end == NULL ? 0 : (size_t)(end - text) + 1;
}

static dls_status check_magic(const dls_journal *j, dls_error *err)
{
  static const char magic[] = DLS_JOURNAL_MAGIC;
  if (strncmp(j->text, magic, sizeof magic - 1) != 0) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is no table of runs of delassus: move it away", j->disk.path);
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

/* Compare the heads. @param[out] rest  the lines of the runs; @param[out] other  the first line that is another, NULL if
 * there is none; @param[out] ours  what stands there in our head */
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
                    "'%.120s' has runs of another study: it says '%.*s' where this one says '%.*s'%s",
                    j->disk.path, input_length(other), other + 2, input_length(ours), ours + 2,
                    seconds ? "; where seconds are measured all must be of one kind of processor" : "");
  }
  if (mode == DLS_JOURNAL_NEW && !j->complete && runs > 0) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "'%.200s' has %zu finished runs of %s study that was interrupted: %sbegin anew with --overwrite",
        j->disk.path, runs, other != NULL ? "another" : "this",
        other != NULL ? "" : "go on with --resume, or ");
  }
  return DLS_OK;
}

/* --- the lines behind the head --- */

/* Behind the line feed of the line at text; end if it has none. */
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

/* Line `number` is damaged: say so in j->lost. */
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
  snprintf(j->told, sizeof j->told, "%.*s", (int)strcspn(name, "\n"), name);
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

/* Take over a line. @param[in] at  its place in j->text; @param[out] good  it is whole and ours */
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

/* A last line without its end was being written when its process ended, unless the machine did: then there are zeros. */
static bool was_being_written(const char *line, size_t length)
{
  return line[length - 1] != '\n' && memchr(line, '\0', length) == NULL;
}

/* Find the runs; what is not good is left out of j->text. @param[in,out] size  of j->text */
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

dls_status dls_journal_look(dls_journal *j, dls_journal_mode mode, size_t *size, size_t *runs, dls_error *err)
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
