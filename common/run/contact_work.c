/* contact_work.c -- see contact_work.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/run/contact_work.h"
#include <delassus/balance.h>
#include <stdlib.h>
#include <string.h>

/* u, p, lambda of a node: first index of the normal or tangential ones, and their number. */
typedef struct rows_of {
  size_t u, p, lambda, count;
} rows_of;

struct dls_contact_work {
  rows_of kind[DLS_CONTACT_WORKS];
  size_t columns;
  bool steps, at_node, begun; /* p is the impulse of a step; it works on the velocity of the node */
  double *last, *start;       /* nodes: the last row; the last row of the time before it */
  double works[DLS_CONTACT_WORKS], before[DLS_CONTACT_WORKS]; /* sums with and without the last row */
  double block[];
};

dls_contact_work *dls_contact_work_create(const dls_trajectory *traj, const dls_scheme *scheme)
{
  const size_t columns = traj->whole_columns, m = traj->m, slips = (traj->d - 1) * m, u = 1 + 2 * traj->n + m;
  const size_t slip = columns - 3 * slips - 2 * traj->r;
  dls_contact_work *w = calloc(1, sizeof *w + 2 * columns * sizeof w->block[0]);
  if (w != NULL) {
    w->kind[0] = (rows_of){u, u + m, u + 2 * m, m};
    w->kind[1] = (rows_of){slip, slip + slips, slip + 2 * slips, slips};
    w->columns = columns;
    w->steps = scheme != NULL && scheme->stepping == DLS_BY_STEP;
    w->at_node = scheme != NULL && scheme->balance != NULL && scheme->balance->at_node;
    w->last = w->block;
    w->start = w->block + columns;
  }
  return w;
}

void dls_contact_work_destroy(dls_contact_work *work)
{
  free(work);
}

/* 1/2 (u- + u+) p, from the row before the impulses. */
static double jump(const rows_of *k, const double *before, const double *row)
{
  double work = 0;
  for (size_t i = 0; i < k->count; i++) {
    const double p = row[k->p + i];
    work += p != 0 ? 0.5 * (before[k->u + i] + row[k->u + i]) * p : 0;
  }
  return work;
}

/* Integral of u lambda dt, with both linear. */
static double smooth(const rows_of *k, const double *before, const double *row)
{
  double work = 0;
  for (size_t i = 0; i < k->count; i++) {
    const double u = before[k->u + i], next = row[k->u + i], f = before[k->lambda + i],
                 f_next = row[k->lambda + i];
    work += (2 * u * f + u * f_next + next * f + 2 * next * f_next) / 6;
  }
  return (row[0] - before[0]) * work;
}

void dls_contact_work_row(dls_contact_work *w, const double *row)
{
  const bool later = w->begun && row[0] > w->last[0];
  if (!w->begun || later) {
    memcpy(w->start, w->begun ? w->last : row, w->columns * sizeof *row);
  }
  const double *before = w->at_node ? row : w->steps ? w->start : w->last;
  memcpy(w->before, w->works, sizeof w->works);
  for (size_t i = 0; w->begun && i < DLS_CONTACT_WORKS; i++) {
    const rows_of *k = &w->kind[i];
    w->works[i] += jump(k, before, row);
    w->works[i] += later && !w->steps ? smooth(k, w->last, row) : 0;
  }
  memcpy(w->last, row, w->columns * sizeof *row);
  w->begun = true;
}

void dls_contact_work_sums(const dls_contact_work *w, bool left, double works[DLS_CONTACT_WORKS])
{
  memcpy(works, left ? w->before : w->works, sizeof w->works);
}
