/* control.h -- step lengths from error estimates, on a grid so that factorizations are used again:
 *   h = h_max 2^(-k/2), k = 0, 1, ..., with h >= h_min
 *   h_new <= h min(grow, max(shrink, safety err^(-1/(p+1))))                                        (1)
 * A step is accepted if err <= 1, and at the shortest length whatever the error: then it counts as forced.
 * Source of (1): Acary, lecture, eq. (113); Hairer, Norsett & Wanner 1993, section II.4.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTROL_H
#define DELASSUS_TIME_STEPPING_CONTROL_H

#include <delassus/scheme.h>

/** The options of the control, in this order. */
#define DLS_STEP_CONTROL_OPTIONS                                                                               \
  {"h_first", "t_s", "first step length tried", 1e-3, 0, 1e9, DLS_REAL, DLS_OPEN_MIN, NULL},                   \
      {"h_min",  "t_s", "shortest step length: accepted whatever the error, and counted as forced",            \
       1e-7,     1e-12, 1e9,                                                                                   \
       DLS_REAL, 0,     NULL},                                                                                 \
      {"h_max", "t_s", "longest step length", 0.1, 1e-12, 1e9, DLS_REAL, 0, NULL},                             \
      {"safety", "1", "part of the step length that the error would allow which is taken",                     \
       0.9,      0.1, 1,                                                                                       \
       DLS_REAL, 0,   NULL},                                                                                   \
      {"shrink", "1", "least ratio of a step length to the one before", 0.2, 0.01, 0.7, DLS_REAL, 0, NULL},    \
      {"grow", "1", "largest ratio of a step length to the one before", 2, 1, 10, DLS_REAL, 0, NULL},          \
      {"max_rejections",                                                                                       \
       "1",                                                                                                    \
       "rejections of a step after which it is taken with h_min",                                              \
       20,                                                                                                     \
       1,                                                                                                      \
       1000,                                                                                                   \
       DLS_INTEGER,                                                                                            \
       0,                                                                                                      \
       NULL},                                                                                                  \
  {                                                                                                            \
    "max_trials", "1", "steps tried in a run, accepted or not, before it is given up", 1e8, 1, 1e15,           \
        DLS_INTEGER, 0, NULL                                                                                   \
  }
enum { DLS_STEP_CONTROL_OPTION_COUNT = 8 };

typedef struct dls_step_control {
  double h_max, safety, shrink, grow;
  int level, deepest; /* k above */
  int rejections, most_rejections;
  double trials, most_trials;
} dls_step_control;

/** @param[in] opt  values of DLS_STEP_CONTROL_OPTIONS; @return DLS_ERR_OPTION if h_min > h_max */
dls_status dls_step_control_check(const char *scheme, const double *opt, dls_error *err);
void dls_step_control_start(const dls_sim *sim, const double *opt, dls_step_control *c);
/**
 * A trial of length h from the state of the run, which it leaves as it is.
 * @param[out] error  accepted if <= 1; NaN is too large
 * @param[out] order  p in (1)
 */
typedef dls_status dls_trial(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err);
/**
 * Trials until one is accepted; counts steps, those rejected and those forced. A length is on the grid, but the last two steps
 * before the end share what is left. After a trial that fails in its numbers comes a shorter one.
 * @param[in]  rest  time still to go
 * @param[out] h     the length that was accepted
 * @return DLS_ERR_NOCONV if max_trials is used up; what the shortest trial fails with
 */
dls_status dls_step_control_step(dls_sim *sim, dls_step_control *c, double rest, dls_trial *trial, void *step,
                                 double *h, dls_error *err);
/** May a shorter step succeed where one failed with this status? */
bool dls_step_control_retry(dls_status status);
/** Is h as short as it may be? */
bool dls_step_control_shortest(const dls_sim *sim, const dls_step_control *c, double h);

#endif
