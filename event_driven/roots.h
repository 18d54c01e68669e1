/* event_driven/roots.h -- the root functions in force: an event is where one of them falls through zero.
 *
 * Between two events every contact has functions f(t, y) that fall through zero at its events. Their list depends only on the
 * index sets and is rebuilt by dls_roots_select at every restart. A function is raised by `shift` where zero itself is no
 * event. The integrator's root finder and the search on the dense output use the list and know no contact.
 *
 * To add a root function (for example the end of slip):
 *   1. a dls_located_kind for its zero, which event.c acts on;
 *   2. in roots.c its functions, and a line made of them in types[];
 *   3. DLS_ROOTS_A_CONTACT, if one contact may now have more functions in force at once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EVENT_DRIVEN_ROOTS_H
#define DELASSUS_EVENT_DRIVEN_ROOTS_H

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct dls_event_integrator dls_event_integrator;
typedef struct dls_event_method dls_event_method;
typedef struct dls_event_state dls_event_state;
typedef struct dls_event_work dls_event_work;
typedef struct dls_step_end dls_step_end;

enum {
  DLS_ROOTS_A_CONTACT = 4
}; /* in force at once, at most: force, end of slip, slow-slip limit and leverage */

typedef enum dls_located_kind {
  DLS_LOCATED_NONE,
  DLS_LOCATED_CROSSING,  /* a gap closes with u < 0 */
  DLS_LOCATED_GRAZE,     /* a gap touches zero with u = 0 */
  DLS_LOCATED_RELEASE,   /* a contact force falls to zero */
  DLS_LOCATED_REST,      /* slip falls to zero */
  DLS_LOCATED_LIMIT,     /* the force of a contact that sticks reaches the limit of friction */
  DLS_LOCATED_FAST_SLIP, /* slip is no longer slow: no event */
  DLS_LOCATED_LEVERAGE,  /* a contact that slips loses its leverage */
  DLS_LOCATED_SWITCH,    /* loads or surfaces jump */
  DLS_LOCATED_BREAK,     /* derivatives of loads jump: restart, no event */
  DLS_LOCATED_CUT,       /* loads differ from what the integrator assumed: a short step from here, no event */
  DLS_LOCATED_DRIFT,     /* closed contacts have drifted: project, no event */
  DLS_LOCATED_START,     /* t = 0 */
} dls_located_kind;

/** A root function with two derivatives: g, u, u' of an open contact; W lambda and its derivatives of a closed. */
typedef struct dls_point {
  double t, f, df, ddf;
} dls_point;

/** What a root function reads: computed at (t, y), for all contacts at once, before it is called. */
typedef enum dls_reading {
  DLS_READS_GAPS,   /* g, rate, curvature, contacts.config */
  DLS_READS_FORCES, /* a, lambda, contacts.config */
} dls_reading;

typedef struct dls_root_type {
  const char *name;
  dls_located_kind event; /* the event at its zero */
  dls_reading reads;
  bool may_graze; /* a minimum near zero is an event too */
  bool (*in_force)(const dls_event_integrator *run, size_t j);
  /** f at (t, y), without shift. */
  double (*value)(const dls_event_integrator *run, size_t j, const double *y);
  /** f' and f'' from the state and its derivative; NULL: by slopes_inside alone. */
  void (*slopes)(const dls_event_integrator *run, size_t j, const double *y, const double *dy, dls_point *p);
  /** f' and f'' from the second and third derivative of the dense output. NULL: by slopes alone. */
  void (*slopes_inside)(const dls_event_integrator *run, size_t j, const double *ddy, const double *dddy,
                        dls_point *p);
  /** f = const + sum_i x[i] y_i^(the derivative returned), x[2 n + d m]. NULL or < 0: f has no such form. */
  int (*linear)(const dls_event_integrator *run, size_t j, double *x);
  /** f, without shift, f' and f'' at t inside the last step, from the entries of the state that f reads. These are overwritten in y and
   * dy. NULL or false: from the whole state. */
  bool (*sample)(const dls_event_integrator *run, size_t j, double t, dls_point *p);
  /** Added to f until the next event; left: f where the step began. NULL: nothing. */
  double (*shift)(const dls_event_integrator *run, size_t j, double left);
  /** Round-off of f at (t, y): no event above minus this. NULL: 0. */
  double (*noise)(const dls_event_integrator *run, size_t j, double t, const double *y);
} dls_root_type;

/** A root function in force. */
typedef struct dls_root {
  const dls_root_type *type;
  size_t contact;
} dls_root;

/** Most root functions that a run can have in force. */
size_t dls_roots_most(const dls_event_method *method);
/** root[roots] := those in force with the present index sets. */
void dls_roots_select(dls_event_integrator *run);
/** What is added to root k. */
double dls_root_shift(const dls_event_integrator *run, size_t k);
/** dls_engine_derivative_bound of root k; < 0: not known. Overwrites y. */
double dls_root_derivative_bound(dls_event_integrator *run, size_t k);
/** Round-off of root k at an end of the step. */
double dls_root_noise(const dls_event_integrator *run, size_t k, const dls_step_end *end);
/** All gaps, and all roots without shift, at an end with t, y given, and the slopes that follow from those and dy. dy is given if no
 * contact is closed; otherwise it is evaluated here. */
dls_status dls_roots_observe(dls_event_integrator *run, dls_step_end *end, dls_error *err);
/** The slopes that follow from the dense output alone, at an end of the last step, unless they are there from the step before;
 * overwrites dy, dddy. */
void dls_roots_observe_inside(dls_event_integrator *run, dls_step_end *end);
/** f[most] := all roots with shift at (t, y), for the integrator's root finder; data is the event integrator. +1 behind the last of
 * them, NaN where forces have no value: the guard finds the events that the root finder misses there. */
void dls_roots_evaluate(void *data, double t, const double *y, double *f);
/** p[roots] := all roots with shift at t inside the last step; overwrites y, dy, dddy. */
dls_status dls_roots_sample(dls_event_integrator *run, double t, dls_point *p, dls_error *err);
/** Root k, shifted, at t inside the last step; overwrites y, dy, dddy. */
dls_status dls_root_sample(dls_event_integrator *run, size_t k, double t, dls_point *p, dls_error *err);

#endif
