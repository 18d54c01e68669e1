/* balance_penalty.h -- energy identities of the schemes with penalty contact.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BALANCE_PENALTY_H
#define DELASSUS_TIME_STEPPING_BALANCE_PENALTY_H

#include "time_stepping/penalty/penalty_step.h"

/** Dissipation by theta [J] at contact j, whose gap changed by dg, if it lasted through the step that was just made:
 * (theta - 1/2)
 * [U'(g') - U'(g)] dg >= 0; else 0. */
double dls_conserving_dissipation(const dls_sim *sim, size_t j, double dg);

/** M^-1 p of the momenta p if a mass penalty changes the reported velocity; else NULL. */
const double *dls_conserving_velocity(const dls_sim *sim);

/** Integral [J] of F^T dq along the straight segment from q at t to q + dq at t + h; exact for forces of degree 7.
 * work[3 n] */
double dls_work_along(const dls_system *sys, double t, double h, const double *q, const double *dq,
                      double *work);

extern const dls_balance dls_balance_standard_penalty, dls_balance_conserving_penalty;

#endif
