/* experiments/cli/entry_names.c -- an entry by its name, and what is said to a name that no entry has.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/entries.h"

#include "common/base/text.h"
#include <string.h>

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

/* Every name that there is, a line for each kind. */
static void print_names(const dls_catalogue *catalogue, FILE *out)
{
  char lists[DLS_CLI_KINDS][1000];
  const char *cells[2 * DLS_CLI_KINDS];
  size_t rows = 0;
  for (int kind = 0; kind < DLS_CLI_KINDS; kind++) {
    const size_t count = dls_cli_entry_count(catalogue, (dls_cli_kind)kind);
    lists[rows][0] = '\0';
    for (size_t i = 0; i < count; i++) {
      dls_text_append(lists[rows], sizeof lists[rows], "%s%s", i == 0 ? "" : ", ",
                      dls_cli_entry_at(catalogue, (dls_cli_kind)kind, i).name);
    }
    cells[2 * rows] = dls_cli_kind_plurals[kind];
    cells[2 * rows + 1] = lists[rows];
    rows += count > 0;
  }
  dls_cli_table(out, 2, NULL, rows, cells);
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
  dls_cli_message(args->command->name, "nothing is named '%.60s'%s The names are:", name,
                  guess[0] != '\0' ? guess : ".");
  print_names(args->catalogue, stderr);
  return DLS_EXIT_REQUEST;
}
