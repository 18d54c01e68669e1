/* experiments/measures/sweep/grid_cells.h -- what the kinds of grids share: a worker, and one file for each kind that measures cells.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRID_CELLS_H
#define DELASSUS_EXPERIMENTS_GRID_CELLS_H

#include "experiments/campaign/campaign.h"
#include "experiments/measures/sweep/grid.h"
#include <delassus/sim.h>

/** A run of a cell, and what it leaves to the next one of its scheme. */
typedef struct dls_grid_member {
  size_t cell;
  dls_system *sys; /* NULL before the first run, and after one that cannot leave anything */
  dls_sim *sim;
  dls_trajectory *record; /* NULL: none */
  dls_run_spec run;
  dls_status status;
  dls_error why;
} dls_grid_member;

/** A thread with some cells. */
typedef struct dls_grid_worker {
  dls_progress progress; /* first */
  dls_grid *grid;
  dls_grid_member *members;   /* DLS_BATCH_MOST of each scheme; scratch */
  double *parameters;         /* of the model, scratch */
  dls_scheme_choice *schemes; /* of studies, scratch */
  dls_warning_tally warnings; /* of its runs */
} dls_grid_worker;

/** For runs and studies in cells: false interrupts the sweep. @param[in] worker  a dls_grid_worker */
bool dls_grid_poll(void *worker, double unused);
/** Bytes of scratch memory, and where a worker finds its arrays in it. */
size_t dls_grid_scratch_size(const dls_grid_spec *spec);
void dls_grid_take_scratch(dls_grid_worker *w, void *scratch);
/** The parameters of a cell, in the worker's. */
const double *dls_grid_parameters(const dls_grid_worker *w, size_t cell);
/** All numbers of a row are NaN, and this is why. @return DLS_ERR_MEMORY */
dls_status dls_grid_fail(dls_grid *grid, size_t cell, size_t row, const char *why, dls_error *err);

/** Must runs keep a record? */
bool dls_grid_records(const dls_grid_spec *spec);
/** Can the runs of a scheme go side by side? */
bool dls_grid_side_by_side(const dls_grid_spec *spec, const dls_scheme *scheme);
/** Can cells go in batches: runs alone, all side by side? */
bool dls_grid_has_batches(const dls_grid_spec *spec);

/** Destroy what the members of a worker have kept. */
void dls_grid_close_members(const dls_grid_worker *w);
/* Measure count cells. @return DLS_OK, also where something failed; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
dls_status dls_grid_make_runs(dls_grid_worker *w, const size_t *cells, size_t count, dls_error *err);
dls_status dls_grid_make_errors(dls_grid_worker *w, size_t cell, dls_error *err);
/** The study of a cell: parameters, options of schemes, step. It borrows from the worker. @return as dls_scheme_choice_with */
dls_status dls_grid_errors_spec(const dls_grid_worker *w, size_t cell, dls_order_spec *out, dls_error *err);
dls_status dls_grid_make_ledgers(dls_grid_worker *w, size_t cell, dls_error *err);

/* The columns of a kind; they end with {0}. Those of run are made of what is wanted. */
extern const dls_grid_column dls_grid_order_columns[], dls_grid_derivative_columns[], dls_grid_work_columns[],
    dls_grid_energy_columns[];
/** @param[out] out  wanted_count */
void dls_grid_run_columns(const dls_grid_spec *spec, dls_grid_column *out);

#endif
