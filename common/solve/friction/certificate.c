/* certificate.c -- the scaled natural map, recomputed from W, q and r.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/solve/friction/cone.h"
#include "common/solve/friction/friction_methods.h"
#include <float.h>
#include <math.h>
#include <string.h>

/* u = W r + q is known to 8 (machine epsilon) of the scale, mu |u_T| to mu times that. Where this error exceeds the
 * tolerance, it is subtracted from |u_T|, in the product mu |u_T| of this contact only. */
static double rounding_of(const dls_problem_task *task, double mu, double scale)
{
  static const double rounding = 8 * DBL_EPSILON;
  return rounding * (1 + mu) > task->tolerance ? rounding * scale : 0;
}

/* f_a of one block. @return |f_a|^2 */
static double block_gap(const dls_problem_task *task, size_t k, double scale, const double *r, const double *u,
                        double *f)
{
  const dls_block *block = &task->blocks[k];
  const double inverse_rho = task->inverse_rho[k];
  double sum = 0;
  switch (block->law) {
  case DLS_COULOMB:
    return dls_cone_gap(block->rows, block->mu, rounding_of(task, block->mu, scale), inverse_rho, r, u, f);
  case DLS_ASSOCIATED:
    return dls_cone_gap_associated(block->rows, block->mu, rounding_of(task, block->mu, scale), inverse_rho, r,
                                   u, f);
  case DLS_HALF:
    f[0] = fmin(r[0] * inverse_rho, u[0]);
    return f[0] * f[0];
  case DLS_FREE:
    for (size_t i = 0; i < block->rows; i++) {
      f[i] = u[i];
      sum += u[i] * u[i];
    }
  }
  return sum;
}

/* max(|q|, |u|, |r / rho|). @return Infinity if one is not finite */
static double scale_of(const dls_problem_task *task, const double *r, const double *u)
{
  double velocities = 0, forces = 0;
  for (size_t k = 0; k < task->count; k++) {
    for (size_t i = task->first[k]; i < task->first[k + 1]; i++) {
      const double x = r[i] * task->inverse_rho[k];
      velocities += u[i] * u[i];
      forces += x * x;
    }
  }
  const bool finite = velocities <= DBL_MAX && forces <= DBL_MAX; /* NaN makes it false */
  return finite ? fmax(task->load, sqrt(fmax(velocities, forces))) : INFINITY;
}

/* f of all blocks. @param[out] largest  max |f_a|^2 @return |f|^2 */
static double gaps_of(const dls_problem_task *task, double scale, const double *r, const double *u, double *f,
                      double *largest)
{
  double sum = 0;
  *largest = 0;
  for (size_t k = 0; k < task->count; k++) {
    const size_t a = task->first[k];
    const double gap = block_gap(task, k, scale, r + a, u + a, f + a);
    sum += gap;
    *largest = gap > *largest ? gap : *largest;
  }
  return sum;
}

double dls_task_gap(const dls_problem_task *task, const double *r, const double *u, double *f)
{
  double largest;
  return sqrt(gaps_of(task, scale_of(task, r, u), r, u, f, &largest));
}

dls_certificate dls_certify(const dls_problem_task *task, const double *r, double *u, double *f)
{
  double largest;
  memcpy(u, task->q, task->n * sizeof *u);
  task->W->multiply(task->W->data, r, u); /* u = W r + q */
  const double scale = scale_of(task, r, u), gaps = gaps_of(task, scale, r, u, f, &largest);
  const double norm = sqrt(gaps);
  const bool finite = scale <= DBL_MAX && gaps <= DBL_MAX; /* NaN makes it false */
  return (dls_certificate){.residual = !finite     ? INFINITY
                                       : norm == 0 ? 0
                                                   : norm / scale,
                           .absolute = finite ? sqrt(largest) : INFINITY,
                           .norm = norm,
                           .scale = scale};
}

bool dls_certificate_accepts(const dls_problem_task *task, const dls_certificate *c)
{
  static const double growth = 1e6; /* see problem.h */
  const bool grown = c->norm > growth * task->tolerance * task->load || DBL_EPSILON * c->scale > task->load;
  const bool moves = task->count == 1 && task->own[0] > 0; /* open it by a force, which may be large */
  return c->residual <= task->tolerance && (moves || !grown);
}

dls_certificate dls_task_offer(dls_problem_task *task, const double *r, const char *method, size_t iterations)
{
  const dls_certificate c = dls_certify(task, r, task->u, task->f);
  const bool accepted = dls_certificate_accepts(task, &c);
  const bool better = task->report.method == NULL || accepted > task->accepted ||
                      (accepted == task->accepted && c.residual < task->report.residual);
  if (better && c.residual <= DBL_MAX) {
    memcpy(task->best, r, task->n * sizeof *r);
    memcpy(task->best_u, task->u, task->n * sizeof *task->u);
    task->report.residual = c.residual;
    task->report.residual_abs = c.absolute;
    task->report.iterations = iterations;
    task->report.method = method;
    task->accepted = accepted;
  }
  return c;
}
