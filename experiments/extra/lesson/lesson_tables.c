/* experiments/extra/lesson/lesson_tables.c -- all runs of a lesson, as the data of its page.
 *
 * Runs are numbered by the positions of the sliders, the first one slowest, the step fastest. Runs with the same motion are
 * consecutive, so that its model and reference are made once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "experiments/extra/lesson/lesson_run.h"
#include "experiments/show/page.h"

#include <math.h>
#include <stdlib.h>

static size_t count_of(const dls_lesson_maker *m, size_t slider)
{
  return dls_lesson_value_at(m->lesson->sliders[slider].values, 0, NULL, 0);
}

/* Steps are rounded to few digits, so that the page shows the step that was run. */
static double step_at(const dls_lesson *lesson, size_t level)
{
  char text[DLS_LESSON_WORD];
  const double part = level == 0 ? 0 : (double)level / (double)(lesson->levels - 1);
  snprintf(text, sizeof text, "%.4g", lesson->h_first * pow(lesson->h_last / lesson->h_first, part));
  return strtod(text, NULL);
}

/* Number of runs with one motion, and of all runs. */
static void count_runs(const dls_lesson_maker *m, size_t *inner, size_t *total)
{
  *inner = *total = m->lesson->levels;
  for (size_t i = 0; i < m->sliders; i++) {
    *total *= count_of(m, i);
    *inner *= dls_lesson_changes_motion(m->lesson->sliders[i].role) ? 1 : count_of(m, i);
  }
}

static void set_sliders(dls_lesson_maker *m, size_t run)
{
  run /= m->lesson->levels;
  for (size_t i = m->sliders; i-- > 0;) {
    dls_lesson_value_at(m->lesson->sliders[i].values, run % count_of(m, i), m->values[i], DLS_LESSON_WORD);
    run /= count_of(m, i);
  }
}

/* --- the head --- */

static void put_words(const dls_lesson_maker *m, const char *key, const char *text)
{
  fprintf(m->out, "\"%s\":", key);
  dls_page_put_json(m->out, text);
  fputc(',', m->out);
}

static const char *const roles[] = {[DLS_LESSON_PARAMETER] = "parameter",
                                    [DLS_LESSON_LAW] = "law",
                                    [DLS_LESSON_END] = "end",
                                    [DLS_LESSON_SCHEME] = "scheme",
                                    [DLS_LESSON_OPTION] = "option"};

static void put_sliders(const dls_lesson_maker *m)
{
  const dls_lesson *lesson = m->lesson;
  fputs("\"sliders\":[", m->out);
  for (size_t i = 0; i < m->sliders; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    fputc('{', m->out);
    put_words(m, "role", roles[slider->role]);
    put_words(m, "name", slider->name != NULL ? slider->name : "");
    put_words(m, "label", slider->label);
    put_words(m, "unit", slider->unit);
    put_words(m, "values", slider->values);
    fprintf(m->out, "\"start\":%zu}%s\n", slider->start, i + 1 == m->sliders && lesson->levels == 1 ? "" : ",");
  }
  if (lesson->levels == 1) {
    fprintf(m->out, "],\"step\":\"%.4g\",\n", lesson->h_first);
    return;
  }
  fputs("{\"role\":\"step\",\"name\":\"\",\"label\":\"step h\",\"unit\":\"s\",\"values\":\"", m->out);
  for (size_t i = 0; i < lesson->levels; i++) {
    fprintf(m->out, "%s%.4g", i == 0 ? "" : ";", step_at(lesson, i));
  }
  fprintf(m->out, "\",\"start\":%zu}],\n", 3 * lesson->levels / 4);
}

static void put_head(const dls_lesson_maker *m)
{
  const dls_lesson *lesson = m->lesson;
  put_words(m, "lesson", lesson->name);
  put_words(m, "model", lesson->model);
  put_words(m, "settings", lesson->settings);
  put_words(m, "scheme", lesson->scheme != NULL ? lesson->scheme : "");
  fputs(lesson->plain ? "\"plain\":true,\n" : "", m->out);
  fprintf(m->out, "\"longest\":%.10g,\n", m->longest);
  put_sliders(m);
  fputs("\"panels\":[", m->out);
  for (size_t i = 0; i < m->panels; i++) {
    const dls_lesson_panel *panel = &lesson->panels[i];
    fputs(i == 0 ? "{" : ",{", m->out);
    put_words(m, "column", panel->column);
    put_words(m, "label", panel->label);
    put_words(m, "unit", panel->unit);
    fprintf(m->out, "\"low\":%.10g,\"high\":%.10g,\"body\":%s}\n", panel->low, panel->high,
            panel->body ? "true" : "false");
  }
  fputs("],\"measures\":[", m->out);
  for (size_t i = 0; i < m->measures; i++) {
    const dls_lesson_measure *measure = &lesson->measures[i];
    fputs(i == 0 ? "{" : ",{", m->out);
    put_words(m, "norm", measure->norm);
    put_words(m, "of", measure->of);
    put_words(m, "label", measure->label);
    fputs("\"unit\":", m->out);
    dls_page_put_json(m->out, measure->unit);
    fputs("}\n", m->out);
  }
  fputs("],\n", m->out);
}

/* --- all runs --- */

/* The reference of the motion, and its runs from `first` on. */
static dls_status put_motion(dls_lesson_maker *m, size_t first, size_t inner, dls_error *err)
{
  dls_status status = dls_lesson_make_motion(m, err);
  if (status != DLS_OK) {
    return status;
  }
  fputs(first == 0 ? "" : ",\n", m->out);
  status = dls_lesson_put_motion(m, err);
  for (size_t run = first; run < first + inner && status == DLS_OK; run++) {
    set_sliders(m, run);
    fputs(run == first ? "" : ",\n", m->out);
    status = dls_lesson_put_run(m, step_at(m->lesson, run % m->lesson->levels), err);
  }
  fputs("]}", m->out);
  return status;
}

static dls_status put_motions(dls_lesson_maker *m, dls_lesson_poll poll, void *poll_data, dls_error *err)
{
  size_t inner, total;
  count_runs(m, &inner, &total);
  dls_status status = DLS_OK;
  fputs("\"motions\":[", m->out);
  for (size_t run = 0; run < total && status == DLS_OK; run += inner) {
    set_sliders(m, run);
    status = put_motion(m, run, inner, err);
    if (status == DLS_OK && poll != NULL && !poll(poll_data, (double)(run + inner) / (double)total)) {
      status = dls_fail(err, DLS_ERR_INTERRUPTED, "interrupted after %zu of %zu runs", run + inner, total);
    }
  }
  fputs("]", m->out);
  return status;
}

dls_status dls_lesson_write_tables(const dls_lesson *lesson, FILE *out, dls_lesson_poll poll, void *poll_data,
                                   dls_error *err)
{
  dls_catalogue *catalogue = NULL;
  dls_status status = dls_catalogue_create(&catalogue, err);
  if (status != DLS_OK) {
    return status;
  }
  dls_lesson_maker m = dls_lesson_maker_of(lesson, catalogue, out, 4);
  fputc('{', out);
  put_head(&m);
  status = put_motions(&m, poll, poll_data, err);
  fputs("}\n", out);
  dls_lesson_release_motion(&m);
  dls_catalogue_destroy(catalogue);
  return status;
}
