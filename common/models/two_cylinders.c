/* two_cylinders.c -- two elastic cylinders that collide, in a box or free.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid.h"
#include <math.h>
#include <stdlib.h>

enum {
  N,
  LAYERS,
  MASS,
  RADIUS,
  LAMBDA,
  MU,
  RHO,
  X,
  Y,
  VX,
  VY,
  BOX,
  LEFT,
  RIGHT,
  BOTTOM,
  TOP,
  RESTITUTION,
};
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX, BODIES = 2, WALLS = 4 };
static const dls_option parameters[] = {
    [N] = DLS_COUNT("n", "elements along a quarter of the rim, 4 n in all", 4, 1, 128),
    [LAYERS] = DLS_COUNT("layers", "elements between the square inside and the rim", 3, 1, 128),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_contact_mass_choices),
    [RADIUS] = DLS_NUMBER("R", "m", "radius", 1.8, 0, INFINITY, OPEN),
    [LAMBDA] = DLS_NUMBER("lambda", "Pa", "Lame's first constant", 2e4, 0, INFINITY, DLS_OPEN_MAX),
    [MU] = DLS_NUMBER("mu", "Pa", "shear modulus", 1e4, 0, INFINITY, OPEN),
    [RHO] = DLS_NUMBER("rho", "kg/m^3", "density", 1, 0, INFINITY, OPEN),
    [X] = DLS_NUMBER("x2", "m", "centre of the right one at the start; the left one is at the origin", 4.7,
                     -INFINITY, INFINITY, OPEN),
    [Y] = DLS_NUMBER("y2", "m", "the same along y", 1, -INFINITY, INFINITY, OPEN),
    [VX] = DLS_NUMBER("vx", "m/s", "velocity of the left one at the start; the right one rests", 1, -INFINITY,
                      INFINITY, OPEN),
    [VY] = DLS_NUMBER("vy", "m/s", "the same along y", -2, -INFINITY, INFINITY, OPEN),
    [BOX] = DLS_ONE_OF("box", "a rigid box around them", 1, dls_off_on),
    [LEFT] = DLS_NUMBER("left", "m", "x of the left wall", -5.6, -INFINITY, INFINITY, OPEN),
    [RIGHT] = DLS_NUMBER("right", "m", "x of the right wall", 8.8, -INFINITY, INFINITY, OPEN),
    [BOTTOM] = DLS_NUMBER("bottom", "m", "y of the floor", -4.8, -INFINITY, INFINITY, OPEN),
    [TOP] = DLS_NUMBER("top", "m", "y of the ceiling", 6, -INFINITY, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of each node", 0, 0, 1, 0),
    {0},
};

static dls_status check(const dls_model *self, const double *p, dls_error *err)
{
  const double distance = hypot(p[X], p[Y]), R = p[RADIUS];
  if (distance < 2 * R) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model %s: the centres are %g m apart at the start (x2 = %g m, y2 = %g m), less than "
                    "2 R = %g m",
                    self->name, distance, p[X], p[Y], 2 * R);
  }
  static const char *const names[WALLS] = {"left", "right", "bottom", "top"};
  const double room[WALLS] = {fmin(0, p[X]) - p[LEFT], p[RIGHT] - fmax(0, p[X]), fmin(0, p[Y]) - p[BOTTOM],
                              p[TOP] - fmax(0, p[Y])};
  for (size_t k = 0; k < WALLS && p[BOX] != 0; k++) {
    if (room[k] < R) {
      return dls_fail(err, DLS_ERR_ARG,
                      "model %s: %s = %g m is %g m from a centre at the start, less than R = %g m", self->name,
                      names[k], p[LEFT + k], room[k], R);
    }
  }
  return DLS_OK;
}

/* @return false if out of memory */
static bool make_meshes(const double *p, dls_solid *solid)
{
  dls_solid_mesh other;
  const double by[2] = {p[X], p[Y]};
  bool done = dls_solid_disc(p[RADIUS], (size_t)p[N], (size_t)p[LAYERS], &solid->mesh);
  done = dls_solid_disc(p[RADIUS], (size_t)p[N], (size_t)p[LAYERS], &other) && done;
  done = done && dls_solid_mesh_append(&solid->mesh, &other, by);
  dls_solid_mesh_destroy(&other);
  return done;
}

/* Node i of the rim of a body. */
static size_t rim_node(const dls_solid *solid, size_t body, size_t i)
{
  return body * solid->mesh.nodes / BODIES + solid->mesh.ring[i];
}

/* Contacts of the left cylinder's rim with the right one's, and of both rims with the walls. @return false if out of
 * memory */
static bool make_contacts(const double *p, dls_solid *solid)
{
  static const double normals[WALLS][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  const double at[WALLS] = {p[LEFT], -p[RIGHT], p[BOTTOM], -p[TOP]};
  const size_t rim = solid->mesh.rim;
  solid->slave_count = solid->ring_count = rim;
  solid->plane_count = p[BOX] != 0 ? WALLS * BODIES * rim : 0;
  solid->slave = malloc(rim * sizeof *solid->slave);
  solid->ring = malloc(rim * sizeof *solid->ring);
  solid->planes = malloc((solid->plane_count + 1) * sizeof *solid->planes);
  if (solid->slave == NULL || solid->ring == NULL || solid->planes == NULL) {
    return false;
  }
  for (size_t i = 0; i < rim; i++) {
    solid->slave[i] = rim_node(solid, 0, i);
    solid->ring[i] = rim_node(solid, 1, i);
  }
  for (size_t j = 0; j < solid->plane_count; j++) {
    const size_t wall = j / rim / BODIES;
    solid->planes[j] = (dls_solid_plane){.node = rim_node(solid, j / rim % BODIES, j % rim),
                                         .normal = {normals[wall][0], normals[wall][1]},
                                         .at = at[wall]};
  }
  return true;
}

static void set_motion(dls_system *sys, const double *p)
{
  const dls_solid *solid = dls_solid_of(sys);
  for (size_t i = 0; i < solid->mesh.nodes / BODIES; i++) {
    sys->v0[solid->unknown[2 * i]] = p[VX];
    sys->v0[solid->unknown[2 * i + 1]] = p[VY];
  }
  sys->length = p[RADIUS];
  sys->time = p[RADIUS] * sqrt(p[RHO] / (p[LAMBDA] + 2 * p[MU])); /* of a wave, over the radius */
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  dls_status status = check(self, p, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_solid solid = {.material = {.lambda = p[LAMBDA], .mu = p[MU], .rho = p[RHO]},
                     .bodies = BODIES,
                     .mass = (int)p[MASS],
                     .restitution = p[RESTITUTION]};
  if (!make_meshes(p, &solid) || !dls_solid_all_unknown(&solid) || !make_contacts(p, &solid)) {
    dls_solid_destroy(&solid);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %g, layers = %g", self->name, p[N],
                    p[LAYERS]);
  }
  status = dls_solid_create(self->name, &solid, out, err);
  if (status == DLS_OK) {
    set_motion(*out, p);
  }
  return status;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double corner[WALLS + 1][2] = {
      {p[LEFT], p[TOP]}, {p[LEFT], p[BOTTOM]}, {p[RIGHT], p[BOTTOM]}, {p[RIGHT], p[TOP]}, {p[LEFT], p[TOP]}};
  for (size_t k = 0; k < WALLS && p[BOX] != 0; k++) { /* hatched outside, on the right */
    dls_sketch_between(out, DLS_SHAPE_WALL, corner[k][0], corner[k][1], corner[k + 1][0], corner[k + 1][1]);
  }
  for (size_t body = 0; body < BODIES; body++) {
    dls_solid_sketch_rim(out->system, q, body, true, out);
  }
  dls_solid_sketch_touches(out->system, q, out);
}

const dls_model dls_model_two_cylinders = {
    .name = "two-cylinders",
    .summary = "two elastic cylinders that collide, in a box or free, at large rotations",
    .source = "Armero & Petocz 1996, section 4.2",
    .equations = "plane strain, depth 1 m, Saint-Venant and Kirchhoff's law, bilinear quadrilaterals; q: x, y "
                 "of the nodes\n"
                 "W = int lambda/2 (tr E)^2 + mu E : E dX,   E = (F^T F - 1)/2,   M q'' + dW/dq = H lambda\n"
                 "g: of each node of a rim from each wall of the box (left, right, bottom, top); then of each "
                 "node of the "
                 "left\n"
                 "cylinder's rim from the polygon of the right one's, negative inside, by the closest point\n"
                 "Where the article does not say where box and cylinders are, they are such that rigid discs "
                 "meet in its\n"
                 "order. Its soft cylinders: box=off, lambda=130, mu=43.33, rho=8.93, x2=4, y2=0.9, vy=0.1.\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
    .mesh = dls_solid_mesh_of,
    .mesh_values = dls_solid_mesh_values,
};
