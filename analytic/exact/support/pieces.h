/* analytic/exact/support/pieces.h -- storage for the pieces of a solution, which are found one by one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_PIECES_H
#define DELASSUS_PIECES_H

#include <delassus/exact.h>

enum { DLS_PIECES_MOST = 1000000 };

/** May there be one more that starts at t [s]? @return DLS_OK; DLS_ERR_CHATTERING from DLS_PIECES_MOST on */
dls_status dls_pieces_allow(size_t count, long double t, dls_error *err);
/**
 * Room for one more.
 * @param[in,out] pieces    block of pieces, moved when it grows; unchanged on failure
 * @param[in]     size      of a piece
 * @param[in]     count     in use
 * @param[in,out] capacity  pieces that fit
 * @param[in]     t         where the next one starts [s], for messages
 * @return as dls_pieces_allow; DLS_ERR_MEMORY
 */
dls_status dls_pieces_room(void **pieces, size_t size, size_t count, size_t *capacity, long double t,
                           dls_error *err);

/** A list of pieces that each begin with their start, a long double [s]. */
typedef struct dls_pieces {
  size_t size; /* of a piece */
  void *of;
  size_t count, capacity;
} dls_pieces;
/** Append a copy. @return as dls_pieces_room */
dls_status dls_pieces_push(dls_pieces *list, const void *piece, dls_error *err);

/* Calls of dls_exact for solutions whose first member is such a list, and that own nothing else. */
void dls_pieces_destroy(dls_exact_solution *sol);
size_t dls_pieces_count(const dls_exact_solution *sol);
double dls_pieces_start(const dls_exact_solution *sol, size_t index);
#define DLS_PIECES_CALLS .destroy = dls_pieces_destroy, .pieces = dls_pieces_count, .start = dls_pieces_start

#endif
