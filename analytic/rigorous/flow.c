/* analytic/rigorous/flow.c -- see flow.h.
 * |L^n x| <= |L|^n |x|: from order n on the series of w exp(L s) x leaves out |w| |x| sum_{j >= n} (|L| s)^j / j! at most, its
 * derivative of order d |L|^d times the same sum from n - d on.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/flow.h"

enum { MOST_TERMS = 2000 };

void dls_ball_flow_init(dls_ball_flow *flow, slong k)
{
  flow->k = k;
  arb_mat_init(flow->L, k, k);
  mag_init(flow->rate);
  flow->weight = flint_malloc((size_t)k * sizeof *flow->weight);
  for (slong i = 0; i < k; i++) {
    flow->weight[i] = 1;
  }
}

void dls_ball_flow_clear(dls_ball_flow *flow)
{
  arb_mat_clear(flow->L);
  mag_clear(flow->rate);
  flint_free(flow->weight);
}

void dls_ball_flow_bound(dls_ball_flow *flow)
{
  mag_t row, entry, ratio;
  mag_init(row);
  mag_init(entry);
  mag_init(ratio);
  mag_zero(flow->rate);
  for (slong i = 0; i < flow->k; i++) {
    mag_zero(row);
    for (slong j = 0; j < flow->k; j++) {
      arb_get_mag(entry, arb_mat_entry(flow->L, i, j));
      mag_set_d(ratio, flow->weight[j]); /* an upper bound */
      mag_mul(entry, entry, ratio);
      mag_add(row, row, entry);
    }
    mag_set_d_lower(ratio, flow->weight[i]);
    mag_div(row, row, ratio);
    mag_max(flow->rate, flow->rate, row);
  }
  mag_clear(row);
  mag_clear(entry);
  mag_clear(ratio);
}

void dls_ball_dot(arb_t out, arb_srcptr w, arb_srcptr x, slong k, slong prec)
{
  arb_dot(out, NULL, 0, w, 1, x, 1, k, prec);
}

void dls_ball_flow_rate(arb_ptr y, const dls_ball_flow *flow, arb_srcptr x, slong prec)
{
  for (slong i = 0; i < flow->k; i++) {
    dls_ball_dot(y + i, arb_mat_entry(flow->L, i, 0), x, flow->k, prec);
  }
}

void dls_ball_flow_at(arb_ptr y, const dls_ball_flow *flow, arb_srcptr x, const arb_t s, slong prec)
{
  arb_mat_t E;
  arb_ptr now = _arb_vec_init(flow->k);
  arb_mat_init(E, flow->k, flow->k);
  arb_mat_scalar_mul_arb(E, flow->L, s, prec);
  arb_mat_exp(E, E, prec);
  for (slong i = 0; i < flow->k; i++) {
    dls_ball_dot(now + i, arb_mat_entry(E, i, 0), x, flow->k, prec);
  }
  _arb_vec_set(y, now, flow->k);
  arb_mat_clear(E);
  _arb_vec_clear(now, flow->k);
}

/* |x|, max |x_i|/weight_i */
static void norm(mag_t out, const dls_ball_flow *flow, arb_srcptr x)
{
  mag_t entry, weight;
  mag_init(entry);
  mag_init(weight);
  mag_zero(out);
  for (slong i = 0; i < flow->k; i++) {
    arb_get_mag(entry, x + i);
    mag_set_d_lower(weight, flow->weight[i]);
    mag_div(entry, entry, weight);
    mag_max(out, out, entry);
  }
  mag_clear(entry);
  mag_clear(weight);
}

/* |w| |x| in the norms of the weights. */
static void product_of_norms(mag_t out, const dls_ball_flow *flow, arb_srcptr w, arb_srcptr x)
{
  mag_t entry, weight, sum;
  mag_init(entry);
  mag_init(weight);
  mag_init(sum);
  for (slong i = 0; i < flow->k; i++) {
    arb_get_mag(entry, w + i);
    mag_set_d(weight, flow->weight[i]);
    mag_addmul(sum, entry, weight);
  }
  norm(entry, flow, x);
  mag_mul(out, sum, entry);
  mag_clear(entry);
  mag_clear(weight);
  mag_clear(sum);
}

slong dls_ball_flow_terms(const dls_ball_flow *flow, const mag_t span, slong prec)
{
  mag_t reach, rest;
  slong n = 6;
  mag_init(reach);
  mag_init(rest);
  mag_mul(reach, flow->rate, span);
  for (; n < MOST_TERMS; n += 1 + n / 16) {
    mag_exp_tail(rest, reach, (ulong)n - 3);
    if (mag_cmp_2exp_si(rest, -prec) < 0) {
      break;
    }
  }
  mag_clear(reach);
  mag_clear(rest);
  return n;
}

void dls_ball_flow_series(arb_ptr a, slong n, const dls_ball_flow *flow, arb_srcptr x, slong prec)
{
  const slong k = flow->k;
  arb_ptr now = _arb_vec_init(k), next = _arb_vec_init(k);
  _arb_vec_set(now, x, k);
  for (slong i = 0; i < n; i++) {
    dls_ball_flow_rate(next, flow, now, prec);
    for (slong j = 0; j < k; j++) {
      arb_set(a + j * n + i, now + j);
      arb_div_ui(now + j, next + j, (ulong)i + 1, prec);
    }
  }
  _arb_vec_clear(now, k);
  _arb_vec_clear(next, k);
}

void dls_ball_flow_rest(mag_ptr rest, slong n, const dls_ball_flow *flow, arb_srcptr x, const mag_t span)
{
  mag_t all, weight;
  mag_init(all);
  mag_init(weight);
  mag_mul(all, flow->rate, span);
  mag_exp_tail(all, all, (ulong)n);
  norm(weight, flow, x);
  mag_mul(all, all, weight);
  for (slong j = 0; j < flow->k; j++) {
    mag_set_d(weight, flow->weight[j]); /* an upper bound */
    mag_mul(rest + j, all, weight);
  }
  mag_clear(all);
  mag_clear(weight);
}

void dls_ball_series_init(dls_ball_series *series, const dls_ball_flow *flow, arb_srcptr w, arb_srcptr x,
                          const mag_t span, slong prec)
{
  arb_ptr now = _arb_vec_init(flow->k), next = _arb_vec_init(flow->k);
  mag_init(series->size);
  mag_init_set(series->rate, flow->rate);
  mag_init_set(series->span, span);
  product_of_norms(series->size, flow, w, x);
  series->n = dls_ball_flow_terms(flow, span, prec);
  series->a = _arb_vec_init(series->n);
  _arb_vec_set(now, x, flow->k);
  for (slong n = 0; n < series->n; n++) { /* L^n x / n! */
    dls_ball_dot(series->a + n, w, now, flow->k, prec);
    dls_ball_flow_rate(next, flow, now, prec);
    for (slong i = 0; i < flow->k; i++) {
      arb_div_ui(now + i, next + i, (ulong)n + 1, prec);
    }
  }
  _arb_vec_clear(now, flow->k);
  _arb_vec_clear(next, flow->k);
}

void dls_ball_series_clear(dls_ball_series *series)
{
  _arb_vec_clear(series->a, series->n);
  mag_clear(series->size);
  mag_clear(series->rate);
  mag_clear(series->span);
}

void dls_ball_series_rest(mag_t out, const dls_ball_series *series, ulong order)
{
  mag_t factor;
  mag_init(factor);
  mag_mul(factor, series->rate, series->span);
  mag_exp_tail(out, factor, (ulong)series->n - order);
  mag_mul(out, out, series->size);
  mag_pow_ui(factor, series->rate, order);
  mag_mul(out, out, factor);
  mag_clear(factor);
}

/* Coefficients of the derivative of an order about `middle`. */
static arb_ptr derivative_about(const dls_ball_series *series, ulong order, const arf_t middle, slong prec)
{
  const slong n = series->n - (slong)order;
  arb_ptr d = _arb_vec_init(n);
  arb_t shift, factor;
  arb_init(shift);
  arb_init(factor);
  for (slong i = 0; i < n; i++) { /* a_(i+order) (i+1) ... (i+order) */
    arb_rising_ui(factor, (arb_set_si(shift, i + 1), shift), order, prec);
    arb_mul(d + i, series->a + i + order, factor, prec);
  }
  arb_set_arf(shift, middle);
  _arb_poly_taylor_shift(d, shift, n, prec);
  arb_clear(shift);
  arb_clear(factor);
  return d;
}

void dls_ball_series_range(arb_t out, const dls_ball_series *series, ulong order, const arf_t middle,
                           const mag_t radius, slong prec)
{
  const slong n = series->n - (slong)order;
  arb_ptr d = derivative_about(series, order, middle, prec);
  mag_t sum, power, term;
  mag_init(sum);
  mag_init(power);
  mag_init(term);
  mag_one(power);
  for (slong i = 1; i < n; i++) {
    mag_mul(power, power, radius);
    arb_get_mag(term, d + i);
    mag_addmul(sum, term, power);
  }
  dls_ball_series_rest(term, series, order);
  mag_add(sum, sum, term);
  arb_set(out, d);
  arb_add_error_mag(out, sum);
  mag_clear(sum);
  mag_clear(power);
  mag_clear(term);
  _arb_vec_clear(d, n);
}
