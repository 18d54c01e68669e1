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
  PANEL_HEIGHT = 290,
  HEAD_HEIGHT = 70,
  NARROW_PANEL_HEIGHT = 150, /* and its key above it */
  NARROW_KEY_WIDTH = 85,     /* of one curve, with its sample */
  NARROW_GAP = 12,
  NARROW_AXIS_HEIGHT = 50,
  TEXT_PANEL_LINES = 10, /* a panel of fewer cannot be read */
};

enum panel_style { LINES, STEMS, PUSHES };

/* What is drawn in a panel: the columns named prefix0, prefix1, ... of one unit; along tangents prefix0t, or prefix0t1, ... */
struct panel {
  const char *prefix;
  bool along;
  size_t at_most; /* curves */
  enum panel_style style;
  bool optional; /* only if a value is not zero */
  char label[100], unit[DLS_UNIT_ROOM];
  size_t count, columns[MOST_CURVES];
};
enum { MOST_PANELS = 10 };
static const struct panel kinds[] = {{.prefix = "g", .at_most = 3},
                                     {.prefix = "q", .at_most = MOST_CURVES},
                                     {.prefix = "v", .at_most = MOST_CURVES},
                                     {.prefix = "p", .at_most = 3, .style = STEMS, .optional = true},
                                     {.prefix = "p", .at_most = 3, .style = PUSHES, .optional = true},
                                     {.prefix = "lambda", .at_most = 3, .optional = true},
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

/* Impulses of a run by events belong to instants: all are blows. */
static dls_status sort_impulses(const dls_trajectory *traj, size_t column, dls_impulses *out, dls_error *err)
{
  return dls_plot_meta(traj, "step") != NULL ? dls_impulses_sort(traj, column, out, err)
                                             : dls_impulses_all(traj, column, out, err);
}

/* Blows or pushes of a column. */
static dls_status has_impulses(const dls_trajectory *traj, size_t column, enum panel_style style, bool *has,
                               dls_error *err)
{
  dls_impulses impulses;
  const dls_status status = sort_impulses(traj, column, &impulses, err);
  if (status == DLS_OK) {
    *has = style == STEMS ? impulses.stems > 0 : impulses.pushes > 0;
    dls_impulses_clear(&impulses);
  }
  return status;
}

static dls_status has_values(const dls_trajectory *traj, size_t column, enum panel_style style, bool *has,
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

/* "angle q [rad]", with the words that its curves have in common. */
static void put_label(const dls_trajectory *traj, struct panel *panel)
{
  dls_column_kind kind, other;
  dls_column_find(traj, traj->names[panel->columns[0]], &kind);
  for (size_t i = 1; i < panel->count; i++) {
    dls_column_find(traj, traj->names[panel->columns[i]], &other);
    if (strcmp(other.words, kind.words) != 0) {
      snprintf(kind.words, sizeof kind.words, panel->prefix[0] == 'v' ? "velocity" : "coordinate");
    }
  }
  const bool pushes = panel->style == PUSHES;
  snprintf(panel->label, sizeof panel->label, "%s %s [%s]", pushes ? "contact force" : kind.words,
           pushes ? "p/h" : kind.symbol, pushes ? "N" : kind.unit);
}

/* The first columns of a kind, of whatever was recorded, by their units: a panel for each. @return their number */
static size_t add_panels(const dls_trajectory *traj, const struct panel *kind, struct panel *panels,
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
    while (i < count && strcmp(panels[i].unit, column.unit) != 0) {
      i++;
    }
    if (i == count && count < room) {
      panels[count] = *kind;
      memcpy(panels[count++].unit, column.unit, sizeof column.unit);
    }
    if (i < count && panels[i].count < kind->at_most) {
      panels[i].columns[panels[i].count++] = j;
    }
  }
  return count;
}

static dls_status put_impulses(FILE *out, const dls_trajectory *traj, size_t column, enum panel_style style,
                               dls_error *err)
{
  dls_impulses impulses;
  const dls_status status = sort_impulses(traj, column, &impulses, err);
  if (status == DLS_OK) {
    (style == STEMS ? dls_impulses_put_stems : dls_impulses_put_force)(out, traj, column, &impulses);
    dls_impulses_clear(&impulses);
  }
  return status;
}

/* The data block $run_p0; $push_run_p0 for the force that the impulses make. */
static dls_status put_block(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj, const char *set,
                            const char *name, enum panel_style style, dls_error *err)
{
  fprintf(out, "$%s%s_%s << EOD\n", style == PUSHES ? "push_" : "", set, name);
  const dls_status status =
      style == LINES ? dls_plot_curve(out, traj, name, dls_canvas_vertices(canvas), err)
                     : put_impulses(out, traj, (size_t)dls_trajectory_column(traj, name), style, err);
  fprintf(out, "EOD\n");
  return status;
}

/* The column of the reference that stands behind a curve: behind p/h its contact force. */
static bool find_reference(const dls_trajectory *reference, const struct panel *panel, const char *name,
                           char *column, size_t size)
{
  snprintf(column, size, "%s%s", panel->style == PUSHES ? "lambda" : "",
           name + (panel->style == PUSHES ? strlen(panel->prefix) : 0));
  return reference != NULL && dls_trajectory_column(reference, column) > 0;
}

static bool is_friction(const struct panel *panel)
{
  return panel->along && strcmp(panel->prefix, "lambda") == 0;
}

/* The data block $run_<column> for every curve of a panel, and $reference_<column> where the reference has it. */
static dls_status put_data(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj,
                           const dls_trajectory *reference, const struct panel *panel, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < panel->count && status == DLS_OK; i++) {
    const char *name = traj->names[panel->columns[i]];
    status = put_block(out, canvas, traj, "run", name, panel->style, err);
    if (status == DLS_OK && is_friction(panel)) {
      dls_plot_limits(out, traj, name);
    }
    char behind[40];
    if (status == DLS_OK && find_reference(reference, panel, name, behind, sizeof behind)) {
      status = put_block(out, canvas, reference, "reference", behind,
                         panel->style == PUSHES ? LINES : panel->style, err);
    }
  }
  return status;
}

/* Columns in panel i and those behind it of its prefix, of which each has one unit; 0: a panel before it has that prefix. */
static size_t count_drawn(size_t panel_count, const struct panel *panels, size_t i)
{
  size_t count = 0;
  for (size_t k = 0; k < panel_count; k++) {
    const bool same = !panels[k].optional && strcmp(panels[k].prefix, panels[i].prefix) == 0;
    if (same && k < i) {
      return 0;
    }
    count += same ? panels[k].count : 0;
  }
  return count;
}

/* "bead-column, moreau-jean:theta=1, h = 0.003 s (drawn: 3 of 10 g, 4 of 10 v)" */
static void put_title(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj, size_t panel_count,
                      size_t known, const struct panel *panels)
{
  const char *model = dls_plot_meta(traj, "model");
  const char *choice = dls_plot_meta(traj, "choice"),
             *scheme = choice != NULL ? choice : dls_plot_meta(traj, "scheme");
  const char *step = dls_plot_meta(traj, "step");
  char title[500] = "", more[160] = "";
  for (size_t i = 0; i < panel_count; i++) {
    const size_t drawn = count_drawn(panel_count, panels, i), count = count_columns(traj, panels[i].prefix);
    if (drawn > 0 && drawn < count) { /* of g, q, v */
      dls_text_append(more, sizeof more, "%s%zu of %zu %s", more[0] == '\0' ? " (drawn: " : ", ", drawn, count,
                      panels[i].prefix);
    }
  }
  if (known > panel_count) { /* a terminal with few lines */
    dls_text_append(more, sizeof more, "%s%zu of %zu panels", more[0] == '\0' ? " (drawn: " : ", ", panel_count,
                    known);
  }
  const char *const parts[] = {model,
                               model != NULL && scheme != NULL ? ", " : NULL,
                               scheme,
                               step != NULL ? ", h = " : NULL,
                               step,
                               step != NULL ? " s" : NULL,
                               more,
                               more[0] != '\0' ? ")" : NULL,
                               traj->complete ? NULL : " (stopped early)"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    dls_text_append(title, sizeof title, "%s", parts[i] != NULL ? parts[i] : "");
  }
  dls_gnuplot_end_titled(out, canvas, title);
}

static void put_curve(FILE *out, const struct panel *panel, const char *name, size_t i, bool text)
{
  const char *colour = dls_gnuplot_colour(i), *push = panel->style == PUSHES ? "push_" : "";
  fprintf(out, "$%srun_%s using 1:2 with %s linecolor rgb '%s' linewidth 1.5 dashtype %d title '%s%s%s%s%s'",
          push, name, panel->style == STEMS ? "impulses" : "lines", colour,
          panel->style == STEMS ? 1 : dls_gnuplot_dash_type(i),
          strcmp(panel->prefix, "lambda") == 0 ? "λ" : panel->prefix, text ? "" : "_{",
          name + strlen(panel->prefix), text ? "" : "}", panel->style == PUSHES ? "/h" : "");
  if (panel->style == STEMS) {
    fprintf(out, ", \\\n  $run_%s using 1:2 with points pointtype %d pointsize 0.5 linecolor rgb '%s' notitle",
            name, dls_gnuplot_point_type(i), colour);
  }
}

static void put_plot(FILE *out, const dls_trajectory *traj, const dls_trajectory *reference,
                     const struct panel *panel, bool text, int sticks)
{
  const char *separator = "plot ";
  if (sticks >= 0) { /* the key of the bands */
    fprintf(out, "plot NaN with filledcurves linecolor rgb '#E4E4E4' title '%d sticks'", sticks);
    separator = ", \\\n  ";
  }
  bool told = false;
  for (size_t i = 0; i < panel->count; i++) {
    char behind[40];
    if (find_reference(reference, panel, traj->names[panel->columns[i]], behind, sizeof behind)) {
      fprintf(out, "%s$reference_%s using 1:2 with %s linecolor rgb '#B0B0B0' linewidth 3 title '%s'",
              separator, behind, panel->style == STEMS ? "impulses" : "lines",
              told ? "" : dls_plot_reference_name(reference));
      separator = ", \\\n  ";
      told = true;
    }
  }
  bool limits = false;
  for (size_t i = 0; i < panel->count && is_friction(panel); i++) {
    const char *name = traj->names[panel->columns[i]];
    if (dls_plot_has_limits(traj, name)) {
      fprintf(out,
              "%s$limit_%s using 1:2 with lines linecolor rgb '#909090' dashtype 2 title '%s', \\\n"
              "  $limit_%s using 1:(-$2) with lines linecolor rgb '#909090' dashtype 2 notitle",
              separator, name, limits ? "" : "±μλ_N", name);
      limits = true;
      separator = ", \\\n  ";
    }
  }
  for (size_t i = 0; i < panel->count; i++) {
    fputs(separator, out);
    put_curve(out, panel, traj->names[panel->columns[i]], i, text);
    separator = ", \\\n  ";
  }
  fprintf(out, "\n");
}

/* Positions only where there is no gap. */
static dls_status choose_panels(const dls_trajectory *traj, struct panel *panels, size_t *count, dls_error *err)
{
  dls_status status = DLS_OK;
  *count = 0;
  for (size_t k = 0; k < KINDS && status == DLS_OK; k++) {
    if (k == POSITIONS && *count > 0) {
      continue;
    }
    const size_t added = add_panels(traj, &kinds[k], panels + *count, MOST_PANELS - *count);
    for (size_t i = *count, end = *count + added; i < end; i++) {
      bool drawn = !kinds[k].optional;
      for (size_t j = 0; j < panels[i].count && !drawn && status == DLS_OK; j++) {
        status = has_values(traj, panels[i].columns[j], kinds[k].style, &drawn, err);
      }
      put_label(traj, &panels[i]);
      panels[*count] = panels[i];
      *count += drawn;
    }
  }
  return status;
}

static dls_status put_all_data(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj,
                               const dls_trajectory *reference, size_t count, const struct panel *panels,
                               dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = put_data(out, canvas, traj, reference, &panels[i], err);
  }
  return status;
}

static int key_columns(const dls_canvas *canvas, bool friction)
{
  const int entry = friction ? NARROW_KEY_WIDTH + 35 : NARROW_KEY_WIDTH; /* "0 sticks" */
  const double right = dls_canvas_right(canvas, 1), left = dls_canvas_left(canvas, 0);
  return (int)((right - left) * dls_canvas_width(canvas, WIDTH) / entry);
}

/* Above a narrow panel stand its key, of the curves, the exact ones, and the limits of friction; and the panel before. */
static int narrow_head(const dls_canvas *canvas, const struct panel *panel)
{
  const int entries = (int)panel->count + 1 + panel->along + is_friction(panel),
            columns = key_columns(canvas, panel->along);
  return NARROW_GAP + DLS_KEY_LINE_HEIGHT * ((entries + columns - 1) / columns);
}

static int picture_height(const dls_canvas *canvas, size_t count, const struct panel *panels)
{
  int height = NARROW_AXIS_HEIGHT;
  for (size_t i = 0; i < count; i++) {
    height += narrow_head(canvas, &panels[i]) + NARROW_PANEL_HEIGHT;
  }
  return canvas->narrow ? height : HEAD_HEIGHT + PANEL_HEIGHT * (int)count;
}

/* Where narrow panel i stands. */
static void put_place(FILE *out, const dls_canvas *canvas, size_t count, const struct panel *panels, size_t i)
{
  const double height = picture_height(canvas, count, panels);
  double bottom = height;
  for (size_t k = 0; k <= i; k++) {
    bottom -= narrow_head(canvas, &panels[k]) + NARROW_PANEL_HEIGHT;
  }
  fprintf(out, "set tmargin at screen %.4f\nset bmargin at screen %.4f\n",
          (bottom + NARROW_PANEL_HEIGHT) / height, bottom / height);
}

/* Margins in characters, or of narrow panels at edges; the key beside each panel, or above it. */
static void put_layout(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj, bool text)
{
  if (canvas->narrow) {
    fprintf(out,
            "set lmargin at screen %.4f\nset rmargin at screen %.4f\n"
            "set key at graph 0,1.02 left bottom Left reverse horizontal maxcols %d samplen 2\n",
            dls_canvas_left(canvas, 0), dls_canvas_right(canvas, 1), key_columns(canvas, false));
  } else {
    fprintf(out, "set lmargin %d\nset rmargin %d\nset tmargin %d\nset bmargin %s\n", text ? 8 : 12,
            text ? 17 : 14, 1, text ? "1" : "1.6");
    fprintf(out, "set key at graph 1.015,1 left top Left reverse samplen 2\n");
  }
  fprintf(out,
          "set xrange [%.10g:%.10g]\n"
          "set xzeroaxis linecolor rgb '#808080' linetype 1\n"
          "set format y '%%.4g'\n",
          dls_trajectory_at(traj, 0, 0), dls_trajectory_at(traj, traj->rows - 1, 0));
}

static void put_panels(FILE *out, const dls_canvas *canvas, const dls_trajectory *traj,
                       const dls_trajectory *reference, bool text, size_t count, size_t known,
                       const struct panel *panels)
{
  fprintf(out, "set multiplot layout %zu,1", count);
  put_title(out, canvas, traj, count, known, panels);
  put_layout(out, canvas, traj, text);
  const bool by_event = dls_plot_meta(traj, "step") == NULL; /* the status of a step may change at every one */
  const int sticks = text || !by_event ? -1 : dls_plot_bands(out, traj);
  for (size_t i = 0; i < count; i++) {
    const bool stems = panels[i].style == STEMS;
    if (i + 1 < count) {
      fprintf(out, "set format x ''\n");
    } else {
      fprintf(out, "set xlabel 't [s]' offset 0,%s\nset format x '%%g'\nset bmargin %d\n", text ? "0.9" : "0.5",
              text ? 2 : 3);
    }
    if (canvas->narrow) {
      put_place(out, canvas, count, panels, i);
    }
    fprintf(out, "set %s '%s'\nset yrange [%s:*]\nset offsets 0,0,graph 0.06,%s\n", text ? "title" : "ylabel",
            panels[i].label, stems ? "0" : "*", stems ? "0" : "graph 0.06");
    put_plot(out, traj, reference, &panels[i], text, panels[i].along ? sticks : -1);
  }
  fprintf(out, "unset multiplot\n");
}

dls_status dls_plot_trajectory(const dls_trajectory *traj, const dls_trajectory *reference, const char *path,
                               dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_trajectory(traj, reference, &canvas, err);
}

dls_status dls_draw_trajectory(const dls_trajectory *traj, const dls_trajectory *reference,
                               const dls_canvas *canvas, dls_error *err)
{
  struct panel panels[MOST_PANELS];
  size_t count = 0;
  dls_status status = choose_panels(traj, panels, &count, err);
  if (status != DLS_OK) {
    return status;
  }
  if (count == 0 || traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "plot %s: the trajectory has %zu rows and %zu columns g0.., q0.. or v0..",
                    canvas->path, traj->rows, count);
  }
  dls_gnuplot *plot = NULL;
  status = dls_gnuplot_begin(canvas, WIDTH, picture_height(canvas, count, panels), &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(plot);
  const bool text = dls_gnuplot_is_text(plot);
  const size_t room = (size_t)fmax(1, floor((dls_gnuplot_lines() - 3) / (double)TEXT_PANEL_LINES));
  const size_t drawn = text && count > room ? room : count;
  status = put_all_data(out, canvas, traj, reference, drawn, panels, err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  put_panels(out, canvas, traj, reference, text, drawn, count, panels);
  return dls_gnuplot_finish(plot, err);
}
