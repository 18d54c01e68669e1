/* generalized_alpha.h -- options of the two generalized-alpha schemes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H
#define DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H

#include "time_stepping/newmark_step.h"

extern const dls_option dls_generalized_alpha_options[];
/** Coefficients from rho_inf or free, as the options say; @return position of the contact options by *first */
dls_newmark dls_generalized_alpha(const dls_sim *sim, size_t *first);
bool dls_generalized_alpha_requires_stability(const dls_sim *sim);

#endif
