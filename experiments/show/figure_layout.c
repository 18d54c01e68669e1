/* experiments/show/figure_layout.c -- decide ranges, line breaks, edges of panels and places of keys.
 *
 * From top to bottom: the heading; for each row of panels the space above the frames, the frames, the space below;
 * the key. A picture in the terminal has a given height, which the frames share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/figure.h"
#include <ctype.h>
#include <math.h>
#include <string.h>

/* Pixels; in the terminal a letter is a cell of 8 x 16. */
typedef struct sizes {
  double letter, line; /* of labels */
  double key_line, sample;
  double heading, top;          /* a figure with and without heading */
  double left, right;           /* of a frame: ticks and label; half a tick label */
  double shades;                /* to the right of a frame, ticks and label of a scale of shades */
  double ticks, label_gap, gap; /* below a frame: labels of ticks, space above the label, space */
} sizes;

static const sizes wide_sizes = {7.8, 18, DLS_KEY_LINE_HEIGHT, 56, 40, 12, 110, 30, 170, 26, 8, 20},
                   narrow_sizes = {7.8, 18, DLS_KEY_LINE_HEIGHT, 56, 0, 10, 88, 18, 116, 26, 8, 14},
                   cells = {
                       DLS_CELL_WIDTH, DLS_CELL_HEIGHT, DLS_CELL_HEIGHT, 72, 16, 0, 80, 24, 112, 16, 0, 16};

/* Lengths in pixels that are the same on every canvas. */
enum {
  LEAST_LETTERS = 8,     /* of a line of text: in narrower room, words are cut into pieces */
  TITLE_MARGIN = 20,     /* of a panel's title: those of neighbours do not meet */
  TITLE_GAP = 14,        /* below it, so that it does not stand on the frame */
  HEADING_GAP = 10,      /* below the heading */
  KEY_GAP = 4,           /* between a frame and the key above it */
  KEY_MARGIN = 6,        /* at the lower edge, below the figure's key */
  SAMPLE_GAP = 6,        /* between a sample and its words */
  ENTRY_GAP = 20,        /* between the columns of the figure's key */
  NARROW_ENTRY_GAP = 10, /* between the entries of a key above a frame */
  BESIDE_GAP = 8,        /* between a frame and the key beside it */
  BESIDE_MARGIN = 36,    /* that gap, and the margin on the other side of the key */
  MOST_BESIDE = 400,     /* width of a key beside a frame: it leaves more than half of a figure to the frame */
  LABEL_OVERHANG = 80,   /* excess of the label of y over the height of its frame */
  NARROW_OVERHANG = 60,  /* the same where the figure is narrow */
  NOTE_WIDTH = 10,       /* height of the small letters at the right edge */
  ONE_COLUMN_LINES = 4,  /* of the figure's key: so many stay in one column */
  LEAST_PANEL_LINES = 4, /* of a frame in the terminal */
  LEAST_PANEL = 10,      /* lines of a panel in the terminal, with its labels: fewer are illegible */
  HEADING_LINES = 3,     /* of a picture in the terminal that are not panels */
  MOST_LABEL_LINES = 2,  /* of y beside a frame: a third meets the edge of a narrow figure */
  LABEL_ROOM = 47,       /* beside a frame, with one line of y, but for the letters of ticks */
  LEAST_SINGLE = 120,    /* height of the only frame of a journal figure, whatever the length of its key */
  LEAST_FRAME = 40,      /* height and width of a frame in a picture of given size, or that must not be tall */
  INSIDE_MARGIN = 8      /* between a key inside a frame and its edges */
};

/* Fractions. */
static const double comfortable =
    0.6; /* of the heights that the panels want: lower frames get smaller letters */
static const double least_letters = 0.7,
                    letters_step = 0.1;  /* of the letters of a style: those of a layout that is too large */
static const double least_beside = 0.45; /* of a column of given width: a narrower frame has its key below */
static const double most_inside = 0.6;   /* of a frame: the room above the curves for a key */
static const double entry_words = 1.12;  /* of the measured width of an entry: letters differ in width */
static const double heading_words =
    1.25;                             /* the same of a heading, whose letters are larger than those of labels */
static const double key_words = 1.23; /* the same of a line of the figure's key that fills its room */
static const double half_key = 0.42;  /* of the room of the key: narrower entries stand in two columns */
static const double most_broken =
    0.75; /* of the rows of the key: breaking its entries for two columns is worth it up to there */
static const double least_oblong = 0.23,
                    most_oblong = 1.02; /* height of a frame over its width, where the data fix it */
static const double log_room = 0.02;    /* of a logarithmic axis, at each end: points at the edge stay whole */
static const double constant_data =
    1e-9; /* of their size: data that vary by less are constant, as scripts hold ten digits of a range ... */
static const double constant_room = 0.1; /* ... and have so much room around them, of their size */
static const double rounding = 1e-9;     /* of the size of letters, which is counted down in steps */

static const sizes *sizes_of(const dls_figure *f)
{
  return f->text ? &cells : f->canvas.narrow ? &narrow_sizes : &wide_sizes;
}

/* --- texts --- */

/* The number of letters of a text when drawn. */
static size_t letters(const char *text, bool markup)
{
  size_t count = 0;
  for (; *text != '\0'; text++) {
    const bool inner = ((unsigned char)*text & 0xC0) == 0x80; /* of a character of UTF-8 */
    count += !inner && !(markup && strchr("_^{}", *text) != NULL);
  }
  return count;
}

/* Is it the hyphen of a name, not the sign of a number? */
static bool is_hyphen(const char *at)
{
  return at[0] == '-' && isalpha((unsigned char)at[-1]) && isalpha((unsigned char)at[1]);
}

/* Bytes of the next line of at most `most` letters: up to a blank, comma or colon, but not within brackets; else up to a hyphen. */
static size_t line_bytes(const char *text, size_t most)
{
  size_t bytes = 0, count = 0, last = 0, hyphen = 0;
  bool within = false;
  for (; text[bytes] != '\0' && text[bytes] != '\n'; bytes++) {
    count += ((unsigned char)text[bytes] & 0xC0) != 0x80;
    if (count > most) {
      return last > 0 ? last : hyphen > 0 ? hyphen : bytes;
    }
    within = text[bytes] == '[' || (within && text[bytes] != ']');
    if (strchr(" ,:", text[bytes]) != NULL && count > most / 3 && !within) {
      last = bytes + 1;
    }
    hyphen = bytes > 0 && is_hyphen(text + bytes) && !within ? bytes + 1 : hyphen;
  }
  return bytes;
}

/* The text with as many lines as it needs in `room` pixels. */
static const char *wrap(dls_figure *f, const char *text, double room)
{
  const size_t most = (size_t)fmax(LEAST_LETTERS, room / sizes_of(f)->letter);
  char lines[1000] = "";
  if (text == NULL || letters(text, true) <= most) {
    return text;
  }
  for (size_t bytes = 0; *text != '\0'; text += bytes) {
    bytes = line_bytes(text, most);
    dls_text_append(lines, sizeof lines, "%s%.*s", lines[0] != '\0' ? "\n" : "", (int)bytes, text);
    bytes += text[bytes] == '\n' || text[bytes] == ' '; /* no line begins with a blank */
  }
  return dls_figure_text(f, "%s", lines);
}

static size_t line_count(const char *text)
{
  size_t count = text != NULL && text[0] != '\0';
  for (; text != NULL && *text != '\0'; text++) {
    count += *text == '\n';
  }
  return count;
}

static void join_title(dls_figure *f)
{
  const char *const parts[] = {f->title.model, f->canvas.form.parameters, f->title.schemes, f->title.interval,
                               f->title.step};
  char text[600] = "";
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
    if (parts[i] != NULL && parts[i][0] != '\0') {
      dls_text_append(text, sizeof text, "%s%s", text[0] != '\0' ? ", " : "", parts[i]);
    }
  }
  if (f->title.remark != NULL && f->title.remark[0] != '\0') {
    dls_text_append(text, sizeof text, "%s%s", text[0] != '\0' ? " " : "", f->title.remark);
  }
  f->described = dls_figure_text(f, "%s", text);
  const bool titled = (dls_canvas_titled(&f->canvas) || f->always_titled) && text[0] != '\0';
  f->heading = titled ? wrap(f, f->described, f->text ? f->width : f->width / heading_words) : NULL;
}

/* --- ranges --- */

/* Columns of a series along x (axis 0) or y that its axis covers; -1: no more. An arrow also covers its tip. */
static void columns_of(const dls_series *s, int axis, int column[3])
{
  const int y = (int)s->y;
  column[0] = axis == 0 ? 0 : y;
  column[1] = column[2] = -1;
  if (s->kind == DLS_SERIES_BOXES) {
    column[0] = axis == 0 ? 2 : 4;
    column[1] = axis == 0 ? 3 : 5;
  } else if (s->kind == DLS_SERIES_BAND && axis == 1) {
    column[1] = 2;
  } else if (s->kind == DLS_SERIES_BARS && axis == 1) {
    column[1] = 2;
    column[2] = 3;
  }
}

static void cover(double x, const dls_axis *axis, double *low, double *high)
{
  if (isfinite(x) && (x > 0 || !axis->log)) {
    *low = fmin(*low, x);
    *high = fmax(*high, x);
  }
}

static void cover_series(const dls_series *s, int number, const dls_panel *p, double *low, double *high)
{
  const dls_plot_table *t = s->table;
  const dls_axis *axis = number == 0 ? &p->x : &p->y;
  int column[3];
  columns_of(s, number, column);
  for (size_t i = 0; t != NULL && i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    if (number == 1 && p->x.low < p->x.high && (row[0] < p->x.low || row[0] > p->x.high)) {
      continue;
    }
    for (int k = 0; k < 3 && column[k] >= 0; k++) {
      cover(row[column[k]], axis, low, high);
    }
    if (s->kind == DLS_SERIES_ARROWS) {
      cover(row[number] + row[number + 2], axis, low, high);
    }
  }
  if (s->kind == DLS_SERIES_STEMS && number == 1) {
    cover(0, axis, low, high);
  }
}

/* The range of the data, with a margin; constant data are centred. */
static void set_range(const dls_panel *p, int number, dls_axis *axis)
{
  double low = INFINITY, high = -INFINITY;
  if (axis->low < axis->high) {
    return;
  }
  for (size_t i = 0; i < p->series_count; i++) {
    cover_series(&p->series[i], number, p, &low, &high);
  }
  if (axis->covers) {
    cover(axis->cover[0], axis, &low, &high);
    cover(axis->cover[1], axis, &low, &high);
  }
  if (!(low <= high)) {
    low = axis->log ? 1 : 0;
    high = axis->log ? 10 : 1;
  }
  if (axis->log) {
    const double factor = high - low > constant_data * low ? high / low : 10;
    axis->low = low / pow(factor, fmax(axis->room[0], log_room));
    axis->high = high * pow(factor, fmax(axis->room[1], log_room));
    return;
  }
  const double size = fmax(fabs(low), fabs(high));
  if (high - low <= constant_data * size || size == 0) {
    const double half = size > 0 ? constant_room * size : 1;
    axis->low = low - (axis->room[0] > 0 || axis->room[1] == 0 ? half : 0);
    axis->high = high + half;
    return;
  }
  axis->low = low - axis->room[0] * (high - low);
  axis->high = high + axis->room[1] * (high - low);
}

/* Metres per pixel become the same along both axes, those of the larger scale. */
static void equal_scales(dls_panel *p, double width)
{
  dls_axis *const axes[] = {&p->x, &p->y};
  const double length[] = {width, p->height};
  const double scale = fmax((p->x.high - p->x.low) / width, (p->y.high - p->y.low) / p->height);
  for (int i = 0; i < 2; i++) {
    const double middle = 0.5 * (axes[i]->low + axes[i]->high), half = 0.5 * scale * length[i];
    axes[i]->low = middle - half;
    axes[i]->high = middle + half;
  }
}

/* --- keys --- */

static bool has_key(const dls_figure *f, size_t i)
{
  return f->key == DLS_KEY_OF_PANEL || (f->key == DLS_KEY_BELOW && i + 1 == f->panel_count);
}

/* Break long titles, count the lines of all. @param[out] longest  letters */
static size_t measure_key(dls_figure *f, dls_panel *p, double room, size_t *longest)
{
  size_t lines = 0;
  *longest = 0;
  for (size_t i = 0; i < p->series_count; i++) {
    dls_series *s = &p->series[i];
    if (s->title == NULL || s->title[0] == '\0') {
      continue;
    }
    s->title = wrap(f, s->title, room - sizes_of(f)->sample - SAMPLE_GAP);
    lines += line_count(s->title);
    const size_t length = letters(s->title, f->markup);
    *longest = length > *longest ? length : *longest;
  }
  return lines;
}

/* Pixels of the longest entry of all keys of panels. */
static double longest_entry(dls_figure *f, double room)
{
  size_t most = 0, longest = 0;
  for (size_t i = 0; i < f->panel_count; i++) {
    measure_key(f, f->panels[i], room, &longest);
    most = longest > most ? longest : most;
  }
  return fmin(room, (double)most * sizes_of(f)->letter + sizes_of(f)->sample);
}

/* --- panels --- */

/* Positions in pixels from the upper left corner. */
typedef struct place {
  size_t columns, rows;
  double cell, left, right;   /* width of a column, and of that what is beside the frame */
  bool beside, above, inside; /* keys; none of them: below */
  int key_columns;            /* above */
} place;

/* Heights above and below the frame of a panel, its key among them. */
static void measure_panel(dls_figure *f, const place *at, dls_panel *p)
{
  const sizes *s = sizes_of(f);
  const double frame = at->cell - at->left - at->right;
  size_t longest = 0;
  p->title = wrap(f, p->title, at->cell - TITLE_MARGIN);
  p->x.label = wrap(f, p->x.label, frame + 2 * fmin(at->left, at->right));
  p->above = s->line * (double)line_count(p->title) + (p->title != NULL && !f->text ? TITLE_GAP : 0);
  p->above += f->text && p->y.label != NULL ? s->line : 0; /* no letters are upright in a terminal */
  p->below = (p->x.unlabelled ? 0 : s->ticks) + s->gap;
  p->below += p->x.label != NULL ? s->line * (double)line_count(p->x.label) + s->label_gap : 0;
  if (f->key != DLS_KEY_OF_PANEL || at->inside) {
    return;
  }
  const size_t lines = measure_key(f, p, at->beside ? MOST_BESIDE : at->cell, &longest);
  p->key_lines = at->above ? 0 : lines;
  if (at->beside) {
    return;
  }
  p->key_columns = at->key_columns;
  p->key_height = s->key_line * ceil((double)lines / p->key_columns);
  if (at->above) {
    p->above += p->key_height + KEY_GAP;
    p->key_height = -p->key_height;
  } else {
    p->below += p->key_height;
  }
}

/* Lines of entry i of a key of that width. */
static size_t entry_lines(dls_figure *f, const dls_panel *p, size_t i, double room)
{
  return line_count(wrap(f, p->series[i].title, room - sizes_of(f)->sample - SAMPLE_GAP));
}

/* Rows of the first of two columns. No entry is split between the columns. */
static size_t rows_of_halves(dls_figure *f, const dls_panel *p, double room)
{
  size_t lines = 0, rows = 0;
  for (size_t i = 0; i < p->series_count; i++) {
    lines += entry_lines(f, p, i, room);
  }
  for (size_t i = 0; i < p->series_count && rows < (lines + 1) / 2; i++) {
    rows += entry_lines(f, p, i, room);
  }
  return rows;
}

/* The figure's key: two columns where many entries fit. In a narrow picture they are also broken for two columns if that saves many rows;
 * not in TeX, which fills keys by rows. @param[in] left  of the frames @return its height */
static double measure_figure_key(dls_figure *f, dls_panel *p, double left)
{
  const sizes *s = sizes_of(f);
  size_t longest = 0;
  const bool wide = !f->canvas.narrow && !f->text;
  const double room = wide ? (f->width - left) / key_words : f->width,
               half = (room - NARROW_ENTRY_GAP) / 2 + SAMPLE_GAP;
  size_t lines = 0;
  for (size_t i = 0; i < p->series_count; i++) {
    lines += entry_lines(f, p, i, room);
  }
  const size_t halves = wide || f->text || dls_canvas_is_tex(&f->canvas) ? lines : rows_of_halves(f, p, half);
  const bool broken = lines > ONE_COLUMN_LINES && (double)halves <= most_broken * (double)lines;
  lines = measure_key(f, p, broken ? half : room, &longest);
  const double entry = s->sample + s->letter * (double)longest;
  const bool fits = wide ? entry + ENTRY_GAP < half_key * room : 2 * entry + NARROW_ENTRY_GAP <= room;
  p->key_columns = lines > ONE_COLUMN_LINES && (fits || broken) ? 2 : 1;
  const size_t rows = broken ? halves : (lines + (size_t)p->key_columns - 1) / (size_t)p->key_columns;
  p->key_rows = (int)rows;
  return s->key_line * (double)(rows + (f->key_title != NULL)) + (lines > 0 && !f->text ? KEY_MARGIN : 0);
}

/* Of panels with one x-axis below each other only the last has its label. */
static void share_x(dls_figure *f, const place *at)
{
  for (size_t i = 0; f->one_x && i + at->columns < f->panel_count; i++) {
    const dls_axis *last = &f->panels[i + at->columns]->x;
    dls_axis *x = &f->panels[i]->x;
    const bool same = x->low == last->low && x->high == last->high;
    x->label = NULL;
    x->unlabelled = same && (f->key != DLS_KEY_OF_PANEL || at->beside || at->above);
  }
}

/* Width of a letter of the names of ticks over that of keys, which have more narrow letters; of narrow figures too. */
static const double name_letter = 1.2, narrow_name_letter = 0.88;
enum { NAME_GAP = 3 }; /* letters between a name and its panel */

/* Pixels of the longest name of a tick beside the panels; 0 without names. */
static double named_ticks_width(const dls_figure *f)
{
  size_t longest = 0;
  for (size_t i = 0; i < f->panel_count; i++) {
    const dls_axis *y = &f->panels[i]->y;
    for (size_t k = 0; k < y->name_count; k++) {
      const size_t length = letters(y->names[k], true);
      longest = length > longest ? length : longest;
    }
  }
  const double letter = f->canvas.narrow ? narrow_name_letter : name_letter;
  return longest > 0 ? (letter * (double)longest + NAME_GAP) * sizes_of(f)->letter : 0;
}

/* Where the keys of panels are, and the room beside frames for them. */
static void set_keys(dls_figure *f, place *at)
{
  const double frame = at->cell - at->left - at->right;
  at->key_columns = 1;
  at->inside = f->canvas.form.key == DLS_PICTURE_KEY_INSIDE;
  if (f->key != DLS_KEY_OF_PANEL || f->canvas.form.key != DLS_PICTURE_KEY_AUTO) {
    return;
  }
  if (!f->canvas.narrow) {
    const double right = entry_words * longest_entry(f, MOST_BESIDE) + BESIDE_MARGIN;
    at->beside = f->canvas.width == 0 || at->cell - at->left - right > least_beside * at->cell;
    at->right = at->beside ? right : at->right;
    return;
  }
  const double entry = longest_entry(f, at->cell) + NARROW_ENTRY_GAP;
  at->above = entry < frame / 2;
  at->key_columns = at->above ? (int)(frame / entry) : 1;
}

static place set_columns(dls_figure *f)
{
  const sizes *s = sizes_of(f);
  const bool sized = f->canvas.form.width > 0;
  const bool both = f->two_columns && f->canvas.width > 0 && (!sized || f->canvas.width >= DLS_WIDE_WIDTH);
  if (f->two_columns && f->canvas.narrow) {
    f->canvas = dls_canvas_two_columns(&f->canvas);
  }
  f->width = dls_canvas_width(&f->canvas, f->text ? DLS_CELL_WIDTH * dls_terminal_columns() : f->wide);
  bool shades = false;
  for (size_t i = 0; i < f->panel_count; i++) {
    shades = shades || f->panels[i]->shade.label != NULL;
  }
  place at = {.columns = (f->canvas.narrow && !both) || f->columns == 0 ? 1 : f->columns, .left = s->left};
  at.rows = (f->panel_count + at.columns - 1) / at.columns;
  at.cell = f->width / (double)at.columns;
  at.right = shades ? s->shades : s->right;
  at.left = fmax(fmax(at.left, f->least_left), named_ticks_width(f));
  set_keys(f, &at);
  at.right += f->note != NULL && f->canvas.path != NULL && !f->canvas.narrow ? NOTE_WIDTH : 0;
  return at;
}

/* Height of a panel with equal scales: that of the data at its width. */
static void set_heights(dls_figure *f, double frame)
{
  const double least = least_oblong * frame, most = most_oblong * frame;
  for (size_t i = 0; i < f->panel_count; i++) {
    dls_panel *p = f->panels[i];
    if (p->height <= 0) {
      p->height = fmax(least, fmin(most, frame * (p->y.high - p->y.low) / (p->x.high - p->x.low)));
    }
  }
}

/* The lowest frame: below a key inside it there must be room for the curves, and gnuplot gives other keys only the height of the frame. */
static double least_frame(const dls_figure *f, const dls_panel *p)
{
  return p->key_width > 0 ? (p->key_height + 2 * INSIDE_MARGIN) / most_inside
                          : fmax(LEAST_FRAME, sizes_of(f)->key_line * (double)p->key_lines);
}

/* Size of a key inside the frame of a panel. */
static void measure_inside(dls_figure *f, dls_panel *p, double frame)
{
  const sizes *s = sizes_of(f);
  size_t longest = 0;
  const size_t lines = measure_key(f, p, frame - 2 * INSIDE_MARGIN, &longest);
  p->key_columns = 1;
  p->key_width = fmin(frame - 2 * INSIDE_MARGIN, s->sample + SAMPLE_GAP + s->letter * (double)longest);
  p->key_height = s->key_line * (double)(lines + (f->key_title != NULL));
  if (f->key_title != NULL) {
    p->key_width =
        fmax(p->key_width, fmin(frame - 2 * INSIDE_MARGIN, s->letter * (double)letters(f->key_title, false)));
  }
  p->height = fmax(p->height, least_frame(f, p));
}

/* Room above the curves: the range of y ends higher, so that they cover the lower part of the frame. */
static void make_room_above(dls_panel *p, double room)
{
  const double factor = p->height / (p->height - room);
  if (p->y.log) {
    p->y.high = p->y.low * pow(p->y.high / p->y.low, factor);
  } else {
    p->y.high = p->y.low + factor * (p->y.high - p->y.low);
  }
}

/* The key in the first place of the frame without curves, points and texts, from the upper right corner on; else above them. */
static void put_inside(const dls_figure *f, dls_panel *p, double frame)
{
  static const double places[][2] = {{1, 1}, {0, 1}, {1, 0}, {0, 0}, {0.5, 1}, {0.5, 0}, {1, 0.5}, {0, 0.5}};
  const double across = frame - 2 * INSIDE_MARGIN - p->key_width,
               up = p->height - 2 * INSIDE_MARGIN - p->key_height;
  dls_box box = {0, 0, 0, 0};
  bool is_free = false;
  for (size_t i = 0; i < sizeof places / sizeof places[0] && !is_free && up >= 0; i++) {
    box.left = INSIDE_MARGIN + places[i][0] * across;
    box.bottom = INSIDE_MARGIN + places[i][1] * up;
    box.right = box.left + p->key_width;
    box.top = box.bottom + p->key_height;
    is_free = dls_panel_is_free(p, frame, p->height, &box);
  }
  if (!is_free) {
    box.left = INSIDE_MARGIN + across;
    box.top = p->height - INSIDE_MARGIN;
    make_room_above(p, p->key_height + 2 * INSIDE_MARGIN);
  }
  p->key[0] = p->edge[DLS_LEFT] + box.left / f->width;
  p->key[1] = p->edge[DLS_BOTTOM] + box.top / f->height;
}

/* Room to the left of a frame for its ticks and the label of y, of names of ticks apart. Gnuplot places the label by the letters of the
 * script, of -3.0·10^{-4} by twelve. */
static double label_room(const dls_figure *f, const dls_panel *p)
{
  dls_tick ticks[DLS_MOST_TICKS];
  size_t longest = 0;
  if (f->text || p->y.label == NULL || p->y.names != NULL) {
    return 0;
  }
  const size_t count = dls_axis_ticks(&p->y, p->height / DLS_TICK_HEIGHT, false, ticks);
  for (size_t i = 0; i < count; i++) {
    const size_t length = letters(ticks[i].label, strstr(ticks[i].label, "·") == NULL);
    longest = length > longest ? length : longest;
  }
  return LABEL_ROOM + sizes_of(f)->letter * (double)longest +
         sizes_of(f)->line * (double)(line_count(p->y.label) - 1);
}

/* Is the label of y longer than the frame of a panel? */
static bool is_long(const dls_figure *f, size_t i)
{
  const dls_panel *p = f->panels[i];
  return p->y.label != NULL && sizes_of(f)->letter * (double)letters(p->y.label, true) > p->height;
}

/* Excess of the label of y over the height of its frame: it must not meet that of the panel above or below. */
static double overhang_of(const dls_figure *f, const place *at, size_t i)
{
  const double most = f->canvas.narrow ? NARROW_OVERHANG : LABEL_OVERHANG;
  const bool above = i >= at->columns, below = i + at->columns < f->panel_count;
  const bool shared = (above && is_long(f, i - at->columns)) || (below && is_long(f, i + at->columns));
  const double gap = f->panels[i]->above + f->panels[i]->below;
  return above || below ? fmin(most, shared ? gap : 2 * gap) : most;
}

/* Edges and key of panel i, whose frame starts `y` pixels below the top. */
static void set_panel(dls_figure *f, const place *at, size_t i, double y)
{
  dls_panel *p = f->panels[i];
  const double left = at->cell * (double)(i % at->columns) + at->left,
               right = left + at->cell - at->left - at->right;
  p->edge[DLS_LEFT] = left / f->width;
  p->edge[DLS_RIGHT] = right / f->width;
  p->edge[DLS_TOP] = 1 - y / f->height;
  p->edge[DLS_BOTTOM] = 1 - (y + p->height) / f->height;
  p->keyed = has_key(f, i);
  /* of the upper and lower panel, the label must not leave the figure */
  const double overhang = overhang_of(f, at, i);
  const double beyond = dls_canvas_is_tex(&f->canvas) ? overhang : 2 * fmin(y, f->height - y - p->height);
  p->y.label = f->text ? p->y.label : wrap(f, p->y.label, p->height + fmin(overhang, beyond));
  f->label_lines = line_count(p->y.label) > f->label_lines ? line_count(p->y.label) : f->label_lines;
  f->label_room = fmax(f->label_room, label_room(f, p));
  p->shade.label = wrap(f, p->shade.label, p->height);
  if (p->equal) {
    equal_scales(p, right - left);
  }
  dls_panel_place_texts(p, right - left, p->height);
  if (at->inside && p->keyed) {
    put_inside(f, p, right - left);
  } else if (at->beside) {
    p->key_columns = 1;
    p->key[0] = (right + BESIDE_GAP) / f->width;
    p->key[1] = p->edge[DLS_TOP];
  } else if (p->key_height < 0) {
    p->key[0] = p->edge[DLS_LEFT];
    p->key[1] = 1 - (y + p->key_height - KEY_GAP) / f->height;
  } else {
    p->key[0] = 0;
    p->key[1] = 1 - (y + p->height + p->below - p->key_height - sizes_of(f)->gap) / f->height;
  }
}

/* Heights of a row of panels: the largest of its members. */
typedef struct row {
  double above, frame, below, least;
} row;

static row row_of(const dls_figure *f, const place *at, size_t number)
{
  row r = {0, 0, 0, 0};
  for (size_t i = number * at->columns; i < f->panel_count && i < (number + 1) * at->columns; i++) {
    r.above = fmax(r.above, f->panels[i]->above);
    r.frame = fmax(r.frame, f->panels[i]->height);
    r.below = fmax(r.below, f->panels[i]->below);
    r.least = fmax(r.least, f->text ? LEAST_PANEL_LINES * sizes_of(f)->line : least_frame(f, f->panels[i]));
  }
  return r;
}

/* Height of the figure: as asked for; else that of its parts, in a journal at most its width. @param[in] around  what is not frames
 * @param[in] least  the same with the lowest frames */
static double height_of(const dls_figure *f, double around, double frames, double least)
{
  if (f->text || f->canvas.height > 0) {
    return f->canvas.height > 0 ? dls_canvas_height(&f->canvas) : DLS_CELL_HEIGHT * dls_terminal_lines();
  }
  const double height = ceil(around + frames);
  const double single = f->panel_count == 1 ? around + fmin(frames, LEAST_SINGLE) : 0;
  return f->canvas.form.style == DLS_PLOT_JOURNAL ? fmin(height, fmax(f->width, fmax(least, single))) : height;
}

/* The size that is given is too small for the panels: report the least one in its unit. */
static dls_status refuse_size(const dls_figure *f, double width, double height, dls_error *err)
{
  const dls_picture_form *form = &f->canvas.form;
  const double unit = form->width / f->width, rounded = form->centimetres ? 10 : 1;
  char given[DLS_PICTURE_SIZE_TEXT], least[DLS_PICTURE_SIZE_TEXT];
  dls_picture_size_print(form->width, form->height, form->centimetres, given);
  dls_picture_size_print(fmax(form->width, ceil(rounded * unit * width) / rounded),
                         fmax(form->height, ceil(rounded * unit * height) / rounded), form->centimetres, least);
  return dls_fail(
      err, DLS_ERR_OPTION,
      "%.200s: the size %s is too small for %zu panel%s with labels and key: it must be at least %s",
      f->canvas.path, given, f->panel_count, f->panel_count == 1 ? "" : "s", least);
}

/* @param[in] top, key  heights of what is above and below all panels */
static dls_status set_panels(dls_figure *f, const place *at, double top, double key, dls_error *err)
{
  double around = top + key, frames = 0, least = 0;
  for (size_t number = 0; number < at->rows; number++) {
    const row r = row_of(f, at, number);
    around += r.above + r.below;
    frames += r.frame;
    least += fmin(r.frame, r.least);
  }
  f->height = height_of(f, around, frames, around + least);
  const double width = at->left + at->right + LEAST_FRAME;
  if (f->canvas.form.width > 0 && (f->height + 1 < around + least || at->cell < width)) {
    return refuse_size(f, width * (double)at->columns, around + least, err);
  }
  f->low = f->height - around < comfortable * frames;
  /* what is more than the lowest frames is shared out */
  const double share = frames > least ? (fmax(least, f->height - around) - least) / (frames - least) : 0;
  for (size_t number = 0; number < at->rows; number++) {
    const row r = row_of(f, at, number);
    const double lowest = fmin(r.frame, r.least);
    for (size_t i = number * at->columns; i < f->panel_count && i < (number + 1) * at->columns; i++) {
      f->panels[i]->height = lowest + share * (r.frame - lowest);
    }
  }
  f->label_lines = 0;
  f->label_room = 0;
  for (size_t i = 0; i < f->panel_count; i++) {
    const row r = row_of(f, at, i / at->columns);
    set_panel(f, at, i, top + r.above);
    top += (i + 1) % at->columns == 0 ? r.above + r.frame + r.below : 0;
  }
  return DLS_OK;
}

/* Place of the key of the whole figure. gnuplot leaves out the entries for which a frame of one plot is too low: those of a higher key
 * belong to a plot of their own. */
static void set_figure_key(dls_figure *f, dls_panel *last, double key)
{
  const sizes *s = sizes_of(f);
  const double lines = last->key_rows + 1 + (f->key_title != NULL);
  last->key_apart = !f->text && s->key_line * lines > last->height;
  last->key[0] = f->canvas.narrow ? 0 : f->panels[0]->edge[DLS_LEFT];
  last->key[1] = key / f->height;
}

/* Lay out with letters of a size. */
static dls_status lay_out(dls_figure *f, dls_error *err)
{
  const sizes *s = sizes_of(f);
  f->key = f->canvas.form.key == DLS_PICTURE_KEY_NONE ? DLS_KEY_NONE : f->key;
  const place at = set_columns(f);
  join_title(f);
  for (size_t i = 0; i < f->panel_count; i++) {
    set_range(f->panels[i], 0, &f->panels[i]->x);
    set_range(f->panels[i], 1, &f->panels[i]->y);
  }
  share_x(f, &at);
  const double frame = at.cell - at.left - at.right;
  set_heights(f, frame);
  for (size_t i = 0; i < f->panel_count; i++) {
    measure_panel(f, &at, f->panels[i]);
    if (at.inside && has_key(f, i)) {
      measure_inside(f, f->panels[i], frame);
    }
  }
  dls_panel *last = f->panels[f->panel_count - 1];
  const bool below = f->key == DLS_KEY_BELOW && !at.inside;
  const double key = below ? measure_figure_key(f, last, at.left) : 0;
  const double heading =
      fmax(s->heading, s->line + HEADING_GAP) + s->line * (double)line_count(f->heading) - s->line;
  const dls_status status = set_panels(f, &at, f->heading != NULL ? heading : s->top, key, err);
  if (status == DLS_OK && below) {
    set_figure_key(f, last, key);
  }
  return status;
}

/* What the layout changes: the canvas, panels, titles of series. */
typedef struct original {
  dls_canvas canvas;
  dls_panel *panels;
  dls_series **series; /* of each panel */
} original;

static bool keep(dls_figure *f, original *out)
{
  out->canvas = f->canvas;
  out->panels = dls_pool_take(&f->pool, f->panel_count * sizeof *out->panels);
  out->series = dls_pool_take(&f->pool, f->panel_count * sizeof *out->series);
  for (size_t i = 0; i < f->panel_count && !f->pool.failed; i++) {
    const dls_panel *p = f->panels[i];
    out->panels[i] = *p;
    out->series[i] = dls_pool_take(&f->pool, (p->series_count + 1) * sizeof *p->series);
    if (out->series[i] != NULL && p->series_count > 0) {
      memcpy(out->series[i], p->series, p->series_count * sizeof *p->series);
    }
  }
  return !f->pool.failed;
}

static void restore(dls_figure *f, const original *before)
{
  f->canvas = before->canvas;
  for (size_t i = 0; i < f->panel_count; i++) {
    *f->panels[i] = before->panels[i];
    if (f->panels[i]->series_count > 0) {
      memcpy(f->panels[i]->series, before->series[i], f->panels[i]->series_count * sizeof *before->series[i]);
    }
  }
}

static dls_status lay_out_again(dls_figure *f, const original *before, double letters_now, dls_error *err)
{
  restore(f, before);
  f->canvas.letters = letters_now;
  return lay_out(f, err);
}

/* Of a picture whose size is given, or that must not be taller than wide, the letters become smaller until all fits. If ticks and
 * labels of y have no room even then, the frames become narrower. TeX has the letters of its document. */
dls_status dls_figure_layout(dls_figure *f, dls_error *err)
{
  original before;
  if (f->panel_count == 0 || f->failed || !keep(f, &before)) {
    f->failed = true;
    return DLS_OK;
  }
  const bool drawn = !f->text && !dls_canvas_is_tex(&f->canvas);
  const bool square = f->canvas.form.style == DLS_PLOT_JOURNAL && f->canvas.height == 0;
  const bool flexible = (f->canvas.height > 0 || square) && drawn;
  double letters_now = f->canvas.letters > 0 ? f->canvas.letters : 1;
  dls_status status = lay_out(f, flexible ? NULL : err);
  while (
      flexible && letters_now > least_letters + rounding && !f->pool.failed &&
      (status != DLS_OK || f->low || f->label_lines > MOST_LABEL_LINES || (square && f->height > f->width))) {
    letters_now -= letters_step;
    status = lay_out_again(f, &before, letters_now, err);
  }
  const double left = f->panels[0]->edge[DLS_LEFT] * f->width;
  if (drawn && status == DLS_OK && f->label_room > left + 1 && !f->pool.failed) {
    f->least_left = f->label_room;
    status = lay_out_again(f, &before, letters_now, err);
  }
  return status;
}

size_t dls_figure_most_panels(const dls_figure *figure)
{
  const double height = figure->canvas.height,
               lines = height > 0 ? height / DLS_CELL_HEIGHT : dls_terminal_lines();
  return figure->text ? (size_t)fmax(1, floor((lines - HEADING_LINES) / LEAST_PANEL)) : (size_t)-1;
}
