/* experiments/study/output.c -- files that are written whole or not at all: a temporary file beside the target,
 * renamed when everything has been written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */
#include <delassus/output.h>

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct dls_output {
  FILE *stream;
  char *target;
  char *temporary; /* NULL: the target is written directly */
};

static dls_status cannot_write(const char *path, const char *reason, dls_error *err)
{
  return dls_fail(err, DLS_ERR_IO, "cannot write '%.250s': %s", path, reason);
}

static bool starts_with(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* /dev/stdout may lead to a regular file that the caller's shell holds open: never rename over it. /dev/shm is a folder
 * for files in memory, as good as any. */
static bool written_directly(const char *path, bool exists, const struct stat *info)
{
  const bool special =
      starts_with(path, "/proc/") || (starts_with(path, "/dev/") && !starts_with(path, "/dev/shm/"));
  return exists && (!S_ISREG(info->st_mode) || special);
}

static dls_status look_at(const char *path, bool *exists, struct stat *info, dls_error *err)
{
  const size_t length = strlen(path);
  if (length == 0) {
    return cannot_write(path, "the name is empty", err);
  }
  *exists = stat(path, info) == 0;
  if (!*exists && errno != ENOENT) {
    return cannot_write(path, strerror(errno), err);
  }
  if (path[length - 1] == '/' || (*exists && S_ISDIR(info->st_mode))) {
    return cannot_write(path, "it is a folder", err);
  }
  if (*exists && access(path, W_OK) != 0) {
    return cannot_write(path, strerror(errno), err);
  }
  return DLS_OK;
}

/* A file of our own in the folder of target; its name does not grow with the target's. */
static int open_beside(const char *target, char **name)
{
  const char *slash = strrchr(target, '/');
  const int folder = slash == NULL ? 0 : (int)(slash - target) + 1;
  const size_t size = (size_t)folder + 64;
  *name = malloc(size);
  if (*name == NULL) {
    return -1;
  }
  int file = -1;
  for (unsigned k = 0; file < 0 && k < 10000; k++) {
    snprintf(*name, size, "%.*s.delassus-%ld-%u.part", folder, target, (long)getpid(), k);
    file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) {
      break;
    }
  }
  if (file < 0) {
    free(*name);
    *name = NULL;
  }
  return file;
}

static void release(dls_output *out)
{
  free(out->target);
  free(out->temporary);
  free(out);
}

void dls_output_abandon(dls_output *out)
{
  if (out == NULL) {
    return;
  }
  if (out->stream != NULL) {
    fclose(out->stream);
  }
  if (out->temporary != NULL) {
    unlink(out->temporary);
  }
  release(out);
}

/* Open the stream of an output whose target is set. */
static int open_stream(dls_output *out, bool exists, bool direct, const struct stat *info)
{
  const int file =
      direct ? open(out->target, O_WRONLY | O_APPEND | O_CLOEXEC) : open_beside(out->target, &out->temporary);
  if (file < 0) {
    return -1;
  }
  if (!direct && exists && fchmod(file, info->st_mode & 07777) != 0) {
    close(file);
    return -1;
  }
  out->stream = fdopen(file, "w");
  if (out->stream == NULL) {
    close(file);
    return -1;
  }
  return 0;
}

dls_status dls_output_open(const char *path, dls_output **out, dls_error *err)
{
  bool exists = false;
  struct stat info;
  *out = NULL;
  const dls_status status = look_at(path, &exists, &info, err);
  if (status != DLS_OK) {
    return status;
  }
  const bool direct = written_directly(path, exists, &info);
  dls_output *made = calloc(1, sizeof *made);
  if (made == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "cannot write '%.250s': out of memory", path);
  }
  made->target = exists && !direct ? realpath(path, NULL) : strdup(path);
  if (made->target == NULL || open_stream(made, exists, direct, &info) != 0) {
    const int reason = errno;
    dls_output_abandon(made);
    return cannot_write(path, strerror(reason), err);
  }
  *out = made;
  return DLS_OK;
}

FILE *dls_output_stream(dls_output *out)
{
  return out->stream;
}

dls_status dls_output_commit(dls_output *out, dls_error *err)
{
  errno = 0;
  bool written = fflush(out->stream) == 0 && ferror(out->stream) == 0;
  int reason = errno;
  if (fclose(out->stream) != 0 && written) {
    written = false;
    reason = errno;
  }
  out->stream = NULL;
  if (written && out->temporary != NULL && rename(out->temporary, out->target) != 0) {
    written = false;
    reason = errno;
  }
  dls_status status = DLS_OK;
  if (!written) {
    status = cannot_write(out->target, reason != 0 ? strerror(reason) : "an earlier write failed", err);
    dls_output_abandon(out);
  } else {
    release(out);
  }
  return status;
}

dls_status dls_output_check(const char *path, dls_error *err)
{
  bool exists = false;
  struct stat info;
  dls_status status = look_at(path, &exists, &info, err);
  if (status != DLS_OK || written_directly(path, exists, &info)) {
    return status; /* a pipe must not be opened and closed: its reader would see the end */
  }
  dls_output *out = NULL;
  status = dls_output_open(path, &out, err);
  dls_output_abandon(out);
  return status;
}

static dls_status cannot_create(const char *path, const char *part, const char *reason, dls_error *err)
{
  return dls_fail(err, DLS_ERR_IO, "cannot create folder '%.150s': '%.150s': %s", path, part, reason);
}

/* Create one folder on the way to path. */
static dls_status make_one(const char *part, const char *path, dls_error *err)
{
  struct stat info;
  if (mkdir(part, 0777) == 0) {
    return DLS_OK;
  }
  const int reason = errno;
  if (stat(part, &info) != 0) {
    return cannot_create(path, part, strerror(reason), err);
  }
  return S_ISDIR(info.st_mode) ? DLS_OK : cannot_create(path, part, "it is no folder", err);
}

dls_status dls_output_folder(const char *path, dls_error *err)
{
  if (path[0] == '\0') {
    return cannot_create(path, path, "the name is empty", err);
  }
  char *copy = strdup(path);
  if (copy == NULL) {
    return cannot_create(path, path, "out of memory", err);
  }
  dls_status status = DLS_OK;
  for (char *slash = strchr(copy + 1, '/'); slash != NULL && status == DLS_OK; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    status = make_one(copy, path, err);
    *slash = '/';
  }
  status = status != DLS_OK ? status : make_one(copy, path, err);
  free(copy);
  return status;
}
