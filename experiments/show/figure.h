/* experiments/show/figure.h -- a figure is data: panels with axes, series and marks, and tables of numbers.
 *
 *   dls_figure figure;
 *   dls_figure_begin(&figure, canvas, 1000);
 *   figure.title.model = "bouncing-ball";
 *   dls_panel *panel = dls_figure_panel(&figure, 300);
 *   panel->x.label = "t [s]";
 *   dls_plot_table *table = dls_plot_table_new(&figure, 2, "run_%s", "q0");
 *   dls_plot_table_add(table, (double[]){0, 1});
 *   dls_panel_add(&figure, panel, &(dls_series){.table = table, .style = dls_style_of(0), .title = "q0"});
 *   return dls_figure_finish(&figure, DLS_OK, err);
 *
 * Functions that build need no checks: a figure without memory is refused by dls_figure_finish. Ranges, ticks, edges of
 * panels, places of keys and line breaks are decided by dls_figure_layout; the writers (gnuplot_figure.c, pgfplots.c)
 * only write them out. Lengths are pixels of a layout whose letters are 13 pixels high.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_FIGURE_H
#define DELASSUS_EXPERIMENTS_FIGURE_H

#include "common/base/pool.h"
#include "experiments/show/canvas.h"

#include <delassus/error.h>

/* --- styles --- */

/** Dashes and marks by gnuplot's numbers; a filled mark less one is the hollow mark. */
typedef enum dls_dash {
  DLS_SOLID = 1,
  DLS_DASHED,
  DLS_DOTTED,
  DLS_DASH_DOT,
  DLS_DASH_DOT_DOT,
  DLS_LONG_DASHES,
  DLS_LONG_SHORT,
  DLS_DASH_DASH_DOT,
  DLS_LOOSE_DOTS,
  DLS_LONG_SHORT_SHORT,
  DLS_DASH_THREE_DOTS,
  DLS_SHORT_DASHES,
  DLS_DASHES_END
} dls_dash;
/** Lengths of dashes and gaps in turn [pixels], of a thin line; ends with 0. A solid line has none: NULL. */
const double *dls_dash_pattern(dls_dash dash);
/** Factor of these lengths for a line of another width: dashes grow more slowly than lines, so that a key shows the whole pattern. */
double dls_dash_stretch(double width);
typedef enum dls_point {
  DLS_PLUS = 1,
  DLS_CROSS,
  DLS_STAR,
  DLS_HOLLOW_SQUARE,
  DLS_SQUARE = 5,
  DLS_CIRCLE,
  DLS_DISC,
  DLS_TRIANGLE = 9,
  DLS_HOLLOW_DOWN,
  DLS_DOWN,
  DLS_HOLLOW_DIAMOND,
  DLS_DIAMOND,
  DLS_PENTAGON = 15
} dls_point;
/** The hollow mark of a filled one; others stay as they are. */
dls_point dls_point_hollow(dls_point point);

typedef struct dls_style {
  const char *colour; /* "#RRGGBB" */
  dls_dash dash;
  dls_point point;
} dls_style;

/** Style i of twelve: no colour, dash or mark of one is that of another. The first seven colours are those of Okabe and Ito, for the
 * colour-blind. Repeats. */
dls_style dls_style_of(size_t i);
enum { DLS_STYLES = 12 };
/** A line of one colour. */
dls_style dls_style_line(const char *colour, dls_dash dash);
#define DLS_GREY "#B0B0B0"  /* reference solutions */
#define DLS_SHADE "#E4E4E4" /* phases of stick */
/** Width of curve i of `count` drawn one over the other: it decreases, so that curves that agree remain visible. */
double dls_curve_width(size_t i, size_t count);

/* --- tables --- */

/** Rows of numbers. A row whose first number is NaN ends a curve. */
typedef struct dls_plot_table {
  char name[80];
  size_t columns, rows, room;
  int digits; /* significant, in files; 10 */
  double *values;
  bool *failed; /* no memory */
} dls_plot_table;

void dls_plot_table_add(dls_plot_table *table, const double *row);
/** End a curve: what follows is not joined with it. */
void dls_plot_table_break(dls_plot_table *table);

/* --- series, marks, axes --- */

typedef enum dls_series_kind {
  DLS_SERIES_LINES, /* x, y */
  DLS_SERIES_POINTS,
  DLS_SERIES_LINES_POINTS,
  DLS_SERIES_STEPS,
  DLS_SERIES_STEMS,
  DLS_SERIES_AREA,  /* a closed polygon x, y with a border */
  DLS_SERIES_BAND,  /* x, lower, upper */
  DLS_SERIES_BARS,  /* x, y, lower, upper */
  DLS_SERIES_BOXES, /* x, y, left, right, lower, upper, value in shades */
  DLS_SERIES_IMAGE, /* x, y, value in shades, all y of one x after each other */
  DLS_SERIES_ARROWS /* x, y, dx, dy */
} dls_series_kind;

typedef struct dls_series {
  dls_series_kind kind;
  const dls_plot_table *table; /* NULL: only in the key */
  size_t y;                    /* column of y from 0; 0 means 1 */
  dls_style style;
  double width, size;    /* of lines (0: 1) and points (0: 1); a negative size: no points */
  unsigned transparency; /* 0: opaque, 255: invisible */
  const char *title;     /* in the key; NULL: not there */
} dls_series;

typedef enum dls_mark_kind {
  DLS_MARK_TEXT,  /* at x, y */
  DLS_MARK_ARROW, /* from x, y to x2, y2 */
  DLS_MARK_PHASE, /* the height of the panel shaded from x to x2 */
  DLS_MARK_GROUND /* the whole panel hatched: what is not covered has no value */
} dls_mark_kind;

/** Where a text is: at x, y on the axes, from there `dx` letters and `dy` lines. */
typedef struct dls_text_place {
  double x, y;
  int align; /* -1: the text begins at x, 0: centred, 1: ends there */
  double dx, dy;
} dls_text_place;

typedef struct dls_mark {
  dls_mark_kind kind;
  bool of_panel; /* x and y are fractions of the panel, not numbers on its axes */
  double x, y, x2, y2;
  const char *text, *colour;
  int align;     /* -1: the text begins at x, 0: centred, 1: ends there */
  double dx, dy; /* from there, letters and lines */
  const dls_text_place
      *places; /* of a text on the axes, best first: the layout takes the first that is clear; NULL: it stays */
  size_t place_count;
} dls_mark;

typedef struct dls_axis {
  const char *label; /* "velocity v_{0} [m/s]" */
  bool plain;        /* _ and ^ in the label are characters */
  bool log, unlabelled;
  const char *const *names; /* ticks are at 1, 2, ... and have these names; NULL: they are numbers */
  size_t name_count;
  double low, high; /* low < high: given; else from the data */
  double room[2];   /* around the data, fractions of their range */
  bool covers;      /* from the data, and from cover[0] to cover[1] at least */
  double cover[2];
} dls_axis;

enum { DLS_LEFT, DLS_RIGHT, DLS_BOTTOM, DLS_TOP, DLS_EDGES };

typedef struct dls_panel {
  dls_axis x, y, shade; /* shade: with a label there is a scale of shades */
  const char *title;
  double height;  /* of the frame; with equal scales 0: as the data need it */
  bool equal;     /* metres per pixel are the same along both axes */
  bool zero_line; /* at y = 0 */
  bool no_grid;
  size_t series_count, series_room, mark_count, mark_room;
  dls_series *series;
  dls_mark *marks;
  /* by dls_figure_layout */
  double edge[DLS_EDGES]; /* fractions of the figure, from the lower left */
  bool keyed;
  double key[2];                   /* upper left corner of the key */
  int key_columns, key_rows;       /* rows: of a key of several columns that are filled one after the other */
  bool key_apart;                  /* the key is higher than the frame */
  double above, below, key_height; /* pixels around the frame; negative: the key is above it */
  size_t key_lines;                /* of a key beside or below the frame of its panel */
  double key_width;                /* of a key inside the frame, pixels */
} dls_panel;

/** Where a key is: below all panels, with the entries of the last one; or of each panel: beside it, where the figure is
 * narrow above it if its entries are short, else below. */
typedef enum dls_key_policy { DLS_KEY_BELOW, DLS_KEY_OF_PANEL, DLS_KEY_NONE } dls_key_policy;

typedef struct dls_figure {
  dls_canvas canvas;
  bool text;        /* made of characters in the terminal */
  int wide;         /* width where the canvas does not say */
  size_t columns;   /* of panels, where the figure is not narrow; 0: 1 */
  bool two_columns; /* panels beside each other take both columns of a paper */
  bool one_x;       /* panels below each other have one x-axis: only the last one has a label */
  struct {
    const char *model, *schemes, *interval, *step, *remark;
  } title; /* NULL: left out; joined by commas, the remark by a blank */
  bool always_titled;
  const char *note; /* in small letters at the right edge of figures with a title */
  dls_key_policy key;
  const char *key_title;
  bool markup; /* titles of series have indices: q_{0} */
  size_t panel_count, panel_room, table_count, table_room;
  dls_panel **panels;
  dls_plot_table **tables;
  dls_pool pool; /* texts, panels, tables */
  bool failed;   /* no memory */
  dls_panel spare_panel;
  dls_plot_table spare_table;
  /* by dls_figure_layout */
  double width, height;
  bool low;           /* the frames: smaller letters would be better */
  size_t label_lines; /* most of a label of y */
  double label_room,
      least_left;        /* left of frames: what ticks and labels of y need, and what they get at least */
  const char *heading;   /* NULL: no title on this canvas */
  const char *described; /* the same words in any case */
} dls_figure;

void dls_figure_begin(dls_figure *figure, const dls_canvas *canvas, int wide);
/** A text that lives as long as the figure. */
const char *dls_figure_text(dls_figure *figure, const char *format, ...) __attribute__((format(printf, 2, 3)));
dls_plot_table *dls_plot_table_new(dls_figure *figure, size_t columns, const char *name, ...)
    __attribute__((format(printf, 3, 4)));
dls_panel *dls_figure_panel(dls_figure *figure, double height);
void dls_panel_add(dls_figure *figure, dls_panel *panel, const dls_series *series);
void dls_panel_mark(dls_figure *figure, dls_panel *panel, const dls_mark *mark);
/** The number of panels that are legible together; few in a terminal. */
size_t dls_figure_most_panels(const dls_figure *figure);
/** The same height on every canvas: `wide` pixels where there is room, else `narrow`. */
double dls_figure_either(const dls_figure *figure, double wide, double narrow);
/**
 * Lay out, write, run gnuplot, and release the figure. @param[in] status  of what built it: if that failed, only release
 * @return status; as dls_plot_check and dls_figure_layout; DLS_ERR_MEMORY; DLS_ERR_IO, and nothing is left behind
 */
dls_status dls_figure_finish(dls_figure *figure, dls_status status, dls_error *err);

/* --- for the writers --- */

/** @return DLS_ERR_OPTION with the least size, if the panels do not fit into the one that is given; DLS_ERR_MEMORY */
dls_status dls_figure_layout(dls_figure *figure, dls_error *err);

/** Pixels from the lower left corner of a frame. */
typedef struct dls_box {
  double left, right, bottom, top;
} dls_box;
/** Has a rectangle of a frame of that size, whose ranges are known, no curve, point or text in it? */
bool dls_panel_is_free(const dls_panel *panel, double width, double height, const dls_box *box);
/** Put each text that has several places where it covers least of curves, points and other texts. */
void dls_panel_place_texts(dls_panel *panel, double width, double height);

typedef struct dls_tick {
  double at;
  char at_text[24];
  char label[32]; /* "": a small tick */
} dls_tick;
enum { DLS_MOST_TICKS = 700, DLS_TICK_HEIGHT = 32 /* least distance of linear ticks along y, pixels */ };
/**
 * Ticks of an axis whose range is known: round numbers; of a logarithmic one powers of ten, on one with fewer than two
 * of them also 2, 5 and if need be all digits.
 * @param[in] most  labels there is room for, of a linear axis  @param[in] text  for the terminal
 * @return their number
 */
size_t dls_axis_ticks(const dls_axis *axis, double most, bool text, dls_tick ticks[DLS_MOST_TICKS]);

/** Place of a number on an axis whose range is known, 0 at its low end and 1 at its high end; NaN where it has none. */
double dls_axis_part(const dls_axis *axis, double x);
/** A text in one line without the markup of indices: "q_{0}" is q0. */
void dls_figure_plain_text(const char *text, char plain[400]);
/** Write the script of gnuplot, run it, keep it beside the picture. */
dls_status dls_gnuplot_draw(const dls_figure *figure, dls_error *err);
/** Write a file for TeX: part of a document that loads pgfplots, and a page by itself. */
dls_status dls_pgfplots_draw(const dls_figure *figure, dls_error *err);

#endif
