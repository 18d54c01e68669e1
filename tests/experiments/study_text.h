/* study_text.h -- texts of study files that are good.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_STUDY_TEXT_H
#define DELASSUS_TESTS_STUDY_TEXT_H

#include "check.h"
#include <delassus/study_file.h>
#include <stdio.h>
#include <string.h>

/* The beginning of a study of work. */
#define WORK "title: T\nkind: work\nmodel: bouncing-ball\n"

static inline dls_study_file *read_good(const char *text)
{
  dls_error err = {0};
  dls_study_file *file = NULL;
  assert_ok(dls_study_read(text, strlen(text), &file, &err), err);
  assert_int_equal(file->problem_count, 0);
  return file;
}

/* The arguments of a study in one line. */
static inline void assert_arguments(const dls_study *study, const char *expected)
{
  char line[1000] = "";
  for (size_t i = 0; i < study->argument_count; i++) {
    const size_t used = strlen(line);
    snprintf(line + used, sizeof line - used, "%s%s=%s", i == 0 ? "" : " ", study->arguments[i].option,
             study->arguments[i].value);
  }
  assert_string_equal(line, expected);
}

#endif
