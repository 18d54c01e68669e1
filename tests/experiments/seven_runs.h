/* seven_runs.h -- journals of seven runs in a file, as it was left.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_TESTS_SEVEN_RUNS_H
#define DELASSUS_TESTS_SEVEN_RUNS_H

#include "journal_run.h"

enum { MOST_BYTES = 1 << 16 };

static inline dls_journal *opened(const dls_order_spec *spec, dls_journal_mode mode, size_t runs)
{
  dls_error err = {0};
  dls_journal *journal = NULL;
  size_t kept = 99;
  assert_ok(open_runs(journal_path, spec, mode, &kept, &journal, &err), err);
  assert_int_equal(kept, runs);
  return journal;
}

static inline void assert_refused(const dls_order_spec *spec, dls_journal_mode mode, const char *text)
{
  dls_error err = {0};
  dls_journal *journal = NULL;
  size_t kept = 99;
  assert_int_equal(open_runs(journal_path, spec, mode, &kept, &journal, &err), DLS_ERR_ARG);
  assert_null(journal);
  if (strstr(err.text, text) == NULL) {
    fail_msg("\"%s\" lacks \"%s\"", err.text, text);
  }
}

/* A double of any exponent, or a special one. */
static inline double any_double(unsigned *seed)
{
  static const double special[] = {0, -0.0, INFINITY, -INFINITY, 5e-324, 1.7976931348623157e308, 0.1, 1e23};
  const unsigned draw = (*seed = *seed * 1664525u + 1013904223u) >> 8;
  return draw % 4 == 0 ? special[draw / 4 % 8] : ldexp(1 + draw / 16777216.0 / 3, (int)(draw % 2000) - 1000);
}

/* Points of a run with other values in every member; NaN for what a NaN stands for. */
static inline void fill(const dls_order_spec *spec, size_t scheme, size_t level, size_t repeat,
                        dls_order_point *points)
{
  static const char *const reasons[] = {"",
                                        "t = 1: no, it \"failed\", 5 % off",
                                        "two\nlines\\n and a \\ \r end",
                                        "\\",
                                        ",,\"\"",
                                        "# complete: yes\n"};
  unsigned seed = (unsigned)(1 + scheme * 100 + level * 10 + repeat);
  dls_order_point run = {.scheme = scheme, .level = level, .repeat = repeat, .step = any_double(&seed)};
  run.tol = scheme == 1 ? any_double(&seed) : NAN;
  run.work = (dls_work){.steps = 1,
                        .rejected = SIZE_MAX,
                        .force_evals = 3,
                        .jacobian_evals = seed,
                        .factorizations = 5,
                        .lcp_solves = 6,
                        .lcp_pivots = 7,
                        .newton_iterations = 8,
                        .events = 9,
                        .impacts = 10,
                        .forced = 11,
                        .problems = 12,
                        .wall_seconds = any_double(&seed)};
  const dls_contact_quality contact = {any_double(&seed), 0.5, NAN, any_double(&seed), 0, 1, 2, 3, NAN,
                                       any_double(&seed)};
  run.quality =
      (dls_quality){20, 21, 22, NAN, any_double(&seed), any_double(&seed), any_double(&seed), 0, 2, 1, contact};
  for (size_t i = 0; i < MEASURES; i++) {
    points[i] = run;
    points[i].norm = i / spec->of_count;
    points[i].of = i % spec->of_count;
    points[i].error = (dls_measure){any_double(&seed), any_double(&seed)};
    points[i].limit_error = (dls_measure){any_double(&seed), NAN};
    strcpy(points[i].reason, reasons[seed % 6]);
  }
  memset(points[3].reason, '\n', sizeof points[3].reason - 1); /* the longest, every character escaped */
}

/* Equal in every bit; the sign of a NaN does not count. */
static inline bool same(const dls_order_point *a, const dls_order_point *b)
{
  const size_t reason = offsetof(dls_order_point, reason);
  bool equal = strcmp(a->reason, b->reason) == 0;
  for (size_t at = 0; at < reason && equal; at += sizeof(double)) {
    double x, y;
    memcpy(&x, (const char *)a + at, sizeof x);
    memcpy(&y, (const char *)b + at, sizeof y);
    equal = memcmp(&x, &y, sizeof x) == 0 || (isnan(x) && isnan(y));
  }
  return equal;
}

/* Keep the run of every scheme, level and repeat that is not there; @return how many were */
static inline size_t keep_missing(dls_journal *journal, dls_order_spec *spec)
{
  size_t there = 0;
  dls_order_journal_attach(journal, spec);
  for (size_t k = 0; k < 7; k++) {
    dls_error err = {0};
    dls_order_point expected[MEASURES], points[MEASURES] = {0};
    fill(spec, k / 6, k % 6 / 3, k % 3, expected);
    for (size_t i = 0; i < MEASURES; i++) {
      points[i].scheme = k / 6;
      points[i].level = k % 6 / 3;
      points[i].repeat = k % 3;
    }
    if (!spec->recall(spec->keep_data, points)) {
      assert_ok(spec->keep(spec->keep_data, expected, &err), err);
      continue;
    }
    there++;
    for (size_t i = 0; i < MEASURES; i++) {
      assert_true(same(&expected[i], &points[i]));
    }
  }
  return there;
}

static inline size_t read_file(char *text)
{
  FILE *in = fopen(journal_path, "rb");
  assert_non_null(in);
  const size_t size = fread(text, 1, MOST_BYTES, in);
  assert_int_equal(fclose(in), 0);
  assert_true(size < MOST_BYTES);
  return size;
}

static inline void write_file(const char *text, size_t size)
{
  FILE *out = fopen(journal_path, "wb");
  assert_non_null(out);
  assert_int_equal(fwrite(text, 1, size, out), size);
  assert_int_equal(fclose(out), 0);
}

/* The file of a journal of seven runs that is not complete. */
static inline size_t seven_runs(dls_order_spec *spec, char *text)
{
  *spec = journal_spec();
  dls_journal *journal = opened(spec, DLS_JOURNAL_OVERWRITE, 0);
  assert_int_equal(keep_missing(journal, spec), 0);
  dls_journal_close(journal);
  return read_file(text);
}

#endif
