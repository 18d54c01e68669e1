/* newmark_coefficients.c -- coefficients of the Newmark family, and which of them are stable.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/newmark_step.h"
#include <stdio.h>

const char *const dls_newmark_stability_choices[] = {"refuse", "ignore", NULL};

const char dls_newmark_stability[] = "unconditionally stable, which needs 2 beta >= gamma >= 1/2";

bool dls_newmark_stable(const dls_newmark *c)
{
  return 2 * c->beta >= c->gamma && c->gamma >= 0.5;
}

dls_newmark dls_newmark_given(const dls_newmark_options *opt)
{
  return (dls_newmark){.gamma = opt->gamma, .beta = opt->beta};
}

dls_newmark dls_newmark_hht(const dls_newmark_options *opt)
{
  const double alpha = opt->alpha;
  return (dls_newmark){.alpha_f = alpha, .gamma = 0.5 + alpha, .beta = (1 + alpha) * (1 + alpha) / 4};
}

dls_status dls_newmark_check(const dls_scheme *self, const void *options, dls_error *err)
{
  const dls_newmark_options *opt = options;
  const dls_newmark_kind *kind = self->kind;
  const dls_newmark c = kind->coefficients(opt);
  char averages[80] = "";
  if (kind->good(&c) || opt->stability != 0) {
    return DLS_OK;
  }
  if (c.alpha_m != 0 || c.alpha_f != 0) {
    snprintf(averages, sizeof averages, "alpha_m = %g, alpha_f = %g, ", c.alpha_m, c.alpha_f);
  }
  return dls_fail(err, DLS_ERR_OPTION,
                  "scheme %s: %sgamma = %g, beta = %g is not %s; stability=ignore accepts it", self->name,
                  averages, c.gamma, c.beta, kind->claim);
}
