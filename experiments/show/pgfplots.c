/* experiments/show/pgfplots.c -- a figure as a picture of pgfplots: an axis for each panel, its data inline.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/pgfplots.h"
#include "experiments/show/figure.h"
#include <ctype.h>
#include <delassus/plot.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- texts --- */

/* Characters beyond ASCII as mathematics. Others are written as they are: TeX reads UTF-8. */
static const struct symbol {
  const char *utf8, *math;
  bool letter;
} symbols[] = {
    {"α", "\\alpha", true},      {"β", "\\beta", true},   {"γ", "\\gamma", true},  {"δ", "\\delta", true},
    {"ε", "\\varepsilon", true}, {"ζ", "\\zeta", true},   {"θ", "\\theta", true},  {"λ", "\\lambda", true},
    {"μ", "\\mu", true},         {"ξ", "\\xi", true},     {"π", "\\pi", true},     {"ρ", "\\rho", true},
    {"σ", "\\sigma", true},      {"τ", "\\tau", true},    {"φ", "\\varphi", true}, {"ω", "\\omega", true},
    {"Δ", "\\Delta", true},      {"Φ", "\\Phi", true},    {"Ω", "\\Omega", true},  {"·", "\\cdot", false},
    {"×", "\\times", false},     {"≤", "\\le", false},    {"≥", "\\ge", false},    {"±", "\\pm", false},
    {"−", "-", false},           {"∞", "\\infty", false}, {"²", "^2", false},      {"³", "^3", false},
    {"°", "^\\circ", false},     {"→", "\\to", false}};

static const struct symbol *symbol_at(const char *text)
{
  for (size_t i = 0; i < sizeof symbols / sizeof symbols[0]; i++) {
    if (strncmp(text, symbols[i].utf8, strlen(symbols[i].utf8)) == 0) {
      return &symbols[i];
    }
  }
  return NULL;
}

/* A character that has a meaning in TeX, as itself. */
static void put_plain(FILE *out, char c)
{
  static const char special[] = "#$%&_{}";
  if (strchr(special, c) != NULL) {
    fprintf(out, "\\%c", c);
  } else if (strchr("\\^~|<>", c) != NULL) {
    fprintf(out,
            c == '\\'  ? "\\textbackslash{}"
            : c == '^' ? "\\textasciicircum{}"
            : c == '~' ? "\\textasciitilde{}"
                       : "$%c$",
            c);
  } else {
    fputc(c, out);
  }
}

/* Mathematics up to an end: symbols by their names. */
static void put_math(FILE *out, const char *text, const char *end)
{
  while (text < end) {
    const struct symbol *symbol = symbol_at(text);
    if (symbol != NULL) {
      fprintf(out, "%s ", symbol->math);
      text += strlen(symbol->utf8);
    } else {
      fputc(*text++, out);
    }
  }
}

/* What may have an index: letters and digits, or one Greek letter. @return its end */
static const char *atom_end(const char *text)
{
  const struct symbol *symbol = symbol_at(text);
  if (symbol != NULL) {
    return text + (symbol->letter ? strlen(symbol->utf8) : 0);
  }
  while (isalnum((unsigned char)*text)) {
    text++;
  }
  return text;
}

/* Indices and exponents: "_{0}^2". @return their end */
static const char *put_scripts(FILE *out, const char *text)
{
  while (*text == '_' || *text == '^') {
    const char *begin = text + 1, *end = begin + (*begin != '\0');
    const char *next = end;
    if (*begin == '{') {
      begin++;
      end = begin + strcspn(begin, "}");
      next = end + (*end != '\0');
    }
    fprintf(out, "%c{", *text);
    put_math(out, begin, end);
    fputc('}', out);
    text = next;
  }
  return text;
}

/* "3.7e-09" @return its end, or the beginning where there is no such number */
static const char *put_power(FILE *out, const char *text)
{
  char *end = NULL;
  const size_t digits = strspn(text, "0123456789.");
  if (digits == 0 || text[digits] != 'e' || strchr("+-0123456789", text[digits + 1]) == NULL) {
    return text;
  }
  const long exponent = strtol(text + digits + 1, &end, 10);
  if (end == text + digits + 1) {
    return text;
  }
  fprintf(out, "$%.*s\\cdot10^{%ld}$", (int)digits, text, exponent);
  return end;
}

/* A sign, not a hyphen. */
static bool is_minus(const char *begin, const char *text)
{
  return *text == '-' && isdigit((unsigned char)text[1]) &&
         (text == begin || !isalnum((unsigned char)text[-1]));
}

void dls_tex_text(FILE *out, const char *text, bool markup)
{
  static const char digits[] = "0123456789";
  const char *begin = text;
  bool unit = false;
  while (*text != '\0') {
    if (text == begin || !isalnum((unsigned char)text[-1])) {
      text = put_power(out, text);
    }
    const char *end = markup ? atom_end(text) : text;
    const struct symbol *symbol = symbol_at(text);
    if (end > text && (*end == '_' || *end == '^')) {
      const bool upright =
          symbol == NULL && (unit || end - text > 1) && strspn(text, digits) < (size_t)(end - text);
      fputs(upright ? "$\\mathrm{" : "$", out);
      put_math(out, text, end);
      fputs(upright ? "}" : "", out);
      text = put_scripts(out, end);
      fputc('$', out);
    } else if (end > text && symbol == NULL) {
      fwrite(text, 1, (size_t)(end - text), out);
      text = end;
    } else if (symbol != NULL) {
      fprintf(out, "$%s$", symbol->math);
      text += strlen(symbol->utf8);
    } else if (is_minus(begin, text)) {
      fputs("$-$", out);
      text++;
    } else if (*text != '\0') {
      unit = *text == '[' || (unit && *text != ']');
      put_plain(out, *text++);
    }
  }
}

/* "name={rgb,255:...}" */
static void put_colour(FILE *out, const char *name, const char *colour, unsigned transparency)
{
  const unsigned long value = strtoul(colour + 1, NULL, 16);
  fprintf(out, "%s={rgb,255:red,%lu;green,%lu;blue,%lu}", name, value >> 16 & 255, value >> 8 & 255,
          value & 255);
  if (transparency > 0) {
    fprintf(out, ",opacity=%.3g", 1 - transparency / 255.0);
  }
}

/* --- axes --- */

static const double points_per_inch = 72.27;

typedef struct writer {
  FILE *out;
  const dls_figure *figure;
  const dls_magnification *style;
  double cm; /* in a pixel of the layout */
} writer;

/* "key={text}"; more than one line are centred. */
static void put_label(const writer *w, const char *key, const char *text, bool plain)
{
  if (text == NULL) {
    return;
  }
  fprintf(w->out, ",\n  %s={", key);
  for (size_t bytes = 0; *text != '\0'; text += bytes) {
    char line[400];
    bytes = strcspn(text, "\n");
    snprintf(line, sizeof line, "%.*s", (int)bytes, text);
    dls_tex_text(w->out, line, !plain);
    bytes += text[bytes] == '\n';
    fputs(text[bytes] != '\0' ? "\\\\{}" : "", w->out); /* {}: a unit in brackets is no length of the break */
  }
  fputc('}', w->out);
}

static void put_ticks(const writer *w, char letter, const dls_axis *axis, double most)
{
  dls_tick ticks[DLS_MOST_TICKS];
  const size_t count = dls_axis_ticks(axis, most, false, ticks);
  static const char *const lists[] = {"%ctick={", "%cticklabels={", "minor %ctick={"};
  for (int list = 0; list < 3; list++) {
    const char *separator = "";
    fputs(",\n  ", w->out);
    fprintf(w->out, lists[list], letter);
    for (size_t i = 0; i < count; i++) {
      if ((ticks[i].label[0] == '\0') != (list == 2) || (list == 1 && axis->unlabelled)) {
        continue;
      }
      fputs(separator, w->out);
      if (list == 1) {
        dls_tex_text(w->out, ticks[i].label, true);
      } else {
        fputs(ticks[i].at_text, w->out);
      }
      separator = ",";
    }
    fputc('}', w->out);
  }
}

static void put_axis(const writer *w, char letter, const dls_axis *axis, double most)
{
  put_label(w, letter == 'x' ? "xlabel" : "ylabel", axis->label, axis->plain);
  fprintf(w->out, ",\n  %cmode=%s,%cmin=%.10g,%cmax=%.10g", letter, axis->log ? "log" : "normal", letter,
          axis->low, letter, axis->high);
  put_ticks(w, letter, axis, most);
}

/* The scale of shades beside the panel; of a logarithmic one the exponents are drawn. */
static void put_shades(const writer *w, const dls_axis *shade)
{
  if (shade->label == NULL) {
    return;
  }
  fputs(",\n  colormap/viridis,colorbar,colorbar style={width=0.25cm", w->out);
  put_label(w, "ylabel", shade->label, shade->plain);
  fprintf(w->out, "%s}", shade->log ? ",yticklabel={$10^{\\pgfmathprintnumber{\\tick}}$}" : "");
  if (shade->low < shade->high) {
    fprintf(w->out, ",point meta min=%.6g,point meta max=%.6g", shade->log ? log10(shade->low) : shade->low,
            shade->log ? log10(shade->high) : shade->high);
  }
}

static void put_options(const writer *w, const dls_panel *p)
{
  const dls_figure *f = w->figure;
  const double width = f->width * (p->edge[DLS_RIGHT] - p->edge[DLS_LEFT]),
               height = f->height * (p->edge[DLS_TOP] - p->edge[DLS_BOTTOM]);
  fprintf(w->out, "\\begin{axis}[at={(%.4gcm,%.4gcm)},width=%.4gcm,height=%.4gcm",
          w->cm * f->width * p->edge[DLS_LEFT], w->cm * f->height * p->edge[DLS_BOTTOM], w->cm * width,
          w->cm * height);
  put_label(w, "title", p->title, true);
  put_axis(w, 'x', &p->x, width / 55);
  put_axis(w, 'y', &p->y, height / 32);
  fprintf(w->out, ",\n  legend style={at={(%.4g,%.4g)},anchor=north west},legend columns=%d",
          (p->key[0] - p->edge[DLS_LEFT]) * f->width / width,
          (p->key[1] - p->edge[DLS_BOTTOM]) * f->height / height, p->key_columns > 0 ? p->key_columns : 1);
  if (p->zero_line) {
    fputs(",\n  extra y ticks={0},extra y tick labels={},extra y tick style={grid style={draw=black!50}}",
          w->out);
  }
  fputs(p->no_grid ? ",\n  grid=none" : "", w->out);
  put_shades(w, &p->shade);
  fputs(",\n  set layers]\n", w->out);
}

/* --- marks --- */

static void put_place(FILE *out, bool of_panel, double x, double y)
{
  fprintf(out, "(%s cs:%.6g,%.6g)", of_panel ? "rel axis" : "axis", x, y);
}

static void put_mark(FILE *out, const dls_mark *m)
{
  const double letter[2] = {0.55, 1.2}; /* em */
  switch (m->kind) {
  case DLS_MARK_TEXT:
    fprintf(out, "\\node[inner sep=0pt%s,xshift=%.3gem,yshift=%.3gem",
            m->align < 0   ? ",anchor=west"
            : m->align > 0 ? ",anchor=east"
                           : "",
            letter[0] * m->dx, letter[1] * m->dy);
    if (m->colour != NULL) {
      fputc(',', out);
      put_colour(out, "text", m->colour, 0);
    }
    fputs("] at ", out);
    put_place(out, m->of_panel, m->x, m->y);
    fputs(" {", out);
    dls_tex_text(out, m->text, true);
    fputs("};\n", out);
    break;
  case DLS_MARK_ARROW:
    fputs("\\draw[->,", out);
    put_colour(out, "color", m->colour, 0);
    fputs("] ", out);
    put_place(out, m->of_panel, m->x, m->y);
    fputs(" -- ", out);
    put_place(out, m->of_panel, m->x2, m->y2);
    fputs(";\n", out);
    break;
  case DLS_MARK_PHASE:
    fputs("\\fill[", out);
    put_colour(out, "fill", m->colour, 0);
    fprintf(out, "] ({axis cs:%.10g,0}|-{rel axis cs:0,0}) rectangle ({axis cs:%.10g,0}|-{rel axis cs:0,1});\n",
            m->x, m->x2);
    break;
  case DLS_MARK_GROUND:
    fputs("\\fill[", out);
    put_colour(out, "fill", m->colour, 0);
    fputs("] (rel axis cs:0,0) rectangle (rel axis cs:1,1);\n", out);
    break;
  }
}

/* --- series --- */

/* TeX numbers end at 16383 pt, so that points far outside the panel are moved closer. */
static double clip(const dls_axis *axis, double x)
{
  const double far = 10; /* panels */
  if (axis->log) {
    const double factor = pow(axis->high / axis->low, far);
    return fmin(fmax(x, axis->low / factor), axis->high * factor);
  }
  const double reach = far * (axis->high - axis->low);
  return fmin(fmax(x, axis->low - reach), axis->high + reach);
}

static void put_number(FILE *out, double x, int digits)
{
  if (isnan(x)) {
    fputs("nan ", out);
  } else {
    fprintf(out, "%.*g ", digits, x);
  }
}

/* Row i of a table: x, the column y, and the columns after it up to `last`. */
static void put_row(const writer *w, const dls_panel *p, const dls_plot_table *t, size_t i, size_t y,
                    size_t last)
{
  const double *row = t->values + i * t->columns;
  put_number(w->out, isnan(row[0]) ? NAN : clip(&p->x, row[0]), t->digits);
  put_number(w->out, isnan(row[0]) || isnan(row[y]) ? NAN : clip(&p->y, row[y]), t->digits);
  for (size_t k = y + 1; k <= last; k++) {
    put_number(w->out, row[k], t->digits);
  }
  fputs("\\\\\n", w->out);
}

static void put_rows(const writer *w, const dls_panel *p, const dls_series *s, size_t last)
{
  for (size_t i = 0; i < s->table->rows; i++) {
    put_row(w, p, s->table, i, s->y, last);
  }
}

static void put_line_style(const writer *w, const dls_series *s)
{
  const double dash_unit = 0.46;                /* pt of a pixel: lines of TeX are thinner */
  const double unit = w->style->tex.line / 1.5; /* most lines are 1.5 wide */
  const double *pattern = dls_dash_pattern(s->style.dash);
  fprintf(w->out, ",line width=%.3gpt,%s", fmax(0.25, s->width * unit),
          pattern != NULL ? "dash pattern=" : "solid");
  for (size_t i = 0; pattern != NULL && pattern[i] > 0; i++) {
    fprintf(w->out, "%s %.3gpt%s", i % 2 == 0 ? "on" : " off",
            dash_unit * pattern[i] * dls_dash_stretch(s->width), i % 2 == 1 && pattern[i + 1] > 0 ? " " : "");
  }
}

static void put_point_style(const writer *w, const dls_series *s)
{
  static const char *const points[] = {[DLS_PLUS] = "+",
                                       [DLS_CROSS] = "x",
                                       [DLS_STAR] = "asterisk",
                                       [DLS_SQUARE - 1] = "square",
                                       [DLS_SQUARE] = "square*",
                                       [DLS_CIRCLE] = "o",
                                       [DLS_DISC] = "*",
                                       [DLS_TRIANGLE - 1] = "triangle",
                                       [DLS_TRIANGLE] = "triangle*",
                                       [DLS_DOWN - 1] = "triangle,mark options={solid,rotate=180}",
                                       [DLS_DOWN] = "triangle*,mark options={solid,rotate=180}",
                                       [DLS_DIAMOND - 1] = "diamond",
                                       [DLS_DIAMOND] = "diamond*",
                                       [DLS_PENTAGON - 1] = "pentagon",
                                       [DLS_PENTAGON] = "pentagon*"};
  const double radius = 2.6, point = w->cm / dls_centimetres_per_inch *
                                     points_per_inch; /* of size 1, pixels; of TeX in a pixel */
  if (s->size <= 0) {
    fputs(",no marks", w->out);
    return;
  }
  const char *mark = points[s->style.point];
  fprintf(w->out, ",mark=%s%s,mark size=%.3gpt", mark, strchr(mark, '{') != NULL ? "" : ",mark options={solid}",
          s->size * radius * point);
}

static void put_style(const writer *w, const dls_series *s)
{
  static const char *const styles[] = {[DLS_SERIES_LINES] = ",no marks",
                                       [DLS_SERIES_POINTS] = ",only marks",
                                       [DLS_SERIES_LINES_POINTS] = "",
                                       [DLS_SERIES_STEPS] = ",const plot,no marks",
                                       [DLS_SERIES_STEMS] = ",ycomb,line legend,no marks",
                                       [DLS_SERIES_ARROWS] =
                                           ",quiver={u=\\thisrowno{2},v=\\thisrowno{3}},-stealth,no marks"};
  if (s->kind == DLS_SERIES_AREA || s->kind == DLS_SERIES_BAND) {
    put_colour(w->out, "fill", s->style.colour, s->transparency);
    fputs(s->kind == DLS_SERIES_AREA ? ",draw=black!75,no marks" : ",draw=none,no marks", w->out);
    return;
  }
  put_colour(w->out, "color", s->style.colour, s->transparency);
  fputs(styles[s->kind], w->out);
  if (s->kind != DLS_SERIES_POINTS) {
    put_line_style(w, s);
  }
  if (s->kind == DLS_SERIES_POINTS || s->kind == DLS_SERIES_LINES_POINTS) {
    put_point_style(w, s);
  }
}

/* The first line of a title belongs to the series, the others are entries without a sample. */
static void put_entry(const writer *w, const char *title)
{
  for (size_t number = 0; *title != '\0'; number++) {
    char line[400];
    const size_t bytes = strcspn(title, "\n");
    snprintf(line, sizeof line, "%.*s", (int)bytes, title);
    fputs(number > 0 ? "\\addlegendimage{empty legend}\n\\addlegendentry{" : "\\addlegendentry{", w->out);
    dls_tex_text(w->out, line, w->figure->markup);
    fputs("}\n", w->out);
    title += bytes + (title[bytes] == '\n');
  }
}

/* In shades, the points of each instant in one row. */
static void put_image(const writer *w, const dls_panel *p, const dls_series *s)
{
  const dls_plot_table *t = s->table;
  size_t columns = 0;
  while (columns < t->rows && t->values[columns * t->columns] == t->values[0]) {
    columns++;
  }
  fprintf(w->out,
          "\\addplot[matrix plot*,point meta=explicit,mesh/ordering=colwise,mesh/rows=%zu,forget plot] "
          "table[meta index=2,row sep=\\\\]{\n",
          columns);
  put_rows(w, p, s, 2);
  fputs("};\n", w->out);
}

/* Boxes as patches of four corners. */
static void put_boxes(const writer *w, const dls_panel *p, const dls_plot_table *t)
{
  static const int corner[4][2] = {{2, 4}, {3, 4}, {3, 5}, {2, 5}};
  fputs("\\addplot[patch,patch type=rectangle,shader=flat,point meta=explicit,forget plot] "
        "table[meta index=2,row sep=\\\\]{\n",
        w->out);
  for (size_t i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns, value = p->shade.log ? log10(row[6]) : row[6];
    for (size_t k = 0; k < 4 && !isnan(value); k++) {
      fprintf(w->out, "%.10g %.10g %.10g \\\\\n", row[corner[k][0]], row[corner[k][1]], value);
    }
  }
  fputs("};\n", w->out);
}

static void put_bars(const writer *w, const dls_panel *p, const dls_series *s)
{
  fputs("\\addplot[only marks,mark=none,", w->out);
  put_colour(w->out, "color", s->style.colour, 0);
  fputs(",forget plot,error bars/.cd,y dir=both,y explicit] table[row sep=\\\\,"
        "y error plus expr=\\thisrowno{3}-\\thisrowno{1},y error minus expr=\\thisrowno{1}-\\thisrowno{2}]{\n",
        w->out);
  put_rows(w, p, s, 3);
  fputs("};\n", w->out);
}

/* An entry of the key alone. */
static void put_key_entry(const writer *w, const dls_series *s)
{
  fputs("\\addlegendimage{", w->out);
  if (s->kind == DLS_SERIES_BAND) { /* without the frame of pgfplots */
    fputs("legend image code/.code={\\fill[draw=none,", w->out);
    put_colour(w->out, "fill", s->style.colour, s->transparency);
    fputs("] (0cm,-0.1cm) rectangle (0.6cm,0.1cm);}", w->out);
  } else {
    put_style(w, s);
  }
  fputs("}\n", w->out);
  put_entry(w, s->title);
}

static void put_curve(const writer *w, const dls_panel *p, const dls_series *s, bool titled)
{
  fputs("\\addplot[", w->out);
  put_style(w, s);
  fprintf(w->out, "%s] table[row sep=\\\\]{\n", titled ? "" : ",forget plot");
  put_rows(w, p, s, s->kind == DLS_SERIES_ARROWS ? 3 : s->y);
  for (size_t i = s->table->rows; s->kind == DLS_SERIES_BAND && i > 0; i--) { /* the upper edge backwards */
    put_row(w, p, s->table, i - 1, 2, 2);
  }
  fputs("};\n", w->out);
  if (titled) {
    put_entry(w, s->title);
  }
}

static bool has_rows(const dls_series *s)
{
  for (size_t i = 0; s->table != NULL && i < s->table->rows; i++) {
    if (!isnan(s->table->values[i * s->table->columns])) {
      return true;
    }
  }
  return false;
}

static void put_series(const writer *w, const dls_panel *p, const dls_series *s)
{
  const bool titled = p->keyed && s->title != NULL && s->title[0] != '\0';
  if (!has_rows(s)) { /* pgfplots takes no empty table */
    if (titled) {
      put_key_entry(w, s);
    }
  } else if (s->kind == DLS_SERIES_IMAGE) {
    put_image(w, p, s);
  } else if (s->kind == DLS_SERIES_BOXES) {
    put_boxes(w, p, s->table);
  } else if (s->kind == DLS_SERIES_BARS) {
    put_bars(w, p, s);
  } else {
    put_curve(w, p, s, titled);
  }
}

static void put_panel(const writer *w, const dls_panel *p)
{
  const char *key_title = w->figure->key_title;
  put_options(w, p);
  for (size_t i = 0; i < p->mark_count; i++) {
    if (p->marks[i].kind == DLS_MARK_PHASE || p->marks[i].kind == DLS_MARK_GROUND) {
      fputs("\\begin{pgfonlayer}{axis background}\n", w->out); /* under grid, ticks and frame */
      put_mark(w->out, &p->marks[i]);
      fputs("\\end{pgfonlayer}\n", w->out);
    }
  }
  if (p->keyed && key_title != NULL && key_title[0] != '\0') {
    fputs("\\addlegendimage{empty legend}\n\\addlegendentry{\\hspace{-0.6cm}", w->out);
    dls_tex_text(w->out, key_title, false);
    fputs("}\n", w->out);
  }
  for (size_t i = 0; i < p->series_count; i++) {
    put_series(w, p, &p->series[i]);
  }
  for (size_t i = 0; i < p->mark_count; i++) {
    if (p->marks[i].kind == DLS_MARK_TEXT || p->marks[i].kind == DLS_MARK_ARROW) {
      put_mark(w->out, &p->marks[i]);
    }
  }
  fputs("\\end{axis}\n", w->out);
}

/* --- the file --- */

static const char head[] =
    "% made by delassus " DLS_VERSION "\n"
    "% A part of a document that loads pgfplots: \\input this file. A page by itself: pdflatex this file.\n"
    "\\ifdefined\\pgfplotsset\\else\n"
    "\\def\\delassusalone{}\n"
    "\\documentclass{article}\n"
    "\\usepackage[T1]{fontenc}\n"
    "\\usepackage{pgfplots}\n"
    "\\pgfplotsset{compat=1.16}\n"
    "\\newsavebox\\delassuspicture\n"
    "\\begin{document}\n"
    "\\begin{lrbox}{\\delassuspicture}%\n"
    "\\fi\n";

static const char tail[] =
    "\\ifdefined\\delassusalone\n"
    "\\end{lrbox}\n"
    "\\ifdefined\\pagewidth\\let\\pdfpagewidth\\pagewidth\\let\\pdfpageheight\\pageheight\\fi\n"
    "\\pdfpagewidth=\\dimexpr\\wd\\delassuspicture+4pt\\relax\n"
    "\\pdfpageheight=\\dimexpr\\ht\\delassuspicture+\\dp\\delassuspicture+4pt\\relax\n"
    "\\hoffset=\\dimexpr2pt-1in\\relax\\voffset=\\hoffset\n"
    "\\shipout\\box\\delassuspicture\n"
    "\\def\\delassusend{\\end{document}}\n"
    "\\expandafter\\delassusend\n"
    "\\fi\n";

/* Styles of this picture alone. */
static void put_head(const writer *w)
{
  const double line = w->style->tex.line;
  fputs(head, w->out);
  fprintf(w->out,
          "{%s\\begin{tikzpicture}[/pgfplots/every axis/.append style={scale only axis,anchor=south west,\n",
          w->style->tex.font);
  fprintf(w->out,
          "  axis line style={line width=%.3gpt},tick style={line width=%.3gpt},minor tick length=2pt,\n"
          "  grid=major,grid style={line width=%.3gpt,draw=black!15},axis on top=false,\n",
          0.8 * line, 0.7 * line, 0.5 * line);
  fputs("  xlabel near ticks,ylabel near ticks,xlabel style={align=center},ylabel style={align=center},\n"
        "  title style={align=center},enlarge x limits=false,enlarge y limits=false,\n"
        "  scaled ticks=false,/pgf/number format/1000 sep={},/pgf/number format/std=-4:4,"
        "/pgf/number format/precision=5,\n"
        "  unbounded coords=jump,clip mode=individual,legend cell align=left,\n"
        "  legend style={draw=none,fill=none,inner sep=0pt,outer sep=0pt,nodes={inner sep=1.2pt},"
        "/tikz/every even column/.append style={column sep=4pt}}}]\n",
        w->out);
}

void dls_pgfplots_write(FILE *out, const dls_figure *figure)
{
  const dls_magnification *style = dls_canvas_magnification(&figure->canvas);
  const writer w = {out, figure, style, dls_canvas_centimetres(&figure->canvas)};
  put_head(&w);
  for (size_t i = 0; i < figure->panel_count; i++) {
    put_panel(&w, figure->panels[i]);
  }
  fputs("\\end{tikzpicture}}%\n", out);
  fputs(tail, out);
}

dls_status dls_pgfplots_draw(const dls_figure *figure, dls_error *err)
{
  dls_output *out = NULL;
  dls_status status = dls_plot_check(figure->canvas.path, err);
  if (status != DLS_OK || (status = dls_output_open(figure->canvas.path, &out, err)) != DLS_OK) {
    return status;
  }
  dls_pgfplots_write(dls_output_stream(out), figure);
  return dls_output_commit(out, err);
}
