/* experiments/show/figure_free.c -- is a rectangle of a frame free of data and marks? Then a key or a text may be there. Texts that have
 * several places are put where they cover least.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/figure.h"
#include <limits.h>
#include <math.h>
#include <string.h>

enum { POINT = 6, LETTER = 8, LINE = 18 }; /* half a point, a letter of a text, its line: pixels */

typedef struct frame {
  const dls_panel *panel;
  double width, height;
  dls_box box;
} frame;

/* Shorten [0, 1] to where d * parameter <= q. */
static void clip(double d, double q, double *from, double *to)
{
  if (d == 0) {
    *to = q < 0 ? -1 : *to;
  } else if (d < 0) {
    *from = fmax(*from, q / d);
  } else {
    *to = fmin(*to, q / d);
  }
}

/* Does the segment between two points, in numbers on the axes, meet the rectangle, `room` larger at each side? */
static bool meets(const frame *f, double x0, double y0, double x1, double y1, double room)
{
  const dls_panel *p = f->panel;
  const double a = f->width * dls_axis_part(&p->x, x0), b = f->height * dls_axis_part(&p->y, y0);
  const double dx = f->width * dls_axis_part(&p->x, x1) - a, dy = f->height * dls_axis_part(&p->y, y1) - b;
  double from = 0, to = 1;
  if (!isfinite(a + b + dx + dy)) {
    return false;
  }
  clip(-dx, a - (f->box.left - room), &from, &to);
  clip(dx, f->box.right + room - a, &from, &to);
  clip(-dy, b - (f->box.bottom - room), &from, &to);
  clip(dy, f->box.top + room - b, &from, &to);
  return from <= to;
}

/* Row i of a table, and the one before it; NULL at the start of a curve. */
static bool row_meets(const frame *f, const dls_series *s, const double *before, const double *row)
{
  const double x = row[0], y = row[s->y];
  switch (s->kind) {
  case DLS_SERIES_BOXES:
    return meets(f, row[2], row[4], row[3], row[5], 0) || meets(f, row[2], row[5], row[3], row[4], 0);
  case DLS_SERIES_IMAGE:
    return true;
  case DLS_SERIES_BAND:
    return meets(f, x, row[1], x, row[2], 0) ||
           (before != NULL &&
            (meets(f, before[0], before[1], x, row[1], 0) || meets(f, before[0], before[2], x, row[2], 0)));
  case DLS_SERIES_BARS:
    return meets(f, x, row[2], x, row[3], POINT);
  case DLS_SERIES_STEMS:
    return meets(f, x, 0, x, y, POINT);
  case DLS_SERIES_ARROWS:
    return meets(f, x, y, x + row[2], y + row[3], POINT);
  case DLS_SERIES_STEPS:
    return before != NULL &&
           (meets(f, before[0], before[s->y], x, before[s->y], 0) || meets(f, x, before[s->y], x, y, 0));
  default:
    return meets(f, x, y, x, y, s->kind == DLS_SERIES_LINES ? 0 : POINT) ||
           (before != NULL && s->kind != DLS_SERIES_POINTS && meets(f, before[0], before[s->y], x, y, 0));
  }
}

static bool series_meets(const frame *f, const dls_series *s)
{
  const dls_plot_table *t = s->table;
  const double *before = NULL;
  bool met = false;
  for (size_t i = 0; t != NULL && i < t->rows && !met; i++) {
    const double *row = t->values + i * t->columns;
    met = !isnan(row[0]) && row_meets(f, s, before, row);
    before = isnan(row[0]) ? NULL : row;
  }
  return met;
}

/* The rectangle of a text. */
static dls_box text_box(const frame *f, const dls_mark *m)
{
  const double x = m->of_panel ? m->x * f->width : f->width * dls_axis_part(&f->panel->x, m->x);
  const double y = m->of_panel ? m->y * f->height : f->height * dls_axis_part(&f->panel->y, m->y);
  const double length = LETTER * (double)strlen(m->text);
  const double left = x + LETTER * m->dx - (m->align < 0 ? 0 : m->align > 0 ? length : length / 2);
  const double middle = y + LINE * m->dy;
  return (dls_box){left, left + length, middle - LINE / 2, middle + LINE / 2};
}

static bool mark_meets(const frame *f, const dls_mark *m)
{
  if (m->kind == DLS_MARK_ARROW) {
    return !m->of_panel && meets(f, m->x, m->y, m->x2, m->y2, POINT);
  }
  if (m->kind != DLS_MARK_TEXT) {
    return false; /* shades are behind all */
  }
  const dls_box box = text_box(f, m);
  return box.left < f->box.right && box.right > f->box.left && box.bottom < f->box.top &&
         box.top > f->box.bottom;
}

bool dls_panel_is_free(const dls_panel *panel, double width, double height, const dls_box *box)
{
  const frame f = {panel, width, height, *box};
  bool met = panel->zero_line && meets(&f, panel->x.low, 0, panel->x.high, 0, 0);
  for (size_t i = 0; i < panel->series_count && !met; i++) {
    met = series_meets(&f, &panel->series[i]);
  }
  for (size_t i = 0; i < panel->mark_count && !met; i++) {
    met = mark_meets(&f, &panel->marks[i]);
  }
  return !met;
}

/* Costs of a place of a text. A line beneath it makes it illegible, a point does not. */
enum { BEYOND_FRAME = 1000, OTHER_TEXT = 100, LINE_BENEATH = 10, POINTS_BENEATH = 1 };

/* Cost of text k where it is. Later texts that have several places are not there yet. */
static int cost_of(const dls_panel *p, double width, double height, size_t k)
{
  frame f = {.panel = p, .width = width, .height = height};
  f.box = text_box(&f, &p->marks[k]);
  const bool within = f.box.left >= 0 && f.box.right <= width && f.box.bottom >= 0 && f.box.top <= height;
  int cost = within ? 0 : BEYOND_FRAME;
  for (size_t i = 0; i < p->mark_count; i++) {
    const bool there = i < k || (i > k && p->marks[i].places == NULL);
    cost += there && mark_meets(&f, &p->marks[i]) ? OTHER_TEXT : 0;
  }
  for (size_t i = 0; i < p->series_count; i++) {
    const dls_series_kind kind = p->series[i].kind;
    const bool light = kind == DLS_SERIES_POINTS || kind == DLS_SERIES_BAND;
    cost += !series_meets(&f, &p->series[i]) ? 0 : light ? POINTS_BENEATH : LINE_BENEATH;
  }
  return cost;
}

static void move(dls_mark *m, const dls_text_place *to)
{
  m->x = to->x;
  m->y = to->y;
  m->align = to->align;
  m->dx = to->dx;
  m->dy = to->dy;
}

void dls_panel_place_texts(dls_panel *panel, double width, double height)
{
  for (size_t k = 0; k < panel->mark_count; k++) {
    dls_mark *m = &panel->marks[k];
    int least = INT_MAX;
    size_t best = 0;
    for (size_t i = 0; i < m->place_count && least > 0; i++) {
      move(m, &m->places[i]);
      const int cost = cost_of(panel, width, height, k);
      best = cost < least ? i : best;
      least = cost < least ? cost : least;
    }
    if (m->place_count > 0) {
      move(m, &m->places[best]);
    }
  }
}
