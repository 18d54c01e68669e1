/* event_driven/sensitivity/transposed.h -- products with the transposed derivatives of the acceleration v' = a(t, q, v), for fixed modes.
 *
 *   M a = F + D l,  B a + c = 0,  A = B M^-1 D       forces l of the closed contacts; D = B^T unless they slip
 *   x^T da = w^T dF,   w = M^-1 (x - B^T z),   A^T z = D^T M^-1 x                      (1)
 *
 * Where M, B, D are constant and dF = -K dq - C dv, a product costs one solve: in linear systems, and in others that state K and C at a
 * state. For all others it is the sum over slopes of tangents along each of the 2 n coordinates.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_TRANSPOSED_H
#define DELASSUS_EVENT_DRIVEN_TRANSPOSED_H

#include "event_driven/sensitivity/neighbours.h"
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_permutation.h>

typedef struct dls_transposed {
  bool exact; /* by (1) */
  size_t n, rows, room;
  size_t *row;    /* rows: of H */
  double *D, *MB; /* rows x n: columns of D, and of M^-1 B^T */
  double *w, *z;  /* n, rows */
  double *block;
  gsl_matrix *A; /* A^T, factored */
  gsl_permutation *order;
} dls_transposed;

/** Are there constant M and B, and K and C? */
bool dls_transposed_has_matrices(const dls_event_integrator *near);
void dls_transposed_release(dls_transposed *transposed);
/** Prepare products for the modes of `near`, at (t, q, v) of the phase. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_transposed_set(dls_transposed *transposed, dls_event_integrator *near, double t, const double *q,
                              const double *v, dls_error *err);
/** K and C of `near` := those at (t, q, v); in linear systems they do not depend on it. */
void dls_transposed_at(dls_event_integrator *near, double t, const double *q, const double *v);
/** Exact only: by_q, by_v := x^T da/d(q, v). */
void dls_transposed_apply(dls_transposed *transposed, dls_event_integrator *near, const double *x, double *by_q,
                          double *by_v);
/** Exact only: the same of the acceleration without contact forces. */
void dls_transposed_free(dls_transposed *transposed, dls_event_integrator *near, const double *x, double *by_q,
                         double *by_v);
/** Exact only: x^T da/dp, where p changes the residuals of F and of the rows B a + c by these, n and d m: w^T dF - z^T dc by (1), with w
 * and z of the last dls_transposed_weigh. */
void dls_transposed_weigh(dls_transposed *transposed, dls_event_integrator *near, const double *x);
double dls_transposed_by_parameter(const dls_transposed *transposed, const double *force, const double *rate);
/** Exact only: by_q, by_v := dl/d(q, v) of row k. */
void dls_transposed_force(dls_transposed *transposed, dls_event_integrator *near, size_t k, double *by_q,
                          double *by_v);

#endif
