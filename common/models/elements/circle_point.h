/* circle_point.h -- a mass point under gravity inside a vertical circle, q = (x, y) from its centre: the models rope and
 * rough-bowl.  F = (0, -m g),  V = m g y,  g_0 = R - |q|,  H = -q/|q|,  (d/dt H) . v = -v_t^2/|q|
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_CIRCLE_POINT_H
#define DELASSUS_MODELS_ELEMENTS_CIRCLE_POINT_H

#include <delassus/model.h>

typedef struct dls_circle_point {
  double m, R, g; /* kg, m, m/s^2 */
} dls_circle_point;

/** The system without its initial data and restitution; T has room if friction. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_circle_point_create(const dls_model *self, const dls_circle_point *what, bool friction,
                                   dls_system **out, dls_error *err);
/** The unit vector outward and the distance; any vector at the centre, where there is no contact. */
void dls_circle_outward(const double *q, double *r, double e[2]);

#endif
