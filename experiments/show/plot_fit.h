/* experiments/show/plot_fit.h -- the picture of a fit: data, fitted motion, bands, residuals.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PLOT_FIT_H
#define DELASSUS_EXPERIMENTS_PLOT_FIT_H

#include "experiments/measures/fit/parameter_fit.h"
#include "experiments/show/canvas.h"

typedef struct dls_fit_picture {
  const dls_parameter_fit_spec *spec;
  const dls_parameter_fit *fit;
  size_t count;                    /* times of the curve */
  const double *t, *values, *half; /* as of dls_parameter_fit_curve */
} dls_fit_picture;

/** Two panels for each quantity: data and fitted motion with the band that holds new data; residuals with the band of the fit. */
dls_status dls_draw_fit(const dls_fit_picture *picture, const dls_canvas *canvas, dls_error *err);

#endif
