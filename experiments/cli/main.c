/* experiments/cli/main.c -- the tool `delassus`: picks the command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/cli.h"
#include "experiments/cli/progress.h"

#include "common/text.h"
#include <errno.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>

static const dls_cli_command *const commands[] = {
    &dls_cli_list,     &dls_cli_show,  &dls_cli_run,  &dls_cli_compare, &dls_cli_exact,
    &dls_cli_distance, &dls_cli_order, &dls_cli_work, &dls_cli_energy,  &dls_cli_study_file};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static void print_overview(FILE *out)
{
  const char *cells[2 * COMMAND_COUNT];
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    cells[2 * i] = commands[i]->name;
    cells[2 * i + 1] = commands[i]->summary;
  }
  fputs("usage: delassus COMMAND ...\n\n"
        "Solve one mechanical system with contacts and impacts with many time integrators, and measure\n"
        "against exact solutions how accurate each is and what it costs.\n\n"
        "commands:\n",
        out);
  dls_cli_table(out, 2, NULL, COMMAND_COUNT, cells);
  fputs("\n  delassus COMMAND --help   what a command does, its options, examples\n"
        "  delassus --version        the version\n\n"
        "first steps:\n"
        "  delassus list\n"
        "  delassus show bouncing-ball\n"
        "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --plot ball.png\n\n"
        "Results go to standard output or to the files asked for, messages to standard error.\n"
        "Exit status: 0 done; 2 the request is wrong; 1 it failed while running; 130 interrupted.\n",
        out);
}

static const dls_cli_command *find_command(const char *name)
{
  const char *names[COMMAND_COUNT];
  char list[200] = "";
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    names[i] = commands[i]->name;
    if (strcmp(names[i], name) == 0) {
      return commands[i];
    }
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", names[i]);
  }
  char guess[60];
  dls_cli_guess(name, names, COMMAND_COUNT, guess, sizeof guess);
  fprintf(stderr, "delassus: unknown %s '%.60s'%s The commands are: %s (`delassus --help`)\n",
          name[0] == '-' ? "option" : "command", name, guess[0] != '\0' ? guess : ".", list);
  return NULL;
}

static int run_command(const dls_cli_command *command, int argc, char **argv)
{
  dls_cli_args args;
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  if (dls_cli_parse(command, argc, argv, &args, &err) != DLS_OK) {
    code = dls_cli_fail(&args, &err);
    fprintf(stderr, "`delassus %s --help` explains it\n", command->name);
  } else if (args.help) {
    dls_cli_help(stdout, command);
  } else {
    code = command->run(&args);
  }
  dls_cli_args_release(&args);
  return code;
}

/* A result that did not reach its reader is a failure. */
static int close_stdout(int code)
{
  errno = 0;
  const int failed = ferror(stdout) | fflush(stdout);
  if (failed != 0) {
    fprintf(stderr, "delassus: cannot write to standard output: %s\n",
            errno != 0 ? strerror(errno) : "an earlier write failed");
  }
  return failed != 0 && code == DLS_EXIT_DONE ? DLS_EXIT_FAILED : code;
}

static int dispatch(int argc, char **argv)
{
  if (argc < 2) {
    print_overview(stderr);
    return DLS_EXIT_REQUEST;
  }
  const char *first = argv[1];
  if (strcmp(first, "--version") == 0) {
    printf("delassus %s\n", DLS_VERSION);
    return DLS_EXIT_DONE;
  }
  const bool help = strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0;
  if (help && argc == 2) {
    print_overview(stdout);
    return DLS_EXIT_DONE;
  }
  const dls_cli_command *command = find_command(help ? argv[2] : first);
  if (command == NULL) {
    return DLS_EXIT_REQUEST;
  }
  if (help) {
    dls_cli_help(stdout, command);
    return DLS_EXIT_DONE;
  }
  return run_command(command, argc - 1, argv + 1);
}

int main(int argc, char **argv)
{
  gsl_set_error_handler_off(); /* GSL's own handler aborts; the library checks what GSL returns */
  dls_cli_catch_signals();
  const int code = close_stdout(dispatch(argc, argv));
  return dls_cli_signal() != 0 ? DLS_EXIT_SIGNAL + dls_cli_signal() : code;
}
