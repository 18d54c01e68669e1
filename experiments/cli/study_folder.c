/* experiments/cli/study_folder.c -- the folder of --out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/study_folder.h"

#include <delassus/output.h>
#include <delassus/plot.h>
#include <sys/stat.h>
#include <unistd.h>

dls_status dls_cli_folder_file(const dls_cli_folder *folder, const char *name, char *path, dls_error *err)
{
  if ((size_t)snprintf(path, DLS_CLI_PATH_SIZE, "%s/%s", folder->path, name) >= DLS_CLI_PATH_SIZE) {
    return dls_fail(err, DLS_ERR_ARG, "--out '%.100s...' is too long", folder->path);
  }
  return DLS_OK;
}

dls_status dls_cli_folder_output(const dls_cli_folder *folder, const char *name, dls_output **out,
                                 dls_error *err)
{
  char path[DLS_CLI_PATH_SIZE];
  const dls_status status = dls_cli_folder_file(folder, name, path, err);
  return status != DLS_OK ? status : dls_output_open(path, out, err);
}

dls_status dls_cli_folder_picture(const dls_cli_folder *folder, const char *name, char *path, dls_error *err)
{
  char file[200];
  snprintf(file, sizeof file, "%.190s.%s", name, folder->format);
  return dls_cli_folder_file(folder, file, path, err);
}

dls_status dls_cli_folder_open(const dls_request *request, const char *picture, const char *file,
                               dls_cli_folder *out, dls_error *err)
{
  *out = (dls_cli_folder){.path = request->out, .format = request->format, .form = request->form};
  if (out->path == NULL) {
    return DLS_OK;
  }
  char path[DLS_CLI_PATH_SIZE];
  if (picture != NULL && out->format != NULL &&
      (dls_cli_folder_picture(out, picture, path, err) != DLS_OK || dls_plot_check(path, err) != DLS_OK)) {
    return err->status;
  }
  struct stat info;
  const bool there = stat(out->path, &info) == 0;
  if (dls_output_folder(out->path, err) != DLS_OK) {
    return dls_cli_refuse(err);
  }
  out->made = !there;
  const dls_status status = dls_cli_folder_file(out, file, path, err);
  return status != DLS_OK ? status : dls_cli_check_output(path, err);
}

void dls_cli_folder_drop(const dls_cli_folder *folder)
{
  if (folder->made) {
    rmdir(folder->path); /* fails if something is in it */
  }
}
