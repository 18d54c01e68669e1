/* joint_solver.h -- two ways to solve the equations of the joints (joints_dense.c, joints_sparse.c) where elimination.h refuses:
 *   A x = f + D mu,   C^T x = c.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_CONTACT_JOINT_SOLVER_H
#define DELASSUS_COMMON_CONTACT_JOINT_SOLVER_H

#include <delassus/joints.h>
#include <stdbool.h>

typedef struct dls_joints_solver dls_joints_solver;

typedef struct dls_joints_kind {
  /* C and D are the same matrix if D is. */
  dls_status (*factor)(dls_joints_solver *s, bool same, dls_error *err);
  /* x: f in, x out; c, mu may be NULL. */
  void (*solve)(dls_joints_solver *s, double *x, const double *c, double *mu);
  void (*fill)(dls_joints_solver *s, bool same);     /* the values of whole; NULL without it */
  void (*estimate)(dls_joints_solver *s, double *x); /* x := S x to about eps; NULL without whole */
  void (*destroy)(dls_joints_solver *s);
} dls_joints_kind;

struct dls_joints_solver {
  const dls_joints_kind *kind;
  size_t n, r;
  dls_matrix *A;     /* sparse copy; owned by the joints */
  dls_matrix *C, *D; /* n x r, likewise */
  size_t known;      /* rank where all equations were met; 0: unknown */
  size_t sure;       /* rows above `certain` in the last factorization */
  size_t redundant;  /* of the last factorization */
  dls_factor *whole; /* [A -D; C^T eps]; NULL: the way does without. Owned by the way */
};

/* That of J, of order n + r: its first n unknowns are those of S. Its values are there after dls_joints_fill_whole. */
dls_factor *dls_joints_whole(dls_joints *J);
/* After a factorization, before the values of a whole that is there are read. */
void dls_joints_fill_whole(void *joints);
/* x := S x to about eps, where the whole is there: one solve. */
void dls_joints_estimate(void *joints, double *x);

/* @return NULL if out of memory */
dls_joints_solver *dls_joints_dense(const dls_joints_solver *parts);
dls_joints_solver *dls_joints_sparse(const dls_joints_solver *parts);

#endif
