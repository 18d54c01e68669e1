/* energy_slopes.h -- the energy of a system at any state, and its derivatives along the state and by parameters; without allocation.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_ENERGY_SLOPES_H
#define DELASSUS_COMMON_RUN_ENERGY_SLOPES_H

#include <delassus/direction.h>
#include <delassus/measures.h>

typedef struct dls_energy_slopes {
  const dls_system *sys;
  size_t count;
  const dls_direction *direction; /* count; borrowed */
  dls_measures *self, **near;     /* near: DLS_DIRECTION_SYSTEMS of each */
  double *state, *scale;          /* 4 n; n: of the coordinates */
} dls_energy_slopes;

/** @param[out] out  to be released, also after a failure @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_energy_slopes_create(const dls_system *sys, size_t count, const dls_direction *directions,
                                    dls_energy_slopes *out, dls_error *err);
void dls_energy_slopes_release(dls_energy_slopes *slopes);
/** The energy [J]. */
double dls_energy_at(const dls_energy_slopes *slopes, double t, const double *q, const double *v);
/** Its derivative along (dq, dv); NaN where these are NaN. */
double dls_energy_along(dls_energy_slopes *slopes, double t, const double *q, const double *v, const double *dq,
                        const double *dv);
/** out[2 n] := its derivatives by q and v. */
void dls_energy_by_state(dls_energy_slopes *slopes, double t, const double *q, const double *v, double *out);
/** Its derivative by parameter k, at the fixed state. */
double dls_energy_by_parameter(const dls_energy_slopes *slopes, size_t k, double t, const double *q,
                               const double *v);

#endif
