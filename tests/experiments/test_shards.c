/* tests/experiments/test_shards.c -- runs dealt to shards: each run once, each level everywhere, nearly equal work; journals
 * of shards that say different things are not merged.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/campaign/shard.h"
#include "experiments/measures/order/order_journal.h"
#include "seven_runs.h"

enum { MOST_RUNS = 4096, MOST_SHARDS = 300 };

/* Levels of a study: steps halved from level to level, spread as `order` spreads them. */
static size_t make_runs(size_t levels, size_t repeats, dls_shard_run *runs)
{
  unsigned draw = 7;
  for (size_t i = 0; i < levels * repeats; i++) {
    draw = draw * 1664525u + 1013904223u;
    runs[i] = (dls_shard_run){
        .level = i / repeats,
        .weight = ceil(100 * pow(2, (double)(i / repeats)) * pow(1.25, 2 * (draw >> 8) / 16777216.0 - 1))};
  }
  return levels * repeats;
}

static void assert_each_level_everywhere(const dls_shard_run *runs, size_t count, size_t levels, size_t shards)
{
  for (size_t level = 0; level < levels; level++) {
    size_t of[MOST_SHARDS] = {0}, most = 0, least = MOST_RUNS;
    for (size_t i = 0; i < count; i++) {
      of[runs[i].owner] += runs[i].level == level;
    }
    for (size_t k = 0; k < shards; k++) {
      most = of[k] > most ? of[k] : most;
      least = of[k] < least ? of[k] : least;
    }
    assert_true(most - least <= 1);
  }
}

/* No shard has more to do than another one by more than the longest run. */
static void assert_balanced(const dls_shard_run *runs, size_t count, size_t shards)
{
  double of[MOST_SHARDS] = {0}, most = 0, least = INFINITY, longest = 0;
  for (size_t i = 0; i < count; i++) {
    of[runs[i].owner] += runs[i].weight;
    longest = fmax(longest, runs[i].weight);
  }
  for (size_t k = 0; k < shards; k++) {
    most = fmax(most, of[k]);
    least = fmin(least, of[k]);
  }
  assert_true(most - least <= longest);
}

DLS_TEST(every_run_is_dealt_once_longest_first)
{
  static dls_shard_run runs[MOST_RUNS];
  static size_t order[MOST_RUNS];
  const size_t shards[] = {1, 2, 3, 7, 64, 300};
  for (size_t repeats = 1; repeats <= 40; repeats += 13) {
    for (size_t i = 0; i < sizeof shards / sizeof shards[0]; i++) {
      bool seen[MOST_RUNS] = {false};
      const size_t levels = 9, count = make_runs(levels, repeats, runs);
      assert_true(dls_shard_deal(runs, count, shards[i], order));
      for (size_t j = 0; j < count; j++) {
        assert_false(seen[order[j]]);
        seen[order[j]] = true;
        assert_true(runs[j].owner < shards[i]);
        assert_true(j == 0 || runs[order[j]].level < runs[order[j - 1]].level ||
                    runs[order[j]].weight <= runs[order[j - 1]].weight);
      }
      assert_each_level_everywhere(runs, count, levels, shards[i]);
      assert_balanced(runs, count, shards[i]);
    }
  }
}

/* Like weights, which sum up with ties everywhere: the same deal again. */
DLS_TEST(ties_are_dealt_the_same_every_time)
{
  static dls_shard_run runs[600], again[600];
  static size_t order[600];
  for (size_t i = 0; i < 600; i++) {
    runs[i] = again[i] = (dls_shard_run){.level = i % 3, .weight = 10};
  }
  assert_true(dls_shard_deal(runs, 600, 7, order));
  assert_true(dls_shard_deal(again, 600, 7, order));
  for (size_t i = 0; i < 600; i++) {
    assert_int_equal(runs[i].owner, again[i].owner);
  }
  assert_balanced(runs, 600, 7);
}

DLS_TEST(no_runs_and_more_shards_than_runs)
{
  dls_shard_run run = {.level = 3, .weight = 1};
  size_t order = 9;
  assert_true(dls_shard_deal(&run, 0, 5, &order));
  assert_true(dls_shard_deal(&run, 1, 5, &order));
  assert_int_equal(order, 0);
  assert_int_equal(run.owner, 0);
}

/* --- merging --- */

/* A journal beside the usual one, with some runs of the seven; change: to the error of the first. */
static void make_part(dls_order_spec *spec, const char *path, const char *which, double change)
{
  dls_error err = {0};
  dls_journal *journal = NULL;
  size_t kept = 0;
  unlink(path);
  assert_ok(open_runs(path, spec, DLS_JOURNAL_NEW, &kept, &journal, &err), err);
  dls_order_journal_attach(journal, spec);
  for (const char *c = which; *c != '\0'; c++) {
    const size_t k = (size_t)(*c - '0');
    dls_order_point points[MEASURES];
    fill(spec, k / 6, k % 6 / 3, k % 3, points);
    points[0].error.value = points[0].error.value * (c == which ? 1 + change : 1);
    for (size_t i = 0; i < MEASURES; i++) {
      points[i].work.wall_seconds = change; /* does not count */
    }
    assert_ok(spec->keep(spec->keep_data, points, &err), err);
  }
  dls_journal_close(journal);
}

typedef struct pair {
  char first[DLS_TEST_PATH], second[DLS_TEST_PATH];
  bool complete[2];
  dls_journal_merging out;
  dls_error err;
} pair;

static dls_status merge_pair(dls_order_spec *spec, const char *first, const char *second, double change,
                             pair *p)
{
  dls_test_file(journal_folder, "a.csv", p->first);
  dls_test_file(journal_folder, "b.csv", p->second);
  make_part(spec, p->first, first, 0);
  make_part(spec, p->second, second, change);
  const char *const paths[] = {p->first, p->second};
  unlink(journal_path);
  const dls_journal_form form = dls_order_journal_form(spec);
  const dls_status status =
      dls_journal_merge(journal_path, paths, 2, &form, spec, p->complete, &p->out, &p->err);
  unlink(p->first);
  unlink(p->second);
  return status;
}

DLS_TEST(runs_of_two_parts_make_one_journal_in_the_order_of_the_study)
{
  static char text[MOST_BYTES], other[MOST_BYTES];
  dls_order_spec spec = journal_spec();
  pair p = {.out.missing = 9};
  assert_ok(merge_pair(&spec, "5310", "246", 0, &p), p.err);
  assert_int_equal(p.out.missing, 0);
  assert_null(p.out.text);
  const size_t size = read_file(text);
  const char *const cpu = strstr(text, DLS_JOURNAL_CPU); /* once: both were made by this processor */
  assert_non_null(cpu);
  assert_null(strstr(cpu + 1, DLS_JOURNAL_CPU));
  assert_ok(merge_pair(&spec, "6420", "0135", 0, &p), p.err); /* run 0 is in both */
  assert_int_equal(read_file(other), size);
  assert_memory_equal(text, other, size);
  dls_journal_close(opened(&spec, DLS_JOURNAL_RESUME, 7));
}

DLS_TEST(parts_that_say_different_things_are_refused)
{
  dls_order_spec spec = journal_spec();
  pair p = {.out.missing = 9};
  assert_ok(merge_pair(&spec, "1", "1", 0, &p), p.err);
  free(p.out.text);
  assert_int_equal(merge_pair(&spec, "0123", "1456", 1e-15, &p), DLS_ERR_ARG);
  assert_non_null(strstr(p.err.text, "different results of a run: toy:order=2,constant=5 level 1 repeat 2"));
  assert_int_equal(access(journal_path, F_OK), -1);
}

DLS_TEST(missing_runs_are_named_and_nothing_is_written)
{
  dls_order_spec spec = journal_spec();
  pair p = {.out.missing = 9};
  assert_ok(merge_pair(&spec, "13", "5", 0, &p), p.err);
  assert_int_equal(p.out.missing, 4);
  assert_string_equal(p.out.text, "toy:order=2,constant=5 level 1 repeat 1\n"
                                  "toy:order=2,constant=5 level 1 repeat 3\n"
                                  "toy:order=2,constant=5 level 2 repeat 2\n"
                                  "toy-event level 1 repeat 1\n");
  assert_int_equal(access(journal_path, F_OK), -1);
  free(p.out.text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_run_is_dealt_once_longest_first),
      cmocka_unit_test(ties_are_dealt_the_same_every_time),
      cmocka_unit_test(no_runs_and_more_shards_than_runs),
      cmocka_unit_test_teardown(runs_of_two_parts_make_one_journal_in_the_order_of_the_study, remove_journal),
      cmocka_unit_test_teardown(parts_that_say_different_things_are_refused, remove_journal),
      cmocka_unit_test_teardown(missing_runs_are_named_and_nothing_is_written, remove_journal),
  };
  return cmocka_run_group_tests(tests, make_journal_folder, NULL);
}
