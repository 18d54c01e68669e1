/* dry_friction.h -- friction of compliant contacts: tangential forces r from the slip u at the time of the step's forces.
 * The limit is |r| <= F = mu f with the normal force f:
 *   coulomb        u = 0, or r = -F u/|u|
 *   tanh           r = -F tanh(|u|/eps) u/|u|
 *   spring-slider  z' = z + h u,  r = -min(k_t |z'|, F) z'/|z'|;  where it slides z' is cut to |z'| = F/k_t
 *   dahl           r' = r - h sigma (u + |u| r'/F)
 *   lugre          z' = z + h (u - sigma0 |u| z'/s),  s = F (1 + (fs - 1) exp(-(|u|/v_s)^2)),
 *                  r = -(sigma0 z' + sigma1 (z' - z)/h + sigma2 u)
 * Internal states advance by one implicit Euler step. All laws but the first are regularised; they serve for comparison.
 * Sources: Dahl 1968; Canudas de Wit, Olsson, Astrom, Lischinsky 1995.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_DRY_FRICTION_H
#define DELASSUS_TIME_STEPPING_DRY_FRICTION_H

#include <delassus/configuration.h>
#include <delassus/delassus_operator.h>
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

/** The law of one contact, linearised: A u + B r + b f = c with its slip u and normal force f; A, B column-major. */
typedef struct dls_dry_law {
  double A[4], B[4], b[2], c[2];
} dls_dry_law;

/** Tangential forces of a step. Arrays of (d - 1) m unless it says otherwise. */
typedef struct dls_dry {
  dls_friction_options opt;
  const dls_configuration *config; /* borrowed */
  dls_factor *A;                   /* borrowed */
  dls_delassus *W;                 /* H^T A^-1 H of all rows */
  size_t made;                     /* of A when W was last reset */
  double tolerance;                /* change of a slip that is left [m/s] */
  double scale, weight;            /* u = u_free + scale weight W (f, r/weight), along tangents */
  double h;                        /* length of the step */
  double *u_free, *u;
  double *r, *last;            /* of the step, and of that before */
  double *z, *z_next;          /* internal state of the model: 0 where the contact is open */
  double *f;                   /* m: normal forces of r */
  double *x;                   /* d m: forces of the contacts of the system */
  double *blocks_A, *blocks_B; /* 9 m: of the linear system */
  double *shift;               /* n: A^-1 (H f + H_T r/weight) */
  dls_dry_law *laws;           /* m */
  size_t *rows;                /* d m: of the contacts of the system */
  double *block;
} dls_dry;

/** @param[in] tolerance  change of a slip that is left [m/s] @return NULL if out of memory */
dls_dry *dls_dry_create(const dls_configuration *config, dls_factor *A, const dls_friction_options *opt,
                        double tolerance);
void dls_dry_destroy(dls_dry *s); /* NULL is fine */

/**
 * An iteration begins, with the forces of the last one.
 * @param[in] v, a    n: v + scale a is the velocity of the law without contact forces
 * @param[in] scale   of an acceleration in this velocity
 * @param[in] weight  of f in the acceleration; that of r is 1
 * @param[in] h       length of the step
 */
void dls_dry_begin(dls_dry *s, const double *v, const double *a, double scale, double weight, double h);
/**
 * The law of contact j, linearised where this contact alone would satisfy it.
 * @param[in] proximal  where it sticks u + proximal W_TT (r - r of the last iteration) = 0
 * @return the resulting change of its slip [m/s]
 */
double dls_dry_linearise(dls_dry *s, size_t j, double proximal);
/**
 * Forces of a set of contacts, E f + y = b + y_free in normal direction and the linearised laws along tangents, where
 * y = y_free + s W (f, r/weight); no others have forces.
 * @param[in]     count, set  contacts, increasing
 * @param[in]     E           count, >= 0
 * @param[in,out] b           count; f out
 * @param[out]    shift       n: A^-1 (H f + H_T r/weight)
 * @return DLS_OK; DLS_ERR_SINGULAR; DLS_ERR_MEMORY
 */
dls_status dls_dry_forces(dls_dry *s, double scale, size_t count, const size_t *set, const double *E, double *b,
                          double *shift, dls_error *err);
/** End of the step: internal states, and sim->p_t, lambda_t and status. f: m, normal forces; gamma: the step
 * transmits h ((1 - gamma) last + gamma r). */
void dls_dry_take(dls_dry *s, dls_sim *sim, const double *f, double gamma);

#endif
