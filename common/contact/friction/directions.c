/* directions.c -- see directions.h: the tangential part of W that is left when the normals of the set are held,
 *   S = W_TT - W_TN W_NN^+ W_NT,       and the same with the tangents of others that stick among the rows N,
 * has a zero eigenvalue for every direction along which the contact cannot slip. Few rows: by elimination. Many: S is the mean of
 * u_T u_T^T, u = H^T v, for velocities v = P M^-1/2 z with random z of variance 1, P = 1 - M^-1 H_N W_NN^+ H_N^T; the mean of
 * eight is far from zero where S is, and zero where S is.
 * Source of the second: Hutchinson 1989, Communications in Statistics 18 (random vectors for the diagonal of a matrix).
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/friction/directions.h"
#include "common/base/memory.h"
#include "common/contact/friction/mode_operator.h"
#include "common/contact/operator/compliant.h"
#include "common/linear/storage.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static const double dependent = 1e-12; /* pivots of normals below this part of their W_NN: redundant */
static const double blocked = 1e-10;   /* eigenvalues of S below this part of the contact's W: none */

enum {
  BETWEEN = 32, /* pivots, two questions */
  FEW = 100,    /* rows by elimination */
  PROBES = 8,
  MOST_PASSES = 20
};
static const double shift = 1e-8; /* of the largest W_kk: W_NN may be singular; passes take it out again */
static const double gone = 1e-9;  /* of the largest |u| before: what u_N may be */

struct dls_free_directions_work {
  dls_contact_system *contacts;
  size_t d;
  size_t count, held;  /* rows; the first of them are held: normals, and tangents */
  size_t room, square; /* rows; of S */
  size_t *row;         /* count */
  size_t *sorted;      /* held */
  double *S;           /* count x count, column-major; made when it is first needed */
  double *size;        /* held: of W */
  double *E, *u;       /* held: s d; rates, then impulses */
  double *v;           /* n */
  bool *done;          /* held */
  const dls_interrupt_poll *interrupt;
};

dls_free_directions_work *dls_free_directions_create(dls_contact_system *contacts)
{
  dls_free_directions_work *w = calloc(1, sizeof *w);
  if (w != NULL) {
    w->contacts = contacts;
    w->d = contacts->config->d;
    w->interrupt = &contacts->work->interrupt;
  }
  return w;
}

static void free_room(dls_free_directions_work *w)
{
  free(w->row);
  free(w->sorted);
  free(w->S);
  free(w->size);
  free(w->v);
  free(w->done);
  w->S = NULL;
  w->square = 0;
}

/* Room for S. @return false if out of memory */
static bool reserve_square(dls_free_directions_work *w, size_t rows)
{
  if (rows > w->square) {
    free(w->S);
    w->S = malloc(dls_size_product(dls_size_product(rows, rows), sizeof *w->S));
    w->square = w->S != NULL ? rows : 0;
  }
  return w->S != NULL;
}

bool dls_free_directions_reserve(dls_free_directions_work *w, size_t contacts)
{
  const size_t rows = contacts * w->d;
  free_room(w);
  w->row = malloc(rows * sizeof *w->row);
  w->sorted = malloc(rows * sizeof *w->sorted);
  w->size = malloc(3 * rows * sizeof *w->size);
  w->v = malloc(w->contacts->config->sys->n * sizeof *w->v);
  w->done = malloc(rows * sizeof *w->done);
  w->E = w->size != NULL ? w->size + rows : NULL;
  w->u = w->size != NULL ? w->E + rows : NULL;
  w->room = rows;
  return w->row != NULL && w->sorted != NULL && w->size != NULL && w->v != NULL && w->done != NULL &&
         (rows > FEW || reserve_square(w, rows));
}

void dls_free_directions_destroy(dls_free_directions_work *w)
{
  if (w != NULL) {
    free_room(w);
    free(w);
  }
}

static void add_row(dls_free_directions_work *w, size_t row)
{
  w->row[w->count++] = row;
}

/* The rows: what is held, then the tangents of those that are wanted. */
static void list_rows(dls_free_directions_work *w, const dls_contacts *set, const bool *wanted,
                      const bool *held)
{
  w->count = 0;
  for (size_t k = 0; k < set->count; k++) {
    add_row(w, w->d * set->index[k]);
  }
  for (size_t pass = 0; pass < 2; pass++) {
    w->held = pass == 0 ? w->held : w->count;
    const bool *who = pass == 0 ? held : wanted;
    for (size_t k = 0; who != NULL && k < set->count; k++) {
      for (size_t i = 1; who[set->index[k]] && i < w->d; i++) {
        add_row(w, w->d * set->index[k] + i);
      }
    }
  }
}

/* S := W of the rows. */
static void fill(dls_free_directions_work *w)
{
  dls_delassus *W = w->contacts->W;
  for (size_t k = 0; k < w->count; k++) {
    for (size_t i = 0; i < w->count; i++) {
      w->S[i + w->count * k] = dls_delassus_entry(W, w->row[i], w->row[k]);
    }
  }
  for (size_t k = 0; k < w->held; k++) {
    w->size[k] = w->S[k + w->count * k];
    w->done[k] = false;
  }
}

/* The row held with the largest pivot. @return false if all others depend on those done */
static bool next_pivot(const dls_free_directions_work *w, size_t *pivot)
{
  double most = 0;
  for (size_t k = 0; k < w->held; k++) {
    const double own = w->S[k + w->count * k];
    if (!w->done[k] && own > dependent * w->size[k] && own > most) {
      most = own;
      *pivot = k;
    }
  }
  return most > 0;
}

static void eliminate(dls_free_directions_work *w, size_t pivot)
{
  const size_t n = w->count;
  const double *column = w->S + n * pivot, own = column[pivot];
  for (size_t k = 0; k < n; k++) {
    const bool over = k == pivot || (k < w->held && w->done[k]); /* that column is not read again */
    const double part = over ? 0 : w->S[pivot + n * k] / own;
    for (size_t i = 0; part != 0 && i < n; i++) {
      w->S[i + n * k] -= i != pivot ? part * column[i] : 0;
    }
  }
  w->done[pivot] = true;
}

/* Of the block [a b; b c] the directions whose eigenvalues are above least. */
static dls_free_directions directions(double a, double b, double c, double least)
{
  const double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = hypot(half, b);
  if (mean - radius > least) {
    return (dls_free_directions){.count = 2, .e = {{1, 0}, {0, 1}}};
  }
  if (!(mean + radius > least)) {
    return (dls_free_directions){0};
  }
  /* (half + radius, b) and (b, radius - half) are along the direction of the larger one */
  const double x = half > 0 ? half + radius : b, y = half > 0 ? b : radius - half, length = hypot(x, y);
  return (dls_free_directions){.count = 1, .e = {{x / length, y / length}}};
}

/* Of the contact whose normal is row k, by its block [a b; b c] of S. */
static dls_free_directions free_directions(const dls_free_directions_work *w, size_t k, double a, double b,
                                           double c)
{
  double whole = 0;
  for (size_t i = 0; i < w->d; i++) {
    whole += dls_delassus_entry(w->contacts->W, w->row[k] + i, w->row[k] + i);
  }
  return w->d == 2 ? (dls_free_directions){.count = a > blocked * whole, .e = {{1, 0}}}
                   : directions(a, b, c, blocked * whole);
}

static bool any(const dls_contacts *set, const bool *wanted)
{
  for (size_t k = 0; k < set->count; k++) {
    if (wanted[set->index[k]]) {
      return true;
    }
  }
  return false;
}

/* By elimination. */
static dls_status eliminate_all(dls_free_directions_work *w, const dls_contacts *set, const bool *wanted,
                                dls_free_directions *tangents)
{
  if (!reserve_square(w, w->count)) {
    return DLS_ERR_MEMORY;
  }
  fill(w);
  for (size_t pivot = 0, k = 1; next_pivot(w, &pivot); k++) {
    eliminate(w, pivot);
    if (k % BETWEEN == 0 && dls_interrupt_requested(w->interrupt)) {
      return DLS_ERR_INTERRUPTED;
    }
  }
  for (size_t k = 0, at = w->held; k < set->count; k++) {
    if (wanted[set->index[k]]) {
      const double *own = w->S + at + w->count * at;
      const bool plane = w->d == 2;
      tangents[k] = free_directions(w, k, own[0], plane ? 0 : own[1], plane ? 0 : own[w->count + 1]);
      at += w->d - 1;
    }
  }
  return DLS_OK;
}

/* In [-1, 1), variance 1/3, by a linear congruence: the same in every run. */
static double uniform(uint64_t *state)
{
  *state = *state * 6364136223846793005u + 1442695040888963407u;
  return (double)(*state >> 11) * 0x1p-52 - 1;
}

static int increasing(const void *a, const void *b)
{
  const size_t x = *(const size_t *)a, y = *(const size_t *)b;
  return (x > y) - (x < y);
}

/* v without what moves the rows held: v -= M^-1 H_N (W_NN + s d)^-1 H_N^T v, until nothing does. @return DLS_OK;
 * DLS_ERR_NOT_APPLICABLE where W is not sparse, or it does not end; DLS_ERR_INTERRUPTED; DLS_ERR_MEMORY */
static dls_status project(dls_free_directions_work *w)
{
  dls_error ignored = {0};
  double first = 0;
  for (int pass = 0; pass < MOST_PASSES; pass++) {
    double most = 0;
    for (size_t k = 0; k < w->held; k++) {
      w->u[k] = dls_matrix_column_dot(w->contacts->config->H, w->sorted[k], w->v);
      most = fmax(most, fabs(w->u[k]));
    }
    first = pass == 0 ? most : first;
    if (most <= gone * first) {
      return DLS_OK;
    }
    if (dls_interrupt_requested(w->interrupt)) {
      return DLS_ERR_INTERRUPTED;
    }
    const dls_status status =
        dls_delassus_solve_compliant(w->contacts->W, 1, w->held, w->sorted, w->E, w->u, &ignored);
    if (status != DLS_OK) {
      return status == DLS_ERR_SINGULAR ? DLS_ERR_NOT_APPLICABLE : status;
    }
    dls_delassus_apply(w->contacts->W, w->held, w->sorted, -1, w->u, w->v);
  }
  return DLS_ERR_NOT_APPLICABLE;
}

/* By random velocities; sums of products of slips lie in tangents[k].e meanwhile. */
static dls_status probe_all(dls_free_directions_work *w, const dls_contacts *set, const bool *wanted,
                            dls_free_directions *tangents)
{
  const dls_configuration *config = w->contacts->config;
  uint64_t state = 1;
  double most = 0;
  memcpy(w->sorted, w->row, w->held * sizeof *w->row);
  qsort(w->sorted, w->held, sizeof *w->sorted, increasing);
  for (size_t k = 0; k < w->held; k++) {
    most = fmax(most, dls_delassus_entry(w->contacts->W, w->sorted[k], w->sorted[k]));
  }
  for (size_t k = 0; k < w->held; k++) {
    w->E[k] = shift * most;
  }
  for (int probe = 0; probe < PROBES; probe++) {
    for (size_t i = 0; i < config->sys->n; i++) {
      w->v[i] = uniform(&state) * sqrt(3 / dls_matrix_get(config->M, i, i));
    }
    const dls_status status = project(w);
    if (status != DLS_OK) {
      return status;
    }
    for (size_t k = 0; k < set->count; k++) {
      double u[2] = {0};
      for (size_t i = 1; wanted[set->index[k]] && i < w->d; i++) {
        u[i - 1] = dls_matrix_column_dot(config->H, w->row[k] + i, w->v);
      }
      tangents[k].e[0][0] += u[0] * u[0] / PROBES;
      tangents[k].e[0][1] += u[0] * u[1] / PROBES;
      tangents[k].e[1][1] += u[1] * u[1] / PROBES;
    }
  }
  for (size_t k = 0; k < set->count; k++) {
    const dls_free_directions sum = tangents[k];
    tangents[k] = wanted[set->index[k]] ? free_directions(w, k, sum.e[0][0], sum.e[0][1], sum.e[1][1])
                                        : (dls_free_directions){0};
  }
  return DLS_OK;
}

dls_status dls_free_directions_find(dls_free_directions_work *w, const dls_contacts *set, const bool *wanted,
                                    const bool *held, dls_free_directions *tangents)
{
  memset(tangents, 0, set->count * sizeof *tangents);
  if (!any(set, wanted)) {
    return DLS_OK;
  }
  list_rows(w, set, wanted, held);
  const bool probes = w->count > FEW && dls_mode_operator_applies(w->contacts);
  const dls_status status = probes ? probe_all(w, set, wanted, tangents) : DLS_ERR_NOT_APPLICABLE;
  if (probes) {
    dls_delassus_forget_compliant(w->contacts->W); /* not asked for before the modes change */
  }
  if (status != DLS_ERR_NOT_APPLICABLE) {
    return status;
  }
  dls_count_fallback(w->count > FEW ? &w->contacts->work->fallbacks : NULL, "elimination");
  return eliminate_all(w, set, wanted, tangents);
}
