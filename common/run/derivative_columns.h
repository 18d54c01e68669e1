/* derivative_columns.h -- the derivatives of a run beside its record: columns dX/dP of q, v, g and u, and of forces where they are asked for.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_DERIVATIVE_COLUMNS_H
#define DELASSUS_COMMON_RUN_DERIVATIVE_COLUMNS_H

#include <delassus/sensitivity.h>
#include <delassus/sim.h>

/** Derivatives at the rows of a record, collected while it grows; zero at first. */
typedef struct dls_derivative_columns {
  size_t rows, room;
  size_t width, force_width; /* numbers of a row */
  bool pending;              /* the last row of `forces` has impulses; false: it is not set */
  double *data;              /* rows x width: sensitivity->row */
  double *
      forces; /* rows x force_width: tangent[].forces, then impulses, of each direction; one row more: of nodes that have no row */
} dls_derivative_columns;

/** Are columns a, lambda, mu or p to be recorded, for whose derivatives dls_sim_differentiate_forces is needed?
 * @param[in] keep  for each column of the record: was it asked for? NULL: all were */
bool dls_derivative_columns_need_forces(const dls_sim *sim, const dls_trajectory *record, const bool *keep);
/** A watch of dls_run: the rows that the record got since the last call have the derivatives at the node. `data` is the
 * columns. @return DLS_OK; DLS_ERR_ARG if a row is not at the node; DLS_ERR_MEMORY */
dls_status dls_derivative_columns_watch(void *data, const dls_sim *sim, dls_error *err);
/**
 * After the run: columns dX/dP behind the others, for each recorded column q0, ... and v0, ..., by direction, then for g0, ... and
 * u0, ... if the record has all q and v, then for a, lambda, mu and p if the sensitivity has them; the
 * statuses as metadata "sensitivity_P"; "dt/dP" at the events of the record, for its file.
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_derivative_columns_join(dls_derivative_columns *columns, const dls_sim *sim,
                                       dls_trajectory *record, dls_error *err);
enum { DLS_SIDE_LINES = 8, DLS_SIDE_KEY = DLS_DIRECTION_NAME + 20 };
/**
 * Line `line` of what is known of both sides of an event: "v_falling_P", "dq_falling_P", "dv_falling_P", "impacts_falling_P", and
 * the same for rising p: numbers with commas. "impacts" are the contacts struck, one after the other.
 * @param[out] key   DLS_SIDE_KEY characters
 * @param[out] text  to be freed; NULL: not known
 * @return DLS_OK; DLS_ERR_MEMORY
 */
dls_status dls_derivative_side(const dls_sensitivity *s, size_t k, size_t line, char *key, char **text,
                               dls_error *err);
void dls_derivative_columns_release(dls_derivative_columns *columns);

#endif
