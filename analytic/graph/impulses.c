/* analytic/graph/impulses.c -- what contacts have transmitted so far, as functions of time.
 * Source: Moreau 1988, the measure of the contact percussion, di = lambda dt + sum of p delta.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/piece.h"
#include "analytic/graph/row_slopes.h"
#include <stdio.h>
#include <stdlib.h>

/* The columns, and where the last row led. */
typedef struct totals {
  const dls_trajectory *traj;
  size_t count;
  size_t *p, *lambda; /* count; lambda NULL: no forces */
  double *rate;       /* rows x count: slopes of lambda where it is cubic; else NULL */
  dls_graph *graph;
} totals;

static dls_status find_columns(totals *to, size_t first, dls_error *err)
{
  for (size_t k = 0; k < to->count; k++) {
    char name[2][32];
    snprintf(name[0], sizeof name[0], "p%zu", first + k);
    snprintf(name[1], sizeof name[1], "lambda%zu", first + k);
    const int p = dls_trajectory_column(to->traj, name[0]), lambda = dls_trajectory_column(to->traj, name[1]);
    if (p < 0) {
      return dls_fail(err, DLS_ERR_ARG, "no impulse of contact %zu: there is no column %s", first + k, name[0]);
    }
    to->p[k] = (size_t)p;
    if (lambda < 0) {
      to->lambda = NULL; /* a program that has impulses only */
    } else if (to->lambda != NULL) {
      to->lambda[k] = (size_t)lambda;
    }
  }
  return DLS_OK;
}

static double force(const totals *to, size_t row, size_t k)
{
  return to->lambda != NULL ? dls_trajectory_at(to->traj, row, to->lambda[k]) : 0;
}

/* Forces at both ends of the way to a row, as far as they act: in a step they are p/h where there is a p, and then do not. */
static double forces(const totals *to, size_t row, size_t k)
{
  const double before = force(to, row - 1, k), now = force(to, row, k);
  const bool booked =
      to->traj->step_impulses && (dls_trajectory_at(to->traj, row, to->p[k]) != 0 || before == 0 || now == 0);
  return booked ? 0 : before + now;
}

/* int lambda dt of the cubic of lambda, less that of the straight line: h^2/12 (lambda'_0 - lambda'_1) */
static double bend(const totals *to, size_t row, size_t k, double h)
{
  return to->rate != NULL ? h * h / 12 * (to->rate[(row - 1) * to->count + k] - to->rate[row * to->count + k])
                          : 0;
}

/* A node at the time of a row: the values of the last one, and what forces did since; with the jumps of the row. */
static void add_node(totals *to, size_t row, bool jump)
{
  dls_graph *g = to->graph;
  const size_t at = g->count * to->count;
  const double t = dls_trajectory_at(to->traj, row, 0), h = g->count > 0 ? t - g->t[g->count - 1] : 0;
  g->t[g->count++] = t;
  for (size_t k = 0; k < to->count; k++) {
    const double last = at > 0 ? g->x[at + k - to->count] : 0;
    const double p = jump ? dls_trajectory_at(to->traj, row, to->p[k]) : 0;
    g->x[at + k] = last + (h > 0 ? 0.5 * h * forces(to, row, k) + bend(to, row, k, h) : 0) + p;
    if (g->slope != NULL) {
      g->slope[at + k] = force(to, row, k);
    }
  }
}

static bool jumps(const totals *to, size_t row)
{
  bool any = false;
  for (size_t k = 0; k < to->count; k++) {
    any = any || dls_trajectory_at(to->traj, row, to->p[k]) != 0;
  }
  return any;
}

static void add_rows(totals *to)
{
  dls_graph *g = to->graph;
  g->count = 0;
  for (size_t row = 0; row < to->traj->rows; row++) {
    add_node(to, row, false);
    if (jumps(to, row)) {
      add_node(to, row, true);
    }
  }
}

static dls_status fill(totals *to, size_t first, dls_graph **out, dls_error *err)
{
  const dls_status status = find_columns(to, first, err);
  if (status != DLS_OK) {
    return status;
  }
  if (to->lambda != NULL && to->traj->meaning[to->lambda[0]] == DLS_CUBIC) {
    to->rate = calloc(to->traj->rows, to->count * sizeof *to->rate);
    if (to->rate == NULL) {
      return dls_fail(err, DLS_ERR_MEMORY, "no memory for the forces of %zu rows", to->traj->rows);
    }
    dls_row_slopes(to->traj, to->count, to->lambda, to->rate);
  }
  to->graph = dls_graph_create(2 * to->traj->rows, to->count, to->lambda != NULL && !to->traj->step_impulses);
  if (to->graph == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for impulses of %zu rows", to->traj->rows);
  }
  add_rows(to);
  const dls_status finite = dls_graph_check(to->graph, "the trajectory", err);
  if (finite != DLS_OK) {
    dls_graph_destroy(to->graph);
    return finite;
  }
  *out = to->graph;
  return DLS_OK;
}

dls_status dls_graph_of_impulses(const dls_trajectory *traj, size_t first, size_t count, dls_graph **out,
                                 dls_error *err)
{
  if (count == 0 || traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "impulses need at least one contact and two rows, not %zu and %zu", count,
                    traj->rows);
  }
  size_t *columns = malloc(2 * count * sizeof *columns);
  if (columns == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the impulses of %zu contacts", count);
  }
  totals to = {.traj = traj, .count = count, .p = columns, .lambda = columns + count};
  const dls_status status = fill(&to, first, out, err);
  free(to.rate);
  free(columns);
  return status;
}
