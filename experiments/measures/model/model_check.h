/* experiments/measures/model/model_check.h -- the callbacks of a system against difference quotients: is what a model
 * calls the derivative of
 * something the derivative of it?
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_MODEL_CHECK_H
#define DELASSUS_EXPERIMENTS_MODEL_CHECK_H

#include <delassus/model.h>
#include <stdbool.h>
#include <stddef.h>

enum { DLS_MODEL_CHECK_MOST = 20 };

/** One callback. Differences are absolute, in the unit of the callback. */
typedef struct dls_model_check_row {
  const char *callback, *meaning; /* "gradient", "dg/dq" */
  bool absent; /* the model has no such callback, so that the library takes it for zero or constant */
  bool agrees;
  double size;            /* largest value of callback and quotient that was met */
  double allowed;         /* difference that rounding and the quotient's own error explain */
  double difference;      /* largest difference; NaN: nothing could be compared, values were not finite */
  double value, quotient; /* there */
  size_t row,
      column; /* there: entry, and the coordinate of q or v; 0 for derivatives by time and along motions */
  double t;   /* there */
} dls_model_check_row;

typedef struct dls_model_check {
  dls_model_check_row rows[DLS_MODEL_CHECK_MOST];
  size_t count;
  size_t wrong; /* rows that do not agree */
} dls_model_check;

/**
 * Compare at random states around the initial ones: coordinates within 0.3 of the scale of length (angles:
 * 0.3 rad), velocities within
 * scale of length / scale of time, times within the scale of time. Quotients are central ones, extrapolated
 * once (order 4).
 * Of a mass matrix that varies it is checked that it is symmetric and positive definite.
 * @param[in] states  how many, >= 1
 * @param[in] seed    of the random numbers
 * @return DLS_OK, whatever the answer; DLS_ERR_ARG for no states; DLS_ERR_MEMORY
 */
dls_status dls_model_check_run(const dls_system *sys, size_t states, unsigned long seed, dls_model_check *out,
                               dls_error *err);

#endif
