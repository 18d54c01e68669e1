/* bar_elements.c -- linear elements of a bar.
 * Element of length l:  stiffness E A/l [1 -1; -1 1],  consistent mass rho A l/6 [2 1; 1 2],  lumped rho A l/2 [1 0; 0 1].
 * Redistributed mass (redistribute.h): none at the lowest node; weight acts where mass is.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/bar_elements.h"
#include "common/models/elements/redistribute.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* weight: n, forces of gravity; NULL without; l: length of an element */
typedef struct bar_data {
  double *weight, l;
} bar_data;

static void load(const dls_system *sys, double t, double *F)
{
  (void)t;
  memcpy(F, ((const bar_data *)sys->data)->weight, sys->n * sizeof *F);
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  (void)sys, (void)alpha;
  snprintf(text, size, "contact 0 (floor and lower end)");
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  (void)sys;
  snprintf(out->name, sizeof out->name, "displacement of node %zu", i);
}

static void release(dls_system *sys)
{
  bar_data *d = sys->data;
  if (d != NULL) {
    free(d->weight);
    free(d);
  }
}

/* Row i of a chain of equal elements with the element matrix [diagonal off; off diagonal]. */
static void set_row(dls_matrix *A, size_t i, double diagonal, double off)
{
  const size_t last = dls_matrix_rows(A) - 1;
  dls_matrix_set(A, i, i, i == 0 || i == last ? diagonal : 2 * diagonal);
  if (off != 0 && i > 0) {
    dls_matrix_set(A, i, i - 1, off);
  }
  if (off != 0 && i < last) {
    dls_matrix_set(A, i, i + 1, off);
  }
}

/* Velocity: the largest during the fall. Length: by how much a wave of that velocity, or the weight, shortens the bar.
 * The gap is not a scale: tolerances must resolve the deformation whatever the height of the fall. */
static void set_scales(dls_system *sys, const dls_bar *bar)
{
  const double c = sqrt(bar->E / bar->rho);
  const double sag = bar->rho * bar->gravity * bar->L * bar->L / (2 * bar->E);
  const double fall = sqrt(bar->v0 * bar->v0 + 2 * bar->gravity * bar->gap);
  const double speed = fmax(fall, sag * c / bar->L);
  const double length = speed * bar->L / c, time = bar->L / c;
  if (length > 0 && isfinite(length) && isfinite(time)) {
    sys->length = length;
    sys->time = time;
  }
}

static void set_damping(dls_system *sys, double alpha, double beta)
{
  for (size_t i = 0; sys->C != NULL && i < sys->n; i++) {
    for (size_t j = i > 0 ? i - 1 : 0; j <= i + 1 && j < sys->n; j++) {
      dls_matrix_set(sys->C, i, j, alpha * dls_matrix_get(sys->M, i, j) + beta * dls_matrix_get(sys->K, i, j));
    }
  }
}

/* Half an element's weight on each of its nodes, since both mass matrices have the same row sums. With redistributed
 * mass, its row sums. */
static dls_status set_weight(dls_system *sys, const dls_bar *bar, double element)
{
  bar_data *d = sys->data;
  if (bar->gravity == 0) {
    return DLS_OK;
  }
  d->weight = malloc(2 * sys->n * sizeof *d->weight);
  if (d->weight == NULL) {
    return DLS_ERR_MEMORY;
  }
  for (size_t i = 0; i < sys->n; i++) {
    d->weight[i] = -element * bar->gravity / 2 * (i == 0 || i == sys->n - 1 ? 1 : 2);
    d->weight[sys->n + i] = 1;
  }
  if (bar->mass == DLS_MASS_REDISTRIBUTED) {
    memset(d->weight, 0, sys->n * sizeof *d->weight);
    dls_matrix_multiply(sys->M, -bar->gravity, d->weight + sys->n, d->weight);
  }
  return DLS_OK;
}

/* Remove the mass of the lowest node. */
static dls_status redistribute(const char *name, dls_system *sys, double l, dls_error *err)
{
  double *X = malloc(sys->n * sizeof *X);
  bool *massless = calloc(sys->n, sizeof *massless);
  dls_status status = DLS_ERR_MEMORY;
  if (X != NULL && massless != NULL) {
    for (size_t i = 0; i < sys->n; i++) {
      X[i] = l * (double)i;
    }
    massless[0] = true;
    status = dls_redistribute_mass(name, 1, X, massless, sys->M, sys->remark, err);
  }
  free(X);
  free(massless);
  return status;
}

static dls_status fill(const char *name, dls_system *sys, const dls_bar *bar, dls_error *err)
{
  const double l = bar->L / (double)bar->elements, mass = bar->rho * bar->A * l, k = bar->E * bar->A / l;
  const bool lumped = bar->mass == DLS_MASS_LUMPED;
  const double m0 = lumped ? mass / 2 : mass / 3, m1 = lumped ? 0 : mass / 6;
  for (size_t i = 0; i < sys->n; i++) {
    set_row(sys->M, i, m0, m1);
    set_row(sys->K, i, k, -k);
    sys->q0[i] = bar->gap;
    sys->v0[i] = bar->v0;
  }
  dls_matrix_set(sys->H, 0, 0, 1);
  sys->e[0] = bar->restitution;
  ((bar_data *)sys->data)->l = l;
  set_scales(sys, bar);
  dls_status status = bar->mass == DLS_MASS_REDISTRIBUTED ? redistribute(name, sys, l, err) : DLS_OK;
  if (status != DLS_OK || (status = set_weight(sys, bar, mass)) != DLS_OK) {
    return status;
  }
  set_damping(sys, bar->alpha, bar->beta);
  return DLS_OK;
}

/* @return false if out of memory */
static bool allocate(dls_system *sys, const dls_bar *bar)
{
  const size_t n = sys->n;
  const bool damped = bar->alpha > 0 || bar->beta > 0;
  sys->data = calloc(1, sizeof(bar_data));
  sys->M = bar->mass == DLS_MASS_LUMPED ? dls_matrix_diagonal(n) : dls_matrix_band(n, 1, 1);
  sys->K = dls_matrix_band(n, 1, 1);
  sys->C = damped ? dls_matrix_band(n, 1, 1) : NULL;
  sys->H = dls_matrix_sparse(n, 1, 1);
  return sys->data != NULL && sys->M != NULL && sys->K != NULL && sys->H != NULL && (!damped || sys->C != NULL);
}

dls_status dls_bar_assemble(const char *name, const dls_bar *bar, dls_system **out, dls_error *err)
{
  dls_system *sys = *out = dls_system_create(bar->elements + 1, 1);
  dls_status status = DLS_ERR_MEMORY;
  if (sys != NULL) {
    sys->linear = true;
    sys->load = bar->gravity > 0 ? load : NULL;
    sys->steady_load = true;
    sys->contact_name = contact_name;
    sys->coordinate = coordinate;
    sys->release = release;
    sys->momenta = 1;
    sys->momentum = dls_momentum_line;
    status = allocate(sys, bar) ? fill(name, sys, bar, err) : DLS_ERR_MEMORY;
  }
  return status != DLS_ERR_MEMORY
             ? status
             : dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %zu elements", name, bar->elements);
}

dls_status dls_bar_mesh(const dls_system *sys, bool upright, dls_mesh *out, dls_error *err)
{
  static const char *const names[] = {"axial force [N]"};
  const double l = ((const bar_data *)sys->data)->l;
  const dls_status status = dls_mesh_create(sys->n, sys->n - 1, 2, out, err);
  if (status != DLS_OK) {
    return status;
  }
  out->values = 1;
  out->names = names;
  for (size_t i = 0; i < sys->n; i++) {
    const size_t along = 2 * i + (upright ? 1 : 0), across = 2 * i + (upright ? 0 : 1);
    out->unknown[along] = i;
    out->unknown[across] = DLS_MESH_GIVEN;
    out->offset[along] = out->rest[along] = l * (double)i;
  }
  for (size_t e = 0; e < 2 * out->cells; e++) {
    out->cell[e] = e / 2 + e % 2;
  }
  return DLS_OK;
}

void dls_bar_mesh_values(const dls_system *sys, double t, const double *q, double *values)
{
  (void)t;
  for (size_t e = 0; e + 1 < sys->n; e++) {
    values[e] = -dls_matrix_get(sys->K, e, e + 1) * (q[e + 1] - q[e]); /* E A/l times the elongation */
  }
}

/* A line perpendicular to the bar, or along it. */
static void line(dls_sketch *out, bool upright, double a0, double b0, double a1, double b1)
{
  dls_sketch_between(out, DLS_SHAPE_LINE, upright ? b0 : a0, upright ? a0 : b0, upright ? b1 : a1,
                     upright ? a1 : b1);
}

void dls_bar_sketch(const dls_bar *bar, bool upright, const double *q, dls_sketch *out)
{
  enum { MOST_SECTIONS = 32 }; /* more nodes are too close to be distinguished */
  const size_t n = bar->elements, sections = n < MOST_SECTIONS ? n : MOST_SECTIONS;
  const double half = 0.06 * bar->L, wall = 0.3 * bar->L;
  if (upright) {
    dls_sketch_between(out, DLS_SHAPE_WALL, -wall, 0, wall, 0);
  } else {
    dls_sketch_between(out, DLS_SHAPE_WALL, 0, wall, 0, -wall);
  }
  for (size_t i = 0; i <= sections; i++) {
    const size_t node = i * n / sections;
    const double at = (double)node * bar->L / (double)n + q[node];
    line(out, upright, at, -half, at, half);
  }
  for (int side = -1; side <= 1; side += 2) {
    line(out, upright, q[0], side * half, bar->L + q[n], side * half);
  }
  dls_sketch_touch(out, upright ? 0 : q[0], upright ? q[0] : 0, !upright, upright);
}
