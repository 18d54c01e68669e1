/* event_driven/sensitivity/series_sums.h -- the sums over an accumulation, with their derivatives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_SERIES_SUMS_H
#define DELASSUS_EVENT_DRIVEN_SERIES_SUMS_H

#include "event_driven/accumulation/cluster_tangents.h"
#include "event_driven/accumulation/local_pass.h"
#include "event_driven/sensitivity/neighbours.h"

struct dls_accumulation_tangents {
  size_t capacity; /* most contacts */
  dls_cluster_tangents *rates;
  dls_cluster *cluster; /* recomputes a pass with its derivatives */
  double *block;
  double *coefficients; /* derivatives of W, a, e, u of the contacts, one behind the other */
  double *value, *by_p; /* of a function like them, as in dls_motion_tangents */
  double *dg;           /* capacity */
  double *slip;         /* 3 capacity: of the accumulation in a pass */
  double *start;        /* 2 n: x^ where it starts */
  double *end[2];       /* 2 n: derivatives of the end state of each pass */
};

/** For up to k contacts. @return NULL if out of memory */
dls_accumulation_tangents *dls_accumulation_tangents_create(const dls_event_method *method, size_t k);
void dls_accumulation_tangents_destroy(dls_accumulation_tangents *a); /* NULL is fine */
/** The sums with the coefficients of a pass, recomputed with their derivatives along the coefficients and dg in a->rates.
 * @return NULL if they are not known: another end than that of the run, or impacts at once that would come apart */
dls_cluster_sums *dls_accumulation_tangents_sums(dls_accumulation_tangents *a, const dls_accumulation *acc,
                                                 const dls_local_pass *coefficients);

#endif
