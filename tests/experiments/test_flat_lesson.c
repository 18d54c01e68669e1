/* test_flat_lesson.c -- a run of a lesson is that of its page where the sliders stand at values of the tables; between them its errors are
 * those of the same run, reference and norm by the other functions of delassus/flat.h.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/extra/lesson/lesson.h"
#include <delassus/flat.h>
#include <stdlib.h>
#include <string.h>

static char error[400];

static dls_flat_lesson *open_lesson(const char *name)
{
  dls_flat_lesson *lesson = NULL;
  assert_int_equal(dls_flat_lesson_create(name, &lesson, error, sizeof error), 0);
  return lesson;
}

static char *run_of(dls_flat_lesson *lesson, size_t count, const char *const *values)
{
  char *text = NULL;
  const int status = dls_flat_lesson_run(lesson, count, values, &text, error, sizeof error);
  assert_string_equal(status == 0 ? "" : error, "");
  return text;
}

/* Head up to the runs; errors; packed curves and what follows them. */
typedef struct pieces {
  char *head, *nodes;
  double errors[DLS_LESSON_MEASURES];
  size_t count;
} pieces;

static pieces pieces_of(char *text)
{
  static const char mark[] = "\"runs\":[";
  pieces p = {.head = text};
  char *runs = strstr(text, mark);
  assert_non_null(runs);
  runs += sizeof mark - 1;
  assert_int_equal(strncmp(runs, "[[", 2), 0);
  for (char *at = runs + 1; *at != ']';) {
    p.errors[p.count++] = strtod(at + 1, &at);
  }
  p.nodes = strchr(runs, ']') + 1;
  p.nodes[strlen(p.nodes) - 2] = '\0'; /* of the list and the motion */
  runs[0] = '\0';
  return p;
}

/* --- the tables --- */

typedef struct table_case {
  const char *lesson;
  const char *values[5];
  size_t count;
} table_case;

static const table_case cases[] = {
    {"moreau-jean", {"0.7", "0.75", "0.05477"}, 3},
    {"moreau-jean", {"0.25", "1", "0.3"}, 3},
    {"energy", {"0.8", "moreau-jean:theta=0.6", "0.03162"}, 3},
    {"kane", {"poisson", "0.5", "0.35"}, 3},
    {"contact-models", {"0.104", "0.5", "sap:restitution=own", "0.0025"}, 4},
    {"velocity-flip", {"2.5", "0.5", "rk-moreau:method=rk4", "0.05477"}, 4},
};

static char *tables_of(const char *name)
{
  static const char *last = NULL;
  static char *tables = NULL; /* of the last lesson */
  size_t size;
  dls_error err = {0};
  if (last == NULL || strcmp(last, name) != 0) {
    free(tables);
    FILE *out = open_memstream(&tables, &size);
    assert_int_equal(dls_lesson_write_tables(dls_lesson_find(name, &err), out, NULL, NULL, &err), DLS_OK);
    fclose(out);
    last = name;
  }
  return tables;
}

DLS_TEST(runs_at_values_of_the_tables_are_those_of_the_page)
{
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    const table_case *c = &cases[i];
    dls_flat_lesson *lesson = open_lesson(c->lesson);
    char *text = run_of(lesson, c->count, c->values), expected[20000] = "[";
    const pieces p = pieces_of(text);
    for (size_t k = 0; k < p.count; k++) {
      sprintf(expected + strlen(expected), "%s%.4g", k == 0 ? "[" : ",", p.errors[k]);
    }
    assert_between((double)p.count, 1, 3);
    assert_between((double)strlen(p.nodes), 20, sizeof expected - 100);
    sprintf(expected + strlen(expected), "]%s", p.nodes);
    const char *tables = tables_of(c->lesson);
    if (strstr(tables, p.head) == NULL || strstr(tables, expected) == NULL) {
      fail_msg("case %zu: the page of %s has no such run: %.100s", i, c->lesson, expected);
    }
    dls_flat_text_free(text);
    dls_flat_lesson_free(lesson);
  }
}

/* --- between --- */

DLS_TEST(errors_between_are_those_of_the_same_run)
{
  static const char *const values[] = {"0.63", "0.8", "0.0371"}, *const norms[] = {"hausdorff", "grid-max"},
                           *const of[] = {"v", "q"};
  const char *const settings[] = {"e=0.63"};
  dls_flat_lesson *lesson = open_lesson("moreau-jean");
  char *text = run_of(lesson, 3, values);
  const pieces p = pieces_of(text);
  dls_flat_reference *reference = NULL;
  dls_trajectory *run = NULL;
  assert_int_equal(dls_flat_reference_create(NULL, "bouncing-ball", 1, settings, 4, 0, 0, NULL, NULL, NULL,
                                             &reference, error, sizeof error),
                   0);
  assert_int_equal(dls_flat_run(NULL, "bouncing-ball", 1, settings, "moreau-jean:theta=0.8", 0.0371, 4, NULL,
                                NULL, &run, error, sizeof error),
                   0);
  assert_int_equal(p.count, 2);
  for (size_t i = 0; i < 2; i++) {
    double distance[2];
    assert_int_equal(dls_flat_distance(reference, run, norms[i], of[i], distance, error, sizeof error), 0);
    assert_close(p.errors[i], distance[0], 1e-12 * distance[0] + distance[1]);
    assert_between(p.errors[i], 1e-3, 1);
    assert_between(distance[1], 0, i == 0 ? 1e-4 : 1e-12); /* the filled-in graph of the lesson is coarser */
  }
  dls_flat_free(run);
  dls_flat_reference_free(reference);
  dls_flat_text_free(text);
  dls_flat_lesson_free(lesson);
}

DLS_TEST(a_kept_reference_is_that_of_the_values)
{
  static const char *const walk[][3] = {
      {"0.63", "0.8", "0.03"}, {"0.63", "0.5", "0.02"}, {"0.4", "0.5", "0.02"}, {"0.63", "0.8", "0.03"}};
  dls_flat_lesson *kept = open_lesson("moreau-jean");
  for (size_t i = 0; i < 4; i++) {
    dls_flat_lesson *fresh = open_lesson("moreau-jean");
    char *a = run_of(kept, 3, walk[i]), *b = run_of(fresh, 3, walk[i]);
    assert_string_equal(a, b);
    dls_flat_text_free(a);
    dls_flat_text_free(b);
    dls_flat_lesson_free(fresh);
  }
  dls_flat_lesson_free(kept);
}

/* --- refusals --- */

static void assert_refused(dls_flat_lesson *lesson, size_t count, const char *const *values, const char *reason)
{
  char *text = NULL;
  assert_true(dls_flat_lesson_run(lesson, count, values, &text, error, sizeof error) < 0);
  assert_null(text);
  if (strstr(error, reason) == NULL) {
    fail_msg("\"%s\" is not in \"%s\"", reason, error);
  }
}

DLS_TEST(values_that_no_slider_has_are_refused)
{
  static const char long_value[] = "0.5000000000000000000000000000000000000000";
  static const struct {
    const char *values[3];
    const char *reason;
  } wrong[] = {
      {{"1.7", "0.5", "0.1"}, "e = 1.7 is outside [0, 1]"},
      {{"a", "0.5", "0.1"}, "e"},
      {{"0.5", "0.5", "0"}, "step = '0' is not allowed: it must be a number in (0, 4] s"},
      {{"0.5", "0.5", "-0.1"}, "step = '-0.1'"},
      {{"0.5", "0.5", "5"}, "step = '5'"},
      {{"0.5", "0.5", "0.1s"}, "step = '0.1s'"},
      {{"0.5", "0.5", "nan"}, "step = 'nan'"},
      {{"0.5", "0.5", ""}, "step = ''"},
      {{"0.5", NULL, "0.1"}, "value 1 is NULL"},
      {{long_value, "0.5", "0.1"}, "value 0 is NULL or has more than 39 characters"},
  };
  static const char *const far[] = {"12", "0.5", "naive-rk4", "0.1"}, *const good[] = {"0.5", "0.5", "0.1"};
  dls_flat_lesson *lesson = open_lesson("moreau-jean");
  char *before = run_of(lesson, 3, good);
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    assert_refused(lesson, 3, wrong[i].values, wrong[i].reason);
  }
  assert_refused(lesson, 2, good, "2 values for the 3 sliders of lesson moreau-jean");
  char *after = run_of(lesson, 3, good);
  assert_string_equal(after, before);
  dls_flat_text_free(before);
  dls_flat_text_free(after);
  dls_flat_lesson_free(lesson);
  lesson = open_lesson("accumulation");
  assert_refused(lesson, 4, far, "end = '12' is not allowed: it must be a number in (0, 5] s");
  dls_flat_lesson_free(lesson);
  dls_flat_lesson_free(NULL);
  assert_true(dls_flat_lesson_create("moreau", &lesson, error, sizeof error) < 0);
  assert_null(lesson);
  assert_non_null(strstr(error, "unknown lesson 'moreau'; did you mean 'moreau-jean'?"));
}

DLS_TEST(a_run_that_fails_says_why)
{
  static const char *const values[] = {"0.5", "7", "0.1"};
  dls_flat_lesson *lesson = open_lesson("moreau-jean");
  char *text = run_of(lesson, 3, values);
  assert_non_null(strstr(text, "\"runs\":[[[],\"\",\"scheme moreau-jean: theta = 7 is outside [0, 1]\"]]}"));
  dls_flat_text_free(text);
  dls_flat_lesson_free(lesson);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(runs_at_values_of_the_tables_are_those_of_the_page),
      cmocka_unit_test(errors_between_are_those_of_the_same_run),
      cmocka_unit_test(a_kept_reference_is_that_of_the_values),
      cmocka_unit_test(values_that_no_slider_has_are_refused),
      cmocka_unit_test(a_run_that_fails_says_why),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
