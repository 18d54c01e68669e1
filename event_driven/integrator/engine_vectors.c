/* event_driven/integrator/engine_vectors.c -- the vectors of an integrator, allocated together when the engine is created. SUNDIALS 6.4 does
 * not check what it clones: N_VClone writes to a vector that could not be allocated, and the process ends by SIGSEGV.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/integrator/engine_kind.h"
#include <nvector/nvector_serial.h>
#include <stdlib.h>

/* A serial vector of SUNDIALS that knows whose it is. */
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

/* Beyond their count, which no integrator of SUNDIALS 6.4 to 7 needs, vectors are SUNDIALS' own. */
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
  dls_engine_vectors_set_loops(vectors->prototype);
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
