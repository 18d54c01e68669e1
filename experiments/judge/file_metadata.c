/* experiments/judge/file_metadata.c -- the lines in front of the header of a trajectory file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/judge/file_metadata.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>

/* The value of the line "# key: value"; NULL if it is another one. */
static const char *value_in(const char *line, const char *key)
{
  const size_t length = strlen(key);
  if (line[0] != '#' || line[1] != ' ' || strncmp(line + 2, key, length) != 0 || line[2 + length] != ':') {
    return NULL;
  }
  line += 3 + length;
  return line + strspn(line, " ");
}

dls_status dls_file_metadata(const char *path, const char *key, char *value, size_t size, bool *found,
                             dls_error *err)
{
  struct stat info;
  *found = false;
  if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) {
    return dls_fail(err, DLS_ERR_ARG, "'%.200s' is no file that can be read twice", path);
  }
  FILE *file = fopen(path, "r");
  if (file == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot read '%.200s'", path);
  }
  char *line = NULL;
  size_t room = 0;
  while (!*found && getline(&line, &room, file) >= 0 && line[0] == '#') {
    const char *text = value_in(line, key);
    if (text != NULL) {
      snprintf(value, size, "%.*s", (int)strcspn(text, "\r\n"), text);
      *found = true;
    }
  }
  free(line);
  fclose(file);
  return DLS_OK;
}
