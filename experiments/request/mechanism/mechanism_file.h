/* experiments/request/mechanism/mechanism_file.h -- a mechanism described in YAML, as a model: in a file of its own, or among the keys of a
 * study. docs/reference/mechanisms.md says how it is written.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MECHANISM_FILE_H
#define DELASSUS_EXPERIMENTS_MECHANISM_FILE_H

#include "experiments/request/yaml/yaml_values.h"

#include <delassus/model.h>

enum {
  DLS_MECHANISM_GRAVITY,
  DLS_MECHANISM_BODIES,
  DLS_MECHANISM_JOINTS,
  DLS_MECHANISM_SPRINGS,
  DLS_MECHANISM_CONTACTS,
  DLS_MECHANISM_KEYS
};

/**
 * The model of a mechanism, to be released by dls_model_release.
 * @param[in] values  of its keys, NULL where they are not given; bodies must be there
 * @return NULL if something is wrong, which is told, or there is no memory, then r->pool->failed
 */
dls_model *dls_mechanism_model(dls_yaml_reader *r, const dls_yaml_node *const values[DLS_MECHANISM_KEYS]);

/**
 * The same from a text, as a file has it, which may be that of a study.
 * @param[in]  name  of the text, for messages
 * @param[out] mark  of the first thing that is wrong; 0, 0 if there is none
 * @return DLS_OK; DLS_ERR_PARSE "NAME:LINE:COLUMN: ..."; DLS_ERR_MEMORY
 */
dls_status dls_mechanism_read(const char *name, const char *text, size_t size, dls_yaml_mark *mark,
                              dls_model **out, dls_error *err);

#endif
