/* experiments/cli/main.c -- the tool `delassus`: picks the command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "experiments/cli/progress.h"
#include "experiments/cli/tool.h"
#include "experiments/show/gnuplot_session.h"

#include "common/base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <gsl/gsl_errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const dls_cli_command *const commands[] = {
    &dls_cli_list,     &dls_cli_show,     &dls_cli_run,    &dls_cli_compare,     &dls_cli_exact,
    &dls_cli_distance, &dls_cli_order,    &dls_cli_work,   &dls_cli_energy,      &dls_cli_study_file,
    &dls_cli_contact,  &dls_cli_spectrum, &dls_cli_judge,  &dls_cli_verify,      &dls_cli_cite,
    &dls_cli_merge,    &dls_cli_advise,   &dls_cli_lesson, &dls_cli_check_model, &dls_cli_ledger,
    &dls_cli_gradient};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const dls_cli_tool tool = {
    .purpose = "Solve one mechanical system with contacts and impacts with many time integrators, and measure\n"
               "against exact solutions how accurate each is and what it costs.\n",
    .examples = "  delassus list\n"
                "  delassus show bouncing-ball\n"
                "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --plot ball.png\n",
    .conventions = "Exit status: 0 done; 1 failed while running; 2 the request is wrong; 3 with\n"
                   "--strict: a check does not hold; 75 not finished within --time-limit; 130 interrupted.\n"
                   "Results go to standard output or to the files asked for, messages to standard error.\n",
    .commands = commands,
    .command_count = COMMAND_COUNT,
};

static void print_overview(FILE *out)
{
  const char *cells[2 * COMMAND_COUNT];
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    cells[2 * i] = commands[i]->name;
    cells[2 * i + 1] = commands[i]->summary;
  }
  static const char *const common[] = {
      "delassus COMMAND --help", "what a command does, its options, examples",
      "delassus --version",      "the version",
      "--plugin FILE.so",        "with any command: load models and schemes of your own"};
  fputs("usage: delassus COMMAND ...\n\n", out);
  dls_cli_wrap(out, tool.purpose, 0, 0);
  fputs("\ncommands:\n", out);
  dls_cli_table(out, 2, NULL, COMMAND_COUNT, cells);
  fputc('\n', out);
  dls_cli_table(out, 2, NULL, sizeof common / sizeof common[0] / 2, common);
  fprintf(out, "\nfirst steps:\n%s\n", tool.examples);
  dls_cli_wrap(out, tool.conventions, 0, 0);
}

static const dls_cli_command *find_command(const char *name)
{
  const dls_cli_command *command = dls_cli_command_named(&tool, name);
  if (command != NULL) {
    return command;
  }
  const char *names[COMMAND_COUNT];
  char list[200] = "";
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    names[i] = commands[i]->name;
    dls_text_append(list, sizeof list, "%s%s", i == 0 ? "" : ", ", names[i]);
  }
  char guess[60];
  dls_cli_guess(name, names, COMMAND_COUNT, guess, sizeof guess);
  fprintf(stderr, "delassus: unknown %s '%.60s'%s The commands are: %s (`delassus --help`)\n",
          name[0] == '-' ? "option" : "command", name, guess[0] != '\0' ? guess : ".", list);
  return NULL;
}

static int run_command(const dls_cli_command *command, dls_catalogue *catalogue, int argc, char **argv)
{
  dls_cli_args args;
  dls_error err = {0};
  int code = DLS_EXIT_DONE;
  const dls_status parsed = dls_cli_parse(command, argc, argv, &args, &err);
  dls_status status = parsed;
  args.catalogue = catalogue;
  for (size_t i = 0; status == DLS_OK && !args.help && i < dls_cli_count(&args, "plugin"); i++) {
    status = dls_catalogue_load(catalogue, dls_cli_value_at(&args, "plugin", i), &err);
  }
  if (status != DLS_OK) {
    code = dls_cli_fail(command->name, &err);
  } else if (args.help) {
    dls_cli_help(stdout, command);
  } else {
    dls_gnuplot_session_open();
    code = command->perform != NULL ? dls_cli_perform(&args) : command->run(&args);
    dls_gnuplot_session_close();
  }
  if (dls_cli_signal() != 0 && !dls_cli_messaged()) {
    dls_cli_message(command->name, "interrupted");
  }
  if (parsed != DLS_OK) {
    fprintf(stderr, "`delassus %s --help` explains it\n", command->name);
  }
  dls_cli_args_release(&args);
  return code;
}

/* --plugin FILE before the command; *skipped words were read. */
static dls_status load_leading(dls_catalogue *catalogue, int argc, char **argv, int *skipped, dls_error *err)
{
  static const char with_value[] = "--plugin=";
  const size_t length = strlen(with_value);
  dls_status status = DLS_OK;
  int i = 1;
  while (i < argc && status == DLS_OK) {
    const bool joined = strncmp(argv[i], with_value, length) == 0;
    if (!joined && strcmp(argv[i], "--plugin") != 0) {
      break;
    }
    const char *value = joined ? argv[i] + length : argv[++i];
    status = value == NULL ? dls_fail(err, DLS_ERR_ARG, "--plugin needs a value: --plugin FILE.so")
                           : dls_catalogue_load(catalogue, value, err);
    i++;
  }
  *skipped = i - 1;
  return status;
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

static int print_manual(const char *name)
{
  const dls_cli_command *command = name != NULL ? find_command(name) : NULL;
  if (name != NULL && command == NULL) {
    return DLS_EXIT_REQUEST;
  }
  dls_cli_manual(stdout, &tool, command);
  return DLS_EXIT_DONE;
}

/* What belongs to no command; -1 if it is a command. */
static int run_general(dls_catalogue *catalogue, int argc, char **argv)
{
  const char *first = argc > 1 ? argv[1] : "";
  const bool help = strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0;
  if (argc < 2 || (help && argc == 2)) {
    print_overview(argc < 2 ? stderr : stdout);
    return argc < 2 ? DLS_EXIT_REQUEST : DLS_EXIT_DONE;
  }
  if (strcmp(first, "--version") == 0) {
    printf("delassus %s\n", DLS_VERSION);
    return DLS_EXIT_DONE;
  }
  if (strcmp(first, "--man") == 0) { /* for the build, which makes the manual pages */
    return print_manual(argv[2]);
  }
  if (strcmp(first, "--complete") == 0) { /* for the shell's completion */
    if (argc > 3) {
      dls_cli_complete(stdout, &tool, catalogue, (size_t)argc - 2, argv + 2);
    }
    return DLS_EXIT_DONE;
  }
  const dls_cli_command *command = help ? find_command(argv[2]) : NULL;
  if (command != NULL) {
    dls_cli_help(stdout, command);
    return DLS_EXIT_DONE;
  }
  return help ? DLS_EXIT_REQUEST : -1;
}

static int dispatch(dls_catalogue *catalogue, int argc, char **argv)
{
  dls_error err = {0};
  int skipped = 0;
  if (load_leading(catalogue, argc, argv, &skipped, &err) != DLS_OK) {
    fprintf(stderr, "delassus: %s\n", err.text);
    return dls_cli_exit_code(err.status);
  }
  argc -= skipped;
  argv += skipped;
  const int code = run_general(catalogue, argc, argv);
  if (code >= 0) {
    return code;
  }
  const dls_cli_command *command = find_command(argv[1]);
  return command == NULL ? DLS_EXIT_REQUEST : run_command(command, catalogue, argc - 1, argv + 1);
}

/* A file that is opened where a standard stream is closed would get what is meant for that. What is put in its place is
 * open the wrong way round, so that a result that is written there is noticed. */
static bool fill_descriptors(void)
{
  const int modes[] = {O_WRONLY, O_RDONLY, O_RDONLY};
  bool filled = true;
  for (int i = 0; i < 3; i++) {
    if (fcntl(i, F_GETFD) == -1 && errno == EBADF) {
      filled = open("/dev/null", modes[i]) == i && filled;
    }
  }
  return filled;
}

int main(int argc, char **argv)
{
  if (!fill_descriptors()) {
    return DLS_EXIT_FAILED; /* there is nowhere to say it */
  }
  gsl_set_error_handler_off(); /* GSL's own handler aborts; the library checks what GSL returns */
  dls_cli_catch_signals();
  dls_catalogue *catalogue = NULL;
  dls_error err = {0};
  int code = DLS_EXIT_FAILED;
  if (dls_catalogue_create(&catalogue, &err) == DLS_OK) {
    code = close_stdout(dispatch(catalogue, argc, argv));
  } else {
    fprintf(stderr, "delassus: %s\n", err.text);
  }
  dls_catalogue_destroy(catalogue);
  return dls_cli_signal() != 0 ? DLS_EXIT_SIGNAL + dls_cli_signal() : code;
}
