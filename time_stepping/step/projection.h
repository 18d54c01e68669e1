/* projection.h -- positions projected on joints and out of penetrations:
 *   q := q + M^-1 (G tau_b + H tau)   with   Phi(t, q) = 0,   0 <= g(t, q) _|_ tau >= 0 on a set
 * by repeated linearisation, each with its own tau.
 * Source: Acary 2013, projected event-capturing schemes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PROJECTION_H
#define DELASSUS_TIME_STEPPING_PROJECTION_H

#include <delassus/contact_system.h>
#include <delassus/sim.h>

typedef struct dls_projection {
  dls_contact_system contacts; /* in the mass metric; joints too */
  dls_contacts set;            /* contacts of the projection */
  bool *pushed;                /* m: those of the last projection with tau > 0 */
  bool kept;                   /* the contact system is that of an earlier place of the last projection */
  double *dq;                  /* n */
  double *gap;                 /* m */
  double *push, *r;            /* rows: blocks of contacts */
  double *block;               /* owns the arrays of doubles */
} dls_projection;

/** For a system with joints, at the state of the sim. Destroy it in any case. */
dls_status dls_projection_create(dls_sim *sim, dls_projection *p, dls_error *err);
void dls_projection_destroy(dls_projection *p);
/** Project q[n] to 1e-12 lengths and rounding. @return DLS_OK; DLS_ERR_NOCONV; as dls_contact_system_at */
dls_status dls_projection_apply(dls_sim *sim, dls_projection *p, double t, double *q, dls_error *err);
/** Then the contact system at q. @return as dls_contact_system_at */
dls_status dls_projection_arrive(dls_projection *p, double t, const double *q, dls_error *err);

#endif
