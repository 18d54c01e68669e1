/* experiments/campaign/sweep_axis.h -- the values of a parameter, an option of schemes or the step that runs are repeated over.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SWEEP_AXIS_H
#define DELASSUS_EXPERIMENTS_SWEEP_AXIS_H

#include <delassus/option.h>
#include <stdbool.h>

/** What a value changes. */
typedef enum dls_sweep_of { DLS_SWEEP_PARAMETER, DLS_SWEEP_SCHEME_OPTION, DLS_SWEEP_STEP } dls_sweep_of;

typedef struct dls_sweep_axis {
  dls_sweep_of of;
  const dls_option *parameter; /* of the model; an option of the first scheme, which all have; dls_sweep_step */
  double first, last;
  size_t count;         /* >= 2, or 1 of a list; 0: there is no axis */
  bool logarithmic;     /* a geometric sequence; else equally spaced */
  const double *values; /* count of them, from first to last, in place of a sequence; NULL: there is one */
} dls_sweep_axis;

/** The mean time step of a study of errors. */
extern const dls_option dls_sweep_step;

/** Value i, from 0; the last one is `last` to the bit. */
double dls_sweep_axis_value(const dls_sweep_axis *axis, size_t i);

#endif
