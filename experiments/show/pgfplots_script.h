/* experiments/show/pgfplots_script.h -- words of gnuplot's scripts, as this tool writes them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PGFPLOTS_SCRIPT_H
#define DELASSUS_EXPERIMENTS_PGFPLOTS_SCRIPT_H

#include <stdbool.h>
#include <stddef.h>

typedef enum dls_token_kind { DLS_TOKEN_END, DLS_TOKEN_WORD, DLS_TOKEN_STRING, DLS_TOKEN_COMMA } dls_token_kind;

enum { DLS_TOKEN_ROOM = 6000 }; /* the ticks of an axis are one word */

/** A word; "[0:1]", "(...)" and "$name" are one each. */
typedef struct dls_token {
  dls_token_kind kind;
  char text[DLS_TOKEN_ROOM]; /* of a string what it means; cut off where it is longer */
} dls_token;

/** The statement that *at begins with, its continued lines joined, without the remark behind it, to be freed; *at goes
 * behind it. @return NULL: the script is at its end, or there is no memory (then *at stays) */
char *dls_script_statement(const char **at);
/** The next word of a statement; *at goes behind it. */
void dls_script_token(const char **at, dls_token *out);
/** Whether the next word is this one; then *at goes behind it. */
bool dls_script_takes(const char **at, const char *word);
/** The number that is next, or NaN; *at goes behind it. */
double dls_script_number(const char **at);

#endif
