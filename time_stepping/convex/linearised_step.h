/* linearised_step.h -- a semi-implicit Euler step whose members pose its contact problem: with gaps linearised in the velocity, with
 * a convex friction cone, or in two problems.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_LINEARISED_STEP_H
#define DELASSUS_TIME_STEPPING_LINEARISED_STEP_H

#include "time_stepping/convex/balance_linearised.h"
#include "time_stepping/convex/thresholds.h"
#include "time_stepping/step/own_restitution.h"
#include "time_stepping/step/velocity_contact.h"

/** Which contacts are in the problem of a step. */
typedef enum dls_known_contacts { DLS_KNOWN_ALL, DLS_KNOWN_NEAR, DLS_KNOWN_CLOSED } dls_known_contacts;

/** The options of a member begin with these. */
typedef struct dls_linearised_options {
  int contacts;    /* a dls_known_contacts */
  double envelope; /* m */
} dls_linearised_options;
extern const char *const dls_known_contacts_choices[];
#define DLS_KNOWN_OPTIONS(known)                                                                               \
  DLS_CHOICE_OPTION(0, dls_linearised_options, contacts,                                                       \
                    "contacts in the problem of a step: all, those with a gap up to the envelope (near), or "  \
                    "only those that touch (closed)",                                                          \
                    known, dls_known_contacts_choices),                                                        \
      DLS_REAL_OPTION(0, dls_linearised_options, envelope, "m", "contacts=near: largest gap in the problem",   \
                      0.03, 0, DBL_MAX, 0)

/** State kept from step to step; the memory of a member. */
typedef struct dls_linearised {
  dls_velocity_contact contact;    /* in the mass metric, at (t', q) */
  double *bias;                    /* rows: of the laws; tangents 0 */
  double *e;                       /* m: restitution coefficients of the model */
  double *gap;                     /* m: the gap of U' = 0 at the end of the step, g(t', q) - h b(t') */
  double *force, *v_free, *v_next; /* n: h F, free velocity, v' */
  double *second;                  /* rows: impulses of a second problem */
  double *phi;                     /* r: -Phi(t', q)/h */
  double *block;                   /* owns the arrays */
} dls_linearised;

/** What a member does; the kind of its entry. */
typedef struct dls_linearised_kind {
  /** Mixtures and biases of the laws, from s->gap and U in s->contact.velocity. NULL: both are 0. */
  void (*pose)(const dls_sim *sim, dls_linearised *s, double h);
  /** Ends a step whose first problem is solved: v' in s->v_next with all impulses, in contact.impulse. NULL: nothing to add. */
  dls_status (*expand)(dls_sim *sim, dls_linearised *s, dls_error *err);
  /** Further checks and choices at the start. NULL: none. */
  dls_status (*prepare)(dls_sim *sim, dls_linearised *s, dls_error *err);
} dls_linearised_kind;

/** contacts=near alone reads the envelope. */
dls_status dls_linearised_check(const dls_scheme *self, const void *options, dls_error *err);
dls_status dls_linearised_start(dls_sim *sim, dls_error *err);
dls_status dls_linearised_advance(dls_sim *sim, double h, dls_error *err);
dls_status dls_linearised_moved(dls_sim *sim, dls_error *err);
void dls_linearised_finish(dls_sim *sim);

/** What the entries have in common. */
#define DLS_LINEARISED_ENTRY                                                                                   \
  .family = DLS_FAMILY_CONVEX, .stepping = DLS_BY_STEP,                                                        \
  .handles = DLS_HANDLES_MOVING_GAPS | DLS_HANDLES_ANY_STEP | DLS_HANDLES_FRICTION | DLS_HANDLES_JOINTS,       \
  .q_between = DLS_LINEAR, .v_between = DLS_LINEAR, .start = dls_linearised_start,                             \
  .advance = dls_linearised_advance, .moved = dls_linearised_moved, .finish = dls_linearised_finish,           \
  .thresholds = dls_convex_thresholds, .balance = &dls_balance_linearised

#endif
