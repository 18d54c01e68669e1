/* multistep.h -- linear two-step formulas for the smooth part of a step of newmark_step.c, with h_last the length of the step before,
 *   v~ = v + c (v - v_last) + h (b1 a' + b0 a + b_last a_last),   v' = v~ + w                       (1)
 *   q' = q + c (q - q_last) + h (b1 v~ + b0 v + b_last v_last) + (h/2) w                            (2)
 * This is (2), (3) there for gamma = b1, beta = b1^2, with other predictors. After a step with an impulse, v' and a' do not continue the
 * motion before it. With the jump w in the middle of the step, the past that would lead to v' and q' is
 *   v_last = v + w,   q_last = q - (h/2) w                                                          (3)
 * The accelerations are still those of before the impact. A formula that restarts therefore makes a step with a forecast impact, and the
 * next one, by a formula of one step. The same holds for a step that contains a row of a table of loads, and for the next one.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_MULTISTEP_H
#define DELASSUS_TIME_STEPPING_MULTISTEP_H

#include "time_stepping/newmark/newmark_step.h"

typedef struct dls_multistep_weights {
  double b1, b0, b_last, c;
} dls_multistep_weights;

typedef struct dls_multistep_formula {
  dls_multistep_weights first; /* of one step: b_last = c = 0 */
  /** @param[in] ratio  h / h_last */
  dls_multistep_weights (*weights)(double ratio);
  double most; /* of that ratio; with a larger one the formula of one step is taken */
} dls_multistep_formula;

typedef struct dls_multistep dls_multistep;

/** @return NULL if out of memory */
dls_multistep *dls_multistep_create(const dls_sim *sim, const dls_multistep_formula *formula);
void dls_multistep_destroy(dls_multistep *m); /* NULL is fine */
/** gamma and beta of the formula of one step, and of that of two equal steps. */
void dls_multistep_coefficients(const dls_multistep *m, dls_newmark *first, dls_newmark *usual);
/** b1 of the formula of one step. */
double dls_multistep_first_weight(const dls_multistep *m);
/** The coefficients of a step and its predictors v_star, q_star: (1), (2) with a' = 0 and w = 0. The contacts are known. */
void dls_multistep_predict(const dls_sim *sim, dls_newmark_memory *s, double h);
/** (3), behind a step that is made and not yet taken. */
void dls_multistep_keep(const dls_sim *sim, const dls_newmark_memory *s, double h);

#endif
