/* law_parameters.h -- a model whose law was chosen, with the coefficients of the law among its parameters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LAW_PARAMETERS_H
#define DELASSUS_EXPERIMENTS_LAW_PARAMETERS_H

#include <delassus/choice.h>

/**
 * The same model, for derivatives: the coefficients given with its law ("poisson:e=0.6") come first among the parameters, and take
 * precedence over those of the model with the same name. Without such a law it is a copy.
 * @param[in]  parameters  one value each; NULL: the defaults
 * @param[out] out         to be released before the model is, also after a failure
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_law_parameters(const dls_model *model, const double *parameters, dls_model_choice *out,
                              dls_error *err);

#endif
