/* impulse_joints.h -- joints as rows of the sweeps: (2) of impulse_equations.h for u = G_i^T v + dPhi_i/dt, without a bound.
 * Redundant equations are rows like others. Nothing here allocates after creation, except columns of M^-1 G as the Delassus operator does.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_JOINTS_H
#define DELASSUS_TIME_STEPPING_IMPULSE_JOINTS_H

#include "common/contact/joints/selected_inverse.h"
#include "common/linear/storage.h"
#include <delassus/delassus_operator.h>
#include <delassus/scheme.h>

/** Arrays of `count` doubles, one for each equation. */
typedef struct dls_impulse_joints {
  size_t count;          /* r of the system; 0: nothing else is here */
  dls_matrix *G;         /* of the last (t, q) */
  dls_delassus *W;       /* G^T M^-1 G; NULL where M couples coordinates, is constant and G is sparse: */
  const double *inverse; /* n: the diagonal of a constant M^-1, where G is sparse; else NULL */
  dls_selected_inverse *coupled; /* of another constant M, where G is sparse; NULL: columns of M^-1 G */
  double *phi, *rate;            /* Phi and dPhi/dt there */
  double *inverse_mass;          /* W_ii; 0: not computed yet, unless inverse is known */
  double *r, *total;             /* impulses of the sweeps, and of the step */
  double *c;                     /* bias, in units of u */
  double mass, yield;            /* m and i of all rows */
  double *block;                 /* owns the arrays */
} dls_impulse_joints;

/** @param[in] M  that of sys, factored before the first use; borrowed @return DLS_OK; DLS_ERR_MEMORY. Destroy it in any case */
dls_status dls_impulse_joints_create(const dls_system *sys, dls_factor *M, dls_impulse_joints *s,
                                     dls_error *err);
void dls_impulse_joints_destroy(dls_impulse_joints *s);

/* Without equations these do nothing. */

/** Phi, dPhi/dt and G at (t, q). M may be another than before. */
void dls_impulse_joints_at(dls_impulse_joints *s, const dls_system *sys, double t, const double *q);
/** u_i */
static inline double dls_impulse_joints_velocity(const dls_impulse_joints *s, size_t i, const double *v)
{
  const dls_matrix *G = s->G;
  return (s->inverse != NULL ? dls_sparse_dot(G, dls_matrix_begin(G, i), dls_matrix_end(G, i), v)
                             : dls_matrix_column_dot(G, i, v)) +
         s->rate[i];
}
/** c of rows that aim at Phi(x) = 0, for Phi at x = q + h v. */
void dls_impulse_joints_aim(dls_impulse_joints *s, double h, const double *v);
/** v += M^-1 G r */
void dls_impulse_joints_warm_start(dls_impulse_joints *s, double *v);
void dls_impulse_joints_sweep(dls_impulse_joints *s, double *v);
/** total += r */
void dls_impulse_joints_collect(dls_impulse_joints *s);

#endif
