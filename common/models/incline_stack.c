/* incline_stack.c -- two stacked blocks on an inclined plane; q = (x1, y1, x2, y2), x uphill, y along the normal.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include <math.h>
#include <stdio.h>

enum { MASS_1, MASS_2, FRICTION_1, FRICTION_2, ALPHA, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS_1] = DLS_NUMBER("m1", "kg", "mass of the lower block", 1, 0, INFINITY, OPEN),
    [MASS_2] = DLS_NUMBER("m2", "kg", "mass of the upper block", 1, 0, INFINITY, OPEN),
    [FRICTION_1] = DLS_NUMBER("mu1", "1", "coefficient of friction between plane and lower block", 0.4, 0,
                              INFINITY, DLS_OPEN_MAX),
    [FRICTION_2] =
        DLS_NUMBER("mu2", "1", "coefficient of friction between the blocks", 0.3, 0, INFINITY, DLS_OPEN_MAX),
    [ALPHA] = DLS_NUMBER("alpha", "rad", "slope of the plane", 0.5235987755982988, 0, 1.5707963267948966,
                         DLS_OPEN_MAX),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "%c of %s block", i % 2 == 0 ? 'x' : 'y', i < 2 ? "lower" : "upper");
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const dls_slider_row rows[] = {{{0, 1, 0, 0}}, {{1, 0, 0, 0}}, {{0, -1, 0, 1}}, {{-1, 0, 1, 0}}};
  const double along = -p[GRAVITY] * sin(p[ALPHA]), normal = -p[GRAVITY] * cos(p[ALPHA]);
  const double m1 = p[MASS_1], m2 = p[MASS_2];
  const dls_slider blocks = {.mass = {m1, m1, m2, m2},
                             .load = {m1 * along, m1 * normal, m2 * along, m2 * normal}};
  const dls_status status = dls_slider_create(self->name, 4, 2, 2, &blocks, rows, out, err);
  if (status == DLS_OK) {
    (*out)->coordinate = coordinate;
    (*out)->mu[0] = p[FRICTION_1];
    (*out)->mu[1] = p[FRICTION_2];
    (*out)->length = p[GRAVITY] * (*out)->time * (*out)->time;
  }
  return status;
}

const dls_model dls_model_incline_stack = {
    .name = "incline-stack",
    .summary = "two stacked blocks on an inclined plane, with friction",
    .source = "elementary",
    .equations = "m_i x_i'' = -m_i g sin(alpha) + friction,  gaps y1 and y2 - y1\n"
                 "at rest if tan(alpha) <= both mu; together if mu1 <= mu2; else the upper one slides ahead\n",
    .parameters = parameters,
    .create = create,
};
