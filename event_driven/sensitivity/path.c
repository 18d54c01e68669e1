/* event_driven/sensitivity/path.c -- see path.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/path.h"
#include "common/base/memory.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dls_path_release(dls_path *path)
{
  free(path->end);
  free(path->values);
  *path = (dls_path){0};
}

/* Memory for one piece more, and at least for its begin. */
static bool make_room(dls_path *path)
{
  if (path->end != NULL && path->count < path->room) {
    return true;
  }
  const size_t room = 2 * path->room + 8, piece = DLS_PATH_POINTS * path->size;
  double *end = realloc(path->end, dls_size_product(room + 1, sizeof *end));
  path->end = end != NULL ? end : path->end;
  double *values = realloc(path->values, dls_size_product(dls_size_product(room, piece), sizeof *values));
  path->values = values != NULL ? values : path->values;
  path->room = end != NULL && values != NULL ? room : path->room;
  return end != NULL && values != NULL;
}

bool dls_path_begin(dls_path *path, size_t size, double t)
{
  if (size != path->size) {
    dls_path_release(path);
    path->size = size;
  }
  for (int j = 0; j < DLS_PATH_POINTS; j++) {
    const double s = sin(0.5 * acos(-1) * j / (DLS_PATH_POINTS - 1));
    path->point[j] = s * s;
  }
  path->count = 0;
  if (!make_room(path)) {
    return false;
  }
  path->end[0] = t;
  return true;
}

bool dls_path_add(dls_path *path, const dls_engine *engine, double t, double *y)
{
  const double begin = path->end[path->count];
  if (!make_room(path)) {
    return false;
  }
  double *values = path->values + path->count * DLS_PATH_POINTS * path->size;
  for (int j = 0; j < DLS_PATH_POINTS; j++, values += path->size) {
    dls_engine_interpolate(engine, begin + path->point[j] * (t - begin), 0, y);
    memcpy(values, y, path->size * sizeof *y);
  }
  path->end[++path->count] = t;
  return true;
}

size_t dls_path_piece(const dls_path *path, double t)
{
  size_t low = 0, high = path->count - 1;
  while (low < high) {
    const size_t middle = (low + high + 1) / 2;
    if (path->end[middle] <= t) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

void dls_path_value(const dls_path *path, double t, double *y)
{
  const size_t i = dls_path_piece(path, t);
  const double begin = path->end[i], s = (t - begin) / (path->end[i + 1] - begin);
  const double *values = path->values + i * DLS_PATH_POINTS * path->size;
  double sum = 0;
  memset(y, 0, path->size * sizeof *y);
  for (int j = 0; j < DLS_PATH_POINTS; j++, values += path->size) {
    const double distance = s - path->point[j], end = j == 0 || j == DLS_PATH_POINTS - 1 ? 0.5 : 1;
    if (distance == 0) {
      memcpy(y, values, path->size * sizeof *y);
      return;
    }
    const double weight = (j % 2 == 0 ? end : -end) / distance;
    sum += weight;
    for (size_t k = 0; k < path->size; k++) {
      y[k] += weight * values[k];
    }
  }
  for (size_t k = 0; k < path->size; k++) {
    y[k] /= sum;
  }
}
