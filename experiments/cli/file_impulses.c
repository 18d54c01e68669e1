/* file_impulses.c -- see file_impulses.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/file_impulses.h"
#include "experiments/extra/foreign/file_metadata.h"

dls_status dls_cli_file_impulses(const char *path, const dls_catalogue *catalogue, dls_trajectory *traj,
                                 dls_error *err)
{
  char name[80];
  bool says = false;
  const dls_status status = dls_file_metadata(path, "scheme", name, sizeof name, &says, err);
  const dls_scheme *scheme = status == DLS_OK && says ? dls_catalogue_scheme(catalogue, name, NULL) : NULL;
  traj->step_impulses = scheme != NULL && scheme->stepping == DLS_BY_STEP;
  return status;
}
