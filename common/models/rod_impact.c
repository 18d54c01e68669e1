/* rod_impact.c -- the impact of an elastic rod of unit data, a benchmark of contact algorithms.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/bar_elements.h"
#include <float.h>

enum { ELEMENTS, MASS, MODULUS, DENSITY, LENGTH, GAP, VELOCITY };
static const dls_option parameters[] = {
    [ELEMENTS] = DLS_COUNT("n", "number of elements; there are n + 1 nodes, node 0 at the wall", 100, 1, 1e7),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_LUMPED, dls_contact_mass_choices),
    [MODULUS] = DLS_NUMBER("E", "Pa", "Young's modulus", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [DENSITY] = DLS_NUMBER("rho", "kg/m^3", "density", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [LENGTH] = DLS_NUMBER("L", "m", "length", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [GAP] = DLS_NUMBER("gap", "m", "initial gap", 7.5e-3, 0, DBL_MAX, 0),
    [VELOCITY] = DLS_NUMBER("v0", "m/s", "initial velocity, away from the wall", -0.5, -DBL_MAX, DBL_MAX, 0),
    {0},
};

dls_bar dls_bar_of_rod_impact(const double *p)
{
  return (dls_bar){.elements = (size_t)p[ELEMENTS],
                   .mass = (int)p[MASS],
                   .E = p[MODULUS],
                   .rho = p[DENSITY],
                   .A = 1,
                   .L = p[LENGTH],
                   .gap = p[GAP],
                   .v0 = p[VELOCITY]};
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_bar bar = dls_bar_of_rod_impact(p);
  return dls_bar_assemble(self->name, &bar, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_bar bar = dls_bar_of_rod_impact(p);
  dls_bar_sketch(&bar, false, q, out);
}

static dls_status mesh(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  return dls_bar_mesh(sys, false, out, err);
}

extern const dls_model dls_model_rod_impact;
const dls_model dls_model_rod_impact = {
    .name = "rod-impact",
    .summary = "elastic rod of unit data hitting a wall, the five-algorithm test",
    .source = "Armero, Petocz 1996, section 4.1",
    .equations =
        "rho u_tt = E u_XX,   0 < X < L;   E u_X = 0 at X = L;   0 <= u(0,t) _|_ -E u_X(0,t) >= 0\n"
        "in n linear elements, unit section:  M q'' + K q = H lambda,   g_0 = q_0 >= 0\n"
        "With the defaults the contact lasts from 0.015 s to 2.015 s with the force 0.5 N, and the rod\n"
        "leaves with the velocity 0.5 m/s: its energy is 0.125 J before and after. The source takes the\n"
        "step 0.02 s, twice the time that a wave needs for an element.\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
    .mesh = mesh,
    .mesh_values = dls_bar_mesh_values,
};
