/* experiments/show/plot_trajectory.c -- gap, velocity with its filled-in graph, impulses and forces over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/gnuplot.h"
#include "experiments/show/plot_curve.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_CURVES = 4, /* of a panel */
  WIDTH = 1000,
  PANEL_HEIGHT = 290,
  HEAD_HEIGHT = 70,
};

/* What is drawn in a panel: the columns named prefix0, prefix1, ... */
struct panel {
  const char *prefix, *label;
  size_t at_most; /* curves */
  bool stems;     /* values that live at single nodes: drawn from 0, zeros left out */
  bool optional;  /* only if a value is not zero */
};
static const struct panel gaps = {"g", "gap g [m]", 3, false, false};
static const struct panel positions = {"q", "position q [m]", MOST_CURVES, false, false};
static const struct panel velocities = {"v", "velocity v [m/s]", MOST_CURVES, false, false};
static const struct panel impulses = {"p", "impulse p [N s]", 3, true, true};
static const struct panel forces = {"lambda", "contact force λ [N]", 3, false, true};

/* Is the name prefix followed by digits only? */
static bool is_numbered(const char *name, const char *prefix)
{
  const size_t length = strlen(prefix);
  return strncmp(name, prefix, length) == 0 && name[length] != '\0' &&
         strspn(name + length, "0123456789") == strlen(name + length);
}

static size_t count_columns(const dls_trajectory *traj, const char *prefix)
{
  size_t count = 0;
  for (size_t j = 1; j < traj->columns; j++) {
    count += is_numbered(traj->names[j], prefix);
  }
  return count;
}

/* The columns that a panel draws: the first ones of its kind, of whatever was recorded. @return their number */
static size_t list_columns(const dls_trajectory *traj, const struct panel *panel, size_t columns[MOST_CURVES])
{
  size_t count = 0;
  for (size_t j = 1; j < traj->columns && count < panel->at_most; j++) {
    if (is_numbered(traj->names[j], panel->prefix)) {
      columns[count++] = j;
    }
  }
  return count;
}

static bool has_values(const dls_trajectory *traj, const struct panel *panel)
{
  size_t columns[MOST_CURVES];
  const size_t count = list_columns(traj, panel, columns);
  for (size_t i = 0; i < count; i++) {
    for (size_t row = 0; row < traj->rows; row++) {
      if (dls_trajectory_at(traj, row, columns[i]) != 0) {
        return true;
      }
    }
  }
  return false;
}

static void put_stems(FILE *out, const dls_trajectory *traj, size_t column)
{
  for (size_t row = 0; row < traj->rows; row++) {
    const double value = dls_trajectory_at(traj, row, column);
    if (value != 0) {
      fprintf(out, "%.10g %.10g\n", dls_trajectory_at(traj, row, 0), value);
    }
  }
}

static dls_status put_block(FILE *out, const dls_trajectory *traj, const char *set, const char *name,
                            bool stems, dls_error *err)
{
  dls_status status = DLS_OK;
  fprintf(out, "$%s_%s << EOD\n", set, name);
  if (stems) {
    put_stems(out, traj, (size_t)dls_trajectory_column(traj, name));
  } else {
    status = dls_plot_curve(out, traj, name, DLS_FILE_VERTICES, err);
  }
  fprintf(out, "EOD\n");
  return status;
}

/* The data block $run_<column> for every curve of a panel, and $reference_<column> where the reference has it. */
static dls_status put_data(FILE *out, const dls_trajectory *traj, const dls_trajectory *reference,
                           const struct panel *panel, dls_error *err)
{
  size_t columns[MOST_CURVES];
  const size_t count = list_columns(traj, panel, columns);
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    const char *name = traj->names[columns[i]];
    status = put_block(out, traj, "run", name, panel->stems, err);
    if (status == DLS_OK && reference != NULL && dls_trajectory_column(reference, name) > 0) {
      status = put_block(out, reference, "reference", name, panel->stems, err);
    }
  }
  return status;
}

static const char *find_meta(const dls_trajectory *traj, const char *key)
{
  const size_t length = strlen(key);
  for (size_t i = 0; i < traj->meta_count; i++) {
    if (strncmp(traj->meta[i], key, length) == 0 && traj->meta[i][length] == ':') {
      return traj->meta[i] + length + 1 + strspn(traj->meta[i] + length + 1, " ");
    }
  }
  return NULL;
}

/* "bead-column, moreau-jean, h = 0.003 s (drawn: 3 of 10 g, 4 of 10 v)" */
static void put_title(FILE *out, const dls_trajectory *traj, const struct panel *first)
{
  const char *model = find_meta(traj, "model");
  const char *scheme = find_meta(traj, "scheme");
  const char *step = find_meta(traj, "step");
  char title[400] = "", more[120] = "";
  const size_t count = count_columns(traj, first->prefix);
  const size_t velocity_count = count_columns(traj, "v");
  if (count > first->at_most || velocity_count > velocities.at_most) {
    size_t columns[MOST_CURVES];
    snprintf(more, sizeof more, " (drawn: %zu of %zu %s, %zu of %zu v)", list_columns(traj, first, columns),
             count, first->prefix, list_columns(traj, &velocities, columns), velocity_count);
  }
  const char *const parts[] = {model,  model != NULL && scheme != NULL ? ", " : NULL,
                               scheme, step != NULL ? ", h = " : NULL,
                               step,   step != NULL ? " s" : NULL,
                               more,   traj->complete ? NULL : " (stopped early)"};
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    dls_text_append(title, sizeof title, "%s", parts[i] != NULL ? parts[i] : "");
  }
  dls_gnuplot_quote(out, title);
}

static void put_plot(FILE *out, const dls_trajectory *traj, const dls_trajectory *reference,
                     const struct panel *panel)
{
  const char *const style = panel->stems ? "impulses" : "lines", *separator = "plot ", *title = "'reference'";
  size_t columns[MOST_CURVES];
  const size_t count = list_columns(traj, panel, columns);
  for (size_t i = 0; reference != NULL && i < count; i++) {
    const char *name = traj->names[columns[i]];
    if (dls_trajectory_column(reference, name) > 0) {
      fprintf(out, "%s$reference_%s using 1:2 with %s linecolor rgb '#B0B0B0' linewidth 3 title %s", separator,
              name, style, title);
      separator = ", \\\n  ";
      title = "''";
    }
  }
  for (size_t i = 0; i < count; i++) {
    const char *colour = dls_gnuplot_colour(i), *name = traj->names[columns[i]];
    fprintf(out, "%s$run_%s using 1:2 with %s linecolor rgb '%s' linewidth 1.5 title '%s_{%s}'", separator,
            name, style, colour, strcmp(panel->prefix, "lambda") == 0 ? "λ" : panel->prefix,
            name + strlen(panel->prefix));
    separator = ", \\\n  ";
    if (panel->stems) {
      fprintf(out,
              ", \\\n  $run_%s using 1:2 with points pointtype %d pointsize 0.5 linecolor rgb '%s' notitle",
              name, dls_gnuplot_point_type(i), colour);
    }
  }
  fprintf(out, "\n");
}

static size_t choose_panels(const dls_trajectory *traj, const struct panel **panels)
{
  const struct panel *wanted[] = {count_columns(traj, "g") > 0 ? &gaps : &positions, &velocities, &impulses,
                                  &forces};
  size_t count = 0;
  for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++) {
    if (count_columns(traj, wanted[i]->prefix) > 0 && (!wanted[i]->optional || has_values(traj, wanted[i]))) {
      panels[count++] = wanted[i];
    }
  }
  return count;
}

static dls_status put_all_data(FILE *out, const dls_trajectory *traj, const dls_trajectory *reference,
                               size_t count, const struct panel **panels, dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    status = put_data(out, traj, reference, panels[i], err);
  }
  return status;
}

static void put_layout(FILE *out, const dls_trajectory *traj, bool text)
{
  fprintf(out, "set lmargin %d\nset rmargin %d\nset tmargin %d\nset bmargin %s\n", text ? 8 : 11,
          text ? 17 : 14, text ? 2 : 1, text ? "2" : "1.6");
  fprintf(out,
          "set key at graph 1.015,1 left top Left reverse samplen 1.5\nset xrange [%.10g:%.10g]\n"
          "set xzeroaxis linecolor rgb '#808080' linetype 1\n"
          "set format y '%%6g'\n",
          dls_trajectory_at(traj, 0, 0), dls_trajectory_at(traj, traj->rows - 1, 0));
}

static void put_panels(FILE *out, const dls_trajectory *traj, const dls_trajectory *reference, bool text,
                       size_t count, const struct panel **panels)
{
  fprintf(out, "set multiplot layout %zu,1 title ", count);
  put_title(out, traj, panels[0]);
  fprintf(out, " noenhanced\n");
  put_layout(out, traj, text);
  for (size_t i = 0; i < count; i++) {
    if (i + 1 < count) {
      fprintf(out, "set format x ''\n");
    } else {
      fprintf(out, "set xlabel 't [s]' offset 0,0.5\nset format x '%%g'\nset bmargin 3\n");
    }
    fprintf(out, "set %s '%s' offset %d,0\nset yrange [%s:*]\nset offsets 0,0,graph 0.06,%s\n",
            text ? "title" : "ylabel", panels[i]->label, text ? 0 : 1, panels[i]->stems ? "0" : "*",
            panels[i]->stems ? "0" : "graph 0.06");
    put_plot(out, traj, reference, panels[i]);
  }
  fprintf(out, "unset multiplot\n");
}

dls_status dls_plot_trajectory(const dls_trajectory *traj, const dls_trajectory *reference, const char *path,
                               dls_error *err)
{
  const struct panel *panels[4];
  const size_t count = choose_panels(traj, panels);
  if (count == 0 || traj->rows < 2) {
    return dls_fail(err, DLS_ERR_ARG, "plot %s: the trajectory has %zu rows and %zu columns g0.., q0.. or v0..",
                    path, traj->rows, count);
  }
  dls_gnuplot *plot = NULL;
  dls_status status = dls_gnuplot_begin(&(dls_canvas){.path = path}, WIDTH,
                                        HEAD_HEIGHT + PANEL_HEIGHT * (int)count, &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  FILE *out = dls_gnuplot_script(plot);
  status = put_all_data(out, traj, reference, count, panels, err);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  put_panels(out, traj, reference, dls_gnuplot_is_text(plot), count, panels);
  return dls_gnuplot_finish(plot, err);
}
