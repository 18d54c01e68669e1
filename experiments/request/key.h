/* experiments/request/key.h -- one table of everything that a request can be asked for: its name in a study file, its option on
 * the command line, who has it, and how its value is read. Study files, command lines, help, manual pages, completion and the
 * commands that are printed walk this table.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_KEY_H
#define DELASSUS_EXPERIMENTS_KEY_H

#include <delassus/study_file.h>

/* Keys in the order in which they are read: what a later one is checked against comes first. */
typedef enum dls_key_id {
  /* in study files, most of them on the command line too */
  DLS_KEY_KIND,
  DLS_KEY_NAME,
  DLS_KEY_TITLE,
  DLS_KEY_SOURCE,
  DLS_KEY_CAPTION,
  DLS_KEY_FOLDER,
  DLS_KEY_MODEL,
  DLS_KEY_GRAVITY,
  DLS_KEY_BODIES,
  DLS_KEY_JOINTS,
  DLS_KEY_SPRINGS,
  DLS_KEY_CONTACTS,
  DLS_KEY_PARAMETERS,
  DLS_KEY_LAW,
  DLS_KEY_EXTERNAL,
  DLS_KEY_MAP,
  DLS_KEY_BETWEEN,
  DLS_KEY_EXTERNAL_LIMIT,
  DLS_KEY_SCHEMES,
  DLS_KEY_END,
  DLS_KEY_STEP,
  DLS_KEY_STEPS,
  DLS_KEY_TOLERANCES,
  DLS_KEY_AGAINST,
  DLS_KEY_TIMINGS,
  DLS_KEY_NORMS,
  DLS_KEY_OF,
  DLS_KEY_BY,
  DLS_KEY_RANGE,
  DLS_KEY_SIGMA,
  DLS_KEY_UNTIL,
  DLS_KEY_DATA,
  DLS_KEY_LEVEL,
  DLS_KEY_STARTS,
  DLS_KEY_ITERATIONS,
  DLS_KEY_TOL,
  DLS_KEY_METHOD,
  DLS_KEY_AT,
  DLS_KEY_DAMPING,
  DLS_KEY_FREQUENCY,
  DLS_KEY_IMPACT,
  DLS_KEY_OVER,
  DLS_KEY_CYCLE,
  DLS_KEY_DRIFT,
  DLS_KEY_SWEEP,
  DLS_KEY_CURVES,
  DLS_KEY_FROM,
  DLS_KEY_START_TOLERANCE,
  DLS_KEY_PROJECT_START,
  DLS_KEY_HALVE,
  DLS_KEY_REFERENCE,
  DLS_KEY_CHECK_REFERENCE,
  DLS_KEY_TANGENT,
  DLS_KEY_REPEATS,
  DLS_KEY_SEED,
  DLS_KEY_PICTURES,
  DLS_KEY_STYLE,
  DLS_KEY_SIZE,
  DLS_KEY_KEY_PLACE,
  DLS_KEY_EXPECT,
  DLS_KEY_FILE_END, /* a row without name: the end of what study files have */
  /* on the command line only */
  DLS_KEY_LOCAL,
  DLS_KEY_COLUMNS,
  DLS_KEY_SENSITIVITY,
  DLS_KEY_EVERY,
  DLS_KEY_TIMES,
  DLS_KEY_MAX_ROWS,
  DLS_KEY_OUT,
  DLS_KEY_PLOT,
  DLS_KEY_ANIMATE,
  DLS_KEY_REPORT,
  DLS_KEY_PROBLEMS,
  DLS_KEY_STATS,
  DLS_KEY_LEVELS,
  DLS_KEY_RESUME,
  DLS_KEY_OVERWRITE,
  DLS_KEY_SHARD,
  DLS_KEY_TIME_LIMIT,
  DLS_KEY_JOBS,
  DLS_KEY_STRICT,
  DLS_KEY_ALLOW_RUN,
  DLS_KEY_PROGRESS,
  DLS_KEY_PLUGIN,
  DLS_KEY_COUNT
} dls_key_id;

/* Bits of commands beside the kinds of studies (dls_study_kind; DLS_STUDY_LOCAL is `order --local`). */
enum {
  DLS_COMMAND_ADVISE = 1 << 8,
  DLS_COMMAND_JUDGE = 1 << 9,
  DLS_COMMAND_EXACT = 1 << 10,
  DLS_COMMAND_DISTANCE = 1 << 11,
  DLS_COMMAND_CHECK_MODEL = 1 << 12,
  DLS_COMMAND_STUDY = 1 << 13,
  DLS_COMMAND_MERGE = 1 << 14,
  DLS_COMMAND_VERIFY = 1 << 15,
  DLS_COMMAND_CONTACT = 1 << 16,
  DLS_COMMAND_LESSON = 1 << 17,
  DLS_COMMAND_LEDGER = 1 << 18,
  DLS_COMMAND_ANY = 1 << 19, /* of every command */
  DLS_COMMAND_GRADIENT = 1 << 20,
  DLS_COMMAND_EXPLAIN = 1 << 22,
  DLS_COMMAND_PLAYGROUND = 1 << 23
};

/* What an option does to results. A file that is not trusted (command.txt in the folder of a part, or a line `# command:`) may not
 * set options whose effect is OTHER. The line `# command:` holds the options that define its rows. */
typedef enum dls_key_effect {
  DLS_KEY_EFFECT_OTHER,     /* it writes files, loads code, or concerns only how a command runs */
  DLS_KEY_EFFECT_COMPUTES,  /* it defines the rows of a result */
  DLS_KEY_EFFECT_SHOWS,     /* it defines pictures only */
  DLS_KEY_EFFECT_SHOWS_RUN, /* of one run it defines what is drawn or printed, of a sweep the rows */
  DLS_KEY_EFFECT_PROGRAM    /* it defines the rows, and programs that are started: needs --allow-run */
} dls_key_effect;

/* A key as option of commands. The array of a key ends with {0}; a command has at most one of its rows. */
typedef struct dls_key_option {
  unsigned commands;    /* bits */
  const char *argument; /* what follows the option; NULL: a switch */
  const char *help;     /* NULL: that of the key */
  bool repeat;          /* may be given several times */
  bool needed;          /* stands in the synopsis without brackets */
} dls_key_option;

struct dls_study_reader;
struct dls_yaml_node;

/* How a value is read: by a function, or into the member of the request that is at `offset`. */
typedef struct dls_key_type {
  enum {
    DLS_TYPE_READ,     /* by `read` */
    DLS_TYPE_TEXT,     /* const char * */
    DLS_TYPE_POSITIVE, /* double > 0 */
    DLS_TYPE_NUMBER,   /* double; checked with others later */
    DLS_TYPE_COUNT,    /* size_t in [low, high] */
    DLS_TYPE_CHOICE,   /* position among `words`, an int */
    DLS_TYPE_SWITCH    /* bool; yes or no in a file */
  } kind;
  void (*read)(struct dls_study_reader *r, const struct dls_yaml_node *node);
  size_t offset;
  double low, high;
  const char *const *words; /* ends with NULL; for completion also of keys that are read by a function */
  bool absent;              /* `read` is also called, with NULL, where the key is not given */
} dls_key_type;

/* What belongs to a row of the table beside what is public. */
struct dls_key_private {
  const char *option;  /* without dashes; NULL: in files only */
  const char *example; /* of its value, on the command line; or NULL */
  char separator;      /* of the fields of its value on the command line; 0: it has none */
  dls_key_effect effect;
  const dls_key_option *options; /* NULL: none */
  dls_key_type type;
};

/* Row of a key; its name is that of the option for keys of the command line only. */
const dls_study_key *dls_key(dls_key_id id);
/* The row that an option has for a command; NULL: the command has no such option. */
static inline const dls_key_option *dls_key_option_of(const dls_study_key *key, unsigned command)
{
  const dls_key_option *option = key->name != NULL ? key->more->options : NULL;
  while (option != NULL && option->commands != 0 && (option->commands & command) == 0) {
    option++;
  }
  return option != NULL && option->commands != 0 ? option : NULL;
}
/* The key of an option of a command, whose name has `length` characters; DLS_KEY_COUNT if there is none. */
dls_key_id dls_key_find(unsigned command, const char *option, size_t length);
/* Help of an option for a command. */
static inline const char *dls_key_help(const dls_study_key *key, unsigned command)
{
  const dls_key_option *option = dls_key_option_of(key, command);
  return option->help != NULL ? option->help : key->help;
}
/* May an untrusted file set this option? */
dls_key_effect dls_key_effect_of(const char *option, size_t length);

#endif
