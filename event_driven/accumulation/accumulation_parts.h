/* event_driven/accumulation/accumulation_parts.h -- what an accumulation is followed with, for accumulation.c, which looks for its end,
 * accumulation_slip.c and accumulation_hold.c, which know its friction, and accumulation_end.c, which goes there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ACCUMULATION_PARTS_H
#define DELASSUS_EVENT_DRIVEN_ACCUMULATION_PARTS_H

#include "event_driven/accumulation/cluster.h"
#include "event_driven/event_integrator.h"

/* One of the two motions: its coefficients, and the state to which it leads. */
typedef struct dls_local_pass {
  dls_cluster *cluster;
  dls_cluster_sums *sums;
  double *W, *a;         /* k x k, k; W of the normals and of the columns N + T c, which carry friction */
  double *c;             /* 2 m: friction of each, per unit of its normal impulse */
  double *C;             /* held x (k + 1): C and f of accumulation_hold.c */
  double *drift, *q, *v; /* n: M^-1 F; the end */
} dls_local_pass;

/* What a contact is taken to do along its tangents up to the end. */
typedef enum dls_tangency {
  DLS_TANGENCY_STATIONARY, /* no slip, but for what an impact leaves that the next one, or the last, takes away */
  DLS_TANGENCY_SLIPS,      /* slips in one direction */
  DLS_TANGENCY_HELD,       /* sticks, impacts of others do not make it slip */
} dls_tangency;

/* Do the contacts that stick do so up to the end? */
typedef enum dls_sticking {
  DLS_STICKING_KEPT,   /* within their friction, in all that was followed */
  DLS_STICKING_BROKEN, /* one of them slipped in a motion that was followed, or slip ended */
  DLS_STICKING_FORCED, /* what sticks, or slips slower than the swing, is held whatever that takes */
} dls_sticking;

/* Is slip what the courses that were followed last take it for? */
typedef enum dls_slip_agreement {
  DLS_SLIP_AGREES,
  DLS_SLIP_PUSHED,  /* but contacts that are still get more slip from others than tol allows */
  DLS_SLIP_DIFFERS, /* no */
} dls_slip_agreement;

struct dls_accumulation {
  dls_local_pass local_pass[2];
  size_t k, capacity, d;
  size_t *set;                   /* m; the contacts, increasing */
  dls_tangency *tangency;        /* m; of the set */
  double *directions;            /* owns 6 m */
  double *direction;             /* 2 m: direction of those that slide */
  double *r;                     /* d m */
  bool *in;                      /* m */
  double *states;                /* 6 n */
  double *block;                 /* of k */
  double *e, *g, *u, *gap_error; /* k; gap_error: local error of g */
  double *P, *mu;                /* k; mean of the impulses; friction of those that stick */
  size_t held;                   /* tangents of contacts that stick, by the order of the set */
  size_t *tangent, *owner;       /* held: the first tangential row of its contact, and whose it is in the set */
  double *along;                 /* 2 held: unit vectors on the tangents */
  double *A;                     /* held x (held + k + 1) */
  double **column;               /* of A, the first held */
  size_t lost;                   /* impacts in a row after which slip that was held would have mattered */
  dls_sticking sticking;
  dls_slip_agreement slip;
};

/* accumulation_slip.c */

/** acc->tangency, acc->way of the set, of which none is held yet. @param[in] still  slip up to this counts as none [m/s] */
void dls_local_pass_choose_tangency(const dls_event_integrator *tr, dls_accumulation *acc, double stationary);
/** course->c of what is not held, for v; the geometry as it is. */
void dls_local_pass_columns(dls_event_integrator *tr, const dls_accumulation *acc, const double *v,
                            dls_local_pass *local_pass);
/** Has every contact that slides, of those that are closed or of those that bounce, more slip than the first course can take from it?
 * Geometry as at the start. */
bool dls_local_pass_slip_lasts(dls_event_integrator *tr, const dls_accumulation *acc, bool closed);
/** Slip that impulses and forces of the first course give to contacts that are still and bounce, an upper bound [m/s]; 0 for one contact, whose
 * friction does not change its flights. Geometry as at the start. */
double dls_local_pass_neglected_slip(dls_event_integrator *tr, const dls_accumulation *acc);
/** After dls_accumulation_final_impact: is every contact that was taken as still, and rests, without slip? */
bool dls_accumulation_ends_stationary(const dls_event_integrator *tr, const dls_accumulation *acc);
/** Are the impulses of the touching contacts, which are the set, in their cones? @param[in] error  of velocities [m/s] */
bool dls_accumulation_is_lawful(const dls_event_integrator *tr, const dls_accumulation *acc, double error);
/** The touching contacts that are to rest, tr->subset, get impulses of one impact without restitution in place of their sums: those, tr->v
 * and u+ become what it makes of them, tr->grip and whether they are still too. The geometry as it is. */
dls_status dls_accumulation_final_impact(dls_event_integrator *tr, dls_accumulation *acc, size_t rest,
                                         dls_error *err);

/* accumulation_hold.c */

/** Who of the set sticks. @param[in] still  slip up to this counts as none, where sticking is forced [m/s] */
void dls_local_pass_choose_held(const dls_event_integrator *tr, dls_accumulation *acc, double stationary);
/** Row `row` of u against the column N + T c of the i-th of the set; */
double dls_local_pass_normal_row(dls_event_integrator *tr, const dls_accumulation *acc,
                                 const dls_local_pass *local_pass, size_t row, size_t i);
/** and with what those that stick do about it. */
double dls_local_pass_row(dls_event_integrator *tr, const dls_accumulation *acc,
                          const dls_local_pass *local_pass, size_t row, size_t i);
/** The course's W, a, drift, made without them, become those with contacts that stick; geometry and v as for those. */
void dls_local_pass_constrain(dls_event_integrator *tr, dls_accumulation *acc, const double *v,
                              dls_local_pass *local_pass);
/** friction[d - 1] += part times the friction of the i-th of the set, which sticks, with P; P = NULL: f. */
void dls_local_pass_held_friction(const dls_event_integrator *tr, const dls_accumulation *acc,
                                  const dls_local_pass *local_pass, double part, const double *P, size_t i,
                                  double *friction);
/** x += alpha M^-1 D P with the columns of the set and C; P = NULL: what f does. Overwrites acc->r. */
void dls_local_pass_apply(dls_event_integrator *tr, dls_accumulation *acc, const dls_local_pass *local_pass,
                          double alpha, const double *P, double *x);

/* accumulation.c */

/** From sim's state to the end of the accumulation that both courses agree on.
 * @param[in]  must     flights are too low to make the next impact: end there with friction as near to this as it can be
 * @param[out] arrived  false: friction is not what the courses took it for, and nothing has changed */
dls_status dls_accumulation_arrive(dls_event_integrator *tr, dls_accumulation *acc, dls_event *passed,
                                   double end, bool must, bool *arrived, dls_error *err);

#endif
