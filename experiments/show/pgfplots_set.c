/* experiments/show/pgfplots_set.c -- what `set` and `unset` say in gnuplot's scripts.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pgfplots_parts.h"
#include "experiments/show/pgfplots_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { PLACE_ROOM = 80 };
static const double letter_width = 7.8; /* pixels */

static void read_label(const char *at, dls_tex_label *label)
{
  dls_token token;
  dls_script_token(&at, &token);
  snprintf(label->text, sizeof label->text, "%.399s", token.text);
  label->plain = strstr(at, "noenhanced") != NULL;
}

/* "[0:10]"; "[*<-1:1<*]" covers -1 and 1. */
static void read_range(const char *at, dls_tex_axis *axis)
{
  dls_token token;
  dls_script_token(&at, &token);
  const char *colon = strchr(token.text, ':');
  if (colon == NULL) {
    return;
  }
  snprintf(axis->low, sizeof axis->low, "%.*s", (int)(colon - token.text) - 1, token.text + 1);
  snprintf(axis->high, sizeof axis->high, "%.*s", (int)strcspn(colon + 1, "]"), colon + 1);
}

/* "at screen 0,0.1", "at graph 0,1.02", then words */
static void read_key(dls_tex_picture *p, const char *at)
{
  dls_token token;
  p->key.off = false;
  p->key.plain = false;
  p->key.columns = 1;
  p->key.title[0] = '\0';
  for (;;) {
    const char *next = at;
    dls_script_token(&next, &token);
    if (token.kind == DLS_TOKEN_END) {
      return;
    }
    if (dls_script_takes(&at, "at")) {
      p->key.of_panel = dls_script_takes(&at, "graph");
      dls_script_takes(&at, "screen");
      p->key.x = dls_script_number(&at);
      at += *at == ',';
      p->key.y = dls_script_number(&at);
    } else if (dls_script_takes(&at, "maxcols")) {
      p->key.columns = (int)dls_script_number(&at);
    } else if (dls_script_takes(&at, "title")) {
      dls_script_token(&at, &token);
      snprintf(p->key.title, sizeof p->key.title, "%.199s", token.text);
    } else {
      p->key.above = p->key.above || strcmp(token.text, "bottom") == 0;
      p->key.plain = p->key.plain || strcmp(token.text, "noenhanced") == 0;
      at = next;
    }
  }
}

/* "graph 0.1,0.2" or "0.1,0.2" as a place of TikZ. */
static void read_place(const char **at, char place[PLACE_ROOM])
{
  const bool graph = dls_script_takes(at, "graph");
  const double x = dls_script_number(at);
  *at += **at == ',';
  snprintf(place, PLACE_ROOM, "(%s cs:%.10g,%.10g)", graph ? "rel axis" : "axis", x, dls_script_number(at));
}

/* "'text' at PLACE left|right|center [offset X,Y] [textcolor rgb 'C'] [front]" */
static void read_mark(dls_tex_picture *p, const char *at)
{
  const double letter[2] = {0.55, 1.2}; /* em; of gnuplot's offsets */
  dls_token text, word;
  char place[PLACE_ROOM];
  dls_script_token(&at, &text);
  dls_script_takes(&at, "at");
  read_place(&at, place);
  fputs("\\node[inner sep=0pt", p->marks);
  for (dls_script_token(&at, &word); word.kind != DLS_TOKEN_END; dls_script_token(&at, &word)) {
    if (strcmp(word.text, "left") == 0 || strcmp(word.text, "right") == 0) {
      fprintf(p->marks, ",anchor=%s", word.text[0] == 'l' ? "west" : "east");
    } else if (strcmp(word.text, "offset") == 0) {
      const double x = dls_script_number(&at);
      at += *at == ',';
      fprintf(p->marks, ",xshift=%.3gem,yshift=%.3gem", letter[0] * x, letter[1] * dls_script_number(&at));
    } else if (strcmp(word.text, "rgb") == 0) {
      dls_script_token(&at, &word);
      fputc(',', p->marks);
      dls_tex_colour(p->marks, "text", word.text);
    }
  }
  fprintf(p->marks, "] at %s {", place);
  dls_tex_text(p->marks, text.text, true);
  fputs("};\n", p->marks);
}

/* "from PLACE to PLACE linecolor rgb 'C' ..." */
static void read_arrow(dls_tex_picture *p, const char *at)
{
  const char *colour = strchr(at, '\'');
  dls_token token = {.text = "black"};
  char from[PLACE_ROOM], to[PLACE_ROOM];
  if (colour != NULL) {
    dls_script_token(&colour, &token);
  }
  dls_script_takes(&at, "from");
  read_place(&at, from);
  dls_script_takes(&at, "to");
  read_place(&at, to);
  fputs("\\draw[->,", p->marks);
  dls_tex_colour(p->marks, "color", token.text);
  fprintf(p->marks, "] %s -- %s;\n", from, to);
}

/* "rectangle from first X, graph 0 to first X, graph 1 ... fillcolor rgb 'C'": the whole height of the panel. */
static void read_rectangle(dls_tex_picture *p, const char *at)
{
  const char *colour = strchr(at, '\''), *second = strstr(at, "to first ");
  dls_token token;
  if (strstr(at, "from graph 0,0 to graph 1,1") != NULL && colour != NULL) { /* the ground of the panel */
    dls_script_token(&colour, &token);
    fputs("\\fill[", p->behind);
    dls_tex_colour(p->behind, "fill", token.text);
    fputs("] (rel axis cs:0,0) rectangle (rel axis cs:1,1);\n", p->behind);
    return;
  }
  at = strstr(at, "from first ");
  if (at == NULL || second == NULL || colour == NULL) {
    return;
  }
  at += strlen("from first ");
  second += strlen("to first ");
  dls_script_token(&colour, &token);
  fputs("\\fill[", p->behind);
  dls_tex_colour(p->behind, "fill", token.text);
  fprintf(p->behind,
          "] ({axis cs:%.10g,0}|-{rel axis cs:0,0}) rectangle ({axis cs:%.10g,0}|-{rel axis cs:0,1});\n",
          dls_script_number(&at), dls_script_number(&second));
}

/* Numbers with commas between them. */
static void read_numbers(const char **at, size_t count, double *numbers)
{
  for (size_t i = 0; i < count; i++) {
    *at += strspn(*at, " ");
    dls_script_takes(at, "graph");
    numbers[i] = dls_script_number(at);
    if (**at != ',') {
      return;
    }
    ++*at;
  }
}

/* "layout R,C [margins L,R,B,T] [spacing X,Y]" */
static void read_layout(dls_tex_picture *p, const char *at)
{
  double size[2] = {0, 0};
  if (dls_script_takes(&at, "layout")) {
    read_numbers(&at, 2, size);
    p->rows = (int)size[0];
    p->columns = (int)size[1];
  }
  if (dls_script_takes(&at, "margins")) {
    read_numbers(&at, DLS_TEX_EDGES, p->margin);
  }
  if (dls_script_takes(&at, "spacing")) {
    p->gap[1] = NAN;
    read_numbers(&at, 2, p->gap);
    p->gap[1] = isnan(p->gap[1]) ? p->gap[0] : p->gap[1];
  }
}

/* "at screen X", or in letters from the edge of the picture. */
static void read_edge(dls_tex_picture *p, const char *at, int edge)
{
  const bool screen = dls_script_takes(&at, "at");
  dls_script_takes(&at, "screen");
  const double x = dls_script_number(&at), letters = x * letter_width / p->width;
  if (screen) {
    p->edge[edge] = x;
  } else if (edge <= DLS_TEX_RIGHT) { /* lines of letters above and below are gnuplot's own */
    p->edge[edge] = edge == DLS_TEX_LEFT ? letters : 1 - letters;
  }
}

static void read_ticks(const char *at, dls_tex_axis *axis)
{
  dls_token token;
  dls_script_token(&at, &token);
  snprintf(axis->ticks, sizeof axis->ticks, "%s", token.text[0] == '(' ? token.text : "");
}

/* One of the axes: "xlabel", "yrange", ... @return whether it is */
static bool set_axis(dls_tex_picture *p, const char *what, const char *at)
{
  dls_tex_axis *axis = &p->axis[what[0] == 'y'];
  if (what[0] != 'x' && what[0] != 'y') {
    return false;
  }
  if (strcmp(what + 1, "label") == 0) {
    read_label(at, &axis->label);
  } else if (strcmp(what + 1, "range") == 0) {
    read_range(at, axis);
  } else if (strcmp(what + 1, "tics") == 0) {
    read_ticks(at, axis);
  } else if (strcmp(what, "xzeroaxis") == 0) {
    p->zero_line = true;
  } else {
    return false;
  }
  return true;
}

/* "logscale x", "format y '%g'" @return whether it is one of these */
static bool set_scale(dls_tex_picture *p, const char *what, const char *at)
{
  const bool y = at[strspn(at, " ")] == 'y', shade = at[strspn(at, " ")] == 'c';
  if (strcmp(what, "logscale") == 0) {
    *(shade ? &p->shade_log : &p->axis[y].log) = true;
  } else if (strcmp(what, "format") == 0) {
    dls_token token;
    dls_script_token(&at, &token);
    dls_script_token(&at, &token);
    p->axis[y].unlabelled = token.text[0] == '\0';
  } else {
    return false;
  }
  return true;
}

static bool set_edge(dls_tex_picture *p, const char *what, const char *at)
{
  static const char *const names[] = {"lmargin", "rmargin", "bmargin", "tmargin"};
  for (int i = 0; i < DLS_TEX_EDGES; i++) {
    if (strcmp(what, names[i]) == 0) {
      read_edge(p, at, i);
      return true;
    }
  }
  return false;
}

/* What is nothing to TeX: files, frames, colours of the palette, which is written once. */
static bool is_passed(const char *what)
{
  static const char *const names[] = {"encoding", "terminal",  "output",  "border",
                                      "grid",     "autoscale", "palette", "colorbox"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    if (strcmp(what, names[i]) == 0) {
      return true;
    }
  }
  return false;
}

bool dls_tex_set(dls_tex_picture *p, const char *at)
{
  dls_token what;
  dls_script_token(&at, &what);
  if (strcmp(what.text, "title") == 0) {
    read_label(at, &p->title);
  } else if (strcmp(what.text, "cblabel") == 0) {
    read_label(at, &p->shade);
  } else if (strcmp(what.text, "cbrange") == 0) {
    dls_tex_axis range = {0};
    read_range(at, &range);
    p->shade_low = strtod(range.low, NULL);
    p->shade_high = strtod(range.high, NULL);
  } else if (strcmp(what.text, "key") == 0) {
    read_key(p, at);
  } else if (strcmp(what.text, "label") == 0) {
    read_mark(p, at);
  } else if (strcmp(what.text, "arrow") == 0) {
    read_arrow(p, at);
  } else if (strcmp(what.text, "object") == 0) {
    read_rectangle(p, at);
  } else if (strcmp(what.text, "multiplot") == 0) {
    read_layout(p, at);
  } else if (strcmp(what.text, "offsets") == 0) {
    read_numbers(&at, DLS_TEX_EDGES, p->offset); /* left, right, above, below */
  } else if (strcmp(what.text, "size") == 0) {
    p->equal = true;
  } else {
    return set_axis(p, what.text, at) || set_scale(p, what.text, at) || set_edge(p, what.text, at) ||
           is_passed(what.text);
  }
  return true;
}

/* Of all axes, or of one: "y", "cb". */
static void unset_logscale(dls_tex_picture *p, const char *at)
{
  dls_token axis;
  dls_script_token(&at, &axis);
  const bool all = axis.kind == DLS_TOKEN_END;
  p->axis[0].log = p->axis[0].log && !all && axis.text[0] != 'x';
  p->axis[1].log = p->axis[1].log && !all && axis.text[0] != 'y';
  p->shade_log = p->shade_log && !all && axis.text[0] != 'c';
}

bool dls_tex_unset(dls_tex_picture *p, const char *what)
{
  if (dls_script_takes(&what, "logscale")) {
    unset_logscale(p, what);
    return true;
  }
  if (dls_script_takes(&what, "grid")) {
    return true;
  }
  const bool key = dls_script_takes(&what, "key");
  p->key.off = p->key.off || key;
  return key || dls_script_takes(&what, "multiplot");
}
