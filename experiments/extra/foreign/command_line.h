/* experiments/extra/foreign/command_line.h -- the words of a command with placeholders for values: "./sim --step {h}
 * --out {out}".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_COMMAND_LINE_H
#define DELASSUS_EXPERIMENTS_COMMAND_LINE_H

#include "common/base/pool.h"

#include <delassus/error.h>

/**
 * Split a text into words as a shell does: at blanks, with '...', "..." and a backslash as quotes. Other syntax of a shell
 * (variables, pipes, redirections, patterns, several commands) is refused, since none is run.
 * @param[out] words  count and then NULL, in the pool
 * @return DLS_OK; DLS_ERR_PARSE if a quote is open, a character has a meaning for a shell, or there is no word;
 * DLS_ERR_MEMORY
 */
dls_status dls_command_split(const char *text, dls_pool *pool, char ***words, size_t *count, dls_error *err);

/** The value of {name}, NULL if there is none. */
typedef const char *(*dls_command_value)(void *data, const char *name);
/**
 * A word with every {name} replaced by its value; "{{" is a brace. @param[in] list  the names, for messages
 * @return the word, in the pool; NULL with err
 */
char *dls_command_fill(const char *word, dls_command_value value, void *data, const char *list, dls_pool *pool,
                       dls_error *err);

#endif
