/* block_pyramid.c -- rows of boxes, each row one box shorter than the row below.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/box_pile.h"

static size_t count(const dls_box_pile *pile, size_t row)
{
  return pile->columns - row;
}

static void box(const dls_box_pile *pile, size_t row, size_t k, double *left, double *right)
{
  (void)pile;
  *left = (double)k + 0.5 * (double)row;
  *right = *left + 1;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_box_pile pile = dls_box_pile_of(p, count, box);
  if (pile.rows > pile.columns) {
    return dls_fail(err, DLS_ERR_ARG, "%s: rows = %zu are more than columns = %zu", self->name, pile.rows,
                    pile.columns);
  }
  return dls_box_pile_create(self->name, &pile, out, err);
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const dls_box_pile pile = dls_box_pile_of(p, count, box);
  dls_box_pile_sketch(&pile, q, out);
}

const dls_model dls_model_block_pyramid = {
    .name = "block-pyramid",
    .summary = "a pyramid of boxes, one less in each row, with friction; redundant contacts, any size",
    .source = "standard benchmark of contact solvers",
    .equations =
        "M v' = F + H r,  q = (x, y, angle) of each box from rest, or (x, y, z, rx, ry, rz) with dim = 3\n"
        "gaps and slips at the corners of the faces, for small displacements\n",
    .parameters = dls_box_pile_parameters,
    .create = create,
    .sketch = sketch,
};
