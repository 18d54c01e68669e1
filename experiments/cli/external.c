/* experiments/cli/external.c -- --external, --external-limit, --map, --between.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/external.h"
#include "experiments/catalogue/externals.h"
#include <stdlib.h>
#include <string.h>

/* *fields := the pairs of --map, in one block to be freed. */
static dls_status split_map(const dls_cli_args *args, char ***fields, size_t *count, dls_error *err)
{
  const char *text = dls_cli_value(args, "map");
  *fields = NULL;
  *count = 0;
  return text == NULL ? DLS_OK : dls_cli_split("--map", text, ',', fields, count, err);
}

static dls_status read_between(const dls_cli_args *args, bool *told, dls_meaning *between, dls_error *err)
{
  static const char *const choices[] = {"linear", "constant"};
  static const dls_meaning meanings[] = {DLS_LINEAR, DLS_CONSTANT};
  size_t choice = 0;
  const dls_status status = dls_cli_choice(args, "between", choices, 2, &choice, err);
  *told = dls_cli_value(args, "between") != NULL;
  *between = meanings[choice];
  return status;
}

dls_status dls_cli_read_manner(const dls_cli_args *args, dls_pool *pool, dls_foreign_manner *manner,
                               dls_error *err)
{
  char **fields = NULL;
  size_t count = 0;
  dls_status status = split_map(args, &fields, &count, err);
  status = status != DLS_OK ? status : dls_foreign_map(count, (const char *const *)fields, pool, manner, err);
  free(fields);
  return status != DLS_OK ? status : read_between(args, &manner->told, &manner->between, err);
}

static dls_status add_external(const dls_cli_args *args, const dls_external_spec *spec, dls_error *err)
{
  dls_external *external = NULL;
  const dls_status status = dls_external_create(spec, &external, err);
  return status != DLS_OK ? status : dls_catalogue_add_external(args->catalogue, external, err);
}

/* Options that say nothing without a program. */
static dls_status check_alone(const dls_cli_args *args, dls_error *err)
{
  static const char *const names[] = {"external-limit", "map", "between"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (dls_cli_value(args, names[i]) != NULL) {
      return dls_fail(err, DLS_ERR_ARG, "--%s goes with --external NAME=COMMAND, whose tables it is about",
                      names[i]);
    }
  }
  return DLS_OK;
}

dls_status dls_cli_add_externals(const dls_cli_args *args, dls_error *err)
{
  const size_t count = dls_cli_count(args, "external");
  const char *out = dls_cli_value(args, "out");
  char **fields = NULL;
  dls_pool pool = {0};
  dls_external_spec spec = {.seconds = DLS_EXTERNAL_SECONDS};
  if (count == 0) {
    return check_alone(args, err);
  }
  spec.log = out != NULL ? dls_pool_print(&pool, "%s/" DLS_CLI_EXTERNAL_LOG, out) : NULL;
  dls_status status = split_map(args, &fields, &spec.map_count, err);
  spec.map = (const char *const *)fields;
  status = status != DLS_OK ? status : read_between(args, &spec.told, &spec.between, err);
  status = status != DLS_OK ? status : dls_cli_positive(args, "external-limit", &spec.seconds, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    spec.text = dls_cli_value_at(args, "external", i);
    status = add_external(args, &spec, err);
  }
  if (status == DLS_OK && pool.failed) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for the name of a file");
  }
  free(fields);
  dls_pool_release(&pool);
  return status;
}
