/* circle_point.c -- see circle_point.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/circle_point.h"
#include "common/system/momentum.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_circle_point *what = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = 0;
  F[1] = -what->m * what->g;
}

static double potential(const dls_system *sys, const double *q)
{
  const dls_circle_point *what = sys->data;
  return what->m * what->g * q[1];
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const dls_circle_point *what = sys->data;
  (void)t;
  g[0] = what->R - hypot(q[0], q[1]);
}

void dls_circle_outward(const double *q, double *r, double e[2])
{
  *r = fmax(hypot(q[0], q[1]), DBL_MIN);
  e[0] = q[0] / *r;
  e[1] = q[1] / *r;
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  double r, e[2];
  (void)sys;
  dls_circle_outward(q, &r, e);
  dls_matrix_set(H, 0, 0, -e[0]);
  dls_matrix_set(H, 1, 0, -e[1]);
}

/* -v_t^2/|q| */
static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  double r, e[2];
  (void)sys, (void)t;
  dls_circle_outward(q, &r, e);
  const double along = e[0] * v[1] - e[1] * v[0];
  c[0] = -along * along / r;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const dls_circle_point *what)
{
  *(dls_circle_point *)sys->data = *what;
  dls_matrix_set(sys->M, 0, 0, what->m);
  dls_matrix_set(sys->M, 1, 1, what->m);
  sys->length = what->R;
  sys->time = sqrt(what->R / what->g);
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = potential;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->momenta = 3;
  sys->momentum = dls_momentum_points;
}

dls_status dls_circle_point_create(const dls_model *self, const dls_circle_point *what, bool friction,
                                   dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(2, 1);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(sizeof *what);
    sys->M = dls_matrix_diagonal(2);
    sys->H = dls_matrix_dense(2, 1);
    sys->T = friction ? dls_matrix_dense(2, 1) : NULL;
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL || (friction && sys->T == NULL)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, what);
  return DLS_OK;
}
