/* static_friction.h -- friction with mu_s > mu: a law that depends on the previous status of a contact.
 *
 *   A sticking contact remains sticking while |p_T| <= mu_s p_N; else it slips, with mu.
 *   A contact that slips, with mu, sticks if that is what mu allows, or if its slip reverses in the step and
 *   |p_T| <= mu_s p_N holds it.
 *   In an impact there is mu alone.
 *
 * At velocity level such a step has several solutions; the status selects one. Each contact decides alone, so that contacts with
 * mu_s > mu must not be coupled with others.
 * Source: the rules of the event-driven method (Acary, lecture, eqs. (30), (31)) applied to steps by this project.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_STATIC_FRICTION_H
#define DELASSUS_TIME_STEPPING_STATIC_FRICTION_H

#include "time_stepping/step/velocity_contact.h"

/**
 * Impulses of the active contacts, with the status that sim has at the beginning of the step.
 * @return as dls_contact_system_impulse; DLS_ERR_NOT_APPLICABLE where contacts are coupled, or the system is not linear
 */
dls_status dls_static_friction_solve(dls_sim *sim, dls_velocity_contact *c, dls_error *err);

#endif
