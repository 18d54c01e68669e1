/* delassus/sketch.h -- how a model is drawn: a few shapes in a plane as functions of q, and where its contacts act.
 * Lengths in m, y upward; the drawing is scaled to fit. The shapes of a model are the same, in the same order, for
 * every q.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SKETCH_H
#define DELASSUS_SKETCH_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum dls_shape_kind {
  DLS_SHAPE_BALL,   /* disc around (x[0], y[0]) */
  DLS_SHAPE_LINE,   /* thin, between two points */
  DLS_SHAPE_SPRING, /* zigzag between two points */
  DLS_SHAPE_WALL    /* rigid; hatched on the right of the way from the first point to the second */
} dls_shape_kind;

typedef struct dls_shape {
  dls_shape_kind kind;
  double x[2], y[2];
  double radius; /* of a ball */
} dls_shape;

/** A closed contact pushes at (x, y) in the direction (dx, dy), of length 1. */
typedef struct dls_touch_point {
  double x, y, dx, dy;
} dls_touch_point;

enum { DLS_SKETCH_SHAPES = 100, DLS_SKETCH_TOUCHES = 200 };

typedef struct dls_sketch {
  /* Set by who asks: largest |q_i| of the motion, > 0, a length scale where the model has none; and the system. */
  double reach;
  const struct dls_system *system;
  size_t shape_count, touch_count; /* a touch for each contact, in their order */
  bool full;                       /* the model has more than can be drawn */
  dls_shape shapes[DLS_SKETCH_SHAPES];
  dls_touch_point touches[DLS_SKETCH_TOUCHES];
} dls_sketch;

/* For models: add a shape, or a contact. */
void dls_sketch_ball(dls_sketch *sketch, double x, double y, double radius);
void dls_sketch_between(dls_sketch *sketch, dls_shape_kind kind, double x0, double y0, double x1, double y1);
void dls_sketch_touch(dls_sketch *sketch, double x, double y, double dx, double dy);

#ifdef __cplusplus
}
#endif

#endif
