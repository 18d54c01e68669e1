/* experiments/measures/fit/sampled_descent.c -- see sampled_descent.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/measures/fit/sampled_descent.h"

#include "experiments/measures/fit/thresholds.h"
#include <gsl/gsl_blas.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

enum { MOST_DESCENTS = 60, MOST_HALVINGS = 6, MOST_EXCHANGES = 500 };

typedef struct descent {
  const gsl_multifit_nlinear_fdf *fdf;
  size_t count, samples; /* parameters; gradients: 2 count + 1, and up to 2 count more of trials that failed */
  gsl_vector *f;         /* residuals */
  gsl_matrix *J;
  gsl_matrix *T;         /* z = z_0 + T u, of the columns with a singular value; the others are 0 */
  gsl_matrix *gradients; /* 4 count + 1 x count, in u */
  gsl_vector *g, *u, *z; /* shortest combination; scratch */
  double unit;           /* a standard error in u, with the residuals at z */
  double rank;           /* columns of T */
} descent;

static double square(const gsl_vector *x)
{
  double sum = 0;
  gsl_blas_ddot(x, x, &sum);
  return sum;
}

static double standard_error(const descent *d, double sum)
{
  return sqrt(sum / fmax((double)d->fdf->n - d->rank, 1));
}

/* T := diag(norm)^-1 V S^-1 of J = U S V^T diag(norm), and the standard error. */
static int set_coordinates(descent *d, const gsl_vector *z)
{
  int code = d->fdf->f(z, d->fdf->params, d->f);
  if (code != GSL_SUCCESS || (code = d->fdf->df(z, d->fdf->params, d->J)) != GSL_SUCCESS) {
    return code;
  }
  for (size_t k = 0; k < d->count; k++) {
    gsl_vector_view column = gsl_matrix_column(d->J, k);
    const double norm = gsl_blas_dnrm2(&column.vector);
    gsl_vector_set(d->g, k, norm);
    gsl_vector_scale(&column.vector, norm > 0 ? 1 / norm : 0);
  }
  code = gsl_linalg_SV_decomp_jacobi(d->J, d->T, d->u);
  d->rank = 0;
  for (size_t l = 0; l < d->count && code == GSL_SUCCESS; l++) {
    const double s = gsl_vector_get(d->u, l);
    const bool used = s > threshold_rank * gsl_vector_get(d->u, 0);
    d->rank += used;
    for (size_t k = 0; k < d->count; k++) {
      const double norm = gsl_vector_get(d->g, k);
      gsl_matrix_set(d->T, k, l, used && norm > 0 ? gsl_matrix_get(d->T, k, l) / (norm * s) : 0);
    }
  }
  d->unit = standard_error(d, square(d->f));
  return code;
}

/* d->z := z + T u */
static void displace(descent *d, const gsl_vector *z, const gsl_vector *u, double factor)
{
  gsl_vector_memcpy(d->z, z);
  gsl_blas_dgemv(CblasNoTrans, factor, d->T, u, 1, d->z);
}

/* The gradient of S / 2 in u at d->z; where there is none, that of sample 0. */
static int gradient_at(descent *d, size_t sample)
{
  int code = d->fdf->f(d->z, d->fdf->params, d->f);
  gsl_vector_view row = gsl_matrix_row(d->gradients, sample);
  if (code == GSL_SUCCESS && (code = d->fdf->df(d->z, d->fdf->params, d->J)) == GSL_EDOM && sample > 0) {
    const gsl_vector_const_view centre = gsl_matrix_const_row(d->gradients, 0);
    gsl_vector_memcpy(&row.vector, &centre.vector);
    return GSL_SUCCESS;
  }
  if (code != GSL_SUCCESS) {
    return code;
  }
  gsl_blas_dgemv(CblasTrans, 1, d->J, d->f, 0, d->u);
  gsl_blas_dgemv(CblasTrans, 1, d->T, d->u, 0, &row.vector);
  return GSL_SUCCESS;
}

static int sample(descent *d, const gsl_vector *z, double radius)
{
  displace(d, z, d->g, 0);
  d->samples = 2 * d->count + 1;
  int code = gradient_at(d, 0);
  for (size_t k = 0; k < 2 * d->count && code == GSL_SUCCESS; k++) {
    gsl_vector_set_basis(d->g, k / 2);
    displace(d, z, d->g, (k % 2 == 0 ? 1 : -1) * radius);
    code = gradient_at(d, k + 1);
  }
  return code;
}

static double product(const descent *d, const gsl_vector *g, size_t sample)
{
  const gsl_vector_const_view row = gsl_matrix_const_row(d->gradients, sample);
  double x = 0;
  gsl_blas_ddot(&row.vector, g, &x);
  return x;
}

/* d->g := the shortest vector in the convex hull of the gradients: weight moves from the sample with the largest product to that with the
 * smallest. */
static void combine(descent *d)
{
  double weight[4 * d->count + 1];
  for (size_t i = 0; i < d->samples; i++) {
    weight[i] = 1 / (double)d->samples;
  }
  for (size_t pass = 0; pass <= MOST_EXCHANGES; pass++) {
    size_t to = 0, from = d->samples;
    gsl_vector_set_zero(d->g);
    for (size_t i = 0; i < d->samples; i++) {
      const gsl_vector_const_view row = gsl_matrix_const_row(d->gradients, i);
      gsl_blas_daxpy(weight[i], &row.vector, d->g);
    }
    for (size_t i = 0; i < d->samples; i++) {
      to = product(d, d->g, i) < product(d, d->g, to) ? i : to;
      if (weight[i] > 0 && (from == d->samples || product(d, d->g, i) > product(d, d->g, from))) {
        from = i;
      }
    }
    const double gain = product(d, d->g, from) - product(d, d->g, to);
    const gsl_vector_const_view a = gsl_matrix_const_row(d->gradients, from);
    const gsl_vector_const_view b = gsl_matrix_const_row(d->gradients, to);
    gsl_vector_memcpy(d->u, &a.vector);
    gsl_vector_sub(d->u, &b.vector);
    const double length = square(d->u);
    if (!(length > 0) || !(gain > 0)) {
      return;
    }
    const double moved = fmin(gain / length, weight[from]);
    weight[from] -= moved;
    weight[to] += moved;
  }
}

/* Steps along -g, the first as long as g: that to the minimum of a smooth S. @param[out] lower  S has decreased, z is there */
static int step(descent *d, gsl_vector *z, double *sum, bool *lower)
{
  const double slope = square(d->g);
  double length = 1;
  *lower = false;
  for (int i = 0; i < MOST_HALVINGS && !*lower; i++, length /= 2) {
    displace(d, z, d->g, -length);
    const int code = d->fdf->f(d->z, d->fdf->params, d->f);
    if (code != GSL_SUCCESS) {
      return code;
    }
    *lower = square(d->f) < *sum - threshold_least_descent * length * slope;
  }
  if (*lower) {
    *sum = square(d->f);
    d->unit = standard_error(d, *sum);
    gsl_vector_memcpy(z, d->z);
  }
  return GSL_SUCCESS;
}

/* From z, with the gradients of the samples. A trial that does not decrease S is beyond a kink that no sample has crossed: its gradient is
 * added. @param[out] lower  S has decreased */
static int try_steps(descent *d, gsl_vector *z, double least, double *sum, double *offset, bool *lower)
{
  int code = GSL_SUCCESS;
  for (size_t added = 0; code == GSL_SUCCESS; added++) {
    combine(d);
    *offset = sqrt(square(d->g) / d->rank) / d->unit;
    if (!(*offset > least) || (code = step(d, z, sum, lower)) != GSL_SUCCESS || *lower ||
        added == 2 * d->count) {
      break;
    }
    code = gradient_at(d, d->samples++);
  }
  return code;
}

static int descend(descent *d, gsl_vector *z, double least, double *offset)
{
  int code = set_coordinates(d, z);
  double sum = square(d->f), radius = threshold_first_radius;
  *offset = INFINITY;
  for (int i = 0; i < MOST_DESCENTS && radius >= least && code == GSL_SUCCESS && d->rank > 0 && d->unit > 0;
       i++) {
    bool lower = false;
    if ((code = sample(d, z, radius * d->unit)) != GSL_SUCCESS) {
      return code;
    }
    code = try_steps(d, z, least, &sum, offset, &lower);
    radius *= lower ? 1 : threshold_radius_falls;
  }
  return code;
}

int dls_sampled_descent(const gsl_multifit_nlinear_fdf *fdf, gsl_vector *z, double radius, double *offset)
{
  const size_t n = fdf->n, count = fdf->p;
  descent d = {.fdf = fdf,
               .count = count,
               .f = gsl_vector_alloc(n),
               .J = gsl_matrix_alloc(n, count),
               .T = gsl_matrix_alloc(count, count),
               .gradients = gsl_matrix_alloc(4 * count + 1, count),
               .g = gsl_vector_calloc(count),
               .u = gsl_vector_alloc(count),
               .z = gsl_vector_alloc(count)};
  const bool whole = d.f != NULL && d.J != NULL && d.T != NULL && d.gradients != NULL && d.g != NULL &&
                     d.u != NULL && d.z != NULL;
  const int code = whole ? descend(&d, z, radius, offset) : GSL_ENOMEM;
  gsl_vector_free(d.f);
  gsl_matrix_free(d.J);
  gsl_matrix_free(d.T);
  gsl_matrix_free(d.gradients);
  gsl_vector_free(d.g);
  gsl_vector_free(d.u);
  gsl_vector_free(d.z);
  return code;
}
