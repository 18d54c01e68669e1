/* experiments/request/reader.h -- what the readers of keys share: the request in hand, the values that are given for it, and the
 * place for everything that is wrong. A study file and a command line are both read as values of keys (read_words.c makes nodes of words),
 * so that each key has one reader.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_READER_H
#define DELASSUS_EXPERIMENTS_READER_H

#include "experiments/request/key.h"
#include "experiments/request/request.h"
#include "experiments/request/yaml/yaml_values.h"

#include <delassus/measures.h>
#include <delassus/model.h>
#include <delassus/scheme.h>
#include <delassus/study_file.h>

enum {
  DLS_EXPECT_QUANTITY,
  DLS_EXPECT_SCHEME,
  DLS_EXPECT_NORM,
  DLS_EXPECT_OF,
  DLS_EXPECT_NUMBER,
  DLS_EXPECT_ERROR,
  DLS_EXPECT_AT,
  DLS_EXPECT_CURVE,
  DLS_EXPECT_PLACE,
  DLS_EXPECT_IMPULSE,
  DLS_EXPECT_WITHIN,
  DLS_EXPECT_BETWEEN,
  DLS_EXPECT_ABOVE,
  DLS_EXPECT_BELOW,
  DLS_EXPECT_REPORTED,
  DLS_EXPECT_SOURCE
};

/* Values that several readers work on. */
typedef struct dls_study_names {
  const char **names;
  size_t count;
} dls_study_names;

typedef struct dls_study_note dls_study_note;
struct dls_study_note {
  dls_study_problem problem;
  dls_study_note *before;
};

typedef struct dls_study_reader {
  const dls_study_key *keys;             /* their table */
  const struct dls_catalogue *catalogue; /* of the names in the request */
  dls_pool *pool;
  dls_yaml_reader yaml; /* reports to dls_study_report */
  dls_study_note *last_note;
  size_t note_count;
  /* of a study file */
  dls_study_names places;            /* names of the studies so far */
  const dls_yaml_node *own, *shared; /* mapping of the study in hand; that of the list, or NULL */
  const char *folder;                /* where its relative paths start; "" for the current one */
  bool has_relative_paths;
  /* of a command line */
  bool line;
  unsigned command; /* bits; 0 of a study file */
  dls_error first;  /* the first thing that is wrong */

  /* The request in hand. A node has its name in `key` as the user writes it: "end" or "--end". */
  const dls_yaml_node *values[DLS_KEY_COUNT]; /* NULL: not given */
  bool single;                                /* the kind is known; else a file has none */
  unsigned kinds;                             /* bits: its kind, or those in question */
  dls_study *study;
  dls_request *request;                    /* that of the study */
  const dls_model *model;                  /* NULL: not known, what depends on it is not checked */
  double *parameters;                      /* of the model */
  const char *law;                         /* another law at its contacts; NULL: its own */
  bool sized;                              /* n, m are known */
  const char *measures[DLS_MEASURES_MOST]; /* columns of `compare`: energies, momenta */
  size_t measure_count;
  size_t d;                   /* rows of a contact */
  size_t n, m, joints;        /* degrees of freedom, contacts, joint equations */
  dls_scheme_choice *choices; /* scheme_count; scheme NULL: not known */
  double end;                 /* NaN: not known */
  dls_study_names norms, of;
  dls_study_argument *arguments;
  size_t argument_room;
} dls_study_reader;

/* --- what readers use (reader.c) --- */

/* Something is wrong at a place; said once, however many studies share it. */
void dls_study_report(dls_study_reader *r, dls_yaml_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the message of a call that failed; without memory the whole reading fails. */
void dls_study_report_error(dls_study_reader *r, dls_yaml_mark mark, const dls_error *err);
/* What has been reported becomes the problems of the file, in the order of their places. */
/** A path of the file, which is relative to the folder of the study in hand. In the pool. */
const char *dls_study_path(dls_study_reader *r, const char *path);
void dls_study_gather_problems(dls_study_reader *r, dls_study_file *out);
/* A value of the request in hand, or NULL. Of a study file: its own, or that which all studies of the file share. */
const dls_yaml_node *dls_study_value(const dls_study_reader *r, dls_key_id key);
/* Is the value given for this request alone? */
bool dls_study_is_own(const dls_study_reader *r, const dls_yaml_node *node, dls_key_id key);
/* Name of a key for messages: "end", "--end". */
const char *dls_study_label(const dls_study_reader *r, dls_key_id key);
/* A key is missing. @param[in] why  "scheme moreau-jean needs a time step in s"; NULL: what its value is */
void dls_study_report_missing(dls_study_reader *r, dls_key_id key, const char *why);
/* Where something is reported that no value is given for. */
dls_yaml_mark dls_study_mark(const dls_study_reader *r);
/* Record an option for the command line of the request; value in the pool, "" of a switch, NULL: none. */
void dls_study_record(dls_study_reader *r, dls_key_id key, const char *value);
/* A word out of a few; NULL and reported if it is none of them. @param[out] position  of the word */
const char *dls_study_read_word(dls_study_reader *r, const dls_yaml_node *node, const char *const *words,
                                size_t count, size_t *position);
/* The same with words that end with NULL. */
const char *dls_study_choose_word(dls_study_reader *r, const dls_yaml_node *node, const char *const *words,
                                  size_t *position);

/* --- the walk over the table (read_request.c) --- */

/* Begin a request of a kind in r->request, with what holds where nothing is given. */
void dls_study_begin(dls_study_reader *r, dls_study *study, dls_study_kind kind);
/* Read the keys from first up to end, in the order of the table. */
void dls_study_read_keys(dls_study_reader *r, dls_key_id first, dls_key_id end);
/* Which keys go together (key_rules.c), and what all of them need. */
void dls_study_check_rules(dls_study_reader *r);
void dls_study_check_request(dls_study_reader *r);

/* Does a study measure errors: is its kind order or work? */
static inline bool dls_study_measures(const dls_study *study)
{
  return (study->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0;
}

/* --- readers of keys that need their own; node is NULL where the row says `absent` and nothing is given --- */

#define DLS_STUDY_READER(name) void name(dls_study_reader *r, const dls_yaml_node *node)
/* read_model.c */
DLS_STUDY_READER(dls_study_read_model);
DLS_STUDY_READER(dls_study_read_bodies); /* of a mechanism, with joints, springs, contacts and gravity */
DLS_STUDY_READER(dls_study_read_parameters);
DLS_STUDY_READER(dls_study_read_law);
/* NAME: VALUE of an option table. A wrong value leaves that of the table. @return "NAME=VALUE" in the pool, or NULL and reported */
const char *dls_study_read_assignment(dls_study_reader *r, const dls_option *table, const char *owner,
                                      const dls_yaml_node *node, double *values);
/* With parameters and law known: the model, and its sizes. */
void dls_study_make_model(dls_study_reader *r);
/* read_external.c */
DLS_STUDY_READER(dls_study_read_external);
/* Is a scheme one of the programs? */
/* q0: height for each column: "q0=height", ..., in the pool. @return how many */
size_t dls_study_read_map(dls_study_reader *r, const dls_yaml_node *node, const char ***map);
bool dls_study_choose_external(const dls_study_reader *r, const char *name, dls_scheme_choice *out);
/* read_schemes.c: schemes, times, steps */
DLS_STUDY_READER(dls_study_read_schemes);
DLS_STUDY_READER(dls_study_read_end);
DLS_STUDY_READER(dls_study_read_step);
DLS_STUDY_READER(dls_study_read_steps);
DLS_STUDY_READER(dls_study_read_tolerances);
DLS_STUDY_READER(dls_study_read_against);
/* With end and step known: do the times that are recorded lie in the run? */
void dls_study_check_times(dls_study_reader *r);
/* read_measures.c: what is measured, drawn, repeated */
DLS_STUDY_READER(dls_study_read_norms);
DLS_STUDY_READER(dls_study_read_of);
DLS_STUDY_READER(dls_study_read_at);
DLS_STUDY_READER(dls_study_read_over);
DLS_STUDY_READER(dls_study_read_cycle);
DLS_STUDY_READER(dls_study_read_drift);
DLS_STUDY_READER(dls_study_read_sweep);
DLS_STUDY_READER(dls_study_read_curves);
/* One name or a list of them, none twice. check: will a name do? It reports if not. */
dls_study_names dls_study_read_names(dls_study_reader *r, const dls_yaml_node *node, dls_key_id key,
                                     bool (*check)(dls_study_reader *r, const dls_yaml_node *node));
/* read_fit.c: parameters that are estimated, and the data */
DLS_STUDY_READER(dls_study_read_by);
DLS_STUDY_READER(dls_study_read_range);
DLS_STUDY_READER(dls_study_read_sigma);
DLS_STUDY_READER(dls_study_read_method);
DLS_STUDY_READER(dls_study_read_data);
/* Are names, ranges and numbers of a fit good? */
void dls_study_check_fit(dls_study_reader *r);
void dls_study_check_local(dls_study_reader *r);
/* A value of `at` in an expectation. */
double dls_study_read_ratio_at(dls_study_reader *r, const dls_yaml_node *node);
const char *dls_study_read_local_of(dls_study_reader *r, const dls_yaml_node *entry);
void dls_study_read_kind_of_step(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out);
/* read_outputs.c: titles, pictures, files, and how a command runs */
DLS_STUDY_READER(dls_study_read_name);
DLS_STUDY_READER(dls_study_read_title);
DLS_STUDY_READER(dls_study_read_source);
DLS_STUDY_READER(dls_study_read_caption);
DLS_STUDY_READER(dls_study_read_folder);
DLS_STUDY_READER(dls_study_read_pictures);
DLS_STUDY_READER(dls_request_read_size);
DLS_STUDY_READER(dls_request_read_columns);
DLS_STUDY_READER(dls_request_read_times);
DLS_STUDY_READER(dls_request_read_shard);
DLS_STUDY_READER(dls_request_read_jobs);
DLS_STUDY_READER(dls_request_read_plugin);
/* A format where none is given. */
void dls_study_choose_pictures(dls_study_reader *r);
/* What is set of the model, for the titles of pictures. */
void dls_study_note_parameters(dls_study_reader *r);
/* Of a command line: what follows from options about files. */
void dls_request_set_outputs(dls_study_reader *r);
DLS_STUDY_READER(dls_study_read_expect);

/* Is there a column NAME in a trajectory of the model? True if that is not known. */
bool dls_study_has_column(const dls_study_reader *r, const char *name);
/* Report which columns there are. @param[in] others  "t, " or "" */
void dls_study_no_column(dls_study_reader *r, const dls_yaml_node *node, const char *others);

/* study_grid.c. Has a sweep over one parameter or two what is expected of it? */
void dls_study_check_grid(dls_study_reader *r, const dls_yaml_node *entry, const dls_study_expectation *e);
/* The worst of all points that are asked for: the one farthest outside of the interval, or nearest to an end of it. */
dls_study_verdict dls_study_judge_grid(const dls_study *study, const dls_study_expectation *e,
                                       const dls_grid *grid);

/* " at e = 0.5, q0 = 1": where in a sweep, of any kind. */
void dls_study_describe_place(const dls_study *study, const dls_study_expectation *e, char *text, size_t size);

/* Where a quantity is looked up, and how. */
typedef enum dls_study_table {
  DLS_TABLE_RUN, /* the trajectory of the scheme */
  DLS_TABLE_ORDERS,
  DLS_TABLE_SLOPES,
  DLS_TABLE_ERRORS,
  DLS_TABLE_QUALITY,
  DLS_TABLE_LIMITS, /* orders against limit models */
  DLS_TABLE_PLATEAUS,
  DLS_TABLE_CONTACTS, /* what runs do to contacts; without `of` the effective restitution of the first impact */
  DLS_TABLE_SWEEP,
  DLS_TABLE_CYCLE,
  DLS_TABLE_SPECTRUM,
  DLS_TABLE_LOCAL,
  DLS_TABLE_SIGNS, /* derivatives over the phase of the grid */
  DLS_TABLE_DERIVATIVE_ERRORS,
  DLS_TABLE_DERIVATIVE_SPREADS,
  DLS_TABLE_ESTIMATES /* of a fit, with their intervals; least, largest: its ends; scatter: noise of a column */
} dls_study_table;
typedef enum dls_study_reduce {
  DLS_REDUCE_FIRST,
  DLS_REDUCE_LAST,
  DLS_REDUCE_LARGEST,
  DLS_REDUCE_LEAST,
  DLS_REDUCE_MEAN,
  DLS_REDUCE_SCATTER, /* standard deviation */
  DLS_REDUCE_CHANGES, /* how often a column becomes positive, or ceases to be */
  DLS_REDUCE_WORK,    /* least work of the runs with at most a given error */
  DLS_REDUCE_MISSING, /* number of runs without a finite value */
  DLS_REDUCE_IMPACTS, /* number of impacts of a trajectory */
  DLS_REDUCE_IMPACT_TIME,
  DLS_REDUCE_IMPACT_SPEED,
  DLS_REDUCE_DIFFERENCE, /* of a sweep from the exact solution */
  DLS_REDUCE_PERIOD,     /* of a cycle, and so on */
  DLS_REDUCE_ADVANCE,
  DLS_REDUCE_EVENTS,
  DLS_REDUCE_MULTIPLIER,
  DLS_REDUCE_MULTIPLIER_ERROR,
  DLS_REDUCE_LIMIT,       /* of the stability of a scheme */
  DLS_REDUCE_STICKS,      /* 1 if a contact sticks at some value of a sweep, else 0 */
  DLS_REDUCE_IDENTIFIABLE /* 1 if the data determine a parameter, else 0 */
} dls_study_reduce;
enum { DLS_USES_NORM = 1, DLS_USES_OF = 2, DLS_USES_NUMBER = 4, DLS_USES_ERROR = 8, DLS_USES_WITHIN = 16 };
typedef struct dls_study_rule {
  dls_study_table table;
  dls_study_reduce reduce;
  unsigned uses; /* DLS_USES_... */
} dls_study_rule;
/* The rule for a quantity, by its position in dls_study_quantities(). */
const dls_study_rule *dls_study_rule_at(size_t quantity);
/* Position of a quantity by its name, or that of the end of the table. */
size_t dls_study_quantity_find(const char *name);

#endif
