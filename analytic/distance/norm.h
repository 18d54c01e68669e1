/* analytic/distance/norm.h -- the measures of norm.c, and sweeps over the common intervals of two graphs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_NORM_H
#define DELASSUS_ANALYTIC_NORM_H

#include "analytic/distance/integrals.h"

extern const dls_option dls_norm_power[]; /* of lp and grid-lp */

/* The time that both graphs cover. @return DLS_ERR_ARG if there is none */
dls_status dls_norm_overlap(const dls_graph *numeric, const dls_graph *reference, double *low, double *high,
                            dls_error *err);

/* f - g on an interval between neighbouring breakpoints of either graph. */
typedef struct dls_norm_interval {
  double start, end; /* [s] */
  double d[4];       /* Bernstein coefficients of f - g */
  double scale;      /* sum of the largest coefficients of both graphs */
  bool linear;
} dls_norm_interval;
typedef void dls_norm_visit(void *data, size_t component, const dls_norm_interval *interval);
/* Visit every interval of [low, high], component by component. `high` is the end of an interval, hence a breakpoint. */
void dls_norm_sweep(const dls_graph *f, const dls_graph *g, double low, double high, dls_norm_visit *visit,
                    void *data);

/* A norm in function space (l1, l2, lp, max) of f - g, accumulated over consecutive spans of time. */
typedef struct dls_space_sum dls_space_sum;
bool dls_space_has(const dls_norm *norm);
/* @return the caller frees it; NULL if there is no memory */
dls_space_sum *dls_space_begin(const dls_norm *norm, size_t dim);
/* Add the next span, covered by both graphs; its end as for dls_norm_sweep. */
void dls_space_add(dls_space_sum *sum, const dls_graph *f, const dls_graph *g, double low, double high);
dls_measure dls_space_end(const dls_space_sum *sum, const dls_metric *metric);

extern const dls_norm dls_norm_l1, dls_norm_l2, dls_norm_lp, dls_norm_max;
extern const dls_norm dls_norm_flat, dls_norm_m1;
extern const dls_norm dls_norm_grid_l1, dls_norm_grid_l2, dls_norm_grid_lp, dls_norm_grid_max,
    dls_norm_relative_l1;

#endif
