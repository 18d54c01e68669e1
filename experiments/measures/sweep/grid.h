/* experiments/measures/sweep/grid.h -- what comes of run, order, work or energy at all values of one parameter or two: a few numbers
 * for each, however many runs there are.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_GRID_H
#define DELASSUS_EXPERIMENTS_GRID_H

#include "experiments/campaign/sweep_axis.h"
#include "experiments/campaign/table.h"

#include <delassus/energy.h>
#include <delassus/warning.h>
#include <delassus/work.h>

enum { DLS_GRID_AXES = 2 };
#define DLS_GRID_MOST_CELLS 1e8

/** What is made in each cell. */
typedef enum dls_grid_kind {
  DLS_GRID_OF_RUNS,
  DLS_GRID_OF_ORDERS,
  DLS_GRID_OF_WORK,
  DLS_GRID_OF_LEDGERS
} dls_grid_kind;
/** The command of a kind: run, order, work, energy. */
extern const char *const dls_grid_kind_names[];

/** What is asked of a run. */
typedef enum dls_grid_measure {
  DLS_GRID_LAST, /* of a column: its value at the end; from a time on its least, largest, mean, node by node */
  DLS_GRID_LEAST,
  DLS_GRID_LARGEST,
  DLS_GRID_MEAN,
  DLS_GRID_IMPACTS, /* of the run itself: impacts of all contacts, worst penetration [m], steps, evaluations */
  DLS_GRID_PENETRATION,
  DLS_GRID_STEPS,
  DLS_GRID_EVALS
} dls_grid_measure;

typedef struct dls_grid_wanted {
  dls_grid_measure measure;
  const char *column; /* of the trajectory, or of dls_derive; NULL: of the run itself */
  const char *name;   /* in tables: "last_q0", "impacts" */
} dls_grid_wanted;

/** A number that every row of a cell has. */
typedef struct dls_grid_column {
  const char *name; /* in tables */
  const char
      *label; /* of an axis, with the unit; of a column of a run what stands in front of its own, "least " */
  const char *of; /* that column; NULL: the label is all */
  bool drawn;
  bool interval; /* the two columns behind are its 95 % interval */
} dls_grid_column;

typedef struct dls_grid_spec {
  dls_grid_kind kind;
  /* Of all kinds: model, parameters (all but those of the axes), catalogue, schemes, start, end, jobs (cells at a time), shard,
   * shards, poll. Of order and work: a study in each cell. */
  dls_order_spec errors;
  dls_against against;       /* work */
  const char *const *labels; /* of the schemes */
  double step;               /* run, energy */
  size_t halvings, max_rows;
  size_t wanted_count; /* run */
  const dls_grid_wanted *wanted;
  double from; /* [s], run: what comes before is left out by least, largest and mean */
  size_t axis_count;
  dls_sweep_axis axes[DLS_GRID_AXES];
  /** Finished cells, as soon as they are; never by two threads at a time. A failure ends all. */
  dls_status (*keep)(void *data, const size_t *cells, size_t count, dls_error *err);
  void *keep_data;
} dls_grid_spec;

enum { DLS_GRID_TEXT = 24 }; /* a number with 10 digits */

/** Borrows what its spec points to. */
typedef struct dls_grid {
  dls_grid_spec spec;
  size_t cells;  /* of the axes; the values of the last one change from one to the next */
  size_t groups; /* of a scheme: norms x quantities of errors, else 1 */
  size_t rows;   /* of a cell: schemes x groups */
  size_t columns;
  dls_grid_column *column;
  dls_table_column *fields; /* the same, of a row of values */
  double *values;           /* cells x rows x columns; NaN where there is none */
  char **failures;          /* cells x rows: why; NULL where nothing failed */
  bool records;             /* runs keep a trajectory for what is wanted of them */
  bool side_by_side;        /* cells of the kind and schemes of the spec go in batches */
  bool *done;               /* cells */
  size_t finished;          /* of them */
  /* Values of the axes as in names of cells. NULL: not kept, since with one axis each is in one name. */
  char (*axis_text[DLS_GRID_AXES])[DLS_GRID_TEXT];
  dls_warning_tally warnings; /* of the runs that dls_grid_run made */
  bool complete;              /* all cells, or all of the shard, are finished */
} dls_grid;

/** A grid without runs. @return DLS_ERR_MEMORY */
dls_status dls_grid_create(const dls_grid_spec *spec, dls_grid **out, dls_error *err);
void dls_grid_destroy(dls_grid *grid); /* NULL is fine */
/**
 * Make the cells that are not finished, those of the shard if there are shards. The same numbers to the last bit however many go
 * at a time, and as single runs, studies and ledgers. What fails is a row with its reason.
 * @return DLS_OK; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY; what keep fails with
 */
dls_status dls_grid_run(dls_grid *grid, dls_error *err);

/** The value of a parameter in a cell. */
double dls_grid_value(const dls_grid *grid, size_t cell, size_t axis);
/** Where a row begins among the values. @param[in] row  scheme x groups + group */
static inline double *dls_grid_row(const dls_grid *grid, size_t cell, size_t row)
{
  return grid->values + (cell * grid->rows + row) * grid->columns;
}
static inline const char *dls_grid_failure(const dls_grid *grid, size_t cell, size_t row)
{
  return grid->failures[cell * grid->rows + row];
}
/** Rows that failed, and the first of them. @param[out] first  position among all rows */
size_t dls_grid_failures(const dls_grid *grid, size_t *first);
/** "moreau-jean" or, of errors, "moreau-jean, l1 of q" */
void dls_grid_row_name(const dls_grid *grid, size_t row, char *text, size_t size);
/** "e = 0.5, q0 = 1" */
void dls_grid_cell_name(const dls_grid *grid, size_t cell, char *text, size_t size);

/** sweep.csv: parameters, scheme, of errors norm and of, the columns, failure; a row for each of a finished cell. Then provenance.
 * @return DLS_ERR_IO */
dls_status dls_grid_table(const dls_grid *grid, FILE *out);

#endif
