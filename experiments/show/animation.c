/* experiments/show/animation.c -- a trajectory as frames of a picture.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/animation.h"
#include "common/base/memory.h"
#include "common/base/text.h"
#include "experiments/show/plot_curve.h"
#include <delassus/graph.h>
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The picture fits a phone, so that one drawing serves every screen. */
static const double letter = 6.8; /* pixels, mean width in the title */
enum { WIDTH = 366, MARGIN = 14, HEAD = 30, FOOT = 78, MOST_HEIGHT = 460, LEAST_HEIGHT = 120 };
static const double arrow_length = 70; /* pixels, of the largest impulse and the largest force */

/* Range of the playing time [s]: real time if it is within, else faster or slower. */
static const double least_seconds = 5, most_seconds = 10;

/* Fraction of the largest impulse. Smaller ones belong to the contact force: micro-bounces of a body at rest. */
static const double small_pulse = 0.05;
/* Fraction of the duration. Events and rows closer than this are at the same time. */
static const double same_time = 1e-9;

typedef struct maker {
  const dls_model *model;
  const double *p;
  const dls_trajectory *traj;
  size_t n, m;       /* columns q0.. and p0.. */
  int first_impulse; /* column p0 */
  dls_animation *a;
  double *q; /* keys x n */
  dls_sketch *sketch;
  bool *impact;         /* rows: some contact has an impact there; then p of all contacts are impulses */
  double largest_pulse; /* largest impulse of all contacts [N s] */
} maker;

void dls_animation_destroy(dls_animation *a)
{
  if (a != NULL) {
    free(a->t);
    free(a->is_frame);
    free(a->shapes);
    free(a->pushes);
    free(a->flashes);
    free(a);
  }
}

static double impulse_at(const maker *m, size_t row, size_t contact)
{
  return dls_trajectory_at(m->traj, row, (size_t)m->first_impulse + contact);
}

/* Mark the rows with impacts, and find the largest impulse there. */
static dls_status find_impacts(maker *m, dls_error *err)
{
  const dls_trajectory *traj = m->traj;
  const double near = same_time * (m->a->end - m->a->start);
  m->impact = calloc(traj->rows, sizeof *m->impact);
  if (m->impact == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  for (size_t i = 0, row = 0; i < traj->event_count; i++) {
    const dls_event *event = &traj->events[i];
    if (event->kind != DLS_IMPACT && event->kind != DLS_ACCUMULATION) {
      continue;
    }
    while (row < traj->rows && dls_trajectory_at(traj, row, 0) < event->t - near) {
      row++;
    }
    for (size_t at = row; at < traj->rows && dls_trajectory_at(traj, at, 0) <= event->t + near; at++) {
      m->impact[at] = true;
      for (size_t contact = 0; contact < m->m; contact++) {
        m->largest_pulse = fmax(m->largest_pulse, impulse_at(m, at, contact));
      }
    }
  }
  return DLS_OK;
}

/* Whether the impulse of a contact at a row is drawn as an impulse. */
static bool is_pulse(const maker *m, size_t row, size_t contact)
{
  return m->impact[row] && impulse_at(m, row, contact) > small_pulse * m->largest_pulse;
}

static bool any_pulse(const maker *m, size_t row)
{
  bool any = false;
  for (size_t contact = 0; contact < m->m && m->impact[row] && !any; contact++) {
    any = is_pulse(m, row, contact);
  }
  return any;
}

/* Frames at equal intervals, and impacts between them unless they nearly coincide with the previous key. */
static dls_status choose_keys(maker *m, dls_error *err)
{
  dls_animation *a = m->a;
  const double spacing = (a->end - a->start) / (double)(a->frames - 1);
  const size_t most = 4 * a->frames;
  a->t = calloc(most, sizeof *a->t);
  a->is_frame = calloc(most, sizeof *a->is_frame);
  if (a->t == NULL || a->is_frame == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  size_t next = 0;
  for (size_t frame = 0; frame < a->frames; frame++) {
    const double t = frame + 1 == a->frames ? a->end : a->start + (double)frame * spacing;
    for (; next < m->traj->rows && dls_trajectory_at(m->traj, next, 0) <= t; next++) {
      const double at = dls_trajectory_at(m->traj, next, 0);
      const double before = a->keys > 0 ? a->t[a->keys - 1] : -HUGE_VAL;
      if (any_pulse(m, next) && at - before > 0.3 * spacing && t - at > 1e-3 * spacing && at > a->start) {
        a->t[a->keys++] = at;
      }
    }
    a->is_frame[a->keys] = true;
    a->t[a->keys++] = t;
  }
  return DLS_OK;
}

/* Column `name` at the times of all keys: every `stride`-th number of out. */
static dls_status sample(const maker *m, const char *name, size_t count, const double *t, double *out,
                         size_t stride, dls_error *err)
{
  const int column = dls_trajectory_column(m->traj, name);
  const size_t columns[] = {(size_t)column};
  dls_graph *graph = NULL;
  if (column < 0) {
    return dls_fail(err, DLS_ERR_ARG, "animation: the trajectory has no column %s", name);
  }
  const dls_status status = dls_graph_of(m->traj, 1, columns, &graph, err);
  for (size_t i = 0; i < count && status == DLS_OK; i++) {
    dls_graph_value(graph, t[i], 1, &out[i * stride]);
  }
  dls_graph_destroy(graph);
  return status;
}

static dls_status sample_positions(maker *m, dls_error *err)
{
  const size_t n = m->n;
  dls_status status = DLS_OK;
  m->q = calloc(dls_size_product(m->a->keys, n), sizeof *m->q);
  if (m->q == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  for (size_t i = 0; i < n && status == DLS_OK; i++) {
    char name[40];
    snprintf(name, sizeof name, "q%zu", i);
    status = sample(m, name, m->a->keys, m->a->t, &m->q[i], n, err);
  }
  m->sketch->reach = 0;
  for (size_t i = 0; i < m->a->keys * n; i++) {
    m->sketch->reach = fmax(m->sketch->reach, fabs(m->q[i]));
  }
  m->sketch->reach = m->sketch->reach > 0 ? m->sketch->reach : 1;
  return status;
}

static void draw_key(maker *m, size_t key)
{
  dls_sketch *s = m->sketch;
  s->shape_count = s->touch_count = 0;
  m->model->sketch(m->p, m->q + key * m->n, s);
}

/* Shapes of every key, and pushes with their places and directions, all in m. */
static dls_status draw_keys(maker *m, dls_error *err)
{
  dls_animation *a = m->a;
  draw_key(m, 0);
  a->shape_count = m->sketch->shape_count;
  a->touch_count = m->sketch->touch_count < m->m ? m->sketch->touch_count : m->m;
  a->shapes = calloc(dls_size_sum(dls_size_product(a->keys, a->shape_count), 1), sizeof *a->shapes);
  a->pushes = calloc(dls_size_sum(dls_size_product(a->frames, a->touch_count), 1), sizeof *a->pushes);
  if (a->shapes == NULL || a->pushes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  for (size_t key = 0, frame = 0; key < a->keys; key++) {
    draw_key(m, key);
    memcpy(a->shapes + key * a->shape_count, m->sketch->shapes, a->shape_count * sizeof *a->shapes);
    for (size_t i = 0; i < a->touch_count && a->is_frame[key]; i++) {
      const dls_touch_point *touch = &m->sketch->touches[i];
      a->pushes[frame * a->touch_count + i] = (dls_push){touch->x, touch->y, touch->dx, touch->dy};
    }
    frame += a->is_frame[key];
  }
  return DLS_OK;
}

/* Whether the step that ends at the time of a row ends in an impact, which tells nothing about the force. */
static bool ends_in_pulse(const maker *m, size_t row, size_t contact)
{
  const bool jumps =
      row + 1 < m->traj->rows && dls_trajectory_at(m->traj, row + 1, 0) == dls_trajectory_at(m->traj, row, 0);
  return is_pulse(m, row, contact) || (jumps && is_pulse(m, row + 1, contact));
}

/* Mean force from the impulses that are not impacts, for schemes without a smooth contact force: over the steps that
 * end
 * within a few frames, since steps and frames do not go together. force[frames], duration[frames] of these steps */
static void mean_impulses(const maker *m, size_t contact, double *force, double *duration)
{
  enum { FRAMES_AROUND = 2 };
  const dls_animation *a = m->a;
  const double spacing = (a->end - a->start) / (double)(a->frames - 1);
  for (size_t row = 1; row < m->traj->rows; row++) {
    const double t = dls_trajectory_at(m->traj, row, 0);
    const long frame = lround((t - a->start) / spacing);
    if (ends_in_pulse(m, row, contact)) {
      continue;
    }
    for (long i = frame - FRAMES_AROUND; i <= frame + FRAMES_AROUND; i++) {
      if (i >= 0 && i < (long)a->frames) {
        force[i] += fmax(0, impulse_at(m, row, contact));
        duration[i] += t - dls_trajectory_at(m->traj, row - 1, 0);
      }
    }
  }
  for (size_t i = 0; i < a->frames; i++) {
    force[i] = duration[i] > 0 ? force[i] / duration[i] : 0;
  }
}

/* Smooth contact force at every frame. force[frames] */
static dls_status contact_force(const maker *m, size_t contact, double *force, dls_error *err)
{
  const dls_animation *a = m->a;
  char name[40];
  snprintf(name, sizeof name, "lambda%zu", contact);
  double *times = calloc(2 * a->frames, sizeof *times);
  if (times == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  for (size_t key = 0, frame = 0; key < a->keys; key++) {
    times[frame] = a->t[key];
    frame += a->is_frame[key];
  }
  const dls_status status = sample(m, name, a->frames, times, force, 1, err);
  bool smooth = false;
  for (size_t frame = 0; frame < a->frames && status == DLS_OK; frame++) {
    smooth = smooth || force[frame] != 0;
  }
  if (status == DLS_OK && !smooth) {
    mean_impulses(m, contact, force, times + a->frames);
  }
  free(times);
  return status;
}

/* Directions of the forces as arrows; their lengths are in N until they are scaled. */
static dls_status draw_forces(maker *m, dls_error *err)
{
  dls_animation *a = m->a;
  double *force = calloc(a->frames, sizeof *force);
  dls_status status = force != NULL ? DLS_OK : dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  for (size_t i = 0; i < a->touch_count && status == DLS_OK; i++) {
    status = contact_force(m, i, force, err);
    for (size_t frame = 0; frame < a->frames && status == DLS_OK; frame++) {
      dls_push *push = &a->pushes[frame * a->touch_count + i];
      const double size = fmax(0, force[frame]);
      push->dx *= size;
      push->dy *= size;
      a->largest_force = fmax(a->largest_force, size);
    }
  }
  free(force);
  return status;
}

/* The last flash of a contact, if it is less than a quarter of a frame before t; else NULL. */
static dls_flash *flash_before(const dls_animation *a, size_t contact, double t)
{
  const double near = 0.25 * (a->end - a->start) / (double)(a->frames - 1);
  for (size_t i = a->flash_count; i > 0 && t - a->flashes[i - 1].t < near; i--) {
    if (a->flashes[i - 1].contact == contact) {
      return &a->flashes[i - 1];
    }
  }
  return NULL;
}

/* Of impulses of a contact in close succession only the strongest is shown, at the time of the first. */
static void add_flash(dls_animation *a, const dls_flash *flash)
{
  dls_flash *before = flash_before(a, flash->contact, flash->t);
  if (before == NULL) {
    a->flashes[a->flash_count++] = *flash;
  } else if (hypot(flash->dx, flash->dy) > hypot(before->dx, before->dy)) {
    const double t = before->t;
    *before = *flash;
    before->t = t;
  }
}

/* An arrow for each impulse, lengths in N s until they are scaled. A quarter of a frame apart, they are at most four
 * a frame and
 * contact. */
static dls_status draw_flashes(maker *m, dls_error *err)
{
  dls_animation *a = m->a;
  a->flashes = calloc(dls_size_sum(dls_size_product(4 * a->frames + 1, a->touch_count), 1), sizeof *a->flashes);
  if (a->flashes == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation");
  }
  for (size_t row = 0, key = 0; row < m->traj->rows; row++) {
    const double t = dls_trajectory_at(m->traj, row, 0);
    while (key + 1 < a->keys && fabs(a->t[key + 1] - t) <= fabs(a->t[key] - t)) {
      key++; /* nearest key: impacts are keys, or close to one */
    }
    if (any_pulse(m, row)) {
      draw_key(m, key);
    }
    for (size_t i = 0; i < a->touch_count; i++) {
      if (is_pulse(m, row, i)) {
        const dls_touch_point *touch = &m->sketch->touches[i];
        const double size = impulse_at(m, row, i);
        add_flash(a, &(dls_flash){i, t, touch->x, touch->y, touch->dx * size, touch->dy * size});
      }
    }
  }
  a->largest_pulse = a->flash_count > 0 ? m->largest_pulse : 0;
  return DLS_OK;
}

/* Bounding box of all shapes [m]. */
typedef struct box {
  double x[2], y[2];
} box;

static void include(box *b, double x, double y, double margin)
{
  b->x[0] = fmin(b->x[0], x - margin);
  b->x[1] = fmax(b->x[1], x + margin);
  b->y[0] = fmin(b->y[0], y - margin);
  b->y[1] = fmax(b->y[1], y + margin);
}

static box box_of(const dls_animation *a)
{
  box b = {{HUGE_VAL, -HUGE_VAL}, {HUGE_VAL, -HUGE_VAL}};
  for (size_t i = 0; i < a->keys * a->shape_count; i++) {
    for (int end = 0; end < 2; end++) {
      include(&b, a->shapes[i].x[end], a->shapes[i].y[end], a->shapes[i].radius);
    }
  }
  return b;
}

/* From m to pixels: x' = x0 + s x, y' = y0 - s y. */
typedef struct scaling {
  double x0, y0, s;
} scaling;

/* At least as wide as the title. */
static scaling fit(dls_animation *a)
{
  const box b = box_of(a);
  const double wide = fmax(b.x[1] - b.x[0], DBL_MIN), high = fmax(b.y[1] - b.y[0], 0);
  const double room_x = WIDTH - 2 * MARGIN, room_y = MOST_HEIGHT - HEAD - FOOT - 2 * MARGIN;
  scaling to = {.s = fmin(room_x / wide, high > 0 ? room_y / high : HUGE_VAL)};
  const double inner = fmax(to.s * high, LEAST_HEIGHT);
  a->width = fmax(WIDTH, ceil(letter * (double)strlen(a->title)) + 2 * MARGIN);
  a->height = ceil(HEAD + FOOT + 2 * MARGIN + inner);
  a->ground = a->height - FOOT;
  to.x0 = a->width / 2 - to.s * (b.x[0] + b.x[1]) / 2;
  to.y0 = HEAD + MARGIN + inner / 2 + to.s * (b.y[0] + b.y[1]) / 2;
  return to;
}

static void scale(dls_animation *a)
{
  const scaling to = fit(a);
  for (size_t i = 0; i < a->keys * a->shape_count; i++) {
    dls_shape *shape = &a->shapes[i];
    for (int end = 0; end < 2; end++) {
      shape->x[end] = to.x0 + to.s * shape->x[end];
      shape->y[end] = to.y0 - to.s * shape->y[end];
    }
    shape->radius *= to.s;
  }
  const double force = a->largest_force > 0 ? arrow_length / a->largest_force : 0;
  for (size_t i = 0; i < a->frames * a->touch_count; i++) {
    dls_push *push = &a->pushes[i];
    *push = (dls_push){to.x0 + to.s * push->x, to.y0 - to.s * push->y, force * push->dx, -force * push->dy};
  }
  const double pulse = a->largest_pulse > 0 ? arrow_length / a->largest_pulse : 0;
  for (size_t i = 0; i < a->flash_count; i++) {
    dls_flash *flash = &a->flashes[i];
    flash->x = to.x0 + to.s * flash->x;
    flash->y = to.y0 - to.s * flash->y;
    flash->dx *= pulse;
    flash->dy *= -pulse;
  }
}

static void set_title(maker *m)
{
  const char *scheme = dls_plot_meta(m->traj, "scheme");
  const char *step = dls_plot_meta(m->traj, "step");
  snprintf(m->a->title, sizeof m->a->title, "%.40s", m->model->name);
  if (scheme != NULL) {
    dls_text_append(m->a->title, sizeof m->a->title, ", %.40s", scheme);
  }
  if (step != NULL) {
    dls_text_append(m->a->title, sizeof m->a->title, ", h = %.20s s", step);
  }
}

static size_t count_columns(const dls_trajectory *traj, const char *prefix)
{
  char name[40];
  size_t count = 0;
  do {
    snprintf(name, sizeof name, "%s%zu", prefix, count++);
  } while (dls_trajectory_column(traj, name) >= 0);
  return count - 1;
}

static dls_status set_times(maker *m, dls_error *err)
{
  dls_animation *a = m->a;
  const dls_trajectory *traj = m->traj;
  a->start = traj->rows > 0 ? dls_trajectory_at(traj, 0, 0) : 0;
  a->end = traj->rows > 0 ? dls_trajectory_at(traj, traj->rows - 1, 0) : 0;
  if (traj->rows < 2 || !(a->end > a->start)) {
    return dls_fail(err, DLS_ERR_ARG, "animation: the trajectory has %zu rows from t = %g to %g s: no motion",
                    traj->rows, a->start, a->end);
  }
  a->seconds = fmin(fmax(a->end - a->start, least_seconds), most_seconds);
  return DLS_OK;
}

static dls_status make(maker *m, dls_error *err)
{
  static dls_status (*const steps[])(maker * m, dls_error * err) = {
      set_times, find_impacts, choose_keys, sample_positions, draw_keys, draw_forces, draw_flashes};
  dls_status status = DLS_OK;
  set_title(m);
  m->n = count_columns(m->traj, "q");
  m->m = count_columns(m->traj, "p");
  m->first_impulse = dls_trajectory_column(m->traj, "p0");
  for (size_t i = 0; i < sizeof steps / sizeof steps[0] && status == DLS_OK; i++) {
    status = steps[i](m, err);
  }
  if (status == DLS_OK) {
    scale(m->a);
  }
  return status;
}

dls_status dls_animation_make(const dls_model *model, const double *p, const dls_trajectory *traj,
                              size_t frames, dls_animation **out, dls_error *err)
{
  maker m = {
      .model = model, .p = p, .traj = traj, .a = calloc(1, sizeof *m.a), .sketch = calloc(1, sizeof *m.sketch)};
  dls_system *system = NULL;
  dls_status status = m.a != NULL && m.sketch != NULL
                          ? dls_model_create(model, p, &system, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation of %s", model->name);
  if (status == DLS_OK) {
    m.sketch->system = system;
    m.a->frames = frames;
    status = make(&m, err);
  }
  free(m.q);
  free(m.impact);
  free(m.sketch);
  dls_system_destroy(system);
  if (status != DLS_OK) {
    dls_animation_destroy(m.a);
    m.a = NULL;
  }
  *out = m.a;
  return status;
}

void dls_spring_points(const dls_shape *spring, double *x, double *y)
{
  const double half_width = 7; /* pixels */
  const double dx = spring->x[1] - spring->x[0], dy = spring->y[1] - spring->y[0];
  const double length = hypot(dx, dy);
  for (int i = 0; i < DLS_SPRING_POINTS; i++) { /* straight at both ends */
    const int last = DLS_SPRING_POINTS - 1;
    const double along = i <= 1          ? 0.1 * i
                         : i >= last - 1 ? 1 - 0.1 * (last - i)
                                         : 0.1 + 0.8 * (i - 1.5) / (last - 3);
    const double side = i <= 1 || i >= last - 1 || !(length > 0) ? 0 : (i % 2 == 0 ? half_width : -half_width);
    x[i] = spring->x[0] + along * dx - (length > 0 ? side * dy / length : 0);
    y[i] = spring->y[0] + along * dy + (length > 0 ? side * dx / length : 0);
  }
}

void dls_animation_speed(const dls_animation *animation, char *text, size_t size)
{
  const double factor = (animation->end - animation->start) / animation->seconds;
  if (fabs(factor - 1) < 1e-9) {
    snprintf(text, size, "real time");
  } else {
    snprintf(text, size, "%.2g × real time", factor);
  }
}
