/* changed_terms.c -- see changed_terms.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "event_driven/sensitivity/changed_terms.h"
#include "common/linear/storage.h"
#include <string.h>

static bool differ(const dls_matrix *A, const dls_matrix *B)
{
  if (A == NULL || B == NULL) {
    return A != B;
  }
  bool same = dls_matrix_columns(A) == dls_matrix_columns(B);
  for (size_t j = 0; same && j < dls_matrix_columns(A); j++) {
    const dls_column a = dls_matrix_column(A, j), b = dls_matrix_column(B, j);
    same = a.count == b.count && memcmp(a.values, b.values, a.count * sizeof *a.values) == 0;
    for (size_t i = 0; same && i < a.count; i++) {
      same = dls_column_row(&a, i) == dls_column_row(&b, i);
    }
  }
  return !same;
}

/* Does a law or a coefficient of a contact differ? */
static bool laws_differ(const dls_system *sys, const dls_system *near)
{
  const size_t bytes = sys->m * sizeof *sys->e;
  return memcmp(sys->law, near->law, sys->m * sizeof *sys->law) != 0 || memcmp(sys->e, near->e, bytes) != 0 ||
         memcmp(sys->e_t, near->e_t, bytes) != 0 || memcmp(sys->mu, near->mu, bytes) != 0 ||
         memcmp(sys->mu_s, near->mu_s, bytes) != 0 || memcmp(sys->v_s, near->v_s, bytes) != 0;
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
}
