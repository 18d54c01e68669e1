/* block_wall.c -- a wall in running bond: every second row begins and ends with half a box.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/box_pile.h"
#include <stdbool.h>

static size_t count(const dls_box_pile *pile, size_t row)
{
  return pile->columns + row % 2;
}

/* Rows 1, 3, ...: half a box, whole ones, half a box. */
static void box(const dls_box_pile *pile, size_t row, size_t k, double *left, double *right)
{
  const bool shifted = row % 2 == 1;
  *left = shifted && k > 0 ? (double)k - 0.5 : (double)k;
  *right = shifted ? (k == pile->columns ? (double)k : (double)k + 0.5) : (double)k + 1;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_box_pile pile = dls_box_pile_of(p, count, box);
  return dls_box_pile_create(self->name, &pile, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_box_pile pile = dls_box_pile_of(p, count, box);
  dls_box_pile_sketch(&pile, q, out);
}

const dls_model dls_model_block_wall = {
    .name = "block-wall",
    .summary = "a wall of boxes in running bond, with friction; redundant contacts, any size",
    .source = "standard benchmark of contact solvers; at rest the floor carries rows columns m g",
    .equations =
        "M v' = F + H r,  q = (x, y, angle) of each box from rest, or (x, y, z, rx, ry, rz) with dim = 3\n"
        "gaps and slips at the corners of the faces, for small displacements\n",
    .parameters = dls_box_pile_parameters,
    .create = create,
    .sketch = sketch,
};
