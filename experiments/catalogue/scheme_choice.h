/* experiments/catalogue/scheme_choice.h -- a choice with one more option.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_SCHEME_CHOICE_H
#define DELASSUS_EXPERIMENTS_SCHEME_CHOICE_H

#include <delassus/choice.h>

/** The choice with a value added to its options.
 * @param[in] option  of its scheme
 * @return as dls_scheme_choose */
dls_status dls_scheme_choice_with(const dls_scheme_choice *choice, const dls_option *option, double value,
                                  dls_scheme_choice *out, dls_error *err);

#endif
