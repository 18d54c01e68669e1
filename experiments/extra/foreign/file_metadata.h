/* experiments/extra/foreign/file_metadata.h -- the metadata of a trajectory file.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FILE_METADATA_H
#define DELASSUS_EXPERIMENTS_FILE_METADATA_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

/**
 * Every line "# key: value" before the header of a file, in order. @param[in] take  receives key and value; false stops
 * @return DLS_OK; DLS_ERR_ARG for a file that cannot be read twice, such as a pipe; DLS_ERR_IO
 */
dls_status dls_file_metadata_each(const char *path,
                                  bool (*take)(void *data, const char *key, const char *value), void *data,
                                  dls_error *err);

/**
 * The value of the first line "# key: value" before the header of a file.
 * @param[out] value  cut off after size - 1 characters
 * @param[out] found  there is one
 * @return DLS_OK; DLS_ERR_ARG for a file that cannot be read twice, such as a pipe; DLS_ERR_IO
 */
dls_status dls_file_metadata(const char *path, const char *key, char *value, size_t size, bool *found,
                             dls_error *err);

#endif
