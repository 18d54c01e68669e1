/* control.h -- step lengths from error estimates, on a grid so that factorizations can be reused:
 *   h = h_max 2^(-k/2), k = 0, 1, ..., with h >= h_min
 *   h_new <= h min(grow, max(shrink, safety err^(-1/(p+1))))                                        (1)
 * A step is accepted if err <= 1. A step of the shortest length is always accepted; if err > 1, it counts as forced.
 * Source of (1): Acary, lecture, eq. (113); Hairer, Norsett & Wanner 1993, section II.4.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTROL_H
#define DELASSUS_TIME_STEPPING_CONTROL_H

#include <delassus/scheme.h>

typedef struct dls_step_control_options {
  double h_first, h_min, h_max, safety, shrink, grow;
  size_t max_rejections, max_trials;
} dls_step_control_options;
#define DLS_STEP_CONTROL_REAL(base, field, unit, help, initial, min, max, open)                                \
  DLS_REAL_OPTION(base, dls_step_control_options, field, unit, help, initial, min, max, open)
#define DLS_STEP_CONTROL_OPTIONS(base)                                                                         \
  DLS_STEP_CONTROL_REAL(base, h_first, "t_s", "first step length tried", 1e-3, 0, 1e9, DLS_OPEN_MIN),          \
      DLS_STEP_CONTROL_REAL(base, h_min, "t_s",                                                                \
                            "shortest step length: accepted whatever the error, and counted as forced", 1e-7,  \
                            1e-12, 1e9, 0),                                                                    \
      DLS_STEP_CONTROL_REAL(base, h_max, "t_s", "longest step length", 0.1, 1e-12, 1e9, 0),                    \
      DLS_STEP_CONTROL_REAL(base, safety, "1", "fraction of the step length that the error would allow", 0.9,  \
                            0.1, 1, 0),                                                                        \
      DLS_STEP_CONTROL_REAL(base, shrink, "1", "least ratio of a step length to the one before", 0.2, 0.01,    \
                            0.7, 0),                                                                           \
      DLS_STEP_CONTROL_REAL(base, grow, "1", "largest ratio of a step length to the one before", 2, 1, 10, 0), \
      DLS_INTEGER_OPTION(base, dls_step_control_options, max_rejections,                                       \
                         "rejections of a step after which it is made with h_min", 20, 1, 1000),               \
      DLS_INTEGER_OPTION(base, dls_step_control_options, max_trials,                                           \
                         "steps tried in a run, accepted or not, before it fails", 1e8, 1, 1e15)

typedef struct dls_step_control {
  double h_max, safety, shrink, grow;
  int level, deepest; /* k above */
  size_t rejections, most_rejections, trials, most_trials;
} dls_step_control;

/** @return DLS_ERR_OPTION if h_min > h_max */
dls_status dls_step_control_check(const dls_scheme *scheme, const dls_step_control_options *opt,
                                  dls_error *err);
void dls_step_control_start(const dls_sim *sim, const dls_step_control_options *opt, dls_step_control *c);
/**
 * A trial of length h from the state of the run, which is unchanged.
 * @param[out] error  accepted if <= 1; NaN is too large
 * @param[out] order  p in (1)
 */
typedef dls_status dls_trial(dls_sim *sim, void *step, double h, double *error, int *order, dls_error *err);
/**
 * Make trials until one is accepted. Counts accepted, rejected and forced steps. Lengths are on the grid, except that the last two
 * steps divide the rest. A trial that fails numerically is followed by a shorter one.
 * @param[in]  rest  time still to go
 * @param[out] h     the length that was accepted
 * @return DLS_ERR_NOCONV if max_trials is used up; the failure of the shortest trial
 */
dls_status dls_step_control_step(dls_sim *sim, dls_step_control *c, double rest, dls_trial *trial, void *step,
                                 double *h, dls_error *err);
/**
 * How far a step may lead: to the next break of a load or a surface, of which the error of a step sees nothing between its stages. A
 * step that ends at a jump would take the values behind it for its end: it ends four roundings before, and another one leads to the jump.
 * @param[in] rest  time still to go
 */
double dls_step_control_way(const dls_sim *sim, double rest);
/** May a shorter step succeed where one failed with this status? */
bool dls_step_control_retry(dls_status status);
/** Is h the shortest length? */
bool dls_step_control_shortest(const dls_sim *sim, const dls_step_control *c, double h);

#endif
