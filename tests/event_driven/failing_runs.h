/* failing_runs.h -- runs of the event-driven scheme in which calls fail. Include it once, behind check.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_FAILING_RUNS_H
#define DELASSUS_TESTS_FAILING_RUNS_H

#include "failing_calls.h"
#include "models.h"
#include <delassus/choice.h>

typedef struct run_case {
  const char *model, *scheme;
  double end;
} run_case;

typedef struct run_job {
  const dls_model_choice *model;
  dls_scheme_choice scheme;
  double end;
} run_job;

static dls_status job(const void *data, dls_error *err)
{
  const run_job *what = data;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(what->model->model, what->model->parameters, &sys, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&what->scheme, sys, &sim, err);
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.end = what->end}, err);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* fail_each_place for all of them together. */
static inline size_t fail_each_place_of(size_t number, const run_case *cases)
{
  size_t count = 0;
  for (size_t i = 0; i < number; i++) {
    dls_error err = {0};
    dls_model_choice model = dls_test_model(cases[i].model);
    run_job what = {.model = &model, .end = cases[i].end};
    assert_ok(dls_scheme_choose(cases[i].scheme, &what.scheme, &err), err);
    count += fail_each_place(job, &what);
    dls_model_choice_release(&model);
  }
  return count;
}

#endif
