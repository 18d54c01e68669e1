/* experiments/api/flat_command.c -- the command line of the tool for a request, in plain C types.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/flat.h>

#include "common/base/text.h"
#include "common/models/matrix_market/matrix_tables.h"
#include "experiments/api/flat_internal.h"
#include "experiments/request/command_text.h"
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

extern const dls_model dls_model_multibody, dls_model_matrix_model;

/* @return 0 if there is no such command, or it has no model */
static dls_study_kind kind_of(const char *command)
{
  static const dls_study_kind kinds[] = {DLS_STUDY_RUN, DLS_STUDY_COMPARE, DLS_STUDY_ORDER, DLS_STUDY_WORK,
                                         DLS_STUDY_ENERGY};
  for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
    if (strcmp(command, dls_study_kind_name(kinds[i])) == 0) {
      return kinds[i];
    }
  }
  return (dls_study_kind)0;
}

/* The options as words of a command line. @param[out] words  count */
static dls_status read_options(unsigned keys, const char *command, size_t count, const char *const *options,
                               const char *const *values, dls_word *words, dls_error *err)
{
  for (size_t i = 0; i < count; i++) {
    if (options[i] == NULL || values[i] == NULL) {
      return dls_fail(err, DLS_ERR_ARG, "option %zu or its value is NULL", i);
    }
    const dls_key_id key = dls_key_find(keys | DLS_COMMAND_ANY, options[i], strlen(options[i]));
    if (key == DLS_KEY_COUNT) {
      return dls_fail(err, DLS_ERR_OPTION, "%s has no option --%.60s", command, options[i]);
    }
    words[i] = (dls_word){key, values[i]};
  }
  return DLS_OK;
}

/* A model that is made of a text is printed as that of its files, whose words come before the others. @return their number */
static size_t put_files(char *origin, size_t most, dls_study_argument *out)
{
  size_t count = 0;
  for (char *next = NULL, *word = strtok_r(origin, " ", &next); word != NULL && count < most;
       word = strtok_r(NULL, " ", &next)) {
    out[count++] = (dls_study_argument){"set", word};
  }
  return count;
}

static dls_status print_study(const dls_study *study, const dls_model *model, dls_pool *pool, char **text,
                              dls_error *err)
{
  enum { FILES = DLS_MATRIX_SLOTS }; /* at most */
  const size_t given = study->argument_count;
  dls_study made = *study;
  dls_study_argument *arguments = dls_pool_take(pool, (given + FILES) * sizeof *arguments);
  char *origin = model->origin != NULL ? dls_pool_copy(pool, model->origin, strlen(model->origin)) : NULL;
  size_t size = 0;
  FILE *out =
      arguments != NULL && (origin != NULL || model->origin == NULL) ? dls_text_stream(text, &size) : NULL;
  if (out == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a command");
  }
  if (origin != NULL) {
    const bool mechanism = strncmp(origin, DLS_FLAT_MECHANISM "=", sizeof DLS_FLAT_MECHANISM) == 0;
    const size_t files = put_files(origin, FILES, arguments);
    memcpy(arguments + files, study->arguments, given * sizeof *arguments);
    made.model = mechanism ? dls_model_multibody.name : dls_model_matrix_model.name;
    made.arguments = arguments;
    made.argument_count = files + given;
  }
  dls_command_print(study->request->command, &made, ' ', out);
  return fclose(out) == 0 ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for a command");
}

/* Read the words with the reader of the tool, and print them. */
static dls_status make_text(const dls_words *words, dls_pool *pool, char **text, dls_error *err)
{
  dls_request request = {0};
  dls_study study = {.request = &request};
  dls_status status = dls_request_from_words(words, pool, &study, err);
  const dls_model *model =
      status == DLS_OK ? dls_catalogue_model(words->catalogue, words->positional[0], err) : NULL;
  status = status == DLS_OK && model == NULL ? DLS_ERR_OPTION : status;
  status = status != DLS_OK ? status : print_study(&study, model, pool, text, err);
  dls_request_release(&request);
  dls_study_release_externals(&study);
  return status;
}

int dls_flat_command(const dls_catalogue *catalogue, const char *command, const char *model, size_t count,
                     const char *const *options, const char *const *values, char **text, char *error,
                     size_t size)
{
  dls_error err = {0};
  dls_pool pool = {0};
  *text = NULL;
  const dls_study_kind kind = command != NULL ? kind_of(command) : (dls_study_kind)0;
  if (kind == 0 || model == NULL) {
    dls_fail(&err, DLS_ERR_OPTION,
             "command '%.60s' of model %.60s: it must be run, compare, order, work or energy",
             command != NULL ? command : "NULL", model != NULL ? model : "NULL");
    return dls_flat_report(err.status, &err, error, size);
  }
  const unsigned keys = kind | (kind == DLS_STUDY_ORDER ? (unsigned)DLS_STUDY_LOCAL : 0);
  dls_word *all = dls_pool_take(&pool, (count + 1) * sizeof *all);
  char *positional = dls_pool_copy(&pool, model, strlen(model));
  dls_status status = positional != NULL && all != NULL
                          ? read_options(keys, command, count, options, values, all, &err)
                          : dls_fail(&err, DLS_ERR_MEMORY, "no memory for a command");
  if (status == DLS_OK) {
    const dls_words words = {.name = command,
                             .command = keys,
                             .kind = kind,
                             .catalogue = catalogue,
                             .count = count,
                             .all = all,
                             .positional_count = 1,
                             .positional = &positional};
    status = make_text(&words, &pool, text, &err);
  }
  if (status != DLS_OK) {
    free(*text);
    *text = NULL;
  }
  dls_pool_release(&pool);
  return dls_flat_report(status, &err, error, size);
}
