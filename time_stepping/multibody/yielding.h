/* yielding.h -- contacts with the conserving penalty, as forces on a midpoint step with H at the midpoint:
 *   f = -[U(y') - U(y)]/(y' - y),   U(y) = kappa/2 min(y, 0)^2,   y' = y + H^T (q' - q) + h b
 * with the dynamic gap y, so that the energy of the system and sum U(y) is kept. For an open contact, y is its gap.
 * Alternatively the spring at the midpoint, f = kappa max(0, -g(m)), which keeps momenta, but not the energy; then y
 * = g.
 * Sources: Armero & Petocz 1996, eqs. (3.1)-(3.3), table 3.1, appendix I.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_YIELDING_H
#define DELASSUS_TIME_STEPPING_YIELDING_H

#include <delassus/sim.h>

typedef enum dls_yielding_rule { DLS_YIELDING_CONSERVING, DLS_YIELDING_MIDDLE } dls_yielding_rule;

typedef struct dls_yielding {
  dls_yielding_rule rule;
  double kappa;
  dls_configuration *config; /* of the step; borrowed */
  dls_matrix *slope;         /* n x m: H with column j times -h^2/2 df/dy', for Newton's matrix */
  dls_matrix *one;           /* m x m */
  dls_matrix *turn;          /* n x m: change of H over the step, for systems that provide it; else NULL */
  dls_matrix *bent;          /* n x n: sum f_j d^2 g_j/dq^2 at the middle; NULL with `turn` */
  double h;                  /* of the step */
  double *y, *next;          /* m: y and y' */
  double *change;            /* m: y' - y of the step that was taken */
  double *force;             /* m */
  double *step;              /* n: q' - q */
  double *block;             /* owns the arrays */
} dls_yielding;

/** @return false if out of memory; destroy it in any case */
bool dls_yielding_create(const dls_sim *sim, dls_configuration *config, dls_yielding_rule rule, double kappa,
                         dls_yielding *c);
void dls_yielding_destroy(dls_yielding *c);
/** Move to the midpoint of the step h from the sim's q to q_next: forces, slopes and `bent`; x[n] += h H f. */
void dls_yielding_push(const dls_sim *sim, dls_yielding *c, double h, const double *middle,
                       const double *q_next, double *x);
/** End of the step, before sim->q is updated: dynamic gaps, p = h f, lambda, status. */
void dls_yielding_take(dls_sim *sim, dls_yielding *c, double h, const double *q_next);
/** sum U(y) of m contacts [J]. */
double dls_yielding_energy(const dls_yielding *c, size_t m);

#endif
