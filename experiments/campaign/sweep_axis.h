/* experiments/campaign/sweep_axis.h -- the values of a parameter that runs are repeated over.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SWEEP_AXIS_H
#define DELASSUS_EXPERIMENTS_SWEEP_AXIS_H

#include <delassus/option.h>
#include <stdbool.h>

typedef struct dls_sweep_axis {
  const dls_option *parameter; /* of the model */
  double first, last;
  size_t count;         /* >= 2, or 1 of a list; 0: there is no axis */
  bool logarithmic;     /* a geometric sequence; else equally spaced */
  const double *values; /* count of them, from first to last, in place of a sequence; NULL: there is one */
} dls_sweep_axis;

/** Value i, from 0; the last one is `last` to the bit. */
double dls_sweep_axis_value(const dls_sweep_axis *axis, size_t i);

#endif
