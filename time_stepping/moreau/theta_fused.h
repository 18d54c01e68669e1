/* theta_fused.h -- a theta-step of a linear system whose factors are tridiagonal, in three passes over memory.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_FUSED_H
#define DELASSUS_TIME_STEPPING_THETA_FUSED_H

#include "time_stepping/moreau/theta_step.h"
#include "time_stepping/step/banded.h"

/**
 * The step of theta_step.c for the contacts that are placed, A factored. Where it ends with a jump, or with more than one impulse,
 * v_free and v_next are left as the general path leaves them; else s->swept is set, and q and v of the sim are those behind the step.
 */
dls_status dls_theta_fused_step(dls_sim *sim, dls_theta_memory *s, const dls_tridiagonal *A, double theta,
                                double h, dls_error *err);

/** Overwrite q and v by q' and v', for v' - v = s->work + impulse column. @param[in] column  n; NULL: none */
void dls_theta_finish_in_place(dls_sim *sim, const dls_theta_memory *s, double h, const double *restrict column,
                               double impulse);

#endif
