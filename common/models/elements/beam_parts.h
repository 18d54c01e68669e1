/* beam_parts.h -- inside of beam.c and of what belongs to it.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_MODELS_ELEMENTS_BEAM_PARTS_H
#define DELASSUS_MODELS_ELEMENTS_BEAM_PARTS_H

#include "common/models/elements/beam.h"

/* sys->data */
typedef struct dls_beam_data {
  dls_beam beam;
  double L;     /* of an element [m] */
  size_t node;  /* coordinates of a node */
  size_t *at;   /* elements x 2 node: incidence */
  double *load; /* n: gravity and what pulls at the tip */
} dls_beam_data;

static inline const dls_beam_data *dls_beam_data_of(const dls_system *sys)
{
  return sys->data;
}

/* The coordinates of element e at (t, q). @return its unknowns */
const size_t *dls_beam_gather(const dls_system *sys, double t, const double *q, size_t e, double *x);

/* --- beam_mass.c --- */
/* M, zero before, and gravity in the loads. @return DLS_OK; as dls_redistribute_mass */
dls_status dls_beam_fill_mass(const char *name, dls_system *sys, dls_error *err);

/* The momenta, where the mass of the root is known: not of a root that is held with mass redistributed. */
void dls_beam_set_momentum(dls_system *sys);

/* --- beam_joints.c: unit directors --- */
/* How many nodes have one. */
size_t dls_beam_joint_count(const dls_beam *beam);
/* G, geometric and the calls, after r is set. @return false if out of memory */
bool dls_beam_joints_create(dls_system *sys);

#endif
