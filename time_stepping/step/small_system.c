/* small_system.c -- reads the numbers of a small system.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/small_system.h"
#include "common/solve/friction/friction_methods.h"
#include "common/solve/lcp/lcp_methods.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* SUNDIALS' LU of the general path contracts products and sums where every machine of an architecture can: not on x86-64, and
 * not in WebAssembly, which has no such instruction. */
#if defined __x86_64__ || defined __wasm__
static const bool lu_rounds_twice = true;
#else
static const bool lu_rounds_twice = false;
#endif

/* Small and linear, with laws whose mixture and coefficients are constant? */
static bool has_constant_laws(const dls_sim *sim, const dls_contact_system *contacts)
{
  const dls_system *sys = sim->sys;
  return sys->linear && sys->n <= DLS_SMALL_N && sys->m <= DLS_SMALL_M && sys->d <= DLS_SMALL_D &&
         sys->r == 0 && contacts->gives == NULL && !contacts->sees_speed && sim->work.watch == NULL &&
         !dls_system_has_static_friction(sys) && !dls_system_has_stribeck(sys);
}

static bool applies(const dls_sim *sim, const dls_contact_system *contacts)
{
  const dls_system *sys = sim->sys;
  const bool rough = sys->d > 1 && dls_matrix_storage(sys->H) != DLS_DIAGONAL;
  bool plain = has_constant_laws(sim, contacts) && dls_configuration_constant(contacts->config);
  for (size_t j = 0; plain && j < sys->m; j++) {
    plain = contacts->mixture[sys->d * j] >= 0 && (sys->d == 1 || (rough && dls_law_has_friction(sys, j)));
  }
  return plain;
}

bool dls_small_system_starts_again(const dls_sim *sim, const dls_contact_system *contacts, const dls_factor *A)
{
  return has_constant_laws(sim, contacts) && dls_factor_look(A).form != DLS_FACTOR_OTHER;
}

dls_status dls_small_system_create(const dls_sim *sim, const dls_contact_system *contacts,
                                   dls_small_system **out, dls_error *err)
{
  *out = NULL;
  if (!applies(sim, contacts)) {
    return DLS_OK;
  }
  dls_small_system *small_system = *out = malloc(sizeof *small_system);
  if (small_system == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the numbers of a small system");
  }
  /* Zeros only where a reader may come before a writer: those of the whole struct cost as much as 200 steps of a ball. */
  memset(small_system, 0, offsetof(dls_small_system, M));
  small_system->mass.form = (dls_factor_form)0;
  for (size_t row = 0; row < DLS_SMALL_ROWS; row++) {
    small_system->row[row].response.count = 0;
  }
  small_system->n = sim->sys->n;
  small_system->m = sim->sys->m;
  small_system->d = sim->sys->d;
  small_system->tolerance = contacts->lcp->tolerance;
  if (small_system->d > 1) { /* as dls_one_contact_certified */
    small_system->tolerance = fmin(DLS_EXACT, small_system->tolerance);
  }
  return DLS_OK;
}

static void take_entries(const dls_matrix *A, dls_small_matrix *out)
{
  out->storage = DLS_SMALL_COLUMNS;
  for (size_t j = 0; j < A->columns; j++) {
    const dls_column c = dls_matrix_column(A, j);
    for (size_t k = 0; k < c.count; k++) {
      out->row[out->count] = (unsigned char)dls_column_row(&c, k);
      out->column[out->count] = (unsigned char)j;
      out->value[out->count++] = c.values[k];
    }
  }
}

static void take_matrix(const dls_matrix *A, dls_small_matrix *out)
{
  out->storage = DLS_SMALL_NONE;
  out->count = 0;
  if (A == NULL) {
    return;
  }
  const bool three = dls_matrix_tridiagonal(A);
  if (A->storage == DLS_DIAGONAL || three) {
    out->storage = three ? DLS_SMALL_TRIDIAGONAL : DLS_SMALL_DIAGONAL;
    out->count = three ? 3 * A->rows : A->rows;
    memcpy(out->value, A->values, out->count * sizeof *out->value);
  } else {
    take_entries(A, out);
  }
}

/* @return false if batch.h cannot solve with a factor of this form */
static bool take_factor(const dls_factor *F, size_t n, dls_small_factor *out)
{
  const dls_factor_view view = dls_factor_look(F);
  out->form = view.form;
  if (view.form == DLS_FACTOR_LU) {
    for (size_t j = 0; j < n; j++) {
      memcpy(out->value + n * j, view.d + view.stride * j, n * sizeof *out->value);
      out->pivot[j] = (unsigned char)view.pivots[j];
    }
    return lu_rounds_twice;
  }
  if (view.form == DLS_FACTOR_OTHER) {
    return false;
  }
  memcpy(out->value, view.d, n * sizeof *out->value);
  if (view.form == DLS_FACTOR_ENDS) {
    memcpy(out->value + n, view.e, (n - 1) * sizeof *out->value);
  }
  return true;
}

static void take_row(const dls_contact_system *contacts, size_t row, dls_small_row *out)
{
  const dls_matrix *H = contacts->config->H;
  const dls_column c = dls_matrix_column(H, row);
  out->count = c.count;
  out->start = H->storage == DLS_DIAGONAL ? -0.0 : 0.0;
  for (size_t k = 0; k < c.count; k++) {
    out->row[k] = (unsigned char)dls_column_row(&c, k);
    out->H[k] = c.values[k];
  }
  out->mixture = contacts->mixture[row];
}

static bool take_contact(dls_small_system *s, const dls_sim *sim, dls_contact_system *contacts, size_t j,
                         bool responds)
{
  const size_t d = s->d;
  dls_small_contact *out = &s->contact[j];
  dls_response response[DLS_SMALL_D];
  out->w = sim->sys->w[j];
  out->mu = contacts->mu[j];
  bool taken = dls_delassus_contact(contacts->W, d, j, out->W, responds ? response : NULL);
  for (size_t i = 0; i < d && taken; i++) {
    dls_small_row *row = &s->row[d * j + i];
    take_row(contacts, d * j + i, row);
    row->response = responds ? response[i] : row->response;
  }
  return taken;
}

static bool full_matrix(const dls_small_matrix *A, size_t n)
{
  return A->storage != DLS_SMALL_COLUMNS || A->count == n * n;
}

static bool is_full(const dls_small_system *s)
{
  bool full = full_matrix(&s->M, s->n) && full_matrix(&s->C, s->n) && full_matrix(&s->K, s->n);
  for (size_t j = 0; j < s->d * s->m; j++) {
    const dls_small_row *c = &s->row[j];
    full = full && c->count == s->n && (c->response.count == 0 || c->response.count == s->n);
  }
  return full;
}

bool dls_small_system_read(dls_small_system *small_system, const dls_sim *sim, dls_contact_system *contacts,
                           const dls_factor *A, const dls_factor *mass, bool responds)
{
  if (small_system->made == dls_factor_made(A)) {
    return small_system->usable;
  }
  take_matrix(sim->sys->M, &small_system->M);
  take_matrix(sim->sys->C, &small_system->C);
  take_matrix(sim->sys->K, &small_system->K);
  small_system->made = dls_factor_made(A);
  small_system->usable = take_factor(A, small_system->n, &small_system->A) &&
                         (mass == NULL || take_factor(mass, small_system->n, &small_system->mass));
  for (size_t j = 0; small_system->usable && j < small_system->m; j++) {
    small_system->usable = take_contact(small_system, sim, contacts, j, responds);
  }
  small_system->full = is_full(small_system);
  return small_system->usable;
}

static bool alike_matrices(const dls_small_matrix *a, const dls_small_matrix *b)
{
  return a->storage == b->storage && a->count == b->count &&
         (a->storage != DLS_SMALL_COLUMNS ||
          (memcmp(a->row, b->row, a->count) == 0 && memcmp(a->column, b->column, a->count) == 0));
}

static bool alike_factors(const dls_small_factor *a, const dls_small_factor *b, size_t n)
{
  return a->form == b->form && (a->form != DLS_FACTOR_LU || memcmp(a->pivot, b->pivot, n) == 0);
}

static bool alike_rows(const dls_small_row *a, const dls_small_row *b)
{
  return a->count == b->count && memcmp(a->row, b->row, a->count) == 0 &&
         a->response.count == b->response.count &&
         memcmp(a->response.row, b->response.row, a->response.count * sizeof a->response.row[0]) == 0;
}

bool dls_small_system_alike(const dls_small_system *a, const dls_small_system *b)
{
  bool alike = a->n == b->n && a->m == b->m && a->d == b->d && a->test == b->test &&
               a->mass_term == b->mass_term && alike_matrices(&a->M, &b->M) && alike_matrices(&a->C, &b->C) &&
               alike_matrices(&a->K, &b->K) && alike_factors(&a->A, &b->A, a->n) &&
               alike_factors(&a->mass, &b->mass, a->n);
  for (size_t j = 0; alike && j < a->d * a->m; j++) {
    alike = alike_rows(&a->row[j], &b->row[j]);
  }
  return alike;
}
