/* frames.c -- bodies in natural coordinates: initial values, masses, points. See mechanism.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <string.h>

const char *const dls_body_kind_names[DLS_BODY_KINDS] = {
    [DLS_BODY_RIGID] = "rigid", [DLS_BODY_ROD] = "rod", [DLS_BODY_POINT] = "point"};

size_t dls_body_axes(dls_body_kind kind, size_t dim)
{
  return kind == DLS_BODY_RIGID ? dim : kind == DLS_BODY_ROD ? 1 : 0;
}

size_t dls_body_size(dls_body_kind kind, size_t dim)
{
  const size_t planar = kind == DLS_BODY_RIGID ? 1 : 0; /* d^perp is not a coordinate */
  return dim * (1 + (dim == 2 ? planar : dls_body_axes(kind, dim)));
}

/* In systems much larger or smaller than 1 m, directors are scaled to the system's size, like positions, because
 * tolerances refer to one length. The factor is a power of two, which is exact. */
double dls_director_length(double length)
{
  static const double ordinary = 8;
  return length > ordinary || length < 1 / ordinary ? exp2(round(log2(length))) : 1;
}

static void cross(const double a[3], const double b[3], double c[3])
{
  for (int i = 0; i < 3; i++) {
    c[i] = a[(i + 1) % 3] * b[(i + 2) % 3] - a[(i + 2) % 3] * b[(i + 1) % 3];
  }
}

bool dls_unit(double x[3])
{
  const double length = sqrt(dls_dot3(x, x));
  for (int i = 0; i < 3; i++) {
    x[i] /= length;
  }
  return length > 0 && isfinite(length);
}

void dls_across(const double a[3], double b[3], double c[3])
{
  const int k = fabs(a[0]) < 0.9 ? 0 : 1; /* an axis not parallel to a */
  for (int i = 0; i < 3; i++) {
    b[i] = (i == k) - a[k] * a[i];
  }
  dls_unit(b);
  cross(a, b, c);
}

/* d = R(angle) e, R of a rotation vector: Rodrigues' formula */
static void rotate(const double angle[3], const double e[3], double d[3])
{
  double axis[3] = {angle[0], angle[1], angle[2]}, across[3];
  const double size = sqrt(dls_dot3(angle, angle));
  if (!dls_unit(axis)) {
    memcpy(d, e, 3 * sizeof *d);
    return;
  }
  cross(axis, e, across);
  for (int i = 0; i < 3; i++) {
    d[i] = cos(size) * e[i] + sin(size) * across[i] + (1 - cos(size)) * dls_dot3(axis, e) * axis[i];
  }
}

/* Director i at the start. */
static void director(const dls_mechanism *m, const dls_body *body, size_t i, double d[3])
{
  const double e[3] = {i == 0, i == 1, i == 2};
  if (m->dim == 2) {
    const double c = cos(body->angle[0]), s = sin(body->angle[0]);
    d[0] = i == 0 ? c : -s;
    d[1] = i == 0 ? s : c;
    d[2] = 0;
  } else if (body->kind == DLS_BODY_ROD) {
    memcpy(d, body->angle, 3 * sizeof *d);
    dls_unit(d);
  } else {
    rotate(body->angle, e, d);
  }
}

void dls_body_start(const dls_mechanism *m, const dls_body *body, double *q, double *v)
{
  const size_t dim = m->dim, blocks = dls_body_size(body->kind, dim) / dim;
  const double planar[3] = {0, 0, body->spin[0]}, *spin = dim == 2 ? planar : body->spin;
  memcpy(q, body->at, dim * sizeof *q);
  memcpy(v, body->velocity, dim * sizeof *v);
  for (size_t i = 1; i < blocks; i++) {
    double d[3], rate[3];
    director(m, body, i - 1, d);
    cross(spin, d, rate); /* d' = omega x d */
    memcpy(q + dim * i, d, dim * sizeof *q);
    memcpy(v + dim * i, rate, dim * sizeof *v);
  }
}

void dls_body_masses(const dls_mechanism *m, const dls_body *body, double *mass)
{
  const size_t dim = m->dim, size = dls_body_size(body->kind, dim);
  const double *J = body->inertia;
  for (size_t i = 0; i < size; i++) {
    const size_t block = i / dim;
    const bool solid = dim == 3 && body->kind == DLS_BODY_RIGID && block > 0;
    const double E = solid ? (J[0] + J[1] + J[2]) / 2 - J[block - 1] : J[0];
    mass[i] = block == 0 ? body->mass : E;
  }
}

void dls_body_components(const dls_mechanism *m, const dls_body *body, const double w[3], double X[3])
{
  const size_t axes = dls_body_axes(body->kind, m->dim);
  for (size_t i = 0; i < 3; i++) {
    double d[3];
    director(m, body, i, d);
    X[i] = i < axes ? dls_dot3(d, w) : 0;
  }
}

void dls_mechanism_vector(const dls_mechanism *m, size_t body, const double X[3], double w[3])
{
  if (body == DLS_GROUND) {
    memcpy(w, X, 3 * sizeof *w);
    return;
  }
  w[0] = w[1] = w[2] = 0;
  for (size_t i = 0; i < dls_body_axes(m->bodies[body].kind, m->dim); i++) {
    double d[3];
    director(m, &m->bodies[body], i, d);
    for (int k = 0; k < 3; k++) {
      w[k] += X[i] * d[k];
    }
  }
}

void dls_mechanism_place(const dls_mechanism *m, const dls_end *end, double p[3])
{
  dls_mechanism_vector(m, end->body, end->at, p);
  for (int k = 0; k < 3 && end->body != DLS_GROUND; k++) {
    p[k] += m->bodies[end->body].at[k];
  }
}

void dls_affine_add_vector(dls_affine *A, const dls_multibody *mb, size_t body, const double X[3])
{
  if (body == DLS_GROUND) {
    for (int i = 0; i < 3; i++) {
      A->c[i] += X[i];
    }
    return;
  }
  const size_t dim = mb->m.dim, at = mb->at[body];
  const size_t axes = dls_body_axes(mb->m.bodies[body].kind, dim);
  if (dim == 2 && axes > 0) {
    dls_affine_add(A, at + 2, X[0] / mb->lambda, X[1] / mb->lambda); /* xi d + eta d^perp */
  }
  for (size_t i = 0; dim == 3 && i < axes; i++) {
    dls_affine_add(A, at + 3 * (i + 1), X[i] / mb->lambda, 0);
  }
}

void dls_affine_add_point(dls_affine *A, const dls_multibody *mb, size_t body, const double X[3], double factor)
{
  dls_affine p = {0};
  if (body != DLS_GROUND) {
    dls_affine_add(&p, mb->at[body], -factor, 0);
  }
  const double scaled[3] = {-factor * X[0], -factor * X[1], -factor * X[2]};
  dls_affine_add_vector(&p, mb, body, scaled);
  dls_affine_subtract(A, &p);
}
