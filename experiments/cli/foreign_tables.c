/* experiments/cli/foreign_tables.c -- tables of other programs on the command line: --map, --between, and what was assumed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/foreign_tables.h"
#include <stdlib.h>
#include <string.h>

dls_status dls_cli_read_manner(const dls_cli_args *args, dls_pool *pool, dls_foreign_manner *manner,
                               dls_error *err)
{
  static const char *const choices[] = {"linear", "constant"};
  static const dls_meaning meanings[] = {DLS_LINEAR, DLS_CONSTANT};
  const char *map = dls_cli_value(args, "map");
  char **fields = NULL;
  size_t count = 0, choice = 0;
  const bool good = (map == NULL || dls_cli_split("--map", map, ',', &fields, &count, err) == DLS_OK) &&
                    dls_foreign_map(count, (const char *const *)fields, pool, manner, err) == DLS_OK;
  free(fields);
  if (!good) {
    return err->status;
  }
  const dls_status status = dls_cli_choice(args, "between", choices, 2, &choice, err);
  manner->between_given = dls_cli_value(args, "between") != NULL;
  manner->between = meanings[choice];
  return status;
}

void dls_cli_report_layout(const char *command, const char *path, const dls_trajectory *traj,
                           const dls_trajectory *last)
{
  const char *assumed = dls_foreign_assumed(traj), *before = last != NULL ? dls_foreign_assumed(last) : NULL;
  if (assumed != NULL && (before == NULL || strcmp(before, assumed) != 0)) {
    dls_cli_message(command, "%s: %s", path, assumed);
  }
}
