/* test_event_totals.c -- counts and restitutions of events that are not kept, against a list of all of them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/event_totals.h"
#include <math.h>
#include <stdlib.h>

enum { MOST = 4000 };

typedef struct figures {
  size_t slow, measured;
  double sum, least, most;
} figures;

/* From the definition: fast impacts at whose time there is no other. */
static figures from_list(const dls_event *all, size_t count, double limit)
{
  figures f = {.least = NAN, .most = NAN};
  for (size_t i = 0; i < count; i++) {
    bool alone = all[i].u_minus < 0;
    for (size_t k = 0; k < count; k++) {
      alone = alone && (k == i || all[k].t != all[i].t);
    }
    if (fabs(all[i].u_minus) < limit) {
      f.slow++;
    } else if (alone) {
      const double e = -all[i].u_plus / all[i].u_minus;
      f.sum += e;
      f.least = fmin(f.least, e);
      f.most = fmax(f.most, e);
      f.measured++;
    }
  }
  return f;
}

static double uniform(uint64_t *seed)
{
  *seed = *seed * 6364136223846793005u + 1442695040888963407u;
  return (double)(*seed >> 11) * 0x1p-53;
}

/* Speeds over some decades whose largest grows, so that impacts become slow afterwards; some at one time, some reported late. */
static size_t make_impacts(uint64_t seed, double growth, dls_event *all)
{
  size_t count = 0;
  for (double t = 1; count + 2 < MOST && t < 2000; t++) {
    const double speed = pow(10, 3 * uniform(&seed) - 3 + growth * t / 2000);
    const size_t together = uniform(&seed) < 0.1 ? 2 : 1;
    for (size_t i = 0; i < together; i++) {
      const double u = uniform(&seed) < 0.02 ? 0 : -speed * (1 + 0.1 * (double)i);
      all[count++] =
          (dls_event){.t = t, .kind = DLS_IMPACT, .contact = i, .u_minus = u, .u_plus = -uniform(&seed) * u};
    }
    if (count > 9 && uniform(&seed) < 0.2) { /* a few steps late */
      const dls_event late = all[count - 1];
      all[count - 1] = all[count - 6];
      all[count - 6] = late;
    }
  }
  return count;
}

DLS_TEST(restitutions_are_those_of_the_list)
{
  static dls_event all[MOST];
  for (uint64_t seed = 1; seed <= 12; seed++) {
    const double growth = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 2 : 40; /* decades */
    const size_t count = make_impacts(seed, growth, all);
    double fastest = 0;
    dls_event_totals *totals = dls_event_totals_create(true);
    assert_non_null(totals);
    for (size_t i = 0; i < count; i++) {
      dls_event_totals_add(totals, &all[i]);
      fastest = fmax(fastest, fabs(all[i].u_minus));
    }
    dls_event_totals_close(totals);
    const double limit = DLS_SLOW_IMPACT * fastest;
    const figures high = from_list(all, count, limit), low = from_list(all, count, limit * (1 - 1.0 / 256));
    assert_int_equal(totals->count, count);
    assert_int_equal(totals->kinds[DLS_IMPACT], count);
    assert_true(low.slow <= totals->slow_impacts && totals->slow_impacts <= high.slow);
    assert_true(high.measured <= totals->measured && totals->measured <= low.measured);
    assert_true(high.slow > 100 && high.measured > 5);
    if (low.measured == high.measured) {
      assert_close(totals->restitution_sum, high.sum, 1e-11 * (double)count);
      assert_close(totals->restitution_min, high.least, 0);
      assert_close(totals->restitution_max, high.most, 0);
    }
    dls_event_totals_destroy(totals);
  }
}

/* The fastest comes first, as for a body that loses energy: the bits of the list. */
DLS_TEST(a_first_impact_that_is_the_fastest_leaves_the_bits)
{
  static dls_event all[MOST];
  const size_t count = make_impacts(5, 0, all);
  all[0] = (dls_event){.t = 0.5, .kind = DLS_IMPACT, .u_minus = -2, .u_plus = 1};
  dls_event_totals *totals = dls_event_totals_create(true);
  assert_non_null(totals);
  for (size_t i = 0; i < 5; i++) { /* none is reported late before the tenth */
    dls_event_totals_add(totals, &all[i]);
  }
  dls_event_totals_close(totals);
  const figures f = from_list(all, 5, DLS_SLOW_IMPACT * 2);
  assert_true(count > 5 && f.measured > 0);
  assert_int_equal(totals->measured, f.measured);
  assert_true(totals->restitution_sum == f.sum && totals->slow_impacts == f.slow);
  dls_event_totals_destroy(totals);
}

DLS_TEST(no_impacts_and_one)
{
  dls_event_totals *totals = dls_event_totals_create(true);
  assert_non_null(totals);
  dls_event_totals_close(totals);
  assert_int_equal(totals->measured, 0);
  assert_true(isnan(totals->restitution_min) && isnan(totals->restitution_max));
  for (int i = 0; i < 2; i++) { /* the extreme units of a float: nothing overflows */
    const double u = i == 0 ? -1e-307 : -1e308;
    dls_event_totals_add(totals, &(dls_event){.t = 1 + i, .kind = DLS_IMPACT, .u_minus = u, .u_plus = -u / 2});
    dls_event_totals_close(totals);
    assert_int_equal(totals->measured, 1);
    assert_int_equal(totals->slow_impacts, i);
    assert_close(totals->restitution_sum, 0.5, 0);
  }
  dls_event_totals_destroy(totals);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(restitutions_are_those_of_the_list),
      cmocka_unit_test(a_first_impact_that_is_the_fastest_leaves_the_bits),
      cmocka_unit_test(no_impacts_and_one),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
