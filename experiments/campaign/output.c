/* experiments/campaign/output.c -- files that are written whole or not at all: a temporary file beside the target,
 * renamed when everything has been written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* realpath */
#include "experiments/campaign/output_files.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const dls_plot_style_names[] = {"screen", "journal", "slides", NULL};
const char *const dls_plot_formats[] = {"png", "svg", "pdf", "tex", "none", NULL};

const char *dls_plot_format_of(dls_plot_style style)
{
  return style == DLS_PLOT_JOURNAL ? "pdf" : "png";
}

struct dls_output {
  FILE *stream;
  char *target;
  char *temporary; /* NULL: the target is written directly */
};

static dls_status cannot_write(const char *path, const char *reason, dls_error *err)
{
  return dls_fail(err, DLS_ERR_IO, "cannot write '%.250s': %s", path, reason);
}

static dls_status failed_with(int reason, const char *path, dls_error *err)
{
  return reason == ENOMEM ? dls_fail(err, DLS_ERR_MEMORY, "cannot write '%.250s': out of memory", path)
                          : cannot_write(path, strerror(reason), err);
}

/* Characters that are commands to a terminal or to gnuplot, or break a list of files. */
static bool is_control(char c)
{
  return (unsigned char)c < ' ' || c == 0x7F;
}

dls_status dls_output_name(const char *path, dls_error *err)
{
  char shown[200];
  size_t at = 0;
  while (path[at] != '\0' && !is_control(path[at])) {
    at++;
  }
  if (path[at] == '\0') {
    return DLS_OK;
  }
  snprintf(shown, sizeof shown, "%s", path);
  for (char *c = shown; *c != '\0'; c++) {
    *c = is_control(*c) ? '?' : *c;
  }
  return dls_fail(err, DLS_ERR_ARG, "cannot write '%s': byte %zu of the name is the control character 0x%02X",
                  shown, at + 1, (unsigned)(unsigned char)path[at]);
}

static bool starts_with(const char *text, const char *prefix)
{
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

/* /dev/stdout may be a regular file that the caller's shell holds open: never rename over it. /dev/shm is an ordinary folder in
 * memory. */
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
  if (dls_output_name(path, err) != DLS_OK) {
    return DLS_ERR_ARG;
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

/* Length of the folder in path, with the slash; 0 for the current folder. */
static size_t folder_length(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash == NULL ? 0 : (size_t)(slash - path) + 1;
}

int dls_output_temporary(const char *beside, char **name)
{
  const size_t folder = folder_length(beside), size = folder + 64;
  *name = malloc(size);
  if (*name == NULL) {
    errno = ENOMEM;
    return -1;
  }
  int file = -1;
  for (unsigned k = 0; file < 0 && k < 10000; k++) {
    snprintf(*name, size, "%.*s" DLS_OUTPUT_TEMPORARY_BEGIN "%ld-%u" DLS_OUTPUT_TEMPORARY_END, (int)folder,
             beside, (long)getpid(), k);
    file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno != EEXIST) {
      break;
    }
  }
  if (file < 0) {
    const int reason = errno;
    free(*name);
    *name = NULL;
    errno = reason;
  }
  return file;
}

/* --- on the disk, so that what has a name has its contents too when the power fails --- */

/* Some file systems cannot do it: that is not an error. @return 0, or -1 with errno */
static int synchronise(int file)
{
  return fsync(file) == 0 || errno == EINVAL || errno == EROFS || errno == ENOTSUP ? 0 : -1;
}

/* Write the names in the folder of path to the disk. A folder that cannot be read is left to the kernel. */
static int synchronise_folder(const char *path)
{
  char name[PATH_MAX] = ".";
  const size_t length = folder_length(path);
  if (length > 0) {
    snprintf(name, sizeof name, "%.*s", (int)length, path);
  }
  const int folder = open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder < 0) {
    return errno == EACCES ? 0 : -1;
  }
  const int failed = synchronise(folder);
  const int reason = errno;
  close(folder);
  errno = reason;
  return failed;
}

/* A file that is on the disk gets its name. */
static int name_file(const char *temporary, const char *target)
{
  return rename(temporary, target) == 0 ? synchronise_folder(target) : -1;
}

/* The same, but never replace a file: EEXIST. File systems without links rename. */
static int name_new_file(const char *temporary, const char *target)
{
  if (link(temporary, target) == 0) {
    unlink(temporary);
    return synchronise_folder(target);
  }
  return errno == EEXIST ? -1 : name_file(temporary, target);
}

dls_status dls_output_put(const char *from, const char *to, dls_error *err)
{
  const int file = open(from, O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && synchronise(file) == 0 && name_file(from, to) == 0;
  const int reason = errno;
  if (file >= 0) {
    close(file);
  }
  return done ? DLS_OK : failed_with(reason, to, err);
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
  const int file = direct ? open(out->target, O_WRONLY | O_APPEND | O_CLOEXEC)
                          : dls_output_temporary(out->target, &out->temporary);
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
  errno = ENOMEM; /* strdup need not set it */
  made->target = exists && !direct ? realpath(path, NULL) : strdup(path);
  if (made->target == NULL || open_stream(made, exists, direct, &info) != 0) {
    const int reason = errno;
    dls_output_abandon(made);
    return failed_with(reason, path, err);
  }
  *out = made;
  return DLS_OK;
}

FILE *dls_output_stream(dls_output *out)
{
  return out->stream;
}

/* Write everything to the disk. @return 0, or errno */
static int finish_stream(dls_output *out)
{
  errno = 0;
  bool written = fflush(out->stream) == 0 && ferror(out->stream) == 0 &&
                 (out->temporary == NULL || synchronise(fileno(out->stream)) == 0);
  int reason = errno;
  if (fclose(out->stream) != 0 && written) {
    written = false;
    reason = errno;
  }
  out->stream = NULL;
  return written ? 0 : reason != 0 ? reason : EIO;
}

static dls_status commit(dls_output *out, int (*name)(const char *temporary, const char *target),
                         dls_error *err)
{
  int reason = finish_stream(out);
  if (reason == 0 && out->temporary != NULL && name(out->temporary, out->target) != 0) {
    reason = errno;
  }
  if (reason == 0) {
    release(out);
    return DLS_OK;
  }
  const dls_status status = failed_with(reason, out->target, err);
  dls_output_abandon(out);
  errno = reason;
  return status;
}

dls_status dls_output_commit(dls_output *out, dls_error *err)
{
  return commit(out, name_file, err);
}

dls_status dls_output_commit_new(dls_output *out, dls_error *err)
{
  const dls_status status = commit(out, name_new_file, err);
  return status == DLS_ERR_IO && errno == EEXIST ? DLS_ERR_ARG : status;
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

/* Create one folder on the way to path; its name is on the disk before it has contents. */
static dls_status make_one(const char *part, const char *path, dls_error *err)
{
  struct stat info;
  if (mkdir(part, 0777) == 0) {
    return synchronise_folder(part) == 0 ? DLS_OK : cannot_create(path, part, strerror(errno), err);
  }
  const int reason = errno;
  if (stat(part, &info) != 0) {
    return cannot_create(path, part, strerror(reason), err);
  }
  return S_ISDIR(info.st_mode) ? DLS_OK : cannot_create(path, part, "it is not a folder", err);
}

static dls_status cannot_check(const char *path, const char *entry, dls_error *err)
{
  return dls_fail(err, errno == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_IO, "cannot check '%.200s%s%.200s': %s", path,
                  entry[0] != '\0' ? "/" : "", entry, strerror(errno));
}

static dls_status check_entry(DIR *folder, const char *path, const char *entry, dls_error *err)
{
  struct stat info;
  if (fstatat(dirfd(folder), entry, &info, AT_SYMLINK_NOFOLLOW) != 0) {
    return errno == ENOENT ? DLS_OK : cannot_check(path, entry, err); /* removed since readdir */
  }
  if (S_ISREG(info.st_mode) || S_ISDIR(info.st_mode)) {
    return DLS_OK;
  }
  return dls_fail(err, DLS_ERR_ARG,
                  "'%.200s/%.200s' is %s; a folder for results may contain only regular files and folders",
                  path, entry, S_ISLNK(info.st_mode) ? "a symbolic link" : "a pipe, a socket or a device");
}

/* In a folder from an untrusted source, a link would redirect results to another place, and a pipe would block. */
dls_status dls_output_check_folder(const char *path, dls_error *err)
{
  DIR *folder = opendir(path);
  if (folder == NULL) {
    return cannot_check(path, "", err);
  }
  dls_status status = DLS_OK;
  const struct dirent *entry = NULL;
  while (errno = 0, status == DLS_OK && (entry = readdir(folder)) != NULL) {
    status = check_entry(folder, path, entry->d_name, err);
  }
  if (status == DLS_OK && errno != 0) {
    status = cannot_check(path, "", err);
  }
  closedir(folder);
  return status;
}

dls_status dls_output_folder(const char *path, dls_error *err)
{
  if (path[0] == '\0') {
    return cannot_create(path, path, "the name is empty", err);
  }
  if (dls_output_name(path, err) != DLS_OK) {
    return DLS_ERR_ARG;
  }
  char *copy = strdup(path);
  if (copy == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "cannot create folder '%.150s': out of memory", path);
  }
  dls_status status = DLS_OK;
  for (char *slash = strchr(copy + 1, '/'); slash != NULL && status == DLS_OK; slash = strchr(slash + 1, '/')) {
    *slash = '\0';
    status = make_one(copy, path, err);
    *slash = '/';
  }
  status = status != DLS_OK ? status : make_one(copy, path, err);
  free(copy);
  return status != DLS_OK ? status : dls_output_check_folder(path, err);
}
