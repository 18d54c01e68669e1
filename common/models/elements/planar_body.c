/* planar_body.c -- a rigid body in the vertical plane with corners that touch the floor.
 *   corner o in the frame of the body, turned by the angle: (a, b) = (c o_x - s o_y, s o_x + c o_y)
 *   gap y + b,   n = (0, 1, a),   t = (1, 0, -b)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/planar_body.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdlib.h>

/* Vector from the centre of mass to corner j, in space axes. */
static void corner(const dls_planar_body *body, size_t j, double angle, double *a, double *b)
{
  const double c = cos(angle), s = sin(angle), *o = body->at[j];
  *a = c * o[0] - s * o[1];
  *b = s * o[0] + c * o[1];
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_planar_body *body = sys->data;
  (void)t, (void)q, (void)v;
  F[0] = F[2] = 0;
  F[1] = -body->m * body->gravity;
}

static double potential(const dls_system *sys, const double *q)
{
  const dls_planar_body *body = sys->data;
  return body->m * body->gravity * q[1];
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  double a, b;
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    corner(sys->data, j, q[2], &a, &b);
    g[j] = q[1] + b;
  }
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  double a, b;
  for (size_t j = 0; j < sys->m; j++) {
    corner(sys->data, j, q[2], &a, &b);
    dls_matrix_set(H, 1, j, 1);
    dls_matrix_set(H, 2, j, a);
  }
}

static void tangents(const dls_system *sys, double t, const double *q, dls_matrix *T)
{
  double a, b;
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    corner(sys->data, j, q[2], &a, &b);
    dls_matrix_set(T, 0, j, 1);
    dls_matrix_set(T, 2, j, -b);
  }
}

/* da/dt = -b angle' */
static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  double a, b;
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    corner(sys->data, j, q[2], &a, &b);
    c[j] = -b * v[2] * v[2];
  }
}

/* -db/dt = -a angle' */
static void slip_curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  double a, b;
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    corner(sys->data, j, q[2], &a, &b);
    c[j] = -a * v[2] * v[2];
  }
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  *out = i == 0   ? (dls_coordinate){.name = "x", .unit = "m"}
         : i == 1 ? (dls_coordinate){.name = "height", .unit = "m"}
                  : (dls_coordinate){.name = "angle", .unit = "rad"};
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const dls_planar_body *what, double angle)
{
  *(dls_planar_body *)sys->data = *what;
  dls_matrix_set(sys->M, 0, 0, what->m);
  dls_matrix_set(sys->M, 1, 1, what->m);
  dls_matrix_set(sys->M, 2, 2, what->J);
  sys->q0[2] = angle;
  for (size_t j = 0; j < sys->m; j++) {
    double a, b;
    corner(what, j, angle, &a, &b);
    sys->q0[1] = fmax(sys->q0[1], -b); /* the lowest corner on the floor */
    sys->mu[j] = what->mu;
  }
  sys->length = what->size;
  sys->time = sqrt(what->size / what->gravity);
}

static void set_calls(dls_system *sys)
{
  sys->d = 2;
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = potential;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->tangents = tangents;
  sys->curvature = curvature;
  sys->slip_curvature = slip_curvature;
  sys->coordinate = coordinate;
  sys->momenta = 3;
  sys->momentum = dls_momentum_bodies;
  sys->release = release;
}

dls_status dls_planar_body_create(const char *name, const dls_planar_body *what, double angle, dls_system **out,
                                  dls_error *err)
{
  dls_system *sys = *out = dls_system_create(3, what->corners);
  if (sys != NULL) {
    set_calls(sys);
    sys->data = malloc(sizeof *what);
    sys->M = dls_matrix_diagonal(3);
    sys->H = dls_matrix_dense(3, what->corners);
    sys->T = dls_matrix_dense(3, what->corners);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL || sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", name);
  }
  fill(sys, what, angle);
  dls_system_gradient(sys, sys->q0, sys->H);
  dls_system_tangents(sys, 0, sys->q0, sys->T);
  return DLS_OK;
}
