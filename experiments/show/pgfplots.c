/* experiments/show/pgfplots.c -- gnuplot's scripts as pictures of pgfplots: what `set` says, and an axis for each `plot`.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/pgfplots_parts.h"
#include "experiments/show/pgfplots_text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double cm_per_inch = 2.54, points_per_inch = 72.27;
/* Around panels whose edges the script leaves to gnuplot, pixels. */
static const double right_room = 18, shade_room = 70, top_room = 12, bottom_room = 50;

static dls_status refuse(const char *statement, dls_error *err)
{
  return dls_fail(err, DLS_ERR_ARG, "a picture for TeX: the statement '%.80s' is not written", statement);
}

/* --- an axis --- */

static void place_of_layout(const dls_tex_picture *p, double edge[DLS_TEX_EDGES])
{
  const int row = p->panel / p->columns, column = p->panel % p->columns;
  const double wide =
      (p->margin[DLS_TEX_RIGHT] - p->margin[DLS_TEX_LEFT] - p->gap[0] * (p->columns - 1)) / p->columns;
  const double high =
      (p->margin[DLS_TEX_TOP] - p->margin[DLS_TEX_BOTTOM] - p->gap[1] * (p->rows - 1)) / p->rows;
  edge[DLS_TEX_LEFT] = p->margin[DLS_TEX_LEFT] + column * (wide + p->gap[0]);
  edge[DLS_TEX_RIGHT] = edge[DLS_TEX_LEFT] + wide;
  edge[DLS_TEX_TOP] = p->margin[DLS_TEX_TOP] - row * (high + p->gap[1]);
  edge[DLS_TEX_BOTTOM] = edge[DLS_TEX_TOP] - high;
}

/* Panels that gnuplot lays out: below each other, with room for what stands around them. */
static void place_in_cell(const dls_tex_picture *p, double edge[DLS_TEX_EDGES])
{
  const double title_room = 24, high = 1.0 / p->rows;
  edge[DLS_TEX_TOP] = 1 - p->panel * high - title_room / p->height;
  edge[DLS_TEX_BOTTOM] = 1 - (p->panel + 1) * high + bottom_room / p->height;
}

/* The edges of the next panel, parts of the picture. */
static void place_panel(const dls_tex_picture *p, double edge[DLS_TEX_EDGES])
{
  const double usual[DLS_TEX_EDGES] = {dls_canvas_left(p->canvas, 0),
                                       1 - (p->shade.text[0] != '\0' ? shade_room : right_room) / p->width,
                                       bottom_room / p->height, 1 - top_room / p->height};
  for (int i = 0; i < DLS_TEX_EDGES; i++) {
    edge[i] = isnan(p->edge[i]) ? usual[i] : p->edge[i];
  }
  if (p->rows > 0 && !isnan(p->margin[0])) {
    place_of_layout(p, edge);
  } else if (p->rows > 0 && isnan(p->edge[DLS_TEX_TOP])) {
    place_in_cell(p, edge);
  }
}

static void put_label(const dls_tex_picture *p, const char *key, const dls_tex_label *label)
{
  if (label->text[0] != '\0') {
    fprintf(p->out, ",\n  %s={", key);
    dls_tex_text(p->out, label->text, !label->plain);
    fputc('}', p->out);
  }
}

/* "('10^{-3}' 1e-3, '' 2e-3 1, ...)": ticks with labels, and small ones. */
static void put_ticks(const dls_tex_picture *p, char letter, const char *ticks)
{
  static const char *const lists[] = {"%ctick={", "%cticklabels={", "minor %ctick={"};
  for (int list = 0; list < 3; list++) {
    const char *at = ticks + 1, *separator = "";
    fputs(",\n  ", p->out);
    fprintf(p->out, lists[list], letter);
    for (dls_token label; *at == '\'';) {
      dls_script_token(&at, &label);
      at += strspn(at, " ");
      const size_t length = strcspn(at, " ,)");
      const bool small = label.text[0] == '\0';
      if (small == (list == 2)) {
        fputs(separator, p->out);
        if (list == 1) {
          dls_tex_text(p->out, label.text, true);
        } else {
          fwrite(at, 1, length, p->out);
        }
        separator = ",";
      }
      at += strcspn(at, ",)");
      at += strspn(at, ", ");
    }
    fputc('}', p->out);
  }
}

static bool is_number(const char *text)
{
  return text[0] != '\0' && strchr(text, '*') == NULL;
}

static void put_axis(const dls_tex_picture *p, int number)
{
  const dls_tex_axis *axis = &p->axis[number];
  const char letter = "xy"[number];
  /* offsets: left, right, above, below */
  const double room[2] = {p->offset[number == 0 ? 0 : 3], p->offset[number == 0 ? 1 : 2]};
  put_label(p, number == 0 ? "xlabel" : "ylabel", &axis->label);
  fprintf(p->out, ",\n  %cmode=%s", letter, axis->log ? "log" : "normal");
  if (is_number(axis->low)) {
    fprintf(p->out, ",%cmin=%s", letter, axis->low);
  }
  if (is_number(axis->high)) {
    fprintf(p->out, ",%cmax=%s", letter, axis->high);
  }
  if (is_number(axis->low) && is_number(axis->high)) {
    fprintf(p->out, ",enlarge %c limits=false", letter);
  } else if (room[0] == room[1]) {
    fprintf(p->out, ",enlarge %c limits={rel=%.3g}", letter, room[0]);
  } else {
    fprintf(p->out, ",enlarge %c limits={rel=%.3g,%s}", letter, fmax(room[0], room[1]),
            room[0] < room[1] ? "upper" : "lower");
  }
  if (axis->log && axis->ticks[0] != '\0') {
    put_ticks(p, letter, axis->ticks);
  }
  if (axis->unlabelled) {
    fprintf(p->out, ",%cticklabels={}", letter);
  }
}

static void put_key(const dls_tex_picture *p, const double edge[DLS_TEX_EDGES])
{
  double x = isnan(p->key.x) ? 0 : p->key.x, y = isnan(p->key.y) ? 0 : p->key.y;
  if (!p->key.of_panel) {
    x = (x - edge[DLS_TEX_LEFT]) / (edge[DLS_TEX_RIGHT] - edge[DLS_TEX_LEFT]);
    y = (y - edge[DLS_TEX_BOTTOM]) / (edge[DLS_TEX_TOP] - edge[DLS_TEX_BOTTOM]);
  }
  fprintf(p->out, ",\n  legend style={at={(%.4g,%.4g)},anchor=%s west},legend columns=%d", x, y,
          p->key.above ? "south" : "north", p->key.columns);
}

/* The scale of shades beside the panel; of a logarithmic one the exponents are what is drawn. */
static void put_shades(const dls_tex_picture *p)
{
  fputs(",\n  colormap/viridis,colorbar,colorbar style={width=0.25cm,ylabel={", p->out);
  dls_tex_text(p->out, p->shade.text, !p->shade.plain);
  fprintf(p->out, "}%s}", p->shade_log ? ",yticklabel={$10^{\\pgfmathprintnumber{\\tick}}$}" : "");
  if (!isnan(p->shade_low)) {
    fprintf(p->out, ",point meta min=%.6g,point meta max=%.6g",
            p->shade_log ? log10(p->shade_low) : p->shade_low,
            p->shade_log ? log10(p->shade_high) : p->shade_high);
  }
}

static void put_options(const dls_tex_picture *p, const double edge[DLS_TEX_EDGES])
{
  const dls_magnification *style = dls_canvas_magnification(p->canvas);
  const double cm = style->tex.centimetres * p->width / style->tex.width, high = cm * p->height / p->width;
  fprintf(p->out, "\\begin{axis}[at={(%.4gcm,%.4gcm)},width=%.4gcm,height=%.4gcm", cm * edge[DLS_TEX_LEFT],
          high * edge[DLS_TEX_BOTTOM], cm * (edge[DLS_TEX_RIGHT] - edge[DLS_TEX_LEFT]),
          high * (edge[DLS_TEX_TOP] - edge[DLS_TEX_BOTTOM]));
  put_label(p, "title", &p->title);
  put_axis(p, 0);
  put_axis(p, 1);
  put_key(p, edge);
  if (p->equal) {
    fputs(",\n  axis equal", p->out);
  }
  if (p->zero_line) {
    fputs(",\n  extra y ticks={0},extra y tick labels={},extra y tick style={grid style={draw=black!50}}",
          p->out);
  }
  if (p->shade.text[0] != '\0') {
    put_shades(p);
  }
  fputs("]\n", p->out);
}

/* Of "[*<-1:1<*]": the axis covers both. The middle of the x-axis is inside. */
static void put_reach(const dls_tex_picture *p)
{
  const dls_tex_axis *y = &p->axis[1];
  const char *low = strchr(y->low, '<');
  if (low != NULL) {
    const double high = strtod(y->high, NULL);
    fprintf(p->out, "\\addplot[draw=none,forget plot] table[row sep=\\\\]{0 %s \\\\\n0 %.6g \\\\\n};\n",
            low + 1, high);
  }
}

/* What a stream in memory has got so far. */
static void put_buffer(FILE *out, FILE *stream, char *const *text)
{
  if (fflush(stream) == 0 && *text != NULL) {
    fputs(*text, out);
  }
}

static dls_status put_panel(dls_tex_picture *p, const char *items, dls_error *err)
{
  double edge[DLS_TEX_EDGES];
  place_panel(p, edge);
  put_options(p, edge);
  put_buffer(p->out, p->behind, &p->behind_text);
  put_reach(p);
  if (p->key.title[0] != '\0') {
    fputs("\\addlegendimage{empty legend}\n\\addlegendentry{\\hspace{-0.6cm}", p->out);
    dls_tex_text(p->out, p->key.title, false);
    fputs("}\n", p->out);
  }
  const dls_status status = dls_tex_plot(p, items, err);
  put_buffer(p->out, p->marks, &p->marks_text);
  fputs("\\end{axis}\n", p->out);
  p->panel++;
  return status;
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
static void put_head(const dls_tex_picture *p)
{
  const dls_magnification *style = dls_canvas_magnification(p->canvas);
  fputs(head, p->out);
  fprintf(p->out,
          "{%s\\begin{tikzpicture}[/pgfplots/every axis/.append style={scale only axis,anchor=south west,\n",
          style->tex.font);
  fprintf(p->out,
          "  axis line style={line width=%.3gpt},tick style={line width=%.3gpt},minor tick length=2pt,\n"
          "  grid=major,grid style={line width=%.3gpt,draw=black!15},axis on top=false,\n",
          0.8 * style->tex.line, 0.7 * style->tex.line, 0.5 * style->tex.line);
  fputs("  xlabel near ticks,ylabel near ticks,scaled ticks=false,/pgf/number format/1000 sep={},"
        "/pgf/number format/std=-4:4,/pgf/number format/precision=5,\n"
        "  unbounded coords=jump,clip mode=individual,legend cell align=left,\n"
        "  legend style={draw=none,fill=none,inner sep=0pt,outer sep=0pt,nodes={inner sep=1.2pt},"
        "/tikz/every even column/.append style={column sep=4pt}}}]\n",
        p->out);
}

static dls_status obey(dls_tex_picture *p, const char *statement, dls_error *err)
{
  const char *at = statement;
  dls_token word;
  dls_script_token(&at, &word);
  if (strcmp(word.text, "plot") == 0) {
    return put_panel(p, at, err);
  }
  if (strcmp(word.text, "unset") == 0) {
    return dls_tex_unset(p, at) ? DLS_OK : refuse(statement, err);
  }
  const bool known = word.kind == DLS_TOKEN_END || (strcmp(word.text, "set") == 0 && dls_tex_set(p, at));
  return known ? DLS_OK : refuse(statement, err);
}

/* Behind the lines of a block. */
static const char *skip_block(const char *at)
{
  static const char end[] = "\nEOD\n";
  const char *found = strstr(at, end);
  return found != NULL ? found + sizeof end - 1 : at + strlen(at);
}

static dls_status write_panels(dls_tex_picture *p, dls_error *err)
{
  dls_status status = DLS_OK;
  for (const char *at = p->script; status == DLS_OK && *at != '\0';) {
    if (*at == '$') {
      at = skip_block(at + strcspn(at, "\n"));
      continue;
    }
    char *statement = dls_script_statement(&at);
    status = statement != NULL ? obey(p, statement, err)
                               : dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture for TeX");
    free(statement);
  }
  return status;
}

dls_status dls_pgfplots_write(FILE *out, const char *script, const dls_canvas *canvas, int height,
                              dls_error *err)
{
  const dls_magnification *style = dls_canvas_magnification(canvas);
  size_t sizes[2];
  dls_tex_picture p = {.out = out,
                       .script = script,
                       .canvas = canvas,
                       .width = dls_canvas_width(canvas, 1),
                       .height = height,
                       .point = style->tex.centimetres / cm_per_inch * points_per_inch / style->tex.width,
                       .edge = {NAN, NAN, NAN, NAN},
                       .margin = {NAN, NAN, NAN, NAN},
                       .shade_low = NAN,
                       .shade_high = NAN,
                       .key = {.x = NAN, .y = NAN, .columns = 1}};
  p.marks = dls_text_stream(&p.marks_text, &sizes[0]);
  p.behind = dls_text_stream(&p.behind_text, &sizes[1]);
  dls_status status = DLS_ERR_MEMORY;
  if (p.marks != NULL && p.behind != NULL) {
    put_head(&p);
    status = write_panels(&p, err);
    fputs("\\end{tikzpicture}}%\n", out);
    fputs(tail, out);
  } else {
    dls_fail(err, status, "no memory for a picture for TeX");
  }
  FILE *const streams[] = {p.marks, p.behind};
  for (int i = 0; i < 2; i++) {
    if (streams[i] != NULL && fclose(streams[i]) != 0 && status == DLS_OK) {
      status = dls_fail(err, DLS_ERR_MEMORY, "no memory for a picture for TeX");
    }
  }
  free(p.marks_text);
  free(p.behind_text);
  return status;
}
