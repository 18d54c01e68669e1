/* hurdle_pendulum.h -- shared by the models of the pendulum with a hurdle: parameters, names, picture. The angle is
 * measured from the horizontal, downward: x = l cos(angle), y = -l sin(angle); the hurdle is at x = hurdle.
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

/**
 * A system of n coordinates with r joint equations, with scales, restitution, name of the contact and parameters in
 * sys->data. M and H are allocated; with joints also G and geometric (diagonal), without them K (diagonal).
 * @return DLS_ERR_ARG if there is no gap at the start
 */
dls_status dls_hurdle_pendulum_create(const dls_model *self, const double *p, size_t n, size_t r,
                                      dls_system **out, dls_error *err);
/** With the tip at (x, y). */
void dls_hurdle_pendulum_sketch(const double *p, double x, double y, dls_sketch *out);

#endif
