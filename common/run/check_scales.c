/* check_scales.c -- the end of a run whose scales of length and time are far from its motion.
 *
 * Tolerances refer to sys->length and sys->time. Far below these scales schemes count motion and contact forces as zero: contacts may then pull, or
 * stay closed or open although they should not. The forces are compared as accelerations lambda W_jj, W_jj = sum_i H_ij^2/M_ii.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/checks.h"
#include <delassus/matrix.h>
#include <delassus/trajectory.h>
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double rounding = 64 * DBL_EPSILON; /* of the scale of accelerations */

static double weight(const dls_system *sys, size_t j)
{
  double sum = 0;
  for (size_t i = 0; i < sys->n; i++) {
    const double h = dls_matrix_get(sys->H, i, j);
    sum += h != 0 ? h * h / dls_matrix_get(sys->M, i, i) : 0;
  }
  return sum;
}

/* Of the last node, relative to the scales. */
static double size_at_end(const dls_sim *sim)
{
  const dls_system *sys = sim->sys;
  const double length = sys->length, time = sys->time;
  double most = 0;
  for (size_t i = 0; i < sys->n; i++) {
    const double speed = fmax(fabs(sim->v[i]), fabs(sys->v0[i]));
    most = fmax(most, fmax(fabs(sim->q[i] - sys->q0[i]), speed * time) / length);
  }
  for (size_t j = 0; j < sys->m && most < dls_checks_limit(DLS_WARN_SCALES); j++) {
    most = fmax(most, weight(sys, j) * fmax(fabs(sim->lambda[j]) * time, fabs(sim->p[j])) * time / length);
  }
  return most;
}

/* What turns a recorded column into its size relative to the scales; 0: it is none of motion and contact forces. q: less q0, `at`. */
static double unit_of(const dls_system *sys, const char *name, double *at)
{
  const bool force = strncmp(name, "lambda", 6) == 0;
  char *end = NULL;
  const size_t i = strtoul(name + (force ? 6 : 1), &end, 10);
  *at = 0;
  if (*end != '\0' || i >= (force || *name == 'p' ? sys->m : sys->n)) {
    return 0;
  }
  *at = *name == 'q' ? sys->q0[i] : 0;
  return *name == 'q'   ? 1 / sys->length
         : *name == 'v' ? sys->time / sys->length
         : force        ? weight(sys, i) * sys->time * sys->time / sys->length
         : *name == 'p' ? weight(sys, i) * sys->time / sys->length
                        : 0;
}

/* The same of the recorded nodes. */
static double size_of_record(const dls_sim *sim)
{
  const dls_trajectory *record = sim->record;
  double most = 0, at = 0;
  for (size_t c = 1; c < record->columns; c++) {
    const double unit = unit_of(sim->sys, record->names[c], &at);
    for (size_t row = 0; unit > 0 && row < record->rows; row++) {
      most = fmax(most, unit * fabs(dls_trajectory_at(record, row, c) - at));
    }
  }
  return most;
}

bool dls_checks_scales(const dls_sim *sim, double *size)
{
  const dls_system *sys = sim->sys;
  *size = 0;
  if (!sys->linear || sys->m == 0 || sim->record == NULL) {
    return false;
  }
  *size = size_at_end(sim);
  *size = *size < dls_checks_limit(DLS_WARN_SCALES) ? fmax(*size, size_of_record(sim)) : *size;
  return *size > 0 && *size < dls_checks_limit(DLS_WARN_SCALES);
}

bool dls_checks_pulls(const dls_sim *sim, size_t j)
{
  const dls_system *sys = sim->sys;
  if (!(sim->lambda[j] < 0) || sim->record == NULL || !sys->linear ||
      -sim->lambda[j] * weight(sys, j) * sys->time * sys->time < rounding * sys->length) {
    return false;
  }
  char name[32];
  snprintf(name, sizeof name, "lambda%zu", j);
  const int c = dls_trajectory_column(sim->record, name);
  double most = 0;
  for (size_t row = 0; c > 0 && row < sim->record->rows; row++) {
    most = fmax(most, fabs(dls_trajectory_at(sim->record, row, (size_t)c)));
  }
  return c > 0 && -sim->lambda[j] > dls_checks_limit(DLS_WARN_PULL) * most;
}
