/* bench_large.c -- three steps of moreau-jean on 10^5 to 10^6 contacts at rest, whose answers are known: seconds of thread time of
 * the first step, which begins without a guess, and of one of the others, megabytes, and how wrong the impulses are, relatively; of
 * a wall with friction the residual of its contact problems and the largest velocity that is left.
 *   bench_large [PART]        of these sizes; 1 unless said
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/problem.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

enum { STEPS = 3 };
static const double h = 1e-2, g = 9.81; /* s, m/s^2; masses are 1 kg */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* All that the process has used so far. */
static double megabytes(void)
{
  struct rusage used;
  getrusage(RUSAGE_SELF, &used);
  return (double)used.ru_maxrss / 1024;
}

static double worse(double worst, double is, double known)
{
  return fmax(worst, fabs(is - known) / known);
}

/* Contact i carries the beads above. */
static double column_error(const dls_sim *sim, size_t rows, size_t columns)
{
  double worst = 0;
  (void)columns;
  for (size_t i = 0; i < rows; i++) {
    worst = worse(worst, sim->p[i], h * g * (double)(rows - i));
  }
  return worst;
}

/* Discs on the lattice line from the contact upward. */
static double lattice_error(const dls_sim *sim, size_t rows, size_t columns)
{
  double worst = 0;
  for (size_t row = 0, disc = 0; row < rows; row++) {
    for (size_t k = 0; k < columns - row; k++, disc++) {
      const size_t up = rows - row, left = up < columns - k - row ? up : columns - k - row,
                   right = up < k + 1 ? up : k + 1;
      worst = worse(worst, sim->p[2 * disc], h * g * (double)left / sqrt(3));
      worst = worse(worst, sim->p[2 * disc + 1], h * g * (double)right / sqrt(3));
    }
  }
  return worst;
}

static double fastest(const dls_sim *sim, size_t rows, size_t columns)
{
  double most = 0;
  (void)rows, (void)columns;
  for (size_t i = 0; i < sim->sys->n; i++) {
    most = fmax(most, fabs(sim->v[i]));
  }
  return most;
}

typedef struct large {
  const char *model;
  size_t rows, columns;
  double (*error)(const dls_sim *sim, size_t rows, size_t columns);
  const char *what;
} large;

typedef struct seen {
  double residual;
  const char *method, *structure;
} seen;

static void meet(void *data, const dls_problem *problem, const double *guess, const dls_problem_report *report)
{
  seen *s = data;
  (void)problem, (void)guess;
  s->residual = fmax(s->residual, report->residual);
  s->method = report->method;
  s->structure = report->structure;
}

static void set(const dls_model *model, double *p, const char *name, double value)
{
  for (size_t i = 0; model->parameters[i].name != NULL; i++) {
    p[i] = strcmp(model->parameters[i].name, name) == 0 ? value : p[i];
  }
}

static dls_status create(const large *one, dls_system **sys, dls_error *err)
{
  double p[20];
  const dls_model *model = dls_model_find(one->model, err);
  dls_option_defaults(model->parameters, p);
  set(model, p, "rows", (double)one->rows);
  set(model, p, "columns", (double)one->columns);
  set(model, p, "N", (double)one->rows);
  set(model, p, "gap", 0);
  return dls_model_create(model, p, sys, err);
}

static void run(const large *one)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  seen s = {0};
  const dls_problem_watch watch = {meet, &s};
  double times[STEPS + 1] = {0};
  dls_status status = create(one, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find("moreau-jean", NULL), &sim, &err);
  if (status == DLS_OK) {
    sim->work.watch = &watch;
    status = dls_sim_start(sim, &err);
  }
  times[0] = seconds();
  for (size_t k = 0; status == DLS_OK && k < STEPS; k++) {
    status = dls_sim_advance(sim, h, &err);
    times[k + 1] = seconds();
  }
  if (status == DLS_OK) {
    printf("%-14s %8zu %8.2f %8.2f %8.0f   %s %.1e, ", one->model, sys->m, times[1] - times[0],
           (times[STEPS] - times[1]) / (STEPS - 1), megabytes(), one->what,
           one->error(sim, one->rows, one->columns));
    if (s.method != NULL) {
      printf("residual %.1e by %s on %s\n", s.residual, s.method, s.structure);
    } else {
      printf("active sets tried: %zu\n", sim->work.lcp_pivots);
    }
  } else {
    printf("%s: %s\n", one->model, err.text);
  }
  fflush(stdout);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(int argc, char **argv)
{
  const double part = argc > 1 ? atof(argv[1]) : 1, side = sqrt(part);
  const large all[] = {
      {"bead-column", (size_t)(1e6 * part), 1, column_error, "impulses wrong by"},
      {"lattice-pile", (size_t)(700 * side), (size_t)(1064 * side), lattice_error, "impulses wrong by"},
      {"block-wall", (size_t)(158 * side), (size_t)(158 * side), fastest, "m/s left:"},
  };
  printf("%-14s %8s %8s %8s %8s\n", "", "contacts", "first s", "s a step", "MB");
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    run(&all[k]);
  }
  return 0;
}
