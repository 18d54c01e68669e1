/* experiments/cli/cite.c -- `delassus cite`: the publications behind a model, a scheme or a file, as BibTeX.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/entries.h"
#include "experiments/extra/cite/publications.h"
#include "experiments/extra/foreign/file_metadata.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 256, MOST_OF_ONE = 16, NAME_SIZE = 120 };

/* What is asked for: entries, in the order in which they are named, and what they cite, each once. */
typedef struct citation {
  const dls_cli_args *args;
  dls_cli_entry entries[MOST];
  size_t entry_count;
  const dls_publication *references[MOST];
  size_t reference_count;
  bool self; /* this program too */
} citation;

static void add_entry(citation *c, const dls_cli_entry *entry)
{
  if (c->entry_count == MOST) {
    return;
  }
  c->entries[c->entry_count++] = *entry;
  const dls_publication *named[MOST_OF_ONE];
  char unknown[NAME_SIZE];
  const size_t count = dls_publications_named(entry->source, named, MOST_OF_ONE, unknown, sizeof unknown);
  for (size_t i = 0; i < count; i++) {
    size_t k = 0;
    while (k < c->reference_count && c->references[k] != named[i]) {
      k++;
    }
    if (k == c->reference_count && k < MOST) {
      c->references[c->reference_count++] = named[i];
    }
  }
}

/* @return false: nothing in the catalogue has this name */
static bool add_name(citation *c, const char *name)
{
  dls_cli_entry entry;
  size_t index;
  const bool known = dls_cli_entry_named(c->args->catalogue, name, &entry, &index);
  if (known) {
    add_entry(c, &entry);
  }
  return known;
}

/* --- a file: what made it stands in front of its header --- */

static bool take_line(void *data, const char *key, const char *value)
{
  static const char *const keys[] = {"model", "scheme", "law"};
  citation *c = data;
  c->self = c->self || strcmp(key, dls_publication_self.key) == 0;
  for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
    if (strcmp(key, keys[i]) == 0) {
      char name[NAME_SIZE]; /* without options */
      snprintf(name, sizeof name, "%.*s", (int)strcspn(value, ": ("), value);
      add_name(c, name);
    }
  }
  return true;
}

static dls_status add_file(citation *c, const char *path, dls_error *err)
{
  const size_t before = c->entry_count;
  const dls_status status = dls_file_metadata_each(path, take_line, c, err);
  if (status == DLS_OK && c->entry_count == before) {
    return dls_fail(err, DLS_ERR_ARG, "'%.200s' names no model and no scheme in front of its header", path);
  }
  return status;
}

/* --- what is printed --- */

/* What each entry says of its source, as comments. */
static void print_entries(const citation *c)
{
  for (size_t i = 0; i < c->entry_count; i++) {
    const dls_cli_entry *e = &c->entries[i];
    const dls_publication *named[1];
    char unknown[NAME_SIZE];
    const bool published = dls_publications_named(e->source, named, 1, unknown, sizeof unknown) > 0;
    printf("%% %s (%s): %s%s%s\n", e->name, dls_cli_kind_names[e->kind], published ? "" : "no published source",
           published || e->source[0] == '\0' ? "" : "; ", e->source);
  }
}

static void print_all(const citation *c)
{
  print_entries(c);
  if (c->self) {
    dls_publication_bibtex(stdout, &dls_publication_self);
  }
  for (size_t i = 0; i < c->reference_count; i++) {
    if (i > 0 || c->self || c->entry_count > 0) {
      putchar('\n');
    }
    dls_publication_bibtex(stdout, c->references[i]);
  }
}

static int print_list(const dls_cli_args *args)
{
  dls_error err = {0};
  static const char *const formats[] = {"bibtex", "table"};
  size_t format = 0;
  dls_status status = dls_cli_choice(args, "format", formats, 2, &format, &err);
  if (status == DLS_OK && args->positional_count > 0) {
    status = dls_fail(&err, DLS_ERR_ARG, "--all is all of them: it goes without a name");
  }
  if (status != DLS_OK) {
    return dls_cli_fail(args->command->name, &err);
  }
  for (const dls_publication *r = dls_publications(); r->key != NULL; r++) {
    if (format == 1) {
      dls_publication_row(stdout, r);
    } else {
      dls_publication_bibtex(stdout, r);
      putchar('\n');
    }
  }
  return DLS_EXIT_DONE;
}

static int cite(citation *c)
{
  dls_error err = {0};
  c->self = c->args->positional_count == 0;
  for (size_t i = 0; i < c->args->positional_count; i++) {
    const char *word = c->args->positional[i];
    if (strcmp(word, dls_publication_self.key) == 0) {
      c->self = true;
      continue;
    }
    if (add_name(c, word)) {
      continue;
    }
    if (access(word, F_OK) != 0) {
      return dls_cli_refuse_name(c->args, word);
    }
    if (add_file(c, word, &err) != DLS_OK) {
      return dls_cli_fail(c->args->command->name, &err);
    }
  }
  print_all(c);
  return DLS_EXIT_DONE;
}

static int run(const dls_cli_args *args)
{
  if (dls_cli_value(args, "all") != NULL) {
    return print_list(args);
  }
  dls_error err = {0};
  if (dls_cli_value(args, "format") != NULL) {
    dls_fail(&err, DLS_ERR_ARG, "--format is for --all");
    return dls_cli_fail(args->command->name, &err);
  }
  citation *c = calloc(1, sizeof *c);
  if (c == NULL) {
    dls_fail(&err, DLS_ERR_MEMORY, "no memory");
    return dls_cli_fail(args->command->name, &err);
  }
  c->args = args;
  const int code = cite(c);
  free(c);
  return code;
}

static const dls_cli_option options[] = {
    {.name = "all", .help = "every publication that is known here"},
    {.name = "format",
     .argument = "FORMAT",
     .help = "with --all: bibtex (default) or table, the rows of the page of references"},
    {0},
};

const dls_cli_command dls_cli_cite = {
    .name = "cite",
    .group = DLS_CLI_LEARN,
    .synopsis = "[NAME|FILE.csv]...",
    .summary = "the publications behind a model, a scheme, a law or a file, as BibTeX",
    .text =
        "Print BibTeX entries of the publications that a model, scheme, law, solver or study names as its\n"
        "source; for a trajectory file those of its model, scheme and law, and of this program. Each entry\n"
        "is printed once; a comment marks names without a published source. Without a name: how to cite\n"
        "this program.\n",
    .page = "reference/references",
    .examples = "  delassus cite moreau-jean\n"
                "  delassus cite elastic-bar nonsmooth-generalized-alpha\n"
                "  delassus cite --all\n",
    .options = options,
    .least = 0,
    .most = 64,
    .run = run,
};
