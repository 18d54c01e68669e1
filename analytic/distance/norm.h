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

/* All norms, in the order of `list`: dls_norm_NAME for each X(NAME). */
#define DLS_NORM_LIST(X)                                                                                       \
  X(hausdorff)                                                                                                 \
  X(l1)                                                                                                        \
  X(l2)                                                                                                        \
  X(lp)                                                                                                        \
  X(max)                                                                                                       \
  X(grid_l1)                                                                                                   \
  X(grid_l2)                                                                                                   \
  X(grid_lp)                                                                                                   \
  X(grid_max)                                                                                                  \
  X(relative_l1)                                                                                               \
  X(events)                                                                                                    \
  X(flat)                                                                                                      \
  X(m1)                                                                                                        \
  X(end)
#define DLS_DECLARE_NORM(name) extern const dls_norm dls_norm_##name;
DLS_NORM_LIST(DLS_DECLARE_NORM)

#endif
