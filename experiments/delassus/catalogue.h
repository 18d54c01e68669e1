/* delassus/catalogue.h -- every model, scheme and exact solution by name.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CATALOGUE_H
#define DELASSUS_CATALOGUE_H

#include <delassus/exact.h>
#include <delassus/model.h>
#include <delassus/scheme.h>

const dls_model *const *dls_models(void); /* each list ends with NULL */
const dls_scheme *const *dls_schemes(void);
const dls_exact *const *dls_exacts(void);

/** @return the entry, or NULL with a message that lists the names and guesses the one meant */
const dls_model *dls_model_find(const char *name, dls_error *err);
const dls_scheme *dls_scheme_find(const char *name, dls_error *err);
const dls_exact *dls_exact_find(const char *model); /* NULL if the model has none */

#endif
