/* experiments/show/gnuplot_figure.c -- a figure as a script of gnuplot: its tables as blocks, then each panel.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/figure.h"
#include "experiments/show/gnuplot.h"
#include <math.h>
#include <string.h>

static const double note_letters = 8; /* pixels */

typedef struct writer {
  FILE *out;
  const dls_figure *figure;
  double note; /* size of its letters */
} writer;

/* --- texts --- */

/* Within double quotes gnuplot runs what is between backquotes. */
static void put_in_double_quotes(FILE *out, const char *text)
{
  fputc('"', out);
  for (; *text != '\0'; text++) {
    if (*text == '\n') {
      fputs("\\n", out);
      continue;
    }
    fputs(strchr("\"\\", *text) != NULL ? "\\" : "", out);
    fputc((unsigned char)*text < ' ' ? ' ' : *text == '`' ? '\'' : *text, out);
  }
  fputc('"', out);
}

static void put_text(const writer *w, const char *text, bool plain)
{
  if (strchr(text, '\n') != NULL) {
    put_in_double_quotes(w->out, text);
  } else {
    dls_gnuplot_quote(w->out, text);
  }
  fputs(plain ? " noenhanced" : "", w->out);
}

/* --- tables --- */

/* gnuplot does not take a block without rows: one of NaN is nothing. */
static void put_table(FILE *out, const dls_plot_table *t)
{
  fprintf(out, "$%s << EOD\n", t->name);
  for (size_t i = 0; i < t->rows; i++) {
    const double *row = t->values + i * t->columns;
    for (size_t k = 0; k < t->columns && !isnan(row[0]); k++) {
      fputs(k > 0 ? " " : "", out);
      fprintf(out, isnan(row[k]) ? "NaN" : "%.*g", t->digits, row[k]);
    }
    fputc('\n', out);
  }
  for (size_t k = 0; k < t->columns && t->rows == 0; k++) {
    fputs(k + 1 < t->columns ? "NaN " : "NaN\n", out);
  }
  fputs("EOD\n", out);
}

/* --- axes --- */

static void put_ticks(const writer *w, char letter, const dls_axis *axis, double most)
{
  dls_tick ticks[DLS_MOST_TICKS];
  const size_t count = dls_axis_ticks(axis, most, false, ticks);
  fprintf(w->out, "%sset logscale %c\nset %ctics (", axis->log ? "" : "un", letter, letter);
  for (size_t i = 0; i < count; i++) {
    const bool small = ticks[i].label[0] == '\0';
    fprintf(w->out, "%s'%s' %s%s", i > 0 ? ", " : "", axis->unlabelled ? "" : ticks[i].label, ticks[i].at_text,
            small ? " 1" : "");
  }
  fputs(")\n", w->out);
}

static void put_axis(const writer *w, char letter, const dls_axis *axis, double most)
{
  put_ticks(w, letter, axis, most);
  fprintf(w->out, "set %crange [%.10g:%.10g]\n", letter, axis->low, axis->high);
  if (axis->label == NULL) {
    fprintf(w->out, "unset %clabel\n", letter);
    return;
  }
  fprintf(w->out, "set %clabel ", letter);
  put_text(w, axis->label, axis->plain);
  size_t more = 0; /* lines: gnuplot centres them on the place of the first, and the last meets the ticks */
  for (const char *end = axis->label; letter == 'y' && (end = strchr(end, '\n')) != NULL; end++) {
    more++;
  }
  if (more > 0) {
    fprintf(w->out, " offset %g,0", -1.2 * (double)more);
  }
  fputc('\n', w->out);
}

/* Colours that become lighter with the value, so that they can be read in grey too. */
static void put_shades(const writer *w, const dls_panel *p)
{
  if (p->shade.label == NULL) {
    return;
  }
  fputs("set palette defined (0 '#440154', 1 '#31688e', 2 '#35b779', 3 '#fde725')\nset cblabel ", w->out);
  put_text(w, p->shade.label, p->shade.plain);
  fprintf(w->out, "\n%s logscale cb\n", p->shade.log ? "set" : "unset");
  if (p->shade.low < p->shade.high) {
    fprintf(w->out, "set cbrange [%.10g:%.10g]\n", p->shade.low, p->shade.high);
  }
}

/* --- marks --- */

static void put_place(FILE *out, bool of_panel, double x, double y)
{
  fprintf(out, "%s%.6g,%s%.6g", of_panel ? "graph " : "", x, of_panel ? "graph " : "", y);
}

static void put_mark(const writer *w, const dls_mark *m)
{
  FILE *out = w->out;
  switch (m->kind) {
  case DLS_MARK_TEXT:
    fputs("set label ", out);
    dls_gnuplot_quote(out, m->text);
    fputs(" at ", out);
    put_place(out, m->of_panel, m->x, m->y);
    fprintf(out, " %s offset %g,%g front",
            m->align < 0   ? "left"
            : m->align > 0 ? "right"
                           : "center",
            m->dx, m->dy);
    fprintf(out, m->colour != NULL ? " textcolor rgb '%s'\n" : "\n", m->colour);
    break;
  case DLS_MARK_ARROW:
    fputs("set arrow from ", out);
    put_place(out, m->of_panel, m->x, m->y);
    fputs(" to ", out);
    put_place(out, m->of_panel, m->x2, m->y2);
    fprintf(out, " linecolor rgb '%s' linewidth 2 nofilled\n", m->colour);
    break;
  case DLS_MARK_PHASE:
    fprintf(out,
            "set object rectangle from first %.10g, graph 0 to first %.10g, graph 1 behind fillstyle solid "
            "noborder fillcolor rgb '%s'\n",
            m->x, m->x2, m->colour);
    break;
  case DLS_MARK_GROUND:
    fprintf(
        out,
        "set object rectangle from graph 0,0 to graph 1,1 behind fillstyle pattern 4 noborder fillcolor rgb "
        "'%s'\n",
        m->colour);
    break;
  }
}

/* --- series --- */

static void put_point_style(FILE *out, const dls_series *s)
{
  fprintf(out, " pointtype %d pointsize %g", (int)s->style.point, fmax(s->size, 0));
}

static void put_colour(FILE *out, const dls_series *s)
{
  if (s->transparency > 0) {
    fprintf(out, " linecolor rgb '#%02X%s'", s->transparency, s->style.colour + 1);
  } else {
    fprintf(out, " linecolor rgb '%s'", s->style.colour);
  }
}

/* gnuplot multiplies lengths of dashes by the width of the line, here taken out again. */
static void put_dash(FILE *out, dls_dash dash, double width)
{
  const double unit = 0.5; /* pixels of a length of 1, of a line of width 1: between those of PNG and SVG */
  const double *pattern = dls_dash_pattern(dash);
  if (pattern == NULL) {
    fputs(" dashtype 1", out);
    return;
  }
  for (size_t i = 0; pattern[i] > 0; i++) {
    fprintf(out, "%s%.3g", i == 0 ? " dashtype (" : ",", pattern[i] * dls_dash_stretch(width) / (unit * width));
  }
  fputc(')', out);
}

static void put_style(FILE *out, const dls_series *s)
{
  static const char *const names[] = {[DLS_SERIES_LINES] = "lines",
                                      [DLS_SERIES_POINTS] = "points",
                                      [DLS_SERIES_LINES_POINTS] = "linespoints",
                                      [DLS_SERIES_STEPS] = "steps",
                                      [DLS_SERIES_STEMS] = "impulses",
                                      [DLS_SERIES_AREA] = "filledcurves closed",
                                      [DLS_SERIES_BAND] = "filledcurves",
                                      [DLS_SERIES_BARS] = "yerrorbars pointtype 0",
                                      [DLS_SERIES_BOXES] =
                                          "boxxyerror fillstyle solid noborder linecolor palette",
                                      [DLS_SERIES_IMAGE] = "image",
                                      [DLS_SERIES_ARROWS] = "vectors head filled"};
  fprintf(out, "with %s", names[s->kind]);
  if (s->kind == DLS_SERIES_BOXES || s->kind == DLS_SERIES_IMAGE) {
    return;
  }
  if (s->kind == DLS_SERIES_POINTS || s->kind == DLS_SERIES_LINES_POINTS) {
    put_point_style(out, s);
  }
  put_colour(out, s);
  if (s->kind == DLS_SERIES_AREA) {
    fputs(" fillstyle solid border linecolor rgb '#404040'", out);
  } else if (s->kind == DLS_SERIES_BAND) {
    fputs(" fillstyle solid noborder", out);
  } else if (s->kind != DLS_SERIES_POINTS && s->kind != DLS_SERIES_BARS) {
    fprintf(out, " linewidth %g", s->width);
    put_dash(out, s->style.dash, s->width);
  }
}

/* The first line of a title belongs to the item, the others are entries of the key without a sample. */
static void put_title(const writer *w, const char *title)
{
  char line[400];
  for (size_t number = 0; *title != '\0'; number++) {
    const size_t bytes = strcspn(title, "\n");
    snprintf(line, sizeof line, "%.*s", (int)bytes, title);
    fputs(number == 0 ? " title " : ", \\\n  keyentry with lines linetype -2 title ", w->out);
    dls_gnuplot_quote(w->out, line);
    title += bytes + (title[bytes] == '\n');
  }
}

static bool has_title(const dls_series *s)
{
  return s->title != NULL && s->title[0] != '\0';
}

static void put_series(const writer *w, const dls_panel *p, const dls_series *s, const char *separator)
{
  const bool titled = p->keyed && !p->key_apart && has_title(s);
  fputs(separator, w->out);
  if (s->table == NULL) {
    fputs("NaN ", w->out);
  } else {
    const size_t fixed = s->kind == DLS_SERIES_BAND || s->kind == DLS_SERIES_IMAGE    ? 3
                         : s->kind == DLS_SERIES_BOXES                                ? 7
                         : s->kind == DLS_SERIES_BARS || s->kind == DLS_SERIES_ARROWS ? 4
                                                                                      : 0;
    fprintf(w->out, "$%s using 1", s->table->name);
    for (size_t k = 2; k <= fixed; k++) {
      fprintf(w->out, ":%zu", k);
    }
    fprintf(w->out, fixed == 0 ? ":%zu " : " ", s->y + 1);
  }
  put_style(w->out, s);
  if (titled) {
    put_title(w, s->title);
  } else {
    fputs(" notitle", w->out);
  }
}

static void put_key(const writer *w, const dls_panel *p)
{
  const dls_figure *f = w->figure;
  const bool by_rows =
      p->key_height >= 0 && p->key_columns > 1; /* gnuplot fills a column to the bottom otherwise */
  fprintf(w->out, "set key at screen %.4f,%.4f left top Left reverse %s %s %d samplen 3%s", p->key[0],
          p->key[1], p->key_height < 0 ? "horizontal" : "vertical", by_rows ? "maxrows" : "maxcols",
          by_rows ? p->key_rows : p->key_columns, f->markup ? "" : " noenhanced");
  if (f->key_title != NULL && f->key_title[0] != '\0') {
    fputs(" title ", w->out);
    dls_gnuplot_quote(w->out, f->key_title);
    fputs(" left", w->out);
  } else {
    fputs(" notitle", w->out);
  }
  fputc('\n', w->out);
}

/* --- panels --- */

#define GRID "set grid linetype 1 linewidth 0.5 linecolor rgb '#D8D8D8'\n"

static void put_panel(const writer *w, const dls_panel *p)
{
  const dls_figure *f = w->figure;
  const double width = f->width * (p->edge[DLS_RIGHT] - p->edge[DLS_LEFT]);
  fprintf(w->out, "set lmargin at screen %.4f\nset rmargin at screen %.4f\nset bmargin at screen %.4f\n",
          p->edge[DLS_LEFT], p->edge[DLS_RIGHT], p->edge[DLS_BOTTOM]);
  fprintf(w->out, "set tmargin at screen %.4f\nunset label\nunset arrow\nunset object\nunset title\n",
          p->edge[DLS_TOP]);
  if (p->title != NULL) {
    fputs("set title ", w->out);
    put_text(w, p->title, true);
    if (p->key_height < 0) { /* the key is between title and frame */
      fprintf(w->out, " offset 0,screen %.4f\n", -p->key_height / f->height);
    } else {
      fputs(" offset 0,-0.5\n", w->out);
    }
  }
  put_axis(w, 'x', &p->x, width / 55);
  put_axis(w, 'y', &p->y, p->height / DLS_TICK_HEIGHT);
  put_shades(w, p);
  fputs(p->zero_line ? "set xzeroaxis linecolor rgb '#808080' linetype 1\n" : "unset xzeroaxis\n", w->out);
  fputs(p->no_grid ? "unset grid\n" : GRID, w->out);
  if (p->keyed && !p->key_apart) {
    put_key(w, p);
  } else {
    fputs("unset key\n", w->out);
  }
  for (size_t i = 0; i < p->mark_count; i++) {
    put_mark(w, &p->marks[i]);
  }
  if (f->note != NULL && f->heading != NULL) {
    fputs("set label ", w->out);
    dls_gnuplot_quote(w->out, f->note);
    fprintf(w->out, " at graph 1.012,0 left rotate by 90 noenhanced font ',%.4g' textcolor rgb '#707070'\n",
            w->note);
  }
  for (size_t i = 0; i < p->series_count; i++) {
    put_series(w, p, &p->series[i], i == 0 ? "plot " : ", \\\n  ");
  }
  fputs(p->series_count > 0 ? "\n" : "plot NaN notitle\n", w->out);
}

/* The key of the last panel as a plot of its own, as high as the figure, without anything else. */
static void put_key_apart(const writer *w, const dls_panel *p)
{
  fputs("set lmargin at screen 0\nset rmargin at screen 1\nset bmargin at screen 0\nset tmargin at screen 1\n"
        "unset label\nunset arrow\nunset object\nunset title\nunset logscale\nunset tics\nunset xlabel\n"
        "unset ylabel\nunset grid\nunset border\nunset xzeroaxis\nset xrange [0:1]\nset yrange [0:1]\n",
        w->out);
  put_key(w, p);
  fputs("plot NaN notitle", w->out);
  for (size_t i = 0; i < p->series_count; i++) {
    if (has_title(&p->series[i])) {
      fputs(", \\\n  keyentry ", w->out);
      put_style(w->out, &p->series[i]);
      put_title(w, p->series[i].title);
    }
  }
  fputc('\n', w->out);
}

/* The title as a comment where the picture has none. */
static void put_remark(FILE *out, const char *text)
{
  fputs("# ", out);
  for (const char *c = text; *c != '\0'; c++) {
    fputc((unsigned char)*c < ' ' || *c == '\\' ? ' ' : *c, out);
  }
  fputc('\n', out);
}

static void put_figure(const writer *w)
{
  const dls_figure *f = w->figure;
  FILE *out = w->out;
  if (f->canvas.path != NULL && f->described[0] != '\0') {
    put_remark(out, f->described);
  }
  for (size_t i = 0; i < f->table_count; i++) {
    put_table(out, f->tables[i]);
  }
  fputs("set multiplot", out);
  if (f->heading != NULL) {
    fputs(" title ", out);
    put_text(w, f->heading, true);
  }
  fputc('\n', out);
  for (size_t i = 0; i < f->panel_count; i++) {
    put_panel(w, f->panels[i]);
  }
  if (f->panel_count > 0 && f->panels[f->panel_count - 1]->key_apart) {
    put_key_apart(w, f->panels[f->panel_count - 1]);
  }
  fputs("unset multiplot\n", out);
}

/* "Panel 1: gap g [m] over t [s]. Curves: exact, g0." */
static void describe(const dls_figure *f, dls_gnuplot *plot)
{
  char text[2000] = "", plain[400];
  const dls_axis *x = NULL;
  for (size_t i = 0; i < f->panel_count; i++) {
    const dls_panel *p = f->panels[i];
    const size_t last = f->one_x ? f->panel_count - 1 : i;
    x = &f->panels[last]->x;
    dls_figure_plain_text(p->y.label != NULL ? p->y.label : "", plain);
    dls_text_append(text, sizeof text, "%sPanel %zu: %s", i > 0 ? " " : "", i + 1, plain);
    dls_figure_plain_text(x->label != NULL ? x->label : "", plain);
    dls_text_append(text, sizeof text, "%s%s.", plain[0] != '\0' ? " over " : "", plain);
    size_t entries = 0;
    for (size_t k = 0; k < p->series_count; k++) {
      if (has_title(&p->series[k])) {
        dls_figure_plain_text(p->series[k].title, plain);
        dls_text_append(text, sizeof text, "%s%s", entries++ == 0 ? " Curves: " : "; ", plain);
      }
    }
    dls_text_append(text, sizeof text, "%s", entries > 0 ? "." : "");
  }
  dls_gnuplot_describe(plot, f->described, text);
}

dls_status dls_gnuplot_draw(const dls_figure *figure, dls_error *err)
{
  dls_gnuplot *plot = NULL;
  const dls_status status =
      dls_gnuplot_begin(&figure->canvas, (int)figure->width, (int)figure->height, &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  describe(figure, plot);
  put_figure(&(writer){dls_gnuplot_script(plot), figure, dls_gnuplot_font_size(plot, note_letters)});
  return dls_gnuplot_finish(plot, err);
}
