/* event_driven/integrator/load_series.h -- a load b(t) over [t, t + h] as a polynomial through its values at Chebyshev points.
 * Source: Trefethen 2013, Approximation Theory and Approximation Practice, chapter 3.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_LOAD_SERIES_H
#define DELASSUS_EVENT_DRIVEN_LOAD_SERIES_H

#include <stdbool.h>
#include <stddef.h>

enum { DLS_LOAD_POINTS = 14 }; /* the degree is one less */

typedef struct dls_load_series {
  size_t size, used; /* entries; those behind `used` are 0 */
  double *b;  /* DLS_LOAD_POINTS x size: Chebyshev coefficients, after dls_load_series_to_powers those of s^k */
  double *at; /* size: scratch */
  int degree; /* that is needed */
  double T[DLS_LOAD_POINTS][DLS_LOAD_POINTS];
} dls_load_series;

/** b and at: memory of the caller. */
void dls_load_series_start(dls_load_series *load, size_t size, double *b, double *at);
/** Chebyshev coefficients over [t, t + h] of value(data, t, b), which returns 0 where b has a value. @return false if it has none */
bool dls_load_series_read(dls_load_series *load, int (*value)(void *data, double t, double *b), void *data,
                          double t, double h);
/**
 * Factor by which the interval may be longer so that the last two coefficients are just negligible: if they are, in proportion to the
 * degree that is needed; otherwise by the order at which they decrease. Sets the degree.
 * @param[in] w  size: 1 / error allowed of the integral over the interval
 */
double dls_load_series_room(dls_load_series *load, const double *w, double t, double h);
/** b(t + s h) = sum_k b_k s^k, up to the degree that is needed: powers would amplify the round-off of the other coefficients. */
void dls_load_series_to_powers(dls_load_series *load);
/** b[(degree + 1) x size]: coefficients about s in powers of x, where s + unit x is the same time; those behind `used` stay. */
void dls_load_series_about(const dls_load_series *load, double s, double unit, double *b);

#endif
