/* tangents.c -- slip, friction and its impulses of an exact solution, see tangents.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/tangents.h"
#include <stdlib.h>
#include <string.h>

dls_status dls_tangents_create(const dls_system *sys, dls_tangents *out, dls_error *err)
{
  const size_t rows = (sys->d - 1) * sys->m;
  *out = (dls_tangents){.sys = sys};
  bool done = dls_configuration_create(sys, &out->config);
  if (done) {
    const dls_matrix *const mass[] = {out->config.M};
    out->M = dls_factor_create(mass, 1);
    out->W = out->M != NULL ? dls_delassus_create(out->M, out->config.slides) : NULL;
    out->active = calloc(rows, sizeof *out->active);
    out->R = calloc(sys->n + 2 * rows, sizeof *out->R);
    done = out->W != NULL && out->active != NULL && out->R != NULL;
  }
  if (!done) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the tangents of an exact solution");
  }
  out->b = out->R + sys->n;
  out->x = out->b + rows;
  return DLS_OK;
}

void dls_tangents_destroy(dls_tangents *tangents)
{
  dls_delassus_destroy(tangents->W);
  dls_factor_destroy(tangents->M);
  dls_configuration_destroy(&tangents->config);
  free(tangents->active);
  free(tangents->R);
}

/* x with T x = R on the contacts with friction that are pressed; x[(d - 1) m], 0 elsewhere. */
static dls_status solve(dls_tangents *w, const double *pressed, double *x, dls_error *err)
{
  const size_t tangents = w->sys->d - 1, rows = tangents * w->sys->m;
  size_t count = 0;
  memset(x, 0, rows * sizeof *x);
  for (size_t row = 0; row < rows; row++) {
    if (pressed[row / tangents] > 0 && w->sys->mu[row / tangents] > 0) {
      w->active[count++] = row;
    }
  }
  dls_factor_solve(w->M, w->R);
  for (size_t k = 0; k < count; k++) {
    w->b[k] = -dls_matrix_column_dot(w->config.slides, w->active[k], w->R);
  }
  const dls_status status = dls_delassus_solve_bilateral(w->W, count, w->active, w->b, w->x, err);
  for (size_t k = 0; k < count; k++) {
    x[w->active[k]] = w->x[k] + 0.0; /* no -0 */
  }
  return status;
}

static dls_status config(dls_tangents *w, const dls_tangents_state *at, dls_error *err)
{
  dls_configuration_at(&w->config, at->t, at->q);
  if (w->config.gradient_varies || w->config.mass_varies) {
    dls_delassus_reset(w->W);
  }
  return dls_factor_sum(w->M, (const double[]){1}, err);
}

dls_status dls_tangents_at(dls_tangents *w, const dls_tangents_state *at, double *out, dls_error *err)
{
  const dls_system *sys = w->sys;
  const size_t d = sys->d, rows = (d - 1) * sys->m;
  dls_status status = config(w, at, err);
  if (status != DLS_OK) {
    return status;
  }
  for (size_t row = 0; row < rows; row++) {
    out[row] = dls_configuration_row(&w->config, row / (d - 1) * d + 1 + row % (d - 1), at->v);
  }
  memset(w->R, 0, sys->n * sizeof *w->R);
  memset(out + rows, 0, rows * sizeof *out);
  if (at->v_before != NULL) { /* M (v+ - v-) - H p */
    dls_matrix_multiply(w->config.M, 1, at->v, w->R);
    dls_matrix_multiply(w->config.M, -1, at->v_before, w->R);
    dls_matrix_multiply(w->config.normals, -1, at->p, w->R);
    status = solve(w, at->p, out + rows, err);
  }
  if (status == DLS_OK) { /* M a - F - H lambda */
    dls_system_force(sys, at->t, at->q, at->v, w->R);
    dls_matrix_multiply(w->config.normals, 1, at->lambda, w->R);
    dls_matrix_multiply(w->config.M, -1, at->a, w->R);
    for (size_t i = 0; i < sys->n; i++) {
      w->R[i] = -w->R[i];
    }
    status = solve(w, at->lambda, out + 2 * rows, err);
  }
  return status;
}
