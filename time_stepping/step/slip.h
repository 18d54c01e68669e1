/* slip.h -- friction in schemes that solve for contact forces at the level of accelerations: slips that end in a step.
 *
 *   In a smooth interval a slipping contact keeps the direction of its friction when its slip reverses (contact_system.h). At the
 *   end of the interval it is caught: v := nearest in the mass metric with u_T = 0 there and u_N = 0 at all closed contacts,
 *   if the force problem with u_T = 0 holds it; otherwise it slips in the opposite direction. A slip that begins in the interval
 *   against its own friction, which is an error of quadrature, counts as zero.
 * Source: Acary, lecture on nonsmooth mechanical systems, eqs. (30), (31), at the end of a step in place of an event.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_SLIP_H
#define DELASSUS_TIME_STEPPING_SLIP_H

#include "time_stepping/step/instant.h"

/** State of the contacts at the end of an interval. */
typedef enum dls_slip_end { DLS_SLIP_CONTINUES, DLS_SLIP_REVERSES, DLS_SLIP_RESTS } dls_slip_end;

typedef struct dls_slip {
  size_t *rows;                   /* scratch, rows of u */
  dls_slip_end *end;              /* m */
  double *u, *p, *lambda, *gamma; /* rows: scratch */
  double *v, *a;                  /* n: scratch */
  double *block;                  /* owns the arrays of doubles */
  double removed,
      reversed; /* by the last catch: largest effect on q that it removed [m]; fastest slip that has reversed with the
                             * friction of before [m/s] */
} dls_slip;

/** @return false if out of memory; destroy it in any case */
bool dls_slip_create(const dls_system *sys, dls_slip *s);
void dls_slip_destroy(dls_slip *s);
/** A smooth interval of length h that ends at time t. */
typedef struct dls_smooth_interval {
  double t, h;
  const dls_contacts *closed; /* the contacts with forces */
  const double *before;       /* rows: u at its start */
  const double *lambda;       /* rows: forces at its end */
  double *q, *v;              /* n: at its end; changed */
} dls_smooth_interval;
/**
 * At the end of an interval, where the contact system is; ends the interval. u_T is linear in time. Where a slip ends, its effect
 * on q in the rest of the interval is removed.
 * @param[out] changed  whether a slip ended: q and v have changed, or the forces there
 */
dls_status dls_slip_catch(dls_sim *sim, dls_contact_system *contacts, dls_slip *s,
                          const dls_smooth_interval *interval, bool *changed, dls_error *err);
/** h, or less where a surface jumps before t + h for the t of the sim: the way ends with the jump. */
double dls_slip_way(const dls_sim *sim, dls_contact_system *contacts, double h);
/** 1, or 2 where closed contact j slips, with u, gamma, lambda[rows] of the node. */
int dls_slip_status(const dls_contact_system *contacts, size_t j, const double *u, const double *gamma,
                    const double *lambda);

#endif
