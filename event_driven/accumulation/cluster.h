/* event_driven/accumulation/cluster.h -- a few contacts near an accumulation of impacts, with constant coefficients.
 *
 * Between impacts the gaps are parabolas with u' = a + W lambda, 0 <= u' _|_ lambda >= 0 on the contacts that rest
 * (g = u = 0); an impact is 0 <= W P + (I + E) u- _|_ P >= 0 on the contacts that hit and those that rest. No integrator is
 * needed, and scaling (g, u, t) by (s^2, s, s) maps motions to motions: no digits are lost however small they become.
 * Infinite series are summed in closed form: that of one contact that falls back by itself, and those of
 * sub-clusters of any size whose motion repeats itself on a smaller scale. Series may be nested.
 * Knows no system: W, a, e, g, u in, sums out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_CLUSTER_H
#define DELASSUS_EVENT_DRIVEN_CLUSTER_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_cluster dls_cluster; /* workspace */

/** The motion from the present impact on; arrays are borrowed. */
typedef struct dls_cluster_problem {
  size_t k;        /* contacts, >= 1 */
  const double *W; /* k x k, symmetric positive semi-definite [1/kg] */
  const double *a; /* k; acceleration of the gaps without contact forces [m/s^2] */
  const double *e; /* k; restitution; a contact with e = 1 never rests: its impact ends the search */
  const double *g; /* k; gaps >= 0 [m] */
  const double *u; /* k; their velocities after the impact [m/s]; g = u = 0: rests if it is pressed */
  /* k; error of g [m]: the search ends if the order of two impacts with W_ij != 0 depends on it; NULL: none */
  const double *gap_error;
  /* Contacts that stick, and are held along tangents by P_T = C P, r_T = C lambda + f: the search ends where one leaves or needs
   * |P_T| > mu P_N in an impact, or |r_T| > mu lambda_N in between. */
  size_t held;         /* tangents; 0: none, and the rest is not read */
  const size_t *owner; /* held; whose, increasing */
  const double *C;     /* held x (k + 1); the last column is f */
  const double *mu;    /* k; of the sticking contacts; NULL: they stick with any force */
  /* Derivatives that go along; then repeated sequences are followed impact by impact. NULL: none. */
  struct dls_cluster_tangents *tangents;
} dls_cluster_problem;

/** Where the search for an end ends. */
typedef struct dls_cluster_limits {
  double time; /* longest time [s] */
  double
      velocity_change; /* largest change |sum_j W_ij P_j| of a gap velocity by the impulses together [m/s], unless the motion ends in short_time */
  double short_time;   /* a motion that ends so soon may change velocities by any amount [s] */
  double
      rest_speed; /* when all contacts that come back are slower than this after an impact, they rest; the impulses that this
                     takes are missing in the sums, and u = 0 of those that rest is then not what follows from P [m/s] */
  size_t impacts; /* to be made one by one */
} dls_cluster_limits;

/** Sums over the motion up to the end of the last series of impacts found; moments are about its end. */
typedef struct dls_cluster_sums {
  double tau;             /* time passed [s] */
  double next;            /* time from there to the next impact; infinity: none [s] */
  double velocity_change; /* max_i sum_j |W_ij| P_j [m/s] */
  size_t impacts;         /* made one by one */
  size_t series;          /* infinite series summed */
  bool came_to_rest;      /* the rest was slower than limits->rest_speed */
  double *P, *PM;         /* k; sum of impulses [N s], and of P (tau - s) [N s^2] */
  double *L,
      *LM; /* k; the same of the forces of resting contacts: int lambda ds [N s], int lambda (tau - s) ds */
  double *lambda; /* k; forces at the end [N] */
  double *g, *u;  /* k; gaps and velocities at the end */
  bool *rests;    /* k */
} dls_cluster_sums;

/** @param[in] capacity  largest k, >= 1. @return NULL if out of memory */
dls_cluster *dls_cluster_create(size_t capacity);
void dls_cluster_destroy(dls_cluster *c); /* NULL is fine */

/**
 * Follow the motion, through as many infinite series as the limits allow.
 * @return the state at the end of the last of them, valid until the next call; NULL if there is none: a contact
 *         leaves, a limit was reached, or a complementarity problem has no solution
 */
dls_cluster_sums *dls_cluster_run(dls_cluster *c, const dls_cluster_problem *problem,
                                  const dls_cluster_limits *limits);
/** Did the last run end where a contact that sticks would slip? */
bool dls_cluster_slips(const dls_cluster *c);
/** Advance by dt < sums->next, without an impact. */
void dls_cluster_advance(dls_cluster_sums *sums, size_t k, double dt);
/** Smallest s > 0 at which g + u s + a s^2 / 2 falls to zero, g >= 0; infinity if there is none. */
double dls_cluster_return(double g, double u, double a);

#endif
