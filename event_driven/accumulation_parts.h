/* event_driven/accumulation_parts.h -- what an accumulation is followed with, for accumulation.c, which looks for its end, and
 * accumulation_end.c, which goes there.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ACCUMULATION_PARTS_H
#define DELASSUS_EVENT_DRIVEN_ACCUMULATION_PARTS_H

#include "event_driven/cluster.h"
#include "event_driven/tracker.h"

/* One of the two motions: its coefficients, and the state to which it leads. */
typedef struct dls_course {
  dls_cluster *cluster;
  dls_cluster_sums *sums;
  double *W, *a;         /* k x k, k; W of the normals and of the columns N + T c, which carry friction */
  double *C;             /* held x (k + 1): C and f of accumulation_hold.c */
  double *drift, *q, *v; /* n: M^-1 F; the end */
} dls_course;

struct dls_accumulation {
  dls_course course[2];
  size_t k, capacity, d;
  size_t *set;             /* m; the contacts, increasing */
  double *c;               /* 2 m: friction of each, per unit of its normal impulse */
  double *r;               /* d m */
  bool *in;                /* m */
  double *states;          /* 6 n */
  double *block;           /* of k */
  double *e, *g, *u;       /* k */
  double *P, *mu;          /* k; mean of the impulses; friction of those that stick */
  size_t held;             /* tangents of contacts that stick, by the order of the set */
  size_t *tangent, *owner; /* held: the first tangential row of its contact, and whose it is in the set */
  double *along;           /* 2 held: unit vectors on the tangents */
  double *A;               /* held x (held + k + 1) */
  double **column;         /* of A, the first held */
  size_t lost;             /* impacts in a row after which slip that was held would have mattered */
  bool lenient;            /* what sticks, or slips slower than the swing, is held whatever that takes */
  bool slips;              /* one of those slipped in the motion that was followed last */
};

/* accumulation_hold.c */

/** Who of the set sticks. @param[in] still  slip up to this counts as none, where it is to be lenient [m/s] */
void dls_accumulation_hold(const dls_tracker *tr, dls_accumulation *acc, double still);
/** Row `row` of u against the column N + T c of the i-th of the set; */
double dls_accumulation_row(dls_tracker *tr, const dls_accumulation *acc, size_t row, size_t i);
/** and with what those that stick do about it. */
double dls_accumulation_w(dls_tracker *tr, const dls_accumulation *acc, const dls_course *course, size_t row,
                          size_t i);
/** The course's W, a, drift, made without them, become those with contacts that stick; geometry and v as for those. */
void dls_accumulation_constrain(dls_tracker *tr, dls_accumulation *acc, const double *v, dls_course *course);
/** friction[d - 1] += part times the friction of the i-th of the set, which sticks, with P; P = NULL: f. */
void dls_accumulation_friction(const dls_tracker *tr, const dls_accumulation *acc, const dls_course *course,
                               double part, const double *P, size_t i, double *friction);
/** x += alpha M^-1 D P with the columns of the set and C; P = NULL: what f does. Overwrites acc->r. */
void dls_accumulation_push(dls_tracker *tr, dls_accumulation *acc, const dls_course *course, double alpha,
                           const double *P, double *x);

/* accumulation.c */

/** From sim's state to the end of the accumulation that both courses agree on. */
dls_status dls_accumulation_arrive(dls_tracker *tr, dls_accumulation *acc, const dls_event *passed, double end,
                                   dls_error *err);

#endif
