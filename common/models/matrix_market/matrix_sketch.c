/* matrix_sketch.c -- a system from files as nodes and lines. n = 2 nodes: x, y of each; n = nodes: one coordinate each,
 * drawn along the axis of the larger extent.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include "common/models/matrix_market/matrix_data.h"
#include <math.h>
#include <stdbool.h>

typedef struct drawing {
  const dls_matrix_data *data;
  const dls_matrix *K;
  const double *q;
  size_t each;  /* coordinates of a node: 1 or 2 */
  bool upright; /* one, along y */
  size_t last;  /* last pair of nodes drawn, of the lower triangle by columns */
  dls_sketch *out;
} drawing;

static void place_of(const drawing *d, size_t node, double *x, double *y)
{
  const double *at = d->data->place + 2 * node, *u = d->q + d->each * node;
  *x = at[0] + (d->upright ? 0 : u[0]);
  *y = at[1] + (d->upright ? u[0] : d->each == 2 ? u[1] : 0);
}

/* A line between the nodes of an entry of K, each pair once: entries are sorted by columns. */
static void draw_line(void *data, size_t i, size_t j, double value)
{
  drawing *d = data;
  const size_t a = i / d->each, b = j / d->each;
  double x[2], y[2];
  const bool seen = j % d->each == 1 &&
                    (dls_matrix_get(d->K, 2 * a, 2 * b) != 0 || dls_matrix_get(d->K, 2 * a + 1, 2 * b) != 0);
  if (a <= b || value == 0 || seen || d->last == a + d->data->parts.nodes * b + 1) {
    return;
  }
  d->last = a + d->data->parts.nodes * b + 1;
  place_of(d, a, &x[0], &y[0]);
  place_of(d, b, &x[1], &y[1]);
  dls_sketch_between(d->out, DLS_SHAPE_LINE, x[0], y[0], x[1], y[1]);
}

/* The largest entry of column j of H gives the node, and the entries of that node give the direction. */
static void draw_contact(const drawing *d, const dls_matrix *H, size_t j)
{
  size_t most = 0;
  for (size_t i = 0; i < dls_matrix_rows(H); i++) {
    most = fabs(dls_matrix_get(H, i, j)) > fabs(dls_matrix_get(H, most, j)) ? i : most;
  }
  const size_t node = most / d->each;
  const double first = dls_matrix_get(H, d->each * node, j),
               second = d->each == 2 ? dls_matrix_get(H, most | 1, j) : 0;
  const double length = hypot(first, second);
  double x, y;
  place_of(d, node, &x, &y);
  dls_sketch_touch(d->out, x, y, d->upright ? 0 : first / length, (d->upright ? first : second) / length);
}

/* Largest distance of nodes from the first along x (0) or y (1). */
static double extent(const dls_matrix_data *data, size_t axis)
{
  double most = 0;
  for (size_t i = 0; i < data->parts.nodes; i++) {
    most = fmax(most, fabs(data->place[2 * i + axis] - data->place[axis]));
  }
  return most;
}

void dls_matrix_sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_system *sys = out->system;
  const dls_matrix_data *data = dls_matrix_data_of(sys);
  drawing d = {.data = data, .K = sys->K, .q = q, .each = sys->n / data->parts.nodes, .out = out};
  const double size = fmax(extent(data, 0), extent(data, 1)), radius = size > 0 ? 0.01 * size : 0.1;
  d.upright = d.each == 1 && extent(data, 1) > extent(data, 0);
  (void)p;
  if (sys->K != NULL) {
    dls_matrix_visit(sys->K, draw_line, &d);
  }
  for (size_t node = 0; node < data->parts.nodes && !out->full; node++) {
    double x, y;
    place_of(&d, node, &x, &y);
    dls_sketch_ball(out, x, y, radius);
  }
  for (size_t j = 0; j < sys->m && !out->full; j++) {
    draw_contact(&d, sys->H, j);
  }
}
