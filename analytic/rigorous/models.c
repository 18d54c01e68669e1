/* analytic/rigorous/models.c -- see models.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/models.h"
#include <string.h>

static const struct {
  const char *model;
  dls_ball_maker *make;
} makers[] = {
    {"bouncing-ball", dls_ball_bouncing_ball},
    {"impacting-oscillator", dls_ball_impacting_oscillator},
    {"two-ball-oscillator", dls_ball_two_balls},
    {"vibrating-table", dls_ball_vibrating_table},
    {"rope", dls_ball_rope},
    {"belt", dls_ball_belt},
    {"forced-block", dls_ball_forced_block},
    {"spring-block", dls_ball_spring_block},
    {"den-hartog", dls_ball_den_hartog},
    {"puck", dls_ball_puck},
};
enum { MAKERS = sizeof makers / sizeof makers[0] };

dls_status dls_ball_end(const dls_rigorous_problem *problem, arb_t end, slong prec, dls_error *err)
{
  return arb_set_str(end, problem->end, prec) == 0 && arb_is_positive(end)
             ? DLS_OK
             : dls_fail(err, DLS_ERR_ARG, "end = %.60s is no positive decimal number", problem->end);
}

dls_status dls_ball_solve(const dls_rigorous_problem *problem, slong prec, slong narrow, dls_ball_solution *out,
                          dls_error *err)
{
  size_t which = 0;
  *out = (dls_ball_solution){.progress = problem->progress, .progress_data = problem->progress_data};
  while (which < MAKERS && strcmp(makers[which].model, problem->model) != 0) {
    which++;
  }
  if (which == MAKERS) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE,
                    "%s has no rigorous solution; bouncing-ball, impacting-oscillator, two-ball-oscillator, "
                    "vibrating-table, rope, belt, forced-block, spring-block, den-hartog and puck have one",
                    problem->model);
  }
  dls_ball_parameters p;
  arb_t end;
  arb_init(end);
  dls_status status = dls_ball_parameters_read(problem, prec, &p, err);
  if (status == DLS_OK) {
    status = dls_ball_end(problem, end, prec, err);
  }
  if (status == DLS_OK) {
    status = makers[which].make(&p, end, narrow, out, err);
  }
  dls_ball_parameters_clear(&p);
  arb_clear(end);
  return status;
}
