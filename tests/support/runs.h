/* runs.h -- runs and studies in a line, for tests of schemes. Each fails the test if anything goes wrong.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RUNS_H
#define DELASSUS_TESTS_RUNS_H

#include "check.h"
#include <delassus/study.h>

/* A run from texts: model "bouncing-ball:e=0.8,q0=2", scheme "moreau-jean:theta=1". */
typedef struct test_run {
  dls_system *sys;
  dls_sim *sim;
  dls_trajectory *traj;
} test_run;
test_run dls_test_run(const char *model, const char *scheme, double step, double end);
/* The same of a system, which is destroyed with the run. */
test_run dls_test_run_of(dls_system *sys, const char *scheme, double step, double end);
/* The same up to the point where it could start; the trajectory is empty and not yet connected. */
test_run dls_test_prepare(const char *model, const char *scheme);
test_run dls_test_prepare_of(dls_system *sys, const char *scheme);
/* Tests of the event-driven scheme hold for other engines and finders of events, too: sets what DLS_TEST_OPTIONS says,
 * assignments between commas. */
void dls_test_variant(dls_sim *sim);
/* Schemes with a restitution coefficient of their own run with it, whatever the model has: restitution=own, unless the option is set.
 * dls_test_prepare and all that use it do so. */
void dls_test_own_restitution(dls_sim *sim);
void dls_test_free(test_run *run);
/* Does the scheme treat what the system has: friction, gaps that move? */
bool dls_test_applies(const dls_system *sys, const dls_scheme *scheme);
double dls_test_value(const test_run *run, size_t row, const char *column);

/* Order of one scheme in one norm of one quantity, `repeats` randomised steps at each of `levels` levels. */
typedef struct test_study {
  const char *model, *scheme, *norm, *of;
  double end, h_first, h_last;
  size_t levels, repeats;
} test_study;
dls_fit dls_test_order(test_study study);

/* The same of q and of v from one set of runs; `of` is not read. */
typedef struct test_orders {
  dls_fit q, v;
} test_orders;
test_orders dls_test_orders(test_study study);

/* Bounds of the orders of q and v in one norm, of runs from h = 2e-2 to 1e-3; constants lie in 1e-4 ... 1e4. */
typedef struct test_claim {
  const char *model, *scheme, *norm;
  double end;
  double q_low, q_high, v_low, v_high;
} test_claim;
void dls_test_claims(const test_claim *claims, size_t count);

/* L1 of q and of v through the accumulation of the ball and on the impacting oscillator: within `off` of one. */
void dls_test_order_one_with_impacts(const char *scheme, double off);

#endif
