/* experiments/cli/request_words.h -- the options of run, compare, order, work and energy, read into a request.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_REQUEST_WORDS_H
#define DELASSUS_EXPERIMENTS_CLI_REQUEST_WORDS_H

#include "experiments/cli/cli.h"
#include "experiments/cli/shards.h"
#include "experiments/request/request.h"

/* Read the words of a command that has a kind, and perform it. @return the exit code */
int dls_cli_perform(const dls_cli_args *args);

/* --norm, --of, --reference, --repeats, --seed, --jobs; where the results go, and how; the start of systems with joints. What is
 * not given stays as it is. */
dls_status dls_cli_read_measures(const dls_cli_args *args, dls_request *r, dls_error *err);
dls_status dls_cli_read_outputs(const dls_cli_args *args, dls_request *r, dls_error *err);
dls_status dls_cli_read_start(const dls_cli_args *args, dls_request *r, dls_error *err);
/* --style: screen if it is not given. @return DLS_ERR_OPTION */
dls_status dls_cli_read_style(const dls_cli_args *args, dls_plot_style *style, dls_error *err);
/* --style and --plot-format. @param[out] format  what is given, else what the style wants; NULL: none
 * @return DLS_ERR_OPTION */
dls_status dls_cli_read_pictures(const dls_cli_args *args, dls_plot_style *style, const char **format,
                                 dls_error *err);
/* --progress: auto if it is not given. @return DLS_ERR_OPTION */
dls_status dls_cli_progress_mode(const dls_cli_args *args, dls_progress_mode *mode, dls_error *err);
/* --resume, --overwrite. */
dls_status dls_cli_journal_mode(const dls_cli_args *args, dls_journal_mode *mode, dls_error *err);
/* --resume, --overwrite, --shard, --time-limit. */
dls_status dls_cli_read_journal(const dls_cli_args *args, dls_request *r, dls_error *err);
/* --jobs; 0 stands for all processors. */
dls_status dls_cli_jobs(const dls_cli_args *args, size_t *jobs, dls_error *err);

#define DLS_CLI_SCHEMES_OPTION                                                                                 \
  {                                                                                                            \
    "scheme", "S[:OPT=VAL,...]", "a time integrator; repeat it to compare several (`delassus list schemes`)",  \
        true                                                                                                   \
  }
#define DLS_CLI_MODEL_OPTIONS                                                                                  \
  {"set", "P=V", "set a parameter or a file of the model; may be repeated; `delassus show MODEL` lists them",  \
   true},                                                                                                      \
      DLS_CLI_LAW_OPTION,                                                                                      \
      {"start-tolerance", "TOL",                                                                               \
       "systems with joints: start data that are farther from them than this are refused, in the model's "     \
       "scales of length and velocity (default 1e-6); what is nearer is projected",                            \
       false},                                                                                                 \
  {                                                                                                            \
    "project-start", NULL, "systems with joints: project the start data onto them however far they are", false \
  }
#define DLS_CLI_CHECK_REFERENCE_OPTION                                                                         \
  {                                                                                                            \
    "check-reference", NULL,                                                                                   \
        "compare a computed reference with a run of another integrator, and end with exit status 1 if they "   \
        "differ; always done if the system may depend on time explicitly",                                     \
        false                                                                                                  \
  }
#define DLS_CLI_STEPS_HELP "N mean time steps in s from H0 to H1, in geometric sequence, e.g. 0.1:0.001:10"
#define DLS_CLI_MEASURE_OPTIONS                                                                                \
  {"norm", "L[,L...]", "measures of the error (default hausdorff,l1; `delassus list norms`); may be repeated", \
   true},                                                                                                      \
      {"of", "X[,X...]",                                                                                       \
       "what is compared (default q,v): q, v for all components as one vector, impulse (what contacts "        \
       "have transmitted so far), or a column such as q0; may be repeated",                                    \
       true},                                                                                                  \
      {"reference", "KIND",                                                                                    \
       "what errors are measured against: exact (default; event-driven where there is no exact solution) or "  \
       "event-driven, which for a model that is discrete in space leaves the error in time",                   \
       false},                                                                                                 \
      DLS_CLI_CHECK_REFERENCE_OPTION, {"end", "T", "compare on [0, T], in s (default 10)", false},             \
      DLS_CLI_MODEL_OPTIONS
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
      {"overwrite", NULL, "begin anew although DIR has an interrupted study", false}, DLS_CLI_SHARD_OPTIONS
#define DLS_CLI_PROGRESS_OPTION                                                                                \
  {                                                                                                            \
    "progress", "WHEN", "progress on stderr: auto (default: on a terminal), always or never", false            \
  }
#define DLS_CLI_PROOF_OPTIONS                                                                                  \
  {"time-limit", "SECONDS", "of --rigorous: end after this time, with exit status 75 and without a result",    \
   false},                                                                                                     \
      DLS_CLI_PROGRESS_OPTION
#define DLS_CLI_STYLE_OPTION                                                                                   \
  {                                                                                                            \
    "style", "STYLE",                                                                                          \
        "what pictures are for: screen (default), journal (a column of 8.5 cm, fine lines, no title) or "      \
        "slides "                                                                                              \
        "(large letters, thick lines)",                                                                        \
        false                                                                                                  \
  }
#define DLS_CLI_PICTURE_OPTIONS                                                                                \
  {"plot-format", "FORMAT",                                                                                    \
   "pictures in DIR: png (default), svg, pdf (default with --style journal), tex (pgfplots) or none", false},  \
      DLS_CLI_STYLE_OPTION, DLS_CLI_PROGRESS_OPTION

#endif
