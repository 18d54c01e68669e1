/* experiments/measures/fit/sampled_descent.h -- least squares at kinks: where the time of an event passes a row of data, the derivative of a
 * residual jumps, and the minimum may lie on the jump. There the gradient at one point gives no descent.
 *
 * In coordinates u in which the normal matrix is the identity, the gradients at u and at u -+ radius e_k are combined to the shortest vector g in
 * their convex hull; -g is a direction of descent. Where S does not decrease along it, the gradient at the last trial joins them, and then the
 * radius falls.
 * Source: Burke, Lewis & Overton 2005, SIAM J. Optim. 15, 751-779 (gradient sampling; here at fixed points).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIT_SAMPLED_DESCENT_H
#define DELASSUS_EXPERIMENTS_FIT_SAMPLED_DESCENT_H

#include <delassus/error.h>
#include <gsl/gsl_multifit_nlinear.h>
#include <stddef.h>

/**
 * Descend from a point where iterations along the gradient have ended.
 * @param[in]     fdf     residuals and derivatives; df may return GSL_EDOM where there are none
 * @param[in,out] z       the start, then the point reached
 * @param[in]     radius  at which the descent ends [standard errors]
 * @param[out]    offset  length of g there [standard errors, by the root of their number]
 * @return a code of GSL: GSL_SUCCESS; GSL_ENOMEM; what a callback returned
 */
int dls_sampled_descent(const gsl_multifit_nlinear_fdf *fdf, gsl_vector *z, double radius, double *offset);

#endif
