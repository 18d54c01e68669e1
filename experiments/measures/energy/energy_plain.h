/* experiments/measures/energy/energy_plain.h -- works of a step where no identity is known: integrals along the scheme's path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H
#define DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H

#include "experiments/measures/energy/energy_contacts.h"
#include <delassus/balance.h>
#include <delassus/contact_mode.h>
#include <delassus/contact_system.h>
#include <delassus/measures.h>
#include <delassus/trajectory.h>
#include <gsl/gsl_integration.h>

/** Smooth works of a step and the losses of its impacts. */
typedef struct dls_energy_plain {
  gsl_integration_glfixed_table *gauss;
  dls_measures *measures;              /* of a mass that varies, else NULL */
  double *q, *w, *F, *work;            /* n: point and velocity on the path, force, scratch */
  double *lambda, *lambda_t;           /* m, (d - 1) m: contact forces at the start of the step */
  double *r;                           /* rows: contact forces at a point of the path */
  double *mu, *rate;                   /* r: joint forces there, or impulses; dPhi/dt */
  double *block;                       /* owns them */
  dls_contact_system contact_system;   /* where works of contacts are split: contact there */
  dls_contacts lasting;                /* contacts that stay closed in the step */
  bool *slips;                         /* m: contact slips at the start of the step */
  dls_contact_mode *mode;              /* m: what lasting contacts do along their tangents */
  dls_mode_solver *solver;             /* their forces; NULL without friction */
  dls_work unused;                     /* the stage counts its work there */
  bool splits;                         /* the system has tangents, or supports that move, or driven joints */
  bool drives;                         /* it has driven joints */
  dls_contact_works works;             /* of the step, or of its part so far */
  double of_events;                    /* 1/2 (u+ + u-) p of the impacts that the step reported [J] */
  bool spread;                         /* the step is an accumulation that was passed */
  size_t seen;                         /* events accounted for */
  bool *struck;                        /* m: the step has an impact of this contact */
  const dls_energy_contacts *contacts; /* borrowed: what the last steps had */
  bool yields;                         /* contacts store what they take: their events are no impacts of a law */
} dls_energy_plain;

/** Release it in any case. @param[in] measures  borrowed @return DLS_OK; DLS_ERR_MEMORY; as dls_contact_system_create_mass */
dls_status dls_energy_plain_create(const dls_system *sys, dls_measures *measures, dls_energy_plain *plain,
                                   dls_error *err);
void dls_energy_plain_release(dls_energy_plain *plain);
/** The step from here on begins at the sim's state. */
void dls_energy_plain_keep(dls_energy_plain *plain, const dls_sim *sim);
/**
 * External and damping work of the step from (t, q, v) to the sim's state, or to its left limit where dls_energy_plain_jumps, and the
 * work of lasting contact forces; terms are left alone.
 * @param[in] record  holds the events that the scheme reported
 * @return as dls_contact_system_reaction
 */
dls_status dls_energy_plain_step(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record,
                                 double t, const double *q, const double *v, dls_balance_step *out,
                                 dls_error *err);
/** plain->q, plain->w := the path at the fraction s of the step of length h from (q, v) to the sim's state. */
void dls_energy_plain_at(dls_energy_plain *plain, const dls_sim *sim, double s, double h, const double *q,
                         const double *v);
/** Does the step end at an instant with impulses, its left limit a row of its own? Of schemes that locate events; the left limit of
 * others is a velocity without the impulses of the whole step, at a position that has them. */
bool dls_energy_plain_jumps(const dls_energy_plain *plain, const dls_sim *sim, double t);
/** Works of the impulses of the step from (t, v), alone where it jumps, else added to what the step has. @return as dls_contact_system_at */
dls_status dls_energy_plain_impulses(dls_energy_plain *plain, const dls_sim *sim, double t, const double *v,
                                     dls_balance_step *out, dls_error *err);

#endif
