/* analytic/rigorous/models.h -- the models that have rigorous solutions.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_MODELS_H
#define DELASSUS_RIGOROUS_MODELS_H

#include "analytic/rigorous/parameters.h"
#include "analytic/rigorous/solution.h"

/**
 * All pieces that begin by `end`.
 * @param[in]  prec    bits of the enclosures that numbers are computed in
 * @param[in]  narrow  accumulations are followed until they are over within 2^-narrow [s]
 * @param[out] out     to be cleared in any case
 * @return as dls_rigorous_solve
 */
dls_status dls_ball_solve(const dls_rigorous_problem *problem, slong prec, slong narrow, dls_ball_solution *out,
                          dls_error *err);
/* The end of a problem, a decimal. @return DLS_ERR_ARG if it is none */
dls_status dls_ball_end(const dls_rigorous_problem *problem, arb_t end, slong prec, dls_error *err);

/* One model each. */
typedef dls_status dls_ball_maker(const dls_ball_parameters *p, const arb_t end, slong narrow,
                                  dls_ball_solution *out, dls_error *err);
dls_ball_maker dls_ball_bouncing_ball, dls_ball_impacting_oscillator, dls_ball_two_balls,
    dls_ball_vibrating_table;
dls_ball_maker dls_ball_belt, dls_ball_forced_block, dls_ball_spring_block, dls_ball_den_hartog;
dls_ball_maker dls_ball_puck, dls_ball_rope;

#endif
