/* solid_view.c -- solids as meshes of quadrilaterals.
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
