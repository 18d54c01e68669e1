/* solid_data.h -- what solid.c and solid_contact.c share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_SOLID_DATA_H
#define DELASSUS_MODELS_ELEMENTS_SOLID_DATA_H

#include "common/models/elements/solid.h"

/* sys->data */
typedef struct dls_solid_data {
  dls_solid solid;
  dls_quad *quad; /* quads */
  size_t *at;     /* n: coordinate of the mesh, 2 node + k, of each unknown */
  size_t *owner;  /* n: coordinate of the mesh, 2 node + k, that an unknown is */
} dls_solid_data;

static inline const dls_solid_data *dls_solid_data_of(const dls_system *sys)
{
  return sys->data;
}

/* The coordinates of element e at q. @return its unknowns */
const size_t *dls_solid_gather(const dls_solid_data *d, const double *q, size_t e, double x[DLS_QUAD_SIZE]);

/* Set up H, storage of derivatives and the callbacks, after m is set. @return false if out of memory */
bool dls_solid_contacts_create(dls_system *sys);
/* Node of contact j, and the direction of its force. */
size_t dls_solid_touching(const dls_solid *solid, const double *q, size_t j, double direction[2]);

#endif
