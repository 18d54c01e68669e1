/* runge_kutta.h -- one Runge-Kutta step of the smooth dynamics with a set of lasting contacts:
 *   Q_i = q + h sum_j a_ij V_j,  V_i = v + h sum_j a_ij A_j                                                     (1)
 *   M A_i = F(t + c_i h, Q_i, V_i) + H lambda_i,   0 <= H^T A_i + (dH^T/dt) V_i _|_ lambda_i >= 0 on the set    (2)
 *   q' = q + h sum_i b_i V_i,  v' = v + h sum_i b_i A_i                                                         (3)
 * dls_rk_combine computes the sums of (1) and (3). Explicit methods are half-explicit: (2) is a complementarity problem at each
 * stage. Implicit methods solve one problem for all stages.
 * Sources: Acary, lecture, eq. (133); Hairer, Norsett & Wanner 1993, chapter II; Hairer & Wanner 1996, section IV.5.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_RUNGE_KUTTA_H
#define DELASSUS_TIME_STEPPING_RUNGE_KUTTA_H

#include "time_stepping/step/instant.h"
#include "time_stepping/step/iteration.h"
#include "time_stepping/step/small_system.h"
#include <arkode/arkode_butcher.h>
#include <string.h>

/** The methods, as choices of an option: explicit pairs and collocation methods. */
typedef enum dls_rk_method {
  DLS_RK_HEUN,
  DLS_RK_BOGACKI_SHAMPINE,
  DLS_RK_RK4,
  DLS_RK_FEHLBERG45,
  DLS_RK_DORMAND_PRINCE,
  DLS_RK_FEHLBERG78,
  DLS_RK_GAUSS2,
  DLS_RK_GAUSS4,
  DLS_RK_RADAU3,
  DLS_RK_RADAU5,
} dls_rk_method;
extern const char *const dls_rk_names[];          /* ends with NULL */
extern const char *const dls_rk_explicit_names[]; /* the first of them: the pairs, which know their error */

/** The force problems of implicit methods couple all stages, and have neither friction nor joints.
 * @return DLS_OK; DLS_ERR_NOT_APPLICABLE where the system has them */
dls_status dls_rk_check_method(const dls_sim *sim, dls_rk_method method, dls_error *err);

/** @return NULL if out of memory; ARKodeButcherTable_Free destroys it */
ARKodeButcherTable dls_rk_table(dls_rk_method method);

typedef struct dls_rk_implicit dls_rk_implicit;

typedef struct dls_rk {
  ARKodeButcherTable table;  /* q: order */
  size_t stages;             /* that are needed for the result */
  dls_newton newton;         /* implicit methods */
  double *Q, *V, *A;         /* stages x n */
  double *lambda, *gamma;    /* rows, scratch */
  dls_rk_implicit *implicit; /* NULL: explicit */
  double *block;             /* owns the arrays */
} dls_rk;

/** @param[in] embedded  compute the stages of the error estimate too */
dls_status dls_rk_create(dls_sim *sim, dls_rk_method method, bool embedded, dls_rk *rk, dls_error *err);
void dls_rk_destroy(dls_rk *rk);
/**
 * @param[in]  x      state and acceleration at the start
 * @param[out] q, v   n; at x->t + h
 * @param[out] opens  least c_i of a stage where the complementarity problem opens a contact of the set; else +inf
 */
dls_status dls_rk_step(dls_sim *sim, dls_rk *rk, dls_contact_system *contacts, const dls_instant *x,
                       const dls_contacts *set, double h, double *q, double *v, double *opens, dls_error *err);
/** Difference to the embedded method of the last step of length h: dq, dv [n]. Explicit pairs only. */
void dls_rk_error(const dls_sim *sim, const dls_rk *rk, double h, double *dq, double *dv);

/** y := x + factor slope; y may be x. */
static inline void dls_rk_add(size_t n, const double *x, double factor, const double *restrict slope, double *y)
{
  for (size_t i = 0; i < n; i++) {
    y[i] = x[i] + factor * slope[i];
  }
}

/** y := x + h sum_j weight_j slope_j over count slopes; x, y [n], slope [count x n]. */
static inline void dls_rk_combine(size_t n, const double *x, double h, size_t count, const double *weight,
                                  const double *slope, double *y)
{
  for (size_t j = 0; j < count; j++) {
    const double factor = h * weight[j];
    if (factor != 0) {
      dls_rk_add(n, x, factor, slope + j * n, y);
      x = y;
    }
  }
  if (x != y) {
    memcpy(y, x, n * sizeof *y);
  }
}

/** Where a scheme looks for closed gaps in a step. */
typedef enum dls_rk_impacts { DLS_RK_BETWEEN_NODES, DLS_RK_AT_NODES } dls_rk_impacts;
/** What advance_batch needs of a scheme: the first member of its memory. All but the impacts is borrowed. */
typedef struct dls_rk_flight {
  dls_rk_impacts impacts;
  dls_rk *rk;
  dls_contact_system *contacts;
  const dls_contacts *closed;     /* lasting contacts */
  dls_instant *now;               /* the state of the sim, observed */
  dls_small_system *small_system; /* NULL: the system is not small */
} dls_rk_flight;
void dls_rk_advance_batch(dls_batch_member *members, size_t count);

/* rk_implicit.c */
dls_status dls_rk_implicit_create(dls_sim *sim, dls_rk *rk, dls_error *err);
void dls_rk_implicit_destroy(dls_rk_implicit *im);
/** All stages: rk->Q, V, A. */
dls_status dls_rk_implicit_stages(dls_sim *sim, dls_rk *rk, dls_contact_system *contacts, const dls_instant *x,
                                  const dls_contacts *set, double h, double *opens, dls_error *err);

#endif
