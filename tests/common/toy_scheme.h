/* toy_scheme.h -- schemes and systems that do just what a test of the driver needs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TOY_SCHEME_H
#define DELASSUS_TESTS_TOY_SCHEME_H

#include <delassus/scheme.h>
#include <stdlib.h>

/* A point of mass 1 over a floor, q0 = 1, v0 = -1, no force; contact 1 is a ceiling at 10. */
static inline dls_system *toy_system(void)
{
  dls_system *sys = dls_system_create(1, 2);
  if (sys != NULL) {
    sys->linear = true;
    sys->q0[0] = 1;
    sys->v0[0] = -1;
    sys->w[1] = 10;
    sys->e[0] = sys->e[1] = 1;
    sys->M = dls_matrix_diagonal(1);
    sys->H = dls_matrix_dense(1, 2);
  }
  if (sys == NULL || sys->M == NULL || sys->H == NULL) {
    dls_system_destroy(sys);
    return NULL;
  }
  dls_matrix_set(sys->M, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 0, 1);
  dls_matrix_set(sys->H, 0, 1, -1);
  return sys;
}

enum { TOY_FAIL_AT, TOY_HOW };
static const char *const toy_ways[] = {"never", "fail", "mute", "nan", "inf", NULL};
static const dls_option toy_options[] = {
    [TOY_FAIL_AT] = DLS_COUNT("fail_at", "step at which to fail", 3, 0, 1e9),
    [TOY_HOW] = DLS_ONE_OF("how", "how to fail", 0, toy_ways),
    {0},
};

static inline dls_status toy_start(dls_sim *sim, dls_error *err)
{
  sim->memory = malloc(1);
  if (sim->memory == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory");
  }
  return sim->opt[TOY_HOW] == 1 && sim->opt[TOY_FAIL_AT] == 0
             ? dls_fail(err, DLS_ERR_NOT_APPLICABLE, "the toy does not apply")
             : DLS_OK;
}

static inline void toy_finish(dls_sim *sim)
{
  free(sim->memory);
}

static inline dls_status toy_trouble(dls_sim *sim, dls_error *err)
{
  switch ((int)sim->opt[TOY_HOW]) {
  case 1:
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "the toy broke");
  case 2:
    return DLS_ERR_LCP; /* against the rules: no message */
  case 3:
    sim->v[0] = 0.0 / 0.0;
    return DLS_OK;
  case 4:
    sim->q[0] = 1 / 0.0;
    return DLS_OK;
  default:
    return DLS_OK;
  }
}

/* Drift; below the floor: an elastic impact, v+ = -v-, recorded as a jump with p = 2 |v| and an event. */
static inline dls_status toy_advance(dls_sim *sim, double h, dls_error *err)
{
  sim->p[0] = 0;
  sim->status[0] = 0;
  sim->q[0] += h * sim->v[0];
  if (sim->q[0] < 0 && sim->v[0] < 0) {
    const dls_event event = {.t = (double)(sim->step + 1) * h,
                             .kind = DLS_IMPACT,
                             .u_minus = sim->v[0],
                             .u_plus = -sim->v[0],
                             .impulse = -2 * sim->v[0]};
    dls_sim_event(sim, &event);
    sim->jump = true;
    sim->v_left[0] = sim->v[0];
    sim->lambda_left[0] = 5;
    sim->a_left[0] = 7;
    sim->v[0] = -sim->v[0];
    sim->p[0] = event.impulse;
    sim->status[0] = 1;
  }
  sim->a[0] = 9;
  return (double)(sim->step + 1) == sim->opt[TOY_FAIL_AT] ? toy_trouble(sim, err) : DLS_OK;
}

#define TOY_SCHEME(STEPPING, BETWEEN)                                                                          \
  {                                                                                                            \
    .name = "toy", .summary = "drift and bounce", .source = "none", .equations = "q' = q + h v\n",             \
    .remarks = "", .options = toy_options, .stepping = STEPPING, .q_between = BETWEEN, .v_between = BETWEEN,   \
    .start = toy_start, .advance = toy_advance, .finish = toy_finish                                           \
  }

#endif
