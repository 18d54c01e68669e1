/* generalized_alpha.h -- options of the two generalized-alpha schemes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H
#define DELASSUS_TIME_STEPPING_GENERALIZED_ALPHA_H

#include "time_stepping/newmark/newmark_step.h"

extern const dls_option dls_generalized_alpha_options[];
/** Coefficients from rho_inf or free, as the options say. */
dls_newmark dls_generalized_alpha(const double *opt);
/** Position of the first contact option. */
size_t dls_generalized_alpha_contact(void);
/** Refuse coefficients that are given but not used; then, unless stability=ignore, those that are not `good`.
 */
dls_status dls_generalized_alpha_check(const char *scheme, const double *opt, bool good, const char *claim,
                                       dls_error *err);

#endif
