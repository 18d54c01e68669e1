/* limit_motion.c -- chooses the closed form or the integration for a motion with compliant contacts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/limit/limit_rows.h"
#include <stdlib.h>

static dls_status compute(dls_limit_job *job, dls_limit_method *method, dls_error *err)
{
  dls_limit_model model;
  dls_status status = dls_limit_job_open(job, err);
  double *x = status == DLS_OK ? malloc(job->sys->n * sizeof *x) : NULL;
  if (x == NULL) {
    return status != DLS_OK ? status : dls_fail(err, DLS_ERR_MEMORY, "limit motion: no memory");
  }
  for (size_t j = 0; j < job->sys->m && status == DLS_OK; j++) {
    const size_t row = j * job->sys->d;
    status = dls_limit_contact_model(job, j, dls_limit_inverse_mass(&job->config, job->M, row, row, x), 1,
                                     &model, err);
    if (status == DLS_OK && model.law == DLS_COMPLIANCE_IMPEDANCE && job->sys->m > 1) {
      status = dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                        "scheme %s: its limit motion is known for one contact only, the system has %zu",
                        job->scheme->name, job->sys->m);
    }
  }
  free(x);
  if (status != DLS_OK) {
    return status;
  }
  const bool closed = job->sys->m > 0 && dls_limit_has_closed_form(job, &model);
  *method = closed ? DLS_LIMIT_CLOSED_FORM : DLS_LIMIT_INTEGRATION;
  return closed ? dls_limit_closed_form(job, &model, err) : dls_limit_integrate(job, err);
}

dls_status dls_limit_motion(const dls_system *sys, const dls_scheme *scheme, const void *options, double end,
                            double accuracy, dls_trajectory **out, dls_limit_method *method, dls_error *err)
{
  dls_limit_job job = {.sys = sys, .scheme = scheme, .options = options, .end = end, .accuracy = accuracy};
  const dls_status status = compute(&job, method, err);
  if (status == DLS_OK) {
    job.traj->complete = true;
    *out = job.traj;
    job.traj = NULL;
  }
  dls_limit_job_close(&job);
  return status;
}
