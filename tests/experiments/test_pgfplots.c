/* tests/experiments/test_pgfplots.c -- figures as pictures for TeX: text, data, places, ranges.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/pgfplots.h"
#include <stdlib.h>
#include <string.h>

static void text_is_tex(void **state)
{
  (void)state;
  static const struct {
    const char *text, *plain, *markup;
  } cases[] = {
      {"position q_{0} [m]", "position q\\_\\{0\\} [m]", "position $q_{0}$ [m]"},
      {"in L^1 [s^{1/2}·m]", "in L\\textasciicircum{}1 [s\\textasciicircum{}\\{1/2\\}$\\cdot$m]",
       "in $L^{1}$ [$\\mathrm{s}^{1/2}$$\\cdot$m]"},
      {"10^{-3}", "10\\textasciicircum{}\\{$-$3\\}", "$10^{-3}$"},
      {"±μλ_N", "$\\pm$$\\mu$$\\lambda$\\_N", "$\\pm$$\\mu$$\\lambda _{N}$"},
      {"a_b: -0.5 [-1, 2] 50 % #1 & $x", "a\\_b: $-$0.5 [$-$1, 2] 50 \\% \\#1 \\& \\$x",
       "$a_{b}$: $-$0.5 [$-$1, 2] 50 \\% \\#1 \\& \\$x"},
      {"error 3.7e-09, two-ball", "error $3.7\\cdot10^{-9}$, two-ball", "error $3.7\\cdot10^{-9}$, two-ball"},
      {"{\\x}", "\\{\\textbackslash{}x\\}", "\\{\\textbackslash{}x\\}"},
  };
  for (size_t i = 0; i < 2 * sizeof cases / sizeof cases[0]; i++) {
    char text[200] = "";
    FILE *out = fmemopen(text, sizeof text, "w");
    assert_non_null(out);
    dls_tex_text(out, cases[i / 2].text, i % 2 == 1);
    fclose(out);
    assert_string_equal(text, i % 2 == 1 ? cases[i / 2].markup : cases[i / 2].plain);
  }
}

static const dls_canvas canvas = {.path = "a.tex", .narrow = true, .width = 444};

/* The picture of a figure on a canvas of 444 pixels, 12 cm; to be freed. */
static char *write_figure(dls_figure *figure)
{
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  assert_non_null(out);
  assert_int_equal(dls_figure_layout(figure, NULL), DLS_OK);
  assert_false(figure->failed);
  dls_pgfplots_write(out, figure);
  fclose(out);
  dls_error err = {0};
  assert_int_equal(dls_figure_finish(figure, DLS_ERR_ARG, &err), DLS_ERR_ARG); /* releases */
  return text;
}

static void assert_has(const char *text, const char *part)
{
  if (strstr(text, part) == NULL) {
    print_error("'%s' is not in\n%s\n", part, text);
    fail();
  }
}

static dls_panel *begin(dls_figure *figure)
{
  dls_figure_begin(figure, &canvas, 1000);
  dls_panel *panel = dls_figure_panel(figure, 200);
  panel->x = (dls_axis){.label = "t's [s]", .high = 4};
  panel->y = (dls_axis){.high = 10};
  return panel;
}

static void a_panel_is_an_axis_with_its_curves(void **state)
{
  (void)state;
  dls_figure figure;
  dls_panel *panel = begin(&figure);
  dls_plot_table *a = dls_plot_table_new(&figure, 3, "a"), *none = dls_plot_table_new(&figure, 2, "none");
  dls_plot_table_add(a, (double[]){1, 2, -2});
  dls_plot_table_add(a, (double[]){2, 4, -4});
  dls_plot_table_break(a);
  dls_plot_table_add(a, (double[]){3, -1e9, 1e9});
  dls_panel_add(&figure, panel,
                &(dls_series){.table = a, .style = {"#0072B2", DLS_DASHED, DLS_DISC}, .title = "q_0"});
  dls_panel_add(
      &figure, panel,
      &(dls_series){
          .kind = DLS_SERIES_POINTS, .table = a, .y = 2, .style = {"#000000", DLS_SOLID, DLS_SQUARE}});
  dls_panel_add(&figure, panel, &(dls_series){.table = none, .style = dls_style_of(6), .title = "none"});
  char *text = write_figure(&figure);
  assert_has(text, "at={(2.378cm,"); /* 88 of 444 pixels */
  assert_has(text, "width=9.135cm,height=5.405cm");
  assert_has(text, "xlabel={t's [s]}");
  assert_has(text, "xmode=normal,xmin=0,xmax=4");
  assert_has(text, "xtick={0,1,2,3,4},\n  xticklabels={0,1,2,3,4},");
  assert_has(text, "color={rgb,255:red,0;green,114;blue,178},no marks,line width=0.4pt,dash pattern=on 4.14pt "
                   "off 2.76pt] table[row sep=\\\\]{\n"
                   "1 2 \\\\\n2 4 \\\\\nnan nan \\\\\n3 -100 \\\\\n};\n\\addlegendentry{q\\_0}");
  assert_has(text, "mark=square*,mark options={solid}");
  assert_has(
      text,
      "1 -2 \\\\\n2 -4 \\\\\nnan nan \\\\\n3 110 \\\\\n};"); /* ten heights of the panel away, and no more */
  assert_has(text, "\\addlegendimage{color={rgb,255:red,0;green,0;blue,0},no marks,line width=0.4pt,dash "
                   "pattern=on 7.36pt off 2.3pt on 2.76pt off 2.3pt}\n"
                   "\\addlegendentry{none}");
  free(text);
}

static void bands_are_areas_and_ticks_are_written_out(void **state)
{
  (void)state;
  dls_figure figure;
  dls_panel *panel = begin(&figure);
  dls_plot_table *band = dls_plot_table_new(&figure, 3, "band");
  panel->x = (dls_axis){.log = true, .low = 1, .high = 12};
  dls_plot_table_add(band, (double[]){1, 2, 3});
  dls_plot_table_add(band, (double[]){2, 4, 6});
  dls_panel_add(
      &figure, panel,
      &(dls_series){.kind = DLS_SERIES_BAND, .table = band, .style = dls_style_of(0), .transparency = 0xD0});
  dls_panel_mark(
      &figure, panel,
      &(dls_mark){.of_panel = true, .x = 0.1, .y = 0.2, .align = -1, .text = "3.7e-09", .colour = "#D55E00"});
  dls_panel_mark(
      &figure, panel,
      &(dls_mark){
          .kind = DLS_MARK_ARROW, .of_panel = true, .x = 0.1, .y = 0.1, .x2 = 0.1, .colour = "#009E73"});
  char *text = write_figure(&figure);
  assert_has(text, "fill={rgb,255:red,0;green,114;blue,178},opacity=0.184,draw=none");
  assert_has(text, "{\n1 2 \\\\\n2 4 \\\\\n2 6 \\\\\n1 3 \\\\\n};");
  assert_has(text, "xmode=log,xmin=1,xmax=12");
  assert_has(text, "xtick={1e0,1e1},\n  xticklabels={$10^{0}$,$10^{1}$},\n  minor xtick={2e0,");
  assert_has(text, "anchor=west,");
  assert_has(text, "text={rgb,255:red,213;green,94;blue,0}] at (rel axis cs:0.1,0.2) {$3.7\\cdot10^{-9}$};");
  assert_has(text, "(rel axis cs:0.1,0.1) -- (rel axis cs:0.1,0);");
  free(text);
}

/* A key below all panels has the entries of the last one; panels with one x-axis have one label. */
static void panels_are_below_each_other_with_one_key(void **state)
{
  (void)state;
  dls_figure figure;
  begin(&figure);
  dls_plot_table *a = dls_plot_table_new(&figure, 2, "a");
  dls_plot_table_add(a, (double[]){1, 2});
  dls_panel *second = dls_figure_panel(&figure, 200);
  figure.one_x = true;
  second->x = figure.panels[0]->x;
  for (size_t i = 0; i < 2; i++) {
    dls_panel_add(&figure, figure.panels[i], &(dls_series){.table = a, .style = dls_style_of(0), .title = "a"});
  }
  char *text = write_figure(&figure);
  assert_has(text, "xticklabels={},");
  assert_true(strstr(text, "xlabel=") > strstr(text, "\\end{axis}"));
  assert_has(text, "{\n1 2 \\\\\n};\n\\end{axis}\n\\begin{axis}"); /* the first one has no entry */
  assert_has(text, "{\n1 2 \\\\\n};\n\\addlegendentry{a}\n\\end{axis}\n\\end{tikzpicture}");
  free(text);
}

/* Axes without a range take it from the data: with room, round values, and in the middle what does not vary. */
static void ranges_come_from_the_data(void **state)
{
  (void)state;
  dls_error err = {0};
  dls_figure figure;
  dls_figure_begin(&figure, &canvas, 1000);
  dls_panel *varying = dls_figure_panel(&figure, 200), *constant = dls_figure_panel(&figure, 200);
  dls_plot_table *a = dls_plot_table_new(&figure, 3, "a");
  dls_plot_table_add(a, (double[]){0, -1, 5});
  dls_plot_table_add(a, (double[]){2, 3, 5});
  varying->y.room[0] = varying->y.room[1] = 0.1;
  dls_panel_add(&figure, varying, &(dls_series){.table = a, .style = dls_style_of(0)});
  dls_panel_add(&figure, constant, &(dls_series){.table = a, .y = 2, .style = dls_style_of(0)});
  assert_int_equal(dls_figure_layout(&figure, NULL), DLS_OK);
  assert_close(varying->x.high, 2, 1e-15);
  assert_close(varying->y.low, -1.4, 1e-15);
  assert_close(varying->y.high, 3.4, 1e-15);
  assert_close(constant->y.low, 4.5, 1e-15);
  assert_close(constant->y.high, 5.5, 1e-15);
  assert_int_equal(dls_figure_finish(&figure, DLS_ERR_ARG, &err), DLS_ERR_ARG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_is_tex), cmocka_unit_test(a_panel_is_an_axis_with_its_curves),
      cmocka_unit_test(bands_are_areas_and_ticks_are_written_out),
      cmocka_unit_test(panels_are_below_each_other_with_one_key), cmocka_unit_test(ranges_come_from_the_data)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
