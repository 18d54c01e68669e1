/* fuzz_words.c -- any words, a line each, are a request of a command that is consistent, or are refused. The first word names the
 * command; nothing is run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"

#include "experiments/cli/command_line.h"
#include <string.h>

enum { MOST_WORDS = 40, MOST_TEXT = 2000 };

static int check_request(const dls_request *r, dls_study_results *results)
{
  (void)results;
  demand(r->kind == DLS_STUDY_SPECTRUM || r->study->model[0] != '\0');
  demand(r->kind == DLS_STUDY_SPECTRUM || r->spec.end > 0);
  demand(r->spec.scheme_count >= 1 && r->spec.schemes[0].scheme != NULL);
  return DLS_EXIT_DONE;
}

/* Each option belongs to the command, and is given once if it may not be repeated. */
static void check_given(const dls_cli_args *args)
{
  for (size_t i = 0; i < args->given_count; i++) {
    const dls_cli_option *option = &args->given[i].option;
    demand(args->given[i].value != NULL && dls_cli_value(args, option->name) != NULL);
    demand(option->repeat || dls_cli_count(args, option->name) == 1);
  }
}

static int read_words(const dls_cli_command *command, int count, char **words)
{
  dls_cli_args args;
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  const dls_status status = dls_cli_parse(command, count, words, &args, &err);
  demand(status == DLS_OK || err.text[0] != '\0');
  if (status == DLS_OK && !args.help) {
    check_given(&args);
    demand(dls_catalogue_create(&args.catalogue, &err) == DLS_OK);
    code = dls_cli_perform(&args);
    dls_catalogue_destroy(args.catalogue);
  }
  dls_cli_args_release(&args);
  return status == DLS_OK ? code : dls_cli_exit_code(status);
}

/* Models that are large or read files are left out: the words would choose the size, or which file. */
static bool is_heavy(const char *text)
{
  static const char *const words[] = {
      "multibody", "matrix-model", "n=", "N=", "nx=", "ny=", "rows=", "columns=", "layers=", "plugin"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    if (strstr(text, words[i]) != NULL) {
      return true;
    }
  }
  return false;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const dls_cli_command *const commands[] = {&dls_cli_run,  &dls_cli_compare, &dls_cli_order,
                                             &dls_cli_work, &dls_cli_energy,  &dls_cli_spectrum};
  char text[MOST_TEXT], *words[MOST_WORDS + 1] = {NULL}, *rest = NULL;
  const size_t length = size < sizeof text ? size : sizeof text - 1;
  int count = 0;
  memcpy(text, data, length);
  text[length] = '\0';
  if (is_heavy(text)) {
    return 0;
  }
  for (char *word = strtok_r(text, "\n", &rest); word != NULL && count < MOST_WORDS;
       word = strtok_r(NULL, "\n", &rest)) {
    words[count++] = word;
  }
  for (size_t i = 0; count > 0 && i < sizeof commands / sizeof commands[0]; i++) {
    if (strcmp(words[0], commands[i]->name) == 0) {
      dls_cli_command command = *commands[i];
      command.perform = check_request;
      const int code = read_words(&command, count, words);
      demand(code == DLS_EXIT_DONE || code == DLS_EXIT_REQUEST);
    }
  }
  return 0;
}
