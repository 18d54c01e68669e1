/* newmark_fused.c -- the passes of a fused step. A a' = rhs is solved towards the middle and away from it. w = M^-1 H P has a right-hand
 * side that is 0 except at contacts. Then the rows of a' that B w changes are corrected, and q, v are updated once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/newmark_fused.h"
#include "common/linear/storage.h"
#include "time_stepping/step/newmark_equations.h"
#include <limits.h>
#include <math.h>
#include <string.h>

/* x + y is x where |x| is more than this times |y|: half an ulp below a power of two, and twice that. */
static const double swallowed = 0x1p55;

typedef struct predictors {
  const double *q, *v, *a, *load, *load_next;
  double h, v_a, q_a; /* of a in v* and q* */
  double alpha_f, alpha_c;
} predictors;

static predictors predict(const dls_sim *sim, const dls_newmark_memory *s, double h)
{
  const dls_newmark *c = &s->c;
  return (predictors){.q = sim->q,
                      .v = sim->v,
                      .a = s->a,
                      .load = s->load,
                      .load_next = s->load_next,
                      .h = h,
                      .v_a = DLS_NEWMARK_V_A(h, c->gamma),
                      .q_a = DLS_NEWMARK_Q_A(h, c->beta),
                      .alpha_f = c->alpha_f,
                      .alpha_c = c->krenk_hogsberg ? c->alpha_m : c->alpha_f};
}

DLS_FUSED dls_pair load_at(const void *data, size_t i, size_t j)
{
  const predictors *p = data;
  return DLS_NEWMARK_AVERAGE(p->alpha_c, dls_pair_of(p->load, i, j),
                             dls_pair_of(p->load_next, i, j)); /* (4'): (1 - alpha_c) F' + alpha_c F */
}

DLS_FUSED dls_pair strain_at(const void *data, size_t i, size_t j)
{
  const predictors *p = data;
  const dls_pair q = dls_pair_of(p->q, i, j);
  const dls_pair q_star = DLS_NEWMARK_Q_STAR(q, p->h, dls_pair_of(p->v, i, j), p->q_a, dls_pair_of(p->a, i, j));
  return DLS_NEWMARK_AVERAGE(p->alpha_f, q, q_star); /* (4'): q* averaged by alpha_f */
}

DLS_FUSED dls_pair last_acceleration_at(const void *data, size_t i, size_t j)
{
  return dls_pair_of(((const predictors *)data)->a, i, j);
}

/* rhs, and x := L^-1 rhs */
DLS_FUSED void inwards(const dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, const predictors *p,
                       dls_fused_term inertia)
{
  const dls_fused_rhs rhs = {sim->K->values, -1};
  const dls_fused_term K = {.of = &rhs, .at = strain_at};
  if (sim->sys->load == NULL) {
    dls_fused_inwards(A, dls_fused_no_load, K, inertia, p, s->rhs, s->x);
  } else {
    dls_fused_inwards(A, load_at, K, inertia, p, s->rhs, s->x);
  }
}

/* A a' = rhs for w = 0 */
static void accelerate(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, const predictors *p)
{
  dls_banded_load(sim, s->t_next, s->load_next);
  if (s->c.alpha_m == 0) {
    inwards(sim, s, A, p, (dls_fused_term){.at = NULL});
  } else {
    const dls_fused_rhs M = {s->config.M->values, -s->c.alpha_m};
    inwards(sim, s, A, p, (dls_fused_term){.of = &M, .at = last_acceleration_at}); /* - alpha_m M a */
  }
  dls_tridiagonal_outwards(A, s->x, s->a_next);
}

static void free_velocity(dls_newmark_memory *s, const predictors *p, double v_a, dls_rows rows)
{
  for (size_t i = rows.first; i < rows.past; i++) {
    s->v_free[i] = DLS_NEWMARK_UPDATE(DLS_NEWMARK_V_STAR(p->v[i], p->v_a, p->a[i]), v_a,
                                      s->a_next[i]); /* (2): v' for w = 0 */
  }
}

/* rhs += B w in some rows. @return outside of which it is as before */
static dls_rows add_B(const dls_sim *sim, dls_newmark_memory *s, dls_rows rows)
{
  const size_t n = sim->sys->n;
  const double weight = DLS_NEWMARK_B_K(s->weight_k, s->h), *w = s->w;
  const dls_fused_rhs rhs = {sim->K->values, weight};
  dls_rows changed = {n, 0};
  for (size_t i = rows.first; i < rows.past; i++) {
    const double *k = rhs.band + 3 * i, old = s->rhs[i];
    const double next = i == 0       ? old + weight * (k[1] * w[0] + k[3] * w[1])
                        : i == n - 1 ? old + weight * (k[-1] * w[i - 1] + k[1] * w[i])
                                     : dls_fused_row(&rhs, i, old, w[i - 1], w[i], w[i + 1]);
    if (memcmp(&next, &old, sizeof next) != 0) {
      s->rhs[i] = next;
      changed.first = i < changed.first ? i : changed.first;
      changed.past = i + 1;
    }
  }
  return changed.first < changed.past ? changed : (dls_rows){0, 0};
}

/* s->w := H P, nothing else. */
static void begin_w(const dls_newmark_memory *s, double *w, dls_rows clear)
{
  const dls_velocity_contact *c = &s->contact;
  memset(w + clear.first, 0, (clear.past - clear.first) * sizeof *w);
  dls_contact_system_add_impulse(&c->contacts, &c->active, c->impulse, w);
}

/* Sizes of doubles have the order of their bits: two sizes less the bits of the first one above a limit are negative where one is not
 * above it. */
typedef long long bits __attribute__((vector_size(2 * sizeof(long long))));

static bits first_above(double limit)
{
  long long at;
  memcpy(&at, &limit, sizeof at);
  return (bits){at + 1, at + 1};
}

DLS_FUSED bits above(dls_pair x, bits least)
{
  const bits unsigned_bits = {LLONG_MAX, LLONG_MAX};
  return ((bits)x & unsigned_bits) - least;
}

DLS_FUSED dls_pair two_at(const double *x)
{
  dls_pair two;
  memcpy(&two, x, sizeof two);
  return two;
}

/* Is every |x_i| so much larger than `most` that x_i + y is x_i for all |y| <= most? Eight rows at once. */
static bool swallow(dls_rows rows, const double *x, double most)
{
  enum { ROWS = 8, PAIRS = ROWS / 2 };
  const bits least = first_above(most * swallowed);
  bits small[PAIRS] = {{0, 0}};
  bool last = false;
  size_t i = rows.first;
  for (; i + ROWS <= rows.past; i += ROWS) {
    for (size_t k = 0; k < PAIRS; k++) {
      small[k] |= above(two_at(x + i + 2 * k), least);
    }
  }
  for (; i < rows.past; i++) {
    last = last || fabs(x[i]) <= most * swallowed;
  }
  const bits any = (small[0] | small[1]) | (small[2] | small[3]);
  return (any[0] | any[1]) >= 0 && !last;
}

/* The rows in front of some and those behind them. */
static bool swallow_outside(size_t n, dls_rows rows, const double *x, double most)
{
  return swallow((dls_rows){0, rows.first}, x, most) && swallow((dls_rows){rows.past, n}, x, most);
}

/* w near the contact, where the rest of it changes no bit of rhs. @return false if that is not so, w is spoilt then */
static bool strike_near(const dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *M, dls_rows *sure)
{
  const size_t n = sim->sys->n;
  const bool near = s->steepness > 0 &&
                    dls_tridiagonal_solve_near(M, s->steepness, dls_banded_rows(&s->config, &s->contact.active),
                                               s->w, &s->struck, &s->rest);
  *sure =
      near && s->struck.first > n / 2 ? (dls_rows){s->struck.first + 1, n} : (dls_rows){0, s->struck.past - 1};
  return near && swallow_outside(n, *sure, s->rhs, 2 * s->weight_k * s->h / 2 * s->stiffness * s->rest);
}

/* w of (1), and a' with it: A a' = rhs + B w. */
static void strike(const dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A,
                   const dls_tridiagonal *M)
{
  const size_t n = sim->sys->n;
  dls_rows rows = {0, n};
  begin_w(s, s->w, s->struck);
  if (!strike_near(sim, s, M, &rows)) {
    begin_w(s, s->w, (dls_rows){0, n});
    s->struck = dls_tridiagonal_solve_few(M, dls_banded_rows(&s->config, &s->contact.active), s->w);
    s->rest = 0;
    rows.first = s->struck.first > 0 ? s->struck.first - 1 : 0;
    rows.past = s->struck.past < n ? s->struck.past + 1 : n;
  }
  dls_tridiagonal_mend(A, s->rhs, add_B(sim, s, rows), s->x, s->a_next);
}

/* Coefficients that overwrite q, v by q', v'. */
typedef struct end_of_step {
  predictors p;
  double v_a, q_a, half; /* of a' in v' and q'; h / 2 */
} end_of_step;

static end_of_step end_of(const dls_sim *sim, const dls_newmark_memory *s, double h)
{
  return (end_of_step){predict(sim, s, h), DLS_NEWMARK_V_A_NEXT(h, s->c.gamma),
                       DLS_NEWMARK_Q_A_NEXT(h, s->c.beta), h / 2};
}

/* Update q and v with w, or with 0 if it is NULL. */
DLS_FUSED void finish_with(dls_sim *sim, const dls_newmark_memory *s, const end_of_step *e,
                           const double *restrict w, dls_rows rows)
{
  const end_of_step c = *e;
  const double h = c.p.h, *restrict a = s->a, *restrict next = s->a_next;
  double *restrict q = sim->q, *restrict v = sim->v;
  for (size_t i = rows.first; i < rows.past; i++) {
    const double v_star = DLS_NEWMARK_V_STAR(v[i], c.p.v_a, a[i]);
    const double q_star = DLS_NEWMARK_Q_STAR(q[i], h, v[i], c.p.q_a, a[i]);
    const double v_next = DLS_NEWMARK_UPDATE(v_star, c.v_a, next[i]);
    const double q_next = DLS_NEWMARK_UPDATE(q_star, c.q_a, next[i]);
    v[i] = w != NULL ? v_next + w[i] : v_next;
    q[i] = w != NULL ? q_next + DLS_NEWMARK_Q_W(h, w[i]) : q_next;
  }
}

/* The same in rows where w is treated as 0. @return is every |v'| and |q'| so large that y with |y| <= most changes
 * none? */
static bool finish_far(dls_sim *sim, const dls_newmark_memory *s, const end_of_step *e, dls_rows rows,
                       double most)
{
  const end_of_step c = *e;
  const bits least = first_above(most * swallowed);
  const double h = c.p.h, *restrict a = s->a, *restrict next = s->a_next;
  const dls_pair zero = {0, 0}; /* -0 + 0 is 0 */
  double *restrict q = sim->q, *restrict v = sim->v;
  bits small_v = {0, 0}, small_q = {0, 0};
  size_t i = rows.first;
  for (; i + 2 <= rows.past; i += 2) {
    const dls_pair speed = two_at(v + i), a_now = two_at(a + i), a_next = two_at(next + i);
    const dls_pair v_star = DLS_NEWMARK_V_STAR(speed, c.p.v_a, a_now);
    const dls_pair q_star = DLS_NEWMARK_Q_STAR(two_at(q + i), h, speed, c.p.q_a, a_now);
    const dls_pair v_next = DLS_NEWMARK_UPDATE(v_star, c.v_a, a_next) + zero;
    const dls_pair q_next = DLS_NEWMARK_UPDATE(q_star, c.q_a, a_next) + zero;
    memcpy(v + i, &v_next, sizeof v_next);
    memcpy(q + i, &q_next, sizeof q_next);
    small_v |= above(v_next, least);
    small_q |= above(q_next, least);
  }
  const bits any = small_v | small_q;
  const dls_rows last = {i, rows.past};
  finish_with(sim, s, e, s->w, last);
  return (any[0] | any[1]) >= 0 && swallow(last, v, most) && swallow(last, q, most);
}

/* The rest of w outside of the rows where it is known. */
static void add_rest(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *M, double half)
{
  const size_t n = sim->sys->n;
  double *w = s->v_star;
  begin_w(s, w, (dls_rows){0, n});
  dls_tridiagonal_solve_few(M, dls_banded_rows(&s->config, &s->contact.active), w);
  for (size_t i = 0; i < n; i++) {
    if (i < s->struck.first || i >= s->struck.past) {
      sim->v[i] += w[i];
      sim->q[i] += half * w[i]; /* (3) */
    }
  }
}

/* q' and v' with w, whose remaining rows are added only where they may change a bit. */
static void finish_struck(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *M, const end_of_step *e)
{
  const size_t n = sim->sys->n;
  const double most = fmax(1, e->half) * s->rest;
  finish_with(sim, s, e, s->w, s->struck);
  const bool before = finish_far(sim, s, e, (dls_rows){0, s->struck.first}, most);
  const bool behind = finish_far(sim, s, e, (dls_rows){s->struck.past, n}, most);
  if (s->rest > 0 && !(before && behind)) {
    add_rest(sim, s, M, e->half);
  }
}

/* The largest row sum of |K|. */
static double stiffness_of(const dls_matrix *K)
{
  const size_t n = K->rows;
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    const double *k = K->values + 3 * i;
    const double before = i > 0 ? fabs(k[-1]) : 0, after = i + 1 < n ? fabs(k[3]) : 0;
    largest = fmax(largest, before + fabs(k[1]) + after);
  }
  return largest;
}

void dls_newmark_fused_begin(const dls_sim *sim, dls_newmark_memory *s)
{
  const dls_newmark_kind *kind = sim->scheme->kind;
  dls_tridiagonal M;
  s->fused = !s->position && !kind->restores && s->multistep == NULL &&
             (s->c.alpha_m == 0 || dls_matrix_tridiagonal(s->config.M)) &&
             (sim->sys->m == 0 || s->contact.as_at_node) && dls_banded(sim, &s->config) &&
             dls_banded_factors(s->M, sim->sys->n, &M);
  s->struck = (dls_rows){0, sim->sys->n};
  if (s->fused) {
    s->steepness = dls_tridiagonal_steepness(&M);
    s->stiffness = stiffness_of(sim->K);
  }
}

dls_status dls_newmark_fused_step(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, double h,
                                  dls_error *err)
{
  const predictors p = predict(sim, s, h);
  dls_tridiagonal M;
  accelerate(sim, s, A, &p);
  free_velocity(s, &p, DLS_NEWMARK_V_A_NEXT(h, s->c.gamma), dls_banded_rows(&s->config, &s->contact.active));
  const dls_status status = dls_velocity_contact_solve(sim, &s->contact, s->v_free, err);
  if (status != DLS_OK) {
    return status;
  }
  if (s->contact.active.count == 0) {
    s->in_place = true;
    const end_of_step e = end_of(sim, s, h);
    finish_with(sim, s, &e, NULL, (dls_rows){0, sim->sys->n});
    return DLS_OK;
  }
  s->in_place = !dls_banded_jumps(&s->contact) && dls_banded_factors(s->M, sim->sys->n, &M);
  if (s->in_place) {
    const end_of_step e = end_of(sim, s, h);
    strike(sim, s, A, &M);
    finish_struck(sim, s, &M, &e);
  } else {
    free_velocity(s, &p, DLS_NEWMARK_V_A_NEXT(h, s->c.gamma), (dls_rows){0, sim->sys->n});
    s->struck = (dls_rows){0, sim->sys->n}; /* w is made on the general path */
  }
  return DLS_OK;
}
