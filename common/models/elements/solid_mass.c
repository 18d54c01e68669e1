/* solid_mass.c -- mass matrices of solids: m_ij between nodes, the same for x and y.
 * Redistributed (redistribute.h): the nodes of one body that a contact has, the same in all bodies, have none.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/elements/redistribute.h"
#include "common/models/elements/solid_parts.h"
#include <stdlib.h>

enum { SIZE = DLS_QUAD_SIZE, CORNERS = DLS_QUAD_CORNERS };

static void mark_touching(const dls_solid *solid, size_t nodes, bool *massless)
{
  for (size_t j = 0; j < solid->plane_count; j++) {
    massless[solid->planes[j].node % nodes] = true;
  }
  for (size_t k = 0; k < solid->slave_count; k++) {
    massless[solid->slave[k] % nodes] = true;
  }
  for (size_t k = 0; k < solid->ring_count; k++) {
    massless[solid->ring[k] % nodes] = true;
  }
}

/* m_ij of the first body, consistent. @return NULL if out of memory */
static dls_matrix *between_nodes(const dls_solid_data *d, size_t nodes, size_t quads)
{
  const dls_incidence incidence = {nodes, quads, CORNERS, d->solid.mesh.corner};
  dls_matrix *m = dls_assembly_matrix(&incidence);
  for (size_t e = 0; m != NULL && e < quads; e++) {
    double full[SIZE * SIZE], block[CORNERS * CORNERS];
    dls_quad_mass(&d->quad[e], &d->solid.material, full);
    for (size_t k = 0; k < CORNERS * CORNERS; k++) {
      block[k] = full[SIZE * 2 * (k / CORNERS) + 2 * (k % CORNERS)];
    }
    dls_assembly_add(m, CORNERS, d->solid.mesh.corner + CORNERS * e, block);
  }
  return m;
}

/* m_ij of the first body into M of all. */
static void spread(void *data, size_t i, size_t j, double m)
{
  const dls_system *sys = data;
  const dls_solid *solid = dls_solid_of(sys);
  const size_t nodes = solid->mesh.nodes / solid->bodies;
  for (size_t k = 0; k < 2 * solid->bodies; k++) {
    const size_t row = solid->unknown[2 * i + k % 2 + 2 * nodes * (k / 2)];
    const size_t column = solid->unknown[2 * j + k % 2 + 2 * nodes * (k / 2)];
    double *place = row == DLS_GIVEN || column == DLS_GIVEN ? NULL : dls_matrix_place(sys->M, row, column);
    if (place != NULL) {
      *place += m;
    }
  }
}

static dls_status fill_redistributed(const char *name, dls_system *sys, dls_error *err)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  const size_t nodes = d->solid.mesh.nodes / d->solid.bodies;
  dls_matrix *m = between_nodes(d, nodes, d->solid.mesh.quads / d->solid.bodies);
  bool *massless = calloc(nodes, sizeof *massless);
  dls_status status = DLS_ERR_MEMORY;
  if (m != NULL && massless != NULL) {
    mark_touching(&d->solid, nodes, massless);
    status = dls_redistribute_mass(name, 2, d->solid.mesh.X, massless, m, sys->remark, err);
    dls_matrix_visit(m, spread, sys);
  } else {
    dls_fail(err, status, "model %s: no memory for %zu nodes", name, nodes);
  }
  dls_matrix_destroy(m);
  free(massless);
  return status;
}

dls_status dls_solid_fill_mass(const char *name, dls_system *sys, dls_error *err)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  if (d->solid.mass == DLS_MASS_REDISTRIBUTED) {
    return fill_redistributed(name, sys, err);
  }
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double block[SIZE * SIZE];
    dls_quad_mass(&d->quad[e], &d->solid.material, block);
    if (d->solid.mass == DLS_MASS_LUMPED) {
      dls_assembly_lump(SIZE, block);
    }
    dls_assembly_add(sys->M, SIZE, d->at + SIZE * e, block);
  }
  return DLS_OK;
}
