/* analytic/rigorous/systems.h -- the models as systems of balls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_SYSTEMS_H
#define DELASSUS_RIGOROUS_SYSTEMS_H

#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/rigorous.h"

/**
 * @param[out] out  to be cleared, if the result is DLS_OK
 * @return as dls_rigorous_solve
 */
dls_status dls_ball_system_make(const dls_rigorous_problem *problem, slong prec, dls_ball_system *out,
                                dls_error *err);

#endif
