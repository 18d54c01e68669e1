/* tests/experiments/test_pgfplots_allocation.c -- pictures for TeX where each allocation fails in turn.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/pgfplots.h"
#include "failing_malloc.h"
#include "scratch.h"

static dls_status write_picture(const void *data, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(data, &(dls_picture_form){.style = DLS_PLOT_JOURNAL});
  dls_figure figure;
  dls_figure_begin(&figure, &canvas, 300);
  dls_panel *panel = dls_figure_panel(&figure, 200);
  dls_plot_table *table = dls_plot_table_new(&figure, 2, "a");
  dls_plot_table_add(table, (double[]){1, 2});
  dls_panel_mark(&figure, panel, &(dls_mark){.x = 1, .y = 2, .text = dls_figure_text(&figure, "x")});
  dls_panel_add(&figure, panel, &(dls_series){.table = table, .style = dls_style_of(0), .title = "a"});
  return dls_figure_finish(&figure, DLS_OK, err);
}

static void nothing_is_left_and_the_error_is_told(void **state)
{
  (void)state;
  char path[DLS_TEST_PATH];
  dls_test_file(dls_test_folder(NULL), "a.tex", path);
  assert_between((double)fail_each_in_turn(write_picture, path), 5, 40);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(nothing_is_left_and_the_error_is_told)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
