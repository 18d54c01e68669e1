/* experiments/cli/rigorous_module.c -- see rigorous_module.h. The module lies beside the tool, or where it was installed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/rigorous_module.h"
#include "common/base/memory.h"
#include "common/base/program.h"
#include "experiments/cli/command_line.h"
#include "experiments/cli/run.h"

#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- the module --- */

enum {
  LOADING = 1 << 20
}; /* bytes, from above: the loader ends the process where its libraries find no memory */

/* @param[out] path  of the module @return is it there? */
static bool find_module(char *path, size_t size)
{
  static const char *const folders[] = {".", DLS_RIGOROUS_FOLDER};
  char tool[PATH_MAX];
  bool found = false;
  if (!dls_program_folder(tool, sizeof tool)) {
    return false;
  }
  for (size_t i = 0; i < sizeof folders / sizeof folders[0] && !found; i++) {
    snprintf(path, size, "%s/%s/delassus-rigorous.so", tool, folders[i]);
    found = access(path, F_OK) == 0;
  }
  return found;
}

/* It stays loaded: its libraries keep memory of their own. */
dls_status dls_cli_rigorous_load(dls_cli_rigorous_module *out, dls_error *err)
{
  char path[PATH_MAX + 64];
  const bool found = find_module(path, sizeof path);
  void *handle = found && dls_memory_left(LOADING) ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
  if (found && handle == NULL) {
    const char *why = dlerror();
    return dls_fail(err, DLS_ERR_MEMORY,
                    "'%.200s' cannot be loaded, for lack of memory or of a library: %.150s", path,
                    why != NULL ? why : "no memory");
  }
  void *solve = handle != NULL ? dlsym(handle, "dls_rigorous_solve") : NULL;
  void *release = handle != NULL ? dlsym(handle, "dls_rigorous_free") : NULL;
  void *distance = handle != NULL ? dlsym(handle, "dls_rigorous_distance") : NULL;
  if (solve == NULL || release == NULL || distance == NULL) {
    return dls_fail(
        err, DLS_ERR_OPTION,
        "--rigorous needs ball arithmetic, which this delassus was built without or does not find: "
        "install FLINT with Arb (Debian 12: libflint-arb-dev, later: libflint-dev), and build again");
  }
  memcpy(&out->solve, &solve, sizeof solve);
  memcpy(&out->free, &release, sizeof release);
  memcpy(&out->distance, &distance, sizeof distance);
  return DLS_OK;
}

/* --- the request --- */

void dls_cli_rigorous_release(dls_cli_rigorous_request *r)
{
  free(r->names);
  free(r->values);
  free(r->times);
  free(r->by);
  free(r->text);
  dls_model_choice_release(&r->choice);
}

static dls_status allocate(dls_cli_rigorous_request *r, size_t parameters, size_t times, dls_error *err)
{
  r->names = calloc(parameters + 1, sizeof *r->names);
  r->values = calloc(parameters + 1, sizeof *r->values);
  r->times = calloc(times + 1, sizeof *r->times);
  r->text = calloc(parameters + times + 1, sizeof *r->text);
  const bool good = r->names != NULL && r->values != NULL && r->times != NULL && r->text != NULL;
  return good ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu numbers", parameters + times);
}

/* The last value that --set gives a parameter, if it is written as a decimal; NULL if not. */
static const char *written(const dls_cli_args *args, const char *name)
{
  const char *found = NULL;
  const size_t length = strlen(name);
  for (size_t i = 0; i < dls_cli_count(args, "set"); i++) {
    const char *text = dls_cli_value_at(args, "set", i);
    if (strncmp(text, name, length) == 0 && text[length] == '=') {
      found = text + length + 1;
    }
  }
  return found != NULL && found[strspn(found, "-.0123456789eE")] == '\0' ? found : NULL;
}

dls_status dls_cli_rigorous_numbers(const dls_cli_args *args, double end, size_t count, const double *times,
                                    dls_cli_rigorous_request *r, dls_error *err)
{
  const dls_option *table = r->choice.model->parameters;
  const size_t parameters = dls_option_count(table);
  const dls_status status = allocate(r, parameters, count, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t i = 0; i < parameters; i++) {
    r->names[i] = table[i].name;
    const char *own = written(args, table[i].name);
    dls_decimal_write(r->choice.parameters[i], r->text[i]);
    r->values[i] = own != NULL ? own : r->text[i];
  }
  for (size_t i = 0; i < count; i++) {
    r->times[i] = r->text[parameters + i];
    dls_decimal_write(times[i], r->text[parameters + i]);
  }
  dls_decimal_write(count > 0 ? fmax(times[count - 1], 1e-300) : end, r->text[parameters + count]);
  r->problem = (dls_rigorous_problem){.model = r->choice.model->name,
                                      .parameter_count = parameters,
                                      .names = r->names,
                                      .values = r->values,
                                      .end = r->text[parameters + count],
                                      .time_count = count,
                                      .times = r->times};
  return DLS_OK;
}

/* --- progress and the limit of time --- */

dls_status dls_cli_proof_check(const dls_cli_args *args, dls_error *err)
{
  const char *given = dls_cli_value(args, "time-limit") != NULL ? "time-limit"
                      : dls_cli_value(args, "progress") != NULL ? "progress"
                                                                : NULL;
  return given == NULL || dls_cli_value(args, "rigorous") != NULL
             ? DLS_OK
             : dls_fail(err, DLS_ERR_OPTION, "--%s goes with --rigorous", given);
}

static void show(void *progress, double t)
{
  dls_cli_progress_poll(progress, t);
}

dls_status dls_cli_proof_begin(const dls_cli_args *args, dls_rigorous_problem *problem,
                               dls_cli_progress *progress, dls_error *err)
{
  dls_request options;
  const dls_status status = dls_cli_read_options(args, &options, err);
  if (status == DLS_OK) {
    *progress = dls_cli_progress_start(options.progress, "proof", strtod(problem->end, NULL));
    problem->progress = show;
    problem->progress_data = progress;
    dls_cli_let_signals_end(args->command->name);
    if (options.time_limit > 0) {
      dls_cli_end_after(options.time_limit);
    }
  }
  return status;
}

void dls_cli_proof_end(dls_cli_progress *progress, bool complete)
{
  dls_cli_note_signals_again();
  dls_cli_progress_end(progress, complete);
}
