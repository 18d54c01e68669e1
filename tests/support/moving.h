/* moving.h -- a system in which everything that a place knows varies: a point in the plane outside of a disc that grows and
 * swings, over a floor that swings, with a mass that depends on where it is.
 *   g_0 = |q| - r(t),  r = 1 + 0.1 sin 3t;   g_1 = q_1 - s(t),  s = -2 + 0.2 cos 2t;   M = diag(1 + q_0^2, 2)
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_MOVING_H
#define DELASSUS_TESTS_MOVING_H

#include <delassus/model.h>

/* d = 1 or 2; with d = 2 the tangents are t = (-n_1, n_0), and the surfaces turn with the speed 0.3 along them. */
dls_system *dls_test_moving(size_t d);

#endif
