/* event_driven/accumulation/local_pass.h -- the motion of the contacts near an accumulation with the coefficients of one state: once
 * with those at its start, once with those at its end (accumulation.c).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_LOCAL_PASS_H
#define DELASSUS_EVENT_DRIVEN_LOCAL_PASS_H

#include "event_driven/accumulation/cluster.h"
#include "event_driven/event_integrator.h"

/* One pass: its coefficients and the state at its end. */
typedef struct dls_local_pass {
  dls_cluster *cluster;
  dls_cluster_sums *sums;
  double *W, *a;         /* k x k, k; W of the normals and of the columns N + T c, which carry friction */
  double *c;             /* 2 m: friction of each, per unit of its normal impulse */
  double *C;             /* held x (k + 1): C and f of contacts that stick */
  double *drift, *q, *v; /* n: M^-1 F; the end */
} dls_local_pass;

/* What a contact is assumed to do along its tangents up to the end. */
typedef enum dls_tangency {
  DLS_TANGENCY_STATIONARY, /* no slip, apart from what an impact leaves and the next one, or the last, removes */
  DLS_TANGENCY_SLIPS,      /* slips in one direction */
  DLS_TANGENCY_HELD,       /* sticks; impacts of others do not make it slip */
} dls_tangency;

/* Do the contacts that stick do so up to the end? */
typedef enum dls_sticking {
  DLS_STICKING_KEPT,   /* within their limits of friction, in all passes */
  DLS_STICKING_BROKEN, /* one of them slipped in a pass, or slip ended */
  DLS_STICKING_FORCED, /* contacts that stick, or slip slower than the velocity change, are held with any force */
} dls_sticking;

/* Is slip what the last two passes took it for? */
typedef enum dls_slip_agreement {
  DLS_SLIP_AGREES,
  DLS_SLIP_PUSHED,  /* yes, but stationary contacts get more slip from others than tol allows */
  DLS_SLIP_DIFFERS, /* no */
} dls_slip_agreement;

struct dls_accumulation {
  dls_local_pass local_pass[2];
  size_t k, capacity, d;
  size_t *set;            /* m; the contacts, increasing */
  dls_tangency *tangency; /* m; of the set */
  double *fixed;          /* owns the vectors of n and m */
  double *direction;      /* 2 m: direction of those that slip */
  const double *turning;  /* 3 k: direction and speed; tangents in space turn it linearly; NULL: in full */
  double *r;              /* d m */
  bool *in;               /* m */
  double *block;          /* owns the vectors of k */
  double *e, *g, *u, *gap_error; /* k; gap_error: local error of g */
  double *P, *mu;                /* k; mean of the impulses; friction of those that stick */
  size_t held;                   /* tangents of contacts that stick, by the order of the set */
  size_t *tangent, *owner;       /* held: the first tangential row of its contact, and whose it is in the set */
  double *along;                 /* 2 held: unit vectors on the tangents */
  double *A;                     /* held x (held + k + 1) */
  double **column;               /* of A, the first held */
  size_t lost;                   /* impacts in a row after which neglected slip mattered */
  dls_sticking sticking;
  dls_slip_agreement slip;
};

/** acc->tangency, acc->direction of the set, none held yet. @param[in] stationary  slip up to this counts as none [m/s] */
void dls_local_pass_choose_tangency(const dls_event_integrator *run, dls_accumulation *acc, double stationary);
/** Which contacts of the set stick. @param[in] stationary  slip up to this counts as none where sticking is forced [m/s] */
void dls_local_pass_choose_held(const dls_event_integrator *run, dls_accumulation *acc, double stationary);
/** Room for k contacts. @return false if out of memory */
bool dls_local_pass_reserve(dls_accumulation *acc, size_t k);
/** For so many of m contacts there is room before the run; arrays are k x k. */
static inline size_t dls_local_pass_contacts_at_once(size_t m)
{
  return m < 64 ? m : 64;
}
/** W, a, M^-1 F and the columns of friction at t, q, v, with the geometry at q. */
void dls_local_pass_set_coefficients(dls_event_integrator *run, dls_accumulation *acc, double t,
                                     const double *q, const double *v, dls_local_pass *local_pass);
/** Follow the motion with these coefficients: local_pass->sums; NULL: it has no end. */
void dls_local_pass_run(dls_accumulation *acc, dls_local_pass *local_pass, const dls_cluster_limits *limits);
/** local_pass->q, local_pass->v := the full state after the sums, with the geometry of the pass. */
void dls_local_pass_set_end_state(dls_event_integrator *run, dls_accumulation *acc, dls_local_pass *local_pass);
/** If sticking was kept so far and one slips: it is broken. */
void dls_local_pass_record_slip(dls_accumulation *acc, bool slips);
/** Row `row` of u against column N + T c of the i-th contact of the set, with the reaction of those that stick. */
double dls_local_pass_row(const dls_event_method *method, dls_event_work *work, const dls_accumulation *acc,
                          const dls_local_pass *local_pass, size_t row, size_t i);
/** friction[d - 1] += part times the friction of the i-th contact of the set, which sticks, with P; P = NULL: f. */
void dls_local_pass_held_friction(const dls_event_method *method, const dls_accumulation *acc,
                                  const dls_local_pass *local_pass, double part, const double *P, size_t i,
                                  double *friction);
/** Has every contact that slips, of those that are closed or of those that bounce, more slip than the first pass can take from it?
 * Geometry as at the start. */
bool dls_local_pass_slip_lasts(dls_event_integrator *run, const dls_accumulation *acc, bool closed);
/** Upper bound of the slip that impulses and forces of the first pass give to stationary contacts that bounce [m/s]; 0 for one contact,
 * whose friction does not change its flights. Geometry as at the start. */
double dls_local_pass_neglected_slip(dls_event_integrator *run, const dls_accumulation *acc);

#endif
