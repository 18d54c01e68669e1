/* fuzz_csv.c -- any bytes are a table that keeps its promises and reads back as it was after it is written, or an
 * error with a message.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "target.h"
#include <delassus/trajectory.h>
#include <math.h>
#include <string.h>

static void check_table(const dls_trajectory *traj)
{
  demand(traj->columns >= 1 && traj->rows >= 1 && traj->complete);
  for (size_t j = 0; j < traj->columns; j++) {
    demand(dls_trajectory_column(traj, traj->names[j]) == (int)j && strchr(traj->names[j], '\n') == NULL);
    demand(traj->names[j][0] != '\0' && traj->meaning[j] <= DLS_HERMITE);
  }
  demand(strcmp(traj->names[0], "t") == 0);
  for (size_t i = 0; i < traj->rows; i++) {
    demand(i == 0 || dls_trajectory_at(traj, i - 1, 0) <= dls_trajectory_at(traj, i, 0));
    for (size_t j = 0; j < traj->columns; j++) {
      demand(isfinite(dls_trajectory_at(traj, i, j)));
    }
  }
}

/* What a run notes beside the table may be anything. */
static void add_notes(dls_trajectory *traj, const uint8_t *data, size_t size)
{
  const int length = size < 300 ? (int)size : 300;
  demand(dls_trajectory_note(traj, NULL, "files", "%.*s", length, (const char *)data) == DLS_OK);
  snprintf(traj->failure, sizeof traj->failure, "%.*s", length, (const char *)data);
  traj->complete = false;
  for (size_t i = 0; i < traj->rows && i < 5; i++) {
    const double x = dls_trajectory_at(traj, i, traj->columns - 1);
    const dls_event event = {.t = dls_trajectory_at(traj, i, 0),
                             .kind = (dls_event_kind)i,
                             .contact = i,
                             .u_minus = -x,
                             .u_plus = x,
                             .impulse = x,
                             .time_end = x,
                             .bound = x,
                             .members = i,
                             .impacts = i,
                             .duration = x,
                             .bound_velocity = x,
                             .bound_time = x,
                             .slip_minus = {x, x},
                             .slip_plus = {x, -x},
                             .friction = {-x, x},
                             .work_normal = x,
                             .work_friction = x,
                             .solutions = i};
    demand(dls_trajectory_add_event(traj, &event, NULL) == DLS_OK);
  }
}

static void check_equal(const dls_trajectory *a, const dls_trajectory *b)
{
  demand(a->columns == b->columns && a->rows == b->rows);
  demand(memcmp(a->data, b->data, a->rows * a->columns * sizeof *a->data) == 0);
  for (size_t j = 0; j < a->columns; j++) {
    demand(strcmp(a->names[j], b->names[j]) == 0 && a->meaning[j] == b->meaning[j]);
  }
}

static void check_written(const dls_trajectory *traj)
{
  static FILE *file = NULL;
  char path[SCRATCH_PATH];
  dls_trajectory *read = NULL;
  scratch_write(&file, NULL, 0, path);
  demand(dls_trajectory_write(traj, file, NULL) == DLS_OK);
  demand(dls_trajectory_read(path, &read, NULL) == DLS_OK);
  check_equal(traj, read);
  dls_trajectory_destroy(read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static FILE *file = NULL;
  char path[SCRATCH_PATH];
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  scratch_write(&file, data, size, path);
  const dls_status status = dls_trajectory_read(path, &traj, &err);
  demand((status == DLS_OK) == (traj != NULL));
  demand(status == DLS_OK || (status == DLS_ERR_PARSE && strncmp(err.text, path, strlen(path)) == 0));
  if (traj != NULL) {
    check_table(traj);
    add_notes(traj, data, size);
    check_written(traj);
  }
  dls_trajectory_destroy(traj);
  return 0;
}
