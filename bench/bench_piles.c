/* bench_piles.c -- moreau-jean on piles of many blocks: microseconds of thread time per contact and step, and the worst residual of
 * the steps' contact problems. A pyramid in the plane and a wall in space, of 10^3 and, on request, 10^4 blocks: at rest,
 * and with the uppermost row pushed. The first step, which begins without a guess, is told apart.
 *   bench_piles [LARGEST [STEPS]]         1000 blocks and 10 steps unless said
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/problem.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const double step = 1e-3, push = 0.1; /* s; m/s */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct seen {
  double begin, first, rest; /* s: start of the run, end of its first problem, of the last */
  double residual;           /* worst */
  size_t problems, first_iterations, most_iterations; /* of the first problem, of one of the others */
} seen;

static void meet(void *data, const dls_problem *problem, const double *guess, const dls_problem_report *report)
{
  seen *s = data;
  (void)problem;
  (void)guess;
  s->residual = fmax(s->residual, report->residual);
  s->rest = seconds();
  if (s->problems == 0) {
    s->first = s->rest;
    s->first_iterations = report->iterations;
  } else if (report->iterations > s->most_iterations) {
    s->most_iterations = report->iterations;
  }
  s->problems++;
}

static void set(const dls_model *model, double *p, const char *name, double value)
{
  for (size_t i = 0; model->parameters[i].name != NULL; i++) {
    p[i] = strcmp(model->parameters[i].name, name) == 0 ? value : p[i];
  }
}

/* Rows and columns of about so many blocks. */
static dls_status create(const char *name, double blocks, int dim, double speed, dls_system **sys,
                         dls_error *err)
{
  enum { MOST = 20 };
  double p[MOST];
  const dls_model *model = dls_catalogue_model(NULL, name, err);
  for (size_t i = 0; i < MOST && model->parameters[i].name != NULL; i++) {
    p[i] = model->parameters[i].initial;
  }
  const double side = round(strcmp(name, "block-pyramid") == 0 ? sqrt(2 * blocks) : sqrt(blocks));
  set(model, p, "rows", side);
  set(model, p, "columns", side);
  set(model, p, "dim", dim);
  set(model, p, "v0", speed);
  return dls_model_create(model, p, sys, err);
}

static void run(const char *name, double blocks, int dim, double speed, size_t steps)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  seen s = {0};
  const dls_problem_watch watch = {meet, &s};
  dls_status status = create(name, blocks, dim, speed, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, dls_scheme_find("moreau-jean", NULL), &sim, &err);
  if (status == DLS_OK) {
    const dls_run_spec spec = {.step = step, .end = step * (double)steps};
    sim->work.watch = &watch;
    s.begin = seconds();
    status = dls_run(sim, &spec, &err);
    const double each = 1e6 / (double)sys->m;
    printf("%s,%d,%zu,%zu,%g,%zu,%zu,%.3g,%zu,%.3g,%.2g,%s\n", name, dim, sys->n / (dim == 2 ? 3 : 6), sys->m,
           speed, s.problems, s.first_iterations, each * (s.first - s.begin), s.most_iterations,
           each * (s.rest - s.first) / fmax(1, (double)s.problems - 1), s.residual,
           status == DLS_OK ? "done" : err.text);
  } else {
    printf("%s: %s\n", name, err.text);
  }
  fflush(stdout);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
}

int main(int argc, char **argv)
{
  const double largest = argc > 1 ? atof(argv[1]) : 1000;
  const size_t steps = argc > 2 ? strtoul(argv[2], NULL, 10) : 10;
  printf("model,dim,blocks,contacts,v0,steps,first_iterations,first_us_per_contact,most_iterations,"
         "us_per_contact_and_step,worst_residual,outcome\n");
  for (double blocks = 1000; blocks <= largest; blocks *= 10) {
    for (int pushed = 0; pushed < 2; pushed++) {
      run("block-pyramid", blocks, 2, pushed * push, steps);
      run("block-wall", blocks, 3, pushed * push, steps);
    }
  }
  return 0;
}
