/* tests/experiments/test_campaign.c -- the loop over the cells of a campaign: every open cell is made once, in batches as the measure
 * allows; results do not depend on the number of threads; interrupts and failures keep what is finished.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/campaign/campaign.h"
#include <stdio.h>
#include <string.h>

enum { CELLS = 200 };

/* A measure that notes how often each cell is made and kept; `bad` fails, `greedy` finds no memory. */
typedef struct notes {
  size_t made[CELLS], kept[CELLS], batches, largest;
  size_t bad, greedy;
  double last; /* fraction of the last poll */
  double most; /* poll interrupts from this fraction on */
} notes;

static double weight(const dls_campaign *c, size_t cell)
{
  (void)c;
  return 1 + (double)(cell % 3);
}

static bool joins(const dls_campaign *c, size_t first, size_t count, double sum, size_t cell)
{
  (void)c;
  (void)sum;
  return count < 7 && cell / 50 == first / 50;
}

static dls_status run(dls_progress *p, const size_t *cells, size_t count, void *scratch, dls_error *err)
{
  notes *n = p->campaign->data;
  size_t *calls = scratch; /* of this thread */
  calls[0]++;
  for (size_t i = 0; i < count; i++) {
    n->made[cells[i]]++;
    if (cells[i] == n->bad) {
      return dls_fail(err, DLS_ERR_NOCONV, "cell %zu is bad", cells[i]);
    }
    if (cells[i] == n->greedy) {
      dls_campaign_lacks_memory(p->campaign);
      return DLS_OK;
    }
  }
  return dls_campaign_end(p, cells, count, DLS_OK);
}

static dls_status keep(dls_progress *p, const size_t *cells, size_t count, dls_error *err)
{
  (void)err;
  notes *n = p->campaign->data;
  n->batches++;
  n->largest = count > n->largest ? count : n->largest;
  for (size_t i = 0; i < count; i++) {
    n->kept[cells[i]]++;
  }
  return DLS_OK;
}

static bool poll(void *data, double done)
{
  notes *n = data;
  assert_between(done, n->last, 1); /* it never falls */
  n->last = done;
  return done < n->most;
}

static const dls_campaign_measure alone = {weight, NULL, run, keep, NULL},
                                  together = {weight, joins, run, keep, NULL};

static notes fresh(void)
{
  return (notes){.bad = CELLS, .greedy = CELLS, .most = 2};
}

static dls_campaign campaign(notes *n, bool *done, const dls_campaign_measure *measure, size_t jobs)
{
  return (dls_campaign){.count = CELLS,
                        .done = done,
                        .measure = measure,
                        .data = n,
                        .scratch = sizeof(size_t),
                        .jobs = jobs,
                        .poll = poll,
                        .poll_data = n};
}

DLS_TEST(every_open_cell_is_made_and_kept_once)
{
  for (size_t jobs = 1; jobs <= 4; jobs++) {
    const dls_campaign_measure *const measures[] = {&alone, &together};
    for (size_t k = 0; k < 2; k++) {
      notes n = fresh();
      bool done[CELLS] = {false}, others[CELLS] = {false};
      dls_error err = {0};
      dls_campaign c = campaign(&n, done, measures[k], jobs);
      for (size_t i = 0; i < CELLS; i++) {
        done[i] = i % 10 == 3;   /* by an earlier campaign */
        others[i] = i % 10 == 7; /* another shard's */
      }
      c.other_shard = others;
      assert_ok(dls_campaign_run(&c, &err), err);
      for (size_t i = 0; i < CELLS; i++) {
        const size_t expected = i % 10 == 3 || i % 10 == 7 ? 0 : 1;
        assert_int_equal(n.made[i], expected);
        assert_int_equal(n.kept[i], expected);
        assert_int_equal(done[i], i % 10 != 7);
      }
      assert_int_equal(n.largest, k == 0 ? 1 : 7);
      assert_int_equal(n.batches, k == 0 ? 160 : 4 * 6); /* 40 of 50 cells: five batches of 7 and one of 5 */
      assert_false(c.stopped);
    }
  }
}

DLS_TEST(cells_are_taken_in_the_given_order)
{
  notes n = fresh();
  bool done[CELLS] = {false};
  size_t order[CELLS];
  dls_error err = {0};
  dls_campaign c = campaign(&n, done, &alone, 1);
  for (size_t i = 0; i < CELLS; i++) {
    order[i] = CELLS - 1 - i;
  }
  c.order = order;
  n.bad = 150;
  assert_int_equal(dls_campaign_run(&c, &err), DLS_ERR_NOCONV);
  assert_string_equal(err.text, "cell 150 is bad");
  assert_true(done[151] && !done[150] && !done[149]);
  assert_int_equal(c.next, CELLS - 150);
}

DLS_TEST(an_interrupted_campaign_is_resumed)
{
  notes n = fresh();
  bool done[CELLS] = {false};
  dls_error err = {0};
  dls_campaign c = campaign(&n, done, &alone, 1);
  n.most = 0.5;
  assert_int_equal(dls_campaign_run(&c, &err), DLS_ERR_INTERRUPTED);
  assert_true(c.stopped);
  assert_between(n.last, 0.5, 0.52); /* of the weight, not of the number of cells */
  n.most = 2;
  n.last = 0;
  c = campaign(&n, done, &alone, 2);
  assert_ok(dls_campaign_run(&c, &err), err);
  for (size_t i = 0; i < CELLS; i++) {
    assert_int_equal(n.kept[i], 1);
  }
}

DLS_TEST(a_cell_without_memory_stays_open)
{
  notes n = fresh();
  bool done[CELLS] = {false};
  dls_error err = {0};
  dls_campaign c = campaign(&n, done, &alone, 1);
  n.greedy = 20;
  assert_ok(dls_campaign_run(&c, &err), err);
  assert_int_equal(c.out_of_memory, 1);
  assert_true(!done[20] && done[19] && done[CELLS - 1]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_open_cell_is_made_and_kept_once),
      cmocka_unit_test(cells_are_taken_in_the_given_order),
      cmocka_unit_test(an_interrupted_campaign_is_resumed),
      cmocka_unit_test(a_cell_without_memory_stays_open),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
