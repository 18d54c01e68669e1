/* newmark_fused.h -- a step of the Newmark family on a linear system with tridiagonal factors, in three passes over memory. An impulse
 * changes only rows near its contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_FUSED_H
#define DELASSUS_TIME_STEPPING_NEWMARK_FUSED_H

#include "time_stepping/newmark/newmark_step.h"
#include "time_stepping/step/banded.h"

/** Set s->fused if steps of this run are fused wherever the factors of A allow it: contact at velocity level,
 * predictors of one step, no velocity restored, M of three diagonals. M is factored. */
void dls_newmark_fused_begin(const dls_sim *sim, dls_newmark_memory *s);
/**
 * The step of newmark_step.c for the contacts that are placed, A and M factored. Where it ends with a jump, v_free is left, with rhs and
 * a_next before the impulse; else s->swept is set, q and v of the sim are those behind the step, and a_next with them.
 */
dls_status dls_newmark_fused_step(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, double h,
                                  dls_error *err);

#endif
