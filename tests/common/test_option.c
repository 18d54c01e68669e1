/* test_option.c -- tables of named values: what is accepted, what is refused, and what the messages say.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/base/text.h"
#include <delassus/option.h>
#include <float.h>
#include <locale.h>
#include <math.h>
#include <string.h>

static const char *const methods[] = {"adams", "bdf", NULL};
enum { THETA, COUNT, METHOD, RADIUS, FREE, TABLE_SIZE };
static const dls_option table[] = {
    [THETA] = DLS_NUMBER("theta", "1", "implicitness", 0.5, 0.5, 1, 0),
    [COUNT] = DLS_COUNT("N", "number of beads", 10, 1, 1000),
    [METHOD] = DLS_ONE_OF("method", "multistep family", 1, methods),
    [RADIUS] = DLS_NUMBER("radius", "m", "radius", 0.1, 0, DBL_MAX, DLS_OPEN_MIN),
    [FREE] = DLS_NUMBER("v0", "m/s", "initial velocity", -2, -DBL_MAX, DBL_MAX, 0),
    {0},
};

DLS_TEST(defaults_are_those_of_the_table)
{
  double values[TABLE_SIZE];
  assert_int_equal(dls_option_count(table), TABLE_SIZE);
  dls_option_defaults(table, values);
  for (size_t i = 0; i < TABLE_SIZE; i++) {
    assert_close(values[i], table[i].initial, 0);
  }
}

DLS_TEST(names_are_found_as_they_are_spelled)
{
  assert_int_equal(dls_option_find(table, "radius"), RADIUS);
  assert_int_equal(dls_option_find(table, "Radius"), -1);
  assert_int_equal(dls_option_find(table, ""), -1);
  assert_int_equal(dls_option_find((const dls_option[]){{0}}, "theta"), -1);
}

DLS_TEST(no_table_is_an_empty_one)
{
  double value = 7;
  dls_error err = {0};
  assert_int_equal(dls_option_count(NULL), 0);
  dls_option_defaults(NULL, &value);
  dls_option_fill(NULL, &value, &value);
  assert_close(value, 7, 0);
  assert_int_equal(dls_option_find(NULL, "theta"), -1);
  assert_int_equal(dls_option_parse(NULL, "scheme toy", "theta=1", &value, &err), DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme toy: there is no 'theta'; there are: none");
}

DLS_TEST(values_inside_the_range_are_taken)
{
  const struct {
    const char *assignment;
    int at;
    double value;
  } cases[] = {
      {"theta=0.5", THETA, 0.5},
      {"theta=1", THETA, 1},
      {"theta=7.5e-1", THETA, 0.75},
      {"N=1", COUNT, 1},
      {"N=1e3", COUNT, 1000},
      {"method=adams", METHOD, 0},
      {"method=bdf", METHOD, 1},
      {"radius=1e-300", RADIUS, 1e-300},
      {"radius=4e-324", RADIUS, 4.9406564584124654e-324},
      {"v0=-1.7976931348623157e308", FREE, -DBL_MAX},
      {"v0=+3", FREE, 3},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double values[TABLE_SIZE] = {NAN, NAN, NAN, NAN, NAN};
    dls_error err = {0};
    assert_ok(dls_option_parse(table, "scheme toy", cases[i].assignment, values, &err), err);
    assert_close(values[cases[i].at], cases[i].value, 0);
  }
}

DLS_TEST(bad_assignments_are_refused_by_name_value_and_range)
{
  const char *const cases[][2] = {
      {"theta=0.4", "scheme toy: theta = 0.4 is outside [0.5, 1]"},
      {"theta=1.0000001", "scheme toy: theta = 1.0000001 is outside [0.5, 1]"},
      {"N=2.5", "scheme toy: N = 2.5 is not an integer in [1, 1000]"},
      {"N=0", "scheme toy: N = 0 is not an integer in [1, 1000]"},
      {"radius=0", "scheme toy: radius = 0 is outside (0, inf)"},
      {"method=euler", "scheme toy: method = euler is none of adams|bdf"},
      {"method=1", "scheme toy: method = 1 is none of adams|bdf"},
      {"method=", "scheme toy: method =  is none of adams|bdf"},
      {"v0=nan", "scheme toy: v0 = 'nan' is not a finite number"},
      {"v0=inf", "scheme toy: v0 = 'inf' is not a finite number"},
      {"v0=1e400", "scheme toy: v0 = '1e400' is not a finite number"},
      {"v0=", "scheme toy: v0 = '' is not a finite number"},
      {"v0= 1", "scheme toy: v0 = ' 1' is not a finite number"},
      {"v0=1 ", "scheme toy: v0 = '1 ' is not a finite number"},
      {"v0=3.0xyz", "scheme toy: v0 = '3.0xyz' is not a finite number"},
      {"v0=1,5", "scheme toy: v0 = '1,5' is not a finite number"},
      {"theta", "scheme toy: 'theta' is not of the form name=value"},
      {"=1", "scheme toy: '=1' is not of the form name=value"},
      {"", "scheme toy: '' is not of the form name=value"},
      {"tetha=1",
       "scheme toy: there is no 'tetha' (did you mean 'theta'?); there are: theta, N, method, radius, v0"},
      {"restitution=1", "scheme toy: there is no 'restitution'; there are: theta, N, method, radius, v0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double values[TABLE_SIZE] = {7, 7, 7, 7, 7};
    dls_error err = {0};
    assert_int_equal(dls_option_parse(table, "scheme toy", cases[i][0], values, &err), DLS_ERR_OPTION);
    assert_string_equal(err.text, cases[i][1]);
    assert_int_equal(err.status, DLS_ERR_OPTION);
    for (size_t k = 0; k < TABLE_SIZE; k++) {
      assert_close(values[k], 7, 0);
    }
  }
}

DLS_TEST(bad_numbers_are_refused)
{
  const struct {
    const char *name;
    double value;
    const char *text;
  } cases[] = {
      {"theta", NAN, "model toy: theta = nan is outside [0.5, 1]"},
      {"v0", HUGE_VAL, "model toy: v0 = inf is outside (-inf, inf)"},
      {"v0", -HUGE_VAL, "model toy: v0 = -inf is outside (-inf, inf)"},
      {"N", 1.5, "model toy: N = 1.5 is not an integer in [1, 1000]"},
      {"method", 2, "model toy: method = 2 is none of adams|bdf"},
      {"method", -1, "model toy: method = -1 is none of adams|bdf"},
      {"method", 0.5, "model toy: method = 0.5 is none of adams|bdf"},
      {"method", NAN, "model toy: method = nan is none of adams|bdf"},
      {"mass", 1, "model toy: there is no 'mass'; there are: theta, N, method, radius, v0"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    double values[TABLE_SIZE] = {0};
    dls_error err = {0};
    assert_int_equal(dls_option_set(table, "model toy", cases[i].name, cases[i].value, values, &err),
                     DLS_ERR_OPTION);
    assert_string_equal(err.text, cases[i].text);
  }
  double values[TABLE_SIZE] = {0};
  assert_int_equal(dls_option_set(table, "model toy", "theta", 0.75, values, NULL), DLS_OK);
  assert_close(values[THETA], 0.75, 0);
  assert_int_equal(dls_option_set(table, "model toy", "theta", 2, values, NULL), DLS_ERR_OPTION);
}

DLS_TEST(endless_input_leaves_room_for_what_is_allowed)
{
  char text[3000];
  memset(text, 'x', sizeof text);
  memcpy(text, "theta=", 6);
  text[sizeof text - 1] = '\0';
  double values[TABLE_SIZE] = {0};
  dls_error err = {0};
  assert_int_equal(dls_option_parse(table, "toy", text, values, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "is not a finite number"));
  memcpy(text, "method=", 7);
  assert_int_equal(dls_option_parse(table, "toy", text, values, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "is none of adams|bdf"));
  assert_int_equal(dls_option_parse(table, "toy", text + 7, values, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "is not of the form name=value"));
  assert_int_equal(dls_option_set(table, "toy", text + 7, 1, values, &err), DLS_ERR_OPTION);
  assert_non_null(strstr(err.text, "there are: theta, N, method, radius, v0"));
}

DLS_TEST(formatted_values_read_back_bit_for_bit)
{
  const double values[] = {0.1, 1.0 / 3, 1e-300, -DBL_MAX, 4.9406564584124654e-324, 1e22, 123456789, 0.1 + 0.2};
  for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
    char text[40];
    double back = 0;
    dls_error err = {0};
    dls_option_format(&table[FREE], values[i], text, sizeof text);
    assert_ok(dls_parse_number("x", text, &back, &err), err);
    assert_memory_equal(&back, &values[i], sizeof back);
  }
}

DLS_TEST(formatted_values_are_short)
{
  char text[40];
  dls_option_format(&table[FREE], 0.1, text, sizeof text);
  assert_string_equal(text, "0.1");
  dls_option_format(&table[FREE], 0.1 + 0.2, text, sizeof text);
  assert_string_equal(text, "0.30000000000000004");
  dls_option_format(&table[COUNT], 10, text, sizeof text);
  assert_string_equal(text, "10");
  dls_option_format(&table[METHOD], 1, text, sizeof text);
  assert_string_equal(text, "bdf");
}

DLS_TEST(ranges_show_open_and_infinite_ends)
{
  const char *const expected[] = {"[0.5, 1]", "[1, 1000]", "adams|bdf", "(0, inf)", "(-inf, inf)"};
  char text[80];
  for (size_t i = 0; i < TABLE_SIZE; i++) {
    dls_option_range(&table[i], text, sizeof text);
    assert_string_equal(text, expected[i]);
  }
  const dls_option half_open = {.name = "x", .min = -1, .max = 2, .open = DLS_OPEN_MAX};
  dls_option_range(&half_open, text, sizeof text);
  assert_string_equal(text, "[-1, 2)");
  dls_option_range(&table[METHOD], text, 6);
  assert_string_equal(text, "adams");
}

DLS_TEST(the_nearest_name_is_near_or_none)
{
  const char *const names[] = {"moreau-jean", "moreau-jean-variant", "schatzman-paoli", "e"};
  assert_string_equal(dls_nearest_name("moreau_jean", names, 4), "moreau-jean");
  assert_string_equal(dls_nearest_name("shatzman-paoli", names, 4), "schatzman-paoli");
  assert_string_equal(dls_nearest_name("moreau-jean-varient", names, 4), "moreau-jean-variant");
  assert_string_equal(dls_nearest_name("moreau", names, 4), "moreau-jean"); /* begun; no edits count */
  assert_string_equal(dls_nearest_name("moreau-jean-", names, 4), "moreau-jean-variant");
  const char *const alike[] = {"tist", "text", "tests"};
  assert_string_equal(dls_nearest_name("test", alike, 3), "tests");
  assert_string_equal(dls_nearest_name("tesx", alike, 3), "tests"); /* two edits to either; tes against te */
  assert_string_equal(dls_nearest_name("testt", alike, 3), "tests");
  assert_string_equal(dls_nearest_name("trst", alike, 1), "tist");
  assert_null(dls_nearest_name("mo", names, 4)); /* could be anything */
  assert_null(dls_nearest_name("newmark", names, 4));
  assert_null(dls_nearest_name("x", names, 4)); /* any letter is one away from "e" */
  assert_null(dls_nearest_name("", names, 4));
  assert_null(dls_nearest_name("moreau-jean", names, 0));
  char endless[200];
  memset(endless, 'm', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  assert_null(dls_nearest_name(endless, names, 4));
}

/* Skipped where the system has no locale with a decimal comma. */
DLS_TEST(numbers_have_a_decimal_point_in_every_locale)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
    skip();
  }
  double value = 0;
  char text[40];
  const dls_status status = dls_parse_number("x", "0.5", &value, NULL);
  const dls_status comma = dls_parse_number("x", "0,5", &value, NULL);
  dls_option_format(&table[FREE], 0.25, text, sizeof text);
  setlocale(LC_ALL, "C");
  assert_int_equal(status, DLS_OK);
  assert_close(value, 0.5, 0);
  assert_int_equal(comma, DLS_ERR_PARSE);
  assert_string_equal(text, "0.25");
}

DLS_TEST(text_that_does_not_fit_is_cut)
{
  char text[8] = "ab";
  dls_text_append(text, sizeof text, "%s", "cdefghij");
  assert_string_equal(text, "abcdefg");
  dls_text_append(text, sizeof text, "%d", 1);
  assert_string_equal(text, "abcdefg");
}

DLS_TEST(every_status_has_a_text_and_a_message_fits)
{
#define STATUS_VALUE(name, value, text) {name, value, text},
  const struct {
    dls_status status;
    int value;
    const char *text;
  } all[] = {DLS_STATUS_LIST(STATUS_VALUE)};
  for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
    assert_int_equal(all[i].status, all[i].value);
    assert_string_equal(dls_status_text(all[i].status), all[i].text);
  }
  char endless[1000];
  memset(endless, 'x', sizeof endless - 1);
  endless[sizeof endless - 1] = '\0';
  dls_error err = {0};
  assert_int_equal(dls_fail(&err, DLS_ERR_IO, "%s", endless), DLS_ERR_IO);
  assert_int_equal(strlen(err.text), sizeof err.text - 1);
  assert_int_equal(dls_fail(NULL, DLS_ERR_LCP, "nobody %s", "listens"), DLS_ERR_LCP);
}

/* A table whose values are members of a struct, and of one inside it. */
typedef struct inner {
  double tol;
  size_t most;
} inner;
typedef struct fields {
  int method;
  inner newton;
  double theta;
} fields;
static const dls_option of_fields[] = {
    DLS_REAL_OPTION(0, fields, theta, "1", "implicitness", 0.5, 0.5, 1, 0),
    DLS_CHOICE_OPTION(0, fields, method, "multistep family", 1, methods),
    DLS_REAL_OPTION(offsetof(fields, newton), inner, tol, "1", "change accepted", 1e-11, 0, 1, DLS_OPEN_MIN),
    DLS_INTEGER_OPTION(offsetof(fields, newton), inner, most, "iterations", 20, 1, 1e15),
    {0},
};

DLS_TEST(values_become_members)
{
  double values[4];
  fields f = {.method = 7};
  dls_error err = {0};
  assert_string_equal(of_fields[3].name, "most");
  dls_option_defaults(of_fields, values);
  assert_ok(dls_option_parse(of_fields, "scheme s", "most=1000000000000000", values, &err), err);
  assert_ok(dls_option_parse(of_fields, "scheme s", "method=adams", values, &err), err);
  dls_option_fill(of_fields, values, &f);
  assert_close(f.theta, 0.5, 0);
  assert_int_equal(f.method, 0);
  assert_close(f.newton.tol, 1e-11, 0);
  assert_true(f.newton.most == 1000000000000000u);
}

DLS_TEST(values_without_effect_are_refused)
{
  static const size_t unused[] = {offsetof(fields, newton.most), offsetof(fields, theta)};
  fields f = {.method = 0, .newton = {1e-3, 20}, .theta = 0.5};
  dls_error err = {0};
  assert_ok(dls_option_unused(of_fields, &f, "scheme s", 2, unused, "method=adams", &err), err);
  f.newton.most = 21;
  assert_ok(dls_option_unused(of_fields, &f, "scheme s", 0, unused, "method=adams", &err), err);
  assert_int_equal(dls_option_unused(of_fields, &f, "scheme s", 2, unused, "method=adams", &err),
                   DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme s: most = 21 has no effect with method=adams");
  f.newton.most = 20;
  f.theta = 0.75;
  assert_int_equal(dls_option_unused(of_fields, &f, "scheme s", 2, unused, "method=adams", &err),
                   DLS_ERR_OPTION);
  assert_string_equal(err.text, "scheme s: theta = 0.75 has no effect with method=adams");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_those_of_the_table),
      cmocka_unit_test(names_are_found_as_they_are_spelled),
      cmocka_unit_test(no_table_is_an_empty_one),
      cmocka_unit_test(values_inside_the_range_are_taken),
      cmocka_unit_test(bad_assignments_are_refused_by_name_value_and_range),
      cmocka_unit_test(bad_numbers_are_refused),
      cmocka_unit_test(endless_input_leaves_room_for_what_is_allowed),
      cmocka_unit_test(formatted_values_read_back_bit_for_bit),
      cmocka_unit_test(formatted_values_are_short),
      cmocka_unit_test(ranges_show_open_and_infinite_ends),
      cmocka_unit_test(the_nearest_name_is_near_or_none),
      cmocka_unit_test(numbers_have_a_decimal_point_in_every_locale),
      cmocka_unit_test(text_that_does_not_fit_is_cut),
      cmocka_unit_test(every_status_has_a_text_and_a_message_fits),
      cmocka_unit_test(values_become_members),
      cmocka_unit_test(values_without_effect_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
