/* test_mass_tree.c -- sequences of masses against plain arrays, over random cuts, joins and new keys; balance; no memory lost.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "analytic/distance/mass_tree.h"
#include "check.h"
#include "random_graph.h"
#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 2000, MOST = 2 * ROUNDS };

/* The same sequence by hand. */
typedef struct row_of_masses {
  size_t count;
  double low[MOST], high[MOST], mass[MOST];
} row_of_masses;

static double mass_of(const row_of_masses *r)
{
  double sum = 0;
  for (size_t i = 0; i < r->count; i++) {
    sum += r->mass[i];
  }
  return sum;
}

/* The first `mass` of r goes to a, the rest to b. */
static void cut_by_hand(const row_of_masses *r, double mass, row_of_masses *a, row_of_masses *b)
{
  a->count = b->count = 0;
  for (size_t i = 0; i < r->count; i++) {
    const double part = fmin(fmax(mass, 0) / r->mass[i], 1), at = r->low[i] + part * (r->high[i] - r->low[i]);
    if (part > 0) {
      a->low[a->count] = r->low[i];
      a->high[a->count] = at;
      a->mass[a->count++] = part * r->mass[i];
    }
    if (part < 1) {
      b->low[b->count] = at;
      b->high[b->count] = r->high[i];
      b->mass[b->count++] = (1 - part) * r->mass[i];
    }
    mass -= r->mass[i];
  }
}

static void shift_by_hand(row_of_masses *r, double shift, double slope)
{
  double before = 0;
  for (size_t i = 0; i < r->count; i++) {
    r->low[i] += shift + slope * before;
    before += r->mass[i];
    r->high[i] += shift + slope * before;
  }
}

static void join_by_hand(row_of_masses *r, const row_of_masses *a, const row_of_masses *b)
{
  r->count = a->count + b->count;
  for (size_t i = 0; i < r->count; i++) {
    const row_of_masses *from = i < a->count ? a : b;
    const size_t k = i < a->count ? i : i - a->count;
    r->low[i] = from->low[k];
    r->high[i] = from->high[k];
    r->mass[i] = from->mass[k];
  }
}

/* In order, with what waits above each. @return the height */
static int compare(const dls_mass_pool *pool, dls_masses all, double shift, double slope,
                   const row_of_masses *r, size_t *at)
{
  if (all == 0) {
    return 0;
  }
  const dls_mass *n = &pool->of[all];
  const double before = pool->of[n->child[0]].total, here = shift + slope * before;
  const double behind = here + slope * n->mass;
  const int left = compare(pool, n->child[0], shift + n->shift, slope + n->slope, r, at);
  assert_true(*at < r->count);
  assert_close(n->mass, r->mass[*at], 1e-11);
  assert_close(n->low + here, r->low[*at], 1e-9);
  assert_close(n->high + behind, r->high[*at], 1e-9);
  ++*at;
  const int right =
      compare(pool, n->child[1], behind + n->shift + n->slope * (before + n->mass), slope + n->slope, r, at);
  assert_true(abs(left - right) <= 1);
  assert_int_equal(n->height, 1 + (left > right ? left : right));
  return n->height;
}

static void check(const dls_mass_pool *pool, dls_masses all, const row_of_masses *r)
{
  size_t at = 0;
  double moment = 0;
  compare(pool, all, 0, 0, r, &at);
  assert_int_equal(at, r->count);
  for (size_t i = 0; i < r->count; i++) {
    moment += 0.5 * r->mass[i] * (r->low[i] + r->high[i]);
  }
  assert_close(pool->of[all].total, mass_of(r), 1e-10);
  assert_close(pool->of[all].moment, moment, 1e-8);
}

DLS_TEST(cuts_joins_and_new_keys_are_those_of_an_array)
{
  static row_of_masses whole, a, b;
  dls_mass_pool pool = {0};
  dls_masses all = 0;
  uint64_t seed = random_seed(1);
  whole.count = 0;
  for (int round = 0; round < ROUNDS; round++) {
    const double end = whole.count > 0 ? whole.high[whole.count - 1] : 0, total = mass_of(&whole);
    assert_true(dls_mass_pool_reserve(&pool, 2));
    if (round % 5 == 0) { /* one more behind */
      const double mass = pow(10, -2 * random_unit(&seed));
      const dls_masses one = dls_masses_of(&pool, end, end + random_unit(&seed), mass);
      all = dls_masses_join(&pool, all, one);
      whole.low[whole.count] = pool.of[one].low;
      whole.high[whole.count] = pool.of[one].high;
      whole.mass[whole.count++] = mass;
      continue;
    }
    const int side = random_unit(&seed) < 0.5;
    const double part = random_unit(&seed) * total, shift = 0.01 * random_unit(&seed);
    const double slope = 0.01 * random_unit(&seed);
    dls_masses piece[2];
    dls_masses_cut(&pool, all, side, part, &piece[side], &piece[!side]);
    cut_by_hand(&whole, side == 0 ? part : total - part, &a, &b);
    dls_masses_shift(&pool, piece[1], shift, slope); /* keys stay in order */
    shift_by_hand(&b, shift, slope);
    check(&pool, piece[0], &a);
    check(&pool, piece[1], &b);
    all = dls_masses_join(&pool, piece[0], piece[1]);
    join_by_hand(&whole, &a, &b);
  }
  check(&pool, all, &whole);
  assert_between(pool.of[all].height, 9, 16); /* 1.44 log2 of 1000 to 2000 masses */
  const uint32_t used = pool.count;
  dls_masses_release(&pool, all);
  for (uint32_t i = 1; i < used; i++) {
    dls_masses_of(&pool, 0, 0, 1);
  }
  assert_int_equal(pool.count, used); /* each was given back */
  assert_int_equal(pool.free, 0);
  dls_mass_pool_free(&pool);
}

/* sign key + start + rate m < bound up to there, by steps of 1/1000 of the mass. */
DLS_TEST(the_mass_up_to_a_bound_is_found)
{
  for (uint64_t trial = 0; trial < 300; trial++) {
    uint64_t seed = random_seed(trial);
    dls_mass_pool pool = {0};
    dls_masses all = 0;
    double key = 0, total = 0;
    for (size_t i = 0; i < 1 + trial % 40; i++) {
      const double low = key + (random_unit(&seed) < 0.3 ? random_unit(&seed) : 0);
      const double mass = pow(10, -2 * random_unit(&seed));
      key = low + (random_unit(&seed) < 0.5 ? random_unit(&seed) : 0);
      total += mass;
      assert_true(dls_mass_pool_reserve(&pool, 1));
      all = dls_masses_join(&pool, all, dls_masses_of(&pool, low, key, mass));
    }
    const int side = random_unit(&seed) < 0.5;
    const double sign = side == 0 ? 1 : -1, start = side == 0 ? 0 : key;
    const double rate = random_unit(&seed) < 0.5 ? 0 : key / total, most = 1.2 * total * random_unit(&seed);
    const double bound = 1.5 * (key + rate * total) * random_unit(&seed);
    const double found = dls_masses_until(&pool, all, side, most, sign, start, rate, bound);
    assert_between(found, 0, fmin(most, total * (1 + 1e-12)));
    for (double m = 0.0005; m < 1; m += 0.001) {
      dls_masses near, far;
      if (m * total > most) {
        break;
      }
      assert_true(dls_mass_pool_reserve(&pool, 2));
      dls_masses_cut(&pool, all, side, m * total, &near, &far);
      dls_masses last, others;
      dls_masses_cut(&pool, near, !side, 1e-9 * total, &last, &others);
      const dls_mass *n = &pool.of[last];
      const double value = sign * n->moment / n->total + start + rate * m * total;
      if (m * total < found - 1e-8 * total) {
        assert_true(value < bound + 1e-6);
      } else if (m * total > found + 1e-8 * total) {
        assert_true(value > bound - 1e-6 || found > total * (1 - 1e-12));
      }
      near = side == 0 ? dls_masses_join(&pool, others, last) : dls_masses_join(&pool, last, others);
      all = side == 0 ? dls_masses_join(&pool, near, far) : dls_masses_join(&pool, far, near);
    }
    dls_mass_pool_free(&pool);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cuts_joins_and_new_keys_are_those_of_an_array),
      cmocka_unit_test(the_mass_up_to_a_bound_is_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
