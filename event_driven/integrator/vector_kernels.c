/* event_driven/integrator/vector_kernels.c -- the vector operations that CVODE and ARKODE spend their time in, as plain loops over the
 * array of a serial vector. A step of order q makes q (q + 1)/2 of the first to predict; on the short vectors of a few
 * bodies the library's own, which sort out a dozen special cases and are not inlined, take half of the time of a run.
 * Results are those of the library but for the rounding of a (x + y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/engine_kind.h"
#include <math.h>
#include <nvector/nvector_serial.h>

/* z := a x + b y; z may be x or y. */
static void linear_sum(sunrealtype a, N_Vector x, sunrealtype b, N_Vector y, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(z);
  const double *X = NV_DATA_S(x), *Y = NV_DATA_S(y);
  double *Z = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) {
    Z[i] = a * X[i] + b * Y[i];
  }
}

/* z := c x; z may be x. */
static void scale(sunrealtype c, N_Vector x, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(z);
  const double *X = NV_DATA_S(x);
  double *Z = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) {
    Z[i] = c * X[i];
  }
}

/* sqrt(sum_i (x_i w_i)^2 / n). */
static sunrealtype weighted_norm(N_Vector x, N_Vector w)
{
  const sunindextype n = NV_LENGTH_S(x);
  const double *X = NV_DATA_S(x), *W = NV_DATA_S(w);
  double sum = 0;
  for (sunindextype i = 0; i < n; i++) {
    sum += X[i] * W[i] * (X[i] * W[i]);
  }
  return sqrt(sum / (double)n);
}

/* z := sum_k c_k x_k; z may be one of the x_k. */
static int linear_combination(int count, sunrealtype *c, N_Vector *x, N_Vector z)
{
  const sunindextype n = NV_LENGTH_S(z);
  double *Z = NV_DATA_S(z);
  for (sunindextype i = 0; i < n; i++) {
    double sum = c[0] * NV_DATA_S(x[0])[i];
    for (int k = 1; k < count; k++) {
      sum += c[k] * NV_DATA_S(x[k])[i];
    }
    Z[i] = sum;
  }
  return 0;
}

/* z_k := a_k x + y_k; z_k may be y_k. */
static int scale_add_multi(int count, sunrealtype *a, N_Vector x, N_Vector *y, N_Vector *z)
{
  for (int k = 0; k < count; k++) {
    linear_sum(a[k], x, 1, y[k], z[k]);
  }
  return 0;
}

void dls_engine_vectors_set_loops(N_Vector y)
{
  y->ops->nvlinearsum = linear_sum;
  y->ops->nvscale = scale;
  y->ops->nvwrmsnorm = weighted_norm;
  y->ops->nvlinearcombination = linear_combination;
  y->ops->nvscaleaddmulti = scale_add_multi;
}
