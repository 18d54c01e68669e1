/* direction_scale.c -- see direction_scale.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/system/direction_scale.h"
#include "common/base/arrays.h"
#include "common/linear/storage.h"
#include "common/system/coordinate_scales.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>

enum { SYSTEMS = 3, STATES = 3, BREAKS = 4 };

typedef struct comparison {
  size_t count;
  const dls_system *const *sys;
  dls_matrix *M[SYSTEMS], *H[SYSTEMS], *T[SYSTEMS], *G[SYSTEMS]; /* at the state; NULL: none */
  double *q, *v, *mass; /* n: a state, and M_ii of the first system there */
  double *scale;        /* n: of the coordinates */
  double *x[SYSTEMS];   /* a vector of each system */
  double *block;
  dls_system_change out;
} comparison;

/* A value of the first, the middle and the last system; of two systems the middle is one of them. */
static void note(comparison *c, double first, double middle, double last, double unit)
{
  const double change = fabs(last - first) / unit, bend = fabs(first - 2 * middle + last) / unit;
  c->out.change = change > c->out.change ? change : c->out.change; /* false for NaN */
  c->out.bend = c->count == SYSTEMS && bend > c->out.bend ? bend : c->out.bend;
}

static void note_vector(comparison *c, const double *const x[], size_t size, double unit)
{
  for (size_t i = 0; i < size; i++) {
    note(c, x[0][i], x[1][i], x[c->count - 1][i], unit);
  }
}

/* In units of the largest entry of the column, or of sqrt(M_ii M_jj). Another pattern of entries is a change of order one. */
static void note_matrix(comparison *c, dls_matrix *const A[], const double *mass)
{
  for (size_t j = 0; A[0] != NULL && j < dls_matrix_columns(A[0]); j++) {
    const dls_column first = dls_matrix_column(A[0], j), middle = dls_matrix_column(A[1], j),
                     last = dls_matrix_column(A[c->count - 1], j);
    double most = 0;
    for (size_t k = 0; k < first.count; k++) {
      most = fmax(most, fabs(first.values[k]));
    }
    if (first.count != last.count || first.count != middle.count) {
      c->out.change = HUGE_VAL;
      continue;
    }
    for (size_t k = 0; k < first.count && most > 0; k++) {
      const double unit = mass == NULL ? most : sqrt(fabs(mass[j] * mass[dls_column_row(&first, k)]));
      note(c, first.values[k], middle.values[k], last.values[k], unit);
    }
  }
}

typedef void (*vector_at)(const dls_system *sys, double t, const double *q, double *x);

static void note_function(comparison *c, vector_at f, double t, size_t size, double unit)
{
  for (size_t i = 0; i < c->count && size > 0; i++) {
    f(c->sys[i], t, c->q, c->x[i]);
  }
  note_vector(c, (const double *const *)c->x, size, unit);
}

static void note_state(comparison *c, double t)
{
  const dls_system *sys = c->sys[0];
  const double l = sys->length, speed = l / sys->time;
  for (size_t i = 0; i < c->count; i++) {
    dls_system_mass(c->sys[i], c->q, c->M[i]);
    dls_system_force(c->sys[i], t, c->q, c->v, c->x[i]);
    if (c->H[i] != NULL) {
      dls_system_gradient(c->sys[i], c->q, c->H[i]);
    }
    if (c->T[i] != NULL) {
      dls_system_tangents(c->sys[i], t, c->q, c->T[i]);
    }
    if (c->G[i] != NULL) {
      dls_system_joint_gradient(c->sys[i], t, c->q, c->G[i]);
    }
  }
  for (size_t i = 0; i < sys->n; i++) {
    c->mass[i] = dls_matrix_get(c->M[0], i, i);
    if (c->mass[i] > 0) { /* in units of an acceleration */
      note(c, c->x[0][i], c->x[1][i], c->x[c->count - 1][i],
           c->mass[i] * c->scale[i] / (sys->time * sys->time));
    }
  }
  note_matrix(c, c->M, c->mass);
  note_matrix(c, c->H, NULL);
  note_matrix(c, c->T, NULL);
  note_matrix(c, c->G, NULL);
  note_function(c, dls_system_gap, t, sys->m, l);
  note_function(c, dls_system_gap_rate, t, sys->m, speed);
  note_function(c, dls_system_surface, t, (sys->d - 1) * sys->m, speed);
  note_function(c, dls_system_joint, t, sys->r, l);
  note_function(c, dls_system_joint_rate, t, sys->r, speed);
}

/* Round-off of differences of forces. The matrices of a linear system are compared apart. */
static void note_rounding(comparison *c, double t)
{
  const dls_system *sys = c->sys[0];
  const double *first = c->x[0], *last = c->x[c->count - 1];
  for (size_t i = 0; i < c->count; i++) {
    if (sys->linear) {
      dls_system_load(c->sys[i], t, c->x[i]);
    } else {
      dls_system_force(c->sys[i], t, c->q, c->v, c->x[i]);
    }
  }
  for (size_t i = 0; i < sys->n; i++) {
    if (c->mass[i] > 0 && first[i] != last[i]) {
      c->out.rounding = fmax(c->out.rounding,
                             DBL_EPSILON * fabs(first[i]) * sys->time * sys->time / (c->mass[i] * c->scale[i]));
    }
  }
}

static void note_data(comparison *c)
{
  const dls_system *const *s = c->sys, *first = s[0], *middle = s[1], *last = s[c->count - 1];
  const double speed = first->length / first->time;
  double t[SYSTEMS] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  for (size_t i = 0; i < first->n; i++) {
    note(c, first->q0[i], middle->q0[i], last->q0[i], c->scale[i]);
    note(c, first->v0[i], middle->v0[i], last->v0[i], c->scale[i] / first->time);
  }
  note_vector(c, (const double *const[]){first->e, middle->e, last->e}, first->m, 1);
  note_vector(c, (const double *const[]){first->e_t, middle->e_t, last->e_t}, first->m, 1);
  note_vector(c, (const double *const[]){first->mu, middle->mu, last->mu}, first->m, 1);
  note_vector(c, (const double *const[]){first->mu_s, middle->mu_s, last->mu_s}, first->m, 1);
  note_vector(c, (const double *const[]){first->v_s, middle->v_s, last->v_s}, first->m, speed);
  for (size_t k = 0; k < BREAKS; k++) {
    for (size_t i = 0; i < c->count; i++) {
      t[i] = dls_system_next_break(s[i], t[i]);
    }
    note(c, t[0], t[1], t[c->count - 1], first->time);
  }
}

static bool create(comparison *c)
{
  const dls_system *sys = c->sys[0];
  const size_t n = sys->n, most = n + sys->d * sys->m + sys->r;
  c->block = dls_arrays((const dls_slot[]){
      {n, {&c->q, &c->v, &c->mass, &c->scale}}, {most, {&c->x[0], &c->x[1], &c->x[2]}}, {0}});
  bool complete = c->block != NULL;
  for (size_t i = 0; i < c->count && complete; i++) {
    const dls_system *s = c->sys[i];
    complete = (c->M[i] = dls_matrix_clone(s->M)) != NULL &&
               ((c->H[i] = dls_matrix_clone(s->H)) != NULL || s->H == NULL) &&
               ((c->T[i] = dls_matrix_clone(s->T)) != NULL || s->T == NULL) &&
               ((c->G[i] = dls_matrix_clone(s->G)) != NULL || s->G == NULL);
  }
  return complete;
}

static void release(comparison *c)
{
  for (size_t i = 0; i < c->count; i++) {
    dls_matrix_destroy(c->M[i]);
    dls_matrix_destroy(c->H[i]);
    dls_matrix_destroy(c->T[i]);
    dls_matrix_destroy(c->G[i]);
  }
  free(c->block);
}

dls_status dls_system_compare(size_t count, const dls_system *const *systems, dls_system_change *out,
                              dls_error *err)
{
  comparison c = {.count = count, .sys = systems};
  const dls_system *sys = systems[0];
  const bool complete = create(&c);
  if (complete) {
    dls_coordinate_scales(sys, c.scale);
    note_data(&c);
  }
  for (size_t k = 0; k < STATES && complete; k++) {
    for (size_t i = 0; i < sys->n; i++) { /* at the start, then at places of no meaning around it */
      const double phase = (double)(7 * k + 3 * i);
      c.q[i] = sys->q0[i] + (k > 0 ? c.scale[i] * sin(phase) : 0);
      c.v[i] = sys->v0[i] + (k > 0 ? c.scale[i] / sys->time * cos(phase) : 0);
    }
    note_state(&c, 0.37 * (double)(k * k) * sys->time);
    if (k == 0) {
      note_rounding(&c, 0);
    }
  }
  release(&c);
  *out = c.out;
  return complete ? DLS_OK
                  : dls_fail(err, DLS_ERR_MEMORY, "no memory to compare systems of %zu coordinates", sys->n);
}
