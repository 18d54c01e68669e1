/* tests/experiments/test_terminal.c -- pictures in the terminal: the dots of a curve lie where its equation puts them, and every curve has
 * its letter in the key.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/figure.h"
#include "scratch.h"
#include <fcntl.h>
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 100, LINES = 40 };

/* What dls_figure_finish writes to standard output: characters, line by line. */
static void drawn(dls_figure *figure, unsigned screen[LINES][COLUMNS])
{
  char path[DLS_TEST_PATH];
  dls_test_file(dls_test_folder(NULL), "picture", path);
  fflush(stdout);
  const int before = dup(STDOUT_FILENO), file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
  dup2(file, STDOUT_FILENO);
  dls_error err = {0};
  const dls_status status = dls_figure_finish(figure, DLS_OK, &err);
  fflush(stdout);
  dup2(before, STDOUT_FILENO);
  close(before);
  assert_ok(status, err);
  lseek(file, 0, SEEK_SET);
  FILE *in = fdopen(file, "r");
  memset(screen, 0, LINES * sizeof *screen);
  size_t line = 0, column = 0;
  for (int c = fgetc(in); c != EOF; c = fgetc(in)) {
    const int more = c < 0x80 ? 0 : c < 0xE0 ? 1 : 2; /* all characters here have at most three bytes */
    unsigned character = (unsigned)c & (more == 0 ? 0x7F : 0xFF >> (more + 2));
    for (int i = 0; i < more; i++) {
      character = character << 6 | ((unsigned)fgetc(in) & 0x3F);
    }
    if (character == '\n') {
      line++;
      column = 0;
      continue;
    }
    assert_true(line < LINES && column < COLUMNS);
    screen[line][column++] = character;
  }
  assert_int_equal(line, LINES);
  fclose(in);
}

/* Is the dot set? Column and line of dots count from the left and from above. */
static bool is_dot(unsigned screen[LINES][COLUMNS], size_t x, size_t y)
{
  static const unsigned bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const unsigned c = screen[y / 4][x / 2];
  return c >= 0x2800 && c < 0x2900 && (c & bits[y % 4][x % 2]) != 0;
}

/* The inner part of the frame, in characters. */
static void find_frame(unsigned screen[LINES][COLUMNS], size_t *left, size_t *right, size_t *top,
                       size_t *bottom)
{
  *left = *right = *top = *bottom = 0;
  for (size_t line = 0; line < LINES; line++) {
    for (size_t column = 0; column < COLUMNS; column++) {
      if (screen[line][column] == 0x250C) {
        *left = column + 1;
        *top = line + 1;
      } else if (screen[line][column] == 0x2518) {
        *right = column;
        *bottom = line;
      }
    }
  }
  assert_true(*right > *left + 20 && *bottom > *top + 5);
}

static dls_panel *begin(dls_figure *figure, bool log)
{
  const dls_canvas canvas = dls_canvas_file(
      "-", &(dls_picture_form){.width = COLUMNS * DLS_CELL_WIDTH, .height = LINES * DLS_CELL_HEIGHT});
  dls_figure_begin(figure, &canvas, 1000);
  dls_panel *panel = dls_figure_panel(figure, 300);
  panel->x = (dls_axis){.label = "t [s]", .low = 0, .high = 1};
  panel->y = (dls_axis){.label = "x [m]", .low = log ? 1e-4 : -2, .high = log ? 1e2 : 2, .log = log};
  return panel;
}

/* Straight lines, on logarithmic axes exponentials: every column of dots has one within a dot of the line, and none elsewhere. */
static void dots_lie_on_the_curve(void **state)
{
  (void)state;
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
  for (int i = 0; i < 40; i++) {
    const bool log = i % 2 == 1;
    const double a = 2 * gsl_rng_uniform(rng) - 1,
                 b = 2 * gsl_rng_uniform(rng) - 1; /* y = a + b x, of -2 to 2 */
    dls_figure figure;
    dls_panel *panel = begin(&figure, log);
    dls_plot_table *table = dls_plot_table_new(&figure, 2, "t");
    for (int k = 0; k <= 10; k++) {
      const double x = k / 10.0, y = a + b * x;
      dls_plot_table_add(table,
                         (double[]){x, log ? pow(10, -1 + 1.5 * y) : y}); /* -2 and 2: the ends of the axis */
    }
    dls_panel_add(&figure, panel, &(dls_series){.table = table, .style = dls_style_of(0)});
    unsigned screen[LINES][COLUMNS];
    size_t left, right, top, bottom, count = 0;
    drawn(&figure, screen);
    find_frame(screen, &left, &right, &top, &bottom);
    const double width = 2.0 * (double)(right - left) - 1, height = 4.0 * (double)(bottom - top) - 1;
    for (size_t x = 2 * left; x < 2 * right; x++) {
      const double at = (double)(x - 2 * left) / width, y = (1 - (a + b * at + 2) / 4) * height;
      size_t near = 0;
      for (size_t k = 4 * top; k < 4 * bottom; k++) {
        const bool dot = is_dot(screen, x, k);
        const double off = fabs((double)(k - 4 * top) - y);
        near += dot && off <= 1.5;
        assert_false(dot && off > 1.5 + fabs(b / 4) * height / width);
      }
      count += near > 0;
    }
    assert_between((double)count, 0.85 * (width + 1), width + 1); /* the letter of the curve hides some */
  }
  gsl_rng_free(rng);
}

/* Letters of three curves are at their values and in the key; texts are whole. */
static void curves_have_letters(void **state)
{
  (void)state;
  dls_figure figure;
  dls_panel *panel = begin(&figure, false);
  for (size_t k = 0; k < 3; k++) {
    static const char *const names[] = {"exact", "moreau-jean", "q_{1}"};
    dls_plot_table *table = dls_plot_table_new(&figure, 2, "t_%zu", k);
    dls_plot_table_add(table, (double[]){0, (double)k - 1});
    dls_plot_table_add(table, (double[]){0.5, (double)k - 1});
    dls_plot_table_add(table, (double[]){1, (double)k - 1});
    dls_panel_add(&figure, panel, &(dls_series){.table = table, .style = dls_style_of(k), .title = names[k]});
  }
  unsigned screen[LINES][COLUMNS];
  size_t left, right, top, bottom;
  drawn(&figure, screen);
  find_frame(screen, &left, &right, &top, &bottom);
  for (unsigned k = 0; k < 3; k++) {
    const size_t line = top + (size_t)((1 - ((double)k + 1) / 4) * (4.0 * (double)(bottom - top) - 1) / 4);
    size_t found = 0, entries = 0;
    for (size_t column = left; column < right; column++) {
      found += screen[line][column] == 'a' + k;
    }
    for (size_t below = bottom + 3; below < LINES; below++) {
      entries += screen[below][left] == 'a' + k || screen[below][left + 1] == 'a' + k ||
                 screen[below][left - 1] == 'a' + k;
    }
    assert_between((double)found, 1, 3);
    assert_int_equal(entries, 1);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(dots_lie_on_the_curve),
                                     cmocka_unit_test(curves_have_letters)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
