/* test_published_order.c -- published orders: the rows of the schemes, and the verdict on a fit.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/extra/cite/publications.h"
#include "experiments/measures/order/published_order.h"
#include <delassus/catalogue.h>
#include <math.h>

/* A study of two schemes on [0, 4], in L1 and max, of q and a column that is neither q nor v. */
static dls_order_study study_of(dls_catalogue *catalogue, bool impacts)
{
  static dls_scheme_choice schemes[2];
  static const dls_norm *norms[2];
  static const char *const of[] = {"q", "g0"};
  schemes[0] = (dls_scheme_choice){dls_catalogue_scheme(catalogue, "moreau-jean", NULL), ""};
  schemes[1] = (dls_scheme_choice){dls_catalogue_scheme(catalogue, "event-driven", NULL), ""};
  norms[0] = dls_norm_find("l1");
  norms[1] = dls_norm_find("max");
  return (dls_order_study){.spec = {.model = dls_catalogue_model(catalogue, "bouncing-ball", NULL),
                                    .scheme_count = 2,
                                    .schemes = schemes,
                                    .norm_count = 2,
                                    .norms = norms,
                                    .of_count = 2,
                                    .of = of,
                                    .end = 4},
                           .impacts = impacts};
}

/* The verdict for the intervals of least squares and of the medians, over steps 1e-2 to 1e-4. */
static const char *verdict(const dls_order_study *study, double low, double high, double median_low,
                           double median_high)
{
  static dls_order_line line;
  line = (dls_order_line){.fitted = true,
                          .fit = {.ci_low = low, .ci_high = high, .h_max = 1e-2, .h_min = 1e-4},
                          .medians = dls_median_fit_none()};
  line.medians.ci_low = median_low;
  line.medians.ci_high = median_high;
  dls_published_order_compare(study, &line);
  assert_close(line.published, 1, 0);
  return line.agreement;
}

/* log(T/h) grows from log 400 to log 40000 over the two decades: it takes 0.1239 from the order. */
DLS_TEST(a_verdict_is_what_the_intervals_say)
{
  static const struct {
    double low, high, median_low, median_high;
    const char *verdict;
  } cases[] = {
      {0.9, 1.1, NAN, NAN, "consistent with 1"},
      {0.9, 1.1, 0.9, 0.99, "consistent with 1"}, /* one of them is enough */
      {0.9, 0.99, 0.9, 1.1, "consistent with 1"},
      {0.1, 1.9, 0.76, 1.25, "consistent with 1"}, /* the narrower counts */
      {0.7, 1.3, 0.5, 1.1, "not decided"},
      {0.7, 1.3, NAN, NAN, "not decided"},
      {0.7, 1.2, NAN, NAN, "not decided"}, /* 0.5 wide */
      {0.9, 0.99, 1.01, 1.1, "not decided"},
      {1.01, 1.1, 0.9, 0.99, "not decided"},
      {0.998, 0.999, NAN, NAN, "below 1"}, /* however near */
      {0.886, 0.928, 0.902, 0.962, "below 1"},
      {0.94, 0.949, NAN, NAN, "below 1"}, /* too near for the logarithm */
      {0.87, 0.88, NAN, NAN, "below 1: logarithm suspected"},
      {0.80, 0.82, 0.87, 0.88, "below 1: logarithm suspected"},
      {0.80, 0.82, 0.89, 0.9, "below 1"},
      {1.06, 1.2, NAN, NAN, "above 1"},
      {1.001, 1.2, 1.3, 1.4, "above 1"},
  };
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  const dls_order_study study = study_of(catalogue, true);
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    assert_string_equal(verdict(&study, cases[i].low, cases[i].high, cases[i].median_low, cases[i].median_high),
                        cases[i].verdict);
  }
  dls_catalogue_destroy(catalogue);
}

/* 0.99984 to 0.99993 would be printed as [1.000, 1.000] beside "below 1". */
DLS_TEST(printed_intervals_contain_the_order_only_if_they_do)
{
  const dls_order_line line = {.published = 1}, none = {.published = NAN};
  assert_int_equal(dls_published_order_decimals(&line, 0.99984, 0.99993), 4);
  assert_int_equal(dls_published_order_decimals(&line, 0.99984, 0.99996), 5);
  assert_int_equal(dls_published_order_decimals(&line, 1.00000012, 1.2), 7);
  assert_int_equal(dls_published_order_decimals(&line, 0.9, 0.999), 3);
  assert_int_equal(dls_published_order_decimals(&line, 0.99984, 1.00004), 3);
  assert_int_equal(dls_published_order_decimals(&line, NAN, NAN), 3);
  assert_int_equal(dls_published_order_decimals(&none, 0.99984, 0.99996), 3);
}

/* Nothing is published of other norms and columns, of schemes without an entry, of other models, and without impacts. */
DLS_TEST(what_is_not_published_is_not_compared)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  const dls_order_study with = study_of(catalogue, true), without = study_of(catalogue, false);
  dls_order_study wedge = study_of(catalogue, true);
  wedge.spec.model = dls_catalogue_model(catalogue, "wedge", NULL);
  const dls_order_line same = {.scheme = 0, .norm = 0, .of = 0};
  const dls_order_line others[] = {{.scheme = 1}, {.norm = 1}, {.of = 1}};
  assert_non_null(dls_published_order_of(&with, &same));
  assert_null(dls_published_order_of(&without, &same));
  assert_null(dls_published_order_of(&wedge, &same));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    dls_order_line line = others[i];
    line.fitted = true;
    assert_null(dls_published_order_of(&with, &line));
    dls_published_order_compare(&with, &line);
    assert_true(isnan(line.published));
    assert_string_equal(line.agreement, "");
  }
  dls_order_line plateau = same;
  dls_published_order_compare(&with, &plateau);
  assert_string_equal(plateau.agreement, "");
  dls_catalogue_destroy(catalogue);
}

static void check_row(const dls_catalogue *catalogue, const dls_published_order *row)
{
  const dls_publication *named[4];
  char unknown[100];
  assert_true(dls_publications_named(row->source, named, 4, unknown, sizeof unknown) > 0);
  assert_string_equal(unknown, "");
  assert_between(row->order, 0.5, 8);
  assert_non_null(row->models[0]);
  for (const char *const *model = row->models; *model != NULL; model++) {
    assert_non_null(dls_catalogue_model(catalogue, *model, NULL));
  }
}

DLS_TEST(rows_name_publications_and_models_that_are_there)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  size_t count = 0;
  for (const dls_scheme *const *scheme = dls_catalogue_schemes(catalogue); *scheme != NULL; scheme++) {
    for (const dls_published_order *row = (*scheme)->published; row != NULL && row->source != NULL; row++) {
      check_row(catalogue, row);
      count++;
    }
  }
  assert_true(count > 5);
  dls_catalogue_destroy(catalogue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_verdict_is_what_the_intervals_say),
      cmocka_unit_test(printed_intervals_contain_the_order_only_if_they_do),
      cmocka_unit_test(what_is_not_published_is_not_compared),
      cmocka_unit_test(rows_name_publications_and_models_that_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
