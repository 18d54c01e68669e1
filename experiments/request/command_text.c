/* experiments/request/command_text.c -- a study, or a request, as the command line that asks for it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/command_text.h"
#include "common/base/text.h"

#include <stdlib.h>
#include <string.h>

/* $'...', as bash and `verify` read it: the word stays on its line. */
static void put_lines(FILE *out, const char *start, const char *word)
{
  static const char escapes[] = "\n\r'\\", letters[] = "nr'\\";
  fprintf(out, "$'%s", start);
  for (; *word != '\0'; word++) {
    const char *escape = strchr(escapes, *word);
    fputs(escape == NULL ? (const char[]){*word, '\0'} : (const char[]){'\\', letters[escape - escapes], '\0'},
          out);
  }
  fputc('\'', out);
}

/* A word that begins with `start`, as a shell would read it. */
static void put(FILE *out, const char *start, const char *word)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_=.,:/+";
  if ((*start != '\0' || *word != '\0') && word[strspn(word, plain)] == '\0') {
    fprintf(out, "%s%s", start, word);
    return;
  }
  if (strpbrk(word, "\n\r") != NULL) {
    put_lines(out, start, word);
    return;
  }
  fprintf(out, "'%s", start);
  for (; *word != '\0'; word++) {
    fputs(*word == '\'' ? "'\\''" : (const char[]){*word, '\0'}, out);
  }
  fputc('\'', out);
}

void dls_command_put_word(FILE *out, const char *word)
{
  put(out, "", word);
}

bool dls_command_is_switch(const char *option)
{
  const dls_key_id key = dls_key_find(~0U, option, strlen(option));
  return key < DLS_KEY_COUNT && dls_key_option_of(dls_key(key), ~0U)->argument == NULL;
}

size_t dls_command_print_start(const char *command, const dls_study *study, FILE *out)
{
  const bool spectrum = study->kind == DLS_STUDY_SPECTRUM;
  const size_t count = spectrum ? study->scheme_count : 1;
  fprintf(out, "delassus %s", command);
  size_t column = strlen("delassus ") + strlen(command);
  for (size_t i = 0; i < count; i++) {
    const char *word = spectrum ? study->schemes[i] : study->model;
    fputc(' ', out);
    dls_command_put_word(out, word);
    column += strlen(word) + 1;
  }
  const char *data = study->kind == DLS_STUDY_FIT ? study->request->fit.path : NULL;
  if (data != NULL) {
    fputc(' ', out);
    dls_command_put_word(out, data);
    column += strlen(data) + 1;
  }
  return column;
}

void dls_command_print(const char *command, const dls_study *study, char separator, FILE *out)
{
  dls_command_print_start(command, study, out);
  for (size_t i = 0; i < study->argument_count; i++) {
    const dls_study_argument *argument = &study->arguments[i];
    const bool value = !dls_command_is_switch(argument->option), joined = value && separator == '=';
    char start[80];
    snprintf(start, sizeof start, "--%.70s%s", argument->option, joined ? "=" : "");
    fputc(' ', out);
    put(out, start, joined ? argument->value : "");
    if (value && !joined) {
      fputc(' ', out);
      put(out, "", argument->value);
    }
  }
}

/* Does an option define the rows of the result? */
static bool makes_rows(const dls_request *r, const char *option)
{
  const dls_key_effect effect = dls_key_effect_of(option, strlen(option));
  const bool one_run = r->kind == DLS_STUDY_RUN && r->axis_count == 0;
  return effect == DLS_KEY_EFFECT_COMPUTES || effect == DLS_KEY_EFFECT_PROGRAM ||
         (effect == DLS_KEY_EFFECT_SHOWS_RUN && !one_run);
}

char *dls_command_made_by(const dls_request *r)
{
  const dls_study *study = r->study;
  dls_study_argument *arguments = calloc(study->argument_count + 1, sizeof *arguments);
  dls_study made = *study;
  char *text = NULL;
  size_t size = 0;
  FILE *out = arguments != NULL ? dls_text_stream(&text, &size) : NULL;
  made.arguments = arguments;
  made.argument_count = 0;
  for (size_t i = 0; i < study->argument_count && out != NULL; i++) {
    const dls_study_argument *a = &study->arguments[i];
    if (makes_rows(r, a->option)) {
      arguments[made.argument_count++] = *a;
    }
  }
  if (out != NULL) {
    dls_command_print(r->command, &made, ' ', out);
    text = fclose(out) == 0 ? text : (free(text), NULL);
  }
  free(arguments);
  return text;
}
