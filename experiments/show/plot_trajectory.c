/* experiments/show/plot_trajectory.c -- gap, velocity with its filled-in graph, impulses and forces over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "common/run/coordinates.h"
#include "experiments/show/impulses.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/plot_friction.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CURVES = 4, /* of a panel */
  WIDTH = 1000,
  PANEL_HEIGHT = 250,
  NARROW_PANEL_HEIGHT = 150,
};

enum drawn_as { LINES, STEMS, PUSHES };

/* The content of a panel: the columns named prefix0, prefix1, ... of one unit; along tangents prefix0t, or prefix0t1,
 * ... */
struct quantity {
  const char *prefix;
  bool along;
  size_t at_most; /* curves */
  enum drawn_as style;
  bool optional; /* only if a value is not zero */
  char label[100], unit[DLS_UNIT_ROOM];
  size_t count, columns[MOST_CURVES];
};
enum { MOST_PANELS = 10 };
static const struct quantity kinds[] = {
    {.prefix = "g", .at_most = 3},
    {.prefix = "q", .at_most = MOST_CURVES},
    {.prefix = "v", .at_most = MOST_CURVES},
    {.prefix = "p", .at_most = 3, .style = STEMS, .optional = true},
    {.prefix = "p", .at_most = 3, .style = PUSHES, .optional = true},
    {.prefix = "lambda", .at_most = 3, .optional = true},
    {.prefix = "p", .along = true, .at_most = 3, .style = PUSHES, .optional = true},
    {.prefix = "u", .along = true, .at_most = 3, .optional = true},
    {.prefix = "lambda", .along = true, .at_most = 3, .optional = true}};
enum { POSITIONS = 1, KINDS = sizeof kinds / sizeof kinds[0] };

/* Is the name prefix followed by digits, and, along tangents, by t or t and digits? */
static bool is_numbered(const char *name, const char *prefix, bool along)
{
  static const char digits[] = "0123456789";
  const size_t length = strlen(prefix);
  const char *rest = name + length;
  if (strncmp(name, prefix, length) != 0 || strspn(rest, digits) == 0) {
    return false;
  }
  rest += strspn(rest, digits);
  return along ? *rest == 't' && rest[1 + strspn(rest + 1, digits)] == '\0' : *rest == '\0';
}

static size_t count_columns(const dls_trajectory *traj, const char *prefix)
{
  size_t count = 0;
  for (size_t j = 1; j < traj->columns; j++) {
    count += is_numbered(traj->names[j], prefix, false);
  }
  return count;
}

/* Impulses of an event-driven run act at instants: all are blows. Those along tangents are blows where the normal ones are. */
static dls_status sort_impulses(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err)
{
  char normal[40]; /* "p0" of "p0t1" */
  snprintf(normal, sizeof normal, "%.*s", (int)strcspn(traj->names[column], "t"), traj->names[column]);
  const int known = dls_trajectory_column(traj, normal);
  const size_t sorted = known > 0 ? (size_t)known : column;
  return dls_plot_meta(traj, "step") != NULL ? dls_impulses_sort(traj, sorted, out, err)
                                             : dls_impulses_all(traj, sorted, out, err);
}

/* Blows or pushes of a column. */
static dls_status has_impulses(const dls_trajectory *traj, size_t column, enum drawn_as style, bool *has,
                               dls_error *err)
{
  dls_impulses impulses;
  const dls_status status = sort_impulses(traj, column, &impulses, err);
  if (status == DLS_OK) {
    for (size_t row = 0; row < traj->rows && !*has; row++) {
      *has = dls_trajectory_at(traj, row, column) != 0 && impulses.stem[row] == (style == STEMS);
    }
    dls_impulses_clear(&impulses);
  }
  return status;
}

static dls_status has_values(const dls_trajectory *traj, size_t column, enum drawn_as style, bool *has,
                             dls_error *err)
{
  *has = false;
  if (style != LINES) {
    return has_impulses(traj, column, style, has, err);
  }
  for (size_t row = 0; row < traj->rows && !*has; row++) {
    *has = dls_trajectory_at(traj, row, column) != 0;
  }
  return DLS_OK;
}

/* Do the curves have names of their own, "x of arm"? */
static bool differ(const dls_trajectory *traj, const struct quantity *quantity)
{
  dls_column_kind kind, other;
  dls_column_find(traj, traj->names[quantity->columns[0]], &kind);
  for (size_t i = 1; i < quantity->count; i++) {
    dls_column_find(traj, traj->names[quantity->columns[i]], &other);
    if (strcmp(other.words, kind.words) != 0) {
      return true;
    }
  }
  return false;
}

/* "angle q [rad]": the words that the labels of all curves share. */
static void put_label(const dls_trajectory *traj, struct quantity *quantity)
{
  dls_column_kind kind;
  dls_column_find(traj, traj->names[quantity->columns[0]], &kind);
  if (differ(traj, quantity)) {
    snprintf(kind.words, sizeof kind.words, quantity->prefix[0] == 'v' ? "velocity" : "coordinate");
  }
  if (quantity->style == PUSHES) {
    snprintf(quantity->label, sizeof quantity->label,
             quantity->along ? "friction force p_{T}/h [N]" : "contact force p/h [N]");
  } else {
    snprintf(quantity->label, sizeof quantity->label, "%s %s [%s]", kind.words, kind.symbol, kind.unit);
  }
}

/* The first recorded columns of a kind, a panel for each unit. @return their number */
static size_t add_panels(const dls_trajectory *traj, const struct quantity *kind, struct quantity *quantities,
                         size_t room)
{
  size_t count = 0;
  for (size_t j = 1; j < traj->columns; j++) {
    dls_column_kind column;
    size_t i = 0;
    if (!is_numbered(traj->names[j], kind->prefix, kind->along)) {
      continue;
    }
    dls_column_find(traj, traj->names[j], &column);
    while (i < count && strcmp(quantities[i].unit, column.unit) != 0) {
      i++;
    }
    if (i == count && count < room) {
      quantities[count] = *kind;
      memcpy(quantities[count++].unit, column.unit, sizeof column.unit);
    }
    if (i < count && quantities[i].count < kind->at_most) {
      quantities[i].columns[quantities[i].count++] = j;
    }
  }
  return count;
}

/* The table run_p0; push_run_p0 for the force that the impulses make. */
static dls_status add_table(dls_figure *figure, const dls_trajectory *traj, const char *set, const char *name,
                            enum drawn_as style, const dls_plot_table **out, dls_error *err)
{
  dls_plot_table *table = dls_plot_table_new(figure, 2, "%s%s_%s", style == PUSHES ? "push_" : "", set, name);
  *out = table;
  if (style == LINES) {
    return dls_plot_curve(figure, table, traj, name, err);
  }
  dls_impulses impulses;
  const size_t column = (size_t)dls_trajectory_column(traj, name);
  const dls_status status = sort_impulses(traj, column, &impulses, err);
  if (status == DLS_OK) {
    (style == STEMS ? dls_impulses_put_stems : dls_impulses_put_force)(table, traj, column, &impulses);
    dls_impulses_clear(&impulses);
  }
  return status;
}

/* The column of the reference that is drawn behind a curve: behind p/h its contact force. */
static bool find_reference(const dls_trajectory *reference, const struct quantity *quantity, const char *name,
                           char *column, size_t size)
{
  snprintf(column, size, "%s%s", quantity->style == PUSHES ? "lambda" : "",
           name + (quantity->style == PUSHES ? strlen(quantity->prefix) : 0));
  return reference != NULL && dls_trajectory_column(reference, column) > 0;
}

static bool is_friction(const struct quantity *quantity)
{
  return quantity->along && (quantity->style == PUSHES || strcmp(quantity->prefix, "lambda") == 0);
}

/* Columns in panel i and those behind it of its prefix, of which each has one unit; 0: a panel before it has that prefix. */
static size_t count_drawn(size_t panel_count, const struct quantity *quantities, size_t i)
{
  size_t count = 0;
  for (size_t k = 0; k < panel_count; k++) {
    const bool same = !quantities[k].optional && strcmp(quantities[k].prefix, quantities[i].prefix) == 0;
    if (same && k < i) {
      return 0;
    }
    count += same ? quantities[k].count : 0;
  }
  return count;
}

/* "bead-column, moreau-jean:theta=1, h = 0.003 s (drawn: 3 of 10 g, 4 of 10 v)" */
static void set_title(dls_figure *figure, const dls_trajectory *traj, size_t drawn_panels, size_t known,
                      const struct quantity *quantities)
{
  char more[200] = "";
  for (size_t i = 0; i < drawn_panels; i++) {
    const size_t drawn = count_drawn(drawn_panels, quantities, i),
                 count = count_columns(traj, quantities[i].prefix);
    if (drawn > 0 && drawn < count) { /* of g, q, v */
      dls_text_append(more, sizeof more, "%s%zu of %zu %s", more[0] == '\0' ? "(drawn: " : ", ", drawn, count,
                      quantities[i].prefix);
    }
  }
  if (known > drawn_panels) { /* a terminal with few lines */
    dls_text_append(more, sizeof more, "%s%zu of %zu panels", more[0] == '\0' ? "(drawn: " : ", ", drawn_panels,
                    known);
  }
  dls_text_append(more, sizeof more, "%s%s%s", more[0] != '\0' ? ")" : "",
                  more[0] != '\0' && !traj->complete ? " " : "", traj->complete ? "" : "(stopped early)");
  dls_plot_title_run(figure, traj);
  figure->title.remark = dls_figure_text(figure, "%s", more);
}

static dls_status add_references(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj,
                                 const dls_trajectory *reference, const struct quantity *quantity,
                                 dls_error *err)
{
  bool titled = false;
  for (size_t i = 0; i < quantity->count; i++) {
    char behind[40];
    if (!find_reference(reference, quantity, traj->names[quantity->columns[i]], behind, sizeof behind)) {
      continue;
    }
    dls_series series = {.kind = quantity->style == STEMS ? DLS_SERIES_STEMS : DLS_SERIES_LINES,
                         .style = dls_style_line(DLS_GREY, DLS_SOLID),
                         .width = 3,
                         .title = titled ? NULL : dls_plot_reference_name(reference)};
    const enum drawn_as style = quantity->style == PUSHES ? LINES : quantity->style;
    const dls_status status = add_table(figure, reference, "reference", behind, style, &series.table, err);
    if (status != DLS_OK) {
      return status;
    }
    dls_panel_add(figure, panel, &series);
    titled = true;
  }
  return DLS_OK;
}

/* +-mu p_N/h of a scheme by step: as dls_plot_limits. */
static dls_status add_step_limits(dls_figure *figure, const dls_trajectory *traj, size_t column,
                                  const dls_plot_table **out, dls_error *err)
{
  char normal[40];
  snprintf(normal, sizeof normal, "%.*s", (int)strcspn(traj->names[column], "t"), traj->names[column]);
  const double mu = dls_plot_friction_of(traj, normal);
  *out = NULL;
  if (!(mu > 0)) {
    return DLS_OK;
  }
  const dls_plot_table *force = NULL;
  const dls_status status = add_table(figure, traj, "limit", normal, PUSHES, &force, err);
  dls_plot_table *table = dls_plot_table_new(figure, 3, "limits_%s", traj->names[column]);
  for (size_t row = 0; status == DLS_OK && row < force->rows; row++) {
    const double *at = force->values + row * force->columns;
    dls_plot_table_add(table, (double[]){at[0], mu * at[1], -mu * at[1]});
  }
  *out = table;
  return status;
}

static dls_status add_limits(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj,
                             const struct quantity *quantity, dls_error *err)
{
  const bool pushes = quantity->style == PUSHES;
  dls_status status = DLS_OK;
  bool titled = false;
  for (size_t i = 0; i < quantity->count && is_friction(quantity) && status == DLS_OK; i++) {
    const dls_plot_table *limits = NULL;
    if (pushes) {
      status = add_step_limits(figure, traj, quantity->columns[i], &limits, err);
    } else {
      limits = dls_plot_limits(figure, traj, traj->names[quantity->columns[i]]);
    }
    for (size_t y = 1; y <= 2 && limits != NULL; y++) {
      dls_panel_add(figure, panel,
                    &(dls_series){.table = limits,
                                  .y = y,
                                  .style = dls_style_line("#909090", DLS_DASHED),
                                  .title = titled   ? NULL
                                           : pushes ? "±μp_{N}/h"
                                                    : "±μλ_{N}"});
      titled = true;
    }
  }
  return status;
}

static dls_status add_curve(dls_figure *figure, dls_panel *panel, const dls_trajectory *traj,
                            const struct quantity *quantity, size_t i, dls_error *err)
{
  const char *name = traj->names[quantity->columns[i]], *symbol = quantity->prefix;
  dls_series series = {.style = dls_style_of(i), .width = 1.5};
  const dls_status status = add_table(figure, traj, "run", name, quantity->style, &series.table, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_column_kind kind;
  dls_column_find(traj, name, &kind);
  const char *words = strncmp(kind.words, "velocity of ", 12) == 0 ? kind.words + 12 : kind.words;
  const bool named = (quantity->prefix[0] == 'q' || quantity->prefix[0] == 'v') && differ(traj, quantity);
  series.title = dls_figure_text(figure, "%s_{%s}%s%s%s", strcmp(symbol, "lambda") == 0 ? "λ" : symbol,
                                 name + strlen(symbol), quantity->style == PUSHES ? "/h" : "",
                                 named ? ", " : "", named ? words : "");
  if (quantity->style == STEMS) { /* with a head */
    series.kind = DLS_SERIES_STEMS;
    series.style.dash = DLS_SOLID;
    dls_panel_add(figure, panel, &series);
    series.kind = DLS_SERIES_POINTS;
    series.size = 0.5;
    series.title = NULL;
  }
  dls_panel_add(figure, panel, &series);
  return DLS_OK;
}

static bool has_band_mark(const dls_panel *panel)
{
  for (size_t i = 0; i < panel->mark_count; i++) {
    if (panel->marks[i].kind == DLS_MARK_PHASE) {
      return true;
    }
  }
  return false;
}

/* @param[in] sticks  the status column whose phases of stick are shaded; -1: none */
static dls_status add_panel(dls_figure *figure, const dls_trajectory *traj, const dls_trajectory *reference,
                            const struct quantity *quantity, int sticks, size_t contact, dls_error *err)
{
  const double room = 0.06;
  dls_panel *panel = dls_figure_panel(figure, dls_figure_either(figure, PANEL_HEIGHT, NARROW_PANEL_HEIGHT));
  panel->x = (dls_axis){.label = "t [s]",
                        .low = dls_trajectory_at(traj, 0, 0),
                        .high = dls_trajectory_at(traj, traj->rows - 1, 0)};
  panel->y = (dls_axis){.label = dls_figure_text(figure, "%s", quantity->label), .room = {room, room}};
  panel->zero_line = true;
  if (quantity->style == STEMS) {
    panel->y.room[0] = 0;
  }
  if (sticks >= 0) {
    dls_plot_bands(figure, panel, traj, (size_t)sticks, dls_plot_meta(traj, "step") != NULL);
    if (quantity->along && has_band_mark(panel)) { /* the key of the bands */
      dls_panel_add(figure, panel,
                    &(dls_series){.kind = DLS_SERIES_BAND,
                                  .style = dls_style_line(DLS_SHADE, DLS_SOLID),
                                  .title = dls_figure_text(figure, "contact %zu sticks", contact)});
    }
  }
  dls_status status = add_references(figure, panel, traj, reference, quantity, err);
  if (status == DLS_OK) {
    status = add_limits(figure, panel, traj, quantity, err);
  }
  for (size_t i = 0; i < quantity->count && status == DLS_OK; i++) {
    status = add_curve(figure, panel, traj, quantity, i, err);
  }
  return status;
}

/* Positions are drawn only for systems without gaps. */
static dls_status choose_panels(const dls_trajectory *traj, struct quantity *quantities, size_t *count,
                                dls_error *err)
{
  dls_status status = DLS_OK;
  *count = 0;
  for (size_t k = 0; k < KINDS && status == DLS_OK; k++) {
    if (k == POSITIONS && *count > 0) {
      continue;
    }
    const size_t added = add_panels(traj, &kinds[k], quantities + *count, MOST_PANELS - *count);
    for (size_t i = *count, end = *count + added; i < end; i++) {
      bool drawn = !kinds[k].optional;
      for (size_t j = 0; j < quantities[i].count && !drawn && status == DLS_OK; j++) {
        status = has_values(traj, quantities[i].columns[j], kinds[k].style, &drawn, err);
      }
      put_label(traj, &quantities[i]);
      quantities[*count] = quantities[i];
      *count += drawn;
    }
  }
  return status;
}

dls_status dls_plot_trajectory(const dls_trajectory *traj, const dls_trajectory *reference, const char *path,
                               dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_trajectory(traj, reference, &canvas, err);
}

dls_status dls_draw_trajectory(const dls_trajectory *traj, const dls_trajectory *reference,
                               const dls_canvas *canvas, dls_error *err)
{
  struct quantity quantities[MOST_PANELS];
  size_t known = 0, contact = 0;
  dls_figure figure;
  dls_status status = choose_panels(traj, quantities, &known, err);
  if (status != DLS_OK) {
    return status;
  }
  if (known == 0 || traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "plot %s: the trajectory has %zu rows and %zu columns g0.., q0.. or v0..",
                    canvas->path, traj->rows, known);
  }
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.key = DLS_KEY_OF_PANEL;
  figure.markup = true;
  figure.one_x = true;
  const size_t most = dls_figure_most_panels(&figure), drawn = known < most ? known : most;
  const int sticks = figure.text ? -1 : dls_plot_stick_column(traj, &contact);
  set_title(&figure, traj, drawn, known, quantities);
  for (size_t i = 0; i < drawn && status == DLS_OK; i++) {
    status = add_panel(&figure, traj, reference, &quantities[i], sticks, contact, err);
  }
  return dls_figure_finish(&figure, status, err);
}
