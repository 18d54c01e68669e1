/* four_bar.c -- the four-bar mechanism in N windows: N + 1 uniform rods on fixed pivots, their ends joined by N
 * couplers. It passes through stretched configurations in which the joints' gradients lose rank.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { WINDOWS, MASS, LENGTH, GRAVITY, SPEED };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [WINDOWS] = DLS_COUNT("N", "number of windows", 1, 1, 100000),
    [MASS] = DLS_NUMBER("m", "kg", "mass of a rod", 1, 0, INFINITY, OPEN),
    [LENGTH] = DLS_NUMBER("l", "m", "length of a rod", 1, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [SPEED] =
        DLS_NUMBER("v0", "m/s", "initial velocity of the upper ends, along x", 1, -INFINITY, INFINITY, OPEN),
    {0},
};

/* Points 0 .. N on the pivots (i l, 0), then the couplers. */
static void lay(const double *p, dls_rod *rod)
{
  const size_t windows = (size_t)p[WINDOWS];
  for (size_t i = 0; i <= windows; i++) {
    rod[i] =
        (dls_rod){.from = SIZE_MAX, .to = i, .x = (double)i * p[LENGTH], .length = p[LENGTH], .mass = p[MASS]};
  }
  for (size_t i = 0; i < windows; i++) {
    rod[windows + 1 + i] = (dls_rod){.from = i, .to = i + 1, .length = p[LENGTH], .mass = p[MASS]};
  }
}

static void start(dls_system *sys, const double *p)
{
  for (size_t i = 0; i <= (size_t)p[WINDOWS]; i++) {
    sys->q0[2 * i] = (double)i * p[LENGTH];
    sys->q0[2 * i + 1] = p[LENGTH];
    sys->v0[2 * i] = p[SPEED];
  }
  sys->length = p[LENGTH];
  sys->time = sqrt(p[LENGTH] / p[GRAVITY]);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const size_t points = (size_t)p[WINDOWS] + 1, rods = 2 * points - 1;
  dls_rod *rod = calloc(rods, sizeof *rod);
  double *mass = calloc(points, sizeof *mass); /* all the mass is in the rods */
  dls_status status = DLS_ERR_MEMORY;
  *out = NULL;
  if (rod != NULL && mass != NULL) {
    lay(p, rod);
    const dls_rods what = {.points = points, .rods = rods, .mass = mass, .rod = rod, .gravity = -p[GRAVITY]};
    status = dls_rods_create(self->name, &what, out, err);
  } else {
    dls_fail(err, status, "%s: no memory for %zu rods", self->name, rods);
  }
  free(rod);
  free(mass);
  if (status == DLS_OK) {
    start(*out, p);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const size_t windows = (size_t)p[WINDOWS];
  const double l = p[LENGTH];
  for (size_t i = 0; i <= windows; i++) {
    dls_sketch_ball(out, (double)i * l, 0, 0.02 * l);
    dls_sketch_between(out, DLS_SHAPE_LINE, (double)i * l, 0, q[2 * i], q[2 * i + 1]);
    dls_sketch_ball(out, q[2 * i], q[2 * i + 1], 0.03 * l);
    if (i > 0) {
      dls_sketch_between(out, DLS_SHAPE_LINE, q[2 * i - 2], q[2 * i - 1], q[2 * i], q[2 * i + 1]);
    }
  }
}

const dls_model dls_model_four_bar = {
    .name = "four-bar",
    .summary = "four-bar mechanism in N windows: passes configurations in which its joints are redundant",
    .source = "IFToMM library of computational benchmark problems, A01 (N-four-bar mechanism)",
    .equations = "M q'' = F + G mu,   q = (x1, y1, x2, ...) of the upper ends, y upward\n"
                 "M: (m/6) [2 1; 1 2] of every rod on either axis;   mu: thrusts [N]\n"
                 "phi_i = (|b_i - a_i|^2 - l^2)/(2 l) = 0 of the rods on the pivots a_i, i = 0 .. N\n"
                 "phi_N+1+i = (|b_i+1 - b_i|^2 - l^2)/(2 l) = 0 of the couplers, i = 0 .. N - 1\n"
                 "As a parallelogram phi'' = w^2 sin(phi), phi from upright, w^2 = (g/l) ((N + 1)/2 + N)/((N + "
                 "1)/3 + N)\n"
                 "reference, default data, t = 10: (x1, y1) = (0.4783850578, 0.8781501788)\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
