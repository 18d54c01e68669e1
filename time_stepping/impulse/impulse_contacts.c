/* impulse_contacts.c -- rows of contacts, one after the other.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/impulse/impulse_contacts.h"
#include "common/base/arrays.h"
#include "common/contact/operator/column.h"
#include "common/solve/friction/one_contact.h"
#include <stdlib.h>
#include <string.h>

/* A row is Newton's law in the normal, and Coulomb's in the tangents. */
static dls_status check_laws(const dls_sim *sim, const dls_impulse_contacts *s, dls_error *err)
{
  const size_t d = sim->sys->d;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const dls_law *law = dls_law_of(sim->sys, j);
    bool plain = !law->expands;
    for (size_t i = 1; i < d && s->rough[j]; i++) {
      plain = plain && s->system.mixture[d * j + i] == 0;
    }
    if (!plain) {
      return dls_sim_fail(sim, err, DLS_ERR_NOT_APPLICABLE,
                          "contact %zu has law %s; this scheme has rows for Newton's law in the normal and "
                          "Coulomb's in the tangents, without expansion and with e_t = 0",
                          j, law->name);
    }
  }
  return DLS_OK;
}

static bool has_single_entries(const dls_matrix *H)
{
  bool single = H->used == H->columns && H->capacity == H->used; /* no entry comes later */
  for (size_t j = 0; single && j < H->columns; j++) {
    single = dls_matrix_begin(H, j) == j && dls_matrix_end(H, j) == j + 1;
  }
  return single;
}

/* H and M^-1 H, if they are small, dense and constant. The columns are those of the operator. */
static void copy_small(dls_impulse_contacts *s)
{
  const size_t n = s->config.sys->n, rows = s->config.rows;
  if (!s->config.sys->linear || !dls_configuration_constant(&s->config) || rows == 0 ||
      n > DLS_IMPULSE_SMALL / rows || dls_matrix_storage(s->config.H) != DLS_DENSE) {
    return;
  }
  for (size_t k = 0; k < rows; k++) {
    const double one = 1, *column = NULL;
    size_t only = 0;
    dls_delassus_entry(s->system.W, k, k); /* the operator keeps column k from now on */
    if (!dls_delassus_only(s->system.W, 1, &k, &one, &only, &column)) {
      return;
    }
    for (size_t i = 0; i < n; i++) {
      s->small.H[n * k + i] = dls_matrix_get(s->config.H, i, k);
      s->small.Y[n * k + i] = column[i];
    }
  }
  s->small.n = n;
}

dls_status dls_impulse_contacts_create(dls_sim *sim, dls_impulse_contacts *s, dls_error *err)
{
  const dls_system *sys = sim->sys;
  const size_t m = sys->m, d = sys->d;
  dls_factor *M = NULL;
  s->set.index = calloc(m + 1, sizeof *s->set.index);
  s->rough = calloc(m + 1, sizeof *s->rough);
  s->known = calloc(m + 1, sizeof *s->known);
  s->all = calloc(d * m + 1, sizeof *s->all);
  s->block = dls_arrays((const dls_slot[]){
      {d * d * m, {&s->W}}, {d * m, {&s->r, &s->u, &s->pending}}, {m, {&s->c, &s->mass, &s->yield}}, {0}});
  if (!dls_configuration_create(sys, &s->config) ||
      (M = dls_factor_create((const dls_matrix *const[]){s->config.M}, 1)) == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu degrees of freedom", sys->n);
  }
  dls_status status = dls_contact_system_create(&s->config, m > 0 ? dls_delassus_create(M, s->config.H) : NULL,
                                                0.5, &sim->work, &s->system, err);
  s->system.M = M;
  if (status != DLS_OK || (status = dls_factor_sum(M, (const double[]){1}, err)) != DLS_OK) {
    return status;
  }
  if (s->set.index == NULL || s->rough == NULL || s->known == NULL || s->all == NULL || s->block == NULL) {
    return dls_sim_fail(sim, err, DLS_ERR_MEMORY, "no memory for %zu contacts", m);
  }
  for (size_t j = 0; j < m; j++) {
    s->rough[j] = dls_law_has_friction(sys, j);
  }
  for (size_t row = 0; row < d * m; row++) {
    s->all[row] = row;
  }
  copy_small(s);
  if (m > 0 && !s->config.mass_varies && dls_matrix_storage(s->config.H) == DLS_SPARSE) {
    s->inverse = dls_delassus_diagonal(s->system.W);
    s->single = s->inverse != NULL && !s->config.moves && has_single_entries(s->config.H);
  }
  s->by_columns = m > 0 && sys->r == 0 && dls_delassus_column(s->system.W, 0) != NULL;
  return check_laws(sim, s, err);
}

void dls_impulse_contacts_destroy(dls_impulse_contacts *s)
{
  dls_contact_system_destroy(&s->system);
  dls_configuration_destroy(&s->config);
  free(s->set.index);
  free(s->rough);
  free(s->known);
  free(s->all);
  free(s->block);
}

static void forget_blocks(dls_impulse_contacts *s)
{
  memset(s->known, 0, s->config.sys->m * sizeof *s->known);
}

dls_status dls_impulse_contacts_at(dls_impulse_contacts *s, double t, const double *q, dls_error *err)
{
  if (s->config.mass_varies || s->config.gradient_varies) {
    forget_blocks(s);
  }
  return dls_contact_system_at(&s->system, t, q, err);
}

void dls_impulse_contacts_rows(dls_impulse_contacts *s, double t, const double *q)
{
  dls_configuration_contacts(&s->config, t, q);
  if (s->config.gradient_varies && s->system.W != NULL) {
    dls_delassus_reset(s->system.W);
    forget_blocks(s);
  }
}

void dls_impulse_make_W(dls_impulse_contacts *s, size_t j)
{
  const size_t d = s->config.d, rows = s->rough[j] ? d : 1;
  double *W = s->W + d * d * j;
  for (size_t k = 0; k < rows; k++) {
    for (size_t i = 0; i < rows; i++) {
      W[i + d * k] = dls_delassus_entry(s->system.W, d * j + i, d * j + k);
    }
  }
  s->known[j] = true;
}

void dls_impulse_apply(dls_impulse_contacts *s, size_t row, size_t count, const double *x, double *v)
{
  const size_t rows[] = {row, row + 1, row + 2};
  if (!s->sweeping) {
    dls_delassus_apply(s->system.W, count, rows, 1, x, v);
  }
  for (size_t k = 0; s->sweeping && k < count; k++) {
    const double *w = dls_delassus_column(s->system.W, row + k);
    for (size_t i = 0; x[k] != 0 && i < s->config.rows; i++) {
      s->u[i] += w[i] * x[k]; /* H^T M^-1 H x */
    }
    s->pending[row + k] += x[k];
  }
}

void dls_impulse_begin_sweeps(dls_impulse_contacts *s, const double *v)
{
  if (s->by_columns) {
    dls_impulse_rows(s, v, s->u);
    memset(s->pending, 0, s->config.rows * sizeof *s->pending);
  }
  s->sweeping = s->by_columns;
}

void dls_impulse_end_sweeps(dls_impulse_contacts *s, double *v)
{
  bool any = false;
  for (size_t row = 0; s->sweeping && row < s->config.rows; row++) {
    any = any || s->pending[row] != 0;
  }
  if (any) {
    dls_delassus_apply(s->system.W, s->config.rows, s->all, 1, s->pending, v);
  }
  s->sweeping = false;
}

void dls_impulse_solve_tangents(dls_impulse_contacts *s, size_t j, double *x)
{
  const size_t d = s->config.d, slips = d - 1;
  const double *W = dls_impulse_W(s, j);
  double tangents[4];
  for (size_t i = 0; i < slips; i++) {
    for (size_t k = 0; k < slips; k++) {
      tangents[i + slips * k] = W[i + 1 + d * (k + 1)]; /* W_TT */
    }
  }
  dls_block_solve(slips, tangents, x);
}

void dls_impulse_friction(dls_impulse_contacts *s, size_t j, double *v)
{
  const size_t slips = s->config.d - 1, row = s->config.d * j;
  if (!s->rough[j]) {
    return;
  }
  const double bound = s->system.mu[j] * s->r[row];
  if (bound == 0 && s->r[row + 1] == 0 && (slips == 1 || s->r[row + 2] == 0)) {
    return; /* no force, and none allowed */
  }
  double x[2];
  const double size = dls_impulse_stick(s, j, v, x);
  const double part = size > bound ? bound / size : 1; /* (2): |r_T'| <= mu r_N */
  for (size_t i = 0; i < slips; i++) {
    x[i] = part * x[i] - s->r[row + 1 + i];
  }
  dls_impulse_add(s, j, 1, slips, x, v);
}

void dls_impulse_warm_start(dls_impulse_contacts *s, double *v)
{
  const size_t d = s->config.d;
  for (size_t k = 0; k < s->set.count; k++) {
    const size_t row = d * s->set.index[k];
    dls_impulse_apply(s, row, d, s->r + row, v);
  }
}
