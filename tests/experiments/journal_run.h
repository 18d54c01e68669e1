/* journal_run.h -- a file for a journal in a folder of its own, and studies whose runs differ in every member.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_JOURNAL_RUN_H
#define DELASSUS_TESTS_JOURNAL_RUN_H

#include "experiments/measures/order/order_journal.h"
#include "scratch.h"
#include "toy_study.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *journal_folder;
static char journal_path[DLS_TEST_PATH];

static int make_journal_folder(void **state)
{
  (void)state;
  const bool memory = access("/dev/shm", W_OK) == 0; /* thousands of small files, each synchronised */
  journal_folder = dls_test_folder(memory ? "/dev/shm" : NULL);
  dls_test_file(journal_folder, "runs.csv", journal_path);
  return 0;
}

static int remove_journal(void **state)
{
  (void)state;
  unlink(journal_path);
  return 0;
}

/* Two schemes, two norms, two quantities; one level of three repeats would do, but a study has two. */
static dls_order_spec journal_spec(void)
{
  static const dls_scheme_choice schemes[] = {{&toy, "order=2,constant=5"}, {&toy_event, ""}};
  static const dls_norm *norms[2];
  static const char *const of[] = {"q", "v"};
  dls_order_spec spec = toy_spec(2, schemes);
  norms[0] = dls_norm_find("hausdorff");
  norms[1] = dls_norm_find("l1");
  spec.levels = 2;
  spec.repeats = 3;
  spec.norm_count = 2;
  spec.norms = norms;
  spec.of_count = 2;
  spec.of = of;
  return spec;
}

enum { MEASURES = 4 };

static inline dls_status open_runs(const char *path, const dls_order_spec *spec, dls_journal_mode mode,
                                   size_t *runs, dls_journal **out, dls_error *err)
{
  const dls_journal_form form = dls_order_journal_form(spec);
  return dls_journal_open(path, &form, spec, mode, runs, out, err);
}

#endif
