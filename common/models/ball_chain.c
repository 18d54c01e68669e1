/* ball_chain.c -- N balls on a line, the first of which runs into the others; q_i is the centre of ball i.
 *   contact i, of balls i and i + 1: g_i = q_(i+1) - q_i - 2 R
 * With gap = 0 the balls touch (Newton's cradle) and the impact law decides about one multiple impact; with gap > 0 they hit one after
 * the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/row.h"
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>

enum { COUNT, MASS, RATIO, RADIUS, GAP, RESTITUTION, SPEED };
static const dls_option parameters[] = {
    [COUNT] = DLS_COUNT("N", "number of balls", 3, 2, 100),
    [MASS] = DLS_NUMBER("m", "kg", "mass of the first ball", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [RATIO] = DLS_NUMBER("ratio", "1", "mass of a ball over that of the one before", 1, 1e-3, 1e3, 0),
    [RADIUS] = DLS_NUMBER("radius", "m", "radius of a ball", 0.1, 0, DBL_MAX, DLS_OPEN_MIN),
    [GAP] = DLS_NUMBER("gap", "m", "initial gap of every contact", 0.1, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 1, 0, 1, 0),
    [SPEED] = DLS_NUMBER("v0", "m/s", "initial velocity of the first ball", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    {0},
};

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (balls %zu and %zu)", alpha, alpha, alpha + 1);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "position of ball %zu", i);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const size_t n = (size_t)p[COUNT], m = n - 1;
  dls_system *sys = *out = dls_system_create(n, m);
  if (sys != NULL) {
    sys->linear = true;
    sys->contact_name = contact_name;
    sys->coordinate = coordinate;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    sys->M = dls_matrix_diagonal(n);
    sys->H = dls_matrix_sparse(n, m, 2 * m);
  }
  if (sys == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for N = %zu balls", self->name, n);
  }
  for (size_t i = 0; i < n; i++) {
    dls_matrix_set(sys->M, i, i, p[MASS] * pow(p[RATIO], (double)i));
    sys->q0[i] = i == 0 ? 0 : dls_next_in_row(sys->q0[i - 1], p[RADIUS], p[GAP]);
  }
  for (size_t j = 0; j < m; j++) {
    dls_matrix_set(sys->H, j, j, -1);
    dls_matrix_set(sys->H, j + 1, j, 1);
    sys->w[j] = -2 * p[RADIUS];
    sys->e[j] = p[RESTITUTION];
  }
  sys->v0[0] = p[SPEED];
  sys->length = fmax(p[RADIUS], p[GAP]);
  sys->time = sys->length / p[SPEED];
  return DLS_OK;
}

/* The arrow of a contact is the force on the ball to the right. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  for (size_t i = 0; i < (size_t)p[COUNT] && !out->full; i++) {
    dls_sketch_ball(out, q[i], 0, p[RADIUS]);
    if (i > 0) {
      dls_sketch_touch(out, q[i] - p[RADIUS], 0, 1, 0);
    }
  }
}

const dls_model dls_model_ball_chain = {
    .name = "ball-chain",
    .summary = "N balls on a line, the first of which runs into the others",
    .source = "elementary",
    .equations = "m_i q_i'' = p_(i-1) - p_i,   g_i = q_(i+1) - q_i - 2 radius >= 0,   i = 0 .. N-2\n"
                 "gap > 0: binary collisions, v_i+ = V + e m_j/(m_i + m_j) (v_j - v_i), V: of both together\n"
                 "gap = 0: Newton's cradle, one multiple impact, which the impact law decides\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
