/* rigid_discs.c -- two rigid discs in a box without load: straight flights from impact to impact. The discs meet where
 *   a s^2 + 2 b s + c = 0,  a = |w|^2, b = d . w < 0, c = |d|^2 - 4 R^2:   s = c/(-b + sqrt(b^2 - a c)),        (1)
 * d and w the relative position and velocity. An impact involves all contacts that touch and do not separate,
 *   u+ = u- + W P,   0 <= u+ + e u-  _|_  P >= 0,   W = H^T M^-1 H,                                             (2)
 * at most three for each disc, so that the pushing set is found by enumeration. A disc that does not leave its wall (e = 0) slides along it. Two impacts at the same double t are one. Source: elementary.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include "common/models/elements/disc_box.h"
#include <delassus/exact.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 4, M = DLS_DISC_CONTACTS, PUSHING = 4 }; /* no more than N forces are independent */
static const long double rounding = 64 * LDBL_EPSILON;

extern const dls_model dls_model_rigid_discs;

typedef struct flight {
  long double start, q[N], v[N]; /* right limits */
  double P[M];                   /* of the impact at its start */
  bool closed[M];                /* touches and does not part */
  bool impact;
  dls_event event; /* of the contact that closes fastest */
} flight;

struct dls_exact_solution {
  dls_pieces list; /* flights */
  double p[DLS_DISC_PARAMETERS];
};

static const flight *flight_of(const dls_exact_solution *sol, size_t piece)
{
  return (const flight *)sol->list.of + piece;
}

/* Column of contact j in H of (2). */
static void gradient(const double *p, const long double *q, size_t j, long double *h)
{
  memset(h, 0, N * sizeof *h);
  if (j < DLS_DISC_BETWEEN) {
    const dls_disc_wall wall = dls_disc_wall_of(p, j);
    h[wall.coordinate] = wall.sign;
    return;
  }
  const long double d[] = {q[2] - q[0], q[3] - q[1]}, length = fmaxl(hypotl(d[0], d[1]), LDBL_MIN);
  for (size_t i = 0; i < 2; i++) {
    h[i] = -d[i] / length;
    h[2 + i] = d[i] / length;
  }
}

static long double gap_of(const double *p, const long double *q, size_t j)
{
  const long double R = p[DLS_DISC_RADIUS];
  if (j == DLS_DISC_BETWEEN) {
    return hypotl(q[2] - q[0], q[3] - q[1]) - 2 * R;
  }
  const dls_disc_wall wall = dls_disc_wall_of(p, j);
  return wall.sign * (q[wall.coordinate] - (long double)wall.at) - R;
}

static long double dot(const long double *a, const long double *b)
{
  long double sum = 0;
  for (size_t i = 0; i < N; i++) {
    sum += a[i] * b[i];
  }
  return sum;
}

static long double speed_of(const flight *f)
{
  return sqrtl(dot(f->v, f->v));
}

/* (1); INFINITY if they pass, or graze. */
static long double discs_meet(const double *p, const flight *f)
{
  const long double d[] = {f->q[2] - f->q[0], f->q[3] - f->q[1]}, w[] = {f->v[2] - f->v[0], f->v[3] - f->v[1]};
  const long double reach = 2 * (long double)p[DLS_DISC_RADIUS], length = hypotl(d[0], d[1]);
  const long double a = w[0] * w[0] + w[1] * w[1], b = d[0] * w[0] + d[1] * w[1];
  const long double c = (length - reach) * (length + reach), inside = b * b - a * c;
  return b < -rounding * length * sqrtl(a) && inside > 0 ? fmaxl(c, 0) / (-b + sqrtl(inside)) : HUGE_VALL;
}

/* Time until contact j closes. */
static long double closes(const double *p, const flight *f, size_t j)
{
  if (f->closed[j]) {
    return HUGE_VALL;
  }
  if (j == DLS_DISC_BETWEEN) {
    return discs_meet(p, f);
  }
  long double h[N];
  gradient(p, f->q, j, h);
  const long double u = dot(h, f->v);
  return u < 0 ? fmaxl(gap_of(p, f->q, j), 0) / -u : HUGE_VALL;
}

typedef struct impact {
  size_t count, contact[M];
  long double h[M][N], u[M]; /* columns of H; u- */
} impact;

/* H_a^T M^-1 H_b */
static long double delassus(const double *p, const impact *at, size_t a, size_t b)
{
  long double sum = 0;
  for (size_t i = 0; i < N; i++) {
    sum += at->h[a][i] * at->h[b][i] / p[DLS_DISC_MASS + i / 2];
  }
  return sum;
}

/* Solve A x = b, x = b before, A symmetric positive definite, by elimination in place. @return false if a pivot is rounding of what
 * it is left of: A is singular */
static bool solve(size_t count, long double A[PUSHING][PUSHING], long double *x)
{
  long double whole[PUSHING]; /* diagonal of A */
  for (size_t k = 0; k < count; k++) {
    whole[k] = A[k][k];
  }
  for (size_t k = 0; k < count; k++) {
    if (!(A[k][k] > rounding * whole[k])) {
      return false;
    }
    for (size_t i = k + 1; i < count; i++) { /* row i -= A_ik/A_kk row k */
      const long double factor = A[i][k] / A[k][k];
      for (size_t j = k; j < count; j++) {
        A[i][j] -= factor * A[k][j];
      }
      x[i] -= factor * x[k];
    }
  }
  for (size_t k = count; k-- > 0;) { /* x_k = (x_k - sum_(j > k) A_kj x_j)/A_kk */
    for (size_t j = k + 1; j < count; j++) {
      x[k] -= A[k][j] * x[j];
    }
    x[k] /= A[k][k];
  }
  return true;
}

/* P of (2) if just the contacts of a set push: W_ss P_s = -(1 + e) u-_s, the others 0. @return false if W_ss is singular */
static bool push(const double *p, const impact *at, unsigned set, long double *P)
{
  size_t pushing[M], count = 0;
  long double A[PUSHING][PUSHING], x[PUSHING];
  for (size_t a = 0; a < at->count; a++) {
    P[a] = 0;
    if (set >> a & 1U) {
      pushing[count++] = a;
    }
  }
  for (size_t i = 0; count <= PUSHING && i < count; i++) {
    x[i] = -(1 + (long double)p[DLS_DISC_RESTITUTION]) * at->u[pushing[i]];
    for (size_t k = 0; k < count; k++) {
      A[i][k] = delassus(p, at, pushing[i], pushing[k]);
    }
  }
  if (count > PUSHING || !solve(count, A, x)) {
    return false;
  }
  for (size_t i = 0; i < count; i++) {
    P[pushing[i]] = x[i];
  }
  return true;
}

/* P >= 0 and u+ + e u- = (1 + e) u- + W P >= 0, to rounding */
static bool holds(const double *p, const impact *at, const long double *P, long double scale)
{
  for (size_t a = 0; a < at->count; a++) {
    long double w = (1 + (long double)p[DLS_DISC_RESTITUTION]) * at->u[a];
    for (size_t b = 0; b < at->count; b++) {
      w += P[b] == 0 ? 0 : delassus(p, at, a, b) * P[b];
    }
    if (P[a] < 0 || w < -rounding * scale) {
      return false;
    }
  }
  return true;
}

/* Contacts that touch at f: those that hit, and those that have been closed since the last impact. */
static void gather(const double *p, const flight *f, const bool *hits, impact *at)
{
  at->count = 0;
  for (size_t j = 0; j < M; j++) {
    if (!hits[j] && !f->closed[j]) {
      continue;
    }
    at->contact[at->count] = j;
    gradient(p, f->q, j, at->h[at->count]);
    at->u[at->count] = dot(at->h[at->count], f->v);
    at->count++;
  }
}

/* Which contacts do not part; a disc's velocity towards its wall is exactly 0 then. */
static void settle(const double *p, flight *f, const impact *at, long double scale)
{
  memset(f->closed, 0, sizeof f->closed);
  for (size_t a = 0; a < at->count; a++) {
    const size_t j = at->contact[a];
    if (fabsl(dot(at->h[a], f->v)) > rounding * scale) {
      continue;
    }
    if (j < DLS_DISC_BETWEEN) {
      f->v[dls_disc_wall_of(p, j).coordinate] = 0;
      f->closed[j] = true;
    } else { /* what moves across the line of centres parts */
      f->closed[j] = hypotl(f->v[2] - f->v[0], f->v[3] - f->v[1]) <= rounding * scale;
    }
  }
}

/* P of (2), by trying the sets that may push. @return false if none does, which does not happen */
static bool impulses(const double *p, const impact *at, long double scale, long double *P)
{
  for (unsigned set = 0; set < 1U << at->count; set++) {
    if (push(p, at, set, P) && holds(p, at, P, scale)) {
      return true;
    }
  }
  return false;
}

static dls_event event_of(const flight *f, const impact *at, size_t a, long double P, long double scale)
{
  const long double u = dot(at->h[a], f->v);
  return (dls_event){.t = (double)f->start,
                     .kind = DLS_IMPACT,
                     .contact = at->contact[a],
                     .u_minus = (double)at->u[a],
                     .u_plus = fabsl(u) > rounding * scale ? (double)u : 0,
                     .impulse = (double)P};
}

/* The impact of the contacts that hit and those that are closed. */
static bool strike(const double *p, flight *f, const bool *hits)
{
  impact at;
  long double P[M];
  const long double scale = speed_of(f);
  gather(p, f, hits, &at);
  memset(f->P, 0, sizeof f->P);
  f->impact = false;
  if (!impulses(p, &at, scale, P)) {
    return false;
  }
  for (size_t a = 0; a < at.count; a++) { /* v+ = v- + M^-1 H P */
    f->P[at.contact[a]] = (double)P[a];
    for (size_t i = 0; i < N; i++) {
      f->v[i] += at.h[a][i] * P[a] / p[DLS_DISC_MASS + i / 2];
    }
  }
  for (size_t a = 0; a < at.count; a++) {
    if (P[a] > 0 && (!f->impact || at.u[a] < f->event.u_minus)) { /* that closes fastest */
      f->impact = true;
      f->event = event_of(f, &at, a, P[a], scale);
    }
  }
  settle(p, f, &at, scale);
  return true;
}

/* The first impact after f within the time left; *s and who hits. @return whether there is one */
static bool next_hit(const double *p, const flight *f, long double left, long double *s, bool *hits)
{
  long double time[M];
  *s = HUGE_VALL;
  for (size_t j = 0; j < M; j++) {
    time[j] = closes(p, f, j);
    *s = fminl(*s, time[j]);
  }
  for (size_t j = 0; j < M; j++) {
    hits[j] = time[j] - *s <= DBL_EPSILON * (f->start + *s);
  }
  return *s <= left;
}

static void move(flight *f, long double s)
{
  for (size_t i = 0; i < N; i++) {
    f->q[i] += s * f->v[i];
  }
  f->start += s;
}

/* Behind an impact; two that t does not tell apart have piled up. */
static dls_status append(dls_exact_solution *sol, const flight *f, dls_error *err)
{
  const size_t count = sol->list.count;
  if (count > 0 && !((double)f->start > (double)flight_of(sol, count - 1)->start)) {
    return dls_fail(err, DLS_ERR_CHATTERING,
                    "rigid-discs: impacts accumulate by t = %.9g s, no more are computed", (double)f->start);
  }
  return dls_pieces_push(&sol->list, f, err);
}

/* The contacts that touch at the start: those that close are an impact at t = 0. */
static bool begin(const double *p, flight *f)
{
  bool hits[M];
  for (size_t j = 0; j < M; j++) {
    hits[j] = gap_of(p, f->q, j) <= 0;
  }
  return strike(p, f, hits);
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  sol->list.size = sizeof(flight);
  memcpy(sol->p, p, sizeof sol->p);
  flight f = {.start = 0};
  for (size_t i = 0; i < N; i++) {
    f.q[i] = p[DLS_DISC_START + i];
    f.v[i] = p[DLS_DISC_SPEED + i];
  }
  long double s = 0;
  bool hits[M], solved = begin(p, &f);
  dls_status status =
      append(sol, &f, err); /* the first flight; then q += s v to the next impact, and (2) there */
  while (solved && status == DLS_OK && next_hit(p, &f, end - f.start, &s, hits)) {
    move(&f, s);
    solved = strike(p, &f, hits);
    status = append(sol, &f, err);
  }
  return solved ? status
                : dls_fail(err, DLS_ERR_NOCONV, "rigid-discs: no impulses at t = %.17g s", (double)f.start);
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  long double x[N], w[N], h[N];
  (void)t;
  for (size_t i = 0; i < N; i++) {
    x[i] = q[i];
    w[i] = v[i];
  }
  for (size_t j = 0; j < M; j++) {
    gradient(sol->p, x, j, h);
    g[j] = (double)gap_of(sol->p, x, j);
    u[j] = (double)dot(h, w);
  }
}

static bool event(const dls_exact_solution *sol, size_t piece, dls_event *out)
{
  *out = flight_of(sol, piece)->event;
  return flight_of(sol, piece)->impact;
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  for (size_t i = 0; i < N; i++) {
    out->q[i] = sol->p[DLS_DISC_START + i];
    out->v[i] = sol->p[DLS_DISC_SPEED + i];
    out->a[i] = 0;
  }
  for (size_t j = 0; j < M; j++) {
    out->p[j] = out->lambda[j] = 0;
    out->status[j] = 0;
  }
}

static void value(const dls_exact_solution *sol, size_t piece, double t, dls_exact_value *out)
{
  flight f = *flight_of(sol, piece);
  const bool last = piece + 1 == sol->list.count, at_start = t <= (double)f.start;
  const long double end = last ? HUGE_VALL : flight_of(sol, piece + 1)->start;
  move(&f, at_start ? 0 : !last && t >= (double)end ? end - f.start : t - f.start);
  for (size_t i = 0; i < N; i++) {
    out->q[i] = (double)f.q[i];
    out->v[i] = (double)f.v[i];
    out->a[i] = 0;
  }
  for (size_t j = 0; j < M; j++) {
    out->p[j] = at_start ? f.P[j] : 0;
    out->lambda[j] = 0;
    out->status[j] = f.closed[j];
  }
}

const dls_exact dls_exact_rigid_discs = {
    .model = &dls_model_rigid_discs,
    .summary = "straight flights between impacts",
    .source = "elementary",
    .n = N,
    .m = M,
    .create = create,
    DLS_PIECES_CALLS,
    .gap = gap,
    .initial = initial,
    .value = value,
    .event = event,
};
