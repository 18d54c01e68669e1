/* matrix_data.c -- see matrix_data.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/matrix_market/matrix_data.h"
#include "common/base/arrays.h"
#include "common/system/momentum.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double turn = 6.283185307179586476925;

static void load(const dls_system *sys, double t, double *F)
{
  const dls_matrix_data *d = sys->data;
  for (size_t i = 0; i < sys->n; i++) {
    F[i] = d->parts.constant ? d->force[i] : 0;
    F[i] += d->parts.harmonic ? d->amplitude[i] * cos(turn * d->frequency[i] * t + d->phase[i]) : 0;
  }
  if (d->table != NULL) {
    dls_load_table_add(d->table, t, F);
  }
}

static void load_mean(const dls_system *sys, double a, double b, double *F)
{
  const dls_matrix_data *d = sys->data;
  for (size_t i = 0; i < sys->n; i++) {
    const double omega = d->parts.harmonic ? turn * d->frequency[i] : 0, half = omega * (b - a) / 2;
    const double filter =
        /* mean of cos(omega t + phase) over a step, relative to its value in the middle */
        half != 0 ? sin(half) / half : 1;
    F[i] = d->parts.constant ? d->force[i] : 0;
    F[i] += d->parts.harmonic ? d->amplitude[i] * filter * cos(omega * (a + (b - a) / 2) + d->phase[i]) : 0;
  }
  if (d->table != NULL) {
    dls_load_table_add_mean(d->table, a, b, F);
  }
}

static void load_rate(const dls_system *sys, double t, double *dF)
{
  const dls_matrix_data *d = sys->data;
  for (size_t i = 0; i < sys->n; i++) {
    const double omega = d->parts.harmonic ? turn * d->frequency[i] : 0;
    dF[i] = d->parts.harmonic ? -omega * d->amplitude[i] * sin(omega * t + d->phase[i]) : 0;
  }
  if (d->table != NULL) {
    dls_load_table_add_rate(d->table, t, dF);
  }
}

static double next_switch(const dls_system *sys, double t)
{
  return dls_load_table_next_jump(((const dls_matrix_data *)sys->data)->table, t);
}

static double next_break(const dls_system *sys, double t)
{
  return dls_load_table_next_row(((const dls_matrix_data *)sys->data)->table, t);
}

static void surface(const dls_system *sys, double t, const double *q, double *b_t)
{
  const dls_matrix_data *d = sys->data;
  (void)t, (void)q;
  for (size_t row = 0; row < d->parts.surfaces; row++) {
    b_t[row] = -d->surface[row];
  }
}

/* The vectors whose numbers may be parameters: those that files have given. */
static double *vector(const dls_system *sys, const char *name, size_t *count)
{
  const dls_matrix_data *d = sys->data;
  const bool force = strcmp(name, "f") == 0 && d->parts.constant;
  *count = force ? sys->n : strcmp(name, "vT") == 0 ? d->parts.surfaces : 0;
  return force ? d->force : *count > 0 ? d->surface : NULL;
}

/* For small displacements: about the origin, nodes at rest. */
static void momentum(const dls_system *sys, double t, const double *q, const double *v, const double *Mv,
                     double *p)
{
  const double *place = dls_matrix_data_of(sys)->place;
  (void)t, (void)q, (void)v;
  p[0] = p[1] = p[2] = 0;
  for (size_t i = 0; i < sys->n; i += 2) {
    dls_momentum_point(2, place + i, Mv + i, p);
  }
}

/* Nodes with positions have momenta: of motion along a line, or in a plane. */
static void know_momentum(dls_system *sys, size_t nodes)
{
  if (nodes > 0) {
    const bool line = nodes == sys->n;
    sys->momenta = line ? 1 : 3;
    sys->momentum = line ? dls_momentum_line : momentum;
  }
}

static void release(dls_system *sys)
{
  dls_matrix_data *d = sys->data;
  if (d != NULL) {
    dls_load_table_destroy(d->table);
    free(d->block);
    free(d);
  }
}

dls_status dls_matrix_data_create(dls_system *sys, const dls_matrix_parts *parts)
{
  const size_t constant = parts->constant ? sys->n : 0, harmonic = parts->harmonic ? sys->n : 0;
  dls_matrix_data *d = sys->data = calloc(1, sizeof *d);
  sys->release = release;
  if (d == NULL) {
    return DLS_ERR_MEMORY;
  }
  d->parts = *parts;
  d->block = dls_arrays((const dls_slot[]){{constant, {&d->force}},
                                           {harmonic, {&d->amplitude, &d->frequency, &d->phase}},
                                           {parts->surfaces, {&d->surface}},
                                           {2 * parts->nodes, {&d->place}},
                                           {0}});
  sys->load = parts->constant || parts->harmonic ? load : NULL;
  sys->load_rate = parts->harmonic ? load_rate : NULL;
  sys->steady_load = parts->constant && !parts->harmonic;
  sys->surface = parts->surfaces > 0 ? surface : NULL;
  sys->vector = vector;
  know_momentum(sys, parts->nodes);
  return d->block != NULL ? DLS_OK : DLS_ERR_MEMORY;
}

void dls_matrix_data_declare_time(dls_system *sys)
{
  const dls_matrix_data *d = sys->data;
  dls_system_declare_harmonic(sys, 0, 0);
  for (size_t i = 0; d->parts.harmonic && i < sys->n; i++) {
    dls_system_declare_harmonic(sys, d->amplitude[i], turn * d->frequency[i]);
  }
}

void dls_matrix_data_take_table(dls_system *sys, dls_load_table *table)
{
  dls_matrix_data_of(sys)->table = table;
  sys->load = load;
  sys->steady_load = false;
  sys->load_rate = load_rate;
  sys->load_mean = load_mean;
  sys->next_switch = next_switch;
  sys->next_break = next_break;
  sys->explicit_time = DLS_TIME_EXPLICIT;
}

dls_status dls_matrix_data_copy(const dls_system *from, dls_system *to)
{
  const dls_matrix_data *a = from->data;
  dls_matrix_data *b = to->data;
  const size_t constant = a->parts.constant ? from->n : 0, harmonic = a->parts.harmonic ? from->n : 0;
  const struct {
    const double *from;
    double *to;
    size_t count;
  } arrays[] = {{a->force, b->force, constant},
                {a->amplitude, b->amplitude, harmonic},
                {a->frequency, b->frequency, harmonic},
                {a->phase, b->phase, harmonic},
                {a->surface, b->surface, a->parts.surfaces},
                {a->place, b->place, 2 * a->parts.nodes}};
  for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
    memcpy(arrays[i].to, arrays[i].from, arrays[i].count * sizeof(double));
  }
  dls_matrix_data_declare_time(to);
  if (a->table == NULL) {
    return DLS_OK;
  }
  dls_load_table *table = dls_load_table_copy(a->table);
  if (table == NULL) {
    return DLS_ERR_MEMORY;
  }
  dls_matrix_data_take_table(to, table);
  return DLS_OK;
}
