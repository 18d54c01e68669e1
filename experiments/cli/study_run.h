/* experiments/cli/study_run.h -- a study file at work: each of its studies is a call of a command, whose results are
 * compared with what the file expects.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STUDY_RUN_H
#define DELASSUS_EXPERIMENTS_CLI_STUDY_RUN_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

#include <delassus/study_file.h>

typedef struct dls_cli_study_job {
  const char *name; /* of the file, without folder and .yaml */
  const char *path; /* of the file; of a study that ships where `study --print` is to put it, NAME.yaml */
  const char *text; /* size bytes */
  size_t size;
  const char *origin;       /* folder of the file, absolute; "" of a study that ships */
  dls_catalogue *catalogue; /* of the names in the file */
  dls_study_file *file;
  const char *folder;      /* for the results */
  struct dls_report *page; /* of --report, or NULL */
  bool is_part;            /* of a page with other files */
  /* The manner of all studies, and --jobs as it was written, or NULL. */
  dls_progress_mode progress;
  dls_journal_mode mode;
  size_t jobs;
  const char *jobs_text;
  /* Pictures of all studies, in place of what the file says; NULL: as it says. */
  const char *pictures, *form_text[DLS_PICTURE_FORM_OPTIONS]; /* values of dls_picture_form_options */
  dls_picture_form form;
  dls_study_verdict *const
      *verdicts; /* for each study and each of its expectations; made by dls_cli_study_start */
  bool *made;    /* for each study: has it run to its end, with memory for all of it? */
  const char *
      *missing;       /* for each study: names of the pictures that could not be drawn, "a.svg, b.svg"; or "" */
  size_t starts_at;   /* dls_cli_out_of_memory then */
  bool out_of_memory; /* for what comes before and behind a command */
  dls_pool *pool;
} dls_cli_study_job;

/* Make the folder and lock it: of two processes with studies in one folder one is refused. Where a file system locks no
 * folders, the journals of the studies still are. @param[out] lock  to be closed; -1 if there is none
 * @return DLS_ERR_ARG, DLS_ERR_MEMORY */
dls_status dls_cli_study_lock(const char *folder, int *lock, dls_error *err);
/* Run all studies of the file, print what comes out and the verdict, and leave in the folder study.yaml, verdict.csv
 * and report.md; of an interrupted study study.yaml only. @return the exit code */
int dls_cli_study_execute(dls_cli_study_job *job);

/* --- the command of a study (study_line.c) --- */

/* The command that performs studies of a kind. */
const dls_cli_command *dls_cli_study_command(dls_study_kind kind);
/* A study with the options that a person would write for it; its request is complete but for the manner. NULL without memory */
dls_study *dls_cli_study_line(const dls_cli_study_job *job, const dls_study *study);
/* How the runs of the study are made; this does not change the results. */
void dls_cli_study_set_manner(const dls_cli_study_job *job, dls_study *line);
/* Has the pool of the job got all its memory? @return DLS_ERR_MEMORY */
dls_status dls_cli_study_check_memory(const dls_cli_study_job *job, dls_error *err);
/* Folder for a study of the file: that of the file, or one inside. NULL if there is no memory. */
const char *dls_cli_study_place(const dls_cli_study_job *job, const dls_study *study);
/* Format of the pictures of a study: png, svg, pdf, tex, none. */
const char *dls_cli_study_pictures(const dls_cli_study_job *job, const dls_study *study);
/* The command line of a study, as a person would write it, behind `lead`. */
dls_status dls_cli_study_print_command(const dls_cli_study_job *job, const dls_study *study, const char *lead,
                                       FILE *out, dls_error *err);
/* --- what came out (study_verdict.c) --- */

/* Did a signal stop a study of the file before its end? Then there is no verdict. */
bool dls_cli_study_interrupted(const dls_cli_study_job *job);

typedef struct dls_cli_study_score {
  size_t expected, met;         /* all expectations; those whose value lies in their interval */
  size_t source, source_agrees; /* claims of the source; those that the value agrees with */
  size_t own, own_met;          /* our own values, also where the source differs; those that are reproduced */
} dls_cli_study_score;
/* Of study i, and of all of the file. */
dls_cli_study_score dls_cli_study_score_one(const dls_cli_study_job *job, size_t i);
dls_cli_study_score dls_cli_study_score_of(const dls_cli_study_job *job);
enum { DLS_CLI_SCORE_TEXT = 160 };
/* "agrees with the source 4 of 6; reproduces our own values 12 of 12", "nothing is expected" */
void dls_cli_study_score_text(dls_cli_study_score score, char *text, size_t size);
/* What came out for an expectation, in words. */
enum { DLS_CLI_VERDICT_COLUMNS = 5 };
typedef struct dls_cli_study_row {
  char what[600], value[120], interval[80];   /* quantity, value, interval expected */
  const char *cells[DLS_CLI_VERDICT_COLUMNS]; /* met, value, interval, whose claim, quantity */
} dls_cli_study_row;
void dls_cli_study_fill_row(const dls_cli_study_job *job, size_t i, size_t j, dls_cli_study_row *out);
/* The table for people, where the results are, and in the last line the score. @return DLS_ERR_MEMORY */
dls_status dls_cli_study_print_verdict(const dls_cli_study_job *job, FILE *out, dls_error *err);
/* study,part,quantity,scheme,norm,of,number,value,low,high,agrees,why,at,curve,place,impulse,source */
void dls_cli_study_write_verdict(const dls_cli_study_job *job, FILE *out);
/* Parts of reports and pages in Markdown: a caption, which may have markup, but no HTML; what was expected of study i and what
 * came out, as a table. */
void dls_cli_study_write_caption(const char *text, FILE *out);
void dls_cli_study_write_rows(const dls_cli_study_job *job, size_t i, FILE *out);
/* A section in Markdown. Pictures are looked for in the folders; links begin with `prefix`. */
dls_status dls_cli_study_write_report(const dls_cli_study_job *job, const char *prefix, FILE *out,
                                      dls_error *err);

#endif
