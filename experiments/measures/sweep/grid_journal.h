/* experiments/measures/sweep/grid_journal.h -- the finished cells of a grid in a file, from which a sweep resumes: a journal as in journal.h
 * with a line for each cell.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRID_JOURNAL_H
#define DELASSUS_EXPERIMENTS_GRID_JOURNAL_H

#include "experiments/campaign/journal.h"
#include "experiments/measures/sweep/grid.h"

/**
 * As dls_order_journal_open, for the cells of a grid; those that are taken over are finished then.
 * @param[in,out] grid  must outlive the journal
 */
dls_status dls_grid_journal_open(const char *path, dls_grid *grid, dls_journal_mode mode, size_t *cells,
                                 dls_journal **out, dls_error *err);
/** Have the grid keep finished cells in the journal. */
void dls_grid_journal_attach(dls_journal *journal, dls_grid *grid);
/** As dls_order_journal_merge, of the cells of a grid. */
dls_status dls_grid_journal_merge(const char *path, const char *const *parts, size_t count,
                                  const dls_grid *grid, bool *complete, dls_journal_merging *out,
                                  dls_error *err);
/** Bytes of the line of a cell. */
size_t dls_grid_journal_bytes(const dls_grid *grid, size_t cell);

#endif
