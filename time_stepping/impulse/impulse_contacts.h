/* impulse_contacts.h -- one sweep of Gauss-Seidel's method over contacts, row by row: (2) of impulse_equations.h. It needs H,
 * M^-1 H and the diagonal blocks W_jj alone, and costs O(contacts) where M is diagonal and H sparse.
 * Nothing here allocates after creation, except columns of M^-1 H as the Delassus operator does.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_CONTACTS_H
#define DELASSUS_TIME_STEPPING_IMPULSE_CONTACTS_H

#include <delassus/contact_system.h>
#include <delassus/scheme.h>

/** Arrays by contact, or by row: d rows for each contact, normal first. */
typedef struct dls_impulse_contacts {
  dls_configuration config;  /* of the system */
  dls_contact_system system; /* in the mass metric; joints are rows of their own */
  dls_contacts set;          /* contacts of the sweeps */
  bool *rough;               /* m: the law has friction */
  bool *known;               /* m: W_jj is up to date */
  double *W;                 /* d x d for each contact, column-major */
  double *r;                 /* rows: impulses [N s] */
  double *c;                 /* m: bias of the normal rows [m/s] */
  double *mass, *yield;      /* m: m and i of the normal rows */
  double *block;             /* owns the arrays of doubles */
} dls_impulse_contacts;

/** At the state of the sim; destroy it in any case. @return DLS_OK; DLS_ERR_NOT_APPLICABLE names a law; DLS_ERR_MEMORY */
dls_status dls_impulse_contacts_create(dls_sim *sim, dls_impulse_contacts *s, dls_error *err);
void dls_impulse_contacts_destroy(dls_impulse_contacts *s);
/** M, H and b at (t, q); q is borrowed. @return as dls_contact_system_at */
dls_status dls_impulse_contacts_at(dls_impulse_contacts *s, double t, const double *q, dls_error *err);
/** H and b alone. */
void dls_impulse_contacts_rows(dls_impulse_contacts *s, double t, const double *q);

/** W_jj, d x d, column-major. */
const double *dls_impulse_W(dls_impulse_contacts *s, size_t j);
/** v += M^-1 H_j x and r += x for `count` rows of contact j from `first` on. */
void dls_impulse_add(dls_impulse_contacts *s, size_t j, size_t first, size_t count, const double *x, double *v);
/** (2) of the normal of contact j with its c, m and i. */
void dls_impulse_normal(dls_impulse_contacts *s, size_t j, double *v);
/** x[d - 1] := r_T - W_TT^-1 u_T, the friction with which contact j sticks. @return |x| */
double dls_impulse_stick(dls_impulse_contacts *s, size_t j, const double *v, double *x);
/** (2) of the tangents of contact j, together. */
void dls_impulse_friction(dls_impulse_contacts *s, size_t j, double *v);
/** v += M^-1 H r on the set: the impulses that sweeps start from. */
void dls_impulse_warm_start(dls_impulse_contacts *s, double *v);

#endif
