/* bench_sweep.c -- a million runs of the ball in one sweep: bench_sweep [RUNS] makes them over restitution and height, journal and table
 * included, then as many by dls_run one after the other on the general path, and prints thread time and memory beside the limits.
 * Source: none; end 4 s, step 0.01 s, moreau-jean.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "bench/limits.h"
#include "experiments/measures/sweep/grid_journal.h"
#include "experiments/measures/sweep/plan.h"
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static const double step = 0.01, end = 4, most_ratio = 3, most_time = 3e-6,
                    most_memory = 1e9; /* s; s; 1; s; B */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static double peak_memory(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return 1024 * (double)usage.ru_maxrss;
}

static void need(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "bench_sweep: %s\n", err->text);
    exit(1);
  }
}

/* Somebody who looks at every node: the steps are made one by one, on the general path. */
static dls_status look(void *data, const dls_sim *sim, dls_error *err)
{
  (void)err;
  *(double *)data += sim->q[0];
  return DLS_OK;
}

static double one_by_one(const dls_grid *grid)
{
  const dls_order_spec *spec = &grid->spec.errors;
  double sum = 0, parameters[16];
  const double begin = seconds();
  for (size_t cell = 0; cell < grid->cells; cell++) {
    dls_error err = {0};
    dls_system *sys = NULL;
    dls_sim *sim = NULL;
    dls_option_defaults(spec->model->parameters, parameters);
    for (size_t i = 0; i < grid->spec.axis_count; i++) {
      parameters[grid->spec.axes[i].parameter - spec->model->parameters] = dls_grid_value(grid, cell, i);
    }
    need(dls_model_create(spec->model, parameters, &sys, &err), &err);
    need(dls_scheme_choice_sim(spec->schemes, sys, &sim, &err), &err);
    const dls_run_spec run = {.step = step, .end = end, .watch = look, .watch_data = &sum};
    need(dls_run(sim, &run, &err), &err);
    if (sim->q[0] != dls_grid_row(grid, cell, 0)[0]) {
      fprintf(stderr, "bench_sweep: run %zu ends at another height\n", cell);
      exit(1);
    }
    dls_sim_destroy(sim);
    dls_system_destroy(sys);
  }
  return seconds() - begin;
}

/* Journal and table in a folder that is removed. @return thread time */
static double sweep(dls_grid *grid, const char *folder)
{
  char journal_path[200], table_path[200];
  dls_error err = {0};
  dls_journal *journal = NULL;
  size_t taken = 0;
  snprintf(journal_path, sizeof journal_path, "%s/runs.csv", folder);
  snprintf(table_path, sizeof table_path, "%s/sweep.csv", folder);
  const double begin = seconds();
  const dls_journal_form form = dls_grid_journal_form(grid);
  need(dls_journal_open(journal_path, &form, grid, DLS_JOURNAL_NEW, &taken, &journal, &err), &err);
  need(dls_grid_journal_attach(journal, grid, &err), &err);
  need(dls_grid_run(grid, &err), &err);
  FILE *table = fopen(table_path, "w");
  if (table == NULL || dls_grid_table(grid, table) != DLS_OK || fclose(table) != 0) {
    fprintf(stderr, "bench_sweep: cannot write %s\n", table_path);
    exit(1);
  }
  need(dls_journal_complete(journal, &err), &err);
  dls_journal_close(journal);
  const double time = seconds() - begin;
  dls_grid *again = NULL;
  need(dls_grid_create(&grid->spec, &again, &err), &err);
  need(dls_journal_open(journal_path, &form, again, DLS_JOURNAL_RESUME, &taken, &journal, &err), &err);
  printf("finished runs in the journal: %zu of %zu\n", taken, grid->cells);
  dls_journal_close(journal);
  dls_grid_destroy(again);
  unlink(journal_path);
  unlink(table_path);
  return time;
}

int main(int argc, char **argv)
{
  const double runs = argc > 1 ? strtod(argv[1], NULL) : 1e6;
  const size_t side = (size_t)lrint(sqrt(runs));
  char folder[] = "/tmp/bench-sweep-XXXXXX";
  dls_error err = {0};
  dls_scheme_choice scheme;
  const dls_model *model = dls_model_find("bouncing-ball", &err);
  double parameters[16];
  const char *label = "moreau-jean";
  const dls_grid_wanted wanted[] = {{DLS_GRID_LAST, "q0", "last_q0"},
                                    {DLS_GRID_LAST, "v0", "last_v0"},
                                    {DLS_GRID_IMPACTS, NULL, "impacts"},
                                    {DLS_GRID_PENETRATION, NULL, "penetration"},
                                    {DLS_GRID_STEPS, NULL, "steps"}};
  need(dls_scheme_choose(label, &scheme, &err), &err);
  dls_option_defaults(model->parameters, parameters);
  const dls_option *e = &model->parameters[dls_option_find(model->parameters, "e")];
  const dls_option *q0 = &model->parameters[dls_option_find(model->parameters, "q0")];
  dls_grid_spec spec = {.kind = DLS_GRID_OF_RUNS,
                        .errors = {.model = model,
                                   .parameters = parameters,
                                   .schemes = &scheme,
                                   .scheme_count = 1,
                                   .end = end,
                                   .jobs = 1},
                        .labels = &label,
                        .step = step,
                        .wanted = wanted,
                        .wanted_count = sizeof wanted / sizeof wanted[0],
                        .axis_count = 2,
                        .axes = {{.parameter = e, .first = 0, .last = 1, .count = side},
                                 {.parameter = q0, .first = 0.1, .last = 3, .count = side}}};
  dls_plan plan;
  dls_grid *grid = NULL;
  if (mkdtemp(folder) == NULL) {
    perror(folder);
    return 1;
  }
  need(dls_plan_make(&spec, &plan, &err), &err);
  need(dls_grid_create(&spec, &grid, &err), &err);
  const double swept = sweep(grid, folder), memory = peak_memory(), alone = one_by_one(grid);
  rmdir(folder);
  printf("%zu runs of %g steps: sweep %.3g s of thread time (predicted %.3g s without journal and table), one "
         "by one %.3g s\n",
         grid->cells, end / step, swept, plan.seconds, alone);
  printf("memory: predicted %.3g MB, most %.3g MB; tables %.3g MB\n", 1e-6 * plan.memory, 1e-6 * memory,
         1e-6 * plan.bytes);
  limit_at_most("sweep of a million runs / dls_run one by one, general path", "", swept / alone, NAN, NAN,
                most_ratio);
  limit_at_most("a run of a sweep, 400 steps of the ball", "us", 1e6 * swept / (double)grid->cells, NAN, NAN,
                1e6 * most_time);
  limit_at_most("its memory", "B", memory, NAN, NAN, most_memory);
  limit_at_most("its memory, predicted", "B", plan.memory, NAN, NAN, most_memory);
  dls_grid_destroy(grid);
  return 0;
}
