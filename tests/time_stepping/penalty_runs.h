/* penalty_runs.h -- what the tests of penalty contact share: energies from a ledger, worst errors over grid phases.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_PENALTY_RUNS_H
#define DELASSUS_TESTS_PENALTY_RUNS_H

#include "newmark_systems.h"
#include <delassus/catalogue.h>
#include <delassus/energy.h>
#include <stdio.h>

/* Energies of the nodes of a run: E of what is reported, and H of the scheme's identity. */
typedef struct energies {
  double start, most, last;                  /* E; most: over t > 0 */
  double algorithmic_start, least_H, most_H; /* H */
  double residual, scale;                    /* of the identity */
} energies;

static inline energies energies_of(const char *model, const char *scheme, double h, double end)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  dls_system *sys = NULL;
  dls_energy_ledger *ledger = NULL;
  const dls_model *entry = dls_model_find(model, &err);
  assert_non_null(entry);
  assert_ok(dls_model_create(entry, NULL, &sys, &err), err);
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(
      dls_energy_run(&(dls_energy_spec){.sys = sys, .choice = &choice, .step = h, .end = end}, &ledger, &err),
      err);
  energies e = {.start = ledger->start,
                .most = -HUGE_VAL,
                .last = ledger->last,
                .algorithmic_start = ledger->algorithmic_start,
                .least_H = HUGE_VAL,
                .most_H = -HUGE_VAL,
                .residual = fabs(ledger->residual),
                .scale = ledger->scale};
  for (size_t row = 1; row < ledger->rows->rows; row++) {
    const double H = dls_trajectory_at(ledger->rows, row, DLS_ENERGY_ALGORITHMIC);
    e.most = fmax(e.most, dls_trajectory_at(ledger->rows, row, DLS_ENERGY_MECHANICAL));
    e.least_H = fmin(e.least_H, H);
    e.most_H = fmax(e.most_H, H);
  }
  dls_energy_destroy(ledger);
  dls_system_destroy(sys);
  return e;
}

/* A ball without load flies with speed 1 to a wall: what is left of it half a second after it got there. */
typedef struct rebound {
  double v, delay; /* velocity away; time that contact took more than a reflection with that velocity */
} rebound;

static inline rebound rebound_of(const char *scheme, double e, double h, double phase)
{
  char model[120];
  const double distance = 0.1 + phase * h;
  snprintf(model, sizeof model, "bouncing-ball:f=0,v0=-1,e=%.17g,q0=%.17g", e, distance);
  test_run run = dls_test_run(model, scheme, h, distance + 0.5);
  const double v = run.sim->v[0];
  const rebound out = {v, run.sim->t - distance - run.sim->q[0] / v};
  dls_test_free(&run);
  return out;
}

/* The largest errors of the rebound over places of the impact in a step. */
static inline rebound rebound_error(const char *scheme, double e, double h, rebound exact)
{
  rebound worst = {0, 0};
  for (int i = 0; i < 8; i++) {
    const rebound x = rebound_of(scheme, e, h, (i + 0.4) / 8);
    worst.v = fmax(worst.v, fabs(x.v - exact.v));
    worst.delay = fmax(worst.delay, fabs(x.delay - exact.delay));
  }
  return worst;
}

/* Mean order over `levels` halvings. */
static inline rebound rebound_order(const char *scheme, double e, double h, int levels, rebound exact)
{
  const rebound coarse = rebound_error(scheme, e, h, exact);
  const rebound fine = rebound_error(scheme, e, ldexp(h, -levels), exact);
  return (rebound){log2(coarse.v / fine.v) / levels, log2(coarse.delay / fine.delay) / levels};
}

#endif
