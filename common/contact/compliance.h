/* compliance.h -- contact that yields: damping and restitution coefficient of one mass.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_COMPLIANCE_H
#define DELASSUS_CONTACT_COMPLIANCE_H

#include <stdbool.h>

/**
 * Damping ratio zeta = c/(2 sqrt(k m)) of Kelvin-Voigt contact; of MuJoCo's with constant impedance, `dampratio`.
 * @param[in] e        restitution coefficient, in (0, 1]
 * @param[in] tension  the contact lasts until the gap opens, although it pulls in the end; else until the force ends
 */
double dls_kelvin_voigt_ratio(double e, bool tension);
/** Inverse of dls_kelvin_voigt_ratio. @param[in] zeta  >= 0; < 1 with tension */
double dls_kelvin_voigt_restitution(double zeta, bool tension);
/** lambda |u-| of Hunt-Crossley contact, f = k d^n (1 + lambda d'), for e in (0, 1]. */
double dls_hunt_crossley_ratio(double e);
/** Inverse of dls_hunt_crossley_ratio. @param[in] x  lambda |u-| >= 0 */
double dls_hunt_crossley_restitution(double x);

#endif
