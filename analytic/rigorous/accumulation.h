/* analytic/rigorous/accumulation.h -- when and where infinitely many impacts are over.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_ACCUMULATION_H
#define DELASSUS_RIGOROUS_ACCUMULATION_H

#include "analytic/rigorous/contact.h"

/**
 * After an impact, g = 0 and u = V > 0 in x: do all further impacts accumulate, with rest behind them?
 * With -u' in [a0, a1] in all flights to come, a0 > 0, a flight from V lasts from 2 V/a1 to 2 V/a0 and ends with a speed from
 * V sqrt(a0/a1) to V sqrt(a1/a0). With r = e sqrt(a1/a0) < 1 all of them last 2 V/(a0 (1 - r)) at most, and
 * 2 V/(a1 (1 - e sqrt(a0/a1))) at least. The bounds of u' hold in a box of states that nothing leaves in this time.
 * @param[out] window  time to the end of them
 * @param[out] box     holds all states till then
 * @param[out] rest    states there: g = u = 0, u' < 0
 * @return false if it cannot be decided
 */
bool dls_ball_accumulation(const dls_ball_system *system, arb_srcptr x, arb_t window, arb_ptr box, arb_ptr rest,
                           slong prec);

#endif
