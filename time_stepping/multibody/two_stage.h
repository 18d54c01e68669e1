/* two_stage.h -- the step that tdg-alpha and alpha-kappa share: an intermediate state (q_j, v_j) at t_k+, multipliers
 * Lambda = h mu of the joints on the ways g from q_j to q' and h from q to q_j, and of velocities N_j, N'.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_TWO_STAGE_H
#define DELASSUS_TIME_STEPPING_TWO_STAGE_H

#include "time_stepping/multibody/block_matrix.h"
#include "time_stepping/multibody/segment.h"
#include "time_stepping/step/iteration.h"

typedef enum dls_kappa { DLS_KAPPA_ONE, DLS_KAPPA_CLAMP, DLS_KAPPA_FREE } dls_kappa;

typedef struct dls_two_stage_options {
  double alpha, rho_inf;
  int kappa; /* a dls_kappa */
  dls_newton_options newton;
} dls_two_stage_options;
#define DLS_TWO_STAGE_ALPHA(initial)                                                                           \
  DLS_REAL_OPTION(0, dls_two_stage_options, alpha, "1",                                                        \
                  "decay of high frequencies: 0 none, 1 all of them at once", initial, 0, 1, 0),               \
      DLS_REAL_OPTION(                                                                                         \
          0, dls_two_stage_options, rho_inf, "1",                                                              \
          "in place of alpha = (1 - rho_inf)/(1 + rho_inf): spectral radius at infinite frequency",            \
          1 - (initial), 0, 1, 0)
#define DLS_TWO_STAGE_NEWTON                                                                                   \
  DLS_NEWTON_OPTIONS(offsetof(dls_two_stage_options, newton), "v_s",                                           \
                     DLS_NEWTON_VELOCITY "model's velocity scale", 1e-11, DLS_NEWTON_MAX, 200)

/** The kind of a member. */
typedef struct dls_two_stage_kind {
  double alpha;    /* if not given: 0 or 1, so that 1 - alpha is rho_inf */
  bool velocities; /* joints hold in velocities too */
} dls_two_stage_kind;

/* Members common to both entries. */
#define DLS_TWO_STAGE_ENTRY                                                                                    \
  .family = DLS_FAMILY_MULTIBODY, .options_size = sizeof(dls_two_stage_options), .stepping = DLS_BY_STEP,      \
  .handles = DLS_HANDLES_JOINTS | DLS_HANDLES_ANY_STEP | DLS_HANDLES_NO_CONTACT, .q_between = DLS_LINEAR,      \
  .v_between = DLS_LINEAR, .check = dls_two_stage_check, .start = dls_two_stage_start,                         \
  .advance = dls_two_stage_advance, .finish = dls_two_stage_finish

typedef struct dls_two_stage {
  double alpha, kappa;
  bool velocities;
  size_t n, r, size; /* size: of x */
  dls_segment g, h;
  dls_matrix *G_j, *G_next;                 /* n x r: joints' gradients at q_j and q' */
  dls_matrix *turn_j, *turn_next;           /* n x r: their derivatives along v_j and v' */
  dls_matrix *geometric_j, *geometric_next; /* n x n: sum N_k d^2 Phi_k */
  dls_matrix *K_j, *C_j;                    /* n x n: -dF/dq, -dF/dv at (t_k, q_j, v_j) */
  dls_block_matrix *J;
  double tolerance, increment; /* of Newton's method: of its increments, and the last one */
  double contraction; /* its ratio to the one before with this J; 0: the first one; infinite: J is of no use */
  double *x, *rhs;    /* size: q_j - q, v_j, q' - q, v', Lambda_g, Lambda_j [, N_j, N'] */
  double *q_j, *q_next, *F_j, *F_start, *mean, *push_g, *push_h, *push_j, *push_next, *work; /* n */
  double *phi;                                                                               /* r */
  double *block; /* owns the arrays */
} dls_two_stage;

/** alpha or rho_inf: one of them may be given. */
dls_status dls_two_stage_check(const dls_scheme *self, const void *options, dls_error *err);
dls_status dls_two_stage_start(dls_sim *sim, dls_error *err);
dls_status dls_two_stage_advance(dls_sim *sim, double h, dls_error *err);
void dls_two_stage_finish(dls_sim *sim);

#endif
