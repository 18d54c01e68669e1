/* analytic/graph/graph.c -- functions of time with jumps: building, evaluating, restricting.
 * Source: Moreau 1978 for filled-in graphs; Acary, lecture, eqs. (44)-(47).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/piece.h"
#include "analytic/graph/row_slopes.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define EXPONENT UINT64_C(0x7ff0000000000000) /* of a double */
#define LEAST_EXPONENT UINT64_C(0x0010000000000000)

const dls_metric dls_metric_default = {.time_scale = 1.0, .value_scale = 1.0, .accuracy = 1e-3};

dls_graph *dls_graph_create(size_t count, size_t dim, bool with_slope)
{
  dls_graph *graph = calloc(1, sizeof *graph);
  if (graph == NULL || dim > SIZE_MAX / sizeof(double)) {
    free(graph);
    return NULL;
  }
  *graph = (dls_graph){.count = count, .dim = dim};
  graph->t = calloc(count + 1, sizeof *graph->t);
  graph->x = calloc(count + 1, dim * sizeof *graph->x);
  graph->slope = with_slope ? calloc(count + 1, dim * sizeof *graph->slope) : NULL;
  if (graph->t == NULL || graph->x == NULL || (with_slope && graph->slope == NULL)) {
    dls_graph_destroy(graph);
    return NULL;
  }
  return graph;
}

void dls_graph_destroy(dls_graph *graph)
{
  if (graph != NULL) {
    free(graph->t);
    free(graph->x);
    free(graph->slope);
    free(graph);
  }
}

static inline uint64_t bits_of(double x)
{
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

/* Without a way out of the loop, so that it takes several values at a time: one more in an exponent of ones is a carry. */
static bool all_finite(size_t count, const double *x)
{
  uint64_t carry = 0;
  for (size_t i = 0; i < count; i++) {
    carry |= (bits_of(x[i]) & EXPONENT) + LEAST_EXPONENT;
  }
  return carry >> 63 == 0;
}

/* False also where a zero is behind one of the other sign. */
static bool increases(size_t count, const double *t)
{
  uint64_t signs = 0;
  for (size_t i = 1; i < count; i++) {
    signs |= bits_of(t[i] - t[i - 1]);
  }
  return signs >> 63 == 0;
}

/* What is wrong with a graph. */
static dls_status find_fault(const dls_graph *graph, const char *what, dls_error *err)
{
  for (size_t i = 0; i < graph->count; i++) {
    if (!isfinite(graph->t[i])) {
      return dls_fail(err, DLS_ERR_NONFINITE, "%s: t[%zu] = %g is not finite", what, i, graph->t[i]);
    }
    if (i > 0 && graph->t[i] < graph->t[i - 1]) {
      return dls_fail(err, DLS_ERR_ARG, "%s: t[%zu] = %.17g is before t[%zu] = %.17g, times must not decrease",
                      what, i, graph->t[i], i - 1, graph->t[i - 1]);
    }
  }
  for (size_t p = 0; p < graph->count * graph->dim; p++) {
    const double slope = graph->slope != NULL ? graph->slope[p] : 0.0;
    if (!isfinite(graph->x[p]) || !isfinite(slope)) {
      return dls_fail(err, DLS_ERR_NONFINITE, "%s: component %zu at t = %.17g is %g with slope %g, not finite",
                      what, p % graph->dim, graph->t[p / graph->dim], graph->x[p], slope);
    }
  }
  return DLS_OK;
}

dls_status dls_graph_check(const dls_graph *graph, const char *what, dls_error *err)
{
  if (graph == NULL || graph->count == 0 || graph->dim == 0) {
    return dls_fail(err, DLS_ERR_ARG, "%s is empty: at least one node and one component are needed", what);
  }
  const size_t count = graph->count, values = count * graph->dim;
  const bool good = all_finite(count, graph->t) && increases(count, graph->t) && all_finite(values, graph->x) &&
                    (graph->slope == NULL || all_finite(values, graph->slope));
  return good ? DLS_OK : find_fault(graph, what, err);
}

dls_status dls_metric_check(const dls_metric *metric, dls_error *err)
{
  if (!(metric->time_scale > 0.0 && isfinite(metric->time_scale)) ||
      !(metric->value_scale > 0.0 && isfinite(metric->value_scale))) {
    return dls_fail(err, DLS_ERR_ARG, "time_scale = %g and value_scale = %g must be positive and finite",
                    metric->time_scale, metric->value_scale);
  }
  if (!(metric->accuracy > 0.0 && metric->accuracy < 1.0)) {
    return dls_fail(err, DLS_ERR_ARG, "accuracy = %g is outside (0, 1)", metric->accuracy);
  }
  return DLS_OK;
}

dls_status dls_graph_check_pair(const dls_graph *a, const dls_graph *b, const dls_metric *metric,
                                dls_error *err)
{
  dls_status status = dls_metric_check(metric, err);
  if (status == DLS_OK) {
    status = dls_graph_check(a, "the first graph", err);
  }
  if (status == DLS_OK) {
    status = dls_graph_check(b, "the second graph", err);
  }
  if (status == DLS_OK && a->dim != b->dim) {
    return dls_fail(err, DLS_ERR_ARG, "the graphs have %zu and %zu components, they must agree", a->dim,
                    b->dim);
  }
  return status;
}

size_t dls_graph_search(const dls_graph *graph, double t, bool strict)
{
  size_t low = 0, high = graph->count;
  while (low < high) {
    const size_t mid = low + (high - low) / 2;
    if (graph->t[mid] < t || (strict && graph->t[mid] == t)) {
      low = mid + 1;
    } else {
      high = mid;
    }
  }
  return low;
}

/* Value and, where wanted, slope inside piece i. */
static void piece_value(const dls_graph *graph, size_t i, double t, double *x, double *slope)
{
  const double h = graph->t[i + 1] - graph->t[i], u = (t - graph->t[i]) / h;
  for (size_t k = 0; k < graph->dim; k++) {
    double c[4];
    if (graph->slope == NULL) {
      const size_t p = i * graph->dim + k;
      x[k] = dls_lerp(graph->x[p], graph->x[p + graph->dim], u);
      continue;
    }
    dls_piece_whole(graph, i, k, c);
    x[k] = dls_blossom(c, u, u, u);
    if (slope != NULL) { /* P' = 3 (P(u,u,1) - P(u,u,0)) / h */
      slope[k] = 3.0 * (dls_blossom(c, u, u, 1.0) - dls_blossom(c, u, u, 0.0)) / h;
    }
  }
}

/* The time where the graph has a value for t: its end if t is outside. */
static double inside(const dls_graph *graph, double t)
{
  const double last = graph->t[graph->count - 1];
  return t > graph->t[0] ? (t < last ? t : last) : graph->t[0];
}

/* first: index of the first node with a time >= at. */
static void value_at(const dls_graph *graph, size_t first, double at, int side, double *x)
{
  if (graph->t[first] > at) {
    piece_value(graph, first - 1, at, x, NULL);
    return;
  }
  size_t node = first;
  while (side >= 0 && node + 1 < graph->count && graph->t[node + 1] == at) {
    node++;
  }
  memcpy(x, graph->x + node * graph->dim, graph->dim * sizeof *x);
}

void dls_graph_value(const dls_graph *graph, double t, int side, double *x)
{
  const double at = inside(graph, t);
  value_at(graph, dls_graph_search(graph, at, false), at, side, x);
}

void dls_graph_value_near(const dls_graph *graph, double t, int side, size_t *near, double *x)
{
  const double at = inside(graph, t);
  if (*near > 0 && graph->t[*near - 1] >= at) {
    *near = dls_graph_search(graph, at, false);
  }
  while (graph->t[*near] < at) {
    ++*near;
  }
  value_at(graph, *near, at, side, x);
}

/* Copy count nodes; slopes go along where both graphs have them. */
static void copy_nodes(const dls_graph *from, size_t first, size_t count, dls_graph *to, size_t at)
{
  const size_t dim = from->dim;
  memcpy(to->t + at, from->t + first, count * sizeof *to->t);
  memcpy(to->x + at * dim, from->x + first * dim, count * dim * sizeof *to->x);
  if (from->slope != NULL) {
    memcpy(to->slope + at * dim, from->slope + first * dim, count * dim * sizeof *to->slope);
  }
}

void dls_graph_append(dls_graph *graph, const dls_graph *more, size_t first)
{
  copy_nodes(more, first, more->count - first, graph, graph->count);
  graph->count += more->count - first;
}

dls_graph dls_graph_view(const dls_graph *graph, size_t first, size_t end)
{
  return (dls_graph){.count = end - first,
                     .dim = graph->dim,
                     .t = graph->t + first,
                     .x = graph->x + first * graph->dim,
                     .slope = graph->slope != NULL ? graph->slope + first * graph->dim : NULL};
}

dls_graph dls_graph_around(const dls_graph *graph, double from, double to)
{
  size_t first = dls_graph_search(graph, from, false), end = dls_graph_search(graph, to, true);
  first -= first > 0;
  end += end < graph->count;
  return dls_graph_view(graph, first, end);
}

static void cut_node(const dls_graph *from, size_t piece, double t, dls_graph *to, size_t at)
{
  to->t[at] = t;
  piece_value(from, piece, t, to->x + at * to->dim, to->slope != NULL ? to->slope + at * to->dim : NULL);
}

dls_status dls_graph_clip(const dls_graph *graph, double t0, double t1, dls_graph **out, dls_error *err)
{
  const dls_status status = dls_graph_check(graph, "the graph", err);
  if (status != DLS_OK) {
    return status;
  }
  const double first = graph->t[0], last = graph->t[graph->count - 1];
  if (!(t0 <= t1) || t0 > last || t1 < first) {
    return dls_fail(err, DLS_ERR_ARG, "[%g, %g] is outside the graph, which covers [%g, %g]", t0, t1, first,
                    last);
  }
  const double low = t0 > first ? t0 : first, high = t1 < last ? t1 : last;
  const size_t begin = dls_graph_search(graph, low, false), end = dls_graph_search(graph, high, true);
  const size_t head = graph->t[begin] > low, tail = end == 0 || graph->t[end - 1] < high;
  dls_graph *clipped = dls_graph_create(head + (end - begin) + tail, graph->dim, graph->slope != NULL);
  if (clipped == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a graph of %zu nodes", end - begin + 2);
  }
  if (head) {
    cut_node(graph, begin - 1, low, clipped, 0);
  }
  copy_nodes(graph, begin, end - begin, clipped, head);
  if (tail) {
    cut_node(graph, end - 1, high, clipped, clipped->count - 1);
  }
  *out = clipped;
  return DLS_OK;
}

/* The column that holds the slope of a Hermite column: v of q, a of v, u of g; -1 if there is none. */
static int slope_column(const dls_trajectory *traj, size_t column)
{
  const char *name = traj->names[column];
  const char of = name[0] == 'q' ? 'v' : name[0] == 'v' ? 'a' : name[0] == 'g' ? 'u' : '\0';
  char slope[64];
  const size_t length = strlen(name);
  if (of == '\0' || length >= sizeof slope || strspn(name + 1, "0123456789") + 1 != length) {
    return -1;
  }
  memcpy(slope, name, length + 1);
  slope[0] = of;
  return dls_trajectory_column(traj, slope);
}

static bool has_slope(const dls_trajectory *traj, size_t column)
{
  return traj->meaning[column] == DLS_HERMITE || traj->meaning[column] == DLS_CUBIC;
}

static dls_status check_columns(const dls_trajectory *traj, size_t dim, const size_t *columns, dls_error *err)
{
  if (dim == 0 || traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "a graph needs at least one column and two rows, not %zu and %zu", dim,
                    traj->rows);
  }
  for (size_t k = 0; k < dim; k++) {
    if (columns[k] >= traj->columns) {
      return dls_fail(err, DLS_ERR_ARG, "column %zu does not exist, the trajectory has %zu", columns[k],
                      traj->columns);
    }
    if (traj->meaning[columns[k]] != traj->meaning[columns[0]] &&
        !(has_slope(traj, columns[k]) && has_slope(traj, columns[0]))) {
      return dls_fail(
          err, DLS_ERR_NOT_APPLICABLE,
          "columns %s and %s mean different functions between their nodes, one graph needs one meaning",
          traj->names[columns[0]], traj->names[columns[k]]);
    }
    if (traj->meaning[columns[k]] == DLS_HERMITE && slope_column(traj, columns[k]) < 0) {
      return dls_fail(
          err, DLS_ERR_NOT_APPLICABLE,
          "column %s is cubic between nodes but the column of its slope (v for q, a for v, u for g) is missing",
          traj->names[columns[k]]);
    }
  }
  return DLS_OK;
}

/* The columns of a graph and, for cubic ones, their slopes. */
typedef struct picked {
  const dls_trajectory *traj;
  const size_t *columns;
  double *slope; /* rows x dim; NULL: no cubics */
} picked;

static inline void append_row(const picked *from, const double *row, dls_graph *graph)
{
  const size_t dim = graph->dim, at = graph->count * dim;
  double *x = graph->x + at;
  graph->t[graph->count++] = row[0];
  for (size_t k = 0; k < dim; k++) {
    x[k] = row[from->columns[k]];
  }
  if (from->slope != NULL) {
    const size_t at_row = (size_t)(row - from->traj->data) / from->traj->columns;
    memcpy(graph->slope + at, from->slope + at_row * dim, dim * sizeof *graph->slope);
  }
}

/* Does the last node differ from this row? */
static inline bool row_differs(const picked *from, const double *row, const dls_graph *graph)
{
  const double *last = graph->x + (graph->count - 1) * graph->dim;
  bool differs = false;
  for (size_t k = 0; k < graph->dim; k++) {
    differs = differs || last[k] != row[from->columns[k]];
  }
  return differs;
}

/* The constant piece that ends at row: the value of the last node again, unless it does not change. */
static void append_step(const picked *from, const double *row, dls_graph *graph)
{
  const size_t dim = graph->dim, at = graph->count * dim;
  if (row_differs(from, row, graph)) {
    graph->t[graph->count++] = row[0];
    memcpy(graph->x + at, graph->x + at - dim, dim * sizeof *graph->x);
  }
}

/* Several rows with one time are a chain of jumps; rows in between that repeat the last node are left out. Constant columns enter
 * the chain with the value of the preceding row, which replaces the first row of the chain. */
static void append_rows(const picked *from, bool steps, dls_graph *graph)
{
  const ptrdiff_t columns = (ptrdiff_t)from->traj->columns;
  const double *first = from->traj->data, *end = first + from->traj->rows * from->traj->columns;
  bool replaced = false;
  for (const double *row = first; row < end; row += columns) {
    const bool begins = row > first && row[0] > row[-columns];
    const bool is_chain = row + columns < end && row[columns] == row[0];
    if (steps && begins && is_chain) {
      replaced = true;
      continue;
    }
    if (steps && (begins || replaced)) {
      append_step(from, row, graph);
    }
    if (!is_chain || row == first || begins || row_differs(from, row, graph)) {
      append_row(from, row, graph);
      replaced = false;
    }
  }
}

/* The same of one linear column, the most frequent case. */
static void append_column(const picked *from, dls_graph *graph)
{
  const size_t columns = from->traj->columns, column = from->columns[0];
  const double *end = from->traj->data + from->traj->rows * columns;
  double *t = graph->t, *x = graph->x;
  for (const double *row = from->traj->data; row < end; row += columns) {
    const bool between = t > graph->t && t[-1] == row[0] && row + columns < end && row[columns] == row[0];
    if (!between || x[-1] != row[column]) {
      *t++ = row[0];
      *x++ = row[column];
    }
  }
  graph->count = (size_t)(t - graph->t);
}

/* slope[rows x dim] := the recorded ones of Hermite columns, those from neighbouring rows of the others. */
static void fill_slopes(const dls_trajectory *traj, size_t dim, const size_t *columns, double *slope)
{
  bool recorded = true;
  for (size_t k = 0; k < dim; k++) {
    recorded = recorded && traj->meaning[columns[k]] == DLS_HERMITE;
  }
  if (!recorded) {
    dls_row_slopes(traj, dim, columns, slope);
  }
  for (size_t k = 0; k < dim; k++) {
    const int column = traj->meaning[columns[k]] == DLS_HERMITE ? slope_column(traj, columns[k]) : -1;
    for (size_t row = 0; column > 0 && row < traj->rows; row++) {
      slope[row * dim + k] = dls_trajectory_at(traj, row, (size_t)column);
    }
  }
}

dls_status dls_graph_of(const dls_trajectory *traj, size_t dim, const size_t *columns, dls_graph **out,
                        dls_error *err)
{
  dls_status status = check_columns(traj, dim, columns, err);
  if (status != DLS_OK) {
    return status;
  }
  const dls_meaning meaning = traj->meaning[columns[0]];
  const bool cubic = has_slope(traj, columns[0]);
  const picked from = {traj, columns, cubic ? calloc(traj->rows, dim * sizeof *from.slope) : NULL};
  const size_t most = meaning == DLS_CONSTANT ? 2 * traj->rows : traj->rows; /* a step has two ends */
  dls_graph *graph = dls_graph_create(most, dim, cubic);
  if (graph == NULL || (cubic && from.slope == NULL)) {
    dls_graph_destroy(graph);
    free(from.slope);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for a graph of %zu nodes", most);
  }
  if (cubic) {
    fill_slopes(traj, dim, columns, from.slope);
  }
  graph->count = 0;
  if (dim == 1 && meaning == DLS_LINEAR) {
    append_column(&from, graph);
  } else {
    append_rows(&from, meaning == DLS_CONSTANT, graph);
  }
  free(from.slope);
  status = dls_graph_check(graph, "the trajectory", err);
  if (status != DLS_OK) {
    dls_graph_destroy(graph);
    return status;
  }
  *out = graph;
  return DLS_OK;
}
