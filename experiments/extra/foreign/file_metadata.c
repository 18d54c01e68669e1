/* experiments/extra/foreign/file_metadata.c -- the lines before the header of a trajectory file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/file_metadata.h"
#include "common/base/line.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Split "# key: value" in place. @return false for any other line */
static bool cut_line(char *line, char **key, char **value)
{
  char *colon = line[0] == '#' && line[1] == ' ' ? strchr(line, ':') : NULL;
  if (colon == NULL) {
    return false;
  }
  *colon = '\0';
  *key = line + 2;
  *value = colon + 1 + strspn(colon + 1, " ");
  return true;
}

dls_status dls_file_metadata_each(const char *path,
                                  bool (*take)(void *data, const char *key, const char *value), void *data,
                                  dls_error *err)
{
  struct stat info;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.200s' cannot be read twice; a regular file is needed", path);
  }
  FILE *file = NULL;
  dls_status status = dls_line_open(path, &file, err);
  if (status != DLS_OK) {
    return status;
  }
  char *key = NULL, *value = NULL;
  dls_line line = {0};
  bool there = false;
  status = dls_line_read(&line, file, path, &there, err);
  while (status == DLS_OK && there && line.text[0] == '#' &&
         (!cut_line(line.text, &key, &value) || take(data, key, value))) {
    status = dls_line_read(&line, file, path, &there, err);
  }
  free(line.text);
  fclose(file);
  return status;
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
