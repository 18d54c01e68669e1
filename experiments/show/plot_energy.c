/* experiments/show/plot_energy.c -- energy ledgers over time: energies, dissipation, parts of the energy, momenta.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 1100,
  ENERGY_HEIGHT = 330,
  NARROW_ENERGY_HEIGHT = 240,
  DISSIPATION_HEIGHT = 180,
  MOST_CURVES = 12, /* schemes in one picture */
};

enum { STATE_ENERGY = 3, STATE_SUPPLIED }; /* columns of a ledger's states */

/* Fraction of the energy scale. Smaller sums are rounding or zero, and not drawn. */
static const double visible = 1e-12;
/* Of sums of work, in points; dots of the width of lines are faint. */
static const double width = 1.8, dotted_width = 3;

/* Value of a curve at a row: the sum of columns [first, past), less column `minus` if it is not 0. */
typedef struct quantity {
  const dls_trajectory *rows;
  size_t first, past, minus;
} quantity;

/* One of the curves in a panel of dissipation. */
typedef struct drawn_sum {
  quantity what;
  char name[60];
  size_t colour; /* the same term has the same colour in all panels; 0 damping and drive, 1 impact, 6 sliding */
  dls_dash dash; /* solid, dashed: of the model, dotted: supplied from outside, else: added by the scheme */
} drawn_sum;

typedef struct sum_list {
  size_t count;
  drawn_sum item[4 + DLS_BALANCE_MOST_TERMS];
} sum_list;

static double value_at(const quantity *what, size_t i)
{
  const double *row = what->rows->data + i * what->rows->columns;
  double sum = what->minus > 0 ? -row[what->minus] : 0;
  for (size_t column = what->first; column < what->past; column++) {
    sum += row[column];
  }
  return sum;
}

static void put_vertex(dls_plot_table *table, const quantity *what, size_t i)
{
  dls_plot_table_add(table, (double[]){dls_trajectory_at(what->rows, i, 0), value_at(what, i)});
}

/* All rows, or the selected rows of each bin, in order. */
static const dls_plot_table *add_table(dls_figure *figure, const char *name, size_t number,
                                       const quantity *what)
{
  dls_plot_table *table = dls_plot_table_new(figure, 2, "%s_%zu", name, number);
  const size_t count = what->rows->rows;
  const size_t most = dls_canvas_vertices(&figure->canvas);
  const size_t bins = count <= most ? count : most / 4;
  for (size_t bin = 0; bin < bins; bin++) {
    const size_t begin = count * bin / bins;
    const size_t end = count * (bin + 1) / bins;
    size_t low = begin;
    size_t high = begin;
    for (size_t i = begin; i < end; i++) {
      low = value_at(what, i) < value_at(what, low) ? i : low;
      high = value_at(what, i) > value_at(what, high) ? i : high;
    }
    const size_t chosen[] = {begin, low < high ? low : high, low < high ? high : low, end - 1};
    for (size_t i = 0; i < 4; i++) {
      if (i == 0 || chosen[i] != chosen[i - 1]) {
        put_vertex(table, what, chosen[i]);
      }
    }
  }
  return table;
}

static double last_time(size_t count, const dls_energy_curve *curves)
{
  double end = 0;
  for (size_t i = 0; i < count; i++) {
    const dls_trajectory *rows = curves[i].ledger->rows;
    end = fmax(end, dls_trajectory_at(rows, rows->rows - 1, DLS_ENERGY_T));
  }
  return end;
}

/* A panel over time. */
static dls_panel *add_panel(dls_figure *figure, double height, const char *label, double end)
{
  dls_panel *panel = dls_figure_panel(figure, height);
  panel->x = (dls_axis){.label = "t [s]", .high = end};
  panel->y = (dls_axis){.label = label, .room = {0.06, 0.06}};
  panel->zero_line = true;
  return panel;
}

/* The step in s that the runs have in common; 0 if their metadata have none. */
static double common_step(const dls_energy_curve *curves)
{
  const char *step = dls_plot_meta(curves[0].ledger->rows, "step");
  return step != NULL ? strtod(step, NULL) : 0;
}

static void begin_figure(dls_figure *figure, const dls_canvas *canvas, const char *title, size_t drawn,
                         size_t count, const dls_energy_curve *curves)
{
  const double step = common_step(curves);
  bool complete = true;
  dls_figure_begin(figure, canvas, WIDTH);
  figure->one_x = true;
  figure->title.model = title;
  figure->title.step = step > 0 ? dls_figure_text(figure, "h = %g s", step) : NULL;
  for (size_t i = 0; i < count; i++) {
    complete = complete && curves[i].ledger->rows->complete;
  }
  figure->title.remark = complete ? NULL : "(stopped early)";
  if (drawn < count) {
    figure->title.remark = dls_figure_text(figure, "(drawn: %zu of %zu schemes)%s", drawn, count,
                                           complete ? "" : " (stopped early)");
    figure->always_titled = canvas->path == NULL; /* pages print it in their text */
  }
}

static dls_status check(size_t count, const dls_energy_curve *curves, const dls_canvas *canvas, dls_error *err)
{
  const char *path = canvas->path != NULL ? canvas->path : "for a page";
  if (count == 0) {
    return dls_fail(err, DLS_ERR_ARG, "plot %s: there is no energy ledger to draw", path);
  }
  for (size_t i = 0; i < count; i++) {
    if (curves[i].ledger->rows->rows < 2) {
      return dls_fail(err, DLS_ERR_ARG, "plot %s: the ledger of %s has %zu rows, a picture needs 2", path,
                      curves[i].label, curves[i].ledger->rows->rows);
    }
  }
  return DLS_OK;
}

static bool any_supply(size_t count, const dls_energy_curve *curves)
{
  for (size_t i = 0; i < count; i++) {
    if (curves[i].ledger->external != 0 || curves[i].ledger->drive != 0) {
      return true;
    }
  }
  return false;
}

/* Widths decrease from curve to curve, so that equal curves remain visible. */
static void add_energies(dls_figure *figure, const char *name, const char *label, size_t minus, size_t count,
                         const dls_energy_curve *curves)
{
  dls_panel *panel = add_panel(figure, dls_figure_either(figure, ENERGY_HEIGHT, NARROW_ENERGY_HEIGHT), label,
                               last_time(count, curves));
  for (size_t i = 0; i < count; i++) {
    const quantity energy = {curves[i].ledger->states, STATE_ENERGY, STATE_ENERGY + 1, minus};
    dls_panel_add(figure, panel,
                  &(dls_series){.table = add_table(figure, name, i, &energy),
                                .style = dls_style_of(i),
                                .width = dls_curve_width(i, count),
                                .title = curves[i].label});
  }
}

dls_status dls_plot_energies(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                             dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_energies(count, curves, title, &canvas, err);
}

dls_status dls_draw_energies(size_t count, const dls_energy_curve *curves, const char *title,
                             const dls_canvas *canvas, dls_error *err)
{
  const size_t drawn = count < MOST_CURVES ? count : MOST_CURVES;
  const dls_status status = check(count, curves, canvas, err);
  dls_figure figure;
  if (status != DLS_OK) {
    return status;
  }
  const bool potential = curves[0].ledger->potential;
  begin_figure(&figure, canvas, title, drawn, count, curves);
  add_energies(&figure, "energy", potential ? "E = T + V [J]" : "T [J]", 0, drawn, curves);
  if (any_supply(drawn, curves)) {
    add_energies(&figure, "rest", potential ? "E − work supplied [J]" : "T − work of the forces [J]",
                 STATE_SUPPLIED, drawn, curves);
  }
  return dls_figure_finish(&figure, DLS_OK, err);
}

/* Terms that never meet in one panel share a colour. */
static size_t term_colour(const char *name)
{
  static const struct {
    const char *name;
    size_t colour;
  } known[] = {{"stiffness", 2}, {"inertia", 7},     {"filter", 4},
               {"load_lag", 5},  {"damping_lag", 6}, {"numerical", 2}};
  for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
    if (strcmp(known[i].name, name) == 0) {
      return known[i].colour;
    }
  }
  return 2;
}

static bool is_visible(const dls_energy_ledger *ledger, const quantity *what)
{
  for (size_t i = 0; i < what->rows->rows; i++) {
    if (fabs(value_at(what, i)) > visible * ledger->scale) {
      return true;
    }
  }
  return false;
}

/* Sliding and drive, of ledgers that have them. */
static void add_contact_sums(const dls_energy_ledger *ledger, sum_list *list)
{
  const size_t columns = ledger->rows->columns, drive = dls_energy_momentum_column(ledger) - 1;
  const drawn_sum sums[] = {{{ledger->rows, columns - 1, columns, 0}, "sliding", 6, DLS_SOLID},
                            {{ledger->rows, drive, drive + 1, 0}, "drive", 0, DLS_DOTTED}};
  for (size_t i = 0; ledger->apart && i < (ledger->contacts ? 2 : 1); i++) {
    if (is_visible(ledger, &sums[i].what)) {
      list->item[list->count++] = sums[i];
    }
  }
}

/* Damping, impact, and the numerical terms; those that are joined with the one before go into one sum. */
static sum_list choose_sums(const dls_energy_ledger *ledger)
{
  sum_list list = {0};
  for (size_t i = 1; i < 3 + ledger->term_count; i++) {
    const size_t column = dls_energy_sum_column(ledger, DLS_ENERGY_EXTERNAL + i);
    const dls_balance_term *term = i < 3 ? NULL : &ledger->terms[i - 3];
    drawn_sum item = {.what = {ledger->rows, column, column + 1, 0},
                      .colour = term == NULL ? i - 1 : term_colour(term->name),
                      .dash = term != NULL ? dls_style_of(term_colour(term->name)).dash
                              : i == 1     ? DLS_DASHED /* damping: its colour is that of impacts in grey */
                                           : DLS_SOLID};
    snprintf(item.name, sizeof item.name, "%s%s", term == NULL || ledger->balance == NULL ? "" : "num. ",
             term != NULL ? term->name
             : i == 1     ? "damping"
                          : "impact");
    for (; term != NULL && term[1].joined; i++, term++) {
      item.what.past++;
      dls_text_append(item.name, sizeof item.name, " + %s", term[1].name);
    }
    if (is_visible(ledger, &item.what)) {
      list.item[list.count++] = item;
    }
  }
  add_contact_sums(ledger, &list);
  return list;
}

static void add_dissipation(dls_figure *figure, const dls_energy_curve *curve, size_t index, double end)
{
  const sum_list list = choose_sums(curve->ledger);
  dls_panel *panel = add_panel(figure, DISSIPATION_HEIGHT, "sum of work [J]", end);
  panel->title = curve->label;
  for (size_t i = 0; i < list.count; i++) {
    const drawn_sum *sum = &list.item[i];
    dls_series series = {.style = dls_style_of(sum->colour),
                         .width = sum->dash == DLS_DOTTED ? dotted_width : width};
    series.style.dash = sum->dash;
    series.title =
        dls_figure_text(figure, "%s: %.3g J", sum->name, value_at(&sum->what, sum->what.rows->rows - 1));
    series.table = add_table(figure, dls_figure_text(figure, "sums_%zu", index), i, &sum->what);
    dls_panel_add(figure, panel, &series);
  }
  if (list.count == 0) {
    dls_plot_table *zero = dls_plot_table_new(figure, 2, "zero_%zu", index);
    dls_plot_table_add(zero, (double[]){0, 0});
    dls_plot_table_add(zero, (double[]){end, 0});
    dls_panel_add(figure, panel,
                  &(dls_series){.table = zero,
                                .style = dls_style_line("#808080", DLS_SOLID),
                                .title = "nothing dissipates"});
  }
}

dls_status dls_plot_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_dissipation(count, curves, title, &canvas, err);
}

dls_status dls_draw_dissipation(size_t count, const dls_energy_curve *curves, const char *title,
                                const dls_canvas *canvas, dls_error *err)
{
  const size_t drawn = count < MOST_CURVES ? count : MOST_CURVES;
  const dls_status status = check(count, curves, canvas, err);
  dls_figure figure;
  if (status != DLS_OK) {
    return status;
  }
  begin_figure(&figure, canvas, title, drawn, count, curves);
  figure.key = DLS_KEY_OF_PANEL;
  for (size_t i = 0; i < drawn; i++) {
    add_dissipation(&figure, &curves[i], i, last_time(drawn, curves));
  }
  return dls_figure_finish(&figure, DLS_OK, err);
}

/* --- parts of the energy and momenta: a panel for each column of the states --- */

/* Fraction of the largest momentum. Smaller ones are rounding or zero, drawn as a line at 0. */
static const double visible_momentum = 1e-9;

/* The panels, whose axes cover 0 and reach on both sides of it. */
static dls_status draw_columns(size_t count, const dls_energy_curve *curves, const char *title, size_t panels,
                               const char *const *columns, double reach, const dls_canvas *canvas,
                               dls_error *err)
{
  const dls_trajectory **runs = calloc(count, sizeof *runs);
  const char **labels = calloc(count, sizeof *labels);
  dls_status status = runs != NULL && labels != NULL
                          ? DLS_OK
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of %zu ledgers", count);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    runs[i] = curves[i].ledger->states;
    labels[i] = curves[i].label;
  }
  const dls_comparison plot = {.title = title,
                               .step = common_step(curves),
                               .count = count,
                               .runs = runs,
                               .labels = labels,
                               .column_count = panels,
                               .columns = columns,
                               .from_zero = true,
                               .reach = reach};
  if (status == DLS_OK) {
    status = dls_draw_comparison(&plot, canvas, err);
  }
  free(runs);
  free(labels);
  return status;
}

dls_status dls_draw_parts(size_t count, const dls_energy_curve *curves, const char *title,
                          const dls_canvas *canvas, dls_error *err)
{
  static const char *const columns[] = {"kinetic", "potential", "mechanical"};
  const size_t panels = curves[0].ledger->potential ? 3 : 1;
  return draw_columns(count, curves, title, panels, columns, 0, canvas, err);
}

dls_status dls_draw_momenta(size_t count, const dls_energy_curve *curves, const char *title,
                            const dls_canvas *canvas, dls_error *err)
{
  const char *columns[DLS_MOMENTA_MOST];
  const size_t momenta = curves[0].ledger->momenta;
  double largest = 0;
  for (size_t k = 0; k < momenta; k++) {
    columns[k] = dls_momentum_name(momenta, k);
    for (size_t i = 0; i < count; i++) {
      const dls_energy_ledger *l = curves[i].ledger;
      largest = fmax(largest, fabs(l->momentum_start[k]) + l->momentum_change[k]);
    }
  }
  return draw_columns(count, curves, title, momenta, columns, visible_momentum * largest, canvas, err);
}

dls_status dls_plot_parts(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                          dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_parts(count, curves, title, &canvas, err);
}

dls_status dls_plot_momenta(size_t count, const dls_energy_curve *curves, const char *title, const char *path,
                            dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_momenta(count, curves, title, &canvas, err);
}
