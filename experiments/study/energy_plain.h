/* experiments/study/energy_plain.h -- works of a step where no identity is known: integrals along the scheme's path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H
#define DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H

#include <delassus/balance.h>
#include <delassus/trajectory.h>
#include <gsl/gsl_integration.h>

/** Smooth works of a step and the losses of its impacts. */
typedef struct dls_energy_plain {
  gsl_integration_glfixed_table *gauss;
  double *q, *w, *F, *work; /* n each: point and velocity on the path, force, scratch; not owned */
  size_t seen;              /* events accounted for */
} dls_energy_plain;

/** Number of vectors of n that `vectors` has in dls_energy_plain_create. */
enum { DLS_ENERGY_PLAIN_VECTORS = 4 };
/** @return false if out of memory */
bool dls_energy_plain_create(size_t n, double *vectors, dls_energy_plain *plain);
void dls_energy_plain_release(dls_energy_plain *plain);
/**
 * External, damping and impact work of the step from (t, q, v) to the sim's state; terms are left alone.
 * @param[in] record  holds the events that the scheme reported
 */
void dls_energy_plain_step(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record, double t,
                           const double *q, const double *v, dls_balance_step *out);

#endif
