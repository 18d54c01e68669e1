/* newmark_sweep.c -- A a' = rhs towards the middle and away from it; w = M^-1 H P, whose right-hand side is 0 but at contacts; the rows of
 * a' that B w changes; once over the state.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "time_stepping/newmark/newmark_sweep.h"
#include "common/linear/storage.h"
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
                      .v_a = h * (1 - c->gamma),
                      .q_a = h * h * (0.5 - c->beta),
                      .alpha_f = c->alpha_f,
                      .alpha_c = c->krenk_hogsberg ? c->alpha_m : c->alpha_f};
}

DLS_SWEEP dls_pair load_at(const void *data, size_t i, size_t j)
{
  const predictors *p = data;
  return (1 - p->alpha_c) * dls_pair_of(p->load_next, i, j) +
         p->alpha_c * dls_pair_of(p->load, i, j); /* (1 - alpha_c) F' + alpha_c F */
}

DLS_SWEEP dls_pair no_load(const void *data, size_t i, size_t j)
{
  (void)data, (void)i, (void)j;
  return (dls_pair){0, 0};
}

DLS_SWEEP dls_pair strain_at(const void *data, size_t i, size_t j)
{
  const predictors *p = data;
  const dls_pair q = dls_pair_of(p->q, i, j);
  const dls_pair q_star = q + p->h * dls_pair_of(p->v, i, j) + p->q_a * dls_pair_of(p->a, i, j);
  return (1 - p->alpha_f) * q_star + p->alpha_f * q; /* q* averaged by alpha_f */
}

/* A a' = rhs for w = 0; x := L^-1 rhs */
static void accelerate(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, const predictors *p)
{
  const dls_sweep_rhs rhs = {sim->K->values, -1};
  dls_banded_load(sim, s->t_next, s->load_next);
  if (sim->sys->load == NULL) {
    dls_sweep_inwards(A, &rhs, no_load, strain_at, p, s->rhs, s->x);
  } else {
    dls_sweep_inwards(A, &rhs, load_at, strain_at, p, s->rhs, s->x);
  }
  dls_tridiagonal_outwards(A, s->x, s->a_next);
}

static void free_velocity(dls_newmark_memory *s, const predictors *p, double gamma, dls_rows rows)
{
  for (size_t i = rows.first; i < rows.past; i++) {
    s->v_free[i] = p->v[i] + p->v_a * p->a[i] + gamma * s->a_next[i]; /* v' of (2) for w = 0 */
  }
}

/* rhs += B w in some rows. @return outside of which it is as before */
static dls_rows add_B(const dls_sim *sim, dls_newmark_memory *s, dls_rows rows)
{
  const size_t n = sim->sys->n;
  const double weight = -s->weight_k * s->h / 2, *w = s->w;
  const dls_sweep_rhs rhs = {sim->K->values, weight};
  dls_rows changed = {n, 0};
  for (size_t i = rows.first; i < rows.past; i++) {
    const double *k = rhs.band + 3 * i, old = s->rhs[i];
    const double next = i == 0       ? old + weight * (k[1] * w[0] + k[3] * w[1])
                        : i == n - 1 ? old + weight * (k[-1] * w[i - 1] + k[1] * w[i])
                                     : dls_sweep_row(&rhs, i, old, w[i - 1], w[i], w[i + 1]);
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
  dls_stage_add(&c->stage, &c->active, c->impulse, w);
}

/* Is every |x_i| so much larger than `most` that x_i + y is x_i for all |y| <= most? Two rows at once. */
static bool swallow(dls_rows rows, const double *x, double most)
{
  typedef long long mask __attribute__((vector_size(2 * sizeof(long long))));
  const mask unsigned_bits = {LLONG_MAX, LLONG_MAX};
  const double limit = most * swallowed;
  const dls_pair limits = {limit, limit};
  mask small = {0, 0};
  bool last = false;
  size_t i = rows.first;
  for (; i + 2 <= rows.past; i += 2) {
    dls_pair own;
    memcpy(&own, x + i, sizeof own);
    small |= (dls_pair)((mask)own & unsigned_bits) <= limits;
  }
  for (; i < rows.past; i++) {
    last = fabs(x[i]) <= limit;
  }
  return (small[0] | small[1]) == 0 && !last;
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
  const bool near =
      s->steepness > 0 &&
      dls_tridiagonal_solve_near(M, s->steepness, dls_banded_rows(&s->contact), s->w, &s->struck, &s->rest);
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
    s->struck = dls_tridiagonal_solve_few(M, dls_banded_rows(&s->contact), s->w);
    s->rest = 0;
    rows.first = s->struck.first > 0 ? s->struck.first - 1 : 0;
    rows.past = s->struck.past < n ? s->struck.past + 1 : n;
  }
  dls_tridiagonal_mend(A, s->rhs, add_B(sim, s, rows), s->x, s->a_next);
}

/* q' and v' in the place of q and v; by w, 0 where it is NULL. */
DLS_SWEEP void finish_with(dls_sim *sim, const dls_newmark_memory *s, double h, const double *restrict w)
{
  const dls_newmark *c = &s->c;
  const size_t n = sim->sys->n;
  const predictors p = predict(sim, s, h);
  const double gamma = h * c->gamma, beta = h * h * c->beta, half = h / 2;
  const double *restrict a = s->a, *restrict next = s->a_next;
  double *restrict q = sim->q, *restrict v = sim->v;
  for (size_t i = 0; i < n; i++) {
    const double v_star = v[i] + p.v_a * a[i], q_star = q[i] + h * v[i] + p.q_a * a[i];
    const double v_next = v_star + gamma * next[i], q_next = q_star + beta * next[i];
    v[i] = w != NULL ? v_next + w[i] : v_next;
    q[i] = w != NULL ? q_next + half * w[i] : q_next;
  }
}

/* The rest of w, where a bit of q or v may depend on it. */
static void add_rest(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *M, double h)
{
  const size_t n = sim->sys->n;
  const double most = fmax(1, h / 2) * s->rest, half = h / 2;
  double *w = s->v_star;
  if (s->rest == 0 ||
      (swallow_outside(n, s->struck, sim->v, most) && swallow_outside(n, s->struck, sim->q, most))) {
    return;
  }
  begin_w(s, w, (dls_rows){0, n});
  dls_tridiagonal_solve_few(M, dls_banded_rows(&s->contact), w);
  for (size_t i = 0; i < n; i++) {
    if (i < s->struck.first || i >= s->struck.past) {
      sim->v[i] += w[i];
      sim->q[i] += half * w[i];
    }
  }
}

/* The largest sum of the sizes of K's entries in a row. */
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

void dls_newmark_sweep_begin(const dls_sim *sim, dls_newmark_memory *s)
{
  const dls_newmark_kind *kind = sim->scheme->kind;
  dls_tridiagonal M;
  s->sweeps = !s->position && !kind->restores && s->multistep == NULL && s->c.alpha_m == 0 &&
              dls_banded(sim, &s->contact) && dls_banded_factors(s->M, sim->sys->n, &M);
  s->struck = (dls_rows){0, sim->sys->n};
  if (s->sweeps) {
    s->steepness = dls_tridiagonal_steepness(&M);
    s->stiffness = stiffness_of(sim->K);
  }
}

dls_status dls_newmark_sweep(dls_sim *sim, dls_newmark_memory *s, const dls_tridiagonal *A, double h,
                             dls_error *err)
{
  const predictors p = predict(sim, s, h);
  dls_tridiagonal M;
  accelerate(sim, s, A, &p);
  free_velocity(s, &p, h * s->c.gamma, dls_banded_rows(&s->contact));
  const dls_status status = dls_velocity_contact_solve(sim, &s->contact, s->v_free, err);
  if (status != DLS_OK) {
    return status;
  }
  if (s->contact.active.count == 0) {
    s->swept = true;
    finish_with(sim, s, h, NULL);
    return DLS_OK;
  }
  s->swept = !dls_banded_jumps(&s->contact) && dls_banded_factors(s->M, sim->sys->n, &M);
  if (s->swept) {
    strike(sim, s, A, &M);
    finish_with(sim, s, h, s->w);
    add_rest(sim, s, &M, h);
  } else {
    free_velocity(s, &p, h * s->c.gamma, (dls_rows){0, sim->sys->n});
    s->struck = (dls_rows){0, sim->sys->n}; /* w is made on the general path */
  }
  return DLS_OK;
}
