/* experiments/measures/judge/judge.h -- trajectories of other programs, a file for each step, and what comes out of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_JUDGE_JUDGED_H
#define DELASSUS_EXPERIMENTS_JUDGE_JUDGED_H

#include "experiments/extra/foreign/foreign_file.h"
#include "experiments/measures/motion/motion.h"

#include <delassus/study.h>

typedef struct dls_judged_file {
  const char *path; /* of the caller */
  size_t program;
  double step;
  dls_trajectory *traj;
  size_t level, repeat; /* place of its step among those of its program, from the largest; set by dls_judge */
} dls_judged_file;

typedef struct dls_judged {
  size_t program_count;
  const char *const *programs; /* their names */
  size_t count;
  dls_judged_file *files;
} dls_judged;

/**
 * Read a file and its step: that which is given, or the line "# step: 0.01", or the number behind h, dt or step in its name, or
 * the only number in its name.
 * @param[in]     step  0: to be found
 * @param[in,out] file  path in; step and trajectory out, which is the caller's
 * @return DLS_OK; DLS_ERR_ARG if there is no step; as dls_foreign_read
 */
dls_status dls_judged_read(const dls_foreign_manner *manner, double step, dls_judged_file *file,
                           dls_error *err);

/** What came out. */
typedef struct dls_judgement {
  dls_order_study *errors; /* the programs stand in the place of schemes */
  dls_order_study
      *contacts; /* their figures of motion in the place of norms, "contact" of that of a quantity */
  const dls_judged *judged;
  dls_motion *motions;  /* of the files */
  char (*remarks)[200]; /* of the files: why there are no figures of motion, or empty */
} dls_judgement;

/** Name of a figure of motion, its unit, and the words for it in the verdict. */
typedef struct dls_judged_figure_text {
  const char *name, *unit, *text;
} dls_judged_figure_text;
extern const dls_judged_figure_text dls_judged_figures[DLS_JUDGED_FIGURES];

/**
 * Measure files against the reference of a spec and fit their errors over their steps.
 * @param[in] spec    model, reference, start, end, norms, quantities and metric count; schemes and steps are those of the files.
 *                    end = 0: the median of the last times of the files; a file that ends before it by more than its step is a failure
 * @param[in,out] judged  levels are set; it must outlive the judgement
 * @return DLS_OK; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED; as dls_order_run
 */
dls_status dls_judge(const dls_order_spec *spec, dls_judged *judged, dls_judgement **out, dls_error *err);
void dls_judgement_destroy(dls_judgement *judgement); /* NULL is fine */

/** A row for each file: its step, impacts and figures. @return DLS_ERR_IO if the stream has an error */
dls_status dls_judgement_write_contacts(const dls_judgement *judgement, FILE *out);

#endif
