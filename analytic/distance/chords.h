/* analytic/distance/chords.h -- a distance of graphs from that of polylines, whose chords are cut as finely as it needs.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_ANALYTIC_CHORDS_H
#define DELASSUS_ANALYTIC_CHORDS_H

#include "analytic/distance/excess.h"

/**
 * How far two polylines are apart: afterwards e->low <= max(low before, distance) and distance <= e->reach.
 * @param[in,out] e  accuracy, floor and low on entry
 * @return DLS_OK, with e->reach = INFINITY if these parts of the graphs do not tell; DLS_ERR_MEMORY
 */
typedef dls_status dls_apart(void *data, const dls_polyline *a, const dls_polyline *b, dls_excess *e,
                             dls_error *err);

/** Memory that one measurement after another uses, all of graphs of one dimension. */
typedef struct dls_chords {
  dls_cubics cubics[2];
  dls_polyline a, b;
  size_t most; /* coordinates of vertices that flattening may add to a graph; 0: DLS_CHORDS_MOST */
} dls_chords;
enum { DLS_CHORDS_MOST = 8000000 }; /* 2 s and 500 MB for two graphs */
void dls_chords_free(dls_chords *chords);

/**
 * A distance of graphs that their polylines have but for the three errors of dls_polyline.
 * @param[in]  low, most  it is at least low, or of no interest; it is at most `most`, INFINITY if that is not known
 * @param[in,out] chords  all zero but for `most`, or used before; dls_chords_free frees it
 * @param[out] out        value and bound; bound INFINITY if `apart` could not tell
 * @return DLS_OK; DLS_ERR_MEMORY; DLS_ERR_INTERRUPTED, see interrupt.h; what `apart` returns
 */
dls_status dls_chords_measure(const dls_graph *a, const dls_graph *b, const dls_metric *metric, double low,
                              double most, dls_apart *deviation, void *data, dls_chords *chords,
                              dls_measure *out, dls_error *err);

#endif
