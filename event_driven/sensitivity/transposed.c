/* event_driven/sensitivity/transposed.c -- see transposed.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/transposed.h"
#include "common/base/arrays.h"
#include "common/base/memory.h"
#include "common/linear/lu.h"
#include <gsl/gsl_linalg.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

void dls_transposed_release(dls_transposed *transposed)
{
  free(transposed->row);
  free(transposed->block);
  gsl_matrix_free(transposed->A);
  gsl_permutation_free(transposed->order);
  *transposed = (dls_transposed){0};
}

/* @return false if out of memory: the arrays are then those before */
static bool allocate(dls_transposed *transposed, size_t n, size_t rows)
{
  dls_transposed larger = {.exact = transposed->exact, .n = n, .room = rows};
  larger.row = calloc(rows + 1, sizeof *larger.row);
  larger.block = dls_arrays(
      (const dls_slot[]){{rows * n, {&larger.D, &larger.MB}}, {n, {&larger.w}}, {rows + 1, {&larger.z}}, {0}});
  if (rows > 0 && dls_memory_left(dls_size_product(2 * rows, (rows + 8) * sizeof(double)))) {
    larger.A = gsl_matrix_alloc(rows, rows);
    larger.order = gsl_permutation_alloc(rows);
  }
  const bool allocated =
      larger.row != NULL && larger.block != NULL && (rows == 0 || (larger.A != NULL && larger.order != NULL));
  dls_transposed_release(allocated ? transposed : &larger);
  *transposed = allocated ? larger : *transposed;
  return allocated;
}

/* Rows of H that are held or, for normal rows, whose force brings friction with it. row NULL: count them. */
static size_t find_rows(const dls_event_integrator *near, size_t *row)
{
  const size_t d = near->method.d;
  size_t rows = 0;
  for (size_t k = 0; k < near->state.active.count; k++) {
    const size_t j = near->state.active.index[k];
    const bool sticks =
        near->state.contact[j].has_friction && near->state.contact[j].mode.kind == DLS_MODE_STICKS;
    for (size_t i = 0; i < (sticks ? d : 1); i++, rows++) {
      if (row != NULL) {
        row[rows] = d * j + i;
      }
    }
  }
  return rows;
}

/* A^T = D^T M^-1 B^T, factored. @return false: it is singular */
static bool factor(dls_transposed *transposed)
{
  const size_t n = transposed->n, rows = transposed->rows;
  double largest = 0, least = HUGE_VAL;
  for (size_t i = 0; i < rows; i++) {
    for (size_t k = 0; k < rows; k++) {
      double sum = 0;
      for (size_t l = 0; l < n; l++) {
        sum += transposed->D[i * n + l] * transposed->MB[k * n + l];
      }
      gsl_matrix_set(transposed->A, i, k, sum);
    }
  }
  if (rows > 0) {
    dls_lu(transposed->A, transposed->order);
  }
  for (size_t i = 0; i < rows; i++) {
    largest = fmax(largest, fabs(gsl_matrix_get(transposed->A, i, i)));
    least = fmin(least, fabs(gsl_matrix_get(transposed->A, i, i)));
  }
  return rows == 0 || least > threshold_adjoint_rank * largest;
}

bool dls_transposed_has_matrices(const dls_event_integrator *near)
{
  const dls_system *sys = near->method.sys;
  const bool stated = sys->stiffness != NULL && sys->damping != NULL && near->sim->K != NULL &&
                      near->sim->C != NULL && sys->mass == NULL && sys->gradient == NULL &&
                      sys->tangents == NULL && sys->curvature == NULL && sys->slip_curvature == NULL;
  return (sys->linear || stated) && sys->d < 3 && !dls_system_has_stribeck(sys) &&
         near->work.contacts.joints == NULL;
}

void dls_transposed_at(dls_event_integrator *near, double t, const double *q, const double *v)
{
  const dls_system *sys = near->method.sys;
  if (!sys->linear) {
    const double at = dls_geometry_before_break(&near->state, t);
    sys->stiffness(sys, at, q, v, near->sim->K);
    sys->damping(sys, at, q, v, near->sim->C);
  }
}

dls_status dls_transposed_set(dls_transposed *transposed, dls_event_integrator *near, double t, const double *q,
                              const double *v, dls_error *err)
{
  const size_t n = near->method.n, d = near->method.d, rows = find_rows(near, NULL);
  const double largest = threshold_adjoint_rows;
  transposed->exact = dls_transposed_has_matrices(near) && (double)rows <= largest;
  if (!transposed->exact) {
    return DLS_OK;
  }
  dls_status status = dls_geometry_set(&near->state, &near->work, t, q, err);
  if (status == DLS_OK && (transposed->block == NULL || transposed->room != rows) &&
      !allocate(transposed, n, rows)) {
    status = dls_fail(err, DLS_ERR_MEMORY,
                      "event-driven: no memory for the adjoint equation of %zu contact rows", rows);
  }
  if (status != DLS_OK) {
    return status;
  }
  const dls_matrix *H = near->work.contacts.config->H;
  dls_transposed_at(near, t, q, v);
  transposed->rows = find_rows(near, transposed->row);
  memset(transposed->D, 0, rows * n * sizeof *transposed->D);
  memset(transposed->MB, 0, rows * n * sizeof *transposed->MB);
  for (size_t k = 0; k < rows; k++) {
    const size_t row = transposed->row[k];
    const dls_contact *contact = &near->state.contact[row / d];
    dls_matrix_column_add(H, row, 1, transposed->D + k * n);
    dls_matrix_column_add(H, row, 1, transposed->MB + k * n);
    dls_contact_system_inverse(&near->work.contacts, transposed->MB + k * n);
    if (contact->has_friction && contact->mode.kind == DLS_MODE_SLIPS) {
      dls_matrix_column_add(H, row + 1, -contact->mode.mu * contact->mode.e[0], transposed->D + k * n);
    }
  }
  transposed->exact = factor(transposed);
  return DLS_OK;
}

static void subtract(const dls_matrix *A, const double *w, double *out)
{
  if (A != NULL) {
    dls_matrix_multiply_transposed(A, -1, w, out);
  }
}

/* z := A^-T z, w -= M^-1 B^T z. */
static void subtract_rows(dls_transposed *transposed)
{
  const size_t n = transposed->n;
  if (transposed->rows > 0) {
    gsl_vector_view z = gsl_vector_view_array(transposed->z, transposed->rows);
    gsl_linalg_LU_svx(transposed->A, transposed->order, &z.vector);
  }
  for (size_t k = 0; k < transposed->rows; k++) {
    for (size_t i = 0; i < n; i++) {
      transposed->w[i] -= transposed->MB[k * n + i] * transposed->z[k];
    }
  }
}

/* by_q, by_v := -K^T w, -C^T w. */
static void finish(dls_transposed *transposed, const dls_event_integrator *near, double *by_q, double *by_v)
{
  const size_t n = transposed->n;
  memset(by_q, 0, n * sizeof *by_q);
  memset(by_v, 0, n * sizeof *by_v);
  subtract(near->sim->K, transposed->w, by_q);
  subtract(near->sim->C, transposed->w, by_v);
}

/* w := M^-1 x, z := D^T w */
static void begin(dls_transposed *transposed, dls_event_integrator *near, const double *x)
{
  const size_t n = near->method.n;
  memcpy(transposed->w, x, n * sizeof *x);
  dls_contact_system_inverse(&near->work.contacts, transposed->w);
  for (size_t k = 0; k < transposed->rows; k++) {
    transposed->z[k] = 0;
    for (size_t i = 0; i < n; i++) {
      transposed->z[k] += transposed->D[k * n + i] * transposed->w[i];
    }
  }
}

void dls_transposed_apply(dls_transposed *transposed, dls_event_integrator *near, const double *x, double *by_q,
                          double *by_v)
{
  begin(transposed, near, x);
  subtract_rows(transposed);
  finish(transposed, near, by_q, by_v);
}

void dls_transposed_free(dls_transposed *transposed, dls_event_integrator *near, const double *x, double *by_q,
                         double *by_v)
{
  begin(transposed, near, x);
  finish(transposed, near, by_q, by_v);
}

void dls_transposed_weigh(dls_transposed *transposed, dls_event_integrator *near, const double *x)
{
  begin(transposed, near, x);
  subtract_rows(transposed);
}

double dls_transposed_by_parameter(const dls_transposed *transposed, const double *force, const double *rate)
{
  double sum = 0;
  for (size_t i = 0; i < transposed->n; i++) {
    sum += transposed->w[i] * force[i];
  }
  for (size_t k = 0; k < transposed->rows; k++) {
    sum -= transposed->z[k] * rate[transposed->row[k]];
  }
  return sum;
}

void dls_transposed_force(dls_transposed *transposed, dls_event_integrator *near, size_t k, double *by_q,
                          double *by_v)
{
  memset(transposed->w, 0, transposed->n * sizeof *transposed->w);
  memset(transposed->z, 0, transposed->rows * sizeof *transposed->z);
  transposed->z[k] = 1;
  subtract_rows(transposed);
  finish(transposed, near, by_q, by_v); /* l = -A^-1 B M^-1 F + ... */
}
