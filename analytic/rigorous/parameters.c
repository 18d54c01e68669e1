/* analytic/rigorous/parameters.c -- see parameters.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/parameters.h"
#include <math.h>
#include <string.h>

dls_status dls_ball_parameters_read(const dls_rigorous_problem *problem, slong prec, dls_ball_parameters *out,
                                    dls_error *err)
{
  *out = (dls_ball_parameters){problem, _arb_vec_init((slong)problem->parameter_count), prec};
  for (size_t i = 0; i < problem->parameter_count; i++) {
    if (arb_set_str(out->of + i, problem->values[i], prec) != 0 || !arb_is_finite(out->of + i)) {
      return dls_fail(err, DLS_ERR_ARG, "%s: %s = %.60s is no decimal number", problem->model,
                      problem->names[i], problem->values[i]);
    }
  }
  return DLS_OK;
}

void dls_ball_parameters_clear(dls_ball_parameters *p)
{
  _arb_vec_clear(p->of, (slong)p->problem->parameter_count);
}

static size_t place(const dls_ball_parameters *p, const char *name)
{
  size_t i = 0;
  while (strcmp(p->problem->names[i], name) != 0) {
    i++;
  }
  return i;
}

arb_srcptr dls_ball_parameter(const dls_ball_parameters *p, const char *name)
{
  return p->of + place(p, name);
}

double dls_ball_parameter_size(const dls_ball_parameters *p, const char *name)
{
  return fabs(arf_get_d(arb_midref(dls_ball_parameter(p, name)), ARF_RND_NEAR));
}

bool dls_ball_parameters_equal(const dls_ball_parameters *p, const char *a, const char *b)
{
  return strcmp(p->problem->values[place(p, a)], p->problem->values[place(p, b)]) == 0;
}
