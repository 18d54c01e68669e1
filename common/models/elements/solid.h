/* solid.h -- elastic bodies in plane strain at large rotations: a mesh of solid_element.h as a system. q lists the
 * unknowns of the mesh: positions x and y of its nodes, numbered by `unknown`. Contacts: nodes at planes, then nodes of
 * slaves at the boundary of a master, a closed polygon of nodes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SOLID_H
#define DELASSUS_MODELS_ELEMENTS_SOLID_H

#include "common/models/elements/assembly.h"
#include "common/models/elements/solid_element.h"
#include "common/models/elements/solid_mesh.h"
#include <delassus/model.h>

/** g = normal . x - at >= 0 of a node; fixed. */
typedef struct dls_solid_plane {
  size_t node;
  double normal[2], at;
} dls_solid_plane;

/** All arrays are from malloc; the system takes ownership. */
typedef struct dls_solid {
  dls_solid_mesh mesh;
  /* number of equal bodies: nodes and elements of the mesh are divided into so many equal groups */
  size_t bodies;
  dls_solid_material material;
  int mass;        /* of dls_contact_mass_choices */
  size_t unknowns; /* n */
  /* nodes x 2; several may share an unknown; DLS_GIVEN: the coordinate keeps its value in the mesh */
  size_t *unknown;
  double *load;   /* n: dead forces [N]; NULL: none */
  double damping; /* 1/s: forces -damping M v */
  size_t plane_count, slave_count, ring_count;
  dls_solid_plane *planes; /* plane_count */
  size_t *slave, *ring;    /* slave_count nodes; ring_count nodes of the master, counter-clockwise */
  double restitution;
} dls_solid;

void dls_solid_destroy(dls_solid *solid);
/** Make every coordinate of every node an unknown of its own. @return false if out of memory */
bool dls_solid_all_unknown(dls_solid *solid);
/** The solid of a system made by dls_solid_create. */
const dls_solid *dls_solid_of(const dls_system *sys);
/** Position of a node at q [m]. */
static inline void dls_solid_position(const dls_solid *solid, const double *q, size_t node, double x[2])
{
  for (size_t k = 0; k < 2; k++) {
    const size_t at = solid->unknown[2 * node + k];
    x[k] = at == DLS_GIVEN ? solid->mesh.X[2 * node + k] : q[at];
  }
}

/**
 * The system, at rest and unloaded in the shape of the mesh. Scales, velocities and other initial data are set by the
 * model.
 * @param[in] solid  ownership is taken, also on failure
 * @return DLS_OK; DLS_ERR_ARG if an element has no area, or the mass cannot be redistributed; DLS_ERR_MEMORY
 */
dls_status dls_solid_create(const char *name, dls_solid *solid, dls_system **out, dls_error *err);

/** Draw the boundary of a body at q, closed or open, in up to 32 segments. */
void dls_solid_sketch_rim(const dls_system *sys, const double *q, size_t body, bool closed, dls_sketch *out);
/** Points and directions of contact forces, up to the room of a sketch. */
void dls_solid_sketch_touches(const dls_system *sys, const double *q, dls_sketch *out);
/** For `mesh` and `mesh_values` of models: Cauchy stress of the elements. */
dls_status dls_solid_mesh_of(const dls_system *sys, dls_mesh *out, dls_error *err);
void dls_solid_mesh_values(const dls_system *sys, double t, const double *q, double *values);

#endif
