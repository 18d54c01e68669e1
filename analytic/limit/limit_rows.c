/* limit_rows.c -- see limit_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/limit/limit_rows.h"
#include <delassus/law.h>
#include <string.h>

enum { ROWS_MOST = 4000000 };

dls_status dls_limit_job_open(dls_limit_job *job, dls_error *err)
{
  const dls_system *sys = job->sys;
  if (sys->r > 0 || (dls_system_has_friction(sys) && (sys->d > 2 || sys->m > 1))) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "limit motions need a system without joints, and with friction one contact in the plane: the "
        "system has %zu joint equations and %zu contacts with %zu rows each",
        sys->r, sys->m, sys->d);
  }
  job->traj = dls_trajectory_create_system(sys, true);
  const bool configured = dls_configuration_create(sys, &job->config);
  const dls_matrix *terms[] = {job->config.M};
  job->M = configured ? dls_factor_create(terms, 1) : NULL;
  if (job->traj == NULL || job->M == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "limit motion: no memory for %zu coordinates", sys->n);
  }
  dls_trajectory_set_meaning(job->traj, "q", DLS_HERMITE);
  dls_trajectory_set_meaning(job->traj, "v", DLS_HERMITE);
  dls_trajectory_set_meaning(job->traj, "g", DLS_HERMITE);
  dls_trajectory_set_cubic(job->traj);
  return dls_factor_sum(job->M, (const double[]){1}, err);
}

void dls_limit_job_close(dls_limit_job *job)
{
  dls_factor_destroy(job->M);
  dls_configuration_destroy(&job->config);
  dls_trajectory_destroy(job->traj);
}

double dls_limit_inverse_mass(const dls_configuration *config, dls_factor *M, size_t row, size_t other,
                              double *x)
{
  memset(x, 0, config->sys->n * sizeof *x);
  dls_matrix_column_add(config->H, other, 1, x);
  dls_factor_solve(M, x);
  return dls_matrix_column_dot(config->H, row, x);
}

dls_status dls_limit_contact_model(const dls_limit_job *job, size_t j, double inverse_mass, double speed,
                                   dls_limit_model *out, dls_error *err)
{
  const dls_system *sys = job->sys;
  const dls_limit_contact contact = {.inverse_mass = inverse_mass,
                                     .e = dls_law_restitution(sys, j, -speed),
                                     .speed = speed,
                                     .mu = sys->mu[j],
                                     .velocity = sys->length / sys->time};
  const dls_status status = dls_scheme_limit(job->scheme, job->options, &contact, out, err);
  out->r_n = out->r_n > 0 ? out->r_n : 1;
  out->r_t = out->r_t > 0 ? out->r_t : 1;
  if (status != DLS_OK || out->kind == DLS_LIMIT_COMPLIANT) {
    return status;
  }
  return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "scheme %s: its limit model has no compliant contact",
                  job->scheme->name);
}

/* t, q, v, g, u, p, lambda, status, a, then u_t, p_t, lambda_t of two-row contacts */
dls_status dls_limit_write_row(dls_limit_job *job, const dls_limit_row *row, dls_error *err)
{
  const size_t n = job->sys->n, m = job->sys->m, d = job->sys->d;
  double *to = job->traj->rows < ROWS_MOST ? dls_trajectory_append(job->traj) : NULL;
  if (to == NULL) {
    const dls_status status = job->traj->rows < ROWS_MOST ? DLS_ERR_MEMORY : DLS_ERR_LIMIT;
    return dls_fail(
        err, status,
        "limit motion: t = %g s: more than %zu rows; a shorter end or less stiff contacts need fewer", row->t,
        job->traj->rows);
  }
  double *g = to + 1 + 2 * n, *u = g + m, *p = u + m, *lambda = p + m, *a = lambda + 2 * m, *u_t = a + n;
  to[0] = row->t;
  memcpy(to + 1, row->q, n * sizeof *to);
  memcpy(to + 1 + n, row->v, n * sizeof *to);
  memcpy(a, row->a, n * sizeof *a);
  dls_configuration_contacts(&job->config, row->t, to + 1);
  dls_configuration_node(&job->config, row->v, g, u);
  for (size_t j = 0; j < m; j++) {
    p[j] = 0;
    lambda[j] = row->f[j * d];
    p[2 * m + j] = row->status[j];
    if (d == 2) {
      u_t[j] = dls_configuration_row(&job->config, 2 * j + 1, row->v);
      u_t[m + j] = 0;
      u_t[2 * m + j] = row->f[2 * j + 1];
    }
  }
  return DLS_OK;
}
