/* tests/experiments/test_journal.c -- what a journal keeps it gives back to the last bit, whatever happened to the end of
 * its file; and it never gives back what belongs to another study.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_journal.h"
#include "seven_runs.h"

/* Where the lines of the runs begin: behind the columns. */
static size_t head_size(const char *text)
{
  const char *columns = strstr(text, "\ncell,name,");
  assert_non_null(columns);
  return (size_t)(strchr(columns + 1, '\n') + 1 - text);
}

DLS_TEST(every_member_comes_back_to_the_last_bit)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  seven_runs(&spec, text);
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
  assert_int_equal(keep_missing(journal, &spec), 7);
  dls_journal_close(journal);
}

/* A process that is killed while it writes, at every byte: whole lines count, and what is kept then makes the same file. */
DLS_TEST(a_file_that_is_cut_anywhere_goes_on_with_its_whole_lines)
{
  static char text[MOST_BYTES], after[MOST_BYTES];
  dls_order_spec spec;
  const size_t size = seven_runs(&spec, text), head = head_size(text);
  size_t whole = 0;
  for (size_t cut = head; cut <= size; cut++) {
    whole += cut > head && text[cut - 1] == '\n';
    write_file(text, cut);
    dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, whole);
    assert_int_equal(keep_missing(journal, &spec), whole);
    dls_journal_close(journal);
    assert_int_equal(read_file(after), size);
    assert_memory_equal(after, text, size);
  }
  assert_int_equal(whole, 7);
}

/* The head is written before the file gets its name: a part of one is no work of ours. */
DLS_TEST(a_part_of_a_head_is_refused_and_no_file_is_nothing)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  seven_runs(&spec, text);
  const size_t head = head_size(text);
  for (size_t cut = 1; cut < head; cut++) {
    write_file(text, cut);
    assert_refused(&spec, DLS_JOURNAL_RESUME, cut < sizeof DLS_JOURNAL_MAGIC + 1 ? "move it away" : "damaged");
  }
  write_file(text, 0);
  dls_journal_close(opened(&spec, DLS_JOURNAL_RESUME, 0));
  unlink(journal_path);
  dls_journal_close(opened(&spec, DLS_JOURNAL_RESUME, 0));
  assert_int_equal(access(journal_path, F_OK), -1); /* nothing was kept */
}

/* Lines of the file that are no runs. */
static size_t lines_before(const char *text, size_t at)
{
  size_t count = 0;
  for (size_t i = 0; i < at; i++) {
    count += text[i] == '\n';
  }
  return count;
}

/* One byte is another: its line is named and left out, those behind it stay, and no run comes back changed. */
DLS_TEST(a_damaged_line_never_comes_back)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  const size_t size = seven_runs(&spec, text), head = head_size(text);
  for (size_t at = head; at < size; at += 13) {
    char number[24];
    const bool feed = text[at] == '\n';
    snprintf(number, sizeof number, "%zu", lines_before(text, at) + 1);
    const char good = text[at];
    text[at] = good == '7' ? '8' : '7';
    write_file(text, size);
    const size_t left = feed && at < size - 1 ? 5 : 6; /* two lines in one */
    dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, left);
    if (at < size - 1) {
      assert_string_equal(dls_journal_lost(journal), number);
    }
    assert_int_equal(keep_missing(journal, &spec), left);
    dls_journal_close(journal);
    journal = opened(&spec, DLS_JOURNAL_RESUME, 7); /* the file is whole again */
    assert_null(dls_journal_lost(journal));
    assert_int_equal(keep_missing(journal, &spec), 7);
    dls_journal_close(journal);
    text[at] = good;
  }
}

/* The power fails: blocks that were not yet written read as zeros, in the middle or at the end. */
DLS_TEST(zeros_cost_the_lines_that_they_touch_and_no_others)
{
  static char text[MOST_BYTES], damaged[MOST_BYTES], after[MOST_BYTES];
  dls_order_spec spec;
  const size_t size = seven_runs(&spec, text), head = head_size(text);
  for (size_t from = head; from < size; from += 97) {
    for (size_t length = 1; from + length <= size; length = 3 * length + 1) {
      memcpy(damaged, text, size);
      memset(damaged + from, 0, length);
      write_file(damaged, size);
      size_t whole = 0; /* lines without a zero in them and with their line feed before them */
      for (size_t at = head; at < size;) {
        const size_t end = (size_t)(strchr(text + at, '\n') + 1 - text);
        whole += memcmp(damaged + at - 1, text + at - 1, end - at + 1) == 0;
        at = end;
      }
      dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, whole);
      assert_non_null(dls_journal_lost(journal));
      assert_int_equal(keep_missing(journal, &spec), whole);
      dls_journal_close(journal);
      const size_t left = read_file(after);
      assert_int_equal(left, size); /* the same lines, in another order */
      assert_null(memchr(after, 0, left));
    }
  }
}

/* Of many lines that are lost the message names ranges. */
DLS_TEST(ranges_of_lost_lines_are_named)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  const size_t size = seven_runs(&spec, text);
  size_t at = head_size(text);
  const size_t first = lines_before(text, at) + 1;
  char expected[60];
  for (size_t k = 0; k < 7; k++) {
    text[at] = k == 3 ? text[at] : '?';
    at = (size_t)(strchr(text + at, '\n') + 1 - text);
  }
  write_file(text, size);
  snprintf(expected, sizeof expected, "%zu to %zu, %zu to %zu", first, first + 2, first + 4, first + 6);
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 1);
  assert_string_equal(dls_journal_lost(journal), expected);
  dls_journal_close(journal);
}

/* The processor says where lines come from, and refuses nothing. */
DLS_TEST(another_processor_is_named_and_goes_on)
{
  static char text[MOST_BYTES], changed[MOST_BYTES], after[MOST_BYTES];
  dls_order_spec spec;
  const size_t size = seven_runs(&spec, text);
  const char *name = strstr(text, "\n" DLS_JOURNAL_CPU), *last = text + size - 1;
  assert_non_null(name);
  const size_t until = (size_t)(name - text) + strlen("\n" DLS_JOURNAL_CPU);
  while (last[-1] != '\n') {
    last--;
  }
  const char *rest = strchr(text + until, '\n');
  const int changed_size =
      snprintf(changed, sizeof changed, "%.*sAbacus 1%.*s", (int)until, text, (int)(last - rest), rest);
  write_file(changed, (size_t)changed_size); /* without its last run */
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 6);
  assert_string_equal(dls_journal_other_cpu(journal), "Abacus 1");
  assert_int_equal(keep_missing(journal, &spec), 6);
  dls_journal_close(journal);
  after[read_file(after)] = '\0';
  assert_memory_equal(after, changed, (size_t)changed_size);
  assert_memory_equal(after + changed_size, DLS_JOURNAL_CPU, strlen(DLS_JOURNAL_CPU));
  journal = opened(&spec, DLS_JOURNAL_RESUME, 7); /* the last ones are from here */
  assert_null(dls_journal_other_cpu(journal));
  assert_null(dls_journal_lost(journal));
  dls_journal_close(journal);
}

/* Where seconds are measured it is an input. */
DLS_TEST(the_processor_is_an_input_of_seconds)
{
  static char text[MOST_BYTES];
  dls_order_spec spec = journal_spec();
  spec.timings = 2;
  dls_journal *journal = opened(&spec, DLS_JOURNAL_NEW, 0);
  assert_int_equal(keep_missing(journal, &spec), 0);
  dls_journal_close(journal);
  const size_t size = read_file(text);
  text[size] = '\0';
  char *name = strstr(text, "\n" DLS_JOURNAL_CPU);
  assert_non_null(name);
  assert_true(name < strstr(text, "\n# hash: "));
  name[strlen("\n" DLS_JOURNAL_CPU)] ^= 1;
  write_file(text, size);
  assert_refused(&spec, DLS_JOURNAL_RESUME, "where this one has 'cpu: ");
}

DLS_TEST(a_later_line_replaces_an_earlier_one)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  seven_runs(&spec, text);
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
  dls_order_point points[MEASURES];
  dls_error err = {0};
  fill(&spec, 0, 1, 2, points);
  points[0].work.wall_seconds = 0.125;
  dls_order_journal_attach(journal, &spec);
  assert_ok(spec.keep(spec.keep_data, points, &err), err);
  dls_journal_close(journal);
  journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
  dls_order_journal_attach(journal, &spec);
  assert_true(spec.recall(spec.keep_data, points));
  assert_close(points[3].work.wall_seconds, 0.125, 0);
  dls_journal_close(journal);
}

DLS_TEST(every_input_that_differs_is_named)
{
  static char text[MOST_BYTES];
  static const dls_scheme_choice others[] = {{&toy, "order=2,constant=6"}, {&toy_event, ""}};
  static const char *const of[] = {"q", "v0"};
  static const double parameters[] = {1, -2, 0.5, 1, 0.25};
  const dls_norm *norms[] = {dls_norm_find("hausdorff"), dls_norm_find("l2")};
  dls_order_spec good;
  seven_runs(&good, text);
  const char *const texts[] = {
      "'end: 0.90000000000000002' where this one has 'end: 0.75'",
      "'scheme: toy:order=2,constant=5' where this one has 'scheme: toy:order=2,constant=6'",
      "'scheme: toy-event' where this one has 'end: 0.9", /* a scheme less */
      "to 0.0062500000000000003, 2 levels'",
      "to 0.050000000000000003, 3 levels'",
      "tolerances: 0.01 to 0.001, 3 levels",
      "'repeats: 3' where this one has 'repeats: 4'",
      "'seed: 42' where this one has 'seed: 43'",
      "'timings: 0' where this one has 'timings: 2'",
      "'norm: l1' where this one has 'norm: l2'",
      "'of: v' where this one has 'of: v0'",
      "metric: time scale 1, value scale 2",
      "'parameter: v0=0' where this one has 'parameter: v0=0.25'",
      "'model: bouncing-ball' where this one has 'model: impacting-oscillator'"};
  enum { CASES = sizeof texts / sizeof texts[0] };
  dls_order_spec specs[CASES];
  for (size_t i = 0; i < CASES; i++) {
    specs[i] = journal_spec();
  }
  specs[0].end = 0.75;
  specs[1].schemes = others;
  specs[2].scheme_count = 1;
  specs[3].h_last = 0.00625;
  specs[4].levels = 3;
  specs[4].h_last = 0.05;
  specs[5].tol_levels = 3;
  specs[5].tol_first = 0.01;
  specs[5].tol_last = 0.001;
  specs[6].repeats = 4;
  specs[7].seed = 43;
  specs[8].timings = 2;
  specs[9].norms = norms;
  specs[10].of = of;
  specs[11].metric.value_scale = 2;
  specs[12].parameters = parameters;
  specs[13].model = dls_model_find("impacting-oscillator", NULL);
  for (size_t i = 0; i < CASES; i++) {

    assert_refused(&specs[i], DLS_JOURNAL_RESUME, texts[i]);
  }
  dls_journal_close(opened(&good, DLS_JOURNAL_RESUME, 7)); /* and it was not touched */
}

/* The number of jobs, and what is polled, are no inputs. */
DLS_TEST(jobs_are_no_input)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  seven_runs(&spec, text);
  spec.jobs = 4;
  spec.poll = toy_stop_at_once;
  dls_journal_close(opened(&spec, DLS_JOURNAL_RESUME, 7));
}

/* One entry of a matrix file is another: the path is the same, the system is not. */
DLS_TEST(contents_of_files_are_inputs)
{
  char setting[3][DLS_TEST_PATH];
  const char *settings[3];
  const char *const names[] = {"M", "K", "HT"};
  uint64_t hashes[3];
  for (size_t i = 0; i < 3; i++) {
    snprintf(setting[i], sizeof setting[i], "%s=%s/%s.mtx", names[i], journal_folder, names[i]);
    settings[i] = setting[i];
  }
  const char *const entries[3][3] = {{"2", "8", "1"}, {"2", "8", "1"}, {"2", "9", "1"}};
  for (size_t k = 0; k < 3; k++) {
    dls_error err = {0};
    dls_model_choice choice;
    char *head = NULL;
    for (size_t i = 0; i < 3; i++) {
      FILE *out = fopen(setting[i] + strlen(names[i]) + 1, "w");
      assert_non_null(out);
      fprintf(out, "%%%%MatrixMarket matrix coordinate real general\n1 1 1\n1 1 %s\n", entries[k][i]);
      fclose(out);
    }
    assert_ok(dls_model_choose("here", dls_model_find("matrix-model", NULL), 3, settings, &choice, &err), err);
    dls_order_spec spec = journal_spec();
    spec.model = choice.model;
    spec.parameters = choice.parameters;
    assert_ok(dls_order_journal_head(&spec, NULL, NULL, &head, &hashes[k], &err), err);
    free(head);
    dls_model_choice_release(&choice);
    for (size_t i = 0; i < 3; i++) {
      unlink(setting[i] + strlen(names[i]) + 1);
    }
  }
  assert_true(hashes[0] == hashes[1]);
  assert_true(hashes[0] != hashes[2]);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(every_member_comes_back_to_the_last_bit, remove_journal),
      cmocka_unit_test_teardown(a_file_that_is_cut_anywhere_goes_on_with_its_whole_lines, remove_journal),
      cmocka_unit_test_teardown(a_part_of_a_head_is_refused_and_no_file_is_nothing, remove_journal),
      cmocka_unit_test_teardown(a_damaged_line_never_comes_back, remove_journal),
      cmocka_unit_test_teardown(zeros_cost_the_lines_that_they_touch_and_no_others, remove_journal),
      cmocka_unit_test_teardown(ranges_of_lost_lines_are_named, remove_journal),
      cmocka_unit_test_teardown(another_processor_is_named_and_goes_on, remove_journal),
      cmocka_unit_test_teardown(the_processor_is_an_input_of_seconds, remove_journal),
      cmocka_unit_test_teardown(a_later_line_replaces_an_earlier_one, remove_journal),
      cmocka_unit_test_teardown(every_input_that_differs_is_named, remove_journal),
      cmocka_unit_test_teardown(jobs_are_no_input, remove_journal),
      cmocka_unit_test_teardown(contents_of_files_are_inputs, remove_journal),
  };
  return cmocka_run_group_tests(tests, make_journal_folder, NULL);
}
