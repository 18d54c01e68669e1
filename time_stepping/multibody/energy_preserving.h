/* energy_preserving.h -- state of the midpoint rule with discrete derivatives, also read by its energy identity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_ENERGY_PRESERVING_H
#define DELASSUS_TIME_STEPPING_ENERGY_PRESERVING_H

#include "time_stepping/multibody/block_matrix.h"
#include "time_stepping/multibody/segment.h"
#include "time_stepping/multibody/yielding.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/velocity_contact.h"

typedef struct dls_energy_preserving_options {
  int contact; /* one of the choices below */
  double kappa;
  double gamma;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
} dls_energy_preserving_options;
enum { DLS_CONTACT_LAW, DLS_CONTACT_PENALTY, DLS_CONTACT_MIDPOINT_PENALTY };

typedef struct dls_energy_preserving {
  dls_configuration config; /* contacts: H at q + h v/2 */
  dls_segment interval;     /* from q to q' */
  dls_matrix *G;            /* n x r: G(q'); NULL without joints */
  dls_block_matrix *J;      /* NULL where A takes its place: */
  dls_factor *A; /* of linear systems without joints or springs as contacts, for steps `factored`; else NULL */
  double factored; /* 0: not yet */
  bool penalty;
  dls_velocity_contact contact;                       /* contact=law */
  dls_yielding yielding;                              /* contact=penalty */
  double *v_free, *v_next, *v_last, *q_next, *v_mean; /* n */
  double *x;                                          /* n + r, with penalty + m: scratch */
  double *phi, *momentum, *momentum_last;             /* r: Phi(q'), Lambda */
  double *block;                                      /* owns the arrays */
} dls_energy_preserving;

/** Are its contacts springs (options contact=penalty, midpoint-penalty)? */
static inline bool dls_energy_preserving_yields(const dls_sim *sim)
{
  const dls_energy_preserving_options *opt = sim->options;
  return opt->contact != DLS_CONTACT_LAW;
}

#endif
