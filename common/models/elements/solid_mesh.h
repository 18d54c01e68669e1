/* solid_mesh.h -- meshes of quadrilaterals: discs, and quarters of discs refined at the point of contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SOLID_MESH_H
#define DELASSUS_MODELS_ELEMENTS_SOLID_MESH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct dls_solid_mesh {
  size_t nodes, quads, rim; /* rim: nodes of the curved boundary */
  double *X;                /* nodes x 2 [m] */
  size_t *corner;           /* quads x 4, counter-clockwise */
  size_t *ring;             /* rim: the nodes there, counter-clockwise */
} dls_solid_mesh;

void dls_solid_mesh_destroy(dls_solid_mesh *mesh);
/** A mesh with its arrays; not to be used if a function below returns false (out of memory). Destroy it in any case. */
bool dls_solid_mesh_create(size_t nodes, size_t quads, size_t rim, dls_solid_mesh *out);

/**
 * A disc around the origin: a square of n x n with the half side R/(2 sqrt(2)), and four blocks of n x layers around it. Rim: 4 n
 * nodes, from the angle -pi/4 on. @return false if out of memory
 */
bool dls_solid_disc(double radius, size_t n, size_t layers, dls_solid_mesh *out);
/**
 * The quarter x >= 0, y <= 0 of the disc around the origin, with elements refined toward the point (0, -R): n along the rim
 * and n inward, the largest `grading` times the smallest. Rim: 2 n + 1 nodes, from that point on.
 * @return false if out of memory
 */
bool dls_solid_quarter(double radius, size_t n, double grading, dls_solid_mesh *out);
/** Add a second body moved by (x, y). Its nodes follow those of the mesh; its rim is not listed. */
bool dls_solid_mesh_append(dls_solid_mesh *mesh, const dls_solid_mesh *other, const double by[2]);

#endif
