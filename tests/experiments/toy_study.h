/* toy_study.h -- schemes whose error is known by construction, on the free fall of the bouncing ball before
 * its first impact at t = 1: v = -2 t, which a polyline through nodes meets exactly.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_TOY_STUDY_H
#define DELASSUS_TESTS_TOY_STUDY_H

#include "check.h"
#include <delassus/catalogue.h>
#include <delassus/study.h>
#include <math.h>

enum { TOY_ORDER, TOY_CONSTANT, TOY_FAIL_BELOW };

static const dls_option toy_options[] = {
    [TOY_ORDER] = {.name = "order", .unit = "1", .help = "order q", .initial = 1, .min = 0.5, .max = 8},
    [TOY_CONSTANT] = {.name = "constant", .unit = "1", .help = "C", .initial = 3, .min = 0, .max = 1e9},
    [TOY_FAIL_BELOW] =
        {.name = "fail-below", .unit = "s", .help = "fails there", .initial = 0, .min = 0, .max = 1},
    {0},
};

static void toy_state(dls_sim *sim, double t, double error)
{
  sim->q[0] = 1 - t * t;
  sim->v[0] = -2 * t + error;
}

/* v = exact + C h^q */
static dls_status toy_advance(dls_sim *sim, double h, dls_error *err)
{
  if (h < sim->opt[TOY_FAIL_BELOW]) {
    return dls_sim_fail(sim, err, DLS_ERR_NOCONV, "the toy dislikes steps below %g", sim->opt[TOY_FAIL_BELOW]);
  }
  toy_state(sim, (double)(sim->step + 1) * h, sim->opt[TOY_CONSTANT] * pow(h, sim->opt[TOY_ORDER]));
  sim->work.force_evals++;
  return DLS_OK;
}

/* Steps of its own, v = exact + 1e-6 C. */
static dls_status toy_event_advance(dls_sim *sim, double h, dls_error *err)
{
  (void)err;
  sim->t += fmin(h, 0.125);
  toy_state(sim, sim->t, 1e-6 * sim->opt[TOY_CONSTANT]);
  return DLS_OK;
}

static const dls_scheme toy = {.name = "toy",
                               .summary = "exact solution plus C h^q",
                               .source = "-",
                               .equations = "",
                               .remarks = "",
                               .options = toy_options,
                               .stepping = DLS_BY_STEP,
                               .advance = toy_advance};

static const dls_scheme toy_event = {.name = "toy-event",
                                     .summary = "exact solution plus a constant",
                                     .source = "-",
                                     .equations = "",
                                     .remarks = "",
                                     .options = toy_options,
                                     .stepping = DLS_BY_EVENT,
                                     .advance = toy_event_advance};

/* Steps 0.1 to 0.1/32 on [0, 0.9], the largest error of v. */
static inline dls_order_spec toy_spec(size_t count, const dls_scheme_choice *schemes)
{
  static const dls_norm *norms[1];
  static const char *const of[] = {"v"};
  norms[0] = dls_norm_find("max");
  return (dls_order_spec){.model = dls_model_find("bouncing-ball", NULL),
                          .end = 0.9,
                          .scheme_count = count,
                          .schemes = schemes,
                          .h_first = 0.1,
                          .h_last = 0.1 / 32,
                          .levels = 6,
                          .repeats = 4,
                          .seed = 42,
                          .norm_count = 1,
                          .norms = norms,
                          .of_count = 1,
                          .of = of,
                          .metric = dls_metric_default};
}

static inline dls_order_study *toy_run(const dls_order_spec *spec)
{
  dls_error err = {0};
  dls_order_study *study = NULL;
  assert_ok(dls_order_run(spec, &study, &err), err);
  return study;
}

/* A poll that interrupts before the first run. */
static inline bool toy_stop_at_once(void *data, double done)
{
  (void)data;
  (void)done;
  return false;
}

#endif
