/* experiments/measures/sweep/grid_journal.h -- the finished cells of a grid in a file, from which a sweep resumes: a journal as in journal.h
 * with a line for each cell.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRID_JOURNAL_H
#define DELASSUS_EXPERIMENTS_GRID_JOURNAL_H

#include "experiments/campaign/journal.h"
#include "experiments/measures/sweep/grid.h"

/** The lines of its cells. */
dls_journal_form dls_grid_journal_form(const dls_grid *grid);
/** Take over the cells of the journal, which are finished then, and keep others in it. @return DLS_ERR_PARSE, DLS_ERR_MEMORY */
dls_status dls_grid_journal_attach(dls_journal *journal, dls_grid *grid, dls_error *err);

#endif
