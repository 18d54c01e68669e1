/* planar_body.h -- a rigid body in the vertical plane over the floor y = 0 on which some of its corners may touch, with
 * friction; q = (x, y, angle) of its centre of mass, angles counter-clockwise.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_PLANAR_BODY_H
#define DELASSUS_MODELS_ELEMENTS_PLANAR_BODY_H

#include <delassus/model.h>

enum { DLS_PLANAR_CORNERS = 2 };

typedef struct dls_planar_body {
  double m, J;    /* mass [kg], moment of inertia at the centre of mass [kg m^2] */
  double gravity; /* downward [m/s^2] */
  double mu;      /* of every corner; e = 0 */
  double size;    /* length scale of the system [m] */
  size_t corners;
  double at[DLS_PLANAR_CORNERS][2]; /* from the centre of mass, in the frame of the body [m] */
} dls_planar_body;

/** n = 3, one contact per corner, in their order. Starts at rest, with q0 raised so that no corner is below the floor.
 * @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_planar_body_create(const char *name, const dls_planar_body *what, double angle, dls_system **out,
                                  dls_error *err);

#endif
