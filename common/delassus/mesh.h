/* delassus/mesh.h -- the mesh of a model in finite elements: for files that other programs draw, and for pictures.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MESH_H
#define DELASSUS_MESH_H

#include <delassus/error.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* In place of a coordinate: the point does not move along the axis. */
#define DLS_MESH_GIVEN ((size_t)-1)

/** Points and cells in the plane. Coordinate k of point i is offset[2 i + k] + q[unknown[2 i + k]]. */
typedef struct dls_mesh {
  size_t points, cells, corners; /* corners of a cell: 2, a line; 4, a quadrilateral */
  size_t *cell;                  /* cells x corners: points, quadrilaterals counter-clockwise */
  size_t *unknown;               /* points x 2; an entry of q, or DLS_MESH_GIVEN */
  double *offset, *rest;         /* points x 2 [m]; rest: where points are in the body without load */
  size_t values;                 /* of each cell */
  const char *const *names;      /* values: "axial force [N]"; literals */
} dls_mesh;

/** Arrays of zeros. *out may be destroyed after a failure, too. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_mesh_create(size_t points, size_t cells, size_t corners, dls_mesh *out, dls_error *err);
void dls_mesh_destroy(dls_mesh *mesh);
/** Places of the points at q, points x 2. */
void dls_mesh_places(const dls_mesh *mesh, const double *q, double *places);
/** What a vector of the system (v, H r) is at the points, points x 2; 0 where they do not move. */
void dls_mesh_vectors(const dls_mesh *mesh, const double *x, double *vectors);

#ifdef __cplusplus
}
#endif

#endif
