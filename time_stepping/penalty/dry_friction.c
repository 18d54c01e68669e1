/* dry_friction.c -- friction of contacts that yield.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/penalty/dry_friction.h"
#include "common/base/arrays.h"
#include "common/base/larger.h"
#include "time_stepping/step/average.h"
#include <delassus/law.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const dls_friction_models[] = {"coulomb", "tanh", "spring-slider", "dahl", "lugre", NULL};

enum { TANGENTS = 2, MOST_ITERATIONS = 200, MOST_HALVINGS = 60, BLOCK = 9 };
static const double limit = 1e-6; /* relative: |r| that close to F slips */

/* The problem of one contact: u = u_free + W r(u). */
typedef struct one_slip {
  const dls_friction_options *opt;
  size_t count; /* of tangents */
  double F, h;
  const double *z; /* count: remembered */
  double W[TANGENTS][TANGENTS], u_free[TANGENTS];
} one_slip;

dls_dry *dls_dry_create(const dls_configuration *config, dls_factor *A, const dls_friction_options *opt,
                        double tolerance)
{
  const size_t m = config->sys->m, rows = (config->d - 1) * m;
  dls_dry *s = calloc(1, sizeof *s);
  if (s == NULL) {
    return NULL;
  }
  *s = (dls_dry){
      .opt = *opt, .config = config, .A = A, .W = dls_delassus_create(A, config->H), .tolerance = tolerance};
  s->block = dls_arrays((const dls_slot[]){{rows, {&s->u_free, &s->u, &s->r, &s->last, &s->z, &s->z_next}},
                                           {m, {&s->f}},
                                           {config->rows, {&s->x}},
                                           {BLOCK * m, {&s->blocks_A, &s->blocks_B}},
                                           {config->sys->n, {&s->shift}},
                                           {0}});
  s->laws = calloc(m + 1, sizeof *s->laws);
  s->rows = calloc(config->rows + 1, sizeof *s->rows);
  if (s->W == NULL || s->block == NULL || s->laws == NULL || s->rows == NULL ||
      !dls_delassus_reserve_blocks(s->W, config->d)) {
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
    free(s->laws);
    free(s->rows);
    free(s);
  }
}

static double size_of(size_t count, const double *x)
{
  return count == 2 ? hypot(x[0], x[1]) : fabs(x[0]);
}

/* Deflection of the bristles of lugre, or of the spring, at the end of the step. */
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
      r[i] = -c->F * e; /* -F u/|u| */
      break;
    case DLS_FRICTION_TANH:
      r[i] = -c->F * tanh(speed / opt->eps) * e; /* -F tanh(|u|/eps) u/|u| */
      break;
    case DLS_FRICTION_SPRING_SLIDER:
      z[i] *= cut;
      r[i] = -opt->k_t * z[i]; /* -min(k_t |z'|, F) z'/|z'| */
      break;
    case DLS_FRICTION_DAHL:
      z[i] = r[i] = /* r' = r - h sigma (u + |u| r'/F) */
          (c->z[i] - c->h * opt->sigma * u[i]) / (1 + c->h * opt->sigma * speed / c->F);
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

/* dr/du, by differences; column-major. */
static void slope(const one_slip *c, const double *u, double (*P)[TANGENTS])
{
  double at[TANGENTS] = {0}, there[TANGENTS], z[TANGENTS];
  force(c, u, at, z);
  for (size_t k = 0; k < c->count; k++) {
    double moved[TANGENTS] = {u[0], u[1]};
    const double small = sqrt(DBL_EPSILON) * fmax(fabs(u[k]), 1e-3 * size_of(c->count, c->u_free) + DBL_MIN);
    moved[k] += small;
    force(c, moved, there, z);
    for (size_t i = 0; i < c->count; i++) {
      P[k][i] = (there[i] - at[i]) / small;
    }
  }
}

/* Newton's direction: (1 - W dr/du) step = G. */
static void direction(const one_slip *c, const double *u, const double *G, double *step)
{
  double P[TANGENTS][TANGENTS], J[TANGENTS][TANGENTS];
  slope(c, u, P);
  for (size_t i = 0; i < c->count; i++) {
    for (size_t k = 0; k < c->count; k++) {
      J[i][k] = i == k;
      for (size_t l = 0; l < c->count; l++) {
        J[i][k] -= c->W[i][l] * P[k][l];
      }
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

/* The problem of contact j alone, with the other forces as they are. */
static one_slip describe(dls_dry *s, size_t j)
{
  const size_t d = s->config->d, first = (d - 1) * j;
  one_slip c = {
      .opt = &s->opt, .count = d - 1, .F = s->config->sys->mu[j] * s->f[j], .h = s->h, .z = s->z + first};
  for (size_t i = 0; i < c.count; i++) {
    c.u_free[i] = s->u[first + i];
    for (size_t k = 0; k < c.count; k++) {
      c.W[i][k] = s->scale * dls_delassus_entry(s->W, d * j + 1 + i, d * j + 1 + k);
      c.u_free[i] -= c.W[i][k] * s->r[first + k];
    }
  }
  return c;
}

/* r = c for any slip. */
static dls_dry_law given_force(size_t count, const double *r)
{
  dls_dry_law law = {.B = {1, 0, 0, 1}};
  memcpy(law.c, r, count * sizeof *r);
  return law;
}

/* u + proximal W_TT (r - r_last) = 0: u = 0 in the end. */
static dls_dry_law sticking(const one_slip *c, double proximal, const double *r_last)
{
  dls_dry_law law = {.A = {1, 0, 0, 1}};
  for (size_t i = 0; i < c->count; i++) {
    law.B[3 * i] = proximal * c->W[i][i];
    law.c[i] = law.B[3 * i] * r_last[i];
  }
  return law;
}

/* Coulomb: r + mu f e + (F/|u|) (1 - e e^T) u = 0 with e = u/|u|. */
static dls_dry_law slipping(const dls_dry *s, const one_slip *c, size_t j, const double *u)
{
  dls_dry_law law = {.B = {1, 0, 0, 1}};
  const double speed = size_of(c->count, u);
  for (size_t i = 0; i < c->count; i++) {
    const double e = u[i] / speed;
    law.b[i] = s->config->sys->mu[j] * e; /* mu f e */
    for (size_t k = 0; k < c->count; k++) {
      law.A[i + 2 * k] = c->F / speed * ((i == k) - e * u[k] / speed);
    }
  }
  return law;
}

/* Regularised: r = r0 + dr/du (u - u0) + dr/dF mu (f - f0). */
static dls_dry_law regularised(const dls_dry *s, const one_slip *c, size_t j, const double *u, const double *r)
{
  double P[TANGENTS][TANGENTS], more[TANGENTS], z[TANGENTS];
  dls_dry_law law = given_force(c->count, r);
  one_slip pressed = *c;
  pressed.F *= 1 + sqrt(DBL_EPSILON);
  force(&pressed, u, more, z);
  slope(c, u, P);
  for (size_t i = 0; i < c->count; i++) {
    law.b[i] = -(more[i] - r[i]) / (pressed.F - c->F) * s->config->sys->mu[j]; /* -dr/dF mu */
    law.c[i] += law.b[i] * s->f[j];
    for (size_t k = 0; k < c->count; k++) {
      law.A[i + 2 * k] = -P[k][i]; /* -dr/du */
      law.c[i] -= P[k][i] * u[k];
    }
  }
  return law;
}

double dls_dry_linearise(dls_dry *s, size_t j, double proximal)
{
  const one_slip c = describe(s, j);
  const double *last = s->r + c.count * j;
  double *z = s->z_next + c.count * j, u[TANGENTS] = {c.u_free[0], c.u_free[1]}, r[TANGENTS] = {0};
  if (!(c.F > 0)) { /* open: r = 0 */
    memset(z, 0, c.count * sizeof *z);
    s->laws[j] = given_force(c.count, r);
  } else if (c.opt->friction == DLS_FRICTION_COULOMB && sticks(&c, r)) {
    s->laws[j] = sticking(&c, proximal, last);
  } else {
    slip_of(&c, u);
    force(&c, u, r, z);
    s->laws[j] = c.opt->friction == DLS_FRICTION_COULOMB ? slipping(s, &c, j, u) : regularised(s, &c, j, u, r);
  }
  double change = 0;
  for (size_t i = 0; i < c.count; i++) {
    change = dls_larger(change, fabs(r[i] - last[i]) * c.W[i][i]); /* change of slip due to r */
  }
  return change;
}

/* u := u_free + scale H_T^T shift of a contact. */
static void take_slip(dls_dry *s, size_t j)
{
  const size_t d = s->config->d;
  for (size_t i = 0; i < d - 1; i++) {
    const size_t at = (d - 1) * j + i;
    s->u[at] =
        s->u_free[at] + s->scale * s->weight * dls_matrix_column_dot(s->config->H, d * j + 1 + i, s->shift);
  }
}

/* shift := A^-1 (H f + H_T r/weight), and the slips. */
static void move(dls_dry *s, double *shift)
{
  const size_t d = s->config->d, m = s->config->sys->m;
  size_t rows = 0;
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < d && s->f[j] != 0; i++, rows++) {
      s->rows[rows] = d * j + i;
      s->x[rows] = i == 0 ? s->f[j] : s->r[(d - 1) * j + i - 1] / s->weight; /* (f, r/weight) */
    }
  }
  memset(s->shift, 0, s->config->sys->n * sizeof *s->shift);
  dls_delassus_apply(s->W, rows, s->rows, 1, s->x, s->shift); /* A^-1 (H f + H_T r/weight) */
  for (size_t j = 0; j < m; j++) {
    take_slip(s, j); /* u = u_free + scale weight H_T^T shift */
  }
  if (shift != NULL) {
    memcpy(shift, s->shift, s->config->sys->n * sizeof *shift);
  }
}

void dls_dry_begin(dls_dry *s, const double *v, const double *a, double scale, double weight, double h)
{
  const size_t d = s->config->d;
  s->scale = scale;
  s->weight = weight;
  s->h = h;
  if (s->made != dls_factor_made(s->A) || s->config->gradient_varies) {
    dls_delassus_reset(s->W);
    s->made = dls_factor_made(s->A);
  }
  for (size_t i = 0; i < (d - 1) * s->config->sys->m; i++) {
    const size_t row = d * (i / (d - 1)) + 1 + i % (d - 1);
    s->u_free[i] = dls_configuration_row(s->config, row, v) +
                   scale * dls_matrix_column_dot(s->config->H, row, a); /* H_T^T (v + scale a) + b_T */
  }
  move(s, NULL);
}

/* Block k of A (W) + B, that of contact j, and its right side: x in place of it. */
static void lay_out(dls_dry *s, size_t k, size_t j, double scale, double E, double b)
{
  const size_t d = s->config->d;
  const dls_dry_law *law = &s->laws[j];
  double *A = s->blocks_A + BLOCK * k, *B = s->blocks_B + BLOCK * k, *x = s->x + d * k;
  memset(A, 0, BLOCK * sizeof *A);
  memset(B, 0, BLOCK * sizeof *B);
  A[0] = scale; /* s W (f, r/weight) + E f = b */
  B[0] = E;
  x[0] = b;
  for (size_t i = 1; i < d; i++) {
    B[i] = law->b[i - 1];
    x[i] = law->c[i - 1];
    for (size_t l = 1; l < d; l++) {
      const double along = law->A[i - 1 + 2 * (l - 1)];
      A[i + 3 * l] = along * s->scale * s->weight;
      B[i + 3 * l] = law->B[i - 1 + 2 * (l - 1)] * s->weight;
      x[i] -= along * s->u_free[(d - 1) * j + l - 1];
    }
  }
}

dls_status dls_dry_forces(dls_dry *s, double scale, size_t count, const size_t *set, const double *E, double *b,
                          double *shift, dls_error *err)
{
  const size_t d = s->config->d, m = s->config->sys->m;
  for (size_t k = 0; k < count; k++) {
    lay_out(s, k, set[k], scale, E[k], b[k]); /* the laws, linearised: normal and tangents */
    for (size_t i = 0; i < d; i++) {
      s->rows[d * k + i] = d * set[k] + i;
    }
  }
  const dls_status status =
      dls_delassus_solve_blocks(s->W, d, count, s->rows, s->blocks_A, s->blocks_B, s->x, err);
  if (status != DLS_OK) {
    return status;
  }
  memset(s->f, 0, m * sizeof *s->f);
  memset(s->r, 0, (d - 1) * m * sizeof *s->r);
  for (size_t k = 0; k < count; k++) {
    b[k] = s->f[set[k]] = s->x[d * k]; /* f */
    for (size_t i = 1; i < d; i++) {
      s->r[(d - 1) * set[k] + i - 1] = s->weight * s->x[d * k + i]; /* r */
    }
  }
  move(s, shift);
  return DLS_OK;
}

void dls_dry_take(dls_dry *s, dls_sim *sim, const double *f, double gamma)
{
  const size_t count = s->config->d - 1;
  for (size_t j = 0; j < sim->sys->m; j++) {
    const double F = sim->sys->mu[j] * f[j]; /* mu f */
    s->f[j] = f[j];
    for (size_t i = count * j; i < count * (j + 1); i++) {
      s->r[i] = f[j] != 0 ? s->r[i] : 0;
      s->z_next[i] = f[j] != 0 ? s->z_next[i] : 0;
      sim->p_t[i] = s->h * DLS_AVERAGE(gamma, s->last[i], s->r[i]); /* h r_gamma */
      sim->lambda_t[i] = s->last[i] = s->r[i];
    }
    sim->status[j] = F > 0 && size_of(count, s->r + count * j) >= (1 - limit) * F ? 2 : sim->status[j];
  }
  dls_swap(&s->z, &s->z_next);
}
