/* analytic/distance/frechet.h -- the Frechet distance of polylines: both are traversed simultaneously without going
 * back.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_FRECHET_H
#define DELASSUS_ANALYTIC_FRECHET_H

#include "analytic/distance/excess.h"

/** Vertices of a polyline. */
typedef struct dls_chain {
  size_t count, width; /* count >= 2 */
  double *p;           /* count x width, time not decreasing */
} dls_chain;

/**
 * Omit vertices of a polyline such that its Frechet distance from the original is at most `most`.
 * @param scratch   2 width
 * @param[out] out  room for the vertices of `line`
 */
void dls_chain_thin(const dls_polyline *line, double most, double *scratch, dls_chain *out);

/**
 * Can both be traversed monotonically from the first to the last vertices within reach of each other? Source: Alt & Godau
 * 1995, reachable cells of the free-space diagram, row by row.
 * @param row  scratch, b->count
 */
bool dls_frechet_within(const dls_chain *a, const dls_chain *b, double reach, double *row);

/** The distance to e->accuracy; a dls_apart. */
dls_status dls_frechet(void *unused, const dls_polyline *a, const dls_polyline *b, dls_excess *e,
                       dls_error *err);

#endif
