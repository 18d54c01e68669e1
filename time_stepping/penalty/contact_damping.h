/* contact_damping.h -- the damping of a spring-damper contact that makes a restitution coefficient.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONTACT_DAMPING_H
#define DELASSUS_TIME_STEPPING_CONTACT_DAMPING_H

#include <stdbool.h>

/**
 * Damping ratio zeta = c/(2 sqrt(k m)) of Kelvin-Voigt contact.
 * @param[in] e        restitution coefficient, in (0, 1]
 * @param[in] tension  the contact lasts until the gap opens, although it pulls in the end; else until the force ends
 */
double dls_kelvin_voigt_ratio(double e, bool tension);
/** Inverse of dls_kelvin_voigt_damping. @param[in] zeta  >= 0; < 1 with tension */
double dls_kelvin_voigt_restitution(double zeta, bool tension);
/** lambda |u-| of Hunt-Crossley contact, f = k d^n (1 + lambda d'), for e in (0, 1]. */
double dls_hunt_crossley_ratio(double e);

#endif
