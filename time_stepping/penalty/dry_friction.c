/* dry_friction.c -- friction of contacts that yield.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/dry_friction.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include <delassus/law.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_friction_models[] = {"coulomb", "tanh", "spring-slider", "dahl", "lugre", NULL};

enum { TANGENTS = 2, MOST_ITERATIONS = 200, MOST_HALVINGS = 60 };
static const double limit = 1e-6; /* relative: |r| that close to F slips */

/* The problem of one contact: u = u_free + W r(u). */
typedef struct one_slip {
  const dls_friction_options *opt;
  size_t count; /* of tangents */
  double F, h;
  const double *z; /* count: remembered */
  double W[TANGENTS][TANGENTS], u_free[TANGENTS];
} one_slip;

dls_dry *dls_dry_create(const dls_place *place, dls_factor *A, const dls_friction_options *opt)
{
  const size_t rows = (place->d - 1) * place->sys->m;
  dls_dry *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return NULL;
  }
  *s = (dls_dry){.opt = *opt, .place = place, .A = A, .W = dls_delassus_create(A, place->H)};
  s->block = dls_arrays((const dls_slot[]){{rows, {&s->r, &s->last, &s->used, &s->z, &s->z_next}}, {0}});
  if (s->W == NULL || s->block == NULL) {
    dls_dry_destroy(s);
    return NULL;
  }
  return s;
}

void dls_dry_destroy(dls_dry *s)
{
  if (s != NULL) {
    dls_delassus_destroy(s->W);
    free(s->block);
    free(s);
  }
}

static double size_of(size_t count, const double *x)
{
  return count == 2 ? hypot(x[0], x[1]) : fabs(x[0]);
}

void dls_dry_add(const dls_dry *s, double *F)
{
  const size_t d = s->place->d;
  for (size_t i = 0; i < (d - 1) * s->place->sys->m; i++) {
    dls_matrix_column_add(s->place->H, d * (i / (d - 1)) + 1 + i % (d - 1), s->r[i], F);
  }
}

/* What the bristles of lugre, or the spring, are at the end of the step. */
static void remembered(const one_slip *c, const double *u, double *z)
{
  const dls_friction_options *opt = c->opt;
  const double speed = size_of(c->count, u), stretch = speed / opt->v_s;
  const double s = c->F * (1 + (opt->fs - 1) * exp(-stretch * stretch));
  const bool bristles = opt->friction == DLS_FRICTION_LUGRE;
  for (size_t i = 0; i < c->count; i++) {
    z[i] = (c->z[i] + c->h * u[i]) / (bristles ? 1 + c->h * opt->sigma0 * speed / s : 1);
  }
}

/* r(u), and z'. */
static void force(const one_slip *c, const double *u, double *r, double *z)
{
  const dls_friction_options *opt = c->opt;
  const double speed = size_of(c->count, u);
  remembered(c, u, z);
  const double length = size_of(c->count, z);
  const double cut = opt->k_t * length > c->F ? c->F / (opt->k_t * length) : 1;
  for (size_t i = 0; i < c->count; i++) {
    const double e = speed > 0 ? u[i] / speed : 0;
    switch ((dls_friction_model)opt->friction) {
    case DLS_FRICTION_COULOMB:
      r[i] = -c->F * e;
      break;
    case DLS_FRICTION_TANH:
      r[i] = -c->F * tanh(speed / opt->eps) * e;
      break;
    case DLS_FRICTION_SPRING_SLIDER:
      z[i] *= cut;
      r[i] = -opt->k_t * z[i];
      break;
    case DLS_FRICTION_DAHL:
      z[i] = r[i] = (c->z[i] - c->h * opt->sigma * u[i]) / (1 + c->h * opt->sigma * speed / c->F);
      break;
    case DLS_FRICTION_LUGRE:
      r[i] = -(opt->sigma0 * z[i] + opt->sigma1 * (z[i] - c->z[i]) / c->h + opt->sigma2 * u[i]);
      break;
    }
  }
}

/* u - u_free - W r(u) */
static double residual(const one_slip *c, const double *u, double *G)
{
  double r[TANGENTS] = {0}, z[TANGENTS];
  force(c, u, r, z);
  for (size_t i = 0; i < c->count; i++) {
    G[i] = u[i] - c->u_free[i];
    for (size_t k = 0; k < c->count; k++) {
      G[i] -= c->W[i][k] * r[k];
    }
  }
  return size_of(c->count, G);
}

/* x := J^{-1} x for a matrix of 1 or 2 rows. */
static void solve_small(size_t count, double (*J)[TANGENTS], double *x)
{
  if (count == 1) {
    x[0] /= J[0][0];
    return;
  }
  const double determinant = J[0][0] * J[1][1] - J[0][1] * J[1][0], x0 = x[0];
  x[0] = (J[1][1] * x0 - J[0][1] * x[1]) / determinant;
  x[1] = (J[0][0] * x[1] - J[1][0] * x0) / determinant;
}

/* Newton's direction, by differences. */
static void direction(const one_slip *c, const double *u, const double *G, double *step)
{
  double J[TANGENTS][TANGENTS];
  for (size_t k = 0; k < c->count; k++) {
    double moved[TANGENTS] = {u[0], u[1]}, at[TANGENTS];
    const double small = sqrt(DBL_EPSILON) * fmax(fabs(u[k]), 1e-3 * size_of(c->count, c->u_free) + DBL_MIN);
    moved[k] += small;
    residual(c, moved, at);
    for (size_t i = 0; i < c->count; i++) {
      J[i][k] = (at[i] - G[i]) / small;
    }
  }
  memcpy(step, G, c->count * sizeof *step);
  solve_small(c->count, J, step);
}

/* u of (u = u_free + W r(u)), which is monotone: Newton's method with halvings. */
static void slip_of(const one_slip *c, double *u)
{
  double G[TANGENTS] = {0}, step[TANGENTS] = {0}, next[TANGENTS] = {0}, at[TANGENTS] = {0};
  double size = residual(c, u, G);
  const double small = 4 * DBL_EPSILON * size_of(c->count, c->u_free);
  for (int i = 0; i < MOST_ITERATIONS && size > small; i++) {
    double part = 1, trial = HUGE_VAL;
    direction(c, u, G, step);
    for (int k = 0; k < MOST_HALVINGS && !(trial < size); k++, part /= 2) {
      for (size_t l = 0; l < c->count; l++) {
        next[l] = u[l] - part * step[l];
      }
      trial = residual(c, next, at);
    }
    if (!(trial < size)) {
      return; /* rounding */
    }
    size = trial;
    memcpy(u, next, sizeof next);
    memcpy(G, at, sizeof at);
  }
}

/* Coulomb: r with u = 0, if it is within F. */
static bool sticks(const one_slip *c, double *r)
{
  double W[TANGENTS][TANGENTS];
  memcpy(W, c->W, sizeof W);
  for (size_t i = 0; i < c->count; i++) {
    r[i] = -c->u_free[i];
  }
  solve_small(c->count, W, r);
  return size_of(c->count, r) <= c->F;
}

/* The problem of contact j, where it has r now and velocities are v. */
static one_slip describe(dls_dry *s, size_t j, double f, double scale, double h, const double *v)
{
  const size_t d = s->place->d, first = (d - 1) * j;
  one_slip c = {.opt = &s->opt, .count = d - 1, .F = s->place->sys->mu[j] * f, .h = h, .z = s->z + first};
  for (size_t i = 0; i < c.count; i++) {
    c.u_free[i] = dls_place_row(s->place, d * j + 1 + i, v);
    for (size_t k = 0; k < c.count; k++) {
      c.W[i][k] = scale * dls_delassus_entry(s->W, d * j + 1 + i, d * j + 1 + k);
      c.u_free[i] -= c.W[i][k] * s->r[first + k];
    }
  }
  return c;
}

/* r and z' of contact j. */
static void solve_one(const one_slip *c, double *r, double *z)
{
  double u[TANGENTS] = {c->u_free[0], c->u_free[1]};
  if (!(c->F > 0)) {
    memset(r, 0, c->count * sizeof *r);
    memset(z, 0, c->count * sizeof *z);
  } else if (c->opt->friction != DLS_FRICTION_COULOMB || !sticks(c, r)) {
    slip_of(c, u);
    force(c, u, r, z);
  }
}

double dls_dry_solve(dls_dry *s, const double *f, double scale, double h, double *v)
{
  const size_t d = s->place->d;
  double change = 0;
  memcpy(s->used, s->r, (d - 1) * s->place->sys->m * sizeof *s->r);
  if (s->made != dls_factor_made(s->A) || s->place->gradient_varies) {
    dls_delassus_reset(s->W);
    s->made = dls_factor_made(s->A);
  }
  for (size_t j = 0; j < s->place->sys->m; j++) {
    double r[TANGENTS] = {0};
    const size_t first = (d - 1) * j, rows[TANGENTS] = {d * j + 1, d * j + 2};
    const one_slip c = describe(s, j, f[j], scale, h, v);
    solve_one(&c, r, s->z_next + first);
    for (size_t i = 0; i < c.count; i++) {
      const double more = r[i] - s->r[first + i];
      s->r[first + i] = r[i];
      r[i] = more;
      change = dls_larger(change, fabs(more) * c.W[i][i]);
    }
    dls_delassus_apply(s->W, c.count, rows, scale, r, v);
  }
  return change;
}

void dls_dry_take(dls_dry *s, dls_sim *sim, const double *f, double gamma, double h)
{
  const size_t count = s->place->d - 1;
  for (size_t i = 0; i < count * sim->sys->m; i++) {
    sim->p_t[i] = h * ((1 - gamma) * s->last[i] + gamma * s->used[i]);
    sim->lambda_t[i] = s->last[i] = s->r[i] = s->used[i];
  }
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double F = sim->sys->mu[j] * f[j];
    sim->status[j] = F > 0 && size_of(count, s->r + count * j) >= (1 - limit) * F ? 2 : sim->status[j];
  }
  dls_swap(&s->z, &s->z_next);
}
