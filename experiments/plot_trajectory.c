/* experiments/plot_trajectory.c -- gap, velocity with its filled-in graph, impulses and forces over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/text.h"
#include "experiments/gnuplot.h"
#include "experiments/plot_curve.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
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
static const struct panel positions = {"q", "position q [m]", 4, false, false};
static const struct panel velocities = {"v", "velocity v [m/s]", 4, false, false};
static const struct panel impulses = {"p", "impulse p [N s]", 3, true, true};
static const struct panel forces = {"lambda", "contact force λ [N]", 3, false, true};

static size_t count_columns(const dls_trajectory *traj, const char *prefix)
{
  char name[40];
  for (size_t count = 0;; count++) {
    snprintf(name, sizeof name, "%s%zu", prefix, count);
    if (dls_trajectory_column(traj, name) < 0) {
      return count;
    }
  }
}

static size_t curve_count(const dls_trajectory *traj, const struct panel *panel)
{
  const size_t count = count_columns(traj, panel->prefix);
  return count < panel->at_most ? count : panel->at_most;
}

static size_t column_of(const dls_trajectory *traj, const char *name)
{
  return (size_t)dls_trajectory_column(traj, name);
}

static bool has_values(const dls_trajectory *traj, const struct panel *panel)
{
  for (size_t i = 0; i < curve_count(traj, panel); i++) {
    char name[40];
    snprintf(name, sizeof name, "%s%zu", panel->prefix, i);
    for (size_t row = 0; row < traj->rows; row++) {
      if (dls_trajectory_at(traj, row, column_of(traj, name)) != 0) {
        return true;
      }
    }
  }
  return false;
}

static void put_stems(FILE *out, const dls_trajectory *traj, const char *name)
{
  const size_t column = column_of(traj, name);
  for (size_t row = 0; row < traj->rows; row++) {
    const double value = dls_trajectory_at(traj, row, column);
    if (value != 0) {
      fprintf(out, "%.10g %.10g\n", dls_trajectory_at(traj, row, 0), value);
    }
  }
}

/* The data block $<set>_<column> for every curve of a panel. */
static dls_status put_data(FILE *out, const dls_trajectory *traj, const char *set, const struct panel *panel,
                           dls_error *err)
{
  dls_status status = DLS_OK;
  for (size_t i = 0; i < curve_count(traj, panel) && status == DLS_OK; i++) {
    char name[40];
    snprintf(name, sizeof name, "%s%zu", panel->prefix, i);
    fprintf(out, "$%s_%s << EOD\n", set, name);
    if (panel->stems) {
      put_stems(out, traj, name);
    } else {
      status = dls_plot_curve(out, traj, name, err);
    }
    fprintf(out, "EOD\n");
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
    snprintf(more, sizeof more, " (drawn: %zu of %zu %s, %zu of %zu v)", curve_count(traj, first), count,
             first->prefix, curve_count(traj, &velocities), velocity_count);
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
  const char *separator = "plot ";
  for (size_t i = 0; reference != NULL && i < curve_count(traj, panel) && i < curve_count(reference, panel);
       i++) {
    fprintf(out, "%s$reference_%s%zu using 1:2 with %s linecolor rgb '#B0B0B0' linewidth 3 title %s", separator,
            panel->prefix, i, panel->stems ? "impulses" : "lines", i == 0 ? "'reference'" : "''");
    separator = ", \\\n  ";
  }
  for (size_t i = 0; i < curve_count(traj, panel); i++) {
    const char *colour = dls_gnuplot_colour(i);
    fprintf(out, "%s$run_%s%zu using 1:2 with %s linecolor rgb '%s' linewidth 1.5 title '%s_%zu'", separator,
            panel->prefix, i, panel->stems ? "impulses" : "lines", colour,
            strcmp(panel->prefix, "lambda") == 0 ? "λ" : panel->prefix, i);
    separator = ", \\\n  ";
    if (panel->stems) {
      fprintf(out,
              ", \\\n  $run_%s%zu using 1:2 with points pointtype %d pointsize 0.5 linecolor rgb '%s' notitle",
              panel->prefix, i, dls_gnuplot_point_type(i), colour);
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
    if (curve_count(traj, wanted[i]) > 0 && (!wanted[i]->optional || has_values(traj, wanted[i]))) {
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
    status = put_data(out, traj, "run", panels[i], err);
    if (status == DLS_OK && reference != NULL) {
      status = put_data(out, reference, "reference", panels[i], err);
    }
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
  dls_status status = dls_gnuplot_begin(path, WIDTH, HEAD_HEIGHT + PANEL_HEIGHT * (int)count, &plot, err);
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
