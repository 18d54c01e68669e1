/* experiments/cli/complete.c -- what a word of the command line could become; the shell's completion asks.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/entries.h"
#include "experiments/cli/tool.h"
#include "experiments/extra/lesson/lesson.h"
#include "experiments/measures/ledger/ledger_problems.h"
#include "experiments/measures/spectrum/spectrum.h"

#include <stdbool.h>
#include <string.h>

/* The word to be completed. Up to `from` it is settled. */
typedef struct place {
  FILE *out;
  const dls_catalogue *catalogue;
  const dls_cli_command *command;
  const dls_model *model; /* NULL before it is known */
  const char *word;
  size_t from;
} place;

static void offer(const place *at, const char *candidate, size_t length, const char *tail)
{
  const char *typed = at->word + at->from;
  const size_t known = strlen(typed);
  if (known <= length && strncmp(candidate, typed, known) == 0) {
    fprintf(at->out, "%.*s%.*s%s\n", (int)at->from, at->word, (int)length, candidate, tail);
  }
}

static void offer_name(const place *at, const char *name)
{
  offer(at, name, strlen(name), "");
}

/* "text|csv": each of them. A name in capitals stands for something else. */
static void offer_alternatives(const place *at, const char *list)
{
  for (size_t length; *list != '\0'; list += length + (list[length] != '\0')) {
    length = strcspn(list, "|]");
    offer(at, list, length, "");
  }
}

static void offer_entries(const place *at, dls_cli_kind kind)
{
  for (size_t i = 0; i < dls_cli_entry_count(at->catalogue, kind); i++) {
    offer_name(at, dls_cli_entry_at(at->catalogue, kind, i).name);
  }
}

/* The last field of a list; `from` moves to its start. */
static place last_field(const place *at, const char *separators)
{
  place field = *at;
  for (size_t next; at->word[next = field.from + strcspn(at->word + field.from, separators)] != '\0';) {
    field.from = next + 1;
  }
  return field;
}

/* name=value for one option of a table; values where they are names. */
static void offer_assignment(const place *at, const dls_option *table)
{
  const char *text = at->word + at->from;
  const size_t length = strcspn(text, "=");
  for (; table != NULL && table->name != NULL; table++) {
    if (text[length] != '=') {
      offer(at, table->name, strlen(table->name), "=");
    } else if (table->kind == DLS_CHOICE && strlen(table->name) == length &&
               strncmp(table->name, text, length) == 0) {
      place value = *at;
      value.from += length + 1;
      for (const char *const *choice = table->choices; *choice != NULL; choice++) {
        offer_name(&value, *choice);
      }
    }
  }
}

/* NAME=value for a parameter, or NAME= for a file of a model. */
static void offer_setting(const place *at, const dls_model *model)
{
  offer_assignment(at, model->parameters);
  for (const dls_file_slot *file = model->files; file != NULL && file->name != NULL; file++) {
    offer(at, file->name, strlen(file->name), "=");
  }
}

/* NAME, or NAME:option=value,... */
static void offer_scheme(const place *at)
{
  const char *text = at->word + at->from;
  const size_t length = strcspn(text, ":");
  if (text[length] == '\0') {
    offer_entries(at, DLS_CLI_SCHEME);
    return;
  }
  for (const dls_scheme *const *s = dls_catalogue_schemes(at->catalogue); *s != NULL; s++) {
    if (strlen((*s)->name) == length && strncmp((*s)->name, text, length) == 0) {
      place options = *at;
      options.from += length + 1;
      options = last_field(&options, ",");
      offer_assignment(&options, (*s)->options);
    }
  }
}

/* The value of an option: at->from is where it starts. */
static void offer_value(const place *at, const dls_cli_option *option)
{
  const char *const *words = option->key != 0 ? dls_key(option->key)->more->type.words : NULL;
  for (; words != NULL && *words != NULL; words++) {
    offer_name(at, *words);
  }
  if (strcmp(option->name, "scheme") == 0) {
    offer_scheme(at);
  } else if (strcmp(option->name, "set") == 0 && at->model != NULL) {
    offer_setting(at, at->model);
  } else if (strcmp(option->name, "of") == 0 && at->command->kind == DLS_STUDY_SPECTRUM) {
    const place last = last_field(at, ",");
    for (size_t i = 0; i < DLS_SPECTRUM_QUANTITIES; i++) {
      offer_name(&last, dls_spectrum_names[i]);
    }
  } else if (strcmp(option->name, "problem") == 0) {
    for (const dls_ledger_problem *p = dls_ledger_problems(); p->name != NULL; p++) {
      offer_name(at, p->name);
    }
  } else if (strcmp(option->name, "norm") == 0) {
    const place last = last_field(at, ",");
    offer_entries(&last, DLS_CLI_NORM);
  } else if (strchr(option->argument, '|') != NULL &&
             (option->key == 0 || dls_key(option->key)->more->type.words == NULL)) {
    offer_alternatives(at, option->argument);
  }
}

/* Before a command is named there are the common options. */
static size_t options_of(const place *at, dls_cli_option options[DLS_CLI_MOST_OPTIONS])
{
  return dls_cli_options(at->command != NULL ? at->command : &(const dls_cli_command){0}, options);
}

/* The option that a word "--name" or "--name=..." writes out; name NULL: it is none. */
static dls_cli_option option_named(const place *at, const char *word)
{
  const size_t length = strncmp(word, "--", 2) == 0 ? strcspn(word + 2, "=") : 0;
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  const size_t count = options_of(at, options);
  for (size_t i = 0; i < count; i++) {
    if (strlen(options[i].name) == length && strncmp(options[i].name, word + 2, length) == 0) {
      return options[i];
    }
  }
  return (dls_cli_option){0};
}

static void offer_options(const place *at)
{
  place name = *at;
  name.word = strcmp(at->word, "-") == 0 ? "--" : at->word;
  name.from = 2;
  if (strncmp(name.word, "--", 2) != 0) {
    return;
  }
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  const size_t count = options_of(at, options);
  for (size_t i = 0; i < count; i++) {
    offer_name(&name, options[i].name);
  }
  if (at->command == NULL) {
    offer_name(&name, "version");
  }
}

/* What stands at position index of the command's synopsis. */
static void offer_positional(const place *at, size_t index)
{
  const char *text = at->command->synopsis;
  for (; index > 0; index--) {
    text += strcspn(text, " ");
    text += strspn(text, " ");
  }
  if (strncmp(at->command->synopsis, "SCHEME", 6) == 0) { /* any number of them */
    offer_scheme(at);
  } else if (strncmp(text, "MODEL", 5) == 0) {
    offer_entries(at, DLS_CLI_MODEL);
  } else if (strncmp(text, "NAME", 4) == 0) {
    for (int kind = 0; kind < DLS_CLI_KINDS; kind++) {
      offer_entries(at, (dls_cli_kind)kind);
    }
  } else if (strncmp(text, "FILE|NAME", 9) == 0) {
    offer_entries(at, DLS_CLI_STUDY);
  } else if (strncmp(text, "[LESSON]", 8) == 0) {
    for (const dls_lesson *lesson = dls_lessons(); lesson->name != NULL; lesson++) {
      offer_name(at, lesson->name);
    }
  } else if (text[0] == '[' && text[1] >= 'a' && text[1] <= 'z') {
    offer_alternatives(at, text + 1);
  }
}

/* What the words before the last one settle. */
typedef struct settled {
  size_t positional;   /* arguments behind the command */
  dls_cli_option open; /* its value is due; name NULL: of none */
} settled;

static settled read_words(place *at, const dls_cli_tool *tool, dls_catalogue *catalogue, size_t count,
                          char **words)
{
  settled so_far = {0};
  for (size_t i = 1; i < count; i++) {
    const bool is_value = so_far.open.name != NULL;
    const dls_cli_option option = is_value ? so_far.open : option_named(at, words[i]);
    const char *joined = is_value ? NULL : strchr(words[i], '=');
    const char *value = is_value ? words[i] : joined != NULL ? joined + 1 : NULL;
    if (option.name != NULL && value != NULL && strcmp(option.name, "plugin") == 0) {
      dls_catalogue_load(catalogue, value, NULL);
    } else if (!is_value && words[i][0] != '-' && at->command == NULL) {
      at->command = dls_cli_command_named(tool, words[i]);
    } else if (!is_value && words[i][0] != '-' && so_far.positional++ == 0) {
      at->model = dls_catalogue_model(catalogue, words[i], NULL);
    }
    so_far.open = option.argument != NULL && value == NULL ? option : (dls_cli_option){0};
  }
  return so_far;
}

void dls_cli_complete(FILE *out, const dls_cli_tool *tool, dls_catalogue *catalogue, size_t count, char **words)
{
  place at = {.out = out, .catalogue = catalogue, .word = words[count - 1]};
  const settled before = read_words(&at, tool, catalogue, count - 1, words);
  const dls_cli_option current = option_named(&at, at.word);
  const size_t name = strcspn(at.word, "=");
  if (before.open.name != NULL) {
    offer_value(&at, &before.open);
  } else if (current.argument != NULL && at.word[name] == '=') {
    at.from = name + 1;
    offer_value(&at, &current);
  } else if (at.word[0] == '-') {
    offer_options(&at);
  } else if (at.command != NULL) {
    offer_positional(&at, before.positional);
  } else {
    for (size_t i = 0; i < tool->command_count; i++) {
      offer_name(&at, tool->commands[i]->name);
    }
  }
}
