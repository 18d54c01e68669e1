/* penalty_step.h -- the step of schemes whose contact forces are functions of gap and gap velocity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_PENALTY_STEP_H
#define DELASSUS_TIME_STEPPING_PENALTY_STEP_H

#include "time_stepping/penalty/compliant_contact.h"
#include "time_stepping/penalty/dry_friction.h"
#include "time_stepping/step/contact_episode.h"
#include "time_stepping/step/iteration.h"

/** The integrator of the continuum, in the notation of Armero & Petocz 1996: forces at t_k + alpha h. */
typedef struct dls_continuum {
  double alpha, beta, gamma;
  bool average; /* trapezoidal: mean of the forces at both ends, not forces at the mean state */
} dls_continuum;

/** Options that every scheme has. */
typedef struct dls_penalty_options {
  int continuum;
  double alpha, beta, gamma;
  dls_newton_options newton; /* also for the contact forces */
} dls_penalty_options;
#define DLS_CONTINUUM_OPTIONS                                                                                  \
  DLS_CHOICE_OPTION(0, dls_penalty_options, continuum, "integrator of the smooth forces", 0,                   \
                    dls_continuum_choices),                                                                    \
      DLS_REAL_OPTION(0, dls_penalty_options, alpha, "1",                                                      \
                      "continuum=hht: weight of the end of the step in the forces", 0.51, 0.5, 1, 0),          \
      DLS_REAL_OPTION(0, dls_penalty_options, beta, "1",                                                       \
                      "continuum=hht: weight of the end of the step in the position", 0.555025, 0, 1, 0),      \
      DLS_REAL_OPTION(0, dls_penalty_options, gamma, "1",                                                      \
                      "continuum=hht: weight of the end of the step in the velocity", 0.99, 0, 1.5, 0)
extern const char *const dls_continuum_choices[]; /* midpoint, trapezoidal, hht */
#define DLS_PENALTY_NEWTON_OPTIONS                                                                             \
  DLS_NEWTON_OPTIONS(offsetof(dls_penalty_options, newton), "v_s", DLS_NEWTON_VELOCITY "velocity scale",       \
                     1e-11, "iterations allowed in a step, for the system and for the contact forces", 50)

/** Input and output of the contact law of a scheme. */
typedef struct dls_penalty_law {
  bool
      conserving; /* y is the dynamic gap at the end of the step and f the pressure of the step; else y is the gap
                      where the forces of the continuum are taken */
  dls_compliant_law at;
  /** Energy stored in contact j at gap g. */
  double (*potential)(const dls_sim *sim, size_t j, double g);
  /** Called at the start of a step, with gap and gap velocity in the memory and the configuration set. May be NULL. */
  dls_status (*begin)(dls_sim *sim, dls_error *err);
} dls_penalty_law;

/** The reported velocity, penalty_mass.h. */
typedef struct dls_penalty_mass {
  double mass;          /* m_p >= 0 */
  size_t augmentations; /* of its momentum */
  bool
      closed_only; /* it acts on contacts that are closed at the end of the step, not on contacts that open in it */
} dls_penalty_mass;

/** State from step to step, for the law and for the energy ledger; the memory of a scheme begins with it. */
typedef struct dls_penalty {
  const dls_penalty_law *law;
  dls_continuum c;
  dls_penalty_mass mass;
  size_t augmentations; /* of the contact forces, in every step */
  double rho;           /* fraction of kappa in their updates */
  dls_newton newton;
  dls_configuration config; /* H where the force acts, M at the iterate */
  dls_factor *A, *M;
  double factored; /* h of A; 0: there is none yet */
  double t_next;   /* where the step ends */
  dls_compliant contact;
  dls_dry *dry;         /* NULL without friction; Coulomb's at first */
  dls_delassus *W_mass; /* H^T M^-1 H, if m_p > 0 */
  double *v, *a;        /* n: M^-1 p with the momenta p, and the acceleration of the last step */
  double *resultant;    /* n, average: F + H f at t_k */
  bool keeps_energy;    /* by energy_constraint.h, with */
  double energy_scale;  /* the largest energy so far */
  double *extra, *kept; /* n: force of the multiplier; 5 n: scratch */
  double *a_next, *v_star, *q_star, *v_next, *q_next, *q_at, *v_at, *rhs; /* n */
  double *gap;                                                            /* m: gap or dynamic gap at t_k */
  double *u_begin;                                                        /* m: gap velocity at t_k, of v */
  double *force;                 /* m: contact force in a, that of the last step (average: mean of its ends) */
  double *f_node;                /* m: force of the law in the last step, or at its end */
  double *force_last, *gap_last; /* m: force and gap a step before */
  double *travel,
      *pushed; /* d m, n, for the ledger where gradients vary: H^T (q' - q), tangents too, and H f_node, with the H of the step */
  bool *touched;                 /* m: touches a step before */
  double *shift;                 /* m: multiplier of the augmentation by kappa: the law acts at y - shift */
  double *rate;                  /* m: gap velocity that belongs to y_free */
  double rate_slope;             /* d rate / d y */
  double *mass_momentum;         /* m: m_s h_s */
  bool *touches;                 /* m: in contact at t_k */
  dls_contact_episode *episodes; /* m */
  size_t *set;                   /* m: scratch */
  double *dy;                    /* m: scratch */
  double *block;                 /* owns the arrays of doubles */
} dls_penalty;

/** Check the options of the continuum, with which those of the scheme begin: stable, and none without effect. */
dls_status dls_continuum_check(const dls_scheme *self, const void *options, dls_error *err);
/** kappa/2 min(g, 0)^2 */
double dls_penalty_energy(double kappa, double g);

/**
 * @param[in] size    of the scheme's memory, which begins with a dls_penalty
 */
dls_status dls_penalty_create(dls_sim *sim, size_t size, const dls_penalty_law *law, dls_penalty_mass mass,
                              dls_error *err);
/** Initial contact state and acceleration. Call it when the law is complete. */
dls_status dls_penalty_begin(dls_sim *sim, dls_error *err);
/** The step from sim->q, s->v with s->resultant: s->a_next, s->v_next, s->q_next and the contact forces. */
dls_status dls_penalty_solve(dls_sim *sim, dls_penalty *s, double h, dls_error *err);
dls_status dls_penalty_advance(dls_sim *sim, double h, dls_error *err);
/** Frees what the step owns and the memory. */
void dls_penalty_finish(dls_sim *sim);

#endif
