/* parameter_check.h -- the derivatives by parameters that a system states (dls_system.by_parameter) against differences of systems with
 * neighbouring values.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PARAMETER_CHECK_H
#define DELASSUS_EXPERIMENTS_PARAMETER_CHECK_H

#include <delassus/direction.h>
#include <delassus/model.h>
#include <stdbool.h>

/** One derivative by one parameter; entries with the largest difference. */
typedef struct dls_parameter_row {
  char parameter[DLS_DIRECTION_NAME];
  const char *term; /* "dM/dp" */
  bool agrees;
  double size, allowed, difference; /* as in dls_model_check_row */
  double value, quotient;
  size_t row, column; /* of a matrix; column 0 of a vector */
  double t;           /* [s] */
} dls_parameter_row;

typedef struct dls_parameter_check {
  dls_parameter_row *rows; /* of derivatives that are not 0 everywhere */
  size_t count, wrong;
} dls_parameter_check;

/**
 * Compare at random states, as dls_model_check_run does.
 * @param[out] out  to be released
 * @return DLS_OK, whatever the answer; DLS_ERR_MEMORY; as dls_model_create
 */
dls_status dls_parameter_check_run(const dls_model *model, const double *parameters, size_t states,
                                   unsigned long seed, dls_parameter_check *out, dls_error *err);
void dls_parameter_check_release(dls_parameter_check *check);

#endif
