/* event_driven/thresholds.h -- every threshold of the event-driven method, with unit, reason and effect.
 *
 * A row is X(name, value, unit, reason, effect); the code calls it threshold_NAME, a constant at compile time. `delassus show
 * event-driven --thresholds` prints the table. Sizes of arrays are not thresholds and stand beside their arrays.
 * With DLS_VARY_THRESHOLDS they are variables, for tests/soak/thresholds.sh, which shows what each of them changes.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_THRESHOLDS_H
#define DELASSUS_EVENT_DRIVEN_THRESHOLDS_H

#include "common/base/threshold_rows.h"
#include "common/run/sensitivity.h"
#include <delassus/scheme.h>
#include <float.h>

/* clang-format off */
#define DLS_THRESHOLD_REALS(X) \
  /* tolerances (event_driven.c) */ \
  X(rtol_part, 0.002, "tol", "errors of many steps add up and must stay below tol", "relative tolerance of the integrator") \
  X(rtol_part_joints, 0.0005, "tol", "thousands of steps err in one direction", "the same with joints") \
  X(least_rtol, 2e-15, "1", "round-off of a step", "smallest relative tolerance of the integrator") \
  X(least_rtol_joints, 5e-16, "1", "round-off of a step", "the same with joints") \
  X(slack_erk, 32, "1", "pairs err less than they estimate (higher order)", "factor of the error allowed in a step, method=erk") \
  X(slack_erk_friction, 8, "1", "an error of the slip moves the instant at which it ends", "the same with friction") \
  X(slack_adams, 0.65, "1", "steps that change lose accuracy that constant steps have; measured (notes on benchmarks)", "the same, method=adams") \
  X(least_tol_bdf, 1e-10, "1", "with a smaller tol, errors of bdf stay at 2e-11 to 2e-10", "smallest tol allowed with method=bdf") \
  X(ending_slip, 100, "tol l_s/t_s", "slip in space turns fast before it ends", "slip up to this speed is about to end, or has only begun") \
  X(largest_ending_slip, 1e-6, "l_s/t_s", "a large tol must not stop visible slip", "upper bound of ending_slip") \
  X(short_accumulation, 10, "tol t_s", "impulses move nothing by more than tol in so short a time", "an accumulation over in this time may be passed at any speed") \
  X(weak_forces, 100, "eps_a", "weaker forces: the scales do not fit the motion", "a tensile force is an error only if all contact forces are below this") \
  X(tension_time, 0.1, "t_s", "round-off changes its sign sooner", "how long a contact pulls before it is an error") \
  X(tension_part, 1e-3, "largest contact force", "weaker tension is round-off of the other forces", "a tensile force below this is none") \
  X(tension_noise, 1e4, "DBL_EPSILON l_s/t_s^2", "round-off of an acceleration", "a tensile force below this is none") \
  X(missed_opening, 10, "tol", "a smaller opening is within the accuracy asked for", "opening, relative to the motion, that a tensile force may suppress") \
  X(least_progress, 1e-4, "t_s, or the time to go", "no motion needs so many steps for so little", "the run fails if threshold slow_steps advance t by less") \
  X(drift, 0.25, "eps_g, eps_u", "drift must not reach what counts as open or moving", "closed contacts that have drifted so far are projected") \
  X(drift_joints, 0.025, "eps_g, eps_u", "forces of joints work on the velocity that drifts", "joints that have drifted so far are projected") \
  /* round-off (geometry.c, smooth.c) */ \
  X(gap_rounding, 8, "DBL_EPSILON", "a few roundings of g, and of the state at which it is taken", "round-off of a gap, in units of its terms") \
  X(resolved_gap, 4, "round-off of the gap", "larger gaps are not rounding", "gaps up to this are closed even above eps_g") \
  X(impulse_slack, 1e3, "tolerance of v", "impulses only show the shape of contact forces", "tolerance of the impulse of lasting contacts") \
  X(least_scale, 1e-3, "1", "low flights, far from the origin; measured (smooth.c)", "how much tighter the tolerances of low flights may be") \
  X(position_rounding, 16 * DBL_EPSILON, "1", "round-off of a position, or of a large impulse, in a step", "smallest relative tolerance far from the origin") \
  /* search for events (search.c) */ \
  X(graze_speed, 1e-3, "peak speed of the flight", "a graze is slow beside its flight", "largest gap velocity of a graze") \
  X(graze_depth, 0.8, "eps_g", "u^2/(2 u') is all that is left of the fall", "a crossing whose fall ends above this depth is a graze") \
  X(same_root, 10, "event_tol", "two root finders agree up to this", "a zero so near that of the integrator is that zero") \
  X(clear_shape, 0.1, "largest coefficient", "cubic and quintic agree, so that signs of coefficients count", "an interval with less agreement is split") \
  /* nodes (nodes.c) */ \
  X(interpolation_rounding, 64 * DBL_EPSILON, "largest term", "round-off of the interpolants, which more nodes cannot reduce", "interpolation error that counts as none") \
  X(column_error, 4, "tol", "the record may err by ten tol", "error allowed in columns whose slopes follow from neighbouring nodes") \
  X(least_column, 1e-3, "largest of its kind", "errors of small columns are those of the large ones", "size to which errors of a column are relative at least") \
  X(column_roughness, 2, "second difference", "what five samples a period show", "above it fourth differences are noise") \
  /* events (event.c) */ \
  X(flight_steps, 10, "1", "steps in a flight whose local errors of the gap may add up", "error of the end of an accumulation") \
  X(clear_height, 4e3, "round-off of the gap", "steps leave some 20 units, half a percent of it", "lower flights are unresolved") \
  X(flight_time_rounding, 0.01, "round-off of t", "shifts the end of a flight", "round-off of t in the height of a flight") \
  X(lost_height, 40, "round-off of the gap", "steps leave no flight at all below it", "lower flights are lost") \
  X(vanished_rebound, 1e-200, "l_s/t_s", "squares of such numbers underflow", "slower rebounds are rest") \
  X(decision_delay, 1e-4, "t_s", "far above round-off, far below the motion's time scale", "how far ahead forces are compared where both gap acceleration and force are 0") \
  /* derivatives (sensitivity/) */ \
  X(tangent_increment, 0x1p-17, "scales", "truncation 1e-10 and round-off 1e-11 of a difference of second order", "increment of the state for derivatives of forces; 1 for linear systems") \
  X(tangent_event_increment, 0x1p-11, "scales", "truncation and round-off 1e-13 of a difference of fourth order", "increment of the state for derivatives at events") \
  X(tangent_smooth_increment, 0x1p-8, "scales", "round-off 1e-13 and less truncation of a difference of sixth order", "increment of the state for derivatives of impacts whose modes are held") \
  X(tangent_truncation, 1e-11, "1", "an increment that is shorter for less has more round-off", "relative error of a difference of sixth order, above which its increment is shortened") \
  X(tangent_tolerance, 10, "rtol", "tangents have few steps", "tolerance of a step of tangents") \
  X(tangent_rounding, 8, "DBL_EPSILON", "a few roundings of an acceleration", "error of slopes that shorter steps cannot reduce") \
  X(tangent_least_move, 0.1, "increment of the state", "round-off is divided by the distance that a state moves: fast spins lose half a digit at 0.01", "a parameter whose neighbours move the state by less has a difference apart from that of the state") \
  X(tangent_higher_order, 0.5, "error of one order less", "errors that fall more slowly are round-off or too long steps", "a smaller error raises the order of the multistep rule for tangents") \
  X(tangent_order_noise, 0.1, "round-off of slopes", "steps grow at least tenfold where a phase begins", "smaller changes of slopes do not raise the order of the multistep rule for tangents") \
  X(tangent_evaluate_again, 0.01, "error allowed in a step", "slopes that are not those of the corrected tangents lose digits of fast spins from 0.1 on", "smaller errors of the multistep rule for tangents need no second slope") \
  X(tangent_slope_error, 1e-3, "error allowed in a step", "errors of the derivatives stay as with a second slope in each step", "larger changes of h times the slope by the correction need a second slope") \
  X(tangent_rate_steps, 8, "1", "the rate doubles in eight steps toward the end of a slip", "steps with one slope in a row, before the rate at which slopes change is measured again") \
  X(tangent_step_error, 0.5, "error allowed in a step", "a margin", "error that a step of the multistep rule for tangents aims at") \
  X(tangent_step_shrink, 0.1, "1", "errors are estimates", "least factor of a step of tangents that is refused") \
  X(tangent_first_shrink, 1e-6, "1", "the step of an engine of order six, and one of order one", "the same of the first step of a phase") \
  X(tangent_step_gain, 0.9, "1", "shorter steps have smaller errors, except for round-off", "error of a shorter step of tangents, relative to that of the step, from which on another rule follows") \
  X(tangent_step_growth, 10, "1", "as that of the run at its start", "largest factor from one step of tangents to the next, with other methods than adams") \
  X(tangent_step_failures, 8, "1", "a rough load, or none", "parts of a step refused in a row, before another rule follows") \
  X(tangent_steps, 20000, "1", "no motion needs so many steps for so little", "the run fails if so many steps of tangents do not reach the next node") \
  X(tangent_last_term, 0.01, "error allowed in a step", "a term costs little", "terms of the series for tangents that are left out") \
  X(tangent_terms_ahead, 1.25, "1", "one term more costs less than to choose them at each node", "terms of the series for tangents are chosen so much further than a node") \
  X(tangent_zero, 1e-200, "scales", "1 / it does not overflow", "least error allowed: that of tangents which are zero") \
  X(tangent_series_steps, 1000, "1", "a system so stiff needs another rule", "series between two nodes, beyond which another rule follows") \
  X(tangent_load_tries, 8, "1", "another rule follows rough loads", "intervals tried over which the load may be a polynomial, tangents") \
  X(least_tangent_tolerance, 1e-13, "1", "round-off of the slopes", "smallest tolerance of a step of tangents") \
  X(tangent_bend, 0.05, "1", "of a smooth law it is below the increment", "slopes on both sides that differ by more are one-sided") \
  X(tangent_bend_rounding, 100, "DBL_EPSILON", "round-off of impacts", "smaller differences of both slopes are none") \
  X(transversal, 1e-9, "scales", "the event would move by 1e9 of the state", "a root function that falls more slowly is not transversal") \
  X(same_switch, 1e-6, "larger of dt, t_s", "root functions of contacts that switch together are 0 up to rounding", "a root function whose zero is farther away has not fallen; switches whose dt differ by less are in order") \
  X(same_sides, 1e-6, "larger of dq/q_s, 1/p", "errors of dt", "sides of switches at the same time whose derivatives differ by less are equal") \
  X(same_order, 1e-8, "largest of dt, t_s/p, q_s/(p u-)", "errors of D g, 1e-8 of q_s/p", "impacts at the same time whose dt differ by less stay simultaneous; a smaller D g of an accumulation is round-off") \
  X(same_velocity, 1e-9, "l_s/t_s", "round-off of successive impacts", "orders of impacts whose v+ differ by less have the same result") \
  X(same_end, 1e-3, "duration", "both passes of an accumulation differ by less", "another end of an accumulation than that of the run") \
  X(same_rest, 0.1, "sum of impulses", "slow contacts come to rest early in the run", "the same of an accumulation whose last contacts were slow enough to rest") \
  X(tangent_left, 1e-6, "largest of the series", "derivatives shrink as the motion does", "derivatives of u left at the end of a series that has none") \
  X(tangent_rest, 1e-10, "largest u", "what is neglected is of this size", "slower contacts rest, where a series is followed for its derivatives") \
  X(coupled_impacts, 1e-10, "sqrt(W_ii W_jj)", "round-off of W", "impacts at the same time that act on each other") \
  X(adjoint_empty, 4, "round-off of t", "integrators refuse less", "a shorter phase is empty") \
  X(adjoint_rank, 1e-10, "largest pivot, or a force of 1", "round-off of A", "contact rows that depend on others: products by differences; a force that is less in all sets of forces of about 1 which move nothing is unique") \
  X(adjoint_rows, 1000, "rows", "A is dense", "more closed contact rows: products by differences") \
  X(adjoint_basis, 1e-10, "1", "round-off of an orthogonal projection", "directions of the state that depend on others at an event") \
  X(adjoint_repeat, 1e3, "tol", "errors of many steps add up", "motion that is computed again may differ from the run by this") \
  X(adjoint_slow_impact, 1e-3, "l_s", "the change of p that misses the impact may be below 1e-6 of p", "an impact that a smaller shift of its gap misses is examined") \
  X(adjoint_difference_rtol, 1e-12, "1", "round-off of differences over an increment", "smallest tolerance where products are by differences") \
  X(adjoint_quadrature, 1000, "rtol", "the error estimate of the rule is that of one of half the degree", "tolerance of a panel of an integral over time") \
  X(adjoint_panel, 32, "steps", "a change of the motion takes ten steps, and a panel has 15 points", "longest panel of an integral over time, in its shortest step of the motion") \
  X(adjoint_round_off, 0.1, "1", "an error of the rule falls by 2^20 with half the panel", "a panel whose half has more than this of its error is limited by round-off") \
  X(adjoint_noise, 10, "what is allowed", "round-off of f_p exceeds its estimate by less", "largest error of a panel that counts as round-off") \
  X(adjoint_longer, 0x1p-10, "what is allowed", "an error of the rule grows by 2^20 with twice the panel, and much of its tolerance is for round-off", "a panel with a smaller error is followed by one of twice its length") \
  X(adjoint_slip, 10, "eps.s", "its direction errs by tol / |u|, and with large mu it still turns", "slip in space up to this keeps its direction in the adjoint equation") \
  X(slip_straight, 1e-9, "1", "the derivative of the time errs by a fraction of it", "slip across its direction, relative to that along it, whose turn counts for the derivative of its end") \
  X(slip_straight_tangent, 1e-6, "larger of dv/v_s, 1/p", "round-off of the direction of slip", "the same for the derivative of slip across its direction") \
  X(slip_pass, 1e-3, "l_s/t_s", "derivatives that slip limits to 1e-6 of a parameter pass it slower", "slip in space that falls below this and grows again limits the change of a parameter") \
  X(slip_pass_growth, 1.1, "1", "round-off is less", "slip that falls and grows again by this factor has passed near zero") \
  X(slip_pass_digits, 1e-6, "1", "differences of runs have six digits", "slip whose direction errs by more, tol / |u|, where it passes near zero is grazing") \
  X(slip_rest_from, 3e-3, "l_s/t_s", "its direction errs by tol / |u|", "faster slip is a start for the derivative of the time at which it ends, where it still turns") \
  X(slip_rest_least, 100, "eps.s", "its direction errs by tol / |u|", "the same in a phase that has begun with slower slip") \
  X(slip_rest_error, 1e-11, "1", "errors of many steps stay below 1e-9; a larger tol takes its place", "error of a step there, and change of the derivatives by the last one; or the square of the slip, or its turn") \
  X(slip_rest_step, 1, "time scale of the slip", "later steps follow from their errors", "first step toward the end of slip for its derivatives") \
  X(slip_rest_safety, 0.9, "step of the error allowed", "errors are estimates", "next step toward the end of slip") \
  X(slip_rest_shrink, 0.2, "1", "errors are estimates", "least factor of such a step") \
  X(slip_rest_growth, 3, "1", "errors are estimates", "largest factor of such a step") \
  X(adjoint_map, DLS_ADJOINT_MAP, "numbers", "maps of the state at events are dense, 32 MB each", "largest product of 2 n and the directions of the state that the adjoint equation keeps at an event") \
  X(adjoint_table, 4e6, "numbers", "32 MB", "memory for the motion between two checkpoints") \
  /* explicit time (explicit_time.c) */ \
  X(unknown_run, 100, "t_s", "length of a run whose end is not known", "distance of samples of loads without declaration") \
  X(support_jump, 10, "eps_g, eps_u", "drift is less", "a closed contact off its support by more shows that the support has jumped") \
  X(closest_breaks, 4, "DBL_EPSILON t", "no step fits between them", "breaks within this distance are one") \
  X(jump_rounding, 1e-9, "1", "round-off of the argument t of a force", "relative change of a force that is no jump") \
  X(short_step, 1e8, "ulp of t", "in longer steps the round-off of t is below tol", "in shorter steps the round-off of t is checked") \
  /* slip (slip.c, mode_changes.c, slip_end.c) */ \
  X(slip_rounding, 16 * DBL_EPSILON, "l_s/t_s", "round-off of a velocity", "slower slip is none") \
  X(slip_together, 1e-2, "eps.s", "far below what is about to end", "slip up to this ends with that of another contact, and has not begun") \
  X(off_direction, 0.1, "slip", "slow slip is along its direction up to this", "slip further across it is followed in full") \
  X(slow_slip_candidate, 1e-3, "l_s/t_s", "faster slip is not stiff", "slip up to this may become slow slip") \
  X(least_leverage, 1e-6, "W_NN", "friction takes the normal force away", "less leverage is a Painleve paradox") \
  X(clear_of_limit, 0.99, "limit of friction", "no contact is near its limit", "redundant rows split forces like those of the acceleration level") \
  X(at_limit, 1e-9, "limit of friction", "round-off of the contact problem", "forces so close to the limit are at it") \
  X(limit_rounding, 1e-12, "limit of friction", "round-off of a linear solve", "forces beyond the limit by this still stick") \
  X(force_rounding, 8 * DBL_EPSILON, "largest force, as acceleration", "round-off of the sum of forces on a contact", "slip acceleration up to this is none") \
  X(turned_slip, 1.1, "eps.s", "slip is located at eps.s", "faster slip has not ended, but turned from the direction of the step") \
  X(slip_end_step, 0.25, "time scale of the slip", "a Runge-Kutta step errs by 1e-5 of the slip", "length of steps toward the end of slip") \
  /* slow slip (slow_slip.c) */ \
  X(angle_difference, 1e-6, "rad", "as much round-off as error", "difference quotient of the Jacobian") \
  X(rate_difference, 1e-5, "t_s", "as much round-off as error", "difference quotient of the rate of the angles") \
  X(most_turn, 0.3, "rad", "Newton's method is local", "largest turn in one pass") \
  X(angle_converged, 1e-12, "rad", "the next pass would be round-off", "end of Newton's method") \
  X(slow_contraction, 0.1, "1", "a new Jacobian is cheaper than more passes", "slower convergence recomputes the Jacobian") \
  X(angle_damping, 1e-9, "largest diagonal entry", "the Jacobian is singular where contacts share a load", "damping of the Jacobian") \
  X(relaxation_rate, 10, "1/t_s", "slip across its direction must not last", "least relaxation rate of slip across its direction") \
  X(direction_lag, 0.25, "tol", "the lag costs this fraction of tol", "relaxation rate of slip across its direction") \
  X(slow_slip_accuracy, 0.5, "1", "the estimate is of first order", "fraction of the speed at which the error is tol") \
  X(least_slow_slip_limit, 4, "eps.s", "slow slip must reach beyond the slip that is about to end", "least limit of slow slip") \
  X(line_slip_limit, 1e-3, "l_s/t_s", "on a line the direction is exact at any speed", "limit of slow slip on a line") \
  X(slow_slip_enter, 0.1, "slow-slip limit", "slow slip must not end at once", "slip below this becomes slow") \
  X(slow_slip_stiffness, 1e3, "1/t_s", "a smaller rate does not hinder the integrator", "rate of turning from which slip may become slow") \
  X(slow_slip_evenness, 0.02, "F", "the motion is near the slow one", "largest s' and s theta' at which slip becomes slow") \
  /* accumulations (accumulation.c, local_pass.c) */ \
  X(rest_speed, 1e-4, "velocity allowed", "slower motion is rest", "speed at which all that come back rest") \
  X(longest_accumulation, 1e-2, "t_s", "coefficients are constant for so long", "longest time that is passed") \
  X(unresolved_slack, 100, "tol", "flights are lower than the round-off of the gap", "difference of the two passes allowed there") \
  X(unresolved_change, 100, "u+/(1 - e)", "all flights that are left together", "velocity change allowed where flights are unresolved") \
  X(accumulation_rounding, 8 * DBL_EPSILON, "t, v", "round-off of the sums", "least error of the end of an accumulation") \
  X(stopped_slip, 1e-11, "velocity before", "residual of the contact problem", "slip that an impact leaves and that is none") \
  X(shorter_end, 0.125, "time of the last try", "coefficients change less", "time allowed for the next try") \
  X(second_pass_time, 1.5, "time of the first pass", "the same end, not a later one", "time allowed for the second pass") \
  X(second_pass_change, 1.1, "velocity change allowed", "the same end, not an earlier one", "velocity change allowed in the second pass") \
  X(rank_rounding, 16 * DBL_EPSILON, "W_TT squared", "round-off of a determinant", "tangents along one line only") \
  X(held_damping, 1e-9, "W_TT", "tangents that depend on others share what they carry", "damping of the tangents that stick") \
  /* clusters (cluster.c) */ \
  X(cluster_residual, 1e-12, "1", "round-off of the complementarity problem", "residual accepted of the complementarity problem") \
  X(friction_rounding, 1e-12, "terms of a force", "round-off of a sum", "friction beyond its limit by this still sticks") \
  X(rest_separation, 100, "1", "so much later does not interfere", "how much later the next fast contact comes back before slow ones are at rest") \
  X(same_impact, 1e-12, "flight", "rounding", "contacts that return within this hit together") \
  X(uncoupled, 1e-12, "W_ii", "a smaller W_ij is rounding", "the order of such impacts does not matter") \
  X(held_response, 1e-9, "response of the contact", "round-off of the complementarity problem", "a contact whose response is less stays at rest") \
  X(repeated_state, 1e-10, "1", "round-off of a sequence", "relative difference of states that repeat themselves") \
  X(least_loss, 1e-6, "1", "a lasting motion cannot be told from it", "least 1 - rho of a series") \
  X(order_time_rounding, 4 * DBL_EPSILON, "t", "two roundings of each of two times", "impacts within this are one event") \
  /* integrators (engine_kind.c, cvode.c, erk.c, exact_flow.c) */ \
  X(first_order_step, 0.01, "flight", "steps of order 1 lose 1e-3 of the height of a flight", "longest step of order 1, adams and bdf") \
  X(iteration_error, 0.03, "error allowed", "CVODE's 0.1 costs 6 % more steps; measured (cvode.c)", "end of the iteration of a step, adams") \
  X(longer_step, 1.2, "1", "CVODE's 1.5 costs a tenth more evaluations; measured (notes on benchmarks)", "a step that could grow by less keeps its length, adams") \
  X(shorter_step, 0.9, "1", "errors that rise do not reach the bound; measured (notes on benchmarks)", "a step that should shrink by less keeps its length, adams") \
  X(early_growth, 20, "1", "CVODE's 10 costs a tenth more of a flight; measured (notes on benchmarks)", "largest factor from one step to the next in the first ten, and of tangents, adams") \
  X(first_step, 0.01, "t_s", "the error test shortens it if need be", "first step of a run, erk") \
  X(largest_growth, 3, "1", "larger ratios amplify round-off of close points", "ratio of a step to the last, erk") \
  X(failed_step, 0.25, "1", "as in CVODE", "factor of the next step if f has no value, erk") \
  X(past_flight, 1.02, "flight", "the first steps together reach beyond its end", "length of the first steps, erk and flow") \
  X(root_rounding, 100, "round-off of t", "ARKODE begins another step if less is left", "remainder of a step with a root that is none, erk") \
  X(probe, 0x1p60, "1", "a load beside it is round-off, and powers of two make none", "entries of the matrix are read with it, flow") \
  X(stiff_rate, 2000, "1/t_s", "explicit steps are about 1/rate, and bdf takes some hundreds in t_s", "smallest rate of decay for bdf by method=auto") \
  X(last_term, 0.25, "DBL_EPSILON", "terms below it change nothing", "last terms of the series relative to the largest, flow") \
  X(long_enough, 0.9, "1", "another series is not worth it", "a step that could be longer by this is taken, flow") \
  X(load_margin, 0.9, "1", "the estimate is of first order", "part of the step that the load seems to allow, flow") \
  X(load_shrink, 0.1, "1", "a pulse may be much shorter", "least factor of a step that its load refuses, flow") \
  X(load_growth, 4, "1", "a load may change", "largest factor of a step where loads decide, flow") \
  X(load_error, 0.01, "error allowed in a step", "the load is not what errors are spent on", "last coefficients of the load, flow") \
  X(load_rounding, 8 * DBL_EPSILON, "1", "round-off of a load", "last coefficients of the load that are none, flow") \
  X(load_time_rounding, 2 * DBL_EPSILON, "t", "a load is known to what it changes by in that", "last coefficients of the load that are none, flow")

#define DLS_THRESHOLD_COUNTS(X) \
  X(largest_flow, 64, "degrees of freedom", "its matrix is dense", "largest system with method=flow") \
  X(auto_flow, 16, "degrees of freedom", "its steps cost less than those of the others", "largest system with flow by method=auto") \
  X(auto_erk, 32, "degrees of freedom", "evaluations cost less than the history of adams", "largest system with erk by method=auto") \
  X(power_steps, 20, "1", "some percent of the largest eigenvalue", "steps of the power method for stiff_rate") \
  X(slow_steps, 20000, "1", "no motion needs so many steps for so little", "steps after which least_progress is checked") \
  X(tangent_dense, 4, "degrees of freedom", "a product of few rows costs less than the call for a sparse one", "largest system whose series for tangents have dense matrices in any storage") \
  X(tangent_whole, 16, "tangents and velocities", "a product with the zeros of this matrix costs less than calls for its blocks", "largest series for tangents whose equations are one matrix") \
  X(search_samples, 4000, "1", "a step with a graze takes about 40", "samples per contact and step before the search fails") \
  X(search_iterations, 100, "1", "bisection alone needs 53", "iterations for one zero") \
  X(most_pieces, 10000, "1", "memory", "nodes inside one step") \
  X(least_intervals, 6, "1", "differences up to the fifth", "samples of columns in a step") \
  X(instant_halvings, 8, "1", "a 256th of the distance", "how closely the end of agreement is located") \
  X(default_samples, 1000, "1", "a thousandth of the run", "samples of loads without declaration") \
  X(slip_end_steps, 1000, "1", "slip falls in proportion", "steps toward the end of slip") \
  X(slip_rest_steps, 1000, "1", "slip falls as an exponential", "steps in which slip that is followed for its derivatives must end") \
  X(slip_end_halvings, 60, "1", "bisection alone needs 53", "halvings for the change of another contact") \
  X(angle_passes, 30, "1", "Newton's method needs 3 to 6", "passes for the directions of slow slip") \
  X(accumulation_impacts, 10000, "1", "a series repeats itself sooner", "impacts followed one by one in one search") \
  X(lost_ends, 10, "1", "slip becomes small enough to be left out", "ends refused in a row before the run fails") \
  X(end_tries, 8, "1", "each is shorter", "ends tried after one impact") \
  X(longest_sequence, 20, "impacts", "longer sequences are rare", "longest sequence of impacts that is recognized") \
  X(sequence_repetitions, 3, "1", "two may be chance", "repetitions before a sequence is summed") \
  X(order_passes, 2000, "1", "a long body that clatters takes hundreds", "successive impacts compared with those at once") \
  X(stalled_steps, 100, "1", "a few may start a very short flight", "steps below the resolution of t before the run fails") \
  X(inexact_slope_order, 3, "order", "the slope errs by rtol^(q/(q + 1)), more than tol", "up to this order accelerations of nodes in flight are evaluated, adams and bdf") \
  X(value_tries, 10, "1", "each is four times shorter", "steps tried over which f may have values, erk") \
  X(error_failures, 30, "1", "each shortens the step by a factor of up to 10", "failures of the error test in a row, erk") \
  X(load_tries, 60, "1", "each is shorter", "steps tried over which the load may be a polynomial, flow")
/* clang-format on */

#ifndef DLS_VARY_THRESHOLDS
DLS_THRESHOLD_REALS(DLS_THRESHOLD_REAL)
enum { DLS_THRESHOLD_COUNTS(DLS_THRESHOLD_COUNT) };
#else
#define DLS_REAL_EXTERN(name, value, unit, reason, effect) extern double threshold_##name;
#define DLS_COUNT_EXTERN(name, value, unit, reason, effect) extern int threshold_##name;
DLS_THRESHOLD_REALS(DLS_REAL_EXTERN)
DLS_THRESHOLD_COUNTS(DLS_COUNT_EXTERN)
#endif

/** All of them; ends with {0}. */
extern const dls_threshold dls_event_driven_thresholds[];

#endif
