/* experiments/show/plot_axis.c -- range and label of a parameter's axis.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_axis.h"
#include "experiments/show/gnuplot.h"
#include <math.h>

static const double margin = 0.02; /* of the axis, on both sides */

void dls_plot_axis_range(FILE *script, char letter, const dls_sweep_axis *axis, bool text)
{
  const double low = fmin(axis->first, axis->last), high = fmax(axis->first, axis->last);
  if (axis->logarithmic) {
    const double factor = pow(high / low, margin);
    dls_gnuplot_log_axis(script, letter, low / factor, high * factor, text);
    fprintf(script, "set %crange [%.10g:%.10g]\n", letter, low / factor, high * factor);
  } else {
    const double room = high > low ? margin * (high - low) : 1;
    fprintf(script, "set %crange [%.10g:%.10g]\n", letter, low - room, high + room);
  }
}

void dls_plot_axis_label(FILE *script, char letter, const dls_sweep_axis *axis)
{
  char label[200];
  snprintf(label, sizeof label, "%.100s %.30s [%.30s]", axis->parameter->help, axis->parameter->name,
           axis->parameter->unit);
  fprintf(script, "set %clabel ", letter);
  dls_gnuplot_quote(script, label);
  fputs(" noenhanced\n", script);
}
