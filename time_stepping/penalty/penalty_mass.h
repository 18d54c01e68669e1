/* penalty_mass.h -- the velocity constraint of closed contacts by a mass penalty.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PENALTY_MASS_H
#define DELASSUS_TIME_STEPPING_PENALTY_MASS_H

#include "time_stepping/penalty/penalty_step.h"

/**
 * sim->v := the velocity that belongs to the momenta M s->v, sim->lambda and sim->p with it; without mass penalty
 * sim->v = s->v. sim->q and the configuration are those of the end of the step. Nothing else is changed.
 */
dls_status dls_penalty_mass_velocity(dls_sim *sim, dls_penalty *s, double h, dls_error *err);

#endif
