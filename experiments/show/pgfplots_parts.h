/* experiments/show/pgfplots_parts.h -- what pgfplots.c and pgfplots_plot.c share.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DELASSUS_EXPERIMENTS_PGFPLOTS_PARTS_H
#define DELASSUS_EXPERIMENTS_PGFPLOTS_PARTS_H

#include "experiments/show/pgfplots.h"
#include "experiments/show/pgfplots_script.h"

enum { DLS_TEX_LEFT, DLS_TEX_RIGHT, DLS_TEX_BOTTOM, DLS_TEX_TOP, DLS_TEX_EDGES };

/** A text that `set` has given. */
typedef struct dls_tex_label {
  char text[400];
  bool plain; /* noenhanced */
} dls_tex_label;

typedef struct dls_tex_axis {
  dls_tex_label label;
  char low[40], high[40]; /* "*", "": chosen by pgfplots */
  bool log, unlabelled;
  char ticks[DLS_TOKEN_ROOM]; /* "('1' 1, ...)"; "": chosen by pgfplots */
} dls_tex_axis;

/** What the script has said so far. */
typedef struct dls_tex_picture {
  FILE *out;
  const char *script;
  const dls_canvas *canvas;
  double width, height; /* of the layout [pixels] */
  double point;         /* of TeX in a pixel */
  dls_tex_axis axis[2]; /* x, y */
  dls_tex_label title, shade;
  double shade_low, shade_high; /* of the shades; NaN: those of the data */
  bool shade_log;
  double edge[DLS_TEX_EDGES]; /* of the next panel, parts of the picture; NaN: not said */
  int rows, columns, panel;   /* of a layout; rows 0: there is none */
  double margin[DLS_TEX_EDGES], gap[2];
  double offset[DLS_TEX_EDGES]; /* room around the data, parts of the panel */
  bool equal, zero_line;        /* scales; a line at y = 0 */
  struct {
    bool off, plain, of_panel; /* of_panel: its place is in parts of the panel */
    double x, y;               /* its corner; NaN: not said */
    bool above;                /* the lower left corner is meant */
    int columns;
    char title[200];
  } key;
  FILE *marks, *behind; /* labels and arrows; rectangles under the data: of every panel */
  char *marks_text, *behind_text;
} dls_tex_picture;

/** Take what a statement says from behind `set` or `unset` on. @return whether it is known */
bool dls_tex_set(dls_tex_picture *p, const char *at);
bool dls_tex_unset(dls_tex_picture *p, const char *what);
/** Write the items of a plot command, from behind the word on. @return DLS_ERR_ARG, with the words */
dls_status dls_tex_plot(dls_tex_picture *p, const char *items, dls_error *err);

#endif
