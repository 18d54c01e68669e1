/* hertz_cylinders.c -- a cylinder squeezed between two plates, or two equal ones pressed together: Hertz contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/equilibrium.h"
#include "common/models/elements/solid.h"
#include <math.h>
#include <stdlib.h>

enum { N, GRADING, MASS, RADIUS, MODULUS, POISSON, RHO, FORCE, DAMPING, START };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
enum { STATIC, ROUND };
static const char *const starts[] = {[STATIC] = "static", [ROUND] = "round", NULL};
static const dls_option parameters[] = {
    [N] = DLS_COUNT("n", "elements along an eighth of the rim, and inward; 3 n^2 in all", 32, 2, 256),
    [GRADING] = DLS_NUMBER("grading", "1", "largest over smallest element along the rim", 100, 1, 1e6, 0),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_contact_mass_choices),
    [RADIUS] = DLS_NUMBER("R", "m", "radius", 0.01, 0, INFINITY, OPEN),
    [MODULUS] = DLS_NUMBER("E", "Pa", "Young's modulus", 2.1e11, 0, INFINITY, OPEN),
    [POISSON] = DLS_NUMBER("nu", "1", "Poisson's ratio", 0.3, -1, 0.5, OPEN),
    [RHO] = DLS_NUMBER("rho", "kg/m^3", "density", 7800, 0, INFINITY, OPEN),
    [FORCE] = DLS_NUMBER("P", "N/m", "force on a cylinder, per depth", 2e5, 0, INFINITY, OPEN),
    [DAMPING] = DLS_NUMBER("c", "1/s", "damping by mass: forces -c M v", 0, 0, INFINITY, DLS_OPEN_MAX),
    [START] = DLS_ONE_OF("start", "static: at rest in equilibrium; round: the force acts from t = 0 on", STATIC,
                         starts),
    {0},
};

/* y of the nodes at y = 0 is one unknown, the first; x of those at x = 0 is given. @return false if out of memory */
static bool number_unknowns(dls_solid *solid, double R)
{
  const double zero = 1e-12 * R;
  solid->unknown = malloc(2 * solid->mesh.nodes * sizeof *solid->unknown);
  if (solid->unknown == NULL) {
    return false;
  }
  solid->unknowns = 1;
  for (size_t i = 0; i < 2 * solid->mesh.nodes; i++) {
    const bool on_axis = fabs(solid->mesh.X[i]) <= zero; /* x of a node at x = 0, y of one at y = 0 */
    solid->unknown[i] = !on_axis ? solid->unknowns++ : i % 2 == 0 ? DLS_GIVEN : 0;
  }
  solid->load = calloc(solid->unknowns, sizeof *solid->load);
  return solid->load != NULL;
}

/* The lower half of the rim, from the point of contact on. @return false if out of memory */
static bool make_contacts(dls_solid *solid, double R)
{
  solid->plane_count = solid->mesh.rim / 2 + 1;
  solid->planes = malloc(solid->plane_count * sizeof *solid->planes);
  for (size_t j = 0; solid->planes != NULL && j < solid->plane_count; j++) {
    solid->planes[j] = (dls_solid_plane){.node = solid->mesh.ring[j], .normal = {0, 1}, .at = -R};
  }
  return solid->planes != NULL;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double R = p[RADIUS];
  dls_solid solid = {.material = dls_solid_of_modulus(p[MODULUS], p[POISSON], p[RHO]),
                     .bodies = 1,
                     .mass = (int)p[MASS],
                     .damping = p[DAMPING]};
  *out = NULL;
  if (!dls_solid_quarter(R, (size_t)p[N], p[GRADING], &solid.mesh) || !number_unknowns(&solid, R) ||
      !make_contacts(&solid, R)) {
    dls_solid_destroy(&solid);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %g", self->name, p[N]);
  }
  solid.load[0] = -p[FORCE] / 2; /* the other half acts on the other quarter */
  const dls_status status = dls_solid_create(self->name, &solid, out, err);
  if (status != DLS_OK) {
    return status;
  }
  (*out)->length = R;
  (*out)->time = R * sqrt(p[RHO] / p[MODULUS]);
  return p[START] == STATIC ? dls_equilibrium_pressed(self->name, *out, err) : DLS_OK;
}

/* With the rim, the sides x = 0 and y = 0. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_solid *solid = dls_solid_of(out->system);
  double low[2], side[2];
  dls_solid_position(solid, q, solid->mesh.ring[0], low);
  dls_solid_position(solid, q, solid->mesh.ring[solid->mesh.rim - 1], side);
  dls_sketch_between(out, DLS_SHAPE_WALL, p[RADIUS], -p[RADIUS], -0.2 * p[RADIUS], -p[RADIUS]);
  dls_solid_sketch_rim(out->system, q, 0, false, out);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, low[1], 0, side[1]);
  dls_sketch_between(out, DLS_SHAPE_LINE, 0, side[1], side[0], side[1]);
  dls_solid_sketch_touches(out->system, q, out);
}

const dls_model dls_model_hertz_cylinders = {
    .name = "hertz-cylinders",
    .summary = "elastic cylinder squeezed between plates, or two equal ones pressed together: Hertz contact",
    .source = "Hertz 1882; Johnson 1985, section 4.2; elements: as two-cylinders",
    .equations =
        "plane strain as two-cylinders; the quarter x >= 0, y <= 0 of a cylinder on the plate y = -R, by "
        "symmetry\n"
        "x = 0 stays straight, y = 0 is pressed down with P/2 and stays straight; elements are finest at (0, "
        "-R)\n"
        "g_j = y + R of the nodes of the lower eighth of the rim, from (0, -R) on; q0: y of the upper side\n"
        "Hertz: half width a = sqrt(4 P R/(pi E')), E' = E/(1 - nu^2), pressure p_0 sqrt(1 - x^2/a^2), with\n"
        "p_0 = 2 P/(pi a); two cylinders that are alike do the same as one on a rigid plate. How far they "
        "approach\n"
        "depends on all of the body.\n"
        "The equilibrium is found by Newton's method with augmented Lagrangians before the run.\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
    .mesh = dls_solid_mesh_of,
    .mesh_values = dls_solid_mesh_values,
};
