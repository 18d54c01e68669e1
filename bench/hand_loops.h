/* hand_loops.h -- Moreau-Jean with theta = 1/2 as it is written for one bar and for one column of beads: what a step costs at least.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_BENCH_HAND_LOOPS_H
#define DELASSUS_BENCH_HAND_LOOPS_H

#include <stdbool.h>
#include <stdlib.h>

typedef struct hand_loop {
  void (*step)(struct hand_loop *loop);
  size_t n;                    /* elements of the bar, an even number; beads */
  double h, length;            /* step; length of an element */
  double *q, *v, *x, *d, *l;   /* x: change of velocity, or impulse; 1 / D and L of L D L^T */
  double *column, *gap, *rows; /* of the contact; of the beads; owns all of them */
} hand_loop;

static inline hand_loop hand_loop_of(size_t n, double h, double length, void (*step)(hand_loop *loop))
{
  const size_t size = n + 1;
  double *rows = calloc(7 * size, sizeof *rows);
  if (rows == NULL) {
    abort();
  }
  return (hand_loop){.step = step,
                     .n = n,
                     .h = h,
                     .length = length,
                     .q = rows,
                     .v = rows + size,
                     .x = rows + 2 * size,
                     .d = rows + 3 * size,
                     .l = rows + 4 * size,
                     .column = rows + 5 * size,
                     .gap = rows + 6 * size,
                     .rows = rows};
}

/* --- the bar: n linear elements of a bar of length 1, E = rho = 1, one contact at the first node --- */

/* x := L^-1 (-h K (q + h/2 v)), towards the middle from both ends. */
static inline void bar_inwards(hand_loop *s)
{
  const size_t n = s->n, middle = n / 2;
  const double *restrict q = s->q, *restrict v = s->v, *restrict l = s->l, half = s->h / 2;
  double *restrict x = s->x;
  const double stiff = s->h / s->length;
  double here = q[0] + half * v[0], there = q[n] + half * v[n];
  double before = here, behind = there, up = 0, down = 0, by_up = 0, by_down = 0;
  for (size_t i = 0, k = n; i < middle; i++, k--) {
    const double after = q[i + 1] + half * v[i + 1], ahead = q[k - 1] + half * v[k - 1];
    x[i] = up = -stiff * ((i > 0 ? 2 * here - before : here) - after) - by_up;
    x[k] = down = -stiff * ((k < n ? 2 * there - behind : there) - ahead) - by_down;
    by_up = l[i] * up;
    by_down = l[k - 1] * down;
    before = here;
    here = after;
    behind = there;
    there = ahead;
  }
  x[middle] = -stiff * (2 * here - before - behind) - by_up - by_down;
}

/* x := L^-T D^-1 x, away from the middle. */
static inline void bar_outwards(size_t n, const double *restrict d, const double *restrict l,
                                double *restrict x)
{
  const size_t middle = n / 2;
  double up = x[middle] * d[middle], down = up;
  x[middle] = up;
  for (size_t i = middle, k = middle; i > 0; i--, k++) {
    x[i - 1] = up = x[i - 1] * d[i - 1] - l[i - 1] * up;
    x[k + 1] = down = x[k + 1] * d[k + 1] - l[k] * down;
  }
}

static inline void bar_step(hand_loop *s)
{
  bar_inwards(s);
  bar_outwards(s->n, s->d, s->l, s->x);
  const double h = s->h, u = s->v[0] + s->x[0];
  const double p = s->q[0] + h * s->v[0] <= 0 && u < 0 ? -u / s->column[0] : 0;
  double *restrict q = s->q, *restrict v = s->v;
  const double *restrict x = s->x, *restrict column = s->column;
  for (size_t i = 0; i <= s->n; i++) {
    const double change = x[i] + p * column[i];
    q[i] += h * (v[i] + change / 2);
    v[i] += change;
  }
}

/* It comes down with velocity 1; h is half of what a wave takes to pass an element. */
static inline hand_loop hand_bar(size_t n)
{
  const double h = 0.5 / (double)n, length = 1 / (double)n;
  hand_loop s = hand_loop_of(n, h, length, bar_step);
  const double off = length / 6 - h * h / 4 / length, own = length / 3 + h * h / 4 / length;
  const size_t middle = n / 2;
  for (size_t i = 0, k = n; i < middle; i++, k--) {
    s.d[i] = 1 / (i > 0 ? 2 * own - s.l[i - 1] * off : own);
    s.d[k] = 1 / (k < n ? 2 * own - s.l[k] * off : own);
    s.l[i] = off * s.d[i];
    s.l[k - 1] = off * s.d[k];
  }
  s.d[middle] = 1 / (2 * own - (s.l[middle - 1] + s.l[middle]) * off);
  s.column[0] = 1;
  for (size_t i = 0; i < middle; i++) { /* L^-1 of the first unit vector */
    s.column[i + 1] = -s.l[i] * s.column[i];
  }
  bar_outwards(n, s.d, s.l, s.column);
  for (size_t i = 0; i <= n; i++) {
    s.v[i] = -1;
  }
  return s;
}

/* --- the column: n beads of radius 0.1 m on each other --- */

/* All contacts closed: free velocity, b, W p = -b by L D L^T, velocity, position, gaps. */
static inline void column_rests(hand_loop *s)
{
  const double h = s->h, fall = s->h * 9.81;
  const size_t n = s->n;
  double *restrict q = s->q, *restrict v = s->v, *restrict p = s->x, *restrict gap = s->gap;
  const double *restrict d = s->d, *restrict l = s->l;
  double below = 0;
  for (size_t i = 0; i < n; i++) {
    const double v_free = v[i] - fall;
    p[i] = -(v_free - below) - (i > 0 ? l[i - 1] * p[i - 1] : 0);
    below = v_free;
  }
  p[n] = 0;
  for (size_t i = n; i-- > 0;) {
    p[i] = p[i] * d[i] - l[i] * p[i + 1];
  }
  for (size_t i = 0; i < n; i++) {
    const double next = v[i] - fall + p[i] - p[i + 1];
    q[i] += h / 2 * (v[i] + next);
    v[i] = next;
    gap[i] = i == 0 ? q[0] - 0.1 : q[i] - q[i - 1] - 0.2;
  }
}

/* All contacts open: forecasts of the gaps, velocity, position, gaps. */
static inline void column_falls(hand_loop *s)
{
  const double h = s->h, fall = s->h * 9.81;
  const size_t n = s->n;
  double *restrict q = s->q, *restrict v = s->v, *restrict gap = s->gap;
  bool closed = false;
  for (size_t i = 0; i < n; i++) {
    closed = closed || gap[i] + h * (i == 0 ? v[0] : v[i] - v[i - 1]) <= 0;
  }
  if (closed) {
    abort(); /* it is to fall */
  }
  for (size_t i = 0; i < n; i++) {
    const double next = v[i] - fall;
    q[i] += h / 2 * (v[i] + next);
    v[i] = next;
    gap[i] = i == 0 ? q[0] - 0.1 : q[i] - q[i - 1] - 0.2;
  }
}

static inline hand_loop hand_column(size_t n, double h, double space, void (*step)(hand_loop *loop))
{
  hand_loop s = hand_loop_of(n, h, 0, step);
  for (size_t i = 0; i < n; i++) { /* W = tridiag(-1, 2, -1), 1 at the floor; masses of 1 kg */
    s.d[i] = 1 / ((i == 0 ? 1 : 2) - (i > 0 ? -s.l[i - 1] : 0));
    s.l[i] = -s.d[i];
    s.q[i] = 0.1 + space + (0.2 + space) * (double)i;
    s.gap[i] = space;
  }
  return s;
}

static inline hand_loop hand_column_at_rest(size_t n)
{
  return hand_column(n, 1e-3, 0, column_rests);
}

/* From so high that it does not land. */
static inline hand_loop hand_column_in_the_air(size_t n)
{
  return hand_column(n, 1e-6, 1e3, column_falls);
}

static inline void hand_loop_free(hand_loop *loop)
{
  free(loop->rows);
}

#endif
