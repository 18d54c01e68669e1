/* bench_chain.c -- what joints in large numbers cost: nanoseconds per link and step of a chain that swings freely, for every
 * scheme that treats joints, and the growth exponent from 10 to 1e5 links; thread time, least of several interleaved turns.
 *   bench_chain [SCHEME...]
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/scheme.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { REPEATS = 3, SIZES = 3 };
static const size_t sizes[SIZES] = {10, 1000, 100000};
static const double work = 3e5; /* links times steps */

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void stop_if(dls_status status, const dls_error *err)
{
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err->text);
    exit(1);
  }
}

static dls_system *chain(size_t links)
{
  dls_error err = {0};
  const dls_model *model = dls_model_find("pendulum-chain", &err);
  double p[16];
  dls_system *sys = NULL;
  dls_option_defaults(model->parameters, p);
  p[dls_option_find(model->parameters, "N")] = (double)links;
  p[dls_option_find(model->parameters, "wall")] = -2; /* never met */
  stop_if(dls_model_create(model, p, &sys, &err), &err);
  return sys;
}

/* Seconds per link and step, < 0 if the scheme says no. */
static double measure(const dls_scheme *scheme, const dls_system *sys, size_t links)
{
  dls_error err = {0};
  dls_sim *sim = NULL;
  const size_t steps = (size_t)fmax(3, work / (double)links);
  const double h = 1e-5;
  stop_if(dls_sim_create(sys, scheme, &sim, &err), &err);
  double spent = -1;
  if (dls_sim_start(sim, &err) == DLS_OK) {
    stop_if(dls_sim_advance(sim, h, &err), &err); /* what is made once */
    const double begin = seconds();
    for (size_t k = 0; k < steps; k++) {
      stop_if(dls_sim_advance(sim, h, &err), &err);
    }
    spent = (seconds() - begin) / (double)(steps * links);
  }
  dls_sim_destroy(sim);
  return spent;
}

static void line(const dls_scheme *scheme, dls_system *const *systems)
{
  double least[SIZES] = {HUGE_VAL, HUGE_VAL, HUGE_VAL};
  for (int repeat = 0; repeat < REPEATS; repeat++) {
    for (size_t k = 0; k < SIZES; k++) {
      least[k] = fmin(least[k], measure(scheme, systems[k], sizes[k]));
    }
  }
  if (least[0] < 0) {
    return;
  }
  printf("%-32s", scheme->name);
  for (size_t k = 0; k < SIZES; k++) {
    printf(" %10.0f", 1e9 * least[k]);
  }
  printf(" %10.2f\n", 1 + log(least[SIZES - 1] / least[0]) / log((double)sizes[SIZES - 1] / (double)sizes[0]));
}

static bool wanted(const dls_scheme *scheme, int count, char **names)
{
  bool named = count == 0;
  for (int i = 0; i < count; i++) {
    named = named || strcmp(names[i], scheme->name) == 0;
  }
  return named && (scheme->handles & DLS_HANDLES_JOINTS) && !(scheme->handles & DLS_HANDLES_NO_CONTACT) &&
         dls_scheme_needs_step(scheme);
}

int main(int argc, char **argv)
{
  dls_system *systems[SIZES];
  for (size_t k = 0; k < SIZES; k++) {
    systems[k] = chain(sizes[k]);
  }
  printf("ns per link and step%12s %10zu %10zu %10zu %10s\n", "", sizes[0], sizes[1], sizes[2], "exponent");
  for (const dls_scheme *const *scheme = dls_schemes(); *scheme != NULL; scheme++) {
    if (wanted(*scheme, argc - 1, argv + 1)) {
      line(*scheme, systems);
    }
  }
  for (size_t k = 0; k < SIZES; k++) {
    dls_system_destroy(systems[k]);
  }
  return 0;
}
