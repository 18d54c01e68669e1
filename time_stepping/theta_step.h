/* theta_step.h -- the step that the Moreau-Jean scheme and its variant share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_STEP_H
#define DELASSUS_TIME_STEPPING_THETA_STEP_H

#include <delassus/scheme.h>

extern const dls_option dls_theta_options[];

dls_status dls_theta_start(dls_sim *sim, dls_error *err);
/** One step; q' = q + h ((1 - eta) v + eta v'). */
dls_status dls_theta_advance(dls_sim *sim, double h, double eta, dls_error *err);
void dls_theta_finish(dls_sim *sim);
double dls_theta_value(const dls_sim *sim); /* the option theta */

#endif
