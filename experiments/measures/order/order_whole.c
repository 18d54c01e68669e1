/* experiments/measures/order/order_whole.c -- a convergence study from its spec to its fitted lines: make the model, the reference and the limit
 * models, draw the steps, make all runs, fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/order/order_limit.h"
#include "experiments/measures/order/order_runs.h"
#include "experiments/measures/order/order_steps.h"
#include <stdlib.h>

/* The steps of its runs, too. */
typedef struct study_job {
  dls_order_job base;
  double *steps;           /* levels x repeats, the same for all schemes */
  double *tolerances;      /* tol_levels x repeats, the same for all schemes that take one */
  dls_order_limit *limits; /* of each scheme, if they are asked for */
} study_job;

static dls_status make_steps(study_job *job, dls_error *err)
{
  const dls_order_spec *spec = &job->base.study->spec;
  const dls_trajectory *traj = job->base.reference.traj;
  double *events = malloc((traj->event_count + 1) * sizeof *events);
  job->steps = malloc((dls_order_most_runs(spec) + 1) * sizeof *job->steps);
  job->tolerances = malloc((dls_order_most_runs(spec) + 1) * sizeof *job->tolerances);
  dls_status status = DLS_OK;
  if (events == NULL || job->steps == NULL || job->tolerances == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu steps", dls_order_most_runs(spec));
  } else {
    size_t count = 0;
    for (size_t i = 0; i < traj->event_count; i++) {
      if (traj->events[i].t > 0) {
        events[count++] = traj->events[i].t;
      }
    }
    status = dls_order_steps(spec, count, events, job->steps, err);
    if (status == DLS_OK) {
      status = dls_order_tolerances(spec, job->tolerances, err);
    }
  }
  free(events);
  return status;
}

static dls_status run_all(const study_job *job, dls_error *err)
{
  dls_order_study *study = job->base.study;
  const dls_order_inputs inputs = {.spec = &study->spec,
                                   .sys = job->base.sys,
                                   .prepared = job->base.prepared,
                                   .limits = job->limits,
                                   .reference = job->limits != NULL ? job->base.reference.traj : NULL,
                                   .steps = job->steps,
                                   .tolerances = job->tolerances};
  return dls_order_run_all(&inputs, study->points, &study->point_count, &study->out_of_memory, &study->complete,
                           err);
}

static dls_status run_job(const dls_order_spec *spec, study_job *job, dls_error *err)
{
  dls_status status = dls_order_begin(spec, &job->base, err);
  if (status == DLS_OK) {
    status = make_steps(job, err);
  }
  if (status == DLS_OK && spec->reference == DLS_REFERENCE_LIMIT) {
    status = dls_order_limits_create(&job->base, &job->limits, err);
  }
  if (status == DLS_OK) {
    status = run_all(job, err);
  }
  if (status != DLS_OK && status != DLS_ERR_INTERRUPTED) {
    return status;
  }
  status = dls_order_fit_lines(job->base.study, err);
  return status == DLS_OK && job->limits != NULL ? dls_order_limits_fit(job->base.study, job->limits, err)
                                                 : status;
}

dls_status dls_order_run(const dls_order_spec *spec, dls_order_study **out, dls_error *err)
{
  *out = NULL;
  study_job job = {0};
  dls_status status = dls_order_check(spec, err);
  if (status != DLS_OK) {
    return status;
  }
  status = run_job(spec, &job, err);
  free(job.steps);
  free(job.tolerances);
  dls_order_limits_destroy(spec, job.limits);
  dls_order_end(&job.base);
  if (status != DLS_OK) {
    dls_order_destroy(job.base.study);
    return status;
  }
  *out = job.base.study;
  return DLS_OK;
}
