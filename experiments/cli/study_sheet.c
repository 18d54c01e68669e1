/* experiments/cli/study_sheet.c -- exercises: a study file without its answers, and another one graded by it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_sheet.h"

#include "common/base/pool.h"
#include <math.h>
#include <string.h>

/* --- the sheet --- */

/* "bouncing-ball with e=1, f=-9.81" */
static void print_model(const dls_study *study, FILE *out)
{
  bool first = true;
  fprintf(out, "Model: %s", study->described ? "the mechanism of the file" : study->model);
  for (size_t i = 0; i < study->argument_count; i++) {
    if (strcmp(study->arguments[i].option, "set") == 0) {
      fprintf(out, "%s `%s`", first ? " with" : ",", study->arguments[i].value);
      first = false;
    }
  }
  fputs(".\n", out);
  for (size_t i = 0; i < study->argument_count; i++) {
    if (strcmp(study->arguments[i].option, "end") == 0) {
      fprintf(out, "Time: up to %s s.\n", study->arguments[i].value);
    }
  }
}

static void print_quantity(const dls_study *study, const dls_study_expectation *e, FILE *out)
{
  char text[300];
  dls_study_describe(study, e, text, sizeof text);
  fprintf(out, "- %s", text);
  if (isfinite(e->begin) || isfinite(e->end)) {
    fprintf(out, ", for t from %.6g to %.6g s", isfinite(e->begin) ? e->begin : 0, e->end);
  }
  fputc('\n', out);
}

static void print_question(const dls_study *study, FILE *out)
{
  fprintf(out, "\n## %s%s%s\n\n", study->name, study->name[0] != '\0' ? ": " : "", study->title);
  if (study->model[0] != '\0' || study->described) {
    print_model(study, out);
  }
  fprintf(out, "Kind: `%s`. Your study determines:\n\n", dls_study_kind_name(study->kind));
  for (size_t i = 0; i < study->expectation_count; i++) {
    print_quantity(study, &study->expectations[i], out);
  }
}

void dls_cli_study_print_sheet(const dls_study_file *file, FILE *out)
{
  fprintf(out, "# %s\n", file->title);
  for (size_t i = 0; i < file->study_count; i++) {
    if (file->studies[i].expectation_count > 0) {
      print_question(&file->studies[i], out);
    }
  }
  fputs("\nHand in one study file. Its studies have the names above.\n", out);
}

/* --- grading --- */

static dls_study *find_study(dls_study *studies, size_t count, const dls_study *wanted)
{
  for (size_t i = 0; i < count; i++) {
    if (strcmp(studies[i].name, wanted->name) == 0) {
      return &studies[i];
    }
  }
  return NULL;
}

/* The scheme of the expectation, by its name: its options are the student's choice unless the name occurs several times. */
static bool find_scheme(const dls_study *study, const dls_study *graded, size_t *scheme)
{
  const char *wanted = graded->schemes[*scheme];
  size_t found = 0;
  for (size_t i = 0; i < study->scheme_count; i++) {
    if (strcmp(study->schemes[i], wanted) == 0) {
      *scheme = i;
      return true;
    }
    const size_t length = strcspn(wanted, ":");
    if (strcspn(study->schemes[i], ":") == length && strncmp(study->schemes[i], wanted, length) == 0) {
      *scheme = i;
      found++;
    }
  }
  return found == 1;
}

static dls_status grade(dls_cli_study_job *job, dls_study *study, const dls_study *graded, const char *path,
                        dls_error *err)
{
  if (study->kind != graded->kind) {
    return dls_fail(err, DLS_ERR_ARG, "%.150s: study '%.60s' is of kind %s, and %.150s grades one of kind %s",
                    job->path, study->name, dls_study_kind_name(study->kind), path,
                    dls_study_kind_name(graded->kind));
  }
  dls_study_expectation *entries = dls_pool_take(job->pool, graded->expectation_count * sizeof *entries);
  if (entries == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to grade '%.150s'", job->path);
  }
  memcpy(entries, graded->expectations, graded->expectation_count * sizeof *entries);
  for (size_t i = 0; i < graded->expectation_count && graded->scheme_count > 0; i++) {
    const char *name = graded->schemes[entries[i].scheme];
    if (!find_scheme(study, graded, &entries[i].scheme)) {
      return dls_fail(err, DLS_ERR_ARG,
                      "%.150s: study '%.60s' does not have one scheme %.*s, which %.150s grades", job->path,
                      study->name, (int)strcspn(name, ":"), name, path);
    }
  }
  study->expectations = entries;
  study->expectation_count = graded->expectation_count;
  return DLS_OK;
}

dls_status dls_cli_study_grade_by(dls_cli_study_job *job, const dls_study_file *sheet, const char *path,
                                  dls_error *err)
{
  const size_t count = job->file->study_count;
  dls_study *studies = dls_pool_take(job->pool, (count + 1) * sizeof *studies);
  if (studies == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to grade '%.150s'", job->path);
  }
  memcpy(studies, job->file->studies, count * sizeof *studies);
  for (size_t i = 0; i < count; i++) { /* a student's own expectations do not count */
    studies[i].expectation_count = 0;
  }
  dls_status status = DLS_OK;
  for (size_t i = 0; i < sheet->study_count && status == DLS_OK; i++) {
    const dls_study *graded = &sheet->studies[i];
    dls_study *study = find_study(studies, count, graded);
    if (graded->expectation_count > 0 && study == NULL) {
      status = dls_fail(err, DLS_ERR_ARG, "%.150s has no study '%.60s', which %.150s grades", job->path,
                        graded->name, path);
    } else if (graded->expectation_count > 0) {
      status = grade(job, study, graded, path, err);
    }
  }
  job->file->studies = studies;
  return status;
}
