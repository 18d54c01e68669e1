/* analytic/exact/support/dry_oscillator.h -- one mass with a spring, a harmonic force and dry friction on a belt:
 *   m x'' + k x = P cos(omega t + phase) + r,   r in -F Sgn(x' - vb),   |r| <= Fs while x' = vb
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_DRY_OSCILLATOR_H
#define DELASSUS_DRY_OSCILLATOR_H

#include "analytic/exact/support/motion.h"

typedef struct dls_dry_oscillator {
  double m, k, P, omega, phase, F, Fs, vb, q0, v0, g;
} dls_dry_oscillator;

/** The solution of the block of that kind on the plane y = 0, q = (x, y), with all changes between stick and slip up to
 * end. Events: stick, slip, reversal. @return DLS_OK; DLS_ERR_CHATTERING; DLS_ERR_MEMORY */
dls_status dls_dry_oscillator_create(const dls_dry_oscillator *what, double end, dls_exact_solution **out,
                                     dls_error *err);

#endif
