/* experiments/study/journal.c -- the file of a journal: locked, read, cut where it ends in the middle of a line, appended to.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/journal.h"
#include "experiments/study/journal_parts.h"
#include "experiments/study/order_runs.h"
#include <delassus/output.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

struct dls_journal {
  char *path;
  dls_order_spec spec; /* borrowed pointers */
  char *head;          /* the inputs of the study */
  uint64_t hash;
  int file; /* locked; -1: there is none yet */
  bool own; /* the file has our inputs: recall from it, append to it */
  bool complete;
  char *text;    /* what was read */
  size_t *where; /* of each run: the place of its line in text, + 1; 0: not there */
  size_t most;   /* runs that a scheme can have */
  double synced; /* monotonic seconds */
};

static const char complete_line[] = "# complete: yes\n";
static const double sync_interval =
    1; /* s; what a crash of the machine may cost, and rare enough to cost no time */

static dls_status io_error(const dls_journal *j, const char *what, dls_error *err)
{
  const int reason = errno;
  return dls_fail(err, DLS_ERR_IO, "cannot %s '%.250s': %s", what, j->path, strerror(reason));
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- the file that is there --- */

/* Open what is there, if anything is, and lock it. */
static dls_status open_file(dls_journal *j, dls_error *err)
{
  struct stat info;
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
  j->file = open(j->path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (j->file < 0) {
    return errno == ENOENT ? DLS_OK : io_error(j, "write", err);
  }
  if (fstat(j->file, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is no regular file", j->path);
  }
  if (fcntl(j->file, F_SETLK, &lock) != 0) {
    return errno == EACCES || errno == EAGAIN
               ? dls_fail(err, DLS_ERR_ARG, "'%.250s' is being written by another study", j->path)
               : io_error(j, "lock", err);
  }
  return DLS_OK;
}

static dls_status read_file(dls_journal *j, size_t *size, dls_error *err)
{
  struct stat info;
  *size = 0;
  if (fstat(j->file, &info) != 0) {
    return io_error(j, "read", err);
  }
  const size_t length = (size_t)info.st_size;
  j->text = malloc(length + 1);
  if (j->text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to read '%.250s' of %zu bytes", j->path, length);
  }
  while (*size < length) {
    const ssize_t part = pread(j->file, j->text + *size, length - *size, (off_t)*size);
    if (part <= 0 && errno != EINTR) {
      return io_error(j, "read", err);
    }
    *size += part > 0 ? (size_t)part : 0;
  }
  j->text[length] = '\0';
  return DLS_OK;
}

/* Length of the line at text, with its line feed; 0 if it has none. */
static size_t line_length(const char *text)
{
  const char *end = strchr(text, '\n');
  return end == NULL ? 0 : (size_t)(end - text) + 1;
}

static dls_status check_magic(const dls_journal *j, dls_error *err)
{
  static const char magic[] = DLS_JOURNAL_MAGIC;
  if (strncmp(j->text, magic, sizeof magic - 1) != 0) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is no table of runs of delassus: move it away", j->path);
  }
  const char *format = j->text + sizeof magic - 1;
  if (strncmp(format, DLS_JOURNAL_FORMAT "\n", sizeof DLS_JOURNAL_FORMAT) != 0) {
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.250s' has the format %.*s, which this version does not know: move it away", j->path,
                    (int)strcspn(format, "\n") < 40 ? (int)strcspn(format, "\n") : 40, format);
  }
  return DLS_OK;
}

static dls_status damaged_head(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "the head of '%.250s' is damaged: move it away", j->path);
}

/* Compare the heads. @param[out] rest  the lines of the runs; @param[out] other  the first line that is another, NULL if
 * there is none; @param[out] ours  what stands there in our head */
static dls_status compare_heads(const dls_journal *j, const char **rest, const char **other, const char **ours,
                                dls_error *err)
{
  const char *theirs = j->text;
  *other = NULL;
  *ours = j->head;
  for (bool last = false; !last; theirs += line_length(theirs)) {
    const size_t length = line_length(theirs);
    if (length == 0 || theirs[0] != '#') {
      return damaged_head(j, err);
    }
    last = strncmp(theirs, "# hash: ", 8) == 0;
    if (*other == NULL && strncmp(theirs, *ours, length) != 0) {
      *other = theirs;
    }
    *ours += *other == NULL ? line_length(*ours) : 0;
  }
  *rest = theirs + line_length(theirs); /* behind the columns */
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
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.120s' has runs of another study: it says '%.*s' where this one says '%.*s'", j->path,
                    input_length(other), other + 2, input_length(ours), ours + 2);
  }
  if (mode == DLS_JOURNAL_NEW && !j->complete && runs > 0) {
    return dls_fail(
        err, DLS_ERR_ARG,
        "'%.200s' has %zu finished runs of %s study that was interrupted: %sbegin anew with --overwrite",
        j->path, runs, other != NULL ? "another" : "this", other != NULL ? "" : "go on with --resume, or ");
  }
  return DLS_OK;
}

/* Number of lines of runs of any study. */
static size_t count_lines(const char *text)
{
  size_t count = 0;
  for (size_t length; (length = line_length(text)) > 0; text += length) {
    count += text[0] != '#';
  }
  return count;
}

static dls_status damaged(const dls_journal *j, const char *line, dls_error *err)
{
  size_t number = 1;
  for (const char *c = j->text; c < line; c++) {
    number += *c == '\n';
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "'%.250s', line %zu: the line is damaged; remove it, then its run is made again", j->path,
                  number);
}

/* The place of a run among all; NULL if the study has no such run. */
static size_t *place_of(const dls_journal *j, const dls_order_point *run)
{
  const size_t repeats = j->spec.repeats;
  const bool known =
      run->scheme < j->spec.scheme_count && run->repeat < repeats && run->level < j->most / repeats;
  return known ? &j->where[run->scheme * j->most + run->level * repeats + run->repeat] : NULL;
}

/* Find the runs, up to a last line that is cut. @param[out] end  of the last whole line */
static dls_status find_runs(dls_journal *j, const char *start, size_t size, size_t *runs, size_t *end,
                            dls_error *err)
{
  dls_order_point *points = malloc(j->spec.norm_count * j->spec.of_count * sizeof *points);
  dls_status status =
      points != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory to read '%.250s'", j->path);
  const char *line = start;
  for (size_t length; status == DLS_OK && (length = line_length(line)) > 0; line += length) {
    if (strncmp(line, complete_line, length) == 0) {
      j->complete = true;
      continue;
    }
    status = dls_journal_parse(&j->spec, line, length - 1, j->hash, points);
    size_t *place = status == DLS_OK ? place_of(j, &points[0]) : NULL;
    if (place != NULL) {
      *runs += *place == 0;
      *place = (size_t)(line - j->text) + 1;
      j->complete = false;
    } else if (status != DLS_ERR_MEMORY && line + length < j->text + size) {
      status = damaged(j, line, err);
    } else if (status != DLS_ERR_MEMORY) { /* the last line: it was being written */
      status = DLS_OK;
      break;
    }
  }
  *end = (size_t)(line - j->text);
  free(points);
  return status;
}

/* Look at what was read, of size > 0; take it over if that is asked for. */
static dls_status look_at(dls_journal *j, dls_journal_mode mode, size_t size, size_t *runs, dls_error *err)
{
  const char *rest = NULL, *other = NULL, *ours = NULL;
  size_t end = 0;
  dls_status status = check_magic(j, err);
  status = status != DLS_OK ? status : compare_heads(j, &rest, &other, &ours, err);
  if (status != DLS_OK || mode == DLS_JOURNAL_OVERWRITE) {
    return status;
  }
  if (other == NULL) {
    status = find_runs(j, rest, size, runs, &end, err);
  } else {
    *runs = count_lines(rest);
    j->complete = strstr(rest, complete_line) != NULL;
  }
  status = status != DLS_OK ? status : judge(j, mode, *runs, other, ours, err);
  if (status != DLS_OK || mode != DLS_JOURNAL_RESUME) {
    *runs = 0;
    return status;
  }
  j->own = true;
  return ftruncate(j->file, (off_t)end) == 0 ? DLS_OK : io_error(j, "write", err);
}

dls_status dls_journal_open(const char *path, const dls_order_spec *spec, dls_journal_mode mode, size_t *runs,
                            dls_journal **out, dls_error *err)
{
  *out = NULL;
  *runs = 0;
  dls_journal *j = calloc(1, sizeof *j);
  if (j == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path);
  }
  size_t size = 0;
  j->file = -1;
  j->synced = now();
  j->spec = *spec;
  j->most = dls_order_most_runs(spec);
  j->where = calloc(spec->scheme_count * j->most, sizeof *j->where);
  j->path = strdup(path);
  dls_status status = j->where == NULL || j->path == NULL
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path)
                          : dls_journal_head(spec, &j->head, &j->hash, err);
  status = status != DLS_OK ? status : open_file(j, err);
  if (status == DLS_OK && j->file >= 0) {
    status = read_file(j, &size, err);
    status = status == DLS_OK && size > 0 ? look_at(j, mode, size, runs, err) : status;
  }
  if (status != DLS_OK) {
    dls_journal_close(j);
    return status;
  }
  *out = j;
  return DLS_OK;
}

/* --- the file that is written --- */

static dls_status append(dls_journal *j, const char *text, size_t size, dls_error *err)
{
  while (size > 0) {
    const ssize_t part = write(j->file, text, size);
    if (part < 0 && errno != EINTR) {
      return io_error(j, "write", err);
    }
    text += part > 0 ? part : 0;
    size -= part > 0 ? (size_t)part : 0;
  }
  if (now() - j->synced >= sync_interval) {
    fdatasync(j->file); /* where it cannot be done, the page cache must do */
    j->synced = now();
  }
  return DLS_OK;
}

static dls_status write_head(const dls_journal *j, dls_error *err)
{
  dls_output *out = NULL;
  char *columns = dls_journal_columns(&j->spec);
  dls_status status = columns != NULL ? dls_output_open(j->path, &out, err)
                                      : dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", j->path);
  if (status == DLS_OK) {
    fprintf(dls_output_stream(out), "%s%s", j->head, columns);
    status = dls_output_commit(out, err);
  }
  free(columns);
  return status;
}

/* A new file in place of the old one, which stays locked until then. */
static dls_status create(dls_journal *j, dls_error *err)
{
  dls_status status = j->file >= 0 ? DLS_OK : open_file(j, err);
  status = status != DLS_OK ? status : write_head(j, err);
  if (status == DLS_OK) {
    const int old = j->file;
    status = open_file(j, err);
    if (old >= 0) {
      close(old);
    }
  }
  j->own = status == DLS_OK;
  j->complete = false;
  return status;
}

static bool recall(void *data, dls_order_point *points)
{
  const dls_journal *j = data;
  const size_t *place = place_of(j, &points[0]);
  if (!j->own || place == NULL || *place == 0) {
    return false;
  }
  const char *line = j->text + *place - 1;
  return dls_journal_parse(&j->spec, line, line_length(line) - 1, j->hash, points) == DLS_OK;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  dls_journal *j = data;
  size_t size = 0;
  const dls_status status = j->own ? DLS_OK : create(j, err);
  if (status != DLS_OK) {
    return status;
  }
  char *line = dls_journal_line(&j->spec, points, j->hash, &size);
  if (line == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of '%.250s'", j->path);
  }
  const dls_status written = append(j, line, size, err);
  j->complete = false;
  free(line);
  return written;
}

void dls_journal_attach(dls_journal *journal, dls_order_spec *spec)
{
  spec->recall = recall;
  spec->keep = keep;
  spec->keep_data = journal;
}

dls_status dls_journal_complete(dls_journal *journal, dls_error *err)
{
  if (!journal->own || journal->complete) {
    return DLS_OK;
  }
  journal->complete = true;
  return append(journal, complete_line, sizeof complete_line - 1, err);
}

void dls_journal_close(dls_journal *journal)
{
  if (journal == NULL) {
    return;
  }
  if (journal->file >= 0) {
    if (journal->own) {
      fdatasync(journal->file);
    }
    close(journal->file);
  }
  free(journal->path);
  free(journal->head);
  free(journal->text);
  free(journal->where);
  free(journal);
}
