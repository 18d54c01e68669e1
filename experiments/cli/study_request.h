/* experiments/cli/study_request.h -- what `order` and `work` share: schemes, steps, measures, runs, results.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STUDY_REQUEST_H
#define DELASSUS_EXPERIMENTS_CLI_STUDY_REQUEST_H

#include "experiments/cli/report_page.h"
#include "experiments/cli/study_folder.h"

#include "experiments/study/journal.h"
#include <delassus/study.h>

/* The values of a repeatable option, each of which may be a list with commas, as one array of strings. */
typedef struct dls_cli_names {
  char ***blocks; /* what dls_cli_split gave */
  size_t block_count;
  const char **all;
  size_t count;
} dls_cli_names;

typedef struct dls_cli_study {
  const dls_cli_args *args;
  dls_order_spec spec;
  dls_model_choice model;
  dls_scheme_choice *schemes;
  const dls_norm **norms;
  dls_cli_names norm_names, of;
  dls_cli_folder folder;
  dls_journal *journal; /* in the folder; NULL: there is no folder */
} dls_cli_study;

#define DLS_CLI_SCHEMES_OPTION                                                                                 \
  {                                                                                                            \
    "scheme", "S[:OPT=VAL,...]", "a time integrator; repeat it to compare several (`delassus list schemes`)",  \
        true                                                                                                   \
  }
#define DLS_CLI_STEPS_HELP "N mean time steps in s from H0 to H1, in geometric sequence, e.g. 0.1:0.001:10"
#define DLS_CLI_MEASURE_OPTIONS                                                                                \
  {"norm", "L[,L...]", "measures of the error (default hausdorff,l1; `delassus list norms`); may be repeated", \
   true},                                                                                                      \
      {"of", "X[,X...]",                                                                                       \
       "what is compared (default q,v): q, v for all components as one vector, or a column "                   \
       "such as q0; may be repeated",                                                                          \
       true},                                                                                                  \
      {"reference", "KIND",                                                                                    \
       "what errors are measured against: exact (default; event-driven where there is no exact solution) or "  \
       "event-driven, which for a model that is discrete in space leaves the error in time",                   \
       false},                                                                                                 \
      {"end", "T", "compare on [0, T], in s (default 10)", false},                                             \
      {"set", "P=V",                                                                                           \
       "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them", true},     \
      DLS_CLI_LAW_OPTION
#define DLS_CLI_SEED_OPTION                                                                                    \
  {                                                                                                            \
    "seed", "S", "start of the random numbers (default 1)", false                                              \
  }

#define DLS_CLI_JOBS_OPTION                                                                                    \
  {                                                                                                            \
    "jobs", "N",                                                                                               \
        "runs that go at a time (default 1; 0: as many as there are processors); the results are the same to " \
        "the last bit, but runs that go beside others have no wall_seconds",                                   \
        false                                                                                                  \
  }
#define DLS_CLI_RESUME_OPTIONS                                                                                 \
  {"resume", NULL,                                                                                             \
   "go on with the study that was interrupted in DIR: runs that are in DIR/runs.csv are not made again; what " \
   "the runs depend on must be the same",                                                                      \
   false},                                                                                                     \
  {                                                                                                            \
    "overwrite", NULL, "begin anew although DIR has an interrupted study", false                               \
  }

/* What a command makes of the runs. data is its own. */
typedef struct dls_cli_results {
  const char *prefix;       /* pictures are PREFIX_NORM_OF */
  const char *const *files; /* text files, ends with NULL */
  dls_status (*write)(const void *data, size_t file, FILE *out);
  dls_status (*draw)(const void *data, size_t norm, size_t of, const char *path, dls_error *err);
  dls_status (*print)(const void *data, FILE *out, dls_error *err); /* the table for people */
  const char *kind, *question;                                      /* of the page, as in dls_cli_page */
  dls_status (*page)(dls_report *report, const void *data, dls_error *err);
} dls_cli_results;

/* Read everything but the sequences of steps and tolerances, and the folder. out->args is set. */
dls_status dls_cli_study_read(dls_cli_study *out, dls_error *err);
/* Read --steps, which must be there. @param[in] why  for the message if it is not; may be "" */
dls_status dls_cli_study_steps(dls_cli_study *study, const char *why, dls_error *err);
/* Read --tols, which must be there. */
dls_status dls_cli_study_tolerances(dls_cli_study *study, const char *why, dls_error *err);
/* Read and make the folder of --out, with the runs that are finished. Everything else has been read. */
dls_status dls_cli_study_folder(dls_cli_study *study, const dls_cli_results *results, dls_error *err);
/* Run it, with progress. On failure the folder is dropped. */
dls_status dls_cli_study_run(dls_cli_study *study, dls_order_study **runs, dls_error *err);
/* Write the files, print the table, say what failed. @return the exit code */
int dls_cli_study_finish(const dls_cli_study *study, const dls_order_study *runs,
                         const dls_cli_results *results, const void *data);
void dls_cli_study_release(dls_cli_study *study);

#endif
