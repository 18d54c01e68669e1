/* theta_step.h -- the step that the Moreau-Jean scheme and its variant share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THETA_STEP_H
#define DELASSUS_TIME_STEPPING_THETA_STEP_H

#include "time_stepping/moreau/theta_joints.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/small_system.h"
#include "time_stepping/step/velocity_contact.h"

/** Where a theta-step takes M and H: q + h theta v, q, or (1 - theta) q + theta q' of the step itself. */
typedef enum dls_theta_place { DLS_THETA_AHEAD, DLS_THETA_START, DLS_THETA_IMPLICIT } dls_theta_place;

/** Moreau-Jean and its variant; the last three are not in the tables of all members. */
typedef struct dls_theta_options {
  double theta, gamma;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
  int place;        /* a dls_theta_place */
  int gap_forecast; /* 1: g + gamma h U, linear in v */
  int stability;    /* 1: theta < 1/2 is accepted */
} dls_theta_options;

#define DLS_THETA_OPTIONS(base, gamma_initial, velocity_test_initial)                                          \
  DLS_THETA_OPTIONS_FROM(0.5, base, gamma_initial, velocity_test_initial)
/* With the least theta. */
#define DLS_THETA_OPTIONS_FROM(least, base, gamma_initial, velocity_test_initial)                              \
  DLS_REAL_OPTION(base, dls_theta_options, theta, "1",                                                         \
                  "weight of the end of the step in the smooth forces; 1/2: order 2 without impacts", 0.5,     \
                  least, 1, 0),                                                                                \
      DLS_REAL_OPTION(base, dls_theta_options, gamma, "1",                                                     \
                      "forecast: a contact is active if its gap at t + gamma h is closed", gamma_initial, 0,   \
                      1, 0),                                                                                   \
      DLS_CHOICE_OPTION(base, dls_theta_options, velocity_test,                                                \
                        "only contacts that do not separate are active", velocity_test_initial, dls_off_on),   \
      DLS_REAL_OPTION(base, dls_theta_options, velocity_tol, "v_s",                                            \
                      "gap velocity up to which a contact does not separate, in units of the model's "         \
                      "velocity scale; impacts are counted below minus this",                                  \
                      1e-9, 0, 1, 0),                                                                          \
      DLS_NEWTON_OPTIONS((base) + offsetof(dls_theta_options, newton), "v_s",                                  \
                         DLS_NEWTON_VELOCITY "model's velocity scale", 1e-11, DLS_NEWTON_MAX, 20)

/** Of members that allow any theta in [0, 1]; with dls_theta_check. */
#define DLS_THETA_CHOICES                                                                                      \
  DLS_CHOICE_OPTION(0, dls_theta_options, place,                                                               \
                    "where M and H are taken: q + h theta v (ahead), q (start), or (1 - theta) q + theta q' "  \
                    "of the step itself (implicit)",                                                           \
                    0, dls_theta_place_choices),                                                               \
      DLS_CHOICE_OPTION(                                                                                       \
          0, dls_theta_options, gap_forecast,                                                                  \
          "gap that makes a contact active: g(q + gamma h v) (curved), or g + gamma h U (linear)", 0,          \
          dls_theta_forecast_choices),                                                                         \
      DLS_CHOICE_OPTION(0, dls_theta_options, stability,                                                       \
                        "theta below 1/2, with which undamped motions grow: refuse or accept (ignore)", 0,     \
                        dls_theta_stability_choices)
extern const char *const dls_theta_place_choices[], *const dls_theta_forecast_choices[],
                                                        *const dls_theta_stability_choices[];
/** theta < 1/2 with stability=refuse. @return DLS_ERR_OPTION */
dls_status dls_theta_check(const dls_scheme *self, const void *options, dls_error *err);

/** State kept from step to step. */
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

/** The kind of a member. */
typedef struct dls_theta_kind {
  double eta;      /* of q' = q + h ((1 - eta) v + eta v'); 0: theta */
  size_t joints;   /* where the options have their dls_joint_options; 0: none */
  bool persistent; /* 0 <= U' + U  _|_  P >= 0 in place of the law of each contact */
} dls_theta_kind;

/** What the entries have in common; also: what else they treat, or 0. */
#define DLS_THETA_ENTRY(also)                                                                                  \
  .family = DLS_FAMILY_MOREAU, .stepping = DLS_BY_STEP,                                                        \
  .handles = DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_ANY_STEP | (also), .q_between = DLS_LINEAR,                 \
  .v_between = DLS_LINEAR, .start = dls_theta_start, .starts_again = dls_theta_starts_again,                   \
  .advance = dls_theta_advance, .advance_batch = dls_theta_advance_batch, .moved = dls_theta_moved,            \
  .finish = dls_theta_finish

dls_status dls_theta_start(dls_sim *sim, dls_error *err);
bool dls_theta_starts_again(const dls_sim *sim);
dls_status dls_theta_advance(dls_sim *sim, double h, dls_error *err);
/** Of linear systems with up to 8 degrees of freedom and 4 contacts. */
void dls_theta_advance_batch(dls_batch_member *member, size_t count);
/** The state was set from outside. */
dls_status dls_theta_moved(dls_sim *sim, dls_error *err);
void dls_theta_finish(dls_sim *sim);
double dls_theta_value(const dls_sim *sim); /* the option theta */

/** Members that others use as their one-step maps. */
extern const dls_scheme dls_scheme_moreau_jean, dls_scheme_moreau_jean_variant;

#endif
