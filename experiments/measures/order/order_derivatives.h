/* experiments/measures/order/order_derivatives.h -- derivatives dX/dP as quantities of a convergence study: columns of its runs and of its
 * reference, and their errors over the phase of the grid.
 *
 * The derivative of a run by step depends on where in a step its events fall. Over runs with randomised steps h it has a mean and a
 * spread. Only if the spread falls with h there is a limit, and only if the mean error falls it is the derivative of the motion.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ORDER_DERIVATIVES_H
#define DELASSUS_EXPERIMENTS_ORDER_DERIVATIVES_H

#include "common/run/coordinates.h"
#include "common/run/derivative_columns.h"
#include "experiments/measures/order/order_lines.h"
#include "experiments/measures/order/order_spec.h"
#include <delassus/exact.h>

/** The derivatives of a run. */
typedef struct dls_order_tangents {
  size_t count;
  dls_direction *directions; /* of the parameters of the study */
  dls_derivative_columns columns;
} dls_order_tangents;

/**
 * Before a run: it computes the derivatives of the study, if there are any.
 * @param[out] out  to be released when the sim is destroyed, also after a failure
 * @param[in,out] run  watched for them
 * @return DLS_OK; as dls_sim_differentiate_as and dls_tangent_direction
 */
dls_status dls_order_tangents_attach(const dls_order_spec *spec, dls_sim *sim, dls_run_spec *run,
                                     dls_order_tangents *out, dls_error *err);
/** After it: the columns. @return as dls_derivative_columns_join */
dls_status dls_order_tangents_join(dls_order_tangents *tangents, const dls_sim *sim, dls_trajectory *record,
                                   dls_error *err);
void dls_order_tangents_release(dls_order_tangents *tangents);
/**
 * The graph of the column dX/dP of a run. Nodes inside a step, where schemes have no derivatives (NaN), are left out.
 * @return DLS_OK; DLS_ERR_ARG if there is no such column; DLS_ERR_NOT_APPLICABLE if the last node has no derivative; DLS_ERR_MEMORY
 */
dls_status dls_derivative_graph(const dls_trajectory *traj, const char *of, dls_graph **out, dls_error *err);

/**
 * Derivatives of a reference: of the exact solution, whose table they are added to; or the columns of a run, which become cubic.
 * @param[in] exact  NULL: the table is that of a run
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE if there is no derivative at some row, DLS_ERR_MEMORY; as dls_exact_differentiate
 */
dls_status dls_order_differentiate_reference(const dls_order_spec *spec, const dls_exact *exact,
                                             dls_trajectory *table, dls_error *err);
/** The unit of a quantity of a study; of dX/dP that of X over that of P, such as "m/s/(N/m)". */
void dls_order_unit(const dls_order_spec *spec, const dls_system *sys, size_t of, char unit[DLS_UNIT_ROOM]);
/** " [s·m]": the unit of an error in a norm; nothing where the norm has none. @param[in] of_quantity  unit of the quantity */
void dls_order_error_unit(const dls_norm *norm, const char *of_quantity, char unit[60]);

/** The derivatives of a line at one level, over the runs that have one. */
typedef struct dls_order_phases {
  size_t runs;
  double step;       /* mean [s] */
  double value;      /* mean of the derivative */
  double error;      /* mean of its difference from the reference */
  double spread;     /* standard deviation of that */
  double sign_share; /* fraction of the runs with the sign of the reference */
} dls_order_phases;
dls_order_phases dls_order_phases_of(const dls_order_study *study, const dls_order_line *line, size_t level);
/** The same of the finest level that has runs. */
dls_order_phases dls_order_phases_finest(const dls_order_study *study, const dls_order_line *line);
/** What the derivatives of a line that has been fitted converge to, in words: line->verdict, and line->sign_share; of other quantities
 * empty and NaN. */
void dls_order_judge_derivative(const dls_order_study *study, dls_order_line *line);

#endif
