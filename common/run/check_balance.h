/* check_balance.h -- energy and momentum of a run whose system has no source of them.
 *
 *   energy     E = T + V of a system whose forces, gaps and surfaces do not depend on t and do not move:
 *              gain = E - min of E so far                                             (contacts that yield: - E at the start)
 *   sources    of systems whose loads, supports or surfaces are sources: steps of fixed length, at samples, from node k to k + 1
 *              gain = E' - E - W - D - J,  W = F(t_m, q_m, v_m)^T (q' - q) of loads; nonlinear: of all forces, + V' - V
 *              D = - b^T (p + h lambda) of supports and surfaces, J = - h mu^T dPhi/dt of driven joints;  the sum of gains counts
 * contacts that yield: E with their stored energy, if the scheme states it and no support moves. Their steps are checked in
 * addition to the samples, up to a budget, and summed from closing to opening
 *   impacts    of such systems: gain = sum of p^T (u- + u+)/2 over the contacts of an instant, normal and tangential, u relative to moving
 * supports and surfaces. Joints add nothing: Phi' = 0 before and after, including the power of a drive. Every impact counts
 * momentum   sum of M v along each axis without a resultant of forces, contacts and joints at any evaluation: |p - p(0)|
 *
 * Energy and momentum are evaluated at the start, at one of every 64 nodes, and at the end of the run.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_CHECK_BALANCE_H
#define DELASSUS_COMMON_RUN_CHECK_BALANCE_H

#include <delassus/measures.h>
#include <delassus/scheme.h>

typedef struct dls_check_balance {
  dls_measures *measures; /* NULL: energy and momentum are unknown */
  bool energy, begun, yields;
  bool sourced, inside; /* energy has sources; the last node was the first of a sample */
  double t_first, E_first, V_first, created,
      created_time;                     /* t there; sum of the gains of samples [J], and time of the last [s] */
  double *q, *v, *F, *phi_t;            /* n, n, n, r: q and v there, for systems with sources; scratch */
  bool room;                            /* of q and v */
  double (*stored)(const dls_sim *sim); /* of contacts that yield [J]; NULL: unknown */
  /* steps of such contacts that may still be checked besides the samples */
  size_t credit;
  double step;         /* of the run [s] */
  bool springs;        /* contacts that yield are checked */
  bool of_springs;     /* this step is one of them */
  size_t gains;        /* number of samples with such a step */
  bool impacts, rough; /* energy has sources; impacts are checked. There are tangents */
  /* the last impact [s, J]; sum of the gains before it [J] */
  double impact_time, impact_gain, created_at_impacts;
  size_t axes;    /* number of momenta; 0: none is conserved */
  bool pushed[3]; /* a force, a contact or a joint acts along the axis */
  dls_matrix *G;  /* n x r, or NULL */
  size_t waiting; /* nodes until the next evaluation */
  double floor;   /* J; energies below this are rounding */
  double start, potential, least, least_time,
      largest;                 /* E and V at the start; minimum of E; scale of the exchanged energies [J] */
  double t, momentum[3], flow; /* at the start; sum of |M v| [N s] */
  double *work, *block;        /* n */
} dls_check_balance;

/** Prepare for a run, the first or another one of the sim. @return false if out of memory */
bool dls_check_balance_create(const dls_sim *sim, dls_check_balance *b);
void dls_check_balance_destroy(dls_check_balance *b);
/** Evaluate a node of the run. */
void dls_check_balance_look(dls_sim *sim, dls_check_balance *b);
/** Record a reported impact. */
void dls_check_balance_impact(dls_check_balance *b, const dls_event *event);
/** At the end of the run: judge the gains of samples. */
void dls_check_balance_end(dls_sim *sim, dls_check_balance *b);
/** Do contact springs act in the next step? */
bool dls_check_balance_springs_act(const dls_sim *sim, const dls_check_balance *b);
static inline void dls_check_balance_node(dls_sim *sim, dls_check_balance *b)
{
  if (b->waiting-- == 0 || (b->springs && b->credit > 0 && dls_check_balance_springs_act(sim, b))) {
    dls_check_balance_look(sim, b);
  }
}

#endif
