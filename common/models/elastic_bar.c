/* elastic_bar.c -- an elastic bar that falls on a rigid floor, in linear finite elements.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/bar_elements.h"
#include <float.h>

enum { ELEMENTS, MASS, MODULUS, DENSITY, SECTION, LENGTH, GAP, VELOCITY, GRAVITY, RESTITUTION, ALPHA, BETA };
static const dls_option parameters[] = {
    [ELEMENTS] = DLS_COUNT("n", "number of elements; there are n + 1 nodes, node 0 at the bottom", 200, 1, 1e7),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_contact_mass_choices),
    [MODULUS] = DLS_NUMBER("E", "Pa", "Young's modulus", 900, 0, DBL_MAX, DLS_OPEN_MIN),
    [DENSITY] = DLS_NUMBER("rho", "kg/m^3", "density", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [SECTION] = DLS_NUMBER("A", "m^2", "area of the cross-section", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [LENGTH] = DLS_NUMBER("L", "m", "length", 10, 0, DBL_MAX, DLS_OPEN_MIN),
    [GAP] = DLS_NUMBER("h0", "m", "initial height of the lower end above the floor", 5, 0, DBL_MAX, 0),
    [VELOCITY] = DLS_NUMBER("v0", "m/s", "initial velocity, upward", -10, -DBL_MAX, DBL_MAX, 0),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 0, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of the lowest node", 0, 0, 1, 0),
    [ALPHA] = DLS_NUMBER("alpha", "1/s", "Rayleigh damping by mass: C = alpha M + beta K", 0, 0, DBL_MAX, 0),
    [BETA] = DLS_NUMBER("beta", "s", "Rayleigh damping by stiffness", 0, 0, DBL_MAX, 0),
    {0},
};

dls_bar dls_bar_of_elastic_bar(const double *p)
{
  return (dls_bar){.elements = (size_t)p[ELEMENTS],
                   .mass = (int)p[MASS],
                   .E = p[MODULUS],
                   .rho = p[DENSITY],
                   .A = p[SECTION],
                   .L = p[LENGTH],
                   .gap = p[GAP],
                   .v0 = p[VELOCITY],
                   .gravity = p[GRAVITY],
                   .restitution = p[RESTITUTION],
                   .alpha = p[ALPHA],
                   .beta = p[BETA]};
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_bar bar = dls_bar_of_elastic_bar(p);
  return dls_bar_assemble(self->name, &bar, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_bar bar = dls_bar_of_elastic_bar(p);
  dls_bar_sketch(&bar, true, q, out);
}

static dls_status mesh(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  return dls_bar_mesh(sys, true, out, err);
}

extern const dls_model dls_model_elastic_bar;
const dls_model dls_model_elastic_bar = {
    .name = "elastic-bar",
    .summary = "elastic bar falling on a rigid floor, linear finite elements",
    .source = "Chen, Acary, Virlez, Bruls 2013, section 5.3; after Doyen, Ern, Piperno 2011",
    .equations =
        "rho A u_tt = E A u_XX - rho A g,   0 < X < L;   E u_X = 0 at X = L;   0 <= u(0,t) _|_ -E A u_X(0,t) "
        ">= 0\n"
        "in n linear elements:  M q'' + C q' + K q = F + H lambda,   g_0 = q_0 >= 0,   C = alpha M + beta K\n"
        "q_i = u(i L/n, t): displacement of node i from its place in the unstressed bar that stands on the "
        "floor.\n"
        "The lower end hits the floor with its velocity v, a wave of speed c = sqrt(E/rho) stops the bar "
        "under\n"
        "the pressure rho c |v|, comes back from the upper end after 2 L/c as a wave of release, and the bar\n"
        "leaves with the velocity |v|. Energy is conserved: e acts on the mass of one node only.\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
    .mesh = mesh,
    .mesh_values = dls_bar_mesh_values,
};
