/* experiments/measures/gradient/gradient.h -- derivatives of states and energies at a time with respect to parameters of a model: along one
 * run, or by central differences of runs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRADIENT_H
#define DELASSUS_EXPERIMENTS_GRADIENT_H

#include <delassus/choice.h>
#include <delassus/error.h>
#include <delassus/model.h>
#include <delassus/sensitivity.h>
#include <delassus/sim.h>
#include <stdbool.h>
#include <stddef.h>

/** What is differentiated, by which method, and where messages go. */
typedef struct dls_gradient_spec {
  const dls_model *model;
  const double *parameters; /* one value each */
  const dls_scheme_choice *scheme;
  double step, at; /* [s]; step 0: the scheme chooses its own */
  size_t of_count; /* quantities: "q0", "v1", ..., "energy"; "t:K": the time of the K-th event */
  const char *const *of;
  bool
      integral; /* of the quantities from 0 to `at`, in place of their values there; not of times, and not with differences */
  size_t by_count; /* parameters */
  const char *const *by;
  dls_tangent_method tangent; /* of schemes by step, along one run */
  double delta;  /* > 0: central difference of the runs at p - delta and p + delta; 0: along one run */
  bool backward; /* along one run: by the adjoint equation */
  bool (*poll)(void *data, double done); /* may be NULL; done from 0 to 1; false interrupts */
  void *poll_data;
  void (*report)(void *data, const char *text); /* what limits a derivative; may be NULL */
  void *report_data;
  void (*finished)(void *data,
                   const dls_sim *sim); /* the run whose derivatives are taken has ended; may be NULL */
  void *finished_data;
} dls_gradient_spec;

/**
 * Compute the matrix of derivatives.
 * @param[out] values    of_count, the quantities at the time `at`; of the run at the parameters, or the mean of two with differences; NaN
 *                       for integrals
 * @param[out] gradient  of_count x by_count, row by row; NaN where a derivative does not exist
 * @return DLS_OK; DLS_ERR_OPTION if a quantity or parameter is unknown, or `at` is not a multiple of the step; DLS_ERR_NOT_APPLICABLE if
 *         the scheme computes no derivatives along its run; DLS_ERR_MEMORY; as dls_run
 */
dls_status dls_gradient_compute(const dls_gradient_spec *spec, double *values, double *gradient,
                                dls_error *err);

/**
 * Read how derivatives are computed into delta, backward and tangent of the spec.
 * @param[in] method   "forward" (or NULL), "adjoint" or "difference:delta=D"
 * @param[in] tangent  as dls_tangent_method_parse; NULL: saltation
 * @return DLS_OK; DLS_ERR_OPTION, also if the tangent does not go with the method; DLS_ERR_PARSE
 */
dls_status dls_gradient_read_method(const char *method, const char *tangent, dls_gradient_spec *spec,
                                    dls_error *err);

/**
 * The place of "q0" or "v12" among (q, v); 2 n: "energy".
 * @return DLS_OK; DLS_ERR_OPTION if the system has no such quantity
 */
dls_status dls_quantity_find(const dls_system *sys, const char *name, size_t *place, dls_error *err);

#endif
