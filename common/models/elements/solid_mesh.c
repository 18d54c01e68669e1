/* solid_mesh.c -- blocks of quadrilaterals between a square and an arc.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid_mesh.h"
#include <math.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
static const double core =
    /* half side of the square over R; 0.5/sqrt(2) is also the side of the square in a quarter */
    0.35355339059327376;

void dls_solid_mesh_destroy(dls_solid_mesh *mesh)
{
  free(mesh->X);
  free(mesh->corner);
  free(mesh->ring);
  *mesh = (dls_solid_mesh){0};
}

bool dls_solid_mesh_create(size_t nodes, size_t quads, size_t rim, dls_solid_mesh *out)
{
  *out = (dls_solid_mesh){.nodes = nodes, .quads = quads, .rim = rim};
  out->X = malloc(2 * nodes * sizeof *out->X);
  out->corner = malloc(4 * quads * sizeof *out->corner);
  out->ring = malloc((rim + 1) * sizeof *out->ring);
  return out->X != NULL && out->corner != NULL && out->ring != NULL;
}

static void set_node(dls_solid_mesh *mesh, size_t node, double x, double y)
{
  mesh->X[2 * node] = x;
  mesh->X[2 * node + 1] = y;
}

static void set_quad(dls_solid_mesh *mesh, size_t quad, size_t a, size_t b, size_t c, size_t d)
{
  size_t *corner = mesh->corner + 4 * quad;
  corner[0] = a, corner[1] = b, corner[2] = c, corner[3] = d;
}

/* Node p on the boundary of the n x n square, counter-clockwise from (s, -s). */
static size_t around(size_t n, size_t p)
{
  const size_t m = p % n;
  switch (p / n % 4) {
  case 0:
    return n * (n + 1) + m; /* at i (n + 1) + j */
  case 1:
    return (n - m) * (n + 1) + n;
  case 2:
    return n - m;
  default:
    return m * (n + 1);
  }
}

/* Node p on the ring `layer` layers outside the square. */
static size_t layer_node(size_t n, size_t layer, size_t p)
{
  return layer == 0 ? around(n, p) : (n + 1) * (n + 1) + (layer - 1) * 4 * n + p % (4 * n);
}

/* Between the square and the arc, on the right; the other blocks by rotation through 90 degrees. */
static void place_around(dls_solid_mesh *mesh, double R, size_t n, size_t layers, size_t layer, size_t p)
{
  const double u = (double)layer / (double)layers, v = 2 * (double)(p % n) / (double)n - 1, s = core * R;
  const double x = (1 - u) * s + u * R * cos(pi / 4 * v), y = (1 - u) * s * v + u * R * sin(pi / 4 * v);
  static const double turn[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  const double *t = turn[p / n];
  set_node(mesh, layer_node(n, layer, p), t[0] * x - t[1] * y, t[1] * x + t[0] * y);
}

bool dls_solid_disc(double R, size_t n, size_t layers, dls_solid_mesh *out)
{
  const size_t side = n + 1, round = 4 * n;
  if (!dls_solid_mesh_create(side * side + round * layers, n * n + round * layers, round, out)) {
    return false;
  }
  for (size_t k = 0; k < side * side; k++) {
    set_node(out, k, core * R * (2 * (double)(k / side) / (double)n - 1),
             core * R * (2 * (double)(k % side) / (double)n - 1));
  }
  for (size_t k = 0; k < n * n; k++) {
    const size_t a = k / n * side + k % n;
    set_quad(out, k, a, a + side, a + side + 1, a + 1);
  }
  for (size_t k = 0; k < round * layers; k++) {
    const size_t layer = k / round, p = k % round;
    place_around(out, R, n, layers, layer + 1, p);
    set_quad(out, n * n + k, layer_node(n, layer, p), layer_node(n, layer + 1, p),
             layer_node(n, layer + 1, p + 1), layer_node(n, layer, p + 1));
  }
  for (size_t p = 0; p < round; p++) {
    out->ring[p] = layer_node(n, layers, p);
  }
  return true;
}

/* Point i of n intervals of [0, 1] whose lengths grow like a geometric series, the last `ratio` times the first. */
static double graded(size_t i, size_t n, double ratio)
{
  if (n == 1 || fabs(ratio - 1) < 1e-9) {
    return (double)i / (double)n;
  }
  const double each = log(ratio) / (double)(n - 1);
  return expm1((double)i * each) / expm1((double)n * each);
}

/* Nodes of the quarter: in two blocks, i along the rim from 0 to 2 n and j outward from 0 at the square to n; in the
 * square, i along x and k downward, except nodes of the blocks. */
static size_t block_node(size_t n, size_t i, size_t j)
{
  return i * (n + 1) + j;
}
static size_t square_node(size_t n, size_t i, size_t k)
{
  return k == n   ? block_node(n, i, 0)
         : i == n ? block_node(n, 2 * n - k, 0)
                  : (2 * n + 1) * (n + 1) + k * n + i;
}

/* Between the square, at i, and the arc. */
static void place_block(dls_solid_mesh *mesh, double R, size_t n, double grading, size_t i, size_t j)
{
  const double s = core * R, u = 1 - graded(n - j, n, grading);
  const double v = i <= n ? graded(i, n, grading) : (double)i / (double)n; /* the angle over pi/4 */
  const double x = i <= n ? s * v : s, depth = i <= n ? s : s * (2 - v);
  set_node(mesh, block_node(n, i, j), (1 - u) * x + u * R * sin(pi / 4 * v),
           -(1 - u) * depth - u * R * cos(pi / 4 * v));
}

static void fill_square(dls_solid_mesh *mesh, double R, size_t n, double grading)
{
  for (size_t k = 0; k < n; k++) {
    for (size_t i = 0; i < n; i++) {
      set_node(mesh, square_node(n, i, k), core * R * graded(i, n, grading), -core * R * (double)k / (double)n);
      set_quad(mesh, k * n + i, square_node(n, i, k + 1), square_node(n, i + 1, k + 1),
               square_node(n, i + 1, k), square_node(n, i, k));
    }
  }
}

bool dls_solid_quarter(double R, size_t n, double grading, dls_solid_mesh *out)
{
  const size_t along = 2 * n + 1;
  if (!dls_solid_mesh_create(along * (n + 1) + n * n, 3 * n * n, along, out)) {
    return false;
  }
  fill_square(out, R, n, grading);
  for (size_t i = 0; i < along; i++) {
    for (size_t j = 0; j <= n; j++) {
      place_block(out, R, n, grading, i, j);
      if (i < 2 * n && j < n) {
        set_quad(out, n * n + i * n + j, block_node(n, i, j + 1), block_node(n, i + 1, j + 1),
                 block_node(n, i + 1, j), block_node(n, i, j));
      }
    }
    out->ring[i] = block_node(n, i, n);
  }
  return true;
}

bool dls_solid_mesh_append(dls_solid_mesh *mesh, const dls_solid_mesh *other, const double by[2])
{
  double *X = realloc(mesh->X, 2 * (mesh->nodes + other->nodes) * sizeof *X);
  mesh->X = X != NULL ? X : mesh->X;
  size_t *corner = realloc(mesh->corner, 4 * (mesh->quads + other->quads) * sizeof *corner);
  mesh->corner = corner != NULL ? corner : mesh->corner;
  if (X == NULL || corner == NULL) {
    return false;
  }
  for (size_t i = 0; i < 2 * other->nodes; i++) {
    X[2 * mesh->nodes + i] = other->X[i] + by[i % 2];
  }
  for (size_t k = 0; k < 4 * other->quads; k++) {
    corner[4 * mesh->quads + k] = mesh->nodes + other->corner[k];
  }
  mesh->nodes += other->nodes;
  mesh->quads += other->quads;
  return true;
}
