/* lcp_problems.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "lcp_problems.h"
#include "check.h"
#include <gsl/gsl_randist.h>
#include <math.h>
#include <string.h>

static double uniform(gsl_rng *rng, double low, double high)
{
  return low + (high - low) * gsl_rng_uniform(rng);
}

/* Nearly normal, by additions alone: with the logarithm of libm the last digits, and with them whether a redundant problem has a solution,
 * would depend on the machine. */
static double normal(gsl_rng *rng)
{
  double sum = -6;
  for (int i = 0; i < 12; i++) {
    sum += gsl_rng_uniform(rng);
  }
  return sum;
}

static size_t at_most(gsl_rng *rng, size_t n)
{
  return 1 + gsl_rng_uniform_int(rng, n);
}

static void normal_load(gsl_rng *rng, lcp_problem *p)
{
  for (size_t i = 0; i < p->n; i++) {
    p->b[i] = normal(rng);
  }
}

void gram_matrix(gsl_rng *rng, size_t n, const double *H, size_t d, double skew, double *W)
{
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i <= j; i++) {
      double sum = 0;
      for (size_t k = 0; k < d; k++) {
        sum += H[k + i * d] * H[k + j * d];
      }
      const double x = i == j || skew == 0 ? 0 : skew * normal(rng);
      W[i + j * n] = sum + x;
      W[j + i * n] = sum - x;
    }
  }
}

static void gram(gsl_rng *rng, lcp_problem *p, const double *H, size_t d, double skew)
{
  gram_matrix(rng, p->n, H, d, skew, p->W);
}

void lcp_definite(gsl_rng *rng, size_t n, lcp_problem *p)
{
  double H[LCP_MAX * (LCP_MAX + 5)];
  p->n = n;
  for (size_t k = 0; k < n * (n + 5); k++) {
    H[k] = normal(rng);
  }
  gram(rng, p, H, n + 5, uniform(rng, 0, 5));
  normal_load(rng, p);
}

void lcp_triangular(gsl_rng *rng, size_t n, lcp_problem *p)
{
  size_t order[LCP_MAX];
  p->n = n;
  for (size_t i = 0; i < n; i++) {
    order[i] = i;
  }
  gsl_ran_shuffle(rng, order, n, sizeof *order);
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      p->W[order[i] + order[j] * n] = i == j ? uniform(rng, 0.5, 2) : i > j ? uniform(rng, -1, 1) : 0;
    }
  }
  normal_load(rng, p);
}

void lcp_dominant(gsl_rng *rng, size_t n, lcp_problem *p)
{
  p->n = n;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
      p->W[i + j * n] = uniform(rng, -1, 1);
      sum += i == j ? 0 : fabs(p->W[i + j * n]);
    }
    p->W[i + i * n] = sum + uniform(rng, 0.01, 1);
  }
  normal_load(rng, p);
}

void lcp_any_p(gsl_rng *rng, size_t n, lcp_problem *p)
{
  const lcp_generator kinds[] = {lcp_definite, lcp_triangular, lcp_dominant};
  kinds[gsl_rng_uniform_int(rng, 3)](rng, n, p);
}

void lcp_m_matrix(gsl_rng *rng, size_t n, lcp_problem *p)
{
  const int chain = gsl_rng_uniform_int(rng, 3) == 0;
  p->n = n;
  for (size_t i = 0; i < n; i++) {
    double sum = 0;
    for (size_t j = 0; j < n; j++) {
      const double x = chain ? (i == j + 1 || j == i + 1) : gsl_rng_uniform_int(rng, 2) * uniform(rng, 0, 1);
      p->W[i + j * n] = i == j ? 0 : -x;
      sum += i == j ? 0 : x;
    }
    p->W[i + i * n] = chain ? 2 : sum + uniform(rng, 1e-3, 1);
  }
  normal_load(rng, p);
}

void lcp_degenerate(gsl_rng *rng, size_t n, lcp_problem *p)
{
  double H[2 * LCP_MAX * LCP_MAX], z[LCP_MAX], w[LCP_MAX];
  p->n = n;
  for (size_t k = 0; k < n * n; k++) {
    H[k] = (double)gsl_rng_uniform_int(rng, 3) - 1;
  }
  gram(rng, p, H, n, 0);
  for (size_t i = 0; i < n; i++) {
    p->W[i + i * n] += 1;
    const unsigned long kind = gsl_rng_uniform_int(rng, 3);
    z[i] = kind == 0 ? (double)at_most(rng, 2) : 0;
    w[i] = kind == 1 ? (double)at_most(rng, 2) : 0;
  }
  for (size_t i = 0; i < n; i++) {
    p->b[i] = w[i];
    for (size_t j = 0; j < n; j++) {
      p->b[i] -= p->W[i + j * n] * z[j];
    }
  }
}

/* Columns of H: independent ones, then copies, multiples and sums of these, in any order. */
static void dependent_columns(gsl_rng *rng, size_t n, size_t d, double *H)
{
  double *column[LCP_MAX];
  for (size_t j = 0; j < n; j++) {
    column[j] = H + j * d;
  }
  gsl_ran_shuffle(rng, column, n, sizeof *column);
  for (size_t j = 0; j < n; j++) {
    const size_t known = j < d ? j : d;
    const double *first = known ? column[gsl_rng_uniform_int(rng, known)] : NULL;
    const double *second = known ? column[gsl_rng_uniform_int(rng, known)] : NULL;
    const unsigned long kind = j < d ? 0 : 1 + gsl_rng_uniform_int(rng, 3);
    const double a = uniform(rng, -2, 2);
    for (size_t k = 0; k < d; k++) {
      column[j][k] = kind == 0   ? normal(rng)
                     : kind == 1 ? first[k]
                     : kind == 2 ? a * first[k]
                                 : first[k] + a * second[k];
    }
  }
}

void lcp_redundant(gsl_rng *rng, size_t n, lcp_problem *p)
{
  double H[LCP_MAX * LCP_MAX], v[LCP_MAX];
  const size_t d = 1 + n / 3;
  p->n = n;
  dependent_columns(rng, n, d, H);
  gram(rng, p, H, d, 0);
  for (size_t k = 0; k < d; k++) {
    v[k] = normal(rng);
  }
  for (size_t j = 0; j < n; j++) {
    p->b[j] = 0;
    for (size_t k = 0; k < d; k++) {
      p->b[j] += H[k + j * d] * v[k];
    }
  }
}

void lcp_redundant_integers(gsl_rng *rng, size_t n, lcp_problem *p)
{
  double H[LCP_MAX * LCP_MAX] = {0}, v[LCP_MAX];
  const size_t d = 1 + n / 3;
  p->n = n;
  for (size_t k = 0; k < n * d; k++) {
    H[k] = (double)gsl_rng_uniform_int(rng, 3) - 1;
  }
  gram(rng, p, H, d, 0);
  for (size_t k = 0; k < d; k++) {
    v[k] = (double)gsl_rng_uniform_int(rng, 5) - 2;
  }
  for (size_t j = 0; j < n; j++) {
    p->b[j] = 0;
    for (size_t k = 0; k < d; k++) {
      p->b[j] += H[k + j * d] * v[k];
    }
  }
}

void lcp_degenerate_program(gsl_rng *rng, size_t n, lcp_problem *p)
{
  const size_t rows = n / 2, columns = n - rows;
  memset(p, 0, sizeof *p);
  p->n = n;
  for (size_t i = 0; i < rows; i++) {
    const double y = (double)gsl_rng_uniform_int(rng, 3);
    for (size_t j = 0; j < columns; j++) {
      const double a = (double)gsl_rng_uniform_int(rng, 7) - 3;
      p->W[columns + i + j * n] = a;
      p->W[j + (columns + i) * n] = -a;
      p->b[j] += a * y;
    }
  }
  for (size_t j = 0; j < columns; j++) {
    p->b[j] += (double)gsl_rng_uniform_int(rng, 2);
  }
}

void lcp_growing(gsl_rng *rng, size_t n, lcp_problem *p)
{
  p->n = n;
  for (size_t j = 0; j < n; j++) {
    for (size_t i = 0; i < n; i++) {
      p->W[i + j * n] = i == j || j + 1 == n ? 1 : i > j ? -uniform(rng, 0.99, 1) : 0;
    }
  }
  for (size_t i = 0; i < n; i++) {
    p->b[i] = 0;
  }
  for (size_t j = 0; j < n; j++) {
    const double z = uniform(rng, 1, 2);
    for (size_t i = 0; i < n; i++) {
      p->b[i] -= p->W[i + j * n] * z;
    }
  }
}

void lcp_unsolvable(gsl_rng *rng, size_t n, lcp_problem *p)
{
  double H[LCP_MAX * LCP_MAX] = {0}, y[LCP_MAX], sum = 0;
  const size_t d = n;
  p->n = n;
  for (size_t j = 0; j < n; j++) {
    y[j] = j + 1 < n ? uniform(rng, 0.2, 1) : 1;
  }
  for (size_t k = 0; k < d; k++) {
    for (size_t j = 0; j + 1 < n; j++) {
      H[k + j * d] = normal(rng);
      H[k + (n - 1) * d] -= y[j] * H[k + j * d];
    }
  }
  gram(rng, p, H, d, 0);
  normal_load(rng, p);
  for (size_t j = 0; j < n; j++) {
    sum += y[j] * p->b[j];
  }
  p->b[n - 1] -= sum + uniform(rng, 0.01, 1);
}

/* The definition of lcp.h, written row by row. */
static dls_lcp_report judge(const lcp_problem *p, const double *z, const double *w)
{
  const size_t n = p->n;
  dls_lcp_report r = {0};
  double largest = 0;
  for (size_t k = 0; k < n * n; k++) {
    largest = fmax(largest, fabs(p->W[k]));
  }
  for (size_t i = 0; i < n; i++) {
    double sum = p->b[i], size = fabs(p->b[i]);
    const double diagonal = p->W[i + i * n], s = diagonal > 0 ? diagonal : largest > 0 ? largest : 1;
    for (size_t j = 0; j < n; j++) {
      sum += p->W[i + j * n] * z[j];
      size += fabs(p->W[i + j * n] * z[j]);
    }
    assert_true(z[i] >= 0);
    assert_close(w[i], sum, 1e-14 * size);
    r.residual = fmax(r.residual, fabs(fmin(s * z[i], sum)));
    r.scale = fmax(r.scale, size);
  }
  return r;
}

/* Solve, and check what is reported. */
dls_status lcp_solve(dls_lcp_solver *solver, const lcp_problem *p, double *z, double *w, dls_lcp_report *report)
{
  dls_error err = {0};
  memset(z, 0, p->n * sizeof *z);
  const dls_status status = dls_lcp_solve(solver, p->n, p->W, p->b, z, w, report, &err);
  const dls_lcp_report own = judge(p, z, w);
  assert_close(report->residual, own.residual, 1e-14 * own.scale);
  assert_close(report->scale, own.scale, 1e-14 * own.scale);
  if (status == DLS_OK) {
    assert_between(own.residual, 0, LCP_TOLERANCE * own.scale);
  } else {
    assert_true(strlen(err.text) > 20);
  }
  return status;
}

dls_lcp_solver *lcp_create(const char *method)
{
  dls_lcp_solver *solver;
  dls_error err = {0};
  assert_ok(dls_lcp_create(LCP_MAX, method, LCP_TOLERANCE, &solver, &err), err);
  return solver;
}
