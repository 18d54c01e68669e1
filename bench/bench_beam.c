/* bench_beam.c -- microseconds per unknown, step and iteration of Newton's method of nonsmooth-generalized-alpha on flying-beam, of
 * energy-preserving on the same with directors, and the exponent of the time over the unknowns. Steps are in proportion to the
 * length of an element.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include <delassus/catalogue.h>
#include <delassus/sim.h>
#include <math.h>
#include <stdio.h>
#include <time.h>

extern const dls_model dls_model_flying_beam;
extern const dls_scheme dls_scheme_nonsmooth_generalized_alpha, dls_scheme_energy_preserving;

enum { STEPS = 10, ELEMENT = 0, ELEMENTS = 1, PARAMETERS = 32 };

static double seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

typedef struct result {
  double unknowns, seconds, iterations; /* of STEPS steps without the first one; NaN if they fail */
} result;

static result fly(const dls_scheme *scheme, int directors, double elements)
{
  double p[PARAMETERS];
  dls_error err = {0};
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_option_defaults(dls_model_flying_beam.parameters, p);
  p[ELEMENT] = directors;
  p[ELEMENTS] = elements;
  dls_status status = dls_model_create(&dls_model_flying_beam, p, &sys, &err);
  status = status != DLS_OK ? status : dls_sim_create(sys, scheme, &sim, &err);
  status = status != DLS_OK ? status : dls_sim_start(sim, &err);
  const double h = 0.1 / elements; /* a wave of 100 m/s passes an element of 10 m / elements */
  status = status != DLS_OK ? status : dls_sim_advance(sim, h, &err);
  const double begin = seconds(), before = status != DLS_OK ? 0 : (double)sim->work.newton_iterations;
  for (int k = 0; k < STEPS && status == DLS_OK; k++) {
    status = dls_sim_advance(sim, h, &err);
  }
  result r = {NAN, NAN, NAN};
  if (status == DLS_OK) {
    r = (result){(double)(sys->n + sys->r), seconds() - begin, (double)sim->work.newton_iterations - before};
  } else {
    fprintf(stderr, "%s\n", err.text);
  }
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return r;
}

static void series(const char *title, const dls_scheme *scheme, int directors)
{
  const double unknowns[] = {1e3, 1e4, 1e5}, each = directors ? 5 : 3;
  result last = {0};
  printf("%s\n", title);
  for (size_t i = 0; i < sizeof unknowns / sizeof unknowns[0]; i++) {
    const result r = fly(scheme, directors, floor(unknowns[i] / each));
    printf("%8g unknowns: %7.3f us per unknown and step, %4.1f iterations, %7.3f us per unknown and iteration",
           r.unknowns, 1e6 * r.seconds / r.unknowns / STEPS, r.iterations / STEPS,
           1e6 * r.seconds / r.unknowns / r.iterations);
    if (i > 0) {
      printf(", exponent %.3f", log(r.seconds / r.iterations / (last.seconds / last.iterations)) /
                                    log(r.unknowns / last.unknowns));
    }
    printf("\n");
    last = r;
  }
}

int main(void)
{
  series("nonsmooth-generalized-alpha, angles", &dls_scheme_nonsmooth_generalized_alpha, 0);
  series("energy-preserving, directors with joints", &dls_scheme_energy_preserving, 1);
  return 0;
}
