/* event_driven/sensitivity/adjoint.h -- the adjoint equation of an event-driven run, backward in time: d J/dp for any number of parameters.
 *
 *   l(T) = J_x,   -l' = f_x^T l + j_x           between events, for J with the integral of j
 *   l- = Xi^T l+,  dJ/dp += l+ . x_p            at an event that takes (dx, dp) to Xi dx + x_p dp at fixed t     (tape.h)
 *   dJ/dp += integral of l^T f_p + j_p; l- += (j- - j+) dt_x, dJ/dp += (j- - j+) dt_p where j jumps
 *
 * The motion between two checkpoints is computed again; then l backward, with the same engine; then the integrals.
 * Source: Corner, Sandu & Sandu 2019, Nonlinear Analysis: Hybrid Systems 31, 19-40; Hindmarsh et al. 2005 for checkpoints.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ADJOINT_H
#define DELASSUS_EVENT_DRIVEN_ADJOINT_H

#include "event_driven/sensitivity/path.h"
#include "event_driven/sensitivity/tape.h"

/** The phase in which l is. */
typedef struct dls_adjoint {
  dls_event_integrator *run;  /* whose tape it is */
  dls_event_integrator modes; /* the modes of the phase, for the neighbours to follow */
  dls_motion_tangents *tangents;
  dls_engine *motion, *costate;
  dls_path states, costates; /* (q, v) over t, and l over end - t, between two checkpoints */
  double begin, end;         /* of these [s] */
  const double *running;     /* j_x of the integral of a coordinate, 2 n */
  double *by_state;          /* 2 n: j_x of the integral of the energy at a state; NULL: another functional */
  double *lambda;            /* 2 n: l */
  double *gradient;          /* count */
  double size, behind;       /* sizes of l by the scales: that of an integral, else 0; that at `end` */
  double *y, *state, *unit, *out; /* size of the motion; 2 n; 2 n; 2 n + d m */
  double *steady, *rates;         /* 2 n count: c of (1) in adjoint_phase.c, and its slopes */
  double *values, *points;        /* count, times the points of a rule: integrals and their integrands */
  double panel;                   /* length of the last panel of integrals [s]; 0: none yet */
  double *block;
  size_t *indices;
  bool *flags;
  dls_status failure; /* in a callback, with its message */
  dls_error why;
} dls_adjoint;

/** See dls_sim_gradient. */
dls_status dls_adjoint_gradient(dls_sim *sim, const dls_functional *J, double *gradient, dls_error *err);

/* adjoint_phase.c */

/** Engines and memory. @param[in] steady  j_x is constant @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_adjoint_open(dls_adjoint *a, dls_event_integrator *run, bool steady, dls_error *err);
void dls_adjoint_close(dls_adjoint *a);
/** The neighbours take over the modes and breaks of a phase. */
void dls_adjoint_enter(dls_adjoint *a, const dls_tape_phase *phase);
/** l and dJ/dp from `end` back to the checkpoint. @param[in] goal  2 n: the state at the end, as the run had it
 * @param[out] repeats  false: the motion from the checkpoint does not come there, and l and dJ/dp are as they were
 * @return DLS_OK; DLS_ERR_INTEGRATOR; DLS_ERR_MEMORY */
dls_status dls_adjoint_interval(dls_adjoint *a, const dls_tape_checkpoint *from, double end, const double *goal,
                                bool *repeats, dls_error *err);

#endif
