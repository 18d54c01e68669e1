/* convex_minimisation.h -- the step that schemes with soft contact share: a convex minimisation over velocities.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_CONVEX_MINIMISATION_H
#define DELASSUS_TIME_STEPPING_CONVEX_MINIMISATION_H

#include "time_stepping/step/contact_episode.h"
#include "time_stepping/step/iteration.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>

/** Options of all members; the iterations are those of the contact problem. */
#define DLS_SOFT_NEWTON_OPTIONS(base, type)                                                                    \
  DLS_NEWTON_OPTIONS((base) + offsetof(type, newton), "v_s",                                                   \
                     "last change of a contact's velocity accepted, in units of the model's velocity scale",   \
                     1e-12, "iterations allowed for the contact problem of a step", 100)

/** A contact at the start of a step. */
typedef struct dls_soft_contact {
  size_t j;
  double h, gap;   /* of the step [s]; at its start [m] */
  const double *u; /* d: at its start [m/s] */
  double W_N, w;   /* W_NN, and the root mean square of the eigenvalues of its block of W [1/kg] */
} dls_soft_contact;

/** The impulse gamma[d] of a contact at u[d], minus the gradient of a convex function, and D = -d gamma/d u, 3 x 3, unless
 * NULL. @return whether it slips */
typedef bool dls_soft_impulse(const void *law, size_t d, const double *u, double *gamma, double *D);

/** What tells the members of the family apart. */
typedef struct dls_soft_law {
  size_t size; /* bytes of the law of a contact, a multiple of 8 */
  dls_soft_impulse *impulse;
  /** law := that of a contact in a step. */
  void (*begin)(dls_sim *sim, const dls_soft_contact *at, void *law);
  /** Energy stored in contact j at gap g [J]. */
  double (*potential)(const dls_sim *sim, size_t j, double g);
} dls_soft_law;

/** The kind of a member that may make several steps between two nodes; NULL: it makes one. */
typedef struct dls_soft_kind {
  bool (*has_substeps)(const dls_sim *sim);
} dls_soft_kind;

/** A state that a step of length h begins from. */
typedef struct dls_soft_from {
  double t, h;
  const double *q, *v, *gap; /* n, n, m */
} dls_soft_from;

/** State from step to step; the memory of a scheme begins with it. */
typedef struct dls_soft {
  const dls_soft_law *law;
  double envelope; /* contacts with a smaller gap are in the problem [m] */
  dls_newton_options newton;
  double tolerance, enough;    /* of a change of u [m/s]; with its rounding in this step */
  dls_contact_system contacts; /* in the mass metric, with the joints */
  dls_contacts active;
  unsigned char *laws;                                     /* law->size a contact of the set */
  bool *slips;                                             /* m */
  double *v_free, *v_next, *q_next, *force, *work, *v_try; /* n */
  /* Rows of the set, in its order: x, u; velocities without impulses; impulses of the laws at u; trial; on the line of the search. */
  double *x, *u, *u_free, *gamma, *x_try, *u_try, *u_line;
  double *D, *one;               /* 9 a contact of the set: of (2), and unit matrices */
  double *impulse;               /* rows: of all contacts in the last step; first iterate of the next */
  double *gap;                   /* m: at the start of the last step */
  double *W_N, *w;               /* m: of dls_soft_contact; 0: not computed yet */
  double *c, *nu, *nu_contact;   /* r: scratch; impulses of joints */
  size_t *rows;                  /* scratch */
  dls_contact_episode *episodes; /* m */
  double *block;
} dls_soft;

/** @param[in] size  of the scheme's memory, which begins with a dls_soft @return DLS_OK; DLS_ERR_MEMORY */
dls_status dls_soft_create(dls_sim *sim, size_t size, const dls_soft_law *law, double envelope,
                           const dls_newton_options *newton, dls_error *err);
/** Frees what the step owns and the memory. */
void dls_soft_finish(dls_sim *sim);
/** The step from a state to t_next: v_next, q_next, and impulse of all contacts. Of the sim it changes `work` only. */
dls_status dls_soft_solve(dls_sim *sim, dls_soft *s, const dls_soft_from *from, double t_next, dls_error *err);
/** Write the state at the end of a step of length h to the sim, with the impulses (rows) of its contacts. */
void dls_soft_take(dls_sim *sim, dls_soft *s, double t_next, double h, const double *impulse);
/** Advance by one step. */
dls_status dls_soft_advance(dls_sim *sim, double h, dls_error *err);
/** The restitution coefficient e > 0 of contact j in the model, to which restitution=fit adjusts the damping. @return
 * DLS_ERR_NOT_APPLICABLE where it is 0, which no finite damping attains */
dls_status dls_soft_fitted(const dls_sim *sim, size_t j, double *e, dls_error *err);
/** The same failure of a limit model. */
dls_status dls_soft_cannot_fit(const dls_scheme *scheme, dls_error *err);
/** Effective W_NN of contact j at (t, q) of the configuration of the contacts [1/kg]. */
double dls_soft_inverse_mass(dls_soft *s, size_t j);

#endif
