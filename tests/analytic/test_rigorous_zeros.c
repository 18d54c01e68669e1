/* test_rigorous_zeros.c -- zeros of linear flows with proof: closed forms to 100 digits, none missed, claims found out.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/rigorous/zeros.h"
#include "check.h"
#include <math.h>
#include <stdbool.h>

enum { Q, V, COS, SIN, STATES, MOST = 64 };

/* q'' + gamma q' + kappa q = amplitude cos(omega t), q(0) = 1, q'(0) = 0. */
typedef struct flight {
  dls_ball_flow flow;
  arb_ptr start, gap;
} flight;

static flight flight_with(double gamma, double kappa, double amplitude, double omega)
{
  flight f;
  dls_ball_flow_init(&f.flow, STATES);
  arb_one(arb_mat_entry(f.flow.L, Q, V));
  arb_set_d(arb_mat_entry(f.flow.L, V, Q), -kappa);
  arb_set_d(arb_mat_entry(f.flow.L, V, V), -gamma);
  arb_set_d(arb_mat_entry(f.flow.L, V, COS), amplitude);
  arb_set_d(arb_mat_entry(f.flow.L, COS, SIN), -omega);
  arb_set_d(arb_mat_entry(f.flow.L, SIN, COS), omega);
  dls_ball_flow_bound(&f.flow);
  f.start = _arb_vec_init(STATES);
  f.gap = _arb_vec_init(STATES);
  arb_one(f.start + Q);
  arb_one(f.start + COS);
  arb_one(f.gap + Q);
  return f;
}

static void flight_end(flight *f)
{
  dls_ball_flow_clear(&f->flow);
  _arb_vec_clear(f->start, STATES);
  _arb_vec_clear(f->gap, STATES);
}

/* Zeros in [0, end]: isolated with 64 bits, narrowed with prec. @return how many; -1 where one is undecided */
static int zeros_of(const flight *f, double end, slong prec, arb_ptr zero)
{
  arf_t from, until, low, high;
  int count = 0;
  arf_init(from);
  arf_init(until);
  arf_init(low);
  arf_init(high);
  arf_set_d(until, end);
  dls_ball_watch watch = {.flow = &f->flow, .w = f->gap, .x = f->start, .sign = 1};
  dls_ball_verdict verdict = DLS_BALL_FOUND;
  while (count < MOST && verdict == DLS_BALL_FOUND) {
    verdict = dls_ball_next_zero(&watch, from, until, low, high, 64);
    if (verdict == DLS_BALL_FOUND) {
      assert_true(dls_ball_refine(zero + count++, &watch, low, high, prec));
      arf_set(from, high);
      watch.sign = -watch.sign;
    }
  }
  arf_clear(from);
  arf_clear(until);
  arf_clear(low);
  arf_clear(high);
  return verdict == DLS_BALL_UNDECIDED ? -1 : count;
}

DLS_TEST(zeros_of_the_cosine_have_a_hundred_digits)
{
  flight f = flight_with(0, 1, 0, 1);
  arb_ptr zero = _arb_vec_init(MOST);
  arb_t expected;
  arb_init(expected);
  assert_int_equal(zeros_of(&f, 100, 400, zero), 32); /* (k - 1/2) pi < 100 */
  for (slong k = 0; k < 32; k++) {
    arb_const_pi(expected, 2000);
    arb_mul_si(expected, expected, 2 * k + 1, 2000);
    arb_mul_2exp_si(expected, expected, -1);
    assert_true(arb_contains(zero + k, expected));
    assert_true(arb_rel_accuracy_bits(zero + k) > 340);
  }
  arb_clear(expected);
  _arb_vec_clear(zero, MOST);
  flight_end(&f);
}

DLS_TEST(zeros_of_a_damped_flight)
{
  /* e^(-t/16) (cos w t + sin(w t)/(16 w)), w^2 = 1 - 1/256: tan(w t) = -16 w */
  flight f = flight_with(0.125, 1, 0, 1);
  arb_ptr zero = _arb_vec_init(MOST);
  arb_t w, first, pi, expected;
  arb_init(w);
  arb_init(first);
  arb_init(pi);
  arb_init(expected);
  const int count = zeros_of(&f, 60, 300, zero);
  assert_int_equal(count, 19);
  arb_set_d(w, 1 - 0.0625 * 0.0625);
  arb_sqrt(w, w, 1000);
  arb_const_pi(pi, 1000);
  arb_mul_si(first, w, -16, 1000); /* tan = -w / (gamma/2) */
  arb_atan(first, first, 1000);
  for (slong k = 0; k < count; k++) {
    arb_mul_si(expected, pi, k + 1, 1000);
    arb_add(expected, expected, first, 1000);
    arb_div(expected, expected, w, 1000);
    assert_true(arb_contains(zero + k, expected));
  }
  arb_clear(w);
  arb_clear(first);
  arb_clear(pi);
  arb_clear(expected);
  _arb_vec_clear(zero, MOST);
  flight_end(&f);
}

/* Is it proven that there are no zeros between those of a list? */
static bool complete(const flight *f, slong count, arb_srcptr zero)
{
  bool proven = true;
  arf_t low, high;
  arf_init(low);
  arf_init(high);
  for (slong k = 0; k < count && proven; k++) {
    const dls_ball_watch watch = {.flow = &f->flow, .w = f->gap, .x = f->start, .sign = k % 2 == 0 ? 1 : -1};
    if (k > 0) {
      arb_get_ubound_arf(low, zero + k - 1, 200);
    }
    arb_get_lbound_arf(high, zero + k, 200);
    proven = dls_ball_one_sign(&watch, low, high, 200) == DLS_BALL_NONE;
  }
  arf_clear(low);
  arf_clear(high);
  return proven;
}

DLS_TEST(a_crossing_that_is_left_out_is_found_out)
{
  flight f = flight_with(0.05, 1, 0.3, 1.3);
  arb_ptr zero = _arb_vec_init(MOST), fewer = _arb_vec_init(MOST);
  const slong count = zeros_of(&f, 100, 150, zero);
  assert_in_range(count, 36, 42);
  assert_true(complete(&f, count, zero));
  for (slong remainder_within = 0; remainder_within + 1 < count; remainder_within++) {
    for (slong k = 0; k + 1 < count; k++) {
      arb_set(fewer + k, zero + k + (k >= remainder_within));
    }
    assert_false(complete(&f, count - 1, fewer));
  }
  _arb_vec_clear(zero, MOST);
  _arb_vec_clear(fewer, MOST);
  flight_end(&f);
}

DLS_TEST(what_touches_zero_is_not_decided)
{
  /* 1 + cos t, from q'' + q = 1 without a wave: q = 1 + ... touches 0 at pi; a little more does not, a little less crosses */
  for (int side = -1; side <= 1; side++) {
    dls_ball_flow flow;
    dls_ball_flow_init(&flow, 3);
    arb_one(arb_mat_entry(flow.L, 0, 1));
    arb_set_si(arb_mat_entry(flow.L, 1, 0), -1);
    arb_one(arb_mat_entry(flow.L, 1, 2));
    dls_ball_flow_bound(&flow);
    arb_ptr x = _arb_vec_init(3), w = _arb_vec_init(3);
    arb_set_si(x, 2);
    arb_set_d(x + 2, 1 + side * 0x1p-30);
    arb_one(w);
    arf_t from, until, low, high;
    arf_init(from);
    arf_init(until);
    arf_init(low);
    arf_init(high);
    arf_set_d(until, 6);
    const dls_ball_watch watch = {.flow = &flow, .w = w, .x = x, .sign = 1};
    const dls_ball_verdict expected[] = {DLS_BALL_FOUND, DLS_BALL_UNDECIDED, DLS_BALL_NONE};
    assert_int_equal(dls_ball_next_zero(&watch, from, until, low, high, 128), expected[side + 1]);
    if (side == 0) {
      assert_between(arf_get_d(from, ARF_RND_NEAR), 0, acos(-1));
    }
    arf_clear(from);
    arf_clear(until);
    arf_clear(low);
    arf_clear(high);
    _arb_vec_clear(x, 3);
    _arb_vec_clear(w, 3);
    dls_ball_flow_clear(&flow);
  }
}

DLS_TEST(series_hold_what_they_enclose)
{
  /* q = cos t about 0 for |t| <= 3: values and slopes at many places, and ranges over intervals */
  flight f = flight_with(0, 1, 0, 1);
  dls_ball_series series;
  mag_t span, radius;
  arb_t range, value;
  arf_t middle;
  mag_init(span);
  mag_init(radius);
  arb_init(range);
  arb_init(value);
  arf_init(middle);
  mag_set_ui(span, 3);
  dls_ball_series_init(&series, &f.flow, f.gap, f.start, span, 100);
  for (double s = -2.75; s <= 2.75; s += 0.25) {
    arf_set_d(middle, s);
    for (ulong order = 0; order < 4; order++) {
      mag_set_d(radius, 0.25);
      dls_ball_series_range(range, &series, order, middle, radius, 100);
      for (double d = -0.25; d <= 0.25; d += 0.125) {
        arb_const_pi(value, 200);
        arb_mul_2exp_si(value, value, -1);
        arb_mul_ui(value, value, order, 200);
        arb_t at;
        arb_init(at);
        arb_set_d(at, s + d);
        arb_add(value, value, at, 200);
        arb_cos(value, value, 200);
        assert_true(arb_contains(range, value));
        arb_clear(at);
      }
      assert_between(mag_get_d(arb_radref(range)), 0.03, 0.3);
    }
  }
  dls_ball_series_clear(&series);
  mag_clear(span);
  mag_clear(radius);
  arb_clear(range);
  arb_clear(value);
  arf_clear(middle);
  flight_end(&f);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(zeros_of_the_cosine_have_a_hundred_digits),
      cmocka_unit_test(zeros_of_a_damped_flight),
      cmocka_unit_test(a_crossing_that_is_left_out_is_found_out),
      cmocka_unit_test(what_touches_zero_is_not_decided),
      cmocka_unit_test(series_hold_what_they_enclose),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
