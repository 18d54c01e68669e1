/* moving_support.c -- a mass over a support with prescribed motion.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/moving_support.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdlib.h>

double dls_moving_support_at(const dls_moving_support *s, double t, int order)
{
  const double angle = s->omega * t + s->phase, A = s->amplitude, w = s->omega;
  return order == 0 ? s->mean + A * cos(angle) : order == 1 ? -A * w * sin(angle) : -A * w * w * cos(angle);
}

/* The gap is q - h(t), so its partial derivative by t is -h'. */
static void gap_motion(const dls_system *sys, double t, int order, double *s)
{
  s[0] = -dls_moving_support_at(sys->data, t, order);
}

static void load(const dls_system *sys, double t, double *F)
{
  const dls_moving_support *s = sys->data;
  (void)t;
  F[0] = -s->force;
}

static void release(dls_system *sys)
{
  free(sys->data);
}

/* Time: the faster of support motion and spring. Length: amplitude of the support and initial data. */
static void fill(dls_system *sys, const dls_moving_support *s)
{
  const double frequency = fmax(s->omega, sqrt(s->stiffness / s->mass));
  *(dls_moving_support *)sys->data = *s;
  dls_matrix_set(sys->M, 0, 0, s->mass);
  dls_matrix_set(sys->H, 0, 0, 1);
  if (sys->K != NULL) {
    dls_matrix_set(sys->K, 0, 0, s->stiffness);
  }
  dls_system_declare_harmonic(sys, s->amplitude, s->omega);
  sys->e[0] = s->e;
  sys->q0[0] = s->q0;
  sys->v0[0] = s->v0;
  sys->time = 1 / frequency;
  const double fall = s->q0 - dls_moving_support_at(s, 0, 0),
               swing = fabs(s->force) / s->mass / pow(frequency, 2);
  sys->length = fmax(fmax(fabs(s->amplitude), fall), fmax(fabs(s->v0) / frequency, swing));
}

dls_status dls_moving_support_create(const char *name, const dls_moving_support *what, dls_system **out,
                                     dls_error *err)
{
  const double support = dls_moving_support_at(what, 0, 0);
  if (!(what->q0 >= support)) {
    return dls_fail(err, DLS_ERR_OPTION, "model %s: the mass starts at q = %g m, below its support at %g m",
                    name, what->q0, support);
  }
  dls_system *sys = *out = dls_system_create(1, 1);
  if (sys != NULL) {
    sys->linear = true;
    sys->load = load;
    sys->steady_load = true;
    sys->gap_motion = gap_motion;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    sys->release = release;
    sys->data = malloc(sizeof *what);
    sys->M = dls_matrix_diagonal(1);
    sys->K = what->stiffness > 0 ? dls_matrix_diagonal(1) : NULL;
    sys->H = dls_matrix_dense(1, 1);
  }
  if (sys == NULL || sys->data == NULL || sys->M == NULL || (what->stiffness > 0 && sys->K == NULL) ||
      sys->H == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory", name);
  }
  fill(sys, what);
  return DLS_OK;
}
