/* rk_moreau.h -- state of rk-moreau between steps, and the search for the end of a smooth motion.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_RK_MOREAU_H
#define DELASSUS_TIME_STEPPING_RK_MOREAU_H

#include "time_stepping/runge_kutta/runge_kutta.h"
#include "time_stepping/step/impact_contacts.h"
#include "time_stepping/step/slip.h"

/** Methods to locate a bracket. */
typedef enum dls_locate { DLS_LOCATE_BISECTION, DLS_LOCATE_NEWTON, DLS_LOCATE_INTERPOLANT } dls_locate;

typedef struct dls_bracketing {
  dls_rk_flight flight;
  dls_rk rk;
  dls_contact_system contacts;
  dls_impact_contacts impact;
  dls_slip slip;
  dls_locate locate;
  dls_contacts closed;          /* lasting contacts */
  dls_instant now, trial, next; /* now: the sim's state, observed */
  double *F;                    /* n */
  double *v_left;               /* n */
  dls_contacts down;            /* gaps to be closed */
  double bracket, noise, width; /* d [s]; round-off of a gap [m] and of t [s] */
  size_t step, inner;           /* events in the step of this number */
} dls_bracketing;

/* rk_locate.c; "way": the Runge-Kutta step from now, of which the length is chosen. */

/** x becomes the nearest state with gaps 0 on `down`, gap velocities 0 on `stays`, and on the joints. @return as
 * dls_contact_system_project_q; DLS_ERR_NOCONV where a step has left the joints by far */
dls_status dls_bracketing_project(dls_sim *sim, dls_bracketing *s, const dls_contacts *down,
                                  const dls_contacts *stays, dls_instant *x, dls_error *err);
/** Way of length h: s->trial. @param[out] opens  as of dls_rk_step */
dls_status dls_bracketing_reach(dls_sim *sim, dls_bracketing *s, double h, double *opens, dls_error *err);
/** Does a slip end or begin on the way to trial, of length *length? Then trial and *length are just behind that. */
dls_status dls_bracketing_slip(dls_sim *sim, dls_bracketing *s, double *length, bool *found, dls_error *err);
/** Does a lasting contact open on the way to trial, of length *length? Then trial and *length are at the release. */
dls_status dls_bracketing_release(dls_sim *sim, dls_bracketing *s, double opens, double *length, bool *found,
                                  dls_error *err);
/**
 * Does a gap close on the way to trial, of length `length`? Then trial is where the bracket begins.
 * @param[out] found    trial has changed
 * @param[out] contact  the contact that closes; or, if the way to trial turned out to be free, sys->m
 */
dls_status dls_bracketing_crossing(dls_sim *sim, dls_bracketing *s, double length, bool *found, size_t *contact,
                                   dls_error *err);
/** Is j a lasting contact? */
static inline bool dls_bracketing_closed(const dls_sim *sim, size_t j)
{
  return sim->status[j] != 0;
}

#endif
