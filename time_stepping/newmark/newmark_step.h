/* newmark_step.h -- the step that the nonsmooth Newmark, HHT and generalized-alpha schemes share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_STEP_H
#define DELASSUS_TIME_STEPPING_NEWMARK_STEP_H

#include "common/linear/tridiagonal_fused.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/newmark_equations.h"
#include "time_stepping/step/velocity_contact.h"
#include <delassus/scheme.h>

/** Options of all members of the Newmark family. */
typedef struct dls_newmark_contact_options {
  double forecast;
  int velocity_test;
  double velocity_tol;
  dls_newton_options newton;
} dls_newmark_contact_options;

/** Those of all members; each has its own of them in its table. */
typedef struct dls_newmark_options {
  double gamma, beta;
  double alpha; /* HHT */
  int parameters;
  double rho_inf, alpha_m, alpha_f;
  int joints;    /* a dls_newmark_joint_levels */
  int stability; /* 1: coefficients outside the range of unconditional stability are accepted */
  int restart;   /* of formulas of two steps: 1: behind an impact with one */
  dls_newmark_contact_options contact;
} dls_newmark_options;

/** The coefficients of one member of the family, and how it treats contact. */
typedef struct dls_newmark {
  double alpha_m, alpha_f, beta, gamma;
  bool krenk_hogsberg; /* damping and load averaged with alpha_m instead of alpha_f; linear systems only */
} dls_newmark;

/** State for the next step and for the energy ledger. Arrays of n. */
typedef struct dls_newmark_memory {
  dls_newmark c;
  dls_configuration config; /* H at q + (h/2) v, M at the iterate */
  dls_factor *A, *M;
  dls_velocity_contact contact;
  dls_newton newton;
  bool position;                         /* contact at position level */
  double h;                              /* of the factors; 0: there are none yet */
  double t_next;                         /* where the step ends */
  double gamma_s, beta_s;                /* sensitivities: dv'/d(unknown) = h gamma_s, dq' = h^2 beta_s */
  double weight_k, weight_c;             /* B or -T = -(weight_c C + weight_k (h/2) K) */
  struct dls_newmark_joints *joints;     /* NULL without */
  struct dls_small_system *small_system; /* the numbers of a small system, for many steps at once; NULL */
  struct dls_multistep *multistep;       /* NULL: predictors of one step */
  dls_primal_dual *primal_dual;          /* where every contact moves an unknown of its own; NULL */
  bool reduces;                          /* the step was made with it: v_free is not known */
  bool fused;                            /* steps with tridiagonal factors are fused: newmark_fused.h */
  bool in_place;                         /* the fused step has set q and v of the sim already */
  dls_rows struck;                       /* then w is 0 outside of these rows ... */
  double rest;                           /* ... or no more than this, which changes no bit of the step */
  double steepness, stiffness; /* of the factors of M, dls_tridiagonal_steepness; largest sum of |K| in a row */
  double *a, *vt, *load;       /* a_k; nonlinear: vt_k; linear: F_ext(t_k) */
  double *a_next, *vt_next, *load_next;
  double *v_star, *q_star, *v_free, *v_next, *q_next, *w, *rhs, *x;
  double *w_load; /* M^-1 D of load_rows.h, a velocity jump like w; of a step with `row` */
  bool row;       /* the step contains a row of a table of loads */
  double *block;  /* owns the arrays */
} dls_newmark_memory;

#define DLS_NEWMARK_REAL(field, help, initial, min, max, open)                                                 \
  DLS_REAL_OPTION(0, dls_newmark_options, field, "1", help, initial, min, max, open)
#define DLS_NEWMARK_STABILITY_OPTION                                                                           \
  DLS_CHOICE_OPTION(0, dls_newmark_options, stability,                                                         \
                    "coefficients that are not unconditionally stable: refuse or accept (ignore)", 0,          \
                    dls_newmark_stability_choices)
extern const char *const dls_newmark_stability_choices[];
#define DLS_NEWMARK_HHT_OPTION                                                                                 \
  DLS_NEWMARK_REAL(alpha, "numerical damping: gamma = 1/2 + alpha, beta = (1 + alpha)^2 / 4", 0.1, 0, 1. / 3, 0)

enum { DLS_NEWMARK_CONTACT = offsetof(dls_newmark_options, contact) };
#define DLS_NEWMARK_NEWTON_OPTIONS                                                                             \
  DLS_NEWTON_OPTIONS(DLS_NEWMARK_CONTACT + offsetof(dls_newmark_contact_options, newton), "v_s",               \
                     DLS_NEWTON_VELOCITY "velocity scale", 1e-11, DLS_NEWTON_MAX, 20)
#define DLS_NEWMARK_CONTACT_OPTIONS                                                                            \
  DLS_REAL_OPTION(DLS_NEWMARK_CONTACT, dls_newmark_contact_options, forecast, "1",                             \
                  "a contact is active if its gap at t + forecast h is closed", 1, 0, 1, 0),                   \
      DLS_CHOICE_OPTION(DLS_NEWMARK_CONTACT, dls_newmark_contact_options, velocity_test,                       \
                        "only contacts that do not separate are active", 1, dls_off_on),                       \
      DLS_REAL_OPTION(DLS_NEWMARK_CONTACT, dls_newmark_contact_options, velocity_tol, "v_s",                   \
                      "gap velocity up to which a contact does not separate, in units of the model's "         \
                      "velocity scale",                                                                        \
                      1e-9, 0, 1, 0),                                                                          \
      DLS_NEWMARK_NEWTON_OPTIONS

/** Of joints: positions and velocities, or positions alone but for impacts. */
typedef enum dls_newmark_joint_levels { DLS_NEWMARK_BOTH, DLS_NEWMARK_POSITIONS } dls_newmark_joint_levels;
extern const char *const dls_newmark_joint_choices[];
#define DLS_NEWMARK_JOINT_OPTION                                                                               \
  DLS_CHOICE_OPTION(0, dls_newmark_options, joints,                                                            \
                    "equations of joints: positions and velocities (both), or positions alone where no "       \
                    "contact strikes (positions: index 3)",                                                    \
                    0, dls_newmark_joint_choices)

#define DLS_MULTISTEP_OPTION                                                                                   \
  DLS_CHOICE_OPTION(0, dls_newmark_options, restart,                                                           \
                    "steps with an impact, and the next one, by the formula of one step", 1, dls_off_on)

/** The kind of a member. */
typedef struct dls_newmark_kind {
  /** Of the options; NULL: those of a formula of two steps, computed in each step. */
  dls_newmark (*coefficients)(const dls_newmark_options *opt);
  /** NULL: all values that the options allow are good. */
  bool (*good)(const dls_newmark *c);
  const char *claim; /* the property that other values lack, and its condition */
  bool krenk_hogsberg;
  bool position; /* contact at position level, else at velocity level */
  bool restores; /* and a velocity jump after the step restores the energy lost by the impulses */
  const struct dls_multistep_formula *formula; /* NULL: of one step */
} dls_newmark_kind;

/** What the entries have in common; also: what else they treat, or 0. */
#define DLS_NEWMARK_ENTRY(also)                                                                                \
  .family = DLS_FAMILY_NEWMARK, .options_size = sizeof(dls_newmark_options), .stepping = DLS_BY_STEP,          \
  .handles = DLS_HANDLES_ANY_STEP | (also), .q_between = DLS_LINEAR, .v_between = DLS_LINEAR,                  \
  .start = dls_newmark_start, .starts_again = dls_newmark_starts_again, .advance = dls_newmark_advance,        \
  .finish = dls_newmark_finish

/** gamma and beta as given. */
dls_newmark dls_newmark_given(const dls_newmark_options *opt);
/** 2 beta >= gamma >= 1/2? */
bool dls_newmark_stable(const dls_newmark *c);
extern const char dls_newmark_stability[]; /* the claim for that */
/** The coefficients of HHT for alpha in [0, 1/3]. */
dls_newmark dls_newmark_hht(const dls_newmark_options *opt);
/** Refuse coefficients that are not `good`, unless stability=ignore. */
dls_status dls_newmark_check(const dls_scheme *self, const void *options, dls_error *err);
dls_status dls_newmark_start(dls_sim *sim, dls_error *err);
bool dls_newmark_starts_again(const dls_sim *sim);
dls_status dls_newmark_advance(dls_sim *sim, double h, dls_error *err);
/** Of linear systems with up to 8 degrees of freedom and 4 contacts, without friction; contact at velocity level. */
void dls_newmark_advance_batch(dls_batch_member *member, size_t count);
/** The state was set from outside: for alpha_m = alpha_f = 0, where a = M^-1 F(t, q, v) at every node. */
dls_status dls_newmark_moved(dls_sim *sim, dls_error *err);
void dls_newmark_finish(dls_sim *sim);
/** v', q', a' of (2)-(4) for the iterates vt_next and w. */
static inline void dls_newmark_update(const dls_sim *sim, dls_newmark_memory *s, double h)
{
  const dls_newmark *c = &s->c;
  const double v_a = DLS_NEWMARK_V_A_NEXT(h, c->gamma), q_a = DLS_NEWMARK_Q_A_NEXT(h, c->beta);
  for (size_t i = 0; i < sim->sys->n; i++) {
    if (!sim->sys->linear) {
      s->a_next[i] = DLS_NEWMARK_FILTER(c->alpha_m, c->alpha_f, s->vt[i], s->vt_next[i], s->a[i]); /* (4) */
    }
    s->v_next[i] = DLS_NEWMARK_UPDATE(s->v_star[i], v_a, s->a_next[i]) + s->w[i];                     /* (2) */
    s->q_next[i] = DLS_NEWMARK_UPDATE(s->q_star[i], q_a, s->a_next[i]) + DLS_NEWMARK_Q_W(h, s->w[i]); /* (3) */
  }
}

/** The member that others use as their one-step map. */
extern const dls_scheme dls_scheme_nonsmooth_newmark;

#endif
