/* segment.h -- forces and joints on the straight segment from a to b by discrete derivatives; m = (a + b)/2, D = b - a:
 *   V'* = V'(m) + c D,   c = [V(b) - V(a) - V'(m) . D]/|D|^2,   so that D . V'* = V(b) - V(a)                 (1)
 *   the same for every joint on its coordinates: G*,   D . G*_k = Phi_k(b) - Phi_k(a)                         (2)
 * The force is F* = F(t, m, v_m) + V'(m) - V'*, with V' = -F(t, q, 0). If a system has its own V* (discrete_gradient), it is used.
 * c = 0 where the bracket is rounding, where |D| < 1e-5 length, and for potentials and joints that are at most quadratic.
 * Sources: Gonzalez 1996; Lens & Cardona 2007, section 2.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SEGMENT_H
#define DELASSUS_TIME_STEPPING_SEGMENT_H

#include <delassus/sim.h>

typedef struct dls_segment {
  dls_sim *sim;
  bool curved;       /* V is not known to be a quadratic form */
  bool own;          /* V* is the system's */
  double *force;     /* n: F* */
  dls_matrix *G;     /* n x r: G*; NULL without joints */
  dls_matrix *K, *C; /* -dF/dq and -dF/dv at m; NULL as the system's; K: NULL with a V* of the system's own */
  dls_matrix *geometric; /* n x n: sum mu_k d^2 Phi_k/dq^2 at m; NULL as the system's */
  dls_matrix *at_a,
      *at_b; /* n x n: derivative of V'* by a, by b, without K/2 (own: all of it); NULL: too large, or none */
  double c;  /* of (1) */
  double *middle, *speed, *rest, *step, *grad_a, *grad_b; /* n */
  double *phi_a, *phi_b;                                  /* r: Phi at a and b */
  double *block;                                          /* owns the arrays */
} dls_segment;

/** @return false if out of memory; destroy it in any case */
bool dls_segment_create(dls_sim *sim, dls_segment *s);
void dls_segment_destroy(dls_segment *s);
/** F* at time t with the velocity v_m[n]; b = a: the force there. */
void dls_segment_force(dls_segment *s, double t, const double *a, const double *b, const double *v_m);
/** K, C, at_a and at_b, after the force. */
void dls_segment_tangent(dls_segment *s, double t, const double *a, const double *b, const double *v_m);
/** G* at time t. */
void dls_segment_joints(dls_segment *s, double t, const double *a, const double *b);
/** The matrix `geometric` for multipliers mu[r], after the force. */
void dls_segment_geometric(dls_segment *s, double t, const double *mu);
/**
 * Whether the system has what conserving schemes need: a potential of which the force at rest is the gradient, a
 * constant mass
 * matrix? @return DLS_OK; DLS_ERR_NOT_APPLICABLE
 */
dls_status dls_segment_applies(const dls_sim *sim, dls_error *err);

#endif
