/* block_column.c -- separate columns of boxes side by side.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/box_pile.h"

static size_t count(const dls_box_pile *pile, size_t row)
{
  (void)row;
  return pile->columns;
}

static void box(const dls_box_pile *pile, size_t row, size_t k, double *left, double *right)
{
  static const double apart = 1.5;
  (void)pile, (void)row;
  *left = apart * (double)k;
  *right = *left + 1;
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

const dls_model dls_model_block_column = {
    .name = "block-column",
    .summary = "columns of boxes on their corners, with friction; redundant contacts, any size",
    .source = "standard benchmark of contact solvers; a face of row i carries (rows - i) m g at rest",
    .equations =
        "M v' = F + H r,  q = (x, y, angle) of each box from rest, or (x, y, z, rx, ry, rz) with dim = 3\n"
        "gaps and slips at the corners of the faces, for small displacements\n",
    .parameters = dls_box_pile_parameters,
    .create = create,
    .sketch = sketch,
};
