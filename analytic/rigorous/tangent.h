/* analytic/rigorous/tangent.h -- enclosures of the derivatives of a solution by a parameter, at fixed t.
 *
 * Between events x and dx/dp move together, by the matrix ((L, 0), (dL/dp, L)). An event where w x = 0 has
 *   dt/dp = -(w dx/dp + dw/dp x) / (w x').
 * There the states change by dx/dp + x' dt/dp. The law of the event is differentiated at these values, and x' dt/dp is subtracted with the
 * new x' (saltation).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_TANGENT_H
#define DELASSUS_RIGOROUS_TANGENT_H

#include "analytic/rigorous/parameters.h"
#include "analytic/rigorous/solution.h"

enum { DLS_BALL_TANGENT_FLOWS = 6 };

typedef struct dls_ball_tangent_flow {
  const dls_ball_flow *of; /* of pieces of the solution */
  dls_ball_flow both;      /* of the 2 k states x, dx/dp */
  arb_mat_t dL;            /* k x k; dL/dp, a part of the matrix of both */
} dls_ball_tangent_flow;

typedef struct dls_ball_tangent {
  const char *by;               /* the parameter p */
  const dls_ball_parameters *p; /* values of all; borrowed */
  slong k, n;                   /* states, coordinates */
  size_t flows;
  dls_ball_tangent_flow flow[DLS_BALL_TANGENT_FLOWS];
  arb_mat_t rows;  /* 2 n x k; derivative of the columns q and v */
  arb_ptr start;   /* k; derivative of the states at t = 0 */
  size_t count;    /* pieces */
  arb_ptr left, x; /* count x k; derivatives before and after the event, at fixed t */
  arb_ptr dt;      /* count; derivatives of the times of events; not finite where they are not enclosed */
} dls_ball_tangent;

/* What a model has for its derivatives. */
struct dls_ball_variation {
  /* Flows with dL, rows and start of a tangent, whose entries are 0. @return DLS_ERR_NOT_APPLICABLE */
  dls_status (*set)(const dls_ball_solution *sol, dls_ball_tangent *d, dls_error *err);
  /* x and dt of piece i from left; of piece 0 left and x are those of the start, and dt = 0. @return DLS_ERR_NOT_APPLICABLE */
  dls_status (*pass)(const dls_ball_solution *sol, size_t i, dls_ball_tangent *d, dls_error *err);
  /* Derivatives of the states at the time s after the start of piece i. NULL: by the flow of the piece */
  void (*at)(arb_ptr dx, const dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, const arb_t s,
             slong prec);
};

/** @return DLS_OK; DLS_ERR_OPTION for a name that is not a parameter */
dls_status dls_ball_tangent_check(const dls_rigorous_problem *problem, const char *by, dls_error *err);

/**
 * Derivatives of all pieces of a solution of the same parameters.
 * @param[in]  p    in use until `out` is cleared
 * @param[out] out  to be cleared in any case
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE where no derivative is enclosed: the message says which, when and why
 */
dls_status dls_ball_tangent_solve(const dls_ball_parameters *p, const char *by, const dls_ball_solution *sol,
                                  dls_ball_tangent *out, dls_error *err);
void dls_ball_tangent_clear(dls_ball_tangent *tangent);
/* Are the derivatives before the event of piece i, and that of its time, enclosed? Before an accumulation only under a constant force.
 * @return DLS_ERR_NOT_APPLICABLE if not */
dls_status dls_ball_tangent_check_left(const dls_ball_tangent *tangent, const dls_ball_solution *sol, size_t i,
                                       dls_error *err);
/* Derivatives of the k states at the time s after the origin of piece i. */
void dls_ball_tangent_at(arb_ptr dx, const dls_ball_tangent *tangent, const dls_ball_solution *sol, size_t i,
                         const arb_t s, slong prec);
/* Derivative of column i < 2 n on rows, from the derivatives dx of the states x. */
void dls_ball_tangent_value(arb_t out, const dls_ball_tangent *tangent, const arb_mat_struct *rows, slong i,
                            arb_srcptr x, arb_srcptr dx, slong prec);

/* --- for the models --- */

bool dls_ball_tangent_is_by(const dls_ball_tangent *d, const char *name);
/* 1 where p is the name. */
void dls_ball_tangent_one_by(arb_ptr entry, const dls_ball_tangent *d, const char *name);
/* A flow more, with dL = 0. */
dls_ball_tangent_flow *dls_ball_tangent_add(dls_ball_tangent *d, const dls_ball_flow *of);
/* "no enclosure of the derivative by P at t = ...: why" @return DLS_ERR_NOT_APPLICABLE */
dls_status dls_ball_tangent_refuse(const dls_ball_tangent *d, const dls_ball_piece *piece, const char *why,
                                   dls_error *err);
/* w dx + dw x; dw may be NULL: 0 */
void dls_ball_tangent_dot(arb_t out, arb_srcptr w, arb_srcptr dw, arb_srcptr x, arb_srcptr dx, slong k,
                          slong prec);
/* dt of piece i, which begins where w x = 0. dw: derivative of w, or NULL: 0 */
void dls_ball_tangent_time(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, arb_srcptr w,
                           arb_srcptr dw, slong prec);
/* x of piece i := derivatives of the states at the event, before its law; then, from those after its law, at fixed t. */
void dls_ball_tangent_arrive(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, slong prec);
void dls_ball_tangent_leave(dls_ball_tangent *d, const dls_ball_solution *sol, size_t i, slong prec);

#endif
