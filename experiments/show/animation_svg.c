/* experiments/show/animation_svg.c -- an animation as one SVG file, animated by SMIL without scripts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/animation.h"
#include "experiments/show/report_svg.h"
#include <math.h>
#include <string.h>

static const char pulse_colour[] = "#D55E00", force_colour[] = "#009E73"; /* Okabe and Ito */
enum { CLOCK_STEP = 20 }; /* pixels between two times in the strip of the clock */

static double whole_seconds(const dls_animation *a)
{
  return a->seconds + DLS_PAUSE_SECONDS;
}

/* Fraction of one repetition at which time t is shown. */
static double part_of(const dls_animation *a, double t)
{
  return (t - a->start) / (a->end - a->start) * a->seconds / whole_seconds(a);
}

/* A number with at most two decimals: a hundredth of a pixel. */
static void put_number(FILE *out, double x)
{
  char text[40];
  snprintf(text, sizeof text, "%.2f", x);
  char *end = text + strlen(text);
  while (end[-1] == '0') {
    end--;
  }
  end -= end[-1] == '.';
  *end = '\0';
  fputs(strcmp(text, "-0") == 0 ? "0" : text, out);
}

static void begin_animation(const dls_animation *a, FILE *out, const char *element, const char *attribute,
                            const char *mode)
{
  fprintf(out, "<%s attributeName=\"%s\" dur=\"%gs\" repeatCount=\"indefinite\" calcMode=\"%s\" keyTimes=\"",
          element, attribute, whole_seconds(a), mode);
}

/* keyTimes of all keys and the end of the pause. */
static void put_key_times(const dls_animation *a, FILE *out, bool frames_only)
{
  for (size_t i = 0; i < a->keys; i++) {
    if (!frames_only || a->is_frame[i]) {
      fprintf(out, "%s%.5g", i > 0 ? ";" : "", part_of(a, a->t[i]));
    }
  }
  fputs(";1\" values=\"", out);
}

/* A number of a shape at a key. */
typedef double (*coordinate)(const dls_shape *shape);
static double x0_of(const dls_shape *s)
{
  return s->x[0];
}
static double y0_of(const dls_shape *s)
{
  return s->y[0];
}
static double x1_of(const dls_shape *s)
{
  return s->x[1];
}
static double y1_of(const dls_shape *s)
{
  return s->y[1];
}

static const dls_shape *shape_at(const dls_animation *a, size_t key, size_t i)
{
  return &a->shapes[key * a->shape_count + i];
}

/* Animate the attribute, unless it never changes by a hundredth of a pixel. */
static void animate(const dls_animation *a, FILE *out, size_t shape, const char *attribute, coordinate get)
{
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (size_t key = 0; key < a->keys; key++) {
    least = fmin(least, get(shape_at(a, key, shape)));
    most = fmax(most, get(shape_at(a, key, shape)));
  }
  if (most - least < 0.01) {
    return;
  }
  begin_animation(a, out, "animate", attribute, "linear");
  put_key_times(a, out, false);
  for (size_t key = 0; key < a->keys; key++) {
    put_number(out, get(shape_at(a, key, shape)));
    fputc(';', out);
  }
  put_number(out, get(shape_at(a, a->keys - 1, shape))); /* at rest */
  fputs("\"/>", out);
}

static void put_attribute(FILE *out, const char *name, double value)
{
  fprintf(out, " %s=\"", name);
  put_number(out, value);
  fputc('"', out);
}

static void put_ball(const dls_animation *a, FILE *out, size_t i)
{
  const dls_shape *shape = shape_at(a, 0, i);
  fputs("<circle", out);
  put_attribute(out, "cx", shape->x[0]);
  put_attribute(out, "cy", shape->y[0]);
  put_attribute(out, "r", shape->radius);
  fputs(" fill=\"#9DC3E2\" stroke=\"#1F4E79\" stroke-width=\"1.5\">", out);
  animate(a, out, i, "cx", x0_of);
  animate(a, out, i, "cy", y0_of);
  fputs("</circle>\n", out);
}

static void put_line(const dls_animation *a, FILE *out, size_t i)
{
  const dls_shape *shape = shape_at(a, 0, i);
  fputs("<line", out);
  put_attribute(out, "x1", shape->x[0]);
  put_attribute(out, "y1", shape->y[0]);
  put_attribute(out, "x2", shape->x[1]);
  put_attribute(out, "y2", shape->y[1]);
  fputs(" stroke=\"#1F4E79\" stroke-width=\"1.8\" stroke-linecap=\"round\">", out);
  animate(a, out, i, "x1", x0_of);
  animate(a, out, i, "y1", y0_of);
  animate(a, out, i, "x2", x1_of);
  animate(a, out, i, "y2", y1_of);
  fputs("</line>\n", out);
}

static void put_spring_points(const dls_animation *a, FILE *out, size_t key, size_t i)
{
  double x[DLS_SPRING_POINTS], y[DLS_SPRING_POINTS];
  dls_spring_points(shape_at(a, key, i), x, y);
  for (int j = 0; j < DLS_SPRING_POINTS; j++) {
    fprintf(out, "%s%.1f %.1f", j > 0 ? " " : "", x[j], y[j]);
  }
}

static void put_spring(const dls_animation *a, FILE *out, size_t i)
{
  fputs("<polyline points=\"", out);
  put_spring_points(a, out, 0, i);
  fputs("\" fill=\"none\" stroke=\"#555555\" stroke-width=\"1.5\" stroke-linejoin=\"round\">", out);
  begin_animation(a, out, "animate", "points", "linear");
  put_key_times(a, out, false);
  for (size_t key = 0; key < a->keys; key++) {
    put_spring_points(a, out, key, i);
    fputc(';', out);
  }
  put_spring_points(a, out, a->keys - 1, i);
  fputs("\"/></polyline>\n", out);
}

/* Surface and hatching of a fixed wall. The right-hand side of a line is (-dy, dx) with y downward. */
static void put_wall(const dls_animation *a, FILE *out, size_t i)
{
  const double spacing = 9, depth = 8; /* pixels */
  const dls_shape *s = shape_at(a, 0, i);
  const double dx = s->x[1] - s->x[0], dy = s->y[1] - s->y[0], length = hypot(dx, dy);
  fprintf(out,
          "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#333333\" stroke-width=\"2\" fill=\"none\"/>\n<path d=\"",
          s->x[0], s->y[0], s->x[1], s->y[1]);
  for (double at = spacing / 2; at < length; at += spacing) {
    const double x = s->x[0] + at * dx / length, y = s->y[0] + at * dy / length;
    fprintf(out, "M%.1f %.1fl%.1f %.1f", x, y, depth * (-dy - 0.7 * dx) / length,
            depth * (dx - 0.7 * dy) / length);
  }
  fputs("\" stroke=\"#777777\" stroke-width=\"1\" fill=\"none\"/>\n", out);
}

static void put_shapes(const dls_animation *a, FILE *out)
{
  for (size_t i = 0; i < a->shape_count; i++) {
    static void (*const put[])(const dls_animation *animation, FILE *stream,
                               size_t shape) = {[DLS_SHAPE_BALL] = put_ball,
                                                [DLS_SHAPE_LINE] = put_line,
                                                [DLS_SHAPE_SPRING] = put_spring,
                                                [DLS_SHAPE_WALL] = put_wall};
    put[shape_at(a, 0, i)->kind](a, out, i);
  }
}

/* An arrow from foot to tip as a path; a point if it is too short to be visible. */
static void put_arrow(FILE *out, double x, double y, double dx, double dy)
{
  const double length = hypot(dx, dy), least = 1; /* pixel */
  const double head = fmin(9, 0.6 * length), half = 0.45 * head, shaft = 1.4;
  if (!(length >= least)) {
    fputs("M0 0z", out);
    return;
  }
  const double ux = dx / length, uy = dy / length, neck = length - head;
  const double along[] = {0, neck, neck, length, neck, neck, 0};
  const double across[] = {shaft, shaft, half, 0, -half, -shaft, -shaft};
  for (int i = 0; i < 7; i++) {
    fprintf(out, "%s%.1f %.1f", i == 0 ? "M" : "L", x + along[i] * ux - across[i] * uy,
            y + along[i] * uy + across[i] * ux);
  }
  fputc('z', out);
}

static bool is_pushed(const dls_animation *a, size_t contact)
{
  for (size_t frame = 0; frame < a->frames; frame++) {
    const dls_push *push = &a->pushes[frame * a->touch_count + contact];
    if (hypot(push->dx, push->dy) >= 1) {
      return true;
    }
  }
  return false;
}

/* The contact force of a contact, frame by frame. */
static void put_pushes(const dls_animation *a, FILE *out, size_t contact)
{
  if (!is_pushed(a, contact)) {
    return;
  }
  fprintf(out, "<path d=\"M0 0z\" fill=\"%s\">", force_colour);
  begin_animation(a, out, "animate", "d", "discrete");
  put_key_times(a, out, true);
  for (size_t frame = 0; frame <= a->frames; frame++) {
    const size_t shown = frame < a->frames ? frame : a->frames - 1;
    const dls_push *push = &a->pushes[shown * a->touch_count + contact];
    fputs(frame > 0 ? ";" : "", out);
    put_arrow(out, push->x, push->y, push->dx, push->dy);
  }
  fputs("\"/></path>\n", out);
}

/* The next impulse of a contact, from i on; flash_count if there is none. */
static size_t next_flash(const dls_animation *a, size_t contact, size_t i)
{
  while (i < a->flash_count && a->flashes[i].contact != contact) {
    i++;
  }
  return i;
}

/* Opacity 1 at each impulse, then fading until it is 0 or the next one comes. */
static void put_opacity(const dls_animation *a, FILE *out, size_t contact, bool times)
{
  const double fading = DLS_FLASH_SECONDS / whole_seconds(a);
  fputs("0", out);
  for (size_t i = next_flash(a, contact, 0); i < a->flash_count;) {
    const size_t next = next_flash(a, contact, i + 1);
    const double at = part_of(a, a->flashes[i].t);
    const double limit = next < a->flash_count ? part_of(a, a->flashes[next].t) : 1;
    const double end = fmin(at + fading, limit);
    if (times) {
      fprintf(out, ";%.5g;%.5g;%.5g", at, at, end);
    } else {
      fprintf(out, ";0;1;%.2g", 1 - (end - at) / fading);
    }
    i = next;
  }
  fputs(times ? ";1" : ";0", out);
}

static void put_flashes(const dls_animation *a, FILE *out, size_t contact)
{
  if (next_flash(a, contact, 0) == a->flash_count) {
    return;
  }
  fprintf(out, "<path d=\"M0 0z\" fill=\"%s\" opacity=\"0\">", pulse_colour);
  begin_animation(a, out, "animate", "opacity", "linear");
  put_opacity(a, out, contact, true);
  fputs("\" values=\"", out);
  put_opacity(a, out, contact, false);
  fputs("\"/>", out);
  begin_animation(a, out, "animate", "d", "discrete");
  fputs("0", out);
  for (size_t i = next_flash(a, contact, 0); i < a->flash_count; i = next_flash(a, contact, i + 1)) {
    fprintf(out, ";%.5g", part_of(a, a->flashes[i].t));
  }
  fputs("\" values=\"M0 0z", out);
  for (size_t i = next_flash(a, contact, 0); i < a->flash_count; i = next_flash(a, contact, i + 1)) {
    fputc(';', out);
    put_arrow(out, a->flashes[i].x, a->flashes[i].y, a->flashes[i].dx, a->flashes[i].dy);
  }
  fputs("\"/></path>\n", out);
}

/* The clock: a strip with all times moves behind a window. */
static void put_clock(const dls_animation *a, FILE *out)
{
  const double y = a->ground + 18;
  const int digits = (int)fmin(6, fmax(1, ceil(1.3 - log10((a->end - a->start) / 10))));
  fprintf(out, "<clipPath id=\"clock\"><rect x=\"0\" y=\"%.1f\" width=\"120\" height=\"%d\"/></clipPath>\n",
          y - 15, (int)CLOCK_STEP);
  fputs("<g clip-path=\"url(#clock)\"><g>", out);
  begin_animation(a, out, "animateTransform", "transform", "discrete");
  put_key_times(a, out, true);
  for (size_t frame = 0; frame <= a->frames; frame++) {
    const size_t shown = frame < a->frames ? frame : a->frames - 1;
    fprintf(out, "%s0 %ld", frame > 0 ? ";" : "", -(long)(CLOCK_STEP * shown));
  }
  fputs("\" type=\"translate\"/>\n", out);
  for (size_t key = 0, frame = 0; key < a->keys; key++) {
    if (a->is_frame[key]) {
      fprintf(out, "<text x=\"14\" y=\"%.1f\">t = %.*f s</text>\n", y + (double)(CLOCK_STEP * frame), digits,
              a->t[key]);
      frame++;
    }
  }
  fputs("</g></g>\n", out);
}

/* The scale of the arrows. */
static void put_scale(const dls_animation *a, FILE *out, int line, const char *colour, const char *what,
                      double largest, const char *unit)
{
  const double y = a->ground + 40 + 20 * line;
  fprintf(out, "<path fill=\"%s\" d=\"", colour);
  put_arrow(out, 14, y - 4, 70, 0);
  fprintf(out, "\"/><text x=\"92\" y=\"%.1f\">%s %.3g %s</text>\n", y, what, largest, unit);
}

static void put_legend(const dls_animation *a, FILE *out)
{
  char speed[60];
  int line = 0;
  dls_animation_speed(a, speed, sizeof speed);
  fprintf(out, "<text x=\"%g\" y=\"%.1f\" text-anchor=\"end\">%s</text>\n", a->width - 14, a->ground + 18,
          speed);
  if (a->largest_pulse > 0) {
    put_scale(a, out, line++, pulse_colour, "impulse", a->largest_pulse, "N s");
  }
  if (a->largest_force > 0) {
    put_scale(a, out, line, force_colour, "contact force", a->largest_force, "N");
  }
}

static void put_head(const dls_animation *a, FILE *out)
{
  fprintf(out,
          "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%g\" "
          "height=\"%g\" viewBox=\"0 0 %g %g\">\n<title>",
          a->width, a->height, a->width, a->height);
  dls_markup_escape(out, a->title);
  fprintf(out,
          "</title>\n<!-- made by delassus %s -->\n"
          "<g font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"13\">\n"
          "<rect width=\"%g\" height=\"%g\" fill=\"#ffffff\"/>\n"
          "<text x=\"%g\" y=\"20\" text-anchor=\"middle\">",
          DLS_VERSION, a->width, a->height, a->width / 2);
  dls_markup_escape(out, a->title);
  fputs("</text>\n", out);
}

dls_status dls_animation_write_svg(const dls_animation *a, FILE *out, dls_error *err)
{
  put_head(a, out);
  put_shapes(a, out);
  for (size_t i = 0; i < a->touch_count; i++) {
    put_pushes(a, out, i);
    put_flashes(a, out, i);
  }
  put_clock(a, out);
  put_legend(a, out);
  fputs("</g>\n</svg>\n", out);
  return ferror(out) ? dls_fail(err, DLS_ERR_IO, "cannot write the animation '%s'", a->title) : DLS_OK;
}
