/* experiments/extra/lesson/lesson_tables.c -- runs of a lesson, measured and packed.
 *
 * Runs are numbered by the positions of the sliders, the first one slowest, the step fastest. Runs with the same motion are
 * consecutive, so that its model and reference are made once.
 * SPDX-License-Identifier: GPL-3.0-or-later */
#include "common/base/text.h"
#include "experiments/extra/lesson/lesson.h"
#include "experiments/extra/lesson/lesson_pack.h"
#include "experiments/measures/energy/derived.h"
#include "experiments/measures/order/order_contacts.h"
#include "experiments/measures/order/order_run.h"
#include "experiments/measures/order/reference.h"
#include "experiments/show/page.h"

#include <delassus/catalogue.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SETTINGS = 16, WORD = 40 };

typedef struct maker {
  const dls_lesson *lesson;
  const dls_catalogue *catalogue;
  FILE *out;
  size_t counts[DLS_LESSON_SLIDERS]; /* number of values; 0 after the last slider */
  size_t at[DLS_LESSON_SLIDERS];
  size_t panels, measures;
  dls_lesson_range ranges[DLS_LESSON_PANELS];
  double longest, end;
  /* the motion at the current slider positions */
  dls_model_choice model;
  dls_system *sys;
  dls_reference reference;
  dls_graph *graphs[DLS_LESSON_MEASURES]; /* of the reference */
} maker;

/* --- values of sliders --- */

/* The value at a position of a list "a;b;c", or the list's length if text is NULL. */
static size_t value_at(const char *list, size_t index, char *text, size_t size)
{
  size_t count = 0;
  for (size_t length; *list != '\0'; list += length + (list[length] == ';')) {
    length = strcspn(list, ";");
    if (text != NULL && count == index) {
      snprintf(text, size, "%.*s", (int)length, list);
    }
    count++;
  }
  return count;
}

/* The value of the slider, or "" */
static void value_of(const maker *m, const dls_lesson_slider *slider, char *text, size_t size)
{
  text[0] = '\0';
  value_at(slider->values, m->at[slider - m->lesson->sliders], text, size);
}

/* Steps are rounded to few digits, so that the page shows the step that was run. */
static double step_at(const dls_lesson *lesson, size_t level)
{
  char text[WORD];
  const double part = level == 0 ? 0 : (double)level / (double)(lesson->levels - 1);
  snprintf(text, sizeof text, "%.4g", lesson->h_first * pow(lesson->h_last / lesson->h_first, part));
  return strtod(text, NULL);
}

static bool changes_motion(dls_lesson_role role)
{
  return role == DLS_LESSON_PARAMETER || role == DLS_LESSON_LAW || role == DLS_LESSON_END;
}

/* Number of runs with one motion, and of all runs. */
static void count_runs(const maker *m, size_t *inner, size_t *total)
{
  *inner = *total = m->lesson->levels;
  for (size_t i = 0; i < DLS_LESSON_SLIDERS && m->counts[i] > 0; i++) {
    *total *= m->counts[i];
    *inner *= changes_motion(m->lesson->sliders[i].role) ? 1 : m->counts[i];
  }
}

static void set_sliders(maker *m, size_t run)
{
  run /= m->lesson->levels;
  for (size_t i = DLS_LESSON_SLIDERS; i-- > 0;) {
    if (m->counts[i] > 0) {
      m->at[i] = run % m->counts[i];
      run /= m->counts[i];
    }
  }
}

/* --- the motion --- */

static dls_status choose_model(maker *m, dls_error *err)
{
  const dls_lesson *lesson = m->lesson;
  char words[MOST_SETTINGS][2 * WORD], law[WORD] = "";
  const char *settings[MOST_SETTINGS];
  size_t count = value_at(lesson->settings, 0, NULL, 0);
  for (size_t i = 0; i < count; i++) {
    value_at(lesson->settings, i, words[i], sizeof words[i]);
  }
  for (size_t i = 0; i < DLS_LESSON_SLIDERS && m->counts[i] > 0; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    char value[WORD];
    value_of(m, slider, value, sizeof value);
    if (slider->role == DLS_LESSON_PARAMETER) {
      snprintf(words[count++], sizeof words[0], "%s=%s", slider->name, value);
    } else if (slider->role == DLS_LESSON_LAW) {
      snprintf(law, sizeof law, "%s", value);
    } else if (slider->role == DLS_LESSON_END) {
      m->end = strtod(value, NULL);
    }
  }
  for (size_t i = 0; i < count; i++) {
    settings[i] = words[i];
  }
  const dls_model *model = dls_catalogue_model(m->catalogue, lesson->model, err);
  dls_status status =
      model == NULL ? DLS_ERR_OPTION : dls_model_choose("lesson", model, count, settings, &m->model, err);
  if (status == DLS_OK && law[0] != '\0') {
    status = dls_catalogue_choose_law(m->catalogue, "lesson", law, &m->model, err);
  }
  return status;
}

static void release_motion(maker *m)
{
  for (size_t i = 0; i < DLS_LESSON_MEASURES; i++) {
    dls_graph_destroy(m->graphs[i]);
    m->graphs[i] = NULL;
  }
  dls_reference_clear(&m->reference);
  dls_system_destroy(m->sys);
  m->sys = NULL;
  dls_model_choice_release(&m->model);
}

/* Append energies and forces to the columns of a trajectory. */
static dls_status widen(const maker *m, dls_trajectory **traj, const dls_scheme *scheme, dls_error *err)
{
  dls_trajectory *wide = NULL;
  const dls_status status = dls_derive(*traj, m->sys, scheme, &wide, err);
  if (status == DLS_OK) {
    dls_trajectory_destroy(*traj);
    *traj = wide;
  }
  return status;
}

static dls_status make_motion(maker *m, dls_error *err)
{
  static const char *const of[] = {"q", "v"};
  release_motion(m);
  m->end = m->longest;
  dls_status status = choose_model(m, err);
  if (status != DLS_OK ||
      (status = dls_model_create(m->model.model, m->model.parameters, &m->sys, err)) != DLS_OK) {
    return status;
  }
  const dls_order_spec spec = {.model = m->model.model,
                               .catalogue = m->catalogue,
                               .parameters = m->model.parameters,
                               .end = m->end,
                               .of = of,
                               .of_count = 2,
                               .metric = dls_metric_default};
  status = dls_reference_make(&spec, m->sys, NULL, NULL, &m->reference, err);
  if (status == DLS_OK) {
    status = widen(m, &m->reference.traj, NULL, err);
  }
  for (size_t i = 0; i < m->measures && status == DLS_OK; i++) {
    if (strcmp(m->lesson->measures[i].norm, "contact") != 0) {
      status = dls_quantity_graph(m->reference.traj, m->lesson->measures[i].of, &m->graphs[i], err);
    }
  }
  return status;
}

/* --- the head --- */

static void put_words(const maker *m, const char *key, const char *text)
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

static bool is_last(const maker *m, size_t slider)
{
  return slider + 1 == DLS_LESSON_SLIDERS || m->counts[slider + 1] == 0;
}

static void put_sliders(const maker *m)
{
  const dls_lesson *lesson = m->lesson;
  fputs("\"sliders\":[", m->out);
  for (size_t i = 0; i < DLS_LESSON_SLIDERS && m->counts[i] > 0; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    fputc('{', m->out);
    put_words(m, "role", roles[slider->role]);
    put_words(m, "name", slider->name != NULL ? slider->name : "");
    put_words(m, "label", slider->label);
    put_words(m, "unit", slider->unit);
    put_words(m, "values", slider->values);
    fprintf(m->out, "\"start\":%zu}%s\n", slider->start, is_last(m, i) && lesson->levels == 1 ? "" : ",");
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

static void put_head(const maker *m)
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

/* --- a run --- */

static dls_status choose_scheme(const maker *m, dls_scheme_choice *out, dls_error *err)
{
  char text[200], options[200] = "";
  snprintf(text, sizeof text, "%s", m->lesson->scheme != NULL ? m->lesson->scheme : "");
  for (size_t i = 0; i < DLS_LESSON_SLIDERS && m->counts[i] > 0; i++) {
    const dls_lesson_slider *slider = &m->lesson->sliders[i];
    char value[WORD];
    value_of(m, slider, value, sizeof value);
    if (slider->role == DLS_LESSON_SCHEME) {
      snprintf(text, sizeof text, "%s", value);
    } else if (slider->role == DLS_LESSON_OPTION) {
      dls_text_append(options, sizeof options, "%s%s=%s", options[0] == '\0' ? "" : ",", slider->name, value);
    }
  }
  if (options[0] != '\0') {
    dls_text_append(text, sizeof text, "%c%s", strchr(text, ':') != NULL ? ',' : ':', options);
  }
  return dls_catalogue_choose(m->catalogue, text, out, err);
}

static dls_status simulate(const maker *m, double step, dls_trajectory **traj, dls_error *err)
{
  dls_scheme_choice choice;
  dls_sim *sim = NULL;
  dls_status status = choose_scheme(m, &choice, err);
  status = status != DLS_OK ? status : dls_scheme_choice_sim(&choice, m->sys, &sim, err);
  if (status == DLS_OK) {
    *traj = dls_sim_trajectory(sim, err);
    status = *traj == NULL ? DLS_ERR_MEMORY : DLS_OK;
  }
  if (status == DLS_OK) {
    status = dls_run(sim, &(dls_run_spec){.step = step, .end = m->end, .record = *traj}, err);
  }
  dls_sim_destroy(sim);
  return status != DLS_OK ? status : widen(m, traj, choice.scheme, err);
}

/* Remaining fraction of a column: its last value over its first. */
static double gain_of(const dls_trajectory *traj, const char *of)
{
  const int column = dls_trajectory_column(traj, of);
  return column < 0 || traj->rows == 0 ? NAN
                                       : dls_trajectory_at(traj, traj->rows - 1, (size_t)column) /
                                             dls_trajectory_at(traj, 0, (size_t)column);
}

/* A figure of the contacts of a run. */
static dls_status contact_of(const maker *m, const dls_trajectory *traj, const char *name, double *value)
{
  const dls_order_spec spec = {.end = m->end};
  const dls_order_inputs inputs = {.spec = &spec, .sys = m->sys, .reference = m->reference.traj};
  const dls_contact_figure *figure = dls_contact_figure_find(name);
  dls_order_point point = {0};
  const dls_status status = dls_order_measure_contacts(&inputs, traj, &point);
  *value = figure != NULL && status == DLS_OK ? dls_contact_figure_of(figure, &point) : NAN;
  return status;
}

static dls_status error_of(const maker *m, size_t index, const dls_trajectory *traj, double *error,
                           dls_error *err)
{
  const dls_lesson_measure *measure = &m->lesson->measures[index];
  dls_norm_choice norm;
  dls_order_point point = {0};
  if (strcmp(measure->norm, "gain") == 0) {
    *error = gain_of(traj, measure->of);
    return DLS_OK;
  }
  if (strcmp(measure->norm, "contact") == 0) {
    const dls_status measured = contact_of(m, traj, measure->of, error);
    return measured == DLS_OK ? DLS_OK : dls_fail(err, measured, "no memory for the contacts of a run");
  }
  dls_status status = dls_norm_read(measure->norm, &norm, err);
  const dls_norm *const norms[] = {&norm.norm};
  const dls_order_spec spec = {
      .norm_count = 1, .norms = norms, .of_count = 1, .of = &measure->of, .metric = dls_metric_default};
  const dls_prepared_reference prepared = {.graph = m->graphs[index]};
  const dls_order_inputs inputs = {.spec = &spec, .sys = m->sys, .prepared = &prepared};
  status = status != DLS_OK ? status : dls_order_measure(&inputs, traj, 0, &point);
  *error = point.error.value;
  return status == DLS_ERR_MEMORY ? dls_fail(err, status, "no memory for an error") : status;
}

/* [error, ...], null where there is none */
static dls_status put_errors(const maker *m, const dls_trajectory *traj, dls_error *err)
{
  for (size_t i = 0; i < m->measures; i++) {
    double error = NAN;
    const dls_status status = error_of(m, i, traj, &error, err);
    if (status != DLS_OK) {
      return status;
    }
    fprintf(m->out, isfinite(error) ? "%s%.4g" : "%snull", i == 0 ? "[[" : ",", error);
  }
  fputs("],\"", m->out);
  return DLS_OK;
}

static dls_status put_run(const maker *m, double step, dls_error *err)
{
  dls_trajectory *traj = NULL;
  dls_error why = {0};
  dls_status status = simulate(m, step, &traj, &why);
  if (status == DLS_OK) {
    status = put_errors(m, traj, err);
    if (status == DLS_OK) {
      status = dls_lesson_pack(traj, m->panels, m->ranges, m->longest, m->out, err);
    }
    fputs("\"]", m->out);
  } else if (status == DLS_ERR_MEMORY) {
    dls_fail(err, status, "%s", why.text);
  } else {
    fputs("[[],\"\",", m->out);
    dls_page_put_json(m->out, why.text);
    fputc(']', m->out);
    status = DLS_OK;
  }
  dls_trajectory_destroy(traj);
  return status;
}

/* --- all runs --- */

/* The reference of the motion, and its runs from `first` on. */
static dls_status put_motion(maker *m, size_t first, size_t inner, dls_error *err)
{
  dls_status status = make_motion(m, err);
  if (status != DLS_OK) {
    return status;
  }
  fputs(first == 0 ? "{\"reference\":" : ",\n{\"reference\":", m->out);
  dls_page_put_json(m->out, m->reference.text);
  fputs(",\"nodes\":\"", m->out);
  status = dls_lesson_pack(m->reference.traj, m->panels, m->ranges, m->longest, m->out, err);
  fputs("\",\n\"runs\":[", m->out);
  for (size_t run = first; run < first + inner && status == DLS_OK; run++) {
    set_sliders(m, run);
    fputs(run == first ? "" : ",\n", m->out);
    status = put_run(m, step_at(m->lesson, run % m->lesson->levels), err);
  }
  fputs("]}", m->out);
  return status;
}

static dls_status put_motions(maker *m, dls_lesson_poll poll, void *poll_data, dls_error *err)
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

/* Number of each, and the longest time. */
static void measure_lesson(maker *m)
{
  const dls_lesson *lesson = m->lesson;
  m->longest = lesson->end;
  for (size_t i = 0; i < DLS_LESSON_SLIDERS && lesson->sliders[i].role != DLS_LESSON_NONE; i++) {
    const dls_lesson_slider *slider = &lesson->sliders[i];
    m->counts[i] = value_at(slider->values, 0, NULL, 0);
    for (size_t k = 0; slider->role == DLS_LESSON_END && k < m->counts[i]; k++) {
      char text[WORD] = "";
      value_at(slider->values, k, text, sizeof text);
      m->longest = fmax(m->longest, strtod(text, NULL)); /* fmax ignores NaN */
    }
  }
  while (m->panels < DLS_LESSON_PANELS && lesson->panels[m->panels].column != NULL) {
    const dls_lesson_panel *panel = &lesson->panels[m->panels];
    m->ranges[m->panels++] = (dls_lesson_range){panel->column, panel->low, panel->high};
  }
  while (m->measures < DLS_LESSON_MEASURES && lesson->measures[m->measures].norm != NULL) {
    m->measures++;
  }
}

dls_status dls_lesson_write_tables(const dls_lesson *lesson, FILE *out, dls_lesson_poll poll, void *poll_data,
                                   dls_error *err)
{
  dls_catalogue *catalogue = NULL;
  dls_status status = dls_catalogue_create(&catalogue, err);
  if (status != DLS_OK) {
    return status;
  }
  maker m = {.lesson = lesson, .catalogue = catalogue, .out = out};
  measure_lesson(&m);
  fputc('{', out);
  put_head(&m);
  status = put_motions(&m, poll, poll_data, err);
  fputs("}\n", out);
  release_motion(&m);
  dls_catalogue_destroy(catalogue);
  return status;
}
