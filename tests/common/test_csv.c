/* test_csv.c -- trajectory files: what is written reads back bit for bit, other people's files are read, and a
 * malformed file is refused with the place and the reason.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "common/run/csv.h"
#include "scratch.h"
#include <delassus/trajectory.h>
#include <float.h>
#include <locale.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *folder;
static char path[DLS_TEST_PATH];

static int make_file(void **state)
{
  (void)state;
  folder = dls_test_folder(NULL);
  dls_test_file(folder, "table.csv", path);
  return 0;
}

static void put_bytes(const char *text, size_t length)
{
  FILE *file = fopen(path, "wb");
  assert_non_null(file);
  assert_int_equal(fwrite(text, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

static dls_trajectory *read_text(const char *text)
{
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  put_bytes(text, strlen(text));
  assert_ok(dls_trajectory_read(path, &traj, &err), err);
  return traj;
}

static void write_file(const dls_trajectory *traj)
{
  dls_error err = {0};
  FILE *file = fopen(path, "wb");
  assert_ok(dls_trajectory_write(traj, file, &err), err);
  assert_int_equal(fclose(file), 0);
}

static char *file_text(void)
{
  static char text[20000];
  FILE *file = fopen(path, "rb");
  const size_t length = fread(text, 1, sizeof text - 1, file);
  text[length] = '\0';
  fclose(file);
  return text;
}

static dls_trajectory *sample(void)
{
  const double odd[] = {0, -0.0, 0.1, 1.0 / 3, DBL_MAX, -DBL_MIN, 4.9406564584124654e-324, 1 + DBL_EPSILON};
  dls_trajectory *traj = dls_trajectory_create(1, 1, true);
  dls_trajectory_set_meaning(traj, "q", DLS_HERMITE);
  dls_trajectory_set_meaning(traj, "v", DLS_HERMITE);
  dls_trajectory_set_meaning(traj, "p", DLS_CONSTANT);
  for (size_t i = 0; i < 20; i++) {
    double *row = dls_trajectory_append(traj);
    row[0] = 0.1 * (double)(i / 2); /* every node twice: both limits */
    for (size_t j = 1; j < traj->columns; j++) {
      row[j] = odd[(i + 3 * j) % 8];
    }
  }
  return traj;
}

DLS_TEST(a_trajectory_reads_back_bit_for_bit)
{
  dls_trajectory *written = sample();
  dls_trajectory *read = NULL;
  dls_error err = {0};
  write_file(written);
  assert_ok(dls_trajectory_read(path, &read, &err), err);
  assert_int_equal(read->columns, written->columns);
  assert_int_equal(read->rows, written->rows);
  assert_memory_equal(read->data, written->data, read->rows * read->columns * sizeof *read->data);
  for (size_t j = 0; j < read->columns; j++) {
    assert_string_equal(read->names[j], written->names[j]);
    assert_int_equal(read->meaning[j], written->meaning[j]);
  }
  dls_trajectory_destroy(read);
  dls_trajectory_destroy(written);
}

DLS_TEST(metadata_events_and_the_end_of_the_run_are_written)
{
  dls_error err = {0};
  dls_trajectory *traj = dls_trajectory_create(1, 1, false);
  const dls_event impact = {.t = 0.5, .kind = DLS_IMPACT, .u_minus = -2, .u_plus = 1, .impulse = 3};
  const dls_event rest = {.t = 2.75, .kind = DLS_ACCUMULATION, .time_end = 3, .bound = 1e-12};
  assert_ok(dls_trajectory_note(traj, &err, "scheme", "toy\nt,x\r1,2"), err);
  assert_ok(dls_trajectory_add_event(traj, &impact, &err), err);
  assert_ok(dls_trajectory_add_event(traj, &rest, &err), err);
  traj->complete = false;
  strcpy(traj->failure, "toy at t = 3:\nno more");
  memset(dls_trajectory_append(traj), 0, traj->columns * sizeof(double));
  write_file(traj);
  assert_string_equal(file_text(),
                      "# delassus: " DLS_VERSION "\n"
                      "# scheme: toy t,x 1,2\n"
                      "# interpolation: q0=linear v0=linear g0=linear u0=linear p0=linear lambda0=linear "
                      "status0=constant\n"
                      "# event: t=0.5 kind=impact contact=0 u_minus=-2 u_plus=1 impulse=3\n"
                      "# event: t=2.75 kind=accumulation contact=0 u_minus=0 u_plus=0 impulse=0 time_end=3 "
                      "bound=1e-12\n"
                      "# complete: no\n"
                      "# failure: toy at t = 3: no more\n"
                      "t,q0,v0,g0,u0,p0,lambda0,status0\n"
                      "0,0,0,0,0,0,0,0\n");
  dls_trajectory_destroy(traj);
}

DLS_TEST(a_full_disk_is_an_error)
{
  FILE *full = fopen("/dev/full", "w");
  if (full == NULL) {
    skip();
  }
  dls_error err = {0};
  dls_trajectory *traj = sample();
  assert_int_equal(dls_trajectory_write(traj, full, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "writing the trajectory failed: No space left on device");
  fclose(full);
  dls_trajectory_destroy(traj);
}

static int polls;

static bool third_poll_ends(void)
{
  return ++polls < 3;
}

DLS_TEST(an_interrupt_ends_the_writing_of_rows)
{
  enum { ROWS = 100000 };
  dls_error err = {0};
  dls_trajectory *traj = sample();
  for (size_t i = 0; i < ROWS; i++) {
    double *row = dls_trajectory_append(traj);
    assert_non_null(row);
    memset(row, 0, traj->columns * sizeof *row);
  }
  FILE *file = tmpfile();
  assert_non_null(file);
  polls = 0;
  assert_int_equal(dls_csv_write(traj, file, third_poll_ends, &err), DLS_ERR_INTERRUPTED);
  assert_int_equal(polls, 3);
  assert_between((double)ftell(file), 1000, 100000); /* of 1.6 million characters */
  fclose(file);
  dls_trajectory_destroy(traj);
}

static void check_plain(const char *text)
{
  dls_trajectory *traj = read_text(text);
  const double expected[] = {0, 1, 0.5, -2, 0.5, 3e-5};
  assert_int_equal(traj->columns, 2);
  assert_int_equal(traj->rows, 3);
  assert_string_equal(traj->names[0], "t");
  assert_string_equal(traj->names[1], "x");
  assert_memory_equal(traj->data, expected, sizeof expected);
  assert_true(traj->complete);
  dls_trajectory_destroy(traj);
}

DLS_TEST(other_peoples_files_are_read)
{
  check_plain("t,x\n0,1\n0.5,-2\n0.5,3e-5\n");
  check_plain("t,x\n0,1\n0.5,-2\n0.5,3e-5");                                      /* no newline at the end */
  check_plain("t,x\r\n0,1\r\n0.5,-2\r\n0.5,3e-5\r\n");                            /* CR LF */
  check_plain("\"t\",\"x\"\n0,1\n0.5,-2\n0.5,\"3e-5\"\n");                        /* quotes */
  check_plain(" t , x\n 0,1 \n0.5 ,\t-2\n0.5,3e-5\n");                            /* blanks */
  check_plain("\n# by hand\n\nt,x\n0,1\n#\n0.5,-2\n \t \n0.5,3e-5\n\n\n# end\n"); /* comments, empty lines */
  check_plain("\xEF\xBB\xBFt,x\n0,1\n0.5,-2\n0.5,3e-5\n");                        /* byte order mark */
  check_plain("t,x\n+0,1.0\n.5,-2\n5e-1,0.00003\n"); /* other ways to write numbers */
}

DLS_TEST(quoted_names_may_contain_commas)
{
  dls_trajectory *traj = read_text("t,\"x, in m\",y\n0,1,2\n");
  assert_int_equal(traj->columns, 3);
  assert_string_equal(traj->names[1], "x, in m");
  assert_close(dls_trajectory_at(traj, 0, 2), 2, 0);
  write_file(traj);
  dls_trajectory_destroy(traj);
  dls_error err = {0};
  assert_ok(dls_trajectory_read(path, &traj, &err), err);
  assert_string_equal(traj->names[1], "x, in m");
  dls_trajectory_destroy(traj);
}

/* Found by the fuzzer: such names came back as others, or gave their meaning to another column. */
DLS_TEST(names_of_all_kinds_and_their_meanings_read_back)
{
  const char *const names[] = {"t",     "x",       " d ",       "a \"b\", c",   "\"x, in m\" no",
                               "\"",    "\"all\"", "x=hermite", "x=linear q x", "q x",
                               "\ttab", "end\r",   "q"};
  enum { COUNT = sizeof names / sizeof names[0] };
  dls_trajectory *written = dls_trajectory_create_table(COUNT, names);
  dls_trajectory *read = NULL;
  dls_error err = {0};
  memset(dls_trajectory_append(written), 0, COUNT * sizeof(double));
  for (size_t j = 1; j < COUNT; j++) {
    written->meaning[j] = j % 2 == 0 ? DLS_LINEAR : DLS_CONSTANT;
  }
  write_file(written);
  assert_ok(dls_trajectory_read(path, &read, &err), err);
  assert_int_equal(read->columns, COUNT);
  for (size_t j = 1; j < COUNT; j++) {
    assert_string_equal(read->names[j], names[j]);
    assert_int_equal(read->meaning[j], written->meaning[j]);
  }
  dls_trajectory_destroy(read);
  dls_trajectory_destroy(written);
}

DLS_TEST(two_quotes_inside_quotes_are_one)
{
  dls_trajectory *traj = read_text("t,\"a \"\"b\"\", c\" , 2\" pipe,\"x\"y\n0,\"1\",2,3\n");
  assert_int_equal(traj->columns, 4);
  assert_string_equal(traj->names[1], "a \"b\", c");
  assert_string_equal(traj->names[2], "2\" pipe"); /* quotes that are not around the field are its own */
  assert_string_equal(traj->names[3], "\"x\"y");
  dls_trajectory_destroy(traj);
}

DLS_TEST(the_meaning_between_nodes_is_read_wherever_it_stands)
{
  const char *const texts[] = {
      "# interpolation: q0=hermite v0=constant\nt,q0,v0,w\n0,1,2,3\n",
      "t,q0,v0,w\n# interpolation: v0=constant t=constant q0=hermite\n0,1,2,3\n",
      "# interpolation: q0=linear w=constant\nt,q0,v0,w\n0,1,2,3\n# interpolation: q0=hermite v0=constant "
      "z=linear "
      "w=quartic w\n",
  };
  for (size_t k = 0; k < 3; k++) {
    dls_trajectory *traj = read_text(texts[k]);
    assert_int_equal(traj->meaning[0], DLS_LINEAR); /* of t nothing can be said */
    assert_int_equal(traj->meaning[1], DLS_HERMITE);
    assert_int_equal(traj->meaning[2], DLS_CONSTANT);
    assert_int_equal(traj->meaning[3], DLS_LINEAR);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(malformed_files_are_refused_with_line_and_column)
{
  const char *const cases[][2] = {
      {"", "1:1: no header line"},
      {"\n\n", "3:1: no header line"},
      {"# only a comment\n", "2:1: no header line"},
      {"t,x\n", "2:1: no row of numbers below the header"},
      {"# c\nt,x\n# c\n", "4:1: no row of numbers below the header"},
      {"x,t\n0,1\n", "1:1: the first column of the header must be t, not x"},
      {"0,1\n0,1\n", "1:1: the first column of the header must be t, not 0"},
      {"time,x\n0,1\n", "1:1: the first column of the header must be t, not time"},
      {"# c\n  T\n", "2:3: the first column of the header must be t, not T"},
      {",x\n0,1\n", "1:1: the first column of the header must be t, not "},
      {"t,x,x\n0,1,2\n", "1:5: the header names two columns x"},
      {"t,b,a,t,b,a\n0,1,2,3,4,5\n", "1:7: the header names two columns t"},
      {"t,x,\n0,1,2\n", "1:5: a column of the header has no name"},
      {"t,,x\n0,1,2\n", "1:3: a column of the header has no name"},
      {"t,x\n0\n", "2:1: 1 fields where the header has 2 columns"},
      {"t,x\n0,1\n1,2,3\n", "3:1: 3 fields where the header has 2 columns"},
      {"t,x\n0,1\n1,\n", "3:3: not a finite number: "},
      {"t,x\n0,1\n,2\n", "3:1: not a finite number: "},
      {"t,x\n0,1\n1, two\n", "3:4: not a finite number: two"},
      {"t,x\n0,1\n1,2 3\n", "3:3: not a finite number: 2 3"},
      {"t,x\n0,nan\n", "2:3: not a finite number: nan"},
      {"t,x\n0,-inf\n", "2:3: not a finite number: -inf"},
      {"t,x\n0,1e999\n", "2:3: not a finite number: 1e999"},
      {"t,x\n0;1\n", "2:1: 1 fields where the header has 2 columns"},
      {"t,x\n0,1\n0.5,2\n0.25,3\n", "4:1: t decreases to 0.25"},
      {"t,x\r0,1\r1,2\r", "2:1: no row of numbers below the header"},
      {"t,x\n0,1\r1,2\n", "2:1: 3 fields where the header has 2 columns"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char expected[DLS_TEST_PATH + 100];
    dls_trajectory *traj = (dls_trajectory *)path;
    dls_error err = {0};
    put_bytes(cases[i][0], strlen(cases[i][0]));
    assert_int_equal(dls_trajectory_read(path, &traj, &err), DLS_ERR_PARSE);
    snprintf(expected, sizeof expected, "%s:%s", path, cases[i][1]);
    assert_string_equal(err.text, expected);
    assert_null(traj);
  }
}

DLS_TEST(bytes_that_are_not_text_are_refused)
{
  static const char text[] = "t,x\n0,1\n1,2\0,3\n";
  char expected[DLS_TEST_PATH + 100];
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  put_bytes(text, sizeof text - 1);
  assert_int_equal(dls_trajectory_read(path, &traj, &err), DLS_ERR_PARSE);
  snprintf(expected, sizeof expected, "%s:3:4: zero byte: not a text file", path);
  assert_string_equal(err.text, expected);
}

DLS_TEST(a_long_path_leaves_room_for_the_reason)
{
  char longer[3 * DLS_TEST_PATH] = "";
  strcat(longer, folder);
  while (strlen(longer) < 900) {
    strcat(longer, "/.");
  }
  strcat(longer, path + strlen(folder));
  put_bytes("t,x\n0,1\n1,two\n", 14);
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  assert_int_equal(dls_trajectory_read(longer, &traj, &err), DLS_ERR_PARSE);
  assert_non_null(strstr(err.text, ":3:3: not a finite number: two"));
}

DLS_TEST(files_that_cannot_be_read_are_named)
{
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  assert_int_equal(dls_trajectory_read("/tmp/no/such/file.csv", &traj, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot read /tmp/no/such/file.csv: No such file or directory");
  assert_int_equal(dls_trajectory_read("/tmp", &traj, &err), DLS_ERR_IO);
  assert_string_equal(err.text, "cannot read /tmp: Is a directory");
}

DLS_TEST(twenty_thousand_columns_are_no_obstacle)
{
  dls_trajectory *wide = dls_trajectory_create(10000, 0, false);
  dls_trajectory *read = NULL;
  dls_error err = {0};
  double *row = dls_trajectory_append(wide);
  for (size_t j = 0; j < wide->columns; j++) {
    row[j] = (double)j;
  }
  dls_trajectory_set_meaning(wide, "v", DLS_CONSTANT);
  write_file(wide);
  assert_ok(dls_trajectory_read(path, &read, &err), err);
  assert_int_equal(read->columns, 20001);
  assert_memory_equal(read->data, wide->data, wide->columns * sizeof(double));
  assert_int_equal(read->meaning[10000], DLS_LINEAR);
  assert_int_equal(read->meaning[10001], DLS_CONSTANT);
  dls_trajectory_destroy(read);
  dls_trajectory_destroy(wide);
}

/* Skipped where the system has no locale with a decimal comma. */
/* Files are read in blocks: lines that end anywhere beside the end of one, with and without an end of line at the end of
 * the file, and a line longer than a block. */
DLS_TEST(lines_may_end_anywhere)
{
  enum { ROWS = 5000, LONGEST = 34, ROOM = 300000 };
  char *text = malloc(ROOM);
  assert_non_null(text);
  for (size_t comment = 0; comment <= LONGEST; comment++) {
    const size_t first = comment == LONGEST ? 100000 : comment;
    size_t length = (size_t)sprintf(text, "#%0*d\r\nt,x\n", (int)first, 0);
    for (int i = 0; i < ROWS; i++) {
      length += (size_t)sprintf(text + length, "%d.%04d,-0.12345678901234%03d%s", i, i, i % 1000,
                                i % 3 == 0 ? "\r\n" : "\n");
    }
    text[length - comment % 3] = '\0';
    dls_trajectory *traj = read_text(text);
    assert_int_equal(traj->rows, ROWS);
    for (int i = 0; i < ROWS - 1; i++) {
      char x[40];
      snprintf(x, sizeof x, "-0.12345678901234%03d", i % 1000);
      assert_true(dls_trajectory_at(traj, (size_t)i, 1) == strtod(x, NULL));
    }
    dls_trajectory_destroy(traj);
  }
  free(text);
}

/* --- tables of other programs --- */

static dls_trajectory *read_table(const char *text, const char *time, dls_csv_layout *layout)
{
  dls_trajectory *traj = NULL;
  dls_error err = {0};
  put_bytes(text, strlen(text));
  assert_ok(dls_trajectory_read_table(path, time, &traj, layout, &err), err);
  return traj;
}

DLS_TEST(tables_of_any_layout_have_the_same_rows)
{
  static const struct {
    const char *text, *time;
    dls_csv_layout layout;
  } cases[] = {
      {"t,x,y\n0,1,-2.5\n0.5,1e3,7\n", NULL, {.separator = ','}},
      {"t;x;y\n0;1;-2.5\n0.5;1e3;7\n", NULL, {.separator = ';', .decimal_point = true}},
      {"t;x;y\r\n0;1;-2,5\r\n0,5;1e3;7\r\n", NULL, {.separator = ';', .decimal_comma = true}},
      {"time\tx\ty\n0\t1\t-2,5\n0,5\t1e3\t7\n", "time", {.separator = '\t', .decimal_comma = true}},
      {"  time x   y \n 0  1\t-2.5\n0.5 1e3   7  \n", "time", {.separator = ' '}},
      {"# made by a program\n# t x y\n0 1 -2.5\n0.5 1e3 7\n",
       NULL,
       {.separator = ' ', .header_in_comment = true}},
      {"#t,x,y\n0,1,-2.5\n0.5,1e3,7\n", NULL, {.separator = ',', .header_in_comment = true}},
      {"# remark\nt,x,y\n# another\n0,1,-2.5\n0.5,1e3,7\n", NULL, {.separator = ','}},
      {"x;y;t\n1;-2,5;0\n1e3;7;0,5\n", "t", {.separator = ';', .decimal_comma = true}},
      {"x,\"time; s\",y\n1,0,-2.5\n1e3,0.5,7\n", "time; s", {.separator = ','}},
      {"\"x\";\"time\";\"y\"\n\"1\";\"0\";\"-2,5\"\n\"1e3\";\"0,5\";\"7\"\n",
       "time",
       {';', .decimal_comma = true}},
      {"t,x,y,\n0,1,-2.5,\n0.5,1e3,7,\n", NULL, {.separator = ',', .ends_with_separator = true}},
      {"t,x,y\n0,1,-2.5, \n0.5,1e3,7,\n", NULL, {.separator = ',', .ends_with_separator = true}},
      {"x;y;t;\r\n1;-2,5;0;\r\n1e3;7;0,5;\r\n", "t", {';', .decimal_comma = true, .ends_with_separator = true}},
      {"t\tx\ty\t\n0\t1\t-2.5\t\n0.5\t1e3\t7\t\n",
       NULL,
       {'\t', .decimal_point = true, .ends_with_separator = true}},
      {"# t,x,y,\n0,1,-2.5,\n0.5,1e3,7,\n",
       NULL,
       {',', .ends_with_separator = true, .header_in_comment = true}},
      {"\xef\xbb\xbfzeit;x;y\n0;1;-2,5\n0,5;1e3;7\n", "zeit", {.separator = ';', .decimal_comma = true}},
  };
  static const double rows[] = {0, 1, -2.5, 0.5, 1000, 7};
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    dls_csv_layout layout = {0};
    dls_trajectory *traj = read_table(cases[i].text, cases[i].time, &layout);
    assert_int_equal(traj->rows, 2);
    assert_int_equal(traj->columns, 3);
    assert_string_equal(traj->names[0], "t");
    assert_string_equal(traj->names[1], "x");
    assert_string_equal(traj->names[2], "y");
    assert_memory_equal(traj->data, rows, sizeof rows);
    assert_int_equal(layout.separator, cases[i].layout.separator);
    assert_int_equal(layout.decimal_comma, cases[i].layout.decimal_comma);
    assert_int_equal(layout.decimal_point, cases[i].layout.decimal_point);
    assert_int_equal(layout.header_in_comment, cases[i].layout.header_in_comment);
    assert_int_equal(layout.ends_with_separator, cases[i].layout.ends_with_separator);
    dls_trajectory_destroy(traj);
  }
}

DLS_TEST(a_table_of_unclear_layout_is_refused)
{
  static const char *const cases[][3] = {
      {"time,x\n0,1\n", "t",
       "1:1: no column 't' for the time; the columns are time, x; t=NAME in --map chooses one"},
      {"t,time\n0,1\n", "time", "1:1: a column t, while the time is mapped to the column time"},
      {"time,x,time\n0,1,2\n", "time", "1:8: the header names two columns time"},
      {"t;x\n0;1.5\n1;2,5\n", "t", "3:4: decimal points and decimal commas in one file"},
      {"t;x\n0;1.234,5\n", "t", "2:8: decimal points and decimal commas in one file"},
      {"t;pos, mm\n0;1\n", "t",
       "1:6: a comma in a name without quotes, where other characters separate columns"},
      {"t,x\n0,5,1,5\n", "t", "2:1: 4 fields where the header has 2 columns"},
      {"t x\n0,5 1,5\n", "t", "2:1: 4 fields where the header has 2 columns"},
      {"0,1\n1,2\n", "t", "1:1: no header line before the numbers"},
      {"t;x\n0;1\n1;two\n", "t", "3:3: not a finite number: two"},
      {"t;x\n0;1\n-1;2\n", "t", "3:1: t decreases to -1"},
      {"t,x,\n0,1,\n1,2\n", "t", "3:4: no separator at the end of the line, where those before have one"},
      {"t,x\n0,1,\n1,2\n", "t", "3:4: no separator at the end of the line, where those before have one"},
      {"t,x\n0,1\n1,2,\n", "t", "3:1: 3 fields where the header has 2 columns"},
      {"t,x\n0,1\n1,\n", "t", "3:3: not a finite number: "},
      {"t,x,\n0,\n", "t", "2:1: 1 fields where the header has 2 columns"},
      {"t,x,\n0,1,2\n", "t", "2:6: no separator at the end of the line, where those before have one"},
      {"t,x,,\n0,1,,\n", "t", "1:5: a column of the header has no name"},
      {"t,,x,\n0,1,2,\n", "t", "1:3: a column of the header has no name"},
      {"# delassus: 1\nt,x,\n0,1,\n", "t", "2:5: a column of the header has no name"},
      {"# delassus: 1\ntime,x\n0,1\n", "time", "2:1: the first column of the header must be t, not time"},
      {"# delassus: 1\nt;x\n0;1\n", "t", "2:1: the first column of the header must be t, not t;x"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
    char expected[DLS_TEST_PATH + 200];
    dls_trajectory *traj = (dls_trajectory *)path;
    dls_csv_layout layout;
    dls_error err = {0};
    put_bytes(cases[i][0], strlen(cases[i][0]));
    assert_int_equal(dls_trajectory_read_table(path, cases[i][1], &traj, &layout, &err), DLS_ERR_PARSE);
    snprintf(expected, sizeof expected, "%s:%s", path, cases[i][2]);
    assert_string_equal(err.text, expected);
    assert_null(traj);
  }
}

DLS_TEST(files_have_decimal_points_in_every_locale)
{
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL && setlocale(LC_ALL, "fr_FR.UTF-8") == NULL) {
    skip();
  }
  dls_trajectory *read = NULL;
  dls_trajectory *written = sample();
  FILE *file = fopen(path, "wb");
  const dls_status wrote = dls_trajectory_write(written, file, NULL);
  fclose(file);
  const dls_status was_read = dls_trajectory_read(path, &read, NULL);
  setlocale(LC_ALL, "C");
  assert_int_equal(wrote, DLS_OK);
  assert_int_equal(was_read, DLS_OK);
  assert_memory_equal(read->data, written->data, read->rows * read->columns * sizeof *read->data);
  dls_trajectory_destroy(read);
  dls_trajectory_destroy(written);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_trajectory_reads_back_bit_for_bit),
      cmocka_unit_test(metadata_events_and_the_end_of_the_run_are_written),
      cmocka_unit_test(a_full_disk_is_an_error),
      cmocka_unit_test(an_interrupt_ends_the_writing_of_rows),
      cmocka_unit_test(other_peoples_files_are_read),
      cmocka_unit_test(quoted_names_may_contain_commas),
      cmocka_unit_test(names_of_all_kinds_and_their_meanings_read_back),
      cmocka_unit_test(two_quotes_inside_quotes_are_one),
      cmocka_unit_test(the_meaning_between_nodes_is_read_wherever_it_stands),
      cmocka_unit_test(malformed_files_are_refused_with_line_and_column),
      cmocka_unit_test(bytes_that_are_not_text_are_refused),
      cmocka_unit_test(a_long_path_leaves_room_for_the_reason),
      cmocka_unit_test(files_that_cannot_be_read_are_named),
      cmocka_unit_test(twenty_thousand_columns_are_no_obstacle),
      cmocka_unit_test(lines_may_end_anywhere),
      cmocka_unit_test(tables_of_any_layout_have_the_same_rows),
      cmocka_unit_test(a_table_of_unclear_layout_is_refused),
      cmocka_unit_test(files_have_decimal_points_in_every_locale),
  };
  return cmocka_run_group_tests(tests, make_file, NULL);
}
