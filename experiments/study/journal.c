/* experiments/study/journal.c -- the file of a journal: locked, freed of what is damaged, appended to.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/study/journal_state.h"
#include "experiments/study/order_runs.h"
#include "experiments/study/output_parts.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

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

static dls_status busy(const dls_journal *j, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "'%.250s' is being written by another study", j->path);
}

/* Whether the name still leads to the open file: it may have been replaced or removed before it was locked. */
static bool bears_its_name(const dls_journal *j)
{
  struct stat open_one, named;
  return fstat(j->file, &open_one) == 0 && stat(j->path, &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

static void close_file(dls_journal *j)
{
  if (j->file >= 0) {
    close(j->file);
    j->file = -1;
  }
}

/* Open and lock what is there. @param[out] j->file  -1 if there is nothing, or no longer */
static dls_status open_file(dls_journal *j, dls_error *err)
{
  struct stat info;
  j->file = open(j->path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (j->file < 0) {
    return errno == ENOENT ? DLS_OK : io_error(j, "write", err);
  }
  if (fstat(j->file, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is no regular file", j->path);
  }
  if (flock(j->file, LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? busy(j, err) : io_error(j, "lock", err);
  }
  if (!bears_its_name(j)) {
    close_file(j);
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

/* --- a file that is new --- */

/* Have the open file written to its end only, and by nobody else. @return its descriptor, -1 with errno */
static int lock_output(FILE *stream)
{
  const int file = fcntl(fileno(stream), F_DUPFD_CLOEXEC, 3);
  if (file >= 0 && (flock(file, LOCK_EX | LOCK_NB) != 0 || fcntl(file, F_SETFL, O_APPEND) != 0)) {
    const int reason = errno;
    close(file);
    errno = reason;
    return -1;
  }
  return file;
}

/* Write a file that is locked before it gets its name; it takes the place of the one that is open. */
static dls_status make_file(dls_journal *j, const char *text, size_t size,
                            dls_status (*commit)(dls_output *out, dls_error *err), dls_error *err)
{
  dls_output *out = NULL;
  dls_status status = dls_output_open(j->path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  const int file = lock_output(dls_output_stream(out));
  if (file < 0) {
    dls_output_abandon(out);
    return io_error(j, "lock", err);
  }
  fwrite(text, 1, size, dls_output_stream(out));
  status = commit(out, err);
  if (status != DLS_OK) {
    close(file);
    return status;
  }
  close_file(j);
  j->file = file;
  return DLS_OK;
}

/* With no runs yet. */
static dls_status make_new(dls_journal *j, dls_status (*commit)(dls_output *out, dls_error *err),
                           dls_error *err)
{
  char *columns = dls_journal_columns(&j->spec);
  const bool remark = j->spec.timings == 0;
  const size_t room = strlen(j->head) + sizeof j->cpu + 20 + (columns != NULL ? strlen(columns) : 0);
  char *text = columns != NULL ? malloc(room) : NULL;
  dls_status status = DLS_ERR_MEMORY;
  if (text == NULL) {
    dls_fail(err, status, "no memory for '%.250s'", j->path);
  } else {
    const int size = snprintf(text, room, "%s%s%s%s%s", j->head, remark ? DLS_JOURNAL_CPU : "",
                              remark ? j->cpu : "", remark ? "\n" : "", columns);
    status = make_file(j, text, (size_t)size, commit, err);
  }
  free(text);
  free(columns);
  return status;
}

/* Have a file that is ours alone: the one that is there, or a new one with nothing but a head. Another process may make
 * or remove it at any time; few do so again and again. */
static dls_status own_file(dls_journal *j, dls_error *err)
{
  enum { MOST_TRIES = 100 };
  for (int i = 0; i < MOST_TRIES; i++) {
    dls_status status = open_file(j, err);
    if (status != DLS_OK || j->file >= 0) {
      return status;
    }
    status = make_new(j, dls_output_commit_new, err);
    if (status != DLS_ERR_ARG) {
      j->made = j->own = status == DLS_OK;
      return status;
    }
  }
  return busy(j, err);
}

static dls_status read_what_is_there(dls_journal *j, dls_journal_mode mode, size_t *runs, dls_error *err)
{
  size_t size = 0;
  dls_status status = j->made ? DLS_OK : read_file(j, &size, err);
  const size_t before = size;
  if (status == DLS_OK && size > 0) {
    status = dls_journal_look(j, mode, &size, runs, err);
  }
  const bool damaged = status == DLS_OK && j->own && size < before;
  return damaged ? make_file(j, j->text, size, dls_output_commit, err) : status;
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
  j->file = -1;
  j->synced = now();
  j->spec = *spec;
  j->most = dls_order_most_runs(spec);
  j->where = calloc(spec->scheme_count * j->most, sizeof *j->where);
  j->path = strdup(path);
  dls_machine_cpu(j->cpu, sizeof j->cpu);
  memcpy(j->told, j->cpu, sizeof j->told);
  dls_status status = j->where == NULL || j->path == NULL
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path)
                          : dls_journal_head(spec, &j->head, &j->hash, err);
  status = status != DLS_OK ? status : own_file(j, err);
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

/* --- the file that is written --- */

/* Where it cannot be done, the page cache must do. */
static dls_status synchronise(dls_journal *j, dls_error *err)
{
  j->synced = now();
  return fdatasync(j->file) == 0 || errno != EIO ? DLS_OK : io_error(j, "write", err);
}

static dls_status append(dls_journal *j, const char *text, size_t size, dls_error *err)
{
  if (j->broken) {
    return dls_fail(err, DLS_ERR_IO, "cannot write '%.250s': an earlier write failed", j->path);
  }
  while (size > 0) {
    const ssize_t part = write(j->file, text, size);
    if (part < 0 && errno != EINTR) {
      j->broken = true;
      return io_error(j, "write", err);
    }
    text += part > 0 ? part : 0;
    size -= part > 0 ? (size_t)part : 0;
  }
  return now() - j->synced >= sync_interval ? synchronise(j, err) : DLS_OK;
}

/* What follows was made by this processor. */
static dls_status append_cpu(dls_journal *j, dls_error *err)
{
  char line[DLS_CPU_ROOM + 20];
  const int size = snprintf(line, sizeof line, DLS_JOURNAL_CPU "%s\n", j->cpu);
  memcpy(j->told, j->cpu, sizeof j->told);
  return append(j, line, (size_t)size, err);
}

/* Have a file with our inputs, and the processor said. */
static dls_status prepare(dls_journal *j, dls_error *err)
{
  if (!j->own) {
    const dls_status status = make_new(j, dls_output_commit, err);
    j->own = status == DLS_OK;
    return status;
  }
  return strcmp(j->told, j->cpu) != 0 ? append_cpu(j, err) : DLS_OK;
}

static bool recall(void *data, dls_order_point *points)
{
  const dls_journal *j = data;
  const size_t *place = dls_journal_place(j, &points[0]);
  if (!j->own || place == NULL || *place == 0) {
    return false;
  }
  const char *line = j->text + *place - 1;
  return dls_journal_parse(&j->spec, line, dls_journal_line_length(line) - 1, j->hash, points) == DLS_OK;
}

static dls_status keep(void *data, const dls_order_point *points, dls_error *err)
{
  dls_journal *j = data;
  size_t size = 0;
  const dls_status status = prepare(j, err);
  if (status != DLS_OK) {
    return status;
  }
  char *line = dls_journal_line(&j->spec, points, j->hash, &size);
  if (line == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a line of '%.250s'", j->path);
  }
  const dls_status written = append(j, line, size, err);
  j->complete = false;
  j->made = false;
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
  const dls_status status = append(journal, DLS_JOURNAL_COMPLETE, sizeof DLS_JOURNAL_COMPLETE - 1, err);
  return status != DLS_OK ? status : synchronise(journal, err);
}

void dls_journal_close(dls_journal *journal)
{
  if (journal == NULL) {
    return;
  }
  if (journal->made) {
    unlink(journal->path); /* while it is locked */
  } else if (journal->file >= 0 && journal->own) {
    fdatasync(journal->file);
  }
  close_file(journal);
  free(journal->path);
  free(journal->head);
  free(journal->text);
  free(journal->where);
  free(journal);
}
