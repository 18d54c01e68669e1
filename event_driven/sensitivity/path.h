/* event_driven/sensitivity/path.h -- a smooth path y(t), by pieces: polynomials through Chebyshev points, read from an engine step by step.
 * The dense output of no engine has a higher degree, but for the series of the exact flow, whose remainder is round-off.
 * Source: Berrut & Trefethen 2004, SIAM Review 46, 501-517, eq. (4.2), for the barycentric formula.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_PATH_H
#define DELASSUS_EVENT_DRIVEN_PATH_H

#include "event_driven/integrator/engine.h"
#include <stdbool.h>
#include <stddef.h>

enum { DLS_PATH_POINTS = 14 };

typedef struct dls_path {
  size_t size, count, room;      /* of y; pieces; pieces that memory is allocated for */
  double point[DLS_PATH_POINTS]; /* of the second kind, in [0, 1] */
  double *end;                   /* room + 1: piece i is [end[i], end[i + 1]] */
  double *values;                /* room x DLS_PATH_POINTS x size */
} dls_path;

void dls_path_release(dls_path *path);
/** Empty it, to begin at t; size is that of y from now on. @return false if out of memory */
bool dls_path_begin(dls_path *path, size_t size, double t);
/** Add what the engine's last step covers up to t: entries 0 to size - 1 of its state. y: room for its state.
 * @return false if out of memory */
bool dls_path_add(dls_path *path, const dls_engine *engine, double t, double *y);
/** The last piece that begins at t or before. */
size_t dls_path_piece(const dls_path *path, double t);
/** y[size] := the path at t, which it covers. */
void dls_path_value(const dls_path *path, double t, double *y);

#endif
