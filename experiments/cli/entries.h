/* experiments/cli/entries.h -- everything that has a name, in one form for `list` and `show`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_ENTRIES_H
#define DELASSUS_EXPERIMENTS_CLI_ENTRIES_H

#include <delassus/catalogue.h>
#include <delassus/graph.h>
#include <stdbool.h>
#include <stddef.h>

typedef enum dls_cli_kind {
  DLS_CLI_MODEL,
  DLS_CLI_SCHEME,
  DLS_CLI_NORM,
  DLS_CLI_SOLVER,
  DLS_CLI_LAW,
  DLS_CLI_STUDY,
  DLS_CLI_LESSON,
  DLS_CLI_KINDS
} dls_cli_kind;

extern const char *const dls_cli_kind_names[DLS_CLI_KINDS];    /* "model", ... */
extern const char *const dls_cli_kind_plurals[DLS_CLI_KINDS];  /* "models", ... */
extern const char *const dls_cli_kind_headings[DLS_CLI_KINDS]; /* what they are, in a line */

typedef struct dls_cli_entry {
  dls_cli_kind kind;
  const char *name, *summary, *source; /* source "" where there is none */
  dls_family family;                   /* of schemes; else 0 */
} dls_cli_entry;

extern const char *const dls_cli_family_headings[DLS_FAMILIES]; /* "moreau-jean: ...", in the order of lists */

/* Number of entries of a kind, and one of them. */
size_t dls_cli_entry_count(const dls_catalogue *catalogue, dls_cli_kind kind);
/* Solvers: those of complementarity problems come first, so many. */
size_t dls_cli_lcp_count(void);
dls_cli_entry dls_cli_entry_at(const dls_catalogue *catalogue, dls_cli_kind kind, size_t index);
/* The first entry of a name, and its index among those of its kind. @return false: nothing has this name */
bool dls_cli_entry_named(const dls_catalogue *catalogue, const char *name, dls_cli_entry *out, size_t *index);
/* The entry of a name or, where nothing has this name, the one whose name contains it. @return DLS_OK; DLS_ERR_OPTION: none;
 * DLS_ERR_ARG: several, which are listed */
dls_status dls_cli_entry_meant(const dls_catalogue *catalogue, const char *name, dls_cli_entry *out,
                               size_t *index, dls_error *err);
struct dls_cli_args; /* experiments/cli/cli.h */
/* Say that nothing has this name, which is meant perhaps, and all names. @return the exit code */
int dls_cli_refuse_name(const struct dls_cli_args *args, const char *name);

/* The norm that a text asks for, in its choice, or NULL with a message; for a name that is unknown, one that lists the names and
 * guesses the one meant. */
const dls_norm *dls_cli_norm_read(const char *text, dls_norm_choice *choice, dls_error *err);

#endif
