/* pendulum_chain.c -- a chain of rods released to swing against a wall; work grows linearly with its number of links.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>
#include <stdlib.h>

enum { LINKS, MASS, LENGTH, GRAVITY, ANGLE, WALL, RESTITUTION };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [LINKS] = DLS_COUNT("N", "number of links", 10, 1, 1000000),
    [MASS] = DLS_NUMBER("m", "kg", "mass of the chain, in equal points at the ends of its links", 1, 0,
                        INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of the chain", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [ANGLE] = DLS_NUMBER("theta0", "rad", "initial angle of the straight chain from the vertical, at rest",
                         0.7853981633974483, -1.5707963267948966, 1.5707963267948966, 0),
    [WALL] = DLS_NUMBER("wall", "m", "x of the wall, on the left of the chain at the start", -0.2, -INFINITY,
                        INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of the points at the wall", 0.5, 0, 1, 0),
    {0},
};

static dls_status make(const dls_model *self, const double *p, double *length, double *mass, dls_system **out,
                       dls_error *err)
{
  const size_t count = (size_t)p[LINKS];
  for (size_t i = 0; i < count; i++) {
    length[i] = p[LENGTH] / (double)count;
    mass[i] = p[MASS] / (double)count;
  }
  const dls_status status = dls_rods_chain(self->name, count, length, mass, -p[GRAVITY], &p[WALL], out, err);
  for (size_t i = 0; status == DLS_OK && i < count; i++) {
    const double along = p[LENGTH] * (double)(i + 1) / (double)count;
    (*out)->q0[2 * i] = along * sin(p[ANGLE]);
    (*out)->q0[2 * i + 1] = -along * cos(p[ANGLE]);
    (*out)->e[i] = p[RESTITUTION];
  }
  if (status == DLS_OK) {
    (*out)->length = p[LENGTH];
    (*out)->time = sqrt(p[LENGTH] / p[GRAVITY]);
  }
  return status;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const size_t count = (size_t)p[LINKS];
  *out = NULL;
  if (p[WALL] > 0 || p[WALL] > p[LENGTH] * sin(p[ANGLE])) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model %s: wall = %g m is on the right of an end of the chain, x = 0 and %g m", self->name,
                    p[WALL], p[LENGTH] * sin(p[ANGLE]));
  }
  double *work = calloc(2 * count, sizeof *work);
  const dls_status status =
      work != NULL ? make(self, p, work, work + count, out, err)
                   : dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu links", self->name, count);
  free(work);
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const size_t count = (size_t)p[LINKS];
  const double radius = 0.2 * p[LENGTH] / (double)(count < 10 ? 10 : count);
  dls_sketch_between(out, DLS_SHAPE_WALL, p[WALL] - radius, 0, p[WALL] - radius, -1.1 * p[LENGTH]);
  dls_rods_sketch_chain(count, q, 1, radius, out);
  for (size_t i = 0; i < count && i < DLS_SKETCH_TOUCHES; i++) {
    dls_sketch_touch(out, q[2 * i] - radius, q[2 * i + 1], 1, 0);
  }
}

const dls_model dls_model_pendulum_chain = {
    .name = "pendulum-chain",
    .summary = "chain of N links that swings against a wall: joints in large numbers, with impacts",
    .source = "standard benchmark of multibody codes",
    .equations = "M q'' = F + G mu + H lambda,   q = (x1, y1, x2, ...), y upward;   V = sum (m/N) g y_i\n"
                 "phi_i = ((x_i - x_i-1)^2 + (y_i - y_i-1)^2 - a^2)/(2 a) = 0,   a = l/N;   mu: thrusts of the "
                 "links [N]\n"
                 "g_i = x_i - wall >= 0\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
