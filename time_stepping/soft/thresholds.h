/* thresholds.h -- every threshold of mujoco, sap, icf and ipc, with unit, reason and effect; see common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SOFT_THRESHOLDS_H
#define DELASSUS_TIME_STEPPING_SOFT_THRESHOLDS_H

#include "common/base/threshold_rows.h"
#include <delassus/scheme.h>
#include <float.h>

/* clang-format off */
#define DLS_SOFT_THRESHOLD_REALS(X) \
  /* the minimisation (convex_minimisation.c) */ \
  X(slope_left, 1e-3, "slope at its start", "Newton's next step corrects the rest", "a line search ends below it") \
  X(velocity_rounding, 64 * DBL_EPSILON, "largest velocity of a contact", "round-off of W x", "smaller changes of a velocity are none") \
  /* mujoco.c */ \
  X(least_impedance, 1e-4, "1", "MuJoCo's bound", "smallest impedance d") \
  X(largest_impedance, 0.9999, "1", "MuJoCo's bound", "largest impedance d") \
  /* icf.c */ \
  X(slip_share, 0.999, "limit of friction", "regularised friction never reaches its limit", "with more friction the contact is reported as slipping") \
  X(slowest_fit, 1e-3, "v_s", "d = x(e)/|u-| has no bound", "with restitution=fit slower impacts have the damping of this speed") \
  X(least_accuracy, 64 * DBL_EPSILON, "largest position", "round-off of positions, which no step reduces", "smallest accuracy > 0") \
  X(shortest_step, 1e-10, "--step", "the error does not fall with the step", "shorter steps are accepted with any error, and counted as forced") \
  X(step_safety, 0.9, "1", "as in CENIC", "factor of the step that the error allows") \
  X(step_shrinks, 0.1, "1", "as in CENIC", "least ratio of a step to the last") \
  X(step_grows, 5, "1", "as in CENIC", "largest ratio of a step to the last") \
  X(step_keeps, 1.2, "1", "as in CENIC", "a step that may grow by less keeps its length") \
  X(step_rest, 0.99, "time to the node", "no tiny step is left", "a longer step ends at the node") \
  /* ipc.c */ \
  X(before_zero, 0.8, "way to the first g = 0", "as in the publication", "the longest step of Newton's method") \
  X(slope_rises, 0.5, "slope at its start", "the potential falls along a step", "a step with a larger slope at its end is halved") \
  X(iterate_rounding, 64 * DBL_EPSILON, "largest velocity, and coordinate over the step", "round-off of q'", "smaller changes of a velocity are none") \
  X(touching_gap, 1e-3, "dhat", "energies of smaller gaps exceed those of an impact", "contacts with a smaller gap at the start are opened") \
  X(resting_speed, 1e-9, "v_s", "round-off of start data", "slower contacts at the start begin where the barrier carries their force")

#define DLS_SOFT_THRESHOLD_COUNTS(X) \
  X(searches, 60, "1", "bisection alone needs 53", "evaluations in a line search") \
  X(kept_columns, 1 << 16, "numbers", "their memory stays small beside that of the rest", "up to this many entries columns of W are kept") \
  X(quadrature, 64, "pieces", "the default impedance is smooth up to one kink, in the middle", "pieces of Simpson's rule for the energy of mujoco's contacts") \
  X(halvings, 40, "1", "a step is then rounding", "halvings of a step of Newton's method of ipc") \
  X(placings, 20, "1", "curved gaps need a few", "corrections of the positions of bodies that ipc opens at the start") \
  X(rebound_phases, 16, "1", "the range is smooth in the phase", "places in the step for ipc's restitution coefficient in the metadata") \
  X(rebound_flight, 12, "steps", "bdf2 forgets a velocity by thirds", "steps beyond the barrier after which a rebound is over") \
  X(rebound_steps, 4000, "steps", "then e is close to 1", "longer impacts have no range in the metadata")
/* clang-format on */

DLS_SOFT_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_SOFT_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };

/** All of them; ends with {0}. */
extern const dls_threshold dls_soft_thresholds[];

#endif
