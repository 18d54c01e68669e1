/* run_cases.h -- short runs from texts that may fail, for tests in which what they call fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_RUN_CASES_H
#define DELASSUS_TESTS_RUN_CASES_H

#include "check.h"
#include "models.h"
#include <delassus/choice.h>
#include <delassus/sim.h>

typedef struct run_case {
  const char *model, *scheme;
  double step, end; /* step: 0 by events */
} run_case;

typedef struct run_job {
  const dls_model_choice *model;
  dls_scheme_choice scheme;
  double step, end;
} run_job;

/* data: a run_job */
static inline dls_status run_case_job(const void *data, dls_error *err)
{
  const run_job *what = data;
  dls_system *sys = NULL;
  dls_sim *sim = NULL;
  dls_status status = dls_model_create(what->model->model, what->model->parameters, &sys, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&what->scheme, sys, &sim, err);
  status = status != DLS_OK ? status : dls_run(sim, &(dls_run_spec){.step = what->step, .end = what->end}, err);
  dls_sim_destroy(sim);
  dls_system_destroy(sys);
  return status;
}

/* @return the sum of what `of`, fail_each_place or fail_each_in_turn, returns for the cases */
static inline size_t sum_over_cases(size_t number, const run_case *cases,
                                    size_t (*of)(dls_status (*job)(const void *data, dls_error *err),
                                                 const void *data))
{
  size_t sum = 0;
  for (size_t i = 0; i < number; i++) {
    dls_error err = {0};
    dls_model_choice model = dls_test_model(cases[i].model);
    run_job what = {.model = &model, .step = cases[i].step, .end = cases[i].end};
    assert_ok(dls_scheme_choose(cases[i].scheme, &what.scheme, &err), err);
    sum += of(run_case_job, &what);
    dls_model_choice_release(&model);
  }
  return sum;
}

#endif
