/* elastic_block.c -- an elastic block on a rough support, small strains in plane strain, in n_x by n_y equal rectangles.
 * Nodes are counted upward in columns from the left; q lists the displacements x, y of each. Contact j is the lowest node of column j.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/elements/assembly.h"
#include "common/models/elements/solid_element.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  NX,
  NY,
  MASS,
  SIDES,
  START,
  WIDTH,
  HEIGHT,
  MODULUS,
  POISSON,
  DENSITY,
  GAP,
  VX,
  VY,
  GRAVITY,
  PRESS,
  PUSH,
  SURFACE,
  RESTITUTION,
  FRICTION,
  ALPHA,
  BETA
};
enum { FREE, PERIODIC };
enum { UNSTRAINED, STATIC };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX, SIZE = DLS_QUAD_SIZE, CORNERS = DLS_QUAD_CORNERS, STRESSES = 3 };
static const char *const sides[] = {[FREE] = "free", [PERIODIC] = "periodic", NULL};
static const char *const starts[] = {[UNSTRAINED] = "unstrained", [STATIC] = "static", NULL};
static const dls_option parameters[] = {
    [NX] = DLS_COUNT("nx", "elements along x", 8, 1, 1e4),
    [NY] = DLS_COUNT("ny", "elements along y", 4, 1, 1e4),
    [MASS] = DLS_ONE_OF("mass", "mass matrix", DLS_MASS_CONSISTENT, dls_mass_choices),
    [SIDES] = DLS_ONE_OF("sides", "sides of the block: free, or periodic (an endless layer)", FREE, sides),
    [START] =
        DLS_ONE_OF("start",
                   "unstrained, or static: in equilibrium under g and press, with its lower side held where it "
                   "touches",
                   UNSTRAINED, starts),
    [WIDTH] = DLS_NUMBER("L", "m", "length along x", 2, 0, INFINITY, OPEN),
    [HEIGHT] = DLS_NUMBER("H", "m", "height", 1, 0, INFINITY, OPEN),
    [MODULUS] = DLS_NUMBER("E", "Pa", "Young's modulus", 1000, 0, INFINITY, OPEN),
    [POISSON] = DLS_NUMBER("nu", "1", "Poisson's ratio", 0.3, -1, 0.5, OPEN),
    [DENSITY] = DLS_NUMBER("rho", "kg/m^3", "density", 1, 0, INFINITY, OPEN),
    [GAP] = DLS_NUMBER("h0", "m", "height of the lower side above the support at the start", 0.1, 0, INFINITY,
                       DLS_OPEN_MAX),
    [VX] = DLS_NUMBER("vx", "m/s", "velocity along x at the start", 1, -INFINITY, INFINITY, OPEN),
    [VY] = DLS_NUMBER("vy", "m/s", "velocity upward at the start", -1, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 0, 0, INFINITY, DLS_OPEN_MAX),
    [PRESS] = DLS_NUMBER("press", "Pa", "pressure on the upper side", 0, 0, INFINITY, DLS_OPEN_MAX),
    [PUSH] = DLS_NUMBER("push", "Pa", "pressure on the left side, from t = 0 on", 0, 0, INFINITY, DLS_OPEN_MAX),
    [SURFACE] = DLS_NUMBER("vb", "m/s", "velocity of the support along x", 0, -INFINITY, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of each node", 0, 0, 1, 0),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [ALPHA] = DLS_NUMBER("alpha", "1/s", "Rayleigh damping by mass: C = alpha M + beta K", 0, 0, DBL_MAX, 0),
    [BETA] = DLS_NUMBER("beta", "s", "Rayleigh damping by stiffness", 0, 0, DBL_MAX, 0),
    {0},
};

/* sys->data. load: n */
typedef struct block_data {
  size_t nx, ny, columns; /* columns of nodes: nx + 1; nx in a periodic layer */
  double width, height, gap, surface, *load;
  dls_quad quad; /* of every element */
  dls_solid_material material;
  size_t *at; /* nx ny x 8: incidence */
} block_data;

static const block_data *data_of(const dls_system *sys)
{
  return sys->data;
}

/* Node column i, from 0 to nx: in a periodic layer the last is the first. */
static size_t node_of(const block_data *d, size_t i, size_t j)
{
  return i % d->columns * (d->ny + 1) + j;
}

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, data_of(sys)->load, sys->n * sizeof *F);
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  (void)t, (void)q;
  for (size_t j = 0; j < sys->m; j++) {
    b_t[j] = -data_of(sys)->surface;
  }
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = (dls_coordinate){.unit = "m"};
  snprintf(out->name, sizeof out->name, "u%s of node %zu", i % 2 == 0 ? "x" : "y", i / 2);
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (support and node (%zu, 0))", alpha, alpha);
}

static void release(dls_system *sys)
{
  block_data *d = sys->data;
  if (d != NULL) {
    free(d->load);
    free(d->at);
    free(d);
  }
}

static dls_status check(const dls_model *self, const double *p, dls_error *err)
{
  static const double most = 1e6; /* elements */
  if (p[NX] * p[NY] > most) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: nx = %g times ny = %g are more than %g elements", self->name,
                    p[NX], p[NY], most);
  }
  if (p[SIDES] == PERIODIC && p[PUSH] > 0) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: push = %g Pa, but a layer (sides=periodic) has no left side",
                    self->name, p[PUSH]);
  }
  if (p[START] == STATIC && p[GAP] > 0) {
    return dls_fail(err, DLS_ERR_ARG, "model %s: start=static needs h0 = 0, it is %g m", self->name, p[GAP]);
  }
  return DLS_OK;
}

/* Elements with corners counter-clockwise, and their common rectangle. */
static void fill_elements(block_data *d)
{
  const double lx = d->width / (double)d->nx, ly = d->height / (double)d->ny;
  static const size_t corner[CORNERS][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  double X[SIZE];
  for (size_t a = 0; a < CORNERS; a++) {
    X[2 * a] = lx * (double)corner[a][0];
    X[2 * a + 1] = ly * (double)corner[a][1];
  }
  dls_quad_create(X, &d->quad);
  for (size_t k = 0; k < d->nx * d->ny * SIZE; k++) {
    const size_t e = k / SIZE, *c = corner[k % SIZE / 2];
    d->at[k] = 2 * node_of(d, e / d->ny + c[0], e % d->ny + c[1]) + k % 2;
  }
}

/* M, K of the unloaded body (F = 1, S = 0: the linear stiffness), C. */
static void fill_matrices(dls_system *sys, const double *p)
{
  const block_data *d = data_of(sys);
  double X[SIZE] = {0}, M[SIZE * SIZE], K[SIZE * SIZE], C[SIZE * SIZE];
  X[2] = X[4] = d->width / (double)d->nx;
  X[5] = X[7] = d->height / (double)d->ny;
  dls_quad_mass(&d->quad, &d->material, M);
  dls_quad_stiffness(&d->quad, &d->material, X, K);
  if (p[MASS] == DLS_MASS_LUMPED) {
    dls_assembly_lump(SIZE, M);
  }
  for (size_t k = 0; k < SIZE * SIZE; k++) {
    C[k] = p[ALPHA] * M[k] + p[BETA] * K[k];
  }
  for (size_t e = 0; e < d->nx * d->ny; e++) {
    dls_assembly_add(sys->M, SIZE, d->at + SIZE * e, M);
    dls_assembly_add(sys->K, SIZE, d->at + SIZE * e, K);
    if (sys->C != NULL) {
      dls_assembly_add(sys->C, SIZE, d->at + SIZE * e, C);
    }
  }
}

/* Half of an edge's length to each of its ends. */
static void fill_load(const block_data *d, const double *p)
{
  const double lx = d->width / (double)d->nx, ly = d->height / (double)d->ny;
  const double corner[SIZE] = {[1] = 1, [3] = 1, [5] = 1, [7] = 1};
  for (size_t e = 0; e < d->nx * d->ny; e++) {
    double weight[SIZE];
    for (size_t k = 0; k < SIZE; k++) {
      weight[k] = -corner[k] * d->material.rho * p[GRAVITY] * lx * ly / CORNERS;
    }
    dls_assembly_add_vector(SIZE, d->at + SIZE * e, weight, d->load);
  }
  for (size_t i = 0; i < 2 * d->nx; i++) {
    d->load[2 * node_of(d, i / 2 + i % 2, d->ny) + 1] -= p[PRESS] * lx / 2;
  }
  for (size_t j = 0; j < 2 * d->ny; j++) {
    d->load[2 * node_of(d, 0, j / 2 + j % 2)] += p[PUSH] * ly / 2;
  }
}

static void fill_contacts(dls_system *sys, const double *p)
{
  const block_data *d = data_of(sys);
  for (size_t j = 0; j < sys->m; j++) {
    dls_matrix_set(sys->T, 2 * node_of(d, j, 0), j, 1);
    dls_matrix_set(sys->H, 2 * node_of(d, j, 0) + 1, j, 1);
    sys->w[j] = p[GAP];
    sys->mu[j] = p[FRICTION];
    sys->e[j] = p[RESTITUTION];
  }
}

/* Length: by how much a wave of pressure rho c v shortens the height, for the largest velocity v, with loads counted as
 * rho c v. */
static void set_motion(dls_system *sys, const double *p)
{
  const double c = sqrt(p[MODULUS] / p[DENSITY]);
  const double stress = fmax(p[PUSH], p[PRESS] + p[DENSITY] * p[GRAVITY] * p[HEIGHT]);
  const double fall = sqrt(p[VY] * p[VY] + 2 * p[GRAVITY] * p[GAP]);
  const double speed = fmax(hypot(p[VX] - p[SURFACE], fall), stress / (p[DENSITY] * c));
  for (size_t i = 0; i < sys->n; i++) {
    sys->v0[i] = i % 2 == 0 ? p[VX] : p[VY];
  }
  sys->time = p[HEIGHT] / c;
  sys->length = speed > 0 ? speed * sys->time : p[HEIGHT];
}

typedef struct held {
  const dls_system *sys;
  dls_matrix *K;
} held;

/* Replace rows and columns of the lower side by those of the unit matrix. */
static void hold(void *data, size_t i, size_t j, double x)
{
  const held *h = data;
  const size_t column = 2 * (data_of(h->sys)->ny + 1);
  const bool lowest = i % column < 2 || j % column < 2;
  dls_matrix_set(h->K, i, j, !lowest ? x : i == j ? 1 : 0);
}

/* K q0 = load with the lower side fixed. */
static dls_status rest(const char *name, dls_system *sys, dls_error *err)
{
  const block_data *d = data_of(sys);
  held h = {sys, dls_matrix_clone(sys->K)};
  dls_factor *factor = NULL;
  dls_status status = DLS_ERR_MEMORY;
  if (h.K != NULL) {
    dls_matrix_visit(sys->K, hold, &h);
    factor = dls_factor_create((const dls_matrix *[]){h.K}, 1);
  }
  if (factor == NULL) {
    dls_fail(err, status, "model %s: no memory for its equilibrium", name);
  } else {
    status = dls_factor_sum(factor, (const double[]){1}, err);
  }
  if (status == DLS_OK) {
    memcpy(sys->q0, d->load, sys->n * sizeof *sys->q0);
    for (size_t j = 0; j < sys->m; j++) {
      memset(sys->q0 + 2 * node_of(d, j, 0), 0, 2 * sizeof *sys->q0);
    }
    dls_factor_solve(factor, sys->q0);
  }
  dls_factor_destroy(factor);
  dls_matrix_destroy(h.K);
  return status;
}

/* Allocate all empty arrays. @return false if out of memory */
static bool allocate(dls_system *sys, const double *p)
{
  block_data *d = sys->data = calloc(1, sizeof *d);
  if (d == NULL) {
    return false;
  }
  const size_t elements = (size_t)(p[NX] * p[NY]);
  *d = (block_data){.nx = (size_t)p[NX],
                    .ny = (size_t)p[NY],
                    .columns = sys->m,
                    .width = p[WIDTH],
                    .height = p[HEIGHT],
                    .gap = p[GAP],
                    .surface = p[SURFACE],
                    .material = dls_solid_of_modulus(p[MODULUS], p[POISSON], p[DENSITY]),
                    .load = calloc(sys->n, sizeof *d->load),
                    .at = malloc(elements * SIZE * sizeof *d->at)};
  if (d->load == NULL || d->at == NULL) {
    return false;
  }
  fill_elements(d);
  const bool damped = p[ALPHA] > 0 || p[BETA] > 0;
  sys->K = dls_assembly_matrix(&(const dls_incidence){sys->n, elements, SIZE, d->at});
  sys->M = p[MASS] == DLS_MASS_LUMPED ? dls_matrix_diagonal(sys->n) : dls_matrix_clone(sys->K);
  sys->C = damped ? dls_matrix_clone(sys->K) : NULL;
  sys->H = dls_matrix_sparse(sys->n, sys->m, sys->m);
  sys->T = dls_matrix_sparse(sys->n, sys->m, sys->m);
  return sys->K != NULL && sys->M != NULL && sys->H != NULL && sys->T != NULL && (sys->C != NULL || !damped);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  *out = NULL;
  const dls_status status = check(self, p, err);
  if (status != DLS_OK) {
    return status;
  }
  const size_t columns = (size_t)p[NX] + (p[SIDES] == FREE ? 1 : 0);
  dls_system *sys = *out = dls_system_create(2 * columns * ((size_t)p[NY] + 1), columns);
  if (sys == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for %g elements", self->name, p[NX] * p[NY]);
  }
  sys->linear = true;
  sys->d = 2;
  sys->load = load;
  sys->explicit_time = DLS_TIME_NONE;
  sys->steady_load = true;
  sys->surface = surface;
  sys->coordinate = coordinate;
  sys->contact_name = contact_name;
  sys->release = release;
  if (!allocate(sys, p)) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for %g elements", self->name, p[NX] * p[NY]);
  }
  fill_matrices(sys, p);
  fill_load(data_of(sys), p);
  fill_contacts(sys, p);
  set_motion(sys, p);
  return p[START] == STATIC ? rest(self->name, sys, err) : DLS_OK;
}

static dls_status mesh(const dls_system *sys, dls_mesh *out, dls_error *err)
{
  static const char *const names[STRESSES] = {"stress xx [Pa]", "stress yy [Pa]", "stress xy [Pa]"};
  const block_data *d = data_of(sys);
  const size_t rows = d->ny + 1;
  const dls_status status = dls_mesh_create((d->nx + 1) * rows, d->nx * d->ny, CORNERS, out, err);
  if (status != DLS_OK) {
    return status;
  }
  out->values = STRESSES;
  out->names = names;
  for (size_t k = 0; k < 2 * out->points; k++) {
    const size_t i = k / 2 / rows, j = k / 2 % rows;
    out->unknown[k] = 2 * node_of(d, i, j) + k % 2;
    out->rest[k] = out->offset[k] =
        k % 2 == 0 ? d->width * (double)i / (double)d->nx : d->gap + d->height * (double)j / (double)d->ny;
  }
  for (size_t e = 0; e < out->cells; e++) {
    const size_t first = e / d->ny * rows + e % d->ny;
    const size_t corner[CORNERS] = {first, first + rows, first + rows + 1, first + 1};
    memcpy(out->cell + CORNERS * e, corner, sizeof corner);
  }
  return DLS_OK;
}

/* lambda tr(eps) 1 + 2 mu eps, mean over the Gauss points. */
static void mesh_values(const dls_system *sys, double t, const double *q, double *values)
{
  const block_data *d = data_of(sys);
  const double lambda = d->material.lambda, mu = d->material.mu;
  (void)t;
  for (size_t e = 0; e < d->nx * d->ny; e++) {
    double strain[STRESSES] = {0}; /* xx, yy, 2 xy */
    for (size_t k = 0; k < DLS_QUAD_POINTS * CORNERS; k++) {
      const double *slope = d->quad.gradient[k / CORNERS][k % CORNERS];
      const size_t *at = d->at + SIZE * e + 2 * (k % CORNERS);
      strain[0] += slope[0] * q[at[0]] / DLS_QUAD_POINTS;
      strain[1] += slope[1] * q[at[1]] / DLS_QUAD_POINTS;
      strain[2] += (slope[1] * q[at[0]] + slope[0] * q[at[1]]) / DLS_QUAD_POINTS;
    }
    values[STRESSES * e] = lambda * (strain[0] + strain[1]) + 2 * mu * strain[0];
    values[STRESSES * e + 1] = lambda * (strain[0] + strain[1]) + 2 * mu * strain[1];
    values[STRESSES * e + 2] = mu * strain[2];
  }
}

static void place(const block_data *d, const double *q, size_t i, size_t j, double x[2])
{
  const double *u = q + 2 * node_of(d, i, j);
  x[0] = d->width * (double)i / (double)d->nx + u[0];
  x[1] = d->gap + d->height * (double)j / (double)d->ny + u[1];
}

/* A side starting at node (i, j), in up to 16 segments. */
static void draw_side(const block_data *d, const double *q, size_t i, size_t j, bool along, dls_sketch *out)
{
  enum { MOST_PIECES = 16 };
  const size_t all = along ? d->nx : d->ny, pieces = all < MOST_PIECES ? all : MOST_PIECES;
  for (size_t k = 0; k < pieces; k++) {
    const size_t from = k * all / pieces, to = (k + 1) * all / pieces;
    double a[2], b[2];
    place(d, q, along ? from : i, along ? j : from, a);
    place(d, q, along ? to : i, along ? j : to, b);
    dls_sketch_between(out, DLS_SHAPE_LINE, a[0], a[1], b[0], b[1]);
  }
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const block_data *d = data_of(out->system);
  const double margin = 0.25 * p[WIDTH];
  dls_sketch_between(out, DLS_SHAPE_WALL, -margin, 0, p[WIDTH] + fmax(margin, out->reach), 0);
  draw_side(d, q, 0, 0, true, out);
  draw_side(d, q, 0, d->ny, true, out);
  draw_side(d, q, 0, 0, false, out);
  draw_side(d, q, d->nx, 0, false, out);
  for (size_t j = 0; j < out->system->m && j < DLS_SKETCH_TOUCHES; j++) {
    double x[2];
    place(d, q, j, 0, x);
    dls_sketch_touch(out, x[0], x[1], 0, 1);
  }
}

const dls_model dls_model_elastic_block = {
    .name = "elastic-block",
    .summary = "elastic block, or layer, thrown on or pushed along a rough support",
    .source = "this project; friction in elastodynamics as in Acary & Collins-Craft 2023",
    .equations =
        "rho u_tt = div sigma - rho g e_y,   sigma = lambda tr(eps) 1 + 2 mu eps,   small strains, plane "
        "strain,\n"
        "depth 1 m, in nx by ny bilinear rectangles:   M q'' + C q' + K q = F + H lambda + T lambda_T\n"
        "q: displacements x, y of the nodes, upward in columns from the left;   C = alpha M + beta K\n"
        "g_j = h0 + u_y of the lowest node of column j >= 0;   slip u_x' - vb, Coulomb's law with mu\n"
        "sides=periodic is a layer without ends, whose waves are plane: c_p^2 = (lambda + 2 mu)/rho, c_s^2 = "
        "mu/rho.\n"
        "Thrown on the support with (vx, vy) it touches for 2 H/c_p under the pressure rho c_p |vy|, slips if\n"
        "mu c_p |vy| < c_s |vx| and leaves with |vy| and vx - 2 mu |vy| on the mean: the law of a rigid body "
        "with\n"
        "e = 1, from nodes with e = 0. If it sticks, vx (1 - 2 c_s/c_p).\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
    .mesh = mesh,
    .mesh_values = mesh_values,
};
