/* analytic/rigorous/parameters.h -- parameters of a problem, decimals, in balls.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_RIGOROUS_PARAMETERS_H
#define DELASSUS_RIGOROUS_PARAMETERS_H

#include "analytic/rigorous/rigorous.h"
#include <arb.h>
#include <stdbool.h>

typedef struct dls_ball_parameters {
  const dls_rigorous_problem *problem;
  arb_ptr of; /* parameter_count */
  slong prec;
} dls_ball_parameters;

/* @return DLS_ERR_ARG for what is no decimal; to be cleared in any case */
dls_status dls_ball_parameters_read(const dls_rigorous_problem *problem, slong prec, dls_ball_parameters *out,
                                    dls_error *err);
void dls_ball_parameters_clear(dls_ball_parameters *p);
/* One of the model's own table. */
arb_srcptr dls_ball_parameter(const dls_ball_parameters *p, const char *name);
/* About |x|, for weights. */
double dls_ball_parameter_size(const dls_ball_parameters *p, const char *name);
/* Are two written alike? Then they are equal. */
bool dls_ball_parameters_equal(const dls_ball_parameters *p, const char *a, const char *b);

#endif
