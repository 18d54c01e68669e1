/* fuzz_study_file.c -- any bytes are a study that keeps its promises, or problems with a place and a message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/study_file.h>
#include <string.h>

static void check_problems(const dls_study_file *file)
{
  const dls_study_problem *p = file->problems;
  for (size_t i = 0; i < file->problem_count; i++) {
    demand(p[i].line >= 1 && p[i].column >= 1 && p[i].text[0] != '\0' && strchr(p[i].text, '\n') == NULL);
    demand(i == 0 || p[i - 1].line < p[i].line ||
           (p[i - 1].line == p[i].line && p[i - 1].column <= p[i].column));
  }
}

static void check_study(const dls_study *study)
{
  demand(dls_study_kind_name(study->kind)[0] != '\0' && study->model[0] != '\0' && study->scheme_count >= 1);
  for (size_t i = 0; i < study->scheme_count; i++) {
    demand(study->schemes[i][0] != '\0');
  }
  for (size_t i = 0; i < study->argument_count; i++) {
    demand(study->arguments[i].option[0] != '\0' && study->arguments[i].value[0] != '\0');
  }
  for (size_t i = 0; i < study->expectation_count; i++) {
    const dls_study_expectation *e = &study->expectations[i];
    char text[600];
    demand(e->scheme < study->scheme_count && e->low <= e->high && e->reported != NULL);
    dls_study_describe(study, e, text, sizeof text);
    demand(strncmp(text, e->quantity, strlen(e->quantity)) == 0);
  }
}

/* A model that is large or reads files is not the reader's affair. */
static bool is_heavy(const uint8_t *data, size_t size)
{
  static const char *const names[] = {"bead-column", "elastic-bar", "rod-impact", "random-linear",
                                      "matrix-model"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    const size_t length = strlen(names[i]);
    for (size_t at = 0; at + length <= size; at++) {
      if (memcmp(data + at, names[i], length) == 0) {
        return true;
      }
    }
  }
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  dls_study_file *file = NULL;
  dls_error err = {0};
  if (is_heavy(data, size)) {
    return 0;
  }
  const dls_status status = dls_study_read((const char *)data, size, &file, &err);
  demand(status == DLS_OK || status == DLS_ERR_PARSE);
  demand(file != NULL && (status == DLS_OK) == (file->problem_count == 0));
  check_problems(file);
  for (size_t i = 0; status == DLS_OK && i < file->study_count; i++) {
    check_study(&file->studies[i]);
  }
  dls_study_destroy(file);
  return 0;
}
