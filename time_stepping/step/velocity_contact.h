/* velocity_contact.h -- contact at velocity level:
 *   on I1:  0 <= U' + e U  _|_  P >= 0,   P = 0 elsewhere                                           (1)
 *   I1 = { contacts with g(q + forecast h v) <= 0 (eps_g where |U| <= eps_u) and, if tested, U <= eps_u } (2)
 * Without the test, a contact that separates has at least the e of those that approach. With a smaller e it would create energy: the
 * impulses do the work 1/2 sum (1 - e) U P, and (1) gives sum (1 + e) U P <= 0.
 * Sources: Acary 2014 (RR-8602), eqs. (23), (26); Acary, lecture, eqs. (40), (41).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_VELOCITY_CONTACT_H
#define DELASSUS_TIME_STEPPING_VELOCITY_CONTACT_H

#include "common/contact/primal_dual_active_set.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>
#include <math.h>

typedef struct dls_velocity_contact {
  double forecast;      /* in [0, 1] */
  bool test;            /* only contacts that do not separate are in I1 */
  bool linear;          /* (2) asks g + forecast h U instead, linear in v */
  bool static_friction; /* some mu_s > mu, by status */
  bool stribeck;        /* some mu depends on the slip speed */
  bool taken;           /* the last step had active contacts: p and status of the sim may not be 0 */
  bool as_at_node; /* H is constant and b = 0: U is stored in the sim at the node, gaps are linear in time */
  double theta;    /* the impulse works on (1 - theta) U + theta U' */
  double eps_u;    /* m/s: "does not separate" is U <= eps_u, an impact has U < -eps_u */
  double eps_g;    /* m: rounding of a gap at rest, from the coordinates at the start */
  dls_contact_system contacts;
  dls_contacts active; /* I1 */
  double *velocity;    /* rows: U of all contacts, with the H of this step */
  double *impulse;     /* rows: P of I1, in its order */
  double *u_minus;     /* rows: U of I1, in its order */
  double *u_free;      /* rows: scratch */
  double *gap;         /* m: scratch */
  bool *chosen;        /* m: scratch */
  double *q_ahead;     /* n: scratch */
  double *block;       /* owns the arrays of doubles */
} dls_velocity_contact;

/**
 * @param[in] config        configuration of the contacts of a step; borrowed
 * @param[in] W             for config->H; taken over; NULL without contacts or if out of memory
 * @param[in] theta         the impulse works on (1 - theta) U + theta U'
 * @param[in] velocity_tol  eps_u in units of the model's velocity scale
 */
dls_status dls_velocity_contact_create(dls_sim *sim, dls_configuration *config, dls_delassus *W, double theta,
                                       double forecast, bool test, double velocity_tol, dls_velocity_contact *c,
                                       dls_error *err);
/** As created, for other values of the system, without friction (dls_contact_system_restart). */
void dls_velocity_contact_restart(const dls_sim *sim, double velocity_tol, dls_velocity_contact *c);
/** In the mass metric, with a configuration of its own and joints (dls_contact_system_create_mass), for schemes that choose the set and
 * pose (1) themselves. */
dls_status dls_velocity_contact_create_mass(dls_sim *sim, double velocity_tol, dls_velocity_contact *c,
                                            dls_error *err);
/** c->velocity := U of the node, with the H of the node. */
void dls_velocity_contact_node(const dls_sim *sim, dls_velocity_contact *c);
void dls_velocity_contact_destroy(dls_velocity_contact *c);
/** U and (2), with H at q and b at (t, q); sim->g holds the gaps at t_k. The place is then at the end of the step,
 * unless it is the same everywhere. */
void dls_velocity_contact_forecast(dls_sim *sim, dls_velocity_contact *c, double h, const double *q);
/** The same H and U for the contacts found already. */
void dls_velocity_contact_configuration(const dls_sim *sim, dls_velocity_contact *c, double h, const double *q);
dls_status dls_velocity_contact_solve_active(dls_sim *sim, dls_velocity_contact *c, const double *v_free,
                                             dls_error *err);
/** (1) for the free velocity v_free[n]: c->impulse. */
static inline dls_status dls_velocity_contact_solve(dls_sim *sim, dls_velocity_contact *c, const double *v_free,
                                                    dls_error *err)
{
  const bool none =
      c->active.count == 0 && !c->static_friction; /* which keeps its status where none is active */
  return none ? DLS_OK : dls_velocity_contact_solve_active(sim, c, v_free, err);
}
/** (1) where the contacts have unknowns of their own: A x = f + H P for x = v' - v_0, and c->impulse. With a spring of
 * dls_primal_dual_matrix, U' = H^T (v_0 + x) + E P.
 * @param[in] v_0  NULL: v
 * @return as dls_primal_dual_solve */
dls_status dls_velocity_contact_primal_dual(dls_sim *sim, dls_velocity_contact *c, dls_primal_dual *R,
                                            const double *v_0, const double *f, double *x, dls_error *err);
/** Whether active contact k approaches with U < -eps_u. */
static inline bool dls_velocity_contact_impacts(const dls_velocity_contact *c, size_t k)
{
  return c->velocity[c->contacts.config->d * c->active.index[k]] < -c->eps_u;
}
/** |u_T| at the beginning of the step, of contact k of the active ones. */
static inline double dls_velocity_contact_slip(const dls_velocity_contact *c, size_t k)
{
  const size_t d = c->contacts.config->d;
  double slip = 0;
  for (size_t i = 1; i < d; i++) {
    slip = hypot(slip, c->velocity[d * c->active.index[k] + i]);
  }
  return slip;
}
/** sim->p, status, events; the step jumps, from v_free, if a contact that approached with U < -eps_u received an
 * impulse.
 */
void dls_velocity_contact_take(dls_sim *sim, dls_velocity_contact *c, double t, const double *v_free,
                               const double *v_next);

#endif
