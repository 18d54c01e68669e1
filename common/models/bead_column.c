/* bead_column.c -- N equal beads stacked over a floor; q_i is the height of centre i.
 *   contact 0: g_0 = q_0 - R,   contact i: g_i = q_i - q_(i-1) - 2 R
 * At rest contact i carries (N - i) m g.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/row.h"
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { COUNT, MASS, RADIUS, GRAVITY, RESTITUTION, GAP };
static const dls_option parameters[] = {
    [COUNT] = DLS_COUNT("N", "number of beads", 10, 1, 1e6),
    [MASS] = DLS_NUMBER("m", "kg", "mass of a bead", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [RADIUS] = DLS_NUMBER("radius", "m", "radius of a bead", 0.1, 0, DBL_MAX, DLS_OPEN_MIN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [GAP] = DLS_NUMBER("gap", "m", "initial gap of every contact", 0.1, 0, DBL_MAX, 0),
    {0},
};

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = *(const double *)sys->data;
  }
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  if (alpha == 0) {
    snprintf(text, size, "contact 0 (floor and bead 0)");
  } else {
    snprintf(text, size, "contact %zu (beads %zu and %zu)", alpha, alpha - 1, alpha);
  }
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "height of bead %zu", i);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* H has +1 at bead j and -1 at bead j - 1 in column j. */
static void fill(dls_system *sys, const double *p)
{
  for (size_t j = 0; j < sys->n; j++) {
    dls_matrix_set(sys->M, j, j, p[MASS]);
    if (j > 0) {
      dls_matrix_set(sys->H, j - 1, j, -1);
    }
    dls_matrix_set(sys->H, j, j, 1);
    sys->w[j] = j == 0 ? -p[RADIUS] : -2 * p[RADIUS];
    sys->e[j] = p[RESTITUTION];
    sys->q0[j] = j == 0 ? p[RADIUS] + p[GAP] : dls_next_in_row(sys->q0[j - 1], p[RADIUS], p[GAP]);
  }
  *(double *)sys->data = -p[MASS] * p[GRAVITY];
  sys->length = 2 * p[RADIUS];
  sys->time = p[GRAVITY] > 0 ? sqrt(sys->length / p[GRAVITY]) : 1;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  const size_t n = (size_t)p[COUNT];
  dls_system *sys = *out = dls_system_create(n, n);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->steady_load = true;
    sys->contact_name = contact_name;
    sys->coordinate = coordinate;
    sys->release = release;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    sys->data = malloc(sizeof(double));
    sys->M = dls_matrix_diagonal(n);
    sys->H = dls_matrix_sparse(n, n, 2 * n);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "bead-column: no memory for N = %zu beads", n);
  }
  fill(sys, p);
  return DLS_OK;
}

/* The arrow of a contact is the force on the upper bead. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double radius = p[RADIUS];
  dls_sketch_between(out, DLS_SHAPE_WALL, -4 * radius, 0, 4 * radius, 0);
  for (size_t i = 0; i < (size_t)p[COUNT] && !out->full; i++) {
    dls_sketch_ball(out, 0, q[i], radius);
    dls_sketch_touch(out, 0, q[i] - radius, 0, 1);
  }
}

const dls_model dls_model_bead_column = {
    .name = "bead-column",
    .summary = "N beads in a column over a floor",
    .source = "standard benchmark of granular dynamics; contact i carries (N - i) m g at rest",
    .equations = "m q_i'' = -m g + p_i - p_(i+1),   i = 0 .. N-1\n"
                 "g_0 = q_0 - radius >= 0,   g_i = q_i - q_(i-1) - 2 radius >= 0\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
