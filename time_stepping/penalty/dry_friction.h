/* dry_friction.h -- friction of contacts that yield: tangential forces r from the slip u where the forces of a step act,
 * limited by F = mu f with the normal force f, |r| <= F:
 *   coulomb        u = 0, or r = -F u/|u|
 *   tanh           r = -F tanh(|u|/eps) u/|u|
 *   spring-slider  z' = z + h u,  r = -min(k_t |z'|, F) z'/|z'|;  where it slides z' is cut to |z'| = F/k_t
 *   dahl           r' = r - h sigma (u + |u| r'/F)
 *   lugre          z' = z + h (u - sigma0 |u| z'/s),  s = F (1 + (fs - 1) exp(-(|u|/v_s)^2)),
 *                  r = -(sigma0 z' + sigma1 (z' - z)/h + sigma2 u)
 * by one implicit step of Euler for what they remember. All but the first are regularised: textbooks' recipes, to compare
 * with. Sources: Dahl 1968; Canudas de Wit, Olsson, Astrom, Lischinsky 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_DRY_FRICTION_H
#define DELASSUS_TIME_STEPPING_DRY_FRICTION_H

#include <delassus/delassus_operator.h>
#include <delassus/place.h>
#include <delassus/sim.h>

typedef enum dls_friction_model {
  DLS_FRICTION_COULOMB,
  DLS_FRICTION_TANH,
  DLS_FRICTION_SPRING_SLIDER,
  DLS_FRICTION_DAHL,
  DLS_FRICTION_LUGRE,
} dls_friction_model;
extern const char *const dls_friction_models[]; /* choices of an option */

typedef struct dls_friction_options {
  int friction; /* dls_friction_model */
  double eps, k_t, sigma, sigma0, sigma1, sigma2, v_s, fs;
} dls_friction_options;

/** Tangential forces of a step. Arrays of (d - 1) m. */
typedef struct dls_dry {
  dls_friction_options opt;
  const dls_place *place; /* borrowed */
  dls_factor *A;          /* borrowed */
  dls_delassus *W;        /* H^T A^-1 H of all rows */
  size_t made;            /* of A when W was last reset */
  double *r, *last;       /* of the step, and of that before */
  double *used;           /* r before the last dls_dry_solve: that of the motion */
  double *z, *z_next;     /* what the model remembers: 0 where it is open */
  double *block;
} dls_dry;

/** @return NULL if out of memory */
dls_dry *dls_dry_create(const dls_place *place, dls_factor *A, const dls_friction_options *opt);
void dls_dry_destroy(dls_dry *s); /* NULL is fine */
/** F += H_T r; F[n]. */
void dls_dry_add(const dls_dry *s, double *F);
/**
 * The r of all contacts, one after the other, where velocities are v and the step has r: v[n] moves with it.
 * @param[in] f      m: normal forces
 * @param[in] scale  of A^-1 H_T r in v
 * @param[in] h      length of the step
 * @return the largest change of a slip that this makes [m/s]
 */
double dls_dry_solve(dls_dry *s, const double *f, double scale, double h, double *v);
/** The step is done, its motion that of the r before the last dls_dry_solve: what is remembered, and sim->p_t, lambda_t and status. gamma: the step transmits h ((1 - gamma) last +
 * gamma r). */
void dls_dry_take(dls_dry *s, dls_sim *sim, const double *f, double gamma, double h);

#endif
