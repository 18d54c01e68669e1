/* sphere.c -- a homogeneous sphere on the plane z = 0, q = (x, y, z, three angles with q' = angular velocity).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/slider.h"
#include "common/system/momentum.h"
#include <math.h>
#include <string.h>

enum { MASS, RADIUS, FRICTION, VX, VY, WX, WY, WZ, GRAVITY };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [RADIUS] = DLS_NUMBER("R", "m", "radius", 0.1, 0, INFINITY, OPEN),
    [FRICTION] = DLS_NUMBER("mu", "1", "coefficient of friction", 0.2, 0, INFINITY, DLS_OPEN_MAX),
    [VX] = DLS_NUMBER("vx", "m/s", "initial velocity along x", 1, -INFINITY, INFINITY, OPEN),
    [VY] = DLS_NUMBER("vy", "m/s", "initial velocity along y", 0.5, -INFINITY, INFINITY, OPEN),
    [WX] = DLS_NUMBER("wx", "rad/s", "initial angular velocity around x", 30, -INFINITY, INFINITY, OPEN),
    [WY] = DLS_NUMBER("wy", "rad/s", "initial angular velocity around y", 20, -INFINITY, INFINITY, OPEN),
    [WZ] = DLS_NUMBER("wz", "rad/s", "initial angular velocity around z", 5, -INFINITY, INFINITY, OPEN),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "acceleration of gravity", 9.81, 0, INFINITY, OPEN),
    {0},
};

static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  (void)t, (void)v;
  memset(p, 0, sys->n * sizeof *p);
  dls_momentum_body(3, q, Mv, p);
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  const double m = p[MASS], R = p[RADIUS], J = 0.4 * m * R * R;
  const dls_slider_row rows[] = {{{0, 0, 1}}, {{1, 0, 0, 0, -R, 0}}, {{0, 1, 0, R, 0, 0}}};
  const dls_slider sphere = {.mass = {m, m, m, J, J, J}, .load = {0, 0, -m * p[GRAVITY]}};
  const dls_status status = dls_slider_create(self->name, 6, 1, 3, &sphere, rows, out, err);
  if (status == DLS_OK) {
    dls_system *sys = *out;
    const double speed = fmax(fmax(hypot(p[VX], p[VY]), R * hypot(p[WX], p[WY])), 1e-12);
    const double v0[] = {p[VX], p[VY], 0, p[WX], p[WY], p[WZ]};
    sys->mu[0] = p[FRICTION];
    sys->q0[2] = R;
    sys->w[0] = -R;
    sys->momenta = 6;
    sys->momentum = momentum;
    sys->coordinate = dls_sphere_coordinate;
    for (size_t i = 0; i < 6; i++) {
      sys->v0[i] = v0[i];
    }
    sys->time = speed / p[GRAVITY];
    sys->length = speed * sys->time;
  }
  return status;
}

const dls_model dls_model_sphere = {
    .name = "sphere",
    .summary = "sphere that slides, then rolls, on a plane in space",
    .source = "elementary",
    .equations = "J = 2/5 m R^2,  g = z - R,  u_T = (x' - R wy, y' + R wx)\n"
                 "the slip keeps its direction; it rolls from t = 2 |u0| / (7 mu g) with v0 - 2/7 u0\n",
    .parameters = parameters,
    .create = create,
};
