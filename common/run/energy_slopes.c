/* energy_slopes.c -- see energy_slopes.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/energy_slopes.h"
#include "common/base/memory.h"
#include "common/run/step_thresholds.h"
#include "common/system/coordinate_scales.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

dls_status dls_energy_slopes_create(const dls_system *sys, size_t count, const dls_direction *directions,
                                    dls_energy_slopes *out, dls_error *err)
{
  *out = (dls_energy_slopes){.sys = sys, .count = count, .direction = directions};
  out->state = calloc(dls_size_product(5, sys->n), sizeof *out->state);
  out->near = calloc(dls_size_sum(dls_size_product(DLS_DIRECTION_SYSTEMS, count), 1), sizeof(dls_measures *));
  dls_status status =
      out->state != NULL && out->near != NULL
          ? dls_measures_create(sys, &out->self, err)
          : dls_fail(err, DLS_ERR_MEMORY, "no memory for the energy of %zu degrees of freedom", sys->n);
  if (out->state != NULL) {
    out->scale = out->state + 4 * sys->n;
    dls_coordinate_scales(sys, out->scale);
  }
  for (size_t k = 0; k < count; k++) {
    for (size_t i = 0; i < directions[k].count && status == DLS_OK; i++) {
      status = dls_measures_create(directions[k].system[i], &out->near[DLS_DIRECTION_SYSTEMS * k + i], err);
    }
  }
  return status;
}

void dls_energy_slopes_release(dls_energy_slopes *slopes)
{
  for (size_t i = 0; slopes->near != NULL && i < DLS_DIRECTION_SYSTEMS * slopes->count; i++) {
    dls_measures_destroy(slopes->near[i]);
  }
  dls_measures_destroy(slopes->self);
  free(slopes->near);
  free(slopes->state);
  *slopes = (dls_energy_slopes){0};
}

static double energy_of(dls_measures *measures, double t, const double *q, const double *v)
{
  double values[DLS_MEASURES_MOST];
  dls_measures_at(measures, t, q, v, values);
  return values[0];
}

double dls_energy_at(const dls_energy_slopes *slopes, double t, const double *q, const double *v)
{
  return energy_of(slopes->self, t, q, v);
}

/* NaN where an entry is NaN: the direction has ended. */
static double size_of(const dls_energy_slopes *slopes, const double *dq, const double *dv)
{
  double size = 0;
  for (size_t i = 0; i < slopes->sys->n && !isnan(size); i++) {
    const double scale = slopes->scale[i];
    const double by_q = fabs(dq[i]) / scale, by_v = fabs(dv[i]) * slopes->sys->time / scale;
    size = isnan(by_q + by_v) ? NAN : fmax(size, fmax(by_q, by_v));
  }
  return size;
}

/* By four values at -2, -1, 1, 2 of their distance. */
double dls_energy_along(dls_energy_slopes *slopes, double t, const double *q, const double *v, const double *dq,
                        const double *dv)
{
  static const double at[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const double difference = slopes->sys->linear ? 1 : threshold_state_distance;
  const size_t n = slopes->sys->n;
  const double size = size_of(slopes, dq, dv), step = difference / size;
  double *state = slopes->state, sum = 0;
  for (size_t i = 0; i < 4 && size != 0; i++) {
    for (size_t j = 0; j < n; j++) {
      state[j] = q[j] + at[i] * step * dq[j];
      state[n + j] = v[j] + at[i] * step * dv[j];
    }
    sum += weight[i] * energy_of(slopes->self, t, state, state + n) / step;
  }
  return sum;
}

void dls_energy_by_state(dls_energy_slopes *slopes, double t, const double *q, const double *v, double *out)
{
  const size_t n = slopes->sys->n;
  double *unit = slopes->state + 2 * n;
  memset(unit, 0, 2 * n * sizeof *unit);
  for (size_t i = 0; i < 2 * n; i++) {
    unit[i] = 1;
    out[i] = dls_energy_along(slopes, t, q, v, unit, unit + n);
    unit[i] = 0;
  }
}

double dls_energy_by_parameter(const dls_energy_slopes *slopes, size_t k, double t, const double *q,
                               const double *v)
{
  const dls_direction *direction = &slopes->direction[k];
  double sum = 0;
  for (size_t i = 0; i < direction->count; i++) {
    sum += direction->weight[i] * energy_of(slopes->near[DLS_DIRECTION_SYSTEMS * k + i], t, q, v);
  }
  return sum;
}
