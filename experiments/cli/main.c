/* experiments/cli/main.c -- the tool `delassus`: picks the command.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/command_line.h"
#include "experiments/cli/entries.h"
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
    &dls_cli_list,     &dls_cli_show,     &dls_cli_run,     &dls_cli_compare,     &dls_cli_exact,
    &dls_cli_distance, &dls_cli_order,    &dls_cli_work,    &dls_cli_energy,      &dls_cli_study_file,
    &dls_cli_contact,  &dls_cli_spectrum, &dls_cli_judge,   &dls_cli_verify,      &dls_cli_cite,
    &dls_cli_merge,    &dls_cli_advise,   &dls_cli_lesson,  &dls_cli_check_model, &dls_cli_ledger,
    &dls_cli_gradient, &dls_cli_fit,      &dls_cli_explain, &dls_cli_playground};
enum { COMMAND_COUNT = sizeof commands / sizeof commands[0] };

static const dls_cli_tool tool = {
    .purpose = "Solve one mechanical system with contacts and impacts with many time integrators, and measure\n"
               "against exact solutions how accurate each is and what it costs.\n",
    .examples = "  delassus list\n"
                "  delassus show bouncing-ball\n"
                "  delassus run bouncing-ball --scheme moreau-jean --step 0.01 --plot ball.png\n",
    .commands = commands,
    .command_count = COMMAND_COUNT,
};

static const char *const group_headings[DLS_CLI_GROUPS] = {[DLS_CLI_SIMULATE] = "simulate",
                                                           [DLS_CLI_MEASURE] = "measure",
                                                           [DLS_CLI_LEARN] = "learn",
                                                           [DLS_CLI_KEEP] = "keep"};

/* The names of the commands, a line for each group. */
static void print_names(FILE *out)
{
  dls_cli_rows rows = {.columns = 2};
  dls_error ignored = {0};
  for (dls_cli_group group = DLS_CLI_SIMULATE; group < DLS_CLI_GROUPS; group++) {
    char names[400] = "";
    for (size_t i = 0; i < COMMAND_COUNT; i++) {
      if (commands[i]->group == group) {
        dls_text_append(names, sizeof names, "%s%s", names[0] != '\0' ? ", " : "", commands[i]->name);
      }
    }
    dls_cli_cell(&rows, "%s", group_headings[group]);
    dls_cli_cell(&rows, "%s", names);
  }
  dls_cli_rows_print(&rows, "\ncommands:\n", out, &ignored);
}

/* The commands of a group with their summaries. */
static void print_group(FILE *out, dls_cli_group group)
{
  dls_cli_rows rows = {.columns = 2};
  dls_error ignored = {0};
  char heading[40];
  snprintf(heading, sizeof heading, "\n%s:\n", group_headings[group]);
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    if (commands[i]->group == group) {
      dls_cli_cell(&rows, "%s", commands[i]->name);
      dls_cli_cell(&rows, "%s", commands[i]->summary);
    }
  }
  dls_cli_rows_print(&rows, heading, out, &ignored);
}

static void print_topics(FILE *out)
{
  dls_cli_rows rows = {.columns = 2};
  dls_error ignored = {0};
  for (const dls_cli_topic *t = dls_cli_topics; t->name != NULL; t++) {
    dls_cli_cell(&rows, "%s", t->name);
    dls_cli_cell(&rows, "%s", t->summary);
  }
  dls_cli_rows_print(&rows, "\ntopics of `delassus help`:\n", out, &ignored);
}

static void print_overview(FILE *out, dls_cli_helping how)
{
  static const char *const common[] = {
      "delassus COMMAND -h",    "what a command does, on one screen; --help: every option",
      "delassus help TOPIC",    "a command, a topic, or anything that has a name",
      "delassus -V, --version", "the version",
      "--plugin FILE.so",       "with any command: load models and schemes of your own"};
  fputs("usage: delassus COMMAND ...\n\n", out);
  dls_cli_wrap(out, tool.purpose, 0, 0);
  if (how == DLS_CLI_HELP_SHORT) {
    print_names(out);
  } else {
    for (dls_cli_group group = DLS_CLI_SIMULATE; group < DLS_CLI_GROUPS; group++) {
      print_group(out, group);
    }
    print_topics(out);
  }
  fputc('\n', out);
  dls_cli_table(out, 2, NULL, sizeof common / sizeof common[0] / 2, common);
  fprintf(out, "\nfirst steps:\n%s", tool.examples);
  if (how == DLS_CLI_HELP_ALL) {
    fprintf(out, "\nexit status:\n%s", dls_cli_topic_named("exit-status")->text);
  }
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
  for (size_t i = 0; status == DLS_OK && args.help == DLS_CLI_NO_HELP && i < dls_cli_count(&args, "plugin");
       i++) {
    status = dls_catalogue_load(catalogue, dls_cli_value_at(&args, "plugin", i), &err);
  }
  if (status != DLS_OK) {
    code = dls_cli_fail(command->name, &err);
  } else if (args.help != DLS_CLI_NO_HELP) {
    dls_cli_help(stdout, command, args.help);
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

/* What `help` does not know. */
static int refuse_topic(const char *name)
{
  enum { MOST = COMMAND_COUNT + 20 };
  const char *names[MOST];
  size_t count = 0;
  char topics[200] = "", guess[60];
  for (size_t i = 0; i < COMMAND_COUNT; i++) {
    names[count++] = commands[i]->name;
  }
  for (const dls_cli_topic *t = dls_cli_topics; t->name != NULL && count < MOST; t++) {
    dls_text_append(topics, sizeof topics, "%s%s", t == dls_cli_topics ? "" : ", ", t->name);
    names[count++] = t->name;
  }
  dls_cli_guess(name, names, count, guess, sizeof guess);
  fprintf(stderr,
          "delassus: no help on '%.60s'%s There is help on every command, on all names that `delassus list` "
          "prints, and on "
          "these topics: %s\n",
          name, guess[0] != '\0' ? guess : ".", topics);
  return DLS_EXIT_REQUEST;
}

/* `help NAME`: a command, a topic, a kind of entries, or an entry. */
static int print_help(dls_catalogue *catalogue, const char *name)
{
  const dls_cli_command *command = dls_cli_command_named(&tool, name);
  const dls_cli_topic *topic = dls_cli_topic_named(name);
  if (command != NULL) {
    dls_cli_help(stdout, command, DLS_CLI_HELP_ALL);
    return DLS_EXIT_DONE;
  }
  if (topic != NULL) {
    printf("%s\n\n%s", topic->summary, topic->text);
    return DLS_EXIT_DONE;
  }
  dls_cli_entry entry;
  size_t index = 0;
  bool kind = false;
  for (int k = 0; k < DLS_CLI_KINDS; k++) {
    kind = kind || strcmp(name, dls_cli_kind_plurals[k]) == 0;
  }
  if (kind || dls_cli_entry_named(catalogue, name, &entry, &index)) {
    const dls_cli_command *of_names = kind ? &dls_cli_list : &dls_cli_show;
    char *words[] = {(char *)of_names->name, (char *)name, NULL}; /* as typed */
    return run_command(of_names, catalogue, 2, words);
  }
  return refuse_topic(name);
}

/* What belongs to no command; -1 if it is a command. */
static int run_general(dls_catalogue *catalogue, int argc, char **argv)
{
  const char *first = argc > 1 ? argv[1] : "";
  const bool all = strcmp(first, "--help") == 0 || strcmp(first, "help") == 0,
             screen = strcmp(first, "-h") == 0;
  if (argc < 2 || ((all || screen) && argc == 2)) {
    print_overview(argc < 2 ? stderr : stdout, all ? DLS_CLI_HELP_ALL : DLS_CLI_HELP_SHORT);
    return argc < 2 ? DLS_EXIT_REQUEST : DLS_EXIT_DONE;
  }
  if (strcmp(first, "--version") == 0 || strcmp(first, "-V") == 0) {
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
  return all || screen ? print_help(catalogue, argv[2]) : -1;
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
