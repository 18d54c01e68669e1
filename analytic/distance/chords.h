/* analytic/distance/chords.h -- a distance of graphs computed from that of polylines, refined as far as needed.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_CHORDS_H
#define DELASSUS_ANALYTIC_CHORDS_H

#include "analytic/distance/excess.h"

/**
 * The distance of two polylines. Afterwards e->low <= max(low before, distance) and distance <= e->reach.
 * @param[in,out] e  accuracy, floor and low on entry
 * @return DLS_OK, with e->reach = INFINITY if these parts of the graphs do not suffice; DLS_ERR_MEMORY
 */
typedef dls_status dls_apart(void *data, const dls_polyline *a, const dls_polyline *b, dls_excess *e,
                             dls_error *err);

/** Memory reused by successive measurements of graphs of one dimension. */
typedef struct dls_chords {
  dls_cubics cubics[2];
  dls_polyline a, b;
  size_t most; /* coordinates of vertices that flattening may add to a graph; 0: DLS_CHORDS_MOST */
} dls_chords;
enum { DLS_CHORDS_MOST = 8000000 }; /* 2 s and 500 MB for two graphs */
void dls_chords_free(dls_chords *chords);

/**
 * A distance of graphs that equals that of their polylines up to the three errors of dls_polyline.
 * @param[in]  low, most  smaller distances than low are of no interest; the distance is at most `most` (INFINITY: unknown)
 * @param[in,out] chords  all zero except `most`, or used before; dls_chords_free frees it
 * @param[out] out        value and bound; the bound is INFINITY if `deviation` could not decide
 * @return DLS_OK; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED, see interrupt.h; what `apart` returns
 */
dls_status dls_chords_measure(const dls_graph *a, const dls_graph *b, const dls_metric *metric, double low,
                              double most, dls_apart *deviation, void *data, dls_chords *chords,
                              dls_measure *out, dls_error *err);

#endif
