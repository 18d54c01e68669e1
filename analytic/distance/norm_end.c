/* analytic/distance/norm_end.c -- the error at the end: |f(T) - g(T)| / xi, T the last time that both graphs cover.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/norm.h"
#include "common/base/larger.h"
#include <float.h>
#include <stdlib.h>

static dls_status measure_end(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                              const dls_metric *metric, dls_measure *out, dls_error *err)
{
  (void)self;
  double low, high;
  dls_status status = dls_graph_check_pair(numeric, reference, metric, err);
  if (status == DLS_OK) {
    status = dls_norm_overlap(numeric, reference, &low, &high, err);
  }
  if (status != DLS_OK) {
    return status;
  }
  const size_t dim = numeric->dim;
  double *f = malloc(2 * dim * sizeof *f);
  if (f == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu values", dim);
  }
  double *g = f + dim;
  dls_graph_value(numeric, high, 1, f);
  dls_graph_value(reference, high, 1, g);
  *out = (dls_measure){0, 0};
  for (size_t k = 0; k < dim; k++) {
    out->value = dls_larger(out->value, fabs(f[k] - g[k]) / metric->value_scale);
    out->bound = dls_larger(out->bound,
                            DLS_NORM_ROUNDING * DBL_EPSILON * (fabs(f[k]) + fabs(g[k])) / metric->value_scale);
  }
  free(f);
  return DLS_OK;
}

const dls_norm dls_norm_end = {
    .name = "end",
    .label = "at the end",
    .unit = "%s",
    .summary = "|f(T) - g(T)| / xi at the last time T of both graphs, right limits",
    .measure = measure_end,
};
