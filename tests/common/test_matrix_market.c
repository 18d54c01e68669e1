/* test_matrix_market.c -- what is written in a Matrix Market file is what is read, in the storage that fits; what is
 * malformed is refused with its place and the reason.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include <delassus/matrix_market.h>
#include <float.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>

#define HEAD "%%MatrixMarket matrix "
#define GENERAL HEAD "coordinate real general\n"

static dls_status parse_bytes(const char *text, size_t length, dls_market **out, dls_error *err)
{
  char *copy = malloc(length + 1); /* of that size, so that a sanitizer sees reading beyond */
  assert_non_null(copy);
  memcpy(copy, text, length);
  FILE *in = fmemopen(copy, length > 0 ? length : 1, "r");
  assert_non_null(in);
  if (length == 0) { /* not every C library opens 0 bytes */
    fgetc(in);
  }
  const dls_status status = dls_market_parse(in, "a.mtx", out, err);
  fclose(in);
  free(copy);
  assert_true((*out != NULL) == (status == DLS_OK));
  return status;
}

static dls_market *parse(const char *text)
{
  dls_error err = {0};
  dls_market *table = NULL;
  assert_ok(parse_bytes(text, strlen(text), &table, &err), err);
  return table;
}

static double value(const dls_market *table, size_t row, size_t column)
{
  const dls_market_entry *e = dls_market_find(table, row - 1, column - 1);
  return e == NULL ? 0 : e->value;
}

/* The table against a dense one, row by row. */
static void assert_table(dls_market *table, size_t rows, size_t columns, const double *expected)
{
  size_t nonzeros = 0;
  assert_int_equal(table->rows, rows);
  assert_int_equal(table->columns, columns);
  for (size_t i = 0; i < rows; i++) {
    for (size_t j = 0; j < columns; j++) {
      assert_close(value(table, i + 1, j + 1), expected[i * columns + j], 0);
      nonzeros += expected[i * columns + j] != 0;
    }
  }
  assert_int_equal(table->count, nonzeros);
  dls_market_destroy(table);
}

DLS_TEST(coordinates_may_come_in_any_order)
{
  dls_market *table = parse(GENERAL "2 3 4\n2 3 -1.5e-3\n1 1 4\n1 3 .5\n2 1 +7.\n");
  assert_int_equal(dls_market_find(table, 1, 2)->line, 3);
  assert_int_equal(dls_market_find(table, 1, 0)->line, 6);
  assert_null(dls_market_find(table, 0, 1));
  assert_table(table, 2, 3, (const double[]){4, 0, 0.5, 7, 0, -1.5e-3});
}

DLS_TEST(arrays_run_down_the_columns)
{
  assert_table(parse(HEAD "array real general\n2 3\n1\n2\n3\n0\n5\n6\n"), 2, 3,
               (const double[]){1, 3, 5, 2, 0, 6});
  assert_table(parse(HEAD "array integer symmetric\n3 3\n1\n2\n3\n4\n5\n6\n"), 3, 3,
               (const double[]){1, 2, 3, 2, 4, 5, 3, 5, 6});
  assert_table(parse(HEAD "array real skew-symmetric\n3 3\n2\n3\n5\n"), 3, 3,
               (const double[]){0, -2, -3, 2, 0, -5, 3, 5, 0});
  assert_table(parse(HEAD "array real skew-symmetric\n1 1\n"), 1, 1, (const double[]){0});
}

DLS_TEST(one_triangle_stands_for_both)
{
  assert_table(parse(HEAD "coordinate real symmetric\n3 3 4\n3 1 2\n1 1 5\n3 3 7\n3 2 -1\n"), 3, 3,
               (const double[]){5, 0, 2, 0, 0, -1, 2, -1, 7});
  assert_table(parse(HEAD "coordinate integer skew-symmetric\n2 2 1\n2 1 3\n"), 2, 2,
               (const double[]){0, -3, 3, 0});
}

DLS_TEST(layout_and_capitals_do_not_matter)
{
  char text[4000] = "%%matrixmarket MATRIX Coordinate Real General\r\n%\n% words\r\n\r\n  2\t2 2  \r\n%";
  memset(text + strlen(text), 'x', 3000);                  /* comments may be long */
  strcat(text, "\n \t\n1 1 3 \r\n   % between\n\n2 2\t4"); /* no end of the last line */
  assert_table(parse(text), 2, 2, (const double[]){3, 0, 0, 4});
}

DLS_TEST(zeros_are_left_out_and_the_table_may_be_empty)
{
  assert_table(parse(GENERAL "2 2 3\n1 1 0\n1 2 -0.0\n2 1 1e-999\n"), 2, 2, (const double[]){0, 0, 0, 0});
  assert_table(parse(GENERAL "2 1 0\n"), 2, 1, (const double[]){0, 0});
}

/* 17 digits, in a locale that writes a comma. */
DLS_TEST(numbers_read_back_bit_for_bit_in_any_locale)
{
  static const char *const locales[] = {"C", "de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8"};
  static const double odd[] = {0.1, 1.0 / 3, -DBL_MAX, DBL_MIN, 4.9406564584124654e-324, 1 + DBL_EPSILON};
  char text[600] = HEAD "array real general\n6 1\n";
  for (size_t i = 0; i < 6; i++) {
    snprintf(text + strlen(text), sizeof text - strlen(text), "%.17g\n", odd[i]);
  }
  for (size_t k = 0; k < 4; k++) {
    setlocale(LC_ALL, locales[k]); /* where it is installed */
    assert_table(parse(text), 6, 1, odd);
  }
  setlocale(LC_ALL, "C");
}

DLS_TEST(what_is_malformed_is_refused_with_its_place)
{
  static const struct {
    const char *text, *message;
  } cases[] = {
      {"", "a.mtx:1:1: the first line must be %%MatrixMarket matrix coordinate|array real|integer "
           "general|symmetric|skew-symmetric"},
      {"3 3\n", "a.mtx:1:1: the first line must be %%MatrixMarket"},
      {"%%MatrixMarket\n", "a.mtx:1:1: the first line must be"},
      {HEAD "coordinate real\n", "a.mtx:1:16: the first line must be"},
      {"%%MatrixMarket vector coordinate real general\n", "a.mtx:1:16: the first line must be"},
      {HEAD "coordinate real general extra\n", "a.mtx:1:16: the first line must be"},
      {HEAD "sparse real general\n", "a.mtx:1:23: the format is 'sparse': coordinate or array is needed"},
      {HEAD "coordinate pattern general\n",
       "a.mtx:1:34: a pattern matrix has no values: real or integer is needed"},
      {HEAD "coordinate complex general\n", "a.mtx:1:34: the values are 'complex': real or integer is needed"},
      {HEAD "array real hermitian\n",
       "a.mtx:1:34: the symmetry is 'hermitian': general, symmetric or skew-symmetric is needed"},
      {GENERAL "% nothing more\n", "a.mtx:3:1: expected the size line: rows columns entries"},
      {GENERAL "2 2\n", "a.mtx:2:1: expected the size line: rows columns entries"},
      {HEAD "array real general\n2 2 4\n", "a.mtx:2:1: expected the size line: rows columns"},
      {GENERAL "0 2 0\n", "a.mtx:2:1: the number of rows 0 is outside 1..2147483647"},
      {GENERAL "2 -2 0\n", "a.mtx:2:3: the number of columns '-2' is not a whole number"},
      {GENERAL "2 2147483648 0\n", "a.mtx:2:3: the number of columns 2147483648 is outside 1..2147483647"},
      {GENERAL "2 99999999999999999999999999 0\n",
       "a.mtx:2:3: the number of columns 99999999999999999999999999 is outside 1..2147483647"},
      {GENERAL "2 2 5\n", "a.mtx:2:5: the number of entries 5 is outside 0..4"},
      {HEAD "coordinate real symmetric\n2 2 4\n", "a.mtx:2:5: the number of entries 4 is outside 0..3"},
      {HEAD "coordinate real skew-symmetric\n2 2 2\n", "a.mtx:2:5: the number of entries 2 is outside 0..1"},
      {HEAD "array real symmetric\n2 3\n", "a.mtx:2:1: a 2 x 3 matrix cannot be symmetric or skew-symmetric"},
      {GENERAL "2 2 1\n0 1 5\n", "a.mtx:3:1: the row 0 is outside 1..2"},
      {GENERAL "2 2 1\n 1 3 5\n", "a.mtx:3:4: the column 3 is outside 1..2"},
      {GENERAL "2 2 1\n1.0 1 5\n", "a.mtx:3:1: the row '1.0' is not a whole number"},
      {GENERAL "2 2 1\n1 1\n", "a.mtx:3:1: an entry must be 'row column value"},
      {GENERAL "2 2 1\n1 1 5 6\n", "a.mtx:3:7: an entry must be 'row column value"},
      {GENERAL "2 2 1\n1 1 5x\n", "a.mtx:3:5: '5x' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 nan\n", "a.mtx:3:5: 'nan' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 -inf\n", "a.mtx:3:5: '-inf' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 1e999\n", "a.mtx:3:5: '1e999' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 0x1p3\n", "a.mtx:3:5: '0x1p3' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 1,5\n", "a.mtx:3:5: '1,5' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 1.5D+00\n", "a.mtx:3:5: '1.5D+00' is not a finite decimal number"},
      {GENERAL "2 2 1\n1 1 e-.\n", "a.mtx:3:5: 'e-.' is not a finite decimal number"},
      {HEAD "coordinate integer general\n2 2 1\n1 1 1.5\n",
       "a.mtx:3:5: '1.5' is not an integer up to 2^53, and the first line says integer"},
      {HEAD "array integer general\n1 1\n9007199254740993000\n",
       "a.mtx:3:1: '9007199254740993000' is not an integer up to 2^53"},
      {GENERAL "2 2 2\n1 1 5\n\n", "a.mtx:5:1: the file ends after 1 of the 2 entries that line 2 announces"},
      {GENERAL "2 2 1\n1 1 5\n2 2 5\n", "a.mtx:4:1: line 2 announces 1 entries, but more follow"},
      {GENERAL "3 3 4\n1 1 5\n2 2 5\n3 3 1\n1 1 5\n",
       "a.mtx:6:1: entry (1,1) was already given in line 3: sum duplicate entries before writing"},
      {GENERAL "3 3 4\n3 1 5\n2 2 0\n2 2 0\n3 1 5\n", "a.mtx:5:1: entry (2,2) was already given in line 4"},
      {HEAD "coordinate real symmetric\n3 3 3\n3 1 5\n1 1 5\n3 1 5\n",
       "a.mtx:5:1: entry (3,1) was already given in line 3"},
      {HEAD "coordinate real symmetric\n2 2 1\n1 2 5\n",
       "a.mtx:3:1: entry (1,2) is above the diagonal: the file is symmetric and holds only what is below and "
       "on "
       "it"},
      {HEAD "coordinate real skew-symmetric\n2 2 1\n2 2 5\n",
       "a.mtx:3:1: entry (2,2) is on the diagonal: the file is skew-symmetric and holds only what is below"},
      {HEAD "array real general\n2 1\n1 2\n",
       "a.mtx:3:3: the file is an array and must have one number per line"},
      {HEAD "array real general\n2 2\n1\n2\n3\n",
       "a.mtx:6:1: the file ends after 3 of the 4 entries that line 2 announces"},
      {HEAD "array real symmetric\n2 2\n1\n2\n3\n4\n",
       "a.mtx:6:1: line 2 announces 3 entries, but more follow"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_market *table = NULL;
    dls_error err = {0};
    assert_int_equal(parse_bytes(cases[k].text, strlen(cases[k].text), &table, &err), DLS_ERR_PARSE);
    if (strncmp(err.text, cases[k].message, strlen(cases[k].message)) != 0) {
      fail_msg("case %zu: '%s' instead of '%s'", k, err.text, cases[k].message);
    }
  }
}

DLS_TEST(bytes_that_are_no_text_are_refused)
{
  dls_market *table = NULL;
  dls_error err = {0};
  static const char zero[] = GENERAL "2 2 1\n1 1\0 5\n";
  assert_int_equal(parse_bytes(zero, sizeof zero - 1, &table, &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, "a.mtx:3:4: zero byte: not a text file");
  char lengthy[3000] = GENERAL "2 2 1\n1 1 ";
  memset(lengthy + strlen(lengthy), '1', 2000);
  assert_int_equal(parse_bytes(lengthy, strlen(lengthy), &table, &err), DLS_ERR_PARSE);
  assert_string_equal(err.text, "a.mtx:3:1025: the line has more than 1024 characters");
}

/* 2^31 - 1 squared places announced: nothing of that size is allocated. */
DLS_TEST(a_file_that_announces_too_much_costs_no_memory)
{
  dls_market *table = NULL;
  dls_error err = {0};
  const char *text = GENERAL "2147483647 2147483647 4611686014132420609\n2147483647 1 5\n";
  assert_int_equal(parse_bytes(text, strlen(text), &table, &err), DLS_ERR_PARSE);
  assert_string_equal(
      err.text, "a.mtx:4:1: the file ends after 1 of the 4611686014132420609 entries that line 2 announces");
  table = parse(HEAD "coordinate real symmetric\n2147483647 2147483647 1\n2147483647 1 5\n");
  assert_int_equal(table->count, 2);
  dls_market_destroy(table);
}

DLS_TEST(files_that_cannot_be_read_are_named)
{
  dls_market *table = NULL;
  dls_error err = {0};
  assert_int_equal(dls_market_read("/nowhere/mass.mtx", &table, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot read /nowhere/mass.mtx: No such file or directory");
  assert_int_equal(dls_market_read("/", &table, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot read /: Is a directory");
  assert_null(table);
}

/* The text of a matrix with entries x where the pattern allows it. */
static dls_matrix *matrix(size_t n, int (*pattern)(size_t i, size_t j))
{
  const size_t most = 200000;
  char *text = malloc(most);
  size_t used = 0;
  size_t count = 0;
  for (size_t i = 0; i < n * n; i++) {
    count += pattern(i / n, i % n) != 0;
  }
  used += (size_t)snprintf(text, most, "%s%zu %zu %zu\n", GENERAL, n, n, count);
  for (size_t i = 0; i < n; i++) { /* row by row: not the order of the storage */
    for (size_t j = 0; j < n; j++) {
      if (pattern(i, j) != 0) {
        used += (size_t)snprintf(text + used, most - used, "%zu %zu %zu\n", i + 1, j + 1, 10 * i + j + 1);
      }
    }
  }
  assert_true(used < most - 1);
  dls_market *table = parse(text);
  dls_matrix *A = dls_market_matrix(table);
  assert_non_null(A);
  for (size_t i = 0; i < n; i++) {
    for (size_t j = 0; j < n; j++) {
      assert_close(dls_matrix_get(A, i, j), pattern(i, j) != 0 ? (double)(10 * i + j + 1) : 0, 0);
    }
  }
  dls_market_destroy(table);
  free(text);
  return A;
}

static int on_diagonal(size_t i, size_t j)
{
  return i == j;
}

static int tridiagonal(size_t i, size_t j)
{
  return i + 1 >= j && j + 1 >= i;
}

static int grid(size_t i, size_t j)
{
  return i == j || i + 20 == j || j + 20 == i;
}

static int everywhere(size_t i, size_t j)
{
  (void)i, (void)j;
  return 1;
}

DLS_TEST(matrices_get_the_narrowest_storage)
{
  const struct {
    size_t n;
    int (*pattern)(size_t i, size_t j);
    dls_storage storage;
  } cases[] = {{1, on_diagonal, DLS_DIAGONAL}, {50, on_diagonal, DLS_DIAGONAL}, {50, tridiagonal, DLS_BAND},
               {60, grid, DLS_SPARSE},         {50, everywhere, DLS_DENSE},     {2, everywhere, DLS_DENSE}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    dls_matrix *A = matrix(cases[k].n, cases[k].pattern);
    assert_int_equal(dls_matrix_storage(A), cases[k].storage);
    dls_matrix_destroy(A);
  }
}

DLS_TEST(transposing_turns_rows_into_columns)
{
  dls_market *table = parse(GENERAL "2 3 3\n1 3 5\n2 1 7\n2 2 8\n");
  dls_market_transpose(table);
  dls_matrix *A = dls_market_matrix(table); /* in order again */
  assert_close(dls_matrix_get(A, 2, 0), 5, 0);
  assert_close(dls_matrix_get(A, 1, 1), 8, 0);
  dls_matrix_destroy(A);
  assert_table(table, 3, 2, (const double[]){0, 7, 0, 8, 5, 0});
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(coordinates_may_come_in_any_order),
      cmocka_unit_test(arrays_run_down_the_columns),
      cmocka_unit_test(one_triangle_stands_for_both),
      cmocka_unit_test(layout_and_capitals_do_not_matter),
      cmocka_unit_test(zeros_are_left_out_and_the_table_may_be_empty),
      cmocka_unit_test(numbers_read_back_bit_for_bit_in_any_locale),
      cmocka_unit_test(what_is_malformed_is_refused_with_its_place),
      cmocka_unit_test(bytes_that_are_no_text_are_refused),
      cmocka_unit_test(a_file_that_announces_too_much_costs_no_memory),
      cmocka_unit_test(files_that_cannot_be_read_are_named),
      cmocka_unit_test(matrices_get_the_narrowest_storage),
      cmocka_unit_test(transposing_turns_rows_into_columns),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
