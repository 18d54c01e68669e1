/* analytic/rigorous/short_flight.h -- enclosure of the impact that ends a short flight, without a search.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_SHORT_FLIGHT_H
#define DELASSUS_RIGOROUS_SHORT_FLIGHT_H

#include "analytic/rigorous/contact.h"

/**
 * The impact after a flight from g = 0 with u = V > 0 in which -u' is in [a0, a1], a0 > 0.
 * The gap is concave, V s - a1 s^2/2 <= g <= V s - a0 s^2/2, so that its only zero s > 0 is in [2 V/a1, 2 V/a0].
 * For the middle m of the states h(s) = g(s)/s has the slope int_0^1 theta u'(s theta) dtheta in [-a1/2, -a0/2], and
 * s = r - h(r)/slope for any r near it. For all states x the mean value form follows: s(x) = s(m) + sum ds/dx_i (x_i - m_i).
 * @param[out] since  time from the start of the flight to the impact
 * @param[out] left   k; states before the impact
 * @return false if u' may change sign, or if the flight is too long for one Taylor series
 */
bool dls_ball_short_flight(const dls_ball_system *system, arb_srcptr x, arb_t since, arb_ptr left, slong prec);

#endif
