/* two_ball_oscillator.c -- two equal balls on a vertical line with a spring between them, over a floor.
 *   m q1'' = -m g + k (q2 - q1 - l) + lambda,   m q2'' = -m g - k (q2 - q1 - l),   gap q1 - R
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MASS, STIFFNESS, REST_LENGTH, GRAVITY, RADIUS, RESTITUTION, Q1, Q2, V1, V2 };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass of each ball", 1, 0, DBL_MAX, DLS_OPEN_MIN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "spring stiffness", 1e3, 0, DBL_MAX, 0),
    [REST_LENGTH] =
        DLS_NUMBER("l", "m", "distance of the centres at which the spring is unstressed", 1, 0, DBL_MAX, 0),
    [GRAVITY] = DLS_NUMBER("g", "m/s^2", "gravity, downward", 9.81, 0, DBL_MAX, 0),
    [RADIUS] = DLS_NUMBER("R", "m", "radius of the lower ball", 0, 0, DBL_MAX, 0),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.9, 0, 1, 0),
    [Q1] = DLS_NUMBER("q1", "m", "initial height of the lower centre, at least R", 1, -DBL_MAX, DBL_MAX, 0),
    [Q2] = DLS_NUMBER("q2", "m", "initial height of the upper centre", 2, -DBL_MAX, DBL_MAX, 0),
    [V1] = DLS_NUMBER("v1", "m/s", "initial velocity of the lower ball, upward", 0, -DBL_MAX, DBL_MAX, 0),
    [V2] = DLS_NUMBER("v2", "m/s", "initial velocity of the upper ball, upward", 0, -DBL_MAX, DBL_MAX, 0),
    {0},
};

/* data: F_ext = (-m g - k l, -m g + k l), weight and the spring's force at q = 0 */
static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, sys->data, 2 * sizeof *F);
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  static const char name[] = "contact 0 (floor and lower ball)";
  (void)sys, (void)alpha;
  if (size > 0) {
    text[0] = '\0';
    strncat(text, name, size - 1);
  }
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* Length: the largest of drop, elongation, sag m g/k and the vibration excited by the initial velocities. Velocity: the
 * largest of initial velocities, fall and vibration. The period of the vibration is not the time scale: with a stiff spring
 * the velocity scale length/time would exceed all velocities by far. */
static void set_scales(dls_system *sys, const double *p)
{
  const double drop = p[Q1] - p[RADIUS];
  const double stretch = fabs(p[Q2] - p[Q1] - p[REST_LENGTH]);
  const double speed = fmax(fabs(p[V1]), fabs(p[V2]));
  const double omega = sqrt(2 * p[STIFFNESS] / p[MASS]);
  const double sag = omega > 0 ? fmax(2 * p[GRAVITY] / omega, speed) / omega : 0;
  const double length = fmax(fmax(drop, stretch), sag);
  const double velocity = fmax(fmax(speed, stretch * omega), sqrt(2 * p[GRAVITY] * fmax(drop, sag)));
  const double time = length / velocity;
  if (length > 0 && isfinite(length)) {
    sys->length = length;
    sys->time = time > 0 && isfinite(time) ? time : 1;
  }
}

static void fill(dls_system *sys, const double *p)
{
  const double k = p[STIFFNESS];
  double *F = sys->data;
  F[0] = -p[MASS] * p[GRAVITY] - k * p[REST_LENGTH];
  F[1] = -p[MASS] * p[GRAVITY] + k * p[REST_LENGTH];
  for (size_t i = 0; i < 2; i++) {
    dls_matrix_set(sys->M, i, i, p[MASS]);
    dls_matrix_set(sys->K, i, i, k);
    dls_matrix_set(sys->K, i, 1 - i, -k);
    sys->q0[i] = p[Q1 + i];
    sys->v0[i] = p[V1 + i];
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->w[0] = -p[RADIUS];
  sys->e[0] = p[RESTITUTION];
  set_scales(sys, p);
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "position of %s ball", i == 0 ? "lower" : "upper");
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  if (!(p[Q1] >= p[RADIUS])) {
    return dls_fail(err, DLS_ERR_ARG,
                    "model two-ball-oscillator: q1 = %g m is below the floor, must be at least R = %g m", p[Q1],
                    p[RADIUS]);
  }
  dls_system *sys = *out = dls_system_create(2, 1);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->steady_load = true;
    sys->contact_name = contact_name;
    sys->coordinate = coordinate;
    sys->release = release;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    sys->data = calloc(2, sizeof(double));
    sys->M = dls_matrix_diagonal(2);
    sys->K = dls_matrix_dense(2, 2);
    sys->H = dls_matrix_dense(2, 1);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || sys->K == NULL || sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model two-ball-oscillator: no memory");
  }
  fill(sys, p);
  return DLS_OK;
}

/* Balls of radius 0 are drawn with a radius, and raised by it. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double radius = p[RADIUS] > 0 ? p[RADIUS] : 0.06 * out->reach;
  const double low = q[0] + radius - p[RADIUS], high = q[1] + radius - p[RADIUS];
  const double width = 0.35 * out->reach;
  dls_sketch_between(out, DLS_SHAPE_WALL, -width, 0, width, 0);
  dls_sketch_between(out, DLS_SHAPE_SPRING, 0, low + radius, 0, high - radius);
  dls_sketch_ball(out, 0, low, radius);
  dls_sketch_ball(out, 0, high, radius);
  dls_sketch_touch(out, 0, low - radius, 0, 1);
}

extern const dls_model dls_model_two_ball_oscillator;
const dls_model dls_model_two_ball_oscillator = {
    .name = "two-ball-oscillator",
    .summary = "two balls on a vertical line with a spring between them, bouncing on a floor",
    .source = "Acary, lecture on nonsmooth dynamics; Chen, Acary, Virlez, Bruls 2013, section 5.2",
    .equations =
        "m q1'' = -m g + k (q2 - q1 - l) + lambda,   m q2'' = -m g - k (q2 - q1 - l)\n"
        "0 <= q1 - R _|_ lambda >= 0,  v1+ = -e v1- at an impact;  q = (q1, q2), centres\n"
        "In flight the mean height falls freely and the distance vibrates with sqrt(2 k/m); in lasting "
        "contact\n"
        "the upper ball vibrates with sqrt(k/m). Chaotic after a few impacts: compare with the exact\n"
        "solution in the first second or two only.\n"
        "The defaults are those of the lecture (start and e are this project's). The set of Chen et al.:\n"
        "  --set k=1e4 --set R=0.2 --set g=10 --set e=0.8 --set q1=1.001 --set q2=2.001\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
