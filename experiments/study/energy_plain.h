/* experiments/study/energy_plain.h -- works of a step where no identity is known: integrals along the scheme's path.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H
#define DELASSUS_EXPERIMENTS_ENERGY_PLAIN_H

#include <delassus/balance.h>
#include <delassus/grip.h>
#include <delassus/measures.h>
#include <delassus/stage.h>
#include <delassus/trajectory.h>
#include <gsl/gsl_integration.h>

/** Smooth works of a step and the losses of its impacts. */
typedef struct dls_energy_plain {
  gsl_integration_glfixed_table *gauss;
  dls_measures *measures;    /* of a mass that varies, else NULL */
  double *q, *w, *F, *work;  /* n: point and velocity on the path, force, scratch */
  double *lambda, *lambda_t; /* m, (d - 1) m: contact forces at the start of the step */
  double *r;                 /* rows: contact forces at a point of the path */
  double *block;             /* owns them */
  dls_stage stage;           /* where contacts are told apart: contact there */
  dls_contacts lasting;      /* contacts that stay closed in the step */
  bool *slips;               /* m: contact slips at the start of the step */
  dls_grip *grip;            /* m: what lasting contacts do along their tangents */
  dls_grips *grips;          /* their forces; NULL without friction */
  dls_work unused;           /* the stage counts its work there */
  bool told;                 /* the system has tangents, or supports that move */
  double works[3];           /* then impact is the sum of: normal, friction, drive of the step [J] */
  size_t seen;               /* events accounted for */
  bool yields;               /* contacts store what they take: their events are no impacts of a law */
} dls_energy_plain;

/** Release it in any case. @param[in] measures  borrowed @return DLS_OK; DLS_ERR_MEMORY; as dls_stage_create_mass */
dls_status dls_energy_plain_create(const dls_system *sys, dls_measures *measures, dls_energy_plain *plain,
                                   dls_error *err);
void dls_energy_plain_release(dls_energy_plain *plain);
/** The step from here on begins at the sim's state. */
void dls_energy_plain_keep(dls_energy_plain *plain, const dls_sim *sim);
/**
 * External, damping and impact work of the step from (t, q, v) to the sim's state; terms are left alone.
 * @param[in] record  holds the events that the scheme reported
 * @return as dls_stage_reaction
 */
dls_status dls_energy_plain_step(dls_energy_plain *plain, const dls_sim *sim, const dls_trajectory *record,
                                 double t, const double *q, const double *v, dls_balance_step *out,
                                 dls_error *err);

#endif
