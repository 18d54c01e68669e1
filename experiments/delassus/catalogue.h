/* delassus/catalogue.h -- every model, scheme, exact solution and law by name: the built-in ones and those of plugins.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CATALOGUE_H
#define DELASSUS_CATALOGUE_H

#include <delassus/choice.h>
#include <delassus/exact.h>
#include <delassus/law.h>
#include <delassus/model.h>
#include <delassus/scheme.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The built-in entries. Each list ends with NULL. */
const dls_model *const *dls_models(void);
const dls_scheme *const *dls_schemes(void);
const dls_exact *const *dls_exacts(void);

/** @return the built-in entry, or NULL with a message that lists the names and guesses the one meant */
const dls_model *dls_model_find(const char *name, dls_error *err);
const dls_scheme *dls_scheme_find(const char *name, dls_error *err);
const dls_exact *dls_exact_find(const char *model); /* NULL if the model has none */

/* A catalogue holds the built-in entries and those of the plugins that it has loaded. Wherever one is asked for, NULL
 * stands for the built-in entries alone. Once its plugins are loaded it is only read: runs and threads may share it. It
 * must outlive everything made from its entries, whose code is gone with it. */
typedef struct dls_catalogue dls_catalogue;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_catalogue_create(dls_catalogue **out, dls_error *err);
/**
 * Add the entries of a plugin (delassus/plugin.h), all or none.
 * @param[in] path  of a shared object; without a slash it is one in the current folder
 * @return DLS_OK; DLS_ERR_ARG with path and reason: it cannot be loaded, is no plugin, was built for another version of
 *         the interface (both numbers are named), is incomplete, or has a name that is taken; DLS_ERR_MEMORY
 */
dls_status dls_catalogue_load(dls_catalogue *catalogue, const char *path, dls_error *err);
struct dls_plugin;
/**
 * Add entries of the calling program, as if they were those of a plugin, all or none.
 * @param[in] plugin   with a name; need not outlive the call, but its entries must outlive the catalogue
 * @param[in] release  called with data when the catalogue is destroyed; may be NULL. Not called on failure
 * @return as dls_catalogue_load
 */
dls_status dls_catalogue_add(dls_catalogue *catalogue, const struct dls_plugin *plugin,
                             void (*release)(void *data), void *data, dls_error *err);
/** The plugins loaded, in order: name, version, file and a hash of its contents, for the provenance of results. */
size_t dls_catalogue_plugin_count(const dls_catalogue *catalogue);
const char *dls_catalogue_plugin(const dls_catalogue *catalogue, size_t index);
void dls_catalogue_destroy(dls_catalogue *catalogue); /* unloads the plugins; NULL is fine */

const dls_model *const *dls_catalogue_models(const dls_catalogue *catalogue);
const dls_scheme *const *dls_catalogue_schemes(const dls_catalogue *catalogue);
const dls_exact *const *dls_catalogue_exacts(const dls_catalogue *catalogue);
const dls_law *const *dls_catalogue_laws(const dls_catalogue *catalogue);
const dls_model *dls_catalogue_model(const dls_catalogue *catalogue, const char *name, dls_error *err);
const dls_scheme *dls_catalogue_scheme(const dls_catalogue *catalogue, const char *name, dls_error *err);
const dls_exact *dls_catalogue_exact(const dls_catalogue *catalogue, const char *model);
/** As dls_scheme_choose, which reads a choice among the built-in schemes. */
dls_status dls_catalogue_choose(const dls_catalogue *catalogue, const char *text, dls_scheme_choice *out,
                                dls_error *err);

/** As dls_law_choose, from a text. @param[in] what  what a message begins with; @param[in] text  "fremond", "fremond:mu=0.3"
 * @return as dls_law_choose; DLS_ERR_OPTION if there is no such law */
dls_status dls_catalogue_choose_law(const dls_catalogue *catalogue, const char *what, const char *text,
                                    dls_model_choice *choice, dls_error *err);

#ifdef __cplusplus
}
#endif

#endif
