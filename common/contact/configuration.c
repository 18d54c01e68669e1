/* configuration.c -- masses, gradients and rates at a configuration.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/contact/thresholds.h"
#include "common/linear/storage.h"
#include <delassus/configuration.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Column of H: the normal of a contact, or one of its tangents. */
static dls_column direction(const dls_configuration *config, size_t row)
{
  const size_t j = row / config->d, tangent = row % config->d;
  return tangent == 0 ? dls_matrix_column(config->normals, j)
                      : dls_matrix_column(config->slides, (config->d - 1) * j + tangent - 1);
}

/* H = (n, t1 [, t2] of contact 0, of contact 1, ...). There is room for every entry. */
static void interleave(dls_configuration *config)
{
  for (size_t row = 0; row < config->rows; row++) {
    const dls_column c = direction(config, row);
    for (size_t k = 0; k < c.count; k++) {
      dls_matrix_set(config->H, dls_column_row(&c, k), row, c.values[k]);
    }
  }
}

/* H of contacts with tangents. @return false if out of memory */
static bool create_directions(dls_configuration *config)
{
  const dls_system *sys = config->sys;
  const bool slides_vary = dls_system_tangents_vary(sys);
  config->normals = dls_system_gradient_varies(sys) ? dls_matrix_clone(sys->H) : sys->H;
  config->slides = slides_vary ? dls_matrix_clone(sys->T) : sys->T;
  if (config->normals == NULL || config->slides == NULL) {
    return false;
  }
  size_t entries = 1;
  for (size_t row = 0; row < config->rows; row++) {
    entries += direction(config, row).count;
  }
  config->H = dls_matrix_storage(sys->H) == DLS_DENSE ? dls_matrix_dense(sys->n, config->rows)
                                                      : dls_matrix_sparse(sys->n, config->rows, entries);
  if (config->H == NULL) {
    return false;
  }
  interleave(config);
  return true;
}

static bool create_gradient(dls_configuration *config)
{
  const dls_system *sys = config->sys;
  if (sys->m == 0) {
    return true;
  }
  if (config->d > 1) {
    return create_directions(config);
  }
  config->H = config->normals = config->gradient_varies ? dls_matrix_clone(sys->H) : sys->H;
  return config->H != NULL;
}

/* Rows of its own, `more` of them for the caller behind the others. @return false if out of memory */
static bool create_rows(const dls_system *sys, size_t more, dls_configuration *config)
{
  config->sys = sys;
  config->moves = dls_system_gap_moves(sys) || sys->surface != NULL;
  config->bends = dls_system_bends(sys);
  config->b = calloc(4 * config->rows + more + 1, sizeof *config->b);
  if (config->b == NULL) {
    return false;
  }
  config->x = config->b + config->rows;
  config->jump = config->x + config->rows;
  return true;
}

bool dls_configuration_create(const dls_system *sys, dls_configuration *config)
{
  *config = (dls_configuration){.d = sys->d, .rows = sys->d * sys->m};
  config->mass_varies = dls_system_mass_varies(sys);
  config->gradient_varies = dls_system_gradient_varies(sys) || dls_system_tangents_vary(sys);
  config->M = config->mass_varies ? dls_matrix_clone(sys->M) : sys->M;
  if (!create_rows(sys, 0, config) || config->M == NULL || !create_gradient(config)) {
    return false;
  }
  dls_configuration_at(config, 0, sys->q0);
  return true;
}

double *dls_configuration_share(const dls_configuration *from, const dls_system *sys, size_t more,
                                dls_configuration *config)
{
  *config = *from;
  if (!create_rows(sys, more, config)) {
    return NULL;
  }
  dls_configuration_at(config, 0, sys->q0);
  return config->jump + 2 * config->rows;
}

static void destroy_copy(dls_matrix *copy, const dls_matrix *original)
{
  if (copy != original) {
    dls_matrix_destroy(copy);
  }
}

void dls_configuration_destroy(dls_configuration *config)
{
  if (config->sys == NULL) {
    return;
  }
  destroy_copy(config->M, config->sys->M);
  destroy_copy(config->normals, config->sys->H);
  destroy_copy(config->d > 1 ? config->H : NULL, NULL);
  destroy_copy(config->slides, config->sys->T);
  free(config->b);
}

/* x[rows] := normals (in x at first, m) and tangential parts (d - 1 for each contact) in the order of the rows. */
static void spread(const dls_configuration *config, const double *tangential, double *x)
{
  for (size_t j = config->sys->m; j-- > 0;) { /* from behind: x[j] moves to x[j d] */
    x[j * config->d] = x[j];
    for (size_t k = 1; k < config->d; k++) {
      x[j * config->d + k] = tangential[(config->d - 1) * j + k - 1];
    }
  }
}

/* jump := the change of b_T at t. @return whether a surface jumps there */
static bool jumps_at(dls_configuration *config, double t, const double *q)
{
  const size_t count = (config->d - 1) * config->sys->m;
  const double allowed = threshold_surface_jump * config->sys->length / config->sys->time;
  double *before = config->jump + config->rows;
  bool jumps = false;
  dls_system_surface(config->sys, nextafter(t, -INFINITY), q, before);
  dls_system_surface(config->sys, t, q, config->jump);
  for (size_t i = 0; i < count; i++) {
    config->jump[i] -= before[i];
    jumps = jumps || fabs(config->jump[i]) > allowed;
  }
  return jumps;
}

double dls_configuration_next_jump(dls_configuration *config, double t, double end, const double *q)
{
  if (config->d == 1 || config->sys->surface == NULL) {
    return INFINITY;
  }
  for (double next = dls_system_next_break(config->sys, t); next > t && next <= end;
       next = dls_system_next_break(config->sys, t)) {
    if (jumps_at(config, next, q)) {
      return next;
    }
    t = next;
  }
  return INFINITY;
}

/* x, which is b_T at t: subtract the jumps in the smooth interval. */
static void continue_smoothly(dls_configuration *config)
{
  double t = dls_configuration_next_jump(config, config->since, config->t, config->q);
  config->jumped = t < INFINITY;
  for (; t < INFINITY; t = dls_configuration_next_jump(config, t, config->t, config->q)) {
    for (size_t i = 0; i < (config->d - 1) * config->sys->m; i++) {
      config->x[i] -= config->jump[i];
    }
  }
}

static void take_rates(dls_configuration *config)
{
  dls_system_gap_rate(config->sys, config->t, config->q, config->b);
  if (config->d > 1) {
    dls_system_surface(config->sys, config->t, config->q, config->x);
    if (config->smooth) {
      continue_smoothly(config);
    }
    spread(config, config->x, config->b);
  }
}

static void take_gradient(dls_configuration *config)
{
  if (config->d == 1) {
    dls_system_gradient(config->sys, config->q, config->H);
  } else {
    dls_system_gradient(config->sys, config->q, config->normals);
    dls_system_tangents(config->sys, config->t, config->q, config->slides);
    interleave(config);
  }
}

void dls_configuration_time(dls_configuration *config, double t)
{
  config->t = t;
  if (config->moves) {
    take_rates(config);
  }
}

void dls_configuration_begin_interval(dls_configuration *config, double t)
{
  config->smooth = config->d > 1 && config->sys->surface != NULL;
  config->jumped = false;
  config->since = t;
}

bool dls_configuration_end_interval(dls_configuration *config)
{
  const bool jumped = config->jumped;
  config->smooth = config->jumped = false;
  if (jumped) {
    dls_configuration_time(config, config->t);
  }
  return jumped;
}

void dls_configuration_contacts(dls_configuration *config, double t, const double *q)
{
  config->q = q;
  dls_configuration_time(config, t);
  if (config->gradient_varies) {
    config->renewals++;
    take_gradient(config);
  }
}

void dls_configuration_mass(dls_configuration *config, const double *q)
{
  if (config->mass_varies) {
    config->renewals++;
    dls_system_mass(config->sys, q, config->M);
  }
}

void dls_configuration_at(dls_configuration *config, double t, const double *q)
{
  dls_configuration_contacts(config, t, q);
  if (config->mass_varies) {
    dls_configuration_mass(config, q);
  }
}

bool dls_configuration_constant(const dls_configuration *config)
{
  return !config->mass_varies && !config->gradient_varies && !config->moves;
}

void dls_configuration_gap(const dls_configuration *config, double *g)
{
  dls_system_gap(config->sys, config->t, config->q, g);
}

void dls_configuration_velocity(const dls_configuration *config, const double *v, double *u)
{
  if (config->rows > 0) {
    dls_matrix_transposed_plus(config->H, v, config->b, u);
  }
}

void dls_configuration_normals(const dls_configuration *config, const double *v, double *u)
{
  if (config->d == 1) {
    dls_configuration_velocity(config, v, u);
    return;
  }
  for (size_t j = 0; j < config->sys->m; j++) {
    u[j] = dls_configuration_row(config, config->d * j, v);
  }
}

void dls_configuration_node(const dls_configuration *config, const double *v, double *g, double *u)
{
  const dls_system *sys = config->sys;
  if (config->d == 1 && config->rows > 0 && sys->linear && sys->gap_motion == NULL) { /* H does not vary */
    const dls_matrix_image gap = {config->q, sys->w, g}, velocity = {v, config->b, u};
    dls_matrix_transposed_two(config->H, &gap, &velocity); /* g = H^T q + w, u = H^T v + b */
    return;
  }
  dls_configuration_gap(config, g);
  dls_configuration_normals(config, v, u);
}

void dls_configuration_acceleration(const dls_configuration *config, const double *a, const double *c,
                                    double *u_dot)
{
  if (config->rows > 0) {
    dls_matrix_transposed_plus(config->H, a, c, u_dot);
  }
}

void dls_configuration_curvature(dls_configuration *config, const double *v, double *c)
{
  dls_system_curvature(config->sys, config->t, config->q, v, c);
  if (config->d > 1) {
    dls_system_slip_curvature(config->sys, config->t, config->q, v, config->x);
    spread(config, config->x, c);
  }
}
