/* batch.h -- numbers of DLS_BATCH_WIDTH runs side by side, and the parts of a step that all schemes share.
 * A file defines DLS_BATCH_WIDTH and includes this. With 1 a dls_real is a double. With 2, 4 or 8 it is a vector of the compiler, and each
 * entry is rounded like a single double. Everything is inline, so that one instruction set compiles the whole step.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_BATCH_H
#define DELASSUS_TIME_STEPPING_BATCH_H

#include "common/solve/friction/cone.h"
#include "common/solve/friction/one_contact.h"
#include "common/solve/friction/plane_equations.h"
#include "time_stepping/batch/advance.h"
#include <float.h>
#include <math.h>
#include <string.h>
#if defined __x86_64__ && DLS_BATCH_WIDTH > 1
#include <immintrin.h>
#endif

#define DLS_INLINE static inline __attribute__((always_inline))
#define DLS_OUTLINE __attribute__((noinline)) /* once for all sizes: what is done once, or in few steps */
#define DLS_VECTORS (DLS_BATCH_WIDTH > 1)

#if DLS_VECTORS
typedef double dls_real __attribute__((vector_size(DLS_BATCH_WIDTH * sizeof(double))));
typedef long long dls_mask __attribute__((vector_size(DLS_BATCH_WIDTH * sizeof(long long)))); /* 0 or -1 */
#define DLS_AT(x, member) ((x)[member])
#else
typedef double dls_real;
typedef int dls_mask; /* 0 or 1 */
#define DLS_AT(x, member) (*((void)(member), &(x)))
#endif

DLS_INLINE dls_real dls_same(double x)
{
#if DLS_BATCH_WIDTH == 8
  return (dls_real){x, x, x, x, x, x, x, x};
#elif DLS_BATCH_WIDTH == 4
  return (dls_real){x, x, x, x};
#elif DLS_BATCH_WIDTH == 2
  return (dls_real){x, x};
#else
  return x;
#endif
}

DLS_INLINE dls_real dls_select(dls_mask m, dls_real yes, dls_real no)
{
#if DLS_VECTORS
  return (dls_real)((m & (dls_mask)yes) | (~m & (dls_mask)no));
#else
  return m ? yes : no;
#endif
}

/* a < b ? a : b, which is what the instruction of x86-64 computes, also where an entry is not a number. */
DLS_INLINE dls_real dls_lesser(dls_real a, dls_real b)
{
#if defined __x86_64__ && DLS_BATCH_WIDTH == 8
  return (dls_real)_mm512_min_pd((__m512d)a, (__m512d)b);
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 4
  return (dls_real)_mm256_min_pd((__m256d)a, (__m256d)b);
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 2
  return (dls_real)_mm_min_pd((__m128d)a, (__m128d)b);
#else
  return dls_select(a < b, a, b);
#endif
}

/* The square root, correctly rounded. */
DLS_INLINE dls_real dls_root(dls_real x)
{
#if defined __x86_64__ && DLS_BATCH_WIDTH == 8
  return (dls_real)_mm512_sqrt_pd((__m512d)x);
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 4
  return (dls_real)_mm256_sqrt_pd((__m256d)x);
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 2
  return (dls_real)_mm_sqrt_pd((__m128d)x);
#else
  for (int l = 0; l < DLS_BATCH_WIDTH; l++) {
    DLS_AT(x, l) = sqrt(DLS_AT(x, l));
  }
  return x;
#endif
}

/* Do the bits of entries differ? */
DLS_INLINE dls_mask dls_differ(dls_real a, dls_real b)
{
#if DLS_VECTORS
  return (dls_mask)a != (dls_mask)b;
#else
  return !(a == b) || signbit(a) != signbit(b);
#endif
}

DLS_INLINE dls_mask dls_not(dls_mask m)
{
#if DLS_VECTORS
  return ~m;
#else
  return !m;
#endif
}

/* On x86-64 one instruction collects the signs of the entries. */
DLS_INLINE bool dls_some(dls_mask m)
{
#if defined __x86_64__ && DLS_BATCH_WIDTH == 8
  return _mm512_movepi64_mask((__m512i)m) != 0;
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 4
  return _mm256_movemask_pd((__m256d)m) != 0;
#elif defined __x86_64__ && DLS_BATCH_WIDTH == 2
  return _mm_movemask_pd((__m128d)m) != 0;
#elif DLS_VECTORS
  typedef long long two __attribute__((vector_size(2 * sizeof(long long))));
  const union {
    dls_mask all;
    two part[DLS_BATCH_WIDTH / 2];
  } all_entries = {m};
  two any = all_entries.part[0];
  for (int l = 1; l < DLS_BATCH_WIDTH / 2; l++) {
    any |= all_entries.part[l];
  }
  return (any[0] | any[1]) != 0;
#else
  return m;
#endif
}

DLS_INLINE dls_real dls_size(dls_real x)
{
#if DLS_VECTORS
  return (dls_real)((dls_mask)x & ~(dls_mask)dls_same(-0.0)); /* without its sign */
#else
  return fabs(x);
#endif
}

enum { DLS_KERNEL_ROWS = DLS_KERNEL_D * DLS_SMALL_M }; /* of all contacts */

typedef struct dls_batch_row {
  dls_real H[DLS_SMALL_N], start, mixture, a[DLS_SMALL_N], b[DLS_SMALL_N];
} dls_batch_row;

typedef struct dls_batch_contact {
  dls_real w, mu, W[DLS_KERNEL_D * DLS_KERNEL_D];
  dls_real ratio, schur; /* in the plane, with friction: see plane_equations.h */
  dls_real inverse_rho;  /* with friction: see cone.h */
  bool uncoupled;        /* in all members; see dls_batch_is_uncoupled */
} dls_batch_contact;

/* The numbers of up to DLS_BATCH_WIDTH systems that are alike. Unused entries repeat the first member. */
typedef struct dls_batch {
  const dls_small_system *pattern;
  dls_real h, ahead, eps_u, eps_g;
  double tolerance;
  dls_real M[DLS_SMALL_ENTRIES], C[DLS_SMALL_ENTRIES], K[DLS_SMALL_ENTRIES];
  dls_real A[DLS_SMALL_ENTRIES], mass[DLS_SMALL_ENTRIES];
  dls_batch_contact contact[DLS_SMALL_M];
  dls_batch_row row[DLS_KERNEL_ROWS];
} dls_batch;

/* Sizes, constants for the compiler where a call names them. d: rows of a contact, with friction beyond 1. full: no matrix or column has a
 * zero that is not stored. unit: g is the last coordinate and the slip the one before it, for m = 1 and n = d <= 2. Products with the ones and
 * zeros of H are then left out: they change no bit. */
typedef struct dls_sizes {
  size_t n, m, d;
  bool full, unit;
} dls_sizes;

/* A node, and the results of the step that ends there. u and P have d rows for each contact, normal first. A kernel keeps DLS_KERNEL_KEPT
 * arrays from step to step. The first DLS_KERNEL_KEPT_N have n numbers, the others m. Array 0 is the load. */
typedef struct dls_batch_node {
  dls_real q[DLS_SMALL_N], v[DLS_SMALL_N], g[DLS_SMALL_M], u[DLS_KERNEL_ROWS], P[DLS_KERNEL_ROWS];
  dls_real mixed[DLS_KERNEL_ROWS]; /* u^ where P > 0, with friction */
  dls_real kept[DLS_KERNEL_KEPT][DLS_SMALL_N];
  dls_real v_free[DLS_SMALL_N];  /* left limit where it jumps */
  dls_mask active[DLS_SMALL_M];  /* in the complementarity problem */
  dls_mask impacts[DLS_SMALL_M]; /* an impact is to be reported */
  dls_mask ok, jumps;            /* ok: the step is made */
} dls_batch_node;

/* An impact of one contact in the members that `impacts` marks: d rows of the velocity before and after it, and of the impulse. */
typedef struct dls_batch_impact {
  size_t contact, d;
  dls_mask impacts;
  dls_real t, u[DLS_KERNEL_D], u_plus[DLS_KERNEL_D], P[DLS_KERNEL_D];
} dls_batch_impact;

#define DLS_FILL(to, member, from, count)                                                                      \
  for (size_t fill_ = 0; fill_ < (count); fill_++) {                                                           \
    DLS_AT((to)[fill_], member) = (from)[fill_];                                                               \
  }

/* Numbers whose squares are normal: beyond, contacts are left to the general path. */
static const double dls_square_least = 1e-100, dls_square_most = 1e100;

/* Is W diagonal, and in space alike in all tangential directions, with mu > 0? Zeros have no sign, so that they change no sign in r. */
DLS_INLINE bool dls_batch_is_uncoupled(const dls_small_contact *c, size_t d)
{
  bool is = d < 3 || (c->mu > 0 && c->W[0] > 0 && c->W[4] == c->W[8] && c->W[4] >= dls_square_least &&
                      c->W[4] <= dls_square_most);
  for (size_t e = 0; e < d * d; e++) {
    is = is && (e % (d + 1) == 0 || (c->W[e] == 0 && !signbit(c->W[e])));
  }
  return is;
}

/* Member l := the numbers of a small system, and its step. */
DLS_INLINE void dls_batch_read_system(dls_batch *k, int l, const dls_small_system *s, double h)
{
  const size_t n = s->n;
  DLS_FILL(k->M, l, s->M.value, s->M.count)
  DLS_FILL(k->C, l, s->C.value, s->C.count)
  DLS_FILL(k->K, l, s->K.value, s->K.count)
  DLS_FILL(k->A, l, s->A.value, s->A.form == DLS_FACTOR_LU ? n * n : 2 * n)
  DLS_FILL(k->mass, l, s->mass.value, s->mass.form == DLS_FACTOR_LU ? n * n : 2 * n)
  DLS_AT(k->h, l) = h;
  DLS_AT(k->ahead, l) = s->ahead;
  DLS_AT(k->eps_u, l) = s->eps_u;
  DLS_AT(k->eps_g, l) = s->eps_g;
  for (size_t j = 0; j < s->m; j++) {
    const dls_small_contact *c = &s->contact[j];
    dls_batch_contact *to = &k->contact[j];
    DLS_AT(to->w, l) = c->w;
    DLS_AT(to->mu, l) = c->mu;
    DLS_FILL(to->W, l, c->W, s->d * s->d)
    to->uncoupled = (l == 0 || to->uncoupled) && dls_batch_is_uncoupled(c, s->d);
    if (s->d == 2) {
      DLS_AT(to->ratio, l) = DLS_PLANE_RATIO(c->W);
      DLS_AT(to->schur, l) = dls_plane_schur(c->W);
      DLS_AT(to->inverse_rho, l) = (c->W[0] + c->W[3]) / 2;
    } else if (s->d == 3) {
      DLS_AT(to->inverse_rho, l) = (c->W[0] + c->W[4] + c->W[8]) / 3;
    }
  }
  for (size_t j = 0; j < s->d * s->m; j++) {
    const dls_small_row *c = &s->row[j];
    dls_batch_row *to = &k->row[j];
    DLS_FILL(to->H, l, c->H, c->count)
    DLS_FILL(to->a, l, c->response.a, c->response.count)
    DLS_FILL(to->b, l, c->response.b, c->response.count)
    DLS_AT(to->start, l) = c->start;
    DLS_AT(to->mixture, l) = c->mixture;
  }
}

/* Are H and w in all members as dls_sizes.unit says? The sums of H^T x begin with 0, so that a zero has no sign. */
DLS_INLINE bool dls_batch_unit(const dls_batch *k)
{
  const size_t n = k->pattern->n;
  const dls_real w = k->contact[0].w, zero = dls_same(0);
  bool is = k->pattern->d == n && memcmp(&w, &zero, sizeof w) == 0;
  for (size_t row = 0; row < n && is; row++) {
    const dls_real start = k->row[row].start;
    is = n == 1 || memcmp(&start, &zero, sizeof start) == 0;
    for (size_t e = 0; e < n && is; e++) {
      is = !dls_some(k->row[row].H[e] != dls_same(e == n - 1 - row ? 1 : 0));
    }
  }
  return is;
}

/* y += alpha A x */
DLS_INLINE void dls_batch_multiply(const dls_small_matrix *pattern, const dls_real *A, dls_sizes is,
                                   dls_real alpha, const dls_real *x, dls_real *y)
{
  const size_t n = is.n;
  if (pattern->storage == DLS_SMALL_DIAGONAL) {
    for (size_t i = 0; i < n; i++) {
      y[i] += alpha * A[i] * x[i];
    }
  } else if (n > 1 && pattern->storage == DLS_SMALL_TRIDIAGONAL) {
    y[0] += alpha * (A[1] * x[0] + A[3] * x[1]);
    for (size_t i = 1; i + 1 < n; i++) {
      y[i] += alpha * (A[3 * i - 1] * x[i - 1] + A[3 * i + 1] * x[i] + A[3 * i + 3] * x[i + 1]);
    }
    y[n - 1] += alpha * (A[3 * n - 4] * x[n - 2] + A[3 * n - 2] * x[n - 1]);
  } else {
    for (size_t k = 0; k < (is.full && pattern->count > 0 ? n * n : pattern->count); k++) {
      const size_t i = is.full ? k % n : pattern->row[k], j = is.full ? k / n : pattern->column[k];
      y[i] += alpha * x[j] * A[k];
    }
  }
}

/* Order of operations of common/linear/tridiagonal.c: x_middle gets its term from below first where n is even. */
DLS_INLINE void dls_batch_inwards(const dls_real *e, size_t n, dls_real *x)
{
  const size_t middle = n / 2;
  for (size_t i = 0; i + 1 < middle; i++) {
    x[i + 1] -= e[i] * x[i];
  }
  for (size_t i = n - 1; i > middle + 1; i--) {
    x[i - 1] -= e[i - 1] * x[i];
  }
  const dls_real above = e[middle - 1] * x[middle - 1];
  if (n % 2 != 0) {
    x[middle] -= above;
  }
  if (n > 2) {
    x[middle] -= e[middle] * x[middle + 1];
  }
  if (n % 2 == 0) {
    x[middle] -= above;
  }
}

/* x := F^{-1} x, of L D L^T */
DLS_INLINE void dls_batch_solve_ends(const dls_real *d, const dls_real *e, size_t n, dls_real *x)
{
  const size_t middle = n / 2;
  if (n == 1) {
    x[0] *= d[0];
    return;
  }
  dls_batch_inwards(e, n, x);
  x[middle] *= d[middle];
  for (size_t i = middle; i > 0; i--) {
    x[i - 1] = x[i - 1] * d[i - 1] - e[i - 1] * x[i];
  }
  for (size_t i = middle; i + 1 < n; i++) {
    x[i + 1] = x[i + 1] * d[i + 1] - e[i] * x[i];
  }
}

/* The same for LU, in the order of SUNDIALS' dense solver. */
DLS_INLINE void dls_batch_solve_lu(const dls_small_factor *pattern, const dls_real *A, size_t n, dls_real *x)
{
  for (size_t k = 0; k < n; k++) {
    const dls_real above = x[k];
    x[k] = x[pattern->pivot[k]];
    x[pattern->pivot[k]] = above;
  }
  for (size_t k = 0; k + 1 < n; k++) {
    for (size_t i = k + 1; i < n; i++) {
      x[i] -= A[n * k + i] * x[k];
    }
  }
  for (size_t k = n - 1; k > 0; k--) {
    x[k] /= A[n * k + k];
    for (size_t i = 0; i < k; i++) {
      x[i] -= A[n * k + i] * x[k];
    }
  }
  x[0] /= A[0];
}

DLS_INLINE void dls_batch_solve(const dls_small_factor *pattern, const dls_real *A, size_t n, dls_real *x)
{
  if (pattern->form == DLS_FACTOR_DIVIDES) {
    for (size_t i = 0; i < n; i++) {
      x[i] /= A[i];
    }
  } else if (pattern->form == DLS_FACTOR_ENDS) {
    dls_batch_solve_ends(A, A + n, n, x);
  } else {
    dls_batch_solve_lu(pattern, A, n, x);
  }
}

/* Row j of H^T x */
DLS_INLINE dls_real dls_batch_dot(const dls_batch *k, dls_sizes is, size_t j, const dls_real *x)
{
  const dls_small_row *pattern = &k->pattern->row[j];
  const dls_batch_row *c = &k->row[j];
  dls_real sum = c->start;
  if (is.unit) {
    return sum + x[is.n - 1 - j];
  }
  for (size_t e = 0; e < (is.full ? is.n : pattern->count); e++) {
    sum += c->H[e] * x[is.full ? e : pattern->row[e]];
  }
  return sum;
}

/* (2) of velocity_contact.h: g(q + forecast h v) of a linear system */
#define DLS_BATCH_FORECAST(g, ahead, u) ((g) + (ahead) * (u))

/* I1 of velocity_contact.h, from g and u of the node x. y->ok: at most one contact is active. */
DLS_INLINE dls_mask dls_batch_choose_active(const dls_batch *k, dls_sizes is, const dls_batch_node *x,
                                            dls_batch_node *y)
{
  dls_mask any = dls_same(0) > dls_same(0);
  y->ok = dls_not(any);
  for (size_t j = 0; j < is.m; j++) {
    const dls_real u = x->u[is.d * j], forecast = DLS_BATCH_FORECAST(x->g[j], k->ahead, u);
    const dls_mask near = dls_size(u) <= k->eps_u;
    dls_mask active = forecast <= dls_select(near, k->eps_g, dls_same(0));
    if (k->pattern->test) {
      active &= u <= k->eps_u;
    }
    y->ok &= dls_not(any & active);
    any |= active;
    y->active[j] = active;
  }
  for (size_t j = 0; j < is.d * is.m; j++) {
    y->P[j] = dls_same(0);
  }
  return any;
}

/* P := max(0, -b/W) on mask, as dls_lcp_solve computes it for one contact. y->ok is cleared where the residual is too large. */
DLS_INLINE void dls_batch_one_contact(const dls_batch *k, size_t j, dls_mask mask, dls_real b,
                                      dls_batch_node *y)
{
  const dls_real zero = dls_same(0), W = k->contact[j].W[0];
  const dls_real z = dls_select(b < zero, -b / W, zero), term = W * z, w = term + b;
  const dls_real residual = dls_size(dls_select(term < w, term, w)), scale = dls_size(b) + term;
  const dls_mask good = (W > zero) & (residual <= k->tolerance * scale) & (scale <= dls_same(DBL_MAX));
  y->ok &= good | dls_not(mask);
  y->P[j] = dls_select(mask, z, zero);
}

#if DLS_KERNEL_D > 1
#include "time_stepping/batch/rough_contact.h"
#endif

/* Impulses of the law on I1 for the free velocity in y. */
DLS_INLINE void dls_batch_impulses(const dls_batch *k, dls_sizes is, const dls_batch_node *x, dls_batch_node *y)
{
  for (size_t j = 0; j < is.m; j++) {
    if (is.m == 1 || dls_some(y->active[j])) { /* called only where some contact is active */
      dls_real b[DLS_KERNEL_D] = {dls_same(0)};
      for (size_t i = 0, row = is.d * j; i < is.d; i++, row++) {
        b[i] = dls_batch_dot(k, is, row, y->v_free) + k->row[row].mixture * x->u[row]; /* u^ for P = 0 */
      }
#if DLS_KERNEL_D > 1
      if (is.d > 1) {
        dls_batch_rough_contact(k, is, j, y->active[j], b, x, y);
        continue;
      }
#endif
      dls_batch_one_contact(k, j, y->active[j], b[0], y);
    }
  }
}

DLS_INLINE void dls_batch_no_impacts(dls_sizes is, dls_batch_node *y)
{
  y->jumps = dls_same(0) > dls_same(0);
  for (size_t j = 0; j < is.m; j++) {
    y->impacts[j] = y->jumps;
  }
}

/* A contact with u < -eps_u before the step and an impulse P > 0 has an impact: the velocity jumps. */
DLS_INLINE void dls_batch_find_impacts(const dls_batch *k, dls_sizes is, const dls_batch_node *x,
                                       dls_batch_node *y)
{
  y->jumps = dls_same(0) > dls_same(0);
  for (size_t j = 0; j < is.m; j++) {
    y->impacts[j] = (y->P[is.d * j] > dls_same(0)) & (x->u[is.d * j] < -k->eps_u);
    y->jumps |= y->impacts[j];
  }
}

/* The impact of contact j at t. */
DLS_INLINE dls_batch_impact dls_batch_impact_of(const dls_batch *k, dls_sizes is, dls_real t,
                                                const dls_batch_node *x, const dls_batch_node *y, size_t j)
{
  dls_batch_impact impact = {.contact = j, .d = is.d, .impacts = y->impacts[j], .t = t};
  for (size_t i = 0; i < is.d; i++) {
    impact.u[i] = x->u[is.d * j + i];
    impact.u_plus[i] = dls_batch_dot(k, is, is.d * j + i, y->v);
    impact.P[i] = y->P[is.d * j + i];
  }
  return impact;
}

/* x += A^{-1} H P */
DLS_INLINE void dls_batch_apply_impulses(const dls_batch *k, dls_sizes is, const dls_real *P, dls_real *x)
{
  for (size_t j = 0; j < is.d * is.m; j++) {
    const dls_mask pushed = P[j] != dls_same(0);
    const dls_response *pattern = &k->pattern->row[j].response;
    for (size_t e = 0; dls_some(pushed) && e < (is.full ? is.n : pattern->count); e++) {
      const size_t i = is.full ? e : pattern->row[e];
      const dls_real changed = x[i] + P[j] * k->row[j].a[e] * k->row[j].b[e];
      x[i] = dls_select(pushed, changed, x[i]);
    }
  }
}

/* g and u of y. */
DLS_INLINE void dls_batch_gaps(const dls_batch *k, dls_sizes is, dls_batch_node *y)
{
  if (is.unit) { /* w and the sums are 0 + x */
    y->g[0] = dls_same(0) + y->q[is.n - 1];
    for (size_t row = 0; row < is.d; row++) {
      y->u[row] = dls_same(0) + y->v[is.n - 1 - row];
    }
    return;
  }
  for (size_t j = 0; j < is.m; j++) {
    y->g[j] = k->contact[j].w + dls_batch_dot(k, is, is.d * j, y->q);
  }
  for (size_t row = 0; row < is.d * is.m; row++) {
    y->u[row] = dls_same(0) + dls_batch_dot(k, is, row, y->v);
  }
}

/* The same. y->ok is cleared where a value is not finite. */
DLS_INLINE void dls_batch_observe(const dls_batch *k, dls_sizes is, dls_batch_node *y)
{
  dls_real sum = dls_same(0);
  for (size_t i = 0; i < is.n; i++) {
    sum += y->q[i] + y->v[i];
  }
  dls_batch_gaps(k, is, y);
  for (size_t j = 0; j < is.m; j++) {
    sum += is.unit ? dls_same(0) : y->g[j]; /* g and u are among q and v */
    for (size_t row = is.d * j; row < is.d * (j + 1); row++) {
      sum += is.unit ? y->P[row] : y->u[row] + y->P[row];
    }
  }
  y->ok &= dls_size(sum) <= dls_same(DBL_MAX);
}

#endif
