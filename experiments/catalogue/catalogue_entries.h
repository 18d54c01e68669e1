/* experiments/catalogue/catalogue_entries.h -- what a catalogue is made of.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CATALOGUE_ENTRIES_H
#define DELASSUS_EXPERIMENTS_CATALOGUE_ENTRIES_H

#include <delassus/catalogue.h>

/* Each list ends with NULL. */
typedef struct dls_entries {
  const dls_model *const *models;
  const dls_scheme *const *schemes;
  const dls_exact *const *exacts;
  const dls_law *const *laws;
} dls_entries;

extern const dls_entries dls_builtin_entries;

/* A plugin that is loaded. */
typedef struct dls_loaded {
  void *handle;
  char *label;                 /* name, version, file, hash of its contents */
  void (*release)(void *data); /* of entries that a program has added; may be NULL */
  void *data;
} dls_loaded;

struct dls_catalogue {
  dls_entries entries; /* lists that it owns */
  dls_loaded *loaded;
  size_t loaded_count;
  struct dls_external **externals; /* its own */
  size_t external_count;
};

#endif
