/* bench_solid.c -- nonsmooth-generalized-alpha and energy-preserving on hertz-cylinders that is pressed from round, and the memory
 * that an unknown takes. Steps are in proportion to the length of an element.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "newton_bench.h"

extern const dls_model dls_model_hertz_cylinders;
extern const dls_scheme dls_scheme_nonsmooth_generalized_alpha, dls_scheme_energy_preserving;

enum { STEPS = 3, N = 0, GRADING = 1, RADIUS = 3, MODULUS = 4, RHO = 6, START = 9, ROUND = 1 };

static void series(const char *title, const dls_scheme *scheme, const char *options)
{
  static const double sizes[] = {13, 41, 129}; /* about 6 n^2 unknowns */
  newton_result last = {0};
  printf("%s\n", title);
  for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
    double p[NEWTON_PARAMETERS];
    dls_option_defaults(dls_model_hertz_cylinders.parameters, p);
    p[N] = sizes[i];
    p[GRADING] = 1;
    p[START] = ROUND;
    const double h = p[RADIUS] / (2 * p[N]) * sqrt(p[RHO] / p[MODULUS]); /* a wave passes an element */
    const double memory = newton_memory();
    const newton_result r = newton_run(&dls_model_hertz_cylinders, p, scheme, options, h, STEPS);
    newton_print(&r, &last);
    if (i > 0 && newton_memory() > memory) {
      printf("%26.2f kB more per unknown more\n",
             1e-3 * (newton_memory() - memory) / (r.unknowns - last.unknowns));
    }
    last = r;
  }
}

int main(void)
{
  series("nonsmooth-generalized-alpha", &dls_scheme_nonsmooth_generalized_alpha, NULL);
  series("energy-preserving with penalty", &dls_scheme_energy_preserving, "contact=penalty");
  return 0;
}
