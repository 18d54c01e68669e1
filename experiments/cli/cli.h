/* experiments/cli/cli.h -- what the commands of the tool share: the table of a command, its arguments,
 * messages.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_CLI_H
#define DELASSUS_EXPERIMENTS_CLI_CLI_H

#include "common/base/pool.h"
#include "experiments/request/key.h"

#include <delassus/catalogue.h>
#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/study_file.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

/* Exit codes; a signal ends with 128 + its number, 130 for Ctrl-C. */
enum {
  DLS_EXIT_DONE = 0,
  DLS_EXIT_FAILED = 1,
  DLS_EXIT_REQUEST = 2,
  DLS_EXIT_UNMET = 3,  /* with --strict: the command finished, and a check does not hold */
  DLS_EXIT_AGAIN = 75, /* --time-limit is over: started again, it resumes. EX_TEMPFAIL of sysexits.h */
  DLS_EXIT_SIGNAL = 128
};

/* One option of a command. Those of a request stand in the table of keys (experiments/request/key.h); a command has a table of
 * its own for others, which ends with {0}. --help belongs to every command. */
typedef struct dls_cli_option {
  const char *name;     /* without the dashes */
  const char *argument; /* what follows it, for the help; NULL for a switch */
  const char *help;
  bool repeat;    /* may be given several times */
  bool needed;    /* stands in the synopsis without brackets */
  dls_key_id key; /* of the request; 0: none */
} dls_cli_option;

typedef struct dls_cli_args dls_cli_args;
struct dls_request; /* experiments/request/request.h */

/* What commands are for: the overview lists them in this order. */
typedef enum dls_cli_group {
  DLS_CLI_SIMULATE = 1,
  DLS_CLI_MEASURE,
  DLS_CLI_LEARN,
  DLS_CLI_KEEP,
  DLS_CLI_GROUPS
} dls_cli_group;

/* How much help is asked for. */
typedef enum dls_cli_helping { DLS_CLI_NO_HELP, DLS_CLI_HELP_SHORT, DLS_CLI_HELP_ALL } dls_cli_helping;

/* A command is one file and one line in main.c. */
typedef struct dls_cli_command {
  const char *name, *synopsis, *summary; /* key; what follows it before the options; one line */
  dls_cli_group group;
  const char *text;                     /* for --help; lines end with \n */
  const char *page;                     /* of the handbook: its path in docs/, without .md */
  const char *examples;                 /* lines end with \n */
  const dls_cli_option *options;        /* of its own; NULL: none */
  unsigned keys;                        /* bits: which keys of a request are options of it */
  size_t least, most;                   /* number of positional arguments */
  int (*run)(const dls_cli_args *args); /* returns the exit code */
  /* In place of it, for commands that a study file can ask for too: perform a request, leave what was made in the results.
   * Returns the exit code. */
  dls_study_kind kind;
  int (*perform)(const struct dls_request *request, dls_study_results *results);
} dls_cli_command;

enum { DLS_CLI_MOST_OPTIONS = 64 };
/* The options of a command: its own, those of the request with --plugin, --help. @return their number */
size_t dls_cli_options(const dls_cli_command *command, dls_cli_option options[DLS_CLI_MOST_OPTIONS]);
/* What follows the name of a command: positional arguments and options. @param[in] needed  no others than what must be given
 * @return text to be freed; NULL if there is no memory */
char *dls_cli_synopsis(const dls_cli_command *command, bool needed);

extern const dls_cli_command dls_cli_list, dls_cli_show, dls_cli_run, dls_cli_exact, dls_cli_distance,
    dls_cli_order, dls_cli_work, dls_cli_energy, dls_cli_compare, dls_cli_study_file, dls_cli_contact,
    dls_cli_spectrum, dls_cli_judge, dls_cli_verify, dls_cli_cite, dls_cli_merge, dls_cli_advise,
    dls_cli_lesson, dls_cli_check_model, dls_cli_ledger, dls_cli_gradient, dls_cli_fit, dls_cli_explain,
    dls_cli_playground;

/* --- arguments (args.c) --- */

typedef struct dls_cli_given {
  dls_cli_option option;
  const char *value; /* "" for a switch */
} dls_cli_given;

struct dls_cli_args {
  const dls_cli_command *command;
  dls_catalogue *catalogue; /* every name that the command line says is looked up here */
  dls_cli_given *given;     /* in the order of the command line */
  size_t given_count;
  char **positional;
  size_t positional_count;
  dls_cli_helping help; /* with help nothing else counts */
  bool merges;          /* the parts of the study are there: see `merge` */
};

/* Read argv[1..]; argv[0] is the command's name. The strings stay argv's. @return DLS_ERR_ARG, DLS_ERR_MEMORY
 */
dls_status dls_cli_parse(const dls_cli_command *command, int argc, char **argv, dls_cli_args *out,
                         dls_error *err);
void dls_cli_args_release(dls_cli_args *args);
/* Value of an option, NULL if it was not given; "" for a switch. */
const char *dls_cli_value(const dls_cli_args *args, const char *name);
/* Number of times that an option was given, and the value at one of them. */
size_t dls_cli_count(const dls_cli_args *args, const char *name);
const char *dls_cli_value_at(const dls_cli_args *args, const char *name, size_t index);
/* *value := the option's number > 0 if it was given. @return DLS_ERR_PARSE, DLS_ERR_ARG */
dls_status dls_cli_positive(const dls_cli_args *args, const char *name, double *value, dls_error *err);
/* The same for an integer in [min, max]. */
dls_status dls_cli_integer(const dls_cli_args *args, const char *name, double min, double max, double *value,
                           dls_error *err);
/* Position of the option's value among count choices, 0 if it was not given. @return DLS_ERR_OPTION */
dls_status dls_cli_choice(const dls_cli_args *args, const char *name, const char *const *choices, size_t count,
                          size_t *value, dls_error *err);
/* Exit code of a command that finished and whose check does not hold. @param otherwise  without --strict */
int dls_cli_unmet(const dls_cli_args *args, int otherwise);
/* A model with its parameters, defaults changed by every --set, its files read and its law by --law; to be released, on failure
 * too. */
dls_status dls_cli_model(const dls_cli_args *args, const dls_model *model, dls_model_choice *out,
                         dls_error *err);
/* Cut text at every sep; *out is an array of count strings in one block that the caller frees. An empty field
 * is an error. */
dls_status dls_cli_split(const char *what, const char *text, char sep, char ***out, size_t *count,
                         dls_error *err);

/* Look whether a file could be written: a wrong request if not. NULL and "-" are fine. @return DLS_ERR_ARG */
dls_status dls_cli_check_output(const char *path, dls_error *err);

/* The same for a picture, which also needs what draws it. */
dls_status dls_cli_check_picture(const char *path, dls_error *err);

/* What prevents results from being written is a wrong request if it is found before anything has been computed, unless it
 * is a want of memory. @return DLS_ERR_ARG or DLS_ERR_MEMORY, now err's status too */
dls_status dls_cli_refuse(dls_error *err);

/* --- messages (args.c) --- */

/* Has a message been printed? */
bool dls_cli_messaged(void);
/* How often has dls_cli_fail reported that there was no memory? */
size_t dls_cli_out_of_memory(void);
/* A picture was drawn, or why it is missing. @return status */
dls_status dls_cli_drawn(const char *path, dls_status status);
/* File names of the pictures that are missing since the last call: "a.svg, b.svg", or "". Valid up to the next call. */
const char *dls_cli_missing_pictures(void);
/* "delassus COMMAND: text" on stderr. */
void dls_cli_message(const char *command, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print err and return the exit code that goes with its status. */
int dls_cli_fail(const char *command, const dls_error *err);
/* What becomes of the exit code with one more output, whose failure is printed: all outputs of a command are tried. */
int dls_cli_written(const char *command, dls_status status, const dls_error *err, int code);
/* "; did you mean 'near'?" or "", for the end of a message about a name that is unknown. */
void dls_cli_guess(const char *name, const char *const *names, size_t count, char *text, size_t size);
/* The exit code for a status: 0 done, 2 for a wrong request, 1 for the rest. */
int dls_cli_exit_code(dls_status status);

/* --- text (text.c): everything stays within DLS_CLI_WIDTH columns, and within those of a terminal that has fewer --- */

enum { DLS_CLI_WIDTH = 96 };

/* Words of text from column `column` on, later lines indented by `indent`; ends the line. */
void dls_cli_wrap(FILE *out, const char *text, size_t column, size_t indent);
/* Rows of cells, aligned; the last column is wrapped. headers may be NULL; cells are rows x columns. */
void dls_cli_table(FILE *out, size_t columns, const char *const *headers, size_t rows,
                   const char *const *cells);
/* The same for a table that grows cell by cell. Begin with columns and headers, the rest zero. */
typedef struct dls_cli_rows {
  size_t columns;
  const char *const *headers; /* NULL: none */
  dls_pool pool;
  const char **cells;
  size_t count, room;
} dls_cli_rows;
void dls_cli_cell(dls_cli_rows *rows, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Print it below its heading (lines that end with \n), and release it. @return DLS_ERR_MEMORY: then nothing is printed */
dls_status dls_cli_rows_print(dls_cli_rows *rows, const char *heading, FILE *out, dls_error *err);
/* The page for --help, or the screen for -h. */
void dls_cli_help(FILE *out, const dls_cli_command *command, dls_cli_helping how);

#endif
