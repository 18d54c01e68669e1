/* exact_jobs.h -- exact tables, for tests in which what they call fails.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_EXACT_JOBS_H
#define DELASSUS_TESTS_EXACT_JOBS_H

#include <delassus/catalogue.h>
#include <stdbool.h>
#include <string.h>

/* Rows of the exact solution `data` at two times. */
static inline dls_status exact_rows(const void *data, dls_error *err)
{
  const double times[] = {0, 0.3};
  dls_trajectory *traj = NULL;
  const dls_status status = dls_exact_at(data, NULL, 2, times, &traj, err);
  dls_trajectory_destroy(traj);
  return status;
}

/* The same rows with the derivatives by the first real parameter of the model. */
static inline dls_status exact_derivatives(const void *data, dls_error *err)
{
  const dls_exact *exact = data;
  const double times[] = {0, 0.3};
  const dls_option *by = exact->model->parameters;
  dls_exact_derivative derivative;
  dls_trajectory *traj = NULL;
  while (by->kind != DLS_REAL) {
    by++;
  }
  dls_status status = dls_exact_at(exact, NULL, 2, times, &traj, err);
  if (status == DLS_OK) {
    status = dls_exact_differentiate(exact, NULL, 1, &by->name, traj, &derivative, err);
  }
  dls_trajectory_destroy(traj);
  return status;
}

/* All of it. */
static inline dls_status exact_table(const void *data, dls_error *err)
{
  dls_trajectory *traj = NULL;
  const dls_status status = dls_exact_trajectory(data, NULL, 2.5, 1e-2, &traj, err);
  dls_trajectory_destroy(traj);
  return status;
}

/* Those that hold for other parameters than the defaults. */
static inline bool has_exact_table(const dls_exact *exact)
{
  return strcmp(exact->model->name, "spin-up-beam") != 0; /* steady rotation only */
}

#endif
