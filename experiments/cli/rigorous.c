/* experiments/cli/rigorous.c -- see rigorous.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/cli/rigorous.h"
#include "experiments/cli/rigorous_module.h"
#include "experiments/cli/run.h"

#include <delassus/direction.h>
#include <delassus/output.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { USUAL_DIGITS = 30 };

/* Times and end as they are asked for, digits, a second instance of the model, owned by this request. */
static dls_status read_request(const dls_cli_args *args, const dls_request *asked, dls_cli_rigorous_request *r,
                               dls_error *err)
{
  double digits = USUAL_DIGITS;
  if (asked->plot != NULL) {
    return dls_fail(err, DLS_ERR_OPTION, "--plot draws curves, not enclosures: leave out --rigorous");
  }
  if (dls_cli_check_output(asked->out, err) != DLS_OK ||
      dls_cli_integer(args, "digits", 1, DLS_RIGOROUS_MOST_DIGITS, &digits, err) != DLS_OK ||
      dls_cli_model(args, asked->model.model, &r->choice, err) != DLS_OK) {
    return err->status;
  }
  dls_status status =
      dls_cli_rigorous_numbers(args, asked->spec.end, asked->recording.at_count, asked->recording.at, r, err);
  r->problem.digits = (unsigned)digits;
  if (status == DLS_OK && asked->sensitivity != NULL) {
    status = dls_cli_split("--sensitivity", asked->sensitivity, ',', &r->by, &r->problem.by_count, err);
    r->problem.by = (const char *const *)r->by;
  }
  return status;
}

/* --- what comes out --- */

static void write_csv(const dls_cli_rigorous_request *r, const dls_rigorous_table *table, FILE *out)
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

static dls_status write_table(const char *path, const dls_cli_rigorous_request *r,
                              const dls_rigorous_table *table, dls_error *err)
{
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

/* Derivatives by parameters at a bound of their range. */
static void report_bounds(const char *command, const dls_cli_rigorous_request *r)
{
  for (size_t j = 0; j < r->problem.by_count; j++) {
    dls_direction direction;
    const dls_status status =
        dls_direction_create(r->choice.model, r->choice.parameters, r->by[j], &direction, NULL);
    if (status == DLS_OK && direction.one_sided) {
      dls_cli_message(command, "%s: one-sided, the derivative is that of changes to one side", r->by[j]);
    }
    dls_direction_release(&direction);
  }
}

int dls_cli_exact_rigorous(const dls_cli_args *args, const dls_request *asked)
{
  dls_error err = {0};
  dls_cli_rigorous_module balls = {0};
  dls_cli_rigorous_request r = {0};
  dls_rigorous_table table = {0};
  dls_cli_progress progress;
  bool good = dls_cli_rigorous_load(&balls, &err) == DLS_OK && read_request(args, asked, &r, &err) == DLS_OK &&
              dls_cli_proof_begin(args, &r.problem, &progress, &err) == DLS_OK;
  if (good) {
    good = balls.solve(&r.problem, &table, &err) == DLS_OK;
    dls_cli_proof_end(&progress, good);
  }
  if (good) {
    report_bounds(args->command->name, &r);
  }
  const int code = good ? dls_cli_written(args->command->name, write_table(asked->out, &r, &table, &err), &err,
                                          DLS_EXIT_DONE)
                        : dls_cli_fail(args->command->name, &err);
  if (balls.free != NULL) {
    balls.free(&table);
  }
  dls_cli_rigorous_release(&r);
  return code;
}
