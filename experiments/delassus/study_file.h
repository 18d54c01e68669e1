/* delassus/study_file.h -- studies described in a file: what the commands run, compare, order, work, energy,
 * spectrum and fit do, with what is expected to come out. docs/reference/study-files.md says how such a file is written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_STUDY_FILE_H
#define DELASSUS_STUDY_FILE_H

#include <delassus/energy.h>
#include <delassus/error.h>
#include <delassus/trajectory.h>
#include <delassus/work.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What a study does: bits, so that a key can belong to several. */
typedef enum dls_study_kind {
  DLS_STUDY_RUN = 1,
  DLS_STUDY_COMPARE = 2,
  DLS_STUDY_ORDER = 4,
  DLS_STUDY_ENERGY = 8,
  DLS_STUDY_WORK = 16,
  DLS_STUDY_SPECTRUM = 32,
  DLS_STUDY_LOCAL = 64, /* order --local */
  DLS_STUDY_FIT = 128,
  DLS_STUDY_ALL = 255
} dls_study_kind;

/** The name of a kind in a file, which is also its command; "local" is `order --local`. */
const char *dls_study_kind_name(dls_study_kind kind);

/** A key of a study file, for the documentation. The table ends with {0}. */
typedef struct dls_study_key {
  const char *name;
  unsigned kinds;    /* bits of dls_study_kind: where it is allowed */
  unsigned required; /* where it must be given */
  const char *value; /* what is written behind it */
  const char *help;
  const struct dls_key_private *more; /* private: its option on the command line, and how it is read */
} dls_study_key;
const dls_study_key *dls_study_keys(void);
/** The keys of an entry of `expect`, and the quantities that it can name (`kinds` says where). */
const dls_study_key *dls_study_expect_keys(void);
const dls_study_key *dls_study_quantities(void);

/** Something wrong in a file, both from 1. */
typedef struct dls_study_problem {
  size_t line, column;
  const char *text;
} dls_study_problem;

/** An option of the command, as on its command line without the dashes. */
typedef struct dls_study_argument {
  const char *option, *value;
} dls_study_argument;

/** Whose claim the interval of an expectation is. */
typedef enum dls_study_claim {
  DLS_CLAIM_OURS,          /* our own value, kept to detect changes; the source reports none */
  DLS_CLAIM_SOURCE_AGREES, /* the value of the source */
  DLS_CLAIM_SOURCE_DIFFERS /* our own value; that of the source differs */
} dls_study_claim;
/** "ours", "agrees", "differs": the value of the key `source` and of the column `source` of verdict.csv. */
const char *dls_study_claim_name(dls_study_claim claim);

typedef struct dls_study_expectation {
  const char *quantity;  /* a name of dls_study_quantities */
  size_t scheme;         /* position among the schemes of the study */
  const char *norm, *of; /* NULL where the quantity has none */
  size_t number;         /* of an impact, from 1 */
  double error;          /* for which work is asked */
  double at, curve;      /* values of the parameters of a sweep, or at: h/T of a spectrum; NaN: all of them */
  double begin, end;     /* of the time that counts [s]; infinite: all */
  size_t place;          /* of a step around an impact: a dls_local_place, "across" */
  bool impulse;          /* of steps with one, or without */
  double low, high;      /* the closed interval expected; infinite where there is no bound */
  const char *reported;  /* what the source says, or "" */
  dls_study_claim claim;
} dls_study_expectation;

/** One study of a file: one call of a command. */
typedef struct dls_study {
  const char *name; /* of the folder for its results; "" if it is the only one of the file */
  dls_study_kind kind;
  const char *title, *source, *caption; /* source and caption "" if not given */
  const char *model;                    /* "" of a spectrum, which has none */
  bool described;                       /* the model is a mechanism that the file describes */
  size_t scheme_count;
  const char *const *schemes; /* "moreau-jean:theta=1" */
  const char *pictures;       /* png, svg, pdf, tex, none */
  size_t argument_count;
  const dls_study_argument *arguments; /* all but the model and where the results go */
  struct dls_request *request;         /* private: the same, read */
  /* Programs that it would start: ask for consent before it is performed, a file from elsewhere must not have anything run. */
  size_t external_count;
  size_t external_line, external_column; /* where the file names them */
  struct dls_external *const *externals; /* private */
  size_t expectation_count;
  const dls_study_expectation *expectations;
} dls_study;

typedef struct dls_study_file {
  const char *title, *source, *caption; /* of the file, or of its only study */
  size_t study_count;
  const dls_study *studies;
  bool starts_in_its_folder; /* relative paths of files or programs start there: there is no key `folder` */
  size_t first_line, first_column;   /* of its first key */
  size_t problem_count;              /* with problems, what else is here is not complete */
  const dls_study_problem *problems; /* in the order of the file */
} dls_study_file;

/**
 * Read and check a file: everything that can be found wrong before something is computed is found at once.
 * @param[in]  text  size bytes, need not end with NUL
 * @param[out] out   also with DLS_ERR_PARSE, then for its problems; the caller destroys it
 * @return DLS_OK; DLS_ERR_PARSE if there are problems; DLS_ERR_MEMORY
 */
dls_status dls_study_read(const char *text, size_t size, dls_study_file **out, dls_error *err);
struct dls_catalogue;
/**
 * The same with the names of a catalogue (delassus/catalogue.h) in place of the built-in ones.
 * @param[in] folder  where relative paths of the file start; "" is the current folder, as in dls_study_read
 */
dls_status dls_catalogue_study_read(const struct dls_catalogue *catalogue, const char *text, size_t size,
                                    const char *folder, dls_study_file **out, dls_error *err);
void dls_study_destroy(dls_study_file *file); /* NULL is fine */

/** What a command has made of a study. What is not there was not made. */
typedef struct dls_study_results {
  dls_order_study *errors; /* of order and work */
  dls_work_study *work;    /* of work */
  /* run, compare, energy: for each scheme its trajectory or its ledger, or NULL */
  size_t run_count;
  dls_trajectory **runs;
  dls_energy_ledger **ledgers;
  struct dls_sweep *sweep;         /* private: of compare over a parameter */
  struct dls_grid *grid;           /* private: of run, order, work, energy over one or two */
  struct dls_cycle *cycle;         /* private: of run on a limit cycle */
  struct dls_spectrum *spectrum;   /* private: of spectrum */
  struct dls_judgement *judgement; /* private: of judge; it owns the errors then */
  struct dls_local *local;         /* private: of local */
  struct dls_parameter_fit *fit;   /* private: of fit */
  bool judged;                     /* private: they are looked at when the command is over */
} dls_study_results;
/** Room for count runs. @return DLS_ERR_MEMORY */
dls_status dls_study_results_room(dls_study_results *results, size_t count, dls_error *err);
void dls_study_results_release(dls_study_results *results);

/** What came out for one expectation. */
typedef struct dls_study_verdict {
  double value;  /* NaN if there is none */
  bool agrees;   /* low <= value <= high */
  char why[200]; /* why there is no value, or empty */
} dls_study_verdict;
/**
 * Look up an expected quantity in the results.
 * @param[in] folder  where the command has put its tables: what is missing is said of them
 */
dls_study_verdict dls_study_judge(const dls_study *study, const dls_study_expectation *expectation,
                                  const dls_study_results *results, const char *folder);
/** The words for an expectation: "order of moreau-jean, l1 of q". */
void dls_study_describe(const dls_study *study, const dls_study_expectation *expectation, char *text,
                        size_t size);
/** File of the run of scheme i of `compare` or `energy`: "PREFIX_moreau-jean.csv", for the second scheme of that name
 * "PREFIX_moreau-jean_2.csv". */
void dls_study_scheme_file(const char *prefix, const char *const *schemes, size_t i, char *text, size_t size);

/** A study that ships. */
typedef struct dls_study_shipped {
  const char *name, *title, *source; /* name of the file without .yaml */
  const unsigned char *text;
  size_t size;
} dls_study_shipped;
/** All of them by name; ends with {0}. */
const dls_study_shipped *dls_studies(void);

#ifdef __cplusplus
}
#endif

#endif
