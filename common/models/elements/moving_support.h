/* moving_support.h -- a mass, with or without a spring, over a support with the motion h(t) = mean + amplitude cos(omega
 * t + phase).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_MOVING_SUPPORT_H
#define DELASSUS_MODELS_ELEMENTS_MOVING_SUPPORT_H

#include <delassus/model.h>

typedef struct dls_moving_support {
  double mass, stiffness, force; /* m q'' + k q = -force + di */
  double mean, amplitude, omega, phase;
  double e, q0, v0;
} dls_moving_support;

/** The derivative of h of the given order (0, 1 or 2) at t. */
double dls_moving_support_at(const dls_moving_support *s, double t, int order);

/** n = 1, gap q - h(t). @return DLS_OK; DLS_ERR_OPTION if the mass starts below the support; DLS_ERR_MEMORY */
dls_status dls_moving_support_create(const char *name, const dls_moving_support *what, dls_system **out,
                                     dls_error *err);

#endif
