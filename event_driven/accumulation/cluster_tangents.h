/* event_driven/accumulation/cluster_tangents.h -- derivatives of the sums of a cluster (cluster.h) with respect to one parameter.
 *
 * Along the motion of the cluster each force, flight, impact and series of one contact is differentiated with its contacts fixed. States
 * are compared at impacts, which move: so derivatives shrink with the motion, and those of the sums converge.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_CLUSTER_TANGENTS_H
#define DELASSUS_EVENT_DRIVEN_CLUSTER_TANGENTS_H

#include <stdbool.h>
#include <stddef.h>
#include <sundials/sundials_types.h>

/** What a step of the cluster needs: its data and its state before the step. */
typedef struct dls_cluster_state {
  size_t k;
  const double *W, *e;                          /* k x k, k */
  const double *g, *u, *gamma, *lambda, *P, *L; /* k */
  const bool *rests;                            /* k */
} dls_cluster_state;

/** Derivatives at the end of the last series found. */
typedef struct dls_cluster_rates {
  double tau;
  double *P, *PM, *L, *LM; /* k */
  bool valid; /* no impacts at once that would come apart, no singular W, and what was neglected is small */
} dls_cluster_rates;

typedef struct dls_cluster_tangents {
  const double *dW, *da, *de, *dg, *du; /* of the problem: k x k, then k each; borrowed */
  double rounding, time;          /* of dg, and the scale for du: contacts that differ by less stay together */
  double *g, *u, *gamma, *lambda; /* k: of the state */
  dls_cluster_rates now, end;
  double most;         /* largest of u after an impact: those left at rest must be small beside it */
  double *x;           /* k: of a response */
  double *A, *b;       /* k x k, k: a linear system */
  double **column;     /* k: of A */
  sunindextype *pivot; /* k */
  size_t *set;         /* k */
  double *block;
} dls_cluster_tangents;

/** @return NULL if out of memory */
dls_cluster_tangents *dls_cluster_tangents_create(size_t capacity);
void dls_cluster_tangents_destroy(dls_cluster_tangents *t); /* NULL is fine */

/* Called by the cluster before each step, unless t is NULL; `forces` after the forces have changed. */
void dls_cluster_tangents_begin(dls_cluster_tangents *t, size_t k);
void dls_cluster_tangents_forces(dls_cluster_tangents *t, const dls_cluster_state *c);
/** A flight of length dt up to the impact of the members; first is one of them. */
void dls_cluster_tangents_flight(dls_cluster_tangents *t, const dls_cluster_state *c, double dt,
                                 const bool *member, size_t first);
/** The impact of the members and those that rest, u before it; z: its impulses, k; held: u+ is -e u-, k. */
void dls_cluster_tangents_impact(dls_cluster_tangents *t, const dls_cluster_state *c, const double *z,
                                 const bool *held);
/** The series of contact i, with the response x, k, of duration T. */
void dls_cluster_tangents_series(dls_cluster_tangents *t, const dls_cluster_state *c, size_t i, const double *x,
                                 double T);
/** The members come to rest. */
void dls_cluster_tangents_rest(dls_cluster_tangents *t, size_t k, const bool *member);
/** t->end := the present derivatives of the sums. */
void dls_cluster_tangents_save(dls_cluster_tangents *t, size_t k);

#endif
