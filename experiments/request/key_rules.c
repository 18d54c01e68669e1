/* experiments/request/key_rules.c -- the table of rules about which keys go together.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/request/reader.h"

#include <string.h>

enum {
  MOST_KEYS = 7, /* in one list of a rule */
  MODELS = DLS_STUDY_ALL & ~DLS_STUDY_SPECTRUM,
  RUN = DLS_STUDY_RUN,
  COMPARE = DLS_STUDY_COMPARE,
  ENERGY = DLS_STUDY_ENERGY,
  ERRORS = DLS_STUDY_ORDER | DLS_STUDY_WORK,
  LOCAL = DLS_STUDY_LOCAL,
  GRIDS = RUN | ENERGY | ERRORS | LOCAL, /* over one parameter or two */
  PARTS = RUN | ENERGY | ERRORS,         /* with a journal */
  EVERY_REQUEST = -1
};

/* Conditions on values. */

static bool skips_nodes(const dls_request *r)
{
  return r->recording.every > 1;
}

static bool starts_late(const dls_request *r)
{
  return r->sweep.from != 0;
}

static bool draws_characters(const dls_request *r)
{
  return r->form.style != DLS_PLOT_SCREEN && r->plot != NULL && strcmp(r->plot, "-") == 0;
}

static bool asks_for_limit(const dls_request *r)
{
  return r->spec.reference == DLS_REFERENCE_LIMIT;
}

/* A request that has one of `keys` must have one of `needs`, and none of `excludes`. Lists end with 0, which is DLS_KEY_KIND. */
typedef struct key_rule {
  enum {
    LINE = 1,
    FILES = 2,
    BOTH = LINE | FILES,
    OWN = 4,   /* in files not for keys that several studies share */
    QUOTES = 8 /* the message quotes the value, and is reported where that stands */
  } where;
  unsigned requests; /* bits: kinds of studies, commands */
  dls_key_id keys[MOST_KEYS], needs[MOST_KEYS], excludes[MOST_KEYS];
  bool (*when)(const dls_request *r); /* NULL: always */
  const char *message;                /* its arguments: the key, its value, the value of the excluded key */
} key_rule;

#define KEYS(...)                                                                                              \
  {                                                                                                            \
    __VA_ARGS__                                                                                                \
  }
#define NEEDS(where, requests, keys, one_of, when, message)                                                    \
  {                                                                                                            \
    where, requests, keys, one_of, {0}, when, message                                                          \
  }
#define EXCLUDES(where, requests, keys, others, when, message)                                                 \
  {                                                                                                            \
    where, requests, keys, {0}, others, when, message                                                          \
  }

/* On a command line the first message is printed. */
static const key_rule rules[] = {
    /* a mechanism */
    EXCLUDES(FILES, MODELS, KEYS(DLS_KEY_BODIES), KEYS(DLS_KEY_MODEL), NULL,
             "model and bodies are both given: one of them is enough"),
    NEEDS(FILES, MODELS, KEYS(DLS_KEY_GRAVITY, DLS_KEY_JOINTS, DLS_KEY_SPRINGS, DLS_KEY_CONTACTS),
          KEYS(DLS_KEY_BODIES), NULL, "%s is of no use without bodies"),
    /* external programs */
    NEEDS(FILES, ERRORS | COMPARE, KEYS(DLS_KEY_MAP, DLS_KEY_BETWEEN, DLS_KEY_EXTERNAL_LIMIT),
          KEYS(DLS_KEY_EXTERNAL), NULL,
          "%s is of no use without external, the programs whose tables it is about"),
    NEEDS(LINE, ERRORS | LOCAL | COMPARE, KEYS(DLS_KEY_MAP, DLS_KEY_BETWEEN, DLS_KEY_EXTERNAL_LIMIT),
          KEYS(DLS_KEY_EXTERNAL), NULL, "--%s goes with --external NAME=COMMAND, whose tables it is about"),
    /* what is drawn and recorded */
    NEEDS(FILES | OWN, RUN, KEYS(DLS_KEY_OF), KEYS(DLS_KEY_OVER, DLS_KEY_SWEEP), NULL,
          "of goes with over in a study of kind run: columns that are drawn over another"),
    NEEDS(BOTH | QUOTES, RUN, KEYS(DLS_KEY_DRIFT), KEYS(DLS_KEY_CYCLE), NULL,
          "%s = %.60s goes with cycle, the event that returns"),
    NEEDS(LINE, RUN, KEYS(DLS_KEY_TANGENT), KEYS(DLS_KEY_SENSITIVITY), NULL,
          "--%s goes with --sensitivity P,Q, the parameters of the derivatives"),
    EXCLUDES(
        LINE, RUN, KEYS(DLS_KEY_SENSITIVITY), KEYS(DLS_KEY_EVERY, DLS_KEY_CYCLE, DLS_KEY_SWEEP), NULL,
        "--%s = %.60s does not go with every, cycle and sweep: derivatives belong to the nodes of one run"),
    EXCLUDES(LINE, EVERY_REQUEST, KEYS(DLS_KEY_EVERY), KEYS(DLS_KEY_TIMES), skips_nodes,
             "--%s = %s and --at = %.80s do not go together: nodes, or times"),
    EXCLUDES(LINE, DLS_COMMAND_EXACT, KEYS(DLS_KEY_PLOT), KEYS(DLS_KEY_TIMES), NULL,
             "--%s = %.100s draws the whole motion on [0, T]: it does not go with --at"),
    EXCLUDES(LINE, EVERY_REQUEST, KEYS(DLS_KEY_STYLE), KEYS(DLS_KEY_PLOT), draws_characters,
             "--%s = %s is for files: --plot - draws characters in the terminal"),
    NEEDS(LINE, PARTS, KEYS(DLS_KEY_SHARD), KEYS(DLS_KEY_OUT), NULL,
          "--%s needs --out DIR, the folder where all parts of the study are kept"),
    /* sweeps */
    NEEDS(FILES | OWN, RUN, KEYS(DLS_KEY_FROM), KEYS(DLS_KEY_SWEEP), NULL,
          "%s goes with sweep, the parameter that run is repeated over"),
    NEEDS(
        LINE, RUN,
        KEYS(DLS_KEY_JOBS, DLS_KEY_RESUME, DLS_KEY_OVERWRITE, DLS_KEY_SHARD, DLS_KEY_TIME_LIMIT, DLS_KEY_FROM),
        KEYS(DLS_KEY_SWEEP), NULL, "--%s goes with --sweep, the parameter that run is repeated over"),
    NEEDS(LINE, RUN, KEYS(DLS_KEY_PICTURES), KEYS(DLS_KEY_SWEEP), NULL,
          "--%s goes with --sweep; --plot FILE.svg draws one run"),
    NEEDS(LINE, ENERGY,
          KEYS(DLS_KEY_JOBS, DLS_KEY_RESUME, DLS_KEY_OVERWRITE, DLS_KEY_SHARD, DLS_KEY_TIME_LIMIT),
          KEYS(DLS_KEY_SWEEP), NULL, "--%s goes with --sweep, the parameter that energy is repeated over"),
    NEEDS(BOTH, COMPARE, KEYS(DLS_KEY_CURVES), KEYS(DLS_KEY_SWEEP), NULL,
          "%s goes with sweep, the parameter that is drawn over"),
    NEEDS(BOTH, COMPARE, KEYS(DLS_KEY_FROM), KEYS(DLS_KEY_SWEEP), starts_late,
          "%s goes with sweep, the parameter that is drawn over"),
    EXCLUDES(BOTH | QUOTES, COMPARE, KEYS(DLS_KEY_OVER), KEYS(DLS_KEY_SWEEP), NULL,
             "%s = %.60s does not go with sweep"),
    EXCLUDES(LINE, COMPARE, KEYS(DLS_KEY_EVERY), KEYS(DLS_KEY_SWEEP), skips_nodes,
             "a sweep looks at every node: every and at do not go with it"),
    EXCLUDES(LINE, COMPARE, KEYS(DLS_KEY_TIMES), KEYS(DLS_KEY_SWEEP), NULL,
             "a sweep looks at every node: every and at do not go with it"),
    EXCLUDES(BOTH, GRIDS, KEYS(DLS_KEY_OVER), KEYS(DLS_KEY_SWEEP), NULL,
             "sweep does not go with over, which draws one run"),
    EXCLUDES(BOTH, GRIDS, KEYS(DLS_KEY_CYCLE), KEYS(DLS_KEY_SWEEP), NULL, "sweep does not go with cycle"),
    EXCLUDES(LINE, GRIDS, KEYS(DLS_KEY_COLUMNS), KEYS(DLS_KEY_SWEEP), NULL,
             "sweep does not go with columns; of says what is kept"),
    EXCLUDES(LINE, GRIDS, KEYS(DLS_KEY_ANIMATE, DLS_KEY_PROBLEMS, DLS_KEY_LOCAL), KEYS(DLS_KEY_SWEEP), NULL,
             "sweep does not go with %s"),
    EXCLUDES(LINE, GRIDS, KEYS(DLS_KEY_EVERY), KEYS(DLS_KEY_SWEEP), skips_nodes,
             "sweep does not go with every and at: it looks at every node"),
    EXCLUDES(LINE, GRIDS, KEYS(DLS_KEY_TIMES), KEYS(DLS_KEY_SWEEP), NULL,
             "sweep does not go with every and at: it looks at every node"),
    NEEDS(LINE, COMPARE, KEYS(DLS_KEY_MODEL), KEYS(DLS_KEY_PLOT, DLS_KEY_OUT, DLS_KEY_REPORT), NULL,
          "--plot is missing: the picture to make, e.g. --plot compare.png, or --out DIR for the "
          "trajectories, or --report FILE.html"),
    /* limit models: every request has a model */
    EXCLUDES(BOTH | QUOTES, DLS_STUDY_WORK | DLS_COMMAND_ADVISE | DLS_COMMAND_JUDGE, KEYS(DLS_KEY_REFERENCE),
             KEYS(DLS_KEY_MODEL), asks_for_limit, "%s = %.60s goes with order: errors over the step"),
    EXCLUDES(BOTH | QUOTES, ERRORS, KEYS(DLS_KEY_REFERENCE), KEYS(DLS_KEY_SWEEP), asks_for_limit,
             "%s = %.60s does not go with sweep"),
    /* folders that are resumed, and their parts */
    EXCLUDES(LINE, PARTS | DLS_COMMAND_STUDY, KEYS(DLS_KEY_RESUME), KEYS(DLS_KEY_OVERWRITE), NULL,
             "--resume and --overwrite exclude each other"),
    EXCLUDES(LINE, PARTS, KEYS(DLS_KEY_TIME_LIMIT), KEYS(DLS_KEY_OVERWRITE), NULL,
             "--time-limit and --overwrite exclude each other: started again, the study would start from "
             "the beginning"),
    NEEDS(LINE, PARTS, KEYS(DLS_KEY_TIME_LIMIT), KEYS(DLS_KEY_OUT), NULL,
          "--%s needs --out DIR, the folder where finished runs are kept"),
    NEEDS(LINE, PARTS, KEYS(DLS_KEY_RESUME, DLS_KEY_OVERWRITE), KEYS(DLS_KEY_OUT), NULL,
          "--%s needs --out DIR, the folder with the study that was interrupted"),
};

/* The first value that is given for one of the keys; NULL: there is none. */
static const dls_yaml_node *first_value(const dls_study_reader *r, const dls_key_id keys[MOST_KEYS])
{
  const dls_yaml_node *value = NULL;
  for (size_t i = 0; i < MOST_KEYS && keys[i] != 0 && value == NULL; i++) {
    value = r->values[keys[i]];
  }
  return value;
}

/* A request of which only some possible kinds are known must break the rule with each of them. */
static bool concerns(const dls_study_reader *r, const key_rule *rule)
{
  return r->line ? (rule->where & LINE) != 0 && (rule->requests & r->command & ~(unsigned)DLS_COMMAND_ANY) != 0
                 : (rule->where & FILES) != 0 && (rule->requests & r->kinds) == r->kinds;
}

static void check_rule(dls_study_reader *r, const key_rule *rule)
{
  const dls_yaml_node *excluded = first_value(r, rule->excludes);
  const bool kept = rule->needs[0] != 0 ? first_value(r, rule->needs) != NULL : excluded == NULL;
  if (kept || (rule->when != NULL && !rule->when(r->request))) {
    return;
  }
  for (size_t i = 0; i < MOST_KEYS && rule->keys[i] != 0; i++) {
    const dls_study_key *key = &r->keys[rule->keys[i]];
    const dls_yaml_node *node = r->values[rule->keys[i]];
    if (node != NULL && ((rule->where & OWN) == 0 || dls_study_is_own(r, node, rule->keys[i]))) {
      dls_study_report(r, (rule->where & QUOTES) != 0 ? node->mark : node->key_mark, rule->message,
                       r->line && key->more->option != NULL ? key->more->option : key->name,
                       node->text != NULL ? node->text : "",
                       excluded != NULL && excluded->text != NULL ? excluded->text : "");
    }
  }
}

void dls_study_check_rules(dls_study_reader *r)
{
  for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++) {
    if (concerns(r, &rules[i])) {
      check_rule(r, &rules[i]);
    }
  }
}
