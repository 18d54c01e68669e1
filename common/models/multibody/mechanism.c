/* mechanism.c -- the system of a mechanism: layout of coordinates, masses, initial data and storage of matrices.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "common/base/text.h"
#include "common/linear/storage.h"
#include "common/models/multibody/multibody.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- parts --- */

static dls_status name_fault(const char *kind, const char *name, const dls_error *fault, dls_error *err)
{
  return fault->status == DLS_ERR_MEMORY
             ? dls_fail(err, fault->status, "%s", fault->text)
             : dls_fail(err, fault->status, "%s %s: %.200s", kind, name, fault->text);
}

static dls_status check(const dls_mechanism *m, dls_error *err)
{
  dls_error fault = {0};
  if (m->body_count == 0) {
    return dls_fail(err, DLS_ERR_ARG, "a mechanism needs a body");
  }
  for (size_t i = 0; i < m->body_count; i++) {
    if (dls_body_check(m, &m->bodies[i], &fault) != DLS_OK) {
      return name_fault("body", m->bodies[i].name, &fault, err);
    }
  }
  for (size_t i = 0; i < m->joint_count; i++) {
    if (dls_joint_check(m, &m->joints[i], &fault) != DLS_OK) {
      return name_fault("joint", m->joints[i].name, &fault, err);
    }
  }
  for (size_t i = 0; i < m->spring_count; i++) {
    if (dls_spring_check(m, &m->springs[i], &fault) != DLS_OK) {
      return name_fault("spring", m->springs[i].name, &fault, err);
    }
  }
  for (size_t i = 0; i < m->touch_count; i++) {
    if (dls_touch_check(m, &m->touches[i], &fault) != DLS_OK) {
      return name_fault("contact", m->touches[i].name, &fault, err);
    }
  }
  return DLS_OK;
}

static void destroy(dls_multibody *mb)
{
  if (mb == NULL) {
    return;
  }
  free((void *)mb->m.bodies);
  free((void *)mb->m.joints);
  free((void *)mb->m.springs);
  free((void *)mb->m.touches);
  free((void *)mb->m.marks);
  free(mb->at);
  free(mb->equations);
  free(mb->affines);
  free(mb->springs);
  for (size_t j = 0; j < mb->m.touch_count && mb->touches != NULL; j++) {
    free(mb->touches[j].edges);
  }
  free(mb->touches);
  free(mb->load);
  free(mb);
}

/* A copy of `count` elements; for none, still a block. */
static void *copy(const void *parts, size_t count, size_t size)
{
  void *out = malloc(dls_size_sum(dls_size_product(count, size), 1));
  if (out != NULL && count > 0) {
    memcpy(out, parts, count * size);
  }
  return out;
}

/* Upper bound of affine vectors: a joint has six, a body three, a contact two, a spring one. */
static size_t affines_most(const dls_mechanism *m)
{
  return 6 * m->joint_count + 3 * m->body_count + 2 * m->touch_count + m->spring_count;
}

static dls_multibody *copy_parts(const dls_mechanism *m)
{
  dls_multibody *mb = calloc(1, sizeof *mb);
  if (mb == NULL) {
    return NULL;
  }
  mb->m = *m;
  mb->m.bodies = copy(m->bodies, m->body_count, sizeof *m->bodies);
  mb->m.joints = copy(m->joints, m->joint_count, sizeof *m->joints);
  mb->m.springs = copy(m->springs, m->spring_count, sizeof *m->springs);
  mb->m.touches = copy(m->touches, m->touch_count, sizeof *m->touches);
  mb->m.marks = copy(m->marks, m->mark_count, sizeof *m->marks);
  mb->at = calloc(m->body_count, sizeof *mb->at);
  mb->equations = calloc(dls_equations_most(m) + 1, sizeof *mb->equations);
  mb->affines = calloc(affines_most(m) + 1, sizeof *mb->affines);
  mb->springs = calloc(m->spring_count + 1, sizeof *mb->springs);
  mb->touches = calloc(m->touch_count + 1, sizeof *mb->touches);
  for (size_t i = 0; i < m->body_count && mb->at != NULL; i++) {
    mb->at[i] = mb->n;
    mb->n += dls_body_size(m->bodies[i].kind, m->dim);
  }
  mb->load = calloc(mb->n, sizeof *mb->load);
  const void *const all[] = {mb->m.bodies,  mb->m.joints, mb->m.springs, mb->m.touches, mb->m.marks, mb->at,
                             mb->equations, mb->affines,  mb->springs,   mb->touches,   mb->load};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    if (all[i] == NULL) {
      destroy(mb);
      return NULL;
    }
  }
  return mb;
}

static void make_springs(dls_multibody *mb)
{
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    dls_affine *A = dls_affine_new(mb);
    const dls_spring *spring = &mb->m.springs[i];
    dls_affine_add_point(A, mb, spring->a.body, spring->a.at, 1);
    dls_affine_add_point(A, mb, spring->b.body, spring->b.at, -1);
    mb->springs[i] = A;
  }
}

/* --- storage: entries that can be nonzero; those of contacts and springs dense where the matrices are small --- */

enum { DENSE_MOST = 40 }; /* coordinates */

typedef struct place {
  size_t column, row;
} place;

typedef struct pattern {
  place *places;
  size_t count, room;
  bool failed;
} pattern;

static void add_place(pattern *p, size_t row, size_t column)
{
  if (p->count == p->room && !p->failed) {
    p->room = 2 * p->room + 64;
    place *more = realloc(p->places, p->room * sizeof *more);
    p->failed = more == NULL;
    p->places = more != NULL ? more : p->places;
  }
  if (!p->failed) {
    p->places[p->count++] = (place){column, row};
  }
}

static int by_column(const void *a, const void *b)
{
  const place *p = a, *q = b;
  const int columns = (p->column > q->column) - (p->column < q->column);
  return columns != 0 ? columns : (p->row > q->row) - (p->row < q->row);
}

/* The zero matrix with these places, which are freed; NULL if out of memory. Dense up to dense_most rows. */
static dls_matrix *matrix_of(pattern *p, size_t rows, size_t columns, size_t dense_most)
{
  dls_matrix *A = NULL;
  if (!p->failed && rows <= dense_most) {
    A = dls_matrix_dense(rows, columns);
  } else if (!p->failed) {
    A = dls_matrix_sparse(rows, columns, p->count);
    if (p->count > 0) {
      qsort(p->places, p->count, sizeof *p->places, by_column);
    }
    for (size_t i = 0; i < p->count && A != NULL; i++) {
      dls_matrix_set(A, p->places[i].row, p->places[i].column, 0);
    }
  }
  free(p->places);
  return A;
}

static void add_rows(pattern *p, const dls_affine *A, size_t dim, size_t column)
{
  for (size_t k = 0; A != NULL && k < A->count; k++) {
    for (size_t i = 0; i < dim; i++) {
      add_place(p, A->terms[k].at + i, column);
    }
  }
}

/* The places of A'^T B'. */
static void add_blocks(pattern *p, const dls_affine *A, const dls_affine *B, size_t dim)
{
  for (size_t k = 0; k < B->count; k++) {
    for (size_t i = 0; i < dim; i++) {
      add_rows(p, A, dim, B->terms[k].at + i);
    }
  }
}

static dls_matrix *gradient_storage(const dls_multibody *mb)
{
  pattern p = {0};
  for (size_t i = 0; i < mb->equation_count; i++) {
    const dls_equation *e = &mb->equations[i];
    add_rows(&p, e->A, mb->m.dim, i);
    add_rows(&p, e->U, mb->m.dim, i);
    add_rows(&p, e->V, mb->m.dim, i);
  }
  return matrix_of(&p, mb->n, mb->equation_count, 0);
}

static dls_matrix *geometric_storage(const dls_multibody *mb)
{
  pattern p = {0};
  for (size_t i = 0; i < mb->equation_count; i++) {
    const dls_equation *e = &mb->equations[i];
    const dls_affine *const factors[2] = {e->U, e->V};
    for (int k = 0; k < 2 && factors[k] != NULL; k++) {
      add_blocks(&p, e->A, factors[k], mb->m.dim);
      add_blocks(&p, factors[k], e->A, mb->m.dim);
    }
  }
  return matrix_of(&p, mb->n, mb->n, 0);
}

static dls_matrix *spring_storage(const dls_multibody *mb)
{
  pattern p = {0};
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    add_blocks(&p, mb->springs[i], mb->springs[i], mb->m.dim);
  }
  return matrix_of(&p, mb->n, mb->n, DENSE_MOST);
}

/* Places of H (each 1) and T (each dim - 1): a tangent acts on all coordinates of its bodies. */
static dls_matrix *touch_storage(const dls_multibody *mb, size_t each, bool whole)
{
  pattern p = {0};
  for (size_t column = 0; column < each * mb->m.touch_count; column++) {
    const dls_compiled_touch *c = &mb->touches[column / each];
    const size_t bodies[2] = {c->touch->a.body,
                              c->touch->kind == DLS_TOUCH_PLANE ? DLS_GROUND : c->touch->b.body};
    add_rows(&p, c->A, mb->m.dim, column);
    add_rows(&p, c->N, mb->m.dim, column);
    for (int k = 0; k < 2 && whole; k++) {
      const size_t size = bodies[k] == DLS_GROUND ? 0 : dls_body_size(mb->m.bodies[bodies[k]].kind, mb->m.dim);
      for (size_t i = 0; i < size; i++) {
        add_place(&p, mb->at[bodies[k]] + i, column);
      }
    }
  }
  return matrix_of(&p, mb->n, each * mb->m.touch_count, DENSE_MOST);
}

/* --- the system --- */

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const axes[] = {"x", "y", "z"};
  const dls_multibody *mb = sys->data;
  size_t low = 0, high = mb->m.body_count; /* at[low] <= i < at[high] */
  while (high - low > 1) {
    const size_t middle = low + (high - low) / 2;
    *(mb->at[middle] <= i ? &low : &high) = middle;
  }
  const dls_body *body = &mb->m.bodies[low];
  const size_t dim = mb->m.dim, block = (i - mb->at[low]) / dim, k = (i - mb->at[low]) % dim;
  const bool one = dls_body_size(body->kind, dim) == 2 * dim; /* director */
  char which[8] = "";
  if (block > 0) {
    snprintf(which, sizeof which, one ? "d_" : "d%zu_", block);
  }
  snprintf(out->name, sizeof out->name, "%s%s of %s", which, axes[k], body->name);
  out->unit = block == 0 || mb->lambda != 1 ? "m" : "1";
}

static void release(dls_system *sys)
{
  destroy(sys->data);
}

/* The extent of the mechanism at the start, of bodies and ends; 1 if it has none. */
static double extent_of(const dls_mechanism *m)
{
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY}, extent = 0;
  const size_t count = m->body_count + 2 * m->joint_count + 2 * m->spring_count;
  for (size_t i = 0; i < count; i++) {
    double p[3];
    const size_t j = i - m->body_count, s = j - 2 * m->joint_count;
    if (i < m->body_count) {
      memcpy(p, m->bodies[i].at, sizeof p);
    } else if (j < 2 * m->joint_count) {
      dls_mechanism_place(m, j % 2 == 0 ? &m->joints[j / 2].a : &m->joints[j / 2].b, p);
    } else {
      dls_mechanism_place(m, s % 2 == 0 ? &m->springs[s / 2].a : &m->springs[s / 2].b, p);
    }
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], p[k]);
      high[k] = fmax(high[k], p[k]);
      extent = fmax(extent, high[k] - low[k]);
    }
  }
  return extent > 0 ? extent : 1;
}

/* The time of a fall over the length, or of a motion over it at the largest initial velocity; 1 without motion. */
static double time_of(const dls_mechanism *m, double length)
{
  double rate = sqrt(sqrt(dls_dot3(m->gravity, m->gravity)) / length);
  for (size_t i = 0; i < m->body_count; i++) {
    const dls_body *b = &m->bodies[i];
    rate = fmax(rate, sqrt(dls_dot3(b->velocity, b->velocity)) / length);
    rate = fmax(rate, sqrt(dls_dot3(b->spin, b->spin)));
  }
  return rate > 0 ? 1 / rate : 1;
}

/* Initial data, masses and weight of a body: q = (r, lambda d), M = diag(m, J/lambda^2) */
static void set_body(dls_system *sys, dls_multibody *mb, size_t i)
{
  const dls_mechanism *m = &mb->m;
  const size_t at = mb->at[i];
  double mass[12];
  dls_body_start(m, &m->bodies[i], sys->q0 + at, sys->v0 + at);
  dls_body_masses(m, &m->bodies[i], mass);
  for (size_t k = 0; k < dls_body_size(m->bodies[i].kind, m->dim); k++) {
    const double scale = k < m->dim ? 1 : mb->lambda;
    sys->q0[at + k] *= scale;
    sys->v0[at + k] *= scale;
    dls_matrix_set(sys->M, at + k, at + k, mass[k] / (scale * scale));
    mb->load[at + k] = k < m->dim ? mass[k] * m->gravity[k] : 0;
  }
}

static void set_numbers(dls_system *sys, dls_multibody *mb)
{
  const dls_mechanism *m = &mb->m;
  sys->length = m->length > 0 ? m->length : extent_of(m);
  sys->time = m->time > 0 ? m->time : time_of(m, sys->length);
  mb->lambda = dls_director_length(sys->length);
  for (size_t i = 0; i < m->body_count; i++) {
    set_body(sys, mb, i);
  }
  for (size_t j = 0; j < m->touch_count; j++) {
    sys->e[j] = m->touches[j].restitution;
    sys->mu[j] = m->touches[j].friction;
  }
}

/* phi = speed t + amplitude sin(frequency t), and cos(phi), whose frequency is at most the largest |phi'|. */
static void declare_drive(dls_system *sys, const dls_joint *drive)
{
  if (drive != NULL) {
    const double swing = drive->amplitude * drive->frequency;
    dls_system_declare_harmonic(sys, drive->amplitude, drive->frequency);
    dls_system_declare_harmonic(sys, 1, fabs(drive->speed) + fabs(swing));
  }
}

static void set_joints(dls_system *sys, dls_multibody *mb)
{
  bool curved = false, driven = false;
  for (size_t i = 0; i < mb->equation_count; i++) {
    driven = driven || mb->equations[i].drive != NULL;
    declare_drive(sys, mb->equations[i].drive);
    curved = curved || mb->equations[i].drive != NULL || mb->equations[i].U->count > 0;
  }
  sys->r = mb->equation_count;
  sys->G = gradient_storage(mb);
  sys->joint = dls_joint_equations;
  sys->joint_name = dls_equation_name;
  sys->joint_rate = driven ? dls_joint_rates : NULL;
  if (curved) {
    sys->geometric = geometric_storage(mb);
    sys->joint_gradient = dls_joint_gradients;
    sys->joint_curvature = dls_joint_curvatures;
    sys->joint_stiffness = dls_joint_geometric;
    sys->joints_quadratic = !driven;
  }
  for (size_t j = 0; j < mb->equation_count && sys->G != NULL; j++) {
    dls_equation_places(&mb->equations[j], sys->G, j);
  }
  if (sys->G != NULL) {
    dls_joint_gradients(sys, 0, sys->q0, sys->G);
  }
}

static bool has_faces(const dls_multibody *mb)
{
  bool any = false;
  for (size_t j = 0; j < mb->m.touch_count; j++) {
    any = any || mb->touches[j].edge_count > 0;
  }
  return any;
}

/* @return false if out of memory */
static bool set_touches(dls_system *sys, dls_multibody *mb)
{
  bool friction = false;
  for (size_t j = 0; j < sys->m; j++) {
    friction = friction || sys->mu[j] > 0;
  }
  dls_touches_make(mb, sys->q0);
  sys->H = touch_storage(mb, 1, false);
  sys->gap = dls_touch_gaps;
  sys->gradient = dls_touch_gradients;
  sys->curvature = dls_touch_curvatures;
  sys->contact_name = dls_touch_name;
  sys->contact_bodies = dls_touch_bodies;
  sys->smallest_body = dls_smallest_body(&mb->m);
  if (sys->H != NULL) {
    dls_touch_gradients(sys, sys->q0, sys->H);
  }
  if (friction) {
    sys->d = mb->m.dim;
    sys->T = touch_storage(mb, mb->m.dim - 1, true);
    sys->tangents = dls_touch_tangents;
    sys->slip_curvature = dls_touch_slips;
  }
  if (sys->T != NULL) {
    dls_touch_tangents(sys, 0, sys->q0, sys->T);
  }
  const bool made = dls_faces_make(mb);
  sys->outside_face = has_faces(mb) ? dls_face_outside : NULL;
  return made;
}

static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const dls_multibody *mb = sys->data;
  const size_t dim = mb->m.dim;
  (void)t, (void)v;
  memset(p, 0, sys->momenta * sizeof *p);
  for (size_t i = 0; i < mb->m.body_count; i++) {
    const size_t at = mb->at[i], size = dls_body_size(mb->m.bodies[i].kind, dim);
    dls_momentum_point(dim, q + at, Mv + at, p);
    for (size_t k = at + dim; k < at + size; k += dim) {
      dls_momentum_turn(dim, q + k, Mv + k, p + dim); /* lambda d with J/lambda^2: J d x d' */
    }
  }
}

static void set_forces(dls_system *sys, const dls_multibody *mb)
{
  bool damped = false;
  for (size_t i = 0; i < mb->m.spring_count; i++) {
    damped = damped || mb->m.springs[i].damping > 0;
  }
  sys->force = dls_spring_forces;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = dls_mechanism_potential;
  sys->momenta = mb->m.dim == 2 ? 3 : 6;
  sys->momentum = momentum;
  if (mb->m.spring_count > 0) {
    sys->K = spring_storage(mb);
    sys->stiffness = dls_spring_stiffness;
  }
  if (damped) {
    sys->C = spring_storage(mb);
    sys->damping = dls_spring_damping;
  }
}

/* Are all arrays that the callbacks use present? */
static bool complete(const dls_system *sys)
{
  return sys->M != NULL && (sys->r == 0 || sys->G != NULL) &&
         (sys->joint_stiffness == NULL || sys->geometric != NULL) && (sys->m == 0 || sys->H != NULL) &&
         (sys->tangents == NULL || sys->T != NULL) && (sys->stiffness == NULL || sys->K != NULL) &&
         (sys->damping == NULL || sys->C != NULL);
}

static dls_status fill(dls_system *sys, dls_multibody *mb, dls_error *err)
{
  bool made = true;
  sys->data = mb;
  sys->release = release;
  sys->coordinate = coordinate;
  sys->M = dls_matrix_diagonal(sys->n);
  if (sys->M != NULL) {
    set_numbers(sys, mb);
    dls_equations_make(mb);
    make_springs(mb);
    set_forces(sys, mb);
    if (mb->equation_count > 0) {
      set_joints(sys, mb);
    }
    if (sys->m > 0) {
      made = set_touches(sys, mb);
    }
  }
  return complete(sys) && made
             ? DLS_OK
             : dls_fail(err, DLS_ERR_MEMORY, "no memory for a mechanism of %zu bodies", mb->m.body_count);
}

dls_status dls_mechanism_system(const dls_mechanism *m, dls_system **out, dls_error *err)
{
  *out = NULL;
  dls_status status = check(m, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_multibody *mb = copy_parts(m);
  dls_system *sys = mb != NULL ? dls_system_create(mb->n, m->touch_count) : NULL;
  if (sys == NULL) {
    destroy(mb);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a mechanism of %zu bodies", m->body_count);
  }
  *out = sys;
  return fill(sys, mb, err);
}
