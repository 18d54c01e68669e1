/* newton_bench.h -- microseconds per unknown, step and iteration of Newton's method, the exponent of the time over the unknowns, and
 * memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BENCH_NEWTON_BENCH_H
#define DELASSUS_BENCH_NEWTON_BENCH_H

#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

enum { NEWTON_PARAMETERS = 32 };

/* Of some steps without the first one; NaN if they fail. */
typedef struct newton_result {
  double unknowns, steps, seconds, iterations;
} newton_result;

static double newton_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* options: of the scheme, "contact=penalty"; NULL: none */
static newton_result newton_run(const dls_model *model, const double *p, const dls_scheme *scheme,
                                const char *options, double h, int steps)
{
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(model, p, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, scheme, &sim, &err);
  status = status != DLS_OK || options == NULL ? status : dls_sim_set(sim, options, &err);
  status = status != DLS_OK ? status : dls_sim_start(sim, &err);
  status = status != DLS_OK ? status : dls_sim_advance(sim, h, &err);
  const double begin = newton_seconds(), before = status != DLS_OK ? 0 : (double)sim->work.newton_iterations;
  for (int k = 0; k < steps && status == DLS_OK; k++) {
    status = dls_sim_advance(sim, h, &err);
  }
  newton_result r = {NAN, NAN, NAN, NAN};
  if (status == DLS_OK) {
    r = (newton_result){(double)(sys->n + sys->r), steps, newton_seconds() - begin,
                        (double)sim->work.newton_iterations - before};
  } else {
    fprintf(stderr, "%s\n", err.text);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return r;
}

/* A line; last: of the size before, unknowns = 0: there is none. */
static void newton_print(const newton_result *r, const newton_result *last)
{
  printf("%8g unknowns: %7.3f us per unknown and step, %4.1f iterations, %7.3f us per unknown and iteration",
         r->unknowns, 1e6 * r->seconds / r->unknowns / r->steps, r->iterations / r->steps,
         1e6 * r->seconds / r->unknowns / r->iterations);
  if (last->unknowns > 0) {
    printf(", exponent %.3f", log(r->seconds / r->iterations / (last->seconds / last->iterations)) /
                                  log(r->unknowns / last->unknowns));
  }
  printf("\n");
}

/* The most memory that the program has held so far [bytes]. */
static inline double newton_memory(void)
{
  struct rusage use;
  getrusage(RUSAGE_SELF, &use);
  return 1024 * (double)use.ru_maxrss;
}

#endif
