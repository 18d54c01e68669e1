/* analytic/rigorous/tangent.h -- enclosures of the derivatives of a linear system with one contact by a parameter, at fixed t.
 *
 * Between events x and dx/dp move together, by the matrix ((L, 0), (dL/dp, L)). An event at t has dt/dp = -(dg/dp)/u-.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_TANGENT_H
#define DELASSUS_RIGOROUS_TANGENT_H

#include "analytic/rigorous/contact.h"
#include "analytic/rigorous/parameters.h"

typedef struct dls_ball_tangent {
  const char *by;               /* the parameter p */
  slong k, n;                   /* states, coordinates of the system */
  arb_mat_t L, rows;            /* k x k, 2 n x k; derivatives of L in flight, of the columns q and v */
  arb_ptr start;                /* k; derivative of the states at t = 0 */
  arb_t e;                      /* derivative of the restitution coefficient */
  dls_ball_flow flight, closed; /* of the 2 k states x, dx/dp */
  size_t count;                 /* pieces */
  arb_ptr left, x;              /* count x k; derivatives before and after the event, at fixed t */
} dls_ball_tangent;

/** @return DLS_OK; DLS_ERR_NOT_APPLICABLE for a model without derivatives; DLS_ERR_OPTION for a name that is not a parameter */
dls_status dls_ball_tangent_check(const dls_rigorous_problem *problem, const char *by, dls_error *err);

/**
 * Derivatives of all pieces of a solution of the same parameters.
 * @param[out] out  to be cleared in any case
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE where no derivative is enclosed: the message says which, when and why
 */
dls_status dls_ball_tangent_solve(const dls_ball_parameters *p, const char *by, const dls_ball_solution *sol,
                                  dls_ball_tangent *out, dls_error *err);
void dls_ball_tangent_clear(dls_ball_tangent *tangent);
/* Are the derivatives before the event of piece i enclosed? Before an accumulation only under a constant force.
 * @return DLS_ERR_NOT_APPLICABLE if not */
dls_status dls_ball_tangent_check_left(const dls_ball_tangent *tangent, const dls_ball_solution *sol, size_t i,
                                       dls_error *err);
/* Derivatives of the k states at the time s after the origin of piece i. */
void dls_ball_tangent_at(arb_ptr dx, const dls_ball_tangent *tangent, const dls_ball_solution *sol, size_t i,
                         const arb_t s, slong prec);
/* Derivative of column i < 2 n, from the derivatives dx of the states x. */
void dls_ball_tangent_value(arb_t out, const dls_ball_tangent *tangent, const dls_ball_solution *sol, slong i,
                            arb_srcptr x, arb_srcptr dx, slong prec);

/* Has the model derivatives? */
bool dls_ball_tangent_known(const char *model);
/* The model's L, rows, start and e of a tangent whose entries are 0. */
void dls_ball_tangent_make(const dls_ball_parameters *p, const dls_ball_system *system, dls_ball_tangent *out);

#endif
