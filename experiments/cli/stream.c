/* experiments/cli/stream.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/stream.h"
#include "common/run/csv.h"
#include "experiments/cli/progress.h"

#include <delassus/output.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { NUMBERS = 1 << 17 }; /* of a portion: 1 MB, written in some ten milliseconds */

bool dls_cli_stream_suits(const char *path)
{
  struct stat info;
  if (path == NULL || strcmp(path, "-") == 0 || strncmp(path, "/dev/", 5) == 0 ||
      strncmp(path, "/proc/", 6) == 0) {
    return false;
  }
  return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static dls_status cannot_write(const dls_cli_stream *s, dls_error *err)
{
  return dls_fail(err, DLS_ERR_IO, "cannot write '%.200s': %s", s->part, strerror(errno));
}

/* Metadata and header, so that the file can be read at any time. One of an earlier run is removed. */
static dls_status begin(dls_cli_stream *s, dls_trajectory *record, dls_error *err)
{
  unlink(s->part);
  const int file = open(s->part, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  s->file = file < 0 ? NULL : fdopen(file, "w+");
  if (s->file == NULL) {
    const dls_status status = cannot_write(s, err);
    if (file >= 0) {
      close(file);
    }
    return status;
  }
  const bool complete = record->complete;
  record->complete = false;
  snprintf(record->failure, sizeof record->failure, "the run has not ended: these are its rows so far");
  dls_csv_write_beginning(record, s->file);
  dls_csv_write_header(record, s->file);
  record->failure[0] = '\0';
  record->complete = complete;
  return DLS_OK;
}

static dls_status room_for_portion(dls_cli_stream *s, dls_error *err)
{
  if (s->count < s->capacity) {
    return DLS_OK;
  }
  const size_t capacity = 2 * s->capacity + 16;
  dls_cli_portion *portions = realloc(s->portions, capacity * sizeof *portions);
  if (portions == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu portions of '%.200s'", capacity, s->part);
  }
  s->portions = portions;
  s->capacity = capacity;
  return DLS_OK;
}

/* The file ends where the last whole portion does, and is only read from now on; without one it goes. */
static dls_status undo(dls_cli_stream *s, long long end, dls_error *err)
{
  const dls_status status = cannot_write(s, err);
  fclose(s->file); /* which tries again to write the rest */
  s->file = NULL;
  s->failed = true;
  if (s->count == 0) {
    unlink(s->part);
  } else if (truncate(s->part, (off_t)end) == 0) {
    s->file = fopen(s->part, "re");
  }
  return status;
}

/* dls_recording.take */
static dls_status take(void *data, dls_trajectory *record, dls_error *err)
{
  dls_cli_stream *s = data;
  dls_status status = s->failed ? DLS_ERR_IO : room_for_portion(s, err);
  status = status != DLS_OK || s->file != NULL ? status : begin(s, record, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_cli_portion portion = {.events = ftello(s->file)};
  dls_csv_write_events(record, record->event_count, s->file);
  portion.rows = ftello(s->file);
  dls_csv_write_rows(record, s->file);
  portion.end = ftello(s->file);
  errno = EIO;
  if (fflush(s->file) != 0 || ferror(s->file)) {
    return undo(s, portion.events, err);
  }
  s->portions[s->count++] = portion;
  s->rows += record->rows;
  record->rows = record->event_count = 0;
  return DLS_OK;
}

dls_status dls_cli_stream_open(dls_cli_stream *stream, const char *path, const dls_trajectory *traj,
                               dls_recording *keep, dls_error *err)
{
  const size_t size = strlen(path) + sizeof ".part";
  *stream = (dls_cli_stream){.part = malloc(size)};
  if (stream->part == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the name '%.200s.part'", path);
  }
  snprintf(stream->part, size, "%s.part", path);
  const size_t rows = NUMBERS / traj->columns;
  keep->take = take;
  keep->take_data = stream;
  keep->portion = rows > 2 ? rows : 2; /* a jump */
  return DLS_OK;
}

size_t dls_cli_stream_rows(const dls_recording *keep)
{
  return keep->take == take ? ((const dls_cli_stream *)keep->take_data)->rows : 0;
}

/* Bytes first, ..., end - 1 of the file. */
static bool copy(FILE *from, long long first, long long end, FILE *to)
{
  char text[1 << 14];
  bool done = from != NULL && fseeko(from, (off_t)first, SEEK_SET) == 0;
  for (long long left = end - first; left > 0 && done;) {
    const size_t some = left < (long long)sizeof text ? (size_t)left : sizeof text;
    done = dls_cli_may_write() && fread(text, 1, some, from) == some && fwrite(text, 1, some, to) == some;
    left -= (long long)some;
  }
  return done;
}

/* All parts, in the order of a trajectory that was kept. */
static dls_status compose(const dls_cli_stream *s, const dls_trajectory *traj, FILE *out, dls_error *err)
{
  bool done = true;
  dls_csv_write_beginning(traj, out);
  for (size_t i = 0; i < s->count && done; i++) {
    done = copy(s->file, s->portions[i].events, s->portions[i].rows, out);
  }
  dls_csv_write_events(traj, traj->event_count, out);
  dls_csv_write_header(traj, out);
  for (size_t i = 0; i < s->count && done; i++) {
    done = copy(s->file, s->portions[i].rows, s->portions[i].end, out);
  }
  dls_csv_write_rows(traj, out);
  if (!done && !dls_cli_may_write()) {
    return dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted");
  }
  return done ? dls_csv_finish(out, err)
              : dls_fail(err, DLS_ERR_IO, "copying '%.100s' failed: %s", s->part, strerror(errno));
}

/* What was taken is not lost: the message says where it is. */
static dls_status keep_part(const dls_cli_stream *s, dls_status status, const dls_error *cause, dls_error *err)
{
  return s->count == 0 ? dls_fail(err, status, "%s", cause->text)
                       : dls_fail(err, status, "%.220s; what was computed until then is in '%.120s'",
                                  cause->text, s->part);
}

dls_status dls_cli_stream_write(dls_cli_stream *stream, const dls_trajectory *traj, const char *path,
                                dls_error *err)
{
  dls_error cause = {0}, why = {0};
  dls_output *out = NULL;
  dls_status status = dls_output_open(path, &out, &cause);
  if (status == DLS_OK) {
    status = compose(stream, traj, dls_output_stream(out), &why);
    if (status != DLS_OK) {
      dls_output_abandon(out);
      dls_fail(&cause, status, "cannot write '%.100s': %.250s", path, why.text);
    } else {
      status = dls_output_commit(out, &cause);
    }
  }
  if (status == DLS_OK && stream->file != NULL) {
    unlink(stream->part);
  }
  return status != DLS_OK ? keep_part(stream, status, &cause, err) : status;
}

void dls_cli_stream_close(dls_cli_stream *stream)
{
  if (stream->file != NULL) {
    fclose(stream->file);
  }
  free(stream->part);
  free(stream->portions);
  *stream = (dls_cli_stream){0};
}
