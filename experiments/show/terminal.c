/* experiments/show/terminal.c -- a figure as characters: frames and texts in cells, curves in the 2 x 4 dots of Braille characters,
 * shades in blocks. Of several curves each has a letter, which stands along the curve and in the key.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/terminal.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  BRAILLE = 0x2800, /* the character without dots; bits of dots are added */
  LETTER_EVERY = 14 /* cells from one letter of a curve to the next */
};
static const unsigned shades[] = {' ', 0x2591, 0x2592, 0x2593, 0x2588}; /* blocks, from light to dark */

typedef struct screen {
  const dls_figure *figure;
  int columns, lines;
  unsigned *cells;     /* characters; 0: none */
  unsigned char *dots; /* of Braille */
} screen;

/* The inner part of a frame, in cells. */
typedef struct frame {
  screen *s;
  const dls_panel *panel;
  int left, top, columns, lines;
} frame;

/* --- cells --- */

static void put_cell(screen *s, int column, int line, unsigned character)
{
  if (column >= 0 && column < s->columns && line >= 0 && line < s->lines) {
    s->cells[line * s->columns + column] = character;
  }
}

/* The character of UTF-8 at text. @return bytes */
static int decode(const char *text, unsigned *character)
{
  const unsigned char *c = (const unsigned char *)text;
  const int bytes = c[0] < 0x80 ? 1 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : 4;
  *character = bytes == 1 ? c[0] : c[0] & (0xFFU >> (bytes + 1));
  for (int i = 1; i < bytes; i++) {
    if ((c[i] & 0xC0) != 0x80) {
      *character = '?';
      return 1;
    }
    *character = *character << 6 | (c[i] & 0x3F);
  }
  return bytes;
}

static int cells_of(const char *text)
{
  int count = 0;
  for (; *text != '\0'; text++) {
    count += ((unsigned char)*text & 0xC0) != 0x80;
  }
  return count;
}

/* @param[in] align  -1: it begins there, 0: centred, 1: it ends there */
static void put_text(screen *s, double column, int line, int align, const char *text)
{
  char plain[400];
  dls_figure_plain_text(text, plain);
  int at = (int)floor(column) - (align < 0 ? 0 : align > 0 ? cells_of(plain) - 1 : cells_of(plain) / 2);
  unsigned character = 0;
  for (const char *c = plain; *c != '\0'; at++) {
    c += decode(c, &character);
    put_cell(s, at, line, character);
  }
}

/* Lines of a text below each other, centred. @return their number */
static int put_lines(screen *s, double column, int line, const char *text)
{
  int count = 0;
  for (; text != NULL && *text != '\0'; count++) {
    const size_t bytes = strcspn(text, "\n");
    char one[400];
    snprintf(one, sizeof one, "%.*s", (int)bytes, text);
    put_text(s, column, line + count, 0, one);
    text += bytes + (text[bytes] == '\n');
  }
  return count;
}

/* --- curves --- */

/* Dots from the left and from the top; NaN where the axis has no such number. */
static double across(const frame *f, double x)
{
  return dls_axis_part(&f->panel->x, x) * (2 * f->columns - 1);
}

static double down(const frame *f, double y)
{
  return (1 - dls_axis_part(&f->panel->y, y)) * (4 * f->lines - 1);
}

static void put_dot(const frame *f, double x, double y)
{
  static const unsigned char bits[4][2] = {{0x01, 0x08}, {0x02, 0x10}, {0x04, 0x20}, {0x40, 0x80}};
  const int column = (int)lround(x), line = (int)lround(y);
  if (x > -0.5 && y > -0.5 && column < 2 * f->columns && line < 4 * f->lines) {
    f->s->dots[(f->top + line / 4) * f->s->columns + f->left + column / 2] |= bits[line % 4][column % 2];
  }
}

static void put_segment(const frame *f, double x0, double y0, double x1, double y1)
{
  const double a = across(f, x0), b = down(f, y0), dx = across(f, x1) - a, dy = down(f, y1) - b;
  const double far = 8.0 * (f->columns + f->lines); /* beyond the frame */
  if (!(fabs(a) + fabs(b) + fabs(dx) + fabs(dy) < 1e3 * far)) {
    return; /* NaN, or so far away that dots would take long */
  }
  const double steps = fmax(1, ceil(fmax(fabs(dx), fabs(dy))));
  for (double i = 0; i <= steps; i++) {
    put_dot(f, a + dx * i / steps, b + dy * i / steps);
  }
}

static void put_letter(const frame *f, double x, double y, unsigned letter)
{
  const double a = across(f, x) / 2, b = down(f, y) / 4;
  if (a > -0.5 && b > -0.5 && a < f->columns && b < f->lines) {
    put_cell(f->s, f->left + (int)a, f->top + (int)b, letter);
  }
}

/* Shade a rectangle of the panel by a value. */
static void put_box(const frame *f, const double *box, double value)
{
  const dls_axis *shade = &f->panel->shade;
  const double part = dls_axis_part(shade, value);
  const unsigned block = shades[isnan(part) ? 0 : (int)lround(4 * fmin(1, fmax(0, part)))];
  for (int line = 0; line < f->lines; line++) {
    for (int column = 0; column < f->columns; column++) {
      const double x = 2 * column + 0.5, y = 4 * line + 1.5; /* its middle */
      if (x >= across(f, box[0]) && x < across(f, box[1]) && y <= down(f, box[2]) && y > down(f, box[3])) {
        put_cell(f->s, f->left + column, f->top + line, block);
      }
    }
  }
}

/* A row of an image, half the distance to its neighbours wide and high. */
static void put_pixel(const frame *f, const dls_plot_table *t, size_t i, size_t per_column)
{
  const double *row = t->values + i * t->columns;
  const size_t right = i + per_column < t->rows ? i + per_column : i - per_column,
               up = i % per_column + 1 < per_column ? i + 1 : i - 1;
  const double dx = fabs(t->values[right * t->columns] - row[0]) / 2,
               dy = fabs(t->values[up * t->columns + 1] - row[1]) / 2;
  put_box(f, (double[]){row[0] - dx, row[0] + dx, row[1] - dy, row[1] + dy}, row[2]);
}

static void put_image(const frame *f, const dls_plot_table *t)
{
  size_t per_column = 0;
  while (per_column < t->rows && t->values[per_column * t->columns] == t->values[0]) {
    per_column++;
  }
  for (size_t i = 0; i < t->rows && per_column > 1 && per_column < t->rows; i++) {
    put_pixel(f, t, i, per_column);
  }
}

/* One row of a table, and the one before it; NULL at the start of a curve. */
static void put_row(const frame *f, const dls_series *s, const double *before, const double *row,
                    unsigned letter)
{
  const double x = row[0], y = row[s->y];
  switch (s->kind) {
  case DLS_SERIES_BOXES:
    put_box(f, (double[]){row[2], row[3], row[4], row[5]}, row[6]);
    return;
  case DLS_SERIES_POINTS:
    put_letter(f, x, y, letter);
    return;
  case DLS_SERIES_STEMS:
    put_segment(f, x, 0, x, y);
    return;
  case DLS_SERIES_BARS:
    put_segment(f, x, row[2], x, row[3]);
    put_letter(f, x, y, letter);
    return;
  case DLS_SERIES_ARROWS:
    put_segment(f, x, y, x + row[2], y + row[3]);
    return;
  case DLS_SERIES_STEPS:
    if (before != NULL) {
      put_segment(f, before[0], before[s->y], x, before[s->y]);
      put_segment(f, x, before[s->y], x, y);
    }
    return;
  default: /* lines; the edges of areas and bands */
    put_segment(f, before != NULL ? before[0] : x, before != NULL ? before[s->y] : y, x, y);
    if (s->kind == DLS_SERIES_BAND) {
      put_segment(f, before != NULL ? before[0] : x, before != NULL ? before[2] : row[2], x, row[2]);
    } else if (s->kind == DLS_SERIES_LINES_POINTS) {
      put_letter(f, x, y, letter);
    }
  }
}

/* Letters along a curve, those of the next curve elsewhere. */
static void put_letters(const frame *f, const dls_series *s, unsigned letter, int shift)
{
  const dls_plot_table *t = s->table;
  int last = shift - LETTER_EVERY;
  for (size_t i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    const double column = across(f, row[0]) / 2;
    if (column >= last + LETTER_EVERY) {
      put_letter(f, row[0], row[s->y], letter);
      last += LETTER_EVERY * (int)((column - last) / LETTER_EVERY);
    }
  }
}

static void put_series(const frame *f, const dls_series *s, unsigned letter, int shift)
{
  const dls_plot_table *t = s->table;
  const double *before = NULL;
  if (s->kind == DLS_SERIES_IMAGE) {
    put_image(f, t);
    return;
  }
  for (size_t i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    if (!isnan(row[0])) {
      put_row(f, s, before, row, letter);
    }
    before = isnan(row[0]) ? NULL : row;
  }
  if (letter < BRAILLE && (s->kind == DLS_SERIES_LINES || s->kind == DLS_SERIES_STEPS)) {
    put_letters(f, s, letter, shift);
  }
}

static void put_mark(const frame *f, const dls_mark *m)
{
  const double x = m->of_panel ? m->x * (2 * f->columns - 1) : across(f, m->x),
               y = m->of_panel ? (1 - m->y) * (4 * f->lines - 1) : down(f, m->y);
  if (m->kind == DLS_MARK_TEXT && x >= 0 && y >= 0 && x < 2 * f->columns && y < 4 * f->lines) {
    put_text(f->s, f->left + x / 2, f->top + (int)(y / 4), m->align, m->text);
  } else if (m->kind == DLS_MARK_ARROW && !m->of_panel) {
    put_segment(f, m->x, m->y, m->x2, m->y2);
  } else if (m->kind == DLS_MARK_PHASE) {
    for (int column = 0; column < f->columns; column++) {
      const double at = 2 * column + 0.5;
      for (int line = 0; line < f->lines && at >= x && at <= across(f, m->x2); line++) {
        put_cell(f->s, f->left + column, f->top + line, shades[1]);
      }
    }
  }
}

/* --- frames and keys --- */

static void put_frame(const frame *f)
{
  screen *s = f->s;
  const int right = f->left + f->columns, bottom = f->top + f->lines;
  for (int column = f->left; column < right; column++) {
    put_cell(s, column, f->top - 1, 0x2500);
    put_cell(s, column, bottom, 0x2500);
  }
  for (int line = f->top; line < bottom; line++) {
    put_cell(s, f->left - 1, line, 0x2502);
    put_cell(s, right, line, 0x2502);
  }
  put_cell(s, f->left - 1, f->top - 1, 0x250C);
  put_cell(s, right, f->top - 1, 0x2510);
  put_cell(s, f->left - 1, bottom, 0x2514);
  put_cell(s, right, bottom, 0x2518);
}

static void put_axes(const frame *f)
{
  const dls_panel *p = f->panel;
  screen *s = f->s;
  dls_tick ticks[DLS_MOST_TICKS];
  size_t count = dls_axis_ticks(&p->x, f->columns / 8.0, true, ticks);
  for (size_t i = 0; i < count; i++) {
    const int column = f->left + (int)(across(f, ticks[i].at) / 2);
    put_cell(s, column, f->top + f->lines, 0x2534);
    if (!p->x.unlabelled) {
      put_text(s, column, f->top + f->lines + 1, 0, ticks[i].label);
    }
  }
  count = dls_axis_ticks(&p->y, f->lines / 2.0, true, ticks);
  for (size_t i = 0; i < count; i++) {
    const int line = f->top + (int)(down(f, ticks[i].at) / 4);
    put_cell(s, f->left - 1, line, 0x2524);
    put_text(s, f->left - 3, line, 1, ticks[i].label);
  }
  const double middle = f->left + f->columns / 2.0;
  const int above = f->top - 1 - (p->y.label != NULL);
  put_lines(s, middle, f->top + f->lines + (p->x.unlabelled ? 1 : 2), p->x.label);
  if (p->y.label != NULL) {
    char label[400];
    snprintf(label, sizeof label, "%s%s%s", p->y.label, p->shade.label != NULL ? ", shades: " : "",
             p->shade.label != NULL ? p->shade.label : "");
    put_text(s, middle, above, 0, label);
  }
  if (p->shade.label != NULL) { /* the ends of the scale */
    for (int end = 0; end < 2; end++) {
      char value[40];
      snprintf(value, sizeof value, " %.3g", end == 0 ? p->shade.high : p->shade.low);
      put_cell(s, f->left + f->columns + 2, f->top + end * (f->lines - 1), end == 0 ? shades[4] : '-');
      put_text(s, f->left + f->columns + 3, f->top + end * (f->lines - 1), -1, value);
    }
  }
  if (p->title != NULL) {
    int lines = 1;
    for (const char *c = p->title; *c != '\0'; c++) {
      lines += *c == '\n';
    }
    put_lines(s, middle, above - lines, p->title);
  }
  const double zero = down(f, 0);
  for (int column = 0; column < f->columns && p->zero_line && zero >= 0 && zero < 4 * f->lines; column++) {
    put_cell(s, f->left + column, f->top + (int)(zero / 4), 0x2508);
  }
}

static bool has_title(const dls_series *s)
{
  return s->title != NULL && s->title[0] != '\0';
}

/* The number of the entry of the key that a curve belongs to, from 1: its own, else that of the same colour; 0: none. */
static size_t entry_of(const dls_panel *p, const dls_series *s)
{
  size_t number = 0;
  for (size_t i = 0; i < p->series_count; i++) {
    const dls_series *other = &p->series[i];
    number += has_title(other);
    if (has_title(other) && (has_title(s) ? other == s : strcmp(other->style.colour, s->style.colour) == 0)) {
      return number;
    }
  }
  return 0;
}

/* Its letter. A single curve has none. */
static unsigned letter_of(size_t number, size_t titled)
{
  const unsigned dots = BRAILLE + 0x36;
  return titled < 2 || number == 0 ? dots : 'a' + (unsigned)((number - 1) % 26);
}

static void put_key(const frame *f, size_t titled)
{
  const dls_panel *p = f->panel;
  screen *s = f->s;
  const int left = (int)lround(p->key[0] * s->columns), top = (int)lround((1 - p->key[1]) * s->lines);
  const int columns = p->key_columns > 0 ? p->key_columns : 1, width = (s->columns - left) / columns;
  int line = top, column = 0;
  size_t number = 0;
  if (s->figure->key_title != NULL) {
    put_text(s, left, line++, -1, s->figure->key_title);
  }
  const int first = line;
  for (size_t i = 0; i < p->series_count; i++) {
    if (!has_title(&p->series[i])) {
      continue;
    }
    put_cell(s, left + column * width + 1, line, letter_of(++number, titled));
    for (const char *title = p->series[i].title; *title != '\0'; line++) {
      const size_t bytes = strcspn(title, "\n");
      char one[400];
      snprintf(one, sizeof one, "%.*s", (int)bytes, title);
      put_text(s, left + column * width + 3, line, -1, one);
      title += bytes + (title[bytes] == '\n');
    }
    if (column + 1 < columns && p->key_rows > 0 && line - first >= p->key_rows) {
      column++;
      line = first;
    }
  }
}

static void put_panel(screen *s, const dls_panel *p)
{
  const int left = (int)lround(p->edge[DLS_LEFT] * s->columns),
            right = (int)lround(p->edge[DLS_RIGHT] * s->columns),
            top = (int)lround((1 - p->edge[DLS_TOP]) * s->lines),
            bottom = (int)lround((1 - p->edge[DLS_BOTTOM]) * s->lines);
  const frame f = {s, p, left + 1, top + 1, right - left - 1, bottom - top - 1};
  size_t titled = 0;
  if (f.columns < 2 || f.lines < 1) {
    return;
  }
  put_frame(&f);
  put_axes(&f);
  for (size_t i = 0; i < p->mark_count; i++) {
    put_mark(&f, &p->marks[i]);
  }
  for (size_t i = 0; i < p->series_count; i++) {
    titled += has_title(&p->series[i]);
  }
  for (size_t i = 0; i < p->series_count; i++) {
    const size_t number = entry_of(p, &p->series[i]);
    if (p->series[i].table != NULL && p->series[i].size >= 0) {
      put_series(&f, &p->series[i], letter_of(number, titled), (int)(5 * number) % LETTER_EVERY);
    }
  }
  if (p->keyed) {
    put_key(&f, titled);
  }
}

/* --- the picture --- */

static void print_character(FILE *out, unsigned c)
{
  if (c < 0x80) {
    fputc((int)c, out);
  } else if (c < 0x800) {
    fprintf(out, "%c%c", (int)(0xC0 | c >> 6), (int)(0x80 | (c & 0x3F)));
  } else if (c < 0x10000) {
    fprintf(out, "%c%c%c", (int)(0xE0 | c >> 12), (int)(0x80 | (c >> 6 & 0x3F)), (int)(0x80 | (c & 0x3F)));
  } else {
    fprintf(out, "%c%c%c%c", (int)(0xF0 | c >> 18), (int)(0x80 | (c >> 12 & 0x3F)),
            (int)(0x80 | (c >> 6 & 0x3F)), (int)(0x80 | (c & 0x3F)));
  }
}

/* Letters and texts stand before dots, dots before the zero line and shades. */
static unsigned character_at(const screen *s, int i)
{
  const unsigned cell = s->cells[i];
  const bool behind = cell == 0 || cell == 0x2508 || (cell >= shades[1] && cell <= shades[3]);
  return s->dots[i] != 0 && behind ? (unsigned)BRAILLE + s->dots[i] : cell != 0 ? cell : ' ';
}

static void print_screen(const screen *s, FILE *out)
{
  for (int line = 0; line < s->lines; line++) {
    int end = s->columns;
    while (end > 0 && character_at(s, line * s->columns + end - 1) == ' ') {
      end--;
    }
    for (int column = 0; column < end; column++) {
      print_character(out, character_at(s, line * s->columns + column));
    }
    fputc('\n', out);
  }
}

dls_status dls_terminal_draw(const dls_figure *figure, dls_error *err)
{
  screen s = {figure, (int)(figure->width / DLS_CELL_WIDTH), (int)(figure->height / DLS_CELL_HEIGHT), NULL,
              NULL};
  const size_t count = (size_t)s.columns * (size_t)s.lines;
  s.cells = calloc(count + 1, sizeof *s.cells);
  s.dots = calloc(count + 1, sizeof *s.dots);
  dls_status status = DLS_OK;
  if (s.cells == NULL || s.dots == NULL) {
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture of %d x %d characters", s.columns, s.lines);
  } else {
    put_lines(&s, s.columns / 2.0, 0, figure->heading);
    for (size_t i = 0; i < figure->panel_count; i++) {
      put_panel(&s, figure->panels[i]);
    }
    print_screen(&s, stdout);
  }
  free(s.cells);
  free(s.dots);
  return status;
}
