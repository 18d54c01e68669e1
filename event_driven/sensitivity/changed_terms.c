/* changed_terms.c -- see changed_terms.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/changed_terms.h"
#include "common/linear/storage.h"
#include <string.h>

static bool same_pattern(const dls_matrix *A, const dls_matrix *B)
{
  bool same =
      A != NULL && B != NULL && A->storage == B->storage && dls_matrix_columns(A) == dls_matrix_columns(B);
  for (size_t j = 0; same && j < dls_matrix_columns(A); j++) {
    const dls_column a = dls_matrix_column(A, j), b = dls_matrix_column(B, j);
    same = a.count == b.count;
    for (size_t i = 0; same && i < a.count; i++) {
      same = dls_column_row(&a, i) == dls_column_row(&b, i);
    }
  }
  return same;
}

static bool differ(const dls_matrix *A, const dls_matrix *B)
{
  if (A == NULL || B == NULL) {
    return A != B;
  }
  bool same = same_pattern(A, B);
  for (size_t j = 0; same && j < dls_matrix_columns(A); j++) {
    const dls_column a = dls_matrix_column(A, j), b = dls_matrix_column(B, j);
    same = memcmp(a.values, b.values, a.count * sizeof *a.values) == 0;
  }
  return !same;
}

static const dls_matrix *matrix_of(const dls_system *sys, char which)
{
  return which == 'M' ? sys->M : which == 'K' ? sys->K : sys->C;
}

/* Products with it have no round-off of large terms that are equal in both neighbours. @return NULL: a pattern differs, or no memory */
static dls_matrix *differentiate(const dls_direction *direction, char which)
{
  const dls_matrix *first = matrix_of(direction->system[0], which);
  dls_matrix *sum = first != NULL ? dls_matrix_clone(first) : NULL;
  if (sum != NULL) {
    dls_matrix_clear(sum);
  }
  for (size_t i = 0; i < direction->count && sum != NULL; i++) {
    const dls_matrix *A = matrix_of(direction->system[i], which);
    if (!same_pattern(sum, A)) {
      dls_matrix_destroy(sum);
      return NULL;
    }
    for (size_t j = 0; j < dls_matrix_columns(A); j++) {
      const dls_column from = dls_matrix_column(A, j), to = dls_matrix_column(sum, j);
      double *values = sum->values + (to.values - sum->values);
      for (size_t e = 0; e < from.count; e++) {
        values[e] += direction->weight[i] * from.values[e];
      }
    }
  }
  return sum;
}

/* The same where the matrix changes. Without it products of the neighbours are differentiated, which is a fallback that counts. */
static dls_matrix *derivative(const dls_motion_tangents *tangents, const dls_direction *direction, bool changed,
                              char which)
{
  dls_matrix *by = changed ? differentiate(direction, which) : NULL;
  dls_count_fallback(changed && by == NULL ? tangents->fallbacks : NULL, "difference-of-products");
  return by;
}

void dls_changed_terms_release(dls_changed_terms *changed)
{
  dls_matrix_destroy(changed->by_M);
  dls_matrix_destroy(changed->by_K);
  dls_matrix_destroy(changed->by_C);
}

/* Does a law or a coefficient of a contact differ? */
static bool laws_differ(const dls_system *sys, const dls_system *near)
{
  const size_t bytes = sys->m * sizeof *sys->e;
  return memcmp(sys->law, near->law, sys->m * sizeof *sys->law) != 0 || memcmp(sys->e, near->e, bytes) != 0 ||
         memcmp(sys->e_t, near->e_t, bytes) != 0 || memcmp(sys->mu, near->mu, bytes) != 0 ||
         memcmp(sys->mu_s, near->mu_s, bytes) != 0 || memcmp(sys->v_s, near->v_s, bytes) != 0;
}

/* Surfaces of linear systems do not depend on the state. first, second: (d - 1) m of room */
static bool surfaces_differ(const dls_system *sys, const dls_system *near, const double *q, double *first,
                            double *second)
{
  dls_system_surface(sys, 0, q, first);
  dls_system_surface(near, 0, q, second);
  return dls_system_explicit_time(sys) != DLS_TIME_NONE || dls_system_explicit_time(near) != DLS_TIME_NONE ||
         memcmp(first, second, (sys->d - 1) * sys->m * sizeof *first) != 0;
}

void dls_changed_terms_find(dls_motion_tangents *tangents, size_t k)
{
  const dls_direction *direction = &tangents->result->direction[k];
  dls_changed_terms *changed = &tangents->changed[k];
  const dls_system *sys = tangents->self.run->method.sys;
  *changed = (dls_changed_terms){.load = sys->load != NULL && !sys->steady_load};
  for (size_t i = 0; i < direction->count; i++) {
    const dls_system *near = direction->system[i];
    changed->M = changed->M || differ(sys->M, near->M);
    changed->K = changed->K || differ(sys->K, near->K);
    changed->C = changed->C || differ(sys->C, near->C);
    changed->H = changed->H || differ(sys->H, near->H) || differ(sys->T, near->T);
    changed->curvature = changed->curvature || dls_system_bends(sys) || dls_system_bends(near);
    changed->load = changed->load || (near->load != NULL && !near->steady_load);
    changed->law = changed->law || laws_differ(sys, near);
    changed->gap = changed->gap || changed->H || dls_system_gap_moves(sys) || dls_system_gap_moves(near) ||
                   memcmp(sys->w, near->w, sys->m * sizeof *sys->w) != 0;
    changed->surface =
        changed->surface || surfaces_differ(sys, near, tangents->q, tangents->value, tangents->base);
    dls_system_load(near, 0, tangents->value);
    tangents->any.M = tangents->any.M || changed->M;
    tangents->any.K = tangents->any.K || changed->K;
    tangents->any.C = tangents->any.C || changed->C;
    tangents->any.H = tangents->any.H || changed->H;
    tangents->any.load = tangents->any.load || changed->load;
    for (size_t j = 0; j < tangents->n; j++) {
      tangents->steady[tangents->n * k + j] += direction->weight[i] * tangents->value[j];
    }
  }
  changed->by_M = derivative(tangents, direction, changed->M, 'M');
  changed->by_K = derivative(tangents, direction, changed->K, 'K');
  changed->by_C = derivative(tangents, direction, changed->C, 'C');
}
