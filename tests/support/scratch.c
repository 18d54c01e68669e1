/* scratch.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#define _XOPEN_SOURCE 700 /* nftw */
#include "scratch.h"
#include "check.h"
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 100, LONGEST = DLS_TEST_PATH - 200 };
static char folders[MOST][LONGEST]; /* without malloc, whose failures tests count */
static size_t count;
static pid_t owner; /* not its children */

static int remove_entry(const char *path, const struct stat *info, int kind, struct FTW *where)
{
  (void)info, (void)kind, (void)where;
  return remove(path);
}

static void remove_all(void)
{
  enum { DESCRIPTORS = 8 };
  for (size_t i = 0; i < count && getpid() == owner; i++) {
    nftw(folders[i], remove_entry, DESCRIPTORS, FTW_DEPTH | FTW_PHYS);
  }
}

const char *dls_test_folder(const char *base)
{
  char absolute[PATH_MAX];
  const char *asked = getenv("TMPDIR");
  base = base != NULL ? base : asked != NULL && asked[0] != '\0' ? asked : "/tmp";
  assert_true(count < MOST);
  if (realpath(base, absolute) == NULL || strlen(absolute) + sizeof "/delassus-XXXXXX" > LONGEST) {
    fail_msg("no folder for files: %s is none, or its path is too long", base);
  }
  snprintf(folders[count], LONGEST, "%.*s/delassus-XXXXXX", LONGEST - 20, absolute);
  if (mkdtemp(folders[count]) == NULL) {
    fail_msg("no folder for files in %s", absolute);
  }
  if (count == 0) {
    owner = getpid();
    atexit(remove_all);
  }
  return folders[count++];
}

const char *dls_test_file(const char *folder, const char *name, char path[DLS_TEST_PATH])
{
  assert_true(snprintf(path, DLS_TEST_PATH, "%s/%s", folder, name) < DLS_TEST_PATH);
  return path;
}
