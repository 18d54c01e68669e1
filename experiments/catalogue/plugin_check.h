/* experiments/catalogue/plugin_check.h -- is what a plugin exports complete?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLUGIN_CHECK_H
#define DELASSUS_EXPERIMENTS_PLUGIN_CHECK_H

#include <delassus/plugin.h>
#include <stdbool.h>

/** Number and sizes of the interface. @return DLS_ERR_ARG with the numbers of both sides */
dls_status dls_plugin_check_abi(const dls_plugin *plugin, const char *path, dls_error *err);
/** Every entry has a proper name, texts, tables whose defaults are allowed, callbacks. @return DLS_ERR_ARG */
dls_status dls_plugin_check_entries(const dls_plugin *plugin, const char *path, dls_error *err);

/** Is it a coefficient of contacts that a law may have as parameter: e, mu, mu_s, v_s, e_t? */
bool dls_law_knows_coefficient(const char *name);
/** Refuse a shared object whose file is shorter than its headers say: loading it would end the process.
 * @return DLS_OK, also for a file that is not a shared object; DLS_ERR_ARG */
dls_status dls_plugin_check_file(const char *path, dls_error *err);

#endif
