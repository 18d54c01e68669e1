/* extrapolation.h -- one interval of the Moreau-Jean scheme by extrapolation over finer and finer sub-steps.
 *   z_j: n_j base steps h/n_j from (t, q, v),   T_j,1 = z_j,
 *   T_j,l+1 = T_j,l + (T_j,l - T_j-1,l)/((n_j/n_j-l)^rho - 1)                                       (1)
 * rho = 2 where the base scheme is symmetric: theta = 1/2, and all matrices are taken at the ends of a step. Otherwise rho = 1.
 * (1) needs smooth motion, which is tested on every sub-step of every sequence. A smooth sub-step carries impulses at the same contacts
 * as the step before. None of them moved when it began, and no other contact is penetrated more than at the start of the interval.
 * Otherwise the interval contains a switching point, and the result is z of the finest sequence, which has order one.
 * Source: Studer, Leine & Glocker 2008.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_EXTRAPOLATION_H
#define DELASSUS_TIME_STEPPING_EXTRAPOLATION_H

#include "time_stepping/adaptive/one_step.h"

/** Which n_j, and how the base steps. */
typedef struct dls_extrapolation_options {
  int sequence;
  dls_base_options base;
} dls_extrapolation_options;
#define DLS_EXTRAPOLATION_OPTIONS(at)                                                                          \
  DLS_CHOICE_OPTION(at, dls_extrapolation_options, sequence, "numbers of sub-steps that are extrapolated", 1,  \
                    dls_sequence_choices),                                                                     \
      DLS_BASE_OPTIONS((at) + offsetof(dls_extrapolation_options, base))
extern const char *const dls_sequence_choices[];

enum { DLS_MOST_SEQUENCES = 4 };

typedef struct dls_extrapolation {
  dls_one_step base;
  const int *n; /* sub-steps of each sequence */
  size_t count;
  bool half;                     /* theta = 1/2 */
  double velocity_tol;           /* m/s: slower is at rest */
  double *T[DLS_MOST_SEQUENCES]; /* the last diagonal of (1): q, v, p, p_t; 2 n + d m */
  double *change;                /* n: sum of the jumps of v in a sequence */
  double *slip;                  /* (d - 1) m: u_T when a sub-step begins */
  double *speed;                 /* m: U when a sub-step begins */
  double *depth;                 /* m: penetration when the interval begins */
  double *block;                 /* owns the arrays */
  int *before;                   /* m: status of the sub-step before */

  /* Results of dls_extrapolation_try. */
  dls_one_step_state x;   /* the result: extrapolated if smooth, else z of the finest sequence */
  dls_trajectory *events; /* in it */
  bool smooth, passed;    /* passed: bodies passed through each other between nodes */
  double error;           /* m: estimate for q, h v and new penetrations */
  int order;              /* of the estimate */
} dls_extrapolation;

dls_status dls_extrapolation_create(dls_sim *sim, const dls_extrapolation_options *opt, dls_extrapolation *e,
                                    dls_error *err);
void dls_extrapolation_destroy(dls_extrapolation *e);

/**
 * The interval h from the state `from`, with an estimate of its error: of T_J,J - T_J,J-1 if it is smooth; across a
 * switching point of 2 (z_2 - z_1) and of what z_2 adds to a penetration.
 * @param[in] limit  across a switching point whose error exceeds it, x is not made
 */
dls_status dls_extrapolation_try(dls_sim *sim, dls_extrapolation *e, const dls_one_step_state *from, double h,
                                 double limit, dls_error *err);
/** Make the result, and its events, the outer run's. */
void dls_extrapolation_take(dls_sim *sim, const dls_extrapolation *e);
/** rho of (1) for an interval from contacts of this status, m. */
int dls_extrapolation_exponent(const dls_sim *sim, const dls_extrapolation *e, const int *status);
/** The denominator of (1) in row k for T_k,l+1. */
double dls_extrapolation_ratio(const dls_extrapolation *e, size_t k, size_t l, int rho);
/** (1): T_j,l+1 from T_j,l and T_j-1,l */
#define DLS_EXTRAPOLATE(finer, coarser, ratio) ((finer) + ((finer) - (coarser)) / (ratio))

/** The memory of moreau-jean-extrapolated. */
typedef struct dls_extrapolated_memory {
  dls_extrapolation e;
  dls_one_step_state from;
  unsigned long total, done, size; /* of the step, before and of the next interval, in shortest intervals */
} dls_extrapolated_memory;
/** Of small linear systems: flights and rests. */
void dls_extrapolated_advance_batch(dls_batch_member *members, size_t count);

#endif
