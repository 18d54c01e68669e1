/* experiments/measures/ledger/ledger.h -- what a convergence study against limit models says of each scheme on one problem: orders, plateau,
 * effective restitution, friction, rest, energy and cost, each with its range and, where there is no number, with the reason.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_LEDGER_H
#define DELASSUS_EXPERIMENTS_LEDGER_H

#include "common/base/pool.h"
#include "experiments/measures/ledger/ledger_problems.h"

#include <delassus/study.h>

/** The quantities of a row, in the order of the table: name, unit, meaning. */
#define DLS_LEDGER_QUANTITY_LIST(X)                                                                            \
  X(ORDER, "order", "1", "order of the error in q against rigid contact, with its 95 % interval")              \
  X(LIMIT_ORDER, "limit-order", "1", "the same against the limit model of the scheme")                         \
  X(PLATEAU, "plateau", "1", "distance of the limit model from rigid contact; 0: they are the same")           \
  X(ERROR, "error", "1", "median error in q at the least step, and its range")                                 \
  X(RESTITUTION, "restitution", "1",                                                                           \
    "effective e of the first impact: mean and range over the phases of the grid, of the smaller steps")       \
  X(ENERGY, "energy", "1", "median of (u+^2 - e^2 u-^2)/u-^2 of the impacts, at the least step")               \
  X(SLIP, "slip", "1", "median error in the tangential velocity at the least step, and its range")             \
  X(SLIP_RATIO, "slip-ratio", "1",                                                                             \
    "slip after the first impact over that before: mean and range, of the smaller steps")                      \
  X(CREEP, "creep", "m/s", "mean slip where the solution sticks, at the least step")                           \
  X(HOP, "hop", "m", "largest gap where the solution slides, at the least step")                               \
  X(DEPTH, "depth", "m", "mean penetration where the solution rests, at the least step")                       \
  X(DRIFT, "drift", "m/s", "mean speed of the gap where the solution rests, at the least step")                \
  X(COST, "cost", "1",                                                                                         \
    "force evaluations, contact problems and factorisations of a step over those of moreau-jean")              \
  X(LIMIT, "limit", "", "the limit model for h -> 0, in words")

#define DLS_LEDGER_QUANTITY_ID(id, name, unit, meaning) DLS_LEDGER_##id,
typedef enum dls_ledger_quantity {
  DLS_LEDGER_QUANTITY_LIST(DLS_LEDGER_QUANTITY_ID) DLS_LEDGER_QUANTITIES
} dls_ledger_quantity;

typedef struct dls_ledger_heading {
  const char *name, *unit, *meaning;
} dls_ledger_heading;
extern const dls_ledger_heading dls_ledger_headings[DLS_LEDGER_QUANTITIES];

/** A number with its range; NaN where there is none. Texts are in the pool of the ledger, "" for none. */
typedef struct dls_ledger_cell {
  double value, low, high;
  const char *reference; /* what the number is compared with */
  const char *remark;    /* a caveat, or why there is no number */
} dls_ledger_cell;

typedef struct dls_ledger_row {
  const dls_ledger_problem *problem;
  const char *scheme, *options; /* of an engine its name and "" */
  const char *command;          /* that repeats the row */
  const char *failure;          /* no run of the row has an error: why; else NULL */
  bool own_steps, engine;
  bool exact; /* no error is above the floor of the study */
  dls_ledger_cell cells[DLS_LEDGER_QUANTITIES];
} dls_ledger_row;

/** Begin with zeros. */
typedef struct dls_ledger {
  dls_pool pool;
  dls_ledger_row *rows; /* by problem; of a problem as its schemes, then engines */
  size_t count, room;
} dls_ledger;

/** What costs are relative to. */
#define DLS_LEDGER_COST_OF "moreau-jean"

/**
 * Add a row for each scheme of a study that has norm l1, quantity q and, where the problem has friction, its column of slip.
 * @param[in] study    complete, with limit models
 * @param[in] command  of a scheme, which the pool of the ledger has
 * @return DLS_ERR_MEMORY
 */
dls_status dls_ledger_add(dls_ledger *ledger, const dls_ledger_problem *problem, const dls_order_study *study,
                          const char *const *command, dls_error *err);
/** An empty row, NULL if there is no memory. */
dls_ledger_row *dls_ledger_row_new(dls_ledger *ledger, dls_error *err);
void dls_ledger_release(dls_ledger *ledger);

/** "mujoco:restitution=own" */
const char *dls_ledger_label(const dls_ledger_row *row, char *text, size_t size);

/** A cell for people: "0.98 [0.93, 1.02]", "3.1e-05", "exact"; "-" where there is no number, "x" where no run has an error. */
const char *dls_ledger_text(const dls_ledger_row *row, dls_ledger_quantity quantity, bool range, char *text,
                            size_t size);
/** Has a row of the problem a number there? */
bool dls_ledger_has(const dls_ledger *ledger, const dls_ledger_problem *problem, dls_ledger_quantity quantity);

/** ledger.csv: problem, scheme, options, quantity, unit, value, low, high, reference, remark, command. @return DLS_ERR_IO */
dls_status dls_ledger_write(const dls_ledger *ledger, FILE *out);

#endif
