/* lattice_pile.c -- a pile of equal discs in a triangular lattice: row 0 lies in the grooves between fixed discs, each
 * disc above in a groove between two discs of the row below. Linear: small displacements. Disc k of row r has the contacts
 * 2 i (with the disc on its lower left, which pushes along (1/2, sqrt(3)/2)) and 2 i + 1 (lower right), i its number, row
 * by row. The forces of the discs on a lattice line add up: with mu = 0, or without slip, lambda = (number of discs on the
 * line from this one upward) m g / sqrt(3). As many normal forces as equations for them: isostatic.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS, COLUMNS, FRICTION, MASS, RADIUS, RESTITUTION, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
enum { EACH = 3 }; /* coordinates of a disc */
static const dls_option parameters[] = {
    [ROWS] = DLS_COUNT("rows", "rows of discs that move, at most columns", 5, 1, 1e5),
    [COLUMNS] = DLS_COUNT("columns", "discs in the lowest row", 5, 1, 1e5),
    [FRICTION] =
        DLS_NUMBER("mu", "1", "coefficient of friction of every contact; for mu > 0 the forces are not unique",
                   0, 0, INFINITY, DLS_OPEN_MAX),
    [MASS] = DLS_NUMBER("m", "kg", "mass of a disc", 1, 0, INFINITY, OPEN),
    [RADIUS] = DLS_NUMBER("radius", "m", "radius of a disc", 0.1, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};
static const double up = 0.8660254037844386467637; /* sqrt(3) / 2 */

/* Discs in rows 0 .. row - 1, which is the index of the first disc of this row. */
static size_t first_of(size_t columns, size_t row)
{
  return row * columns - (row * row - row) / 2;
}

/* data: weight, radius, rows, columns. */
enum { WEIGHT, SIZE, TALL, WIDE, DATA };

/* Centre of disc k of a row at rest. */
static void centre(double radius, size_t row, size_t k, double at[2])
{
  at[0] = radius * (2 * (double)k + (double)row);
  at[1] = 2 * radius * up * ((double)row + 1);
}

/* For small displacements: about the origin, discs at rest. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const double *data = sys->data;
  const size_t rows = (size_t)data[TALL], columns = (size_t)data[WIDE];
  (void)t, (void)q, (void)v;
  p[0] = p[1] = p[2] = 0;
  for (size_t row = 0; row < rows; row++) {
    for (size_t k = 0; k < columns - row; k++, Mv += EACH) {
      double at[2];
      centre(data[SIZE], row, k, at);
      dls_momentum_body(2, at, Mv, p);
    }
  }
}

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = i % EACH == 1 ? -((const double *)sys->data)[WEIGHT] : 0;
  }
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[EACH] = {"x", "y", "angle"};
  (void)sys;
  snprintf(out->name, sizeof out->name, "%s of disc %zu", names[i % EACH], i / EACH);
  out->unit = i % EACH == 2 ? "rad" : "m";
}

/* Contact of disc with the one below (the same: with a fixed one), n = (nx, up) towards the disc: columns of
 *   u_N = n (v - v_below),   u_T = t (v - v_below) + R (w + w_below),  t = (up, -nx) */
static void add_contact(dls_system *sys, size_t contact, size_t below, size_t disc, double nx, double radius)
{
  const double normal[2] = {nx, up}, tangent[EACH] = {up, -nx, radius};
  for (size_t i = 0; below != disc && i < EACH; i++) {
    if (i < 2) {
      dls_matrix_set(sys->H, EACH * below + i, contact, -normal[i]);
    }
    dls_matrix_set(sys->T, EACH * below + i, contact, i < 2 ? -tangent[i] : radius);
  }
  for (size_t i = 0; i < EACH; i++) {
    if (i < 2) {
      dls_matrix_set(sys->H, EACH * disc + i, contact, normal[i]);
    }
    dls_matrix_set(sys->T, EACH * disc + i, contact, tangent[i]);
  }
}

static void fill(dls_system *sys, const double *p)
{
  const size_t rows = (size_t)p[ROWS], columns = (size_t)p[COLUMNS];
  const double inertia = p[MASS] * p[RADIUS] * p[RADIUS] / 2;
  for (size_t row = 0, disc = 0; row < rows; row++) {
    for (size_t k = 0; k < columns - row; k++, disc++) {
      const size_t below = row == 0 ? disc : first_of(columns, row - 1) + k;
      add_contact(sys, 2 * disc, below, disc, 0.5, p[RADIUS]);
      add_contact(sys, 2 * disc + 1, row == 0 ? disc : below + 1, disc, -0.5, p[RADIUS]);
      for (size_t i = 0; i < EACH; i++) {
        dls_matrix_set(sys->M, EACH * disc + i, EACH * disc + i, i < 2 ? p[MASS] : inertia);
      }
    }
  }
  for (size_t j = 0; j < sys->m; j++) {
    sys->mu[j] = p[FRICTION];
    sys->e[j] = p[RESTITUTION];
  }
  memcpy(sys->data, (const double[DATA]){p[MASS] * p[GRAVITY], p[RADIUS], p[ROWS], p[COLUMNS]},
         DATA * sizeof(double));
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  static const double most = 1e6; /* discs */
  const size_t rows = (size_t)p[ROWS], columns = (size_t)p[COLUMNS];
  if (rows > columns || p[ROWS] * p[COLUMNS] > most) {
    return dls_fail(err, DLS_ERR_ARG,
                    "%s: rows = %zu must be at most columns = %zu, both together at most %g discs", self->name,
                    rows, columns, most);
  }
  const size_t discs = first_of(columns, rows), m = 2 * discs;
  dls_system *sys = *out = dls_system_create(EACH * discs, m);
  if (sys != NULL) {
    sys->linear = true;
    sys->d = 2;
    sys->load = load;
    sys->explicit_time = DLS_TIME_NONE;
    sys->steady_load = true;
    sys->release = release;
    sys->coordinate = coordinate;
    sys->data = malloc(DATA * sizeof(double));
    sys->momenta = 3;
    sys->momentum = momentum;
    sys->M = dls_matrix_diagonal(EACH * discs);
    sys->H = dls_matrix_sparse(EACH * discs, m, 4 * m);
    sys->T = dls_matrix_sparse(EACH * discs, m, 6 * m);
    sys->length = 2 * p[RADIUS];
    sys->time = sqrt(sys->length / p[GRAVITY]);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL || sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu discs", self->name, discs);
  }
  fill(sys, p);
  return DLS_OK;
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const size_t rows = (size_t)p[ROWS], columns = (size_t)p[COLUMNS];
  const double R = p[RADIUS];
  for (size_t k = 0; k <= columns && !out->full; k++) { /* fixed */
    dls_sketch_ball(out, R * (2 * (double)k - 1), 0, R);
  }
  for (size_t row = 0; row < rows && !out->full; row++) {
    for (size_t k = 0; k < columns - row && !out->full; k++, q += EACH) {
      double at[2];
      centre(R, row, k, at);
      dls_sketch_ball(out, at[0] + q[0], at[1] + q[1], R);
      dls_sketch_touch(out, at[0] + q[0] - R / 2, at[1] + q[1] - R * up, 0.5, up);
      dls_sketch_touch(out, at[0] + q[0] + R / 2, at[1] + q[1] - R * up, -0.5, up);
    }
  }
}

const dls_model dls_model_lattice_pile = {
    .name = "lattice-pile",
    .summary = "a pile of discs in a triangular lattice over fixed ones; isostatic, all forces known; any size",
    .source = "elementary: the forces on a lattice line add up",
    .equations = "M v' = F + H r,  q = (x, y, angle) of each disc from rest\n"
                 "at rest, mu = 0: lambda = (discs on the lattice line from here upward) m g / sqrt(3)\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
