/* common/system/sketch.c -- shapes and contacts of a sketch, as many as there is room for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/sketch.h>

static void add(dls_sketch *sketch, const dls_shape *shape)
{
  if (sketch->shape_count == DLS_SKETCH_SHAPES) {
    sketch->full = true;
    return;
  }
  sketch->shapes[sketch->shape_count++] = *shape;
}

void dls_sketch_ball(dls_sketch *sketch, double x, double y, double radius)
{
  add(sketch, &(dls_shape){.kind = DLS_SHAPE_BALL, .x = {x, x}, .y = {y, y}, .radius = radius});
}

void dls_sketch_between(dls_sketch *sketch, dls_shape_kind kind, double x0, double y0, double x1, double y1)
{
  add(sketch, &(dls_shape){.kind = kind, .x = {x0, x1}, .y = {y0, y1}});
}

void dls_sketch_touch(dls_sketch *sketch, double x, double y, double dx, double dy)
{
  if (sketch->touch_count == DLS_SKETCH_TOUCHES) {
    sketch->full = true;
    return;
  }
  sketch->touches[sketch->touch_count++] = (dls_touch_point){x, y, dx, dy};
}
