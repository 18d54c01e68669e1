/* rocking_block.c -- Housner's block: it rocks from corner to corner, q = (x, y, angle); contact 0 is its left corner.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/planar_body.h"
#include <math.h>

enum { MASS, HALF_WIDTH, HALF_HEIGHT, FRICTION, ANGLE, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [HALF_WIDTH] = DLS_NUMBER("b", "m", "half width", 0.1, 0, INFINITY, OPEN),
    [HALF_HEIGHT] = DLS_NUMBER("h", "m", "half height", 0.5, 0, INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.5, 0, INFINITY, DLS_OPEN_MAX),
    [ANGLE] = DLS_NUMBER("phi0", "rad", "initial angle, at rest; positive: on the left corner",
                         0.09869777992494066, -1.5707963267948966, 1.5707963267948966, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double b = p[HALF_WIDTH], h = p[HALF_HEIGHT];
  const dls_planar_body block = {.m = p[MASS],
                                 .J = p[MASS] * (b * b + h * h) / 3,
                                 .gravity = p[GRAVITY],
                                 .mu = p[FRICTION],
                                 .size = hypot(b, h),
                                 .corners = 2,
                                 .at = {{-b, -h}, {b, -h}}};
  return dls_planar_body_create(self->name, &block, p[ANGLE], out, err);
}

/* A point of the body in space axes, y upward from the floor. */
static void turn(const double *q, const double o[2], double *x, double *y)
{
  *x = q[0] + cos(q[2]) * o[0] - sin(q[2]) * o[1];
  *y = q[1] + sin(q[2]) * o[0] + cos(q[2]) * o[1];
}

static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double b = p[HALF_WIDTH], h = p[HALF_HEIGHT];
  const double corners[5][2] = {{-b, -h}, {b, -h}, {b, h}, {-b, h}, {-b, -h}};
  double x[5], y[5];
  dls_sketch_between(out, DLS_SHAPE_WALL, -b - h, 0, b + h, 0);
  for (int i = 0; i < 5; i++) {
    turn(q, corners[i], &x[i], &y[i]);
    if (i > 0) {
      dls_sketch_between(out, DLS_SHAPE_LINE, x[i - 1], y[i - 1], x[i], y[i]);
    }
  }
  dls_sketch_touch(out, x[0], y[0], 0, 1);
  dls_sketch_touch(out, x[1], y[1], 0, 1);
}

const dls_model dls_model_rocking_block = {
    .name = "rocking-block",
    .summary = "Housner's block that rocks from corner to corner on a rough floor",
    .source = "G. W. Housner 1963",
    .equations =
        "J = m (b^2 + h^2)/3,  gaps y -+ b sin(phi) - h cos(phi) of the left and the right corner, e = 0\n"
        "free rocking: phi'^2 = 2 p^2 [cos(alpha - phi0) - cos(alpha - phi)], tan(alpha) = b/h,\n"
        "p^2 = 3 g / (4 sqrt(b^2 + h^2)); without slip an impact leaves the ratio 1 - 3/2 sin(alpha)^2 of "
        "phi'\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
