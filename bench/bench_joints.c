/* bench_joints.c -- nanoseconds per link and step of moreau-jean on a chain of N links that hangs free, and the exponent of
 * the time over N. Steps are in proportion to the length of a link.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

extern const dls_model dls_model_pendulum_chain;
extern const dls_scheme dls_scheme_moreau_jean;

enum { STEPS = 10 };

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Seconds of STEPS steps, without the first one; NaN if it fails. */
static double chain(double links)
{
  double p[16], time = NAN;
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_option_defaults(dls_model_pendulum_chain.parameters, p);
  p[0] = links;
  dls_status status = dls_model_create(&dls_model_pendulum_chain, p, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, &dls_scheme_moreau_jean, &sim, &err);
  status = status != DLS_OK ? status : dls_sim_start(sim, &err);
  const double h = 0.02 / links;
  status = status != DLS_OK ? status : dls_sim_advance(sim, h, &err);
  const double begin = seconds();
  for (int k = 0; k < STEPS && status == DLS_OK; k++) {
    status = dls_sim_advance(sim, h, &err);
  }
  time = status == DLS_OK ? seconds() - begin : NAN;
  if (status != DLS_OK) {
    fprintf(stderr, "%s\n", err.text);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return time;
}

int main(void)
{
  const double links[] = {10, 1e3, 1e5};
  double last = NAN;
  for (size_t i = 0; i < sizeof links / sizeof links[0]; i++) {
    const double time = chain(links[i]);
    printf("%8g links: %10.1f ns per link and step", links[i], 1e9 * time / links[i] / STEPS);
    if (i > 0) {
      printf(", exponent %.3f", log(time / last) / log(links[i] / links[i - 1]));
    }
    printf("\n");
    last = time;
  }
  return 0;
}
