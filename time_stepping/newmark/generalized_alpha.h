/* generalized_alpha.h -- options of the two generalized-alpha schemes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H
#define DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H

#include "time_stepping/newmark/newmark_step.h"

extern const dls_option dls_generalized_alpha_options[];
/** Coefficients from rho_inf or free, as the options say. */
dls_newmark dls_generalized_alpha(const dls_newmark_options *opt);
/** Refuse coefficients that are set but not used; then as dls_newmark_check. */
dls_status dls_generalized_alpha_check(const dls_scheme *self, const void *options, dls_error *err);

#endif
