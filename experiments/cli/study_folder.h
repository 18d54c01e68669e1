/* experiments/cli/study_folder.h -- the folder of --out, for the commands that write several files.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_CLI_STUDY_FOLDER_H
#define DELASSUS_EXPERIMENTS_CLI_STUDY_FOLDER_H

#include "experiments/cli/cli.h"
#include "experiments/request/request.h"

enum { DLS_CLI_PATH_SIZE = 4096 };

typedef struct dls_cli_folder {
  const char *path, *format; /* NULL: no files, no pictures */
  dls_picture_form form;
  bool made; /* it was not there before */
} dls_cli_folder;

/**
 * Make the folder, and find out everything that could prevent the results from being written before they are computed.
 * @param[in] picture  name of a picture that will be drawn, without ending; NULL: there is none
 * @param[in] file     name of a file that will be written
 * @return DLS_ERR_ARG; DLS_ERR_IO without gnuplot
 */
dls_status dls_cli_folder_open(const dls_request *request, const char *picture, const char *file,
                               dls_cli_folder *out, dls_error *err);
/* Remove the folder if it was made and is empty: no trace is left of what was not computed. */
void dls_cli_folder_drop(const dls_cli_folder *folder);
/* Path of a file; path[DLS_CLI_PATH_SIZE]. @return DLS_ERR_ARG if it is too long */
dls_status dls_cli_folder_file(const dls_cli_folder *folder, const char *name, char *path, dls_error *err);
/* Begin to write a file. */
dls_status dls_cli_folder_output(const dls_cli_folder *folder, const char *name, struct dls_output **out,
                                 dls_error *err);
/* The same as dls_cli_folder_file for a picture, whose name is given without ending. */
dls_status dls_cli_folder_picture(const dls_cli_folder *folder, const char *name, char *path, dls_error *err);

#endif
