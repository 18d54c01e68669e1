/* analytic/exact/support/contact_pieces.h -- flights and lasting contacts of one mass over the ground, one after the other: the
 * calls of dls_exact on such a list. The first entries of the state x are the gap y and its rate.
 *   flight    ends at the first zero of y: impact y' -> -e y', grazing, or landing
 *   contact   y = y' = 0 while the ground pushes; ends with a lift-off
 *   accumulating impacts are followed until the remaining time, 2 V/(|a| (1 - e)), is below the rounding of t
 * Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_CONTACT_PIECES_H
#define DELASSUS_CONTACT_PIECES_H

#include "analytic/exact/support/wide.h"
#include <delassus/exact.h>

enum { DLS_CONTACT_STATE = 4, DLS_CONTACT_CLOSED = 9 }; /* CLOSED: in place of the order of a derivative */

typedef struct dls_contact_piece {
  dls_wide start;
  double t;                         /* start, rounded [s] */
  long double x[DLS_CONTACT_STATE]; /* right limit at the start */
  double v_end;                     /* y' at the end of a flight that ends on the ground */
  double u_minus, time_end;         /* of the event at the start */
  long double fourth;               /* of dls_contact_motion */
  int kind;                         /* dls_event_kind, or -1: no event */
  unsigned lead; /* order of the first derivative of y at the start that is not 0, or DLS_CONTACT_CLOSED */
} dls_contact_piece;

/* What tells one system from another; o is the solution's own data. */
typedef struct dls_contact_motion {
  /** y'' where y = y' = 0, without contact force [m/s^2] */
  long double (*force)(const void *o, long double t, const long double *x);
  /** Order of the first derivative of y = 0 that is not 0 when it moves off, or DLS_CONTACT_CLOSED. */
  unsigned (*lead)(const void *o, long double t, const long double *x);
  /** State s >= 0 after the start of a piece. */
  void (*at)(const void *o, const dls_contact_piece *from, long double s, long double *x);
  /** The same in the digits of a double, for rows between events; NULL: at. */
  void (*row)(const void *o, const dls_contact_piece *from, long double s, long double *x);
  /** When a flight meets the ground, at most at s_max after its start, and y' <= 0 there, 0 if it grazes. */
  bool (*lands)(const void *o, const dls_contact_piece *from, long double s_max, dls_wide *t, long double *v);
  /** When a contact opens. */
  bool (*lifts)(const void *o, const dls_contact_piece *from, long double s_max, dls_wide *t);
  /** Bound of |y| and |y'|, and of those of other coordinates, over a piece; NULL: not needed */
  long double (*fourth)(const void *o, const dls_contact_piece *piece);
  /** y' has jumped by this; NULL: nothing else does */
  void (*strike)(long double jump, long double *x);
} dls_contact_motion;

struct dls_exact_solution {
  const dls_contact_motion *motion;
  void *own; /* freed with the list */
  double mass, e, end;
  long double bound; /* greatest height of a flight that is left out */
  dls_contact_piece *pieces;
  size_t count, capacity, events;
};

/** All pieces from x at t = 0, y >= 0, on. What `sol` holds is the caller's to destroy, also after a failure. */
dls_status dls_contact_list(dls_exact_solution *sol, const long double *x, dls_error *err);
/** x at t on a piece, its limits as dls_exact says. @return t, not rounded where it is that of an event */
long double dls_contact_state(const dls_exact_solution *sol, size_t index, double t, long double *x);
/** Impulse of the event at t on a piece [N s]. */
double dls_contact_impulse(const dls_exact_solution *sol, size_t index, double t);
/** Time since the start of a piece. */
long double dls_contact_since(const dls_exact_solution *sol, size_t index, double t);

/* The calls of dls_exact. */
void dls_contact_destroy(dls_exact_solution *sol);
size_t dls_contact_pieces(const dls_exact_solution *sol);
double dls_contact_start(const dls_exact_solution *sol, size_t index);
bool dls_contact_event(const dls_exact_solution *sol, size_t index, dls_event *out);
#define DLS_CONTACT_CALLS                                                                                      \
  .destroy = dls_contact_destroy, .pieces = dls_contact_pieces, .start = dls_contact_start,                    \
  .event = dls_contact_event

#endif
