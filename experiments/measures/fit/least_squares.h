/* experiments/measures/fit/least_squares.h -- the least squares of the differences between an answer of a model and data, with parameters
 * in their ranges, from one start.
 *
 *   S(p) = sum over rows i and quantities j of [(x_j(t_i, p) - y_ij) / sigma_j]^2
 *
 * By the method of Levenberg and Marquardt (GSL). A range is kept by a substitution: p = a + (b - a)(1 + sin z)/2 in [a, b], and
 * p = a + s (sqrt(z^2 + 1) - 1) in [a, inf). A change of the parameters for which the run fails is rejected like one that increases S.
 * Sources: More 1978; James & Roos 1975 (the substitutions); Bates & Watts 1981, Technometrics 23, 179-183 (the end of iterations).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_LEAST_SQUARES_H
#define DELASSUS_EXPERIMENTS_FIT_LEAST_SQUARES_H

#include "experiments/measures/fit/response.h"

typedef struct dls_least_squares {
  const dls_response_spec *response;
  const double *parameters; /* of the model; those of response->by are replaced */
  const double *data;       /* rows x of_count */
  const double *sigma;      /* of_count */
  const double *low, *high; /* by_count; infinite: no bound */
  /* Iterations end when the part of the residual that parameters can still remove is below this fraction of the remainder, each by the
   * root of its degrees of freedom: the numerical error in units of the standard error. */
  double tol;
  size_t iterations; /* at most */
} dls_least_squares;

typedef struct dls_minimum {
  double *p;  /* by_count; the caller's; the start, then the minimum */
  double sum; /* S over the rows */
  size_t iterations;
  double offset; /* numerical error of the minimum [standard errors] */
  bool converged;
  bool kink;            /* converged, although offset > tol: hardly a change decreases S, as at a kink */
  size_t event_changes; /* iterations in which the sequence of events changed */
  size_t failed_runs;   /* changes that were rejected because the run failed */
  dls_error failure;    /* of the last of them */
} dls_minimum;

/**
 * Minimise over the first `rows` times.
 * @param[in,out] minimum  p is the start
 * @param[in,out] answer   of the response; that at the minimum
 * @return DLS_OK, also if the iterations did not converge; DLS_ERR_NOT_APPLICABLE if a derivative that is needed does not exist;
 *         DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED; what the run at the start fails with
 */
dls_status dls_least_squares_minimise(const dls_least_squares *problem, size_t rows, dls_minimum *minimum,
                                      dls_response *answer, dls_error *err);

/**
 * The singular value decomposition of the weighted Jacobian with columns of unit length: J_ik / sigma = U S V^T diag(norm).
 * @param[in]  rows  of the response
 * @param[in]  used  by_count: other columns are 0; NULL: all
 * @param[out] U     rows of_count x by_count
 * @param[out] V     by_count x by_count, S, norm: by_count; a norm of 0 leaves its column 0
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_least_squares_decompose(const dls_least_squares *problem, size_t rows,
                                       const dls_response *answer, const bool *used, double *U, double *S,
                                       double *V, double *norm, dls_error *err);

/** A parameter that is closer to a bound of its range is at that bound. */
double dls_least_squares_near_bound(double low, double high, double p);
/**
 * Does a change of parameter k by its own size (for 0: by its range, or by 1) change the answer?
 * @param[in] p  by_count, of the answer
 */
bool dls_least_squares_has_effect(const dls_least_squares *problem, size_t rows, const dls_response *answer,
                                  const double *p, size_t k);

#endif
