/* analytic/exact/ball_chain.c -- balls on a line between binary collisions: with the masses m, M and the velocities v, w of a pair
 *   v+ = V + e M/(m + M) (w - v),   w+ = V - e m/(m + M) (w - v),   V = (m v + M w)/(m + M).
 * The next collision is that of the pair with the least gap over its approach speed. Collisions of one ball with two at the same time are no
 * binary collisions: they are refused.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/exact/support/pieces.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT, MASS, RATIO, RADIUS, GAP, RESTITUTION, SPEED, MOST = 100 };

typedef struct piece {
  long double start;
  dls_event event;              /* at the start, but for the first piece */
  long double q[MOST], v[MOST]; /* n: at the start */
} piece;

struct dls_exact_solution {
  dls_pieces list;
  size_t n;
  long double mass, ratio, diameter, e;
};

static const piece *piece_at(const dls_exact_solution *sol, size_t index)
{
  return (const piece *)((const char *)sol->list.of + index * sol->list.size);
}

/* Times that differ by this part of the time are the same: some thousand roundings of a motion. */
static const long double same_time = 1e-15L;

static long double until_hit(const dls_exact_solution *sol, const piece *at, size_t j)
{
  const long double approach = at->v[j] - at->v[j + 1];
  return approach > 0 ? fmaxl((at->q[j + 1] - at->q[j] - sol->diameter) / approach, 0) : (long double)INFINITY;
}

static void collide(const dls_exact_solution *sol, piece *at, size_t j)
{
  const long double m = sol->mass * powl(sol->ratio, (long double)j), M = m * sol->ratio;
  const long double v = at->v[j], w = at->v[j + 1], together = (m * v + M * w) / (m + M);
  at->v[j] = together + sol->e * M / (m + M) * (w - v);
  at->v[j + 1] = together - sol->e * m / (m + M) * (w - v);
  at->event = (dls_event){.t = (double)at->start,
                          .kind = DLS_IMPACT,
                          .contact = j,
                          .u_minus = (double)(w - v),
                          .u_plus = (double)(at->v[j + 1] - at->v[j]),
                          .impulse = (double)(M * (at->v[j + 1] - w))};
}

/* The next collision. @return false: there is none up to the end, or an error */
static bool next(const dls_exact_solution *sol, piece *at, double end, dls_status *status, dls_error *err)
{
  long double first = (long double)INFINITY;
  size_t pair = 0;
  for (size_t j = 0; j + 1 < sol->n; j++) {
    const long double s = until_hit(sol, at, j);
    pair = s < first ? j : pair;
    first = fminl(first, s);
  }
  const long double t = at->start + first;
  if (!(t <= end)) {
    return false;
  }
  for (size_t j = 0; j + 1 < sol->n; j++) {
    if (j != pair && until_hit(sol, at, j) - first <= same_time * t) {
      *status = dls_fail(
          err, DLS_ERR_NOT_APPLICABLE,
          "ball-chain: t = %.9Lg s: contacts %zu and %zu hit at the same time, which is not a sequence of "
          "binary collisions",
          t, pair < j ? pair : j, pair < j ? j : pair);
      return false;
    }
  }
  for (size_t i = 0; i < sol->n; i++) {
    at->q[i] += at->v[i] * first;
  }
  at->q[pair + 1] = at->q[pair] + sol->diameter;
  at->start = t;
  collide(sol, at, pair);
  return true;
}

static dls_status create(const double *p, double end, dls_exact_solution **out, dls_error *err)
{
  dls_exact_solution *sol = *out = calloc(1, sizeof *sol);
  if (sol == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an exact solution");
  }
  *sol = (dls_exact_solution){.list = {.size = sizeof(piece)},
                              .n = (size_t)p[COUNT],
                              .mass = p[MASS],
                              .ratio = p[RATIO],
                              .diameter = 2 * (long double)p[RADIUS],
                              .e = p[RESTITUTION]};
  if (p[GAP] == 0 && sol->n > 2) {
    return dls_fail(
        err, DLS_ERR_NOT_APPLICABLE,
        "ball-chain: gap = 0: the impact law decides about balls that touch, there is no sequence of "
        "binary collisions");
  }
  piece at = {.v = {p[SPEED]}};
  for (size_t i = 1; i < sol->n; i++) {
    at.q[i] = (long double)i * (sol->diameter + p[GAP]);
  }
  dls_status status = dls_pieces_push(&sol->list, &at, err);
  while (status == DLS_OK && next(sol, &at, end, &status, err)) {
    const bool at_once = at.start == 0; /* the first piece begins with it */
    sol->list.count -= at_once;
    status = dls_pieces_push(&sol->list, &at, err);
  }
  return status;
}

static void gap(const dls_exact_solution *sol, double t, const double *q, const double *v, double *g, double *u)
{
  (void)t;
  for (size_t j = 0; j + 1 < sol->n; j++) {
    g[j] = (double)((long double)q[j + 1] - q[j] - sol->diameter);
    u[j] = v[j + 1] - v[j];
  }
}

static bool event(const dls_exact_solution *sol, size_t index, dls_event *out)
{
  *out = piece_at(sol, index)->event;
  return out->impulse > 0;
}

static void clear(const dls_exact_solution *sol, dls_exact_value *out)
{
  memset(out->a, 0, sol->n * sizeof *out->a);
  for (size_t j = 0; j + 1 < sol->n; j++) {
    out->p[j] = out->lambda[j] = 0;
    out->status[j] = 0;
  }
}

static void value(const dls_exact_solution *sol, size_t index, double t, dls_exact_value *out)
{
  const piece *at = piece_at(sol, index);
  const bool starts = t <= (double)at->start, last = index + 1 == sol->list.count;
  const bool ends = !last && t >= dls_pieces_start(sol, index + 1);
  const long double s = starts ? 0 : ends ? piece_at(sol, index + 1)->start - at->start : t - at->start;
  clear(sol, out);
  for (size_t i = 0; i < sol->n; i++) {
    out->q[i] = (double)(at->q[i] + at->v[i] * s);
    out->v[i] = (double)at->v[i];
  }
  if (starts) {
    out->p[at->event.contact] = at->event.impulse;
  }
}

static void initial(const dls_exact_solution *sol, dls_exact_value *out)
{
  const piece *at = piece_at(sol, 0);
  value(sol, 0, 0, out);
  clear(sol, out);
  out->v[0] = (double)(at->v[0] + at->event.impulse / sol->mass);
  out->v[1] = 0;
}

extern const dls_model dls_model_ball_chain;
extern const dls_exact dls_exact_ball_chain;
const dls_exact dls_exact_ball_chain = {
    .model = &dls_model_ball_chain,
    .summary = "straight motion between binary collisions in closed form; gap > 0",
    .source = "elementary",
    .create = create,
    DLS_PIECES_CALLS,
    .gap = gap,
    .initial = initial,
    .value = value,
    .event = event,
};
