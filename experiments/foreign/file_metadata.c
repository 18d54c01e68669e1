/* experiments/foreign/file_metadata.c -- the lines in front of the header of a trajectory file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/foreign/file_metadata.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* "# key: value", cut in place. @return false: it is another line */
static bool cut_line(char *line, char **key, char **value)
{
  char *colon = line[0] == '#' && line[1] == ' ' ? strchr(line, ':') : NULL;
  if (colon == NULL) {
    return false;
  }
  *colon = '\0';
  *key = line + 2;
  *value = colon + 1 + strspn(colon + 1, " ");
  (*value)[strcspn(*value, "\r\n")] = '\0';
  return true;
}

dls_status dls_file_metadata_each(const char *path,
                                  bool (*take)(void *data, const char *key, const char *value), void *data,
                                  dls_error *err)
{
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.200s' is no file that can be read twice", path);
  }
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot read '%.200s'", path);
  }
  char *line = NULL, *key = NULL, *value = NULL;
  size_t room = 0;
  bool more = true;
  bool there = false;
  while (more && (there = getline(&line, &room, file) >= 0) && line[0] == '#') {
    more = !cut_line(line, &key, &value) || take(data, key, value);
  }
  const bool failed = more && !there && !feof(file);
  const int reason = errno;
  free(line);
  fclose(file);
  return failed ? dls_fail(err, reason == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_IO, "cannot read '%.200s': %s",
                           path, strerror(reason))
                : DLS_OK;
}

typedef struct wanted {
  const char *key;
  char *value;
  size_t size;
  bool *found;
} wanted;

static bool take_first(void *data, const char *key, const char *value)
{
  wanted *w = data;
  *w->found = strcmp(key, w->key) == 0;
  if (*w->found) {
    snprintf(w->value, w->size, "%s", value);
  }
  return !*w->found;
}

dls_status dls_file_metadata(const char *path, const char *key, char *value, size_t size, bool *found,
                             dls_error *err)
{
  *found = false;
  return dls_file_metadata_each(path, take_first, &(wanted){key, value, size, found}, err);
}
