/* tests/experiments/test_command_line.c -- words of a command as a POSIX shell splits them, values between braces.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/extra/foreign/command_line.h"
#include <string.h>

/* Words with '|' behind each. Source: what `for w in ...; do printf '%s|' "$w"; done` prints in dash. */
static void words_are_those_of_a_shell(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"./sim --step 1", "./sim|--step|1|"},
      {"  a\t b\n", "a|b|"},
      {"'a b' \"c d\" e\\ f", "a b|c d|e f|"},
      {"a'b c'd\"e f\"g", "ab cde fg|"},
      {"'' \"\" x", "||x|"},
      {"\"a\\\"b\\\\c\\d\" 'e\\f' \\\\g", "a\"b\\c\\d|e\\f|\\g|"},
      {"'|&;<>()$`*?~' \\| \\$x \"a|b*?~;\" b~", "|&;<>()$`*?~|||$x|a|b*?~;|b~|"},
      {"\"\\$x \\`y\"", "$x `y|"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_pool pool = {0};
    char **words = NULL, joined[200] = "";
    size_t count = 0;
    dls_error err = {0};
    assert_int_equal(dls_command_split(cases[i][0], &pool, &words, &count, &err), DLS_OK);
    assert_null(words[count]);
    for (size_t j = 0; j < count; j++) {
      strcat(strcat(joined, words[j]), "|");
    }
    assert_string_equal(joined, cases[i][1]);
    dls_pool_release(&pool);
  }
}

static void what_needs_a_shell_is_refused(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"", "is empty"},
      {" \t", "is empty"},
      {"a 'b", "a quote ' is not closed"},
      {"a \"b\\\"", "a quote \""},
      {"a | b", "'|' at character 3"},
      {"a > b", "'>'"},
      {"a $b", "'$'"},
      {"a \"$b\"", "'$'"},
      {"a `b`", "'`'"},
      {"~/sim", "'~' at"},
      {"a *.csv", "'*'"},
      {"a; b", "';' at character 2"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_pool pool = {0};
    char **words = NULL;
    size_t count = 0;
    dls_error err = {0};
    assert_int_equal(dls_command_split(cases[i][0], &pool, &words, &count, &err), DLS_ERR_PARSE);
    assert_non_null(strstr(err.text, cases[i][1]));
    dls_pool_release(&pool);
  }
}

static const char *value(void *data, const char *name)
{
  (void)data;
  return strcmp(name, "h") == 0 ? "0.1" : strcmp(name, "blank") == 0 ? "a b" : NULL;
}

static void braces_are_filled_once(void **state)
{
  (void)state;
  static const char *const cases[][2] = {
      {"--step={h}", "--step=0.1"},
      {"{h}{h}x", "0.10.1x"},
      {"{blank}", "a b"},
      {"{{h}", "{h}"},
      {"{{\"h\": {h}}", "{\"h\": 0.1}"},
      {"}", "}"},
      {"", ""},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_pool pool = {0};
    dls_error err = {0};
    assert_string_equal(dls_command_fill(cases[i][0], value, NULL, "h, blank", &pool, &err), cases[i][1]);
    dls_pool_release(&pool);
  }
}

static void braces_without_value_are_refused(void **state)
{
  (void)state;
  static const char *const words[] = {"{", "{h", "{}", "{ {h}", "{x}", "{H}"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    dls_pool pool = {0};
    dls_error err = {0};
    assert_null(dls_command_fill(words[i], value, NULL, "h, blank", &pool, &err));
    assert_int_equal(err.status, i < 4 ? DLS_ERR_PARSE : DLS_ERR_OPTION);
    assert_non_null(strstr(err.text, "h, blank"));
    dls_pool_release(&pool);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_those_of_a_shell),
      cmocka_unit_test(what_needs_a_shell_is_refused),
      cmocka_unit_test(braces_are_filled_once),
      cmocka_unit_test(braces_without_value_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
