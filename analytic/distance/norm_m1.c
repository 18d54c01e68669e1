/* analytic/distance/norm_m1.c -- the M1 (parametric) distance of two filled-in graphs.
 *
 *   inf over continuous parametrisations (t, x), (s, y) of both graphs, in their order, of sup d((t,x), (s,y))
 * It is the Frechet distance of the graphs as curves. The Hausdorff distance bounds it from below, the distance at equal
 * times, including all values at a jump, from above.
 * Source: Skorokhod 1956; Whitt 2002, Stochastic-Process Limits, sec. 3.3 and 12.3.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/chords.h"
#include "analytic/distance/frechet.h"
#include "analytic/distance/norm.h"

static dls_status measure_m1(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                             const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self;
  dls_measure hausdorff;
  dls_status status = dls_hausdorff(numeric, reference, metric, &hausdorff, err);
  if (status != DLS_OK) {
    return status;
  }
  const double low = fmax(hausdorff.value - hausdorff.bound, 0.0);
  dls_chords chords = {0};
  status = dls_chords_measure(numeric, reference, metric, low, INFINITY, dls_frechet, NULL, &chords, out, err);
  dls_chords_free(&chords);
  return status;
}

const dls_norm dls_norm_m1 = {
    .name = "m1",
    .label = "in Skorokhod's M1 distance",
    .unit = "max(s, %s)",
    .summary = "inf of sup d over monotone parametrisations of both filled-in graphs (Skorokhod's M1)",
    .measure = measure_m1,
};
