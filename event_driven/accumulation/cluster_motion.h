/* event_driven/accumulation/cluster_motion.h -- the motion of a cluster in progress, for cluster.c and cluster_series.c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_CLUSTER_MOTION_H
#define DELASSUS_EVENT_DRIVEN_CLUSTER_MOTION_H

#include "event_driven/accumulation/cluster.h"
#include <delassus/lcp.h>
#include <stdint.h>

enum { DLS_CLUSTER_HISTORY = 64 }; /* impacts and series remembered */

/** One impact, or one series that was passed: the letter of a word, and the state behind it. */
typedef struct dls_cluster_impact {
  uint64_t signature; /* who hit, who rests */
  size_t who;         /* first of those that hit */
  double s;
  double *g, *u, *P, *PM, *L, *LM; /* k each */
} dls_cluster_impact;

struct dls_cluster {
  size_t capacity, k;
  const double *W, *a, *e;
  const dls_cluster_problem *problem;
  dls_lcp_solver *lcp;
  double *block;
  bool *flags;
  size_t *set; /* k; the contacts of a complementarity problem */
  double *W_set, *b, *z, *w;
  double s, slowest;     /* time passed; speeds below this come to rest by e := 0 [m/s] */
  double *g, *u, *gamma; /* gamma: accelerations with the forces */
  double *gap_error;     /* error of g: 0 from the first time that it is zero */
  double *P, *PM, *L, *LM, *lambda;
  double *dP, *dPM, *dL, *dLM; /* of a series */
  bool *rests, *member;
  size_t impacts, series;
  bool slips;  /* a contact that sticks would */
  bool broken; /* no forces were found after a series */
  bool came_to_rest;
  dls_cluster_impact history[DLS_CLUSTER_HISTORY];
  size_t history_count;
  dls_cluster_sums found;
};

static inline double dls_cluster_w(const dls_cluster *c, size_t i, size_t j)
{
  return c->W[i + c->k * j];
}
/** Solve 0 <= W z + b _|_ z >= 0 on set[count]; b, z, w by position in the set. */
bool dls_cluster_solve(dls_cluster *c, size_t count);
/** Can all that stick carry the friction that goes with the normal impulses P (part = 0) or forces (part = 1: f too)? If not c->slips. */
bool dls_cluster_sticks(dls_cluster *c, const double *P, double part);
/** The forces on those with g = u = 0: rests, lambda, gamma. */
bool dls_cluster_forces(dls_cluster *c);
/** Remember what just happened: who (k flags) hit, contact `first` among them. */
void dls_cluster_remember(dls_cluster *c, const bool *who, size_t first, uint64_t kind);
/** Pass the series of one contact that has just left. @return false if there is none that may be passed */
bool dls_cluster_pass_one(dls_cluster *c, const dls_cluster_limits *limits);
/** Pass the series of a sub-cluster whose last impacts repeat themselves on a smaller scale. */
bool dls_cluster_pass_cycle(dls_cluster *c, const dls_cluster_limits *limits);

#endif
