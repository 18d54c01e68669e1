/* impact_chain.h -- the impact problems of impact_sequence.h on a chain of touching contacts without friction.
 *
 * Neighbours in a chain that touch strike each other in turn: after each two problems all contacts approach more slowly by one factor,
 * so that it takes a hundred problems until no approach is left. On a chain W is tridiagonal with W_k,k+1 <= 0. Then:
 *   all contacts of a problem have p >= 0, so that it is a linear system for each run of neighbours that take part;
 *   contacts at rest stay at rest, so that they are eliminated once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPACT_CHAIN_H
#define DELASSUS_TIME_STEPPING_IMPACT_CHAIN_H

#include "time_stepping/step/impact_sequence.h"

/**
 * Solve problems until no contact of s->set approaches, or one is not a linear system.
 * @param[in]     zero  m/s: approaches up to this are none
 * @param[in]     most  problems
 * @param[in,out] s     u, of the set: in; struck, u_minus: of those that are struck; p, of the set: out, sums of the impulses
 * @return the problems solved; 0: the set is no chain, or its laws are others
 */
size_t dls_impact_chain_solve(dls_contact_system *contacts, dls_impact_sequence *s, double zero, size_t most);

#endif
