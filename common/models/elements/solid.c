/* solid.c -- elastic bodies of quadrilaterals: forces, mass and pictures. Contacts are in solid_contact.c.
 *
 *   M q'' = load - sum of elements f(x) - damping M q' + H lambda
 *
 * The mass m_ij between nodes is the same for x and y. Redistributed mass (redistribute.h): the nodes of one body that a contact
 * uses, the same ones in all bodies, are massless.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/solid.h"
#include "common/linear/storage.h"
#include "common/models/elements/redistribute.h"
#include "common/models/elements/solid_data.h"
#include "common/system/momentum.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Copy m_ij of the first body into M of all bodies. */
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

static dls_status fill_mass(const char *name, dls_system *sys, dls_error *err)
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

void dls_solid_destroy(dls_solid *solid)
{
  dls_solid_mesh_destroy(&solid->mesh);
  free(solid->unknown);
  free(solid->load);
  free(solid->planes);
  free(solid->slave);
  free(solid->ring);
  *solid = (dls_solid){0};
}

bool dls_solid_all_unknown(dls_solid *solid)
{
  solid->unknowns = 2 * solid->mesh.nodes;
  solid->unknown = malloc(solid->unknowns * sizeof *solid->unknown);
  for (size_t i = 0; solid->unknown != NULL && i < solid->unknowns; i++) {
    solid->unknown[i] = i;
  }
  return solid->unknown != NULL;
}

const dls_solid *dls_solid_of(const dls_system *sys)
{
  return &dls_solid_data_of(sys)->solid;
}

const size_t *dls_solid_gather(const dls_solid_data *d, const double *q, size_t e, double x[SIZE])
{
  for (size_t a = 0; a < DLS_QUAD_CORNERS; a++) {
    dls_solid_position(&d->solid, q, d->solid.mesh.corner[DLS_QUAD_CORNERS * e + a], x + 2 * a);
  }
  return d->at + SIZE * e;
}

static void add_load(const dls_system *sys, double sign, double *F)
{
  const double *load = dls_solid_of(sys)->load;
  for (size_t i = 0; load != NULL && i < sys->n; i++) {
    F[i] += sign * load[i];
  }
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  (void)t;
  memset(F, 0, sys->n * sizeof *F);
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[SIZE], f[SIZE];
    const size_t *at = dls_solid_gather(d, q, e, x);
    dls_quad_force(&d->quad[e], &d->solid.material, x, f);
    for (size_t k = 0; k < SIZE; k++) {
      f[k] = -f[k];
    }
    dls_assembly_add_vector(SIZE, at, f, F);
  }
  add_load(sys, 1, F);
  if (d->solid.damping > 0) {
    dls_matrix_multiply(sys->M, -d->solid.damping, v, F);
  }
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  (void)t, (void)v;
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[SIZE], block[SIZE * SIZE];
    const size_t *at = dls_solid_gather(d, q, e, x);
    dls_quad_stiffness(&d->quad[e], &d->solid.material, x, block);
    dls_assembly_add(K, SIZE, at, block);
  }
}

static double potential(const dls_system *sys, const double *q)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  double V = 0;
  for (size_t i = 0; d->solid.load != NULL && i < sys->n; i++) {
    V -= d->solid.load[i] * q[i];
  }
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[SIZE];
    dls_solid_gather(d, q, e, x);
    V += dls_quad_energy(&d->quad[e], &d->solid.material, x);
  }
  return V;
}

static void discrete_gradient(const dls_system *sys, const double *a, const double *b, double *gradient)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  memset(gradient, 0, sys->n * sizeof *gradient);
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[SIZE], y[SIZE], f[SIZE];
    dls_solid_gather(d, a, e, x);
    const size_t *at = dls_solid_gather(d, b, e, y);
    dls_quad_conserving_force(&d->quad[e], &d->solid.material, x, y, f);
    dls_assembly_add_vector(SIZE, at, f, gradient);
  }
  add_load(sys, -1, gradient);
}

static void discrete_stiffness(const dls_system *sys, const double *a, const double *b, dls_matrix *K)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double x[SIZE], y[SIZE], block[SIZE * SIZE];
    dls_solid_gather(d, a, e, x);
    const size_t *at = dls_solid_gather(d, b, e, y);
    dls_quad_conserving_stiffness(&d->quad[e], &d->solid.material, x, y, block);
    dls_assembly_add(K, SIZE, at, block);
  }
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)t, (void)q, (void)v;
  dls_assembly_scale(C, dls_solid_of(sys)->damping, sys->M);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  const size_t k = dls_solid_data_of(sys)->owner[i];
  *out = (dls_coordinate){.unit = "m"};
  snprintf(out->name, sizeof out->name, "%s%zu", k % 2 == 0 ? "x" : "y", k / 2);
}

static void release(dls_system *sys)
{
  dls_solid_data *d = sys->data;
  if (d != NULL) {
    dls_solid_destroy(&d->solid);
    free(d->quad);
    free(d->at);
    free(d->owner);
    free(d);
  }
}

static dls_status fill_elements(const char *name, dls_solid_data *d, dls_error *err)
{
  for (size_t e = 0; e < d->solid.mesh.quads; e++) {
    double X[SIZE];
    for (size_t k = 0; k < SIZE; k++) {
      const size_t i = 2 * d->solid.mesh.corner[DLS_QUAD_CORNERS * e + k / 2] + k % 2;
      X[k] = d->solid.mesh.X[i];
      d->at[SIZE * e + k] = d->solid.unknown[i];
    }
    if (!dls_quad_create(X, &d->quad[e])) {
      return dls_fail(err, DLS_ERR_ARG, "model %s: element %zu of the mesh has no area at a Gauss point", name,
                      e);
    }
  }
  return DLS_OK;
}

/* @return false if out of memory */
static bool create_matrices(dls_system *sys)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  const dls_incidence incidence = {sys->n, d->solid.mesh.quads, SIZE, d->at};
  sys->K = dls_assembly_matrix(&incidence);
  sys->M = d->solid.mass == DLS_MASS_LUMPED ? dls_matrix_diagonal(sys->n) : dls_matrix_clone(sys->K);
  if (sys->M == NULL || sys->K == NULL) {
    return false;
  }
  sys->C = d->solid.damping > 0 ? dls_matrix_clone(sys->M) : NULL;
  return sys->C != NULL || d->solid.damping == 0;
}

static void set_start(dls_system *sys)
{
  const dls_solid_data *d = dls_solid_data_of(sys);
  const dls_solid *solid = &d->solid;
  /* an unknown shared by several nodes has the name of the first */
  for (size_t i = 2 * solid->mesh.nodes; i-- > 0;) {
    if (solid->unknown[i] != DLS_GIVEN) {
      sys->q0[solid->unknown[i]] = solid->mesh.X[i];
      d->owner[solid->unknown[i]] = i;
    }
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->e[j] = solid->restitution;
  }
}

static void set_calls(dls_system *sys)
{
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->stiffness = stiffness;
  sys->damping = sys->C != NULL ? damping : NULL;
  sys->potential = potential;
  if (sys->n == 2 * dls_solid_of(sys)->mesh.nodes) { /* all of x and y are unknown, none shared */
    sys->momenta = 3;
    sys->momentum = dls_momentum_points;
  }
  sys->discrete_gradient = discrete_gradient;
  sys->discrete_stiffness = discrete_stiffness;
  sys->coordinate = coordinate;
}

dls_status dls_solid_create(const char *name, dls_solid *solid, dls_system **out, dls_error *err)
{
  const size_t quads = solid->mesh.quads;
  dls_system *sys = *out = dls_system_create(solid->unknowns, solid->plane_count + solid->slave_count);
  dls_solid_data *d = sys == NULL ? NULL : calloc(1, sizeof *d);
  if (d == NULL) {
    dls_solid_destroy(solid);
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for %zu elements", name, quads);
  }
  sys->data = d;
  sys->release = release;
  d->solid = *solid;
  *solid = (dls_solid){0};
  d->quad = malloc(quads * sizeof *d->quad);
  d->at = malloc(quads * SIZE * sizeof *d->at);
  d->owner = calloc(sys->n, sizeof *d->owner);
  const bool room = d->quad != NULL && d->at != NULL && d->owner != NULL;
  dls_status status = room ? fill_elements(name, d, err) : DLS_ERR_MEMORY;
  if (status == DLS_ERR_ARG) {
    return status;
  }
  if (!room || !create_matrices(sys) || !dls_solid_contacts_create(sys)) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for %zu elements", name, quads);
  }
  status = fill_mass(name, sys, err);
  set_start(sys);
  set_calls(sys);
  return status;
}
