/* experiments/cli/rigorous.c -- see rigorous.h. The module with ball arithmetic lies beside the tool, or where it was installed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/rigorous.h"
#include "analytic/rigorous/rigorous.h"
#include "common/base/decimal.h"
#include "experiments/cli/recording.h"
#include "experiments/cli/run.h"

#include <delassus/output.h>
#include <dlfcn.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_DIGITS = 30 };

typedef dls_status solve_call(const dls_rigorous_problem *problem, dls_rigorous_table *out, dls_error *err);
typedef void free_call(dls_rigorous_table *table);

typedef struct module {
  solve_call *solve;
  free_call *free;
} module;

/* Decimals of a problem, and the problem that they make. */
typedef struct request {
  dls_model_choice choice;
  const char **names, **values, **times;
  char (*text)[DLS_DECIMAL_SIZE];
  dls_rigorous_problem problem;
} request;

/* --- the module --- */

static void *open_module(void)
{
  static const char *const folders[] = {".", DLS_RIGOROUS_FOLDER};
  char tool[PATH_MAX], path[PATH_MAX + 64];
  const ssize_t length = readlink("/proc/self/exe", tool, sizeof tool - 1);
  void *handle = NULL;
  if (length <= 0) {
    return NULL;
  }
  tool[length] = '\0';
  *strrchr(tool, '/') = '\0';
  for (size_t i = 0; i < sizeof folders / sizeof folders[0] && handle == NULL; i++) {
    snprintf(path, sizeof path, "%s/%s/delassus-rigorous.so", tool, folders[i]);
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  }
  return handle;
}

/* It stays loaded: its libraries keep memory of their own. */
static dls_status load(module *out, dls_error *err)
{
  void *handle = open_module();
  void *solve = handle != NULL ? dlsym(handle, "dls_rigorous_solve") : NULL;
  void *release = handle != NULL ? dlsym(handle, "dls_rigorous_free") : NULL;
  if (solve == NULL || release == NULL) {
    return dls_fail(
        err, DLS_ERR_OPTION,
        "--rigorous needs ball arithmetic, which this delassus was built without or does not find: "
        "install FLINT with Arb (Debian 12: libflint-arb-dev, later: libflint-dev), and build again");
  }
  memcpy(&out->solve, &solve, sizeof solve);
  memcpy(&out->free, &release, sizeof release);
  return DLS_OK;
}

/* --- the request --- */

static void request_free(request *r)
{
  free(r->names);
  free(r->values);
  free(r->times);
  free(r->text);
  dls_model_choice_release(&r->choice);
}

static dls_status allocate(request *r, size_t parameters, size_t times, dls_error *err)
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

/* Parameters as they are written, with all their digits; any other number as the shortest decimal that reads back as its double: what
 * was written, if it has no more than 15 digits. */
static dls_status write_numbers(const dls_cli_args *args, request *r, double end, size_t count,
                                const double *times, dls_error *err)
{
  const dls_option *table = r->choice.model->parameters;
  size_t parameters = 0;
  while (table[parameters].name != NULL) {
    parameters++;
  }
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

static dls_status read_request(const dls_cli_args *args, const dls_model *model, request *r, dls_error *err)
{
  double end = DLS_REQUEST_END, digits = USUAL_DIGITS, *times = NULL;
  size_t count = 0;
  dls_status status =
      dls_cli_value(args, "plot") == NULL
          ? DLS_OK
          : dls_fail(err, DLS_ERR_OPTION, "--plot draws curves, not enclosures: leave out --rigorous");
  status = status != DLS_OK ? status : dls_cli_check_output(dls_cli_value(args, "out"), err);
  status =
      status != DLS_OK ? status : dls_cli_integer(args, "digits", 1, DLS_RIGOROUS_MOST_DIGITS, &digits, err);
  status = status != DLS_OK ? status : dls_cli_positive(args, "end", &end, err);
  status = status != DLS_OK ? status : dls_cli_model(args, model, &r->choice, err);
  status = status != DLS_OK
               ? status
               : dls_cli_times(args, dls_cli_value(args, "end") != NULL ? end : 1e300, &times, &count, err);
  status = status != DLS_OK ? status : write_numbers(args, r, end, count, times, err);
  r->problem.digits = (unsigned)digits;
  free(times);
  return status;
}

/* --- what comes out --- */

static void write_csv(const request *r, const dls_rigorous_table *table, FILE *out)
{
  fprintf(out, "# model: %s\n# parameters: ", r->problem.model);
  for (size_t i = 0; i < r->problem.parameter_count; i++) {
    fprintf(out, "%s%s=%s", i > 0 ? "," : "", r->names[i], r->values[i]);
  }
  fprintf(out, "\n# scheme: rigorous\n# digits: %u\n# end: %s\n", r->problem.digits, r->problem.end);
  for (size_t j = 0; j < table->columns; j++) {
    fprintf(out, "%s_lo,%s_hi,", table->names[j], table->names[j]);
  }
  fputs("event\n", out);
  for (size_t i = 0; i < table->rows; i++) {
    for (size_t j = 0; j < table->columns; j++) {
      const dls_rigorous_cell *cell = &table->cell[i * table->columns + j];
      fprintf(out, "%s,%s,", cell->low, cell->high);
    }
    fprintf(out, "%s\n", table->event[i]);
  }
}

/* For people: a line for each value, with its radius. */
static void print(const dls_rigorous_table *table)
{
  for (size_t i = 0; i < table->rows; i++) {
    for (size_t j = 0; j < table->columns; j++) {
      const dls_rigorous_cell *cell = &table->cell[i * table->columns + j];
      printf("%-8s %s%s%s\n", table->names[j], cell->ball, j == 0 && table->event[i][0] != '\0' ? "  " : "",
             j == 0 ? table->event[i] : "");
    }
    putchar('\n');
  }
}

static dls_status write_table(const dls_cli_args *args, const request *r, const dls_rigorous_table *table,
                              dls_error *err)
{
  const char *path = dls_cli_value(args, "out");
  dls_output *out = NULL;
  if (path == NULL && isatty(STDOUT_FILENO)) {
    print(table);
    return DLS_OK;
  }
  if (path == NULL || strcmp(path, "-") == 0) {
    write_csv(r, table, stdout);
    return DLS_OK;
  }
  const dls_status status = dls_output_open(path, &out, err);
  if (status != DLS_OK) {
    return status;
  }
  write_csv(r, table, dls_output_stream(out));
  return dls_output_commit(out, err);
}

int dls_cli_exact_rigorous(const dls_cli_args *args, const dls_model *model)
{
  dls_error err = {0};
  module balls = {0};
  request r = {0};
  dls_rigorous_table table = {0};
  dls_status status = load(&balls, &err);
  status = status != DLS_OK ? status : read_request(args, model, &r, &err);
  if (status == DLS_OK) {
    dls_cli_let_signals_end(args);
    status = balls.solve(&r.problem, &table, &err);
    dls_cli_note_signals_again();
  }
  const int code = status == DLS_OK
                       ? dls_cli_written(args, write_table(args, &r, &table, &err), &err, DLS_EXIT_DONE)
                       : dls_cli_fail(args, &err);
  if (balls.free != NULL) {
    balls.free(&table);
  }
  request_free(&r);
  return code;
}
