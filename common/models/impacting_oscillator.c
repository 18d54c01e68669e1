/* common/models/impacting_oscillator.c -- a mass on a spring and a damper with a rigid wall at the rest
 * position.
 *   m dv + (c v + k q) dt = (f + amplitude cos(omega t + phase)) dt + di,   q' = v,
 *   0 <= q _|_ di,   v+ = -e v- at an impact
 * Source: Acary, lecture, academic example 2 (there as a figure; the defaults are this
 * project's).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/momentum.h"
#include <delassus/model.h>
#include <math.h>
#include <stdlib.h>

enum { MASS, STIFFNESS, DAMPING, FORCE, AMPLITUDE, OMEGA, PHASE, RESTITUTION, Q0, V0 };
enum { OPEN = DLS_OPEN_MIN | DLS_OPEN_MAX };
static const dls_option parameters[] = {
    [MASS] = DLS_NUMBER("m", "kg", "mass", 1, 0, INFINITY, OPEN),
    [STIFFNESS] = DLS_NUMBER("k", "N/m", "spring stiffness", 1, 0, INFINITY, DLS_OPEN_MAX),
    [DAMPING] = DLS_NUMBER("c", "N s/m", "viscous damping", 0, 0, INFINITY, DLS_OPEN_MAX),
    [FORCE] =
        DLS_NUMBER("f", "N", "constant force; negative presses against the wall", 0, -INFINITY, INFINITY, OPEN),
    [AMPLITUDE] = DLS_NUMBER("amplitude", "N", "amplitude of the cosine forcing", 0, -INFINITY, INFINITY, OPEN),
    [OMEGA] = DLS_NUMBER("omega", "rad/s", "angular frequency of the forcing", 1, 0, INFINITY, DLS_OPEN_MAX),
    [PHASE] = DLS_NUMBER("phase", "rad", "phase of the forcing at t = 0", 0, -INFINITY, INFINITY, OPEN),
    [RESTITUTION] = DLS_NUMBER("e", "1", "restitution coefficient", 0.5, 0, 1, 0),
    [Q0] = DLS_NUMBER("q0", "m", "initial distance from the wall", 1, 0, INFINITY, DLS_OPEN_MAX),
    [V0] = DLS_NUMBER("v0", "m/s", "initial velocity, away from the wall", 0, -INFINITY, INFINITY, OPEN),
    {0},
};

typedef struct forcing {
  double constant, amplitude, omega, phase;
} forcing;

static void load(const dls_system *sys, double t, double *F)
{
  const forcing *force = sys->data;
  F[0] = force->constant + force->amplitude * cos(force->omega * t + force->phase);
}

static void load_rate(const dls_system *sys, double t, double *dF)
{
  const forcing *force = sys->data;
  dF[0] = -force->amplitude * force->omega * sin(force->omega * t + force->phase);
}

static bool by_parameter(const dls_system *sys, const char *name, dls_by_parameter *out)
{
  const forcing *force = sys->data;
  const double angle = force->omega * out->t + force->phase;
  const int which = dls_option_find(parameters, name);
  out->Ma[0] += which == MASS ? out->a[0] : 0;
  out->F[0] += which == STIFFNESS   ? -out->q[0]
               : which == DAMPING   ? -out->v[0]
               : which == FORCE     ? 1
               : which == AMPLITUDE ? cos(angle)
               : which == OMEGA     ? -force->amplitude * out->t * sin(angle)
               : which == PHASE     ? -force->amplitude * sin(angle)
                                    : 0;
  return which >= 0;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* Time: the faster of spring and forcing, or the fall time. Length: the extent of the motion from the data. */
static void set_scales(dls_system *sys, const double *p)
{
  const double frequency = sqrt(p[STIFFNESS] / p[MASS]), speed = fabs(p[V0]);
  const double acceleration = (fabs(p[FORCE]) + fabs(p[AMPLITUDE])) / p[MASS];
  const double fastest = fmax(frequency, p[AMPLITUDE] != 0 ? p[OMEGA] : 0);
  double length = p[Q0];
  if (fastest > 0) {
    length = fmax(length, fmax(speed, fabs(p[AMPLITUDE]) / p[MASS] / fastest) / fastest);
    length = length > 0 ? length : acceleration / (fastest * fastest);
  } else if (acceleration > 0) {
    length += 0.5 * speed * speed / acceleration;
  }
  sys->length = length > 0 && isfinite(length) ? length : 1;
  sys->time = fastest > 0 ? 1 / fastest : acceleration > 0 ? sqrt(2 * sys->length / acceleration) : 1;
  if (!(sys->time > 0 && isfinite(sys->time))) {
    sys->time = 1;
  }
}

static dls_status fill(dls_system *sys, const double *p, dls_error *err)
{
  sys->linear = true;
  sys->M = dls_matrix_diagonal(1);
  sys->K = dls_matrix_diagonal(1);
  sys->C = dls_matrix_diagonal(1);
  sys->H = dls_matrix_diagonal(1);
  forcing *force = malloc(sizeof *force);
  sys->data = force;
  sys->release = release;
  sys->momenta = 1;
  sys->momentum = dls_momentum_line;
  if (!sys->M || !sys->K || !sys->C || !sys->H || !force) {
    return dls_fail(err, DLS_ERR_MEMORY, "impacting-oscillator: out of memory");
  }
  *force = (forcing){p[FORCE], p[AMPLITUDE], p[OMEGA], p[PHASE]};
  sys->load = load;
  sys->by_parameter = by_parameter;
  sys->steady_load = p[AMPLITUDE] == 0;
  sys->load_rate = p[AMPLITUDE] != 0 ? load_rate : NULL;
  dls_system_declare_harmonic(sys, p[AMPLITUDE], p[OMEGA]);
  sys->q0[0] = p[Q0];
  sys->v0[0] = p[V0];
  sys->e[0] = p[RESTITUTION];
  set_scales(sys, p);
  dls_matrix_set(sys->M, 0, 0, p[MASS]);
  dls_matrix_set(sys->K, 0, 0, p[STIFFNESS]);
  dls_matrix_set(sys->C, 0, 0, p[DAMPING]);
  dls_matrix_set(sys->H, 0, 0, 1);
  return DLS_OK;
}

static dls_status check(const double *p, dls_error *err)
{
  if (!(p[MASS] > 0)) {
    return dls_fail(err, DLS_ERR_ARG, "impacting-oscillator: m = %g kg, must be positive", p[MASS]);
  }
  if (!(p[STIFFNESS] >= 0) || !(p[DAMPING] >= 0)) {
    return dls_fail(err, DLS_ERR_ARG, "impacting-oscillator: k = %g N/m, c = %g N s/m, must both be >= 0",
                    p[STIFFNESS], p[DAMPING]);
  }
  if (!(p[Q0] >= 0)) {
    return dls_fail(err, DLS_ERR_ARG,
                    "impacting-oscillator: q0 = %g m starts behind the wall at q = 0, must be >= 0", p[Q0]);
  }
  return DLS_OK;
}

static dls_status create(const dls_model *self, const double *p, dls_system **out, dls_error *err)
{
  (void)self;
  dls_status status = check(p, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_system *sys = dls_system_create(1, 1);
  status = sys ? fill(sys, p, err) : dls_fail(err, DLS_ERR_MEMORY, "impacting-oscillator: out of memory");
  if (status != DLS_OK) {
    dls_system_destroy(sys);
    return status;
  }
  *out = sys;
  return DLS_OK;
}

/* From left to right: wall, mass, spring and its fixed end. The spring is unstressed where the mass touches the wall. */
static void sketch(const double *p, const double *q, dls_sketch *out)
{
  const double radius = 0.08 * out->reach, height = 0.25 * out->reach, end = 1.8 * out->reach;
  (void)p;
  dls_sketch_between(out, DLS_SHAPE_WALL, 0, height, 0, -height);
  dls_sketch_between(out, DLS_SHAPE_WALL, end, -height, end, height);
  dls_sketch_between(out, DLS_SHAPE_SPRING, q[0] + 2 * radius, 0, end, 0);
  dls_sketch_ball(out, q[0] + radius, 0, radius);
  dls_sketch_touch(out, q[0], 0, 1, 0);
}

extern const dls_model dls_model_impacting_oscillator;
const dls_model dls_model_impacting_oscillator = {
    .name = "impacting-oscillator",
    .summary =
        "mass on a spring and a damper with a rigid wall at the rest position, constant and cosine force",
    .source = "Acary, lecture on nonsmooth dynamics, academic example 2; data of this project",
    .equations = "m q'' + c q' + k q = f + amplitude cos(omega t + phase) + lambda\n"
                 "0 <= q _|_ lambda >= 0,  v+ = -e v- at an impact (gap g = q)\n"
                 "Defaults: impacts at t = (n - 1/2) pi, q = e^n |cos t| with n = floor(t/pi + 1/2).\n",
    .parameters = parameters,
    .create = create,
    .sketch = sketch,
};
