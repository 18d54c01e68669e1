/* impact_contacts.h -- impact law on a set of touching contacts, and the contacts that remain closed after it.
 *   impact:  0 <= W P + U_free + E U-  _|_  P >= 0,   v+ = v_free + M^-1 H P on contacts that do not separate; repeated
 *            with contacts that now approach (impact_sequence.h);
 *   stay:    contacts with U+ <= T W_jj lambda_j, lambda from the acceleration problem on all of them;
 * an impact that leaves such a velocity ends an accumulation: its contact then has e = 0.
 * Sources: Acary, lecture, eqs. (24)-(31); the threshold in proportion to the step is this project's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPACT_CONTACTS_H
#define DELASSUS_TIME_STEPPING_IMPACT_CONTACTS_H

#include "time_stepping/step/impact_sequence.h"
#include "time_stepping/step/instant.h"

typedef struct dls_touch {
  double u_minus, u_plus; /* u_minus is 0 where no restitution applies */
  double impulse;
  double press;    /* W_jj lambda_j [m/s^2] if it stays */
  double u_struck; /* if struck */
  bool was_closed, stays, passed;
  bool struck; /* impacts of other contacts made it approach, last with u_struck */
} dls_touch;

typedef struct dls_impact_contacts {
  dls_contacts set;   /* the touching contacts: set by the caller, with touch[].u_minus and was_closed */
  dls_contacts stays; /* the contacts that remain closed */
  dls_touch *touch;   /* m, in the order of set */
  dls_impact_sequence sequence;
  double *lambda, *gamma; /* rows */
  double *a, *v_start;    /* n */
  double *block;
} dls_impact_contacts;

/** @return false if out of memory; destroy it in any case */
bool dls_impact_contacts_create(const dls_system *sys, dls_impact_contacts *s);
void dls_impact_contacts_destroy(dls_impact_contacts *s);
/** Add contact j (increasing) to the set. */
void dls_impact_contacts_add(dls_impact_contacts *s, size_t j, double u_minus, bool was_closed);
/**
 * @param[in]     stick  T above [s]; negative: no contact remains closed
 * @param[in]     noise  round-off of a gap [m]: flights lower than a few of it end an accumulation too
 * @param[in,out] v      n; v_free in, v+ out, with U+ = 0 where a contact remains closed
 */
dls_status dls_impact_contacts_solve(dls_sim *sim, dls_contact_system *contacts, dls_impact_contacts *s,
                                     double t, const double *q, double stick, double noise, double *v,
                                     dls_error *err);
/** sim->p and the events at t. closed: the contacts closed after them, in ascending order as s->set. @return whether there was an impulse that stopped an approach
 */
bool dls_impact_contacts_report(dls_sim *sim, const dls_contact_system *contacts, const dls_impact_contacts *s,
                                double t, const dls_contacts *closed);

#endif
