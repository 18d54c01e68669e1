/* event_driven/integrator/load_series.c -- see load_series.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/load_series.h"
#include "event_driven/thresholds.h"
#include <math.h>
#include <string.h>

enum { POINTS = DLS_LOAD_POINTS };

/* T[j][i]: coefficient of s^i in the Chebyshev polynomial T_j(2 s - 1). */
void dls_load_series_start(dls_load_series *load, size_t size, double *b, double *at)
{
  double(*T)[POINTS] = load->T;
  *load = (dls_load_series){.size = size, .b = b, .at = at};
  T[0][0] = 1;
  T[1][0] = -1;
  T[1][1] = 2;
  for (int j = 2; j < POINTS; j++) { /* T_j = 2 (2 s - 1) T_j-1 - T_j-2 */
    for (int i = 0; i <= j; i++) {
      T[j][i] = (i > 0 ? 4 * T[j - 1][i - 1] : 0) - 2 * T[j - 1][i] - T[j - 2][i];
    }
  }
}

/* The points are s_p = (1 + cos theta_p)/2, theta_p = (p + 1/2) pi / POINTS. */
static double angle(int p)
{
  return acos(-1) * (p + 0.5) / POINTS;
}

bool dls_load_series_read(dls_load_series *load, int (*value)(void *data, double t, double *b), void *data,
                          double t, double h)
{
  const size_t size = load->size;
  memset(load->b, 0, POINTS * size * sizeof *load->b);
  load->used = 0;
  for (int p = 0; p < POINTS; p++) {
    if (value(data, t + 0.5 * h * (1 + cos(angle(p))), load->at) != 0) {
      return false;
    }
    size_t used = size;
    while (used > 0 && load->at[used - 1] == 0) {
      used--;
    }
    load->used = used > load->used ? used : load->used;
    for (int j = 0; j < POINTS; j++) {
      const double weight = (j == 0 ? 1.0 : 2.0) / POINTS * cos(j * angle(p));
      for (size_t i = 0; i < used; i++) {
        load->b[(size_t)j * size + i] += weight * load->at[i];
      }
    }
  }
  return true;
}

static double weighted(const double *w, const double *x, size_t size)
{
  double most = 0;
  for (size_t i = 0; i < size; i++) {
    most = fmax(most, fabs(w[i] * x[i]));
  }
  return most;
}

double dls_load_series_room(dls_load_series *load, const double *w, double t, double h)
{
  const size_t size = load->size;
  double part[POINTS], largest = 0, rate = 0;
  for (int j = 0; j < POINTS; j++) {
    part[j] = weighted(w, load->b + (size_t)j * size, load->used);
    largest = fmax(largest, part[j]);
    rate += 2 * j * j / h * part[j]; /* |dT_j/dt| <= 2 j^2 / h */
  }
  const double noise =
                   fmax(threshold_load_rounding * largest, threshold_load_time_rounding * fabs(t + h) * rate),
               allowed = fmax(threshold_load_error / h, noise);
  load->degree = POINTS - 1;
  while (load->degree > 0 && part[load->degree] <= allowed) {
    load->degree--;
  }
  const double counted = fmin((POINTS - 3.0) / load->degree, threshold_load_growth);
  return load->degree < POINTS - 2
             ? counted
             : pow(allowed / fmax(part[POINTS - 2], part[POINTS - 1]), 1.0 / (POINTS - 2));
}

void dls_load_series_to_powers(dls_load_series *load)
{
  const size_t size = load->size;
  for (size_t i = 0; i < load->used; i++) {
    double a[POINTS];
    for (int j = 0; j < POINTS; j++) {
      a[j] = j <= load->degree ? load->b[(size_t)j * size + i] : 0;
      load->b[(size_t)j * size + i] = 0;
    }
    for (int j = 0; j <= load->degree; j++) {
      for (int k = 0; k <= j; k++) {
        load->b[(size_t)k * size + i] += load->T[j][k] * a[j];
      }
    }
  }
}

void dls_load_series_about(const dls_load_series *load, double s, double unit, double *b)
{
  const size_t size = load->size;
  double power = 1;
  for (int j = 0; j <= load->degree; j++) {
    memcpy(b + (size_t)j * size, load->b + (size_t)j * size, load->used * sizeof *b);
  }
  for (int k = 0; k <= load->degree; k++, power *= unit) {
    for (int j = load->degree - 1; j >= k; j--) { /* Horner's rule */
      for (size_t i = 0; i < load->used; i++) {
        b[(size_t)j * size + i] += s * b[(size_t)(j + 1) * size + i];
      }
    }
    for (size_t i = 0; i < load->used; i++) {
      b[(size_t)k * size + i] *= power;
    }
  }
}
