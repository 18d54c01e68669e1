/* experiments/campaign/output_files.h -- files that are written whole or not at all by others than dls_output: the journal, and pictures of other programs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_OUTPUT_FILES_H
#define DELASSUS_EXPERIMENTS_OUTPUT_FILES_H

#include <delassus/output.h>

/** How names of temporary files begin and end, so that the files of a killed process are recognised. */
#define DLS_OUTPUT_TEMPORARY_BEGIN ".delassus-"
#define DLS_OUTPUT_TEMPORARY_END ".part"

/** @return DLS_ERR_ARG if a name has control characters, which could be commands to a program that reads names. */
dls_status dls_output_name(const char *path, dls_error *err);
/**
 * A new file in the folder of another; its name does not grow with the other's.
 * @param[out] name  to be freed
 * @return its descriptor; -1 with errno, and *name is NULL
 */
int dls_output_temporary(const char *beside, char **name);
/** Put a file that another program wrote in place: on the disk, then under its name. @return DLS_ERR_IO */
dls_status dls_output_put(const char *from, const char *to, dls_error *err);
/** Check that a folder for results contains only regular files and folders; a link could redirect writes to another place.
 * @return DLS_ERR_ARG with the name of any other entry; DLS_ERR_IO if the folder or an entry cannot be read */
dls_status dls_output_check_folder(const char *path, dls_error *err);
/** As dls_output_commit, where there is no file of that name yet. @return DLS_ERR_ARG if there is one by now; DLS_ERR_IO */
dls_status dls_output_commit_new(dls_output *out, dls_error *err);

#endif
