/* law_parameters.h -- a model for derivatives: coefficients of a law that was chosen and entries of matrices are parameters too.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LAW_PARAMETERS_H
#define DELASSUS_EXPERIMENTS_LAW_PARAMETERS_H

#include <delassus/choice.h>

/**
 * The same model: the coefficients given with its law ("poisson:e=0.6") come first among the parameters, and take
 * precedence over those of the model with the same name. Entries among the names, "K[2,3]", come last. Without both it is a copy.
 * @param[in]  parameters  one value each; NULL: the defaults
 * @param[out] out         to be released before the model is, also after a failure
 * @return DLS_OK; DLS_ERR_OPTION if the system has no such entry; DLS_ERR_MEMORY; as dls_model_create
 */
dls_status dls_named_parameters(const dls_model *model, const double *parameters, size_t count,
                                const char *const *names, dls_model_choice *out, dls_error *err);

#endif
