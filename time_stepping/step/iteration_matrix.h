/* iteration_matrix.h -- the matrix that implicit schemes factor.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_ITERATION_MATRIX_H
#define DELASSUS_TIME_STEPPING_ITERATION_MATRIX_H

#include <delassus/place.h>
#include <delassus/sim.h>

/** A sum of M at the place, C and K, in this order. @return NULL if out of memory */
static inline dls_factor *dls_iteration_matrix(const dls_place *place, const dls_sim *sim)
{
  return dls_factor_create((const dls_matrix *const[]){place->M, sim->C, sim->K}, 3);
}

#endif
