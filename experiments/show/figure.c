/* experiments/show/figure.c -- building a figure: styles, tables, panels.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/figure.h"
#include "common/base/memory.h"
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const dls_style styles[DLS_STYLES] = {
    {"#0072B2", DLS_SOLID, DLS_DISC},
    {"#D55E00", DLS_DASHED, DLS_SQUARE},
    {"#009E73", DLS_DASH_DOT, DLS_TRIANGLE},
    {"#CC79A7", DLS_DOTTED, DLS_DIAMOND},
    {"#E69F00", DLS_DASH_DOT_DOT, DLS_DOWN},
    {"#56B4E9", DLS_LONG_DASHES, DLS_PENTAGON},
    {"#000000", DLS_LONG_SHORT, DLS_PLUS},
    {"#882255", DLS_DASH_DASH_DOT, DLS_CROSS},
    {"#999933", DLS_LOOSE_DOTS, DLS_STAR},
    {"#332288", DLS_LONG_SHORT_SHORT, DLS_HOLLOW_SQUARE},
    {"#808080", DLS_DASH_THREE_DOTS, DLS_CIRCLE},
    {"#A04000", DLS_SHORT_DASHES, DLS_HOLLOW_DIAMOND},
};

dls_style dls_style_of(size_t i)
{
  return styles[i % DLS_STYLES];
}

dls_style dls_style_line(const char *colour, dls_dash dash)
{
  return (dls_style){colour, dash, DLS_DISC};
}

const double *dls_dash_pattern(dls_dash dash)
{
  static const double patterns[DLS_DASHES_END][9] = {
      [DLS_DASHED] = {9, 6},
      [DLS_DOTTED] = {2.2, 5},
      [DLS_DASH_DOT] = {10, 5, 2.2, 5},
      [DLS_DASH_DOT_DOT] = {10, 4, 2.2, 4, 2.2, 4},
      [DLS_LONG_DASHES] = {18, 6},
      [DLS_LONG_SHORT] = {16, 5, 6, 5},
      [DLS_DASH_DASH_DOT] = {8, 4, 8, 4, 2.2, 4},
      [DLS_LOOSE_DOTS] = {2.2, 10},
      [DLS_LONG_SHORT_SHORT] = {16, 4, 5, 4, 5, 4},
      [DLS_DASH_THREE_DOTS] = {9, 3.5, 2.2, 3.5, 2.2, 3.5, 2.2, 3.5},
      [DLS_SHORT_DASHES] = {4, 3.5},
  };
  return dash != DLS_SOLID ? patterns[dash] : NULL;
}

double dls_dash_stretch(double width)
{
  const double thin = 1.5, growth = 0.35; /* a thin line; the part of a width beyond it */
  return 1 + growth * fmax(0, width - thin);
}

dls_point dls_point_hollow(dls_point point)
{
  return point >= DLS_SQUARE && point % 2 == 1 ? (dls_point)(point - 1) : point;
}

double dls_curve_width(size_t i, size_t count)
{
  const double thinnest = 1.3, thinnest_dotted = 2.6, most = 4; /* thin dots vanish, in grey above all */
  const double step = count > 1 ? fmin(1, (most - thinnest) / (double)(count - 1)) : 0;
  const double width = thinnest + step * (double)(i < count ? count - 1 - i : 0);
  const dls_dash dash = dls_style_of(i).dash;
  return dash == DLS_DOTTED || dash == DLS_LOOSE_DOTS ? fmax(width, thinnest_dotted) : width;
}

/* --- memory --- */

/* Room for one more in an array of pointers or structs. @return whether there is */
static bool grow(void **array, size_t count, size_t *room, size_t size)
{
  if (count < *room) {
    return true;
  }
  const size_t more = *room == 0 ? 8 : 2 * *room;
  void *larger = realloc(*array, dls_size_product(more, size));
  if (larger == NULL) {
    return false;
  }
  *array = larger;
  *room = more;
  return true;
}

void dls_figure_begin(dls_figure *figure, const dls_canvas *canvas, int wide)
{
  *figure = (dls_figure){.canvas = *canvas, .wide = wide, .columns = 1};
  figure->text = canvas->path != NULL && strcmp(canvas->path, "-") == 0;
}

const char *dls_figure_text(dls_figure *figure, const char *format, ...)
{
  char text[1000];
  va_list arguments;
  va_start(arguments, format);
  const int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  const size_t kept = length < 0 ? 0 : length < (int)sizeof text ? (size_t)length : sizeof text - 1;
  const char *copy = dls_pool_copy(&figure->pool, text, kept);
  return copy != NULL ? copy : "";
}

/* --- tables --- */

dls_plot_table *dls_plot_table_new(dls_figure *figure, size_t columns, const char *name, ...)
{
  dls_plot_table *table = dls_pool_take(&figure->pool, sizeof *table);
  const bool room = table != NULL && grow((void **)&figure->tables, figure->table_count, &figure->table_room,
                                          sizeof *figure->tables);
  figure->failed = figure->failed || !room;
  table = room ? table : &figure->spare_table;
  if (room) {
    figure->tables[figure->table_count++] = table;
  }
  table->columns = columns;
  table->rows = 0;
  table->digits = 10;
  table->failed = &figure->failed;
  va_list arguments;
  va_start(arguments, name);
  vsnprintf(table->name, sizeof table->name, name, arguments);
  va_end(arguments);
  return table;
}

void dls_plot_table_add(dls_plot_table *table, const double *row)
{
  if (*table->failed ||
      !grow((void **)&table->values, table->rows, &table->room, table->columns * sizeof *table->values)) {
    *table->failed = true;
    return;
  }
  memcpy(table->values + table->rows * table->columns, row, table->columns * sizeof *row);
  table->rows++;
}

void dls_plot_table_break(dls_plot_table *table)
{
  const double end[8] = {NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
  if (table->rows > 0 && !isnan(table->values[(table->rows - 1) * table->columns])) {
    dls_plot_table_add(table, end);
  }
}

/* --- panels --- */

dls_panel *dls_figure_panel(dls_figure *figure, double height)
{
  dls_panel *panel = dls_pool_take(&figure->pool, sizeof *panel);
  if (panel == NULL ||
      !grow((void **)&figure->panels, figure->panel_count, &figure->panel_room, sizeof *figure->panels)) {
    figure->failed = true;
    return &figure->spare_panel;
  }
  figure->panels[figure->panel_count++] = panel;
  panel->height = height;
  return panel;
}

void dls_panel_add(dls_figure *figure, dls_panel *panel, const dls_series *series)
{
  if (!grow((void **)&panel->series, panel->series_count, &panel->series_room, sizeof *series)) {
    figure->failed = true;
    return;
  }
  dls_series *added = &panel->series[panel->series_count++];
  *added = *series;
  added->y = series->y > 0 ? series->y : 1;
  added->width = series->width > 0 ? series->width : 1;
  added->size = series->size != 0 ? series->size : 1;
}

void dls_panel_mark(dls_figure *figure, dls_panel *panel, const dls_mark *mark)
{
  if (!grow((void **)&panel->marks, panel->mark_count, &panel->mark_room, sizeof *mark)) {
    figure->failed = true;
    return;
  }
  panel->marks[panel->mark_count++] = *mark;
}

double dls_figure_either(const dls_figure *figure, double wide, double narrow)
{
  return figure->canvas.narrow ? narrow : wide;
}

double dls_axis_part(const dls_axis *axis, double x)
{
  return axis->log ? (x > 0 ? log(x / axis->low) / log(axis->high / axis->low) : NAN)
                   : (x - axis->low) / (axis->high - axis->low);
}

void dls_figure_plain_text(const char *text, char plain[400])
{
  size_t length = 0;
  for (; *text != '\0' && length + 1 < 400; text++) {
    if (strchr("_{}", *text) == NULL) {
      plain[length++] = *text == '\n' ? ' ' : *text;
    }
  }
  plain[length] = '\0';
}
