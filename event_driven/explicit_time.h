/* event_driven/explicit_time.h -- loads, supports and surfaces that depend explicitly on time.
 *
 * The integrator evaluates them at its own stages only. While its method reproduces the motion exactly (rest, free flight, uniform
 * sliding), a step may be as long as the run and miss a pulse. So each accepted step is checked at the instants that the calendar of
 * the system names (common/system/calendar.h): acceleration and contact forces of the dense output against those of the equations. Where they differ by more than the tolerance allows, the step ends before that instant, and the next one is short. The search for
 * events uses the same instants.
 *
 * Source: Enright 1989, BIT 29, 31-45 (defect control).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_EXPLICIT_TIME_H
#define DELASSUS_EVENT_DRIVEN_EXPLICIT_TIME_H

#include "common/system/calendar.h"
#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_event_integrator dls_event_integrator;
typedef struct dls_event_method dls_event_method;
typedef struct dls_event_state dls_event_state;
typedef struct dls_event_work dls_event_work;

typedef struct dls_explicit_time {
  dls_calendar *calendar; /* NULL: no instants between the ends of steps */
  double reported;        /* dls_calendar_resolution, in the record */
  double end;             /* of the run; INFINITY: not known */
  double
      least_defect; /* a defect below this, times the distance of the instants, is within tolerance [weights] */
  double *instants; /* of the last step, DLS_CALENDAR_ROOM */
  size_t count;
  double first_step;  /* > 0: the last step was cut at its right end; length of the feature behind [s] */
  double short_since; /* begin of the steps near the round-off of t: the last event, or end of a longer step */
  bool may_jump;      /* supports or surfaces may jump at times that are not declared */
  double *block, *y, *slope, *rhs, *weight; /* 2 n + d m */
  double *gap, *rate;                       /* m */
} dls_explicit_time;

/** @param[in] resolution  distance of samples where nothing is known; 0: a thousandth of the run */
dls_status dls_explicit_time_create(dls_event_integrator *run, double resolution, dls_error *err);
void dls_explicit_time_destroy(dls_event_work *work);

/** Check the engine's step from left to right, with t and y there. It is repeated, or cut at its right end, where loads were not what the
 * integrator assumed. */
dls_status dls_explicit_time_check_step(dls_event_integrator *run, dls_error *err);

/** With y at right: in steps near the round-off of t, has a load changed so much that the round-off changes velocities by more than
 * tol allows? The integrator adds the step to t with round-off, but not to its velocities. @return DLS_OK; DLS_ERR_INTEGRATOR */
dls_status dls_explicit_time_check_clock(dls_event_integrator *run, dls_error *err);

/** next_break := the next instant after t at which loads, supports, surfaces or their derivatives jump. */
void dls_explicit_time_next_break(const dls_event_method *method, dls_event_state *state, double t);
/** next_break, or the break behind it that differs by rounding. */
double dls_explicit_time_last_break(const dls_event_method *method, const dls_event_state *state);
/** Where the engine has to stop: at next_break, unless only the loads jump there; a step beyond it continues the loads before it. */
double dls_explicit_time_stop(void *data);
/** Does something jump at next_break, with the state right.y, and not only a derivative of the loads? */
bool dls_explicit_time_jumps(dls_event_integrator *run);

/** If the gap or slip of the located event is not continuous there, the event becomes DLS_LOCATED_SWITCH. Overwrites y, dy, dddy. */
dls_status dls_explicit_time_check_root(dls_event_integrator *run, dls_error *err);

/** At a jump, with the gaps of the right limits in g: has the support of contact j, which was closed, dropped?
 * @return DLS_ERR_ARG if it has jumped into the body */
dls_status dls_explicit_time_support(const dls_event_integrator *run, size_t j, bool *dropped, dls_error *err);

#endif
