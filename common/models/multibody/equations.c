/* equations.c -- joints and unit directors as products of affine vectors: Phi = scale A . U - c. See mechanism.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

const char *const dls_joint_kind_names[DLS_JOINT_KINDS] = {
    [DLS_JOINT_REVOLUTE] = "revolute",   [DLS_JOINT_SPHERICAL] = "spherical",
    [DLS_JOINT_PRISMATIC] = "prismatic", [DLS_JOINT_CYLINDRICAL] = "cylindrical",
    [DLS_JOINT_DISTANCE] = "distance",   [DLS_JOINT_DRIVEN] = "driven"};

/* x, y, z of space. */
static const dls_affine space_axes[3] = {{.c = {1, 0, 0}}, {.c = {0, 1, 0}}, {.c = {0, 0, 1}}};

/* --- construction --- */

static dls_equation *add(dls_multibody *mb, const char *owner, const char *part, const dls_affine *A,
                         const dls_affine *U)
{
  dls_equation *e = &mb->equations[mb->equation_count++];
  *e = (dls_equation){.A = A, .U = U, .scale = 1, .owner = owner, .part = part};
  return e;
}

/* lambda A . U = 0 of two directors */
static dls_equation *add_angle(dls_multibody *mb, const char *owner, const char *part, const dls_affine *A,
                               const dls_affine *U)
{
  dls_equation *e = add(mb, owner, part, A, U);
  e->scale = mb->lambda;
  return e;
}

/* (A . A - l^2)/(2 l) = 0; of a director, l = 1, times lambda */
static void add_length(dls_multibody *mb, const char *owner, const char *part, const dls_affine *A, double l,
                       double factor)
{
  dls_equation *e = add(mb, owner, part, A, A);
  e->scale = 0.5 * factor / l;
  e->c = 0.5 * factor * l;
}

static void add_body(dls_multibody *mb, size_t body)
{
  static const char *const units[] = {"unit d1", "unit d2", "unit d3"};
  static const char *const across[] = {"d1 across d2", "d2 across d3", "d3 across d1"};
  const dls_body *b = &mb->m.bodies[body];
  const size_t vectors = dls_body_size(b->kind, mb->m.dim) / mb->m.dim - 1;
  const dls_affine *d[3] = {NULL};
  for (size_t i = 0; i < vectors; i++) {
    dls_affine *director = dls_affine_new(mb);
    dls_affine_add(director, mb->at[body] + mb->m.dim * (i + 1), 1 / mb->lambda, 0);
    add_length(mb, b->name, vectors == 1 ? "unit director" : units[i], director, 1, mb->lambda);
    d[i] = director;
  }
  for (size_t i = 0; i < 3 && vectors == 3; i++) {
    add_angle(mb, b->name, across[i], d[i], d[(i + 1) % 3]);
  }
}

/* A vector fixed in a body, given in space at the start. */
static const dls_affine *carried(dls_multibody *mb, size_t body, const double w[3])
{
  dls_affine *A = dls_affine_new(mb);
  double X[3] = {w[0], w[1], w[2]};
  if (body != DLS_GROUND) {
    dls_body_components(&mb->m, &mb->m.bodies[body], w, X);
  }
  dls_affine_add_vector(A, mb, body, X);
  return A;
}

/* p_A - p_B */
static const dls_affine *distance(dls_multibody *mb, const dls_end *a, const dls_end *b)
{
  dls_affine *A = dls_affine_new(mb);
  dls_affine_add_point(A, mb, a->body, a->at, 1);
  dls_affine_add_point(A, mb, b->body, b->at, -1);
  return A;
}

static void add_point(dls_multibody *mb, const dls_joint *j)
{
  static const char *const names[] = {"x", "y", "z"};
  const dls_affine *gap = distance(mb, &j->a, &j->b);
  for (size_t i = 0; i < mb->m.dim; i++) {
    add(mb, j->name, names[i], gap, &space_axes[i]);
  }
}

/* Unit vectors of a joint at the start: along its axis and perpendicular; in the plane n is perpendicular and k along z. */
typedef struct joint_axes {
  double e[3], n[3], k[3];
} joint_axes;

static joint_axes axes_of(const dls_mechanism *m, const dls_joint *j)
{
  joint_axes axes = {{j->axis[0], j->axis[1], j->axis[2]}, {0}, {0}};
  dls_unit(axes.e);
  if (m->dim == 2) {
    axes.n[0] = -axes.e[1];
    axes.n[1] = axes.e[0];
  } else {
    dls_across(axes.e, axes.n, axes.k);
  }
  return axes;
}

static void add_revolute(dls_multibody *mb, const dls_joint *j)
{
  add_point(mb, j);
  if (mb->m.dim == 3) {
    const joint_axes axes = axes_of(&mb->m, j);
    const dls_affine *a = carried(mb, j->a.body, axes.e);
    add_angle(mb, j->name, "axis 1", a, carried(mb, j->b.body, axes.n));
    add_angle(mb, j->name, "axis 2", a, carried(mb, j->b.body, axes.k));
  }
}

/* B slides along e: no motion perpendicular to e, no rotation of e. */
static void add_sliding(dls_multibody *mb, const dls_joint *j)
{
  static const char *const sides[] = {"across 1", "across 2"}, *const tilts[] = {"tilt 1", "tilt 2"};
  const joint_axes axes = axes_of(&mb->m, j);
  const dls_affine *gap = distance(mb, &j->b, &j->a), *e = carried(mb, j->b.body, axes.e);
  for (size_t i = 0; i + 1 < mb->m.dim; i++) {
    const dls_affine *n = carried(mb, j->a.body, i == 0 ? axes.n : axes.k);
    add(mb, j->name, sides[i], gap, n);
    add_angle(mb, j->name, tilts[i], e, n);
  }
  if (mb->m.dim == 3 && j->kind == DLS_JOINT_PRISMATIC) {
    add_angle(mb, j->name, "turn", carried(mb, j->b.body, axes.k), carried(mb, j->a.body, axes.n));
  }
}

static void add_driven(dls_multibody *mb, const dls_joint *j)
{
  const joint_axes axes = axes_of(&mb->m, j);
  const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  const double *first = mb->m.dim == 2 ? x : axes.n, *second = mb->m.dim == 2 ? y : axes.k;
  dls_equation *e =
      add_angle(mb, j->name, "angle", carried(mb, j->b.body, first), carried(mb, j->a.body, first));
  e->V = carried(mb, j->a.body, second);
  e->drive = j;
}

static void add_distance(dls_multibody *mb, const dls_joint *j)
{
  double a[3], b[3], s[3];
  dls_mechanism_place(&mb->m, &j->a, a);
  dls_mechanism_place(&mb->m, &j->b, b);
  for (int i = 0; i < 3; i++) {
    s[i] = a[i] - b[i];
  }
  const double length = j->length > 0 ? j->length : sqrt(dls_dot3(s, s));
  add_length(mb, j->name, "length", distance(mb, &j->a, &j->b), length, 1);
}

static void (*const adders[DLS_JOINT_KINDS])(dls_multibody *mb, const dls_joint *j) = {
    [DLS_JOINT_REVOLUTE] = add_revolute, [DLS_JOINT_SPHERICAL] = add_point,
    [DLS_JOINT_PRISMATIC] = add_sliding, [DLS_JOINT_CYLINDRICAL] = add_sliding,
    [DLS_JOINT_DISTANCE] = add_distance, [DLS_JOINT_DRIVEN] = add_driven};

size_t dls_equations_most(const dls_mechanism *m)
{
  return 6 * m->body_count + 5 * m->joint_count;
}

void dls_equations_make(dls_multibody *mb)
{
  for (size_t i = 0; i < mb->m.body_count; i++) {
    add_body(mb, i);
  }
  for (size_t i = 0; i < mb->m.joint_count; i++) {
    adders[mb->m.joints[i].kind](mb, &mb->m.joints[i]);
  }
}

/* --- values --- */

/* An equation is a sum of up to two products A . B, each times a factor of t, given with its first two derivatives. */
typedef struct product {
  const dls_affine *B;
  double f[3];
} product;

static size_t driven_products(const dls_equation *e, double t, product out[2])
{
  const dls_joint *j = e->drive;
  const double w = j->frequency, phi = j->speed * t + j->amplitude * sin(w * t);
  const double rate = j->speed + j->amplitude * w * cos(w * t), second = -j->amplitude * w * w * sin(w * t);
  const double c = e->scale * cos(phi), s = e->scale * sin(phi);
  out[0] = (product){e->V, {c, -s * rate, -s * second - c * rate * rate}};
  out[1] = (product){e->U, {-s, -c * rate, -c * second + s * rate * rate}};
  return 2;
}

static inline size_t products_of(const dls_equation *e, double t, product out[2])
{
  out[0] = (product){e->U, {e->scale, 0, 0}};
  return e->V == NULL ? 1 : driven_products(e, t, out);
}

/* x += A' y: the operations of dls_affine_at. */
static inline void add_linear_part(const dls_affine *A, size_t dim, const double *q, double x[3])
{
  for (size_t k = 0; k < A->count; k++) {
    const dls_affine_term *term = &A->terms[k];
    const double *y = q + term->at;
    x[0] += term->a * y[0];
    x[1] += term->a * y[1];
    if (dim == 3) {
      x[2] += term->a * y[2];
    } else {
      x[0] -= term->b * y[1];
      x[1] += term->b * y[0];
    }
  }
}

/* x := A at q, without rates */
static inline void value_of(const dls_affine *A, size_t dim, const double *q, double x[3])
{
  x[0] = A->c[0], x[1] = A->c[1], x[2] = A->c[2];
  add_linear_part(A, dim, q, x);
}

/* sum f A . B at q, or with a time derivative of f of this order */
static double sum_at(const dls_multibody *mb, const dls_equation *e, double t, const double *q, int order)
{
  product terms[2];
  double sum = 0, A[3], B[3];
  value_of(e->A, mb->m.dim, q, A);
  for (size_t k = products_of(e, t, terms); k-- > 0;) {
    value_of(terms[k].B, mb->m.dim, q, B);
    sum += terms[k].f[order] * dls_dot3(A, B);
  }
  return sum;
}

void dls_joint_equations(const dls_system *sys, double t, const double *q, double *phi)
{
  const dls_multibody *mb = sys->data;
  for (size_t i = 0; i < mb->equation_count; i++) {
    phi[i] = sum_at(mb, &mb->equations[i], t, q, 0) - mb->equations[i].c;
  }
}

void dls_joint_rates(const dls_system *sys, double t, const double *q, double *phi_t)
{
  const dls_multibody *mb = sys->data;
  for (size_t i = 0; i < mb->equation_count; i++) {
    phi_t[i] = sum_at(mb, &mb->equations[i], t, q, 1);
  }
}

/* Column i of G with its rate. @param[out] drift  d(dPhi/dt)/dt at fixed gradient: that of the partial derivative, or NULL */
static dls_row row_of(const dls_multibody *mb, const dls_equation *e, double t, const double *q,
                      const double *v, double *drift)
{
  dls_row row = {0};
  product terms[2];
  const size_t count = products_of(e, t, terms), dim = mb->m.dim;
  const dls_moving A = dls_affine_at(e->A, dim, q, v);
  double rate = 0;
  for (size_t k = 0; k < count; k++) {
    const dls_moving B = dls_affine_at(terms[k].B, dim, q, v);
    const dls_moving_scalar f = {terms[k].f[0], terms[k].f[1]}, AB = dls_moving_dot(&A, &B);
    dls_row_add_affine(&row, dim, e->A, f, &B);
    dls_row_add_affine(&row, dim, terms[k].B, f, &A);
    rate += AB.dx * terms[k].f[1] + AB.x * terms[k].f[2];
  }
  if (drift != NULL) {
    *drift = rate;
  }
  return row;
}

/* column += scale A'^T f, block by block at its place in the column */
static inline void add_values(double *column, const unsigned char *place, size_t dim, const dls_affine *A,
                              double scale, const double f[3])
{
  for (size_t k = 0; k < A->count; k++) {
    const dls_affine_term *term = &A->terms[k];
    double *x = column + place[k];
    if (dim == 2) {
      x[0] += scale * (term->a * f[0] + term->b * f[1]); /* (a + b J)^T f */
      x[1] += scale * (term->a * f[1] - term->b * f[0]);
    } else {
      for (size_t i = 0; i < 3; i++) {
        x[i] += scale * (term->a * f[i]);
      }
    }
  }
}

void dls_equation_places(dls_equation *e, const dls_matrix *G, size_t j)
{
  const dls_affine *const factors[3] = {e->A, e->U, e->V};
  for (size_t i = 0; i < 3; i++) {
    for (size_t k = 0; factors[i] != NULL && k < factors[i]->count; k++) {
      const double *place = dls_matrix_place(G, factors[i]->terms[k].at, j);
      e->place[i][k] = (unsigned char)(place - (G->values + dls_matrix_begin(G, j)));
    }
  }
}

void dls_joint_gradients(const dls_system *sys, double t, const double *q, dls_matrix *G)
{
  const dls_multibody *mb = sys->data;
  const size_t dim = mb->m.dim;
  dls_matrix_clear(G);
  for (size_t j = 0; j < mb->equation_count; j++) {
    const dls_equation *e = &mb->equations[j];
    double *column = G->values + dls_matrix_begin(G, j), A[3], B[3];
    product terms[2];
    for (size_t k = products_of(e, t, terms); k-- > 0;) {
      const dls_affine *factor = terms[k].B;
      if (factor->count > 0) {
        value_of(e->A, dim, q, A);
        value_of(factor, dim, q, B);
        add_values(column, e->place[factor == e->U ? 1 : 2], dim, factor, terms[k].f[0], A);
      }
      add_values(column, e->place[0], dim, e->A, terms[k].f[0], factor->count > 0 ? B : factor->c);
    }
  }
}

/* d^2/dt^2 of scale A . U without accelerations; 0 where U is a constant */
static double curvature_of(const dls_equation *e, size_t dim, const double *v)
{
  double A[3] = {0}, U[3] = {0};
  if (e->U->count == 0) {
    return 0;
  }
  add_linear_part(e->A, dim, v, A); /* A' */
  add_linear_part(e->U, dim, v, U);
  return 2 * e->scale * dls_dot3(A, U);
}

void dls_joint_curvatures(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const dls_multibody *mb = sys->data;
  for (size_t i = 0; i < mb->equation_count; i++) {
    const dls_equation *e = &mb->equations[i];
    if (e->V == NULL) {
      c[i] = curvature_of(e, mb->m.dim, v);
      continue;
    }
    double drift = 0;
    const dls_row row = row_of(mb, e, t, q, v, &drift);
    c[i] = dls_row_drift(&row, mb->m.dim, v) + drift;
  }
}

/* K += x A'^T B', whose blocks are x (a_k - b_k J) (a_l + b_l J) */
static void add_stiffness(const dls_affine *A, const dls_affine *B, size_t dim, double x, dls_matrix *K)
{
  for (size_t k = 0; k < A->count; k++) {
    for (size_t l = 0; l < B->count; l++) {
      const dls_affine_term *left = &A->terms[k], *right = &B->terms[l];
      const double own = x * (left->a * right->a + left->b * right->b);
      const double turned = x * (left->a * right->b - left->b * right->a);
      for (size_t j = 0; j < dim; j++) {
        double *column = dls_matrix_place(K, left->at, right->at + j); /* blocks are contiguous */
        column[j] += own;
        if (dim == 2) {
          column[1 - j] += j == 0 ? turned : -turned;
        }
      }
    }
  }
}

/* K = sum mu f (A'^T B' + B'^T A') */
void dls_joint_geometric(const dls_system *sys, double t, const double *q, const double *mu, dls_matrix *K)
{
  const dls_multibody *mb = sys->data;
  (void)q;
  dls_matrix_clear(K);
  for (size_t i = 0; i < mb->equation_count; i++) {
    const dls_equation *e = &mb->equations[i];
    product terms[2];
    for (size_t k = products_of(e, t, terms); k-- > 0;) {
      const double x = mu[i] * terms[k].f[0];
      add_stiffness(e->A, terms[k].B, mb->m.dim, x, K);
      add_stiffness(terms[k].B, e->A, mb->m.dim, x, K);
    }
  }
}

void dls_equation_name(const dls_system *sys, size_t i, char *text, size_t size)
{
  const dls_multibody *mb = sys->data;
  snprintf(text, size, "%s: %s", mb->equations[i].owner, mb->equations[i].part);
}
