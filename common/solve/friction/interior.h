/* interior.h -- inside of the interior point method: what a step asks of one block.
 * With z = r / rho, a velocity, and x = (mu z_N, z_T), w = (u_N / mu + |u_T|, u_T) Coulomb's law is x, w in L, x . w = 0.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_COMMON_SOLVE_INTERIOR_H
#define DELASSUS_COMMON_SOLVE_INTERIOR_H

#include <delassus/problem.h>
#include <stdbool.h>

/* A block that has x, w inside of L or, without friction, z_N, u_N > 0. */
typedef struct dls_inner {
  const dls_block *block;
  double *z, *u, *dz, *du; /* its rows */
  bool lag;                /* the |u_T| in w is that of the last step: as for a convex problem */
} dls_inner;

bool dls_inner_rough(const dls_block *block); /* friction: a cone */
bool dls_inner_has_law(const dls_block *block);
/* A := (d u / d z)^{-1} by the linearised x o w = sigma e, 3 x 3. */
void dls_inner_slope(const dls_inner *b, double *A);
/* c with u + c - A^{-1} dz + ...: the right side, du = c - A^{-1} dz. With Mehrotra's corrector from dz, du if asked. */
void dls_inner_aim(const dls_inner *b, double sigma, bool correct, double *c);
/* How far along dz, du it stays inside; at most `most`. */
double dls_inner_reach(const dls_inner *b, double most);
/* u_N after a step t. */
double dls_inner_opening(const dls_inner *b, double t);
/* x . w after a step t. */
double dls_inner_gap(const dls_inner *b, double t);

#endif
