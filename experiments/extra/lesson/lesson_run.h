/* experiments/extra/lesson/lesson_run.h -- runs of a lesson at any values of its sliders, measured and packed, as JSON.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LESSON_RUN_H
#define DELASSUS_EXPERIMENTS_LESSON_RUN_H

#include "experiments/extra/lesson/lesson.h"
#include "experiments/extra/lesson/lesson_pack.h"
#include "experiments/measures/order/reference.h"

#include <delassus/catalogue.h>

enum { DLS_LESSON_WORD = 40 };

/** What makes the runs of a lesson; one motion is kept. */
typedef struct dls_lesson_maker {
  const dls_lesson *lesson;
  const dls_catalogue *catalogue;
  FILE *out;
  int digits;                       /* of errors */
  size_t sliders, panels, measures; /* number of each; the step is not among the sliders */
  dls_lesson_range ranges[DLS_LESSON_PANELS];
  double longest; /* s, largest end */
  char values[DLS_LESSON_SLIDERS]
             [DLS_LESSON_WORD]; /* of the sliders, as on a command line: set them before the calls below */
  /* the motion of these values */
  double end;
  dls_model_choice model;
  dls_system *sys;
  dls_reference reference;
  dls_graph *graphs[DLS_LESSON_MEASURES]; /* of the reference */
} dls_lesson_maker;

/** The value at a position of a list "a;b;c", or the list's length if text is NULL. */
size_t dls_lesson_value_at(const char *list, size_t index, char *text, size_t size);
/** Does a slider change the motion, and therefore its reference? */
bool dls_lesson_changes_motion(dls_lesson_role role);

/** Without values and motion; `out` and `catalogue` are borrowed. */
dls_lesson_maker dls_lesson_maker_of(const dls_lesson *lesson, const dls_catalogue *catalogue, FILE *out,
                                     int digits);
/** Model and reference of the values. @return DLS_OK; DLS_ERR_MEMORY; the status of a refused value or a failed reference */
dls_status dls_lesson_make_motion(dls_lesson_maker *m, dls_error *err);
void dls_lesson_release_motion(dls_lesson_maker *m);
/** Write {"reference":"text","nodes":"packed","runs":[ */
dls_status dls_lesson_put_motion(const dls_lesson_maker *m, dls_error *err);
/** Write [[errors],"packed nodes"], or [[],"","reason"] of a run that failed. @return DLS_OK; DLS_ERR_MEMORY; as dls_lesson_pack */
dls_status dls_lesson_put_run(const dls_lesson_maker *m, double step, dls_error *err);

#endif
