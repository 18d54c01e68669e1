/* event_driven/friction/slow_slip.h -- slow slip in space, whose direction follows the forces.
 *
 * Where the slip s = |u_T| is small, friction turns it towards the forces at the rate F/s, F = mu lambda_N W_TT: stiff. After a time
 * s/F any other direction has decayed, and with u_T = s d the angle theta of d obeys
 *   d_perp . u_T'(theta) = s theta',    theta' = -(J - s')^-1 d/dt (d_perp . u_T')|_theta,   J = d(d_perp . u_T')/d theta      (1)
 * two terms of the expansion of the slow motion in s; at s = 0 the acceleration is along d. Here friction opposes d instead of u_T/s, so
 * that nothing is stiff. The angle neglected is of the order s^2 (theta'' + theta' s''/F)/F^2, the velocity s times that. It is below
 * tol at speeds up to dls_slow_slip_limit(); faster slip is followed in full. u follows theta', which lacks s theta''/F, and
 * relaxes to s d at a rate R, so that it lags by s theta''/(F R). R grows with s, up to F/s, so that the lag is below tol, too.
 * Sources: Tikhonov 1952 and Fenichel 1979 for slow motions that attract; the expansion is elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SLOW_SLIP_H
#define DELASSUS_EVENT_DRIVEN_SLOW_SLIP_H

#include "event_driven/roots.h"
#include <delassus/error.h>

typedef struct dls_slow_slip dls_slow_slip; /* workspace */

/** For n coordinates and m contacts in space. @return NULL if out of memory */
dls_slow_slip *dls_slow_slip_create(size_t n, size_t m);
void dls_slow_slip_destroy(dls_slow_slip *slow_slip); /* NULL is fine */
/** Is there slow slip in Is? */
bool dls_slow_slip_any(const dls_event_method *method, const dls_event_state *state);
/** Directions of the slowly slipping contacts, and the forces of Is with them at (t, q, v), with the geometry there before and after.
 * @param[in,out] a       n; without contact forces in, with them out
 * @param[out]    lambda  d m
 * @return DLS_OK; DLS_ERR_NOCONV: no direction, as may happen in a trial step; what fails at a configuration
 */
dls_status dls_slow_slip_reaction(dls_event_integrator *run, double t, const double *q, const double *v,
                                  double *a, double *lambda, dls_error *err);
/** The speed up to which slip of contact j may be slow slip, after the last dls_slow_slip_reaction [m/s]. */
double dls_slow_slip_limit(const dls_event_method *method, const dls_event_work *work, size_t j);
/** F of contact j: friction turns slip s at the rate F/s. Forces and geometry as there [m/s^2]. */
double dls_slow_slip_stiffness(const dls_event_method *method, const dls_event_work *work, size_t j);
/** Is the slip of contact j at v so slow and so near to the slow motion that it may become slow slip? Forces and geometry as at v.
 * @param[out] slow_slip_limit  up to which speed [m/s] */
bool dls_slow_slip_begins(const dls_event_method *method, const dls_event_work *work, size_t j, const double *v,
                          double *slow_slip_limit);

#endif
