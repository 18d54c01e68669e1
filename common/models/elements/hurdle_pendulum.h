/* hurdle_pendulum.h -- what the pendulum with a hurdle has in all its coordinates: parameters, names, picture. The angle is
 * that below the horizontal, x = l cos(angle), y = -l sin(angle); the hurdle is at x = hurdle.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_HURDLE_PENDULUM_H
#define DELASSUS_MODELS_ELEMENTS_HURDLE_PENDULUM_H

#include <delassus/model.h>

enum {
  DLS_PENDULUM_MASS,
  DLS_PENDULUM_LENGTH,
  DLS_PENDULUM_GRAVITY,
  DLS_PENDULUM_HURDLE,
  DLS_PENDULUM_RESTITUTION,
  DLS_PENDULUM_ANGLE,
  DLS_PENDULUM_RATE,
  DLS_PENDULUM_COUNT
};
extern const dls_option dls_hurdle_pendulum_parameters[];

/** @return DLS_ERR_ARG if there is no gap at the start */
dls_status dls_hurdle_pendulum_check(const dls_model *self, const double *p, dls_error *err);
/** The system's scales, restitution, name of the contact and parameters, which go into sys->data. */
void dls_hurdle_pendulum_fill(dls_system *sys, const double *p);
void dls_hurdle_name(const dls_system *sys, size_t alpha, char *text, size_t size);
/** With the tip at (x, y). */
void dls_hurdle_pendulum_sketch(const double *p, double x, double y, dls_sketch *out);

#endif
