/* experiments/show/report_compare.c -- several schemes on one model over time, on a page.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/show/animation.h"
#include "experiments/show/pictures.h"
#include "experiments/show/plot_curve.h"
#include "experiments/show/report_study.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

enum { ANIMATION_FRAMES = 121, MOST_ANIMATIONS = 4 }; /* a page shows no animation of many frames */

static dls_status draw(const void *data, const dls_canvas *canvas, dls_error *err)
{
  return dls_draw_comparison(data, canvas, err);
}

static void put_runs(dls_report *report, const dls_comparison *plot)
{
  static const char *const headers[] = {"scheme",     "steps",          "rejected", "force evaluations",
                                        "LCP solves", "factorizations", "impacts",  "end [s]"};
  dls_report_table_begin(report, "", 8, headers);
  for (size_t i = 0; i < plot->count; i++) {
    const dls_trajectory *run = plot->runs[i];
    const dls_work *work = &run->work;
    const size_t counts[] = {work->steps,      work->rejected,       work->force_evals,
                             work->lcp_solves, work->factorizations, work->impacts};
    dls_report_cell(report, "%s", plot->labels[i]);
    for (size_t j = 0; j < sizeof counts / sizeof counts[0]; j++) {
      dls_report_cell(report, "%zu", counts[j]);
    }
    dls_report_cell(report, "%.6g", run->rows > 0 ? dls_trajectory_at(run, run->rows - 1, 0) : 0);
  }
  dls_report_table_end(report);
}

/* @param[out] text  to be freed */
static dls_status draw_animation(const dls_model *model, const double *p, const dls_trajectory *run,
                                 char **text, dls_error *err)
{
  dls_animation *animation = NULL;
  size_t size = 0;
  dls_status status = dls_animation_make(model, p, run, ANIMATION_FRAMES, &animation, err);
  FILE *stream = status == DLS_OK ? dls_text_stream(text, &size) : NULL;
  if (stream != NULL) {
    status = dls_animation_write_svg(animation, stream, err);
  }
  const bool broken = stream == NULL || ferror(stream) != 0, closed = stream != NULL && fclose(stream) == 0;
  if (status == DLS_OK && (broken || !closed)) { /* only memory can be missing */
    status = dls_fail(err, DLS_ERR_MEMORY, "no memory for an animation of %s", model->name);
  }
  dls_animation_destroy(animation);
  return status;
}

static dls_status put_animation(dls_report *report, const dls_model *model, const double *p,
                                const dls_trajectory *run, const char *label, dls_error *err)
{
  char *text = NULL;
  dls_status status = draw_animation(model, p, run, &text, err);
  if (status == DLS_OK) {
    status = dls_report_figure(report, text, NULL, "Moving system", label, err);
  }
  free(text);
  return status;
}

static dls_status put_animations(dls_report *report, const dls_model *model, const double *p,
                                 const dls_comparison *plot, dls_error *err)
{
  dls_status status = dls_animate_check(model, p, "page.svg", NULL, err);
  if (status != DLS_OK) {
    return status == DLS_ERR_MEMORY ? status : DLS_OK; /* others cannot be drawn */
  }
  dls_report_section(report, "Animation");
  for (size_t i = 0; i < plot->count && i < MOST_ANIMATIONS && status == DLS_OK; i++) {
    status =
        plot->runs[i]->rows > 1 ? put_animation(report, model, p, plot->runs[i], plot->labels[i], err) : DLS_OK;
  }
  return status;
}

static void put_failures(dls_report *report, const dls_comparison *plot)
{
  size_t failures = 0;
  for (size_t i = 0; i < plot->count; i++) {
    if (!plot->runs[i]->complete) {
      dls_report_entry(report, "failed", "%s: %s", plot->labels[i], plot->runs[i]->failure);
      failures++;
    }
  }
  if (failures == 0) {
    dls_report_paragraph(report, "No run failed.");
  }
}

/* The limit cycle of a run, from its metadata. */
static void put_cycle(dls_report *report, const dls_trajectory *run)
{
  static const char prefix[] = "cycle_";
  if (dls_plot_meta(run, "cycle_period") == NULL) {
    return;
  }
  dls_report_section(report, "Limit cycle");
  for (size_t i = 0; i < run->meta_count; i++) {
    const char *key = run->meta[i], *colon = strchr(key, ':');
    if (strncmp(key, prefix, strlen(prefix)) == 0 && colon != NULL) {
      char name[60];
      snprintf(name, sizeof name, "%.*s", (int)(colon - key - (ptrdiff_t)strlen(prefix)), key + strlen(prefix));
      dls_report_entry(report, name, "%.10g", strtod(colon + 1, NULL));
    }
  }
}

dls_status dls_report_comparison(dls_report *report, const dls_model *model, const double *p,
                                 const dls_comparison *plot, double h, double end, dls_error *err)
{
  dls_report_entry(report, "time", "0 to %g s", end);
  if (h > 0) {
    dls_report_entry(report, "step", "%g s", h);
  }
  dls_report_section(report, "Motion");
  const char *name = plot->over != NULL ? "Motion over a column" : "Motion over time";
  char caption[160];
  snprintf(caption, sizeof caption,
           plot->over != NULL ? "The runs over %.40s, jumps dashed%s."
                              : "The runs over %s, jumps as vertical lines%s.",
           plot->over != NULL ? plot->over : "time",
           plot->reference != NULL ? "; the exact solution behind in grey" : "");
  dls_status status = dls_report_picture(report, draw, plot, name, caption, err);
  if (status == DLS_OK) {
    status = put_animations(report, model, p, plot, err);
  }
  put_cycle(report, plot->runs[0]);
  dls_report_section(report, "Work");
  put_runs(report, plot);
  put_failures(report, plot);
  return status;
}
