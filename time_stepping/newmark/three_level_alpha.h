/* three_level_alpha.h -- state of the generalized-alpha method with contact at three levels, also read by its energy
 * identity.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_THREE_LEVEL_ALPHA_H
#define DELASSUS_TIME_STEPPING_THREE_LEVEL_ALPHA_H

#include "time_stepping/newmark/newmark_step.h"
#include "time_stepping/step/joint_matrix.h"
#include <delassus/contact_system.h>

/* a, its bar, and those of the forces of contacts, with those of joints behind, at a node. */
typedef struct dls_three_level_node {
  double *a, *a_bar;           /* n */
  double *lambda, *lambda_bar; /* rows + r */
} dls_three_level_node;

typedef struct dls_three_level {
  dls_newmark c;
  double eps_u, eps_g;
  bool begun;              /* at least one step was made */
  dls_contact_system mass; /* velocities and accelerations, at t' and the iterate */
  dls_contact_system gaps; /* positions, in the metric of (2) to (4) */
  dls_factor *S;           /* M + h gamma c C + h^2 beta c K, c = (1 - alpha_f)/(1 - alpha_m) */
  double factored;         /* h of S; 0: there is none yet */
  double weight_C, weight_K;
  dls_joints *joints;      /* in the metric of S, at the iterate; those of mass where S is M; NULL without */
  dls_matrix *G;           /* n x r: their gradients there */
  dls_joint_matrix curved; /* in the metric of M - stiffness of the joints' forces in q' */
  dls_three_level_node now, next;
  size_t round;                               /* of the iteration */
  bool *was_closed;                           /* m: in the last pass */
  dls_contacts all, closed, held;             /* held: with forces */
  double *f;                                  /* n: M^-1 F of (2) */
  double *q, *v, *q_last, *v_last, *x, *jump; /* n; jump: M^-1 H L */
  bool constant;                              /* M and H are, and there are no joints: M^-1 H r follows its r */
  double *pushed;                             /* n: then M^-1 H p */
  double *p, *k, *lambda_last;                /* rows + r; k in the normal ones */
  double *set, *solution;                     /* rows + r */
  double *u_minus, *u_hat;                    /* rows */
  double *rest, *mu;                          /* r: scratch of the joints */
  double *interval; /* n: likewise; where `constant`, what a pass changes in a by lambda */
  double *w_load;   /* n: M^-1 D of load_rows.h, of a step with `row` */
  bool row;         /* the step contains a row of a table of loads */
  double *block;    /* owns the arrays of doubles */
} dls_three_level;

/* Rows of all contacts, then of joints. */
static inline size_t dls_three_level_rows(const dls_three_level *s)
{
  return s->mass.config->rows + s->mass.config->sys->r;
}

static inline bool dls_three_level_all_zero(size_t count, const double *x)
{
  size_t i = 0;
  while (i < count && x[i] == 0) {
    i++;
  }
  return i == count;
}

/* three_level_levels.c: at the iterate. */

/* y[n] := M^-1 (H, G) r */
void dls_three_level_push(dls_three_level *s, const double *r, double *y);
/* (1), (3), (4) for f, p, k and lambda. */
void dls_three_level_compose(const dls_sim *sim, dls_three_level *s, double h);
/* The same, where `constant`, for f that has changed by df[n] alone. */
void dls_three_level_change(dls_three_level *s, const double *df);
/* jump := M^-1 H L */
void dls_three_level_jump(dls_three_level *s, double h);
/* p and k for which kappa = 0 and L = 0 in rows where lambda_k is not 0, and 0 in others; then (1), (3), (4). */
void dls_three_level_begin(const dls_sim *sim, dls_three_level *s, double h);
dls_status dls_three_level_positions(dls_sim *sim, dls_three_level *s, double t, double h, dls_error *err);
dls_status dls_three_level_velocities(dls_sim *sim, dls_three_level *s, double h, dls_error *err);
dls_status dls_three_level_accelerations(dls_sim *sim, dls_three_level *s, double h, dls_error *err);

/* three_level_joints.c: the joints at each level; without joints these do nothing. */

/* Allocate; S exists already. @return false if out of memory */
bool dls_three_level_joints_create(dls_sim *sim, dls_three_level *s);
/* mu of the start, after its accelerations. */
void dls_three_level_joints_begin(dls_sim *sim, dls_three_level *s);
/* At the iterate, of which S is factored. */
dls_status dls_three_level_joints_at(dls_sim *sim, dls_three_level *s, double t, dls_error *err);
/* x := the increment of f in Newton's method for (2) with R = F - M f in x: S x, or (2) with what joints leave free. */
void dls_three_level_joints_newton(const dls_sim *sim, dls_three_level *s, double *x);
/* q := where the next pass is made, of q' and the place q_last of this one, where q' has the joints' forces G(q_last) k_b: that with
 * G(q) k_b, linearised. @return as dls_joints_factor */
dls_status dls_three_level_joints_place(dls_sim *sim, dls_three_level *s, double t, double h, dls_error *err);
/* x[n] := the way of q' to Phi = 0, k_b with it. */
void dls_three_level_joints_positions(dls_sim *sim, dls_three_level *s, double t, double *x);
/* x[n], v' without p and p_b, := the nearest that the joints allow, p_b with it. */
void dls_three_level_joints_velocities(dls_three_level *s, double *x);
/* x[n], f, := accelerations that the joints allow, mu with it. */
void dls_three_level_joints_accelerations(dls_three_level *s, double *x);
/* jump := S M jump, what impulses of contacts do with those of joints that answer them. */
void dls_three_level_joints_jump(dls_three_level *s);
/* impulse[rows + r]: the part of the joints += sign times what they answer to that of the contacts; joints: of the level. */
void dls_three_level_joints_answer(dls_three_level *s, dls_joints *joints, double *impulse, double sign);

#endif
