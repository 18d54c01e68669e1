/* configuration.c -- masses, gradients and rates at a configuration.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/linear/storage.h"
#include <delassus/configuration.h>
#include <stdlib.h>
#include <string.h>

/* Column of H: the normal of a contact, or one of its tangents. */
static dls_column direction(const dls_place *place, size_t row)
{
  const size_t j = row / place->d, tangent = row % place->d;
  return tangent == 0 ? dls_matrix_column(place->normals, j)
                      : dls_matrix_column(place->slides, (place->d - 1) * j + tangent - 1);
}

/* H = (n, t1 [, t2] of contact 0, of contact 1, ...). There is room for every entry. */
static void interleave(dls_place *place)
{
  for (size_t row = 0; row < place->rows; row++) {
    const dls_column c = direction(place, row);
    for (size_t k = 0; k < c.count; k++) {
      dls_matrix_set(place->H, dls_column_row(&c, k), row, c.values[k]);
    }
  }
}

/* H of contacts with tangents. @return false if out of memory */
static bool create_directions(dls_place *place)
{
  const dls_system *sys = place->sys;
  const bool slides_vary = dls_system_tangents_vary(sys);
  place->normals = dls_system_gradient_varies(sys) ? dls_matrix_clone(sys->H) : sys->H;
  place->slides = slides_vary ? dls_matrix_clone(sys->T) : sys->T;
  if (place->normals == NULL || place->slides == NULL) {
    return false;
  }
  size_t entries = 1;
  for (size_t row = 0; row < place->rows; row++) {
    entries += direction(place, row).count;
  }
  place->H = dls_matrix_storage(sys->H) == DLS_DENSE ? dls_matrix_dense(sys->n, place->rows)
                                                     : dls_matrix_sparse(sys->n, place->rows, entries);
  if (place->H == NULL) {
    return false;
  }
  interleave(place);
  return true;
}

static bool create_gradient(dls_place *place)
{
  const dls_system *sys = place->sys;
  if (sys->m == 0) {
    return true;
  }
  if (place->d > 1) {
    return create_directions(place);
  }
  place->H = place->normals = place->gradient_varies ? dls_matrix_clone(sys->H) : sys->H;
  return place->H != NULL;
}

bool dls_place_create(const dls_system *sys, dls_place *place)
{
  *place = (dls_place){.sys = sys, .d = sys->d, .rows = sys->d * sys->m};
  place->mass_varies = dls_system_mass_varies(sys);
  place->gradient_varies = dls_system_gradient_varies(sys) || dls_system_tangents_vary(sys);
  place->moves = dls_system_gap_moves(sys) || sys->surface != NULL;
  place->bends = dls_system_bends(sys);
  place->M = place->mass_varies ? dls_matrix_clone(sys->M) : sys->M;
  place->b = calloc(2 * place->rows + 1, sizeof *place->b);
  if (place->M == NULL || place->b == NULL || !create_gradient(place)) {
    return false;
  }
  place->x = place->b + place->rows;
  dls_place_at(place, 0, sys->q0);
  return true;
}

static void destroy_copy(dls_matrix *copy, const dls_matrix *original)
{
  if (copy != original) {
    dls_matrix_destroy(copy);
  }
}

void dls_place_destroy(dls_place *place)
{
  if (place->sys == NULL) {
    return;
  }
  destroy_copy(place->M, place->sys->M);
  destroy_copy(place->normals, place->sys->H);
  destroy_copy(place->d > 1 ? place->H : NULL, NULL);
  destroy_copy(place->slides, place->sys->T);
  free(place->b);
}

/* x[rows] := normals (in x at first, m) and tangential parts (d - 1 for each contact) in the order of the rows. */
static void spread(const dls_place *place, const double *tangential, double *x)
{
  for (size_t j = place->sys->m; j-- > 0;) { /* from behind: x[j] moves to x[j d] */
    x[j * place->d] = x[j];
    for (size_t k = 1; k < place->d; k++) {
      x[j * place->d + k] = tangential[(place->d - 1) * j + k - 1];
    }
  }
}

static void take_rates(dls_place *place)
{
  dls_system_gap_rate(place->sys, place->t, place->q, place->b);
  if (place->d > 1) {
    dls_system_surface(place->sys, place->t, place->q, place->x);
    spread(place, place->x, place->b);
  }
}

static void take_gradient(dls_place *place)
{
  if (place->d == 1) {
    dls_system_gradient(place->sys, place->q, place->H);
  } else {
    dls_system_gradient(place->sys, place->q, place->normals);
    dls_system_tangents(place->sys, place->t, place->q, place->slides);
    interleave(place);
  }
}

void dls_place_time(dls_place *place, double t)
{
  place->t = t;
  if (place->moves) {
    take_rates(place);
  }
}

void dls_place_contacts(dls_place *place, double t, const double *q)
{
  place->q = q;
  dls_place_time(place, t);
  if (place->gradient_varies) {
    take_gradient(place);
  }
}

void dls_place_mass(dls_place *place, const double *q)
{
  if (place->mass_varies) {
    dls_system_mass(place->sys, q, place->M);
  }
}

void dls_place_at(dls_place *place, double t, const double *q)
{
  dls_place_contacts(place, t, q);
  if (place->mass_varies) {
    dls_place_mass(place, q);
  }
}

bool dls_place_constant(const dls_place *place)
{
  return !place->mass_varies && !place->gradient_varies && !place->moves;
}

void dls_place_gap(const dls_place *place, double *g)
{
  dls_system_gap(place->sys, place->t, place->q, g);
}

void dls_place_velocity(const dls_place *place, const double *v, double *u)
{
  if (place->rows > 0) {
    dls_matrix_transposed_plus(place->H, v, place->b, u);
  }
}

void dls_place_normals(const dls_place *place, const double *v, double *u)
{
  if (place->d == 1) {
    dls_place_velocity(place, v, u);
    return;
  }
  for (size_t j = 0; j < place->sys->m; j++) {
    u[j] = dls_place_row(place, place->d * j, v);
  }
}

void dls_place_node(const dls_place *place, const double *v, double *g, double *u)
{
  const dls_system *sys = place->sys;
  if (place->d == 1 && place->rows > 0 && sys->linear && sys->gap_motion == NULL) { /* H does not vary */
    const dls_matrix_image gap = {place->q, sys->w, g}, velocity = {v, place->b, u};
    dls_matrix_transposed_two(place->H, &gap, &velocity); /* g = H^T q + w, u = H^T v + b */
    return;
  }
  dls_place_gap(place, g);
  dls_place_normals(place, v, u);
}

void dls_place_acceleration(const dls_place *place, const double *a, const double *c, double *u_dot)
{
  if (place->rows > 0) {
    dls_matrix_transposed_plus(place->H, a, c, u_dot);
  }
}

void dls_place_curvature(dls_place *place, const double *v, double *c)
{
  dls_system_curvature(place->sys, place->t, place->q, v, c);
  if (place->d > 1) {
    dls_system_slip_curvature(place->sys, place->t, place->q, v, place->x);
    spread(place, place->x, c);
  }
}
