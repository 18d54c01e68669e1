/* convex_equations.h -- the terms of the step models of linearised_step.c: what they add to the gap velocity U' of the law.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONVEX_EQUATIONS_H
#define DELASSUS_TIME_STEPPING_CONVEX_EQUATIONS_H

#include <math.h>

/** b of U' + b >= 0, from the gap g that U' = 0 leaves at the end of the step. gamma = 1: g' >= 0; gamma < 1: g' >= (1 - gamma) g.
 * Stewart and Trinkle 1996; gamma: Anitescu and Hart 2004. */
#define DLS_LINEARISED_BIAS(g, h, gamma) (((g) > 0 ? (g) : (gamma) * (g)) / (h))
/** The same with a bounded speed of recovery. Chrono's default stepper. */
#define DLS_RECOVERY_BIAS(g, h, speed) (fmax((g) / (h), -(speed)))
/** Chrono's test of a bounce: the rebound is fast enough, and g + h factor U < 0. Chrono has factor = e; the approach speed itself has 1. */
#define DLS_BOUNCES(g, h, e, U, factor, least) ((e) * (U) < -(least) && (g) + (h) * (factor) * (U) < 0)

#endif
