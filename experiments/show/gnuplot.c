/* experiments/show/gnuplot.c -- run gnuplot without shell or input, with a time limit; keep its messages; write
 * complete pictures only.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/gnuplot.h"
#include "common/base/text.h"
#include "experiments/campaign/output_files.h"
#include "experiments/extra/foreign/process.h"
#include "experiments/show/gnuplot_session.h"
#include "experiments/show/report_svg.h"
#include <delassus/output.h>
#include <delassus/plot.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Picture formats by ending; sizes are written in units of `unit` pixels. */
static const struct format {
  const char *ending, *terminal, *background;
  double letters;         /* size of the font */
  double unit, linewidth; /* 0: its own */
  double fontscale;       /* magnification for a font of 13 pixels; 0: the font itself is magnified */
  double pointscale;      /* magnification for points as in SVG; 0: it scales neither points nor dashes */
  bool afresh; /* the picture before does not matter; in SVG its last colour does, to the same gnuplot */
} formats[] = {
    {".png", "pngcairo", " background 'white'", 13, 1, 1.5, 0.75, 1, true},
    /* gnuplot's svg keeps the room of unmagnified letters for magnified ones in keys and labels */
    {".svg", "svg", " background 'white'", 13, 1, 1.5, 0, 0, false},
    {".pdf", "pdfcairo", "", 10, 96, 1.5, 0.75, 0.7, true}, /* inches */
    {".tex", NULL, NULL, 0, 1, 0, 1, 0, false},             /* by pgfplots.c */
};
static const char font[] = "DejaVu Sans";
static const double screen_dots_per_inch = 300; /* of PNG in the style screen whose size is in centimetres */
enum { FORMATS = sizeof formats / sizeof formats[0] };
static const struct format animated = {".gif", "gif animate", " background '#ffffff'", 10, 1, 0, 1, 0, false};

static const char *const not_found =
    "gnuplot not found: install the package gnuplot-nox (apt-get install gnuplot-nox), or omit the picture (of "
    "a folder: --plot-format none)";

/* Limit [s]. A picture takes 0.1 s, so that beyond this gnuplot hangs. */
static const double time_limit = 60; /* s */

struct dls_gnuplot {
  const struct format *format;
  char *picture, *script; /* where they go; NULL in the terminal and for a figure of a page */
  FILE *target;           /* where the picture goes if that is no file; else NULL */
  int delay;              /* of a GIF */
  dls_canvas canvas;
  int width, height; /* of the layout */
  char *text;        /* the script so far */
  size_t size;
  FILE *stream; /* writes text */
  char title[600], description[2000];
};

static const struct format *find_format(const char *path)
{
  const size_t length = strlen(path);
  for (size_t i = 0; i < FORMATS; i++) {
    const size_t ending = strlen(formats[i].ending);
    if (length > ending && path[length - ending - 1] != '/' &&
        strcmp(path + length - ending, formats[i].ending) == 0) {
      return &formats[i];
    }
  }
  return NULL;
}

dls_status dls_plot_check(const char *path, dls_error *err)
{
  if (strcmp(path, "-") != 0 && find_format(path) == NULL) {
    return dls_fail(err, DLS_ERR_ARG,
                    "plot \"%s\": a picture ends in .png, .svg, .pdf or .tex, or is - for the terminal", path);
  }
  if (dls_output_name(path, err) != DLS_OK) {
    return DLS_ERR_ARG;
  }
  const struct format *format = find_format(path);
  if (format == NULL || format->terminal == NULL) { /* the terminal and TeX need no gnuplot */
    return DLS_OK;
  }
  char program[PATH_MAX];
  return dls_process_find("gnuplot", program, sizeof program) ? DLS_OK
                                                              : dls_fail(err, DLS_ERR_IO, "%s", not_found);
}

FILE *dls_gnuplot_script(dls_gnuplot *plot)
{
  return plot->stream;
}

void dls_gnuplot_describe(dls_gnuplot *plot, const char *title, const char *description)
{
  snprintf(plot->title, sizeof plot->title, "%s", title);
  snprintf(plot->description, sizeof plot->description, "%s", description);
}

static const char *file_name(const char *path)
{
  const char *slash = strrchr(path, '/');
  return slash == NULL ? path : slash + 1;
}

/* Prefix of names that gnuplot would take for an option (-) or a command (|, <). */
static const char *prefix(const char *name)
{
  return name[0] == '-' || name[0] == '|' || name[0] == '<' ? "./" : "";
}

/* ARG0 is the path of the script: the picture is written beside it, from any working directory. */
static void write_output_name(const dls_gnuplot *plot)
{
  FILE *out = plot->stream;
  const char *script = file_name(plot->script), *picture = file_name(plot->picture);
  fprintf(out, "# edit, then: gnuplot %s%s\n", prefix(script), script);
  fprintf(
      out,
      "if (!exists('output')) {\n  folder = exists('ARG0') ? ARG0 : ''\n"
      "  while (strlen(folder) > 0 && folder[strlen(folder):] ne '/') { folder = folder[1:strlen(folder)-1] }\n"
      "  output = folder . %s",
      prefix(picture)[0] != '\0' ? "'./' . " : "");
  dls_gnuplot_quote(out, picture);
  fprintf(out, "\n}\n");
}

/* Output pixels of a pixel of the layout; of PDF at dls_pixels_per_inch. */
static double magnification(const dls_gnuplot *plot)
{
  const struct format *format = plot->format;
  const dls_canvas *canvas = &plot->canvas;
  const dls_magnification *style = dls_canvas_magnification(canvas);
  const bool svg = strcmp(format->ending, ".svg") == 0, sized = canvas->form.width > 0;
  const double per_centimetre = format->unit != 1 || (svg && sized)
                                    ? dls_pixels_per_inch / dls_centimetres_per_inch
                                : svg              ? style->svg / style->centimetres
                                : style->width > 0 ? style->png / style->centimetres
                                                   : screen_dots_per_inch / dls_centimetres_per_inch;
  return sized && !canvas->form.centimetres ? canvas->form.width / plot->width
                                            : per_centimetre * dls_canvas_centimetres(canvas);
}

static bool is_styled(const dls_gnuplot *plot)
{
  return (dls_canvas_magnification(&plot->canvas)->width > 0 || plot->canvas.form.width > 0) &&
         plot->canvas.path != NULL;
}

double dls_gnuplot_font_size(const dls_gnuplot *plot, double size)
{
  return plot->format->fontscale == 0 && is_styled(plot) ? magnification(plot) * size : size;
}

/* A style or a size scales the whole picture. */
static void write_terminal(const dls_gnuplot *plot)
{
  const struct format *format = plot->format;
  const dls_magnification *style = dls_canvas_magnification(&plot->canvas);
  const bool styled = is_styled(plot);
  const double scale = styled ? magnification(plot) : 1;
  const double letters =
      plot->canvas.letters > 0 ? plot->canvas.letters : 1; /* smaller ones leave lines as they are */
  double width = scale * plot->width, height = scale * plot->height;
  if (plot->canvas.form.width > 0) { /* without the rounding of the layout to pixels */
    height = width * plot->canvas.form.height / plot->canvas.form.width;
    height = format->unit == 1 ? round(height) : height;
  }
  fprintf(plot->stream, "size %g,%g font '%s,%.4g'", width / format->unit, height / format->unit, font,
          dls_gnuplot_font_size(plot, format->letters));
  if (styled && format->fontscale > 0) {
    fprintf(plot->stream, " fontscale %.4g", scale * format->fontscale);
  }
  if (styled && format->pointscale > 0) {
    fprintf(plot->stream, " pointscale %.4g dashlength %.4g", scale * format->pointscale,
            letters / style->lines);
  }
  if (format->linewidth > 0) {
    fprintf(plot->stream, " linewidth %.4g", format->linewidth * (styled ? scale / letters * style->lines : 1));
  }
  fputs(format->background, plot->stream);
  if (styled && format->pointscale > 0) { /* lines of the key as far apart as figure_layout.c has room for */
    fputs("\nset key spacing 1.5", plot->stream);
  }
}

/* The form, for users who rerun the script, and for verify. */
static void write_form(FILE *out, const dls_picture_form *form)
{
  char size[DLS_PICTURE_SIZE_TEXT];
  dls_picture_size_print(form->width, form->height, form->centimetres, size);
  const char *values[DLS_PICTURE_FORM_OPTIONS] = {
      form->style != DLS_PLOT_SCREEN ? dls_plot_style_names[form->style] : NULL, form->width > 0 ? size : NULL,
      form->key != DLS_PICTURE_KEY_AUTO ? dls_picture_key_names[form->key] : NULL};
  for (size_t i = 0; i < DLS_PICTURE_FORM_OPTIONS; i++) {
    if (values[i] != NULL) {
      fprintf(out, "# %s: %s\n", dls_picture_form_options[i], values[i]);
    }
  }
}

static void write_head(const dls_gnuplot *plot)
{
  FILE *out = plot->stream;
  fprintf(out, "# made by delassus %s\n", DLS_VERSION);
  if (plot->canvas.path != NULL) {
    write_form(out, &plot->canvas.form);
  }
  if (plot->target == NULL) {
    write_output_name(plot);
  }
  fprintf(out, "set encoding utf8\nset terminal %s ", plot->format->terminal);
  if (plot->delay > 0) {
    fprintf(out, "delay %d loop 0 ", plot->delay);
  }
  write_terminal(plot);
  fputs("\nset output output\n"
        "set border linecolor rgb '#404040'\nset grid linetype 1 linewidth 0.5 linecolor rgb '#D8D8D8'\n",
        out);
}

/* Within single quotes only the quote itself has a meaning, but the end of a line ends the string. */
void dls_gnuplot_quote(FILE *script, const char *text)
{
  fputc('\'', script);
  for (const char *c = text; *c != '\0'; c++) {
    fputs(*c == '\'' ? "\'" : "", script);
    fputc((unsigned char)*c < ' ' ? ' ' : *c, script);
  }
  fputc('\'', script);
}

static char *copy_path(const char *path)
{
  const size_t size = strlen(path) + 3;
  char *copy = malloc(size);
  if (copy != NULL) {
    snprintf(copy, size, "%s%s", prefix(path), path);
  }
  return copy;
}

static bool set_paths(dls_gnuplot *plot, const char *path)
{
  if (path == NULL) {
    return true;
  }
  plot->picture = copy_path(path);
  plot->script = copy_path(path);
  if (plot->picture == NULL || plot->script == NULL) {
    return false;
  }
  strcpy(plot->script + strlen(plot->script) - strlen(plot->format->ending),
         ".gp"); /* shorter than every ending */
  return true;
}

static void release(dls_gnuplot *plot)
{
  if (plot == NULL) {
    return;
  }
  if (plot->stream != NULL) {
    fclose(plot->stream);
  }
  free(plot->text);
  free(plot->picture);
  free(plot->script);
  free(plot);
}

dls_status dls_gnuplot_begin(const dls_canvas *canvas, int width, int height, dls_gnuplot **out, dls_error *err)
{
  const char *path = canvas->path;
  const char *name = path != NULL ? path : "figure.svg";
  *out = NULL;
  const dls_status status = dls_plot_check(name, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_gnuplot *plot = calloc(1, sizeof *plot);
  if (plot != NULL) {
    plot->format = find_format(name);
    plot->format = canvas->delay > 0 ? &animated : plot->format;
    plot->delay = canvas->delay;
    plot->canvas = *canvas;
    plot->width = width;
    plot->height = height;
    plot->target = path == NULL ? canvas->stream : NULL;
    plot->stream = dls_text_stream(&plot->text, &plot->size);
  }
  if (plot == NULL || plot->stream == NULL || !set_paths(plot, path)) {
    release(plot);
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot %s", name);
  }
  write_head(plot);
  *out = plot;
  return DLS_OK;
}

/* A new empty file beside another. @return its name, to be freed; NULL with errno */
static char *temporary_file(const char *beside)
{
  char *name = NULL;
  const int file = dls_output_temporary(beside, &name);
  if (file >= 0) {
    close(file);
  }
  return name;
}

/* The same in the folder for temporary files. */
static char *temporary_file_anywhere(void)
{
  char beside[PATH_MAX];
  errno = ENAMETOOLONG;
  return snprintf(beside, sizeof beside, "%s/delassus", dls_temporary_folder()) < (int)sizeof beside
             ? temporary_file(beside)
             : NULL;
}

static dls_status write_file(const char *name, const char *text, size_t size, dls_error *err)
{
  FILE *file = fopen(name, "w");
  const bool written = file != NULL && fwrite(text, 1, size, file) == size;
  const bool closed = file != NULL && fclose(file) == 0;
  return written && closed ? DLS_OK : dls_fail(err, DLS_ERR_IO, "cannot write %s: %s", name, strerror(errno));
}

/* The messages in one line. */
static void read_complaints(FILE *complaints, char *text, size_t size)
{
  rewind(complaints);
  const size_t length = fread(text, 1, size - 1, complaints);
  text[length] = '\0';
  for (char *c = text; *c != '\0'; c++) {
    *c = *c == '\n' || *c == '\t' ? ' ' : *c;
  }
}

static dls_status judge(const char *name, const dls_process_spec *spec, const dls_process_end *end,
                        FILE *complaints, dls_error *err)
{
  char text[250] = "", how[120];
  const bool ended = end->failed == 0 && !end->late && WIFEXITED(end->status);
  if (end->failed == ENOENT || (ended && WEXITSTATUS(end->status) == 127)) {
    return dls_fail(err, DLS_ERR_IO, "%s", not_found);
  }
  if (ended && WEXITSTATUS(end->status) == 0) {
    return DLS_OK;
  }
  if (end->failed == ENOMEM) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory to start gnuplot");
  }
  if (end->failed == 0 && !end->late) {
    read_complaints(complaints, text, sizeof text);
  }
  dls_process_describe(spec, end, how, sizeof how);
  return dls_fail(err, DLS_ERR_IO, "%.80s: gnuplot %s%s%s", name, how, text[0] != '\0' ? ": " : "", text);
}

/* The signal for an oversized file ends gnuplot, which does not check writes. */
static dls_status run_gnuplot(const char *name, const char *script, const char *assignment, dls_error *err)
{
  char *arguments[] = {"gnuplot", "--default-settings", "-e", (char *)assignment, (char *)script, NULL};
  FILE *complaints = tmpfile();
  if (complaints == NULL) {
    return dls_fail(err, DLS_ERR_IO, "no temporary file for gnuplot's messages: %s", strerror(errno));
  }
  fflush(stdout); /* earlier output must precede a picture in the terminal */
  const dls_process_spec spec = {
      .arguments = arguments, .output = -1, .complaints = fileno(complaints), .seconds = time_limit};
  const dls_process_end end = dls_process_run(&spec);
  const dls_status status = judge(name, &spec, &end, complaints, err);
  fclose(complaints);
  return status;
}

/* The words before a name as a string of gnuplot; to be freed. */
static char *with_quoted(const char *before, const char *name)
{
  char *text = NULL;
  size_t size = 0;
  FILE *stream = dls_text_stream(&text, &size);
  if (stream == NULL) {
    return NULL;
  }
  fputs(before, stream);
  dls_gnuplot_quote(stream, name);
  return fclose(stream) == 0 ? text : (free(text), NULL);
}

static char *output_assignment(const char *name)
{
  return with_quoted("output=", name);
}

/* By the gnuplot of the session, if there is one; by one of its own if not, or if that failed. */
static dls_status draw(const dls_gnuplot *plot, const char *script, const char *assignment, dls_error *err)
{
  const bool in_session = plot->format->afresh;
  char *quoted = in_session ? with_quoted("", script) : NULL;
  const int style = plot->canvas.path == NULL
                        ? 0 /* as write_terminal has it */
                        : 1 + 2 * (int)plot->canvas.form.style + (plot->canvas.form.width > 0);
  const int kind = style * FORMATS + (in_session ? (int)(plot->format - formats) : 0);
  const bool drawn = quoted != NULL && dls_gnuplot_session_run(kind, assignment, quoted, time_limit);
  free(quoted);
  const char *name = plot->picture != NULL ? plot->picture : "a figure";
  return drawn ? DLS_OK : run_gnuplot(name, script, assignment, err);
}

static dls_status check_picture(const char *name, dls_error *err)
{
  struct stat info;
  return stat(name, &info) == 0 && info.st_size > 0
             ? DLS_OK
             : dls_fail(err, DLS_ERR_IO, "gnuplot left an empty picture");
}

static dls_status copy_file(const char *name, FILE *out, dls_error *err)
{
  char block[BUFSIZ];
  FILE *file = fopen(name, "r");
  for (size_t size = 1; file != NULL && size > 0;) {
    size = fread(block, 1, sizeof block, file);
    fwrite(block, 1, size, out);
  }
  const bool good = file != NULL && !ferror(file);
  if (file != NULL) {
    fclose(file);
  }
  return good ? DLS_OK : dls_fail(err, DLS_ERR_IO, "cannot read %s: %s", name, strerror(errno));
}

/* Up to behind `open`, then the text in place of what stands before `close`. @return the rest */
static const char *replace(FILE *out, const char *svg, const char *open, const char *close, const char *text)
{
  const char *begin = strstr(svg, open), *end = begin != NULL ? strstr(begin, close) : NULL;
  if (end == NULL || text[0] == '\0') {
    return svg;
  }
  fwrite(svg, 1, (size_t)(begin - svg) + strlen(open), out);
  dls_markup_escape(out, text);
  return end;
}

/* Title and description in place of gnuplot's. */
static dls_status describe_svg(const dls_gnuplot *plot, const char *name, dls_error *err)
{
  char *svg = NULL, *described = NULL;
  size_t svg_size = 0, size = 0;
  FILE *whole = dls_text_stream(&svg, &svg_size), *out = dls_text_stream(&described, &size);
  dls_status status = whole != NULL && out != NULL
                          ? copy_file(name, whole, err)
                          : dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot %s", plot->picture);
  const bool read = whole != NULL && fclose(whole) == 0;
  if (status == DLS_OK && read) {
    const char *rest = replace(out, svg, "<title>", "</title>", plot->title);
    fputs(replace(out, rest, "<desc>", "</desc>", plot->description), out);
  }
  const bool written = out != NULL && fclose(out) == 0;
  if (status == DLS_OK) {
    status = read && written ? write_file(name, described, size, err)
                             : dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot %s", plot->picture);
  }
  free(svg);
  free(described);
  return status;
}

/* Write script and picture under temporary names, then rename both. */
static dls_status make_files(const dls_gnuplot *plot, const char *script, const char *picture, dls_error *err)
{
  char *assignment = output_assignment(picture);
  dls_status status = assignment == NULL
                          ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot %s", plot->picture)
                          : write_file(script, plot->text, plot->size, err);
  if (status == DLS_OK && (status = draw(plot, script, assignment, err)) == DLS_OK &&
      (status = check_picture(picture, err)) == DLS_OK &&
      (strcmp(plot->format->ending, ".svg") != 0 || (status = describe_svg(plot, picture, err)) == DLS_OK) &&
      (status = dls_output_put(picture, plot->picture, err)) == DLS_OK) {
    status = dls_output_put(script, plot->script, err);
  }
  free(assignment);
  return status;
}

static dls_status make_picture(const dls_gnuplot *plot, dls_error *err)
{
  char *picture = temporary_file(plot->picture);
  char *script = picture == NULL ? NULL : temporary_file(plot->script);
  dls_status status = DLS_OK;
  if (script == NULL) {
    status = dls_fail(err, DLS_ERR_IO, "cannot write %s: %s", plot->picture, strerror(errno));
  } else {
    status = make_files(plot, script, picture, err);
  }
  if (status != DLS_OK && picture != NULL) {
    unlink(picture);
  }
  if (status != DLS_OK && script != NULL) {
    unlink(script);
  }
  free(picture);
  free(script);
  return status;
}

/* Run the script under a temporary name. */
static dls_status run_text(const dls_gnuplot *plot, const char *assignment, dls_error *err)
{
  char *script = temporary_file_anywhere();
  if (script == NULL) {
    return dls_fail(err, DLS_ERR_IO, "cannot write a script into %.200s: %s", dls_temporary_folder(),
                    strerror(errno));
  }
  dls_status status = write_file(script, plot->text, plot->size, err);
  if (status == DLS_OK) {
    status = draw(plot, script, assignment, err);
  }
  unlink(script);
  free(script);
  return status;
}

/* A picture in a stream leaves no files. */
static dls_status draw_into_stream(const dls_gnuplot *plot, dls_error *err)
{
  char *picture = temporary_file_anywhere();
  char *assignment = picture != NULL ? output_assignment(picture) : NULL;
  dls_status status = assignment != NULL ? run_text(plot, assignment, err)
                                         : dls_fail(err, DLS_ERR_IO, "cannot write a picture into %.200s: %s",
                                                    dls_temporary_folder(), strerror(errno));
  if (status == DLS_OK && (status = check_picture(picture, err)) == DLS_OK) {
    status = copy_file(picture, plot->target, err);
  }
  if (picture != NULL) {
    unlink(picture);
  }
  free(assignment);
  free(picture);
  return status;
}

dls_status dls_gnuplot_finish(dls_gnuplot *plot, dls_error *err)
{
  const bool written = !ferror(plot->stream) && fflush(plot->stream) == 0;
  const dls_status status = !written ? dls_fail(err, DLS_ERR_MEMORY, "no memory for the plot's script")
                            : plot->target != NULL ? draw_into_stream(plot, err)
                                                   : make_picture(plot, err);
  release(plot);
  return status;
}
