/* small_system.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/step/small_system.h"
#include "common/solve/lcp_methods.h"
#include <stdlib.h>
#include <string.h>

/* The general path has LU by SUNDIALS, which is built as its makers like it: with products and sums in one rounding where the machine
 * has them for all. */
#ifdef __x86_64__
static const bool lu_rounds_twice = true;
#else
static const bool lu_rounds_twice = false;
#endif

static bool applies(const dls_sim *sim, const dls_stage *stage)
{
  const dls_system *sys = sim->sys;
  const bool small =
      sys->linear && sys->n <= DLS_SMALL_N && sys->m <= DLS_SMALL_M && sys->d == 1 && sys->r == 0;
  bool plain = small && dls_place_constant(stage->place) && stage->problem == NULL && stage->gives == NULL;
  for (size_t j = 0; plain && j < sys->m; j++) {
    plain = stage->mixture[j] >= 0;
  }
  return plain;
}

dls_status dls_small_create(const dls_sim *sim, const dls_stage *stage, dls_small **out, dls_error *err)
{
  *out = NULL;
  if (!applies(sim, stage)) {
    return DLS_OK;
  }
  dls_small *small = *out = calloc(1, sizeof *small);
  if (small == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the numbers of a small system");
  }
  small->n = sim->sys->n;
  small->m = sim->sys->m;
  small->tolerance = stage->lcp->tolerance;
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

/* @return false if it is in no form that batch.h has */
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

static bool take_contact(const dls_sim *sim, dls_stage *stage, size_t j, bool responds, dls_small_contact *out)
{
  const dls_matrix *H = stage->place->H;
  const dls_column c = dls_matrix_column(H, j);
  out->count = c.count;
  out->start = H->storage == DLS_DIAGONAL ? -0.0 : 0.0;
  for (size_t k = 0; k < c.count; k++) {
    out->row[k] = (unsigned char)dls_column_row(&c, k);
    out->H[k] = c.values[k];
  }
  out->w = sim->sys->w[j];
  out->mixture = stage->mixture[j];
  return dls_delassus_single(stage->W, j, &out->W, responds ? &out->response : NULL);
}

static bool full_matrix(const dls_small_matrix *A, size_t n)
{
  return A->storage != DLS_SMALL_COLUMNS || A->count == n * n;
}

static bool is_full(const dls_small *s)
{
  bool full = full_matrix(&s->M, s->n) && full_matrix(&s->C, s->n) && full_matrix(&s->K, s->n);
  for (size_t j = 0; j < s->m; j++) {
    const dls_small_contact *c = &s->contact[j];
    full = full && c->count == s->n && (c->response.count == 0 || c->response.count == s->n);
  }
  return full;
}

bool dls_small_take(dls_small *small, const dls_sim *sim, dls_stage *stage, const dls_factor *A,
                    const dls_factor *mass, bool responds)
{
  take_matrix(sim->sys->M, &small->M);
  take_matrix(sim->sys->C, &small->C);
  take_matrix(sim->sys->K, &small->K);
  small->made = dls_factor_made(A);
  small->usable =
      take_factor(A, small->n, &small->A) && (mass == NULL || take_factor(mass, small->n, &small->mass));
  for (size_t j = 0; small->usable && j < small->m; j++) {
    small->usable = take_contact(sim, stage, j, responds, &small->contact[j]);
  }
  small->full = is_full(small);
  return small->usable;
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

static bool alike_contacts(const dls_small_contact *a, const dls_small_contact *b)
{
  return a->count == b->count && memcmp(a->row, b->row, a->count) == 0 &&
         a->response.count == b->response.count &&
         memcmp(a->response.row, b->response.row, a->response.count * sizeof a->response.row[0]) == 0;
}

bool dls_small_alike(const dls_small *a, const dls_small *b)
{
  bool alike = a->n == b->n && a->m == b->m && a->test == b->test && a->mass_term == b->mass_term &&
               alike_matrices(&a->M, &b->M) && alike_matrices(&a->C, &b->C) && alike_matrices(&a->K, &b->K) &&
               alike_factors(&a->A, &b->A, a->n) && alike_factors(&a->mass, &b->mass, a->n);
  for (size_t j = 0; alike && j < a->m; j++) {
    alike = alike_contacts(&a->contact[j], &b->contact[j]);
  }
  return alike;
}

static dls_small_go *widest(const dls_small_widths *widths, size_t *lanes)
{
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq")) {
    *lanes = 8;
    return widths->eight;
  }
  if (__builtin_cpu_supports("avx2")) {
    *lanes = 4;
    return widths->four;
  }
#endif
  *lanes = 2;
  return widths->two;
}

/* Lanes that go with the first: they are alike and not stuck. */
static size_t fellows(const dls_glide *lane, const dls_small_run *run, size_t count, size_t *most)
{
  size_t k = 1;
  *most = lane[0].most;
  for (; k < count && !lane[k].stuck && dls_small_alike(run[0].small, run[k].small); k++) {
    *most = lane[k].most < *most ? lane[k].most : *most;
  }
  return k;
}

void dls_small_glide(dls_glide *lane, const dls_small_run *run, size_t count, const dls_small_widths *widths)
{
  size_t lanes = 1, most = 0, together = 1;
  dls_small_go *go = widest(widths, &lanes);
  for (size_t l = 0; l < count; l++) { /* steps with a row of a table of loads need advance */
    lane[l].most = lane[l].stuck ? 0 : dls_sim_steps_before_row(lane[l].sim, lane[l].h, lane[l].most);
    lane[l].stuck = lane[l].most == 0;
  }
  for (size_t l = 0; l < count; l += together) {
    together = lane[l].stuck ? 1 : fellows(lane + l, run + l, count - l < lanes ? count - l : lanes, &most);
    if (!lane[l].stuck) {
      const size_t made = (together == 1 ? widths->one : go)(lane + l, run + l, together, most);
      for (size_t k = l; k < l + together; k++) {
        lane[k].made = made;
      }
    }
  }
}
