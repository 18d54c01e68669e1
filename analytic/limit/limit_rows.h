/* limit_rows.h -- the table of a motion with compliant contacts, and what both ways to compute it share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_LIMIT_ROWS_H
#define DELASSUS_ANALYTIC_LIMIT_ROWS_H

#include "analytic/limit/limit_motion.h"
#include <delassus/configuration.h>

/** The motion that is asked for, and its table. */
typedef struct dls_limit_job {
  const dls_system *sys;
  const dls_scheme *scheme;
  const void *options;
  double end, accuracy;
  dls_configuration config;
  dls_factor *M;
  dls_trajectory *traj;
} dls_limit_job;

/** A state with its forces: q, v, a[n]; f[rows], f_N of a contact first; status[m]. */
typedef struct dls_limit_row {
  double t;
  const double *q, *v, *a, *f;
  const int *status;
} dls_limit_row;

dls_status dls_limit_job_open(dls_limit_job *job, dls_error *err);
void dls_limit_job_close(dls_limit_job *job);
/** W_jj, or between two rows of u; H is that of the configuration, M its factored mass. @param[out] x  n: scratch */
double dls_limit_inverse_mass(const dls_configuration *config, dls_factor *M, size_t row, size_t other,
                              double *x);
/** The limit model of contact j for an impact with this speed; one that is not compliant is refused. */
dls_status dls_limit_contact_model(const dls_limit_job *job, size_t j, double inverse_mass, double speed,
                                   dls_limit_model *out, dls_error *err);
/** Append a row; gaps and their rates follow from q and v. @return DLS_ERR_LIMIT beyond 4 10^6 rows */
dls_status dls_limit_write_row(dls_limit_job *job, const dls_limit_row *row, dls_error *err);

/** @return whether the motion has a closed form (one mass on one contact, without friction); else the caller integrates */
bool dls_limit_has_closed_form(const dls_limit_job *job, const dls_limit_model *model);
dls_status dls_limit_closed_form(dls_limit_job *job, dls_limit_model *model, dls_error *err);
dls_status dls_limit_integrate(dls_limit_job *job, dls_error *err);

#endif
