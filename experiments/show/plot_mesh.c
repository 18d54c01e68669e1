/* plot_mesh.c -- a mesh at some instants of its motion with what its contacts did; of one dimension, over time.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/mesh_motion.h"
#include "experiments/show/pictures.h"
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  INSTANTS = 8,
  MOST_INSTANTS = INSTANTS + 1,
  FACES = 2
};                                                  /* of faces, which cover each other, FACES only */
enum { TIMES = 400, PLACES = 200, TEX_SHRINK = 5 }; /* of a picture over time, at most */
enum {
  WIDTH = 1000,
  HEIGHT_OVER_TIME = 600,
  NARROW_HEIGHT_OVER_TIME = 280,
  LEAST_PANEL = 200,
  MOST_PANEL = 900,
  HEAD_HEIGHT = 40,
  AXIS_HEIGHT = 75,
  KEY_COLUMNS = 2
};
static const double panel_width = 880; /* pixels */

typedef struct instants {
  size_t count, row[MOST_INSTANTS];
  size_t strongest; /* the row of the largest impulse; 0: there is none */
} instants;

/* Does no point move across the body? */
static bool one_dimensional(const dls_mesh *mesh)
{
  bool moves[2] = {false, false};
  for (size_t i = 0; i < 2 * mesh->points; i++) {
    moves[i % 2] = moves[i % 2] || mesh->unknown[i] != DLS_MESH_GIVEN;
  }
  return !(moves[0] && moves[1]);
}

dls_status dls_plot_mesh_check(const dls_model *model, const dls_system *sys, const char *path,
                               const dls_model *const *known, dls_error *err)
{
  dls_mesh mesh = {0};
  dls_status status = dls_mesh_motion_check("mesh", model, known, err);
  status = status != DLS_OK ? status : model->mesh(sys, &mesh, err);
  if (status == DLS_OK && strcmp(path, "-") == 0 && one_dimensional(&mesh)) {
    status = dls_fail(err, DLS_ERR_ARG, "mesh: %s over time and place is drawn in colours: give a file",
                      model->name);
  }
  dls_mesh_destroy(&mesh);
  return status;
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
static void write_shape(dls_mesh_motion *m, size_t row, size_t number, FILE *out)
{
  const dls_mesh *mesh = &m->mesh;
  dls_mesh_places(mesh, dls_mesh_motion_row(m, row) + m->q, m->points);
  fprintf(out, "$mesh%zu << EOD\n", number);
  for (size_t c = 0; c < mesh->cells; c++) {
    for (size_t k = 0; k < mesh->corners + (mesh->corners > 2 ? 1 : 0); k++) {
      const double *at = m->points + 2 * mesh->cell[c * mesh->corners + k % mesh->corners];
      fprintf(out, "%.9g %.9g\n", at[0], at[1]);
    }
    fputs("\n", out);
  }
  fputs("EOD\n", out);
}

/* Arrows of the impulses of a row, the longest of length `length`; a line of zeros where there are none. @return the largest [N s] */
static double write_arrows(dls_mesh_motion *m, size_t row, double length, FILE *out)
{
  double *push = malloc(2 * m->mesh.points * sizeof *push), most = 0;
  if (push == NULL) {
    return NAN;
  }
  dls_mesh_motion_push(m, row, m->p);
  memcpy(push, m->points, 2 * m->mesh.points * sizeof *push);
  for (size_t i = 0; i < m->mesh.points; i++) {
    most = fmax(most, hypot(push[2 * i], push[2 * i + 1]));
  }
  dls_mesh_places(&m->mesh, dls_mesh_motion_row(m, row) + m->q, m->points);
  for (size_t i = 0; i < m->mesh.points && most > 0; i++) {
    if (push[2 * i] != 0 || push[2 * i + 1] != 0) { /* they end at the body, which they push */
      const double dx = length * push[2 * i] / most, dy = length * push[2 * i + 1] / most;
      fprintf(out, "%.9g %.9g %.9g %.9g\n", m->points[2 * i] - dx, m->points[2 * i + 1] - dy, dx, dy);
    }
  }
  free(push);
  return most;
}

/* Shade k of `count`, from light to dark: they can be told apart in grey. */
static void write_shade(size_t k, size_t count, FILE *out)
{
  const double light = count > 1 ? 1 - (double)k / (double)(count - 1) : 0;
  fprintf(out, "'#%02x%02x%02x'", (unsigned)(8 + 182 * light), (unsigned)(48 + 167 * light),
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

/* Two columns; one where it is narrow, so that the longest line fits. */
static int key_rows(const instants *s, const dls_canvas *canvas)
{
  const int columns = canvas->narrow ? 1 : KEY_COLUMNS;
  return ((int)s->count + (s->strongest > 0) + columns - 1) / columns;
}

static int key_height(const instants *s, const dls_canvas *canvas)
{
  return DLS_KEY_LINE_HEIGHT * (key_rows(s, canvas) + 1);
}

static int head_height(const dls_canvas *canvas)
{
  return dls_canvas_titled(canvas) ? HEAD_HEIGHT : HEAD_HEIGHT / 4;
}

/* Pixels: lengths have one scale on both axes, and the picture is as high as the motion is for its width. */
static int shapes_height(dls_mesh_motion *m, const instants *s, const dls_canvas *canvas)
{
  double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
  for (size_t k = 0; k < s->count; k++) {
    dls_mesh_places(&m->mesh, dls_mesh_motion_row(m, s->row[k]) + m->q, m->points);
    for (size_t i = 0; i < 2 * m->mesh.points; i++) {
      low[i % 2] = fmin(low[i % 2], m->points[i]);
      high[i % 2] = fmax(high[i % 2], m->points[i]);
    }
  }
  const double shrink = (double)dls_canvas_width(canvas, WIDTH) / WIDTH;
  const double panel = shrink * panel_width * (high[1] - low[1]) / (high[0] - low[0]);
  const double drawn = fmax(shrink * LEAST_PANEL, fmin(panel, MOST_PANEL));
  return head_height(canvas) + (int)drawn + AXIS_HEIGHT + key_height(s, canvas);
}

/* Below; of characters beside, where there is room. @param[in] height  of the picture, pixels */
static void put_key(const instants *s, const dls_canvas *canvas, bool text, double height, FILE *out)
{
  if (text) {
    fputs("set key outside right top Left reverse\n", out);
  } else {
    fprintf(out,
            "set bmargin at screen %.4f\nset key at screen %s,%.4f left top Left reverse vertical maxrows %d\n",
            (key_height(s, canvas) + AXIS_HEIGHT) / height, canvas->narrow ? "0" : "0.08",
            key_height(s, canvas) / height, key_rows(s, canvas));
  }
}

static dls_status draw_shapes(dls_mesh_motion *m, const instants *s, const dls_canvas *canvas,
                              dls_gnuplot *plot, double height, dls_error *err)
{
  FILE *out = dls_gnuplot_script(plot);
  double largest = 0;
  for (size_t k = 0; k < s->count; k++) {
    write_shape(m, s->row[k], k, out);
  }
  if (s->strongest > 0) {
    fputs("$push << EOD\n", out);
    largest = write_arrows(m, s->strongest, 0.2 * reach_of(m), out);
    fputs("EOD\n", out);
  }
  if (isnan(largest)) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for %zu arrows", m->mesh.points);
  }
  fputs("set size ratio -1\nset xlabel 'x [m]'\nset ylabel 'y [m]'\nset grid\n"
        "set offsets graph 0.04,graph 0.04,graph 0.04,graph 0.04\n",
        out);
  put_key(s, canvas, dls_gnuplot_is_text(plot), height, out);
  fputs("plot ", out);
  for (size_t k = 0; k < s->count; k++) {
    fprintf(out, "%s$mesh%zu using 1:2 with linespoints pt 7 ps %g lw %g lc rgb ", k > 0 ? ", \\\n  " : "", k,
            m->mesh.points <= 40 ? 0.5 : 0.0, m->mesh.corners > 2 ? 1 : 2.5);
    write_shade(k, s->count, out);
    fprintf(out, " title 't = %.4g s'", dls_mesh_motion_row(m, s->row[k])[0]);
  }
  if (largest > 0) {
    fprintf(out,
            ", \\\n  $push using 1:2:3:4 with vectors head filled lw 2.5 lc rgb '%s' title 'impulse at %.4g s, "
            "at most %.3g N s'",
            dls_gnuplot_colour(1), dls_mesh_motion_row(m, s->strongest)[0], largest);
  }
  fputs("\n", out);
  return DLS_OK;
}

/* The first value of the cells over time and place, in shades whose lightness rises. */
static void draw_over_time(dls_mesh_motion *m, const dls_canvas *canvas, FILE *out)
{
  const dls_mesh *mesh = &m->mesh;
  const double begin = dls_mesh_motion_row(m, 0)[0], end = dls_mesh_motion_row(m, m->traj->rows - 1)[0];
  const size_t shrink = dls_canvas_is_tex(canvas) ? TEX_SHRINK : 1, times = TIMES / shrink;
  const size_t places = mesh->cells < PLACES / shrink ? mesh->cells : PLACES / shrink;
  fputs("$values << EOD\n", out);
  for (size_t k = 0, row = 0; k < times; k++) {
    const double t = begin + (end - begin) * ((double)k + 0.5) / (double)times;
    row = row_at(m, t, row);
    dls_mesh_motion_values(m, row);
    for (size_t i = 0; i < places; i++) {
      const size_t cell = (2 * i + 1) * mesh->cells / (2 * places), a = 2 * mesh->cell[cell * mesh->corners],
                   b = 2 * mesh->cell[cell * mesh->corners + 1];
      const double at = 0.5 * (mesh->rest[a] + mesh->rest[a + 1] + mesh->rest[b] + mesh->rest[b + 1]);
      fprintf(out, "%.9g %.9g %.9g\n", t, at, m->values[cell * mesh->values]);
    }
  }
  fprintf(out, "EOD\nset xlabel 't [s]'\nset ylabel 'X [m]'\nset cblabel '%s'\nset xrange [%.9g:%.9g]\n",
          mesh->names[0], begin, end);
  fputs("set palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\nset yrange [*:*] noextend\n"
        "plot $values using 1:2:3 with image notitle\n",
        out);
}

dls_status dls_plot_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const char *path, dls_error *err)
{
  const dls_canvas canvas = dls_canvas_file(path, DLS_PLOT_SCREEN);
  return dls_draw_mesh(model, sys, traj, &canvas, err);
}

dls_status dls_draw_mesh(const dls_model *model, const dls_system *sys, const dls_trajectory *traj,
                         const dls_canvas *canvas, dls_error *err)
{
  dls_gnuplot *plot = NULL;
  dls_mesh_motion m = {0};
  dls_status status = dls_plot_mesh_check(model, sys, canvas->path, NULL, err);
  status = status != DLS_OK ? status : dls_mesh_motion_create(model, sys, traj, &m, err);
  const bool lines = status == DLS_OK && !(one_dimensional(&m.mesh) && m.mesh.values > 0);
  const instants s = lines ? choose(&m) : (instants){0};
  const int height = lines            ? shapes_height(&m, &s, canvas)
                     : canvas->narrow ? NARROW_HEIGHT_OVER_TIME
                                      : HEIGHT_OVER_TIME;
  status = status != DLS_OK ? status : dls_gnuplot_begin(canvas, WIDTH, height, &plot, err);
  if (status != DLS_OK) {
    dls_mesh_motion_destroy(&m);
    return status;
  }
  FILE *out = dls_gnuplot_script(plot);
  if (dls_canvas_titled(canvas)) {
    fputs("set title ", out);
    dls_gnuplot_quote(out, model->name);
    fputs("\n", out);
  }
  if (lines) {
    status = draw_shapes(&m, &s, canvas, plot, height, err);
  } else {
    draw_over_time(&m, canvas, out);
  }
  dls_mesh_motion_destroy(&m);
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  return dls_gnuplot_finish(plot, err);
}
