/* plot_mesh.c -- a mesh at some instants with the impulses of its contacts; a mesh of one dimension over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/mesh_motion.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  INSTANTS = 8,
  MOST_INSTANTS = INSTANTS + 1,
  FACES = 2
};                                               /* of faces, which cover each other, FACES only */
enum { TIMES = 400, PLACES = 200, COARSER = 5 }; /* of a picture over time, at most; in TeX and the terminal */
enum { WIDTH = 1000, HEIGHT_OVER_TIME = 500, NARROW_HEIGHT_OVER_TIME = 220 };

typedef struct instants {
  size_t count, row[MOST_INSTANTS];
  size_t strongest; /* the row of the largest impulse; 0: there is none */
} instants;

/* Whether no point moves across the body. */
static bool one_dimensional(const dls_mesh *mesh)
{
  bool moves[2] = {false, false};
  for (size_t i = 0; i < 2 * mesh->points; i++) {
    moves[i % 2] = moves[i % 2] || mesh->unknown[i] != DLS_MESH_GIVEN;
  }
  return !(moves[0] && moves[1]);
}

/* The last row that is not later than t. */
static size_t row_at(const dls_mesh_motion *m, double t, size_t from)
{
  while (from + 1 < m->traj->rows && dls_mesh_motion_row(m, from + 1)[0] <= t) {
    from++;
  }
  return from;
}

static double pushes_of(const dls_mesh_motion *m, size_t row, size_t column)
{
  double sum = 0;
  for (size_t j = 0; j < m->sys->m; j++) {
    sum += fabs(dls_mesh_motion_row(m, row)[column + j]);
  }
  return sum;
}

static size_t strongest_row(const dls_mesh_motion *m)
{
  size_t strongest = 0;
  double most = 0;
  for (size_t row = 1; row < m->traj->rows; row++) {
    const double sum = pushes_of(m, row, m->p);
    if (sum > most) {
      most = sum;
      strongest = row;
    }
  }
  return strongest;
}

/* Equal distances in time, or all rows where they are few; and the largest impulse, in its place. */
static instants choose(const dls_mesh_motion *m)
{
  const double begin = dls_mesh_motion_row(m, 0)[0], end = dls_mesh_motion_row(m, m->traj->rows - 1)[0];
  instants s = {.strongest = strongest_row(m)};
  const size_t most = m->mesh.corners > 2 ? FACES : INSTANTS;
  for (size_t k = 0, row = 0; k < most; k++) {
    row = row_at(m, begin + (end - begin) * (double)k / (double)(most - 1) * (1 + 1e-12), row);
    const bool passed =
        s.strongest > 0 && s.strongest <= row && (s.count == 0 || s.row[s.count - 1] < s.strongest);
    if (passed) {
      s.row[s.count++] = s.strongest;
    }
    if (s.count == 0 || s.row[s.count - 1] != row) {
      s.row[s.count++] = row;
    }
  }
  return s;
}

/* Cells as lines, closed where they are faces. */
static const dls_plot_table *add_shape(dls_figure *figure, dls_mesh_motion *m, size_t row, size_t number)
{
  const dls_mesh *mesh = &m->mesh;
  dls_plot_table *table = dls_plot_table_new(figure, 2, "mesh%zu", number);
  table->digits = 9;
  dls_mesh_places(mesh, dls_mesh_motion_row(m, row) + m->q, m->points);
  for (size_t c = 0; c < mesh->cells; c++) {
    for (size_t k = 0; k < mesh->corners + (mesh->corners > 2 ? 1 : 0); k++) {
      dls_plot_table_add(table, m->points + 2 * mesh->cell[c * mesh->corners + k % mesh->corners]);
    }
    dls_plot_table_break(table);
  }
  return table;
}

/* Arrows of the impulses of a row, the longest of length `length`. @return the largest impulse [N s]; NaN: no memory */
static double add_arrows(dls_plot_table *table, dls_mesh_motion *m, size_t row, double length)
{
  double *push = malloc(2 * m->mesh.points * sizeof *push), most = 0;
  if (push == NULL) {
    return NAN;
  }
  table->digits = 9;
  dls_mesh_motion_push(m, row, m->p);
  memcpy(push, m->points, 2 * m->mesh.points * sizeof *push);
  for (size_t i = 0; i < m->mesh.points; i++) {
    most = fmax(most, hypot(push[2 * i], push[2 * i + 1]));
  }
  dls_mesh_places(&m->mesh, dls_mesh_motion_row(m, row) + m->q, m->points);
  for (size_t i = 0; i < m->mesh.points && most > 0; i++) {
    if (push[2 * i] != 0 || push[2 * i + 1] != 0) { /* they end at the body, which they push */
      const double dx = length * push[2 * i] / most, dy = length * push[2 * i + 1] / most;
      dls_plot_table_add(table, (double[]){m->points[2 * i] - dx, m->points[2 * i + 1] - dy, dx, dy});
    }
  }
  free(push);
  return most;
}

/* Shade k of `count`, from light to dark: they can be told apart in grey. */
static const char *shade(dls_figure *figure, size_t k, size_t count)
{
  const double light = count > 1 ? 1 - (double)k / (double)(count - 1) : 0;
  return dls_figure_text(figure, "#%02x%02x%02x", (unsigned)(8 + 182 * light), (unsigned)(48 + 167 * light),
                         (unsigned)(107 + 133 * light));
}

static double reach_of(const dls_mesh_motion *m)
{
  double most = 0;
  for (size_t i = 0; i < 2 * m->mesh.points; i++) {
    most = fmax(most, fabs(m->mesh.rest[i] - m->mesh.rest[i % 2]));
  }
  return most;
}

/* Lengths have one scale on both axes, and the panel is as high as the motion is for its width. */
static dls_status add_shapes(dls_figure *figure, dls_mesh_motion *m, dls_error *err)
{
  const instants s = choose(m);
  dls_panel *panel = dls_figure_panel(figure, 0);
  panel->equal = true;
  panel->x = (dls_axis){.label = "x [m]", .room = {0.04, 0.04}};
  panel->y = (dls_axis){.label = "y [m]", .room = {0.04, 0.04}};
  for (size_t k = 0; k < s.count; k++) {
    dls_panel_add(
        figure, panel,
        &(dls_series){.kind = DLS_SERIES_LINES_POINTS,
                      .table = add_shape(figure, m, s.row[k], k),
                      .style = dls_style_line(shade(figure, k, s.count), DLS_SOLID),
                      .size = m->mesh.points <= 40 ? 0.5 : -1,
                      .width = m->mesh.corners > 2 ? 1 : 2.5,
                      .title = dls_figure_text(figure, "t = %.4g s", dls_mesh_motion_row(m, s.row[k])[0])});
  }
  if (s.strongest == 0) {
    return DLS_OK;
  }
  dls_plot_table *push = dls_plot_table_new(figure, 4, "push");
  const double largest = add_arrows(push, m, s.strongest, 0.2 * reach_of(m));
  if (largest > 0) {
    dls_panel_add(figure, panel,
                  &(dls_series){.kind = DLS_SERIES_ARROWS,
                                .table = push,
                                .style = dls_style_line(dls_style_of(1).colour, DLS_SOLID),
                                .width = 2.5,
                                .title = dls_figure_text(figure, "impulse at %.4g s, at most %.3g N s",
                                                         dls_mesh_motion_row(m, s.strongest)[0], largest)});
  }
  return isnan(largest) ? dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu arrows", m->mesh.points) : DLS_OK;
}

/* The first value of the cells over time and place, in shades whose lightness rises. */
static void add_over_time(dls_figure *figure, dls_mesh_motion *m)
{
  const dls_mesh *mesh = &m->mesh;
  const double begin = dls_mesh_motion_row(m, 0)[0], end = dls_mesh_motion_row(m, m->traj->rows - 1)[0];
  const size_t shrink = dls_canvas_is_tex(&figure->canvas) || figure->text ? COARSER : 1,
               times = TIMES / shrink;
  const size_t places = mesh->cells < PLACES / shrink ? mesh->cells : PLACES / shrink;
  dls_panel *panel =
      dls_figure_panel(figure, dls_figure_either(figure, HEIGHT_OVER_TIME, NARROW_HEIGHT_OVER_TIME));
  dls_plot_table *table = dls_plot_table_new(figure, 3, "values");
  table->digits = 9;
  double shades[2] = {INFINITY, -INFINITY};
  for (size_t k = 0, row = 0; k < times; k++) {
    const double t = begin + (end - begin) * ((double)k + 0.5) / (double)times;
    row = row_at(m, t, row);
    dls_mesh_motion_values(m, row);
    for (size_t i = 0; i < places; i++) {
      const size_t cell = (2 * i + 1) * mesh->cells / (2 * places), a = 2 * mesh->cell[cell * mesh->corners],
                   b = 2 * mesh->cell[cell * mesh->corners + 1];
      const double at = 0.5 * (mesh->rest[a] + mesh->rest[a + 1] + mesh->rest[b] + mesh->rest[b + 1]);
      const double value = m->values[cell * mesh->values];
      dls_plot_table_add(table, (double[]){t, at, value});
      shades[0] = fmin(shades[0], value);
      shades[1] = fmax(shades[1], value);
    }
  }
  panel->x = (dls_axis){.label = "t [s]", .low = begin, .high = end};
  panel->y = (dls_axis){.label = "X [m]", .room = {0.5 / (double)places, 0.5 / (double)places}};
  panel->shade =
      (dls_axis){.label = dls_figure_text(figure, "%s", mesh->names[0]), .low = shades[0], .high = shades[1]};
  dls_panel_add(figure, panel, &(dls_series){.kind = DLS_SERIES_IMAGE, .table = table});
}

dls_status dls_plot_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, NULL);
  return dls_draw_mesh(model, sys, traj, &canvas, err);
}

dls_status dls_draw_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const dls_canvas *canvas, dls_error *err)
{
  dls_mesh_motion m = {0};
  dls_figure figure;
  dls_status status = dls_mesh_motion_check("mesh", model, NULL, err);
  if (status == DLS_OK) {
    status = dls_mesh_motion_create(model, sys, traj, &m, err);
  }
  dls_figure_begin(&figure, canvas, WIDTH);
  dls_plot_title_run(&figure, traj);
  if (status == DLS_OK && one_dimensional(&m.mesh) && m.mesh.values > 0) {
    add_over_time(&figure, &m);
  } else if (status == DLS_OK) {
    status = add_shapes(&figure, &m, err);
  }
  dls_mesh_motion_destroy(&m);
  return dls_figure_finish(&figure, status, err);
}
