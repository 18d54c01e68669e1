/* experiments/request/study_reader.h -- what the readers of a study file share: the study in hand, its schema, and the place
 * for everything that is wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_STUDY_READER_H
#define DELASSUS_EXPERIMENTS_STUDY_READER_H

#include "experiments/request/request.h"
#include "experiments/request/yaml/yaml_values.h"

#include <delassus/measures.h>
#include <delassus/model.h>
#include <delassus/scheme.h>
#include <delassus/study_file.h>

/* Keys in the order in which they are read: what a later one is checked against comes first. */
enum {
  DLS_KEY_KIND,
  DLS_KEY_NAME,
  DLS_KEY_TITLE,
  DLS_KEY_SOURCE,
  DLS_KEY_CAPTION,
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
  DLS_KEY_REPEATS,
  DLS_KEY_SEED,
  DLS_KEY_PICTURES,
  DLS_KEY_STYLE,
  DLS_KEY_EXPECT,
  DLS_KEY_COUNT
};

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
  const struct dls_catalogue *catalogue; /* of the names in the file */
  dls_pool *pool;
  dls_yaml_reader yaml; /* tells dls_study_report */
  dls_study_note *last_note;
  size_t note_count;
  dls_study_names places; /* names of the studies so far */

  /* The study in hand. */
  const dls_yaml_node *own, *shared; /* its mapping; that of the list, or NULL */
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

/* Something is wrong at a place; said once, however many studies share it. */
void dls_study_report(dls_study_reader *r, dls_yaml_mark mark, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
/* The same with the message of a call that failed; without memory the whole reading fails. */
void dls_study_report_error(dls_study_reader *r, dls_yaml_mark mark, const dls_error *err);
/** What has been told becomes the problems of the file, in the order of their places. */
void dls_study_gather_problems(dls_study_reader *r, dls_study_file *out);
/* A value of the study in hand: its own, or that which all studies of the file share. */
const dls_yaml_node *dls_study_value(const dls_study_reader *r, size_t key);
/* --option value; value in the pool. */
void dls_study_argue(dls_study_reader *r, const char *option, const char *value);

/* Does a study measure errors: is its kind order or work? */
static inline bool dls_study_measures(const dls_study *study)
{
  return (study->kind & (DLS_STUDY_ORDER | DLS_STUDY_WORK)) != 0;
}

/* Readers of values. */
void dls_study_read_model(dls_study_reader *r, const dls_yaml_node *node);
/* Bodies, with joints, springs, contacts and gravity, in place of a model. */
void dls_study_read_bodies(dls_study_reader *r, const dls_yaml_node *node);
/* What is of no use without bodies. */
void dls_study_read_part(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_parameters(dls_study_reader *r, const dls_yaml_node *node);
/* With the parameters known: another law at the contacts. */
void dls_study_read_law(dls_study_reader *r, const dls_yaml_node *node);
/* study_external.c: programs; what is of no use without them; is a scheme one of them? */
void dls_study_read_external(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_external_part(dls_study_reader *r, const dls_yaml_node *node);
bool dls_study_choose_external(const dls_study_reader *r, const char *name, dls_scheme_choice *out);
void dls_study_release_externals(const dls_study *study);
/* With the parameters known: sizes. */
void dls_study_size_model(dls_study_reader *r);
void dls_study_read_schemes(dls_study_reader *r, const dls_yaml_node *node);
/* node may be NULL: some schemes want a step. */
void dls_study_read_step(dls_study_reader *r, const dls_yaml_node *node);
/* node may be NULL: `order` needs them, `work` if a scheme does. */
void dls_study_read_steps(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_tolerances(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_norms(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_of(dls_study_reader *r, const dls_yaml_node *node);
/* node may be NULL: then a run has nothing to draw over another column. */
void dls_study_read_over(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_cycle(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_drift(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_sweep(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_curves(dls_study_reader *r, const dls_yaml_node *node);
/* node may be NULL: the whole time; then all of a sweep is known, and checked. */
void dls_study_read_from(dls_study_reader *r, const dls_yaml_node *node);

/* study_spectrum.c; steps: node may be NULL */
void dls_study_read_ratios(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_spectrum_of(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_at(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_damping(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_frequency(dls_study_reader *r, const dls_yaml_node *node);
/* With all of it read: does it go together? */
void dls_study_check_spectrum(dls_study_reader *r);
/* at of an expectation; NaN: not given, or told. */
double dls_study_read_ratio_at(dls_study_reader *r, const dls_yaml_node *node);
/* study_local.c. With all of it read: can steps be taken from the exact solution? */
void dls_study_check_local(dls_study_reader *r);
/* Of an expectation: q or v; place and impulse. */
const char *dls_study_read_local_of(dls_study_reader *r, const dls_yaml_node *entry);
void dls_study_read_kind_of_step(dls_study_reader *r, const dls_yaml_node *entry, dls_study_expectation *out);
/* A word out of a few; NULL and told if it is none of them. @param[out] position  of the word */
const char *dls_study_read_word(dls_study_reader *r, const dls_yaml_node *node, const char *const *words,
                                size_t count, size_t *position);
/* {first: X0, last: X1, levels: N}; "X0:X1:N" in the pool, or NULL and told. */
const char *dls_study_read_sequence(dls_study_reader *r, const dls_yaml_node *node,
                                    const dls_yaml_node **values, double *numbers);

/* study_pictures.c; the last: a format where none is given */
void dls_study_read_pictures(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_style(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_choose_pictures(dls_study_reader *r);

/* study_start.c */
void dls_study_read_start_tolerance(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_project_start(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_check_reference(dls_study_reader *r, const dls_yaml_node *node);
void dls_study_read_halve(dls_study_reader *r, const dls_yaml_node *node);
/* Is there a column NAME in a trajectory of the model? True if that is not known. */
bool dls_study_has_column(const dls_study_reader *r, const char *name);
/* Tell which columns there are. @param[in] others  "t, " or "" */
void dls_study_no_column(dls_study_reader *r, const dls_yaml_node *node, const char *others);
void dls_study_read_expect(dls_study_reader *r, const dls_yaml_node *node);

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
  DLS_TABLE_SWEEP,
  DLS_TABLE_CYCLE,
  DLS_TABLE_SPECTRUM,
  DLS_TABLE_LOCAL
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
  DLS_REDUCE_LIMIT, /* of the stability of a scheme */
  DLS_REDUCE_STICKS /* 1 if a contact sticks at some value of a sweep, else 0 */
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
