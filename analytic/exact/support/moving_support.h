/* analytic/exact/support/moving_support.h -- a mass over a support h(t) = mean + A cos(omega t + phase): relative to it, y = q - h,
 * it is an impacting oscillator with the load -F - k mean - (k - m omega^2) A cos(omega t + phase).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXACT_MOVING_SUPPORT_H
#define DELASSUS_EXACT_MOVING_SUPPORT_H

#include <delassus/exact.h>

typedef struct dls_support_motion {
  double m, k, F, mean, A, omega, phase, e, q0, v0;
} dls_support_motion;

/** @return as dls_exact's create */
dls_status dls_support_create(const dls_support_motion *what, double end, dls_exact_solution **out,
                              dls_error *err);

/* The calls of dls_exact. */
void dls_support_destroy(dls_exact_solution *sol);
size_t dls_support_pieces(const dls_exact_solution *sol);
double dls_support_start(const dls_exact_solution *sol, size_t piece);
void dls_support_gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g,
                     double *u);
void dls_support_initial(const dls_exact_solution *sol, dls_exact_value *out);
void dls_support_value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out);
bool dls_support_event(const dls_exact_solution *sol, size_t piece, dls_event *out);
double dls_support_spacing(const dls_exact_solution *sol, size_t piece, double t, double accuracy);
#define DLS_SUPPORT_CALLS                                                                                      \
  .destroy = dls_support_destroy, .pieces = dls_support_pieces, .start = dls_support_start,                    \
  .gap = dls_support_gap, .initial = dls_support_initial, .value = dls_support_value,                          \
  .event = dls_support_event, .spacing = dls_support_spacing

#endif
