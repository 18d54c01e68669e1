/* analytic/graph/polyline.c -- nearest segment of a polyline by a hierarchy of bounding boxes.
 * Segments are in time order, so that the boxes of the levels below the root are intervals of time: a search
 * that starts from a good guess climbs until everything outside the box above it is too far away in time alone.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/graph/polyline.h"
#include "analytic/graph/piece.h"
#include "common/base/memory.h"
#include <stdlib.h>

enum {
  LEAF = 8,  /* segments of a lowest box: fastest of 4, 8, 16 on rough graphs, as fast as any on smooth ones */
  DEEP = 64, /* levels below the root: more than any address space holds */
};

void dls_polyline_free(dls_polyline *line)
{
  free(line->p);
  free(line->cuts);
  free(line->box);
  *line = (dls_polyline){0};
}

/* Memory for the boxes. */
static dls_status allocate_boxes(dls_polyline *line, dls_error *err)
{
  const size_t groups = (line->count - 1 + LEAF - 1) / LEAF;
  for (line->leaves = 1; line->leaves < groups;) {
    line->leaves *= 2;
  }
  if (2 * line->leaves <= line->boxes) {
    return DLS_OK;
  }
  free(line->box);
  line->boxes = 2 * line->leaves;
  line->box = malloc(dls_size_product(dls_size_product(line->boxes, 2 * line->width), sizeof *line->box));
  if (line->box == NULL) {
    line->boxes = 0;
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the boxes of a polyline of %zu vertices", line->count);
  }
  return DLS_OK;
}

static inline void box_of_leaf(const dls_polyline *line, size_t width, size_t leaf, double *box)
{
  const size_t first = leaf * LEAF;
  const size_t end = first + LEAF < line->count - 1 ? first + LEAF : line->count - 1; /* last vertex */
  for (size_t i = 0; i < width; i++) {
    double low = INFINITY, high = -INFINITY;
    for (size_t v = first; v <= end; v++) {
      low = dls_lower(low, line->p[v * width + i]);
      high = dls_higher(high, line->p[v * width + i]);
    }
    box[i] = low; /* an empty box is (inf, -inf): infinitely far from every point */
    box[width + i] = high;
  }
}

static inline void make_boxes(dls_polyline *line, size_t width)
{
  const size_t size = 2 * width;
  for (size_t leaf = 0; leaf < line->leaves; leaf++) {
    double *box = line->box + (line->leaves + leaf) * size;
    if (leaf * LEAF + 1 < line->count) {
      box_of_leaf(line, width, leaf, box);
    } else {
      for (size_t i = 0; i < width; i++) {
        box[i] = INFINITY;
        box[width + i] = -INFINITY;
      }
    }
  }
  for (size_t node = line->leaves - 1; node > 0; node--) {
    const double *left = line->box + 2 * node * size, *right = left + size;
    for (size_t i = 0; i < width; i++) {
      line->box[node * size + i] = dls_lower(left[i], right[i]);
      line->box[node * size + width + i] = dls_higher(left[width + i], right[width + i]);
    }
  }
}

dls_status dls_polyline_index(dls_polyline *line, dls_error *err)
{
  const dls_status status = allocate_boxes(line, err);
  if (status != DLS_OK) {
    return status;
  }
  if (line->width == 2) { /* a constant width lets the compiler unroll: scalar graphs are the common case */
    make_boxes(line, 2);
  } else {
    make_boxes(line, line->width);
  }
  return DLS_OK;
}

typedef struct search {
  const dls_polyline *line;
  const double *point;
  double best, enough;
  size_t segment;
} search;

static inline double box_distance(const search *s, size_t width, size_t node)
{
  const double *box = s->line->box + node * 2 * width;
  double distance = 0.0;
  for (size_t i = 0; i < width; i++) {
    const double below = box[i] - s->point[i], above = s->point[i] - box[width + i];
    const double away = below > above ? below : above;
    distance = away > distance ? away : distance;
  }
  return distance;
}

static inline void visit_leaf(search *s, size_t width, size_t leaf)
{
  const size_t segments = s->line->count - 1;
  const size_t end = (leaf + 1) * LEAF < segments ? (leaf + 1) * LEAF : segments;
  for (size_t k = leaf * LEAF; k < end; k++) {
    const double d = dls_segment_distance(width, s->point, s->line->p + k * width);
    if (d < s->best) {
      s->best = d;
      s->segment = k;
      if (d <= s->enough) {
        return;
      }
    }
  }
}

/* Depth first below node, the nearer child first. */
static inline void descend(search *s, size_t width, size_t node, double distance)
{
  struct {
    size_t node;
    double distance;
  } stack[DEEP];
  size_t depth = 0;
  for (;;) {
    while (distance < s->best && node < s->line->leaves) {
      const double left = box_distance(s, width, 2 * node), right = box_distance(s, width, 2 * node + 1);
      const bool swap = right < left;
      stack[depth].node = 2 * node + !swap;
      stack[depth++].distance = swap ? left : right;
      node = 2 * node + swap;
      distance = swap ? right : left;
    }
    if (distance < s->best) {
      visit_leaf(s, width, node - s->line->leaves);
    }
    if (depth == 0 || s->best <= s->enough) {
      return;
    }
    node = stack[--depth].node;
    distance = stack[depth].distance;
  }
}

static inline void find(search *s, size_t width)
{
  const dls_polyline *line = s->line;
  size_t node = line->leaves + s->segment / LEAF;
  visit_leaf(s, width, s->segment / LEAF);
  while (node > 1 && s->best > s->enough) {
    const double *box = line->box + node * 2 * width;
    if (s->best <= s->point[0] - box[0] && s->best <= box[width] - s->point[0]) {
      break; /* whatever is outside this box is farther away in time */
    }
    descend(s, width, node ^ 1, box_distance(s, width, node ^ 1));
    node /= 2;
  }
}

double dls_polyline_nearest(const dls_polyline *line, const double *point, double enough, size_t *segment)
{
  search s = {.line = line, .point = point, .best = INFINITY, .enough = enough, .segment = *segment};
  if (line->width == 2) {
    find(&s, 2);
  } else {
    find(&s, line->width);
  }
  *segment = s.segment;
  return s.best;
}
