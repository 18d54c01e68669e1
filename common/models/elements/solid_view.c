/* solid_view.c -- solids as meshes of quadrilaterals, and as outlines.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid_parts.h"
#include <string.h>

static const char *const names[] = {"stress xx [Pa]", "stress yy [Pa]", "stress xy [Pa]"};
enum { VALUES = sizeof names / sizeof names[0] };

dls_status dls_solid_mesh_of(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  const dls_solid *solid = dls_solid_of(sys);
  const dls_status status = dls_mesh_create(solid->mesh.nodes, solid->mesh.quads, DLS_QUAD_CORNERS, out, err);
  if (status != DLS_OK) {
    return status;
  }
  out->values = VALUES;
  out->names = names;
  memcpy(out->cell, solid->mesh.corner, DLS_QUAD_CORNERS * out->cells * sizeof *out->cell);
  for (size_t i = 0; i < 2 * out->points; i++) {
    const bool given = solid->unknown[i] == DLS_GIVEN;
    out->unknown[i] = given ? DLS_MESH_GIVEN : solid->unknown[i];
    out->offset[i] = given ? solid->mesh.X[i] : 0;
    out->rest[i] = solid->mesh.X[i];
  }
  return DLS_OK;
}

void dls_solid_mesh_values(const dls_system *sys, double t, const double *q, double *values)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  (void)t;
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[DLS_QUAD_SIZE];
    dls_solid_gather(d, q, e, x);
    dls_quad_stress(&d->quad[e], &d->solid.material, x, values + VALUES * e);
  }
}

void dls_solid_sketch_rim(const dls_system *sys, const double *q, size_t body, bool closed, dls_sketch *out)
{
  enum { MOST_PIECES = 32 };
  const dls_solid *solid = dls_solid_of(sys);
  const size_t first = body * solid->mesh.nodes / solid->bodies, rim = solid->mesh.rim,
               all = closed ? rim : rim - 1;
  const size_t pieces = all < MOST_PIECES ? all : MOST_PIECES;
  for (size_t i = 0; i < pieces; i++) {
    double a[2], b[2];
    dls_solid_position(solid, q, first + solid->mesh.ring[i * all / pieces], a);
    dls_solid_position(solid, q, first + solid->mesh.ring[(i + 1) * all / pieces % rim], b);
    dls_sketch_between(out, DLS_SHAPE_LINE, a[0], a[1], b[0], b[1]);
  }
}

void dls_solid_sketch_touches(const dls_system *sys, const double *q, dls_sketch *out)
{
  for (size_t j = 0; j < sys->m && j < DLS_SKETCH_TOUCHES; j++) {
    double x[2], direction[2];
    const dls_solid *solid = dls_solid_of(sys);
    dls_solid_position(solid, q, dls_solid_touching(solid, q, j, direction), x);
    dls_sketch_touch(out, x[0], x[1], direction[0], direction[1]);
  }
}
