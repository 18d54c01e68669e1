/* rigid_discs.c -- two rigid discs without friction in a box, q = (x, y) of one centre and then of the other.
 *   contact 4 i + w: disc i and wall w (floor, right, top, left), contact 8: the discs,
 *   g_8 = |d| - 2 R,  d = c_1 - c_0,  H = (-n, n) with n = d/|d|,  (d/dt H) . v = (|d'|^2 - (n . d')^2)/|d|
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/disc_box.h"
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
#define POSITION(name, help, initial) DLS_NUMBER(name, "m", help, initial, -INFINITY, INFINITY, OPEN)
#define SPEED(name, help, initial) DLS_NUMBER(name, "m/s", help, initial, -INFINITY, INFINITY, OPEN)
static const dls_option parameters[] = {
    [DLS_DISC_RADIUS] = DLS_NUMBER("R", "m", "radius of both discs", 1.8, 0, INFINITY, OPEN),
    [DLS_DISC_MASS] = DLS_NUMBER("m0", "kg", "mass of disc 0", 1, 0, INFINITY, OPEN),
    [DLS_DISC_MASS + 1] = DLS_NUMBER("m1", "kg", "mass of disc 1", 1, 0, INFINITY, OPEN),
    [DLS_DISC_RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 1, 0, 1, 0),
    [DLS_DISC_LEFT] = POSITION("left", "x of the left wall", -5.6),
    [DLS_DISC_RIGHT] = POSITION("right", "x of the right wall", 8.8),
    [DLS_DISC_FLOOR] = POSITION("floor", "y of the floor", -4.8),
    [DLS_DISC_TOP] = POSITION("top", "y of the top", 6),
    [DLS_DISC_START] = POSITION("x0", "initial x of disc 0", 0),
    [DLS_DISC_START + 1] = POSITION("y0", "initial y of disc 0", 0),
    [DLS_DISC_START + 2] = POSITION("x1", "initial x of disc 1", 4.7),
    [DLS_DISC_START + 3] = POSITION("y1", "initial y of disc 1", 1),
    [DLS_DISC_SPEED] = SPEED("vx0", "initial velocity along x of disc 0", 1),
    [DLS_DISC_SPEED + 1] = SPEED("vy0", "initial velocity along y of disc 0", -2),
    [DLS_DISC_SPEED + 2] = SPEED("vx1", "initial velocity along x of disc 1", 0),
    [DLS_DISC_SPEED + 3] = SPEED("vy1", "initial velocity along y of disc 1", 0),
    {0},
};

static const double *data_of(const dls_system *sys)
{
  return sys->data;
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  (void)t, (void)q, (void)v;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = 0;
  }
}

static double potential(const dls_system *sys, const double *q)
{
  (void)sys, (void)q;
  return 0;
}

/* n from disc 0 to disc 1; any unit vector where the centres coincide. @return the distance of the centres */
static double normal(const double *q, double n[2])
{
  const double d = hypot(q[2] - q[0], q[3] - q[1]);
  n[0] = d > 0 ? (q[2] - q[0]) / d : 1;
  n[1] = d > 0 ? (q[3] - q[1]) / d : 0;
  return d;
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  const double *p = data_of(sys);
  double n[2];
  (void)t;
  for (size_t j = 0; j < DLS_DISC_BETWEEN; j++) {
    const dls_disc_wall wall = dls_disc_wall_of(p, j);
    g[j] = wall.sign * (q[wall.coordinate] - wall.at) - p[DLS_DISC_RADIUS];
  }
  g[DLS_DISC_BETWEEN] = normal(q, n) - 2 * p[DLS_DISC_RADIUS];
}

static void gradient(const dls_system *sys, const double *q, dls_matrix *H)
{
  double n[2];
  (void)sys;
  normal(q, n);
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(H, i, DLS_DISC_BETWEEN, -n[i]);
    dls_matrix_set(H, 2 + i, DLS_DISC_BETWEEN, n[i]);
  }
}

static void curvature(const dls_system *sys, double t, const double *q, const double *v, double *c)
{
  double n[2];
  (void)sys, (void)t;
  const double d = fmax(normal(q, n), DBL_MIN);
  const double along = n[0] * (v[3] - v[1]) - n[1] * (v[2] - v[0]); /* perpendicular to the line of centres */
  for (size_t j = 0; j < DLS_DISC_BETWEEN; j++) {
    c[j] = 0;
  }
  c[DLS_DISC_BETWEEN] = along * along / d;
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  static const char *const walls[] = {"floor", "right wall", "top", "left wall"};
  (void)sys;
  if (alpha < DLS_DISC_BETWEEN) {
    snprintf(text, size, "contact %zu (disc %zu and %s)", alpha, alpha / 4, walls[alpha % 4]);
  } else {
    snprintf(text, size, "contact %zu (the discs)", alpha);
  }
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  out->unit = "m";
  snprintf(out->name, sizeof out->name, "%c of disc %zu", i % 2 == 0 ? 'x' : 'y', i / 2);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void fill(dls_system *sys, const double *p)
{
  double *own = sys->data;
  double fastest = 0;
  for (size_t i = 0; i < DLS_DISC_PARAMETERS; i++) {
    own[i] = p[i];
  }
  for (size_t i = 0; i < sys->n; i++) {
    dls_matrix_set(sys->M, i, i, p[DLS_DISC_MASS + i / 2]);
    sys->q0[i] = p[DLS_DISC_START + i];
    sys->v0[i] = p[DLS_DISC_SPEED + i];
    fastest = fmax(fastest, fabs(sys->v0[i]));
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->e[j] = p[DLS_DISC_RESTITUTION];
    if (j < DLS_DISC_BETWEEN) {
      const dls_disc_wall wall = dls_disc_wall_of(p, j);
      dls_matrix_set(sys->H, wall.coordinate, j, wall.sign);
    }
  }
  gradient(sys, sys->q0, sys->H);
  sys->length = p[DLS_DISC_RADIUS];
  sys->time = fastest > 0 ? sys->length / fastest : 1;
  sys->force = force;
  sys->explicit_time = DLS_TIME_NONE;
  sys->potential = potential;
  sys->gap = gap;
  sys->gradient = gradient;
  sys->curvature = curvature;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
  sys->momenta = 3;
  sys->momentum = dls_momentum_points;
}

/* The discs must be inside the box and apart. */
static dls_status check(const dls_model *self, const dls_system *sys, dls_error *err)
{
  double g[DLS_DISC_CONTACTS];
  gap(sys, 0, sys->q0, g);
  for (size_t j = 0; j < sys->m; j++) {
    if (!(g[j] >= 0)) {
      char name[80];
      contact_name(sys, j, name, sizeof name);
      return dls_fail(err, DLS_ERR_ARG, "model %s: at the start %s has the gap %g m, which must be >= 0",
                      self->name, name, g[j]);
    }
  }
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(4, DLS_DISC_CONTACTS);
  if (sys != NULL) {
    sys->release = release;
    sys->data = malloc(DLS_DISC_PARAMETERS * sizeof *p);
    sys->M = dls_matrix_diagonal(4);
    sys->H = dls_matrix_dense(4, DLS_DISC_CONTACTS);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory", self->name);
  }
  fill(sys, p);
  return check(self, sys, err);
}

/* The box is closed counter-clockwise as seen from outside, so its inside is on the left of each wall. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double R = p[DLS_DISC_RADIUS];
  const double x[] = {p[DLS_DISC_LEFT], p[DLS_DISC_RIGHT], p[DLS_DISC_RIGHT], p[DLS_DISC_LEFT]};
  const double y[] = {p[DLS_DISC_FLOOR], p[DLS_DISC_FLOOR], p[DLS_DISC_TOP], p[DLS_DISC_TOP]};
  double n[2];
  for (size_t w = 0; w < 4; w++) {
    dls_sketch_between(out, DLS_SHAPE_WALL, x[w], y[w], x[(w + 1) % 4], y[(w + 1) % 4]);
  }
  for (size_t i = 0; i < 2; i++) {
    dls_sketch_ball(out, q[2 * i], q[2 * i + 1], R);
  }
  for (size_t j = 0; j < DLS_DISC_BETWEEN; j++) {
    const dls_disc_wall wall = dls_disc_wall_of(p, j);
    const double inward[] = {wall.coordinate % 2 == 0 ? wall.sign : 0,
                             wall.coordinate % 2 == 1 ? wall.sign : 0};
    const double *c = q + 2 * (j / 4);
    dls_sketch_touch(out, c[0] - R * inward[0], c[1] - R * inward[1], inward[0], inward[1]);
  }
  normal(q, n);
  dls_sketch_touch(out, q[0] + R * n[0], q[1] + R * n[1], n[0], n[1]);
}

const dls_model dls_model_rigid_discs = {
    .name = "rigid-discs",
    .summary = "two rigid discs without friction in a box: straight flights between impacts",
    .source = "rigid companion of F. Armero & E. Petocz 1996, section 4.2, quasi-rigid cylinders; box and "
              "start recovered",
    .equations = "m_i c_i'' = H p,   c_i centre of disc i,   |c_1 - c_0| - 2 R >= 0 (contact 8),\n"
                 "R away from floor, right wall, top, left wall: contacts 0 to 3 of disc 0, 4 to 7 of disc 1\n"
                 "default data: floor 1.5, discs 2.2033, right wall 3.7570, top 4.2844, discs 5.9910, left "
                 "wall 8.0328\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
