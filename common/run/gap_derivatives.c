/* gap_derivatives.c -- D g and D u = D [H^T v + b] along (dq, dv, dp): along the state by a central difference of fourth order, along the
 * parameter by the systems of its direction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/gap_derivatives.h"
#include "common/base/memory.h"
#include "common/run/step_thresholds.h"
#include "common/system/coordinate_scales.h"
#include <delassus/configuration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double same_break = 1e-3; /* breaks of neighbouring systems differ by less, relative */

/* What one direction needs. */
typedef struct workspace {
  dls_configuration self, near[DLS_DIRECTION_SYSTEMS];
  double *q, *v, *scale, *values; /* n, n, n: of the coordinates; 2 m: g and u */
} workspace;

static void release(workspace *w)
{
  dls_configuration_destroy(&w->self);
  for (size_t i = 0; i < DLS_DIRECTION_SYSTEMS; i++) {
    dls_configuration_destroy(&w->near[i]);
  }
  free(w->q);
}

static bool create(const dls_system *sys, const dls_direction *direction, workspace *w)
{
  const size_t n = sys->n;
  *w = (workspace){.q = calloc(dls_size_sum(3 * n, 2 * sys->m), sizeof *w->q)};
  if (w->q == NULL) {
    return false;
  }
  w->v = w->q + n;
  w->scale = w->v + n;
  w->values = w->scale + n;
  dls_coordinate_scales(sys, w->scale);
  bool complete = dls_configuration_create(sys, &w->self);
  for (size_t i = 0; i < direction->count && complete; i++) {
    complete = dls_configuration_create(direction->system[i], &w->near[i]);
  }
  return complete;
}

/* sum += weight (g, u) */
static void add_values(dls_configuration *config, workspace *w, double t, const double *q, const double *v,
                       double weight, double *sum)
{
  const size_t m = config->sys->m;
  dls_configuration_contacts(config, t, q);
  dls_configuration_node(config, v, w->values, w->values + m);
  for (size_t j = 0; j < 2 * m; j++) {
    sum[j] += weight * w->values[j];
  }
}

static void along_state(workspace *w, double t, const double *q, const double *v, const double *dq, double *out)
{
  static const double place[] = {-2, -1, 1, 2}, weight[] = {1.0 / 12, -8.0 / 12, 8.0 / 12, -1.0 / 12};
  const dls_system *sys = w->self.sys;
  const size_t n = sys->n;
  const double *dv = dq + n;
  double size = 0;
  for (size_t i = 0; i < n; i++) {
    size = fmax(size, fmax(fabs(dq[i]) / w->scale[i], fabs(dv[i]) * sys->time / w->scale[i]));
  }
  const double step = (sys->linear ? 1 : threshold_state_distance) / size;
  for (size_t k = 0; k < 4 && size > 0; k++) {
    for (size_t i = 0; i < n; i++) {
      w->q[i] = q[i] + place[k] * step * dq[i];
      w->v[i] = v[i] + place[k] * step * dv[i];
    }
    add_values(&w->self, w, t, w->q, w->v, weight[k] / step, out);
  }
}

/* Have the supports of both systems jumped equally often up to t? */
static bool same_jumps(const dls_system *sys, const dls_system *near, double t)
{
  const double own = dls_system_next_break(sys, t), other = dls_system_next_break(near, t);
  return own == other || fabs(own - other) <= same_break * fmax(fabs(own), sys->time);
}

static void differentiate(workspace *w, const dls_direction *direction, double t, const double *q,
                          const double *v, const double *dq, double *out)
{
  const dls_system *sys = w->self.sys;
  bool known = true;
  memset(out, 0, 2 * sys->m * sizeof *out);
  for (size_t i = 0; i < 2 * sys->n; i++) {
    known = known && !isnan(dq[i]);
  }
  for (size_t i = 0; i < direction->count && known; i++) {
    known = same_jumps(sys, direction->system[i], t);
    add_values(&w->near[i], w, t, q, v, direction->weight[i], out);
  }
  if (known) {
    along_state(w, t, q, v, dq, out);
  }
  for (size_t j = 0; j < 2 * sys->m && !known; j++) {
    out[j] = NAN;
  }
}

dls_status dls_gap_derivatives(const dls_system *sys, const dls_sensitivity *s, const dls_tangent_rows *at,
                               double *out, dls_error *err)
{
  const size_t n = sys->n, m = sys->m;
  for (size_t k = 0; k < s->count; k++) {
    workspace w;
    const bool complete = create(sys, &s->direction[k], &w);
    for (size_t i = 0; i < at->rows && complete; i++) {
      differentiate(&w, &s->direction[k], at->t[i], at->q + n * i, at->v + n * i,
                    at->tangents + at->stride * i + 2 * n * k, out + 2 * m * (s->count * i + k));
    }
    release(&w);
    if (!complete) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the derivatives of %zu gaps", m);
    }
  }
  return DLS_OK;
}
