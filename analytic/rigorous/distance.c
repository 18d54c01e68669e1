/* analytic/rigorous/distance.c -- how far a trajectory is from the exact solution, as a theorem.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/area.h"
#include "analytic/rigorous/decimals.h"
#include "analytic/rigorous/excess.h"
#include "analytic/rigorous/guard.h"
#include "analytic/rigorous/models.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { NARROW = 130, PREC = 320, MOST_DOUBLINGS = 3, WORK = 192, PLACES = 3 /* more than are asked for */ };

static dls_status find_columns(const dls_rigorous_distance_problem *problem, const dls_ball_solution *sol,
                               slong *columns, dls_error *err)
{
  for (size_t j = 0; j < problem->dim; j++) {
    const char *name = problem->columns[j];
    columns[j] = dls_ball_solution_column(sol, name);
    if (columns[j] < 0 || name[0] == 'p' || name[0] == 'l') {
      return dls_fail(
          err, DLS_ERR_OPTION,
          "--column: the rigorous solution of %s has no function of time %.40s: coordinates, velocities, "
          "gaps and their velocities are",
          problem->exact.model, name);
    }
  }
  return DLS_OK;
}

/* Both curves. */
typedef struct curves {
  dls_ball_curve nodes, exact;
  arb_t tau, xi;
} curves;

static dls_status make_exact(const dls_rigorous_distance_problem *problem, curves *c, slong prec, slong narrow,
                             dls_error *err)
{
  dls_ball_solution sol;
  slong *columns = flint_malloc(problem->dim * sizeof *columns);
  dls_status status = dls_ball_solve(&problem->exact, prec, narrow, &sol, err);
  if (status == DLS_OK) {
    status = find_columns(problem, &sol, columns, err);
  }
  if (status == DLS_OK) {
    status = dls_ball_curve_of_solution(&c->exact, &sol, columns, problem->t[0], problem->t[problem->count - 1],
                                        c->xi, prec, err);
  }
  dls_ball_solution_clear(&sol);
  flint_free(columns);
  return status;
}

static dls_status make(const dls_rigorous_distance_problem *problem, curves *c, dls_error *err)
{
  slong prec = PREC, narrow = NARROW;
  dls_status status = arb_set_str(c->tau, problem->tau, prec) == 0 && arb_is_positive(c->tau) &&
                              arb_set_str(c->xi, problem->xi, prec) == 0 && arb_is_positive(c->xi)
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_ARG, "tau = %.40s and xi = %.40s must be positive decimals",
                                     problem->tau, problem->xi);
  if (status != DLS_OK) {
    return status;
  }
  dls_ball_curve_of_nodes(&c->nodes, problem->count, problem->t, problem->x, problem->slope, c->xi, WORK);
  for (int i = 0; i <= MOST_DOUBLINGS; i++, prec *= 2) {
    dls_ball_curve_clear(&c->exact);
    dls_ball_curve_init(&c->exact, c->nodes.dim);
    status = make_exact(problem, c, prec, narrow, err);
    if (status != DLS_ERR_NOCONV) {
      break;
    }
  }
  return status;
}

/* Hausdorff distance of the graphs, and the slack of the exact one. */
static void hausdorff(const curves *c, double tolerance, arf_t low, arf_t high)
{
  double least = 0, most = 0;
  arb_t slack, value;
  arb_init(slack);
  arb_init(value);
  dls_ball_excess(&c->nodes, &c->exact, c->tau, tolerance, WORK, &least, &most);
  dls_ball_excess(&c->exact, &c->nodes, c->tau, tolerance, WORK, &least, &most);
  arf_set_mag(arb_midref(slack), c->exact.time_slack);
  arb_div(slack, slack, c->tau, WORK);
  arf_set_mag(arb_midref(value), c->exact.value_slack);
  arb_add(slack, slack, value, WORK);
  arb_set_d(value, least);
  arb_sub(value, value, slack, WORK);
  arb_get_lbound_arf(low, value, WORK);
  arb_set_d(value, most);
  arb_add(value, value, slack, WORK);
  arb_get_ubound_arf(high, value, WORK);
  arb_clear(slack);
  arb_clear(value);
}

/* The largest of all components' areas. */
static void l1(const curves *c, double tolerance, arf_t low, arf_t high)
{
  arb_t area, most;
  arb_init(area);
  arb_init(most);
  for (slong j = 0; j < c->nodes.dim; j++) {
    dls_ball_area(area, &c->nodes, &c->exact, j, tolerance, WORK);
    arb_max(most, most, area, WORK);
  }
  arb_get_ubound_arf(arb_midref(area), c->exact.area_slack, WORK);
  mag_zero(arb_radref(area));
  arb_sub(area, most, area, WORK);
  arb_div(area, area, c->tau, WORK);
  arb_get_lbound_arf(low, area, WORK);
  arb_add(area, most, c->exact.area_slack, WORK);
  arb_div(area, area, c->tau, WORK);
  arb_get_ubound_arf(high, area, WORK);
  arb_clear(area);
  arb_clear(most);
}

/* Decimals with so many digits of the upper bound. */
static dls_status write(const arf_t low, const arf_t high, unsigned digits, dls_rigorous_cell *out,
                        dls_error *err)
{
  const double size = arf_get_d(high, ARF_RND_UP);
  const int before = size > 1e-40 ? (int)ceil(log10(size)) : -40, places = (int)digits + PLACES - before;
  arf_t floor;
  arf_init(floor);
  arf_set(floor, low);
  if (arf_sgn(floor) < 0) {
    arf_zero(floor);
  }
  *out = (dls_rigorous_cell){.low = dls_ball_decimal(floor, places > 0 ? (ulong)places : 0, ARF_RND_FLOOR),
                             .high = dls_ball_decimal(high, places > 0 ? (ulong)places : 0, ARF_RND_CEIL)};
  arf_clear(floor);
  return out->low != NULL && out->high != NULL ? DLS_OK
                                               : dls_fail(err, DLS_ERR_MEMORY, "no memory for a distance");
}

static dls_status enclose(const dls_rigorous_distance_problem *problem, dls_rigorous_cell *out, bool *wide,
                          dls_error *err)
{
  const double tolerance = pow(10, -(double)problem->exact.digits);
  curves c;
  arf_t low, high;
  *out = (dls_rigorous_cell){0};
  dls_ball_curve_init(&c.nodes, (slong)problem->dim);
  dls_ball_curve_init(&c.exact, (slong)problem->dim);
  arb_init(c.tau);
  arb_init(c.xi);
  arf_init(low);
  arf_init(high);
  dls_status status = make(problem, &c, err);
  if (status == DLS_OK) {
    (problem->norm == DLS_RIGOROUS_L1 ? l1 : hausdorff)(&c, tolerance, low, high);
    const double least = arf_get_d(low, ARF_RND_DOWN), most = arf_get_d(high, ARF_RND_UP);
    *wide = most - least > tolerance * most * (1 + 1e-9);
    status = write(low, high, problem->exact.digits, out, err);
  }
  dls_ball_curve_clear(&c.nodes);
  dls_ball_curve_clear(&c.exact);
  arb_clear(c.tau);
  arb_clear(c.xi);
  arf_clear(low);
  arf_clear(high);
  return status;
}

typedef struct distance_job {
  const dls_rigorous_distance_problem *problem;
  dls_rigorous_cell *out;
  bool *wide;
} distance_job;

static dls_status do_distance(void *data, dls_error *err)
{
  const distance_job *j = data;
  return enclose(j->problem, j->out, j->wide, err);
}

dls_status dls_rigorous_distance(const dls_rigorous_distance_problem *problem, dls_rigorous_cell *out,
                                 bool *wide, dls_error *err)
{
  return dls_ball_guard(do_distance, &(distance_job){problem, out, wide}, err);
}
