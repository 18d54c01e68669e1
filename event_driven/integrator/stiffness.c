/* event_driven/integrator/stiffness.c -- see stiffness.h. Largest eigenvalues by the power method, from below to some percent.
 * Source: Golub, Van Loan 2013, "Matrix computations".
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/stiffness.h"
#include "event_driven/thresholds.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static double length(size_t n, const double *x)
{
  double sum = 0;
  for (size_t i = 0; i < n; i++) {
    sum += x[i] * x[i];
  }
  return sqrt(sum);
}

/* The largest eigenvalue of M^{-1} B; 0 for B NULL. x, y: n */
static double largest_eigenvalue(dls_factor *M, const dls_matrix *B, size_t n, double *x, double *y)
{
  double value = 0;
  for (size_t i = 0; i < n; i++) {
    x[i] = (double)((uint32_t)i * 2654435761u) * 0x1p-32 - 0.5; /* parts of all modes */
  }
  for (int k = 0; B != NULL && k < threshold_power_steps; k++) {
    const double size = length(n, x);
    memset(y, 0, n * sizeof *y);
    dls_matrix_multiply(B, 1 / size, x, y);
    dls_factor_solve(M, y);
    value = length(n, y);
    if (!(value > 0)) {
      return 0;
    }
    memcpy(x, y, n * sizeof *x);
  }
  return value;
}

dls_status dls_system_stiff(const dls_system *sys, bool *stiff, dls_error *err)
{
  *stiff = false;
  if (sys->C == NULL) {
    return DLS_OK;
  }
  dls_factor *M = dls_factor_create((const dls_matrix *const[]){sys->M}, 1);
  double *x = malloc(2 * sys->n * sizeof *x);
  dls_error own = {0};
  dls_status status =
      M == NULL || x == NULL
          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the rates of decay of %zu coordinates", sys->n)
          : dls_factor_sum(M, (const double[]){1}, &own);
  if (status == DLS_OK) {
    const double rate = largest_eigenvalue(M, sys->C, sys->n, x, x + sys->n);
    *stiff = rate * sys->time > threshold_stiff_rate &&
             rate > 2 * sqrt(largest_eigenvalue(M, sys->K, sys->n, x, x + sys->n));
  }
  dls_factor_destroy(M);
  free(x);
  if (status == DLS_ERR_MEMORY && own.text[0] != '\0') {
    return dls_fail(err, DLS_ERR_MEMORY, "%s", own.text);
  }
  return status == DLS_ERR_MEMORY ? status : DLS_OK; /* a singular M has no rates */
}
