/* experiments/campaign/journal_file.c -- a file that is locked, replaced as a whole, and appended to.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/journal_file.h"
#include "experiments/campaign/output_files.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static const double sync_interval =
    1; /* s; a crash of the machine may lose this much; rare enough to take no time */

static dls_status io_error(const dls_journal_file *f, const char *what, dls_error *err)
{
  const int reason = errno;
  return dls_fail(err, DLS_ERR_IO, "cannot %s '%.250s': %s", what, f->path, strerror(reason));
}

static double now(void)
{
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* --- the file that is there --- */

static dls_status busy(const dls_journal_file *f, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "'%.250s' is being written by another study", f->path);
}

/* Does the name still belong to the open file? It may have been replaced or removed before it was locked. */
static bool bears_its_name(const dls_journal_file *f)
{
  struct stat open_one, named;
  return fstat(f->file, &open_one) == 0 && stat(f->path, &named) == 0 && open_one.st_dev == named.st_dev &&
         open_one.st_ino == named.st_ino;
}

static void close_file(dls_journal_file *f)
{
  if (f->file >= 0) {
    close(f->file);
    f->file = -1;
  }
}

/* Open and lock the file. @param[out] f->file  -1 if it does not exist, or no longer */
static dls_status open_file(dls_journal_file *f, dls_error *err)
{
  struct stat info;
  f->file = open(f->path, O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK);
  if (f->file < 0) {
    return errno == ENOENT ? DLS_OK : io_error(f, "write", err);
  }
  if (fstat(f->file, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.250s' is not a regular file", f->path);
  }
  if (flock(f->file, LOCK_EX | LOCK_NB) != 0) {
    return errno == EWOULDBLOCK ? busy(f, err) : io_error(f, "lock", err);
  }
  if (!bears_its_name(f)) {
    close_file(f);
  }
  return DLS_OK;
}

dls_status dls_journal_file_read(const dls_journal_file *f, char **text, size_t *size, dls_error *err)
{
  struct stat info;
  *size = 0;
  *text = NULL;
  if (fstat(f->file, &info) != 0) {
    return io_error(f, "read", err);
  }
  const size_t length = (size_t)info.st_size;
  *text = malloc(length + 1);
  if (*text == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to read '%.250s' of %zu bytes", f->path, length);
  }
  while (*size < length) {
    const ssize_t part = pread(f->file, *text + *size, length - *size, (off_t)*size);
    if (part <= 0 && errno != EINTR) {
      return io_error(f, "read", err);
    }
    *size += part > 0 ? (size_t)part : 0;
  }
  (*text)[length] = '\0';
  return DLS_OK;
}

/* Open the file for appending and lock it. @return its descriptor, -1 with errno */
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

/* Write a file that is locked before it gets its name. It replaces the open one. */
static dls_status make_file(dls_journal_file *f, const char *text, size_t size,
                            dls_status (*commit)(dls_output *out, dls_error *err), dls_error *err)
{
  dls_output *out = NULL;
  dls_status status = dls_output_open(f->path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  const int file = lock_output(dls_output_stream(out));
  if (file < 0) {
    dls_output_abandon(out);
    return io_error(f, "lock", err);
  }
  fwrite(text, 1, size, dls_output_stream(out));
  status = commit(out, err);
  if (status != DLS_OK) {
    close(file);
    return status;
  }
  close_file(f);
  f->file = file;
  return DLS_OK;
}

dls_status dls_journal_file_replace(dls_journal_file *f, const char *text, size_t size, dls_error *err)
{
  return make_file(f, text, size, dls_output_commit, err);
}

/* Lock the existing file, or make a new one with a head alone. Another process may make or remove it at any time, but hardly
 * again and again. */
dls_status dls_journal_file_open(dls_journal_file *f, const char *path, const char *beginning, dls_error *err)
{
  *f = (dls_journal_file){.path = strdup(path), .file = -1, .synced = now()};
  if (f->path == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for '%.250s'", path);
  }
  enum { MOST_TRIES = 100 };
  for (int i = 0; i < MOST_TRIES; i++) {
    dls_status status = open_file(f, err);
    if (status != DLS_OK || f->file >= 0) {
      return status;
    }
    status = make_file(f, beginning, strlen(beginning), dls_output_commit_new, err);
    if (status != DLS_ERR_ARG) {
      f->made = status == DLS_OK;
      return status;
    }
  }
  return busy(f, err);
}

/* Some file systems cannot do it: the text stays in the page cache. */
dls_status dls_journal_file_synchronise(dls_journal_file *f, dls_error *err)
{
  f->synced = now();
  return fdatasync(f->file) == 0 || errno != EIO ? DLS_OK : io_error(f, "write", err);
}

dls_status dls_journal_file_append(dls_journal_file *f, const char *text, size_t size, dls_error *err)
{
  if (f->broken) {
    return dls_fail(err, DLS_ERR_IO, "cannot write '%.250s': an earlier write failed", f->path);
  }
  while (size > 0) {
    const ssize_t part = write(f->file, text, size);
    if (part < 0 && errno != EINTR) {
      f->broken = true;
      return io_error(f, "write", err);
    }
    text += part > 0 ? part : 0;
    size -= part > 0 ? (size_t)part : 0;
  }
  return now() - f->synced >= sync_interval ? dls_journal_file_synchronise(f, err) : DLS_OK;
}

void dls_journal_file_close(dls_journal_file *f)
{
  if (f->made) {
    unlink(f->path); /* while it is locked */
  } else if (f->file >= 0) {
    fdatasync(f->file);
  }
  close_file(f);
  free(f->path);
  f->path = NULL;
}
