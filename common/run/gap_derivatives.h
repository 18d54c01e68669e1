/* gap_derivatives.h -- derivatives of gaps and their velocities along a run with derivatives.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_GAP_DERIVATIVES_H
#define DELASSUS_COMMON_RUN_GAP_DERIVATIVES_H

#include <delassus/sensitivity.h>

/** States and their tangents; the arrays are borrowed. */
typedef struct dls_tangent_rows {
  size_t rows;
  const double *t, *q, *v; /* rows, rows x n, rows x n */
  const double *tangents;  /* rows: dq, dv of the first direction, then of the next */
  size_t stride;           /* from one row of them to the next */
} dls_tangent_rows;

/**
 * Derivatives at fixed t of g(t, q) and u = H^T v + b. They are NaN where the tangents are, and where supports of neighbouring values of
 * the parameter have not jumped as often as those of the system.
 * @param[out] out  rows x 2 m count: dg, du of the first direction, then of the next
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_gap_derivatives(const dls_system *sys, const dls_sensitivity *s, const dls_tangent_rows *at,
                               double *out, dls_error *err);

#endif
