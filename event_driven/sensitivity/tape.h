/* event_driven/sensitivity/tape.h -- what a run keeps for the adjoint equation:
 *   of each event and accumulation, its linear map of the state and of the parameters, and the modes that follow;
 *   states from which the motion in between is computed again.
 *
 * The map of the state is dx+ = dx + (Xi - 1) dx, where Xi - 1 has a small rank for linear systems: it depends on the gaps and velocities
 * of the contacts at the event, and on their forces if these fall to zero or to the limit of friction. Xi is applied to an orthonormal basis
 * of these directions alone. Through an accumulation they are those of its contacts, and of the accelerations of their gaps and slips without
 * contact forces. All other directions x pass through it in free motion,
 *   F x = (x_q + tau x_v + tau^2/2 Da x, x_v + tau Da x)    Da: of the acceleration without contact forces               (2)
 * and Xi - F takes the place of Xi - 1. In all other cases Xi is applied to 2 n directions: e_i, a unit step of coordinate i with steps of
 * the pivots that keep the gaps which close, n_r . e_i = 0; and d_r, steps of the pivots that move the gap r by 1 and keep the others. In them
 *   x = sum over i of x_i e_i + sum over r of (n_r . x) d_r,      i: no pivot                             (1)
 * n_r: gradients of the gaps. A slow impact moves by dt = -D g/u, and terms of 1/u are then those of its own d_r alone, not differences of
 * large numbers in all coordinates. With joints Xi is applied to the nearest directions that meet them, P e_i and P d_r, with n_r P in place
 * of n_r, and to the parameters together with the nearest change of the state that meets the joints: across them maps are much less smooth.
 * Parameters that move a gap are applied with a change s of the state that keeps it, and the image of s is taken off: so the large terms of
 * the parameters are multiples of those of the state, with which they cancel.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_TAPE_H
#define DELASSUS_EVENT_DRIVEN_TAPE_H

#include "event_driven/sensitivity/neighbours.h"
#include "event_driven/sensitivity/transposed.h"

/** The modes and breaks of the phase behind an event. */
typedef struct dls_tape_phase {
  size_t closed;          /* contacts */
  dls_contact *contact;   /* closed */
  size_t *index;          /* closed */
  double *reaction_split; /* d x closed */
  bool split_stored, uncontrolled;
  double scale;
  double *next_break,
      *begin; /* 1 + DLS_DIRECTION_SYSTEMS x count: of the run's own system and of its neighbours [s] */
} dls_tape_phase;

/** An event, or an accumulation that lasts from `begin` to t. */
typedef struct dls_tape_crossing {
  double begin, t;
  double *left;          /* 2 n: state at its begin */
  size_t rank;           /* columns of the state */
  double *basis;         /* 2 n x rank, by columns; of rank 2 n: (1) */
  size_t pivots, *pivot; /* of (1); 0 unless the rank is 2 n */
  double *gradient;      /* n x pivots: n_r */
  double *image;         /* 2 n x (count + rank): what the parameters, then the basis, become */
  double *dt;            /* count + rank: of its time */
  double *energy_jump;   /* count + rank: of the integral of the energy */
  double *shift;         /* count x rank: the coefficients of s */
  double *before;        /* 2 n: where slip in space ends and still turns, the state at before_t; else NULL */
  double before_t;
  double flight; /* tau of (2); 0: an event */
  size_t contact;
  double speed,
      depth; /* of an impact: |u-|, and how far the gap may be moved before it is missed [m]; infinite: not an impact */
  dls_tape_phase phase;
  size_t checkpoint; /* the first of the phase */
  double *block;
  void *indices;
} dls_tape_crossing;

typedef struct dls_tape_checkpoint {
  double t;
  double *y; /* 2 n */
} dls_tape_checkpoint;

typedef struct dls_tape {
  dls_tape_crossing *crossing;
  size_t count, room;
  dls_tape_checkpoint *checkpoint;
  size_t checkpoints, checkpoint_room;
  size_t steps, apart; /* since the last checkpoint; between two of them */
  size_t span;         /* checkpoints between which the motion is computed again at once, at most */
  double step_begin;   /* of the last step seen */
  size_t rank;         /* of the crossing in progress */
  size_t most;         /* rank that there is room for */
  double *basis;       /* 2 n x most */
  size_t pivots,
      *pivot;       /* m: the directions of the basis that move the gaps of closing contacts, each that of */
  size_t *kept;     /* m: and no other, or none of those before it */
  double *gradient; /* n x pivots: n_r */
  double
      *reduced;  /* (n + width) x width: combinations of n_r that are 1 at one pivot, and their coefficients */
  size_t width;  /* the smaller of n and m */
  double *shift; /* 2 n x count: coefficients of s in the basis */
  dls_transposed transposed;
} dls_tape;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_tape_create(dls_motion_tangents *tangents, dls_event_integrator *run, dls_error *err);
void dls_tape_destroy(dls_tape *tape); /* NULL is fine */
/* Without a tape the functions below do nothing. */

/** Note a step of the engine. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_tape_advance(dls_event_integrator *run, dls_error *err);
/** Before the tangents cross an event at q, or an accumulation (q NULL): they become the basis. */
dls_status dls_tape_open(dls_event_integrator *run, const double *q, size_t participants, dls_error *err);
/** Afterwards: keep what they have become. @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_tape_close(dls_event_integrator *run, const double *q, size_t participants, dls_error *err);

#endif
