/* tangents.h -- what contacts with tangents do along them, from the equations of motion of an exact solution.
 *   u_T = T^T v + b_T,   M a = F + H lambda + T lambda_T,   M (v+ - v-) = H p + T p_T
 * Where the forces of several contacts are not unique they are the ones of least norm.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXACT_TANGENTS_H
#define DELASSUS_EXACT_TANGENTS_H

#include <delassus/configuration.h>
#include <delassus/delassus_operator.h>

typedef struct dls_tangents {
  const dls_system *sys; /* borrowed; d > 1, m > 0 */
  dls_configuration config;
  dls_factor *M;
  dls_delassus *W;   /* T^T M^{-1} T */
  size_t *active;    /* (d - 1) m */
  double *R, *b, *x; /* n; (d - 1) m; (d - 1) m */
} dls_tangents;

/** Destroy it also after a failure. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_tangents_create(const dls_system *sys, dls_tangents *out, dls_error *err);
void dls_tangents_destroy(dls_tangents *tangents);

/** One side of an instant. Arrays of n (q, v, a, v_before) and m (p, lambda). */
typedef struct dls_tangents_state {
  double t;
  const double *q, *v, *a, *p, *lambda;
  const double *v_before; /* left limit; NULL: v does not jump */
} dls_tangents_state;

/** @param[out] out  u_T, p_T, lambda_T: (d - 1) m each, one after the other */
dls_status dls_tangents_at(dls_tangents *tangents, const dls_tangents_state *state, double *out,
                           dls_error *err);

#endif
