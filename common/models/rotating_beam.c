/* rotating_beam.c -- a pinned flexible beam that falls and hits a hurdle with its tip.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam.h"
#include <math.h>

enum { ELEMENT, ELEMENTS, MASS, LENGTH, SIDE, MODULUS, POISSON, DENSITY, GRAVITY, HURDLE, RESTITUTION };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const double shear_factor = 5.0 / 6; /* of a rectangular section */
static const dls_option parameters[] = {
    [ELEMENT] = DLS_ONE_OF("element", "what nodes have besides x and y", DLS_BEAM_ANGLE, dls_beam_kinds),
    [ELEMENTS] = DLS_COUNT("n", "number of elements", 4, 1, 1000000),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_contact_mass_choices),
    [LENGTH] = DLS_NUMBER("l", "m", "length", 1, 0, INFINITY, OPEN),
    [SIDE] = DLS_NUMBER("b", "m", "side of the square section", 0.01, 0, INFINITY, OPEN),
    [MODULUS] = DLS_NUMBER("E", "Pa", "Young's modulus", 2.1e11, 0, INFINITY, OPEN),
    [POISSON] = DLS_NUMBER("nu", "1", "Poisson's ratio", 0.3, -1, 0.5, DLS_OPEN_MIN),
    [DENSITY] = DLS_NUMBER("rho", "kg/m^3", "density", 7800, 0, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, along -y", 9.81, 0, INFINITY, OPEN),
    [HURDLE] =
        DLS_NUMBER("hurdle", "m", "x of the hurdle, less than l", 0.70710678118654752, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of the tip's node", 0.8, 0, 1, 0),
    {0},
};

static dls_beam beam_of(const double *p)
{
  const double area = p[SIDE] * p[SIDE], I = area * area / 12;
  return (dls_beam){.kind = (dls_beam_kind)p[ELEMENT],
                    .elements = (size_t)p[ELEMENTS],
                    .length = p[LENGTH],
                    .section = {.EA = p[MODULUS] * area,
                                .GA = shear_factor * p[MODULUS] / (2 * (1 + p[POISSON])) * area,
                                .EI = p[MODULUS] * I,
                                .rhoA = p[DENSITY] * area,
                                .rhoI = p[DENSITY] * I},
                    .mass = (int)p[MASS],
                    .root = DLS_BEAM_PINNED,
                    .touch = DLS_BEAM_TIP_AT_WALL,
                    .wall = p[HURDLE],
                    .restitution = p[RESTITUTION],
                    .gravity = p[GRAVITY]};
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  if (p[HURDLE] >= p[LENGTH]) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: hurdle = %g m is not less than l = %g m: no gap at the start",
                    self->name, p[HURDLE], p[LENGTH]);
  }
  const dls_beam beam = beam_of(p);
  const dls_status status = dls_beam_create(self->name, &beam, out, err);
  if (status == DLS_OK) {
    (*out)->length = p[LENGTH];
    (*out)->time = sqrt(p[LENGTH] / p[GRAVITY]);
  }
  return status;
}

const dls_model dls_model_rotating_beam = {
    .name = "rotating-beam",
    .summary = "pinned flexible beam that falls and hits a hurdle with its tip, at large rotations",
    .source =
        "Chen, Acary, Virlez, Bruls 2013, section 5.4; elements: Simo, Vu-Quoc 1986; Betsch, Steinmann 2002",
    .equations =
        "beam in n elements, horizontal and at rest at the start, its root pinned to the origin; y upward\n"
        "element=angle:      nodes (x, y, angle), strains of cantilever\n"
        "element=directors:  nodes (x, y, dx, dy) with the joint (d.d - 1)/2 = 0; Gamma_1 = d.r' - 1,\n"
        "                    Gamma_2 = dx y' - dy x', kappa = dx dy' - dy dx'\n"
        "M q'' + dW/dq = gravity + H lambda (+ G mu),   g_0 = x of the tip - hurdle >= 0\n"
        "A rigid rod would hit the hurdle at t = 0.33017 s with -3.2257 m/s. After the impact nothing "
        "converges with\n"
        "the step for e > 0: e acts on the mass of one node, which chatters on the waves in the beam.\n",
    .parameters = parameters,
    .create = create,
    .sketch = dls_beam_sketch,
    .mesh = dls_beam_mesh,
    .mesh_values = dls_beam_mesh_values,
};
