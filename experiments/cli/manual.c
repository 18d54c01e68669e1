/* experiments/cli/manual.c -- manual pages in roff, from the tables behind --help.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/tool.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* Characters that roff would take for something else, and how to get them. */
static const struct {
  char character;
  const char *escape;
} escapes[] = {{'\\', "\\e"}, {'-', "\\-"}, {'\'', "\\(aq"}, {'`', "\\(ga"}, {'^', "\\(ha"}, {'~', "\\(ti"}};
enum { ESCAPES = sizeof escapes / sizeof escapes[0] };

/* Text as it is, line for line; none becomes a request of roff. */
static void put(FILE *out, const char *text)
{
  for (const char *c = text; *c != '\0'; c++) {
    size_t i = 0;
    while (i < ESCAPES && escapes[i].character != *c) {
      i++;
    }
    if (*c == '.' && (c == text || c[-1] == '\n')) {
      fputs("\\&", out);
    }
    if (i < ESCAPES) {
      fputs(escapes[i].escape, out);
    } else {
      fputc(*c, out);
    }
  }
}

static void put_line(FILE *out, const char *before, const char *text)
{
  fputs(before, out);
  put(out, text);
  fputc('\n', out);
}

/* Lines as they are laid out. */
static void put_block(FILE *out, const char *heading, const char *lines)
{
  fprintf(out, ".SH %s\n.nf\n", heading);
  put(out, lines);
  fputs(".fi\n", out);
}

/* Lines to be filled, except those that begin with a blank; an empty line parts paragraphs. */
static void put_text(FILE *out, const char *heading, const char *lines)
{
  fprintf(out, ".SH %s\n", heading);
  while (*lines != '\0') {
    const int length = (int)strcspn(lines, "\n");
    char line[400];
    snprintf(line, sizeof line, "%.*s", length, lines);
    if (length > 0) {
      put_line(out, "", line);
    } else {
      fputs(".PP\n", out);
    }
    lines += length + (lines[length] == '\n');
  }
}

static void put_options(FILE *out, const dls_cli_command *command)
{
  dls_cli_option options[DLS_CLI_MOST_OPTIONS];
  const size_t count = dls_cli_options(command, options);
  for (const dls_cli_option *o = options; o < options + count; o++) {
    fputs(".TP\n\\fB", out);
    put(out, "--");
    put(out, o->name);
    fputs("\\fR", out);
    if (o->argument != NULL) {
      put_line(out, " ", o->argument);
    } else {
      fputc('\n', out);
    }
    put_line(out, "", o->help);
  }
}

static void put_title(FILE *out, const char *command)
{
  fputs(".TH DELASSUS", out);
  for (const char *c = command; *c != '\0'; c++) {
    if (c == command) {
      fputs("\\-", out);
    }
    fputc(toupper((unsigned char)*c), out);
  }
  fprintf(out, " 1 \"\" \"delassus %s\" \"delassus manual\"\n.SH NAME\ndelassus%s%s \\- ", DLS_VERSION,
          command[0] != '\0' ? "\\-" : "", command);
}

/* What holds for every command. */
static void put_shared(FILE *out)
{
  put_block(out, "EXIT STATUS", dls_cli_topic_named("exit-status")->text);
  put_block(out, "ENVIRONMENT", dls_cli_topic_named("environment")->text);
  put_block(out, "FILES", dls_cli_topic_named("files")->text);
}

static void manual_of_command(FILE *out, const dls_cli_command *command)
{
  put_title(out, command->name);
  put_line(out, "", command->summary);
  fprintf(out, ".SH SYNOPSIS\n\\fBdelassus %s\\fR\n", command->name);
  char *synopsis = dls_cli_synopsis(command, false);
  put_line(out, "", synopsis != NULL ? synopsis : command->synopsis);
  free(synopsis);
  put_text(out, "DESCRIPTION", command->text);
  fputs(".SH OPTIONS\n", out);
  put_options(out, command);
  put_block(out, "EXAMPLES", command->examples);
  put_shared(out);
  fputs(".SH SEE ALSO\n.BR delassus (1)\n.br\n", out);
  put(out, "the page docs/");
  put(out, command->page);
  fputs(".md of the handbook\n", out);
}

static void manual_of_tool(FILE *out, const dls_cli_tool *tool)
{
  put_title(out, "");
  fputs("many time integrators for one nonsmooth mechanical system\n"
        ".SH SYNOPSIS\n\\fBdelassus\\fR COMMAND ...\n",
        out);
  put_text(out, "DESCRIPTION", tool->purpose);
  fputs(".SH COMMANDS\n", out);
  for (size_t i = 0; i < tool->command_count; i++) {
    fprintf(out, ".TP\n.BR delassus\\-%s (1)\n", tool->commands[i]->name);
    put_line(out, "", tool->commands[i]->summary);
  }
  fputs(".SH OPTIONS\nEvery command has these.\n", out);
  put_options(out, &(const dls_cli_command){0}); /* the common ones */
  put_block(out, "EXAMPLES", tool->examples);
  put_shared(out);
}

void dls_cli_manual(FILE *out, const dls_cli_tool *tool, const dls_cli_command *command)
{
  if (command != NULL) {
    manual_of_command(out, command);
  } else {
    manual_of_tool(out, tool);
  }
}
