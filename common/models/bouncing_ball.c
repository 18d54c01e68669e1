/* common/models/bouncing_ball.c -- a point mass under a constant force over a rigid floor.
 *   m dv = f dt + di,   q' = v,   0 <= q _|_ di,   v+ = -e v- at an impact
 * Source: Acary, lecture, academic example 1, with m = 1, f = -2, e = 1/2, q0 = 1, v0 = 0 as defaults.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, FORCE, RESTITUTION, Q0, V0 };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, DLS_OPEN_MIN | DLS_OPEN_MAX),
    [FORCE] = DLS_NUMBER("f", "N", "applied force, upwards; negative presses against the floor", -2, -INFINITY,
                         INFINITY, DLS_OPEN_MIN | DLS_OPEN_MAX),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.5, 0, 1, 0),
    [Q0] = DLS_NUMBER("q0", "m", "initial height over the floor", 1, 0, INFINITY, DLS_OPEN_MAX),
    [V0] = DLS_NUMBER("v0", "m/s", "initial velocity, upwards", 0, -INFINITY, INFINITY,
                      DLS_OPEN_MIN | DLS_OPEN_MAX),
    {0},
};

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  F[0] = *(const double *)sys->data;
}

static bool by_parameter(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  const int which = dls_option_find(parameters, name);
  (void)sys;
  out->Ma[0] += which == MASS ? out->a[0] : 0;
  out->F[0] += which == FORCE;
  return which >= 0;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* Apex height and fall time; without force, the start height and the time to the floor. */
static void set_scales(dls_system *sys, const double *p)
{
  const double acceleration = fabs(p[FORCE]) / p[MASS], speed = fabs(p[V0]);
  sys->length = p[Q0] + (acceleration > 0 ? 0.5 * speed * speed / acceleration : 0);
  if (!(sys->length > 0 && isfinite(sys->length))) {
    sys->length = 1;
  }
  sys->time = acceleration > 0 ? sqrt(2 * sys->length / acceleration) : speed > 0 ? sys->length / speed : 1;
  if (!(sys->time > 0 && isfinite(sys->time))) {
    sys->time = 1;
  }
}

static dls_status fill(dls_system *sys, const double *p, dls_error *err)
{
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  sys->H = dls_matrix_diagonal(1);
  double *force = malloc(sizeof *force);
  sys->data = force;
  sys->release = release;
  sys->momenta = 1;
  sys->momentum = dls_momentum_line;
  if (!sys->M || !sys->H || !force) {
    return dls_fail(err, DLS_ERR_MEMORY, "bouncing-ball: out of memory");
  }
  *force = p[FORCE];
  sys->load = load;
  sys->steady_load = true;
  sys->by_parameter = by_parameter;
  sys->q0[0] = p[Q0];
  sys->v0[0] = p[V0];
  sys->e[0] = p[RESTITUTION];
  set_scales(sys, p);
  dls_matrix_set(sys->M, 0, 0, p[MASS]);
  dls_matrix_set(sys->H, 0, 0, 1);
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  if (!(p[MASS] > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "bouncing-ball: m = %g kg, must be positive", p[MASS]);
  }
  if (!(p[Q0] >= 0)) {
    return dls_fail(err, DLS_ERR_ARG, "bouncing-ball: q0 = %g m starts below the floor at q = 0, must be >= 0",
                    p[Q0]);
  }
  dls_system *sys = dls_system_create(1, 1);
  const dls_status status =
      sys ? fill(sys, p, err) : dls_fail(err, DLS_ERR_MEMORY, "bouncing-ball: out of memory");
  if (status != DLS_OK) {
    dls_system_destroy(sys);
    return status;
  }
  *out = sys;
  return DLS_OK;
}

/* The point mass is the lowest point of a ball. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double radius = 0.06 * out->reach, width = 0.35 * out->reach;
  (void)p;
  dls_sketch_between(out, DLS_SHAPE_WALL, -width, 0, width, 0);
  dls_sketch_ball(out, 0, q[0] + radius, radius);
  dls_sketch_touch(out, 0, q[0], 0, 1);
}

extern const dls_model dls_model_bouncing_ball;
const dls_model dls_model_bouncing_ball = {
    .name = "bouncing-ball",
    .summary = "point mass under a constant force over a rigid floor",
    .source = "Acary, lecture on nonsmooth dynamics, academic example 1",
    .equations = "m q'' = f + lambda,  0 <= q _|_ lambda >= 0,  v+ = -e v- at an impact (gap g = q)\n"
                 "With f < 0 and e < 1 the impacts accumulate: infinitely many in finite time, then rest.\n"
                 "Defaults: impacts at t = 3 - 2^(1-n), rest from t = 3.\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
