/* impacting.h -- the exact impacting oscillator from numbers that are no doubles, for models that are one in other coordinates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_IMPACTING_H
#define DELASSUS_IMPACTING_H

#include <delassus/exact.h>

/* m q'' + c q' + k q = f + amplitude cos(omega t + phase), q >= 0 */
typedef struct dls_impacting {
  long double m, k, c, f, amplitude, omega, phase, q0, v0;
  double e;
} dls_impacting;

/** As create of dls_exact_impacting_oscillator, whose other calls are for what it makes. */
dls_status dls_impacting_create(const dls_impacting *of, double end, dls_exact_solution **out, dls_error *err);

#endif
