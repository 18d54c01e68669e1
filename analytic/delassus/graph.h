/* delassus/graph.h -- functions of time with jumps as filled-in graphs, and the distances between them.
 *
 * gr*(f) = {(t,x) : x in [f(t-), f(t+)]}; for vectors the segment between the two limits.
 * A distance sees two graphs and nothing else.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_GRAPH_H
#define DELASSUS_GRAPH_H

#include <delassus/error.h>
#include <delassus/option.h>
#include <delassus/trajectory.h>
#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Nodes in time order; equal t: left limit, ..., right limit, a chain of segments. Between nodes of different t: linear, or cubic
 * Hermite where slope is given. */
typedef struct dls_graph {
  size_t count, dim;
  double *t;     /* count, non-decreasing */
  double *x;     /* count x dim */
  double *slope; /* count x dim, or NULL for linear */
} dls_graph;

dls_graph *dls_graph_create(size_t count, size_t dim, bool with_slope); /* NULL if out of memory */
void dls_graph_destroy(dls_graph *graph);

/**
 * The graph of the given columns of a trajectory. Constant columns become steps; Hermite columns need the columns of
 * their slopes (v for q, a for v, u for g); slopes of other cubic columns follow from neighbouring rows. Rows with equal t, however
 * many, are a chain of jumps.
 * @param[in] columns  dim positions of columns, all of one meaning, or all cubic
 * @return DLS_ERR_ARG if there are fewer than two rows or dim = 0; DLS_ERR_NOT_APPLICABLE if a slope is missing or
 *         meanings are mixed (the message names the column)
 */
dls_status dls_graph_of(const dls_trajectory *traj, size_t dim, const size_t *columns, dls_graph **out,
                        dls_error *err);
/**
 * The impulse that each contact has transmitted up to a time, int di from the first row, normal: jumps by the p of a row, and
 * between rows int lambda dt with lambda linear or cubic; with traj->step_impulses not before a row that has a p. Its differential is the measure of the
 * contact's reaction.
 * @param[in] first, count  contacts, of which there are columns p0, p1, ... and, for forces, lambda0, lambda1, ...
 * @return DLS_OK; DLS_ERR_ARG if there are fewer than two rows, or no such column (the message names it)
 */
dls_status dls_graph_of_impulses(const dls_trajectory *traj, size_t first, size_t count, dls_graph **out,
                                 dls_error *err);
/** Restrict to [t0, t1], with interpolated end nodes. @return DLS_ERR_ARG if the graph does not cover any of it */
dls_status dls_graph_clip(const dls_graph *graph, double t0, double t1, dls_graph **out, dls_error *err);
/** x := f(t-) (side < 0) or f(t+) (side >= 0); t is clipped to the range of the graph. O(log count). */
void dls_graph_value(const dls_graph *graph, double t, int side, double *x);

typedef struct dls_measure {
  double value;
  double bound; /* |value - exact distance of the two graphs| <= bound */
} dls_measure;

typedef struct dls_metric {
  double time_scale,
      value_scale; /* tau, xi of d = max(|t-s|/tau, |x-y|_inf/xi) and of the norms; default 1, 1 */
  double accuracy; /* relative accuracy asked of iterative distances, e.g. 1e-3; default 1e-3 */
} dls_metric;
extern const dls_metric dls_metric_default;

/**
 * Hausdorff distance of two filled-in graphs in the metric d, with |x-y| the largest component.
 * Cubic pieces are replaced by chords, finely enough for the requested accuracy; the bound includes their error. O((n+m) log(n+m)).
 */
dls_status dls_hausdorff(const dls_graph *a, const dls_graph *b, const dls_metric *metric, dls_measure *out,
                         dls_error *err);

typedef struct dls_norm dls_norm;
typedef struct dls_comparison dls_comparison; /* internal to the library */
/** A measure of the error of `numeric` against `reference`. Each has one entry in DLS_NORM_LIST of analytic/distance/norm.h. */
struct dls_norm {
  const char *name, *summary; /* key; formula in a line */
  const char *label;          /* behind "error of q" in pictures, "in the Hausdorff distance"; NULL: the name */
  const char *unit;           /* of an unscaled error, "s·%s" with the unit of the quantity; NULL: none */
  bool has_published_orders;  /* convergence orders of schemes over impacts are published for this norm */
  dls_status (*measure)(const dls_norm *self, const dls_graph *numeric, const dls_graph *reference,
                        const dls_metric *metric, dls_measure *out, dls_error *err);
  const dls_option *options; /* one, the exponent, of lp and grid-lp; else NULL */
  double p;                  /* its value */
  /* the same for one of many graphs against a prepared reference; NULL: use `measure` */
  dls_status (*compare_prepared)(const dls_norm *self, dls_comparison *pair, dls_measure *out, dls_error *err);
};
/** hausdorff, l1, l2, lp, max (function space); grid-l1, grid-l2, grid-lp, grid-max, relative-l1; events. Ends with NULL. */
const dls_norm *const *dls_norms(void);
/** The entry that a text names, up to a colon: "l1", "lp:p=3"; options as they are by default. NULL if unknown */
const dls_norm *dls_norm_find(const char *text);

/** A norm with its option. norm.name may be `name`: a choice stays where it was made. */
typedef struct dls_norm_choice {
  dls_norm norm;
  char name[32]; /* "lp:p=3" */
} dls_norm_choice;
/** @return DLS_ERR_OPTION if the norm, or its option, is unknown, or the value is not allowed */
dls_status dls_norm_read(const char *text, dls_norm_choice *out, dls_error *err);

/** Errors of a graph that arrives in parts and is never in memory as a whole. */
typedef struct dls_streaming dls_streaming;
enum { DLS_SPAN = 1 << 17 };
/** @return true if the norm can be measured in parts: hausdorff, l1, l2, lp, max */
bool dls_norm_streams(const dls_norm *norm);
/**
 * @param[in] reference, norms  the caller's
 * @param[in] span  for hausdorff: nodes on each side of those that are covered; at least 64, usually DLS_SPAN. Three to four times as many are kept
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if a norm needs the whole graph; DLS_ERR_ARG; DLS_ERR_MEMORY
 */
dls_status dls_streaming_create(const dls_graph *reference, size_t count, const dls_norm *const *norms,
                                const dls_metric *metric, size_t span, dls_streaming **out, dls_error *err);
/**
 * Add the next part, within the times of the reference. Except for the first one, it begins with the last node of the previous part.
 * @return DLS_OK; DLS_ERR_ARG; DLS_ERR_MEMORY; DLS_ERR_LIMIT if the graphs are so far apart that the nearest points may lie outside the window: use a larger span. After a failure destroy it
 */
dls_status dls_streaming_add(dls_streaming *streaming, const dls_graph *part, dls_error *err);
/** Call after the last part. @param[out] out  one measure per norm. @return as dls_streaming_add */
dls_status dls_streaming_end(dls_streaming *streaming, dls_measure *out, dls_error *err);
void dls_streaming_destroy(dls_streaming *streaming); /* NULL is fine */

#ifdef __cplusplus
}
#endif

#endif
