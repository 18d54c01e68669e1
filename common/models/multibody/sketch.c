/* sketch.c -- drawing of a mechanism: bodies through the points in the description, or boxes of the same inertia where
 * those are too few; springs; walls. Space is drawn in parallel projection from the side and above; up is against gravity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <string.h>

enum { POINTS_MOST = 16 }; /* limit of points drawn of a body */

typedef struct artist {
  const dls_multibody *mb;
  const double *q;
  dls_sketch *out;
  double length;          /* of the mechanism */
  double right[3], up[3]; /* of the picture, in space */
} artist;

static void set_view(artist *a)
{
  static const double azimuth = -1.047197551196598, height = 0.45; /* rad: -60 and about 26 degrees */
  const double *g = a->mb->m.gravity;
  int k = 2;
  if (a->mb->m.dim == 2) {
    a->right[0] = a->up[1] = 1;
    return;
  }
  for (int i = 0; i < 2; i++) {
    k = fabs(g[i]) > fabs(g[k]) ? i : k;
  }
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const double sense = g[k] > 0 ? -1 : 1;
  a->right[i] = -sin(azimuth);
  a->right[j] = cos(azimuth);
  a->up[i] = -sin(height) * cos(azimuth);
  a->up[j] = -sin(height) * sin(azimuth);
  a->up[k] = sense * cos(height);
}

static void draw(const artist *a, dls_shape_kind kind, const double p[3], const double r[3])
{
  dls_sketch_between(a->out, kind, dls_dot3(a->right, p), dls_dot3(a->up, p), dls_dot3(a->right, r),
                     dls_dot3(a->up, r));
}

static void draw_ball(const artist *a, const double p[3], double radius)
{
  dls_sketch_ball(a->out, dls_dot3(a->right, p), dls_dot3(a->up, p), radius);
}

/* Point X of a body, or of the ground, at q. */
static void place(const artist *a, size_t body, const double X[3], double p[3])
{
  dls_affine A = {0};
  dls_affine_add_point(&A, a->mb, body, X, 1);
  memcpy(p, dls_affine_at(&A, a->mb->m.dim, a->q, NULL).x, 3 * sizeof *p);
}

static void draw_link(const artist *a, dls_shape_kind kind, const dls_end *from, const dls_end *to)
{
  double p[3], r[3];
  place(a, from->body, from->at, p);
  place(a, to->body, to->at, r);
  draw(a, kind, p, r);
}

/* --- bodies --- */

typedef struct body_points {
  size_t count;
  double X[POINTS_MOST][3];
} body_points;

static void add_end(body_points *o, size_t body, const dls_end *end)
{
  bool known = end->body != body || o->count == POINTS_MOST;
  for (size_t i = 0; i < o->count && !known; i++) {
    known = memcmp(o->X[i], end->at, sizeof o->X[i]) == 0;
  }
  if (!known) {
    memcpy(o->X[o->count++], end->at, sizeof o->X[0]);
  }
}

static body_points points_of(const dls_mechanism *m, size_t body)
{
  body_points o = {0};
  for (size_t i = 0; i < m->joint_count; i++) {
    add_end(&o, body, &m->joints[i].a);
    add_end(&o, body, &m->joints[i].b);
  }
  for (size_t i = 0; i < m->spring_count; i++) {
    add_end(&o, body, &m->springs[i].a);
    add_end(&o, body, &m->springs[i].b);
  }
  for (size_t i = 0; i < m->touch_count; i++) {
    add_end(&o, body, &m->touches[i].a);
    add_end(&o, body, &m->touches[i].b);
  }
  for (size_t i = 0; i < m->mark_count; i++) {
    add_end(&o, body, &m->marks[i]);
  }
  return o;
}

/* Twice the area of the triangle X, Y, Z; > 0: Z is on the left of the line from X to Y. */
static double left_of(const double *X, const double *Y, const double *Z)
{
  return (Y[0] - X[0]) * (Z[1] - X[1]) - (Y[1] - X[1]) * (Z[0] - X[0]);
}

/* The convex hull of points in the plane, from the leftmost; for two points a line. */
static void draw_hull(const artist *a, size_t body, const body_points *o)
{
  size_t first = 0, here;
  for (size_t i = 1; i < o->count; i++) {
    first = o->X[i][0] < o->X[first][0] || (o->X[i][0] == o->X[first][0] && o->X[i][1] < o->X[first][1])
                ? i
                : first;
  }
  here = first;
  for (size_t sides = 0; sides < o->count; sides++) {
    size_t next = here == 0 ? 1 : 0;
    for (size_t i = 0; i < o->count; i++) {
      const double side = left_of(o->X[here], o->X[next], o->X[i]);
      const double far = hypot(o->X[i][0] - o->X[here][0], o->X[i][1] - o->X[here][1]) -
                         hypot(o->X[next][0] - o->X[here][0], o->X[next][1] - o->X[here][1]);
      next = i != here && (side < 0 || (side == 0 && far > 0)) ? i : next;
    }
    double p[3], r[3];
    place(a, body, o->X[here], p);
    place(a, body, o->X[next], r);
    draw(a, DLS_SHAPE_LINE, p, r);
    here = next;
    if (here == first || o->count == 2) {
      return;
    }
  }
}

/* The box with the mass and the inertia of a body, E_i = m a_i^2 / 3. */
static void draw_box(const artist *a, size_t body)
{
  const size_t dim = a->mb->m.dim;
  double half[3] = {0}, mass[12], corners[8][3];
  dls_body_masses(&a->mb->m, &a->mb->m.bodies[body], mass);
  for (size_t i = 0; i < dim; i++) {
    half[i] = sqrt((dim == 2 ? 1.5 * mass[2] : 3 * mass[3 * (i + 1)]) / mass[0]);
  }
  for (unsigned c = 0; c < 8; c++) {
    const double X[3] = {(c & 1U) != 0 ? half[0] : -half[0], (c & 2U) != 0 ? half[1] : -half[1],
                         (c & 4U) != 0 ? half[2] : -half[2]};
    place(a, body, X, corners[c]);
  }
  for (unsigned c = 0; c < (dim == 2 ? 4U : 8U); c++) {
    for (unsigned bit = 1; bit < (dim == 2 ? 4U : 8U); bit *= 2) {
      if ((c & bit) == 0) {
        draw(a, DLS_SHAPE_LINE, corners[c], corners[c | bit]);
      }
    }
  }
}

/* In the plane the hull of its points, or a box if they are fewer than two; in space a box and its spokes. */
static void draw_body(const artist *a, size_t body)
{
  const dls_mechanism *m = &a->mb->m;
  const body_points o = points_of(m, body);
  double centre[3], p[3];
  place(a, body, (const double[3]){0}, centre);
  if (m->bodies[body].kind == DLS_BODY_POINT) {
    draw_ball(a, centre, 0.04 * a->length);
  } else if (m->dim == 2 && o.count >= 2) {
    draw_hull(a, body, &o);
  } else {
    if (m->bodies[body].kind == DLS_BODY_RIGID) {
      draw_box(a, body);
    }
    for (size_t i = 0; i < o.count; i++) {
      place(a, body, o.X[i], p);
      draw(a, DLS_SHAPE_LINE, centre, p);
    }
  }
}

/* --- joints and contacts --- */

/* A wall, or in space a square, on the plane through p with the normal n. */
static void draw_plane(const artist *a, const double p[3], const double n[3])
{
  const double half = 0.7 * a->length;
  double b[3] = {n[1], -n[0], 0}, c[3], corner[5][3];
  if (a->mb->m.dim == 3) {
    dls_across(n, b, c);
  }
  for (int i = 0; i < 3; i++) {
    corner[0][i] = p[i] - half * b[i];
    corner[1][i] = p[i] + half * b[i];
  }
  if (a->mb->m.dim == 2) {
    draw(a, DLS_SHAPE_WALL, corner[0], corner[1]);
    return;
  }
  for (int k = 0; k < 5; k++) {
    for (int i = 0; i < 3; i++) {
      corner[k][i] = p[i] + half * ((k == 1 || k == 2 ? b[i] : -b[i]) + (k == 2 || k == 3 ? c[i] : -c[i]));
    }
  }
  for (int k = 0; k < 4; k++) {
    draw(a, DLS_SHAPE_LINE, corner[k], corner[k + 1]);
  }
}

static void draw_joint(const artist *a, const dls_joint *joint)
{
  const double size = 0.025 * a->length;
  double p[3], r[3];
  place(a, joint->a.body, joint->a.at, p);
  place(a, joint->b.body, joint->b.at, r);
  if (joint->kind == DLS_JOINT_DISTANCE) {
    draw(a, DLS_SHAPE_LINE, p, r);
  } else if (joint->kind == DLS_JOINT_REVOLUTE || joint->kind == DLS_JOINT_SPHERICAL) {
    draw_ball(a, p, size);
  } else if (joint->kind != DLS_JOINT_DRIVEN && (joint->a.body == DLS_GROUND || joint->b.body == DLS_GROUND)) {
    double axis[3] = {joint->axis[0], joint->axis[1], joint->axis[2]};
    dls_mechanism_place(&a->mb->m, &joint->b, p);
    dls_unit(axis);
    for (int i = 0; i < 3; i++) {
      r[i] = p[i] + 0.7 * a->length * axis[i];
      p[i] -= 0.7 * a->length * axis[i];
    }
    draw(a, DLS_SHAPE_LINE, p, r);
  }
}

static bool same_plane(const dls_touch *t, const dls_touch *s)
{
  return t->kind == DLS_TOUCH_PLANE && s->kind == DLS_TOUCH_PLANE && t->offset == s->offset &&
         memcmp(t->normal, s->normal, sizeof t->normal) == 0;
}

/* The plane of contact j below the initial position of its sphere, unless an earlier contact has drawn it. */
static void draw_ground(const artist *a, size_t j)
{
  const dls_compiled_touch *c = &a->mb->touches[j];
  double p[3];
  for (size_t i = 0; i < j; i++) {
    if (same_plane(c->touch, a->mb->touches[i].touch)) {
      return;
    }
  }
  if (c->touch->kind == DLS_TOUCH_PLANE) {
    dls_mechanism_place(&a->mb->m, &c->touch->a, p);
    const double height = dls_dot3(c->n0, p) - (c->offset - c->touch->radius);
    for (int i = 0; i < 3; i++) {
      p[i] -= height * c->n0[i];
    }
    draw_plane(a, p, c->n0);
  }
}

static void draw_touch(const artist *a, size_t j)
{
  const dls_compiled_touch *c = &a->mb->touches[j];
  const size_t dim = a->mb->m.dim;
  const dls_moving A = dls_affine_at(c->A, dim, a->q, NULL);
  const dls_moving N = c->N != NULL ? dls_affine_at(c->N, dim, a->q, NULL) : A;
  double p[3], n[3] = {N.x[0], N.x[1], N.x[2]};
  dls_unit(n);
  place(a, c->touch->a.body, c->touch->a.at, p);
  const double dx = dls_dot3(a->right, n), dy = dls_dot3(a->up, n), size = hypot(dx, dy);
  dls_sketch_touch(a->out, dls_dot3(a->right, p) - c->touch->radius * dx,
                   dls_dot3(a->up, p) - c->touch->radius * dy, size > 0 ? dx / size : 0,
                   size > 0 ? dy / size : 1);
  if (c->touch->radius > 0) {
    draw_ball(a, p, c->touch->radius);
  }
  if (c->touch->kind == DLS_TOUCH_PAIR && c->touch->radius_b > 0) {
    place(a, c->touch->b.body, c->touch->b.at, p);
    draw_ball(a, p, c->touch->radius_b);
  }
}

void dls_mechanism_sketch(const double *p, const double *q, dls_sketch *out)
{
  artist a = {.mb = out->system->data, .q = q, .out = out, .length = out->system->length};
  const dls_mechanism *m = &a.mb->m;
  (void)p;
  set_view(&a);
  for (size_t j = 0; j < m->touch_count && !out->full; j++) {
    draw_ground(&a, j);
  }
  for (size_t i = 0; i < m->body_count && !out->full; i++) {
    draw_body(&a, i);
  }
  for (size_t i = 0; i < m->joint_count && !out->full; i++) {
    draw_joint(&a, &m->joints[i]);
  }
  for (size_t i = 0; i < m->spring_count && !out->full; i++) {
    draw_link(&a, DLS_SHAPE_SPRING, &m->springs[i].a, &m->springs[i].b);
  }
  for (size_t j = 0; j < m->touch_count && !out->full; j++) {
    draw_touch(&a, j);
  }
}
