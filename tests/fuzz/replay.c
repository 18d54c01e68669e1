/* replay.c -- feeds every file of a folder to a fuzz target: what a fuzzer once found stays found, with any compiler.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <dirent.h>

/* @return false if the file cannot be read */
static int feed(const char *path)
{
  FILE *file = fopen(path, "rb");
  if (file == NULL || fseek(file, 0, SEEK_END) != 0) {
    return 0;
  }
  const long size = ftell(file);
  rewind(file);
  uint8_t *bytes =
      malloc(size > 0 ? (size_t)size : 1); /* of that size, so that a sanitizer sees reading beyond */
  const int good = size >= 0 && bytes != NULL && fread(bytes, 1, (size_t)size, file) == (size_t)size;
  if (good) {
    LLVMFuzzerTestOneInput(bytes, (size_t)size);
  }
  free(bytes);
  fclose(file);
  return good;
}

int main(int argc, char **argv)
{
  size_t count = 0;
  DIR *folder = argc == 2 ? opendir(argv[1]) : NULL;
  if (folder == NULL) {
    fprintf(stderr, "replay: give one folder that can be read\n");
    return EXIT_FAILURE;
  }
  for (const struct dirent *entry = readdir(folder); entry != NULL; entry = readdir(folder)) {
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", argv[1], entry->d_name);
    if (entry->d_name[0] != '.') {
      if (!feed(path)) {
        fprintf(stderr, "replay: cannot read %s\n", path);
        return EXIT_FAILURE;
      }
      count++;
    }
  }
  closedir(folder);
  printf("%zu inputs\n", count);
  return count > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
