/* entry_parameters.h -- a model for derivatives by named entries of its matrices and vectors: "K[2,3]".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENTRY_PARAMETERS_H
#define DELASSUS_EXPERIMENTS_ENTRY_PARAMETERS_H

#include <delassus/choice.h>

/**
 * Each entry among the names becomes a parameter of the chosen model, after its own, with the value that it has. Other names are not
 * looked at.
 * @return DLS_OK; DLS_ERR_OPTION if the system has no such entry; DLS_ERR_MEMORY; as dls_model_create
 */
dls_status dls_entry_parameters(size_t count, const char *const *names, dls_model_choice *choice,
                                dls_error *err);
/** Set the entries among settings "K[2,3]=5"; others are not looked at. The model then has another name. */
dls_status dls_entries_set(size_t count, const char *const *settings, const char *owner,
                           dls_model_choice *choice, dls_error *err);

#endif
