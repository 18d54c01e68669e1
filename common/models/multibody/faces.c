/* faces.c -- the extent of a face: the convex hull of the points of its body, seen along its normal. The gap over a face
 * is that over an infinite plane (mechanism.h); here the distance of its contact point outside the hull.
 *   s_k = t_k . (p_A - p_B), k = 1 .. dim - 1, tangents t_k fixed in the body;   outside = max over edges of (n . s - c)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/multibody/multibody.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double same_point =
    1e-9; /* relative to the size of the hull: points closer than this coincide, or are collinear */

/* Tangents of a face in the axes of its body. */
static void tangents_of(const dls_touch *touch, size_t dim, double t[2][3])
{
  double n[3] = {touch->normal[0], touch->normal[1], touch->normal[2]};
  dls_unit(n);
  if (dim == 2) {
    t[0][0] = -n[1];
    t[0][1] = n[0];
    t[0][2] = 0;
  } else {
    dls_across(n, t[0], t[1]);
  }
}

/* The points of the face's body in its tangents, relative to the point of the face. @return their number */
static size_t project(const dls_multibody *mb, const dls_touch *touch, double t[2][3], double (*s)[2])
{
  size_t count = 0;
  for (size_t i = 0; i < mb->m.mark_count; i++) {
    const dls_end *mark = &mb->m.marks[i];
    if (mark->body == touch->b.body) {
      double x[3];
      for (int k = 0; k < 3; k++) {
        x[k] = mark->at[k] - touch->b.at[k];
      }
      s[count][0] = dls_dot3(t[0], x);
      s[count++][1] = mb->m.dim == 3 ? dls_dot3(t[1], x) : 0;
    }
  }
  return count;
}

/* In the plane: both ends. */
static void span_line(size_t count, double (*s)[2], dls_compiled_touch *c)
{
  double low = s[0][0], high = s[0][0];
  for (size_t i = 1; i < count; i++) {
    low = fmin(low, s[i][0]);
    high = fmax(high, s[i][0]);
  }
  if (high > low) {
    c->edges[0] = (dls_edge){{1, 0}, high};
    c->edges[1] = (dls_edge){{-1, 0}, -low};
    c->edge_count = 2;
  }
}

/* Are all points on one side of the line from s[i] to s[k], which is `edge`? */
static bool bounds(size_t count, double (*s)[2], size_t i, size_t k, double size, dls_edge *edge)
{
  const double x = s[k][0] - s[i][0], y = s[k][1] - s[i][1], length = hypot(x, y);
  if (!(length > same_point * size)) {
    return false;
  }
  *edge = (dls_edge){{y / length, -x / length}, 0};
  edge->c = edge->n[0] * s[i][0] + edge->n[1] * s[i][1];
  double depth = 0;
  for (size_t l = 0; l < count; l++) {
    const double beyond = edge->n[0] * s[l][0] + edge->n[1] * s[l][1] - edge->c;
    if (beyond > same_point * size) {
      return false;
    }
    depth = fmax(depth, -beyond);
  }
  return depth > same_point * size; /* otherwise all points are collinear and span nothing */
}

/* In space: the edges of the hull. */
static void span_plane(size_t count, double (*s)[2], dls_compiled_touch *c)
{
  double size = 0;
  for (size_t i = 0; i < count; i++) {
    size = fmax(size, fmax(fabs(s[i][0]), fabs(s[i][1])));
  }
  for (size_t i = 0; i < count; i++) {
    bool found = false; /* one edge from each point: others in the same direction are on the same line */
    for (size_t k = 0; k < count && !found; k++) {
      found = bounds(count, s, i, k, size, &c->edges[c->edge_count]);
    }
    c->edge_count += found;
  }
}

bool dls_faces_make(dls_multibody *mb)
{
  bool made = true;
  double(*s)[2] = calloc(mb->m.mark_count + 1, sizeof *s);
  for (size_t j = 0; j < mb->m.touch_count && s != NULL && made; j++) {
    dls_compiled_touch *c = &mb->touches[j];
    double t[2][3];
    if (c->touch->kind != DLS_TOUCH_FACE) {
      continue;
    }
    tangents_of(c->touch, mb->m.dim, t);
    const size_t count = project(mb, c->touch, t, s);
    if (count > 1) {
      c->edges = calloc(count + 1, sizeof *c->edges);
      made = c->edges != NULL;
    }
    if (count > 1 && made) {
      (mb->m.dim == 2 ? span_line : span_plane)(count, s, c);
    }
  }
  made = made && s != NULL;
  free(s);
  return made;
}

double dls_face_outside(const dls_system *sys, double t, const double *q, size_t alpha)
{
  const dls_multibody *mb = sys->data;
  const dls_compiled_touch *c = &mb->touches[alpha];
  (void)t;
  if (c->edge_count == 0) {
    return 0;
  }
  double axes[2][3], s[2] = {0, 0}, outside = 0;
  const dls_moving A = dls_affine_at(c->A, mb->m.dim, q, NULL);
  tangents_of(c->touch, mb->m.dim, axes);
  for (size_t k = 0; k + 1 < mb->m.dim; k++) {
    dls_affine tangent = {0};
    dls_affine_add_vector(&tangent, mb, c->touch->b.body, axes[k]);
    const dls_moving w = dls_affine_at(&tangent, mb->m.dim, q, NULL);
    s[k] = dls_dot3(w.x, A.x);
  }
  for (size_t i = 0; i < c->edge_count; i++) {
    const dls_edge *edge = &c->edges[i];
    outside = fmax(outside, edge->n[0] * s[0] + edge->n[1] * s[1] - edge->c);
  }
  return outside;
}

/* Diameter of the smallest sphere; 0: there is none. */
double dls_smallest_body(const dls_mechanism *m)
{
  double smallest = INFINITY;
  for (size_t j = 0; j < m->touch_count; j++) {
    const dls_touch *touch = &m->touches[j];
    smallest = touch->radius > 0 ? fmin(smallest, 2 * touch->radius) : smallest;
    smallest = touch->kind == DLS_TOUCH_PAIR ? fmin(smallest, 2 * touch->radius_b) : smallest;
  }
  return isfinite(smallest) ? smallest : 0;
}

static const char *body_name(const dls_multibody *mb, const dls_end *end)
{
  return end->body == DLS_GROUND ? "the ground" : mb->m.bodies[end->body].name;
}

void dls_touch_bodies(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  const dls_multibody *mb = sys->data;
  const dls_touch *touch = &mb->m.touches[alpha];
  snprintf(text, size, "contact %s: %s and %s", touch->name, body_name(mb, &touch->a),
           touch->kind == DLS_TOUCH_PLANE ? "the plane" : body_name(mb, &touch->b));
}
