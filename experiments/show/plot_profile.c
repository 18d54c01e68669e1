/* experiments/show/plot_profile.c -- performance profiles, see plot_profile.h
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/show/plot_profile.h"

#include "experiments/show/figure.h"
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

typedef struct lines {
  const dls_profile *profile;
  FILE *out;
} lines;

static void write_line(void *data, size_t method, double tau, double fraction)
{
  const lines *t = data;
  fprintf(t->out, "%s,%.17g,%.17g\n", t->profile->names[method], tau, fraction);
}

dls_status dls_profile_write(FILE *out, const dls_profile *profile, dls_error *err)
{
  lines t = {profile, out};
  fprintf(out, "method,tau,fraction\n");
  return walk(profile, write_line, &t, err);
}

/* The steps of every method as a table. */
typedef struct steps {
  dls_figure *figure;
  dls_panel *panel;
  const dls_profile *profile;
  dls_plot_table *table; /* of the last step */
  size_t method;         /* of it */
  double largest;        /* tau */
} steps;

/* From (1, 0) on, so that the height at tau = 1 is seen. */
static void add_step(void *data, size_t method, double tau, double fraction)
{
  steps *s = data;
  if (s->table == NULL || method != s->method) {
    const dls_style style =
        dls_style_of(s->panel->series_count); /* of methods that solved a problem: more than twelve exist */
    s->table = dls_plot_table_new(s->figure, 2, "m%zu", method);
    s->table->digits = 9;
    dls_plot_table_add(s->table, (double[]){1, 0});
    dls_panel_add(s->figure, s->panel,
                  &(dls_series){.kind = DLS_SERIES_STEPS,
                                .table = s->table,
                                .style = style,
                                .width = s->panel->series_count < DLS_STYLES ? 2.4 : 1.2, /* styles repeat */
                                .title = s->profile->names[method]});
    s->method = method;
  }
  s->largest = fmax(s->largest, tau);
  dls_plot_table_add(s->table, (double[]){tau, fraction});
}

/* The curves keep their height up to the right end. */
static void end_curves(const dls_figure *figure, double high)
{
  for (size_t i = 0; i < figure->table_count && !figure->failed; i++) {
    dls_plot_table *table = figure->tables[i];
    dls_plot_table_add(table, (double[]){high, table->values[2 * table->rows - 1]});
  }
}

dls_status dls_profile_draw(const dls_profile *profile, const dls_canvas *canvas, dls_error *err)
{
  enum { WIDTH = 1000, HEIGHT = 560, NARROW_HEIGHT = 260 };
  dls_figure figure;
  dls_figure_begin(&figure, canvas, WIDTH);
  figure.key = DLS_KEY_OF_PANEL;
  figure.title.model = dls_figure_text(&figure, "performance profile of %zu problems", profile->problems);
  steps s = {&figure, dls_figure_panel(&figure, dls_figure_either(&figure, HEIGHT, NARROW_HEIGHT)),
             profile, NULL,
             0,       1};
  dls_status status = walk(profile, add_step, &s, err);
  if (status == DLS_OK && s.table == NULL) {
    status = dls_fail(err, DLS_ERR_ARG, "no method solved a problem: there is no profile to draw");
  }
  const double high = fmax(10, 1.5 * s.largest);
  end_curves(&figure, high);
  s.panel->x = (dls_axis){.label = "time / time of the fastest method", .log = true, .low = 1, .high = high};
  s.panel->y = (dls_axis){.label = "fraction of the problems solved", .high = 1.02};
  return dls_figure_finish(&figure, status, err);
}
