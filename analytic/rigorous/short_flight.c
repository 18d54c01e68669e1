/* analytic/rigorous/short_flight.c -- see short_flight.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/short_flight.h"

enum {
  NEWTON = 12,    /* iterations; the error is squared in each */
  SLOPE_BITS = 64 /* of derivatives: they multiply radii only */
};

/* n terms of the Taylor series of all states, and what they leave out up to the latest impact */
typedef struct expansion {
  slong k, n;
  arb_ptr a;    /* k x n */
  mag_ptr rest; /* k */
} expansion;

static void expansion_init(expansion *e, const dls_ball_flow *flow, arb_srcptr x, const mag_t span, slong prec)
{
  e->k = flow->k;
  e->n = dls_ball_flow_terms(flow, span, prec);
  e->a = _arb_vec_init(e->k * e->n);
  e->rest = _mag_vec_init(e->k);
  dls_ball_flow_series(e->a, e->n, flow, x, prec);
  dls_ball_flow_rest(e->rest, e->n, flow, x, span);
}

static void expansion_clear(expansion *e)
{
  _arb_vec_clear(e->a, e->k * e->n);
  _mag_vec_clear(e->rest, e->k);
}

static void expansion_at(arb_ptr x, const expansion *e, const arb_t s, slong prec)
{
  for (slong j = 0; j < e->k; j++) {
    _arb_poly_evaluate(x + j, e->a + j * e->n, e->n, s, prec);
    arb_add_error_mag(x + j, e->rest + j);
  }
}

/* fall: -u' until 2 V/a0; span: upper bound of 2 V/a0. @return false if -u' may be 0 by then */
static bool enclose_fall(arb_t fall, mag_t span, const dls_ball_system *system, arb_srcptr x)
{
  const dls_ball_flow *flow = &system->flight;
  arb_srcptr row = arb_mat_entry(flow->L, DLS_BALL_RATE, 0);
  dls_ball_series series;
  arf_t start;
  arb_t needed;
  mag_t reach;
  arf_init(start);
  arb_init(needed);
  mag_init(reach);
  dls_ball_dot(fall, row, x, flow->k, MAG_BITS);
  arb_div(needed, x + DLS_BALL_RATE, fall, MAG_BITS);
  arb_get_mag(span, needed);
  mag_mul_ui(span, span, 3); /* half as long again as under a constant force */
  mag_mul(reach, span, flow->rate);
  bool good = arb_is_negative(fall) && mag_cmp_2exp_si(reach, 1) < 0;
  if (good) {
    dls_ball_series_init(&series, flow, row, x, span, MAG_BITS);
    dls_ball_series_range(fall, &series, 0, start, span, MAG_BITS);
    arb_neg(fall, fall);
    dls_ball_series_clear(&series);
    arb_div(needed, x + DLS_BALL_RATE, fall, MAG_BITS);
    arb_mul_2exp_si(needed, needed, 1);
    arb_get_mag(reach, needed);
    good = arb_is_positive(fall) && mag_cmp(reach, span) <= 0;
  }
  arf_clear(start);
  arb_clear(needed);
  mag_clear(reach);
  return good;
}

/* Is 0 < s <= span? */
static bool is_within(const arb_t s, const mag_t span)
{
  mag_t latest;
  mag_init(latest);
  arb_get_mag(latest, s);
  const bool within = arb_is_positive(s) && arb_is_finite(s) && mag_cmp(latest, span) <= 0;
  mag_clear(latest);
  return within;
}

/* The zero of g/s from a guess, g by its series. @return false if no point near it is before the end of the series */
static bool zero_of_middle(arb_t s, const expansion *e, const arb_t fall, const mag_t span, slong prec)
{
  arb_srcptr h = e->a + DLS_BALL_GAP * e->n + 1; /* g/s = a_1 + a_2 s + ... */
  arb_t value, slope;
  mag_t left_out, least;
  arb_init(value);
  arb_init(slope);
  mag_init(left_out);
  mag_init(least);
  for (int i = 0; i < NEWTON; i++) { /* not a proof: any point will do */
    _arb_poly_evaluate2(value, slope, h, e->n - 1, s, prec);
    arb_div(value, value, slope, prec);
    arb_sub(s, s, value, prec);
    arb_get_mid_arb(s, s);
    arb_get_mag(left_out, value);
    arb_get_mag_lower(least, s);
    mag_mul_2exp_si(least, least, -prec / 2);
    if (mag_cmp(left_out, least) < 0) {
      break;
    }
  }
  const bool within = is_within(s, span);
  _arb_poly_evaluate(value, h, e->n - 1, s, prec);
  arb_get_mag_lower(least, s);
  mag_div(left_out, e->rest + DLS_BALL_GAP, least);
  arb_add_error_mag(value, left_out);
  arb_div(value, value, fall, prec); /* s - h/slope, slope = -fall/2 */
  arb_mul_2exp_si(value, value, 1);
  arb_add(s, s, value, prec);
  arb_clear(value);
  arb_clear(slope);
  mag_clear(left_out);
  mag_clear(least);
  return within;
}

/* Derivatives of the states at an impact by the states that are not known exactly: columns of exp(L s). */
typedef struct slopes {
  slong k;
  expansion *column; /* k; n = 0 of a state that is known exactly */
  arb_mat_t at;      /* k x k, at the time last asked for */
  arb_ptr off;       /* k; x_i - m_i */
} slopes;

static void slopes_init(slopes *d, const dls_ball_flow *flow, arb_srcptr x, const mag_t span)
{
  arb_ptr unit = _arb_vec_init(flow->k);
  *d = (slopes){.k = flow->k, .column = flint_calloc((size_t)flow->k, sizeof *d->column)};
  d->off = _arb_vec_init(d->k);
  arb_mat_init(d->at, d->k, d->k);
  for (slong i = 0; i < d->k; i++) {
    if (!mag_is_zero(arb_radref(x + i))) {
      arb_add_error_mag(d->off + i, arb_radref(x + i));
      arb_one(unit + i);
      expansion_init(&d->column[i], flow, unit, span, SLOPE_BITS);
      arb_zero(unit + i);
    }
  }
  _arb_vec_clear(unit, d->k);
}

static void slopes_clear(slopes *d)
{
  for (slong i = 0; i < d->k; i++) {
    if (d->column[i].n > 0) {
      expansion_clear(&d->column[i]);
    }
  }
  flint_free(d->column);
  _arb_vec_clear(d->off, d->k);
  arb_mat_clear(d->at);
}

static void slopes_at(slopes *d, const arb_t s)
{
  arb_ptr x = _arb_vec_init(d->k);
  for (slong i = 0; i < d->k; i++) {
    if (d->column[i].n > 0) {
      expansion_at(x, &d->column[i], s, SLOPE_BITS);
      for (slong j = 0; j < d->k; j++) {
        arb_swap(arb_mat_entry(d->at, j, i), x + j);
      }
    }
  }
  _arb_vec_clear(x, d->k);
}

static void slopes_row(arb_t out, const slopes *d, slong row)
{
  dls_ball_dot(out, arb_mat_entry(d->at, row, 0), d->off, d->k, SLOPE_BITS);
}

/* The impact times of all states x: for r = s(m), s(x) = r - h(r; x)/slope with h(r; x) = (exp(L r) (x - m))_g/r. */
static void all_times(arb_t s, slopes *d, const arb_t of_middle, const arb_t fall)
{
  arb_t scale;
  arb_init(scale);
  slopes_at(d, of_middle);
  slopes_row(s, d, DLS_BALL_GAP);
  arb_mul(scale, of_middle, fall, SLOPE_BITS);
  arb_div(s, s, scale, SLOPE_BITS);
  arb_mul_2exp_si(s, s, 1);
  arb_add(s, s, of_middle, ARF_PREC_EXACT);
  arb_clear(scale);
}

/* From the impact of the middle to that of all states; in: since and left of the middle. @return false if u may be 0 */
static bool spread(arb_t since, arb_ptr left, const dls_ball_flow *flow, const expansion *middle, slopes *d,
                   const arb_t times, slong prec)
{
  const slong k = flow->k;
  arb_ptr x = _arb_vec_init(k), rate = _arb_vec_init(k);
  arb_t part, ds;
  arb_init(part);
  arb_init(ds);
  slopes_at(d, times);
  expansion_at(x, middle, times, SLOPE_BITS);
  for (slong j = 0; j < k; j++) {
    slopes_row(part, d, j);
    arb_add(x + j, x + j, part, SLOPE_BITS);
  }
  dls_ball_flow_rate(rate, flow, x, SLOPE_BITS);
  for (slong i = 0; i < k; i++) {
    arb_div(ds, arb_mat_entry(d->at, DLS_BALL_GAP, i), x + DLS_BALL_RATE, SLOPE_BITS);
    arb_neg(ds, ds); /* ds/dx_i = -(exp(L s))_gi/u */
    arb_addmul(since, ds, d->off + i, prec);
    for (slong j = 0; j < k; j++) {
      arb_mul(part, rate + j, ds, SLOPE_BITS);
      arb_add(part, part, arb_mat_entry(d->at, j, i), SLOPE_BITS);
      arb_addmul(left + j, part, d->off + i, prec);
    }
  }
  const bool falls = arb_is_negative(x + DLS_BALL_RATE);
  _arb_vec_clear(x, k);
  _arb_vec_clear(rate, k);
  arb_clear(part);
  arb_clear(ds);
  return falls;
}

bool dls_ball_short_flight(const dls_ball_system *system, arb_srcptr x, arb_t since, arb_ptr left, slong prec)
{
  const slong k = system->flight.k;
  arb_t fall, times;
  mag_t span;
  arb_init(fall);
  arb_init(times);
  mag_init(span);
  bool good = arb_is_zero(x + DLS_BALL_GAP) && arb_is_positive(x + DLS_BALL_RATE) &&
              enclose_fall(fall, span, system, x);
  if (good) {
    expansion middle;
    slopes d;
    for (slong i = 0; i < k; i++) {
      arb_get_mid_arb(left + i, x + i);
    }
    expansion_init(&middle, &system->flight, left, span, prec);
    slopes_init(&d, &system->flight, x, span);
    arb_div(since, x + DLS_BALL_RATE, fall, MAG_BITS);
    arb_mul_2exp_si(since, since, 1);
    arb_get_mid_arb(since, since);
    good = zero_of_middle(since, &middle, fall, span, prec);
    all_times(times, &d, since, fall);
    good = good && is_within(since, span) && is_within(times, span);
    expansion_at(left, &middle, since, prec);
    good = good && spread(since, left, &system->flight, &middle, &d, times, prec);
    expansion_clear(&middle);
    slopes_clear(&d);
  }
  arb_clear(fall);
  arb_clear(times);
  mag_clear(span);
  return good;
}
