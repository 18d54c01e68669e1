/* bench_beam.c -- nonsmooth-generalized-alpha on flying-beam, energy-preserving on the same with directors. Steps are in proportion to
 * the length of an element.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newton_bench.h"

extern const dls_model dls_model_flying_beam;
extern const dls_scheme dls_scheme_nonsmooth_generalized_alpha, dls_scheme_energy_preserving;

enum { STEPS = 10, ELEMENT = 0, ELEMENTS = 1 };

static void series(const char *title, const dls_scheme *scheme, int directors)
{
  const double unknowns[] = {1e3, 1e4, 1e5}, each = directors ? 5 : 3;
  newton_result last = {0};
  printf("%s\n", title);
  for (size_t i = 0; i < sizeof unknowns / sizeof unknowns[0]; i++) {
    double p[NEWTON_PARAMETERS];
    dls_option_defaults(dls_model_flying_beam.parameters, p);
    p[ELEMENT] = directors;
    p[ELEMENTS] = floor(unknowns[i] / each);
    const double h = 0.1 / p[ELEMENTS]; /* a wave of 100 m/s passes an element of 10 m / elements */
    const newton_result r = newton_run(&dls_model_flying_beam, p, scheme, NULL, h, STEPS);
    newton_print(&r, &last);
    last = r;
  }
}

int main(void)
{
  series("nonsmooth-generalized-alpha, angles", &dls_scheme_nonsmooth_generalized_alpha, 0);
  series("energy-preserving, directors with joints", &dls_scheme_energy_preserving, 1);
  return 0;
}
