/* generalized_alpha.c -- coefficients by the spectral radius at infinity, or free:
 *   alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 + alpha_f - alpha_m,
 *   beta = (gamma + 1/2)^2/4.
 * Source: Chung & Hulbert 1993; Acary, lecture, eq. (63).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/generalized_alpha.h"
#include <stdio.h>

static const char *const kinds[] = {"rho_inf", "free", NULL};

/* The free defaults are those of rho_inf = 0.8. */
const dls_option dls_generalized_alpha_options[] = {
    DLS_CHOICE_OPTION(0, dls_newmark_options, parameters,
                      "rho_inf: all four follow from rho_inf; free: as given", 0, kinds),
    DLS_NEWMARK_REAL(rho_inf, "spectral radius at infinite frequency; 1: no damping", 0.8, 0, 1, 0),
    DLS_NEWMARK_REAL(alpha_m, "weight of the last acceleration (parameters=free)", 1. / 3, -1, 0.5, 0),
    DLS_NEWMARK_REAL(alpha_f, "weight of the last forces (parameters=free)", 4. / 9, 0, 1, DLS_OPEN_MAX),
    DLS_NEWMARK_REAL(beta, "weight of the end of the step in the position (parameters=free)", 25. / 81, 0, 1,
                     0),
    DLS_NEWMARK_REAL(gamma, "weight of the end of the step in the velocity (parameters=free)", 11. / 18, 0, 1.5,
                     0),
    DLS_NEWMARK_JOINT_OPTION,
    DLS_NEWMARK_STABILITY_OPTION,
    DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

dls_newmark dls_generalized_alpha(const dls_newmark_options *opt)
{
  if (opt->parameters != 0) {
    return (dls_newmark){
        .alpha_m = opt->alpha_m, .alpha_f = opt->alpha_f, .beta = opt->beta, .gamma = opt->gamma};
  }
  const double rho = opt->rho_inf;
  dls_newmark c = {.alpha_m = (2 * rho - 1) / (rho + 1), .alpha_f = rho / (rho + 1)};
  c.gamma = 0.5 + c.alpha_f - c.alpha_m;
  c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
  return c;
}

dls_status dls_generalized_alpha_check(const dls_scheme *self, const void *options, dls_error *err)
{
  static const size_t free_ones[] = {offsetof(dls_newmark_options, alpha_m),
                                     offsetof(dls_newmark_options, alpha_f),
                                     offsetof(dls_newmark_options, beta), offsetof(dls_newmark_options, gamma)};
  static const size_t rho_inf[] = {offsetof(dls_newmark_options, rho_inf)};
  const bool by_rho = ((const dls_newmark_options *)options)->parameters == 0;
  char owner[80];
  snprintf(owner, sizeof owner, "scheme %s", self->name);
  const dls_status status = by_rho ? dls_option_unused(self->options, options, owner, 4, free_ones,
                                                       "parameters=rho_inf; use parameters=free", err)
                                   : dls_option_unused(self->options, options, owner, 1, rho_inf,
                                                       "parameters=free; use parameters=rho_inf", err);
  return status != DLS_OK ? status : dls_newmark_check(self, options, err);
}
