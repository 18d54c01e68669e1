/* box_pile.c -- piles of rigid boxes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/box_pile.h"
#include "common/base/memory.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS, COLUMNS, FRICTION, DIM, MASS, WIDTH, HEIGHT, DEPTH, RESTITUTION, SLOPE, GRAVITY, TOP_SPEED };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
const dls_option dls_box_pile_parameters[] = {
    [ROWS] = DLS_COUNT("rows", "rows of boxes, one above the other", 5, 1, 1e5),
    [COLUMNS] = DLS_COUNT("columns", "whole boxes in the lowest row", 5, 1, 1e5),
    [FRICTION] =
        DLS_NUMBER("mu", "1", "coefficient of friction of every contact", 0.5, 0, INFINITY, DLS_OPEN_MAX),
    [DIM] = DLS_COUNT("dim", "2: in the plane, two contacts a face; 3: in space, four", 2, 2, 3),
    [MASS] = DLS_NUMBER("m", "kg", "mass of a whole box", 1, 0, INFINITY, OPEN),
    [WIDTH] = DLS_NUMBER("width", "m", "length of a whole box along x", 0.2, 0, INFINITY, OPEN),
    [HEIGHT] = DLS_NUMBER("height", "m", "height of a box", 0.1, 0, INFINITY, OPEN),
    [DEPTH] = DLS_NUMBER("depth", "m", "length of a box across, in space", 0.1, 0, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient of every contact", 0, 0, 1, 0),
    [SLOPE] = DLS_NUMBER("alpha", "rad", "slope of the floor, downhill along x", 0, 0, 1.5707963267948966,
                         DLS_OPEN_MAX),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    [TOP_SPEED] = DLS_NUMBER("v0", "m/s", "velocity of the uppermost row along x at the start", 0, -INFINITY,
                             INFINITY, OPEN),
    {0},
};

dls_box_pile dls_box_pile_of(const double *p, dls_box_count count, dls_box_place box)
{
  return (dls_box_pile){.rows = (size_t)p[ROWS],
                        .columns = (size_t)p[COLUMNS],
                        .dim = (size_t)p[DIM],
                        .mass = p[MASS],
                        .width = p[WIDTH],
                        .height = p[HEIGHT],
                        .depth = p[DEPTH],
                        .mu = p[FRICTION],
                        .restitution = p[RESTITUTION],
                        .slope = p[SLOPE],
                        .gravity = p[GRAVITY],
                        .v0 = p[TOP_SPEED],
                        .count = count,
                        .box = box};
}

/* --- which boxes touch --- */

static const size_t the_floor = SIZE_MAX;

/* The face from left to right [m] on which box `above` of a row rests, on box `below` or on the floor. */
typedef void (*visit_face)(void *data, size_t row, size_t below, size_t above, double left, double right);

/* Faces between row and the row below it, whose first box has number `under`; the first of the row has `first`. */
static void visit_row(const dls_box_pile *pile, size_t row, size_t under, size_t first, visit_face visit,
                      void *data)
{
  const size_t count = pile->count(pile, row), below = row == 0 ? 0 : pile->count(pile, row - 1);
  double left, right, other_left, other_right;
  for (size_t k = 0, j = 0; k < count; k++) {
    pile->box(pile, row, k, &left, &right);
    if (row == 0) {
      visit(data, row, the_floor, first + k, left * pile->width, right * pile->width);
    }
    for (; j < below; j++) {
      pile->box(pile, row - 1, j, &other_left, &other_right);
      const double from = fmax(left, other_left), to = fmin(right, other_right);
      if (to > from) {
        visit(data, row, under + j, first + k, from * pile->width, to * pile->width);
      }
      if (other_right > right) { /* this box may carry the next one too */
        break;
      }
    }
  }
}

static size_t visit_faces(const dls_box_pile *pile, visit_face visit, void *data)
{
  size_t first = 0;
  for (size_t row = 0, under = 0; row < pile->rows; row++) {
    visit_row(pile, row, under, first, visit, data);
    under = first;
    first += pile->count(pile, row);
  }
  return first; /* boxes */
}

static void count_face(void *data, size_t row, size_t below, size_t above, double left, double right)
{
  (void)row, (void)below, (void)above, (void)left, (void)right;
  *(size_t *)data += 1;
}

/* --- the system --- */

/* Velocity along axis i of the point r of a rigid body, v_i + (w x r)_i: entries for its d (d + 1) / 2 coordinates. */
static void point_velocity(size_t dim, size_t axis, const double *r, double *entries)
{
  memset(entries, 0, 6 * sizeof *entries);
  entries[axis] = 1;
  if (dim == 2) {
    entries[2] = axis == 0 ? -r[1] : r[0];
    return;
  }
  const size_t next = (axis + 1) % 3, last = (axis + 2) % 3;
  entries[3 + next] = r[last]; /* (w x r)_axis = w_next r_last - w_last r_next */
  entries[3 + last] = -r[next];
}

/* data of a system: loads of its n coordinates, then the centres of its boxes at rest. */
static double *centres(const dls_system *sys)
{
  return (double *)sys->data + sys->n;
}

typedef struct builder {
  const dls_box_pile *pile;
  dls_system *sys;
  double (*centre)[3]; /* of each box: in the plane x and height; x, 0 and height */
  size_t contact;
} builder;

/* Column of the velocity along an axis of the box above relative to the box below, at a point. */
static void add_column(const builder *b, dls_matrix *to, size_t column, size_t below, size_t above,
                       const double *at, size_t axis)
{
  const size_t dim = b->pile->dim, each = dim == 2 ? 3 : 6, bodies[2] = {below, above};
  for (size_t k = 0; k < 2; k++) {
    if (bodies[k] == the_floor) {
      continue;
    }
    const double x = at[0] - b->centre[bodies[k]][0], up = at[dim - 1] - b->centre[bodies[k]][dim - 1];
    const double r[3] = {x, dim == 2 ? up : at[1], up};
    double entries[6];
    point_velocity(dim, axis, r, entries);
    for (size_t i = 0; i < each; i++) {
      if (entries[i] != 0) {
        dls_matrix_set(to, each * bodies[k] + i, column, k == 0 ? -entries[i] : entries[i]);
      }
    }
  }
}

static void add_face(void *data, size_t row, size_t below, size_t above, double left, double right)
{
  builder *b = data;
  const dls_box_pile *pile = b->pile;
  const size_t dim = pile->dim, corners = dim == 2 ? 2 : 4;
  const double height = pile->height * (double)row;
  for (size_t c = 0; c < corners; c++, b->contact++) {
    const double across = c < 2 ? -pile->depth / 2 : pile->depth / 2;
    const double at[3] = {c % 2 == 0 ? left : right, dim == 2 ? height : across, height};
    add_column(b, b->sys->H, b->contact, below, above, at, dim - 1);
    for (size_t i = 0; i + 1 < dim; i++) {
      add_column(b, b->sys->T, (dim - 1) * b->contact + i, below, above, at, i);
    }
  }
}

/* Mass, moments of inertia and weight of a box. */
static void add_box(const builder *b, size_t body, double width)
{
  const dls_box_pile *pile = b->pile;
  const size_t dim = pile->dim, each = dim == 2 ? 3 : 6;
  const double m = pile->mass * width / pile->width, size[3] = {width, pile->depth, pile->height};
  double *F = b->sys->data;
  for (size_t i = 0; i < dim; i++) {
    dls_matrix_set(b->sys->M, each * body + i, each * body + i, m);
  }
  for (size_t i = dim; i < each; i++) {
    const double one = dim == 2 ? size[0] : size[(i + 1) % 3], other = dim == 2 ? size[2] : size[(i + 2) % 3];
    dls_matrix_set(b->sys->M, each * body + i, each * body + i, m * (one * one + other * other) / 12);
  }
  F[each * body] = m * pile->gravity * sin(pile->slope);
  F[each * body + dim - 1] = -m * pile->gravity * cos(pile->slope);
}

static void add_boxes(builder *b)
{
  const dls_box_pile *pile = b->pile;
  const size_t each = pile->dim == 2 ? 3 : 6;
  for (size_t row = 0, body = 0; row < pile->rows; row++) {
    for (size_t k = 0; k < pile->count(pile, row); k++, body++) {
      double left, right;
      pile->box(pile, row, k, &left, &right);
      b->centre[body][0] = pile->width * (left + right) / 2;
      b->centre[body][pile->dim - 1] = pile->height * ((double)row + 0.5);
      add_box(b, body, pile->width * (right - left));
      b->sys->v0[each * body] = row + 1 == pile->rows ? pile->v0 : 0;
    }
  }
}

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, sys->data, sys->n * sizeof *F);
}

static void release(dls_system *sys)
{
  free(sys->data);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[2][6] = {{"x", "y", "angle"}, {"x", "y", "z", "rx", "ry", "rz"}};
  const size_t dim = sys->d, each = dim == 2 ? 3 : 6;
  snprintf(out->name, sizeof out->name, "%s of box %zu", names[dim - 2][i % each], i / each);
  out->unit = i % each < dim ? "m" : "rad";
}

/* For small displacements: about the origin, boxes at rest. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const size_t dim = sys->d, each = dim == 2 ? 3 : 6;
  (void)t, (void)q, (void)v;
  memset(p, 0, each * sizeof *p);
  for (size_t i = 0; i < sys->n; i += each) {
    dls_momentum_body(dim, centres(sys) + 3 * (i / each), Mv + i, p);
  }
}

static dls_system *create(const dls_box_pile *pile, size_t boxes, size_t contacts)
{
  const size_t dim = pile->dim, each = dim == 2 ? 3 : 6;
  dls_system *sys = dls_system_create(each * boxes, contacts);
  if (sys != NULL) {
    sys->linear = true;
    sys->d = dim;
    sys->load = load;
    sys->explicit_time = DLS_TIME_NONE;
    sys->steady_load = true;
    sys->release = release;
    sys->coordinate = coordinate;
    sys->momenta = each;
    sys->momentum = momentum;
    sys->data = calloc(dls_size_product(each + 3, boxes), sizeof(double));
    sys->M = dls_matrix_diagonal(each * boxes);
    sys->H = dls_matrix_sparse(each * boxes, contacts, 6 * contacts);
    sys->T = dls_matrix_sparse(each * boxes, (dim - 1) * contacts, 6 * (dim - 1) * contacts);
    sys->length = pile->height;
    sys->time = sqrt(pile->height / pile->gravity);
  }
  return sys;
}

dls_status dls_box_pile_create(const char *name, const dls_box_pile *pile, dls_system **out, dls_error *err)
{
  static const double most = 1e6; /* boxes */
  size_t faces = 0;
  if ((double)pile->rows * (double)pile->columns > most) {
    return dls_fail(err, DLS_ERR_ARG, "%s: rows = %zu of columns = %zu are more than %g boxes", name,
                    pile->rows, pile->columns, most);
  }
  const size_t boxes = visit_faces(pile, count_face, &faces), contacts = faces * (pile->dim == 2 ? 2 : 4);
  dls_system *sys = *out = create(pile, boxes, contacts);
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->H == NULL || sys->T == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "%s: no memory for %zu boxes", name, boxes);
  }
  builder b = {.pile = pile, .sys = sys, .centre = (double(*)[3])centres(sys)};
  add_boxes(&b);
  visit_faces(pile, add_face, &b);
  for (size_t j = 0; j < contacts; j++) {
    sys->mu[j] = pile->mu;
    sys->e[j] = pile->restitution;
  }
  return DLS_OK;
}

/* --- the picture --- */

typedef struct artist {
  const dls_box_pile *pile;
  const double *q;
  dls_sketch *out;
} artist;

/* x of the centre of a box of the row, at rest. */
static double centre_of(const dls_box_pile *pile, size_t row, size_t box)
{
  double left, right;
  for (size_t below = 0; below < row; below++) {
    box -= pile->count(pile, below);
  }
  pile->box(pile, row, box, &left, &right);
  return pile->width * (left + right) / 2;
}

/* Contact points move up and down with the box above, like the gaps: to first order in its angles. */
static void draw_touches(void *data, size_t row, size_t below, size_t above, double left, double right)
{
  const artist *a = data;
  const size_t dim = a->pile->dim, each = dim == 2 ? 3 : 6;
  const double *q = a->q + each * above, centre = centre_of(a->pile, row, above);
  (void)below;
  for (size_t c = 0; c < (dim == 2 ? 2U : 4U); c++) {
    const double x = c % 2 == 0 ? left : right, across = c < 2 ? -a->pile->depth / 2 : a->pile->depth / 2;
    const double r[3] = {x - centre, dim == 2 ? -a->pile->height / 2 : across, -a->pile->height / 2};
    double entries[6], up = a->pile->height * (double)row;
    point_velocity(dim, dim - 1, r, entries);
    for (size_t i = 0; i < each; i++) {
      up += entries[i] * q[i];
    }
    dls_sketch_touch(a->out, x + q[0], up, 0, 1);
  }
}

/* The four edges of a box around (x, y), rotated. */
static void draw_box(dls_sketch *out, double x, double y, double width, double height, double angle)
{
  static const double corner[5][2] = {{-0.5, -0.5}, {0.5, -0.5}, {0.5, 0.5}, {-0.5, 0.5}, {-0.5, -0.5}};
  double at[5][2];
  for (size_t k = 0; k < 5; k++) {
    const double a = corner[k][0] * width, b = corner[k][1] * height;
    at[k][0] = x + a * cos(angle) - b * sin(angle);
    at[k][1] = y + a * sin(angle) + b * cos(angle);
  }
  for (size_t k = 0; k < 4; k++) {
    dls_sketch_between(out, DLS_SHAPE_LINE, at[k][0], at[k][1], at[k + 1][0], at[k + 1][1]);
  }
}

void dls_box_pile_sketch(const dls_box_pile *pile, const double *q, dls_sketch *out)
{
  artist a = {pile, q, out};
  const size_t dim = pile->dim, each = dim == 2 ? 3 : 6;
  double left, right, edge = 0;
  pile->box(pile, 0, pile->count(pile, 0) - 1, &left, &edge);
  dls_sketch_between(out, DLS_SHAPE_WALL, -0.5 * pile->width, 0, (edge + 0.5) * pile->width, 0);
  for (size_t row = 0; row < pile->rows && !out->full; row++) {
    for (size_t k = 0; k < pile->count(pile, row) && !out->full; k++, q += each) {
      pile->box(pile, row, k, &left, &right);
      const double x = pile->width * (left + right) / 2, y = pile->height * ((double)row + 0.5);
      draw_box(out, x + q[0], y + q[dim - 1], pile->width * (right - left), pile->height,
               dim == 2 ? q[2] : -q[4]); /* about y, which points away from the viewer */
    }
  }
  if (!out->full) {
    visit_faces(pile, draw_touches, &a);
  }
}
