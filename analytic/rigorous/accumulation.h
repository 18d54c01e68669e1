/* analytic/rigorous/accumulation.h -- the end of infinitely many impacts: time and state.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_ACCUMULATION_H
#define DELASSUS_RIGOROUS_ACCUMULATION_H

#include "analytic/rigorous/contact.h"

/**
 * Prove that all impacts after this one (g = 0 and u = V > 0 in x) accumulate and end in rest.
 * Let -u' be in [a0, a1], a0 > 0, in all further flights. Then a flight from V lasts between 2 V/a1 and 2 V/a0 and ends with a speed between
 * V sqrt(a0/a1) and V sqrt(a1/a0). With r = e sqrt(a1/a0) < 1, all flights together last at most 2 V/(a0 (1 - r)), and at least
 * 2 V/(a1 (1 - e sqrt(a0/a1))). The bounds of u' hold in a box of states that no motion leaves in this time.
 * @param[out] window  time to the end of them
 * @param[out] box     contains all states until then
 * @param[out] rest    states there: g = u = 0, u' < 0
 * @return false if it cannot be decided
 */
bool dls_ball_accumulation(const dls_ball_system *system, arb_srcptr x, arb_t window, arb_ptr box, arb_ptr rest,
                           slong prec);

#endif
