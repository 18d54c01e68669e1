/* experiments/measures/fit/response.h -- what a model answers at given times, and the derivatives of the answer with respect to parameters:
 * one run along which tangents pass through impact, stick and slip, or a run and central differences.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_RESPONSE_H
#define DELASSUS_EXPERIMENTS_FIT_RESPONSE_H

#include <delassus/choice.h>
#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/sensitivity.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>

/** What is asked of the model. */
typedef struct dls_response_spec {
  const dls_model *model;
  const dls_scheme_choice *scheme;
  double step; /* [s]; 0: the scheme chooses its own */
  size_t rows; /* times, increasing, t[0] >= 0 [s] */
  const double *t;
  size_t of_count; /* quantities: their places among (q, v) */
  const size_t *of;
  size_t by_count; /* parameters */
  const char *const *by;
  double
      relative; /* > 0: central differences of runs, with this part of the size of a parameter; 0: tangents */
  bool (*poll)(void *data, double t); /* may be NULL */
  void *poll_data;
} dls_response_spec;

/** Whether a derivative exists along the run. */
typedef struct dls_response_status {
  dls_derivative_status status;
  double time;    /* of the event that gave it [s] */
  size_t contact; /* SIZE_MAX: none */
  double valid_within;
} dls_response_status;

/** The answer; made once and overwritten by each run. */
typedef struct dls_response {
  double *values;              /* rows x of_count */
  double *jacobian;            /* rows x of_count x by_count; NaN where no derivative exists */
  dls_response_status *status; /* by_count */
  dls_event_shift *events;     /* of the run; with differences those that a record keeps between two times */
  double *event_dt;            /* event_count x by_count; NaN: not known */
  size_t event_count, event_room;
  size_t runs; /* made so far */
  double *block;
} dls_response;

/** @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_response_create(const dls_response_spec *spec, dls_response *out, dls_error *err);
void dls_response_release(dls_response *response);

/**
 * Answer at the first `rows` times.
 * @param[in] parameters  of the model, one value each
 * @param[in] rows        1 to spec->rows
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if the scheme computes no tangents; DLS_ERR_NONFINITE if a value is not finite; DLS_ERR_MEMORY;
 *         as dls_model_create, dls_direction_create and dls_run
 */
dls_status dls_response_at(const dls_response_spec *spec, const double *parameters, size_t rows,
                           dls_response *out, dls_error *err);
/** Values alone. */
dls_status dls_response_values(const dls_response_spec *spec, const double *parameters, size_t rows,
                               dls_response *out, dls_error *err);

/** Are the events of two answers of the same kinds at the same contacts? */
bool dls_response_same_events(const dls_event_shift *a, size_t a_count, const dls_event_shift *b,
                              size_t b_count);

#endif
