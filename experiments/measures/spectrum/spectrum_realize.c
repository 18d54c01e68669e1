/* experiments/measures/spectrum/spectrum_realize.c -- the least linear recurrence that some sequences share (Ho & Kalman 1966).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/memory.h"
#include "experiments/measures/spectrum/spectrum_runs.h"

#include <gsl/gsl_blas.h>
#include <gsl/gsl_eigen.h>
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>

enum {
  ROWS = DLS_SPECTRUM_ROWS,
  SIZE = 2 * ROWS, /* of a column of the Hankel matrices */
  RUNS = DLS_FROM_PULSE + 1,
  COLUMNS = RUNS * ROWS,
  FOLLOWED = 2 * ROWS - 1 /* nodes 1.. up to this make the Hankel matrices */
};
static const double misfit = 1e-7; /* of the nodes that the recurrence was not made from */

/* H = U diag(s) V^T of rank r, so O = U, R = diag(s) V^T; and A. */
typedef struct realization {
  double factor;            /* nodes are multiplied by factor^-k, so that they are of equal size */
  double Vt[COLUMNS][SIZE]; /* H^T, later V */
  double U[SIZE][SIZE];
  double s[SIZE];
  size_t rank;
  double A[SIZE * SIZE]; /* rank x rank */
} realization;

/* Number i (0: q, 1: v/omega) of node k of a run, scaled. */
static double node(const dls_spectrum_nodes *runs, const realization *z, size_t run, size_t k, size_t i)
{
  return runs[run].y[2 * k + i] * pow(z->factor, -(double)k);
}

static double size_of(const dls_spectrum_nodes *runs, size_t k)
{
  double largest = 0;
  for (size_t run = 0; run < RUNS; run++) {
    largest = fmax(largest, fmax(fabs(runs[run].y[2 * k]), fabs(runs[run].y[2 * k + 1])));
  }
  return largest;
}

/* Entry of the Hankel matrix that is shifted by so many nodes. */
static double hankel(const dls_spectrum_nodes *runs, const realization *z, size_t row, size_t column,
                     size_t shift)
{
  return node(runs, z, column % RUNS, 1 + shift + row / 2 + column / RUNS, row % 2);
}

static dls_status factor(const dls_spectrum_nodes *runs, double rounding, realization *z, dls_error *err)
{
  double work[SIZE];
  gsl_matrix_view V = gsl_matrix_view_array(&z->Vt[0][0], COLUMNS, SIZE);
  gsl_matrix_view U = gsl_matrix_view_array(&z->U[0][0], SIZE, SIZE);
  gsl_vector_view s = gsl_vector_view_array(z->s, SIZE), room = gsl_vector_view_array(work, SIZE);
  for (size_t column = 0; column < COLUMNS; column++) {
    for (size_t row = 0; row < SIZE; row++) {
      z->Vt[column][row] = hankel(runs, z, row, column, 0);
    }
  }
  if (!dls_memory_left(sizeof work + 256)) { /* GSL 2.7 does not check a vector of gsl_linalg_bidiag_decomp */
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the singular values of the nodes");
  }
  if (gsl_linalg_SV_decomp(&V.matrix, &U.matrix, &s.vector, &room.vector) != 0) {
    return dls_fail(err, DLS_ERR_NOCONV, "no singular values of the nodes");
  }
  while (z->rank < SIZE && z->s[z->rank] > rounding * z->s[0]) {
    z->rank++;
  }
  return DLS_OK;
}

/* A = U^T H' V diag(s)^-1 */
static void make_matrix(const dls_spectrum_nodes *runs, realization *z)
{
  for (size_t i = 0; i < z->rank; i++) {
    for (size_t j = 0; j < z->rank; j++) {
      double sum = 0;
      for (size_t row = 0; row < SIZE; row++) {
        for (size_t column = 0; column < COLUMNS; column++) {
          sum += z->U[row][i] * hankel(runs, z, row, column, 1) * z->Vt[column][j];
        }
      }
      z->A[i * z->rank + j] = sum / z->s[j];
    }
  }
}

/* Do nodes that the matrix was not made from follow it? x_(k + 1) = A x_k, y_k = (first rows of U) x_k. */
static bool follows(const dls_spectrum_nodes *runs, const realization *z, size_t run)
{
  double x[SIZE], next[SIZE];
  for (size_t i = 0; i < z->rank; i++) {
    x[i] = z->s[i] * z->Vt[run][i];
  }
  for (size_t k = 1; k <= DLS_SPECTRUM_STEPS; k++) {
    for (size_t i = 0; i < 2; i++) {
      double y = 0;
      for (size_t j = 0; j < z->rank; j++) {
        y += z->U[i][j] * x[j];
      }
      if (!(fabs(y - node(runs, z, run, k, i)) <= misfit * z->s[0])) {
        return false;
      }
    }
    for (size_t i = 0; i < z->rank; i++) {
      next[i] = 0;
      for (size_t j = 0; j < z->rank; j++) {
        next[i] += z->A[i * z->rank + j] * x[j];
      }
    }
    for (size_t i = 0; i < z->rank; i++) {
      x[i] = next[i];
    }
  }
  return true;
}

static dls_status find_eigenvalues(realization *z, dls_spectrum_point *out, dls_error *err)
{
  gsl_matrix_view A = gsl_matrix_view_array(z->A, z->rank, z->rank);
  gsl_vector_complex *values = gsl_vector_complex_alloc(z->rank);
  gsl_eigen_nonsymm_workspace *room = gsl_eigen_nonsymm_alloc(z->rank);
  dls_status status = values == NULL || room == NULL ? dls_fail(err, DLS_ERR_MEMORY, "no memory") : DLS_OK;
  if (status == DLS_OK && gsl_eigen_nonsymm(&A.matrix, values, room) != 0) {
    status = dls_fail(err, DLS_ERR_NOCONV, "the eigenvalues of a step are not found");
  }
  for (size_t i = 0; i < z->rank && status == DLS_OK; i++) {
    out->re[i] = z->factor * GSL_REAL(gsl_vector_complex_get(values, i));
    out->im[i] = z->factor * GSL_IMAG(gsl_vector_complex_get(values, i));
  }
  gsl_vector_complex_free(values);
  gsl_eigen_nonsymm_free(room);
  return status;
}

dls_status dls_spectrum_realize(const dls_spectrum_nodes *runs, double rounding, dls_spectrum_point *out,
                                dls_error *err)
{
  realization z = {.factor = pow(size_of(runs, FOLLOWED + 1) / size_of(runs, 1), 1.0 / FOLLOWED)};
  if (!(z.factor > 1e-12 && z.factor < 1e12)) { /* also NaN: all nodes 0 */
    z.factor = 1;
  }
  dls_status status = factor(runs, rounding, &z, err);
  if (status != DLS_OK) {
    return status;
  }
  make_matrix(runs, &z);
  bool fits = z.rank > 0;
  for (size_t run = 0; run < RUNS && fits; run++) {
    fits = follows(runs, &z, run);
  }
  if (!fits) {
    return dls_fail(err, DLS_ERR_NOT_APPLICABLE, "its nodes follow no linear recurrence of %d numbers or fewer",
                    SIZE);
  }
  out->states = z.rank;
  return find_eigenvalues(&z, out, err);
}
