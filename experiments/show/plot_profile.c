/* plot_profile.c
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_profile.h"

#include "experiments/show/gnuplot.h"
#include <math.h>
#include <stdlib.h>

static int ascending(const void *x, const void *y)
{
  const double a = *(const double *)x, b = *(const double *)y;
  return (a > b) - (a < b);
}

static double fastest(const dls_profile *profile, size_t problem)
{
  double least = INFINITY;
  for (size_t m = 0; m < profile->methods; m++) {
    least = fmin(least, profile->seconds[problem * profile->methods + m]);
  }
  return least;
}

/* t_pm / min t_p of a method on the problems that it solves, increasing. @return how many */
static size_t ratios(const dls_profile *profile, size_t method, double *ratio)
{
  size_t count = 0;
  for (size_t p = 0; p < profile->problems; p++) {
    const double seconds = profile->seconds[p * profile->methods + method];
    if (isfinite(seconds)) {
      ratio[count++] = seconds / fastest(profile, p);
    }
  }
  qsort(ratio, count, sizeof *ratio, ascending);
  return count;
}

typedef void visit(void *data, size_t method, double tau, double fraction);

/* Every step of every method. @return DLS_OK; DLS_ERR_MEMORY */
static dls_status walk(const dls_profile *profile, visit *step, void *data, dls_error *err)
{
  double *ratio = malloc((profile->problems + 1) * sizeof *ratio);
  if (ratio == NULL) {
    return dls_fail(err, DLS_ERR_MEMORY, "no memory for the profile of %zu problems", profile->problems);
  }
  for (size_t m = 0; m < profile->methods; m++) {
    const size_t count = ratios(profile, m, ratio);
    for (size_t k = 0; k < count; k++) {
      if (k + 1 == count || ratio[k + 1] > ratio[k]) {
        step(data, m, ratio[k], (double)(k + 1) / (double)profile->problems);
      }
    }
  }
  free(ratio);
  return DLS_OK;
}

enum { NARROW_AXIS_HEIGHT = 56 };

typedef struct table {
  const dls_profile *profile;
  FILE *out;
  double largest;        /* tau */
  double high, fraction; /* right end of the axis; height of the last step */
  size_t last, solved;   /* method of the last step; methods with one */
} table;

static void write_line(void *data, size_t method, double tau, double fraction)
{
  const table *t = data;
  fprintf(t->out, "%s,%.17g,%.17g\n", t->profile->names[method], tau, fraction);
}

dls_status dls_profile_write(FILE *out, const dls_profile *profile, dls_error *err)
{
  table t = {.profile = profile, .out = out};
  fprintf(out, "method,tau,fraction\n");
  return walk(profile, write_line, &t, err);
}

static void find_range(void *data, size_t method, double tau, double fraction)
{
  table *t = data;
  (void)fraction;
  t->solved += t->solved == 0 || method != t->last;
  t->last = method;
  t->largest = fmax(t->largest, tau);
}

/* The curve stays at its height up to the right end. */
static void end_block(const table *t)
{
  fprintf(t->out, "%.9g %.9g\nEOD\n", t->high, t->fraction);
}

/* From (1, 0) on, so that the height at tau = 1 is seen. */
static void write_step(void *data, size_t method, double tau, double fraction)
{
  table *t = data;
  if (method != t->last) {
    if (t->last != (size_t)-1) {
      end_block(t);
    }
    fprintf(t->out, "$m%zu << EOD\n1 0\n", method);
    t->last = method;
  }
  fprintf(t->out, "%.9g %.9g\n", tau, fraction);
  t->fraction = fraction;
}

static void write_plot(void *data, size_t method, double tau, double fraction)
{
  table *t = data;
  (void)tau, (void)fraction;
  if (method == t->last) {
    return;
  }
  fprintf(t->out, "%s\\\n  $m%zu using 1:2 with steps lw 2 dt %d lc rgb '%s' title ",
          t->last == (size_t)-1 ? "plot " : ", ", method, (int)method + 1, dls_gnuplot_colour(method));
  dls_gnuplot_quote(t->out, t->profile->names[method]);
  t->last = method;
}

/* The key beside the curves, or below. */
static void put_axes(const table *t, const dls_canvas *canvas, double narrow_height)
{
  fprintf(t->out, "%s'performance profile of %zu problems'\n", dls_canvas_titled(canvas) ? "set title " : "# ",
          t->profile->problems);
  fprintf(t->out,
          "set xlabel 'time / time of the fastest method'\n"
          "set ylabel 'part of the problems solved'\nset xrange [1:%.6g]\nset yrange [0:1.02]\nset grid\n",
          t->high);
  if (canvas->narrow) {
    const double key = DLS_KEY_LINE_HEIGHT * ((double)t->solved + 0.5);
    fprintf(t->out,
            "set bmargin at screen %.4f\nset key at screen 0,%.4f left top Left reverse vertical maxcols 1\n",
            (key + NARROW_AXIS_HEIGHT) / narrow_height, key / narrow_height);
  } else {
    fputs("set key outside right top reverse Left\n", t->out);
  }
}

dls_status dls_profile_draw(const dls_profile *profile, const dls_canvas *canvas, dls_error *err)
{
  enum { WIDTH = 1000, HEIGHT = 650, NARROW_HEIGHT = 340 };
  dls_gnuplot *plot = NULL;
  table t = {.profile = profile, .largest = 1};
  dls_status status = walk(profile, find_range, &t, err);
  if (status == DLS_OK && t.solved == 0) {
    return dls_fail(err, DLS_ERR_ARG, "no method solved a problem: there is no profile to draw");
  }
  const int narrow = NARROW_HEIGHT + DLS_KEY_LINE_HEIGHT * (int)t.solved;
  status = status != DLS_OK ? status
                            : dls_gnuplot_begin(canvas, WIDTH, canvas->narrow ? narrow : HEIGHT, &plot, err);
  if (status != DLS_OK) {
    return status;
  }
  t.high = fmax(10, 1.5 * t.largest);
  t.out = dls_gnuplot_script(plot);
  t.last = (size_t)-1;
  status = walk(profile, write_step, &t, err);
  end_block(&t);
  dls_gnuplot_log_axis(t.out, 'x', 1, t.high, dls_gnuplot_is_text(plot));
  put_axes(&t, canvas, narrow);
  t.last = (size_t)-1;
  status = status != DLS_OK ? status : walk(profile, write_plot, &t, err);
  fprintf(t.out, "\n");
  if (status != DLS_OK) {
    dls_gnuplot_abandon(plot);
    return status;
  }
  return dls_gnuplot_finish(plot, err);
}
