/* touches.c -- contacts of spheres and corners with planes, faces and spheres: gaps, slips, and their rates. See mechanism.h.
 *   u_T = t . (velocity of A's material at the point of contact - that of B's)
 * Normal and tangents rotate with the bodies. Every vector here carries its rate, so curvature terms are consistent with
 * the gradients by construction.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

static const dls_moving_scalar one = {1, 0};

static void make_normal(dls_multibody *mb, const dls_touch *touch, dls_compiled_touch *out)
{
  double n[3] = {touch->normal[0], touch->normal[1], touch->normal[2]};
  const bool pair = touch->kind == DLS_TOUCH_PAIR;
  out->offset = touch->radius + (pair ? touch->radius_b : 0);
  if (!pair) {
    dls_affine *N = dls_affine_new(mb);
    const double size = sqrt(dls_dot3(n, n));
    dls_unit(n);
    dls_affine_add_vector(N, mb, touch->kind == DLS_TOUCH_FACE ? touch->b.body : DLS_GROUND, n);
    out->N = N;
    out->offset += touch->kind == DLS_TOUCH_PLANE ? touch->offset / size : 0;
  }
}

static dls_moving normal_of(const dls_multibody *mb, const dls_compiled_touch *c, const dls_moving *A,
                            const double *q, const double *v)
{
  if (c->N != NULL) {
    return dls_affine_at(c->N, mb->m.dim, q, v);
  }
  return dls_moving_scaled(dls_moving_quotient(one, dls_moving_length(A)), A);
}

void dls_touches_make(dls_multibody *mb, const double *q0)
{
  for (size_t j = 0; j < mb->m.touch_count; j++) {
    const dls_touch *touch = &mb->m.touches[j];
    dls_compiled_touch *out = &mb->touches[j];
    dls_affine *A = dls_affine_new(mb);
    dls_affine_add_point(A, mb, touch->a.body, touch->a.at, 1);
    if (touch->kind != DLS_TOUCH_PLANE) {
      dls_affine_add_point(A, mb, touch->b.body, touch->b.at, -1);
    }
    *out = (dls_compiled_touch){.touch = touch, .A = A};
    make_normal(mb, touch, out);
    const dls_moving start = dls_affine_at(A, mb->m.dim, q0, NULL);
    const dls_moving n = normal_of(mb, out, &start, q0, NULL);
    memcpy(out->n0, n.x, sizeof out->n0);
    if (mb->m.dim == 3) {
      dls_across(out->n0, out->t0[0], out->t0[1]);
    }
  }
}

double dls_touch_gap(const dls_multibody *mb, size_t j, const double *q)
{
  const dls_compiled_touch *c = &mb->touches[j];
  const dls_moving A = dls_affine_at(c->A, mb->m.dim, q, NULL);
  if (c->N == NULL) {
    return dls_moving_length(&A).x - c->offset;
  }
  const dls_moving N = dls_affine_at(c->N, mb->m.dim, q, NULL);
  return dls_dot3(N.x, A.x) - c->offset;
}

void dls_touch_gaps(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    g[j] = dls_touch_gap(sys->data, j, q);
  }
}

/* Column j of H with its rate. */
static dls_row normal_row(const dls_multibody *mb, size_t j, const double *q, const double *v)
{
  const dls_compiled_touch *c = &mb->touches[j];
  const dls_moving A = dls_affine_at(c->A, mb->m.dim, q, v), n = normal_of(mb, c, &A, q, v);
  dls_row row = {0};
  dls_row_add_affine(&row, mb->m.dim, c->A, one, &n);
  if (c->N != NULL) {
    dls_row_add_affine(&row, mb->m.dim, c->N, one, &A);
  }
  return row;
}

void dls_touch_gradients(const dls_system *sys, const double *q, dls_matrix *H)
{
  const dls_multibody *mb = sys->data;
  for (size_t j = 0; j < sys->m; j++) {
    const dls_row row = normal_row(mb, j, q, NULL);
    dls_row_write(&row, mb->m.dim, H, j);
  }
}

void dls_touch_curvatures(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    const dls_row row = normal_row(mb, j, q, v);
    c[j] = dls_row_drift(&row, mb->m.dim, v);
  }
}

/* --- friction --- */

/* Tangent k. Plane: the normal rotated by -90 degrees. Space: the initial tangent, transported by the smallest rotation
 * from n_0 to n, t = t_0 - (n . t_0) / (1 + n . n_0) (n + n_0), which fails where n = -n_0 only. */
static dls_moving tangent_of(const dls_multibody *mb, const dls_compiled_touch *c, const dls_moving *n,
                             size_t k)
{
  if (mb->m.dim == 2) {
    return dls_moving_turned(n);
  }
  dls_moving t0 = {{0}, {0}}, n0 = t0;
  memcpy(t0.x, c->t0[k], sizeof t0.x);
  memcpy(n0.x, c->n0, sizeof n0.x);
  dls_moving_scalar cosine = dls_moving_dot(n, &n0);
  cosine.x += 1;
  if (!(cosine.x > 0)) {
    return t0;
  }
  const dls_moving sum = dls_moving_sum(n, 1, &n0);
  const dls_moving shift = dls_moving_scaled(dls_moving_quotient(dls_moving_dot(n, &t0), cosine), &sum);
  return dls_moving_sum(&t0, -1, &shift);
}

/* Vector k of a body, d_k, in the plane d and d^perp. */
static dls_moving axis_of(const dls_multibody *mb, size_t body, size_t k, const double *q, const double *v)
{
  dls_affine d = {0};
  const double X[3] = {k == 0, k == 1, k == 2};
  dls_affine_add_vector(&d, mb, body, X);
  return dls_affine_at(&d, mb->m.dim, q, v);
}

/* row += t as a force on the material point of a body at its centre of mass + s; `point`: on the point `at` of a rod,
 * which has no thickness, or of a point mass, which does not rotate. */
static void add_material(dls_row *row, const dls_multibody *mb, const dls_end *end, const dls_moving *s,
                         const dls_moving *t, double sign, const double *q, const double *v)
{
  const size_t dim = mb->m.dim;
  if (end->body == DLS_GROUND) {
    return;
  }
  const size_t at = mb->at[end->body];
  const dls_body_kind kind = mb->m.bodies[end->body].kind;
  dls_row_add(row, at, (dls_moving_scalar){sign, 0}, t);
  for (size_t k = 0; k < dls_body_axes(kind, dim); k++) {
    const dls_moving d = axis_of(mb, end->body, k, q, v);
    dls_moving_scalar X = kind == DLS_BODY_ROD ? (dls_moving_scalar){end->at[0], 0} : dls_moving_dot(&d, s);
    X = (dls_moving_scalar){sign * X.x / mb->lambda, sign * X.dx / mb->lambda}; /* on lambda d */
    const dls_moving turned = dim == 2 && k == 1 ? dls_moving_turned(t) : *t;
    dls_row_add(row, dim == 2 ? at + 2 : at + 3 * (k + 1), X, &turned);
  }
}

/* From the centre of mass of a body to its point `at`. */
static dls_moving arm_of(const dls_multibody *mb, const dls_end *end, const double *q, const double *v)
{
  dls_affine s = {0};
  if (end->body != DLS_GROUND) {
    dls_affine_add_vector(&s, mb, end->body, end->at);
  }
  return dls_affine_at(&s, mb->m.dim, q, v);
}

/* Column (d - 1) j + k of T with its rate. */
static dls_row tangent_row(const dls_multibody *mb, size_t j, size_t k, const double *q, const double *v)
{
  const dls_compiled_touch *c = &mb->touches[j];
  const dls_touch *touch = c->touch;
  const dls_moving A = dls_affine_at(c->A, mb->m.dim, q, v), n = normal_of(mb, c, &A, q, v);
  const dls_moving t = tangent_of(mb, c, &n, k);
  dls_moving s = arm_of(mb, &touch->a, q, v);
  dls_row row = {0};
  s = dls_moving_sum(&s, -touch->radius, &n);
  add_material(&row, mb, &touch->a, &s, &t, 1, q, v);
  if (touch->kind != DLS_TOUCH_PLANE) {
    s = arm_of(mb, &touch->b, q, v);
    s = touch->kind == DLS_TOUCH_FACE ? dls_moving_sum(&s, 1, &A) : s;
    s = dls_moving_sum(&s, touch->kind == DLS_TOUCH_FACE ? -touch->radius : touch->radius_b, &n);
    add_material(&row, mb, &touch->b, &s, &t, -1, q, v);
  }
  return row;
}

void dls_touch_tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  for (size_t i = 0; i < (sys->d - 1) * sys->m; i++) {
    const dls_row row = tangent_row(mb, i / (sys->d - 1), i % (sys->d - 1), q, NULL);
    dls_row_write(&row, mb->m.dim, T, i);
  }
}

void dls_touch_slips(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  const dls_multibody *mb = sys->data;
  (void)t;
  for (size_t i = 0; i < (sys->d - 1) * sys->m; i++) {
    const dls_row row = tangent_row(mb, i / (sys->d - 1), i % (sys->d - 1), q, v);
    c[i] = dls_row_drift(&row, mb->m.dim, v);
  }
}

void dls_touch_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  const dls_multibody *mb = sys->data;
  snprintf(text, size, "contact %zu (%s)", alpha, mb->m.touches[alpha].name);
}
