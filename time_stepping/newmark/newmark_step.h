/* newmark_step.h -- the step that the nonsmooth Newmark, HHT and generalized-alpha schemes share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_NEWMARK_STEP_H
#define DELASSUS_TIME_STEPPING_NEWMARK_STEP_H

#include "time_stepping/step/iteration.h"
#include "time_stepping/step/velocity_contact.h"
#include <delassus/scheme.h>

/** The coefficients of one member of the family, and how it treats contact. */
typedef struct dls_newmark {
  double alpha_m, alpha_f, beta, gamma;
  bool krenk_hogsberg; /* damping and load averaged with alpha_m instead of alpha_f; linear systems only */
} dls_newmark;

/** What a step leaves for the next, and for the energy ledger. Arrays of n. */
typedef struct dls_newmark_memory {
  dls_newmark c;
  dls_place place; /* H at q + (h/2) v, M at the iterate */
  dls_factor *A, *M;
  dls_velocity_contact contact;
  dls_newton newton;
  double h;                  /* of the factors */
  double gamma_s, beta_s;    /* sensitivities: dv'/d(unknown) = h gamma_s, dq' = h^2 beta_s */
  double weight_k, weight_c; /* B or -T = -(weight_c C + weight_k (h/2) K) */
  double *a, *vt, *load;     /* a_k; nonlinear: vt_k; linear: F_ext(t_k) */
  double *a_next, *vt_next, *load_next;
  double *v_star, *q_star, *v_free, *v_next, *q_next, *w, *rhs, *x;
  double *block; /* owns the arrays */
} dls_newmark_memory;

/** Whether coefficients outside the range of unconditional stability are refused. */
#define DLS_NEWMARK_STABILITY_OPTION                                                                           \
  {                                                                                                            \
    "stability", "", "coefficients that are not unconditionally stable: refuse, or run them all the same", 0,  \
        0, 1, DLS_CHOICE, 0, dls_newmark_stability_choices                                                     \
  }
extern const char *const dls_newmark_stability_choices[];

/** Options that every member of the family has, in this order, behind its own. */
#define DLS_NEWMARK_CONTACT_OPTIONS                                                                            \
  {"forecast", "1", "a contact is active if its gap at t + forecast h is closed", 1, 0, 1, DLS_REAL, 0, NULL}, \
      {"velocity_test", "", "only contacts that do not separate are active", 1, 0, 1, DLS_CHOICE, 0,           \
       dls_off_on},                                                                                            \
      {"velocity_tol",                                                                                         \
       "v_s",                                                                                                  \
       "gap velocity up to which a contact does not separate, in units of the model's velocity scale",         \
       1e-9,                                                                                                   \
       0,                                                                                                      \
       1,                                                                                                      \
       DLS_REAL,                                                                                               \
       0,                                                                                                      \
       NULL},                                                                                                  \
      {"newton_tol",                                                                                           \
       "v_s",                                                                                                  \
       "nonlinear systems: last velocity increment accepted, in units of the velocity scale",                  \
       1e-11,                                                                                                  \
       0,                                                                                                      \
       1,                                                                                                      \
       DLS_REAL,                                                                                               \
       DLS_OPEN_MIN,                                                                                           \
       NULL},                                                                                                  \
  {                                                                                                            \
    "newton_max", "1", "nonlinear systems: iterations allowed in a step", 20, 1, 1000, DLS_INTEGER, 0, NULL    \
  }

/** Newmark's coefficients (alpha_m = alpha_f = 0): 2 beta >= gamma >= 1/2? */
bool dls_newmark_stable(const dls_newmark *c);
extern const char dls_newmark_stability[]; /* the claim below for that */
/** The coefficients of HHT for alpha in [0, 1/3]. */
dls_newmark dls_newmark_hht(double alpha);
/** Refuse coefficients. @param[in] claim  what they are not, and what that needs, e.g. "unconditionally stable,
 * which needs 2 beta >= gamma >= 1/2" @return DLS_ERR_OPTION */
dls_status dls_newmark_refuse(const char *scheme, const dls_newmark *c, const char *claim, dls_error *err);
/** @param[in] first  position of the first of DLS_NEWMARK_CONTACT_OPTIONS in the scheme's table */
dls_status dls_newmark_start(dls_sim *sim, const dls_newmark *coefficients, size_t first, dls_error *err);
dls_status dls_newmark_advance(dls_sim *sim, double h, dls_error *err);
/** The state was set from outside: for alpha_m = alpha_f = 0, where a = M^-1 F(t, q, v) at every node. */
dls_status dls_newmark_moved(dls_sim *sim, dls_error *err);
void dls_newmark_finish(dls_sim *sim);

#endif
