/* one_step.h -- a scheme by step as a map from state to state: a few inner runs of it, each with a factorization
 * of its own, that are set to a state before they step. The work of the inner runs goes to the outer's counters.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_ONE_STEP_H
#define DELASSUS_TIME_STEPPING_ONE_STEP_H

#include "time_stepping/moreau/theta_step.h"
#include <delassus/scheme.h>

/** Which scheme, and its options. */
typedef struct dls_base_options {
  int base;
  dls_theta_options theta;
} dls_base_options;
#define DLS_BASE_OPTIONS(at)                                                                                   \
  DLS_CHOICE_OPTION(at, dls_base_options, base,                                                                \
                    "scheme of the single steps; variant: moreau-jean-variant, newmark: nonsmooth-newmark", 0, \
                    dls_base_choices),                                                                         \
      DLS_THETA_OPTIONS((at) + offsetof(dls_base_options, theta), 0.5, 0)
extern const char *const dls_base_choices[];

/* Step lengths whose factorizations are kept. A control on a grid of ratio 2^(1/2) meets about 30 lengths between an
 * impact and a flight; large systems keep the 8 of four octaves, since each run has about 20 vectors. */
enum { DLS_ONE_STEP_RUNS = 32, DLS_ONE_STEP_LARGE_RUNS = 8, DLS_ONE_STEP_LARGE = 1000 };
/* Events per contact without an allocation: an impact and a change of contact in each of six steps. */
enum { DLS_ONE_STEP_EVENTS = 12 };

typedef struct dls_one_step {
  dls_sim *run[DLS_ONE_STEP_RUNS];
  dls_trajectory *events;         /* record of the run that was handed out last: events only */
  double h[DLS_ONE_STEP_RUNS];    /* what each run stepped with last */
  size_t used[DLS_ONE_STEP_RUNS]; /* when */
  size_t count, clock;
} dls_one_step;

dls_status dls_one_step_create(dls_sim *sim, const dls_base_options *opt, dls_one_step *s, dls_error *err);
void dls_one_step_destroy(dls_one_step *s);
/** Order of a smooth step with contacts of this status: 2 for theta = 1/2, but for slip in space, of which the direction is
 * that at the end of the step unless the law takes (u_T + u_T')/2; else 1. */
int dls_one_step_order(const dls_system *sys, double theta, const int *status);
/**
 * An inner run at (t, q, v) that has no events yet, for steps of length h. The last but one that was handed out
 * keeps its state, but not its events.
 */
dls_status dls_one_step_begin(dls_one_step *s, double t, const double *q, const double *v, double h,
                              dls_sim **run, dls_error *err);
/** A record with memory for the events of a step. @return NULL if out of memory */
dls_trajectory *dls_one_step_events(const dls_system *sys);
/** One step of an inner run. @return what it fails with */
dls_status dls_one_step_advance(dls_sim *sim, dls_sim *run, double h, dls_error *err);
/** Did bodies pass through each other in the last step of an inner run, without an impulse? */
bool dls_one_step_passed(const dls_sim *run);
/** Report the events [from, to) of an inner run as the outer's, but those at contacts with before[j] != 0. */
void dls_one_step_report(dls_sim *sim, const dls_sim *run, size_t from, size_t to, const int *before);

/** Results of the last step of an inner run. */
typedef struct dls_one_step_state {
  double t;
  double *q, *v, *v_left; /* n */
  double *p;              /* m */
  double *p_t, *u_t;      /* (d - 1) m */
  double *block;          /* owns the arrays of doubles */
  int *status;            /* m */
  bool jump;
} dls_one_step_state;
/** @return false if out of memory; destroy in any case */
bool dls_one_step_state_create(const dls_system *sys, dls_one_step_state *x);
void dls_one_step_state_destroy(dls_one_step_state *x);
/**
 * Did the last step stop an approach at a contact with before[j] = 0, one that had no impulse in the step before? A
 * contact that had one approaches only because the impact law sent it back with -e times a velocity of order h; those
 * micro-bounces belong to the lasting contact.
 */
bool dls_one_step_jumps(const dls_sim *run, const int *before);
/** Does a contact that slips at both ends of a step slip in the opposite direction after it? status, u_t: before, of m
 * contacts. */
bool dls_one_step_turns(const dls_system *sys, const int *status, const double *u_t, const int *status_behind,
                        const double *u_t_behind);
/** Store the results of the last step. */
void dls_one_step_state_get(const dls_sim *run, const int *before, dls_one_step_state *x);
/** Make it the state of the outer run. */
void dls_one_step_state_put(const dls_one_step_state *x, dls_sim *sim);

#endif
