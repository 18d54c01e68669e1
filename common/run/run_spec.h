/* run_spec.h -- checks of a run's request before it starts, and functions shared by the driver's files; private.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_RUN_SPEC_H
#define DELASSUS_COMMON_RUN_RUN_SPEC_H

#include <delassus/scheme.h>

/** Can the scheme of `sim` make these steps to this end, and is the record empty with the columns of the run? If not,
 * DLS_ERR_ARG or DLS_ERR_NOT_APPLICABLE. */
dls_status dls_run_spec_check(const dls_sim *sim, const dls_run_spec *spec, dls_error *err);
/** Has the sim not been run yet? If it has, DLS_ERR_ARG. */
dls_status dls_sim_check_unused(const dls_sim *sim, dls_error *err);
/** A sim of another system with the scheme and the options of `sim`, which may have started. */
dls_status dls_sim_create_like(const dls_sim *sim, const dls_system *sys, dls_sim **out, dls_error *err);
/** Poll the caller inside a long step, if due; `data` is the sim. @return false: interrupt */
bool dls_sim_goes_on(void *data);
/** s of a steady clock. */
double dls_sim_clock(void);

/* A run in pieces, for dls_run and dls_run_many. */
typedef struct dls_run_waiting {
  size_t now, next;
} dls_run_waiting;
/** Check and start; the spec is borrowed until it is closed. */
dls_status dls_run_open(dls_sim *sim, const dls_run_spec *spec, dls_error *err);
/** One step or more, up to `most`; poll the caller when due. @param[in,out] wait  zeros at first */
dls_status dls_run_steps(dls_sim *sim, size_t most, dls_run_waiting *wait, dls_error *err);
/** Number of steps by step. */
size_t dls_run_total(const dls_sim *sim);
/** Does the scheme make many steps at once, and does no caller watch each one? */
bool dls_run_in_batches(const dls_sim *sim);
/** Largest number of steps before the caller is polled; and, given those made, poll it when due. */
size_t dls_run_unasked(const dls_sim *sim, size_t most);
dls_status dls_run_count(dls_sim *sim, size_t made, dls_error *err);
/** Record the end of the run. @return status, or the status after recording */
dls_status dls_run_close(dls_sim *sim, dls_status status, double seconds, dls_error *err);

#endif
