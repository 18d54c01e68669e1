/* theta_memory.h -- what the theta-method keeps from step to step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_MEMORY_H
#define DELASSUS_TIME_STEPPING_THETA_MEMORY_H

#include "time_stepping/moreau/theta_joints.h"
#include "time_stepping/step/small_system.h"
#include "time_stepping/step/velocity_contact.h"

typedef struct dls_theta_memory {
  dls_configuration config; /* of the step: M and H where the option place says */
  dls_factor *A;
  dls_velocity_contact contact;
  dls_theta_joints joints;                                      /* solver NULL without joints */
  double *load;                                                 /* n: F_ext(t_k); nonlinear F(t_k, q_k, v_k) */
  double *load_next, *v_free, *v_next, *v_last, *q_next, *work; /* n */
  double *block;                                                /* owns the arrays */
  double load_time;                                             /* linear: of load */
  double factored;                                              /* h of A; 0: there is none yet */
  double t_next;                                                /* where the step ends */
  double eta;
  dls_primal_dual *primal_dual;   /* where every contact moves an unknown of its own; NULL */
  bool reduces;                   /* the step was made by it: v_free is A (v_free - v) */
  bool fused;                     /* steps with tridiagonal factors are fused: theta_fused.h */
  bool in_place;                  /* the fused step has set q and v of the sim already */
  dls_small_system *small_system; /* the numbers of a small system, for many steps at once; NULL */
} dls_theta_memory;

#endif
