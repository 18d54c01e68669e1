/* analytic/graph/row_slopes.c -- finite differences of the fourth order on unequal intervals, one-sided next to jumps.
 * Source: Fornberg 1988, Math. Comp. 51, 699-706, for the weights; these are their closed form for a first derivative.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/row_slopes.h"
#include "common/base/cubic.h"
#include <math.h>
#include <stdint.h>

enum {
  NEIGHBOURS = 4
}; /* with the row itself a polynomial of degree 4: the error of the cubic is then that of exact slopes */

/* The rows with strictly increasing t around a row, begin <= row < end. */
typedef struct part {
  const dls_trajectory *traj;
  size_t begin, end;
} part;

static double time_at(const part *p, size_t row)
{
  return dls_trajectory_at(p->traj, row, 0);
}

/* The next row before, or after, `row` that is at least so far away; SIZE_MAX: there is none. */
static size_t next_before(const part *p, size_t row, double least)
{
  const double t = time_at(p, row);
  while (row > p->begin) {
    if (t - time_at(p, --row) >= least) {
      return row;
    }
  }
  return SIZE_MAX;
}

static size_t next_after(const part *p, size_t row, double least)
{
  const double t = time_at(p, row);
  while (++row < p->end) {
    if (time_at(p, row) - t >= least) {
      return row;
    }
  }
  return SIZE_MAX;
}

/* @return number of neighbours */
static size_t choose_neighbours(const part *p, size_t row, size_t *chosen)
{
  const double t = time_at(p, row);
  const double left = row > p->begin ? t - time_at(p, row - 1) : 0;
  const double right = row + 1 < p->end ? time_at(p, row + 1) - t : 0;
  const double least = DLS_LEAST_NODE_DISTANCE * fmax(left, right);
  size_t count = 0, low = row, high = row;
  while (count < NEIGHBOURS) {
    const size_t before = next_before(p, low, least), after = next_after(p, high, least);
    if (before == SIZE_MAX && after == SIZE_MAX) {
      break;
    }
    const bool back =
        after == SIZE_MAX || (before != SIZE_MAX && t - time_at(p, before) <= time_at(p, after) - t);
    chosen[count++] = back ? before : after;
    *(back ? &low : &high) = back ? before : after;
  }
  return count;
}

/* f'(t) = sum_j w_j (f_j - f(t)),   w_j = 1/d_j prod_(k != j) d_k / (d_k - d_j),   d_j = t_j - t */
static void find_weights(const part *p, size_t row, size_t count, const size_t *chosen, double *weight)
{
  double d[NEIGHBOURS];
  for (size_t j = 0; j < count; j++) {
    d[j] = time_at(p, chosen[j]) - time_at(p, row);
  }
  for (size_t j = 0; j < count; j++) {
    weight[j] = 1 / d[j];
    for (size_t k = 0; k < count; k++) {
      weight[j] *= k != j ? d[k] / (d[k] - d[j]) : 1;
    }
  }
}

static void find_slopes(const part *p, size_t row, size_t dim, const size_t *columns, double *slope)
{
  size_t chosen[NEIGHBOURS];
  double weight[NEIGHBOURS];
  const size_t count = choose_neighbours(p, row, chosen);
  find_weights(p, row, count, chosen, weight);
  for (size_t k = 0; k < dim; k++) {
    const double x = dls_trajectory_at(p->traj, row, columns[k]);
    slope[k] = 0;
    for (size_t j = 0; j < count; j++) {
      slope[k] += weight[j] * (dls_trajectory_at(p->traj, chosen[j], columns[k]) - x);
    }
  }
}

void dls_row_slopes(const dls_trajectory *traj, size_t dim, const size_t *columns, double *slope)
{
  part p = {.traj = traj};
  while (p.begin < traj->rows) {
    p.end = p.begin + 1;
    while (p.end < traj->rows && time_at(&p, p.end) > time_at(&p, p.end - 1)) {
      p.end++;
    }
    for (size_t row = p.begin; row < p.end; row++) {
      find_slopes(&p, row, dim, columns, slope + row * dim);
    }
    p.begin = p.end;
  }
}
