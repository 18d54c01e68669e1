/* experiments/request/command_text.h -- a study, or a request, as the command line that asks for it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_REQUEST_COMMAND_TEXT_H
#define DELASSUS_EXPERIMENTS_REQUEST_COMMAND_TEXT_H

#include "experiments/request/request.h"
#include <stdio.h>

/* A word as a shell would read it, on one line: bash and `verify` read $'...\n...'. */
void dls_command_put_word(FILE *out, const char *word);
/* Has an option no value? */
bool dls_command_is_switch(const char *option);
/* "delassus order bouncing-ball": the command with its model, of a fit also the data, or the schemes of a spectrum. @return characters */
size_t dls_command_print_start(const char *command, const dls_study *study, FILE *out);
/* The command that makes a result again, without where it goes, its pictures and how it runs, for the line `command:` of the result.
 * @return one line to be freed; NULL if there is no memory */
char *dls_command_made_by(const dls_request *request);
/* The command line of a study in one line, without line feed. @param[in] separator  of an option and its value, '=' or ' ' */
void dls_command_print(const char *command, const dls_study *study, char separator, FILE *out);

#endif
