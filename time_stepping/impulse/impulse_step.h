/* impulse_step.h -- what the schemes of this family share: their memory, the motion without contact, and the report of a step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_STEP_H
#define DELASSUS_TIME_STEPPING_IMPULSE_STEP_H

#include "time_stepping/impulse/impulse_contacts.h"
#include "time_stepping/impulse/impulse_equations.h"
#include "time_stepping/impulse/impulse_joints.h"
#include "time_stepping/impulse/thresholds.h"
#include "time_stepping/step/euler_equations.h"

typedef struct dls_impulse_memory {
  dls_impulse_contacts contacts;
  dls_impulse_joints joints;
  double eps_u;         /* m/s: an impact has U < -eps_u */
  double eps_g;         /* m: rounding of a gap at rest, from the coordinates at the start */
  double h;             /* of the last step; 0: there is none */
  double *q, *v;        /* n: state on the way through the step */
  double *v_free;       /* n: v of the step without impulses */
  double *a;            /* n: M^-1 F */
  bool steady;          /* a is constant */
  bool a_known;         /* a is constant and has been evaluated in this step */
  double *work;         /* n: scratch */
  double *U;            /* rows: velocities at the start of the step */
  double *total;        /* rows: impulses of the step */
  double *gap;          /* m */
  double *before;       /* rows: velocities before contact is solved */
  double *works;        /* the memory of balance_impulse.c; NULL: no ledger is kept */
  unsigned char *fixed; /* m: contacts with supports; NULL unless the scheme asks */
  double *block;        /* owns the arrays of doubles */
} dls_impulse_memory;

#define DLS_IMPULSE_ENTRY                                                                                      \
  .family = DLS_FAMILY_IMPULSE, .stepping = DLS_BY_STEP, .q_between = DLS_LINEAR, .v_between = DLS_LINEAR,     \
  .finish = dls_impulse_finish, .thresholds = dls_impulse_thresholds, .balance = &dls_balance_impulse
/** What all of them handle. */
#define DLS_IMPULSE_HANDLES                                                                                    \
  (DLS_HANDLES_FRICTION | DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP |                \
   DLS_HANDLES_APPROACH_SPEED)

dls_status dls_impulse_start(dls_sim *sim, dls_error *err);
void dls_impulse_finish(dls_sim *sim);
/** q, v, v_free and U := those of the sim, without impulses; M, H, G, Phi there, b at the end of the step.
 * @return as dls_contact_system_at */
dls_status dls_impulse_begin(dls_sim *sim, dls_impulse_memory *s, double h, dls_error *err);
/** Time at the start of substep i < count of a step h, and for i = count at its end. Adjacent substeps get the same bits. */
double dls_impulse_time(const dls_sim *sim, double h, size_t i, size_t count);
/** v := v + h M^-1 F, and v_free with it, over a (sub)step from t to t_next; (1) of impulse_equations.h. */
void dls_impulse_free_motion(dls_sim *sim, dls_impulse_memory *s, double t, double t_next, double h);
/** Restitution coefficient of contact j for an approach with the velocities u_minus[d]. */
double dls_impulse_restitution(dls_impulse_memory *s, size_t j, const double *u_minus);
/** total += r, of the contacts of the set and of the joints, after this many sweeps, which are counted. */
void dls_impulse_collect(dls_impulse_memory *s, size_t sweeps);
/** Sweeps are truncated: where an impact acts on coupled contacts or joints, their error does not vanish with h. @return
 * DLS_ERR_NOT_APPLICABLE there: the limit model is not known */
dls_status dls_impulse_limit(const dls_scheme *self, const dls_limit_contact *contact, dls_error *err);
/** Write q, v, p, mu, status, events and the jump of the sim at the end of the step. */
void dls_impulse_take(dls_sim *sim, dls_impulse_memory *s, double h);

#endif
