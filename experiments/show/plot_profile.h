/* plot_profile.h -- performance profiles: the fraction of problems on which a method takes at most tau times as long
 * as the fastest one.
 *   rho_m(tau) = |{p : t_pm <= tau min_k t_pk}| / |{p}|,  t = infinity where it is not solved
 * Source: Dolan, More 2002, Mathematical Programming 91.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_PROFILE_H
#define DELASSUS_EXPERIMENTS_PLOT_PROFILE_H

#include "experiments/show/canvas.h"

#include <delassus/error.h>
#include <stddef.h>
#include <stdio.h>

typedef struct dls_profile {
  size_t problems, methods;
  const char *const *names; /* methods */
  const double *seconds;    /* [problem * methods + method]; infinity: not solved */
} dls_profile;

/** "method,tau,fraction": a line for each step of each method. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_profile_write(FILE *out, const dls_profile *profile, dls_error *err);
/** The picture and its script. @return as dls_plot_check; DLS_ERR_MEMORY; DLS_ERR_ARG if nothing is solved */
dls_status dls_profile_draw(const dls_profile *profile, const dls_canvas *canvas, dls_error *err);

#endif
