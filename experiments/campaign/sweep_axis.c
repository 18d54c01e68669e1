/* experiments/campaign/sweep_axis.c -- equally spaced, geometric or listed values.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/campaign/sweep_axis.h"
#include <math.h>

const dls_option dls_sweep_step = {.name = "step", .unit = "s", .help = "time"};

double dls_sweep_axis_value(const dls_sweep_axis *axis, size_t i)
{
  if (axis->values != NULL) {
    return axis->values[i];
  }
  const double part = (double)i / (double)(axis->count - 1);
  if (axis->logarithmic) {
    return i + 1 == axis->count ? axis->last : axis->first * pow(axis->last / axis->first, part);
  }
  return (1 - part) * axis->first + part * axis->last;
}
