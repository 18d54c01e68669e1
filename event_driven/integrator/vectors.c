/* event_driven/integrator/vectors.c -- the vectors of an integrator: their memory and their loops.
 *
 * All vectors are allocated together when the engine is created. SUNDIALS 6.4 does not check what it clones: N_VClone writes to a
 * vector that could not be allocated, and the process ends by SIGSEGV.
 * The operations that CVODE and ARKODE spend their time in are plain loops over the array of a serial vector. A step of order q
 * calls the first of them q (q + 1)/2 times to predict. On the short vectors of a few bodies the library's own operations, which
 * distinguish a dozen special cases and are not inlined, take half of the time of a run. Results are those of the library except
 * for the rounding of a (x + y).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/engine_kind.h"
#include <math.h>
#include <nvector/nvector_serial.h>
#include <stdlib.h>

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

static void set_loops(N_Vector y)
{
  y->ops->nvlinearsum = linear_sum;
  y->ops->nvscale = scale;
  y->ops->nvwrmsnorm = weighted_norm;
  y->ops->nvlinearcombination = linear_combination;
  y->ops->nvscaleaddmulti = scale_add_multi;
}

/* A serial vector of SUNDIALS with its owner. */
typedef struct engine_vector {
  struct _generic_N_Vector vector;
  struct _N_VectorContent_Serial content;
  double *values; /* its own: SUNDIALS may let the content point elsewhere */
  dls_engine_vectors *owner;
  bool taken;
} engine_vector;

struct dls_engine_vectors {
  size_t count;
  engine_vector *all;
  double *values;     /* of all, one behind the other */
  N_Vector prototype; /* without values; its operations are those of all */
};

/* If all are in use, which no integrator of SUNDIALS 6.4 to 7 needs, SUNDIALS allocates more. */
static N_Vector clone(N_Vector like)
{
  dls_engine_vectors *vectors = ((engine_vector *)like)->owner;
  for (size_t i = 0; i < vectors->count; i++) {
    if (!vectors->all[i].taken) {
      vectors->all[i].taken = true;
      return &vectors->all[i].vector;
    }
  }
  N_Vector own = N_VClone_Serial(like);
  if (own != NULL) {
    own->ops->nvclone = N_VClone_Serial;
    own->ops->nvcloneempty = N_VCloneEmpty_Serial;
    own->ops->nvdestroy = N_VDestroy_Serial;
  }
  return own;
}

static void release(N_Vector vector)
{
  engine_vector *one = (engine_vector *)vector;
  one->content.data = one->values;
  one->taken = false;
}

static void set_up(dls_engine_vectors *vectors, sunindextype size, SUNContext context)
{
  vectors->prototype->ops->nvclone = clone;
  vectors->prototype->ops->nvcloneempty = clone;
  vectors->prototype->ops->nvdestroy = release;
  for (size_t i = 0; i < vectors->count; i++) {
    engine_vector *one = &vectors->all[i];
    one->vector.content = &one->content;
    one->vector.ops = vectors->prototype->ops;
    one->vector.sunctx = context;
    one->content.length = size;
    one->content.own_data = SUNFALSE;
    one->content.data = one->values = vectors->values + i * (size_t)size;
    one->owner = vectors;
  }
}

dls_engine_vectors *dls_engine_vectors_create(size_t count, size_t size, SUNContext context)
{
  dls_engine_vectors *vectors = calloc(1, sizeof *vectors);
  if (vectors == NULL) {
    return NULL;
  }
  vectors->count = count;
  vectors->all = calloc(count, sizeof *vectors->all);
  vectors->values = calloc(size, count * sizeof *vectors->values);
  vectors->prototype = N_VNewEmpty_Serial((sunindextype)size, context);
  if (vectors->all == NULL || vectors->values == NULL || vectors->prototype == NULL) {
    dls_engine_vectors_destroy(vectors);
    return NULL;
  }
  set_loops(vectors->prototype);
  set_up(vectors, (sunindextype)size, context);
  return vectors;
}

N_Vector dls_engine_vectors_first(dls_engine_vectors *vectors)
{
  vectors->all[0].taken = true;
  return &vectors->all[0].vector;
}

void dls_engine_vectors_destroy(dls_engine_vectors *vectors)
{
  if (vectors == NULL) {
    return;
  }
  if (vectors->prototype != NULL) {
    vectors->prototype->ops->nvdestroy = N_VDestroy_Serial;
    N_VDestroy(vectors->prototype);
  }
  free(vectors->values);
  free(vectors->all);
  free(vectors);
}
