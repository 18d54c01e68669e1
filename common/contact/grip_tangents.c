/* grip_tangents.c -- see grip_tangents.h: the tangential part of W that is left when the normals of the set are held,
 *   S = W_TT - W_TN W_NN^+ W_NT,       and the same with the tangents of others that stick among the rows N,
 * has a zero eigenvalue for every direction along which the contact cannot slip.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/grip_tangents.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double dependent = 1e-12; /* pivots of normals below this part of their W_NN: redundant */
static const double blocked = 1e-10;   /* eigenvalues of S below this part of the contact's W: none */

enum { BETWEEN = 32 }; /* pivots, two questions */

struct dls_grip_tangents_work {
  size_t d;
  size_t count, held; /* rows; the first of them are held: normals, and tangents */
  size_t *row;        /* count */
  double *S;          /* count x count, column-major */
  double *size;       /* held: of W */
  bool *done;         /* held */
  const dls_asker *asker;
};

dls_grip_tangents_work *dls_grip_tangents_create(size_t d, const dls_asker *asker)
{
  dls_grip_tangents_work *w = calloc(1, sizeof *w);
  if (w != NULL) {
    w->d = d;
    w->asker = asker;
  }
  return w;
}

static void free_room(dls_grip_tangents_work *w)
{
  free(w->row);
  free(w->S);
  free(w->size);
  free(w->done);
}

bool dls_grip_tangents_reserve(dls_grip_tangents_work *w, size_t contacts)
{
  const size_t rows = contacts * w->d;
  free_room(w);
  w->row = malloc(rows * sizeof *w->row);
  w->S = malloc(rows * rows * sizeof *w->S);
  w->size = malloc(rows * sizeof *w->size);
  w->done = malloc(rows * sizeof *w->done);
  return w->row != NULL && w->S != NULL && w->size != NULL && w->done != NULL;
}

void dls_grip_tangents_destroy(dls_grip_tangents_work *w)
{
  if (w != NULL) {
    free_room(w);
    free(w);
  }
}

static void add_row(dls_grip_tangents_work *w, size_t row)
{
  w->row[w->count++] = row;
}

/* The rows: what is held, then the tangents of those that are wanted. */
static void list_rows(dls_grip_tangents_work *w, const dls_contacts *set, const bool *wanted, const bool *held)
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
static void fill(dls_grip_tangents_work *w, dls_delassus *W)
{
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
static bool next_pivot(const dls_grip_tangents_work *w, size_t *pivot)
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

static void eliminate(dls_grip_tangents_work *w, size_t pivot)
{
  const size_t n = w->count;
  const double *column = w->S + n * pivot, own = column[pivot];
  for (size_t k = 0; k < n; k++) {
    const bool over = k == pivot || (k < w->held && w->done[k]); /* nobody reads that column again */
    const double part = over ? 0 : w->S[pivot + n * k] / own;
    for (size_t i = 0; part != 0 && i < n; i++) {
      w->S[i + n * k] -= i != pivot ? part * column[i] : 0;
    }
  }
  w->done[pivot] = true;
}

/* Of the block [a b; b c] the directions whose eigenvalues are above least. */
static dls_grip_tangents directions(double a, double b, double c, double least)
{
  const double mean = 0.5 * (a + c), half = 0.5 * (a - c), radius = hypot(half, b);
  if (mean - radius > least) {
    return (dls_grip_tangents){.count = 2, .e = {{1, 0}, {0, 1}}};
  }
  if (!(mean + radius > least)) {
    return (dls_grip_tangents){0};
  }
  /* (half + radius, b) and (b, radius - half) are along the direction of the larger one */
  const double x = half > 0 ? half + radius : b, y = half > 0 ? b : radius - half, length = hypot(x, y);
  return (dls_grip_tangents){.count = 1, .e = {{x / length, y / length}}};
}

/* Of the contact whose normal is row k of S, and whose tangents begin at row `at`. */
static dls_grip_tangents free_directions(const dls_grip_tangents_work *w, dls_delassus *W, size_t k, size_t at)
{
  const double *own = w->S + at + w->count * at;
  double whole = w->size[k];
  for (size_t i = 1; i < w->d; i++) {
    whole += dls_delassus_entry(W, w->row[k] + i, w->row[k] + i);
  }
  if (w->d == 2) {
    return (dls_grip_tangents){.count = own[0] > blocked * whole, .e = {{1, 0}}};
  }
  return directions(own[0], own[1], own[w->count + 1], blocked * whole);
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

bool dls_grip_tangents_find(dls_grip_tangents_work *w, dls_delassus *W, const dls_contacts *set,
                            const bool *wanted, const bool *held, dls_grip_tangents *tangents)
{
  memset(tangents, 0, set->count * sizeof *tangents);
  if (!any(set, wanted)) {
    return true;
  }
  list_rows(w, set, wanted, held);
  fill(w, W);
  for (size_t pivot = 0, k = 1; next_pivot(w, &pivot); k++) {
    eliminate(w, pivot);
    if (k % BETWEEN == 0 && dls_asker_stops(w->asker)) {
      return false;
    }
  }
  for (size_t k = 0, at = w->held; k < set->count; k++) {
    if (wanted[set->index[k]]) {
      tangents[k] = free_directions(w, W, k, at);
      at += w->d - 1;
    }
  }
  return true;
}
