/* rods.c
 *   M = diag(masses) + (m/6) [2 1; 1 2] of every rod on either axis,   V = -gravity sum (mass of a point and half its rods) y
 *   phi_k = (|d|^2 - l^2)/(2 l),  d = b - a;   gradient +-d/l;   Hessian (1/l) [1 -1; -1 1] on either axis
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/rods.h"
#include "common/linear/pattern.h"
#include "common/linear/storage.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct data {
  dls_rods what;  /* its arrays are stored behind it */
  double *weight; /* points: load along y [N] */
  dls_rod *rod;
  uint32_t *place; /* rods x 8: values of the stiffness that a rod adds to, the first half with its own sign */
} data;

static const data *of(const dls_system *sys)
{
  return sys->data;
}

/* d = b - a */
static void along(const dls_rod *rod, const double *q, bool fixed_counts, double d[2])
{
  const bool fixed = rod->from == SIZE_MAX;
  d[0] = q[2 * rod->to] - (fixed ? (fixed_counts ? rod->x : 0) : q[2 * rod->from]);
  d[1] = q[2 * rod->to + 1] - (fixed ? (fixed_counts ? rod->y : 0) : q[2 * rod->from + 1]);
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  for (size_t i = 0; i < of(sys)->what.points; i++) {
    F[2 * i] = 0;
    F[2 * i + 1] = of(sys)->weight[i];
  }
}

static double potential(const dls_system *sys, const double *q)
{
  double V = 0;
  for (size_t i = 0; i < of(sys)->what.points; i++) {
    V -= of(sys)->weight[i] * q[2 * i + 1];
  }
  return V;
}

/* Rods that hang from fixed points add m/6 of the velocity of their fixed ends. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  dls_momentum_points(sys, t, q, v, Mv, p);
  for (size_t k = 0; k < of(sys)->what.rods; k++) {
    const dls_rod *rod = &of(sys)->rod[k];
    if (rod->mass > 0 && rod->from == SIZE_MAX) {
      const double at[2] = {rod->x, rod->y}, *end = v + 2 * rod->to;
      dls_momentum_point(2, at, (const double[]){rod->mass / 6 * end[0], rod->mass / 6 * end[1]}, p);
    }
  }
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  for (size_t i = 0; i < sys->m; i++) {
    g[i] = q[2 * i] - of(sys)->what.wall_at;
  }
}

static void joint(const dls_system *sys, double t, const double *q, double *phi)
{
  (void)t;
  const dls_rod *rod = of(sys)->rod;
  for (size_t k = 0; k < sys->r; k++) {
    const double l = rod[k].length;
    double d[2];
    along(&rod[k], q, true, d);
    phi[k] = (d[0] * d[0] + d[1] * d[1] - l * l) / (2 * l); /* (|d|^2 - l^2)/(2 l) */
  }
}

/* The entries of a new G. */
static void begin_gradient(const dls_system *sys, dls_matrix *G)
{
  const dls_rod *rod = of(sys)->rod;
  for (size_t k = 0; k < sys->r; k++) {
    for (size_t i = 0; i < 2 && rod[k].from != SIZE_MAX; i++) {
      dls_matrix_set(G, 2 * rod[k].from + i, k, 0);
    }
    for (size_t i = 0; i < 2; i++) {
      dls_matrix_set(G, 2 * rod[k].to + i, k, 0);
    }
  }
}

/* All entries stand in the order of the rods, since from < to. */
static void joint_gradient(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  (void)t;
  const dls_rod *rod = of(sys)->rod;
  double *next = G->values;
  for (size_t k = 0; k < sys->r; k++) {
    double d[2];
    along(&rod[k], q, true, d);
    const double x = d[0] / rod[k].length, y = d[1] / rod[k].length;
    if (rod[k].from != SIZE_MAX) {
      next[0] = -x;
      next[1] = -y;
      next += 2;
    }
    next[0] = x;
    next[1] = y;
    next += 2;
  }
}

/* |d'|^2/l */
static void joint_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  (void)t, (void)q;
  for (size_t k = 0; k < sys->r; k++) {
    double rate[2];
    along(&of(sys)->rod[k], v, false, rate);
    c[k] = (rate[0] * rate[0] + rate[1] * rate[1]) / of(sys)->rod[k].length;
  }
}

/* The entries of A that a rod adds to, of the ends on either axis: own ones, then those between them. @return their number */
static size_t places_of(const dls_matrix *A, const dls_rod *rod, double *out[8])
{
  const bool fixed = rod->from == SIZE_MAX;
  for (size_t axis = 0; axis < 2; axis++) {
    const size_t b = 2 * rod->to + axis, a = fixed ? b : 2 * rod->from + axis;
    out[axis] = dls_matrix_place(A, b, b);
    out[2 + axis] = dls_matrix_place(A, a, a);
    out[4 + axis] = dls_matrix_place(A, a, b);
    out[6 + axis] = dls_matrix_place(A, b, a);
  }
  return fixed ? 2 : 8;
}

/* A += [own other; other own] for the rod's ends on either axis. */
static void add_rod(dls_matrix *A, const dls_rod *rod, double own, double other)
{
  double *place[8];
  const size_t count = places_of(A, rod, place);
  for (size_t i = 0; i < count; i++) {
    *place[i] += i < 4 ? own : other;
  }
}

/* Largest difference of coordinates coupled by a rod. */
static size_t reach_of(const dls_rods *what)
{
  size_t reach = 0;
  for (size_t k = 0; k < what->rods; k++) {
    const dls_rod *rod = &what->rod[k];
    const size_t far = rod->from == SIZE_MAX ? 0 : 2 * (rod->to - rod->from);
    reach = far > reach ? far : reach;
  }
  return reach;
}

static void joint_stiffness(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  (void)t, (void)q;
  const uint32_t *place = of(sys)->place;
  dls_matrix_clear(K);
  for (size_t k = 0; k < sys->r; k++, place += 8) {
    const double x = mu[k] / of(sys)->rod[k].length;
    const size_t count = of(sys)->rod[k].from == SIZE_MAX ? 2 : 8;
    for (size_t i = 0; i < count; i++) {
      K->values[place[i]] += i < 4 ? x : -x;
    }
  }
}

static void joint_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "rod %zu", i + 1);
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys;
  snprintf(text, size, "contact %zu (wall and point %zu)", alpha, alpha + 1);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  *out = (dls_coordinate){.unit = "m"};
  if (sys->n == 2) {
    snprintf(out->name, sizeof out->name, "%c", i == 0 ? 'x' : 'y');
  } else {
    snprintf(out->name, sizeof out->name, "%c%zu", i % 2 == 0 ? 'x' : 'y', i / 2 + 1);
  }
}

static void release(dls_system *sys)
{
  data *d = sys->data;
  if (d != NULL) {
    free(d->weight);
    free(d->rod);
    free(d->place);
    free(d);
  }
}

/* The data, without the borrowed masses. @return NULL if out of memory */
static data *copy(const dls_rods *what)
{
  data *d = calloc(1, sizeof *d);
  if (d == NULL) {
    return NULL;
  }
  d->what = *what;
  d->weight = calloc(what->points, sizeof *d->weight);
  d->rod = malloc(what->rods * sizeof *d->rod);
  if (d->rod != NULL) {
    memcpy(d->rod, what->rod, what->rods * sizeof *d->rod);
  }
  d->what.mass = NULL;
  d->what.rod = d->rod;
  return d;
}

/* The places of the stiffness of the rods' forces: those of either axis, not between them. @return NULL if out of memory */
static dls_matrix *stiffness_storage(const dls_rods *what)
{
  dls_entry *entries = malloc(8 * what->rods * sizeof *entries);
  size_t count = 0;
  for (size_t k = 0; k < what->rods && entries != NULL; k++) {
    const dls_rod *rod = &what->rod[k];
    for (size_t axis = 0; axis < 2; axis++) {
      const size_t b = 2 * rod->to + axis, a = rod->from == SIZE_MAX ? b : 2 * rod->from + axis;
      const dls_entry all[4] = {{a, a}, {a, b}, {b, a}, {b, b}};
      memcpy(entries + count, all, sizeof all);
      count += 4;
    }
  }
  dls_matrix *K =
      entries != NULL ? dls_matrix_of_entries(2 * what->points, 2 * what->points, count, entries) : NULL;
  free(entries);
  return K;
}

/* Where the stiffness of each rod goes. @return false if out of memory */
static bool find_places(const dls_system *sys, data *d)
{
  d->place = calloc(8 * sys->r, sizeof *d->place);
  for (size_t k = 0; k < sys->r && d->place != NULL; k++) {
    double *place[8];
    const size_t count = places_of(sys->geometric, &d->rod[k], place);
    for (size_t i = 0; i < count; i++) {
      d->place[8 * k + i] = (uint32_t)(place[i] - sys->geometric->values);
    }
  }
  return d->place != NULL;
}

static void fill_mass(dls_system *sys, const dls_rods *what)
{
  data *d = sys->data;
  for (size_t i = 0; i < what->points; i++) {
    dls_matrix_set(sys->M, 2 * i, 2 * i, what->mass[i]);
    dls_matrix_set(sys->M, 2 * i + 1, 2 * i + 1, what->mass[i]);
    d->weight[i] = what->gravity * what->mass[i];
  }
  for (size_t k = 0; k < what->rods; k++) {
    const dls_rod *rod = &what->rod[k];
    if (rod->mass > 0) {
      add_rod(sys->M, rod, rod->mass / 3, rod->mass / 6);
      d->weight[rod->to] += what->gravity * rod->mass / 2;
    }
    if (rod->mass > 0 && rod->from != SIZE_MAX) {
      d->weight[rod->from] += what->gravity * rod->mass / 2;
    }
  }
}

static void set_calls(dls_system *sys)
{
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = potential;
  sys->momenta = 3;
  sys->momentum = momentum;
  sys->gap = gap;
  sys->joint = joint;
  sys->joint_gradient = joint_gradient;
  sys->joint_curvature = joint_curvature;
  sys->joint_stiffness = joint_stiffness;
  sys->joints_quadratic = true;
  sys->joint_name = joint_name;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
}

static bool allocate(dls_system *sys, const dls_rods *what)
{
  const size_t n = sys->n, reach = reach_of(what);
  bool massive = false;
  size_t ends = 0; /* that move */
  for (size_t k = 0; k < what->rods; k++) {
    massive = massive || what->rod[k].mass > 0;
    ends += what->rod[k].from != SIZE_MAX ? 2 : 1;
  }
  sys->release = release;
  data *d = sys->data = copy(what);
  sys->r = what->rods;
  sys->M = massive ? dls_matrix_band(n, reach, reach) : dls_matrix_diagonal(n);
  sys->G = dls_matrix_sparse(n, what->rods, 2 * ends);
  sys->geometric = stiffness_storage(what);
  sys->H = sys->m > 0 ? dls_matrix_sparse(n, sys->m, sys->m) : NULL;
  return d != NULL && d->weight != NULL && d->rod != NULL && sys->M != NULL && sys->G != NULL &&
         sys->geometric != NULL && (sys->m == 0 || sys->H != NULL) && find_places(sys, d);
}

dls_status dls_rods_create(const char *name, const dls_rods *what, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(2 * what->points, what->wall ? what->points : 0);
  if (sys == NULL || !allocate(sys, what)) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu rods", name, what->rods);
  }
  fill_mass(sys, what);
  for (size_t j = 0; j < sys->m; j++) {
    dls_matrix_set(sys->H, 2 * j, j, 1);
  }
  set_calls(sys);
  begin_gradient(sys, sys->G);
  joint_gradient(sys, 0, sys->q0, sys->G);
  return DLS_OK;
}

dls_status dls_rods_chain(const char *name, size_t count, const double *lengths, const double *masses,
                          double gravity, const double *wall_at, dls_system **out, dls_error *err)
{
  dls_rod *rods = calloc(count, sizeof *rods);
  *out = NULL;
  if (rods == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu rods", name, count);
  }
  for (size_t k = 0; k < count; k++) {
    rods[k] = (dls_rod){.from = k > 0 ? k - 1 : SIZE_MAX, .to = k, .length = lengths[k]};
  }
  const dls_rods what = {.points = count,
                         .rods = count,
                         .mass = masses,
                         .rod = rods,
                         .gravity = gravity,
                         .wall = wall_at != NULL,
                         .wall_at = wall_at != NULL ? *wall_at : 0};
  const dls_status status = dls_rods_create(name, &what, out, err);
  free(rods);
  return status;
}

void dls_rods_sketch_chain(size_t count, const double *q, double up, double radius, dls_sketch *out)
{
  dls_sketch_ball(out, 0, 0, radius / 3);
  for (size_t i = 0; i < count; i++) {
    const double x = i > 0 ? q[2 * i - 2] : 0, y = i > 0 ? up * q[2 * i - 1] : 0;
    dls_sketch_between(out, DLS_SHAPE_LINE, x, y, q[2 * i], up * q[2 * i + 1]);
    dls_sketch_ball(out, q[2 * i], up * q[2 * i + 1], radius);
  }
}

dls_status dls_rods_double_pendulum(const char *name, const double p[5], const double q0[4], dls_system **out,
                                    dls_error *err)
{
  const double g = p[4];
  const dls_status status = dls_rods_chain(name, 2, p + 2, p, -g, NULL, out, err);
  if (status == DLS_OK) {
    memcpy((*out)->q0, q0, 4 * sizeof *q0);
    (*out)->length = fmax(p[2], p[3]);
    (*out)->time = sqrt((*out)->length / g);
  }
  return status;
}

/* From (l, 0, l, l) at rest. */
dls_status dls_lens_create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double l = p[DLS_LENS_LENGTH];
  const double both[] = {p[DLS_LENS_MASS_1], p[DLS_LENS_MASS_2], l, l, p[DLS_LENS_GRAVITY]};
  return dls_rods_double_pendulum(self->name, both, (const double[]){l, 0, l, l}, out, err);
}

void dls_lens_sketch(const double *p, const double *q, dls_sketch *out)
{
  dls_rods_sketch_chain(2, q, 1, 0.06 * p[DLS_LENS_LENGTH], out);
}
