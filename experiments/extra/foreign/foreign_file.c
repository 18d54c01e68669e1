/* experiments/extra/foreign/foreign_file.c -- reads trajectories of any program.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/foreign/foreign_file.h"
#include "common/base/text.h"
#include "experiments/extra/foreign/file_metadata.h"
#include <stdlib.h>
#include <string.h>

/* A file may end early by this many of its steps. */
static const double short_of_end = 1.5;

dls_status dls_foreign_map(size_t count, const char *const *fields, dls_pool *pool, dls_foreign_manner *manner,
                           dls_error *err)
{
  const char **ours = dls_pool_take(pool, (2 * count + 1) * sizeof *ours);
  for (size_t i = 0; i < count && ours != NULL; i++) {
    const char *equals = strchr(fields[i], '=');
    if (equals == NULL || equals == fields[i] || equals[1] == '\0') {
      return dls_fail(err, DLS_ERR_PARSE, "--map: '%.80s' is not of the form OURS=THEIRS, such as q0=x",
                      fields[i]);
    }
    ours[i] = dls_pool_copy(pool, fields[i], (size_t)(equals - fields[i]));
    ours[count + i] = dls_pool_copy(pool, equals + 1, strlen(equals + 1));
  }
  manner->ours = ours;
  manner->theirs = ours != NULL ? ours + count : NULL;
  manner->map_count = count;
  return pool->failed ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu names of columns", count) : DLS_OK;
}

static dls_status no_column(const dls_trajectory *traj, const char *name, const char *column, dls_error *err)
{
  char list[200] = "";
  for (size_t j = 1; j < traj->columns; j++) {
    dls_text_append(list, sizeof list, "%s%s", j > 1 ? ", " : "", traj->names[j]);
  }
  return dls_fail(err, DLS_ERR_ARG, "--map: %.100s has no column '%.40s'; its columns are t, %s", name, column,
                  list);
}

static dls_status rename_columns(const dls_foreign_manner *manner, const char *file, dls_trajectory *traj,
                                 dls_error *err)
{
  for (size_t i = 0; i < manner->map_count; i++) {
    const int column = dls_trajectory_column(traj, manner->theirs[i]);
    const int taken = dls_trajectory_column(traj, manner->ours[i]);
    if (column < 1) {
      return no_column(traj, file, manner->theirs[i], err);
    }
    if (taken >= 0 && taken != column) {
      return dls_fail(err, DLS_ERR_ARG, "--map: %.100s already has a column '%.40s' besides '%.40s'", file,
                      manner->ours[i], manner->theirs[i]);
    }
    char *name = dls_text_copy(manner->ours[i]);
    if (name == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the name of a column");
    }
    free(traj->names[column]);
    traj->names[column] = name;
  }
  return DLS_OK;
}

static dls_status set_between(const dls_foreign_manner *manner, const char *path, const char *name,
                              dls_trajectory *traj, dls_error *err)
{
  char text[4];
  bool says = false;
  const dls_status status = dls_file_metadata(path, "interpolation", text, sizeof text, &says, err);
  if (status != DLS_OK || says) {
    return status;
  }
  if (!manner->between_given) {
    return dls_fail(err, DLS_ERR_ARG,
                    "%.150s does not define the interpolation between its rows: --between linear joins them by "
                    "straight lines, "
                    "--between constant keeps each value until the next row",
                    name);
  }
  for (size_t j = 1; j < traj->columns; j++) {
    traj->meaning[j] = manner->between;
  }
  return DLS_OK;
}

dls_status dls_foreign_read(const dls_foreign_manner *manner, const char *path, const char *name,
                            dls_trajectory **traj, dls_error *err)
{
  dls_status status = dls_trajectory_read(path, traj, err);
  if (status == DLS_OK) {
    status = set_between(manner, path, name, *traj, err);
  }
  return status == DLS_OK ? rename_columns(manner, name, *traj, err) : status;
}

bool dls_foreign_ends_early(const dls_trajectory *traj, double step, double end)
{
  return traj->rows == 0 || dls_trajectory_at(traj, traj->rows - 1, 0) < end - short_of_end * step;
}
