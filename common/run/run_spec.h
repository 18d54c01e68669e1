/* run_spec.h -- what a run asks for, checked before it starts; private.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_RUN_RUN_SPEC_H
#define DELASSUS_COMMON_RUN_RUN_SPEC_H

#include <delassus/scheme.h>

/** Can the scheme of `sim` make these steps to this end, and is the record empty with the columns of the run? Else DLS_ERR_ARG or
 * DLS_ERR_NOT_APPLICABLE. */
dls_status dls_run_spec_check(const dls_sim *sim, const dls_run_spec *spec, dls_error *err);

#endif
