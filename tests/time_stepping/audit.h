/* audit.h -- a run whose energy identity is evaluated step by step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_AUDIT_H
#define DELASSUS_TESTS_AUDIT_H

#include "check.h"
#include "random_system.h"
#include <delassus/balance.h>
#include <delassus/study.h>
#include <string.h>

enum { AUDIT_SEEDS = 100, AUDIT_STEPS = 40, AUDIT_OWN = 32 };

/* A run with its identity evaluated step by step. */
typedef struct audit {
  dls_system *sys;
  dls_sim *sim;
  const dls_balance *balance;
  double h, q[RANDOM_N], v[RANDOM_N], own[AUDIT_OWN * RANDOM_N];
  double before, after; /* H */
  dls_balance_step works;
  double residual, scale, numerical; /* of the last step; sum of the terms */
} audit;

static inline void audit_begin(audit *a, dls_system *sys, const char *scheme, double h)
{
  dls_error err = {0};
  dls_scheme_choice choice;
  *a = (audit){.sys = sys, .h = h};
  assert_ok(dls_scheme_choose(scheme, &choice, &err), err);
  assert_ok(dls_scheme_choice_sim(&choice, sys, &a->sim, &err), err);
  a->balance = choice.scheme->balance;
  assert_non_null(a->balance);
  assert_in_range(a->balance->vectors, 1, AUDIT_OWN);
  assert_ok(dls_sim_start(a->sim, &err), err);
  a->balance->start(a->sim, a->own);
  a->after = a->balance->algorithmic(a->sim, h, a->own);
}

static inline void audit_step(audit *a)
{
  dls_error err = {0};
  double work[RANDOM_N];
  const size_t n = a->sys->n;
  memcpy(a->q, a->sim->q, n * sizeof *a->q);
  memcpy(a->v, a->sim->v, n * sizeof *a->v);
  const double energy = dls_balance_mechanical(a->sim, work);
  a->before = a->after;
  a->works = (dls_balance_step){0};
  assert_ok(dls_sim_advance(a->sim, a->h, &err), err);
  a->balance->step(a->sim, a->h, a->q, a->v, a->own, &a->works);
  a->after = a->balance->algorithmic(a->sim, a->h, a->own);
  a->numerical = 0;
  for (size_t i = 0; a->balance->terms[i].name != NULL; i++) {
    a->numerical += a->works.term[i];
  }
  a->residual = a->after - a->before - a->works.external - a->works.damping - a->works.impact - a->numerical;
  a->scale = fmax(fmax(energy, dls_balance_mechanical(a->sim, work)), fmax(fabs(a->before), fabs(a->after)));
}

static inline void audit_end(audit *a)
{
  dls_sim_destroy(a->sim);
  dls_system_destroy(a->sys);
}

#endif
