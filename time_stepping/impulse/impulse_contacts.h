/* impulse_contacts.h -- one sweep of Gauss-Seidel's method over contacts, row by row: (2) of impulse_equations.h. It needs H,
 * M^-1 H and the diagonal blocks W_jj alone, and costs O(contacts) where M is diagonal and H sparse.
 * Nothing here allocates after creation, except columns of M^-1 H as the Delassus operator does.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TIME_STEPPING_IMPULSE_CONTACTS_H
#define DELASSUS_TIME_STEPPING_IMPULSE_CONTACTS_H

#include "common/linear/storage.h"
#include "time_stepping/impulse/impulse_equations.h"
#include <delassus/contact_system.h>
#include <delassus/scheme.h>
#include <math.h>

enum { DLS_IMPULSE_SMALL = 64 }; /* products of n and the number of rows up to this are small */

/** Dense H and M^-1 H that never change: products with them repeat the operations of the general path in the same order. */
typedef struct dls_impulse_small {
  size_t n;                    /* 0: the system is not linear, or H is not small, dense and constant */
  double H[DLS_IMPULSE_SMALL]; /* row k of u = H^T v: n entries from n k on */
  double Y[DLS_IMPULSE_SMALL]; /* M^-1 H, in the same order */
} dls_impulse_small;

/** Arrays by contact, or by row: d rows for each contact, normal first. */
typedef struct dls_impulse_contacts {
  dls_configuration config;  /* of the system */
  dls_contact_system system; /* in the mass metric; joints are rows of their own */
  dls_contacts set;          /* contacts of the sweeps */
  bool *rough;               /* m: the law has friction */
  bool *known;               /* m: W_jj is up to date */
  double *W;                 /* d x d for each contact, column-major */
  double *r;                 /* rows: impulses [N s] */
  double *c;                 /* m: bias of the normal rows [m/s] */
  double *mass, *yield;      /* m: m and i of the normal rows */
  dls_impulse_small small;
  const double *inverse; /* n: the diagonal of a constant M^-1, where H is sparse; else NULL */
  bool single;           /* where it is known: H has one entry in each column, and b = 0 */
  bool by_columns;       /* W is held by columns, and there are no joints */
  bool sweeping;         /* by_columns, between dls_impulse_begin_sweeps and dls_impulse_end_sweeps */
  double *u, *pending;   /* rows: then H^T v + b; impulses that v does not have yet */
  size_t *all;           /* rows: 0, 1, ... */
  double *block;         /* owns the arrays of doubles */
} dls_impulse_contacts;

/** At the state of the sim; destroy it in any case. @return DLS_OK; DLS_ERR_NOT_APPLICABLE names a law; DLS_ERR_MEMORY */
dls_status dls_impulse_contacts_create(dls_sim *sim, dls_impulse_contacts *s, dls_error *err);
void dls_impulse_contacts_destroy(dls_impulse_contacts *s);
/** M, H and b at (t, q); q is borrowed. @return as dls_contact_system_at */
dls_status dls_impulse_contacts_at(dls_impulse_contacts *s, double t, const double *q, dls_error *err);
/** H and b alone. */
void dls_impulse_contacts_rows(dls_impulse_contacts *s, double t, const double *q);

/** Row of H^T, times x[n], for n > 0; two entries take half the time of a loop. */
static inline double dls_impulse_small_dot(const dls_impulse_small *small, size_t row, const double *x)
{
  double sum = 0;
  if (small->n == 2) {
    sum += small->H[2 * row] * x[0];
    return sum + small->H[2 * row + 1] * x[1];
  }
  const double *H = small->H + small->n * row;
  for (size_t i = 0; i < small->n; i++) {
    sum += H[i] * x[i];
  }
  return sum;
}
/** v += column of M^-1 H, times x. */
static inline void dls_impulse_small_add(const dls_impulse_small *small, size_t row, double x, double *v)
{
  if (small->n == 2) {
    v[0] += x * small->Y[2 * row];
    v[1] += x * small->Y[2 * row + 1];
    return;
  }
  const double *Y = small->Y + small->n * row;
  for (size_t i = 0; i < small->n; i++) {
    v[i] += x * Y[i];
  }
}
/** Row of H^T, times x[n]. */
static inline double dls_impulse_row_dot(const dls_impulse_contacts *s, size_t row, const double *x)
{
  return s->small.n > 0 ? dls_impulse_small_dot(&s->small, row, x) : dls_matrix_column_dot(s->config.H, row, x);
}
/** One row of u = H^T v + b. */
static inline double dls_impulse_row(const dls_impulse_contacts *s, size_t row, const double *v)
{
  const dls_matrix *H = s->config.H;
  if (s->single) { /* the operations of dls_sparse_dot */
    return 0 + H->values[row] * v[H->row_of[row]];
  }
  if (s->small.n > 0 || s->inverse == NULL) {
    return s->small.n > 0 ? dls_impulse_small_dot(&s->small, row, v)
           : s->sweeping  ? s->u[row]
                          : dls_configuration_row(&s->config, row, v);
  }
  const double u = dls_sparse_dot(H, dls_matrix_begin(H, row), dls_matrix_end(H, row), v);
  return s->config.moves ? u + s->config.b[row] : u;
}
/** u := H^T v + b; u[rows]. */
static inline void dls_impulse_rows(const dls_impulse_contacts *s, const double *v, double *u)
{
  if (s->small.n == 0 && !s->single) {
    dls_configuration_velocity(&s->config, v, u);
    return;
  }
  for (size_t row = 0; row < s->config.rows; row++) {
    u[row] = dls_impulse_row(s, row, v);
  }
}
/** H, b and the gaps at (t, q); g[m]. */
static inline void dls_impulse_gaps(dls_impulse_contacts *s, double t, const double *q, double *g)
{
  const dls_system *sys = s->config.sys;
  if (s->small.n == 0) {
    dls_impulse_contacts_rows(s, t, q);
    dls_configuration_gap(&s->config, g);
    return;
  }
  for (size_t j = 0; j < sys->m; j++) {
    g[j] = sys->w[j] + dls_impulse_small_dot(&s->small, s->config.d * j, q);
  }
}

/** Evaluate W_jj. */
void dls_impulse_make_W(dls_impulse_contacts *s, size_t j);
/** W_jj, d x d, column-major. */
static inline const double *dls_impulse_W(dls_impulse_contacts *s, size_t j)
{
  if (!s->known[j]) {
    dls_impulse_make_W(s, j);
  }
  return s->W + s->config.d * s->config.d * j;
}
/** Where W is held by columns, rows act on u = H^T v + b alone until v gets all impulses by one solve. */
void dls_impulse_begin_sweeps(dls_impulse_contacts *s, const double *v);
void dls_impulse_end_sweeps(dls_impulse_contacts *s, double *v);
/** H_j^T v of a row, without b. */
static inline double dls_impulse_speed(const dls_impulse_contacts *s, size_t row, const double *v)
{
  return !s->sweeping      ? dls_matrix_column_dot(s->config.H, row, v)
         : s->config.moves ? s->u[row] - s->config.b[row]
                           : s->u[row];
}
/** v += M^-1 H x for `count` rows from `row` on, by the Delassus operator. */
void dls_impulse_apply(dls_impulse_contacts *s, size_t row, size_t count, const double *x, double *v);
/** v += M^-1 H_j x and r += x for `count` rows of contact j from `first` on. */
static inline void dls_impulse_add(dls_impulse_contacts *s, size_t j, size_t first, size_t count,
                                   const double *x, double *v)
{
  const size_t row = s->config.d * j + first;
  const bool small = s->small.n > 0;
  if (!small && s->inverse == NULL) {
    dls_impulse_apply(s, row, count, x, v);
  }
  for (size_t k = 0; k < count; k++) {
    if (small && x[k] != 0) {
      dls_impulse_small_add(&s->small, row + k, x[k], v);
    } else if (s->inverse != NULL && x[k] != 0) {
      dls_sparse_column_add(s->config.H, row + k, x[k], s->inverse, v);
    }
    s->r[row + k] += x[k];
  }
}
/** (2) of the normal of contact j with its c, m and i. */
static inline void dls_impulse_normal(dls_impulse_contacts *s, size_t j, double *v)
{
  const size_t row = s->config.d * j;
  const double u = dls_impulse_row(s, row, v), m = s->mass[j], r = s->r[row];
  if (r == 0 && m * u + s->c[j] >= 0) { /* open, and stays so */
    return;
  }
  const double W = dls_impulse_W(s, j)[0];
  if (W > 0) {                                                                   /* else it moves nothing */
    const double change = DLS_IMPULSE_CHANGE(u, r, W, s->c[j], m, s->yield[j]);  /* (2) */
    dls_impulse_add(s, j, 0, 1, change < -r ? &(const double){-r} : &change, v); /* r' >= 0 */
  }
}
/** Length of the tangential parts x[count]. */
static inline double dls_impulse_length(size_t count, const double *x)
{
  return count == 1 ? fabs(x[0]) : hypot(x[0], x[1]);
}
/** x := W_TT^-1 x of contact j; x[d - 1]. */
void dls_impulse_solve_tangents(dls_impulse_contacts *s, size_t j, double *x);
/** x[d - 1] := r_T - W_TT^-1 u_T, the friction with which contact j sticks. @return |x| */
static inline double dls_impulse_stick(dls_impulse_contacts *s, size_t j, const double *v, double *x)
{
  const size_t d = s->config.d, row = d * j;
  for (size_t i = 0; i + 1 < d; i++) {
    x[i] = -dls_impulse_row(s, row + 1 + i, v);
  }
  if (d == 2) { /* as by dls_block_solve */
    const double W_TT = dls_impulse_W(s, j)[3];
    x[0] = W_TT > 0 ? x[0] / W_TT : 0;
  } else {
    dls_impulse_solve_tangents(s, j, x);
  }
  for (size_t i = 0; i + 1 < d; i++) {
    x[i] += s->r[row + 1 + i];
  }
  return dls_impulse_length(d - 1, x);
}
/** (2) of the tangents of contact j, together. */
void dls_impulse_friction(dls_impulse_contacts *s, size_t j, double *v);
/** v += M^-1 H r on the set: the impulses that sweeps start from. */
void dls_impulse_warm_start(dls_impulse_contacts *s, double *v);

#endif
