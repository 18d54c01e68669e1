/* generalized_alpha.c -- coefficients by the spectral radius at infinity, or free:
 *   alpha_m = (2 rho - 1)/(rho + 1), alpha_f = rho/(rho + 1), gamma = 1/2 + alpha_f - alpha_m,
 *   beta = (gamma + 1/2)^2/4.
 * Source: Chung & Hulbert 1993; Acary, lecture, eq. (63).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/generalized_alpha.h"

enum { PARAMETERS, RHO_INF, ALPHA_M, ALPHA_F, BETA, GAMMA, STABILITY, CONTACT };
static const char *const kinds[] = {"rho_inf", "free", NULL};

/* The free defaults are those of rho_inf = 0.8. */
const dls_option dls_generalized_alpha_options[] = {
    [PARAMETERS] = {"parameters", "", "rho_inf: all four from rho_inf; free: as given", 0, 0, 1, DLS_CHOICE, 0,
                    kinds},
    [RHO_INF] = {"rho_inf", "1", "spectral radius at infinite frequency; 1: no damping", 0.8, 0, 1, DLS_REAL, 0,
                 NULL},
    [ALPHA_M] = {"alpha_m", "1", "weight of the last acceleration (parameters=free)", 1. / 3, -1, 0.5, DLS_REAL,
                 0, NULL},
    [ALPHA_F] = {"alpha_f", "1", "weight of the last forces (parameters=free)", 4. / 9, 0, 1, DLS_REAL,
                 DLS_OPEN_MAX, NULL},
    [BETA] = {"beta", "1", "weight of the end of the step in the position (parameters=free)", 25. / 81, 0, 1,
              DLS_REAL, 0, NULL},
    [GAMMA] = {"gamma", "1", "weight of the end of the step in the velocity (parameters=free)", 11. / 18, 0,
               1.5, DLS_REAL, 0, NULL},
    [STABILITY] = DLS_NEWMARK_STABILITY_OPTION,
    [CONTACT] = DLS_NEWMARK_CONTACT_OPTIONS,
    {0},
};

dls_newmark dls_generalized_alpha(const double *opt)
{
  if (opt[PARAMETERS] != 0) {
    return (dls_newmark){
        .alpha_m = opt[ALPHA_M], .alpha_f = opt[ALPHA_F], .beta = opt[BETA], .gamma = opt[GAMMA]};
  }
  const double rho = opt[RHO_INF];
  dls_newmark c = {.alpha_m = (2 * rho - 1) / (rho + 1), .alpha_f = rho / (rho + 1)};
  c.gamma = 0.5 + c.alpha_f - c.alpha_m;
  c.beta = (c.gamma + 0.5) * (c.gamma + 0.5) / 4;
  return c;
}

size_t dls_generalized_alpha_contact(void)
{
  return CONTACT;
}

/* A value that would have no effect is a mistake. */
static dls_status check_used(const char *scheme, const double *opt, dls_error *err)
{
  const bool by_rho = opt[PARAMETERS] == 0;
  for (int i = by_rho ? ALPHA_M : RHO_INF; i <= (by_rho ? GAMMA : RHO_INF); i++) {
    if (opt[i] != dls_generalized_alpha_options[i].initial) {
      return dls_fail(
          err, DLS_ERR_OPTION, "scheme %s: %s = %g has no effect with parameters=%s; say parameters=%s", scheme,
          dls_generalized_alpha_options[i].name, opt[i], kinds[by_rho ? 0 : 1], kinds[by_rho ? 1 : 0]);
    }
  }
  return DLS_OK;
}

dls_status dls_generalized_alpha_check(const char *scheme, const double *opt, bool good, const char *claim,
                                       dls_error *err)
{
  const dls_newmark c = dls_generalized_alpha(opt);
  const dls_status status = check_used(scheme, opt, err);
  return status != DLS_OK || good || opt[STABILITY] != 0 ? status : dls_newmark_refuse(scheme, &c, claim, err);
}
