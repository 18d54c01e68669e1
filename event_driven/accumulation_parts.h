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
  double *drift, *q, *v; /* n: M^-1 F; the end */
} dls_course;

struct dls_accumulation {
  dls_course course[2];
  size_t k, capacity;
  size_t *set;       /* m; the contacts, increasing */
  double *c;         /* 2 m: friction of each, per unit of its normal impulse */
  double *r;         /* d m */
  bool *in;          /* m */
  double *states;    /* 6 n */
  double *block;     /* of k */
  double *e, *g, *u; /* k */
  double *P;         /* k; mean of the impulses */
};

/** From sim's state to the end of the accumulation that both courses agree on. */
dls_status dls_accumulation_arrive(dls_tracker *tr, dls_accumulation *acc, const dls_event *passed, double end,
                                   dls_error *err);

#endif
