/* mesh.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include <delassus/mesh.h>
#include <stdlib.h>

dls_status dls_mesh_create(size_t points, size_t cells, size_t corners, dls_mesh *out, dls_error *err)
{
  *out = (dls_mesh){.points = points, .cells = cells, .corners = corners};
  out->cell = calloc(dls_size_product(cells, corners), sizeof *out->cell);
  out->unknown = calloc(2 * points, sizeof *out->unknown);
  out->offset = calloc(4 * points, sizeof *out->offset);
  if (out->cell == NULL || out->unknown == NULL || out->offset == NULL) {
    dls_mesh_destroy(out);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a mesh of %zu points", points);
  }
  out->rest = out->offset + 2 * points;
  return DLS_OK;
}

void dls_mesh_destroy(dls_mesh *mesh)
{
  free(mesh->cell);
  free(mesh->unknown);
  free(mesh->offset);
  *mesh = (dls_mesh){0};
}

void dls_mesh_places(const dls_mesh *mesh, const double *q, double *places)
{
  dls_mesh_vectors(mesh, q, places);
  for (size_t i = 0; i < 2 * mesh->points; i++) {
    places[i] += mesh->offset[i];
  }
}

void dls_mesh_vectors(const dls_mesh *mesh, const double *x, double *vectors)
{
  for (size_t i = 0; i < 2 * mesh->points; i++) {
    vectors[i] = mesh->unknown[i] == DLS_MESH_GIVEN ? 0 : x[mesh->unknown[i]];
  }
}
