/* analytic/exact/support/bounces.h -- a sphere that bounces with friction, then slides and rolls, in a plane.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BOUNCES_H
#define DELASSUS_BOUNCES_H

#include "analytic/exact/support/motion.h"

typedef struct dls_bounces {
  double m, R, e, e_t, mu, h, vx, w, g;
} dls_bounces;

/**
 * q = (x, z, angle) from the height h of its lowest point, J = 2/5 m R^2, slip u = x' + R w; impacts by
 * Newton-Coulomb's law with tangential restitution. @return DLS_OK; DLS_ERR_CHATTERING; DLS_ERR_MEMORY
 */
dls_status dls_bounces_create(const dls_bounces *what, double end, dls_exact_solution **out, dls_error *err);

#endif
