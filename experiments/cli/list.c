/* experiments/cli/list.c -- `delassus list`: what there is, by name.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/entries.h"
#include "experiments/measures/order/study_tables.h"

#include "common/base/text.h"
#include "common/run/capabilities.h"
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* The words of the command line that an entry must contain: all behind the kind. */
typedef struct filter {
  char *const *words;
  size_t count;
} filter;

/* Is the word in the text, whatever its case? */
static bool contains(const char *text, const char *word)
{
  const size_t length = strlen(word);
  while (*text != '\0' && strncasecmp(text, word, length) != 0) {
    text++;
  }
  return *text != '\0';
}

/* Is the word the name of something that the scheme treats? */
static bool treats(const dls_scheme *scheme, const char *word)
{
  const dls_capability *c = dls_capabilities;
  while (c->what != NULL && !(c->label != NULL && contains(c->label, word) && dls_scheme_treats(scheme, c))) {
    c++;
  }
  return c->what != NULL;
}

static bool accepts(const dls_catalogue *catalogue, const filter *f, const dls_cli_entry *entry, size_t index)
{
  const bool scheme = entry->kind == DLS_CLI_SCHEME;
  size_t i = 0;
  while (i < f->count && (contains(entry->name, f->words[i]) || contains(entry->summary, f->words[i]) ||
                          (scheme && (contains(dls_cli_family_headings[entry->family], f->words[i]) ||
                                      treats(dls_catalogue_schemes(catalogue)[index], f->words[i]))))) {
    i++;
  }
  return i == f->count;
}

/* The entries of one family as a table; nothing if it has none. `cells` has room for all of the kind. */
static size_t print_family(const dls_catalogue *catalogue, const filter *f, dls_cli_kind kind,
                           dls_family family, const char **cells)
{
  const size_t count = dls_cli_entry_count(catalogue, kind);
  size_t rows = 0;
  for (size_t i = 0; i < count; i++) {
    const dls_cli_entry entry = dls_cli_entry_at(catalogue, kind, i);
    if (entry.family == family && accepts(catalogue, f, &entry, i)) {
      cells[2 * rows] = entry.name;
      cells[2 * rows++ + 1] = entry.summary;
    }
  }
  if (rows > 0 && kind == DLS_CLI_SCHEME) {
    printf("\n %s\n", dls_cli_family_headings[family]);
  }
  dls_cli_table(stdout, 2, NULL, rows, cells);
  return rows;
}

static dls_status print_text(const dls_catalogue *catalogue, const filter *f, dls_cli_kind kind, dls_error *err)
{
  const size_t count = dls_cli_entry_count(catalogue, kind);
  size_t found = 0;
  printf("%s\n", dls_cli_kind_headings[kind]);
  const char **cells = malloc((2 * count + 1) * sizeof *cells);
  if (cells == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a list of %zu names", count);
  }
  for (int family = 1; family <= DLS_FAMILIES; family++) { /* those that belong to none come last */
    found += print_family(catalogue, f, kind, (dls_family)(family % DLS_FAMILIES), cells);
  }
  free(cells);
  if (found == 0) {
    printf("  (%s)\n", count == 0 ? "there are none" : "none of them contains these words");
  }
  return DLS_OK;
}

static void print_csv(const dls_catalogue *catalogue, const filter *f, dls_cli_kind kind)
{
  const size_t count = dls_cli_entry_count(catalogue, kind);
  for (size_t i = 0; i < count; i++) {
    const dls_cli_entry entry = dls_cli_entry_at(catalogue, kind, i);
    if (!accepts(catalogue, f, &entry, i)) {
      continue;
    }
    dls_table_field(stdout, entry.name);
    putchar(',');
    dls_table_field(stdout, entry.summary);
    printf(",%s,", dls_cli_kind_names[kind]);
    dls_table_field(stdout, entry.source);
    putchar(',');
    dls_table_field(stdout, kind == DLS_CLI_SCHEME ? dls_cli_family_headings[entry.family] : "");
    putchar('\n');
  }
}

/* The kinds asked for are first, first + 1, ..., end - 1. */
static dls_status choose_kinds(const dls_cli_args *args, int *first, int *end, dls_error *err)
{
  *first = 0;
  *end = DLS_CLI_KINDS;
  if (args->positional_count == 0) {
    return DLS_OK;
  }
  const char *text = args->positional[0];
  char list[100] = "";
  for (int kind = 0; kind < DLS_CLI_KINDS; kind++) {
    if (strcmp(text, dls_cli_kind_plurals[kind]) == 0) {
      *first = kind;
      *end = kind + 1;
      return DLS_OK;
    }
    dls_text_append(list, sizeof list, "%s%s", kind == 0 ? "" : ", ", dls_cli_kind_plurals[kind]);
  }
  char guess[60];
  dls_cli_guess(text, dls_cli_kind_plurals, DLS_CLI_KINDS, guess, sizeof guess);
  return dls_fail(err, DLS_ERR_OPTION, "there is no list of '%.60s'%s There are lists of: %s", text,
                  guess[0] != '\0' ? guess : ".", list);
}

static int run(const dls_cli_args *args)
{
  enum { TEXT, CSV, COUNT };
  static const char *const formats[COUNT] = {"text", "csv"};
  size_t format = TEXT;
  int first = 0;
  int end = 0;
  dls_error err = {0};
  if (dls_cli_choice(args, "format", formats, COUNT, &format, &err) != DLS_OK ||
      choose_kinds(args, &first, &end, &err) != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  if (format == CSV) {
    printf("name,summary,kind,source,group\n");
  }
  const size_t words = args->positional_count > 1 ? args->positional_count - 1 : 0;
  const filter f = {.words = args->positional + 1, .count = words};
  dls_status status = DLS_OK;
  for (int kind = first; kind < end && status == DLS_OK; kind++) {
    if (format == CSV) {
      print_csv(args->catalogue, &f, (dls_cli_kind)kind);
      continue;
    }
    if (kind > first) {
      putchar('\n');
    }
    status = print_text(args->catalogue, &f, (dls_cli_kind)kind, &err);
  }
  return status == DLS_OK ? DLS_EXIT_DONE : dls_cli_fail(args->command->name, &err);
}

static const dls_cli_option options[] = {
    {.name = "format",
     .argument = "text|csv",
     .help = "text for reading (default), csv with a header line for programs"},
    {0},
};

const dls_cli_command dls_cli_list = {
    .name = "list",
    .group = DLS_CLI_LEARN,
    .synopsis = "[models|schemes|norms|solvers|laws|studies|lessons] [WORD]...",
    .summary = "the models, schemes, norms, solvers, laws, studies and lessons that there are",
    .text = "List entries, one per line; without a kind, those of every kind. Words select the entries that\n"
            "contain them in their name or summary, or schemes that treat what they name: friction, joints.\n",
    .page = "guide/first-order-study",
    .examples = "  delassus list\n"
                "  delassus list schemes friction joints\n"
                "  delassus list studies beam\n"
                "  delassus list models --format csv | cut -d, -f1\n",
    .options = options,
    .most = (size_t)-1,
    .run = run,
};
