/* experiments/cli/merge.c -- `delassus merge`: the tables and pictures of a study that was made in parts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/output_files.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/shards.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_WORDS = 4096, MOST_BYTES = 1 << 20, MORE_WORDS = 8 };

typedef struct words {
  dls_pool pool;
  char *text, **all; /* the file; room for MOST_WORDS */
  size_t count;
} words;

static void add(words *w, const char *text, size_t length)
{
  w->all[w->count++] = dls_pool_copy(&w->pool, text, length);
}

/* Options that override those of the parts. */
static const char *const own[] = {"report", "plot-format", "style", "size", "key", "progress"};
enum { OWN = sizeof own / sizeof own[0] };

/* Is the word one that we say ourselves? */
static bool is_replaced(const dls_cli_args *args, const char *word, size_t length)
{
  for (size_t i = 0; i < OWN; i++) {
    const size_t name = strlen(own[i]);
    if (dls_cli_value(args, own[i]) != NULL && length > name + 2 && strncmp(word + 2, own[i], name) == 0 &&
        word[name + 2] == '=') {
      return true;
    }
  }
  return false;
}

/* Check a word of command.txt; the folder may come from an untrusted source. */
static dls_status check_word(const dls_cli_args *args, size_t line, const char *word, dls_error *err)
{
  const char *folder = args->positional[0];
  const size_t length = strcspn(word, "=");
  const dls_key_effect effect =
      strncmp(word, "--", 2) != 0 ? DLS_KEY_EFFECT_COMPUTES : dls_key_effect_of(word + 2, length - 2);
  if (effect == DLS_KEY_EFFECT_OTHER) {
    return dls_fail(err, DLS_ERR_ARG,
                    "'%.200s/command.txt', line %zu: '%.60s' is not an option that a part of a study may set; "
                    "remove the line; if merge has this option, give it to merge",
                    folder, line, word);
  }
  return effect != DLS_KEY_EFFECT_PROGRAM || dls_cli_value(args, "allow-run") != NULL
             ? DLS_OK
             : dls_fail(
                   err, DLS_ERR_ARG,
                   "'%.200s/command.txt', line %zu: '%.100s' names a program; if you trust it, add --allow-run",
                   folder, line, word);
}

static dls_status read_text(const char *folder, words *w, size_t *size, dls_error *err)
{
  dls_error why = {0};
  dls_status status = dls_output_check_folder(folder, &why);
  if (status == DLS_ERR_IO) {
    status = dls_fail(err, DLS_ERR_ARG, "'%.250s' has no part of a study: %.400s", folder, why.text);
  } else if (status != DLS_OK) {
    dls_fail(err, status, "%s", why.text);
  }
  FILE *file = status == DLS_OK ? dls_cli_shard_command(folder) : NULL;
  if (status == DLS_OK && file == NULL) {
    status =
        dls_fail(err, errno == ENOMEM ? DLS_ERR_MEMORY : DLS_ERR_ARG,
                 "'%.250s' has no part of a study: cannot read command.txt in it: %s", folder, strerror(errno));
  }
  w->text = dls_pool_take(&w->pool, MOST_BYTES + 1);
  w->all = dls_pool_take(&w->pool, MOST_WORDS * sizeof *w->all);
  *size = status == DLS_OK && w->text != NULL ? fread(w->text, 1, MOST_BYTES, file) : 0;
  if (file != NULL) {
    fclose(file);
  }
  return status != DLS_OK || !w->pool.failed
             ? status
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of '%.250s'", folder);
}

/* A word of the command on each line. */
static dls_status read_words(const dls_cli_args *args, words *w, dls_error *err)
{
  const char *folder = args->positional[0];
  size_t size = 0, line = 0;
  dls_status status = read_text(folder, w, &size, err);
  for (size_t at = 0; status == DLS_OK && at < size && w->count < MOST_WORDS - MORE_WORDS;) {
    const char *feed = memchr(w->text + at, '\n', size - at);
    const size_t length = feed != NULL ? (size_t)(feed - w->text) - at : size - at;
    line++;
    if (!is_replaced(args, w->text + at, length)) {
      add(w, w->text + at, length);
      status = w->pool.failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the command of '%.250s'", folder)
                              : check_word(args, line, w->all[w->count - 1], err);
    }
    at += length + 1;
  }
  return status;
}

/* Options may stand behind the rest. */
static void complete_words(const dls_cli_args *args, words *w)
{
  const char *out = dls_pool_print(&w->pool, "--out=%s", args->positional[0]);
  for (size_t i = 0; i < OWN && out != NULL; i++) {
    const char *value = dls_cli_value(args, own[i]);
    const char *word = value != NULL ? dls_pool_print(&w->pool, "--%s=%s", own[i], value) : NULL;
    if (word != NULL) {
      add(w, word, strlen(word));
    }
  }
  if (out != NULL) {
    add(w, out, strlen(out));
  }
}

static const dls_cli_command *command_of(const words *w)
{
  static const dls_cli_command *const known[] = {&dls_cli_order, &dls_cli_work, &dls_cli_run, &dls_cli_energy};
  for (size_t i = 0; i < sizeof known / sizeof known[0] && w->count > 0; i++) {
    if (strcmp(known[i]->name, w->all[0]) == 0) {
      return known[i];
    }
  }
  return NULL;
}

static int perform(const dls_cli_args *args, words *w)
{
  dls_error err = {0};
  dls_cli_args again = {0};
  const dls_cli_command *command = command_of(w);
  if (command == NULL) {
    dls_fail(&err, DLS_ERR_ARG, "'%.200s/command.txt' is no command that is made in parts",
             args->positional[0]);
    return dls_cli_fail(args->command->name, &err);
  }
  complete_words(args, w);
  if (w->pool.failed || dls_cli_parse(command, (int)w->count, w->all, &again, &err) != DLS_OK) {
    if (err.text[0] == '\0') {
      dls_fail(&err, DLS_ERR_MEMORY, "no memory for the words of %s", command->name);
    }
    dls_cli_args_release(&again);
    return dls_cli_fail(args->command->name, &err);
  }
  again.catalogue = args->catalogue;
  again.merges = true;
  const int code = dls_cli_perform(&again);
  dls_cli_args_release(&again);
  return code;
}

static int run(const dls_cli_args *args)
{
  words w = {0};
  dls_error err = {0};
  const int code =
      read_words(args, &w, &err) == DLS_OK ? perform(args, &w) : dls_cli_fail(args->command->name, &err);
  dls_pool_release(&w.pool);
  return code;
}

const dls_cli_command dls_cli_merge = {
    .name = "merge",
    .group = DLS_CLI_KEEP,
    .synopsis = "DIR",
    .summary = "tables and pictures of a study that was made in parts with --shard",
    .text =
        "Collect the finished runs of all parts in DIR (runs-1-of-N.csv, ...). Check that they belong to one\n"
        "study, that runs found twice are equal, and that none is missing. Then print and write what one\n"
        "process would have written, to the last bit. Missing runs are named, with the parts to start again;\n"
        "exit status 1. The command in DIR is not trusted: merge uses only its options that define what was\n"
        "computed, and --external only with --allow-run.\n",
    .page = "guide/clusters",
    .examples =
        "  delassus order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:4 --end 4 --shard 1/2 --out DIR\n"
        "  delassus order bouncing-ball --scheme moreau-jean --steps 0.1:0.01:4 --end 4 --shard 2/2 --out DIR\n"
        "  delassus merge DIR\n",
    .keys = DLS_COMMAND_MERGE,
    .least = 1,
    .most = 1,
    .run = run,
};
