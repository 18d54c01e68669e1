/* test_published_order.c -- published orders: their entries, and what fits are said to be beside them.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"

#include "experiments/catalogue/publications.h"
#include "experiments/study/published_order.h"
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
  return (dls_order_study){.spec = {.scheme_count = 2,
                                    .schemes = schemes,
                                    .norm_count = 2,
                                    .norms = norms,
                                    .of_count = 2,
                                    .of = of,
                                    .end = 4},
                           .impacts = impacts};
}

/* The sentence for an interval of the order over steps 1e-2 to 1e-4. */
static const char *said(const dls_order_study *study, double low, double high)
{
  static dls_order_line line;
  line = (dls_order_line){.fitted = true,
                          .fit = {.ci_low = low, .ci_high = high, .h_max = 1e-2, .h_min = 1e-4},
                          .medians = dls_median_fit_none()};
  dls_published_order_compare(study, &line);
  assert_close(line.published, 1, 0);
  return line.agreement;
}

/* log(T/h) grows from log 400 to log 40000 over the two decades: it takes 0.1239 from the order. */
DLS_TEST(a_fit_agrees_or_is_on_one_side)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  const dls_order_study study = study_of(catalogue, true);
  assert_string_equal(said(&study, 0.9, 1.1), "consistent with 1");
  assert_string_equal(said(&study, 0.998, 0.999),
                      "consistent with 1");                  /* the same for every practical purpose */
  assert_string_equal(said(&study, 0.94, 0.949), "below 1"); /* too near for the logarithm */
  assert_string_equal(said(&study, 0.87, 0.88), "below 1: logarithm suspected");
  assert_string_equal(said(&study, 0.80, 0.82), "below 1");
  assert_string_equal(said(&study, 1.06, 1.2), "above 1");
  assert_string_equal(said(&study, 1.04, 1.2), "consistent with 1");
  dls_catalogue_destroy(catalogue);
}

DLS_TEST(the_interval_of_the_medians_counts_where_there_is_one)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  const dls_order_study study = study_of(catalogue, true);
  dls_order_line line = {.fitted = true,
                         .fit = {.ci_low = 0.9, .ci_high = 1.1, .h_max = 1e-2, .h_min = 1e-4},
                         .medians = {.ci_low = 1.3, .ci_high = 1.4}};
  dls_published_order_compare(&study, &line);
  assert_string_equal(line.agreement, "above 1");
  line.fitted = false;
  dls_published_order_compare(&study, &line);
  assert_string_equal(line.agreement, "");
  dls_catalogue_destroy(catalogue);
}

/* Nothing is published of other norms and columns, of schemes without an entry, and without impacts. */
DLS_TEST(what_is_not_published_is_not_compared)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  const dls_order_study with = study_of(catalogue, true), without = study_of(catalogue, false);
  const dls_order_line same = {.scheme = 0, .norm = 0, .of = 0};
  const dls_order_line others[] = {{.scheme = 1}, {.norm = 1}, {.of = 1}};
  assert_non_null(dls_published_order_of(&with, &same));
  assert_null(dls_published_order_of(&without, &same));
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++) {
    dls_order_line line = others[i];
    line.fitted = true;
    assert_null(dls_published_order_of(&with, &line));
    dls_published_order_compare(&with, &line);
    assert_true(isnan(line.published));
    assert_string_equal(line.agreement, "");
  }
  dls_catalogue_destroy(catalogue);
}

DLS_TEST(entries_name_schemes_and_publications_that_are_there)
{
  dls_catalogue *catalogue = NULL;
  assert_int_equal(dls_catalogue_create(&catalogue, NULL), DLS_OK);
  size_t count = 0;
  for (const dls_published_order *entry = dls_published_orders(); entry->scheme != NULL; entry++, count++) {
    const dls_publication *named[4];
    char unknown[100];
    assert_non_null(dls_catalogue_scheme(catalogue, entry->scheme, NULL));
    assert_true(dls_publications_named(entry->source, named, 4, unknown, sizeof unknown) > 0);
    assert_string_equal(unknown, "");
    assert_between(entry->order, 0.5, 8);
  }
  assert_true(count > 5);
  dls_catalogue_destroy(catalogue);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_fit_agrees_or_is_on_one_side),
      cmocka_unit_test(the_interval_of_the_medians_counts_where_there_is_one),
      cmocka_unit_test(what_is_not_published_is_not_compared),
      cmocka_unit_test(entries_name_schemes_and_publications_that_are_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
