/* analytic/rigorous/solution.h -- a solution in pieces, each enclosed: states between events, columns of a table from them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_SOLUTION_H
#define DELASSUS_RIGOROUS_SOLUTION_H

#include "analytic/rigorous/flow.h"
#include "analytic/rigorous/zeros.h"

#include <delassus/error.h>
#include <stdbool.h>
#include <stddef.h>

enum { DLS_BALL_MOST_PIECES = 100000, DLS_BALL_NAME = 32 };

typedef enum dls_ball_event {
  DLS_BALL_START,
  DLS_BALL_IMPACT,
  DLS_BALL_ACCUMULATION,
  DLS_BALL_LIFT_OFF,
  DLS_BALL_STICK,
  DLS_BALL_SLIP,
  DLS_BALL_REVERSAL
} dls_ball_event;
/* "impact", ...; "" for a start */
const char *dls_ball_event_name(dls_ball_event event);

/* What begins at a time with an event. */
typedef struct dls_ball_piece {
  dls_ball_event event;
  bool jumps;                        /* limits differ at its start */
  int mode;                          /* the model's: closed, sign of slip, ... */
  ulong lead;                        /* order of the first derivative of what is watched that is not 0 */
  const dls_ball_flow *flow;         /* NULL: states by the solution's own `at` */
  const arb_mat_struct *rows, *past; /* columns x k, from states; of the limit from the left */
  arb_t t, impulse;
  arb_ptr left, x; /* k; states before and after the event */
  /* Of an accumulation: states in all flights that are left out (k; else NULL), and an instant by which it is over. left holds its
   * states at t, x those at this instant: the uncertainty of t is no uncertainty of the motion after it. */
  arb_ptr box;
  arb_t over;
} dls_ball_piece;

/* The instant of the states x: t, or that by which an accumulation is over. */
arb_srcptr dls_ball_piece_origin(const dls_ball_piece *piece);

typedef struct dls_ball_solution dls_ball_solution;
typedef struct dls_ball_variation dls_ball_variation; /* tangent.h */
struct dls_ball_solution {
  slong k, columns;             /* states; columns, without t */
  slong impulse;                /* column of an event's impulse */
  char (*names)[DLS_BALL_NAME]; /* columns */
  size_t count, room;
  dls_ball_piece *piece;
  void (*progress)(void *progress_data, double t); /* called with the start of each piece; may be NULL */
  void *progress_data;
  void *system; /* the model's */
  void (*release)(void *system);
  /* For pieces without a flow: states x, and w x to n terms, at the time s after the start of a piece; s may be wide. */
  void (*at)(arb_ptr x, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s, slong prec);
  void (*jet)(arb_ptr a, slong n, const dls_ball_solution *sol, const dls_ball_piece *piece, arb_srcptr w,
              const arb_t s, slong prec);
  /* A box of all states from s on to the end of a piece whose states are not smooth there. NULL: they are */
  void (*remaining)(arb_ptr box, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s,
                    slong prec);
  /* Columns that are not linear in the states: values from x, or to n terms from those of the states. NULL: none */
  bool (*bent)(slong column);
  void (*bend)(arb_ptr a, slong n, const dls_ball_solution *sol, slong column, arb_srcptr x, slong prec);
  const dls_ball_variation *variation; /* of derivatives */
};

/* With columns named by a list, "t" not among them. */
void dls_ball_solution_init(dls_ball_solution *sol, slong k, slong columns, const char *const *names);
void dls_ball_solution_clear(dls_ball_solution *sol);
/* A piece more, its states 0; pieces that were there may move. */
dls_ball_piece *dls_ball_solution_add(dls_ball_solution *sol, dls_ball_event event, const dls_ball_flow *flow,
                                      const arb_mat_struct *rows);
/* Column of a name, -1 if there is none. */
slong dls_ball_solution_column(const dls_ball_solution *sol, const char *name);

/* States at the time s after the start of a piece. */
void dls_ball_solution_at(arb_ptr x, const dls_ball_solution *sol, const dls_ball_piece *piece, const arb_t s,
                          slong prec);
/* A column from states on rows; without impulses. */
void dls_ball_solution_value(arb_t out, const dls_ball_solution *sol, const arb_mat_struct *rows, slong column,
                             arb_srcptr x, slong prec);
/* n coefficients of the Taylor series of a column about the time s after the start of a piece; s may be wide. */
void dls_ball_solution_jet(arb_ptr a, slong n, const dls_ball_solution *sol, const dls_ball_piece *piece,
                           slong column, const arb_t s, slong prec);

/**
 * The first zero of w x(s) on a piece up to the time `end`, narrowed.
 * @param[in]  sign, lead, hint  as in dls_ball_watch
 * @param[out] since  the zero, a time since the start of the piece
 * @param[out] err    UNDECIDED: from which time on, and `what`
 */
dls_ball_verdict dls_ball_piece_zero(const dls_ball_piece *piece, arb_srcptr w, int sign, ulong lead,
                                     double hint, const arb_t end, arb_t since, const char *what, slong prec,
                                     dls_error *err);
/* Sign of w x(s) right behind the start of a flow, and the order of the derivative that has it; 0: it cannot be decided. */
int dls_ball_first_sign(const dls_ball_flow *flow, arb_srcptr w, arb_srcptr x, ulong *lead, slong prec);
/* "no proof from t = ... on: what" @return DLS_ERR_NOCONV */
dls_status dls_ball_undecided(const arb_t start, const arf_t since, const char *what, dls_error *err);

/* @return DLS_ERR_CHATTERING */
dls_status dls_ball_too_many(const dls_ball_solution *sol, dls_error *err);

#endif
