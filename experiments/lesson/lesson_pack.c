/* experiments/lesson/lesson_pack.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/lesson/lesson_pack.h"
#include "experiments/lesson/lesson.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 4095, GRID = 300 };

typedef struct packer {
  dls_graph *graphs[DLS_LESSON_PANELS];
  size_t count;
  const dls_lesson_range *ranges;
  double end;
  FILE *out;
  int last[1 + DLS_LESSON_PANELS]; /* the node written before */
} packer;

static int part_of(double x, double low, double high)
{
  return (int)lrint(UNIT * fmin(fmax((x - low) / (high - low), 0), 1));
}

static void put_node(packer *p, double t, int side)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  int node[1 + DLS_LESSON_PANELS] = {part_of(t, 0, p->end)};
  for (size_t j = 0; j < p->count; j++) {
    double x;
    dls_graph_value(p->graphs[j], t, side, &x);
    node[1 + j] = part_of(x, p->ranges[j].low, p->ranges[j].high);
  }
  if (memcmp(node, p->last, sizeof node) == 0) {
    return;
  }
  memcpy(p->last, node, sizeof node);
  for (size_t j = 0; j <= p->count; j++) {
    fputc(digits[node[j] / 64], p->out);
    fputc(digits[node[j] % 64], p->out);
  }
}

static void put_time(packer *p, double t)
{
  put_node(p, t, -1);
  put_node(p, t, 1);
}

static bool is_smooth(const packer *p)
{
  for (size_t j = 0; j < p->count; j++) {
    if (p->graphs[j]->slope != NULL) {
      return true;
    }
  }
  return false;
}

/* Times of the rows; of curves those of jumps, and a grid. */
static void put_nodes(packer *p, const dls_trajectory *traj)
{
  const bool smooth = is_smooth(p);
  const double last = dls_trajectory_at(traj, traj->rows - 1, 0);
  size_t k = 0;
  for (size_t i = 0; i < traj->rows; i++) {
    const double t = dls_trajectory_at(traj, i, 0);
    if (i > 0 && dls_trajectory_at(traj, i - 1, 0) == t) {
      continue; /* the right limit went with the left one */
    }
    const bool jumps = i + 1 < traj->rows && dls_trajectory_at(traj, i + 1, 0) == t;
    for (; smooth && k <= GRID && k * last / GRID <= t; k++) {
      put_time(p, k * last / GRID);
    }
    if (jumps || !smooth) {
      put_time(p, t);
    }
  }
}

dls_status dls_lesson_pack(const dls_trajectory *traj, size_t count, const dls_lesson_range *ranges, double end,
                           FILE *out, dls_error *err)
{
  packer p = {.count = count, .ranges = ranges, .end = end, .out = out, .last = {-1}};
  dls_status status = DLS_OK;
  for (size_t j = 0; j < count && status == DLS_OK; j++) {
    const int column = dls_trajectory_column(traj, ranges[j].column);
    const size_t place = (size_t)column;
    status = column > 0 ? dls_graph_of(traj, 1, &place, &p.graphs[j], err)
                        : dls_fail(err, DLS_ERR_ARG, "no column '%.60s'", ranges[j].column);
  }
  if (status == DLS_OK) {
    put_nodes(&p, traj);
  }
  for (size_t j = 0; j < count; j++) {
    dls_graph_destroy(p.graphs[j]);
  }
  return status;
}
