/* experiments/measures/fit/thresholds.h -- the thresholds of fits, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_THRESHOLDS_H
#define DELASSUS_EXPERIMENTS_FIT_THRESHOLDS_H

#include "common/base/threshold_rows.h"

#define DLS_FIT_THRESHOLDS(X)                                                                                  \
  X(start_inside, 1e-3, "of the range", "at a bound the substitution of a bounded parameter has no slope",     \
    "start values at a bound are moved inside by this")                                                        \
  X(far_bound, 1e3, "larger of start value and default", "start values are moved inside by 1e-3 of the range", \
    "a bound of the model beyond it is ignored")                                                               \
  X(at_bound, 1e-6, "of the range", "the substitution reaches a bound only in the limit",                      \
    "an estimate that is closer to a bound is reported to be at it")                                           \
  X(rank, 1e-6, "1", "derivatives have relative errors of up to 1e-8",                                         \
    "smaller singular values of the Jacobian with unit columns mean that parameters cannot be told apart")     \
  X(in_combination, 0.01, "1", "entries of a null vector of unit length below it are errors of derivatives",   \
    "parameters with larger entries are reported as not identifiable")                                         \
  X(no_effect, 1e-9, "of the data", "tangents of a run have errors of this size",                              \
    "a parameter whose change by its own size changes the answer less has no effect")                          \
  X(kink, 0.01, "standard errors",                                                                             \
    "the sum of squares has a kink where the time of an event passes a row of data",                           \
    "iterations that end at a kink have converged to this numerical error")                                    \
  X(first_radius, 0.3, "standard errors", "a kink is seen from both of its sides",                             \
    "distance of the first gradients that are combined at a kink")                                             \
  X(radius_falls, 0.3, "1", "gradients at smaller distances describe the kink better",                         \
    "factor of that distance where no step decreases the sum of squares")                                      \
  X(least_descent, 1e-4, "of the slope", "a decrease by rounding is none",                                     \
    "smaller decreases of a step are rejected")                                                                \
  X(not_noise, 3, "standard deviations",                                                                       \
    "the lag-one correlation of N independent residuals has the standard deviation 1/sqrt(N)",                 \
    "a larger correlation means that the fit is a local minimum, or that the model does not describe the "     \
    "data")                                                                                                    \
  X(exact_data, 1e-8, "of the data", "integration errors of computed data are not independent",                \
    "smaller residuals are not examined for correlation")                                                      \
  X(same_minimum, 1e-3, "of the sum of squares", "iterations end at 1e-4 standard errors",                     \
    "two minima whose sums of squares differ by less are the same")                                            \
  X(strong_correlation, 0.95, "1", "reported so that an interval is not read alone",                           \
    "pairs of parameters with a larger correlation are reported")                                              \
  X(sigma_settled, 1e-3, "1", "the weights of several columns depend on their noise",                          \
    "passes end when no estimated standard deviation changes by more")                                         \
  X(improbable, 1e-3, "1", "the sum of squares over sigma^2 follows the law of chi^2",                         \
    "a sum of squares that noise exceeds with a smaller probability is reported")                              \
  X(failed_residual, 1e6, "of the smallest norm of residuals so far", "no step to a run that fails counts",    \
    "all residuals of a run that failed")                                                                      \
  X(jump_reach, 3, "standard errors", "the time of a jump is known to its standard error",                     \
    "velocities closer to a jump than this may be on its other side")

DLS_FIT_THRESHOLDS(DLS_THRESHOLD_REAL)

#endif
