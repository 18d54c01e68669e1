/* experiments/cli/tool.h -- the tool as a whole: its commands, and what is made from all their tables.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_TOOL_H
#define DELASSUS_EXPERIMENTS_CLI_TOOL_H

#include "experiments/cli/cli.h"

#include <string.h>

/* Something that several commands share. */
typedef struct dls_cli_topic {
  const char *name, *summary, *text; /* lines that end with \n */
} dls_cli_topic;

extern const dls_cli_topic dls_cli_topics[]; /* end with {0} */
/* NULL: there is none of this name. */
const dls_cli_topic *dls_cli_topic_named(const char *name);

typedef struct dls_cli_tool {
  const char *purpose, *examples; /* lines that end with \n */
  const dls_cli_command *const *commands;
  size_t command_count;
} dls_cli_tool;

/* The command of a name, or NULL. */
static inline const dls_cli_command *dls_cli_command_named(const dls_cli_tool *tool, const char *name)
{
  size_t i = 0;
  while (i < tool->command_count && strcmp(tool->commands[i]->name, name) != 0) {
    i++;
  }
  return i < tool->command_count ? tool->commands[i] : NULL;
}

/* The manual page, in roff, of a command or (NULL) of the tool. */
void dls_cli_manual(FILE *out, const dls_cli_tool *tool, const dls_cli_command *command);

/* What the last of count >= 2 words of a command line could become, a line each; words[0] is the tool. Nothing where
 * a file or a number is due. Plugins that the words name are loaded into the catalogue. */
void dls_cli_complete(FILE *out, const dls_cli_tool *tool, dls_catalogue *catalogue, size_t count,
                      char **words);

#endif
