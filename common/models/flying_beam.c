/* flying_beam.c -- a free flexible beam that flies, turns and bends, and hits a wall.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam.h"
#include <math.h>

enum {
  ELEMENT,
  ELEMENTS,
  MASS,
  LENGTH,
  EA,
  GA,
  EI,
  RHO_A,
  RHO_I,
  X,
  Y,
  ANGLE,
  VX,
  VY,
  RATE,
  BEND,
  GRAVITY,
  RESTITUTION,
  WALL
};
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const double pi = 3.14159265358979323846;
static const dls_option parameters[] = {
    [ELEMENT] = DLS_ONE_OF("element", "what nodes have besides x and y", DLS_BEAM_ANGLE, dls_beam_kinds),
    [ELEMENTS] = DLS_COUNT("n", "number of elements", 10, 1, 1000000),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_contact_mass_choices),
    [LENGTH] = DLS_NUMBER("l", "m", "length", 10, 0, INFINITY, OPEN),
    [EA] = DLS_NUMBER("EA", "N", "axial stiffness", 1e4, 0, INFINITY, OPEN),
    [GA] = DLS_NUMBER("GA", "N", "stiffness of shear", 1e4, 0, INFINITY, OPEN),
    [EI] = DLS_NUMBER("EI", "N m^2", "bending stiffness", 500, 0, INFINITY, OPEN),
    [RHO_A] = DLS_NUMBER("rhoA", "kg/m", "mass per length", 1, 0, INFINITY, OPEN),
    [RHO_I] = DLS_NUMBER("rhoI", "kg m", "rotary inertia per length", 10, 0, INFINITY, OPEN),
    [X] = DLS_NUMBER("x0", "m", "centre at the start, from the wall x = 0", 10, -INFINITY, INFINITY, OPEN),
    [Y] = DLS_NUMBER("y0", "m", "centre at the start, height", 0, -INFINITY, INFINITY, OPEN),
    [ANGLE] = DLS_NUMBER("angle", "rad", "angle of the straight beam at the start, from the x axis", 1,
                         -INFINITY, INFINITY, OPEN),
    [VX] = DLS_NUMBER("vx", "m/s", "velocity of the centre at the start", -5, -INFINITY, INFINITY, OPEN),
    [VY] = DLS_NUMBER("vy", "m/s", "the same along y", 0, -INFINITY, INFINITY, OPEN),
    [RATE] = DLS_NUMBER("omega", "rad/s", "angular velocity at the start", 0.5, -INFINITY, INFINITY, OPEN),
    [BEND] = DLS_NUMBER("bend", "m/s", "bending velocity at the start: bend cos(2 pi X/l), across the beam", 2,
                        -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 0, 0, INFINITY, DLS_OPEN_MAX),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of each node", 0, 0, 1, 0),
    [WALL] = DLS_ONE_OF("wall", "off: none, for schemes without contacts", 1, dls_off_on),
    {0},
};

static dls_beam beam_of(const double *p)
{
  return (dls_beam){.kind = (dls_beam_kind)p[ELEMENT],
                    .elements = (size_t)p[ELEMENTS],
                    .length = p[LENGTH],
                    .section = {.EA = p[EA], .GA = p[GA], .EI = p[EI], .rhoA = p[RHO_A], .rhoI = p[RHO_I]},
                    .mass = (int)p[MASS],
                    .touch = p[WALL] != 0 ? DLS_BEAM_NODES_AT_WALL : DLS_BEAM_NO_WALL,
                    .restitution = p[RESTITUTION],
                    .gravity = p[GRAVITY]};
}

/* Adds w(X) = bend cos(2 pi X/l) across the beam and w'(X) to the angles. In the continuous beam this has neither linear
 * nor angular momentum. */
static void add_bending(dls_system *sys, const double *p)
{
  const dls_beam *beam = dls_beam_of(sys);
  const double c = cos(p[ANGLE]), s = sin(p[ANGLE]), wave = 2 * pi / p[LENGTH];
  for (size_t node = 0; node <= beam->elements; node++) {
    const double along = p[LENGTH] * (double)node / (double)beam->elements;
    const double w = p[BEND] * cos(wave * along), slope = -p[BEND] * wave * sin(wave * along);
    double *v = sys->v0 + dls_beam_unknown(beam, node, 0);
    v[0] -= w * s;
    v[1] += w * c;
    v[2] += beam->kind == DLS_BEAM_ANGLE ? slope : -slope * s;
    if (beam->kind == DLS_BEAM_DIRECTORS) {
      v[3] += slope * c;
    }
  }
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double half = 0.5 * p[LENGTH], c = cos(p[ANGLE]), s = sin(p[ANGLE]);
  *out = NULL;
  if (p[WALL] != 0 && p[X] < half * fabs(c)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model %s: x0 = %g m is less than half the beam's extent along x, %g m: the beam would "
                    "start inside the wall",
                    self->name, p[X], half * fabs(c));
  }
  const dls_beam beam = beam_of(p);
  const dls_status status = dls_beam_create(self->name, &beam, out, err);
  if (status == DLS_OK) {
    const double root[] = {p[X] - half * c, p[Y] - half * s};
    const double velocity[] = {p[VX] + p[RATE] * half * s, p[VY] - p[RATE] * half * c}; /* of the root */
    dls_beam_lay(*out, root, p[ANGLE], velocity, p[RATE]);
    add_bending(*out, p);
    (*out)->length = p[LENGTH];
    (*out)->time = p[LENGTH] * sqrt(p[RHO_A] / p[EA]);
  }
  return status;
}

const dls_model dls_model_flying_beam = {
    .name = "flying-beam",
    .summary = "free flexible beam that flies, turns and bends, and hits a wall",
    .source = "after Simo, Vu-Quoc 1986; elements: the same, and Betsch, Steinmann 2002",
    .equations = "beam in n elements as rotating-beam, free; nodes from one end to the other; y upward\n"
                 "M q'' + dW/dq = gravity + H lambda (+ G mu),   g_i = x of node i >= 0, if there is a wall\n"
                 "Before the impact the centre of mass flies on its parabola, linear and angular momentum are "
                 "kept, whatever\n"
                 "the beam's flexibility; the wall changes the momentum along x by the sum of its impulses.\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_beam_sketch,
    .mesh = dls_beam_mesh,
    .mesh_values = dls_beam_mesh_values,
};
