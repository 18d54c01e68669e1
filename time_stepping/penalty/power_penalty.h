/* power_penalty.h -- penalty potentials U(y) = kappa |y|^(p+1)/(p+1) for y < 0, else 0: their force -U' = kappa |y|^p and its mean over a
 * step, the difference quotient -[U(y') - U(y)]/(y' - y). p = 1: the spring; 3/2: Hertz.
 * Source: Armero & Petocz 1996, eq. (3.3), where U is "of the form, e.g." with p = 1.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_POWER_PENALTY_H
#define DELASSUS_TIME_STEPPING_POWER_PENALTY_H

#include <delassus/limit.h>
#include <delassus/option.h>
#include <float.h>

typedef struct dls_power {
  double kappa, power; /* N/m^p; p >= 1 */
} dls_power;
#define DLS_POWER_OPTIONS(base)                                                                                \
  DLS_REAL_OPTION(base, dls_power, kappa, "N/m^power", "penalty stiffness", 1e6, 0, DBL_MAX, DLS_OPEN_MIN),    \
      DLS_REAL_OPTION(base, dls_power, power, "1", "exponent of the penetration in the force; 3/2: Hertz", 1,  \
                      1, 4, 0)
#define DLS_AUGMENTATION_OPTION(type)                                                                          \
  DLS_INTEGER_OPTION(                                                                                          \
      0, type, augmentations,                                                                                  \
      "of the contact forces by Uzawa's iteration in every step, each with a solution of its own", 0, 0, 1000)

double dls_power_energy(dls_power u, double y);
/** -U'(y), and -df/dy. */
double dls_power_force(dls_power u, double y, double *slope);
/** The difference quotient from y before to `next` after the step, without cancellation, and -df/dnext. */
double dls_power_pressure(dls_power u, double y, double next, double *slope);
/** The limit model of a scheme with this potential. */
void dls_power_limit(dls_power u, dls_limit_model *out);

#endif
