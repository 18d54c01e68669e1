/* common/solve/friction/thresholds.h -- thresholds of the methods for contact problems, by common/base/threshold_rows.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_SOLVE_FRICTION_THRESHOLDS_H
#define DELASSUS_SOLVE_FRICTION_THRESHOLDS_H

#include "common/base/threshold_rows.h"

/* clang-format off */
#define DLS_FRICTION_THRESHOLD_REALS(X) \
  /* Newton's method (alart_curnier.c) */ \
  X(first_delta, 1e-3, "1/rho", "far from a solution steps are uncertain", "proximal term of the first damped step") \
  X(least_delta, 1e-10, "1/rho", "a smaller one changes no digit of a step", "smallest proximal term of damped steps") \
  X(largest_delta, 1e3, "1/rho", "steps are then too short to help", "damped steps end if the proximal term exceeds it") \
  X(delta_shrinks, 0.1, "1", "one digit a step", "factor of the proximal term after an accepted step") \
  X(delta_grows, 10, "1", "one digit a step", "factor of the proximal term after a rejected step") \
  X(newton_nearby, 1e-6, "residual", "steps below it should converge quadratically", "below it the proximal term may hold steps up") \
  X(newton_slow, 0.25, "1", "convergence is then linear: the proximal term holds steps up", "residual left by a step, relative to the last, from which on the term is reduced") \
  X(newton_delta, 1e-6, "1/rho", "near a solution", "proximal term of steps from a guess and of those that end interior points") \
  /* interior points (interior_point.c, polyhedral.c) */ \
  X(inside_cone, 0.995, "way to the surface", "the next step needs room", "the longest step, but where polyhedral.c finds more safe") \
  X(nearest_surface, 1 - 1e-8, "way to the surface", "matrices are divided by the distance left", "the longest step of polyhedral.c") \
  X(least_inner_step, 1e-8, "1", "no step is left", "a shorter step ends interior points") \
  X(held_delta, 1e-8, "1/rho", "W may be singular there", "proximal term of blocks that are free") \
  X(poor_step, 0.1, "1", "the target was too small", "convex steps follow a shorter step") \
  X(inner_near, 1e-10, "residual", "rounding may shorten steps, and Newton's method takes over", "interior points that stall below it end") \
  X(inner_stalled, 0.5, "1", "steps inside the cones reduce it more", "residual left by a step, relative to the last, from which on interior points stall") \
  X(convex_gap, 1e-2, "first sigma", "far from a solution the step of the convex problem is safer", "convex steps until then") \
  X(least_target, 0.03, "gap", "smaller targets leave the path", "sigma of a step with several correctors") \
  X(long_step, 0.1, "gap", "the corrector converges", "gap left by the step to sigma = 0") \
  X(polyhedral_start, 0.1, "error of the guess", "farther away takes a step more, nearer is as good", "distance of the start from the surface") \
  X(polyhedral_exact, 1e-9, "residual", "the contacts that close are known", "from it a step of Newton's method is exact") \
  X(polyhedral_near, 1e-5, "residual", "rounding may stop steps", "below it polyhedral_near_step counts") \
  X(polyhedral_near_step, 0.02, "1", "rounding has stopped shorter ones", "the least step near a solution") \
  /* method auto (hybrid.c) */ \
  X(newton_comes_near, 1e-3, "residual", "from farther away undamped steps rarely converge", "damped steps with a smaller one are followed by undamped ones") \
  X(first_part, 0.25, "1", "slower steps change the modes of a few contacts at a time, and interior points take fewer", "steps from the guess that leave more of the residual in the mean end, where cones are polyhedra") \
  X(ending_delta, 1e-8, "1/rho", "interior points leave little", "proximal term of the steps that end interior points of a polyhedral problem") \
  /* proximal points (proximal.c) */ \
  X(proximal_first, 1, "1/rho", "contacts are then nearly decoupled", "s of the first point") \
  X(proximal_least, 1e-10, "1/rho", "a smaller one changes no digit of a point", "smallest s") \
  X(proximal_largest, 1e4, "1/rho", "points then hardly move", "proximal points end if s exceeds it") \
  X(proximal_shrinks, 0.3, "1", "half a digit a point", "factor of s after a point that converged") \
  X(proximal_grows, 3, "1", "half a digit a point", "factor of s after a point that failed") \
  X(proximal_tolerance, 0.1, "added term", "the added term is as large an error", "residual of a point that has converged") \
  X(proximal_descent, 0.1, "step length", "shorter steps must reduce the residual in proportion", "reduction of the residual that accepts a step to a point") \
  X(proximal_improved, 0.7, "1", "smaller reductions are those of steps that cycle", "residual, relative to the least, that counts as an improvement") \
  /* projected gradients (apgd.c) */ \
  X(gradient_relax, 0.9, "1", "as published", "factor of L after each iteration") \
  X(gradient_rounding, 1e-14, "L d^T d", "rounding of both sides of the test of L", "excess of d^T W d that a step may have") \
  /* all modes (planar_modes.c) */ \
  X(modes_singular, 1e-10, "largest entry", "the relative error of W may be as large", "smaller pivots are zero, and larger right-hand sides nonzero, in a proof that no solution exists") \
  X(modes_rounding, 64, "DBL_EPSILON n cond", "a few roundings of each operation", "error of r and u in this proof") \
  X(modes_same, 1e-9, "load", "errors of ill-conditioned combinations", "solutions whose u differ by less are one")

#define DLS_FRICTION_THRESHOLD_COUNTS(X) \
  /* Newton's method (alart_curnier.c) */ \
  X(newton_patience, 25, "steps", "steps may cycle", "undamped steps end after so many that do not halve the least residual") \
  X(newton_last, 8, "steps", "rounding is near", "the same once a residual was accepted") \
  X(damped_patience, 10, "steps", "what is left is a narrow valley, which undamped steps pass sooner", "damped steps end after so many that do not halve the least residual") \
  X(damped_refusals, 8, "steps", "the proximal term has grown by 1e8", "damped steps end after so many rejected in a row") \
  X(newton_most, 200, "steps", "a bound of the work", "steps of the method alart-curnier") \
  /* interior points (interior_point.c) */ \
  X(convex_steps, 4, "steps", "the next ones would be poor too", "convex steps after a poor one") \
  X(inner_correctors, 4, "correctors", "they cost a solve each, and a step a factorization", "correctors of a step of the method interior-point") \
  X(inner_most, 200, "steps", "a bound of the work", "steps of the method interior-point") \
  X(inner_newton, 60, "steps", "a bound of the work", "steps of Newton's method that end the method interior-point") \
  /* method auto (hybrid.c) */ \
  X(auto_interior, 100, "steps", "10 to 40 are usual", "steps of interior points in a round") \
  X(auto_proximal, 100, "points", "a bound of the work", "proximal points in a round") \
  X(auto_damped, 60, "steps", "a bound of the work", "damped steps of Newton's method") \
  X(auto_newton, 60, "steps", "a bound of the work", "undamped steps of Newton's method") \
  X(auto_first, 8, "steps", "interior points take as many from there", "steps from the guess, where cones are polyhedra") \
  X(first_judged, 3, "steps", "the first ones may leave more", "from it on steps from the guess are judged") \
  X(auto_first_sweeps, 50, "sweeps", "50, 100, ..., 1600", "sweeps of the first round") \
  X(auto_small, 60, "rows", "a few steps cost little", "up to this size Newton's method may start without a guess") \
  X(auto_few, 4, "contacts", "there are at most 4^4 modes", "up to this number all modes are tried") \
  /* proximal points (proximal.c) */ \
  X(proximal_points, 200, "points", "a bound of the work", "points of the method proximal-point") \
  X(proximal_steps, 40, "steps", "a bound of the work", "steps of Newton's method to a point") \
  X(proximal_patience, 10, "steps", "steps may cycle", "steps to a point end after so many without improvement") \
  X(proximal_halvings, 2, "halvings", "more of them give short steps that stagnate at a kink", "halvings of a step to a point") \
  /* projected gradients (apgd.c) */ \
  X(gradient_backtracks, 60, "doublings", "L grows by 2^60", "doublings of L in an iteration") \
  /* all modes (planar_modes.c) */ \
  X(modes_most, 1 << 16, "combinations", "a bound of the work", "largest number of combinations of modes")
/* clang-format on */

DLS_FRICTION_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_FRICTION_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };

#endif
