/* tdg_step.h -- parts of the time-discontinuous Galerkin schemes of degree 1 with the jump at the right end.
 *
 * On (t_k, t_k+1] the velocity is linear, from the right limit v at t_k to the left limit v- at t_k+1. There the impulse L makes it
 * jump to v+. Contacts at a node:
 *   closed: g <= eps_g, or held;   lasting: closed, and U+ <= eps_u or held;
 *   held through a step: lasting, and the contact force is positive at its beginning and at its end.
 * The last status keeps contacts with curved obstacles, where g and U drift by the error of the scheme.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_TDG_STEP_H
#define DELASSUS_TIME_STEPPING_TDG_STEP_H

#include "time_stepping/step/impact_sequence.h"
#include "time_stepping/step/slip.h"
#include <delassus/scheme.h>

/** The common options. */
typedef struct dls_tdg_options {
  double gap_tol, velocity_tol;
} dls_tdg_options;
#define DLS_TDG_OPTIONS                                                                                        \
  DLS_REAL_OPTION(0, dls_tdg_options, gap_tol, "l_s",                                                          \
                  "gaps up to this are closed, in units of the model's length", 1e-8, 0, 1, 0),                \
      DLS_REAL_OPTION(0, dls_tdg_options, velocity_tol, "v_s",                                                 \
                      "closed contacts up to this gap velocity last, in units of the model's velocity scale; " \
                      "contacts below minus this get an impulse",                                              \
                      1e-9, 0, 1, 0)

/** Results of the state at a node t+. */
typedef struct dls_tdg_node {
  double *free;           /* n: M^-1 F */
  double *total;          /* n: M^-1 (F + H lambda) */
  double *lambda;         /* rows */
  bool *closed, *lasting; /* m */
} dls_tdg_node;

typedef struct dls_tdg {
  dls_contact_system contacts;
  double eps_g, eps_u;           /* m, m/s */
  double h;                      /* the step length that now.total is for, where it depends on that; else 0 */
  dls_tdg_node now, next;        /* at t_k and t_k+1 */
  double *q_next, *v_next;       /* n: q and v+ at t_k+1 */
  double *v_left, *ahead;        /* n: v- at t_k+1; its prediction, scratch afterwards */
  double *lambda_left, *u_left;  /* rows: lambda- and U- at t_k+1 */
  double *impulse, *g, *u_minus; /* m: L, g, and U before the last impact, at t_k+1 */
  double *x, *b, *z;             /* rows: scratch; of the complementarity problem of the contacts in `active` */
  dls_contacts active;
  dls_impact_sequence sequence;
  dls_slip slip;
  double *u_node, *nothing; /* rows: u at t_k+; 0 */
  bool *set, *struck;       /* m: scratch; made to approach by the impacts at t_k+1 */
  double *block;            /* own the arrays */
  bool *flags;
} dls_tdg;

/** The options begin with dls_tdg_options. Allocate, treat an impact at t = 0, and set sim->lambda there. Destroy it after a failure, too. */
dls_status dls_tdg_start(dls_sim *sim, dls_tdg *s, dls_error *err);
void dls_tdg_destroy(dls_tdg *s);

/** a[n] := M^-1 F(t, q, v). */
void dls_tdg_free_acceleration(dls_sim *sim, dls_tdg *s, double t, const double *q, const double *v, double *a);
/**
 * 0 <= W z + H^T x + shift _|_ z >= 0 on the contacts of a set, z = 0 elsewhere; with friction, the law of each contact on
 * its rows.
 * @param[in]  contacts  with its W; in the configuration of s
 * @param[in]  shift  rows
 * @param[out] z      rows
 */
dls_status dls_tdg_solve(dls_tdg *s, dls_contact_system *contacts, const bool *set, const double *x,
                         const double *shift, double *z, dls_error *err);
/** x += alpha A^-1 H z for the z of the last dls_tdg_solve and the A of the contact system; x[n]. */
void dls_tdg_push(dls_tdg *s, dls_contact_system *contacts, double alpha, double *x);
/** lambda >= 0 with 0 <= H^T a + c(v)  _|_  lambda on a set, a[n] += M^-1 H lambda, where the contact system is. */
dls_status dls_tdg_contact_acceleration(dls_tdg *s, const bool *set, const double *v, double *a, double *lambda,
                                        dls_error *err);

/** The contacts closed at q_next: next.closed. @return whether one of them was open at t_k */
bool dls_tdg_closing(dls_sim *sim, dls_tdg *s, double t);
/**
 * From v_left to v_next: 0 <= U+ + e' U-  _|_  L >= 0 on next.closed, if one of them approaches; e' = e for those that
 * were open, 0 for those that were closed. Contacts that separate wait until they are struck (impact_sequence.h); then
 * e' = e.
 */
dls_status dls_tdg_impact(dls_sim *sim, dls_tdg *s, dls_error *err);
/** Held at its beginning. */
bool dls_tdg_held(const dls_tdg *s, size_t j);
/** next.lasting, from v_next and lambda_left; next.free at t. */
void dls_tdg_arrive(dls_sim *sim, dls_tdg *s, double t);
/** next.lambda and next.total by the acceleration problem on next.lasting, after dls_tdg_arrive. */
dls_status dls_tdg_leave(dls_tdg *s, dls_error *err);
/** End of the step: now and the state := next; reports events. */
void dls_tdg_commit(dls_sim *sim, dls_tdg *s, double t);

#endif
