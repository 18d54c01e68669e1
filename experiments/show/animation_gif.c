/* experiments/show/animation_gif.c -- an animation as GIF: every frame drawn by gnuplot in pixels.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/animation.h"
#include "experiments/show/gnuplot.h"
#include <math.h>

/* gnuplot's data blocks are numbered over all frames. */
typedef struct pen {
  FILE *out;
  const dls_animation *a;
  size_t object, arrow;
} pen;

static void put_line(pen *p, double x0, double y0, double x1, double y1, const char *colour, double width)
{
  fprintf(p->out, "set arrow %zu from %.1f,%.1f to %.1f,%.1f nohead linecolor rgb '%s' linewidth %g\n",
          ++p->arrow, x0, y0, x1, y1, colour, width);
}

static void put_arrow(pen *p, double x, double y, double dx, double dy, const char *colour)
{
  if (hypot(dx, dy) >= 1) {
    fprintf(
        p->out,
        "set arrow %zu from %.1f,%.1f to %.1f,%.1f front filled size first %.1f,20 fixed linecolor rgb '%s' "
        "linewidth 3\n",
        ++p->arrow, x, y, x + dx, y + dy, fmin(9, 0.6 * hypot(dx, dy)), colour);
  }
}

static void put_wall(pen *p, const dls_shape *s)
{
  const double spacing = 9, depth = 8; /* pixels */
  const double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0], length = hypot(dx, dy);
  put_line(p, s->x[0], s->y[0], s->x[1], s->y[1], "#333333", 2);
  for (double at = spacing / 2; at < length; at += spacing) {
    const double x = s->x[0] + at * dx / length, y = s->y[0] + at * dy / length;
    put_line(p, x, y, x + depth * (-dy - 0.7 * dx) / length, y + depth * (dx - 0.7 * dy) / length, "#777777",
             1);
  }
}

static void put_spring(pen *p, const dls_shape *shape)
{
  double x[DLS_SPRING_POINTS], y[DLS_SPRING_POINTS];
  dls_spring_points(shape, x, y);
  for (int i = 1; i < DLS_SPRING_POINTS; i++) {
    put_line(p, x[i - 1], y[i - 1], x[i], y[i], "#555555", 1.5);
  }
}

static void put_shape(pen *p, const dls_shape *s)
{
  switch (s->kind) {
  case DLS_SHAPE_BALL:
    fprintf(p->out,
            "set object %zu circle at %.1f,%.1f size first %.1f fillcolor rgb '#9DC3E2' fillstyle solid border "
            "rgb '#1F4E79' linewidth 1.5\n",
            ++p->object, s->x[0], s->y[0], s->radius);
    break;
  case DLS_SHAPE_LINE:
    put_line(p, s->x[0], s->y[0], s->x[1], s->y[1], "#1F4E79", 1.8);
    break;
  case DLS_SHAPE_SPRING:
    put_spring(p, s);
    break;
  case DLS_SHAPE_WALL:
    put_wall(p, s);
    break;
  }
}

/* Colour of a fading impulse, mixed with the white background. */
static void put_flashes(pen *p, double t)
{
  const dls_animation *a = p->a;
  const double fading = DLS_FLASH_SECONDS * (a->end - a->start) / a->seconds;
  for (size_t i = 0; i < a->flash_count; i++) {
    const dls_flash *flash = &a->flashes[i];
    const double left = 1 - (t - flash->t) / fading;
    if (flash->t <= t && left > 0) {
      char colour[20];
      snprintf(colour, sizeof colour, "#%02X%02X%02X", (unsigned)(255 - left * (255 - 0xD5)),
               (unsigned)(255 - left * (255 - 0x5E)), (unsigned)(255 - left * 255));
      put_arrow(p, flash->x, flash->y, flash->dx, flash->dy, colour);
    }
  }
}

static void put_frame(pen *p, size_t key, size_t frame)
{
  const dls_animation *a = p->a;
  fputs("unset object\nunset arrow\n", p->out);
  p->object = p->arrow = 0;
  for (size_t i = 0; i < a->shape_count; i++) {
    put_shape(p, &a->shapes[key * a->shape_count + i]);
  }
  for (size_t i = 0; i < a->touch_count; i++) {
    const dls_push *push = &a->pushes[frame * a->touch_count + i];
    put_arrow(p, push->x, push->y, push->dx, push->dy, "#009E73");
  }
  put_flashes(p, a->t[key]);
  const double y = a->ground;
  if (a->largest_pulse > 0) {
    put_arrow(p, 14, y + 36, 70, 0, "#D55E00");
  }
  if (a->largest_force > 0) {
    put_arrow(p, 14, y + (a->largest_pulse > 0 ? 56 : 36), 70, 0, "#009E73");
  }
  fprintf(p->out, "set label 1 't = %.*f s' at 14,%g left\nplot NaN notitle\n",
          (int)fmin(6, fmax(1, ceil(1.3 - log10((a->end - a->start) / 10)))), a->t[key], y + 14);
}

static void put_legend(const pen *p)
{
  const dls_animation *a = p->a;
  char speed[60];
  dls_animation_speed(a, speed, sizeof speed);
  fputs("unset border\nunset tics\nunset grid\nset lmargin 0\nset rmargin 0\nset tmargin 0\nset bmargin "
        "0\nunset key\n",
        p->out);
  fprintf(p->out, "set xrange [0:%g]\nset yrange [%g:0]\nset label 2 ", a->width, a->height);
  dls_gnuplot_quote(p->out, a->title);
  fprintf(p->out, " at %g,16 center noenhanced\nset label 3 '%s' at %g,%g right\n", a->width / 2, speed,
          a->width - 14, a->ground + 14);
  if (a->largest_pulse > 0) {
    fprintf(p->out, "set label 4 'impulse %.3g N s' at 92,%g left\n", a->largest_pulse, a->ground + 36);
  }
  if (a->largest_force > 0) {
    fprintf(p->out, "set label 5 'contact force %.3g N' at 92,%g left\n", a->largest_force,
            a->ground + (a->largest_pulse > 0 ? 56 : 36));
  }
}

dls_status dls_animation_write_gif(const dls_animation *a, FILE *out, dls_error *err)
{
  dls_gnuplot *plot = NULL;
  const int delay = (int)round(100 * a->seconds / (double)(a->frames - 1)); /* hundredths of a second */
  const dls_canvas canvas = {.stream = out, .delay = delay > 2 ? delay : 2};
  const dls_status status = dls_gnuplot_begin(&canvas, (int)a->width, (int)a->height, &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  pen p = {.out = dls_gnuplot_script(plot), .a = a};
  put_legend(&p);
  for (size_t key = 0, frame = 0; key < a->keys; key++) {
    if (a->is_frame[key]) {
      put_frame(&p, key, frame++);
    }
  }
  return dls_gnuplot_finish(plot, err);
}
