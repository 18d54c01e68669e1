/* tests/experiments/test_figure_size.c -- pictures of given size: the layout has the proportions that are asked for, frames and keys lie
 * within them, and a key inside a frame covers no curve.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "check.h"
#include "experiments/show/figure.h"
#include <gsl/gsl_rng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static double between(gsl_rng *rng, double low, double high)
{
  return low + (high - low) * gsl_rng_uniform(rng);
}

static gsl_rng *seeded(unsigned long seed)
{
  gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
  gsl_rng_set(rng, seed);
  return rng;
}

/* A figure of up to four panels of random walks. The caller calls dls_figure_finish with an error, which only releases it. */
static void build(dls_figure *figure, const dls_canvas *canvas, gsl_rng *rng, dls_key_policy key)
{
  dls_figure_begin(figure, canvas, 900);
  figure->key = key;
  figure->one_x = true;
  figure->title.model = "a model with a long name, h = 0.001 s";
  const size_t panels = 1 + (size_t)between(rng, 0, 4), curves = 1 + (size_t)between(rng, 0, 3);
  for (size_t i = 0; i < panels; i++) {
    dls_panel *panel = dls_figure_panel(figure, between(rng, 100, 300));
    panel->x.label = "t [s]";
    panel->zero_line = between(rng, 0, 1) < 0.5;
    panel->y = (dls_axis){.label = "contact force p/h [N]", .log = between(rng, 0, 1) < 0.5};
    for (size_t k = 0; k < curves; k++) {
      dls_plot_table *table = dls_plot_table_new(figure, 2, "t_%zu_%zu", i, k);
      double y = between(rng, 0, 1);
      for (int row = 0; row < 40; row++) {
        y += between(rng, -0.2, 0.2);
        dls_plot_table_add(table, (double[]){row, panel->y.log ? exp(5 * y) : y});
      }
      dls_panel_add(figure, panel,
                    &(dls_series){.table = table, .style = dls_style_of(k), .title = "a scheme"});
    }
  }
}

static void check_panel(const dls_figure *f, const dls_panel *p, dls_picture_key key)
{
  const double frame = f->width * (p->edge[DLS_RIGHT] - p->edge[DLS_LEFT]);
  assert_between(frame, 40, f->width);
  assert_between(p->edge[DLS_BOTTOM] * f->height, 0, f->height);
  assert_between(p->edge[DLS_TOP], p->edge[DLS_BOTTOM] + 39 / f->height, 1);
  assert_true(key != DLS_PICTURE_KEY_NONE || !p->keyed);
  if (key == DLS_PICTURE_KEY_BELOW && p->keyed) {
    assert_between(p->key[1], 0, p->edge[DLS_BOTTOM]);
  }
  if (key == DLS_PICTURE_KEY_INSIDE && p->keyed) {
    const double left = (p->key[0] - p->edge[DLS_LEFT]) * f->width,
                 top = (p->key[1] - p->edge[DLS_BOTTOM]) * f->height;
    const dls_box box = {left, left + p->key_width, top - p->key_height, top};
    assert_between(box.left, 0, frame);
    assert_between(box.right, box.left, frame);
    assert_between(box.bottom, 0, p->height);
    assert_between(box.top, box.bottom, p->height);
    assert_true(dls_panel_is_free(p, frame, p->height, &box));
    const double zero = p->height * dls_axis_part(&p->y, 0); /* NaN on a logarithmic axis */
    assert_false(p->zero_line && zero > box.bottom && zero < box.top);
  }
}

static void layouts_have_the_size_that_is_asked_for(void **state)
{
  (void)state;
  static const char *const paths[] = {"a.png", "a.svg", "a.pdf", "a.tex"};
  gsl_rng *rng = seeded(7);
  size_t fit = 0, refused = 0;
  for (int i = 0; i < 400; i++) {
    const bool cm = between(rng, 0, 1) < 0.5;
    const dls_picture_form form = {.style = (dls_plot_style)between(rng, 0, 3),
                                   .width = cm ? between(rng, 6, 20) : between(rng, 250, 1500),
                                   .height = cm ? between(rng, 4, 20) : between(rng, 200, 1500),
                                   .centimetres = cm,
                                   .key = (dls_picture_key)between(rng, 0, 4)};
    const dls_canvas canvas = dls_canvas_file(paths[i % 4], &form);
    dls_figure figure;
    dls_error err = {0};
    build(&figure, &canvas, rng, between(rng, 0, 1) < 0.5 ? DLS_KEY_BELOW : DLS_KEY_OF_PANEL);
    const dls_status status = dls_figure_layout(&figure, &err);
    if (status == DLS_OK) {
      fit++;
      assert_close(figure.height / figure.width / (form.height / form.width), 1, 0.01);
      for (size_t k = 0; k < figure.panel_count; k++) {
        check_panel(&figure, figure.panels[k], form.key);
      }
    } else {
      refused++;
      assert_int_equal(status, DLS_ERR_OPTION);
      assert_non_null(strstr(err.text, "it must be at least"));
    }
    dls_figure_finish(&figure, DLS_ERR_ARG, NULL);
  }
  gsl_rng_free(rng);
  assert_between((double)fit, 100, 390);
  assert_between((double)refused, 10, 300);
}

/* The least size of the message is enough, and a little less is not. */
static void the_least_size_that_is_reported_is_enough(void **state)
{
  (void)state;
  for (int i = 0; i < 50; i++) {
    dls_picture_form form = {.width = 5, .height = 3, .centimetres = true, .style = (dls_plot_style)(i % 2)};
    dls_error err = {0};
    for (int trial = 0; trial < 2; trial++) {
      gsl_rng *rng = seeded((unsigned long)i);
      const dls_canvas canvas = dls_canvas_file("a.pdf", &form);
      dls_figure figure;
      build(&figure, &canvas, rng, DLS_KEY_OF_PANEL);
      const dls_status status = dls_figure_layout(&figure, &err);
      dls_figure_finish(&figure, DLS_ERR_ARG, NULL);
      gsl_rng_free(rng);
      if (status == DLS_OK) {
        break;
      }
      assert_int_equal(trial, 0);
      const char *least = strstr(err.text, "at least ");
      assert_non_null(least);
      assert_ok(dls_picture_size_read(least + strlen("at least "), &form, &err), err);
    }
  }
}

static void journal_figures_are_at_most_as_tall_as_wide(void **state)
{
  (void)state;
  gsl_rng *rng = seeded(3);
  size_t square = 0;
  for (int i = 0; i < 60; i++) {
    const dls_canvas canvas = dls_canvas_file("a.pdf", &(dls_picture_form){.style = DLS_PLOT_JOURNAL});
    dls_figure figure;
    build(&figure, &canvas, rng, i % 2 == 0 ? DLS_KEY_BELOW : DLS_KEY_OF_PANEL);
    assert_int_equal(dls_figure_layout(&figure, NULL), DLS_OK);
    assert_between(figure.height, 100, figure.width);
    square += figure.height == figure.width;
    dls_figure_finish(&figure, DLS_ERR_ARG, NULL);
  }
  gsl_rng_free(rng);
  assert_between((double)square, 10, 59);
}

/* Scripts hold ten digits of a range: data that vary by less are constant there, and the range is not empty. */
static void ranges_of_nearly_constant_data_are_not_empty(void **state)
{
  (void)state;
  for (int log = 0; log < 2; log++) {
    for (double change = 1e-14; change < 0.1; change *= 3) {
      const dls_canvas canvas = dls_canvas_file("a.svg", &(dls_picture_form){0});
      dls_figure figure;
      char low[40], high[40];
      dls_figure_begin(&figure, &canvas, 900);
      dls_panel *panel = dls_figure_panel(&figure, 200);
      panel->x.label = "t [s]";
      panel->y = (dls_axis){.label = "contact force [N]", .log = log > 0};
      dls_plot_table *table = dls_plot_table_new(&figure, 2, "t");
      for (int row = 0; row < 3; row++) {
        dls_plot_table_add(table, (double[]){row, 31025.184591198933 * (1 + change * (row > 0))});
      }
      dls_panel_add(&figure, panel,
                    &(dls_series){.table = table, .style = dls_style_of(0), .title = "a scheme"});
      assert_int_equal(dls_figure_layout(&figure, NULL), DLS_OK);
      snprintf(low, sizeof low, "%.10g", panel->y.low);
      snprintf(high, sizeof high, "%.10g", panel->y.high);
      assert_true(strtod(low, NULL) < strtod(high, NULL));
      assert_true(panel->y.low <= 31025.184591198933 && panel->y.high >= 31025.184591198933 * (1 + change));
      dls_figure_finish(&figure, DLS_ERR_ARG, NULL);
    }
  }
}

static void sizes_are_read_and_printed(void **state)
{
  (void)state;
  static const char *const wrong[] = {"",      "x",      "8",       "8x",     "x6",
                                      "8x6mm", "8 x 6",  "8x6x4",   "-8x6cm", "1e9x5",
                                      "2x6cm", "99x500", "nanx6cm", "8x6CM",  "8,5x6cm"};
  for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
    dls_picture_form form = {.width = 1};
    assert_int_equal(dls_picture_size_read(wrong[i], &form, NULL), DLS_ERR_OPTION);
    assert_true(form.width == 1 && form.height == 0);
  }
  static const char *const right[][2] = {
      {"8.5x6cm", "8.5x6cm"}, {"1200x800", "1200x800px"}, {"640x480px", "640x480px"}};
  for (size_t i = 0; i < 3; i++) {
    dls_picture_form form = {0};
    char text[DLS_PICTURE_SIZE_TEXT];
    assert_int_equal(dls_picture_size_read(right[i][0], &form, NULL), DLS_OK);
    dls_picture_size_print(form.width, form.height, form.centimetres, text);
    assert_string_equal(text, right[i][1]);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(layouts_have_the_size_that_is_asked_for),
                                     cmocka_unit_test(the_least_size_that_is_reported_is_enough),
                                     cmocka_unit_test(journal_figures_are_at_most_as_tall_as_wide),
                                     cmocka_unit_test(ranges_of_nearly_constant_data_are_not_empty),
                                     cmocka_unit_test(sizes_are_read_and_printed)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
