/* run_spec.h -- what a run asks for, checked before it starts, and what the files of the driver share; private.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_RUN_SPEC_H
#define DELASSUS_COMMON_RUN_RUN_SPEC_H

#include <delassus/scheme.h>

/** Can the scheme of `sim` make these steps to this end, and is the record empty with the columns of the run? Else DLS_ERR_ARG or
 * DLS_ERR_NOT_APPLICABLE. */
dls_status dls_run_spec_check(const dls_sim *sim, const dls_run_spec *spec, dls_error *err);
/** Has the sim not been run? Else DLS_ERR_ARG. */
dls_status dls_sim_check_unused(const dls_sim *sim, dls_error *err);
/** Poll the caller inside of a long step, if it is time; `data` is the sim. @return false: interrupt */
bool dls_sim_goes_on(void *data);
/** s of a steady clock. */
double dls_sim_clock(void);

/* A run in parts, for dls_run and dls_run_many. */
typedef struct dls_run_waiting {
  size_t now, next;
} dls_run_waiting;
/** Check and start; the spec is borrowed until it is closed. */
dls_status dls_run_open(dls_sim *sim, const dls_run_spec *spec, dls_error *err);
/** One step or more, up to `most`, and ask the caller where it is time. @param[in,out] wait  zeros at first */
dls_status dls_run_steps(dls_sim *sim, size_t most, dls_run_waiting *wait, dls_error *err);
/** Number of steps by step. */
size_t dls_run_total(const dls_sim *sim);
/** Does the scheme make many steps at once, and does no caller watch each one? */
bool dls_run_in_batches(const dls_sim *sim);
/** So many steps at most before the caller is to be asked again; and those that were made: ask where it is time. */
size_t dls_run_unasked(const dls_sim *sim, size_t most);
dls_status dls_run_count(dls_sim *sim, size_t made, dls_error *err);
/** What the record says of the end. @return status, or what became of it */
dls_status dls_run_close(dls_sim *sim, dls_status status, double seconds, dls_error *err);

#endif
