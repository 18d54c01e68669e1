/* analytic/rigorous/chord.c -- see chord.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/chord.h"
#include <math.h>

void dls_ball_chords_init(dls_ball_chords *work, slong dim, const arb_t tau, slong prec)
{
  *work = (dls_ball_chords){.dim = dim, .prec = prec, .tau = tau};
  work->value = _arb_vec_init(1 + dim);
  work->slope = _arb_vec_init(1 + dim);
  work->at = flint_malloc(4 * (1 + (size_t)dim) * sizeof *work->at);
  work->rate = work->at + 2 * (1 + dim);
}

void dls_ball_chords_clear(dls_ball_chords *work)
{
  _arb_vec_clear(work->value, 1 + work->dim);
  _arb_vec_clear(work->slope, 1 + work->dim);
  flint_free(work->at);
}

void dls_ball_chord_init(dls_ball_chord *chord, slong dim)
{
  chord->from = _arb_vec_init(1 + dim);
  chord->to = _arb_vec_init(1 + dim);
  chord->sag = _mag_vec_init(1 + dim);
}

void dls_ball_chord_clear(dls_ball_chord *chord, slong dim)
{
  _arb_vec_clear(chord->from, 1 + dim);
  _arb_vec_clear(chord->to, 1 + dim);
  _mag_vec_clear(chord->sag, 1 + dim);
}

/* Of the polynomials. */
static void set_point(arb_ptr point, const dls_ball_chords *work, const dls_ball_segment *segment,
                      const arf_t s)
{
  arb_set_arf(point, segment->jump ? segment->t : s);
  arb_div(point, point, work->tau, work->prec);
  dls_ball_segment_at(point + 1, segment, work->dim, s, work->prec);
}

void dls_ball_point_set(arb_ptr point, const dls_ball_chords *work, const dls_ball_segment *segment,
                        const arf_t s)
{
  set_point(point, work, segment, s);
  for (slong j = 0; j < work->dim; j++) {
    arb_add_error_mag(point + 1 + j, segment->rest + j);
  }
}

/* (b - a)^2/8 max |x''| + rest */
static void set_sag(mag_t sag, const dls_ball_segment *segment, slong j, const arb_t s)
{
  enum { FEW = 40 }; /* bits: as many as a bound has */
  arb_t second;
  mag_t size;
  arb_init(second);
  mag_init(size);
  dls_ball_segment_derivative(second, segment, j, 2, s, FEW);
  arb_get_mag(size, second);
  mag_mul(size, size, arb_radref(s));
  mag_mul(size, size, arb_radref(s)); /* a quarter of (b - a)^2 at least */
  mag_mul_2exp_si(size, size, -1);
  mag_add(sag, size, segment->rest + j);
  arb_clear(second);
  mag_clear(size);
}

void dls_ball_chord_set(dls_ball_chord *chord, const dls_ball_chords *work, const dls_ball_segment *segment,
                        const arf_t a, const arf_t b)
{
  arb_t s;
  arb_init(s);
  set_point(chord->from, work, segment, a);
  set_point(chord->to, work, segment, b);
  arb_set_interval_arf(s, a, b, work->prec);
  for (slong j = 0; j < work->dim; j++) {
    set_sag(chord->sag + 1 + j, segment, j, s);
  }
  arb_clear(s);
}

static double number(const arb_t x)
{
  return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

/* f_k = point - from - lambda (to - from): balls, and doubles of +-f_k - sag. */
static void set_functions(const dls_ball_chords *work, arb_srcptr point, const dls_ball_chord *chord,
                          mag_srcptr more)
{
  for (slong k = 0; k <= work->dim; k++) {
    arb_sub(work->value + k, point + k, chord->from + k, work->prec);
    arb_sub(work->slope + k, chord->from + k, chord->to + k, work->prec);
    const double value = number(work->value + k), slope = number(work->slope + k),
                 sag = mag_get_d(chord->sag + k) + (more != NULL ? mag_get_d(more + k) : 0);
    work->at[2 * k] = value - sag;
    work->at[2 * k + 1] = -value - sag;
    work->rate[2 * k] = slope;
    work->rate[2 * k + 1] = -slope;
  }
}

/* The least maximum of the functions on [0, 1] goes along `one` down to `two`, that does not fall; one = two at an end. */
static double least(const dls_ball_chords *work, slong *one, slong *two)
{
  const slong count = 2 * (1 + work->dim);
  const double *at = work->at, *rate = work->rate;
  slong now = 0;
  double lambda = 0;
  for (slong k = 1; k < count; k++) {
    now = at[k] > at[now] || (at[k] == at[now] && rate[k] > rate[now]) ? k : now;
  }
  *one = *two = now;
  while (rate[now] < 0) {
    double next = 1;
    slong then = -1;
    for (slong k = 0; k < count; k++) {
      const double meet = rate[k] > rate[now] ? fmax(lambda, (at[now] - at[k]) / (rate[k] - rate[now])) : 2;
      if (meet < next || (then >= 0 && meet == next && rate[k] > rate[then])) {
        next = meet;
        then = k;
      }
    }
    *one = now;
    *two = then < 0 ? now : then;
    lambda = next;
    if (then < 0) {
      break;
    }
    now = then;
  }
  return lambda;
}

/* Function k of the doubles, as a ball, at lambda. */
static void function(arb_t out, const dls_ball_chords *work, const dls_ball_chord *chord, mag_srcptr more,
                     slong k, const arb_t lambda)
{
  mag_t sag;
  arb_t part;
  mag_init(sag);
  arb_init(part);
  arb_mul(out, work->slope + k / 2, lambda, work->prec);
  arb_add(out, out, work->value + k / 2, work->prec);
  if (k % 2 == 1) {
    arb_neg(out, out);
  }
  mag_set(sag, chord->sag + k / 2);
  if (more != NULL) {
    mag_add(sag, sag, more + k / 2);
  }
  arf_set_mag(arb_midref(part), sag);
  arb_sub(out, out, part, work->prec);
  mag_clear(sag);
  arb_clear(part);
}

static double below(const arb_t x)
{
  arf_t bound;
  arf_init(bound);
  arb_get_lbound_arf(bound, x, 64);
  const double low = arf_get_d(bound, ARF_RND_FLOOR);
  arf_clear(bound);
  return low;
}

/* w one + (1 - w) two at both ends: the less of them is no more than the maximum of all functions anywhere. */
static double prove(const dls_ball_chords *work, const dls_ball_chord *chord, mag_srcptr more, slong one,
                    slong two)
{
  const double *rate = work->rate;
  const double weight = one == two ? 1 : rate[two] / (rate[two] - rate[one]);
  double low = HUGE_VAL;
  arb_t w, lambda, f, g;
  arb_init(w);
  arb_init(lambda);
  arb_init(f);
  arb_init(g);
  for (int end = 0; end < 2; end++) {
    arb_set_si(lambda, end);
    arb_set_d(w, weight);
    function(f, work, chord, more, one, lambda);
    function(g, work, chord, more, two, lambda);
    arb_sub(f, f, g, work->prec);
    arb_addmul(g, w, f, work->prec);
    low = fmin(low, below(g));
  }
  arb_clear(w);
  arb_clear(lambda);
  arb_clear(f);
  arb_clear(g);
  return weight >= 0 && weight <= 1 ? low : 0;
}

/* max |f_k| + sag at lambda */
static double farthest(const dls_ball_chords *work, const dls_ball_chord *chord, mag_srcptr more, double lambda)
{
  arb_t at, f;
  arb_init(at);
  arb_init(f);
  double high = 0;
  arf_t bound, sag;
  arf_init(bound);
  arf_init(sag);
  arb_set_d(at, lambda);
  for (slong k = 0; k <= work->dim; k++) {
    arb_mul(f, work->slope + k, at, work->prec);
    arb_add(f, f, work->value + k, work->prec);
    arb_get_abs_ubound_arf(bound, f, 64);
    arf_set_mag(sag, chord->sag + k);
    arf_add(bound, bound, sag, 64, ARF_RND_UP);
    if (more != NULL) {
      arf_set_mag(sag, more + k);
      arf_add(bound, bound, sag, 64, ARF_RND_UP);
    }
    high = fmax(high, arf_get_d(bound, ARF_RND_CEIL));
  }
  arf_clear(bound);
  arf_clear(sag);
  arb_clear(at);
  arb_clear(f);
  return high;
}

void dls_ball_chord_distance(const dls_ball_chords *work, arb_srcptr point, const dls_ball_chord *chord,
                             mag_srcptr more, double *low, double *high, double *where)
{
  slong one, two;
  set_functions(work, point, chord, more);
  *where = fmin(1, least(work, &one, &two));
  *high = farthest(work, chord, more, *where);
  *low = fmax(0, prove(work, chord, more, one, two));
}
