/* experiments/extra/lesson/lesson_pack.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/lesson/lesson_pack.h"
#include "experiments/extra/lesson/lesson.h"
#include <delassus/graph.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { UNIT = 4095, GRID = 600, NEAR = 31 };

enum { NUMBERS = 1 + DLS_LESSON_PANELS }; /* of a node: t and the columns */

/* Nodes after the last written one, the anchor, are pending while a straight line from it passes all of them within one
 * unit of resolution: its slope in each column lies between least and most. */
typedef struct packer {
  dls_graph *graphs[DLS_LESSON_PANELS];
  size_t count;
  const dls_lesson_range *ranges;
  double end;
  FILE *out;
  int before[NUMBERS], anchor[NUMBERS], waiting[NUMBERS]; /* before: the node written before the anchor */
  bool begun, waits;
  double least[NUMBERS], most[NUMBERS];
} packer;

static int part_of(double x, double low, double high)
{
  return (int)lrint(UNIT * fmin(fmax((x - low) / (high - low), 0), 1));
}

static void write_digit(const packer *p, int value)
{
  fputc("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"[value], p -> out);
}

/* Number j of a node at the time t by the line through the last two. */
static int guess(const packer *p, size_t j, int t)
{
  const int *a = p->before, *b = p->anchor, span = b[0] - a[0];
  return b[j] + (j == 0 ? span : span > 0 ? (b[j] - a[j]) * (t - b[0]) / span : 0);
}

static void write_node(packer *p, const int *node)
{
  for (size_t j = 0; j <= p->count; j++) {
    const int off = node[j] - guess(p, j, node[0]);
    if (abs(off) <= NEAR) {
      write_digit(p, NEAR + off);
    } else {
      write_digit(p, 2 * NEAR + 1);
      write_digit(p, node[j] / 64);
      write_digit(p, node[j] % 64);
    }
  }
  memcpy(p->before, p->anchor, sizeof p->before);
  memcpy(p->anchor, node, sizeof p->anchor);
  p->begun = true;
  p->waits = false;
  for (size_t j = 0; j < NUMBERS; j++) {
    p->least[j] = -INFINITY;
    p->most[j] = INFINITY;
  }
}

/* Does the line from the anchor to this node pass the pending ones? If so, the node becomes pending too. */
static bool wait_too(packer *p, const int *node)
{
  const double time = node[0] - p->anchor[0];
  for (size_t j = 1; j <= p->count; j++) {
    const double slope = (node[j] - p->anchor[j]) / time;
    if (!(slope >= p->least[j] && slope <= p->most[j])) {
      return false;
    }
  }
  for (size_t j = 1; j <= p->count; j++) {
    const double x = node[j] - p->anchor[j];
    p->least[j] = fmax(p->least[j], (x - 1) / time);
    p->most[j] = fmin(p->most[j], (x + 1) / time);
  }
  memcpy(p->waiting, node, sizeof p->waiting);
  p->waits = true;
  return true;
}

static void release_waiting(packer *p)
{
  if (p->waits) {
    const int *node = p->waiting;
    write_node(p, node);
  }
}

static void take_node(packer *p, const int *node)
{
  const int *last = p->waits ? p->waiting : p->anchor;
  if (p->begun && memcmp(node, last, sizeof p->anchor) == 0) {
    return;
  }
  if (!p->begun || node[0] == last[0]) { /* a jump */
    release_waiting(p);
    write_node(p, node);
  } else if (!wait_too(p, node)) {
    release_waiting(p);
    wait_too(p, node);
  }
}

static void put_node(packer *p, double t, int side)
{
  int node[NUMBERS] = {part_of(t, 0, p->end)};
  for (size_t j = 0; j < p->count; j++) {
    double x;
    dls_graph_value(p->graphs[j], t, side, &x);
    node[1 + j] = part_of(x, p->ranges[j].low, p->ranges[j].high);
  }
  take_node(p, node);
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
  size_t k = 0;
  for (size_t i = 0; i < traj->rows; i++) {
    const double t = dls_trajectory_at(traj, i, 0);
    if (i > 0 && dls_trajectory_at(traj, i - 1, 0) == t) {
      continue; /* the right limit was written with the left one */
    }
    const bool jumps = i + 1 < traj->rows && dls_trajectory_at(traj, i + 1, 0) == t;
    for (; smooth && k <= GRID && k * p->end / GRID <= t; k++) {
      put_time(p, k * p->end / GRID);
    }
    if (jumps || !smooth || i + 1 == traj->rows) {
      put_time(p, t);
    }
  }
}

dls_status dls_lesson_pack(const dls_trajectory *traj, size_t count, const dls_lesson_range *ranges, double end,
                           FILE *out, dls_error *err)
{
  packer p = {.count = count, .ranges = ranges, .end = end, .out = out};
  dls_status status = DLS_OK;
  for (size_t j = 0; j < count && status == DLS_OK; j++) {
    const int column = dls_trajectory_column(traj, ranges[j].column);
    const size_t place = (size_t)column;
    status = column > 0 ? dls_graph_of(traj, 1, &place, &p.graphs[j], err)
                        : dls_fail(err, DLS_ERR_ARG, "no column '%.60s'", ranges[j].column);
  }
  if (status == DLS_OK) {
    put_nodes(&p, traj);
    release_waiting(&p);
  }
  for (size_t j = 0; j < count; j++) {
    dls_graph_destroy(p.graphs[j]);
  }
  return status;
}
