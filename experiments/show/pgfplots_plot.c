/* experiments/show/pgfplots_plot.c -- items of plot commands as \addplot, their data inline.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pgfplots_parts.h"
#include "experiments/show/pgfplots_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_COLUMNS = 8, NAME_ROOM = 120, EVERY = 6 };

/* One item of a plot command. */
typedef struct item {
  char source[NAME_ROOM];  /* "$name", "NaN", "0", "keyentry" */
  char columns[NAME_ROOM]; /* "1:2" */
  char with[40];
  char colour[40], border[40];
  double width, size;
  int dash, point;
  long every[EVERY]; /* as gnuplot numbers them; the last two -1: to the end */
  bool titled;
  dls_token title;
} item;

static const char *const dashes[] = {"solid", "solid", "dashed", "densely dotted", "dash dot", "dash dot dot"};

/* Marks of gnuplot's points from 1 on. */
static const char *const marks[] = {"",
                                    "+",
                                    "x",
                                    "asterisk",
                                    "square",
                                    "square*",
                                    "o",
                                    "*",
                                    "triangle",
                                    "triangle*",
                                    "triangle,mark options={solid,rotate=180}",
                                    "triangle*,mark options={solid,rotate=180}",
                                    "diamond",
                                    "diamond*",
                                    "pentagon",
                                    "pentagon*"};
enum { DASHES = sizeof dashes / sizeof dashes[0], MARKS = sizeof marks / sizeof marks[0] };

static dls_status refuse(const char *what, const char *word, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "a picture for TeX: %s '%.60s' is not written", what, word);
}

/* "rgb '#0072B2'" */
static void read_colour(const char **at, char colour[40])
{
  dls_token token;
  if (dls_script_takes(at, "palette")) {
    return;
  }
  dls_script_takes(at, "rgb");
  dls_script_token(at, &token);
  snprintf(colour, 40, "%.39s", token.text);
}

static void read_every(const char **at, item *i)
{
  dls_token token;
  dls_script_token(at, &token);
  const char *text = token.text;
  for (size_t k = 0; k < EVERY && *text != '\0'; k++) {
    char *end = NULL;
    i->every[k] = strtol(text, &end, 10);
    text = end + (*end == ':');
  }
}

static void read_word(const char **at, char *word, size_t room)
{
  dls_token token;
  dls_script_token(at, &token);
  snprintf(word, room, "%.*s", (int)room - 1, token.text);
}

/* One property of an item. @return whether it is known */
static bool read_property(const char **at, item *i)
{
  if (dls_script_takes(at, "using")) {
    read_word(at, i->columns, sizeof i->columns);
  } else if (dls_script_takes(at, "every")) {
    read_every(at, i);
  } else if (dls_script_takes(at, "with")) {
    read_word(at, i->with, sizeof i->with);
  } else if (dls_script_takes(at, "border")) {
    *at += strspn(*at, " ");
    dls_script_takes(at, "linecolor");
    read_colour(at, i->border);
  } else if (dls_script_takes(at, "linecolor") || dls_script_takes(at, "lc")) {
    read_colour(at, i->colour);
  } else if (dls_script_takes(at, "linewidth") || dls_script_takes(at, "lw")) {
    i->width = dls_script_number(at);
  } else if (dls_script_takes(at, "dashtype") || dls_script_takes(at, "dt")) {
    i->dash = (int)dls_script_number(at);
  } else if (dls_script_takes(at, "pointtype") || dls_script_takes(at, "pt")) {
    i->point = (int)dls_script_number(at);
  } else if (dls_script_takes(at, "pointsize") || dls_script_takes(at, "ps")) {
    i->size = dls_script_number(at);
  } else if (dls_script_takes(at, "linetype")) {
    dls_script_number(at); /* -2: of entries without a sample */
  } else if (dls_script_takes(at, "title")) {
    dls_script_token(at, &i->title);
    i->titled = i->title.text[0] != '\0';
  } else {
    static const char *const passed[] = {"notitle", "fillstyle", "solid", "noborder",
                                         "closed",  "head",      "filled"};
    for (size_t k = 0; k < sizeof passed / sizeof passed[0]; k++) {
      if (dls_script_takes(at, passed[k])) {
        return true;
      }
    }
    return false;
  }
  return true;
}

/* Up to the comma or the end. @return DLS_ERR_ARG for a word that is not known */
static dls_status read_item(const char **at, item *i, dls_error *err)
{
  *i = (item){.with = "lines",
              .colour = "black",
              .width = 1,
              .size = 1,
              .dash = 1,
              .point = 7,
              .every = {1, 1, 0, 0, -1, -1}};
  read_word(at, i->source, sizeof i->source);
  for (;;) {
    const char *next = *at;
    dls_token token;
    dls_script_token(&next, &token);
    if (token.kind == DLS_TOKEN_END || token.kind == DLS_TOKEN_COMMA) {
      *at = next;
      return DLS_OK;
    }
    if (!read_property(at, i)) {
      return refuse("the word", token.text, err);
    }
  }
}

/* --- data --- */

/* The lines of "$name << EOD". @return NULL: there is no such block */
static const char *find_block(const dls_tex_picture *p, const char *name)
{
  char head[NAME_ROOM + 20];
  snprintf(head, sizeof head, "%s << EOD\n", name);
  const char *at = strstr(p->script, head);
  return at == NULL ? NULL : at + strlen(head);
}

/* TeX has no number beyond 16383 pt: what is far outside of the panel is drawn nearer. */
static double clip(const dls_tex_axis *axis, double x)
{
  const double far = 10; /* panels */
  char *low_end = NULL, *high_end = NULL;
  const double low = strtod(axis->low, &low_end), high = strtod(axis->high, &high_end);
  if (low_end == axis->low || high_end == axis->high || !(high > low)) {
    return x;
  }
  const double factor = axis->log ? pow(high / low, far) : 1, reach = far * (high - low);
  return axis->log ? fmin(fmax(x, low / factor), high * factor) : fmin(fmax(x, low - reach), high + reach);
}

/* A number of the script as it is written, where it can be. @param[in] axis  along which it lies, or NULL */
static void put_number(FILE *out, const char *text, bool negative, const dls_tex_axis *axis)
{
  const double value = text[0] == '\0' ? NAN : strtod(text, NULL), x = negative ? -value : value;
  const double drawn = axis != NULL && !isnan(x) ? clip(axis, x) : x;
  if (isnan(x)) {
    fputs("nan ", out);
  } else if (negative || drawn != x) {
    fprintf(out, "%.10g ", drawn);
  } else {
    fprintf(out, "%s ", text);
  }
}

/* The columns "1:2" of a line; "(-$2)" is the second with its sign changed. */
static void put_row(const dls_tex_picture *p, const char *line, const char *columns)
{
  char field[MOST_COLUMNS][40] = {{0}};
  for (size_t k = 0; k < MOST_COLUMNS && *line != '\n'; k++) {
    const size_t length = strcspn(line, " \n");
    snprintf(field[k], sizeof field[k], "%.*s", (int)length, line);
    line += length;
    line += strspn(line, " ");
  }
  size_t number = 0; /* x, y, and what is no place */
  for (const char *c = columns; *c != '\0'; number++) {
    const bool negative = *c == '(';
    const long column = strtol(c + (negative ? strspn(c, "(-$") : 0), NULL, 10);
    const char *text = column >= 1 && column <= MOST_COLUMNS ? field[column - 1] : "";
    put_number(p->out, text, negative, number < 2 ? &p->axis[number] : NULL);
    c += strcspn(c, ":");
    c += *c == ':';
  }
  fputs("\\\\\n", p->out);
}

static size_t count_columns(const char *columns)
{
  size_t count = 1;
  for (; *columns != '\0'; columns++) {
    count += *columns == ':';
  }
  return count;
}

static bool is_chosen(const item *i, long block, long point)
{
  return block >= i->every[3] && (i->every[5] < 0 || block <= i->every[5]) && point >= i->every[2] &&
         (i->every[4] < 0 || point <= i->every[4]);
}

/* Rows of a block; an empty line, which ends a curve, becomes one without numbers. */
static void put_rows(const dls_tex_picture *p, const char *data, const item *i, const char *columns)
{
  static const char end[] = "EOD\n";
  long block = 0, point = 0;
  bool drawn = false;
  for (const char *line = data; strncmp(line, end, sizeof end - 1) != 0; line = strchr(line, '\n') + 1) {
    if (*line == '\n') {
      for (size_t k = count_columns(columns); k > 0 && drawn; k--) {
        fputs(k > 1 ? "nan " : "nan \\\\\n", p->out);
      }
      block += point > 0;
      point = 0;
      drawn = false;
      continue;
    }
    if (is_chosen(i, block, point)) {
      put_row(p, line, columns);
      drawn = true;
    }
    point++;
  }
}

/* A band "1:2:3" is an area: its lower edge, and its upper one backwards. */
static void put_band(const dls_tex_picture *p, const char *data)
{
  static const char end[] = "EOD\n";
  const char *line = data;
  const item all = {.every = {1, 1, 0, 0, -1, -1}};
  put_rows(p, data, &all, "1:2");
  while (strncmp(line, end, sizeof end - 1) != 0) {
    line = strchr(line, '\n') + 1;
  }
  while (line > data) {
    line--;
    while (line > data && line[-1] != '\n') {
      line--;
    }
    put_row(p, line, "1:3");
  }
}

/* --- styles --- */

static void put_line_style(const dls_tex_picture *p, const item *i)
{
  const double unit = dls_canvas_magnification(p->canvas)->tex.line / 1.5; /* most lines are 1.5 wide */
  fprintf(p->out, ",line width=%.3gpt,%s", fmax(0.25, i->width * unit),
          dashes[i->dash > 0 ? (i->dash - 1) % (DASHES - 1) + 1 : 1]);
}

static void put_mark_style(const dls_tex_picture *p, const item *i)
{
  const double radius = 2.6; /* of a point of size 1, pixels */
  if (i->size <= 0) {
    fputs(",no marks", p->out);
    return;
  }
  const char *mark = marks[i->point > 0 && i->point < MARKS ? i->point : 7];
  fprintf(p->out, ",mark=%s%s,mark size=%.3gpt", mark, strchr(mark, '{') != NULL ? "" : ",mark options={solid}",
          i->size * radius * p->point);
}

/* @return whether the style is known */
static bool put_style(const dls_tex_picture *p, const item *i)
{
  const bool lines = strcmp(i->with, "lines") == 0, steps = strcmp(i->with, "steps") == 0,
             stems = strcmp(i->with, "impulses") == 0, both = strcmp(i->with, "linespoints") == 0,
             points = strcmp(i->with, "points") == 0, area = strcmp(i->with, "filledcurves") == 0,
             vectors = strcmp(i->with, "vectors") == 0;
  if (area) {
    dls_tex_colour(p->out, "fill", i->colour);
    fputs(i->border[0] != '\0' ? "," : ",draw=none", p->out);
    if (i->border[0] != '\0') {
      dls_tex_colour(p->out, "draw", i->border);
    }
    fputs(",no marks", p->out);
    return true;
  }
  dls_tex_colour(p->out, "color", i->colour);
  fputs(steps     ? ",const plot,no marks"
        : stems   ? ",ycomb,line legend,no marks"
        : vectors ? ",quiver={u=\\thisrowno{2},v=\\thisrowno{3}},-stealth,no marks"
        : points  ? ",only marks"
        : lines   ? ",no marks"
                  : "",
        p->out);
  if (!points) {
    put_line_style(p, i);
  }
  if (points || both) {
    put_mark_style(p, i);
  }
  return steps || stems || vectors || points || lines || both;
}

static void put_entry(const dls_tex_picture *p, const item *i)
{
  fputs("\\addlegendentry{", p->out);
  dls_tex_text(p->out, i->title.text, !p->key.plain);
  fputs("}\n", p->out);
}

/* In shades, the points of each instant in one row. */
static void put_image(const dls_tex_picture *p, const item *i, const char *data)
{
  size_t columns = 0;
  const size_t first = strcspn(data, " ");
  for (const char *line = data; strncmp(line, data, first + 1) == 0; line = strchr(line, '\n') + 1) {
    columns++;
  }
  fprintf(p->out,
          "\\addplot[matrix plot*,point meta=explicit,mesh/ordering=colwise,mesh/rows=%zu,forget plot] "
          "table[meta index=2,row "
          "sep=\\\\]{\n",
          columns);
  put_rows(p, data, i, i->columns);
  fputs("};\n", p->out);
}

/* Boxes "x:y:left:right:lower:upper:value" as patches of four corners. */
static void put_boxes(const dls_tex_picture *p, const char *data)
{
  static const int corner[4][2] = {{3, 5}, {4, 5}, {4, 6}, {3, 6}}; /* columns, from 1 */
  static const char end[] = "EOD\n";
  fputs("\\addplot[patch,patch type=rectangle,shader=flat,point meta=explicit,forget plot] "
        "table[meta index=2,row sep=\\\\]{\n",
        p->out);
  for (const char *line = data; strncmp(line, end, sizeof end - 1) != 0; line = strchr(line, '\n') + 1) {
    double x[MOST_COLUMNS] = {0};
    char *at = NULL;
    const char *next = line;
    for (size_t k = 1; k < MOST_COLUMNS; k++, next = at) {
      x[k] = strtod(next, &at);
    }
    const double value = p->shade_log ? log10(x[7]) : x[7];
    for (size_t k = 0; k < 4 && !isnan(value); k++) {
      fprintf(p->out, "%.10g %.10g %.10g \\\\\n", x[corner[k][0]], x[corner[k][1]], value);
    }
  }
  fputs("};\n", p->out);
}

/* Bars "x:y:lower:upper". */
static void put_bars(const dls_tex_picture *p, const item *i, const char *data)
{
  fputs("\\addplot[only marks,mark=none,", p->out);
  dls_tex_colour(p->out, "color", i->colour);
  fputs(",forget plot,error bars/.cd,y dir=both,y explicit] table[row sep=\\\\,"
        "y error plus expr=\\thisrowno{3}-\\thisrowno{1},y error minus expr=\\thisrowno{1}-\\thisrowno{2}]{\n",
        p->out);
  put_rows(p, data, i, i->columns);
  fputs("};\n", p->out);
}

/* What is in the key only. */
static dls_status put_key_item(const dls_tex_picture *p, const item *i, dls_error *err)
{
  if (strcmp(i->source, "keyentry") == 0) {
    fputs("\\addlegendimage{empty legend}\n", p->out);
  } else {
    const bool area = strcmp(i->with, "filledcurves") == 0;
    fputs("\\addlegendimage{", p->out);
    if (area) { /* without the frame of pgfplots' own */
      fputs("legend image code/.code={\\fill[draw=none,", p->out);
      dls_tex_colour(p->out, "fill", i->colour);
      fputs("] (0cm,-0.1cm) rectangle (0.6cm,0.1cm);}", p->out);
    } else if (!put_style(p, i)) {
      return refuse("the style", i->with, err);
    }
    fputs("}\n", p->out);
  }
  put_entry(p, i);
  return DLS_OK;
}

static dls_status put_curve(const dls_tex_picture *p, const item *i, dls_error *err)
{
  const char *data = find_block(p, i->source);
  const bool zero = strcmp(i->source, "0") == 0;
  if (!zero && (i->source[0] != '$' || data == NULL)) {
    return refuse("the item", i->source, err);
  }
  if (strcmp(i->with, "image") == 0) {
    put_image(p, i, data);
    return DLS_OK;
  }
  if (strcmp(i->with, "boxxyerror") == 0 && data != NULL) {
    put_boxes(p, data);
    return DLS_OK;
  }
  if (strcmp(i->with, "yerrorbars") == 0 && data != NULL) {
    put_bars(p, i, data);
    return DLS_OK;
  }
  fputs("\\addplot[", p->out);
  if (!put_style(p, i)) {
    return refuse("the style", i->with, err);
  }
  fprintf(p->out, "%s] table[row sep=\\\\]{\n", i->titled ? "" : ",forget plot");
  if (zero) {
    fprintf(p->out, "%s 0 \\\\\n%s 0 \\\\\n", p->axis[0].low, p->axis[0].high);
  } else if (strcmp(i->columns, "1:2:3") == 0) {
    put_band(p, data);
  } else {
    put_rows(p, data, i, i->columns);
  }
  fputs("};\n", p->out);
  if (i->titled) {
    put_entry(p, i);
  }
  return DLS_OK;
}

/* Is there no row in the block? pgfplots takes none. */
static bool is_empty(const dls_tex_picture *p, const item *i)
{
  const char *data = i->source[0] == '$' ? find_block(p, i->source) : NULL;
  return data != NULL && strncmp(data + strspn(data, "Na \n"), "EOD", 3) == 0;
}

dls_status dls_tex_plot(dls_tex_picture *p, const char *items, dls_error *err)
{
  dls_status status = DLS_OK;
  while (status == DLS_OK && *items != '\0') {
    item i;
    status = read_item(&items, &i, err);
    i.titled = i.titled && !p->key.off;
    const bool key_only = strcmp(i.source, "keyentry") == 0 || strcmp(i.source, "NaN") == 0 || is_empty(p, &i);
    if (status == DLS_OK && key_only) {
      status = i.titled ? put_key_item(p, &i, err) : DLS_OK;
    } else if (status == DLS_OK) {
      status = put_curve(p, &i, err);
    }
    items += strspn(items, " \t\n");
  }
  return status;
}
