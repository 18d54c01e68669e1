/* experiments/show/plot_ledger.c -- what each scheme converges to on each problem of a ledger: a mark for each cell, by its order.
 * Without colours the marks differ in shape and size.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/pictures.h"
#include <math.h>
#include <string.h>

enum {
  WIDTH = 1000,
  ROW_HEIGHT = 26,
  NARROW_ROW_HEIGHT = 20,
  NAME_ROOM = 30,
  LABEL_ROOM = 320,
  LINE_NAMES = 4
};

/* Between the orders 0 and 1, and 1 and 2, that methods here have in theory: intervals are some 0.2 wide. */
static const double first_order = 0.75, second_order = 1.5;

static const double narrow_size = 0.55; /* of marks: their neighbours are nearer */

typedef enum class { HIGH, FIRST, LOW, LIMIT, NONE, CLASSES } class;

static const struct {
  dls_point point;
  double size;
  const char *colour, *title;
} classes[CLASSES] = {
    [HIGH] = {DLS_DISC, 1.7, "#0072B2", "order 1.5 and more, or exact"},
    [FIRST] = {DLS_DISC, 1.2, "#0072B2", "order 0.75 to 1.5"},
    [LOW] = {DLS_DISC, 0.6, "#0072B2", "order below 0.75"},
    [LIMIT] = {DLS_CIRCLE, 1.2, "#D55E00", "not to rigid contact: to the limit model of the scheme"},
    [NONE] = {DLS_CROSS, 0.9, "#000000", "no order; an empty place: refused"},
};

static class class_of(const dls_ledger_row *row)
{
  const double order = row->cells[DLS_LEDGER_ORDER].value, limit = row->cells[DLS_LEDGER_LIMIT_ORDER].value;
  return row->exact || row->own_steps || order >= second_order ? HIGH
         : order >= first_order                                ? FIRST
         : isfinite(order)                                     ? LOW
         : limit >= first_order                                ? LIMIT
                                                               : NONE;
}

/* "mujoco, own": the name and what was chosen among its options. */
static const char *short_name(dls_figure *figure, const dls_ledger_row *row)
{
  char text[NAME_ROOM];
  const char *choice = strchr(row->options, '=');
  const bool plain = row->options[0] == '\0' || strncmp(row->options, "restitution=", 12) != 0;
  if (plain) {
    dls_ledger_label(row, text, sizeof text);
  } else {
    snprintf(text, sizeof text, "%s, %s", row->scheme, choice + 1);
  }
  return dls_figure_text(figure, "%s", text);
}

/* Rows of schemes as they stand in the first problem. */
static size_t count_schemes(const dls_ledger *ledger)
{
  size_t count = 0;
  for (size_t i = 0; i < ledger->count && ledger->rows[i].problem == ledger->rows[0].problem; i++) {
    count += !ledger->rows[i].engine;
  }
  return count;
}

/* x: the problem, y: the scheme, the first one on top. @return the names of the problems with their numbers */
static const char *add_marks(dls_figure *figure, const dls_ledger *ledger, size_t schemes,
                             dls_plot_table *const tables[CLASSES], size_t *problems)
{
  size_t scheme = 0;
  char list[900] = "problem: ";
  *problems = 0;
  for (size_t i = 0; i < ledger->count; i++) {
    const dls_ledger_row *row = &ledger->rows[i];
    if (i == 0 || row->problem != row[-1].problem) {
      dls_text_append(list, sizeof list, "%s%zu %s",
                      *problems == 0                ? ""
                      : *problems % LINE_NAMES == 0 ? ",\n"
                                                    : ", ",
                      *problems + 1, row->problem->name);
      (*problems)++;
      scheme = 0;
    }
    if (!row->engine) {
      scheme++;
    }
    if (!row->engine && row->failure == NULL) {
      dls_plot_table_add(tables[class_of(row)], (double[]){(double)*problems, (double)(schemes + 1 - scheme)});
    }
  }
  return dls_figure_text(figure, "%s", list);
}

dls_status dls_draw_ledger(const dls_ledger *ledger, const dls_canvas *canvas, dls_error *err)
{
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  const size_t schemes = count_schemes(ledger);
  size_t problems = 0;
  dls_plot_table *tables[CLASSES];
  const char **names = dls_pool_take(&figure.pool, (schemes + 1) * sizeof *names);
  const double lines = (double)(schemes + 1);
  dls_panel *panel =
      dls_figure_panel(&figure, dls_figure_either(&figure, lines * ROW_HEIGHT, lines * NARROW_ROW_HEIGHT));
  for (int i = 0; i < CLASSES; i++) {
    tables[i] = dls_plot_table_new(&figure, 2, "class_%d", i);
  }
  for (size_t i = 0, at = 0; i < ledger->count && at < schemes && names != NULL; i++) {
    if (!ledger->rows[i].engine) {
      names[schemes - 1 - at++] = short_name(&figure, &ledger->rows[i]);
    }
  }
  const char *label = add_marks(&figure, ledger, schemes, tables, &problems);
  const char **numbers = dls_pool_take(&figure.pool, (problems + 1) * sizeof *numbers);
  for (size_t i = 0; i < problems && numbers != NULL; i++) {
    numbers[i] = canvas->narrow && i % 2 == 1 ? "" : dls_figure_text(&figure, "%zu", i + 1);
  }
  figure.title.model = "convergence of the step models";
  panel->x = (dls_axis){.label = canvas->narrow ? "number of the problem" : label,
                        .plain = true,
                        .low = 0.3,
                        .high = (double)problems + 0.7,
                        .names = numbers,
                        .name_count = numbers != NULL ? problems : 0};
  panel->y = (dls_axis){
      .low = 0.3, .high = (double)schemes + 0.7, .names = names, .name_count = names != NULL ? schemes : 0};
  for (int i = 0; i < CLASSES; i++) {
    dls_panel_add(&figure, panel,
                  &(dls_series){.kind = DLS_SERIES_POINTS,
                                .table = tables[i],
                                .style = {classes[i].colour, DLS_SOLID, classes[i].point},
                                .size = (canvas->narrow ? narrow_size : 1) * classes[i].size,
                                .title = classes[i].title});
  }
  return dls_figure_finish(&figure, DLS_OK, err);
}
