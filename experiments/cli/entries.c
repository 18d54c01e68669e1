/* experiments/cli/entries.c -- models, schemes, norms, solvers, laws, studies and lessons as entries.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/entries.h"

#include "common/base/text.h"
#include "experiments/cli/cli.h"
#include "experiments/extra/lesson/lesson.h"
#include <delassus/catalogue.h>
#include <delassus/lcp.h>
#include <delassus/problem.h>
#include <delassus/study_file.h>
#include <string.h>

const char *const dls_cli_kind_names[] = {
    [DLS_CLI_MODEL] = "model",   [DLS_CLI_SCHEME] = "scheme", [DLS_CLI_NORM] = "norm",
    [DLS_CLI_SOLVER] = "solver", [DLS_CLI_LAW] = "law",       [DLS_CLI_STUDY] = "study",
    [DLS_CLI_LESSON] = "lesson",
};
const char *const dls_cli_kind_plurals[] = {
    [DLS_CLI_MODEL] = "models",   [DLS_CLI_SCHEME] = "schemes", [DLS_CLI_NORM] = "norms",
    [DLS_CLI_SOLVER] = "solvers", [DLS_CLI_LAW] = "laws",       [DLS_CLI_STUDY] = "studies",
    [DLS_CLI_LESSON] = "lessons",
};
const char *const dls_cli_kind_headings[] = {
    [DLS_CLI_MODEL] = "models: mechanical systems with contacts",
    [DLS_CLI_SCHEME] = "schemes: time integrators, for --scheme",
    [DLS_CLI_NORM] = "norms: measures of the distance between two trajectories, for --norm",
    [DLS_CLI_SOLVER] =
        "solvers: methods for contact problems, without friction (LCP) and with it (contact --method)",
    [DLS_CLI_LAW] = "laws: what a contact does with its impulse",
    [DLS_CLI_STUDY] = "studies: investigations that are run by name",
    [DLS_CLI_LESSON] = "lessons: pages with sliders, for `lesson NAME -o FILE.html`",
};

#define DLS_CLI_HEADING(name, text) [name] = text,
const char *const dls_cli_family_headings[DLS_FAMILIES] = {DLS_FAMILY_LIST(DLS_CLI_HEADING)};

#define DLS_CLI_COUNT_UNTIL_NULL(list, count)                                                                  \
  while ((list)[count] != NULL) {                                                                              \
    (count)++;                                                                                                 \
  }

size_t dls_cli_lcp_count(void)
{
  size_t count = 0;
  DLS_CLI_COUNT_UNTIL_NULL(dls_lcp_methods(), count)
  return count;
}

/* Those for problems without friction first. */
static dls_cli_entry solver_at(size_t index)
{
  const size_t before = dls_cli_lcp_count();
  if (index < before) {
    const dls_lcp_method *method = dls_lcp_methods()[index];
    return (dls_cli_entry){DLS_CLI_SOLVER, method->name, method->summary, method->source, 0};
  }
  const dls_problem_method *method = dls_problem_methods()[index - before];
  return (dls_cli_entry){DLS_CLI_SOLVER, method->name, method->summary, method->source, 0};
}

size_t dls_cli_entry_count(const dls_catalogue *catalogue, dls_cli_kind kind)
{
  size_t count = 0;
  switch (kind) {
  case DLS_CLI_MODEL:
    DLS_CLI_COUNT_UNTIL_NULL(dls_catalogue_models(catalogue), count)
    break;
  case DLS_CLI_SCHEME:
    DLS_CLI_COUNT_UNTIL_NULL(dls_catalogue_schemes(catalogue), count)
    break;
  case DLS_CLI_NORM:
    DLS_CLI_COUNT_UNTIL_NULL(dls_norms(), count)
    break;
  case DLS_CLI_SOLVER:
    DLS_CLI_COUNT_UNTIL_NULL(dls_problem_methods(), count)
    count += dls_cli_lcp_count();
    break;
  case DLS_CLI_LAW:
    DLS_CLI_COUNT_UNTIL_NULL(dls_catalogue_laws(catalogue), count)
    break;
  case DLS_CLI_STUDY:
    while (dls_studies()[count].name != NULL) {
      count++;
    }
    break;
  case DLS_CLI_LESSON:
    while (dls_lessons()[count].name != NULL) {
      count++;
    }
    break;
  case DLS_CLI_KINDS:
    break;
  }
  return count;
}

dls_cli_entry dls_cli_entry_at(const dls_catalogue *catalogue, dls_cli_kind kind, size_t index)
{
  dls_cli_entry entry = {.kind = kind, .name = "", .summary = "", .source = ""};
  if (kind == DLS_CLI_MODEL) {
    const dls_model *model = dls_catalogue_models(catalogue)[index];
    entry = (dls_cli_entry){kind, model->name, model->summary, model->source, 0};
  } else if (kind == DLS_CLI_SCHEME) {
    const dls_scheme *scheme = dls_catalogue_schemes(catalogue)[index];
    entry = (dls_cli_entry){kind, scheme->name, scheme->summary, scheme->source, scheme->family};
  } else if (kind == DLS_CLI_NORM) {
    const dls_norm *norm = dls_norms()[index];
    entry = (dls_cli_entry){kind, norm->name, norm->summary, "", 0};
  } else if (kind == DLS_CLI_SOLVER) {
    entry = solver_at(index);
  } else if (kind == DLS_CLI_LAW) {
    const dls_law *law = dls_catalogue_laws(catalogue)[index];
    entry = (dls_cli_entry){kind, law->name, law->summary, law->source, 0};
  } else if (kind == DLS_CLI_STUDY) {
    const dls_study_shipped *study = &dls_studies()[index];
    entry = (dls_cli_entry){kind, study->name, study->title, study->source, 0};
  } else if (kind == DLS_CLI_LESSON) {
    const dls_lesson *lesson = &dls_lessons()[index];
    entry = (dls_cli_entry){kind, lesson->name, lesson->summary, "", 0};
  }
  entry.summary = entry.summary != NULL ? entry.summary : "";
  entry.source = entry.source != NULL ? entry.source : "";
  return entry;
}

const dls_norm *dls_cli_norm_read(const char *text, dls_norm_choice *choice, dls_error *err)
{
  enum { MOST_NAMES = 64 };
  if (dls_norm_find(text) != NULL) {
    return dls_norm_read(text, choice, err) == DLS_OK ? &choice->norm : NULL;
  }
  const char *names[MOST_NAMES];
  char list[200] = "";
  size_t count = 0;
  for (const dls_norm *const *n = dls_norms(); *n != NULL && count < MOST_NAMES; n++) {
    dls_text_append(list, sizeof list, "%s%s", count == 0 ? "" : ", ", (*n)->name);
    names[count++] = (*n)->name;
  }
  char guess[80];
  dls_cli_guess(text, names, count, guess, sizeof guess);
  dls_fail(err, DLS_ERR_OPTION, "unknown norm '%.60s'%s The norms are: %s", text,
           guess[0] != '\0' ? guess : ".", list);
  return NULL;
}

bool dls_cli_entry_named(const dls_catalogue *catalogue, const char *name, dls_cli_entry *out, size_t *index)
{
  for (int kind = 0; kind < DLS_CLI_KINDS; kind++) {
    const size_t count = dls_cli_entry_count(catalogue, (dls_cli_kind)kind);
    for (size_t i = 0; i < count; i++) {
      *out = dls_cli_entry_at(catalogue, (dls_cli_kind)kind, i);
      if (strcmp(out->name, name) == 0) {
        *index = i;
        return true;
      }
    }
  }
  return false;
}

/* The names of some kinds that contain the text, and the last of their entries. @return their number */
static size_t find_containing(const dls_catalogue *catalogue, const char *text, int first, int end, char *list,
                              size_t size, dls_cli_entry *out, size_t *index)
{
  size_t found = 0;
  list[0] = '\0';
  for (int kind = first; kind < end; kind++) {
    for (size_t i = 0; i < dls_cli_entry_count(catalogue, (dls_cli_kind)kind); i++) {
      const dls_cli_entry entry = dls_cli_entry_at(catalogue, (dls_cli_kind)kind, i);
      if (strstr(entry.name, text) != NULL) {
        dls_text_append(list, size, "%s%s", found > 0 ? ", " : "", entry.name);
        *out = entry;
        *index = i;
        found++;
      }
    }
  }
  return found;
}

dls_status dls_cli_entry_meant(const dls_catalogue *catalogue, const char *name, dls_cli_entry *out,
                               size_t *index, dls_error *err)
{
  char list[600];
  if (dls_cli_entry_named(catalogue, name, out, index)) {
    return DLS_OK;
  }
  /* studies and lessons are named after models and schemes, which come first */
  size_t found = find_containing(catalogue, name, 0, DLS_CLI_STUDY, list, sizeof list, out, index);
  if (found == 0) {
    found = find_containing(catalogue, name, DLS_CLI_STUDY, DLS_CLI_KINDS, list, sizeof list, out, index);
  }
  return found == 1   ? DLS_OK
         : found == 0 ? dls_fail(err, DLS_ERR_OPTION, "nothing is named '%.60s'", name)
                      : dls_fail(err, DLS_ERR_ARG, "'%.60s' is part of %zu names: %s", name, found, list);
}

int dls_cli_refuse_name(const dls_cli_args *args, const char *name)
{
  enum { MOST_NAMES = 1024 };
  const char *names[MOST_NAMES];
  size_t count = 0;
  for (int kind = 0; kind < DLS_CLI_KINDS; kind++) {
    for (size_t i = 0; i < dls_cli_entry_count(args->catalogue, (dls_cli_kind)kind) && count < MOST_NAMES;
         i++) {
      names[count++] = dls_cli_entry_at(args->catalogue, (dls_cli_kind)kind, i).name;
    }
  }
  char guess[120];
  dls_cli_guess(name, names, count, guess, sizeof guess);
  dls_cli_message(
      args->command->name,
      "nothing is named '%.60s'%s `delassus list` prints all names, `delassus list models WORD` those that "
      "contain a word",
      name, guess[0] != '\0' ? guess : ".");
  return DLS_EXIT_REQUEST;
}
