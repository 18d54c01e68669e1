/* delassus/plugin.h -- models, schemes, exact solutions and laws of your own, in a shared object that --plugin loads.
 *
 *   const dls_plugin dls_plugin_entry = {
 *       DLS_PLUGIN_HEAD, .name = "puck", .version = "1.0", .models = models, .schemes = schemes};
 *
 * docs/reference/plugins.md has a whole one and how to build it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_PLUGIN_H
#define DELASSUS_PLUGIN_H

#include <delassus/exact.h>
#include <delassus/law.h>
#include <delassus/model.h>
#include <delassus/option.h>
#include <delassus/scheme.h>
#include <delassus/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Number of the interface between the library and a plugin. It grows when a struct below, or what a callback may
 * rely on, changes. */
#define DLS_PLUGIN_ABI 22

/** The structs that both sides read and write. Their sizes must agree too. */
#define DLS_PLUGIN_STRUCTS(X)                                                                                  \
  X(dls_plugin)                                                                                                \
  X(dls_option)                                                                                                \
  X(dls_model)                                                                                                 \
  X(dls_scheme)                                                                                                \
  X(dls_exact)                                                                                                 \
  X(dls_exact_value)                                                                                           \
  X(dls_law)                                                                                                   \
  X(dls_system)                                                                                                \
  X(dls_sim)                                                                                                   \
  X(dls_trajectory)                                                                                            \
  X(dls_event)                                                                                                 \
  X(dls_balance)                                                                                               \
  X(dls_balance_step)                                                                                          \
  X(dls_balance_term)                                                                                          \
  X(dls_error)
#define DLS_PLUGIN_ONE(type) +1
enum { DLS_PLUGIN_STRUCT_COUNT = 0 DLS_PLUGIN_STRUCTS(DLS_PLUGIN_ONE) };

/** What a plugin exports, under the name dls_plugin_entry. */
typedef struct dls_plugin {
  unsigned abi;                          /* DLS_PLUGIN_ABI; the first field for ever */
  size_t sizes[DLS_PLUGIN_STRUCT_COUNT]; /* of the structs above */
  const char *name, *version;            /* for people */
  const dls_model *const *models;        /* these lists end with NULL; NULL for none */
  const dls_scheme *const *schemes;
  const dls_exact *const *exacts; /* of the plugin's own models or of others */
  const dls_law *const *laws;     /* of contact, for models to give to their contacts */
} dls_plugin;

/** How the initialiser of a dls_plugin begins. */
#define DLS_PLUGIN_SIZE(type) sizeof(type),
#define DLS_PLUGIN_HEAD .abi = DLS_PLUGIN_ABI, .sizes = {DLS_PLUGIN_STRUCTS(DLS_PLUGIN_SIZE)}

/** Defined by the plugin. */
extern const dls_plugin dls_plugin_entry __attribute__((visibility("default")));

#ifdef __cplusplus
}
#endif

#endif
