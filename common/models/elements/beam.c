/* beam.c -- M q'' = load - sum of elements f(x) - damping M q' + H lambda + G mu.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/models/elements/beam.h"
#include "common/linear/storage.h"
#include "common/models/elements/beam_parts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

const char *const dls_beam_kinds[] = {[DLS_BEAM_ANGLE] = "angle", [DLS_BEAM_DIRECTORS] = "directors", NULL};

double dls_beam_turn(const dls_beam_drive *drive, double t, int order)
{
  const double rate = drive->rate, rise = drive->rise, w = rise > 0 ? 2 * pi / rise : 0;
  if (t >= rise) {
    return order == 0 ? rate * (t - rise / 2) : order == 1 ? rate : 0;
  }
  return order == 0   ? rate / rise * (t * t / 2 + (cos(w * t) - 1) / (w * w))
         : order == 1 ? rate / rise * (t - sin(w * t) / w)
                      : rate / rise * (1 - cos(w * t));
}

/* Coordinates of the root that are given, which are its first ones. */
static size_t given_of(const dls_beam *beam)
{
  return beam->root == DLS_BEAM_FREE ? 0 : beam->root == DLS_BEAM_PINNED ? 2 : dls_beam_node_size(beam->kind);
}

size_t dls_beam_unknown(const dls_beam *beam, size_t node, size_t k)
{
  const size_t given = given_of(beam);
  return node == 0 && k < given ? DLS_GIVEN : node * dls_beam_node_size(beam->kind) + k - given;
}

const dls_beam *dls_beam_of(const dls_system *sys)
{
  return &dls_beam_data_of(sys)->beam;
}

/* Coordinate k of the root where it is given. */
static double root_value(const dls_beam *beam, double t, size_t k)
{
  const double angle = dls_beam_turn(&beam->drive, t, 0);
  return k < 2 ? 0 : beam->kind == DLS_BEAM_ANGLE ? angle : k == 2 ? cos(angle) : sin(angle);
}

const size_t *dls_beam_gather(const dls_system *sys, double t, const double *q, size_t e, double *x)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t *at = d->at + e * 2 * d->node;
  for (size_t k = 0; k < 2 * d->node; k++) {
    x[k] = at[k] == DLS_GIVEN ? root_value(&d->beam, t, k) : q[at[k]];
  }
  return at;
}

void dls_beam_position(const dls_system *sys, const double *q, size_t node, double r[2])
{
  for (size_t k = 0; k < 2; k++) {
    const size_t at = dls_beam_unknown(dls_beam_of(sys), node, k);
    r[k] = at == DLS_GIVEN ? 0 : q[at];
  }
}

static void force(const dls_system *sys, double t, const double *q, const double *v, double *F)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const size_t each = 2 * d->node;
  memcpy(F, d->load, sys->n * sizeof *F);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST], f[DLS_BEAM_MOST];
    const size_t *at = dls_beam_gather(sys, t, q, e, x);
    dls_beam_force(d->beam.kind, &d->beam.section, d->L, x, f);
    for (size_t k = 0; k < each; k++) {
      f[k] = -f[k];
    }
    dls_assembly_add_vector(each, at, f, F);
  }
  if (d->beam.drive.rate != 0 && d->beam.mass == DLS_MASS_CONSISTENT) { /* - M_root psi'' */
    F[dls_beam_unknown(&d->beam, 1, 2)] -=
        d->beam.section.rhoI * d->L / 6 * dls_beam_turn(&d->beam.drive, t, 2);
  }
  if (d->beam.damping > 0) {
    dls_matrix_multiply(sys->M, -d->beam.damping, v, F);
  }
}

static void stiffness(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *K)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  (void)v;
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST], block[DLS_BEAM_MOST * DLS_BEAM_MOST];
    const size_t *at = dls_beam_gather(sys, t, q, e, x);
    dls_beam_stiffness(d->beam.kind, &d->beam.section, d->L, x, block);
    dls_assembly_add(K, 2 * d->node, at, block);
  }
}

static void damping(const dls_system *sys, double t, const double *q, const double *v, dls_matrix *C)
{
  (void)t, (void)q, (void)v;
  dls_assembly_scale(C, dls_beam_of(sys)->damping, sys->M);
}

static double potential(const dls_system *sys, const double *q)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  double V = 0;
  for (size_t i = 0; i < sys->n; i++) {
    V -= d->load[i] * q[i];
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x[DLS_BEAM_MOST];
    dls_beam_gather(sys, 0, q, e, x);
    V += dls_beam_energy(d->beam.kind, &d->beam.section, d->L, x);
  }
  return V;
}

static void discrete_gradient(const dls_system *sys, const double *a, const double *b, double *gradient)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t i = 0; i < sys->n; i++) {
    gradient[i] = -d->load[i];
  }
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x_a[DLS_BEAM_MOST], x_b[DLS_BEAM_MOST], f[DLS_BEAM_MOST];
    dls_beam_gather(sys, 0, a, e, x_a);
    const size_t *at = dls_beam_gather(sys, 0, b, e, x_b);
    dls_beam_conserving_force(d->beam.kind, &d->beam.section, d->L, x_a, x_b, f);
    dls_assembly_add_vector(2 * d->node, at, f, gradient);
  }
}

static void discrete_stiffness(const dls_system *sys, const double *a, const double *b, dls_matrix *K)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  dls_matrix_clear(K);
  for (size_t e = 0; e < d->beam.elements; e++) {
    double x_a[DLS_BEAM_MOST], x_b[DLS_BEAM_MOST], block[DLS_BEAM_MOST * DLS_BEAM_MOST];
    dls_beam_gather(sys, 0, a, e, x_a);
    const size_t *at = dls_beam_gather(sys, 0, b, e, x_b);
    dls_beam_conserving_stiffness(d->beam.kind, &d->beam.section, d->L, x_a, x_b, block);
    dls_assembly_add(K, 2 * d->node, at, block);
  }
}

/* The node of contact j. */
static size_t touching(const dls_system *sys, size_t j)
{
  const dls_beam *beam = dls_beam_of(sys);
  return beam->touch == DLS_BEAM_TIP_AT_WALL ? beam->elements : j;
}

static void gap(const dls_system *sys, double t, const double *q, double *g)
{
  (void)t;
  for (size_t j = 0; j < sys->m; j++) {
    double r[2];
    dls_beam_position(sys, q, touching(sys, j), r);
    g[j] = r[0] - dls_beam_of(sys)->wall;
  }
}

static void contact_name(const dls_system *sys, size_t alpha, char *text, size_t size)
{
  snprintf(text, size, "contact %zu (wall and node %zu)", alpha, touching(sys, alpha));
}

static void coordinate(const dls_system *sys, size_t i, dls_coordinate *out)
{
  static const char *const names[2][DLS_BEAM_NODE_MOST] = {{"x", "y", "angle", ""}, {"x", "y", "dx", "dy"}};
  const dls_beam *beam = dls_beam_of(sys);
  const size_t node = dls_beam_node_size(beam->kind), all = i + given_of(beam), k = all % node;
  *out = (dls_coordinate){.unit = k < 2 ? "m" : beam->kind == DLS_BEAM_ANGLE ? "rad" : "1"};
  snprintf(out->name, sizeof out->name, "%s%zu", names[beam->kind][k], all / node);
}

static void release(dls_system *sys)
{
  dls_beam_data *d = sys->data;
  if (d != NULL) {
    free(d->at);
    free(d->load);
    free(d);
  }
}

/* @return NULL if out of memory */
static dls_beam_data *data_of(const dls_beam *beam, size_t n)
{
  dls_beam_data *d = calloc(1, sizeof *d);
  if (d == NULL) {
    return NULL;
  }
  d->beam = *beam;
  d->L = beam->length / (double)beam->elements;
  d->node = dls_beam_node_size(beam->kind);
  d->at = malloc(beam->elements * 2 * d->node * sizeof *d->at);
  d->load = calloc(n, sizeof *d->load);
  for (size_t i = 0; d->at != NULL && i < beam->elements * 2 * d->node; i++) {
    const size_t e = i / (2 * d->node), k = i % (2 * d->node);
    d->at[i] = dls_beam_unknown(beam, e + k / d->node, k % d->node);
  }
  return d;
}

/* Of what pulls at the tip. */
static void add_tip_load(dls_system *sys)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  for (size_t k = 0; k < 3 && k < d->node; k++) {
    d->load[dls_beam_unknown(&d->beam, d->beam.elements, k)] += d->beam.tip[k];
  }
}

static double end_of_rise(const dls_system *sys, double t)
{
  const double rise = dls_beam_of(sys)->drive.rise;
  return t < rise ? rise : INFINITY;
}

/* psi'' has the period `rise` during spin-up; the period of cos(psi) is never shorter than that of the final rate. */
static void declare_time(dls_system *sys, const dls_beam_drive *drive)
{
  dls_system_declare_harmonic(sys, 1, drive->rate);
  if (drive->rate != 0 && drive->rise > 0) {
    dls_system_declare_harmonic(sys, 1, 2 * pi / drive->rise);
    sys->next_break = end_of_rise;
  }
}

static void set_calls(dls_system *sys)
{
  const dls_beam *beam = dls_beam_of(sys);
  const bool driven = beam->drive.rate != 0;
  sys->force = force;
  declare_time(sys, &beam->drive);
  sys->stiffness = stiffness;
  sys->damping = beam->damping > 0 ? damping : NULL;
  sys->potential = driven ? NULL : potential; /* the drive does work */
  sys->discrete_gradient = driven ? NULL : discrete_gradient;
  sys->discrete_stiffness = driven ? NULL : discrete_stiffness;
  sys->gap = sys->m > 0 ? gap : NULL;
  sys->contact_name = contact_name;
  sys->coordinate = coordinate;
  dls_beam_set_momentum(sys);
}

/* @return false if out of memory */
static bool allocate(dls_system *sys, const dls_beam *beam)
{
  dls_beam_data *d = sys->data = data_of(beam, sys->n);
  sys->release = release;
  if (d == NULL || d->at == NULL || d->load == NULL) {
    return false;
  }
  const dls_incidence incidence = {sys->n, beam->elements, 2 * d->node, d->at};
  const bool lumped = beam->mass == DLS_MASS_LUMPED;
  sys->r = dls_beam_joint_count(beam);
  sys->M = lumped ? dls_matrix_diagonal(sys->n) : dls_assembly_matrix(&incidence);
  sys->K = dls_assembly_matrix(&incidence);
  sys->H = sys->m > 0 ? dls_matrix_sparse(sys->n, sys->m, sys->m) : NULL;
  sys->C = beam->damping > 0 ? dls_matrix_clone(sys->M) : NULL;
  return sys->M != NULL && sys->K != NULL && (sys->m == 0 || sys->H != NULL) &&
         (beam->damping == 0 || sys->C != NULL) && dls_beam_joints_create(sys);
}

dls_status dls_beam_create(const char *name, const dls_beam *beam, dls_system **out, dls_error *err)
{
  const size_t m = beam->touch == DLS_BEAM_NO_WALL       ? 0
                   : beam->touch == DLS_BEAM_TIP_AT_WALL ? 1
                                                         : beam->elements + 1;
  const size_t n = (beam->elements + 1) * dls_beam_node_size(beam->kind) - given_of(beam);
  dls_system *sys = *out = dls_system_create(n, m);
  if (sys == NULL || !allocate(sys, beam)) {
    return dls_fail(err, DLS_ERR_MEMORY, "model %s: no memory for n = %zu elements", name, beam->elements);
  }
  const dls_status status = dls_beam_fill_mass(name, sys, err);
  if (status != DLS_OK) {
    return status;
  }
  add_tip_load(sys);
  for (size_t j = 0; j < m; j++) {
    dls_matrix_set(sys->H, dls_beam_unknown(beam, touching(sys, j), 0), j, 1);
    sys->e[j] = beam->restitution;
  }
  set_calls(sys);
  dls_beam_lay(sys, (const double[]){0, 0}, 0, (const double[]){0, 0}, 0);
  return DLS_OK;
}

void dls_beam_lay(dls_system *sys, const double root[2], double angle, const double velocity[2], double rate)
{
  const dls_beam_data *d = dls_beam_data_of(sys);
  const double c = cos(angle), s = sin(angle);
  const bool directors = d->beam.kind == DLS_BEAM_DIRECTORS;
  for (size_t node = 0; node <= d->beam.elements; node++) {
    const double along = d->L * (double)node;
    const double q[] = {root[0] + along * c, root[1] + along * s, directors ? c : angle, s};
    const double v[] = {velocity[0] - rate * along * s, velocity[1] + rate * along * c,
                        directors ? -rate * s : rate, rate * c};
    for (size_t k = 0; k < d->node; k++) {
      const size_t at = dls_beam_unknown(&d->beam, node, k);
      if (at != DLS_GIVEN) {
        sys->q0[at] = q[k];
        sys->v0[at] = v[k];
      }
    }
  }
}

/* The part of the wall that the beam may reach: of a pinned one what lies at its length below the pin, of a free one its length
 * up and down from where it starts. */
static void sketch_wall(const dls_system *sys, dls_sketch *out)
{
  const dls_beam *beam = dls_beam_of(sys);
  const double l = beam->length, x = beam->wall;
  if (beam->touch == DLS_BEAM_TIP_AT_WALL) {
    const double y = -sqrt(fmax(l * l - x * x, 0));
    dls_sketch_between(out, DLS_SHAPE_WALL, x, y + 0.1 * l, x, y - 0.15 * l);
  } else if (beam->touch == DLS_BEAM_NODES_AT_WALL) {
    double first[2], last[2];
    dls_beam_position(sys, sys->q0, 0, first);
    dls_beam_position(sys, sys->q0, beam->elements, last);
    const double y = 0.5 * (first[1] + last[1]);
    dls_sketch_between(out, DLS_SHAPE_WALL, x, y + 0.7 * l, x, y - 0.7 * l);
  }
}

void dls_beam_sketch(const double *p, const double *q, dls_sketch *out)
{
  enum { MOST_PIECES = 60 }; /* more are too close to be told apart */
  const dls_system *sys = out->system;
  const dls_beam *beam = dls_beam_of(sys);
  const size_t n = beam->elements, pieces = n < MOST_PIECES ? n : MOST_PIECES;
  const double l = beam->length;
  (void)p;
  sketch_wall(sys, out);
  if (beam->root != DLS_BEAM_FREE) {
    dls_sketch_ball(out, 0, 0, 0.015 * l);
  }
  for (size_t i = 0; i < pieces; i++) {
    double a[2], b[2];
    dls_beam_position(sys, q, i * n / pieces, a);
    dls_beam_position(sys, q, (i + 1) * n / pieces, b);
    dls_sketch_between(out, DLS_SHAPE_LINE, a[0], a[1], b[0], b[1]);
  }
  for (size_t j = 0; j < sys->m && j < DLS_SKETCH_TOUCHES; j++) {
    double r[2];
    dls_beam_position(sys, q, touching(sys, j), r);
    dls_sketch_touch(out, r[0], r[1], 1, 0);
  }
}
