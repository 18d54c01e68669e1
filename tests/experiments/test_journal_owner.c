/* test_journal_owner.c -- whose a journal is: a study's that was interrupted, another process's, nobody's.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/measures/order/order_journal.h"
#include "seven_runs.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

DLS_TEST(what_is_unfinished_is_overwritten_on_demand_only)
{
  static char text[MOST_BYTES];
  dls_error err = {0};
  dls_order_spec spec;
  seven_runs(&spec, text);
  assert_refused(&spec, DLS_JOURNAL_NEW,
                 "7 finished runs of this study that was interrupted: continue with --resume, or");
  dls_order_spec other = journal_spec();
  other.seed = 5;
  assert_refused(&other, DLS_JOURNAL_NEW,
                 "7 finished runs of another study that was interrupted: start over with");
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
  assert_ok(dls_journal_complete(journal, &err), err);
  dls_journal_close(journal);
  journal = opened(&other, DLS_JOURNAL_NEW, 0); /* the old one stays until the first run of the new one */
  dls_journal_close(journal);
  dls_journal_close(opened(&spec, DLS_JOURNAL_RESUME, 7));
  journal = opened(&other, DLS_JOURNAL_NEW, 0);
  dls_order_journal_attach(journal, &other);
  dls_order_point points[MEASURES];
  fill(&other, 0, 0, 0, points);
  assert_false(other.recall(other.keep_data, points));
  for (size_t k = 0; k < 2; k++) { /* the second one is behind the first, which is still there */
    fill(&other, 0, 0, k, points);
    assert_ok(other.keep(other.keep_data, points, &err), err);
  }
  dls_journal_close(journal);
  assert_refused(&spec, DLS_JOURNAL_RESUME, "'seed: 5'");
  dls_journal_close(opened(&other, DLS_JOURNAL_RESUME, 2));
}

/* Whatever stands there is another's. */
DLS_TEST(what_is_no_journal_is_refused)
{
  static const char foreign[] = "t,q0\n0,1\n";
  static const char older[] = DLS_JOURNAL_MAGIC "2\n";
  const dls_journal_mode modes[] = {DLS_JOURNAL_NEW, DLS_JOURNAL_RESUME, DLS_JOURNAL_OVERWRITE};
  const dls_order_spec spec = journal_spec();
  for (size_t i = 0; i < 3; i++) {
    write_file(foreign, sizeof foreign - 1);
    assert_refused(&spec, modes[i], "is not a table of runs of delassus");
    write_file(older, sizeof older - 1);
    assert_refused(&spec, modes[i], "has the format 2");
    unlink(journal_path);
    assert_int_equal(mkfifo(journal_path, 0600), 0);
    assert_refused(&spec, modes[i], "is not a regular file");
    unlink(journal_path);
  }
}

/* A process that opens the journal of a new study, keeps seven runs, and ends: 0, or 7 if it was refused. */
static int begin_at_once(const dls_order_spec *spec, int gate)
{
  dls_error err = {0};
  dls_journal *journal = NULL;
  dls_order_spec own = *spec;
  size_t runs = 0;
  char byte;
  if (read(gate, &byte, 1) < 0) { /* until the parent closes its end */
    return 1;
  }
  const dls_status status = open_runs(journal_path, spec, DLS_JOURNAL_NEW, &runs, &journal, &err);
  if (status != DLS_OK) {
    return status == DLS_ERR_ARG && (strstr(err.text, "is being written by another study") != NULL ||
                                     strstr(err.text, "that was interrupted") != NULL)
               ? 7
               : 1;
  }
  dls_order_journal_attach(journal, &own);
  dls_order_point points[MEASURES];
  for (size_t k = 0; k < 7; k++) {
    fill(&own, k / 6, k % 6 / 3, k % 3, points);
    if (own.keep(own.keep_data, points, &err) != DLS_OK) {
      return 1;
    }
  }
  dls_journal_close(journal);
  return 0;
}

/* Four processes at once, three hundred times: one owner, whose runs are all there. */
DLS_TEST(two_journals_that_begin_at_once_have_one_owner)
{
  enum { PROCESSES = 4, TRIALS = 300 };
  const dls_order_spec spec = journal_spec();
  for (size_t trial = 0; trial < TRIALS; trial++) {
    int gate[2], owners = 0;
    pid_t children[PROCESSES];
    unlink(journal_path);
    assert_int_equal(pipe(gate), 0);
    for (size_t i = 0; i < PROCESSES; i++) {
      children[i] = fork();
      assert_true(children[i] >= 0);
      if (children[i] == 0) {
        close(gate[1]);
        _exit(begin_at_once(&spec, gate[0]));
      }
    }
    close(gate[0]);
    close(gate[1]);
    for (size_t i = 0; i < PROCESSES; i++) {
      int code = 0;
      assert_int_equal(waitpid(children[i], &code, 0), children[i]);
      assert_true(WIFEXITED(code));
      owners += WEXITSTATUS(code) == 0;
      assert_true(WEXITSTATUS(code) == 0 || WEXITSTATUS(code) == 7);
    }
    assert_int_equal(owners, 1);
    dls_order_spec own = spec;
    dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
    assert_int_equal(keep_missing(journal, &own), 7);
    dls_journal_close(journal);
  }
}

/* A second process is refused while the first has the journal. */
DLS_TEST(two_processes_do_not_write_one_journal)
{
  static char text[MOST_BYTES];
  dls_order_spec spec;
  seven_runs(&spec, text);
  dls_journal *journal = opened(&spec, DLS_JOURNAL_RESUME, 7);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    dls_error err = {0};
    dls_journal *second = NULL;
    size_t runs = 0;
    const dls_status status = open_runs(journal_path, &spec, DLS_JOURNAL_OVERWRITE, &runs, &second, &err);
    _exit(status == DLS_ERR_ARG && strstr(err.text, "is being written by another study") != NULL ? 7 : 1);
  }
  int code = 0;
  assert_int_equal(waitpid(child, &code, 0), child);
  assert_true(WIFEXITED(code));
  assert_int_equal(WEXITSTATUS(code), 7);
  dls_journal_close(journal);
}

/* A study that cannot be kept ends: it would not be safe. Nothing follows a line that is cut. */
DLS_TEST(a_run_that_cannot_be_kept_ends_the_study)
{
  static char text[MOST_BYTES];
  dls_error err = {0};
  dls_order_spec spec = journal_spec();
  dls_order_study *study = NULL;
  dls_journal *journal = opened(&spec, DLS_JOURNAL_NEW, 0);
  dls_order_journal_attach(journal, &spec);
  struct rlimit before, room;
  assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
  room = before;
  room.rlim_cur = read_file(text) + 100; /* less than a line */
  signal(SIGXFSZ, SIG_IGN);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &room), 0);
  const dls_status status = dls_order_run(&spec, &study, &err);
  assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
  assert_int_equal(status, DLS_ERR_IO);
  assert_non_null(strstr(err.text, "cannot write"));
  assert_null(study);
  dls_order_point points[MEASURES];
  fill(&spec, 0, 0, 0, points);
  assert_int_equal(spec.keep(spec.keep_data, points, &err), DLS_ERR_IO);
  dls_journal_close(journal);
  journal = opened(&spec, DLS_JOURNAL_RESUME, 0);
  assert_null(dls_journal_lost(journal)); /* it was being written */
  dls_journal_close(journal);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_teardown(two_journals_that_begin_at_once_have_one_owner, remove_journal),
      cmocka_unit_test_teardown(what_is_unfinished_is_overwritten_on_demand_only, remove_journal),
      cmocka_unit_test_teardown(what_is_no_journal_is_refused, remove_journal),
      cmocka_unit_test_teardown(two_processes_do_not_write_one_journal, remove_journal),
      cmocka_unit_test_teardown(a_run_that_cannot_be_kept_ends_the_study, remove_journal),
  };
  return cmocka_run_group_tests(tests, make_journal_folder, NULL);
}
