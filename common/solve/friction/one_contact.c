/* one_contact.c -- one contact with Coulomb's law, in the plane or in space:
 * which solution, and the method "one-contact". SPDX-License-Identifier:
 * GPL-3.0-or-later */
#include "common/solve/friction/one_contact.h"
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include <math.h>
#include <string.h>

static double norm2(size_t d, const double *r)
{
  return r[0] * r[0] + r[1] * r[1] + (d == 3 ? r[2] * r[2] : 0);
}

/* Of candidates in steps of `stride` the one nearest to r. */
static size_t nearest(size_t d, size_t count, const double *candidate, size_t stride, const double *r)
{
  size_t best = 0;
  double least = HUGE_VAL;
  for (size_t k = 0; k < count; k++) {
    double distance = 0;
    for (size_t i = 0; i < d; i++) {
      const double difference = candidate[stride * k + i] - r[i];
      distance += difference * difference;
    }
    if (distance < least) {
      best = k;
      least = distance;
    }
  }
  return best;
}

/* Neither mode fits, by rounding at the border of two: r on the cone that
 * leaves least. */
static void choose_border(size_t d, const double *W, const double *q, double mu, double *r)
{
  double trace = 0, u[3], f[3];
  (void)(d == 2 ? dls_plane_stick(W, q, mu, r) : dls_space_stick(W, q, mu, r));
  for (size_t i = 0; i < d; i++) {
    trace += W[i + d * i];
    r[i] = isfinite(r[i]) ? r[i] : 0;
  }
  dls_cone_project(d, mu, r);
  const double frictionless[3] = {-q[0] / W[0], 0, 0};
  double least = HUGE_VAL, candidate[6];
  memcpy(candidate, r, d * sizeof *r);
  memcpy(candidate + 3, frictionless, d * sizeof *r);
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < d; i++) {
      u[i] = q[i];
      for (size_t j = 0; j < d; j++) {
        u[i] += W[i + d * j] * candidate[3 * k + j];
      }
    }
    const double gap = dls_cone_gap(d, mu, 0, trace / (double)d, candidate + 3 * k, u, f);
    if (gap < least) {
      least = gap;
      memcpy(r, candidate + 3 * k, d * sizeof *r);
    }
  }
}

void dls_contact_exact(size_t d, const double *W, const double *q, double mu, double *r)
{
  if (q[0] >= 0) {
    memset(r, 0, d * sizeof *r);
    return;
  }
  if (mu == 0) {
    memset(r, 0, d * sizeof *r);
    r[0] = -q[0] / W[0];
    return;
  }
  double stick[3], slip[3 * DLS_ONE_CONTACT_MOST];
  if (d == 2 ? dls_plane_stick(W, q, mu, stick) : dls_space_stick(W, q, mu, stick)) {
    memcpy(r, stick, d * sizeof *r);
    return;
  }
  const size_t count = d == 2 ? dls_plane_slips(W, q, mu, slip) : dls_space_slips(W, q, mu, slip);
  if (count > 0) {
    memcpy(r, slip + 3 * (count > 1 ? nearest(d, count, slip, 3, r) : 0), d * sizeof *r);
  } else {
    choose_border(d, W, q, mu, r);
  }
}

/* Smallest |r| first. */
static void sort(size_t d, size_t count, double *r)
{
  for (size_t k = 1; k < count; k++) {
    for (size_t j = k; j > 0 && norm2(d, r + 3 * j) < norm2(d, r + 3 * (j - 1)); j--) {
      for (size_t i = 0; i < d; i++) {
        const double x = r[3 * j + i];
        r[3 * j + i] = r[3 * (j - 1) + i];
        r[3 * (j - 1) + i] = x;
      }
    }
  }
}

size_t dls_one_contact(size_t d, const double *W, const double *q, double mu, double *r)
{
  double all[3 * DLS_ONE_CONTACT_MOST];
  size_t count = 0;
  if (mu > 0 && W[0] > 0) {
    count = d == 2 ? dls_plane_all(W, q, mu, all) : dls_space_all(W, q, mu, all);
  }
  if (count == 0) { /* no friction, or at the border of two modes */
    memset(all, 0, sizeof all);
    if (q[0] < 0 && !(W[0] > 0)) {
      return 0;
    }
    dls_contact_exact(d, W, q, mu, all);
    count = 1;
  }
  sort(d, count, all);
  for (size_t k = 0; k < count; k++) {
    memcpy(r + d * k, all + 3 * k, d * sizeof *r);
  }
  return count;
}

static const char *refuses(const dls_problem *problem)
{
  return problem->count != 1 || problem->blocks[0].law != DLS_COULOMB ? "it is not one contact with friction"
                                                                      : NULL;
}

/* The solution that dls_contact_exact chooses, with the rounding errors of an
 * ill-conditioned W taken out by Newton steps, and how many there are. */
static dls_status solve(dls_problem_task *task)
{
  enum { REFINEMENTS = 5 };
  const double mu = task->blocks[0].mu;
  double all[3 * DLS_ONE_CONTACT_MOST];
  const size_t count = dls_one_contact(task->n, task->own, task->q, mu, all);
  if (count == 0) {
    return DLS_ERR_LCP;
  }
  memcpy(task->r, task->start, task->n * sizeof *task->r);
  dls_contact_exact(task->n, task->own, task->q, mu, task->r);
  const dls_certificate c = dls_task_offer(task, task->r, dls_problem_one_contact.name, 1);
  size_t steps = 1;
  const dls_status status = c.residual > DLS_EXACT ? dls_task_newton(task, 0, REFINEMENTS, &steps) : DLS_OK;
  task->report.method = dls_problem_one_contact.name;
  task->report.solutions = count;
  return status == DLS_ERR_MEMORY ? status : task->accepted ? DLS_OK : DLS_ERR_LCP;
}

const dls_problem_method dls_problem_one_contact = {
    .name = "one-contact",
    .summary = "one contact exactly: open, stick, slip in the plane; in space "
               "slip by the roots of a quartic",
    .source =
        "O. Bonnefon and G. Daviet, Quartic formulation of Coulomb 3D frictional contact, INRIA RT-0400 (2011)",
    .handles = "one contact with friction",
    .refuses = refuses,
    .solve = solve,
};
